//! Slots: what an algorithm has read, inherited and written at the points that all algorithms share.
//!
//! Specifications and engines name their steps differently and do them in another order, but each of them reads components of the
//! base and of the reference, takes some from the base, and writes a target. A slot is one of these values. It holds its history: each
//! value that was written, with the labels of the steps that wrote it. Two runs are compared slot by slot.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A part of a URL.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Part {
    /// The whole text, after it was cleaned.
    Text,
    /// The scheme, without the colon.
    Scheme,
    /// The authority, without the slashes.
    Authority,
    /// The user and the password, if the algorithm does not divide them.
    Userinfo,
    /// The user.
    User,
    /// The password.
    Password,
    /// The host.
    Host,
    /// The port, without the colon.
    Port,
    /// The path, with its parameters.
    Path,
    /// The parameters of RFC 1808, if the algorithm cuts them off. The path contains them, too.
    Params,
    /// The query, without the question mark.
    Query,
    /// The fragment, without the number sign.
    Fragment,
}

impl Part {
    /// Every part, in the order of comparison.
    pub const ALL: [Self; 12] = [
        Self::Text,
        Self::Scheme,
        Self::Authority,
        Self::Userinfo,
        Self::User,
        Self::Password,
        Self::Host,
        Self::Port,
        Self::Path,
        Self::Params,
        Self::Query,
        Self::Fragment,
    ];

    /// The components into which a URL is divided without remainder.
    pub const COMPONENTS: [Self; 5] = [Self::Scheme, Self::Authority, Self::Path, Self::Query, Self::Fragment];

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Scheme => "scheme",
            Self::Authority => "authority",
            Self::Userinfo => "userinfo",
            Self::User => "user",
            Self::Password => "password",
            Self::Host => "host",
            Self::Port => "port",
            Self::Path => "path",
            Self::Params => "params",
            Self::Query => "query",
            Self::Fragment => "fragment",
        }
    }
}

/// A point at which algorithms are compared. The order is that of the comparison.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Slot {
    /// A part of the base, as it was read.
    Base(Part),
    /// A part of the reference, as it was read.
    Ref(Part),
    /// The names of what the target takes from the base: `scheme, authority, folder`.
    Used,
    /// The path after it was merged with the base's, and before dot segments are removed.
    Merged,
    /// The path without dot segments.
    NoDots,
    /// A part of the target, as it is written.
    Out(Part),
    /// The target.
    Result,
}

impl Slot {
    /// The number of slots.
    pub const COUNT: usize = 3 * Part::ALL.len() + 4;

    /// Returns every slot, in the order of comparison.
    pub fn all() -> impl Iterator<Item = Self> {
        let of = |slot: fn(Part) -> Self| Part::ALL.into_iter().map(slot);
        of(Self::Base)
            .chain(of(Self::Ref))
            .chain([Self::Used, Self::Merged, Self::NoDots])
            .chain(of(Self::Out))
            .chain([Self::Result])
    }

    fn index(self) -> usize {
        const PARTS: usize = Part::ALL.len();
        match self {
            Self::Base(part) => part as usize,
            Self::Ref(part) => PARTS + part as usize,
            Self::Used => 2 * PARTS,
            Self::Merged => 2 * PARTS + 1,
            Self::NoDots => 2 * PARTS + 2,
            Self::Out(part) => 2 * PARTS + 3 + part as usize,
            Self::Result => 3 * PARTS + 3,
        }
    }

    /// Returns the part, if the slot holds one.
    #[must_use]
    pub fn part(self) -> Option<Part> {
        match self {
            Self::Base(part) | Self::Ref(part) | Self::Out(part) => Some(part),
            Self::Merged | Self::NoDots => Some(Part::Path),
            Self::Used | Self::Result => None,
        }
    }
}

