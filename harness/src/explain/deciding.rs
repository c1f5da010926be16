//! How one specification comes to its target, and the target that people often expect instead.

use serde::Serialize;
use urlstrata::revision::{rfc3986, whatwg};
use urlstrata::slots::{Part, Slot, Value};
use urlstrata_steps::Run;

use crate::escape::visible;
use crate::knowledge::specification::{Specification, is_url_standard};
use crate::knowledge::stepped::{self, Source};
use crate::layout::Layout;
use crate::outcome::Outcome;

use super::observed_result::{shown, specifications_giving};

/// How RFC 3986 comes to the target that all specifications have, and what people often expect instead.
#[derive(Clone, Debug, Serialize)]
pub struct Agreement {
    /// The base.
    #[serde(skip)]
    base: String,
    /// The reference.
    #[serde(skip)]
    reference: String,
    /// The steps of RFC 3986.
    pub steps: DecidingSteps,
    /// The result that is often expected instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expectation: Option<Expectation>,
}

impl Agreement {
    /// Returns what decides on the target of a pair; `None` if RFC 3986 does not write slots.
    pub(super) fn of(base: &str, reference: &str) -> Option<Self> {
        let steps = DecidingSteps::of(&Specification::of(&rfc3986::REVISION)?, (base, reference))?;
        let expectation = Expectation::of(base, reference);
        Some(Self { base: base.to_owned(), reference: reference.to_owned(), steps, expectation })
    }

    /// Returns the steps, and the expectation, as text for a reader.
    pub fn text(&self, layout: &Layout) -> String {
        let mut out = format!("\n{}", self.steps.text(layout));
        if let Some(expectation) = &self.expectation {
            out += &format!("\n{}", layout.wrapped("  ", 2, &expectation.sentence(&self.base, &self.reference)));
        }
        out
    }
}

/// The values that one specification writes for a pair, and the steps that write them.
#[derive(Clone, Debug, Serialize)]
pub struct DecidingSteps {
    /// The id of the specification.
    pub specification: &'static str,
    /// The specification as it is cited, and its date.
    pub cited: String,
    /// The sentence of the steps that decide, with their sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// The values, in their order.
    pub values: Vec<DecidedValue>,
    /// The target, or why there is none.
    pub result: Outcome,
}

/// A value that steps write.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct DecidedValue {
    /// What it is: `the merged path`.
    pub what: String,
    /// The value.
    pub value: String,
    /// The labels of the steps, for a state of the URL Standard those of its own text.
    pub steps: Vec<&'static str>,
}

impl DecidingSteps {
    /// Returns what `specification` writes for a pair; `None` if it does not write slots.
    pub fn of(specification: &Specification, pair: (&str, &str)) -> Option<Self> {
        let source = Source::Specification(*specification);
        let run = source.record(pair)?;
        let mut values: Vec<DecidedValue> = Vec::new();
        for slot in Self::slots(pair.1) {
            let Some(value) = Self::value(&source, &run, slot) else { continue };
            // A path that a step passes on unchanged needs no line of its own.
            if values.last().is_none_or(|last| last.value != value.value) {
                values.push(value);
            }
        }
        let result = source.outcome(&run);
        let date = specification.revision.date;
        let cited = if is_url_standard(specification.revision) {
            format!("URL Standard of {date}")
        } else {
            format!("{}, {date}", specification.cite)
        };
        let clause = stepped::deciding(specification, pair).map(|own| own.to_string());
        Some(Self { specification: specification.id, cited, clause, values, result })
    }

    /// Returns the slots that are shown: also the scheme and the authority of a reference that could be read with one.
    fn slots(reference: &str) -> impl Iterator<Item = Slot> {
        let first = reference.split(['/', '?', '#']).next().unwrap_or_default();
        let scheme = first.contains(':').then_some(Slot::Ref(Part::Scheme));
        let authority = reference.starts_with(['/', '\\']).then_some(Slot::Ref(Part::Authority));
        scheme.into_iter().chain(authority).chain([Slot::Used, Slot::Merged, Slot::NoDots, Slot::Result])
    }

    fn value(source: &Source<'_>, run: &Run, slot: Slot) -> Option<DecidedValue> {
        let value = match run.slots.value(slot) {
            Value::Absent if matches!(slot, Slot::Ref(_)) => "none".to_owned(),
            Value::Unread | Value::Absent => return None,
            Value::Text(text) if text.is_empty() && slot == Slot::Used => "nothing".to_owned(),
            Value::Text(text) => text.clone(),
        };
        let last = run.slots.history(slot).last();
        let labels = last.into_iter().flat_map(|write| &write.steps).filter(|label| !label.is_empty());
        let mut steps: Vec<&'static str> = labels.map(|label| source.label(label)).collect();
        steps.dedup();
        Some(DecidedValue { what: slot.to_string(), value, steps })
    }

    /// Returns a line for each value, with the steps that wrote it.
    pub(super) fn text(&self, layout: &Layout) -> String {
        let what = self.values.iter().map(|it| it.what.chars().count()).max().unwrap_or_default();
        let mut lines = format!("  {}, step by step:\n", self.cited);
        for DecidedValue { what: own, value, steps } in &self.values {
            let value = visible(value);
            let steps = if steps.is_empty() { String::new() } else { format!(" ({})", sections(steps)) };
            lines += &layout.wrapped(&format!("    {own:<what$}  "), 6 + what, &format!("{value}{steps}"));
        }
        lines
    }
}

