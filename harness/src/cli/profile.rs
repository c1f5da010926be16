//! `profile`, `shrink` and `known`: what an engine is like, and the bookkeeping about it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use indicatif::HumanCount;
use serde::Serialize;
use urlstrata::rules;
use urlstrata_harness::attribute::{Difference, Subject};
use urlstrata_harness::engine::{Engine, ask};
use urlstrata_harness::known::{self, Checked, Known};
use urlstrata_harness::plural::counted;
use urlstrata_harness::profile::{self, BaseRate, Fitted, Miss, Rate, Reading, Selection};
use urlstrata_harness::rewrite::{Origin, Rewrite};
use urlstrata_harness::vector::Suite;
use urlstrata_harness::{bug_report, shrink, visible, write_whole};

use super::progress::{Counted, Progress};
use super::run::{each_pair, quoted, said_by, write_json};
use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
pub(super) struct Profile {
    /// The engine
    engine: String,
    /// Fit and measure only on the pairs of this file: lines of base TAB reference; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Fit and measure only on references with this base; may be repeated
    #[arg(long, value_name = "URL", conflicts_with = "pairs")]
    base: Vec<String>,
    /// Fit and measure only on bases with this scheme; may be repeated
    #[arg(long, value_name = "SCHEME")]
    scheme: Vec<String>,
    /// How many random pairs to predict besides
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    wild: u64,
    /// Show this many kinds of pairs that are not predicted, the most frequent first
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
    /// Whether at least 99% of the pairs of each kind are predicted.
    reliable: bool,
    rates: Vec<Rate>,
    by_base: Vec<BaseRate>,
    answers: Vec<AnswerShown>,
    makes: Vec<RewriteShown>,
    unseen: Vec<&'static str>,
    /// How many pairs are not predicted, and the kinds of a sample of them.
    missed: usize,
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

/// The most pairs that are shrunk: each costs some hundred questions.
const SAMPLE: usize = 400;

pub(super) fn profile(arguments: &Profile, out: &mut dyn Write) -> Ended {
    let engine = super::an_engine(&arguments.engine)?;
    let schemes = arguments.scheme.iter().map(|scheme| scheme.trim_end_matches(':').to_ascii_lowercase());
    let selection = Selection { bases: arguments.base.clone(), schemes: schemes.collect() };
    let mut finding = Finding::AsExpected;
    let pairs = selection.of(match &arguments.pairs {
        Some(path) => distinct_pairs(path, &mut finding)?,
        None => profile::survey(&Suite::embedded()?),
    });
    if pairs.is_empty() {
        let sentence = "no pair is left to fit a profile to: check --pairs, --base and --scheme";
        return Err(Failure::Input(sentence.to_owned()));
    }
    let name = format!("{} {}", engine.name(), engine.version());
    let mut fitted = {
        let progress = Progress::new(&format!("fitting {name}"), "questions", None);
        profile::fit(&Counted { engine: engine.as_ref(), progress: &progress }, &pairs)
    };
    let progress = Progress::new(&format!("predicting {name}"), "questions", None);
    let counted = Counted { engine: engine.as_ref(), progress: &progress };
    if arguments.pairs.is_none() {
        fitted.extend(profile::rates(&fitted.profile, &counted, arguments.wild, &selection));
    }
    let mut misses = profile::misses(&fitted.profile, &counted, &fitted.missed, SAMPLE);
    misses.truncate(arguments.misses);
    drop(progress);
    let shown = shown(engine.as_ref(), &fitted, misses);
    match arguments.format {
        Format::Json => write_json(&shown, out)?,
        Format::Text => write_profile(&shown, &fitted, out)?,
    }
    Ok(finding)
}

/// The pairs of a file, without those that occur again.
fn distinct_pairs(path: &Path, finding: &mut Finding) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs = BTreeSet::new();
    let take = |base: &str, reference: &str| {
        pairs.insert((base.to_owned(), reference.to_owned()));
        Ok(())
    };
    each_pair(path, take, finding)?;
    Ok(pairs.into_iter().collect())
}

