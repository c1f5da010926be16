//! An algorithm as a table of steps, and the loop that runs it.
//!
//! A step consists of the specification's label, a paraphrase and a function. The loop writes the trace, so that every
//! step that runs is in it.

use alloc::string::String;
use alloc::vec::Vec;

use crate::slots::{Part, Slot, Slots, Value};

/// What happens after a step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(
    not(feature = "whatwg"),
    expect(unreachable_pub, reason = "only implementations of the URL Standard use it")
)]
pub enum Next {
    /// Runs the next step of the table.
    Continue,
    /// Runs the step with this label. It may be an earlier one: that is how a specification repeats steps.
    SkipTo(&'static str),
    /// Runs the algorithm with this name, then the next step.
    #[cfg(feature = "whatwg")]
    Call(&'static str),
    /// Runs the algorithm with this name, then this step again.
    #[cfg(feature = "whatwg")]
    Repeat(&'static str),
    /// Runs the algorithm with this name, and ends the run.
    #[cfg(feature = "whatwg")]
    Return(&'static str),
    /// Ends the run.
    Done,
}

/// A row of a table of steps.
pub(crate) trait Row: Copy + 'static {
    /// The state of the algorithm.
    type State: Show;

    /// Returns the specification's label.
    fn label(self) -> &'static str;

    /// Returns the paraphrase.
    fn text(self) -> &'static str;

    /// Runs the step.
    fn act(self, state: &mut Self::State) -> Next;

    /// Runs the step, or what an implementation does instead. Returns the label and the paraphrase of what ran, and what follows.
    fn run(self, state: &mut Self::State) -> (&'static str, &'static str, Next) {
        if let Some(recorder) = state.recorder() {
            recorder.begin(self.label());
        }
        (self.label(), self.text(), self.act(state))
    }

    /// Returns whether the step is part of the algorithm that runs on `state`.
    fn applies(self, _state: &Self::State) -> bool {
        true
    }

    /// Returns the algorithm with this name, for the steps that call another algorithm.
    #[cfg(feature = "whatwg")]
    fn algorithm(_name: &'static str) -> Option<&'static [Self]> {
        None
    }
}

/// A step: its label, its paraphrase and its function.
pub(crate) type Step<S> = (&'static str, &'static str, fn(&mut S) -> Next);

/// The steps of an algorithm, in the specification's order.
pub(crate) type Program<S> = [Step<S>];

impl<S: Show + 'static> Row for Step<S> {
    type State = S;

    fn label(self) -> &'static str {
        self.0
    }

    fn text(self) -> &'static str {
        self.1
    }

    fn act(self, state: &mut S) -> Next {
        (self.2)(state)
    }
}

/// The state of an algorithm, as a trace shows it.
pub(crate) trait Show {
    /// Returns the state as `name=value` pairs, or an empty string if nothing is set yet.
    fn show(&self) -> String;

    /// Returns what records the slots of the run, if the algorithm writes them.
    fn recorder(&mut self) -> Option<&mut Recorder> {
        None
    }
}

/// The text of a trace entry for a label that the program does not have. `tests/skips.rs` checks that no trace contains
/// it.
pub(crate) const MISSING_STEP: &str = "internal failure: the program has no step with this label";

/// Returns whether the row after the one at `at` is next.
fn continues<R: Row>(program: &[R], at: usize, next: Next) -> bool {
    match next {
        Next::Continue => true,
        Next::SkipTo(label) => program.get(at + 1).is_some_and(|row| row.label() == label),
        _ => false,
    }
}

/// Runs `program` on `state` from its first step until one is [`Next::Done`] or the table ends.
///
/// The run also ends if a step skips to a label that `program` does not have, or calls a missing algorithm.
pub(crate) fn run<R: Row>(program: &[R], state: &mut R::State, trace: &mut Trace) {
    let mut at = 0;
    let mut before = if trace.entries.is_some() { state.show() } else { String::new() };
    while let Some(&row) = program.get(at) {
        if !row.applies(state) || state.recorder().is_some_and(|recorder| recorder.omits(row.label())) {
            at += 1;
            continue;
        }
        if state.recorder().is_some_and(Recorder::is_endless) {
            break;
        }
        let (label, text, next) = row.run(state);
        if let Some(entries) = &mut trace.entries {
            let after = state.show();
            let acted = !continues(program, at, next) || after != before;
            entries.push(TraceEntry { label, text, acted, state: after.clone() });
            before = after;
        }
        match next {
            Next::Continue => at += 1,
            Next::SkipTo(label) => match program.iter().position(|row| row.label() == label) {
                Some(index) => at = index,
                None => return trace.missing(label, before),
            },
            #[cfg(feature = "whatwg")]
            Next::Call(name) | Next::Repeat(name) | Next::Return(name) => {
                let Some(algorithm) = R::algorithm(name) else { return trace.missing(name, before) };
                run(algorithm, state, trace);
                if trace.entries.is_some() {
                    before = state.show();
                }
                match next {
                    Next::Call(_) => at += 1,
                    Next::Return(_) => break,
                    _ => {}
                }
            }
            Next::Done => break,
        }
    }
}

/// Returns the labels and paraphrases of `program`.
pub(crate) fn texts<R: Row>(program: &[R]) -> Vec<StepText> {
    program.iter().map(|row| StepText { label: row.label(), text: row.text() }).collect()
}

/// The label and the paraphrase of a step.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct StepText {
    /// The specification's label, such as `"6c"` or `"5.2.4 2C"`.
    pub label: &'static str,
    /// A paraphrase of the step.
    pub text: &'static str,
}

