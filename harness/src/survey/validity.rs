//! Validity and acceptance, two questions: what a grammar derives, and what an engine takes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use urlstrata::grammar::{self, Grammar, Terminal};
use urlstrata::revision;

use crate::engine::{Engine, ask};
use crate::evaluate::grammar::Recognizers;
use crate::vector::Suite;

/// The base on which every reference is put: each grammar derives it, so that a rejection is of the reference.
pub const BASE: &str = "http://a/b/c/d";

/// So many members are generated, and so many near ones.
const GENERATED: usize = 2_000;

/// So many of the references that an engine rejects are kept.
const SHOWN: usize = 5;

/// A grammar beside engines.
#[derive(Serialize)]
pub struct Axes {
    /// The grammar's id.
    pub grammar: &'static str,
    /// How sources name the document.
    pub cite: &'static str,
    /// The references that were put.
    pub references: usize,
    /// Those that it derives.
    pub valid: usize,
    /// What each engine takes of both kinds, in their order.
    pub engines: Vec<Acceptance>,
    /// Why it does not derive the others, the most frequent first.
    pub reasons: Vec<MismatchReason>,
    /// Texts made from its productions.
    pub made: MutatedStrings,
}

/// Members that a grammar generates, and as many texts with one edit each.
#[derive(Serialize)]
pub struct MutatedStrings {
    /// The members.
    pub members: usize,
    /// How many of the edited texts are members still.
    pub still: usize,
    /// The others by what stands where no member has it, the most frequent first.
    pub others: Vec<(String, usize)>,
    /// What each engine takes of the members and of the others, in their order.
    pub engines: Vec<(usize, usize)>,
}

/// What an engine takes.
#[derive(Clone, Serialize)]
pub struct Acceptance {
    /// The engine's name.
    pub engine: String,
    /// Of those that the grammar derives.
    pub valid: usize,
    /// Of those that it does not.
    pub invalid: usize,
    /// The shortest of those that the grammar derives and the engine rejects.
    pub rejected: Vec<String>,
}

/// A reason why a grammar does not derive references.
#[derive(Serialize)]
pub struct MismatchReason {
    /// In our words.
    pub what: String,
    /// The references.
    pub references: usize,
    /// How many of them each engine takes, in their order.
    pub taken: Vec<usize>,
    /// The shortest of them.
    pub witness: String,
    /// Where it stops being a member, in bytes.
    pub at: usize,
    /// The first productions in which it could have gone on.
    pub inside: Vec<&'static str>,
}

/// Every grammar beside `engines`, over each reference of `suite` once.
pub fn measure(suite: &Suite, engines: &[Box<dyn Engine>]) -> Vec<Axes> {
    let references: BTreeSet<&str> = suite.resolutions().map(|case| case.reference.as_str()).collect();
    let takes = |reference: &str| -> Vec<bool> {
        engines.iter().map(|engine| ask(engine.as_ref(), BASE, reference).url().is_some()).collect()
    };
    let asked: Vec<_> = references.into_iter().map(|reference| (reference, takes(reference))).collect();
    let mut recognizers = Recognizers::default();
    grammar::ALL.iter().copied().map(|grammar| of_grammar(&mut recognizers, grammar, &asked, engines)).collect()
}

/// The grammars of the documents that define a resolution.
pub fn of_resolving() -> impl Iterator<Item = &'static Grammar> {
    let resolves = |grammar: &&'static Grammar| revision::by_id(grammar.id).is_some_and(|it| it.rules.is_some());
    grammar::ALL.iter().copied().filter(resolves)
}

fn of_grammar(
    recognizers: &mut Recognizers,
    grammar: &'static Grammar,
    asked: &[(&str, Vec<bool>)],
    engines: &[Box<dyn Engine>],
) -> Axes {
    let none = |engine: &dyn Engine| Acceptance {
        engine: engine.name().to_owned(),
        valid: 0,
        invalid: 0,
        rejected: Vec::new(),
    };
    let mut axes = Axes {
        grammar: grammar.id,
        cite: grammar.cite,
        references: asked.len(),
        valid: 0,
        engines: engines.iter().map(|engine| none(engine.as_ref())).collect(),
        reasons: Vec::new(),
        made: make(recognizers, grammar, engines),
    };
    let mut reasons: BTreeMap<String, MismatchReason> = BTreeMap::new();
    for (reference, takes) in asked {
        let valid = grammar.is_valid(reference);
        axes.valid += usize::from(valid);
        for (engine, &takes) in axes.engines.iter_mut().zip(takes) {
            let count = if valid { &mut engine.valid } else { &mut engine.invalid };
            *count += usize::from(takes);
            if valid && !takes {
                engine.rejected.push((*reference).to_owned());
            }
        }
        let Some(reason) = reason(recognizers, grammar, reference) else { continue };
        let known = match reasons.entry(reason.what.clone()) {
            Entry::Vacant(place) => place.insert(MismatchReason { taken: vec![0; takes.len()], ..reason }),
            Entry::Occupied(known) => {
                let known = known.into_mut();
                if reference.len() < known.witness.len() {
                    (known.witness, known.at, known.inside) = (reason.witness, reason.at, reason.inside);
                }
                known
            }
        };
        known.references += 1;
        known.taken.iter_mut().zip(takes).for_each(|(taken, &takes)| *taken += usize::from(takes));
    }
    for engine in &mut axes.engines {
        engine.rejected.sort_by_key(String::len);
        engine.rejected.truncate(SHOWN);
    }
    axes.reasons = reasons.into_values().collect();
    axes.reasons.sort_by(|one, other| other.references.cmp(&one.references).then_with(|| one.what.cmp(&other.what)));
    axes
}

