//! Validity and acceptance: the references that a grammar matches, compared with the references that an engine accepts.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use urlstrata::grammar::{self, Grammar, Terminal};
use urlstrata::revision;

use crate::engine::{Engine, ask};
use crate::evaluate::grammar::Recognizers;
use crate::vector::Suite;

/// The base on which every reference is resolved. Every grammar matches it, so an engine that rejects a pair rejects
/// the reference.
pub const BASE: &str = "http://a/b/c/d";

/// The number of attempts to generate a valid and a mutated string of each grammar.
const GENERATED: usize = 2_000;

/// The maximum number of rejected references, and of productions, that are listed.
const SHOWN: usize = 5;

/// A grammar compared with engines.
#[derive(Serialize)]
pub struct Axes {
    /// The id of the grammar.
    pub grammar: &'static str,
    /// The name of the specification in citations.
    pub cite: &'static str,
    /// The number of references.
    pub references: usize,
    /// The number of references that the grammar matches.
    pub valid: usize,
    /// The number of references that each engine accepts, in the order of the engines.
    pub engines: Vec<Acceptance>,
    /// The reasons why the grammar does not match the other references, most frequent first.
    pub reasons: Vec<MismatchReason>,
    /// The strings that are generated from the productions of the grammar.
    pub made: MutatedStrings,
}

/// The valid strings that a grammar generates, and as many mutated strings with one edit each.
#[derive(Serialize)]
pub struct MutatedStrings {
    /// The number of valid strings.
    pub members: usize,
    /// The number of mutated strings that are still valid.
    pub still: usize,
    /// The other mutated strings: each reason why they are not matched, with the number of strings, most frequent
    /// first.
    pub others: Vec<(String, usize)>,
    /// The numbers of valid strings and of invalid mutated strings that each engine accepts, in the order of the
    /// engines.
    pub engines: Vec<(usize, usize)>,
}

/// The references that an engine accepts.
#[derive(Clone, Serialize)]
pub struct Acceptance {
    /// The name of the engine.
    pub engine: String,
    /// The number of accepted references that the grammar matches.
    pub valid: usize,
    /// The number of accepted references that the grammar does not match.
    pub invalid: usize,
    /// The shortest references that the grammar matches and the engine rejects.
    pub rejected: Vec<String>,
}

/// A reason why a grammar does not match references.
#[derive(Serialize)]
pub struct MismatchReason {
    /// The reason in our words: "a space".
    pub what: String,
    /// The number of references.
    pub references: usize,
    /// The number of these references that each engine accepts, in the order of the engines.
    pub accepted: Vec<usize>,
    /// The shortest of the references.
    pub witness: String,
    /// The byte at which the shortest reference becomes invalid.
    pub at: usize,
    /// The first productions that could continue at that byte.
    pub inside: Vec<&'static str>,
}

/// Compares every grammar with `engines`, on every distinct reference of `suite`.
pub fn measure(suite: &Suite, engines: &[Box<dyn Engine>]) -> Vec<Axes> {
    let references: BTreeSet<&str> = suite.resolutions().map(|case| case.reference.as_str()).collect();
    let takes = |reference: &str| -> Vec<bool> {
        engines.iter().map(|engine| ask(engine.as_ref(), BASE, reference).url().is_some()).collect()
    };
    let asked: Vec<_> = references.into_iter().map(|reference| (reference, takes(reference))).collect();
    let mut recognizers = Recognizers::default();
    grammar::ALL.iter().copied().map(|grammar| of_grammar(&mut recognizers, grammar, &asked, engines)).collect()
}

/// Returns the grammars of the specifications that define a resolution.
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
            Entry::Vacant(place) => place.insert(MismatchReason { accepted: vec![0; takes.len()], ..reason }),
            Entry::Occupied(known) => {
                let known = known.into_mut();
                if reference.len() < known.witness.len() {
                    (known.witness, known.at, known.inside) = (reason.witness, reason.at, reason.inside);
                }
                known
            }
        };
        known.references += 1;
        known.accepted.iter_mut().zip(takes).for_each(|(accepted, &takes)| *accepted += usize::from(takes));
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

/// Returns the reason why `grammar` does not match `reference`, or `None` if it does. The counts in the result are
/// zero.
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
        Some(other) if !other.is_ascii() => "a character outside ASCII".to_owned(),
        Some(other) if other.is_ascii_alphanumeric() => "a letter or a digit".to_owned(),
        Some('`') => "`` ` ``".to_owned(),
        Some(other) => format!("`{other}`"),
    };
    let mut inside: Vec<_> = stop.expected.iter().map(|could| could.production).collect();
    inside.dedup();
    inside.truncate(SHOWN);
    Some(MismatchReason {
        what,
        references: 0,
        accepted: Vec::new(),
        witness: reference.to_owned(),
        at: stop.at,
        inside,
    })
}
