//! Coverage: the steps and productions that vectors reach.

use std::collections::BTreeMap;

use serde::Serialize;
use urlstrata::StepText;
use urlstrata::grammar;
use urlstrata::revision::{self, Revision, whatwg};

use super::{Question, Suite};

/// A step that runs for a vector.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct StepRun {
    /// The program that contains the step: `parse`, `scheme`, `resolve`, `base` or `context`.
    pub part: &'static str,
    /// The label of the step.
    pub label: &'static str,
    /// Whether the step has an effect. A step can run although its condition is not met.
    pub acted: bool,
}

/// A step, and the number of vectors that reach it.
#[derive(Clone, Debug, Serialize)]
pub struct StepCoverage {
    /// The id of the revision.
    pub revision: &'static str,
    /// The program that contains the step: `parse`, `scheme`, `resolve`, `base` or `context`.
    pub part: &'static str,
    /// The label of the step.
    pub label: &'static str,
    /// A paraphrase of the step.
    pub paraphrase: &'static str,
    /// The number of vectors for which the step runs. Only vectors that expect a result of the revision are counted.
    pub runs: usize,
    /// The number of these vectors for which the step has an effect.
    pub acts: usize,
}

/// The steps of other specifications that have no effect of their own, because they introduce the steps after them.
const INTRODUCING: [(&str, &str); 2] = [("appendix-b-1994", "3d"), ("rfc2396", "6")];

impl StepCoverage {
    /// Returns whether the step has an effect for a vector. For a step that introduces others, it is sufficient that it runs, and
    /// so for every step of the URL Standard, which also numbers assertions.
    pub fn is_reached(&self) -> bool {
        let numbers_assertions = revision::by_id(self.revision).is_some_and(is_url_standard);
        let introduces = INTRODUCING.contains(&(self.revision, self.label)) || numbers_assertions;
        self.acts > 0 || introduces && self.runs > 0
    }
}

/// A production, and the number of strings that vectors list for it.
#[derive(Clone, Debug, Serialize)]
pub struct ProductionCoverage {
    /// The id of the grammar.
    pub grammar: &'static str,
    /// The name of the production in the specification.
    pub production: &'static str,
    /// The section that defines it.
    pub section: &'static str,
    /// Its definition, in the same notation for all specifications.
    pub rule: String,
    /// The number of strings that it matches.
    pub valid: usize,
    /// The number of strings that it does not match.
    pub invalid: usize,
}

impl ProductionCoverage {
    /// Returns whether the vectors list both a string that the production matches and a string that it does not match.
    pub fn is_shown(&self) -> bool {
        self.valid > 0 && self.invalid > 0
    }
}

/// Returns the coverage of every production of every grammar, in order.
pub fn productions(suite: &Suite) -> Vec<ProductionCoverage> {
    let productions = grammar::ALL.iter().flat_map(|grammar| grammar.productions.iter().map(move |it| (grammar, it)));
    let mut rows: Vec<_> = productions
        .map(|(grammar, production)| ProductionCoverage {
            grammar: grammar.id,
            production: production.name,
            section: production.section,
            rule: production.rule.to_string(),
            valid: 0,
            invalid: 0,
        })
        .collect();
    for (_, vector) in suite.vectors() {
        let Question::Production(case) = &vector.question else { continue };
        for (id, strings) in case.matches.iter() {
            let is_its = |row: &&mut ProductionCoverage| row.grammar == id && row.production == case.production;
            if let Some(row) = rows.iter_mut().find(is_its) {
                row.valid += strings.valid.len();
                row.invalid += strings.invalid.len();
            }
        }
    }
    rows
}

/// Returns the coverage of every step of every revision, in order. Of the URL Standard's older revisions, these are the
/// steps that the newest one does not have.
pub fn measure(suite: &Suite) -> Vec<StepCoverage> {
    revision::ALL.iter().copied().flat_map(|revision| of_revision(revision, suite)).collect()
}

fn is_url_standard(revision: &Revision) -> bool {
    whatwg::changes_of(revision).is_some()
}

/// Returns the steps of resolving that only `revision` and revisions like it have.
fn own_steps(revision: &Revision) -> Vec<StepText> {
    let mut steps = revision.resolve_steps();
    if is_url_standard(revision) && revision.id != whatwg::NEWEST.id {
        let newest = whatwg::NEWEST.resolve_steps();
        steps.retain(|step| !newest.contains(step));
    }
    steps
}

fn of_revision(revision: &'static Revision, suite: &Suite) -> Vec<StepCoverage> {
    let mut reached: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for (_, vector) in suite.vectors().filter(|(_, vector)| vector.specifications().contains(&revision.id)) {
        let mut of_vector: BTreeMap<(&str, &str), bool> = BTreeMap::new();
        for step in vector.question.steps(revision) {
            *of_vector.entry((step.part, step.label)).or_default() |= step.acted;
        }
        for (step, acted) in of_vector {
            let (runs, acts) = reached.entry(step).or_default();
            *runs += 1;
            *acts += usize::from(acted);
        }
    }
    let programs = [
        ("parse", revision.parse_steps()),
        ("scheme", revision.scheme_steps()),
        ("resolve", own_steps(revision)),
        ("base", revision.base.map(|specification| specification.steps()).unwrap_or_default()),
        ("context", revision.context.map(|specification| specification.steps().collect()).unwrap_or_default()),
    ];
    let row = |part: &'static str, StepText { label, text: paraphrase }: StepText| {
        let (runs, acts) = reached.get(&(part, label)).copied().unwrap_or_default();
        StepCoverage { revision: revision.id, part, label, paraphrase, runs, acts }
    };
    programs
        .into_iter()
        .flat_map(|(part, steps)| steps.into_iter().map(move |step| (part, step)))
        .map(|(part, step)| row(part, step))
        .collect()
}