/// The steps that ran, in order.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    entries: Option<Vec<TraceEntry>>,
    recorder: Recorder,
}

impl Trace {
    /// Creates a trace that records nothing.
    #[must_use]
    pub fn off() -> Self {
        Self::default()
    }

    /// Creates a trace that records every step.
    ///
    /// Each entry contains the whole state: the size of a trace is the length of the input times the number of steps.
    #[must_use]
    pub fn on() -> Self {
        Self { entries: Some(Vec::new()), ..Self::default() }
    }

    /// Creates a trace that records slots instead of steps.
    #[must_use]
    pub fn slots(slots: Slots) -> Self {
        Self { recorder: Recorder(Some(slots)), ..Self::default() }
    }

    /// Returns the slots; `None` if they are not recorded, or the revision does not write them.
    #[must_use]
    pub fn into_slots(self) -> Option<Slots> {
        self.recorder.0
    }

    /// Takes what records the slots, for the state of the run.
    pub(crate) fn take_recorder(&mut self) -> Recorder {
        core::mem::take(&mut self.recorder)
    }

    /// Puts back what [`Self::take_recorder`] has taken.
    pub(crate) fn put_recorder(&mut self, recorder: Recorder) {
        self.recorder = recorder;
    }

    /// Records that a program has no step, or a specification no algorithm, with this label.
    fn missing(&mut self, label: &'static str, state: String) {
        if let Some(entries) = &mut self.entries {
            entries.push(TraceEntry { label, text: MISSING_STEP, acted: false, state });
        }
    }

    /// Returns the recorded steps.
    #[must_use]
    pub fn entries(&self) -> &[TraceEntry] {
        self.entries.as_deref().unwrap_or(&[])
    }
}

/// A step that ran.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct TraceEntry {
    /// The specification's label.
    pub label: &'static str,
    /// A paraphrase of the step.
    pub text: &'static str,
    /// Whether the step changed the state or skipped to another step.
    pub acted: bool,
    /// The state after the step.
    pub state: String,
}

/// Records the slots of a run if the caller asked for them, and does nothing otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder(Option<Slots>);

impl Recorder {
    /// Returns whether slots are recorded.
    pub(crate) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the text of a slot.
    #[cfg(feature = "whatwg")]
    pub(crate) fn written(&self, slot: Slot) -> Option<&str> {
        self.0.as_ref()?.text(slot)
    }

    /// Returns whether the step with this label is left out.
    fn omits(&self, label: &str) -> bool {
        self.0.as_ref().is_some_and(|slots| slots.omits(label))
    }

    /// Returns whether a changed algorithm has run too many steps.
    fn is_endless(&mut self) -> bool {
        self.0.as_mut().is_some_and(Slots::is_endless)
    }

    /// Returns whether a slot was written.
    pub(crate) fn has(&self, slot: Slot) -> bool {
        self.0.as_ref().is_some_and(|slots| *slots.value(slot) != Value::Unread)
    }

