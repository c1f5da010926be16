//! An algorithm as a table of steps, and the loop that runs it.
//!
//! A step consists of the specification's label, a paraphrase and a function. The loop writes the trace, so that every
//! step that runs is in it.

use alloc::string::String;
use alloc::vec::Vec;

/// What the loop does after a step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Next {
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
}

/// The text of a trace entry for a label that the program does not have. `tests/skips.rs` checks that no trace contains
/// it.
pub(crate) const MISSING_STEP: &str = "internal failure: the program has no step with this label";

/// Runs `program` on `state` from its first step until one is [`Next::Done`] or the table ends.
///
/// The run also ends if a step skips to a label that `program` does not have, or calls a missing algorithm.
pub(crate) fn run<R: Row>(program: &[R], state: &mut R::State, trace: &mut Trace) {
    let mut at = 0;
    let mut before = if trace.0.is_some() { state.show() } else { String::new() };
    while let Some(&row) = program.get(at) {
        if !row.applies(state) {
            at += 1;
            continue;
        }
        let next = row.act(state);
        if let Some(entries) = &mut trace.0 {
            let after = state.show();
            let acted = next != Next::Continue || after != before;
            entries.push(TraceEntry { label: row.label(), text: row.text(), acted, state: after.clone() });
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
                if trace.0.is_some() {
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
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct StepText {
    /// The specification's label, such as `"6c"` or `"5.2.4 2C"`.
    pub label: &'static str,
    /// A paraphrase of the step.
    pub text: &'static str,
}

/// The steps that ran, in order.
#[derive(Clone, Debug)]
pub struct Trace(Option<Vec<TraceEntry>>);

impl Trace {
    /// Creates a trace that records nothing.
    #[must_use]
    pub fn off() -> Self {
        Self(None)
    }

    /// Creates a trace that records every step.
    ///
    /// Each entry contains the whole state: the size of a trace is the length of the input times the number of steps.
    #[must_use]
    pub fn on() -> Self {
        Self(Some(Vec::new()))
    }

    /// Records that a program has no step, or a specification no algorithm, with this label.
    fn missing(&mut self, label: &'static str, state: String) {
        if let Some(entries) = &mut self.0 {
            entries.push(TraceEntry { label, text: MISSING_STEP, acted: false, state });
        }
    }

    /// Returns the recorded steps.
    #[must_use]
    pub fn entries(&self) -> &[TraceEntry] {
        self.0.as_deref().unwrap_or(&[])
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
