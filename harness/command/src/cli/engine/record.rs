//! `engine record`: records the answers of an engine.

use std::io::Write;
use std::path::{Path, PathBuf};

use urlstrata_harness::engine::description::{EngineVersion, Install};
use urlstrata_harness::engine::folder::{EngineFolder, RECORDING};
use urlstrata_harness::engine::recording::{Recording, digest_of, escape, is_same};
use urlstrata_harness::engine::{self, Engine, Pair, Process, ask_all};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::survey::panel::survey;
use urlstrata_harness::world::World;

use super::Machine;
use crate::cli::progress::{Counted, Progress};
use crate::cli::{Ended, Failure, Finding};

/// The options of `engine record`.
pub(super) struct Options<'a> {
    /// The folder with the engine folders.
    pub(super) folder: &'a Path,
    /// Whether the pairs of the survey are asked.
    pub(super) with_survey: bool,
}

pub(super) fn record(names: &[String], options: &Options<'_>, world: &World, out: &mut dyn Write) -> Ended {
    let own = Machine::default();
    each(names, world, out, |engine, version| one(engine, version, options, &own, world))
}

/// Records each version that `names` select with `record_one`, which returns a sentence, or `None` if the version is not installed.
///
/// # Errors
///
/// Returns [`Failure::Engine`] with a line for each version that failed, and for each version that was named and is not installed.
pub(super) fn each(
    names: &[String],
    world: &World,
    out: &mut dyn Write,
    record_one: impl Fn(&EngineFolder, &EngineVersion) -> Result<Option<String>, String>,
) -> Ended {
    let mut failed = Vec::new();
    for (engine, version) in super::versions(names, false, world)? {
        let is_named = names.iter().any(|name| *name == engine.key(version) || *name == engine.name);
        match record_one(engine, version) {
            Ok(Some(sentence)) => writeln!(out, "{sentence}")?,
            Ok(None) if is_named => failed.push(not_live(engine, version)),
            Ok(None) => writeln!(out, "{}: left out: not installed", engine.key(version))?,
            Err(why) => {
                writeln!(out, "{}: failed", engine.key(version))?;
                failed.push(why);
            }
        }
        out.flush()?;
    }
    match failed.is_empty() {
        true => Ok(Finding::AsExpected),
        false => Err(Failure::Engine(failed.join("\n"))),
    }
}

/// Returns a sentence about a version that is not installed, with a remedy.
pub(super) fn not_live(engine: &EngineFolder, version: &EngineVersion) -> String {
    let key = engine.key(version);
    format!("{key} is not installed: urlstrata engine install {key} --root FOLDER, and name the folder with --root")
}

/// Records a version, and returns a sentence about the recording. Returns `None` if the version is not installed.
///
/// # Errors
///
/// Returns a sentence if the engine fails, is not deterministic, or a file cannot be written. Nothing is then written.
fn one(
    engine: &EngineFolder,
    version: &EngineVersion,
    options: &Options<'_>,
    own: &Machine,
    world: &World,
) -> Result<Option<String>, String> {
    let &Options { folder, with_survey } = options;
    let key = engine.key(version);
    let panel = &engine.panel;
    if panel.pairs().is_empty() {
        return Err("the engine folders do not contain a panel: write one with `urlstrata engine panel`".to_owned());
    }
    let Some(first) = super::started(engine, version, own, world)? else { return Ok(None) };
    super::tried(engine, version, first.as_ref())?;
    let pairs = if with_survey { survey() } else { Vec::new() };
    let survey: Vec<Pair<'_>> = pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect();
    let total = 2 * (panel.pairs().len() + survey.len()) as u64;
    let progress = Progress::new(&format!("recording {key}"), "pairs", Some(total));
    let forwards = |engine: &dyn Engine, pairs: &[Pair<'_>]| ask_all(&Counted { engine, progress: &progress }, pairs);
    let backwards = |engine: &dyn Engine, pairs: &[Pair<'_>]| -> Vec<Outcome> {
        let reversed: Vec<_> = pairs.iter().rev().copied().collect();
        forwards(engine, &reversed).into_iter().rev().collect()
    };
    let outcomes = forwards(first.as_ref(), &panel.pairs());
    let surveyed = forwards(first.as_ref(), &survey);
    let again: Box<dyn Engine> = match &version.install {
        Install::InProcess(name) => engine::by_name(name)?,
        _ => Box::new(second(engine, version, own, world)?),
    };
    let surveyed_again = backwards(again.as_ref(), &survey);
    let outcomes_again = backwards(again.as_ref(), &panel.pairs());
    is_deterministic(&key, &panel.pairs(), &outcomes, &outcomes_again)?;
    is_deterministic(&key, &survey, &surveyed, &surveyed_again)?;
    drop(progress);
    for engine_again in [first.as_ref(), again.as_ref()] {
        if let Some(violation) = engine_again.violations().first().first() {
            return Err(format!("{key} violates the protocol: {violation}"));
        }
        // An engine that stopped working midway would otherwise be recorded as one that crashes.
        super::tried(engine, version, engine_again)?;
    }
    let digest = (survey.len(), digest_of(&surveyed));
    let recording = Recording::new(&engine.name, &version.version, panel, &outcomes, digest);
    let specified = (0..outcomes.len()).filter(|&number| recording.is_specified(number)).count();
    let texts = super::written(engine, folder)?.recording_texts(&recording);
    let same = texts.first().map(|(_, text)| super::same_as(text)).unwrap_or_default();
    let at = |(version, text): (String, String)| (folder.join(&engine.name).join(version + RECORDING), text);
    let files: Vec<(PathBuf, String)> = texts.into_iter().map(at).collect();
    let failed = |(path, error): (PathBuf, std::io::Error)| format!("{}: {error}", path.display());
    urlstrata_harness::files::write_all(&files).map_err(failed)?;
    let urls = outcomes.iter().filter(|outcome| outcome.url().is_some()).count();
    let all = outcomes.len();
    Ok(Some(format!("{key}: {all} pairs, {urls} URLs, {specified} as in a specification{same}")))
}

/// Returns a fresh process of the engine.
fn second(engine: &EngineFolder, version: &EngineVersion, own: &Machine, world: &World) -> Result<Process, String> {
    let process = super::live(engine, version, own, world).map_err(|failure| failure.to_string())?;
    process.ok_or_else(|| not_live(engine, version))
}

/// Checks that both outcomes for each pair are the same.
///
/// # Errors
///
/// Returns a sentence with the first difference.
fn is_deterministic(key: &str, pairs: &[Pair<'_>], once: &[Outcome], again: &[Outcome]) -> Result<(), String> {
    let differs = |number: &usize| !is_same(&once[*number], &again[*number]);
    let differing: Vec<_> = (0..pairs.len()).filter(differs).collect();
    let Some(&first) = differing.first() else { return Ok(()) };
    let (base, reference) = pairs[first];
    Err(format!(
        "{key} is not deterministic: {} of {} pairs differ when they are asked backwards in a fresh process, \
         for example \"{}\" on \"{}\": {} and {}; nothing is written",
        differing.len(),
        pairs.len(),
        escape(reference),
        escape(base),
        once[first],
        again[first]
    ))
}
