//! What holds of every revision: no panic, a bound on the output, and which results stay what they are.

mod common;
mod scope;

use common::BASES;
use proptest::prelude::*;
use scope::scope;
use urlstrata::Meaning;
use urlstrata::fast::{self, Base};
use urlstrata::revision::{self, Revision};
use urlstrata::rules::{self, Rules};

fn resolved(revision: &Revision, base: &str, reference: &str) -> Option<String> {
    revision.resolve(base, reference).ok().map(|target| target.url)
}

/// Every string of up to `length` characters of the catalogue's alphabet.
fn short_references(length: usize) -> impl Iterator<Item = String> {
    (0..=length as u32).flat_map(|length| {
        (0..8_usize.pow(length)).map(move |mut number| {
            (0..length)
                .map(|_| {
                    let character = char::from(b"a./;?#:%"[number % 8]);
                    number /= 8;
                    character
                })
                .collect()
        })
    })
}

#[test]
fn output_is_bounded() {
    let mut out = String::new();
    for reference in short_references(scope(4, 2)) {
        for base in BASES {
            for (revision, rules) in revision::resolving() {
                let _ = fast::resolve(rules, base, &reference, &mut out);
                assert!(
                    out.len() <= base.len() + reference.len() + 1,
                    "{}: {base:?} {reference:?} {out:?}",
                    revision.id
                );
            }
        }
    }
}

#[test]
fn an_undefined_result_leaves_nothing() {
    for (revision, rules) in revision::resolving() {
        let mut out = String::from("left over");
        if fast::resolve(rules, "", "x", &mut out).is_err() {
            assert_eq!(out, "", "{}", revision.id);
        }
    }
}

/// RFC 1808 §4 step 2b, the draft's, and RFC 2396 §5.2 step 3 copy a reference that has a scheme.
#[test]
fn an_absolute_reference_is_unchanged_where_the_document_says_so() {
    for id in ["rfc1808", "draft-1996", "rfc2396"] {
        let revision = revision::by_id(id).expect("a revision");
        for rest in short_references(scope(5, 2)) {
            let reference = format!("g:{rest}");
            assert_eq!(resolved(revision, "http://a/b/c/d;p?q", &reference).as_ref(), Some(&reference), "{id}");
        }
    }
}

/// A result resolved again is itself; under the documents and on the pairs that are named here it is not.
#[test]
fn resolving_twice_changes_nothing_but_for_the_named_exceptions() {
    for (revision, _) in revision::resolving() {
        for reference in short_references(scope(5, 2)) {
            for base in BASES.iter().filter(|base| !base.is_empty() && base.contains(':')) {
                let Some(once) = resolved(revision, base, &reference) else { continue };
                let twice = resolved(revision, base, &once);
                assert!(
                    twice.as_ref() == Some(&once) || may_change(revision.id, base, &reference, &once),
                    "{}: base {base:?}, reference {reference:?}: {once:?}, then {twice:?}",
                    revision.id
                );
            }
        }
    }
}

fn may_change(id: &str, base: &str, reference: &str, once: &str) -> bool {
    let (scheme, rest) = once.split_once(':').unwrap_or(("", once));
    // A reference without a path takes the base's with its dot segments; with a scheme before it they go.
    let dots_of_base = matches!(reference.chars().next(), None | Some('?' | '#')) && base.contains('.');
    // A path that begins with an empty segment is read back as an authority.
    let read_back_as_authority = rest.starts_with("//") && !base.contains("://");
    let equal_scheme = base.split_once(':').is_some_and(|(base, _)| base == scheme);
    match id {
        // Rule 3: a result under the base's scheme is relative again.
        "appendix-b-1994" => equal_scheme,
        "rfc3986" => dots_of_base || read_back_as_authority,
        // An equal scheme is dropped, so a result without an authority is relative again.
        "rfc3986-nonstrict" => dots_of_base || read_back_as_authority || equal_scheme && !rest.starts_with("//"),
        _ => false,
    }
}

/// An empty reference is the base, but for the base's fragment and where RFC 1630 cuts its last part.
#[test]
fn an_empty_reference_is_the_base() {
    for base in BASES.iter().filter(|base| base.contains(':') && !base.starts_with("gopher")) {
        let without_fragment = base.split('#').next().unwrap_or_default();
        for (revision, _) in revision::resolving() {
            let expected = match revision.id {
                "rfc1630" => continue,
                "appendix-b-1994" | "rfc1808" | "draft-1996" => base,
                _ => without_fragment,
            };
            assert_eq!(resolved(revision, base, "").as_deref(), Some(expected), "{}", revision.id);
        }
    }
}

