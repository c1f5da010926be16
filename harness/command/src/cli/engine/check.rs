//! `engine check`: compares live engines with their recordings.

use std::fmt;
use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;
use urlstrata_harness::engine::description::{EngineVersion, Install};
use urlstrata_harness::engine::folder::EngineFolder;
use urlstrata_harness::engine::recording::{Recording, digest_of, escape, is_same};
use urlstrata_harness::engine::{self, Engine, Pair, ask_all};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::plural::counted;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::survey::panel::survey;
use urlstrata_harness::world::World;

use crate::cli::checks::{Check, CheckFormat, Checks, Issue, Severity, Verdict};
use crate::cli::output::write_json;
use crate::cli::progress::{Counted, Progress};
use crate::cli::{Ended, Failure, Finding};

/// The number of differences of an engine that are listed.
const SHOWN: usize = 5;

/// What a check of one version found.
#[derive(Serialize)]
struct CheckedVersion {
    engine: String,
    /// The number of pairs of the panel.
    pairs: usize,
    /// The number of pairs of the panel whose outcomes are as recorded.
    alike: usize,
    /// Whether the outcomes for the survey are as recorded; `None` if they were not compared.
    survey: Option<bool>,
    /// The number of URLs about which the engine answers otherwise than is recorded; `None` if they were not compared.
    statements: Option<usize>,
    /// The first of these URLs.
    restated: Vec<String>,
    /// The first differences on the panel.
    differences: Vec<DifferingPair>,
    /// The number of differences that are new, and of those that are fixed.
    new: usize,
    fixed: usize,
    /// Sentences on entries of the description that are not used.
    unused: Vec<String>,
}

#[derive(Serialize)]
struct DifferingPair {
    base: String,
    reference: String,
    recorded: Outcome,
    now: Outcome,
    /// Whether a specification returns the result now, and none returned the recorded one.
    is_fixed: bool,
}

/// The findings of a check.
#[derive(Serialize)]
struct Checked {
    versions: Vec<CheckedVersion>,
    left_out: Vec<String>,
}

/// What `engine check` compares besides the panel and the statements about URLs.
pub(super) struct Options {
    /// Whether the pairs of the survey are asked.
    pub(super) with_survey: bool,
    /// Whether clients are observed.
    pub(super) with_connections: bool,
}

pub(super) fn check(
    names: &[String],
    options: &Options,
    format: CheckFormat,
    world: &World,
    out: &mut dyn Write,
) -> Ended {
    let folders = world.folders()?;
    let all: Vec<String> = folders.engines.iter().map(|engine| engine.name.clone()).collect();
    let selected = super::versions(if names.is_empty() { &all } else { names }, true, world)?;
    let begun = Instant::now();
    let surveyed = if options.with_survey { survey() } else { Vec::new() };
    let surveyed: Vec<Pair<'_>> =
        surveyed.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect();
    let mut checked = Checked { versions: Vec::new(), left_out: Vec::new() };
    let own = super::Machine::default();
    for (folder, version) in selected {
        let is_compared = |op: &Op| folder.statements(*op, &version.version).is_some();
        let mut ops = Op::ABOUT_URLS.iter().filter(|op| options.with_connections || **op == Op::Parse);
        if !folder.recordings.contains_key(&version.version) && !ops.any(is_compared) {
            continue;
        }
        let engine: Box<dyn Engine> = match &version.install {
            Install::InProcess(name) => engine::by_name(name).map_err(Failure::Usage)?,
            // Nobody can ask it again.
            Install::Published(_) => continue,
            _ => match super::live(folder, version, &own, world)? {
                Some(process) => Box::new(process),
                None => {
                    checked.left_out.push(folder.key(version));
                    continue;
                }
            },
        };
        if let Some(why) = unobservable(engine.as_ref()) {
            checked.left_out.push(format!("{} ({why})", folder.key(version)));
            continue;
        }
        super::tried(folder, version, engine.as_ref()).map_err(Failure::Engine)?;
        let mut found = CheckedVersion::new(folder, version);
        if let Some(recording) = folder.recording(&version.version)? {
            found.compare(folder, &recording, engine.as_ref(), &surveyed)?;
        }
        found.compare_answers((folder, version), options, engine.as_ref())?;
        if format == CheckFormat::Text {
            write_version(&found, out)?;
        }
        checked.versions.push(found);
    }
    let new: usize = checked.versions.iter().map(CheckedVersion::new_differences).sum();
    let stale: usize = checked.versions.iter().map(CheckedVersion::stale).sum();
    let checks = checks(&checked);
    match format {
        CheckFormat::Json => write_json(&checked, out)?,
        CheckFormat::Junit => checks.write_junit(out)?,
        CheckFormat::Text => {
            if !checked.left_out.is_empty() {
                writeln!(out, "left out, because they are not installed: {}", checked.left_out.join(", "))?;
            }
            let engines = counted(checked.versions.len(), "version", "versions");
            let asked = checked.versions.iter().map(|found| found.pairs + surveyed.len()).sum::<usize>();
            let pairs = counted(asked, "pair", "pairs");
            let seconds = begun.elapsed().as_secs();
            let left_out = checked.left_out.len();
            writeln!(
                out,
                "{engines} checked on {pairs} in {seconds} s, {left_out} left out: {new} new, {stale} fixed or unused"
            )?;
        }
    }
    checks.report_to_github();
    Ok(match (new, stale) {
        (0, 0) => Finding::AsExpected,
        (0, _) => Finding::Stale,
        _ => Finding::NewDivergence,
    })
}

