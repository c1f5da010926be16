//! `known`: checks and updates the known deviations of engines.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;
use urlstrata_harness::engine::Engine;
use urlstrata_harness::files::write_whole;
use urlstrata_harness::model::known::{self, Checked, KnownEngine, KnownEngines};
use urlstrata_harness::model::profile;
use urlstrata_harness::plural::counted;
use urlstrata_harness::world::World;

use super::output::{unwritable, write_json};
use super::progress::{Counted, Progress};
use super::select::engines_or;
use super::{Ended, Failure, Finding, Format};

#[derive(Subcommand)]
pub(super) enum KnownCommand {
    /// Compares what is known of engines with what they do: new, vanished, changed and unmatched entries all fail
    Check {
        /// Engines; without any, all of which something is known
        engines: Vec<String>,
        /// How many random pairs to compare the listed frequencies with
        #[arg(long, value_name = "N", default_value_t = 20_000)]
        random: u64,
        /// For people or for machines
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
    },
    /// Fits engines anew and writes what is known of them, for review: reasons stay, new entries have none of their own
    Update {
        /// Engines; without any, the crates in this process
        engines: Vec<String>,
        /// The folder to write into
        #[arg(long, value_name = "FOLDER", default_value = "vectors/known")]
        out: PathBuf,
    },
}

pub(super) fn known(command: &KnownCommand, folder: Option<&Path>, world: &World, out: &mut dyn Write) -> Ended {
    match command {
        KnownCommand::Check { engines, random, format } => check(engines, folder, *random, *format, world, out),
        KnownCommand::Update { engines, out: folder } => update(engines, folder, world, out),
    }
}

/// The engines of these names; without names, the foreign ones.
fn foreign(names: &[String]) -> Result<Vec<Box<dyn Engine>>, Failure> {
    engines_or(names, |engine| engine.revision().is_none())
}

/// `engines`, if no two of them share a file: programs are known by the names that they give themselves.
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
    /// What selects it on the command line.
    #[serde(skip)]
    key: String,
    #[serde(flatten)]
    checked: Checked,
}

fn check(
    names: &[String],
    folder: Option<&Path>,
    random: u64,
    format: Format,
    world: &World,
    out: &mut dyn Write,
) -> Ended {
    let suite = world.suite()?;
    // With a folder, engines that only the program knows are not checked.
    let known_there = folder.map(KnownEngines::read).transpose()?;
    let known_engines = known_there.as_ref().unwrap_or(&world.known);
    let mut all = Vec::new();
    for engine in distinct(foreign(names)?)? {
        let Some(known) = known_engines.of(engine.name()) else {
            if names.is_empty() {
                continue;
            }
            let sentence = "nothing is known of it: run `urlstrata known update` with its name";
            return Err(Failure::Input(format!("{}: {sentence}", engine.name())));
        };
        let progress = Progress::new(&format!("checking {}", engine.name()), "questions", None);
        let counted = Counted { engine: engine.as_ref(), progress: &progress };
        let checked = known.check(&counted, suite, random).map_err(Failure::Input)?;
        all.push(CheckedEngine { engine: engine.name().to_owned(), key: engine.key().to_owned(), checked });
    }
    match format {
        Format::Json => write_json(&all, out)?,
        Format::Text => {
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
    if !stale.is_empty() && format == Format::Text {
        let names: Vec<_> = stale.iter().filter_map(|key| shlex::try_quote(key).ok()).collect();
        let to = folder.map_or_else(String::new, |folder| format!(" --out {}", folder.display()));
        writeln!(out, "To accept what was found: urlstrata known update{to} {}", names.join(" "))?;
    }
    let findings = || all.iter().flat_map(|it| &it.checked.findings);
    Ok(match findings().next() {
        None => Finding::AsExpected,
        Some(_) if findings().any(known::Finding::is_new) => Finding::NewDivergence,
        Some(_) => Finding::Stale,
    })
}

fn update(names: &[String], folder: &Path, world: &World, out: &mut dyn Write) -> Ended {
    let suite = world.suite()?;
    let survey = profile::survey(suite);
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    for engine in distinct(foreign(names)?)? {
        let path = folder.join(known::file_name(engine.name()));
        let old = if path.exists() { Some(KnownEngine::read(&path)?) } else { None };
        let progress = Progress::new(&format!("fitting {}", engine.name()), "questions", None);
        let asked = Counted { engine: engine.as_ref(), progress: &progress };
        let fitted = profile::fit(&asked, &survey);
        let known = KnownEngine::observe(&asked, &fitted, suite, old.as_ref());
        drop(progress);
        write_whole(&path, &known.canonical()).map_err(|error| unwritable(&path, &error))?;
        let changed = if old.as_ref() == Some(&known) { "unchanged" } else { "written, please review" };
        writeln!(
            out,
            "{}: {} from {}, {}: {changed}",
            path.display(),
            counted(known.deviations.len(), "difference", "differences"),
            known.profile.nearest,
            counted(known.exceptions.len(), "class of exceptions", "classes of exceptions"),
        )?;
    }
    Ok(Finding::AsExpected)
}
