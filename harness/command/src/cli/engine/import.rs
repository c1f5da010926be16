//! `engine import`: writes the recording of a version whose results were published by others.

use std::io::Write;
use std::path::Path;

use urlstrata_harness::engine::description::Install;
use urlstrata_harness::engine::folder::RECORDING;
use urlstrata_harness::engine::recording::{Recording, digest_of, unescape};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::plural::counted;
use urlstrata_harness::world::World;
use urlstrata_harness::yaml::FileError;

use crate::cli::{Ended, Failure, Finding};

/// The text of a failure in the file.
const FAILURE: &str = "!failure";

/// Writes the recording of the version called `name` to its folder in `folder`. `file` has a line for each published
/// result: base, reference and result, separated by tabs and escaped as in JSON.
pub(super) fn import(name: &str, file: &Path, folder: &Path, world: &World, out: &mut dyn Write) -> Ended {
    let found = world.folders()?.select(name).map_err(Failure::Usage)?;
    let (engine, version) = found.ok_or_else(|| Failure::Usage(format!("no engine folder is called {name:?}")))?;
    let key = engine.key(version);
    if !matches!(version.install, Install::Published(_)) {
        let remedy = "record it with `urlstrata engine record`";
        return Err(Failure::Usage(format!("{key} can be run, so its results are not imported: {remedy}")));
    }
    let text = std::fs::read_to_string(file).map_err(|error| FileError::new(file, None, error.to_string()))?;
    let mut outcomes = vec![None; engine.panel.pairs().len()];
    for (number, line) in (1..).zip(text.lines()) {
        let error = |sentence: &str| FileError::new(file, Some(number), sentence);
        let parts: Option<Vec<_>> = line.split('\t').map(unescape).collect();
        let Some([base, reference, result]) = parts.as_deref() else {
            return Err(error(
                "not a result: a line is base, reference and result, separated by tabs, escaped as in JSON",
            )
            .into());
        };
        let at = engine.panel.find(base, reference);
        let outcome = &mut outcomes[at.ok_or_else(|| error("the panel of the engine does not contain this pair"))?];
        if outcome.is_some() {
            return Err(error("this pair has a result on an earlier line").into());
        }
        *outcome = Some(match result.as_str() {
            FAILURE => Outcome::Failure(String::new()),
            url => Outcome::Url(url.to_owned()),
        });
    }
    let published = outcomes.iter().flatten().count();
    let missing = || Outcome::Skipped("not published".to_owned());
    let outcomes: Vec<_> = outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(missing)).collect();
    let recording = Recording::new(&engine.name, &version.version, &engine.panel, &outcomes, (0, digest_of(&[])));
    super::write_file(&folder.join(&engine.name).join(format!("{}{RECORDING}", version.version)), &recording.text())?;
    let (pairs, published) = (counted(outcomes.len(), "pair", "pairs"), counted(published, "result", "results"));
    writeln!(out, "{key}: {published} for the {pairs} of its panel")?;
    Ok(Finding::AsExpected)
}