/// Returns the labels of steps as sections, in which those of the same section as before are not repeated.
fn sections(steps: &[&str]) -> String {
    let mut before = "";
    let mut list: Vec<String> = Vec::new();
    for step in steps {
        let (section, rest) = step.split_once(' ').unwrap_or((step, ""));
        let is_number = section.starts_with(|c: char| c.is_ascii_digit());
        let mark = if is_number { "§" } else { "" };
        list.push(if section == before && is_number { rest.to_owned() } else { format!("{mark}{step}") });
        before = section;
    }
    list.join(", ")
}

/// A result that people often expect, and the change with which specifications give it.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Expectation {
    /// The result that is expected.
    pub result: String,
    /// What is expected: "the last segment of the base is kept".
    pub expected: &'static str,
    /// What gives it, as an instruction.
    pub what: &'static str,
    /// The base after the change.
    pub base: String,
    /// The reference after the change.
    pub reference: String,
    /// The ids of those of RFC 3986 and the newest state of the URL Standard that give it then.
    pub by: Vec<&'static str>,
}

impl Expectation {
    /// Returns the expectation that is the most common one for a pair of this form; `None` if there is none. The result is verified by
    /// resolution, and differs from what the specifications give.
    pub fn of(base: &str, reference: &str) -> Option<Self> {
        candidates(base, reference).into_iter().find_map(|(expected, what, new_base, new_reference)| {
            let target = |id: &str, base: &str, reference: &str| {
                Specification::by_id(id).and_then(|own| own.resolve_fast(base, reference).url().map(str::to_owned))
            };
            let ids = [rfc3986::REVISION.id, whatwg::NEWEST.id];
            let result = ids.iter().find_map(|id| target(id, &new_base, &new_reference))?;
            if ids.iter().any(|id| target(id, base, reference).as_deref() == Some(&result)) {
                return None;
            }
            let by = specifications_giving(&new_base, &new_reference, &result);
            Some(Self { result, expected, what, base: new_base, reference: new_reference, by })
        })
    }

    /// Returns one sentence.
    pub(super) fn sentence(&self, base: &str, reference: &str) -> String {
        let instead = match (self.base != base, self.reference != reference) {
            (true, true) => format!("base {}, reference {}", shown(&self.base), shown(&self.reference)),
            (true, false) => format!("base {}", shown(&self.base)),
            _ => format!("reference {}", shown(&self.reference)),
        };
        let Self { expected, what, result, .. } = self;
        format!("Often expected: {} ({expected}). To get it, {what}: {instead}", visible(result))
    }
}

/// An expectation: what is expected, what gives it, and the changed base and reference.
type Candidate = (&'static str, &'static str, String, String);

fn candidates(base: &str, reference: &str) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let own = || (base.to_owned(), reference.to_owned());
    let mut add = |expected, what, base: String, reference: String| found.push((expected, what, base, reference));
    let (before, rest) = base.split_at(base.find(['?', '#']).unwrap_or(base.len()));
    let parts = rfc3986::REVISION.parse(reference).unwrap_or_default();
    let component = |name: &str| parts.component(name).flatten();
    let base_path =
        rfc3986::REVISION.parse(base).ok().and_then(|parts| parts.component("path").flatten().map(str::to_owned));
    let base_path = base_path.unwrap_or_default();
    let path = component("path").unwrap_or_default();
    let first = path.split('/').next().unwrap_or_default();
    match (component("scheme"), component("authority")) {
        (Some(scheme), None) if scheme.len() == 1 => {
            add("a drive letter is a path", "write a slash before the reference", own().0, format!("/{reference}"));
        }
        (Some(_), None) if path.starts_with(|c: char| c.is_ascii_digit()) => {
            add("a host and a port", "write `//` before the reference", own().0, format!("//{reference}"));
        }
        (Some(scheme), None) if base.to_ascii_lowercase().starts_with(&format!("{}:", scheme.to_ascii_lowercase())) => {
            let bare = reference[scheme.len() + 1..].to_owned();
            add("a scheme like the base's is ignored", "remove the scheme", own().0, bare);
        }
        (None, None)
            if first.starts_with("www.")
                || first.contains('.')
                    && first.rsplit('.').next().is_some_and(|end| ["com", "org", "net", "example"].contains(&end)) =>
        {
            add("the first segment is a host", "write `//` before the reference", own().0, format!("//{reference}"));
        }
        (None, None) if reference.starts_with('/') && base_path.len() > 1 => {
            let folder = if before.ends_with('/') { before.to_owned() } else { format!("{before}/") };
            let what = if before.ends_with('/') {
                "remove the leading slash of the reference"
            } else {
                "end the base with a slash, and remove the leading slash of the reference"
            };
            add(
                "the path of the base is kept",
                what,
                format!("{folder}{rest}"),
                reference.trim_start_matches('/').to_owned(),
            );
        }
        (None, None) if !path.is_empty() && !before.ends_with('/') && base_path.trim_start_matches('/').len() > 1 => {
            add(
                "the last segment of the base is kept",
                "end the base with a slash",
                format!("{before}/{rest}"),
                own().1,
            );
        }
        _ => {}
    }
    found
}