impl fmt::Display for Slot {
    /// Writes the name for sentences.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base(Part::Text) => f.write_str("the base"),
            Self::Ref(Part::Text) => f.write_str("the reference"),
            Self::Base(part) => write!(f, "the base's {}", part.name()),
            Self::Ref(part) => write!(f, "the reference's {}", part.name()),
            Self::Used => f.write_str("what the base gives"),
            Self::Merged => f.write_str("the merged path"),
            Self::NoDots => f.write_str("the path without dot segments"),
            Self::Out(part) => write!(f, "the target's {}", part.name()),
            Self::Result => f.write_str("the target"),
        }
    }
}

/// The content of a slot.
#[derive(Clone, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Value {
    /// The algorithm has not read or written it. That is not the same as an absent component.
    #[default]
    Unread,
    /// The component is absent.
    Absent,
    /// The text of the component, which may be empty.
    Text(String),
}

impl Value {
    /// Returns the text, if there is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Unread | Self::Absent => None,
        }
    }
}

impl From<Option<&str>> for Value {
    fn from(text: Option<&str>) -> Self {
        text.map_or(Self::Absent, |text| Self::Text(text.to_string()))
    }
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::Absent, Self::Text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_string())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// A value that was written to a slot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Write {
    /// The steps: those that decided on the value, then the one that wrote it.
    pub steps: Vec<&'static str>,
    /// The value.
    pub value: Value,
}

/// Why an algorithm rejects its input.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Rejected {
    /// What is rejected.
    pub slot: Slot,
    /// The step.
    pub step: &'static str,
    /// The reason, in the words of this project.
    pub why: String,
}

/// A value that replaces what an algorithm writes to a slot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Exchange {
    /// The slot.
    pub slot: Slot,
    /// The number of writes from which on the value is exchanged: that of the run that is repeated.
    pub after: usize,
    /// The value instead.
    pub value: Value,
}

/// A change of an algorithm. Vectors are adequate if one of them notices each change that changes a result.
#[derive(Clone, Copy)]
pub enum Mutation {
    /// The step with this label is left out.
    Without(&'static str),
    /// Each value that a step writes to the slot is replaced by what the function returns; `None` is an absent component.
    Rewritten(Slot, &'static (dyn Fn(Option<&str>) -> Option<String> + Sync)),
}

impl fmt::Debug for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Without(label) => write!(f, "without {label}"),
            Self::Rewritten(slot, _) => write!(f, "{slot} rewritten"),
        }
    }
}

/// The number of steps after which a changed algorithm ends: without one of its steps it may not end by itself.
const MOST_STEPS: usize = 100_000;

#[derive(Clone, Debug, Default)]
struct Cell {
    value: Value,
    writes: usize,
    history: Vec<Write>,
    /// The steps that decided on the next write.
    decided: Vec<&'static str>,
    /// The step that passed the value on from another slot.
    passed: Option<&'static str>,
}

/// The slots of a run.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// One for each slot, or none before the first write.
    cells: Vec<Cell>,
    is_recording: bool,
    exchanges: Vec<Exchange>,
    mutation: Option<Mutation>,
    /// The number of steps that have run, if there is a mutation.
    steps: usize,
    /// The label of the step that runs.
    step: &'static str,
    /// Whether that step only puts down what others decided.
    is_only_writing: bool,
    rejected: Option<Rejected>,
}

static EMPTY: Cell = Cell { value: Value::Unread, writes: 0, history: Vec::new(), decided: Vec::new(), passed: None };

impl Slots {
    /// Creates slots that hold values without their histories.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates slots that record histories. `exchanges` replace values that are written.
    #[must_use]
    pub fn recording(exchanges: Vec<Exchange>) -> Self {
        Self { is_recording: true, exchanges, ..Self::default() }
    }

