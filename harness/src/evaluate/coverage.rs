//! Which steps and productions of which document the vectors reach.

use serde::Serialize;
use urlstrata::context;
use urlstrata::grammar;
use urlstrata::revision::{self, Revision};
use urlstrata::{StepText, Trace};

use crate::evaluate::document;
use crate::vector::Suite;

/// A step and how many vectors reach it.
#[derive(Clone, Debug, Serialize)]
pub struct Reached {
    /// The revision's id.
    pub revision: &'static str,
    /// `parse`, `scheme`, `resolve`, `base` or `context`.
    pub part: &'static str,
    /// The document's label.
    pub label: &'static str,
    /// Our paraphrase.
    pub says: &'static str,
    /// In how many vectors that name this revision the step runs.
    pub runs: usize,
    /// In how many of them it does anything: a step may run and find its condition not met.
    pub acts: usize,
}

/// A production and how many texts the vectors have for it.
#[derive(Clone, Debug, Serialize)]
pub struct Derived {
    /// The grammar's id.
    pub grammar: &'static str,
    /// The document's name for it.
    pub production: &'static str,
    /// The section it stands in.
    pub section: &'static str,
    /// What it derives, in one notation for all documents.
    pub rule: String,
    /// Texts that it derives.
    pub members: usize,
    /// Texts that it does not.
    pub stops: usize,
}

impl Derived {
    /// Whether there is a text that it derives and one that it does not.
    pub fn is_shown(&self) -> bool {
        self.members > 0 && self.stops > 0
    }
}

/// Every production of every grammar, in order.
pub fn productions(suite: &Suite) -> Vec<Derived> {
    let mut rows: Vec<_> = grammar::ALL
        .iter()
        .flat_map(|grammar| grammar.productions.iter().map(move |production| (grammar, production)))
        .map(|(grammar, production)| Derived {
            grammar: grammar.id,
            production: production.name,
            section: production.section,
            rule: production.rule.to_string(),
            members: 0,
            stops: 0,
        })
        .collect();
    for (_, vector) in suite.vectors() {
        for (id, derives) in &vector.derives.0 {
            let of = |row: &&mut Derived| row.grammar == id && Some(row.production) == vector.production.as_deref();
            if let Some(row) = rows.iter_mut().find(of) {
                row.members += derives.members.len();
                row.stops += derives.stops.0.len();
            }
        }
    }
    rows
}

/// Every step of every revision, in order.
pub fn measure(suite: &Suite) -> Vec<Reached> {
    revision::ALL.iter().copied().flat_map(|revision| of_revision(revision, suite)).collect()
}

fn of_revision(revision: &'static Revision, suite: &Suite) -> Vec<Reached> {
    let rows = |part, steps: Vec<StepText>| {
        steps.into_iter().map(move |StepText { label, text: says }| Reached {
            revision: revision.id,
            part,
            label,
            says,
            runs: 0,
            acts: 0,
        })
    };
    let mut parse: Vec<_> = rows("parse", revision.parse_steps()).collect();
    let mut scheme: Vec<_> = rows("scheme", revision.scheme_steps()).collect();
    let mut resolve: Vec<_> = rows("resolve", revision.resolve_steps()).collect();
    let steps = revision.base.map(|specification| specification.steps()).unwrap_or_default();
    let mut base: Vec<_> = rows("base", steps).collect();
    let steps = revision.context.map(|specification| specification.steps().collect()).unwrap_or_default();
    let mut rules: Vec<_> = rows("context", steps).collect();
    for (file, vector) in suite.vectors() {
        if vector.parts.0.contains_key(revision.id)
            && let Some(url) = &vector.url
        {
            count(&mut parse, &[revision.parse_traced(url).1]);
        }
        if (vector.fields.0.contains_key(revision.id) || vector.actions.0.contains_key(revision.id))
            && let Some((_, trace)) = vector.url.as_ref().and_then(|url| revision.read_traced(url))
        {
            count(&mut scheme, std::slice::from_ref(&trace));
            count(&mut parse, &[trace]);
        }
        if vector.expect.0.contains_key(revision.id)
            && let Some(reference) = &vector.reference
        {
            let base = vector.base.as_ref().or(file.content.base.as_ref()).map_or("", String::as_str);
            count(&mut resolve, &[revision.resolve_traced(base, reference).1]);
            count(&mut parse, &[revision.parse_traced(base).1, revision.parse_traced(reference).1]);
        }
        if vector.holds.0.contains_key(revision.id)
            && let Some(document) = &vector.document
        {
            count(&mut base, &document::traces(revision.id, vector, document));
        }
        if vector.finds.0.contains_key(revision.id)
            && let (Some(text), Some(specification)) = (&vector.text, revision.context)
        {
            count_rules(&mut rules, specification, text);
        }
    }
    parse.into_iter().chain(scheme).chain(resolve).chain(base).chain(rules).collect()
}

/// A rule runs on every text, and acts if it does on a find.
fn count_rules(rows: &mut [Reached], specification: &context::Extractor, text: &str) {
    let finds: Vec<_> = specification.find(text).collect();
    for row in rows {
        row.runs += 1;
        let mut acted = finds.iter().flat_map(|find| specification.acted(find));
        row.acts += usize::from(acted.any(|rule| rule.label == row.label));
    }
}

fn count(rows: &mut [Reached], traces: &[Trace]) {
    for row in rows {
        let mut entries = traces.iter().flat_map(Trace::entries).filter(|entry| entry.label == row.label).peekable();
        row.runs += usize::from(entries.peek().is_some());
        row.acts += usize::from(entries.any(|entry| entry.acted));
    }
}
