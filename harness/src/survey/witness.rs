//! The smallest pair that shows each column: found by asking, not typed.

use urlstrata::revision;
use urlstrata::rules::{self, Rule, Rules};
use urlstrata::{Meaning, fast};

use crate::pairs::generate::{ALPHABET, BASES, count, nth};
use crate::vector::{Content, Expectations, Expected, ResolutionCase, Source, Vector};

/// No witness needs a longer reference.
const LENGTH: usize = 5;

type Said = Result<(String, Meaning), bool>;

fn said(rules: &Rules, base: &str, reference: &str) -> Said {
    let mut out = String::new();
    match fast::resolve_with_meaning_into(rules, base, reference, &mut out) {
        Ok(meaning) => Ok((out, meaning)),
        Err(undefined) => Err(undefined.same_document),
    }
}

/// The first pair, shortest reference first, on which two revisions that answer `one` and `other` differ by this
/// column alone: changing the first one's answer gives the second one's result.
pub fn find(column: &'static Rule, one: usize, other: usize) -> Option<(&'static str, String)> {
    let rows = |answer: usize| {
        revision::resolving().map(|(_, rules)| rules).filter(move |rules| column.index(rules) == answer)
    };
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let mut reference = String::new();
    for number in 0..count(alphabet.len(), LENGTH)? {
        nth(&alphabet, number, &mut reference);
        for base in BASES {
            for first in rows(one) {
                let changed = said(&column.with(first, other), base, &reference);
                if changed != said(first, base, &reference)
                    && rows(other).any(|second| said(second, base, &reference) == changed)
                {
                    return Some((base, reference));
                }
            }
        }
    }
    None
}

/// What every revision says of a pair by its steps, as a vector expects it.
pub fn expected(base: &str, reference: &str) -> Expectations<Expected> {
    let says = revision::resolving().map(|(revision, _)| {
        let expected = match revision.resolve(base, reference) {
            Ok(target) => Expected::Url {
                url: target.url,
                same_document: (target.meaning == Meaning::SameDocument).then_some(true),
            },
            Err(_) => Expected::Failure,
        };
        (revision.id.to_owned(), expected)
    });
    says.collect()
}

/// Each column with each two answers that revisions give, and the pair that shows it.
fn found() -> impl Iterator<Item = (&'static Rule, usize, usize, Option<(&'static str, String)>)> {
    rules::ALL.iter().flat_map(|column| {
        let answers = column.settings.len();
        let two = (0..answers).flat_map(move |one| (one + 1..answers).map(move |other| (one, other)));
        two.map(move |(one, other)| {
            // Either row may be the one that is changed.
            let pair = find(column, one, other).or_else(|| find(column, other, one));
            (column, one, other, pair)
        })
    })
}

/// A vector for each column and each two of its answers, with what every revision says of its witness. Two answers
/// that never make the difference between two documents by themselves have none.
///
/// # Errors
///
/// The name of a column that no pair shows.
pub fn vectors() -> Result<Content, &'static str> {
    let shown: Vec<_> = found().collect();
    if let Some(column) =
        rules::ALL.iter().find(|column| !shown.iter().any(|(of, _, _, pair)| of.name == column.name && pair.is_some()))
    {
        return Err(column.name);
    }
    let vectors = shown.into_iter().filter_map(|(column, one, other, pair)| {
        let (base, reference) = pair?;
        let kebab = |index: usize| {
            let name = column.settings[index].name.chars();
            name.flat_map(|c| [c.is_uppercase().then_some('-'), Some(c.to_ascii_lowercase())])
                .flatten()
                .collect::<String>()
        };
        let name = format!("{}{}-or{}", column.name.replace('_', "-"), kebab(one), kebab(other));
        let case = ResolutionCase {
            rule: Some(column.name.to_owned()),
            expect: expected(base, &reference),
            base: base.to_owned(),
            reference,
            ..ResolutionCase::default()
        };
        Some(Vector { note: Some(column.question.to_owned()), ..Vector::new(name, case) })
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
