//! `known`: checks and updates the known deviations of engines.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;
use urlstrata_harness::engine::Engine;
use urlstrata_harness::engine::folder::BEHAVIOUR;
use urlstrata_harness::files::write_whole;
use urlstrata_harness::knowledge::attribute::Model;
use urlstrata_harness::knowledge::behaviours::{Fitted, RecordedBehaviour};
use urlstrata_harness::knowledge::known::{self, Beyond, Checked, KnownEngine, KnownEngines};
use urlstrata_harness::knowledge::measure::{Measured, RANDOM, kinds};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::plural::counted;
use urlstrata_harness::world::World;
use urlstrata_harness::yaml::YamlFile;

use super::checks::{Check, CheckFormat, Checks, Issue, Place, Severity, Verdict};
use super::output::{unwritable, write_json};
use super::progress::{Counted, Progress};
use super::select::engines_or;
use super::{Ended, Failure, Finding};

/// The folder of known deviations in the repository.
const KNOWN: &str = "vectors/known";

#[derive(Subcommand)]
pub(super) enum KnownCommand {
    /// Compare known deviations with what engines do now; new, fixed, changed and unused entries are findings
    Check {
        /// Engines to check; default: the crates in this process that have known deviations
        engines: Vec<String>,
        /// Number of random pairs on which to measure frequencies, to compare them with the listed ones; at most 100,000
        #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(..=known::MOST_RANDOM))]
        random: u64,
        /// Output format
        #[arg(long, value_enum, default_value = "text")]
        format: CheckFormat,
    },
    /// Write the known deviations of engines for review, with the behaviour of an engine that is not in this process;
    /// existing reasons are kept, new entries get a default reason
    Update {
        /// Engines to fit; default: the crates in this process
        engines: Vec<String>,
        /// Folder for the files of known deviations
        #[arg(long, value_name = "FOLDER", default_value = KNOWN)]
        out: PathBuf,
    },
}

pub(super) fn known(command: &KnownCommand, folder: Option<&Path>, world: &World, out: &mut dyn Write) -> Ended {
    match command {
        KnownCommand::Check { engines, random, format } => check(engines, folder, *random, *format, world, out),
        KnownCommand::Update { engines, out: folder } => update(engines, folder, world, out),
    }
}

/// Returns the engines called `names`, or the crates in this process if `names` is empty.
fn foreign(world: &World, names: &[String]) -> Result<Vec<Box<dyn Engine>>, Failure> {
    engines_or(world, names, |engine| engine.revision().is_none())
}

/// Returns `engines` if each has its own file of known deviations. A file is named after the engine, and a program
/// reports its own name, so two programs may have the same file.
///
/// # Errors
///
/// Returns [`Failure::Usage`] if two engines have the same file.
fn distinct(engines: Vec<Box<dyn Engine>>) -> Result<Vec<Box<dyn Engine>>, Failure> {
    for (index, engine) in engines.iter().enumerate() {
        let file = known::file_name(engine.name());
        if let Some(other) = engines[..index].iter().find(|other| known::file_name(other.name()) == file) {
            let [one, other] = [engine.key(), other.key()];
            let sentence = format!("{other} and {one} have the same file, {}: name one of them", file.display());
            return Err(Failure::Usage(sentence));
        }
    }
    Ok(engines)
}

#[derive(Serialize)]
struct CheckedEngine {
    engine: String,
    /// The argument that selects the engine on the command line.
    #[serde(skip)]
    key: String,
    #[serde(flatten)]
    checked: Checked,
}