    /// Creates slots of an algorithm that is changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlstrata::revision::by_id;
    /// use urlstrata::slots::{Mutation, Slots};
    ///
    /// let revision = by_id("rfc3986").expect("a revision");
    /// let slots = Slots::mutated(Mutation::Without("5.2.4 2C"));
    /// let (resolved, _) = revision.resolve_slots("http://a/b/c", "/x/../y", slots);
    /// assert_eq!(resolved.expect("a URL").url, "http://a/x/../y");
    /// ```
    #[must_use]
    pub fn mutated(mutation: Mutation) -> Self {
        Self { mutation: Some(mutation), ..Self::default() }
    }

    /// Returns whether the step with this label is left out.
    #[must_use]
    pub fn omits(&self, label: &str) -> bool {
        matches!(self.mutation, Some(Mutation::Without(omitted)) if omitted == label)
    }

    /// Counts a step. Returns whether a changed algorithm has run too many.
    pub fn is_endless(&mut self) -> bool {
        self.steps += usize::from(self.mutation.is_some());
        self.steps > MOST_STEPS
    }

    /// Returns the value that a changed algorithm writes to a slot instead of `value`.
    fn mutate(&self, slot: Slot, value: Value) -> Value {
        match self.mutation {
            Some(Mutation::Rewritten(own, rewrite)) if own == slot && value != Value::Unread => {
                rewrite(value.text()).into()
            }
            _ => value,
        }
    }