/// Long inputs of the shapes that make naive code quadratic, or recurse.
#[test]
fn long_inputs_end() {
    let count = scope(200_000, 400);
    let shapes = ["a/", "../", "./", "//", ";", "?", "#", ":", "a/../", ".", "%"];
    let mut out = String::new();
    for shape in shapes {
        let long = shape.repeat(count);
        let climbing = format!("{}{}", "a/".repeat(count), "../".repeat(count));
        for (revision, rules) in revision::resolving() {
            for (base, reference) in [("s://h/a/b", &long), (&*format!("s://h/{long}"), &climbing)] {
                let by_rules = fast::resolve(rules, base, reference, &mut out).ok();
                let mut prepared = String::new();
                let result = Base::new(rules, base).resolve_with_meaning_into(reference, &mut prepared);
                assert!(result.ok() == by_rules && (by_rules.is_none() || prepared == out));
                let by_steps = revision.resolve(base, reference).ok();
                assert_eq!(
                    by_rules.map(|meaning| (out.as_str(), meaning)),
                    by_steps.as_ref().map(|t| (t.url.as_str(), t.meaning))
                );
            }
            let _ = revision.parse(&long);
        }
    }
}

/// Attribution tries rows that no document has, on whatever input it is given.
#[test]
fn long_inputs_end_under_rows_one_answer_away() {
    let mut out = String::new();
    let base = format!("s://h//{}/", "a".repeat(scope(400_000, 800)));
    let climbing = "../".repeat(scope(200_000, 400));
    for (_, rules) in revision::resolving() {
        for rule in rules::ALL {
            for setting in 0..rule.settings.len() {
                let _ = fast::resolve(&rule.with(rules, setting), &base, &climbing, &mut out);
            }
        }
    }
}

/// Any row: not only the seven that documents have.
fn any_row() -> impl Strategy<Value = Rules> {
    prop::collection::vec(any::<prop::sample::Index>(), rules::ALL.len()).prop_map(|settings| {
        let start = *revision::by_id("rfc1808").and_then(|revision| revision.rules).expect("a row");
        rules::ALL
            .iter()
            .zip(settings)
            .fold(start, |rules, (rule, setting)| rule.with(&rules, setting.index(rule.settings.len())))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: scope(20_000, 400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_row_panics_or_exceeds_the_bound(
        rules in any_row(),
        base in "([a:/.;?#é@]|\\.\\./){0,24}",
        reference in "([a:/.;?#é@]|\\.\\./){0,24}",
    ) {
        let mut out = String::new();
        let _ = fast::resolve(&rules, &base, &reference, &mut out);
        prop_assert!(out.len() <= base.len() + reference.len() + 1);
    }

    #[test]
    fn no_revision_panics(base in any::<String>(), reference in any::<String>()) {
        for revision in revision::ALL {
            let (traced, trace) = revision.resolve_traced(&base, &reference);
            prop_assert_eq!(&traced, &revision.resolve(&base, &reference));
            prop_assert!(!trace.entries().is_empty());
            let _ = revision.parse(&reference);
        }
    }
}

/// No document both removes the dots of an absolute reference and supplies a slash behind its host.
#[test]
fn a_slash_is_supplied_behind_a_host_alone() {
    let rfc3986 = revision::by_id("rfc3986").and_then(|revision| revision.rules).expect("a row");
    let rule = rules::ALL.iter().find(|rule| rule.name == "slash_before_query").expect("a rule");
    let supplied = rule.settings.iter().position(|setting| setting.name == "Supplied").expect("a setting");
    let rules = rule.with(rfc3986, supplied);
    let mut out = String::new();
    for (reference, target) in
        [("s://h?q", "s://h/?q"), ("s:?q", "s:?q"), ("s://h/a?q", "s://h/a?q"), ("s:a?q", "s:a?q")]
    {
        let _ = fast::resolve(&rules, "http://a/b", reference, &mut out);
        assert_eq!(out, target);
    }
}

/// No document both ends the authority at a `#` and has no fragments.
#[test]
fn a_host_ends_at_a_hash_that_begins_no_fragment() {
    let rfc2396 = revision::by_id("rfc2396").and_then(|revision| revision.rules).expect("a row");
    let rule = rules::ALL.iter().find(|rule| rule.name == "fragment").expect("a rule");
    let ordinary = rule.settings.iter().position(|setting| setting.name == "Ordinary").expect("a setting");
    let mut out = String::new();
    let _ = fast::resolve(&rule.with(rfc2396, ordinary), "http://a#bcd/e", "/g", &mut out);
    assert_eq!(out, "http://a/g");
}

#[test]
fn as_is_means_that_no_scheme_is_named() {
    let target = revision::by_id("rfc1808").expect("a revision").resolve("", "x").expect("a target");
    assert_eq!((target.url.as_str(), target.meaning), ("x", Meaning::AsIs));
}
