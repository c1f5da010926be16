//! The optimized implementation agrees with each reference, on every string of up to five tokens and on wilder ones.

mod common;
mod forms;
mod scope;

use common::BASES;
use forms::{Forms, same};
use proptest::prelude::*;
use scope::scope;
use urlstrata::fast::{Base, InstructionSet};
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;

const TOKENS: [&str; 10] = ["a", ".", "..", "/", "//", ";", "?", "#", ":", "%"];

/// Every string of up to `length` of `tokens`.
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
        references.iter().for_each(|reference| same(revision, &mut forms, reference));
    }
}

macro_rules! agrees {
    ($($test:ident: $id:literal)+) => {$(
        #[test]
        fn $test() {
            let revision = revision::by_id($id).expect("a revision");
            agrees_on_every_string(revision, revision.rules.expect("a row"));
        }
    )+};
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
fn every_row_is_tested() {
    assert_eq!(revision::resolving().count(), 7);
}

/// The most common schemes are looked for before any other; these are nearly they.
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

/// A base as its own reference too, where one document says that the target is the same document.
#[test]
fn agrees_on_every_base_as_a_reference() {
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

/// Short strings as bases too: a base is parsed by the same rules, and wilder ones than the list's exist.
#[test]
fn agrees_on_every_short_base() {
    let references = strings(&TOKENS, scope(2, 1));
    for base in strings(&TOKENS, scope(4, 2)) {
        for scheme in ["", "s:"] {
            let base = format!("{scheme}{base}");
            for (revision, rules) in revision::resolving() {
                let mut forms = Forms::of(rules, &base);
                references.iter().for_each(|reference| same(revision, &mut forms, reference));
            }
        }
    }
}

/// A URL-like string: pieces that mean something, between pieces that mean nothing.
fn wild() -> impl Strategy<Value = String> {
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
    #![proptest_config(ProptestConfig { cases: scope(20_000, 400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_on_wild_pairs(base in wild(), reference in wild(), scheme in prop::sample::select(vec!["", "http:", "s://h", "s:"])) {
        let base = format!("{scheme}{base}");
        for (revision, rules) in revision::resolving() {
            same(revision, &mut Forms::of(rules, &base), &reference);
        }
    }

    /// Bytes need not be text: what is no delimiter is copied, as letters are that stand for them one by one.
    #[test]
    fn bytes_that_are_no_text_are_copied(
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
