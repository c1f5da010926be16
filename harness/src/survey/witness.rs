//! The witness of each rule: the smallest pair that shows it, found by enumeration.

use urlstrata::revision;
use urlstrata::rules::{self, Rule, Rules};
use urlstrata::{Meaning, fast};

use crate::pairs::generate::{ALPHABET, BASES, count, nth};
use crate::vector::{Content, Expectations, Expected, ResolutionCase, Source, Vector};

/// The maximum length of a reference in the search; every witness is at most this long.
const LENGTH: usize = 5;

type Resolved = Result<(String, Meaning), bool>;

fn resolved(rules: &Rules, base: &str, reference: &str) -> Resolved {
    let mut out = String::new();
    match fast::resolve_with_meaning_into(rules, base, reference, &mut out) {
        Ok(meaning) => Ok((out, meaning)),
        Err(undefined) => Err(undefined.same_document),
    }
}

/// Returns the first pair, shortest reference first, on which this rule alone makes the difference between two
/// revisions.
///
/// The revisions have the settings `one` and `other` of the rule, given as indices. Changing the setting of the first
/// revision from `one` to `other` changes its result to that of the second revision.
pub fn find(rule: &'static Rule, one: usize, other: usize) -> Option<(&'static str, String)> {
    let rows = |setting: usize| {
        revision::resolving().map(|(_, rules)| rules).filter(move |rules| rule.index(rules) == setting)
    };
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let mut reference = String::new();
    for number in 0..count(alphabet.len(), LENGTH)? {
        nth(&alphabet, number, &mut reference);
        for base in BASES {
            for first in rows(one) {
                let changed = resolved(&rule.with(first, other), base, &reference);
                if changed != resolved(first, base, &reference)
                    && rows(other).any(|second| resolved(second, base, &reference) == changed)
                {
                    return Some((base, reference));
                }
            }
        }
    }
    None
}

/// Returns the result of every revision's reference implementation for a pair, as the expectations of a vector.
pub fn expected(base: &str, reference: &str) -> Expectations<Expected> {
    let rows = revision::resolving().map(|(revision, _)| {
        let expected = match revision.resolve(base, reference) {
            Ok(target) => Expected::Url {
                url: target.url,
                same_document: (target.meaning == Meaning::SameDocument).then_some(true),
            },
            Err(_) => Expected::Failure,
        };
        (revision.id.to_owned(), expected)
    });
    rows.collect()
}

/// Returns each rule with each two of its settings, and the pair that shows them.
fn found() -> impl Iterator<Item = (&'static Rule, usize, usize, Option<(&'static str, String)>)> {
    rules::ALL.iter().flat_map(|rule| {
        let settings = rule.settings.len();
        let two = (0..settings).flat_map(move |one| (one + 1..settings).map(move |other| (one, other)));
        two.map(move |(one, other)| {
            // Either of the two rule sets may be the changed one.
            let pair = find(rule, one, other).or_else(|| find(rule, other, one));
            (rule, one, other, pair)
        })
    })
}

/// Returns a vector for each rule and each two of its settings, with the results of every revision for the witness.
///
/// There is no vector for two settings that never make the difference between two revisions by themselves.
///
/// # Errors
///
/// Returns the name of the first rule that no pair shows.
pub fn vectors() -> Result<Content, &'static str> {
    let shown: Vec<_> = found().collect();
    if let Some(rule) =
        rules::ALL.iter().find(|rule| !shown.iter().any(|(of, _, _, pair)| of.name == rule.name && pair.is_some()))
    {
        return Err(rule.name);
    }
    let vectors = shown.into_iter().filter_map(|(rule, one, other, pair)| {
        let (base, reference) = pair?;
        let kebab = |index: usize| {
            let name = rule.settings[index].name.chars();
            name.flat_map(|c| [c.is_uppercase().then_some('-'), Some(c.to_ascii_lowercase())])
                .flatten()
                .collect::<String>()
        };
        let name = format!("{}{}-or{}", rule.name.replace('_', "-"), kebab(one), kebab(other));
        let case = ResolutionCase {
            rule: Some(rule.name.to_owned()),
            expect: expected(base, &reference),
            base: base.to_owned(),
            reference,
            ..ResolutionCase::default()
        };
        Some(Vector { note: Some(rule.question.to_owned()), ..Vector::new(name, case) })
    });
    Ok(Content {
        about: Some("For each rule and each two of its settings, the smallest pair on which two revisions differ by this rule alone. Computed by `urlstrata vectors witness`, and not printed anywhere.".to_owned()),
        source: Source {
            specification: "urlstrata".to_owned(),
            section: "rules".to_owned(),
            title: "A witness for each rule".to_owned(),
            ..Source::default()
        },
        base: String::new(),
        vectors: vectors.collect(),
    })
}
