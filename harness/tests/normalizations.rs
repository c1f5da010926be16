//! Each normalization can be enabled alone, and the normalizations of the URL Standard together predict the results
//! that the Standard's vectors expect.

use expect_test::expect;
use urlstrata::revision::whatwg::{ChangeSet, NEWEST};
use urlstrata::revision::{self, rfc3986};
use urlstrata::rules::Rules;
use urlstrata_harness::normalize::{Normalization, Normalizations, Origin, Profile};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs::generate::{ALPHABET, BASES, RandomPairs, count, nth};
use urlstrata_harness::vector::{ResolutionCase, Suite};

const REJECTED: &str = "(rejected)";

/// A normalization, the normalizations that it requires, and the results for its witness under the rule set of RFC
/// 3986, without the normalization and with it.
type Case = (Normalization, &'static [Normalization], &'static str, &'static str);

use Normalization::*;

const CASES: &[Case] = &[
    (Trim, &[], "http://a/ g ", "http://a/g"),
    (StripTabs, &[], "http://a/g\th", "http://a/gh"),
    (UriGrammar, &[], "http://a/é", REJECTED),
    (IriGrammar, &[], "http://a/g h", REJECTED),
    (BaseFragmentRejected, &[], "http://a/g", REJECTED),
    (KeptWithoutBase, &[], "http://a/g", "http://a/./g"),
    (BaseNormalised, &[], "http://a/b/../c?y", "http://a/c?y"),
    (BaseDots, &[], "http://a/b/../c?y", "http://a/c?y"),
    (Backslash, &[], "http://a/b/\\g", "http://a/g"),
    (SpecialSameScheme, &[], "http:g", "http://a/b/g"),
    (SpecialSlashes, &[], "http:g", "http://g"),
    (RelativeSlashes, &[], "http:///g", "http://g"),
    (FileAuthority, &[], "file:g", "file:///g"),
    (DriveLetters, &[], "file:///x", "file:///C:/x"),
    (EncodedDots, &[], "http://a/b/c/%2e%2E/g", "http://a/b/g"),
    (OpaquePath, &[], "g:/y", "g:x/../y"),
    (OpaqueBase, &[], "foo:a/g", REJECTED),
    (RootlessUntouched, &[], "http:/y", "http:x/../y"),
    (RootlessBase, &[], "foo:a/g", REJECTED),
    (SlashPathRejected, &[], "foo://c", REJECTED),
    (SlashDotGuard, &[], "foo://c", "foo:/.//c"),
    (TabEndsDrive, &[StripTabs], "file://h/C:x", "file://h/C:/x"),
    (RelativeBackslashes, &[], "foo://a/\\\\h", "foo://h"),
    (PortBackslash, &[], "foo://h:8\\g", "foo://h:8/\\g"),
    (DriveSegmentsStay, &[], "foo://h/g", "foo://h/C:/g"),
    (LastDriveStays, &[], "file:///a/g", "file:///a/C:g"),
    (DriveAfterEmptyHost, &[DriveLetters], "file:///c:/x", "file:///c|/x"),
    (DriveDropsHost, &[DriveLetters], "file://h/C:/x", "file:///C:/x"),
    (DriveAfterDots, &[DriveLetters, DriveDropsHost], "file:///C:", "file://h/C:"),
    (FileSlashes, &[], "file:////g", "file:///g"),
    (EmptyCredentials, &[HostMissing], REJECTED, "foo://:@/g"),
    (SchemeCase, &[], "HTTP://a/", "http://a/"),
    (EmptyUserinfo, &[], "http://:@h/", "http://h/"),
    (EncodeUserinfo, &[], "http://u@v@h/", "http://u%40v@h/"),
    (HostMissing, &[], "foo://u@/", REJECTED),
    (EmptyHost, &[], "http://", REJECTED),
    (HostDecoded, &[], "http://%41/", "http://A/"),
    (HostCase, &[], "http://A/", "http://a/"),
    (HostIdna, &[], "http://é/", "http://xn--9ca/"),
    (AceValidated, &[], "http://xn--a/", REJECTED),
    (HostForbidden, &[], "http://a b/", REJECTED),
    (Ipv4, &[], "http://0x7f.1/", "http://127.0.0.1/"),
    (Ipv6, &[], "http://[1:0:0::2]/", "http://[1::2]/"),
    (EncodeHost, &[], "foo://é/", "foo://%C3%A9/"),
    (FileLocalhost, &[], "file://localhost/x", "file:///x"),
    (PortNumber, &[], "http://h:080/", "http://h:80/"),
    (EmptyPort, &[], "foo://h:/", "foo://h/"),
    (DefaultPort, &[], "http://h:80/", "http://h/"),
    (EmptyPath, &[], "http://a?y", "http://a/?y"),
    (EncodePath, &[], "http://a/x y", "http://a/x%20y"),
    (EncodeCaret, &[], "http://a/^", "http://a/%5E"),
    (EncodeOpaquePath, &[], "foo:é", "foo:%C3%A9"),
    (EncodeOpaqueSpace, &[], "foo:a ?b", "foo:a%20?b"),
    (EncodeQuery, &[], "http://a/?\"", "http://a/?%22"),
    (EncodeApostrophe, &[], "http://a/?'", "http://a/?%27"),
    (EncodeFragment, &[], "http://a/#`", "http://a/#%60"),
];

fn rules() -> Rules {
    *rfc3986::REVISION.rules.expect("a row")
}

/// Asserts that a profile of RFC 3986 with `normalizations` predicts `expected`.
#[track_caller]
fn assert_predicts(normalizations: Normalizations, base: &str, reference: &str, expected: &str) {
    let predicted = Profile { rules: rules(), normalizations }.predict(base, reference);
    let predicted = predicted.url().unwrap_or(REJECTED);
    assert_eq!(predicted, expected, "{reference:?} on {base:?} with {:?}", normalizations.iter().collect::<Vec<_>>());
}

#[test]
fn every_normalization_can_be_enabled_alone() {
    for &(normalization, upon, without, with) in CASES {
        let (base, reference) = normalization.witness();
        let upon: Normalizations = upon.iter().copied().collect();
        assert_predicts(upon, base, reference, without);
        assert_predicts(upon.with(normalization), base, reference, with);
    }
    for &normalization in Normalization::ALL {
        assert!(CASES.iter().any(|case| case.0 == normalization), "no pair shows {}", normalization.name());
    }
}

#[test]
fn every_normalization_has_a_unique_name_and_cites_its_origin() {
    let mut names: Vec<_> = Normalization::ALL.iter().map(|normalization| normalization.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Normalization::ALL.len());
    for &normalization in Normalization::ALL {
        assert!(normalization.doc().ends_with(")."), "{}", normalization.doc());
        let quirk = normalization.doc().ends_with("(quirk).");
        assert_eq!(quirk, normalization.origin() == Origin::Quirk, "{}", normalization.doc());
        let cited = ["URL Standard §", "RFC 3986 §", "RFC 3987 §", "UTS #46 §"]
            .iter()
            .any(|cite| normalization.source().starts_with(cite));
        assert!(quirk || cited, "{}", normalization.doc());
        assert_eq!(Normalization::by_name(normalization.name()), Some(normalization));
    }
}

#[test]
fn the_url_standard_normalizations_meet_its_vectors() {
    let suite = Suite::embedded().expect("vectors in order");
    let profile = Profile { rules: rules(), normalizations: Normalizations::url_standard(ChangeSet::ALL) };
    let mut rows = 0;
    for (_, vector) in suite.vectors() {
        let Some(ResolutionCase { base, reference, expect, .. }) = vector.resolution() else { continue };
        let Some(expected) = expect.get(NEWEST.id) else { continue };
        let predicted = profile.predict(base, reference);
        assert!(expected.is_met_by(&predicted), "{}: {predicted:?}, expected {expected:?}", vector.name);
        rows += 1;
    }
    expect!["1163"].assert_eq(&rows.to_string());
}

/// The expected number was counted with an independent implementation of the URL Standard.
#[test]
fn the_url_standard_normalizations_differ_from_rfc_3986_on_the_expected_number_of_pairs() {
    let [rfc3986, standard] = [Normalizations::NONE, Normalizations::url_standard(ChangeSet::ALL)]
        .map(|normalizations| Profile { rules: rules(), normalizations });
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let mut reference = String::new();
    let (mut pairs, mut differ) = (0, 0);
    for number in 0..count(alphabet.len(), 5).expect("a number") {
        nth(&alphabet, number, &mut reference);
        for base in BASES {
            pairs += 1;
            differ += usize::from(!rfc3986.predicts(base, &reference, &standard.predict(base, &reference)));
        }
    }
    assert_eq!((differ, pairs), (216_896, 973_674));
}

#[test]
fn a_profile_without_normalizations_predicts_the_results_of_its_revision() {
    for (base, reference) in [("http://a/b/c/d;p?q", "../../../g"), ("foo:/a/b", "..//c"), ("http://a", "g:h")] {
        let profile = Profile { rules: rules(), normalizations: Normalizations::NONE };
        let by_steps = Outcome::from(rfc3986::REVISION.resolve(base, reference));
        assert_eq!(profile.predict(base, reference), by_steps);
    }
}

/// The search for causes leaves out some normalizations, so any combination of them can be applied.
#[test]
fn no_combination_of_normalizations_panics_on_random_pairs() {
    let mut random = RandomPairs::new(11);
    let rows: Vec<_> = revision::resolving().map(|(_, rules)| *rules).collect();
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    for turn in 0..200_000 {
        // A linear congruential generator is sufficient: its bits, from the highest, select the normalizations.
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let normalizations =
            Normalization::ALL.iter().enumerate().filter(|(index, _)| bits.rotate_left(*index as u32) >> 63 == 1);
        let normalizations = normalizations.map(|(_, normalization)| *normalization).collect();
        let (base, reference) = random.pair();
        Profile { rules: rows[turn % rows.len()], normalizations }.predict(&base, &reference);
    }
}
