//! Tables of steps as they are shown.

use serde::Serialize;
use urlstrata::revision::whatwg::{ChangeSet, Implementation, OwnStep};
use urlstrata_steps::{Change, Question, Step, Table};

use super::dated::alters_results;

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
    /// What the engine does otherwise than the newest URL Standard; missing if it does not run the Standard's steps.
    pub standard: Option<ShownStandard>,
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

/// What an implementation of the URL Standard does otherwise than its newest text.
#[derive(Debug, Serialize)]
pub struct ShownStandard {
    /// Its own steps: those of the version, or those of the first and of the newest one.
    pub own: Vec<ShownOwnStep>,
    /// The changes of the Standard that the version, or the newest one, has not adopted, without those that alter no result.
    pub missing: Vec<ShownMissing>,
}

/// A change of the URL Standard that an engine has not adopted.
#[derive(Debug, Serialize)]
pub struct ShownMissing {
    /// The short hash of the commit.
    pub commit: &'static str,
    /// The day on which it landed.
    pub date: &'static str,
    /// What the Standard describes since then.
    pub text: &'static str,
}

/// A step that an engine does instead of one of the URL Standard.
#[derive(Debug, Serialize)]
pub struct ShownOwnStep {
    /// The label of the Standard's step.
    pub instead_of: &'static str,
    /// The function of the source and the point in it.
    pub label: &'static str,
    /// What the step does.
    pub text: &'static str,
}

/// A change of a library.
#[derive(Debug, Serialize)]
pub struct ShownChange {
    /// The parser whose versions and changes these are, if it is another one that the engine contains.
    pub parser: Option<&'static str>,
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
    /// Returns a change of an engine, or of a parser that it contains, as it is shown.
    pub fn of(table: &'static Table, change: &'static Change) -> Self {
        let witness = change.witness.as_ref().map(|it| (it.base, it.reference, it.before, it.after));
        let Change { id, versions, date, issue, says: text, .. } = *change;
        let contained = table.contained();
        let parser = contained.iter().find(|it| change.is_among(it.changes)).map(|it| it.engine);
        Self { parser, id, versions, date, issue, text, witness }
    }
}

/// Returns what an implementation of the URL Standard does otherwise than its newest text.
fn shown_standard(implementations: &[Implementation]) -> Option<ShownStandard> {
    let newest = implementations.last()?;
    let mut own: Vec<&'static OwnStep> = Vec::new();
    for step in implementations.iter().flat_map(|it| &it.own) {
        if !own.iter().any(|it| std::ptr::eq(*it, *step)) {
            own.push(step);
        }
    }
    let own = own.iter().map(|it| ShownOwnStep { instead_of: it.instead_of, label: it.label, text: it.text });
    let missing = ChangeSet::ALL.difference(newest.landed).filter(|change| alters_results(change));
    let missing = missing.map(|it| ShownMissing { commit: it.commit, date: it.date, text: it.sentence });
    Some(ShownStandard { own: own.collect(), missing: missing.collect() })
}

/// Returns what the described build of a version has that its number does not say; `None` if its changes are those of the number.
pub fn build(table: &Table, version: &str) -> Option<String> {
    let dated = table.dated.iter().find(|it| it.version == version)?;
    let (name, changes) = (table.engine, dated.changes.join(", "));
    Some(format!("{name} {version} is not what its number says: the described build also has {changes}"))
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
            Question::Connect => "connect",
            Question::Follow => "follow",
        },
        steps: table.rows(steps).filter(is_shown).map(ShownStep::of).collect(),
    };
    let all = || table.contained().into_iter().chain([table]).flat_map(|it| it.changes).copied();
    let implementations: Vec<Implementation> = table.standard.map_or_else(Vec::new, |standard| match &landed {
        Some(landed) => vec![standard(landed)],
        None => vec![standard(&table.changes_of(table.first)), standard(&all().collect::<Vec<_>>())],
    });
    Shown {
        engine: table.engine,
        version: version.map(str::to_owned),
        first: table.first,
        questions: table.questions.iter().map(question).collect(),
        standard: shown_standard(&implementations),
        changes: all().filter(|change| has(change)).map(|change| ShownChange::of(table, change)).collect(),
    }
}

impl ShownStep {
    fn of(step: &'static Step) -> Self {
        let id = |change: &'static Change| change.id;
        Self { label: step.label, text: step.says, since: step.since.map(id), until: step.until.map(id) }
    }
}