impl CheckedVersion {
    /// Creates a check of `version` that has compared nothing.
    fn new(folder: &EngineFolder, version: &EngineVersion) -> Self {
        Self {
            engine: folder.key(version),
            pairs: 0,
            alike: 0,
            survey: None,
            statements: None,
            restated: Vec::new(),
            differences: Vec::new(),
            new: 0,
            fixed: 0,
            unused: unused(folder),
        }
    }

    /// Asks `engine` the pairs of the panel and of the survey, and compares its outcomes with `recording`.
    fn compare(
        &mut self,
        folder: &EngineFolder,
        recording: &Recording,
        engine: &dyn Engine,
        survey: &[Pair<'_>],
    ) -> Result<(), Failure> {
        let outcomes = recording.outcomes(&folder.panel)?;
        let pairs = folder.panel.pairs();
        let total = Some((pairs.len() + survey.len()) as u64);
        let progress = Progress::new(&format!("checking {}", self.engine), "pairs", total);
        let counted = Counted { engine, progress: &progress };
        let now = ask_all(&counted, &pairs);
        let differing: Vec<_> = (0..pairs.len()).filter(|&number| !is_same(&outcomes[number], &now[number])).collect();
        self.survey = (!survey.is_empty())
            .then(|| (survey.len(), digest_of(&ask_all(&counted, survey))) == recording.head.survey);
        drop(progress);
        // A pair is fixed if the recorded result was in no specification and the result now is in one.
        // Comparing all outcomes with the specifications takes longer than asking a fast engine.
        let no_survey = || (0, String::new());
        let (name, version) = (&recording.head.engine, &recording.head.version);
        let again = (!differing.is_empty()).then(|| Recording::new(name, version, &folder.panel, &now, no_survey()));
        let is_specified = |number: usize| again.as_ref().is_some_and(|again| again.is_specified(number));
        let is_fixed = |number: usize| !recording.is_specified(number) && is_specified(number);
        self.fixed = differing.iter().filter(|&&number| is_fixed(number)).count();
        self.new = differing.len() - self.fixed;
        let pair = |&number: &usize| DifferingPair {
            base: pairs[number].0.to_owned(),
            reference: pairs[number].1.to_owned(),
            recorded: outcomes[number].clone(),
            now: now[number].clone(),
            is_fixed: is_fixed(number),
        };
        self.differences = differing.iter().take(SHOWN).map(pair).collect();
        (self.pairs, self.alike) = (pairs.len(), pairs.len() - differing.len());
        Ok(())
    }

    /// Asks `engine` about the URLs for which answers of `version` are recorded, and compares them.
    fn compare_answers(
        &mut self,
        (folder, version): (&EngineFolder, &EngineVersion),
        options: &Options,
        engine: &dyn Engine,
    ) -> Result<(), Failure> {
        for op in Op::ABOUT_URLS.into_iter().filter(|op| options.with_connections || *op == Op::Parse) {
            let Some(changed) = super::statements::changed(folder, version, op, engine)? else { continue };
            *self.statements.get_or_insert(0) += changed.len();
            let free = SHOWN - self.restated.len().min(SHOWN);
            self.restated.extend(changed.into_iter().take(free));
        }
        Ok(())
    }

    /// Returns the number of new differences, with those of statements. A survey that differs counts as one if the panel does not show it.
    fn new_differences(&self) -> usize {
        let survey = usize::from(self.new + self.fixed == 0 && self.survey == Some(false));
        self.new + survey + self.statements.unwrap_or_default()
    }

    /// Returns the number of differences that are fixed, and of entries that are not used.
    fn stale(&self) -> usize {
        self.fixed + self.unused.len()
    }
}

impl fmt::Display for DifferingPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_fixed { "fixed" } else { "new" };
        let [base, reference] = [&self.base, &self.reference].map(|text| escape(text));
        write!(f, "{word}: \"{reference}\" on \"{base}\": recorded {}, now {}", self.recorded, self.now)
    }
}