fn make(recognizers: &mut Recognizers, grammar: &'static Grammar, engines: &[Box<dyn Engine>]) -> MutatedStrings {
    let mut random = fastrand::Rng::with_seed(1738);
    let mut made = MutatedStrings { members: 0, still: 0, others: Vec::new(), engines: vec![(0, 0); engines.len()] };
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    let takes = |engine: &dyn Engine, text: &str| usize::from(ask(engine, BASE, text).url().is_some());
    for number in 0..GENERATED {
        let top = grammar.tops[number % grammar.tops.len()];
        let mut choose = |possibilities: usize| random.usize(0..possibilities);
        let Some(member) = grammar.generate(top, &mut choose) else { continue };
        let Some((near, _)) = grammar.generate_mutated(top, &mut choose) else { continue };
        made.members += 1;
        let excluded = reason(recognizers, grammar, &near);
        match &excluded {
            None => made.still += 1,
            Some(reason) => *others.entry(reason.what.clone()).or_default() += 1,
        }
        for (engine, (members, others)) in engines.iter().zip(&mut made.engines) {
            *members += takes(engine.as_ref(), &member);
            *others += if excluded.is_some() { takes(engine.as_ref(), &near) } else { 0 };
        }
    }
    made.others = others.into_iter().collect();
    made.others.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    made
}

/// Why `grammar` does not derive `reference`: `None` if it does. Counts are 0.
pub fn reason(recognizers: &mut Recognizers, grammar: &'static Grammar, reference: &str) -> Option<MismatchReason> {
    if grammar.is_valid(reference) {
        return None;
    }
    let recogniser = recognizers.of(grammar, grammar.top(reference)).ok()?;
    let Err(stop) = recogniser.match_parts(reference) else { return None };
    let hex = |what: &Terminal| matches!(what, Terminal::Class(name) if name.to_lowercase().starts_with("hex"));
    let escape = reference[..stop.at].contains('%') && stop.expected.iter().all(|could| hex(&could.terminal));
    let before_scheme = stop.expected.iter().all(|could| ["scheme", "genericurl"].contains(&could.production));
    let what = match reference[stop.at..].chars().next() {
        _ if escape => "a percent sign without two hexadecimal digits".to_owned(),
        _ if before_scheme => "no scheme".to_owned(),
        None => "it ends too early".to_owned(),
        Some(' ') => "a space".to_owned(),
        Some(other) if other.is_ascii_control() => "a control character".to_owned(),
        Some(other) if !other.is_ascii() => "a character beyond ASCII".to_owned(),
        Some(other) if other.is_ascii_alphanumeric() => "a letter or a digit".to_owned(),
        Some('`') => "`` ` ``".to_owned(),
        Some(other) => format!("`{other}`"),
    };
    let mut inside: Vec<_> = stop.expected.iter().map(|could| could.production).collect();
    inside.dedup();
    inside.truncate(SHOWN);
    Some(MismatchReason { what, references: 0, taken: Vec::new(), witness: reference.to_owned(), at: stop.at, inside })
}

#[cfg(test)]
mod tests {
    use super::reason;
    use crate::evaluate::grammar::Recognizers;

    #[track_caller]
    fn stands(id: &str, reference: &str, what: &str) {
        let grammar = urlstrata::grammar::by_revision(id).expect("a grammar");
        assert_eq!(
            reason(&mut Recognizers::default(), grammar, reference).map(|reason| reason.what).as_deref(),
            Some(what),
            "{reference:?}"
        );
    }

    #[test]
    fn each_reason_has_a_name() {
        stands("rfc1738", "a/b", "no scheme");
        stands("rfc1738", "http://h:", "it ends too early");
        stands("rfc1808", "a%", "a percent sign without two hexadecimal digits");
        stands("rfc1808", "a%1g", "a percent sign without two hexadecimal digits");
        stands("rfc3986", "//[::1]:8x", "a letter or a digit");
        stands("rfc3986", "a b", "a space");
        stands("rfc3986", "a\u{7f}", "a control character");
        stands("rfc3986", "é", "a character beyond ASCII");
        stands("rfc2396", "?y", "`?`");
        let grammar = urlstrata::grammar::by_revision("rfc3986").expect("a grammar");
        assert!(reason(&mut Recognizers::default(), grammar, "?y").is_none());
    }
}
