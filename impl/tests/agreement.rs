//! The optimized engine agrees with each reference implementation: on every string of up to five tokens, on short
//! bases, on random pairs and on byte strings.

mod common;
mod forms;
mod scope;

use common::BASES;
use forms::{Forms, same};
use proptest::prelude::*;
use scope::{scope, stride};
use urlstrata::fast::{Base, InstructionSet};
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;

const TOKENS: [&str; 10] = ["a", ".", "..", "/", "//", ";", "?", "#", ":", "%"];

/// Returns every string of up to `length` of `tokens`.
fn strings(tokens: &[&str], length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..length {
        let to = all.len();
        for index in from..to {
            for token in tokens {
                all.push(format!("{}{token}", all[index]));
            }
        }
        from = to;
    }
    all
}

fn agrees_on_every_string(revision: &Revision, rules: &Rules) {
    let references = strings(&TOKENS, scope(5, 2));
    for base in BASES {
        let mut forms = Forms::of(rules, base);
        references.iter().step_by(stride(13)).for_each(|reference| same(revision, &mut forms, reference));
    }
}

macro_rules! agrees {
    ($($test:ident: $id:literal)+) => {
        const TESTED: &[&str] = &[$($id),+];

        $(
            #[test]
            fn $test() {
                let revision = revision::by_id($id).expect("a revision");
                agrees_on_every_string(revision, revision.rules.expect("a rule set"));
            }
        )+
    };
}

agrees! {
    rfc1630: "rfc1630"
    appendix_b_1994: "appendix-b-1994"
    rfc1808: "rfc1808"
    draft_1996: "draft-1996"
    rfc2396: "rfc2396"
    rfc3986: "rfc3986"
    rfc3986_nonstrict: "rfc3986-nonstrict"
}

#[test]
fn every_revision_that_resolves_is_tested() {
    let ids: Vec<_> = revision::resolving().map(|(revision, _)| revision.id).collect();
    assert_eq!(TESTED, ids);
}

/// Strings that resemble `http:` and `https:`, which the engine tests before it looks for other schemes.
const NEARLY_HTTP: [&str; 12] = [
    "http",
    "https",
    "http:",
    "https:",
    "httpa:b",
    "httpsa:b",
    "httpa/b",
    "httpsa/b",
    "http/a:b",
    "https/a:b",
    "httpS:a",
    "HTTPS://h",
];

/// RFC 3986 §4.4 compares the target with the base, so that bases are used as references too.
#[test]
fn agrees_on_bases_as_references() {
    let texts: Vec<&str> = BASES.iter().copied().chain(NEARLY_HTTP).collect();
    for base in &texts {
        for (revision, rules) in revision::resolving() {
            let mut forms = Forms::of(rules, base);
            for reference in &texts {
                same(revision, &mut forms, reference);
                same(revision, &mut forms, &format!("{}#s", reference.split('#').next().unwrap_or_default()));
            }
        }
    }
}

#[test]
fn agrees_on_short_bases() {
    let references = strings(&TOKENS, scope(2, 1));
    for base in strings(&TOKENS, scope(4, 2)).into_iter().step_by(stride(13)) {
        for scheme in ["", "s:"] {
            let base = format!("{scheme}{base}");
            for (revision, rules) in revision::resolving() {
                let mut forms = Forms::of(rules, &base);
                references.iter().for_each(|reference| same(revision, &mut forms, reference));
            }
        }
    }
}

/// Strings of delimiters, schemes and dot segments, mixed with arbitrary text.
fn url_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "a", "bc", ".", "..", "/", "//", "///", ";", "?", "#", ":", "%2e", "@", "\\", "\t", " ", "é", "\u{0}",
            "http:", "HTTP:", "gopher:", "s+.-:", "1:", "[::1]", "../", "./", "/.", "/..", "...",
        ]).prop_map(String::from),
        1 => any::<String>(),
        1 => (prop::sample::select(vec!["../", "a/", "./", "..", "//", ";"]), 0..40_usize).prop_map(|(s, n)| s.repeat(n)),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: scope(20_000 / stride(4) as u32, 400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_on_random_pairs(base in url_like(), reference in url_like(), scheme in prop::sample::select(vec!["", "http:", "s://h", "s:"])) {
        let base = format!("{scheme}{base}");
        for (revision, rules) in revision::resolving() {
            same(revision, &mut Forms::of(rules, &base), &reference);
        }
    }

    /// The expected result is that of strings in which each byte is replaced by the character with its number.
    #[test]
    fn byte_strings_that_are_not_utf8_resolve_like_strings(
        base in prop::collection::vec(byte(), 0..90),
        reference in prop::collection::vec(byte(), 0..90),
        start in prop::sample::select(vec!["http://h/", "s:", ""]),
    ) {
        let base = [start.as_bytes(), &base].concat();
        let letters = |bytes: &[u8]| bytes.iter().copied().map(char::from).collect::<String>();
        for (revision, rules) in revision::resolving() {
            let by_steps = revision.resolve(&letters(&base), &letters(&reference)).ok().map(|target| target.url);
            for instructions in InstructionSet::available() {
                let mut out = vec![];
                let done = Base::with_instructions(rules, base.as_slice(), instructions).resolve_into(&reference, &mut out);
                prop_assert_eq!(done.ok().map(|()| letters(&out)), by_steps.clone(), "{} {}", revision.id, instructions);
            }
        }
    }
}

fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![2 => prop::sample::select(b"a./;?#:".to_vec()), 1 => any::<u8>()]
}