fn check(
    names: &[String],
    folder: Option<&Path>,
    random: u64,
    format: CheckFormat,
    world: &World,
    out: &mut dyn Write,
) -> Ended {
    let (suite, panel) = (world.suite()?, &world.folders()?.panel);
    let beyond = Beyond { panel, random };
    // With `--known FOLDER`, engines whose known deviations are only built in are not checked.
    let known_there = folder.map(KnownEngines::read).transpose()?;
    let known_engines = known_there.as_ref().unwrap_or(&world.known);
    let mut all = Vec::new();
    let mut checks = Checks::new("known check");
    for engine in distinct(foreign(world, names)?)? {
        let Some(known) = known_engines.of(engine.name()) else {
            if names.is_empty() {
                continue;
            }
            let sentence = "nothing is known of it: run `urlstrata known update` with its name";
            return Err(Failure::Input(format!("{}: {sentence}", engine.name())));
        };
        let progress = Progress::new(&format!("checking {}", engine.name()), "questions", None);
        let counted = Counted { engine: engine.as_ref(), progress: &progress };
        let model = world.model_of(engine.as_ref());
        let checked = known.check(&counted, &model, suite, Some(beyond)).map_err(Failure::Input)?;
        let entries = known.deviations.iter().map(|it| &it.id).chain(known.exceptions.iter().map(|it| &it.id));
        let entries: Vec<_> = entries.map(String::as_str).collect();
        add_checks(&mut checks, engine.name(), folder, &entries, &checked.findings);
        all.push(CheckedEngine { engine: engine.name().to_owned(), key: engine.key().to_owned(), checked });
    }
    match format {
        CheckFormat::Json => write_json(&all, out)?,
        CheckFormat::Junit => checks.write_junit(out)?,
        CheckFormat::Text => {
            for CheckedEngine { engine, checked, .. } in &all {
                checked.findings.iter().try_for_each(|finding| writeln!(out, "{engine}: {finding}"))?;
                let found = counted(checked.findings.len(), "finding", "findings");
                let Checked { cases, differing, random, .. } = checked;
                writeln!(
                    out,
                    "{engine}: {cases} pairs of the fixed suites, {differing} of them differ; {random} random pairs; {found}"
                )?;
            }
        }
    }
    let stale: Vec<_> = all.iter().filter(|it| !it.checked.findings.is_empty()).map(|it| it.key.as_str()).collect();
    if !stale.is_empty() && format == CheckFormat::Text {
        let names: Vec<_> = stale.iter().filter_map(|key| shlex::try_quote(key).ok()).collect();
        let to = folder.map_or_else(String::new, |folder| format!(" --out {}", folder.display()));
        writeln!(out, "To accept what was found: urlstrata known update{to} {}", names.join(" "))?;
    }
    checks.report_to_github();
    let findings = || all.iter().flat_map(|it| &it.checked.findings);
    Ok(match findings().next() {
        None => Finding::AsExpected,
        Some(_) if findings().any(known::Finding::is_new) => Finding::NewDivergence,
        Some(_) => Finding::Stale,
    })
}

/// Adds a check for each of `entries`, the ids of the known deviations of `engine`, and for each finding that is not about an
/// entry. `folder` contains the files of known deviations; by default, it is that of the repository.
pub(super) fn add_checks(
    checks: &mut Checks,
    engine: &str,
    folder: Option<&Path>,
    entries: &[&str],
    findings: &[known::Finding],
) {
    let path = folder.unwrap_or(Path::new(KNOWN)).join(known::file_name(engine));
    // In another folder than the repository, the built-in files are not files.
    let file = if findings.is_empty() { None } else { YamlFile::open(&path).ok() };
    for id in entries.iter().filter(|id| findings.iter().all(|finding| finding.id() != **id)) {
        checks.add(engine, Check::new("known deviations", *id, Verdict::Passed));
    }
    for finding in findings {
        let line = file.as_ref().and_then(|file| line_of(file, finding.id()));
        let issue = Issue {
            severity: if finding.is_new() { Severity::Error } else { Severity::Warning },
            rule: finding.kind().to_owned(),
            explanation: "The engine does not do what its file of known deviations states.".to_owned(),
            message: format!("{engine}: {finding}"),
            details: "To accept what was found, run `urlstrata known update` with the name of the engine.\n".to_owned(),
            place: Some(Place::new(&path, line)),
        };
        checks.add(engine, Check::new("known deviations", finding.id(), Verdict::Found(issue)));
    }
}

