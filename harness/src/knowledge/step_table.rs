//! Tables of steps as they are shown.

use serde::Serialize;
use urlstrata_steps::{Change, Question, Step, Table};

/// A table of steps.
#[derive(Debug, Serialize)]
pub struct Shown {
    /// The name of the engine.
    pub engine: &'static str,
    /// The version whose steps are shown; missing for all versions.
    pub version: Option<String>,
    /// The first version that the table describes.
    pub first: &'static str,
    /// The questions that the table answers.
    pub questions: Vec<ShownQuestion>,
    /// The changes that are in the steps.
    pub changes: Vec<ShownChange>,
}

/// The steps of a question.
#[derive(Debug, Serialize)]
pub struct ShownQuestion {
    /// `resolve` or `parse`.
    pub question: &'static str,
    /// The steps, those that others call first.
    pub steps: Vec<ShownStep>,
}

/// A step.
#[derive(Debug, Serialize)]
pub struct ShownStep {
    /// The function of the source and the point in it.
    pub label: &'static str,
    /// What the step does.
    pub text: &'static str,
    /// The id of the change with which the step came; missing if it was always there.
    pub since: Option<&'static str>,
    /// The id of the change with which the step went.
    pub until: Option<&'static str>,
}

/// A change of a library.
#[derive(Debug, Serialize)]
pub struct ShownChange {
    /// The name of the change: that of the issue, or the version.
    pub id: &'static str,
    /// The first version on each branch.
    pub versions: &'static [&'static str],
    /// The date of the first release with the change; empty if it is not known.
    pub date: &'static str,
    /// The address of the issue; empty if none is known.
    pub issue: &'static str,
    /// What changed.
    pub text: &'static str,
    /// Base, reference, and the results before and after; a missing result is a rejection.
    pub witness: Option<(&'static str, &'static str, Option<&'static str>, Option<&'static str>)>,
}

impl ShownChange {
    /// Returns a change as it is shown.
    pub fn of(change: &'static Change) -> Self {
        let witness = change.witness.as_ref().map(|it| (it.base, it.reference, it.before, it.after));
        let Change { id, versions, date, issue, says: text, .. } = *change;
        Self { id, versions, date, issue, text, witness }
    }
}

/// Returns the steps of a table: those of `version`, or all of them.
pub fn shown(table: &'static Table, version: Option<&str>) -> Shown {
    let landed = version.map(|version| table.changes_of(version));
    let has =
        |change: &Change| landed.as_ref().is_none_or(|landed| landed.iter().any(|own| std::ptr::eq(*own, change)));
    let is_shown =
        |step: &&Step| step.since.is_none_or(&has) && step.until.is_none_or(|change| landed.is_none() || !has(change));
    let question = |&(question, steps): &(Question, &'static [Step])| ShownQuestion {
        question: match question {
            Question::Resolve => "resolve",
            Question::Parse => "parse",
        },
        steps: table.rows(steps).filter(is_shown).map(ShownStep::of).collect(),
    };
    Shown {
        engine: table.engine,
        version: version.map(str::to_owned),
        first: table.first,
        questions: table.questions.iter().map(question).collect(),
        changes: table.changes.iter().copied().filter(|change| has(change)).map(ShownChange::of).collect(),
    }
}

impl ShownStep {
    fn of(step: &'static Step) -> Self {
        let id = |change: &'static Change| change.id;
        Self { label: step.label, text: step.says, since: step.since.map(id), until: step.until.map(id) }
    }
}
