//! The pairs of public threads: the results of all engines, and those of each version of the engines in question.

use serde::Serialize;

use crate::engine::folder::EngineFolder;
use crate::engine::recording::is_same;
use crate::explain::{Explainer, Group};
use crate::outcome::Outcome;
use crate::vector::Suite;
use crate::world::World;

/// The file of vectors with the pairs of public threads.
const THREADS: &str = "found/threads";

/// A pair of a public thread.
#[derive(Serialize)]
pub(super) struct ThreadRow {
    base: String,
    reference: String,
    note: String,
    /// The results of all specifications and engines.
    groups: Vec<Group>,
    /// The engines in question.
    engines: Vec<DiscussedRow>,
}

/// An engine in question, with the result of each recorded version.
#[derive(Serialize)]
struct DiscussedRow {
    name: String,
    /// Consecutive versions with the same result, oldest first: the oldest, the newest, and the result.
    results: Vec<(String, String, Outcome)>,
}

/// Returns the pairs of public threads in `suite`.
///
/// # Errors
///
/// Returns a sentence if a recording is not valid, or a vector names an engine without a folder.
pub(super) fn threads(world: &World, suite: &Suite) -> Result<Vec<ThreadRow>, String> {
    let folders = world.folders().map_err(|error| error.to_string())?;
    let mut explainer = Explainer::new(world, &[]);
    let mut rows = Vec::new();
    for (_, vector) in suite.vectors().filter(|(file, _)| file.id == THREADS) {
        let Some(case) = vector.resolution() else { continue };
        let discussed = |name: &String| {
            let engine = folders.engines.iter().find(|engine| engine.name == *name);
            let engine = engine.ok_or_else(|| format!("{THREADS}: no engine folder is called {name:?}"))?;
            Ok(DiscussedRow { name: name.clone(), results: by_version(engine, &case.base, &case.reference)? })
        };
        rows.push(ThreadRow {
            groups: explainer.explain(&case.base, &case.reference).groups,
            engines: case.engines.iter().map(discussed).collect::<Result<_, String>>()?,
            base: case.base.clone(),
            reference: case.reference.clone(),
            note: vector.note.clone().unwrap_or_default(),
        });
    }
    Ok(rows)
}

fn by_version(engine: &EngineFolder, base: &str, reference: &str) -> Result<Vec<(String, String, Outcome)>, String> {
    let mut results: Vec<(String, String, Outcome)> = Vec::new();
    let Some(number) = engine.panel.find(base, reference) else { return Ok(results) };
    for version in engine.description.versions.iter().rev() {
        let recording = engine.recording(&version.version).map_err(|error| error.to_string())?;
        let Some(outcome) = recording.and_then(|recording| recording.outcome(&engine.panel, number)) else { continue };
        match results.last_mut() {
            Some((_, newest, same)) if is_same(same, &outcome) => newest.clone_from(&version.version),
            _ => results.push((version.version.clone(), version.version.clone(), outcome)),
        }
    }
    Ok(results)
}