    /// Returns whether histories are recorded.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// Returns the label of the step that ran last.
    #[must_use]
    pub fn step(&self) -> &'static str {
        self.step
    }

    /// Sets the label of the step that runs.
    pub fn begin(&mut self, step: &'static str) {
        self.step = step;
        self.is_only_writing = false;
    }

    /// Records that the step that runs only puts down what other steps decided, if there are any.
    pub fn only_writes(&mut self) {
        self.is_only_writing = true;
    }

    fn cell(&self, slot: Slot) -> &Cell {
        self.cells.get(slot.index()).unwrap_or(&EMPTY)
    }

    fn cell_mut(&mut self, slot: Slot) -> &mut Cell {
        if self.cells.is_empty() {
            self.cells.resize_with(Slot::COUNT, Cell::default);
        }
        &mut self.cells[slot.index()]
    }

    /// Returns the value of a slot.
    #[must_use]
    pub fn value(&self, slot: Slot) -> &Value {
        &self.cell(slot).value
    }

    /// Returns the text of a slot; `None` if it is absent or was not read.
    #[must_use]
    pub fn text(&self, slot: Slot) -> Option<&str> {
        self.value(slot).text()
    }

    /// Returns how often a slot was written.
    #[must_use]
    pub fn writes(&self, slot: Slot) -> usize {
        self.cell(slot).writes
    }

    /// Returns the values that a slot had, in order; none if histories are not recorded.
    #[must_use]
    pub fn history(&self, slot: Slot) -> &[Write] {
        &self.cell(slot).history
    }

    /// Returns the step that left a slot as it is: the one that decided to keep its value or passed it on from another slot, or wrote it last.
    #[must_use]
    pub fn left_by(&self, slot: Slot) -> Option<&'static str> {
        let Cell { history, passed, .. } = self.cell(slot);
        passed.or_else(|| history.last().and_then(|write| write.steps.last().copied()))
    }

    /// Returns whether a step decided to keep the value of a slot, or passed it on from another slot, after it was written.
    #[must_use]
    pub fn is_kept(&self, slot: Slot) -> bool {
        self.cell(slot).passed.is_some()
    }

    /// Writes the texts that were given, before the first step. Returns them, or the texts that are exchanged for them.
    pub fn given(&mut self, base: &str, reference: &str) -> [String; 2] {
        self.step = "";
        [(Part::Text, Slot::Base as fn(Part) -> Slot, base), (Part::Text, Slot::Ref, reference)]
            .map(|(part, of, text)| self.set(of(part), text).text().unwrap_or_default().to_string())
    }

    /// Writes a value to a slot, or the value that is exchanged for it, and returns what the slot holds.
    ///
    /// A value that a slot already holds is not written again, so that a step that changes nothing is never a cause.
    pub fn set(&mut self, slot: Slot, value: impl Into<Value>) -> &Value {
        let mut value = value.into();
        let writes = self.cell(slot).writes + 1;
        let exchanged = self.exchanges.iter().find(|it| it.slot == slot && it.after <= writes);
        if let Some(exchange) = exchanged {
            value = exchange.value.clone();
        }
        value = self.mutate(slot, value);
        let (step, is_recording, is_only_writing) = (self.step, self.is_recording, self.is_only_writing);
        let cell = self.cell_mut(slot);
        cell.writes = writes;
        let mut steps = core::mem::take(&mut cell.decided);
        if is_recording && (cell.value != value || cell.history.is_empty()) {
            if steps.is_empty() || !is_only_writing && !steps.contains(&step) {
                steps.push(step);
            }
            cell.history.push(Write { steps, value: value.clone() });
            // The step that passed the value before has not left this one.
            cell.passed = None;
        } else if let Some(step) = steps.last() {
            // A step that decided to keep the value is the one that left it as it is.
            cell.passed = Some(step);
        }
        cell.value = value;
        &cell.value
    }

    /// Passes a value on with its history: the step that copies it has not decided on it.
    pub fn flow(&mut self, to: Slot, from: Slot) {
        let Cell { value, history, .. } = self.cell(from).clone();
        let writes = self.cell(to).writes + 1;
        let exchanged = self.exchanges.iter().find(|it| it.slot == to && it.after <= writes).map(|it| it.value.clone());
        // A value that stays in its slot was changed when it was written.
        let value = if to == from { value } else { self.mutate(to, value) };
        let step = self.step;
        let cell = self.cell_mut(to);
        cell.writes = writes;
        cell.history = history;
        cell.passed = Some(step);
        cell.value = exchanged.unwrap_or(value);
    }

    /// Copies a value with its history and the step that left it as it is: the step that copies it has decided nothing.
    pub fn copy(&mut self, to: Slot, from: Slot) {
        let passed = self.cell(from).passed;
        self.flow(to, from);
        self.cell_mut(to).passed = passed;
    }

    /// Records that the step that runs leaves a slot as it is.
    pub fn keep(&mut self, slot: Slot) {
        self.flow(slot, slot);
    }

    /// Records that the step that runs decides on the next write to `slot`.
    pub fn decide(&mut self, slot: Slot) {
        if self.is_recording {
            let step = self.step;
            let decided = &mut self.cell_mut(slot).decided;
            if !decided.contains(&step) {
                decided.push(step);
            }
        }
    }

    /// Records that the step that runs puts `slot` together from others: the steps that rewrote these decide on it.
    pub fn compose(&mut self, slot: Slot, from: &[Slot]) {
        self.only_writes();
        if !self.is_recording {
            return;
        }
        let rewritten = from.iter().flat_map(|slot| self.history(*slot).iter().skip(1)).flat_map(|write| &write.steps);
        let steps: Vec<&'static str> = rewritten.copied().collect();
        let decided = &mut self.cell_mut(slot).decided;
        for step in steps {
            if !decided.contains(&step) {
                decided.push(step);
            }
        }
    }

    /// Records that the step that runs rejects the input because of a slot.
    pub fn reject(&mut self, slot: Slot, why: impl Into<String>) {
        self.rejected = Some(Rejected { slot, step: self.step, why: why.into() });
    }

    /// Returns the rejection, if there is one.
    #[must_use]
    pub fn rejected(&self) -> Option<&Rejected> {
        self.rejected.as_ref()
    }

    /// Adds a component to [`Slot::Used`].
    pub fn inherit(&mut self, what: &str) {
        let value = match self.text(Slot::Used) {
            Some(words) if words.split(", ").any(|own| own == what) => words.to_string(),
            Some(words) if !words.is_empty() => [words, ", ", what].concat(),
            _ => what.to_string(),
        };
        self.set(Slot::Used, value);
    }
}
