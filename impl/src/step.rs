//! A document's algorithm as a table of steps, and the loop that runs it.
//!
//! A step is the document's label, our paraphrase and a function. The trace is kept by the loop, so that no
//! step runs without leaving one.

use alloc::string::String;
use alloc::vec::Vec;

/// What the loop does after a step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Next {
    /// Goes on with the step below.
    Continue,
    /// Goes on with the step of this label, which may stand above: that is how a text says "repeat".
    SkipTo(&'static str),
    /// Ends.
    Done,
}

/// One step: label, paraphrase, action.
pub(crate) type Step<S> = (&'static str, &'static str, fn(&mut S) -> Next);

/// The steps of one algorithm, in the document's order.
pub(crate) type Program<S> = [Step<S>];

/// What a trace shows of an algorithm's state.
pub(crate) trait Show {
    /// The state as `name=value` pairs; empty when there is nothing to show yet.
    fn show(&self) -> String;
}

/// What a trace shows in place of a step that the program does not have. `tests/skips.rs` checks that no trace contains it.
pub(crate) const MISSING_STEP: &str = "internal failure: the program has no step with this label";

/// Runs `program` on `state` from its first step until one is [`Next::Done`] or the table ends.
///
/// The run also ends if a step skips to a label that `program` does not have.
pub(crate) fn run<S: Show>(program: &Program<S>, state: &mut S, trace: &mut Trace) {
    let mut at = 0;
    let mut before = if trace.0.is_some() { state.show() } else { String::new() };
    while let Some(&(label, text, act)) = program.get(at) {
        let next = act(state);
        if let Some(entries) = &mut trace.0 {
            let after = state.show();
            let acted = next != Next::Continue || after != before;
            entries.push(TraceEntry { label, text, acted, state: after.clone() });
            before = after;
        }
        match next {
            Next::Continue => at += 1,
            Next::SkipTo(label) => match program.iter().position(|step| step.0 == label) {
                Some(index) => at = index,
                None => {
                    if let Some(entries) = &mut trace.0 {
                        entries.push(TraceEntry { label, text: MISSING_STEP, acted: false, state: before });
                    }
                    break;
                }
            },
            Next::Done => break,
        }
    }
}

/// Labels and paraphrases of `program`.
pub(crate) fn texts<S>(program: &Program<S>) -> Vec<StepText> {
    program.iter().map(|&(label, text, _)| StepText { label, text }).collect()
}

/// A step as a reader sees it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct StepText {
    /// The document's own label, such as `"6c"` or `"5.2.4 2C"`.
    pub label: &'static str,
    /// What the step does, in our words.
    pub text: &'static str,
}

/// The steps that ran, in order; or nothing, when it was not asked for.
#[derive(Clone, Debug)]
pub struct Trace(Option<Vec<TraceEntry>>);

impl Trace {
    /// A trace that records nothing and costs nothing.
    #[must_use]
    pub fn off() -> Self {
        Self(None)
    }

    /// A trace that records every step. Each entry holds the whole state, so that a trace of a long input is
    /// as long as the input times the steps.
    #[must_use]
    pub fn on() -> Self {
        Self(Some(Vec::new()))
    }

    /// What was recorded.
    #[must_use]
    pub fn entries(&self) -> &[TraceEntry] {
        self.0.as_deref().unwrap_or(&[])
    }
}

/// One step that ran.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct TraceEntry {
    /// The document's label.
    pub label: &'static str,
    /// Our paraphrase.
    pub text: &'static str,
    /// Whether it did anything: changed the state, or the way through the table.
    pub acted: bool,
    /// The state after it.
    pub state: String,
}
