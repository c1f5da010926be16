//! `fuzz`: a campaign over the targets, in turn.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use urlstrata_harness::files::write_whole;
use urlstrata_harness::fuzz::campaign::{Campaign, Progress, Ran, Workshop};
use urlstrata_harness::fuzz::{Export, TARGETS, Target, inputs};
use urlstrata_harness::plural::counted;
use urlstrata_harness::report;
use urlstrata_harness::vector::Suite;

use super::super::output::unwritable;
use super::super::{Ended, Failure, Finding, working};

#[derive(Args)]
pub(in super::super) struct Arguments {
    /// The targets; without any, all of them
    #[arg(value_parser = super::a_target)]
    targets: Vec<&'static Target>,
    /// How long each of them is run, such as 90s or 10m
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = a_time)]
    time: Duration,
    /// The folder of the fuzz targets
    #[arg(long, value_name = "FOLDER", default_value = "fuzz")]
    folder: PathBuf,
    /// The folder of the reports, for the summary
    #[arg(long, value_name = "FOLDER", default_value = "reports")]
    reports: PathBuf,
    /// Leave the summary and the kept inputs as they are
    #[arg(long)]
    no_keep: bool,
}

fn a_time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| format!("{error}: write it as 90s, 10m or 1h"))?;
    if time < Duration::from_secs(1) {
        Err("no target does anything in less than a second".to_owned())
    } else {
        Ok(time)
    }
}

pub(super) fn campaign(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let workshop = Workshop::new(&arguments.folder).map_err(Failure::Usage)?;
    let mut summary = Campaign::read(&workshop.summary()).map_err(Failure::Input)?;
    let suite = Suite::embedded()?;
    let building = working("building the targets");
    workshop.build().map_err(Failure::Usage)?;
    building.finish_and_clear();
    let all: Vec<_> = TARGETS.iter().collect();
    let targets = if arguments.targets.is_empty() { all } else { arguments.targets.clone() };
    let mut broken = 0;
    for target in targets {
        writeln!(out, "{}: {}", target.name, target.states)?;
        let ran = run(&workshop, target, &suite, arguments, out)?;
        broken += ran.broken() + ran.ended;
        summary.targets.insert(target.name.to_owned(), ran);
        // After each target, so that a campaign that is ended early leaves what it came to.
        if !arguments.no_keep {
            keep(&workshop, &summary, &arguments.reports)?;
        }
        out.flush()?;
    }
    let sum = |of: fn(&Ran) -> u64, one: &str, many: &str| {
        counted(HumanCount(summary.targets.values().map(of).sum()), one, many)
    };
    writeln!(
        out,
        "{}, {}, {}, {}, {} that ended early",
        counted(summary.targets.len(), "target", "targets"),
        sum(|ran| ran.executions, "execution", "executions"),
        sum(|ran| ran.edges, "edge", "edges"),
        sum(Ran::broken, "fault", "faults"),
        sum(|ran| ran.ended, "process", "processes")
    )?;
    Ok(if broken == 0 { Finding::AsExpected } else { Finding::NewDivergence })
}

fn run(
    workshop: &Workshop,
    target: &'static Target,
    suite: &Suite,
    arguments: &Arguments,
    out: &mut dyn Write,
) -> Result<Ran, Failure> {
    let path = workshop.kept(target);
    let export = Export::of(target, suite, &super::kept_inputs(&path)?);
    workshop.begin_with(target, &export).map_err(Failure::Usage)?;
    let style = ProgressStyle::with_template("  {bar:30} {elapsed} of {len}s  {msg}");
    let bar = ProgressBar::new(arguments.time.as_secs());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut ran = workshop
        .hunt(target, &export, arguments.time, &mut |progress: Progress| {
            bar.set_position(bar.elapsed().as_secs());
            bar.set_message(format!(
                "{}, {}, {}",
                counted(HumanCount(progress.executions), "execution", "executions"),
                counted(HumanCount(progress.edges), "edge", "edges"),
                counted(HumanCount(progress.corpus), "input", "inputs")
            ));
        })
        .map_err(Failure::Usage)?;
    bar.finish_and_clear();
    let merging = working(format!("merging the inputs of {}", target.name));
    let kept = workshop.merge(target, &export, &mut ran).map_err(Failure::Usage)?;
    merging.finish_and_clear();
    if !arguments.no_keep {
        let text = inputs::write(&kept);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(|error| unwritable(&path, &error))?;
        write_whole(&path, &text).map_err(|error| unwritable(&path, &error))?;
    }
    write_ran(workshop, target, &ran, out)?;
    Ok(ran)
}

/// The totals of a target, each class it saw, and each finding with what is to be seen of it.
fn write_ran(workshop: &Workshop, target: &Target, ran: &Ran, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(
        out,
        "  {}, {}, {}, {} of them kept",
        counted(HumanCount(ran.executions), "execution", "executions"),
        counted(HumanCount(ran.edges), "edge", "edges"),
        counted(HumanCount(ran.corpus), "input", "inputs"),
        HumanCount(ran.kept)
    )?;
    for (class, count) in &ran.seen {
        writeln!(out, "  {:>12}  {class}", HumanCount(*count).to_string())?;
    }
    let (found, others) = workshop.findings(target).map_err(Failure::Input)?;
    for finding in &found {
        let count = ran.faults.get(&finding.fault.class).copied().unwrap_or_default();
        writeln!(out, "\n  found {}: {}", counted(count, "time", "times"), finding.shown.replace('\n', "\n  "))?;
    }
    for path in &others {
        writeln!(out, "\n  the law holds of {}: it took too long, too much memory, or is mended", path.display())?;
    }
    if !found.is_empty() {
        let folder = workshop.artifacts(target);
        writeln!(out, "\n  to keep these: urlstrata vectors import-fuzz {}/finding-*\n", folder.display())?;
    }
    Ok(())
}

/// Writes the summary, as data and as a page.
fn keep(workshop: &Workshop, summary: &Campaign, reports: &Path) -> Result<(), Failure> {
    let (data, page) = (workshop.summary(), reports.join(report::CAMPAIGN));
    write_whole(&data, &summary.written()).map_err(|error| unwritable(&data, &error))?;
    let text = report::campaign(summary).map_err(Failure::Input)?;
    fs::create_dir_all(reports).and_then(|()| write_whole(&page, &text)).map_err(|error| unwritable(&page, &error))
}