fn write_version(found: &CheckedVersion, out: &mut dyn Write) -> io::Result<()> {
    let survey = match found.survey {
        None => "",
        Some(true) => ", the survey as recorded",
        Some(false) => ", the survey differs",
    };
    match found.pairs {
        0 => writeln!(out, "{}: no results are recorded, only answers about URLs", found.engine)?,
        pairs => writeln!(out, "{}: {} of {pairs} pairs as recorded{survey}", found.engine, found.alike)?,
    }
    found.differences.iter().try_for_each(|pair| writeln!(out, "  {pair}"))?;
    if let Some(differing @ 1..) = found.statements {
        writeln!(out, "  {} about URLs differ from the recording:", counted(differing, "answer", "answers"))?;
        found.restated.iter().try_for_each(|url| writeln!(out, "    \"{}\"", escape(url)))?;
    }
    found.unused.iter().try_for_each(|sentence| writeln!(out, "  unused: {sentence}"))?;
    out.flush()
}

/// Returns four checks for each version: its panel, its survey, its statements, and its description.
fn checks(checked: &Checked) -> Checks {
    let mut checks = Checks::new("engine check");
    let sentence = "The engine does not return what is recorded: record it again with `urlstrata engine record`.";
    let issue = |severity: Severity, rule: &str, message: String, details: String| {
        let (rule, explanation) = (rule.to_owned(), sentence.to_owned());
        Verdict::Found(Issue { severity, rule, explanation, message, details, place: None })
    };
    for found in &checked.versions {
        let engine = &found.engine;
        let differing = found.new + found.fixed;
        let panel = if differing == 0 {
            Verdict::Passed
        } else {
            let message = format!("{engine}: {differing} of {} pairs differ from the recording", found.pairs);
            let severity = if found.new > 0 { Severity::Error } else { Severity::Warning };
            let details = found.differences.iter().map(|pair| format!("{pair}\n")).collect();
            issue(severity, "recording", message, details)
        };
        let survey = match found.survey {
            None => Verdict::Skipped("the survey was not asked".to_owned()),
            Some(true) => Verdict::Passed,
            Some(false) => issue(Severity::Error, "survey", format!("{engine}: the survey differs"), String::new()),
        };
        let statements = match found.statements {
            None => Verdict::Skipped("no answers about URLs were compared".to_owned()),
            Some(0) => Verdict::Passed,
            Some(differing) => {
                let message = format!("{engine}: {} about URLs differ", counted(differing, "answer", "answers"));
                let details = found.restated.iter().map(|url| format!("{}\n", escape(url))).collect();
                issue(Severity::Error, "statements", message, details)
            }
        };
        let description = match found.unused.as_slice() {
            [] => Verdict::Passed,
            unused => issue(Severity::Warning, "unused", format!("{engine}: {}", unused.join("; ")), String::new()),
        };
        let verdicts = [("panel", panel), ("survey", survey), ("statements", statements), ("description", description)];
        for (name, verdict) in verdicts {
            checks.add(engine, Check::new("recording", name, verdict));
        }
    }
    for engine in &checked.left_out {
        let why = Verdict::Skipped("the engine is not installed".to_owned());
        checks.add(engine, Check::new("recording", "panel", why));
    }
    checks
}

/// Returns why an engine that is nothing but a client cannot be observed on this machine; `None` if it can, or does something else.
fn unobservable(engine: &dyn Engine) -> Option<String> {
    let is_only_client = !engine.resolves() && !engine.states();
    is_only_client.then(|| super::statements::unobserved(engine)).flatten()
}

/// Returns a sentence for each entry of `deviates` that the smoke test does not ask.
fn unused(folder: &EngineFolder) -> Vec<String> {
    let stated = folder.description.deviates.iter();
    let unknown = stated.filter(|reference| !engine::is_plain(reference));
    unknown.map(|reference| format!("`deviates` lists {reference:?}, which the smoke test does not ask")).collect()
}
