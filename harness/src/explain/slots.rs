//! The runs of specifications and engines side by side, slot by slot.

use serde::Serialize;
use urlstrata::slots::{Slot, Value};
use urlstrata_steps::Run;

use crate::escape::visible;
use crate::knowledge::stepped::Source;
use crate::outcome::Outcome;

/// What several algorithms read, inherit and write for one pair: a row for each slot that has a text on some side.
#[derive(Clone, Debug, Serialize)]
pub struct SlotTrace {
    /// The names of the specifications and engines, in the order of the cells.
    pub sides: Vec<String>,
    /// The slots, in the order of comparison.
    pub rows: Vec<SlotRow>,
    /// What each of them returns.
    pub results: Vec<Outcome>,
}

/// A slot on all sides.
#[derive(Clone, Debug, Serialize)]
pub struct SlotRow {
    /// The name of the slot: `the reference's scheme`.
    pub slot: String,
    /// Whether the values that were read or written differ.
    pub differs: bool,
    /// The slot on each side.
    pub cells: Vec<SlotCell>,
}

/// A slot on one side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlotCell {
    /// The values in their order, each with the labels of the steps that wrote it; none if the side does not use the slot. A missing value is an
    /// absent component.
    pub writes: Vec<(Option<String>, Vec<&'static str>)>,
}

impl SlotCell {
    fn of(side: &Source<'_>, run: &Run, slot: Slot) -> Self {
        let last = run.slots.value(slot);
        if *last == Value::Unread {
            return Self { writes: Vec::new() };
        }
        let text = |value: &Value| value.text().map(str::to_owned);
        // The first write is the text as it was given. It has no step.
        let history = run.slots.history(slot).iter();
        let labels = |steps: &[&'static str]| {
            let mut labels: Vec<_> = steps.iter().filter(|it| !it.is_empty()).map(|label| side.label(label)).collect();
            labels.dedup();
            labels
        };
        let mut writes: Vec<_> = history.map(|write| (text(&write.value), labels(&write.steps))).collect();
        if writes.last().is_none_or(|(value, _): &(Option<String>, Vec<&str>)| *value != text(last)) {
            writes.push((text(last), Vec::new()));
        }
        Self { writes }
    }

    /// Returns the value that the slot has in the end; `None` if the side does not use the slot.
    fn last(&self) -> Option<&Option<String>> {
        self.writes.last().map(|(value, _)| value)
    }

    /// Returns a line for each value, with its steps. Invisible characters are escaped.
    pub fn lines(&self) -> String {
        let shown = |value: &Option<String>| match value {
            None => "none".to_owned(),
            Some(text) => format!("`{}`", visible(text)),
        };
        let line = |(value, steps): &(Option<String>, Vec<&'static str>)| match steps.as_slice() {
            [] => shown(value),
            steps => format!("{}   {}", shown(value), steps.join("; ")),
        };
        self.writes.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl SlotTrace {
    /// Runs each of `sides` on a pair. Those whose algorithm does not write slots are left out; `None` if no side is left.
    pub fn of(sides: &[Source<'_>], pair: (&str, &str)) -> Option<Self> {
        let runs: Vec<(&Source<'_>, Run)> = sides.iter().filter_map(|side| Some((side, side.record(pair)?))).collect();
        let row = |slot: Slot| {
            let cells: Vec<_> = runs.iter().map(|(side, run)| SlotCell::of(side, run, slot)).collect();
            let mut values = cells.iter().filter_map(SlotCell::last);
            let first = values.next();
            let differs = values.any(|value| Some(value) != first);
            SlotRow { slot: slot.to_string(), differs, cells }
        };
        let is_used = |row: &SlotRow| row.cells.iter().any(|cell| matches!(cell.last(), Some(Some(_))));
        let rows = Slot::all().map(row).filter(is_used);
        let results = runs.iter().map(|(side, run)| side.outcome(run));
        (!runs.is_empty()).then(|| Self {
            rows: rows.collect(),
            results: results.collect(),
            sides: runs.iter().map(|(side, _)| side.title()).collect(),
        })
    }
}
