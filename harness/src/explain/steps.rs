//! The steps of one specification for a pair, numbered, with the state before and after each.

use std::fmt;

use serde::Serialize;
use urlstrata::revision::{Revision, whatwg};
use urlstrata::{Trace, TraceEntry};

use crate::escape::visible;
use crate::knowledge::specification::{Specification, is_url_standard};
use crate::knowledge::stepped;
use crate::layout::Layout;
use crate::outcome::Outcome;

/// The steps of one revision.
#[derive(Clone, Debug, Serialize)]
pub struct RevisionSteps {
    /// The id of the revision.
    pub revision: &'static str,
    /// The name of the specification.
    pub specification: &'static str,
    /// The steps, with the labels of the specification. Of the URL Standard's machine, those that change its state.
    pub steps: Vec<TracedStep>,
    /// The result.
    pub result: Outcome,
}

/// A step, and the state after it.
#[derive(Clone, Debug, Serialize)]
pub struct TracedStep {
    /// The label of the step in the specification. In a dated state of the URL Standard, it is that of its own text.
    pub label: &'static str,
    /// The label of the step in the newest text of the URL Standard, by which it has one name in all states; `None` if it is the same.
    #[serde(skip)]
    pub newest_label: Option<&'static str>,
    /// A paraphrase of the step.
    pub text: &'static str,
    /// The state after it.
    pub state: String,
    /// Whether the step decides: it names what the base gives, removes dot segments, rewrites the target, or rejects.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub decides: bool,
}

impl TracedStep {
    /// Returns a step of `revision`.
    pub(super) fn of(revision: &Revision, entry: &TraceEntry) -> Self {
        let label = whatwg::place_in(revision, entry.label).label;
        let newest_label = Some(entry.label).filter(|newest| *newest != label);
        Self { label, newest_label, text: entry.text, state: entry.state.clone(), decides: false }
    }

    /// Returns the label that the step has in all revisions.
    fn name(&self) -> &'static str {
        self.newest_label.unwrap_or(self.label)
    }
}

impl RevisionSteps {
    /// Returns the steps of `revision` for a pair.
    pub fn of(revision: &'static Revision, base: &str, reference: &str) -> Self {
        let (resolution, trace) = revision.resolve_traced(base, reference);
        // The machine of the URL Standard has a step for each code point: those that change its state are enough.
        let mut steps: Vec<TracedStep> = match is_url_standard(revision) {
            true => changing(&trace).map(|entry| TracedStep::of(revision, entry)).collect(),
            false => trace.entries().iter().map(|entry| TracedStep::of(revision, entry)).collect(),
        };
        let deciding = Specification::of(revision).map(|own| stepped::deciding_steps(&own, (base, reference)));
        let deciding: Vec<&str> = deciding.unwrap_or_default().iter().map(|step| step.label).collect();
        let mut before = String::new();
        for step in &mut steps {
            step.decides = deciding.contains(&step.name()) && step.state != before;
            before.clone_from(&step.state);
        }
        if let (Err(_), Some(rejects)) = (&resolution, trace.entries().last()) {
            // What rejects need not change the state.
            if steps.last().is_none_or(|last| last.name() != rejects.label) {
                steps.push(TracedStep::of(revision, rejects));
            }
            steps.iter_mut().next_back().into_iter().for_each(|last| last.decides = true);
        }
        Self { revision: revision.id, specification: revision.specification, steps, result: resolution.into() }
    }

    /// Writes each step with its number, its label and its paraphrase, and the state before and after it if it changed. A step that decides is
    /// marked.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does.
    pub fn write(&self, (base, reference): (&str, &str), layout: &Layout, out: &mut dyn fmt::Write) -> fmt::Result {
        writeln!(out, "\n  {}", layout.bold(&format!("{} ({}), step by step", self.specification, self.revision)))?;
        writeln!(out, "      base       {}\n      reference  {}", shown(base), shown(reference))?;
        let digits = self.steps.len().to_string().len();
        let mut before: Option<&str> = None;
        for (number, step) in (1..).zip(&self.steps) {
            let mark = if step.decides { ">" } else { " " };
            let start = format!(" {mark}{number:>width$}. ", width = digits.max(2));
            let text = format!("{}: {}", step.label, step.text);
            out.write_str(&layout.wrapped(&start, start.len(), &text))?;
            let indent = " ".repeat(start.len());
            let after = shown(&step.state);
            match before {
                Some(before) if before == step.state => {}
                Some(before) => {
                    out.write_str(&layout.wrapped(&format!("{indent}before  "), start.len() + 8, &shown(before)))?;
                    out.write_str(&layout.wrapped(&format!("{indent}after   "), start.len() + 8, &after))?;
                }
                None => out.write_str(&layout.wrapped(&format!("{indent}after   "), start.len() + 8, &after))?,
            }
            before = Some(&step.state);
        }
        if self.steps.iter().any(|step| step.decides) {
            writeln!(out, "\n  > decides. A step without values changes nothing.")?;
        }
        Ok(())
    }
}

fn shown(state: &str) -> String {
    if state.is_empty() { "empty".to_owned() } else { visible(state) }
}

/// Returns the entries that change the state, without those that parse the base and without the loop of the state
/// machine. Of consecutive entries of one step, which the machine has for each code point, the last is returned.
pub(super) fn changing(trace: &Trace) -> impl Iterator<Item = &TraceEntry> {
    let entries = trace.entries();
    let start = entries.iter().position(|entry| entry.label == "API 3").map_or(0, |at| at + 1);
    let mut state = start.checked_sub(1).map_or("", |before| &entries[before].state);
    let mut kept: Vec<&TraceEntry> = Vec::new();
    for entry in &entries[start..] {
        let changes = entry.state != state;
        state = &entry.state;
        if entry.label == "basic 9" {
            continue;
        }
        match kept.last_mut() {
            Some(last) if last.label == entry.label => *last = entry,
            _ if changes => kept.push(entry),
            _ => {}
        }
    }
    kept.into_iter()
}
