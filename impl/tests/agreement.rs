//! The optimized implementation agrees with each reference, on every string of up to five tokens and on wilder ones.

mod common;

use common::BASES;
use proptest::prelude::*;
use urlstrata::fast;
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

#[track_caller]
fn same(revision: &Revision, rules: &Rules, base: &str, reference: &str, out: &mut String) {
    let by_steps = revision.resolve(base, reference);
    let by_rules = fast::resolve(rules, base, reference, out);
    let equal = match (&by_steps, &by_rules) {
        (Ok(target), Ok(meaning)) => target.url == *out && target.meaning == *meaning,
        (Err(refusal), Err(undefined)) => refusal.same_document == undefined.same_document,
        _ => false,
    };
    if !equal {
        let (_, trace) = revision.resolve_traced(base, reference);
        let steps: Vec<String> =
            trace.entries().iter().map(|entry| format!("  {:<16} {}", entry.label, entry.state)).collect();
        panic!(
            "{} on base {base:?}, reference {reference:?}\n  by steps: {by_steps:?}\n  by rules: {by_rules:?} {out:?}\n{}",
            revision.id,
            steps.join("\n")
        );
    }
}

fn agrees_on_every_string(revision: &Revision, rules: &Rules) {
    let mut out = String::new();
    for reference in strings(&TOKENS, 5) {
        for base in BASES {
            same(revision, rules, base, &reference, &mut out);
        }
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

/// Short strings as bases too: a base is parsed by the same rules, and wilder ones than the list's exist.
#[test]
fn agrees_on_every_short_base() {
    let mut out = String::new();
    let references = strings(&TOKENS, 2);
    for base in strings(&TOKENS, 4) {
        for scheme in ["", "s:"] {
            let base = format!("{scheme}{base}");
            for (revision, rules) in revision::resolving() {
                for reference in &references {
                    same(revision, rules, &base, reference, &mut out);
                }
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
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_on_wild_pairs(base in wild(), reference in wild(), scheme in prop::sample::select(vec!["", "http:", "s://h", "s:"])) {
        let mut out = String::new();
        let base = format!("{scheme}{base}");
        for (revision, rules) in revision::resolving() {
            same(revision, rules, &base, &reference, &mut out);
        }
    }
}
