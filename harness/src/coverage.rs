//! Which steps of which document the vectors reach.

use serde::Serialize;
use urlstrata::revision::{self, Revision};
use urlstrata::{StepText, Trace};

use crate::vector::Suite;

/// A step and how many vectors reach it.
#[derive(Clone, Debug, Serialize)]
pub struct Reached {
    /// The revision's id.
    pub revision: &'static str,
    /// `parse` or `resolve`.
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

/// Every step of every revision, in order.
pub fn measure(suite: &Suite) -> Vec<Reached> {
    revision::ALL.into_iter().flat_map(|revision| of_revision(revision, suite)).collect()
}

fn of_revision(revision: &'static Revision, suite: &Suite) -> Vec<Reached> {
    let rows = |part, steps: Vec<StepText>| {
        steps.into_iter().map(move |StepText { label, says }| Reached {
            revision: revision.id,
            part,
            label,
            says,
            runs: 0,
            acts: 0,
        })
    };
    let mut parse: Vec<_> = rows("parse", revision.parse_steps()).collect();
    let mut resolve: Vec<_> = rows("resolve", revision.resolve_steps()).collect();
    for (file, vector) in suite.vectors() {
        if vector.parts.0.contains_key(revision.id)
            && let Some(url) = &vector.url
        {
            count(&mut parse, &[revision.parse_traced(url).1]);
        }
        if vector.expect.0.contains_key(revision.id)
            && let Some(reference) = &vector.reference
        {
            let base = vector.base.as_ref().or(file.content.base.as_ref()).map_or("", String::as_str);
            count(&mut resolve, &[revision.resolve_traced(base, reference).1]);
            count(&mut parse, &[revision.parse_traced(base).1, revision.parse_traced(reference).1]);
        }
    }
    parse.extend(resolve);
    parse
}

fn count(rows: &mut [Reached], traces: &[Trace]) {
    for row in rows {
        let mut entries = traces.iter().flat_map(Trace::entries).filter(|entry| entry.label == row.label).peekable();
        row.runs += usize::from(entries.peek().is_some());
        row.acts += usize::from(entries.any(|entry| entry.acted));
    }
}
