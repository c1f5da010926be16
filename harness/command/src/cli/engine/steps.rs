//! `engine steps`: what an engine does, step by step, and the changes between its versions.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use urlstrata_engines::{table, tables};
use urlstrata_harness::escape::visible;
use urlstrata_harness::knowledge::step_table::{
    Shown, ShownChange, ShownQuestion, ShownStandard, ShownStep, build, shown,
};
use urlstrata_harness::plural::counted;
use urlstrata_harness::world::World;
use urlstrata_steps::{Change, Table, compare_versions};

use super::compare_steps;
use crate::cli::output::write_json;
use crate::cli::{Ended, Failure, Finding, Format};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Engine: NAME, or NAME@VERSION for the steps of one version; default: list the engines that have steps
    name: Option<String>,
    /// Compare the steps with what the engine does, and show the smallest pair or URL on which they differ; with a name, with another engine,
    /// such as live:NAME or `cmd:` and a command
    #[arg(long, value_name = "ENGINE", num_args = 0..=1, default_missing_value = "", requires = "name")]
    check: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "text", conflicts_with = "check")]
    format: Format,
}

/// Writes the steps of an engine, or the engines that have steps.
///
/// # Errors
///
/// Returns an error if the engine has no steps, if they do not describe the version, or if the engine cannot be asked for --check.
pub(super) fn steps(arguments: &Arguments, world: &World, out: &mut dyn Write) -> Ended {
    let Arguments { name, check: against, format } = arguments;
    let Some(name) = name else {
        list(*format, out)?;
        return Ok(Finding::AsExpected);
    };
    let asked = world.unaliased(name)?.unwrap_or_else(|| name.clone());
    let (name, version) = asked.split_once('@').map_or((asked.as_str(), None), |(name, version)| (name, Some(version)));
    let Some(table) = table(name) else {
        let is_engine = world.folders()?.named(name).is_some();
        let remedy = "`urlstrata engine steps` lists the engines that have one";
        return Err(Failure::Usage(match is_engine {
            true => format!("{name:?} has no table of steps: {remedy}"),
            false => world.unknown(name)?,
        }));
    };
    if let Some(version) = version
        && compare_versions(version, table.first).is_lt()
    {
        let first = table.first;
        return Err(Failure::Usage(format!(
            "the steps of {name} are those of {first} and later versions, not of {version}"
        )));
    }
    if let Some(against) = against {
        let against = if against.is_empty() { &asked } else { against };
        return compare_steps::compare_steps(&asked, against, world, out);
    }
    let shown = shown(table, version);
    match format {
        Format::Json => write_json(&shown, out)?,
        Format::Text => write(&shown, out)?,
    }
    Ok(Finding::AsExpected)
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
    if let Some(standard) = &shown.standard {
        write_standard(standard, out)?;
    }
    if !shown.changes.is_empty() {
        writeln!(out, "Changes, with the first version on each branch:\n")?;
    }
    shown.changes.iter().try_for_each(|change| write_change(change, out))
}

/// Writes what an implementation of the URL Standard does otherwise than its newest text.
fn write_standard(standard: &ShownStandard, out: &mut dyn Write) -> io::Result<()> {
    if !standard.own.is_empty() {
        writeln!(out, "Instead of steps of the URL Standard:\n")?;
        let width = standard.own.iter().map(|step| step.instead_of.len()).max().unwrap_or_default();
        for step in &standard.own {
            writeln!(out, "  {:<width$}  {}: {}", step.instead_of, step.label, step.text)?;
        }
        writeln!(out)?;
    }
    if !standard.missing.is_empty() {
        writeln!(out, "Changes of the URL Standard that are not adopted:\n")?;
        for change in &standard.missing {
            writeln!(out, "  {}  {}: {}", change.date, change.commit, change.text)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn list(format: Format, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Listed {
        engine: &'static str,
        first: &'static str,
        /// Whether the engine runs the steps of the URL Standard, and `steps` counts those that it does otherwise.
        standard: bool,
        steps: usize,
        changes: usize,
        questions: usize,
    }
    let one = |table: &&'static Table| {
        let rows = table.questions.iter().map(|(_, steps)| table.rows(steps).count()).max().unwrap_or_default();
        let own = table.standard.map(|standard| standard(&table.changes_of(table.first)).own.len());
        let contained: usize = table.contained().iter().map(|it| it.changes.len()).sum();
        Listed {
            engine: table.engine,
            first: table.first,
            standard: own.is_some(),
            steps: own.unwrap_or(rows),
            changes: table.changes.len() + contained,
            questions: table.questions.len(),
        }
    };
    let listed: Vec<_> = tables().iter().map(one).collect();
    if format == Format::Json {
        return write_json(&listed, out);
    }
    let width = listed.iter().map(|it| it.engine.len()).max().unwrap_or_default();
    for Listed { engine, first, standard, steps, changes, .. } in listed {
        let steps = match standard {
            true => format!("the steps of the URL Standard, {steps} of them otherwise"),
            false => counted(steps, "step", "steps"),
        };
        writeln!(out, "{engine:<width$}  {first} and later: {steps}, {}", counted(changes, "change", "changes"))?;
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
    for note in [older, newer].iter().filter_map(|version| build(table, version)) {
        writeln!(out, "{note}.\n")?;
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
            write_change(&ShownChange::of(table, change), out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes a change, with its witness on a line of its own.
fn write_change(change: &ShownChange, out: &mut dyn Write) -> io::Result<()> {
    let issue = if change.issue.is_empty() { String::new() } else { format!("  {}", change.issue) };
    let parser = change.parser.map(|name| format!("{name} ")).unwrap_or_default();
    let versions = change.versions.join(", ");
    writeln!(out, "  {}  {parser}{versions}  {}: {}{issue}", change.date, change.id, change.text)?;
    let Some((base, reference, before, after)) = change.witness else { return Ok(()) };
    let [before, after] = [before, after].map(|it| it.map_or_else(|| "rejected".to_owned(), visible));
    let base = if base.is_empty() { String::new() } else { format!(" on \"{}\"", visible(base)) };
    writeln!(out, "      \"{}\"{base}: {before} → {after}", visible(reference))
}
