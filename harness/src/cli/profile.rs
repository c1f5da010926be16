//! `profile`, `shrink` and `known`: what an engine is like, and the bookkeeping about it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;
use urlstrata::rules::COLUMNS;
use urlstrata_harness::attribute::{Difference, Subject};
use urlstrata_harness::engine::{self, Engine, ask};
use urlstrata_harness::known::{self, Checked, Known};
use urlstrata_harness::profile::{self, Fitted, Rate, Reading};
use urlstrata_harness::rewrite::{Origin, Rewrite};
use urlstrata_harness::vector::Suite;
use urlstrata_harness::{bug_report, shrink, visible, write_whole};

use super::run::{said_by, write_json};
use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
pub(super) struct Profile {
    /// The engine
    engine: String,
    /// How many pairs by chance to predict besides
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    wild: u64,
    /// Show so many of those that are not predicted, each as small as it gets
    #[arg(long, value_name = "N", default_value_t = 20)]
    misses: usize,
    /// For people or for machines
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A fit, for machines.
#[derive(Serialize)]
struct Shown {
    engine: String,
    version: String,
    nearest: &'static str,
    answers: Vec<AnswerShown>,
    makes: Vec<RewriteShown>,
    unseen: Vec<&'static str>,
    rates: Vec<Rate>,
    misses: Vec<Miss>,
}

#[derive(Serialize)]
struct AnswerShown {
    column: &'static str,
    /// One, or several that the survey cannot tell apart.
    answers: Vec<&'static str>,
    determined: bool,
    note: &'static str,
    /// Where the document that the engine is nearest to says so.
    source: &'static str,
}

#[derive(Serialize)]
struct RewriteShown {
    name: &'static str,
    note: &'static str,
    source: &'static str,
}

/// A pair that the fit does not predict.
#[derive(Serialize)]
struct Miss {
    base: String,
    reference: String,
    said: engine::Outcome,
    predicted: engine::Outcome,
}

pub(super) fn profile(arguments: &Profile, out: &mut dyn Write) -> Ended {
    let engine = super::an_engine(&arguments.engine)?;
    let suite = Suite::embedded()?;
    let working = super::working("fitting");
    let mut fitted = profile::fit(engine.as_ref(), &profile::survey(&suite));
    working.set_message("predicting");
    let surveyed = profile::rates(&fitted.profile, engine.as_ref(), arguments.wild);
    fitted.rates.extend(surveyed.rates);
    working.finish_and_clear();
    let misses = surveyed.missed.into_iter().take(arguments.misses).map(|(base, reference)| {
        let missed = |base: &str, reference: &str| {
            !fitted.profile.predicts(base, reference, &ask(engine.as_ref(), base, reference))
        };
        let (base, reference) = shrink::smallest(&base, &reference, missed);
        Miss {
            said: ask(engine.as_ref(), &base, &reference),
            predicted: fitted.profile.predict(&base, &reference),
            base,
            reference,
        }
    });
    let shown = shown(engine.as_ref(), &fitted, misses.collect());
    match arguments.format {
        Format::Json => write_json(&shown, out)?,
        Format::Text => write_profile(&shown, &fitted, out)?,
    }
    Ok(Finding::AsExpected)
}

fn shown(engine: &dyn Engine, fitted: &Fitted, misses: Vec<Miss>) -> Shown {
    let cite = fitted.nearest.cite_of_row();
    let answers = COLUMNS.iter().enumerate().map(|(index, column)| {
        let doubted = fitted.undetermined.iter().find(|(column, _)| *column == index);
        let answer = column.answer(&fitted.profile.rules);
        AnswerShown {
            column: column.name,
            answers: match doubted {
                Some((_, answers)) => answers.iter().map(|answer| column.answers[*answer].name).collect(),
                None => vec![answer.name],
            },
            determined: doubted.is_none(),
            note: if doubted.is_none() { answer.note() } else { "" },
            source: if doubted.is_none() { answer.source(cite) } else { "" },
        }
    });
    let rewrite = |it: Rewrite| RewriteShown { name: it.name(), note: it.note(), source: it.source() };
    Shown {
        engine: engine.name().to_owned(),
        version: engine.version().to_owned(),
        nearest: fitted.nearest.id,
        answers: answers.collect(),
        makes: fitted.profile.rewrites.iter().map(rewrite).collect(),
        unseen: fitted.unseen.iter().map(|it| it.name()).collect(),
        rates: fitted.rates.clone(),
        misses,
    }
}

fn write_profile(shown: &Shown, fitted: &Fitted, out: &mut dyn Write) -> io::Result<()> {
    let differences = Difference::between(&fitted.nearest.profile, &fitted.profile, &[]);
    writeln!(out, "{} {} is nearest to {}", shown.engine, shown.version, shown.nearest)?;
    if differences.is_empty() {
        writeln!(out, "  and departs from it in nothing that the survey sees")?;
    } else {
        writeln!(out, "\nIt departs from {} in:", shown.nearest)?;
    }
    let names: Vec<_> = differences.iter().map(Difference::name).collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    for (difference, name) in differences.iter().zip(&names) {
        let (note, source) = match difference {
            Difference::Answer(change) => (change.to().note(), change.to().sources().next().unwrap_or_default()),
            Difference::Makes(rewrite) if rewrite.origin() == Origin::Quirk => (rewrite.note(), "a quirk"),
            Difference::Makes(rewrite) => (rewrite.note(), rewrite.source()),
            Difference::Leaves(rewrite) => (rewrite.note(), rewrite.source()),
        };
        writeln!(out, "  {name:<width$}  {note} ({source})")?;
    }
    writeln!(out, "\nColumns:")?;
    let width = shown.answers.iter().map(|answer| answer.column.len()).max().unwrap_or_default();
    for answer in &shown.answers {
        match answer.determined {
            true => writeln!(out, "  {:<width$}  {} ({})", answer.column, answer.note, answer.source)?,
            false => writeln!(out, "  {:<width$}  undetermined: {}", answer.column, answer.answers.join(" or "))?,
        }
    }
    writeln!(out, "\nRewrites that it makes:")?;
    let width = shown.makes.iter().map(|rewrite| rewrite.name.len()).max().unwrap_or_default();
    for rewrite in &shown.makes {
        let source = if rewrite.source.is_empty() { "a quirk" } else { rewrite.source };
        writeln!(out, "  {:<width$}  {} ({source})", rewrite.name, rewrite.note)?;
    }
    if shown.makes.is_empty() {
        writeln!(out, "  none")?;
    }
    if !shown.unseen.is_empty() {
        writeln!(
            out,
            "\nRewrites of which the survey cannot tell whether it makes them:\n  {}",
            shown.unseen.join(", ")
        )?;
    }
    for miss in &shown.misses {
        writeln!(out, "\nnot predicted: \"{}\" on \"{}\"", visible(&miss.reference), visible(&miss.base))?;
        writeln!(out, "  said       {}", said_by(&miss.said))?;
        writeln!(out, "  predicted  {}", said_by(&miss.predicted))?;
    }
    writeln!(out)?;
    for rate in &shown.rates {
        let missed = rate.asked - rate.predicted;
        writeln!(out, "{} of {} predicted: {} ({missed} missed)", rate.predicted, rate.asked, rate.pairs)?;
    }
    Ok(())
}

#[derive(Args)]
pub(super) struct Shrink {
    /// The reference
    #[arg(allow_hyphen_values = true)]
    reference: String,
    /// The base; without one it is unknown
    #[arg(long, default_value = "")]
    base: String,
    /// The engine
    #[arg(short, long, value_name = "ENGINE")]
    engine: String,
    /// The document to compare it with: a revision, or whatwg
    #[arg(short, long, value_name = "REVISION", default_value = "rfc3986", value_parser = super::a_reading)]
    revision: Reading,
    /// Write an issue to paste instead
    #[arg(long)]
    bug_report: bool,
}

pub(super) fn shrink(arguments: &Shrink, out: &mut dyn Write) -> Ended {
    /// A longer pair would be tried too often.
    const LONGEST: usize = 1 << 14;
    let Shrink { reference, base, revision: reading, .. } = arguments;
    if base.len() + reference.len() > LONGEST {
        let length = base.len() + reference.len();
        return Err(Failure::Input(format!("the pair is {length} bytes long, the limit is {LONGEST}: cut it first")));
    }
    let engine = super::an_engine(&arguments.engine)?;
    let known = known::profile_of(engine.as_ref());
    let subject = Subject::new(*reading, known.as_ref());
    let Some((base, reference)) = shrink::shrink(engine.as_ref(), &subject, base, reference) else {
        writeln!(out, "{} says what {} says: nothing to shrink", engine.name(), reading.id)?;
        return Ok(Finding::AsExpected);
    };
    if arguments.bug_report {
        let report = bug_report::write(engine.as_ref(), reading, known.as_ref(), &base, &reference);
        write!(out, "{}", report.unwrap_or_default())?;
        return Ok(Finding::AsExpected);
    }
    let said = ask(engine.as_ref(), &base, &reference);
    writeln!(out, "\"{}\" on \"{}\"", visible(&reference), visible(&base))?;
    writeln!(out, "  {}: {}", engine.name(), said_by(&said))?;
    writeln!(out, "  {}: {}", reading.id, said_by(&reading.says(&base, &reference)))?;
    if let Some(found) = subject.attribute(&base, &reference, &said) {
        writeln!(out, "  because {}", found.cause.key())?;
    }
    Ok(Finding::AsExpected)
}

#[derive(Subcommand)]
pub(super) enum KnownCommand {
    /// Compares what is known of engines with what they do: new, vanished, changed and unmatched entries all fail
    Check {
        /// Engines; without any, all of which something is known
        engines: Vec<String>,
        /// The folder with what is known; without one, what the program carries
        #[arg(long, value_name = "FOLDER")]
        from: Option<PathBuf>,
        /// How many pairs by chance to hold the bounds against
        #[arg(long, value_name = "N", default_value_t = 20_000)]
        wild: u64,
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

pub(super) fn known(command: &KnownCommand, out: &mut dyn Write) -> Ended {
    match command {
        KnownCommand::Check { engines, from, wild, format } => check(engines, from.as_deref(), *wild, *format, out),
        KnownCommand::Update { engines, out: folder } => update(engines, folder, out),
    }
}

/// The engines of these names; without names, the foreign ones.
fn foreign(names: &[String]) -> Result<Vec<Box<dyn Engine>>, Failure> {
    super::run::engines_or(names, |engine| engine.revision().is_none())
}

#[derive(Serialize)]
struct CheckedEngine {
    engine: String,
    #[serde(flatten)]
    checked: Checked,
}

fn check(names: &[String], from: Option<&Path>, wild: u64, format: Format, out: &mut dyn Write) -> Ended {
    let suite = Suite::embedded()?;
    let mut all = Vec::new();
    for engine in foreign(names)? {
        let known = match from {
            Some(folder) => {
                let path = folder.join(known::file_name(engine.name()));
                if names.is_empty() && !path.exists() { None } else { Some(Known::read(&path)?) }
            }
            None => known::of(engine.name())?.cloned(),
        };
        let Some(known) = known else {
            if names.is_empty() {
                continue;
            }
            let sentence = "nothing is known of it: run `urlstrata known update` with its name";
            return Err(Failure::Input(format!("{}: {sentence}", engine.name())));
        };
        let checked = known.check(engine.as_ref(), &suite, wild).map_err(Failure::Input)?;
        all.push(CheckedEngine { engine: engine.name().to_owned(), checked });
    }
    match format {
        Format::Json => write_json(&all, out)?,
        Format::Text => {
            for CheckedEngine { engine, checked } in &all {
                checked.findings.iter().try_for_each(|finding| writeln!(out, "{engine}: {finding}"))?;
                writeln!(
                    out,
                    "{engine}: {} pairs of the fixed suites, {} differ; {} pairs by chance; {} findings",
                    checked.cases,
                    checked.differing,
                    checked.wild,
                    checked.findings.len()
                )?;
            }
        }
    }
    let findings = || all.iter().flat_map(|it| &it.checked.findings);
    Ok(match findings().next() {
        None => Finding::AsExpected,
        Some(_) if findings().any(known::Finding::is_new) => Finding::NewDivergence,
        Some(_) => Finding::Stale,
    })
}

fn update(names: &[String], folder: &Path, out: &mut dyn Write) -> Ended {
    let unwritable = |path: &Path, error: &io::Error| {
        Failure::Usage(format!("{}: cannot be written: {error}; what was there is as it was", path.display()))
    };
    let suite = Suite::embedded()?;
    let survey = profile::survey(&suite);
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    for engine in foreign(names)? {
        let path = folder.join(known::file_name(engine.name()));
        let old = if path.exists() { Some(Known::read(&path)?) } else { None };
        let working = super::working(format!("fitting {}", engine.name()));
        let fitted = profile::fit(engine.as_ref(), &survey);
        let known = Known::observe(engine.as_ref(), &fitted, &suite, old.as_ref());
        working.finish_and_clear();
        write_whole(&path, &known.canonical()).map_err(|error| unwritable(&path, &error))?;
        let changed = if old.as_ref() == Some(&known) { "as it was" } else { "written anew, please review" };
        writeln!(
            out,
            "{}: {} departures from {}, {} exceptions: {changed}",
            path.display(),
            known.departures.len(),
            known.profile.nearest,
            known.exceptions.len()
        )?;
    }
    Ok(Finding::AsExpected)
}
