//! `engine record --characters`: record digests of what engines do with every character in a host.

use std::io::Write;
use std::path::Path;

use urlstrata_harness::engine::description::EngineVersion;
use urlstrata_harness::engine::folder::EngineFolder;
use urlstrata_harness::survey::host_characters::{BlockDigest, CHARACTERS};
use urlstrata_harness::world::World;

use super::Machine;
use crate::cli::Ended;
use crate::cli::progress::Progress;

/// Records the digests of the engines called `names` in `folder`.
pub(super) fn record(names: &[String], folder: &Path, world: &World, out: &mut dyn Write) -> Ended {
    let own = Machine::default();
    super::record::each(names, world, out, |engine, version| one(engine, version, folder, &own, world))
}

/// Records the digests of a version, and returns a sentence about them. Returns `None` if the version is not installed.
///
/// # Errors
///
/// Returns a sentence if the engine fails, or the file cannot be written.
fn one(
    engine: &EngineFolder,
    version: &EngineVersion,
    folder: &Path,
    own: &Machine,
    world: &World,
) -> Result<Option<String>, String> {
    let key = engine.key(version);
    let Some(asked) = super::started(engine, version, own, world)? else { return Ok(None) };
    super::tried(engine, version, asked.as_ref())?;
    if !asked.states() {
        return Ok(Some(format!("{key}: left out: it states no components")));
    }
    let progress = Progress::new(&format!("recording {key}"), "blocks", None);
    let digests = BlockDigest::every(asked.as_ref(), 0, 1, &|| progress.add(1));
    drop(progress);
    if let Some(violation) = asked.violations().first().first() {
        return Err(format!("{key} violates the protocol: {violation}"));
    }
    super::tried(engine, version, asked.as_ref())?;
    let path = folder.join(&engine.name).join(version.version.clone() + CHARACTERS);
    let text: String = digests.iter().map(|digest| format!("{digest}\n")).collect();
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Some(format!("{key}: {} blocks of texts in hosts", digests.len())))
}
