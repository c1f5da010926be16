//! The fast path of the optimized engine: how many pairs take it, and its agreement with the general path.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use expect_test::expect;
use proptest::prelude::*;

use super::index::ShortIndex;
use super::masks::Portable;
use super::{Base, InstructionSet, general, machine};
use crate::revision;
use crate::rules::{self, Rules};

const BASES: [&str; 11] = [
    "http://a/b/c/d;p?q#f",
    "http://a/b/..?q",
    "HTTP://a/b/c",
    "http://a;p?",
    "https://a/b//c/../d/",
    "s://h/a/b/c/d",
    "s://h",
    "s:/a/b",
    "news:a",
    "",
    "http://h/a/path/that/is/longer/than/one/block/of/abytes/is/and/then/longer/than/two/blocks/with/the/host.html",
];

const TOKENS: [&str; 14] = [
    "a",
    "b/",
    ".",
    "../",
    "/",
    ";",
    "?",
    "#",
    ":",
    "http://",
    "https://h/",
    "HTTP:",
    "s:",
    "a-segment-that-is-longer-than-a-whole-block-of-sixty-four-byte/",
];

/// Returns every string of up to `length` tokens.
fn references(length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..length {
        let to = all.len();
        for index in from..to {
            all.extend(TOKENS.map(|token| [all[index].as_str(), token].concat()));
        }
        from = to;
    }
    all
}

/// Returns long references: letters with up to three delimiters in different blocks, and letters only.
fn long_references() -> Vec<String> {
    const DELIMITERS: [&str; 7] = ["", "/", "#", ":", "/.", "?#", "?"];
    let letters = "x".repeat(66);
    let mut all: Vec<_> = (120..=130).map(|length| "x".repeat(length)).collect();
    for first in DELIMITERS {
        for second in DELIMITERS {
            all.extend(DELIMITERS.map(|third| [first, &letters, second, &letters, third, "x"].concat()));
        }
    }
    all.extend(["/", "#"].map(|third| [&letters, "x", &letters, third, &letters, ":x"].concat()));
    all
}

/// Counts the pairs that take the fast path, and those of them that need at most two blocks. The counts do not
/// depend on the instruction set, on whether the base is prepared, and on whether the meaning is computed.
fn fast_pairs(rules: &Rules, references: &[String]) -> [usize; 2] {
    let mut counts = [0; 2];
    let mut out = String::new();
    for base in BASES {
        let prepared = InstructionSet::available().map(|it| (it.0, Base::with_instructions(rules, base, it)));
        let prepared: Vec<_> = prepared.collect();
        for reference in references {
            let ways = prepared.iter().map(|(level, prepared)| {
                out.clear();
                let once = machine::once::<true, str>(*level, rules, base, reference, &mut out).is_some();
                assert_eq!(machine::resolve::<true, str>(prepared, reference, &mut out).is_some(), once);
                assert_eq!(machine::resolve::<false, str>(prepared, reference, &mut out).is_some(), once);
                let found = prepared.layout.short_splice(Portable, reference.as_bytes());
                [once, found.is_some_and(|found| found.splice.keep as usize <= base.len())]
            });
            let mut ways: Vec<_> = ways.collect();
            ways.dedup();
            assert_eq!(ways.len(), 1, "{base} {reference}");
            counts.iter_mut().zip(ways[0]).for_each(|(count, is_fast)| *count += usize::from(is_fast));
        }
    }
    counts
}

/// The general path returns the same results, so that other tests do not notice if a pair no longer takes the fast
/// path.
#[test]
fn number_of_pairs_on_the_fast_path_is_unchanged() {
    let references = [references(3), long_references()].concat();
    let counts = revision::resolving().map(|(revision, rules)| {
        let [all, short_splice] = fast_pairs(rules, &references);
        format!("{} {all} {short_splice}\n", revision.id)
    });
    expect![[r#"
        rfc1630 13853 8826
        appendix-b-1994 11035 7425
        rfc1808 13570 8476
        draft-1996 13570 8476
        rfc2396 13318 8260
        rfc3986 13106 8476
        rfc3986-nonstrict 11742 8258
    "#]]
    .assert_eq(&counts.collect::<String>());
}

/// Each of the rule sets has one setting that differs from a revision's.
#[test]
fn number_of_pairs_on_the_fast_path_is_unchanged_under_other_rule_sets() {
    let references = references(2);
    let mut counts = String::new();
    for id in ["rfc1808", "rfc3986-nonstrict"] {
        let rules = revision::by_id(id).and_then(|revision| revision.rules).expect("a rule set");
        let mut sum = [0; 2];
        for rule in rules::ALL {
            for setting in 0..rule.settings.len() {
                let counts = fast_pairs(&rule.with(rules, setting), &references);
                sum = [sum[0] + counts[0], sum[1] + counts[1]];
            }
        }
        counts += &format!("{id} {} {}\n", sum[0], sum[1]);
    }
    expect![[r#"
        rfc1808 69015 47716
        rfc3986-nonstrict 59535 46109
    "#]]
    .assert_eq(&counts);
}

#[test]
fn masks_describe_bases_of_up_to_127_bytes_without_path_ends() {
    let bytes = [b'x'; 128];
    assert!((0..=127).all(|length| ShortIndex::of(Portable, &bytes[..length]).is_some()));
    assert!(ShortIndex::of(Portable, &bytes).is_none());
    for path_end in *b"#?;" {
        for at in 0..127 {
            let mut bytes = bytes;
            bytes[at] = path_end;
            assert!(ShortIndex::of(Portable, &bytes[..127]).is_none(), "{at}");
        }
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let rule_sets: Vec<Rules> = revision::resolving().map(|(_, rules)| *rules).collect();
    let change = (0..rules::ALL.len(), any::<prop::sample::Index>());
    (prop::sample::select(rule_sets), prop::collection::vec(change, 0..40)).prop_map(|(start, changes)| {
        changes.into_iter().fold(start, |rules, (rule, setting)| {
            rules::ALL[rule].with(&rules, setting.index(rules::ALL[rule].settings.len()))
        })
    })
}

/// A base or reference that has a shape, or nearly has one.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "/", "//", "../", "./", "..", ".", ";", "?", "#", ":", "a/", "http:", "HTTP:", "http://h", "news:",
    ]);
    prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The rule sets include those that no revision has.
    #[test]
    fn fast_path_agrees_with_general_path_under_any_rule_set(
        rules in any_rules(),
        base in text(),
        start in prop::sample::select(vec!["http://h/", "http:", "a:/b/", ""]),
        reference in text(),
    ) {
        let base = String::from(start) + &base;
        let mut expected = String::new();
        let meaning = general::resolve(&rules, base.as_str(), &reference, &mut expected);
        let mut out = String::new();
        prop_assert_eq!(
            super::resolve_with_meaning_into(&rules, base.as_str(), &reference, &mut out),
            meaning
        );
        prop_assert_eq!(&out, &expected);
        for instructions in InstructionSet::available() {
            out.clear();
            let once = machine::once::<true, str>(instructions.0, &rules, base.as_str(), &reference, &mut out);
            prop_assert!(once.is_none() || once == meaning.ok() && out == expected, "{} {:?}", out, once);
            out.clear();
            let base = Base::with_instructions(&rules, base.as_str(), instructions);
            prop_assert_eq!(base.resolve_with_meaning_into(&reference, &mut out), meaning);
            prop_assert_eq!(&out, &expected);
        }
    }
}
