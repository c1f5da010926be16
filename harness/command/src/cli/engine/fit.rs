//! `engine fit`: fits the behaviour of engines and measures it.

use std::io::Write;
use std::path::Path;

use urlstrata_harness::engine::description::{EngineVersion, Install};
use urlstrata_harness::engine::folder::{BEHAVIOUR, EngineFolder};
use urlstrata_harness::engine::{self, Engine};
use urlstrata_harness::knowledge::behaviours::{Fitted, RecordedBehaviour};
use urlstrata_harness::knowledge::measure::{Measured, RANDOM, kinds};
use urlstrata_harness::knowledge::stepped::Stepped;
use urlstrata_harness::world::World;

use super::Machine;
use crate::cli::progress::{Counted, Progress};
use crate::cli::{Ended, Failure, Finding};

pub(super) fn fit(names: &[String], folder: &Path, world: &World, out: &mut dyn Write) -> Ended {
    let mut failed = Vec::new();
    let own = Machine::default();
    for (engine, version) in super::versions(names, false, world)? {
        match one(engine, version, folder, &own, world) {
            Ok(sentence) => writeln!(out, "{sentence}")?,
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

/// Fits the behaviour of a version, writes its file, and returns a sentence about it.
///
/// # Errors
///
/// Returns a sentence if the version has steps or is not installed, the engine fails or is refused, or the file cannot be written.
fn one(
    engine: &EngineFolder,
    version: &EngineVersion,
    folder: &Path,
    own: &Machine,
    world: &World,
) -> Result<String, String> {
    let key = engine.key(version);
    if Stepped::of_key(&key).is_some_and(|steps| steps.resolves()) {
        return Err(format!(
            "{key} is predicted by the steps of its source (urlstrata engine steps {key}): nothing is fitted"
        ));
    }
    let live = || -> Result<Box<dyn Engine>, String> {
        match &version.install {
            Install::InProcess(name) => engine::by_name(name),
            _ => match super::live(engine, version, own, world).map_err(|failure| failure.to_string())? {
                Some(process) => Ok(Box::new(process)),
                None => Err(super::record::not_live(engine, version)),
            },
        }
    };
    let [live, again] = [live()?, live()?];
    super::tried(engine, version, live.as_ref())?;
    let progress = Progress::new(&format!("fitting {key}"), "questions", None);
    let counted = Counted { engine: live.as_ref(), progress: &progress };
    let library = world.library().map_err(|error| error.to_string())?;
    let fitted = Fitted::of(&counted, again.as_ref(), &engine.panel, &library);
    let fitted = fitted.map_err(|why| format!("{why}; nothing is written"))?;
    let measured = Measured::of(&fitted.behaviour, &counted, &kinds(&engine.panel, RANDOM));
    drop(progress);
    let fitted = RecordedBehaviour::new(&engine.name, &version.version, &fitted, &measured);
    let path = folder.join(&engine.name).join(format!("{}{BEHAVIOUR}", version.version));
    let failed = |(path, error): (std::path::PathBuf, std::io::Error)| format!("{}: {error}", path.display());
    urlstrata_harness::files::write_all(&[(path, fitted.canonical())]).map_err(failed)?;
    let rates: Vec<_> =
        fitted.rates.iter().map(|rate| format!("{:.2}% of {} {}", rate.percent(), rate.asked, rate.pairs)).collect();
    let unanswered = match fitted.unanswered {
        0 => String::new(),
        count => format!(" (crashed or did not answer {count} of them)"),
    };
    let unrepeatable = fitted.unrepeatable.map(|pairs| format!("; {pairs}")).unwrap_or_default();
    Ok(format!("{key}: {} questions{unanswered}, predicts {}{unrepeatable}", fitted.questions, rates.join(", ")))
}
