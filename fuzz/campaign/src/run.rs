//! `run`: a campaign over several targets.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use urlstrata_harness::plural::counted;
use urlstrata_harness::vector::Suite;
use urlstrata_properties::Target;

use super::cargo_fuzz::{CargoFuzz, files};
use super::export::Export;
use super::summary::{Summary, TargetSummary};
use super::{Failure, Folders, file, selected, write_kept_inputs};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Targets [default: all]
    #[arg(value_name = "TARGET", value_parser = Target::by_name)]
    targets: Vec<&'static Target>,
    /// How long each target runs, such as 90s or 10m
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_time)]
    time: Duration,
    #[command(flatten)]
    folders: Folders,
    /// Do not write the kept inputs, the summary and its page
    #[arg(long)]
    no_keep: bool,
}

fn parse_time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time >= Duration::from_secs(1) => Ok(time),
        Ok(_) => Err("a target needs at least a second".to_owned()),
        Err(error) => Err(format!("{error}; write it like 90s, 10m or 1h")),
    }
}

/// Runs the targets; returns whether every property holds and no target ended early.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, Failure> {
    let folders = &arguments.folders;
    let cargo_fuzz = CargoFuzz::new(&folders.folder)?;
    let mut summary = Summary::read(&folders.summary())?;
    let suite = Suite::embedded()?;
    let targets = selected(&arguments.targets).into_iter().map(|target| Export::of(target, &suite, &folders.inputs()));
    let targets = targets.collect::<Result<Vec<_>, _>>()?;
    with_spinner("building the targets", || cargo_fuzz.build())?;
    let mut success = true;
    for export in &targets {
        let name = export.target.name;
        println!("{name}: {}", export.target.statement);
        let mut result = run_target(&cargo_fuzz, export, arguments.time)?;
        let kept = with_spinner("merging the corpus", || cargo_fuzz.merge(export.target, export, &mut result))?;
        print_result(&cargo_fuzz, export.target, &result)?;
        success &= result.violations() + result.early_ends == 0;
        summary.targets.insert(name.to_owned(), result);
        // After each target, so that the results remain if the campaign is interrupted.
        if !arguments.no_keep {
            write_kept_inputs(&folders.inputs(), name, &kept)?;
            summary.write(&folders.summary())?;
            summary.write_page(&folders.page())?;
        }
    }
    println!(
        "{}: {}, {}, {}",
        counted(summary.targets.len(), "target", "targets"),
        count(summary.sum(|target| target.executions), "execution", "executions"),
        count(summary.sum(TargetSummary::violations), "violation", "violations"),
        count(summary.sum(|target| target.early_ends), "early end", "early ends"),
    );
    Ok(success)
}

fn run_target(cargo_fuzz: &CargoFuzz, export: &Export, time: Duration) -> Result<TargetSummary, Failure> {
    let bar = ProgressBar::new(time.as_secs());
    bar.set_style(ProgressStyle::with_template("  {bar:30} {elapsed} of {len}s  {msg}")?);
    let result = cargo_fuzz.run(export.target, export, time, &mut |progress| {
        bar.set_position(bar.elapsed().as_secs());
        bar.set_message(format!(
            "{}, {}, {}",
            count(progress.executions, "execution", "executions"),
            count(progress.edges, "edge", "edges"),
            count(progress.corpus, "input", "inputs")
        ));
    });
    bar.finish_and_clear();
    result
}

/// Prints the figures of a target, its classes, and every input that it found.
fn print_result(cargo_fuzz: &CargoFuzz, target: &Target, result: &TargetSummary) -> Result<(), Failure> {
    println!(
        "  {}, {}, {} in the corpus, {} of them kept",
        count(result.executions, "execution", "executions"),
        count(result.edges, "edge", "edges"),
        count(result.corpus, "input", "inputs"),
        HumanCount(result.kept)
    );
    for (class, inputs) in &result.observed.classes {
        println!("  {:>12}  {class}", HumanCount(*inputs).to_string());
    }
    let artifacts = files(&cargo_fuzz.artifacts(target))?;
    for path in &artifacts {
        print_artifact(target, result, path)?;
    }
    if !artifacts.is_empty() {
        let folder = cargo_fuzz.artifacts(target);
        println!("\n  to keep these inputs: campaign import {}/*\n", folder.display());
    }
    Ok(())
}

fn print_artifact(target: &Target, result: &TargetSummary, path: &Path) -> Result<(), Failure> {
    match target.counterexample(&file::read(path)?) {
        Some(found) => {
            let inputs = result.observed.violations.get(&found.violation.class).copied().unwrap_or_default();
            let found = found.description.replace('\n', "\n  ");
            println!("\n  {}\n  {}: {found}", path.display(), count(inputs, "input", "inputs"));
        }
        None => println!(
            "\n  {}\n  the property holds: the input took too much time or memory, or the defect is fixed",
            path.display()
        ),
    }
    Ok(())
}

fn count(number: u64, one: &str, many: &str) -> String {
    counted(HumanCount(number), one, many)
}

/// Shows on a terminal that `work` takes time.
fn with_spinner<T>(message: &'static str, work: impl FnOnce() -> T) -> T {
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(200));
    let result = work();
    spinner.finish_and_clear();
    result
}