fn shown(engine: &dyn Engine, fitted: &Fitted, misses: Vec<Miss>) -> Shown {
    let cite = fitted.nearest.cite_of_row();
    let answers = rules::ALL.iter().enumerate().map(|(index, column)| {
        let doubted = fitted.undetermined.iter().find(|(column, _)| *column == index);
        let answer = column.setting(&fitted.profile.rules);
        AnswerShown {
            column: column.name,
            answers: match doubted {
                Some((_, answers)) => answers.iter().map(|answer| column.settings[*answer].name).collect(),
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
        reliable: fitted.is_reliable(),
        rates: fitted.rates.clone(),
        by_base: fitted.by_base.iter().filter(|rate| rate.asked() > 0).cloned().collect(),
        answers: answers.collect(),
        makes: fitted.profile.rewrites.iter().map(rewrite).collect(),
        unseen: fitted.unseen.iter().map(|it| it.name()).collect(),
        missed: fitted.missed.len(),
        misses,
    }
}

fn write_profile(shown: &Shown, fitted: &Fitted, out: &mut dyn Write) -> io::Result<()> {
    let differences = Difference::between(&fitted.nearest.profile, &fitted.profile, &[]);
    let (count, nearest) = (counted(differences.len(), "difference", "differences"), shown.nearest);
    writeln!(
        out,
        "{} {}: closest specification {nearest}, {count}\n",
        visible(&shown.engine),
        visible(&shown.version)
    )?;
    write_rates(shown, out)?;
    if !differences.is_empty() {
        writeln!(out, "\nDifferences from {nearest}:")?;
    }
    let names: Vec<_> = differences.iter().map(Difference::name).collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    for (difference, name) in differences.iter().zip(&names) {
        let (note, source) = match difference {
            Difference::Answer(change) => (change.to().note(), change.to().sources().next().unwrap_or_default()),
            Difference::Makes(rewrite) if rewrite.origin() == Origin::Quirk => (rewrite.note(), "a quirk"),
            Difference::Makes(rewrite) | Difference::Leaves(rewrite) => (rewrite.note(), rewrite.source()),
        };
        let does_not = if matches!(difference, Difference::Leaves(_)) { "does not do this: " } else { "" };
        writeln!(out, "  {name:<width$}  {does_not}{note} ({source})")?;
    }
    writeln!(out, "\nRules:")?;
    let width = shown.answers.iter().map(|answer| answer.column.len()).max().unwrap_or_default();
    for answer in &shown.answers {
        match answer.determined {
            true => writeln!(out, "  {:<width$}  {} ({})", answer.column, answer.note, answer.source)?,
            false => writeln!(out, "  {:<width$}  undetermined: {}", answer.column, answer.answers.join(" or "))?,
        }
    }
    writeln!(out, "\nNormalizations and validations:")?;
    let width = shown.makes.iter().map(|rewrite| rewrite.name.len()).max().unwrap_or_default();
    for rewrite in &shown.makes {
        let source = if rewrite.source.is_empty() { "a quirk" } else { rewrite.source };
        writeln!(out, "  {:<width$}  {} ({source})", rewrite.name, rewrite.note)?;
    }
    if shown.makes.is_empty() {
        writeln!(out, "  none")?;
    }
    if !shown.unseen.is_empty() {
        writeln!(out, "\nNot observable on these pairs:\n  {}", shown.unseen.join(", "))?;
    }
    if !shown.misses.is_empty() {
        let of = counted(shown.missed, "pair that is", "pairs that are");
        let sample = if shown.missed > SAMPLE { format!("a sample of the {of}") } else { format!("the {of}") };
        writeln!(out, "\nMost frequent kinds among {sample} not predicted, each by its smallest pair:")?;
    }
    for miss in &shown.misses {
        writeln!(out, "\n  {} × {} on {}", miss.count, quoted(&miss.reference), quoted(&miss.base))?;
        writeln!(out, "    {:<10} {}", "result", said_by(&miss.said))?;
        writeln!(out, "    {:<10} {}", "predicted", said_by(&miss.predicted))?;
    }
    Ok(())
}

/// On fewer held-out pairs than these a rate says little.
const FEW: u64 = 100;

/// How far the profile can be trusted.
fn write_rates(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    for rate in &shown.rates {
        let missed = counted(HumanCount(rate.asked - rate.predicted), "missed", "missed");
        let (percent, asked) = (shown_percent(rate.percent()), HumanCount(rate.asked));
        writeln!(out, "  {percent:>7}  of {asked} {} predicted ({missed})", rate.pairs)?;
    }
    writeln!(out, "\n  {:<17} {:>9} {:>9} {:>9} {:>9}", "by class of base", "pairs", "all", "results", "failures")?;
    for rate in &shown.by_base {
        let asked = [rate.asked(), rate.results, rate.failures];
        let percents = rate.percents();
        let cell = |at: usize| if asked[at] == 0 { "-".to_owned() } else { shown_percent(percents[at]) };
        let (pairs, base) = (HumanCount(rate.asked()).to_string(), rate.base);
        writeln!(out, "  {base:<17} {pairs:>9} {:>9} {:>9} {:>9}", cell(0), cell(1), cell(2))?;
    }
    let held_out = shown.rates.iter().find(|rate| rate.pairs == profile::HELD_OUT).map_or(0, |rate| rate.asked);
    if held_out < FEW {
        let pairs = counted(held_out, "held-out pair", "held-out pairs");
        writeln!(out, "\n  Do not rely on this profile: it is measured on {pairs} only.")?;
    }
    if shown.reliable {
        return Ok(());
    }
    let weak = shown.by_base.iter().filter(|rate| rate.percents()[0] < profile::RELIABLE);
    let mut weak: Vec<_> = weak.collect();
    weak.sort_by(|one, other| one.percents()[0].total_cmp(&other.percents()[0]));
    let weak = weak.iter().map(|rate| format!("{} ({})", rate.base, shown_percent(rate.percents()[0])));
    let weak = weak.collect::<Vec<_>>().join(", ");
    let kinds = if weak.is_empty() { String::new() } else { format!(" Weakest: {weak}.") };
    writeln!(
        out,
        "\n  Do not rely on this profile: it predicts less than {}% of some kind of pairs, so causes are often missing.{kinds}",
        profile::RELIABLE
    )
}

/// A percentage with two decimals, but `100%` without.
fn shown_percent(percent: f64) -> String {
    if percent >= 100.0 { "100%".to_owned() } else { format!("{percent:.2}%") }
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
    /// Write an issue to paste instead, about the pair as given, with the smallest one at its end
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
    if arguments.bug_report {
        // The report ends with the smallest pair that shows the same.
        match bug_report::write(engine.as_ref(), reading, known.as_ref(), base, reference) {
            Some(report) => write!(out, "{report}")?,
            None => writeln!(out, "{} has the result of {}: nothing to report", engine.name(), reading.id)?,
        }
        return Ok(Finding::AsExpected);
    }
    let subject = Subject::new(*reading, known.as_ref());
    let Some((base, reference)) = shrink::shrink(engine.as_ref(), &subject, base, reference) else {
        writeln!(out, "{} has the result of {}: nothing to shrink", engine.name(), reading.id)?;
        return Ok(Finding::AsExpected);
    };
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
        /// How many random pairs to compare the listed frequencies with
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

fn check(names: &[String], from: Option<&Path>, wild: u64, format: Format, out: &mut dyn Write) -> Ended {
    let suite = Suite::embedded()?;
    let mut all = Vec::new();
    for engine in distinct(foreign(names)?)? {
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
        let progress = Progress::new(&format!("checking {}", engine.name()), "questions", None);
        let counted = Counted { engine: engine.as_ref(), progress: &progress };
        let checked = known.check(&counted, &suite, wild).map_err(Failure::Input)?;
        all.push(CheckedEngine { engine: engine.name().to_owned(), key: engine.key().to_owned(), checked });
    }
    match format {
        Format::Json => write_json(&all, out)?,
        Format::Text => {
            for CheckedEngine { engine, checked, .. } in &all {
                checked.findings.iter().try_for_each(|finding| writeln!(out, "{engine}: {finding}"))?;
                let found = counted(checked.findings.len(), "finding", "findings");
                let Checked { cases, differing, wild, .. } = checked;
                writeln!(
                    out,
                    "{engine}: {cases} pairs of the fixed suites, {differing} of them differ; {wild} random pairs; {found}"
                )?;
            }
        }
    }
    let stale: Vec<_> = all.iter().filter(|it| !it.checked.findings.is_empty()).map(|it| it.key.as_str()).collect();
    if !stale.is_empty() && format == Format::Text {
        let names: Vec<_> = stale.iter().filter_map(|key| shlex::try_quote(key).ok()).collect();
        let to = from.map_or_else(String::new, |folder| format!(" --out {}", folder.display()));
        writeln!(out, "To accept what was found: urlstrata known update{to} {}", names.join(" "))?;
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
    for engine in distinct(foreign(names)?)? {
        let path = folder.join(known::file_name(engine.name()));
        let old = if path.exists() { Some(Known::read(&path)?) } else { None };
        let progress = Progress::new(&format!("fitting {}", engine.name()), "questions", None);
        let asked = Counted { engine: engine.as_ref(), progress: &progress };
        let fitted = profile::fit(&asked, &survey);
        let known = Known::observe(&asked, &fitted, &suite, old.as_ref());
        drop(progress);
        write_whole(&path, &known.canonical()).map_err(|error| unwritable(&path, &error))?;
        let changed = if old.as_ref() == Some(&known) { "unchanged" } else { "written, please review" };
        writeln!(
            out,
            "{}: {} from {}, {}: {changed}",
            path.display(),
            counted(known.departures.len(), "difference", "differences"),
            known.profile.nearest,
            counted(known.exceptions.len(), "class of exceptions", "classes of exceptions"),
        )?;
    }
    Ok(Finding::AsExpected)
}
