//! `engine record --statements`: records the components that engines state for URLs. `engine check` compares them.

use std::io::Write;
use std::path::Path;

use urlstrata_harness::engine::folder::{EngineFolder, EngineVersion, Install, STATEMENTS};
use urlstrata_harness::engine::recording::escape;
use urlstrata_harness::engine::statement::{Statements, UrlPanel, is_same};
use urlstrata_harness::engine::{self, Engine, ask_all_parts};
use urlstrata_harness::outcome::Components;
use urlstrata_harness::plural::counted;
use urlstrata_harness::world::World;

use super::Machine;
use super::record::not_live;
use crate::cli::progress::{Counted, Progress};
use crate::cli::{Ended, Failure};

/// Records the statements of the engines called `names` in `folder`.
pub(super) fn record(names: &[String], folder: &Path, world: &World, out: &mut dyn Write) -> Ended {
    let own = Machine::default();
    super::record::each(names, world, out, |engine, version| one(engine, version, folder, &own, world))
}

/// Records a version, and returns a sentence about the recording. Returns `None` if the version is not installed.
fn one(
    engine: &EngineFolder,
    version: &EngineVersion,
    folder: &Path,
    own: &Machine,
    world: &World,
) -> Result<Option<String>, String> {
    let key = engine.key(version);
    let urls = &engine.urls;
    if urls.urls().is_empty() {
        return Err("the engine folders do not contain URLs: write them with `urlstrata engine urls`".to_owned());
    }
    let start = || -> Result<Option<Box<dyn Engine>>, String> {
        Ok(match &version.install {
            Install::InProcess(name) => Some(engine::by_name(name)?),
            _ => super::live(engine, version, own, world)
                .map_err(|failure| failure.to_string())?
                .map(|process| Box::new(process) as Box<dyn Engine>),
        })
    };
    let Some(first) = start()? else { return Ok(None) };
    super::tried(engine, version, first.as_ref())?;
    if !first.states() {
        return Ok(Some(format!("{key}: left out: it does not offer parse")));
    }
    let second = start()?.ok_or_else(|| not_live(engine, version))?;
    let progress = Progress::new(&format!("recording {key}"), "URLs", Some(2 * urls.urls().len() as u64));
    let forwards: Vec<&str> = urls.urls().iter().map(String::as_str).collect();
    let backwards: Vec<&str> = forwards.iter().rev().copied().collect();
    let once = ask_all_parts(&Counted { engine: first.as_ref(), progress: &progress }, &forwards);
    let mut again = ask_all_parts(&Counted { engine: second.as_ref(), progress: &progress }, &backwards);
    again.reverse();
    drop(progress);
    is_deterministic(&key, urls, &once, &again)?;
    for asked in [first.as_ref(), second.as_ref()] {
        if let Some(violation) = asked.violations().first().first() {
            return Err(format!("{key} violates the protocol: {violation}"));
        }
        super::tried(engine, version, asked)?;
    }
    let recording = Statements::new(&engine.name, &version.version, urls, &once);
    let (text, same) = match like(engine, version, folder, &recording)? {
        Some((other, read)) if read.has_statements_of(&recording) => (recording.with_those_of(&other), Some(other)),
        Some((other, read)) => {
            (recording.text_after(&other, &read).unwrap_or_else(|| recording.text().to_owned()), None)
        }
        None => (recording.text().to_owned(), None),
    };
    let path = folder.join(&engine.name).join(format!("{}{STATEMENTS}", version.version));
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    urlstrata_harness::files::write_whole(&path, &text).map_err(failed)?;
    let split = once.iter().filter(|statement| statement.is_ok()).count();
    let same = same.map_or_else(String::new, |other| format!(", the same as {other}"));
    Ok(Some(format!("{key}: {} URLs, {split} split{same}", once.len())))
}

/// Returns the version that is recorded in `folder` with all of its lines and has the same statements, or else the most similar ones.
fn like(
    engine: &EngineFolder,
    version: &EngineVersion,
    folder: &Path,
    recording: &Statements,
) -> Result<Option<(String, Statements)>, String> {
    let panels = (&engine.panel, &engine.urls);
    let now = EngineFolder::read(folder, &engine.name, panels).map_err(|error| error.to_string())?;
    // Another version refers to the file that is written: it has all of its lines.
    let is_whole = now.statements(&version.version).is_some_and(|file| !file.refers());
    let others = engine.description.versions.iter().filter(|other| other.version != version.version && !is_whole);
    let mut best: Option<(String, Statements, usize)> = None;
    for other in others {
        // A recording of earlier URLs is recorded again as well.
        let Some(file) = now.statements(&other.version).filter(|file| !file.refers()) else { continue };
        let Ok(read) = file.read(&engine.urls) else { continue };
        let length = match read.has_statements_of(recording) {
            true => 0,
            false => recording.text_after(&other.version, read).map_or(usize::MAX, |text| text.len()),
        };
        if best.as_ref().is_none_or(|(_, _, shortest)| length < *shortest) {
            best = Some((other.version.clone(), read.clone(), length));
        }
    }
    Ok(best.map(|(version, read, _)| (version, read)))
}

/// Checks that both statements about each URL are the same.
///
/// # Errors
///
/// Returns a sentence with the first difference.
fn is_deterministic(key: &str, urls: &UrlPanel, once: &[Components], again: &[Components]) -> Result<(), String> {
    let differing: Vec<usize> = (0..once.len()).filter(|&number| !is_same(&once[number], &again[number])).collect();
    let Some(&first) = differing.first() else { return Ok(()) };
    Err(format!(
        "{key} is not deterministic: {} of {} differ when they are asked backwards in a fresh process, for example \"{}\"; \
         nothing is written",
        differing.len(),
        counted(once.len(), "statement", "statements"),
        escape(&urls.urls()[first]),
    ))
}

/// Returns the URLs about which `engine` states something else than is recorded for `version`; `None` if nothing is recorded.
///
/// # Errors
///
/// Returns [`Failure::Input`] if the recording is not valid.
pub(super) fn restated(
    folder: &EngineFolder,
    version: &EngineVersion,
    engine: &dyn Engine,
) -> Result<Option<Vec<String>>, Failure> {
    let Some(file) = folder.statements(&version.version) else { return Ok(None) };
    let recorded = file.read(&folder.urls)?.all(&folder.urls)?;
    let urls: Vec<&str> = folder.urls.urls().iter().map(String::as_str).collect();
    let now = ask_all_parts(engine, &urls);
    let differing = (0..urls.len()).filter(|&number| !is_same(&recorded[number], &now[number]));
    Ok(Some(differing.map(|number| urls[number].to_owned()).collect()))
}
