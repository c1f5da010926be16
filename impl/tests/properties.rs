//! Properties of every revision and rule set: no panic, bounded output, and results that do not change when resolved
//! again.

mod common;
mod scope;

use std::collections::BTreeSet;

use common::BASES;
use proptest::prelude::*;
use scope::{scope, stride};
use urlstrata::Meaning;
use urlstrata::fast::{self, Base};
use urlstrata::revision::{self, Revision};
use urlstrata::rules::{self, Rules, UnknownBase};

fn resolved(revision: &Revision, base: &str, reference: &str) -> Option<String> {
    revision.resolve(base, reference).ok().map(|target| target.url)
}

/// Returns the rule set of the revision `id` with one setting changed.
#[track_caller]
fn rules_with(id: &str, rule: &str, setting: &str) -> Rules {
    let rules = revision::by_id(id).and_then(|revision| revision.rules).expect("a rule set");
    let rule = rules::by_name(rule).expect("a rule");
    let setting = rule.settings.iter().position(|it| it.name == setting).expect("a setting");
    rule.with(rules, setting)
}

/// Returns every string of up to `length` characters of an alphabet of eight.
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
    for reference in short_references(scope(4, 2)).step_by(stride(11)) {
        for base in BASES {
            for (revision, rules) in revision::resolving() {
                let target = fast::resolve(rules, base, &reference).unwrap_or_default();
                assert!(
                    target.len() <= base.len() + reference.len() + 1,
                    "{}: {base:?} {reference:?} {target:?}",
                    revision.id
                );
            }
        }
    }
}

#[test]
fn undefined_targets_leave_the_buffer_unchanged() {
    let mut undefined = 0;
    for (revision, rules) in revision::resolving() {
        let mut out = String::from("left over");
        let result = fast::resolve_into(rules, "", "x", &mut out);
        assert_eq!(result.is_err(), rules.unknown_base != UnknownBase::ReferenceAsIs, "{}", revision.id);
        let expected = if result.is_err() { "left over" } else { "left overx" };
        assert_eq!(out, expected, "{}", revision.id);
        undefined += usize::from(result.is_err());
    }
    assert!(undefined > 0);
}

/// RFC 1808 §4 step 2b, step 2b of the draft's §9, and RFC 2396 §5.2 step 3.
#[test]
fn references_with_a_scheme_are_copied_where_the_specification_says_so() {
    for id in ["rfc1808", "draft-1996", "rfc2396"] {
        let revision = revision::by_id(id).expect("a revision");
        for rest in short_references(scope(5, 2)).step_by(stride(11)) {
            let reference = format!("g:{rest}");
            assert_eq!(resolved(revision, "http://a/b/c/d;p?q", &reference).as_ref(), Some(&reference), "{id}");
        }
    }
}

/// Why a target may differ from the result of resolving it again.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Exception {
    /// A reference without a path inherits the dot segments of the base's path. They are removed from a reference with a
    /// scheme.
    DotsOfBase,
    /// The specification treats a target with the base's scheme as relative.
    EqualScheme,
}

/// Returns the exception that applies to the target `once`.
fn exception(id: &str, base: &str, reference: &str, once: &str) -> Option<Exception> {
    let (scheme, rest) = once.split_once(':')?;
    let (base_scheme, base_rest) = base.split_once(':')?;
    let is_equal = base_scheme == scheme;
    if id == "appendix-b-1994" {
        return is_equal.then_some(Exception::EqualScheme);
    }
    if !id.starts_with("rfc3986") {
        return None;
    }
    let path = base_rest.split(['?', '#']).next().unwrap_or_default();
    let dots_of_base = matches!(reference.chars().next(), None | Some('?' | '#'))
        && path.split('/').any(|segment| matches!(segment, "." | ".."));
    if dots_of_base {
        return Some(Exception::DotsOfBase);
    }
    (id == "rfc3986-nonstrict" && is_equal && !rest.starts_with("//")).then_some(Exception::EqualScheme)
}

#[test]
fn resolving_a_target_again_changes_nothing_except_for_two_reasons() {
    let mut seen = BTreeSet::new();
    for (revision, _) in revision::resolving() {
        for reference in short_references(scope(5, 3)).step_by(stride(11)) {
            for base in BASES.iter().filter(|base| base.contains(':')) {
                let Some(once) = resolved(revision, base, &reference) else { continue };
                let twice = resolved(revision, base, &once);
                if twice.as_ref() == Some(&once) {
                    continue;
                }
                let exception = exception(revision.id, base, &reference, &once);
                assert!(
                    exception.is_some(),
                    "{}: base {base:?}, reference {reference:?}: {once:?}, then {twice:?}",
                    revision.id
                );
                seen.extend(exception);
            }
        }
    }
    assert_eq!(seen, [Exception::DotsOfBase, Exception::EqualScheme].into());
}