/// Returns the line of the entry `id`, or of the version.
fn line_of(file: &YamlFile, id: &str) -> Option<usize> {
    let known = KnownEngine::parse(file).ok()?;
    let deviation = known.deviations.iter().position(|it| it.id == id).map(|index| ("deviations", index));
    let exception = || known.exceptions.iter().position(|it| it.id == id).map(|index| ("exceptions", index));
    match deviation.or_else(exception) {
        Some((key, index)) => file.line(&[key.into(), index.into()]),
        None if id == "version" => file.line(&[id.into()]),
        None => None,
    }
}

fn update(names: &[String], folder: &Path, world: &World, out: &mut dyn Write) -> Ended {
    let (suite, panel) = (world.suite()?, &world.folders()?.panel);
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    for engine in distinct(foreign(world, names)?)? {
        let path = folder.join(known::file_name(engine.name()));
        let old = if path.exists() { Some(own_file(&path, engine.name())?) } else { None };
        let progress = Progress::new(&format!("observing {}", engine.name()), "questions", None);
        let asked = Counted { engine: engine.as_ref(), progress: &progress };
        let (model, nearest) = model(&asked, engine.as_ref(), &path, world)?;
        let known = KnownEngine::observe(&asked, &model, nearest, (suite, panel), old.as_ref());
        drop(progress);
        write_whole(&path, &known.canonical()).map_err(|error| unwritable(&path, &error))?;
        let changed = if old.as_ref() == Some(&known) { "unchanged" } else { "written, please review" };
        writeln!(
            out,
            "{}: {} from {}, {}: {changed}",
            path.display(),
            counted(known.deviations.len(), "difference", "differences"),
            known.nearest,
            counted(known.exceptions.len(), "class of exceptions", "classes of exceptions"),
        )?;
    }
    Ok(Finding::AsExpected)
}

/// Reads the known deviations at `path`, which have to be those of the engine called `name`.
fn own_file(path: &Path, name: &str) -> Result<KnownEngine, Failure> {
    let read = KnownEngine::read(path)?;
    match read.engine == name {
        true => Ok(read),
        false => Err(Failure::Input(format!(
            "{}: the file of the engine {:?}, but {name:?} would have the same name: write it to another folder",
            path.display(),
            read.engine
        ))),
    }
}

/// Returns what is known of `engine`, whose known deviations `path` contains, and the nearest specification.
///
/// A later check reads the same: the behaviour that the source of the engine states, or the file with a behaviour that is
/// written next to `path`. The behaviour of a recorded engine is the recorded one; another engine is fitted by `asked`.
fn model(
    asked: &dyn Engine,
    engine: &dyn Engine,
    path: &Path,
    world: &World,
) -> Result<(Model, Specification), Failure> {
    let panel = &world.folders()?.panel;
    let path = path.with_extension(&BEHAVIOUR[1..]);
    let stated = world.stated_behaviour(engine);
    let recorded = engine.panel().and_then(|_| world.recorded_behaviour(engine.key()));
    let behaviour = match (stated, recorded) {
        // A check reads a behaviour that `profile` wrote instead of the stated one.
        (Some(_), _) if path.exists() => RecordedBehaviour::open(&path)?,
        (Some(stated), _) => {
            let nearest = Specification::nearest(&stated, panel.pairs().into_iter());
            return Ok((Model { behaviour: Some(stated), ..Model::default() }, nearest));
        }
        (None, Some(recorded)) => RecordedBehaviour::clone(&recorded),
        (None, None) => {
            // A second process shows whether the engine depends on earlier questions.
            let again = super::select::an_untried_engine(world, engine.key())?.engine;
            let fitted = Fitted::of(asked, again.as_ref(), panel, &world.library()?).map_err(Failure::Engine)?;
            let measured = Measured::of(&fitted.behaviour, asked, &kinds(panel, RANDOM));
            RecordedBehaviour::new(engine.name(), engine.version(), &fitted, &measured)
        }
    };
    write_whole(&path, &behaviour.canonical()).map_err(|error| unwritable(&path, &error))?;
    let written = RecordedBehaviour::open(&path)?;
    let nearest = Specification::named(&written.nearest).map_err(Failure::Input)?;
    let behaviour = Some(written.behaviour().map_err(Failure::Input)?);
    Ok((Model { behaviour, is_fitted: true, ..Model::default() }, nearest))
}
