//! Each rewrite can be switched on alone, and all of the URL Standard's together say what the Standard's rows say.

use urlstrata::revision::rfc3986;
use urlstrata::rules::Rules;
use urlstrata_harness::engine::Outcome;
use urlstrata_harness::judge::base_of;
use urlstrata_harness::rewrite::{Origin, Profile, Rewrite, Rewrites};
use urlstrata_harness::vector::{Suite, WHATWG};

const REFUSED: &str = "(refused)";

/// A rewrite, those that it builds upon, base, reference, and what the row of RFC 3986 says without it and with it.
type Case = (Rewrite, &'static [Rewrite], &'static str, &'static str, &'static str, &'static str);

use Rewrite::*;

const CASES: &[Case] = &[
    (Trim, &[], "http://a/b", " g ", "http://a/ g ", "http://a/g"),
    (StripTabs, &[], "http://a/b", "g\th", "http://a/g\th", "http://a/gh"),
    (UriGrammar, &[], "http://a/b", "é", "http://a/é", REFUSED),
    (IriGrammar, &[], "http://a/b", "g h", "http://a/g h", REFUSED),
    (BaseFragmentRefused, &[], "http://a/b#f", "g", "http://a/g", REFUSED),
    (KeptWithoutBase, &[], "", "http://a/./g", "http://a/g", "http://a/./g"),
    (BaseNormalised, &[], "http://a/b/../c", "?y", "http://a/b/../c?y", "http://a/c?y"),
    (BaseDots, &[], "http://a/b/../c", "?y", "http://a/b/../c?y", "http://a/c?y"),
    (Backslash, &[], "http://a/b/c", "\\g", "http://a/b/\\g", "http://a/g"),
    (SpecialSameScheme, &[], "http://a/b/c", "http:g", "http:g", "http://a/b/g"),
    (SpecialSlashes, &[], "", "http:g", "http:g", "http://g"),
    (RelativeSlashes, &[], "http://a/b", "///g", "http:///g", "http://g"),
    (FileAuthority, &[], "", "file:g", "file:g", "file:///g"),
    (DriveLetters, &[], "file:///C:/a", "../../x", "file:///x", "file:///C:/x"),
    (EncodedDots, &[], "http://a/b/c/d", "%2e%2E/g", "http://a/b/c/%2e%2E/g", "http://a/b/g"),
    (OpaquePath, &[], "", "g:x/../y", "g:/y", "g:x/../y"),
    (OpaqueBase, &[], "foo:a/b", "g", "foo:a/g", REFUSED),
    (RootlessUntouched, &[], "", "http:x/../y", "http:/y", "http:x/../y"),
    (RootlessBase, &[], "foo:a/b", "g", "foo:a/g", REFUSED),
    (SlashPathRefused, &[], "foo:/a/b", "..//c", "foo://c", REFUSED),
    (SlashDotGuard, &[], "foo:/a/b", "..//c", "foo://c", "foo:/.//c"),
    (RelativeBackslashes, &[], "foo://a/b", "\\\\h", "foo://a/\\\\h", "foo://h"),
    (PortBackslash, &[], "", "foo://h:8\\g", "foo://h:8\\g", "foo://h:8/\\g"),
    (DriveSegmentsStay, &[], "foo://h/C:/b", "../g", "foo://h/g", "foo://h/C:/g"),
    (LastDriveStays, &[], "file:///a/C:", "g", "file:///a/g", "file:///a/C:g"),
    (DriveBehindVoidHost, &[DriveLetters], "", "file:///c|/x", "file:///c:/x", "file:///c|/x"),
    (DriveDropsHost, &[DriveLetters], "", "file://h/C:/x", "file://h/C:/x", "file:///C:/x"),
    (FileSlashes, &[], "", "file:////g", "file:////g", "file:///g"),
    (VoidCredentials, &[HostMissing], "", "foo://:@/g", REFUSED, "foo://:@/g"),
    (SchemeCase, &[], "", "HTTP://a/", "HTTP://a/", "http://a/"),
    (EmptyUserinfo, &[], "", "http://:@h/", "http://:@h/", "http://h/"),
    (EncodeUserinfo, &[], "", "http://u@v@h/", "http://u@v@h/", "http://u%40v@h/"),
    (HostMissing, &[], "", "foo://u@/", "foo://u@/", REFUSED),
    (EmptyHost, &[], "http://a/b", "//", "http://", REFUSED),
    (HostDecoded, &[], "", "http://%41/", "http://%41/", "http://A/"),
    (HostCase, &[], "", "http://A/", "http://A/", "http://a/"),
    (HostIdna, &[], "", "http://é/", "http://é/", "http://xn--9ca/"),
    (HostForbidden, &[], "", "http://a b/", "http://a b/", REFUSED),
    (Ipv4, &[], "", "http://0x7f.1/", "http://0x7f.1/", "http://127.0.0.1/"),
    (Ipv6, &[], "", "http://[1:0:0::2]/", "http://[1:0:0::2]/", "http://[1::2]/"),
    (EncodeHost, &[], "", "foo://é/", "foo://é/", "foo://%C3%A9/"),
    (FileLocalhost, &[], "", "file://localhost/x", "file://localhost/x", "file:///x"),
    (PortNumber, &[], "", "http://h:080/", "http://h:080/", "http://h:80/"),
    (EmptyPort, &[], "", "foo://h:/", "foo://h:/", "foo://h/"),
    (DefaultPort, &[], "", "http://h:80/", "http://h:80/", "http://h/"),
    (EmptyPath, &[], "", "http://a?y", "http://a?y", "http://a/?y"),
    (EncodePath, &[], "http://a/b", "x y", "http://a/x y", "http://a/x%20y"),
    (EncodeCaret, &[], "http://a/b", "^", "http://a/^", "http://a/%5E"),
    (EncodeOpaquePath, &[], "", "foo:é", "foo:é", "foo:%C3%A9"),
    (EncodeOpaqueSpace, &[], "", "foo:a ?b", "foo:a ?b", "foo:a%20?b"),
    (EncodeQuery, &[], "", "http://a/?\"", "http://a/?\"", "http://a/?%22"),
    (EncodeApostrophe, &[], "", "http://a/?'", "http://a/?'", "http://a/?%27"),
    (EncodeFragment, &[], "", "http://a/#`", "http://a/#`", "http://a/#%60"),
];

fn rules() -> Rules {
    *rfc3986::REVISION.rules.expect("a row")
}

#[track_caller]
fn says(rewrites: Rewrites, base: &str, reference: &str, expected: &str) {
    let said = Profile { rules: rules(), rewrites }.predict(base, reference);
    let said = said.url().unwrap_or(REFUSED);
    assert_eq!(said, expected, "{reference:?} on {base:?} with {:?}", rewrites.iter().collect::<Vec<_>>());
}

#[test]
fn every_rewrite_acts_alone() {
    for &(rewrite, upon, base, reference, without, with) in CASES {
        let upon: Rewrites = upon.iter().copied().collect();
        says(upon, base, reference, without);
        says(upon.with(rewrite), base, reference, with);
    }
    for &rewrite in Rewrite::ALL {
        assert!(CASES.iter().any(|case| case.0 == rewrite), "no pair shows {}", rewrite.name());
    }
}

#[test]
fn every_rewrite_is_named_once_and_says_whose_word_it_is() {
    let mut names: Vec<_> = Rewrite::ALL.iter().map(|rewrite| rewrite.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Rewrite::ALL.len());
    for &rewrite in Rewrite::ALL {
        assert!(rewrite.doc().ends_with(")."), "{}", rewrite.doc());
        let quirk = rewrite.doc().ends_with("(quirk).");
        assert_eq!(quirk, rewrite.origin() == Origin::Quirk, "{}", rewrite.doc());
        let cited =
            ["URL Standard §", "RFC 3986 §", "RFC 3987 §"].iter().any(|cite| rewrite.source().starts_with(cite));
        assert!(quirk || cited, "{}", rewrite.doc());
        assert_eq!(Rewrite::by_name(rewrite.name()), Some(rewrite));
    }
}

/// The rows are older than the percent-encoding of carets in paths (two of them print one as it stands).
#[test]
fn the_standards_rewrites_say_what_its_rows_say() {
    let suite = Suite::embedded().expect("vectors in order");
    let profile = Profile { rules: rules(), rewrites: Rewrites::url_standard().without(EncodeCaret) };
    let mut rows = 0;
    for (file, vector) in suite.vectors() {
        let (Some(reference), Some(expected)) = (&vector.reference, vector.expect.0.get(WHATWG)) else { continue };
        let said = profile.predict(base_of(file, vector), reference);
        assert!(expected.is_met_by(&said), "{}: {said:?}, expected {expected:?}", vector.name);
        rows += 1;
    }
    assert_eq!(rows, 819);
}

#[test]
fn without_rewrites_a_profile_says_what_its_row_says() {
    for (base, reference) in [("http://a/b/c/d;p?q", "../../../g"), ("foo:/a/b", "..//c"), ("http://a", "g:h")] {
        let profile = Profile { rules: rules(), rewrites: Rewrites::NONE };
        let by_steps = Outcome::from(rfc3986::REVISION.resolve(base, reference));
        assert_eq!(profile.predict(base, reference), by_steps);
    }
}
