//! `engine check`: compares live engines with their recordings.

use std::io::Write;
use std::time::Instant;

use urlstrata_harness::engine::folder::{EngineFolder, Install};
use urlstrata_harness::engine::recording::{Recording, digest_of, escape, is_same};
use urlstrata_harness::engine::{self, Engine, Pair, ask_all};
use urlstrata_harness::plural::counted;
use urlstrata_harness::survey::panel::survey;
use urlstrata_harness::world::World;

use crate::cli::progress::{Counted, Progress};
use crate::cli::{Ended, Failure, Finding};

/// The number of differences of an engine that are listed.
const SHOWN: usize = 5;

pub(super) fn check(names: &[String], with_survey: bool, world: &World, out: &mut dyn Write) -> Ended {
    let folders = world.folders()?;
    let all: Vec<String> = folders.engines.iter().map(|engine| engine.name.clone()).collect();
    let selected = super::versions(if names.is_empty() { &all } else { names }, true, world)?;
    let begun = Instant::now();
    let surveyed = survey();
    let surveyed: Vec<Pair<'_>> =
        surveyed.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect();
    let (mut checked, mut asked, mut left_out) = (0, 0, Vec::new());
    let (mut new, mut stale) = (0, 0);
    let own = super::Machine::default();
    for (folder, version) in selected {
        let key = folder.key(version);
        let Some(recording) = folder.recording(&version.version)? else { continue };
        let path = folder.path_of(&version.version);
        let engine: Box<dyn Engine> = match &version.install {
            Install::InProcess(name) => engine::by_name(name).map_err(Failure::Usage)?,
            // Nobody can ask it again.
            Install::Published(_) => continue,
            _ => match super::live(folder, version, &own, world)? {
                Some(process) => Box::new(process),
                None => {
                    left_out.push(key);
                    continue;
                }
            },
        };
        super::tried(folder, version, engine.as_ref()).map_err(Failure::Engine)?;
        let outcomes = recording.outcomes(&path, &folder.panel)?;
        let pairs = folder.panel.pairs();
        let survey: &[Pair<'_>] = if with_survey { &surveyed } else { &[] };
        let progress = Progress::new(&format!("checking {key}"), "pairs", Some((pairs.len() + survey.len()) as u64));
        let engine = Counted { engine: engine.as_ref(), progress: &progress };
        let now = ask_all(&engine, &pairs);
        let differing: Vec<_> = (0..pairs.len()).filter(|&number| !is_same(&outcomes[number], &now[number])).collect();
        let digest = digest_of(&ask_all(&engine, survey));
        drop(progress);
        let other_survey = with_survey && (survey.len(), digest) != recording.survey;
        (checked, asked) = (checked + 1, asked + pairs.len() + survey.len());
        // A pair is fixed if the recorded result was in no specification and the result now is in one.
        // Comparing all outcomes with the specifications takes longer than asking a fast engine.
        let no_survey = || (0, String::new());
        let again = (!differing.is_empty())
            .then(|| Recording::new(&folder.name, &version.version, &folder.panel, &now, no_survey()));
        let is_specified = |number: usize| again.as_ref().is_some_and(|again| again.is_specified(number));
        let is_fixed = |&number: &usize| !recording.is_specified(number) && is_specified(number);
        let fixed = differing.iter().filter(|number| is_fixed(number)).count();
        let unused = unused(folder);
        new += differing.len() - fixed + usize::from(differing.is_empty() && other_survey);
        stale += fixed + unused.len();
        let alike = pairs.len() - differing.len();
        let survey = match (with_survey, other_survey) {
            (false, _) => "",
            (true, false) => ", the survey as recorded",
            (true, true) => ", the survey differs",
        };
        writeln!(out, "{key}: {alike} of {} pairs as recorded{survey}", pairs.len())?;
        for &number in differing.iter().take(SHOWN) {
            let (base, reference) = pairs[number];
            let word = if is_fixed(&number) { "fixed" } else { "new" };
            let (base, reference) = (escape(base), escape(reference));
            writeln!(
                out,
                "  {word}: \"{reference}\" on \"{base}\": recorded {}, now {}",
                outcomes[number], now[number]
            )?;
        }
        for sentence in unused {
            writeln!(out, "  unused: {sentence}")?;
        }
        out.flush()?;
    }
    if !left_out.is_empty() {
        writeln!(out, "left out, because they are not installed: {}", left_out.join(", "))?;
    }
    let engines = counted(checked, "version", "versions");
    let pairs = counted(asked, "pair", "pairs");
    let seconds = begun.elapsed().as_secs();
    let left_out = left_out.len();
    writeln!(
        out,
        "{engines} checked on {pairs} in {seconds} s, {left_out} left out: {new} new, {stale} fixed or unused"
    )?;
    Ok(match (new, stale) {
        (0, 0) => Finding::AsExpected,
        (0, _) => Finding::Stale,
        _ => Finding::NewDivergence,
    })
}

/// Returns a sentence for each entry of `deviates` that the smoke test does not ask.
fn unused(folder: &EngineFolder) -> Vec<String> {
    let stated = folder.description.deviates.iter();
    let unknown = stated.filter(|reference| !engine::is_plain(reference));
    unknown.map(|reference| format!("`deviates` lists {reference:?}, which the smoke test does not ask")).collect()
}