/// RFC 1630 removes the last part of the base's path instead.
#[test]
fn empty_references_return_the_base() {
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

/// The inputs make code with quadratic time or with recursion fail.
#[test]
fn long_inputs_have_equal_results_by_steps_and_by_rules() {
    let count = scope(200_000, 400);
    let shapes = ["a/", "../", "./", "//", ";", "?", "#", ":", "a/../", ".", "%"];
    for shape in shapes {
        let long = shape.repeat(count);
        let climbing = format!("{}{}", "a/".repeat(count), "../".repeat(count));
        for (revision, rules) in revision::resolving() {
            for (base, reference) in [("s://h/a/b", &long), (&*format!("s://h/{long}"), &climbing)] {
                let by_steps = revision.resolve(base, reference).ok().map(|target| (target.url, target.meaning));
                let mut once = String::new();
                let meaning = fast::resolve_with_meaning_into(rules, base, reference.as_str(), &mut once);
                assert!(meaning.ok().map(|meaning| (once, meaning)) == by_steps, "{}: {shape}", revision.id);
                let mut prepared = String::new();
                let meaning = Base::new(rules, base).resolve_with_meaning_into(reference, &mut prepared);
                assert!(meaning.ok().map(|meaning| (prepared, meaning)) == by_steps, "{}: {shape}", revision.id);
            }
            let _ = revision.parse(&long);
        }
    }
}

/// Attribution resolves by rule sets that no specification has. The test fails by running too long.
#[test]
fn long_inputs_terminate_under_rule_sets_with_one_changed_setting() {
    let base = format!("s://h//{}/", "a".repeat(scope(400_000, 800)));
    let climbing = "../".repeat(scope(200_000, 400));
    for (_, rules) in revision::resolving() {
        for rule in rules::ALL {
            for setting in 0..rule.settings.len() {
                let target = fast::resolve(&rule.with(rules, setting), &base, &climbing).expect("a target");
                assert!(target.starts_with("s:") && target.len() <= base.len() + climbing.len() + 1);
            }
        }
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    prop::collection::vec(any::<prop::sample::Index>(), rules::ALL.len()).prop_map(|settings| {
        let start = revision::rfc1808::RULES;
        rules::ALL
            .iter()
            .zip(settings)
            .fold(start, |rules, (rule, setting)| rule.with(&rules, setting.index(rule.settings.len())))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: scope(20_000 / stride(4) as u32, 400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_rule_set_panics_or_exceeds_the_bound(
        rules in any_rules(),
        base in "([a:/.;?#é@]|\\.\\./){0,24}",
        reference in "([a:/.;?#é@]|\\.\\./){0,24}",
    ) {
        let target = fast::resolve(&rules, &base, &reference).unwrap_or_default();
        prop_assert!(target.len() <= base.len() + reference.len() + 1);
    }

    #[test]
    fn no_revision_panics(base in any::<String>(), reference in any::<String>()) {
        for &revision in revision::ALL {
            let _ = revision.resolve(&base, &reference);
            let _ = revision.parse(&base);
            let _ = revision.parse(&reference);
        }
    }
}

/// No specification both removes the dot segments of an absolute reference and inserts a slash after its host.
#[test]
fn slash_is_inserted_only_after_a_host() {
    let rules = rules_with("rfc3986", "slash_before_query", "Supplied");
    for (reference, target) in
        [("s://h?q", "s://h/?q"), ("s:?q", "s:?q"), ("s://h/a?q", "s://h/a?q"), ("s:a?q", "s:a?q")]
    {
        assert_eq!(fast::resolve(&rules, "http://a/b", reference).as_deref(), Ok(target));
    }
}

/// No specification both ends the authority at a `#` and has no fragments.
#[test]
fn host_ends_at_a_hash_that_does_not_begin_a_fragment() {
    let rules = rules_with("rfc2396", "fragment", "Ordinary");
    assert_eq!(fast::resolve(&rules, "http://a#bcd/e", "/g").as_deref(), Ok("http://a/g"));
}

#[test]
fn as_is_means_that_the_reference_has_no_scheme() {
    let target = revision::rfc1808::REVISION.resolve("", "x").expect("a target");
    assert_eq!((target.url.as_str(), target.meaning), ("x", Meaning::AsIs));
}

#[test]
fn every_rule_is_a_question_and_every_setting_has_sources() {
    for rule in rules::ALL {
        assert!(rule.question.ends_with('?'), "{}: {}", rule.name, rule.question);
        for setting in rule.settings {
            assert!(setting.doc.ends_with(").") && setting.doc.contains(" ("), "{}: {}", rule.name, setting.doc);
            for source in setting.sources() {
                let cited = |cite| source.starts_with(cite);
                assert!(revision::resolving().any(|(revision, _)| cited(revision.cite)), "{}: {source}", rule.name);
            }
        }
    }
}

#[test]
fn every_setting_cites_exactly_the_specifications_that_have_it() {
    for rule in rules::ALL {
        for setting in rule.settings {
            let mut citing: Vec<_> = revision::resolving()
                .filter(|(_, rules)| core::ptr::eq(rule.setting(rules), setting))
                .map(|(revision, _)| revision.cite)
                .collect();
            citing.dedup();
            let cited: Vec<_> =
                setting.sources().map(|source| citing.iter().find(|cite| source.starts_with(**cite))).collect();
            assert_eq!(cited, citing.iter().map(Some).collect::<Vec<_>>(), "{} {}", rule.name, setting.name);
        }
    }
}
