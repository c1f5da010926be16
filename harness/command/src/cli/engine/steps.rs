//! `engine steps`: what an engine does, step by step, and the changes between its versions.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use urlstrata_engines::{table, tables};
use urlstrata_harness::escape::visible;
use urlstrata_harness::plural::counted;
use urlstrata_steps::{Change, Question, Step, Table, compare_versions};

use crate::cli::output::write_json;
use crate::cli::{Ended, Failure, Finding, Format};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Engine: NAME, or NAME@VERSION for the steps of one version; default: list the engines that have steps
    name: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A table of steps as it is written.
#[derive(Serialize)]
struct Shown {
    engine: &'static str,
    /// The version whose steps are shown; missing for all versions.
    version: Option<String>,
    /// The first version that the table describes.
    first: &'static str,
    questions: Vec<ShownQuestion>,
    changes: Vec<ShownChange>,
}

#[derive(Serialize)]
struct ShownQuestion {
    /// `resolve` or `parse`.
    question: &'static str,
    steps: Vec<ShownStep>,
}

#[derive(Serialize)]
struct ShownStep {
    /// The function of the source and the point in it.
    label: &'static str,
    /// What the step does.
    text: &'static str,
    /// The id of the change with which the step came; missing if it was always there.
    since: Option<&'static str>,
    /// The id of the change with which the step went.
    until: Option<&'static str>,
}

/// A change of a library.
#[derive(Serialize)]
pub(super) struct ShownChange {
    id: &'static str,
    /// The first version on each branch.
    versions: &'static [&'static str],
    date: &'static str,
    issue: &'static str,
    text: &'static str,
    /// Base, reference, and the results before and after; a missing result is a rejection.
    witness: Option<(&'static str, &'static str, Option<&'static str>, Option<&'static str>)>,
}

impl ShownChange {
    pub(super) fn of(change: &'static Change) -> Self {
        let witness = change.witness.as_ref().map(|it| (it.base, it.reference, it.before, it.after));
        let Change { id, versions, date, issue, says: text, .. } = *change;
        Self { id, versions, date, issue, text, witness }
    }

    /// Writes the change, with its witness on a line of its own.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let issue = if self.issue.is_empty() { String::new() } else { format!("  {}", self.issue) };
        writeln!(out, "  {}  {}  {}: {}{issue}", self.date, self.versions.join(", "), self.id, self.text)?;
        let Some((base, reference, before, after)) = self.witness else { return Ok(()) };
        let [before, after] = [before, after].map(|it| it.map_or_else(|| "rejected".to_owned(), visible));
        let base = if base.is_empty() { String::new() } else { format!(" on \"{}\"", visible(base)) };
        writeln!(out, "      \"{}\"{base}: {before} → {after}", visible(reference))
    }
}

/// Writes the steps of an engine, or the engines that have steps.
///
/// # Errors
///
/// Returns an error if the engine has no steps, or if they do not describe the version.
pub(super) fn steps(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let Arguments { name, format } = arguments;
    let Some(name) = name else {
        list(*format, out)?;
        return Ok(Finding::AsExpected);
    };
    let (name, version) = name.split_once('@').map_or((name.as_str(), None), |(name, version)| (name, Some(version)));
    let Some(table) = table(name) else {
        let names: Vec<_> = tables().iter().map(|table| table.engine).collect();
        return Err(Failure::Usage(format!("{name:?} has no table of steps: there are {}", names.join(", "))));
    };
    if let Some(version) = version
        && compare_versions(version, table.first).is_lt()
    {
        let first = table.first;
        return Err(Failure::Usage(format!(
            "the steps of {name} are those of {first} and later versions, not of {version}"
        )));
    }
    let shown = shown(table, version);
    match format {
        Format::Json => write_json(&shown, out)?,
        Format::Text => write(&shown, out)?,
    }
    Ok(Finding::AsExpected)
}

fn shown(table: &'static Table, version: Option<&str>) -> Shown {
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

fn write(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let whose = shown.version.as_ref().map_or_else(
        || format!("{}, {} and later", shown.engine, shown.first),
        |version| format!("{} {version}", shown.engine),
    );
    for ShownQuestion { question, steps } in &shown.questions {
        writeln!(out, "{whose}: {question}\n")?;
        let width = steps.iter().map(|step| step.label.chars().count()).max().unwrap_or_default().min(48);
        for ShownStep { label, text, since, until } in steps {
            let since = since.map(|id| format!("since {id}"));
            let until = until.map(|id| format!("until {id}"));
            let when: Vec<_> = since.into_iter().chain(until).collect();
            let when = if when.is_empty() { String::new() } else { format!(" ({})", when.join(", ")) };
            writeln!(out, "  {label:<width$}  {text}{when}")?;
        }
        writeln!(out)?;
    }
    if !shown.changes.is_empty() {
        writeln!(out, "Changes, with the first version on each branch:\n")?;
    }
    shown.changes.iter().try_for_each(|change| change.write(out))
}

fn list(format: Format, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Listed {
        engine: &'static str,
        first: &'static str,
        steps: usize,
        changes: usize,
        questions: usize,
    }
    let one = |table: &&'static Table| {
        let steps = table.questions.iter().map(|(_, steps)| table.rows(steps).count()).max().unwrap_or_default();
        let (changes, questions) = (table.changes.len(), table.questions.len());
        Listed { engine: table.engine, first: table.first, steps, changes, questions }
    };
    let listed: Vec<_> = tables().iter().map(one).collect();
    if format == Format::Json {
        return write_json(&listed, out);
    }
    let width = listed.iter().map(|it| it.engine.len()).max().unwrap_or_default();
    for Listed { engine, first, steps, changes, .. } in listed {
        let (steps, changes) = (counted(steps, "step", "steps"), counted(changes, "change", "changes"));
        writeln!(out, "{engine:<width$}  {first} and later: {steps}, {changes}")?;
    }
    Ok(())
}

/// Writes the changes of an engine from one version to another, if both are described by its steps.
pub(super) fn write_changes(one: &str, other: &str, out: &mut dyn Write) -> io::Result<()> {
    let (Some((name, older)), Some((other, newer))) = (one.split_once('@'), other.split_once('@')) else {
        return Ok(());
    };
    let Some(table) = table(name).filter(|_| name == other) else { return Ok(()) };
    if [older, newer].iter().any(|version| compare_versions(version, table.first).is_lt()) {
        return Ok(());
    }
    let [older_changes, newer_changes] = [older, newer].map(|version| table.changes_of(version));
    let missing = |all: &[&'static Change], from: &[&'static Change]| -> Vec<&'static Change> {
        all.iter().copied().filter(|change| !from.iter().any(|own| std::ptr::eq(*own, *change))).collect()
    };
    for (version, changes) in
        [(newer, missing(&newer_changes, &older_changes)), (older, missing(&older_changes, &newer_changes))]
    {
        if changes.is_empty() {
            continue;
        }
        writeln!(out, "{name} {version} has, and the other one does not:\n")?;
        for change in changes {
            ShownChange::of(change).write(out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