    /// Sets the label of the step that runs, or of one that has run.
    pub(crate) fn begin(&mut self, step: &'static str) {
        if let Some(slots) = &mut self.0 {
            slots.begin(step);
        }
    }

    /// Records that the step that runs only puts down what other steps decided, if there are any.
    pub(crate) fn only_writes(&mut self) {
        if let Some(slots) = &mut self.0 {
            slots.only_writes();
        }
    }

    /// Writes the texts that were given, and returns them, or those that are exchanged for them.
    pub(crate) fn given(&mut self, base: &str, reference: &str) -> [String; 2] {
        match &mut self.0 {
            Some(slots) => slots.given(base, reference),
            None => [base, reference].map(String::from),
        }
    }

    /// Writes a component, and replaces it if it is exchanged.
    pub(crate) fn part(&mut self, slot: Slot, value: &mut Option<String>) {
        if let Some(slots) = &mut self.0 {
            *value = slots.set(slot, value.clone()).text().map(String::from);
        }
    }

    /// Writes a text, and replaces it if it is exchanged.
    pub(crate) fn text(&mut self, slot: Slot, value: &mut String) {
        if let Some(slots) = &mut self.0 {
            *value = String::from(slots.set(slot, value.as_str()).text().unwrap_or_default());
        }
    }

    /// Passes the value of a slot on with its history.
    pub(crate) fn flow(&mut self, to: Slot, from: Slot) {
        if let Some(slots) = &mut self.0 {
            slots.flow(to, from);
        }
    }

    /// Copies the value of a slot with its history: the step that runs decides nothing.
    pub(crate) fn copy(&mut self, to: Slot, from: Slot) {
        if let Some(slots) = &mut self.0 {
            slots.copy(to, from);
        }
    }

    /// Records that the step that runs leaves a slot as it is.
    pub(crate) fn keep(&mut self, slot: Slot) {
        if let Some(slots) = &mut self.0 {
            slots.keep(slot);
        }
    }

    /// Copies parts of the reference to the target, where no step decides on them.
    pub(crate) fn own_as_read(&mut self, parts: &[Part]) {
        parts.iter().for_each(|part| self.copy(Slot::Out(*part), Slot::Ref(*part)));
    }

    /// Passes parts of the reference on to the target: the step that runs decides that these are used.
    pub(crate) fn own(&mut self, parts: &[Part]) {
        parts.iter().for_each(|part| self.flow(Slot::Out(*part), Slot::Ref(*part)));
    }

    /// Passes the path of the reference on: it is not merged, and its dot segments are kept.
    pub(crate) fn own_path(&mut self) {
        self.flow(Slot::Merged, Slot::Ref(Part::Path));
        self.flow(Slot::NoDots, Slot::Merged);
    }

    /// Takes a part from the base.
    pub(crate) fn inherit(&mut self, part: Part) {
        self.flow(Slot::Out(part), Slot::Base(part));
        self.inherit_as(part.name());
    }

    /// Names what is taken from the base.
    pub(crate) fn inherit_as(&mut self, what: &str) {
        if let Some(slots) = &mut self.0 {
            slots.inherit(what);
        }
    }

    /// Records that nothing is taken from the base.
    pub(crate) fn nothing(&mut self) {
        if let Some(slots) = &mut self.0 {
            slots.set(Slot::Used, "nothing");
        }
    }

    /// Records that the step that runs decides on the next write to `slot`.
    pub(crate) fn decide(&mut self, slot: Slot) {
        if let Some(slots) = &mut self.0 {
            slots.decide(slot);
        }
    }

    /// Records that the step that runs rejects the input because of a slot.
    pub(crate) fn reject(&mut self, slot: Slot, why: &str) {
        if let Some(slots) = &mut self.0 {
            slots.reject(slot, why);
        }
    }

    /// Replaces a component of the target if it is exchanged.
    pub(crate) fn target(&mut self, part: Part, value: &mut Option<String>) {
        if let Some(slots) = &mut self.0 {
            match slots.value(Slot::Out(part)) {
                Value::Unread => {
                    slots.set(Slot::Out(part), value.clone());
                }
                written => *value = written.text().map(String::from),
            }
        }
    }
}
