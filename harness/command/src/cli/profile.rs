//! `profile`: fits a behaviour to an engine, describes it, and measures how well it predicts the engine.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use urlstrata::revision::rfc3986;
use urlstrata_harness::behaviour::{ClassDescription, DecidedBy, Description, Differing, Predictions, Undetermined};
use urlstrata_harness::engine::ask_all;
use urlstrata_harness::engine::folder::BEHAVIOUR;
use urlstrata_harness::escape::visible;
use urlstrata_harness::fit::Unrepeatable;
use urlstrata_harness::knowledge::behaviours::{Fitted, RecordedBehaviour};
use urlstrata_harness::knowledge::known::file_name;
use urlstrata_harness::knowledge::measure::{HELD_OUT, Measured, RELIABLE, Share, decided, kinds};
use urlstrata_harness::knowledge::misses::{Miss, misses};
use urlstrata_harness::knowledge::stepped::Stepped;
use urlstrata_harness::plural::counted;
use urlstrata_harness::world::World;

use super::input::each_pair;
use super::output::{quoted, write_json};
use super::progress::{Counted, Progress};
use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
pub(super) struct Profile {
    /// Engine to fit a behaviour to
    engine: String,
    /// Measure the recorded behaviour of this version instead of fitting one
    #[arg(long)]
    recorded: bool,
    /// Also measure on the pairs of this file: lines of base TAB reference; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Number of random pairs on which to measure in addition to the held-out pairs of the panel
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    random: usize,
    /// Show up to this many kinds of pairs that are not predicted, most frequent first
    #[arg(long, value_name = "N", default_value_t = 20)]
    misses: usize,
    /// Also write the behaviour to a file in this folder; with --known FOLDER, other commands use it
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A fitted behaviour, as written in JSON.
#[derive(Serialize)]
struct Shown {
    engine: String,
    version: String,
    nearest: &'static str,
    /// The number of different pairs that the fit asked.
    questions: usize,
    /// The number of these for which the engine crashed or did not answer.
    unanswered: usize,
    /// The pairs for which the engine answered otherwise when it was asked again, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrepeatable: Option<Unrepeatable>,
    /// Whether at least 99% of the pairs of each kind are predicted.
    reliable: bool,
    rates: Vec<Share>,
    /// The accuracy by class of base, for results, and for failures.
    bases: Vec<Share>,
    /// The accuracy by class of base with its scheme. Other schemes were not asked.
    classes: Vec<Share>,
    behaviour: Description,
    /// Whether the behaviour is recorded, so that the questions of its fit are not known.
    #[serde(skip)]
    is_recorded: bool,
    /// For `http` bases with a host, the settings with other values that no question tells apart: no pair of the panel, and none of
    /// the fit unless the behaviour is recorded.
    undetermined: Undetermined,
    /// The number of pairs that are not predicted. `misses` lists their kinds, determined on at most [`SAMPLE`] of them.
    missed: usize,
    misses: Vec<Miss>,
}

/// The maximum number of pairs that are shrunk. Shrinking one pair takes some hundred calls of the engine.
const SAMPLE: usize = 400;

pub(super) fn profile(arguments: &Profile, world: &World, out: &mut dyn Write) -> Ended {
    let engine = super::select::an_engine(world, &arguments.engine)?;
    let panel = &world.folders()?.panel;
    let is_live = engine.panel().is_none();
    if !is_live && !arguments.recorded {
        let key = engine.key();
        let instead = match (world.recorded_behaviour(key), Stepped::of_key(key)) {
            (Some(_), _) => ", or measure its recorded behaviour with --recorded".to_owned(),
            (None, Some(_)) => format!(", or {}", steps_of(key)),
            (None, None) => String::new(),
        };
        return Err(Failure::Usage(format!(
            "{key} is recorded but not installed, and a fit needs answers that are not recorded: install it with urlstrata \
             engine install {key} --root DIR{instead}"
        )));
    }
    let mut finding = Finding::AsExpected;
    let given = match &arguments.pairs {
        Some(path) => distinct_pairs(path, &mut finding)?,
        None => Vec::new(),
    };
    let name = format!("{} {}", engine.name(), engine.version());
    let verb = if arguments.recorded { "measuring" } else { "fitting" };
    let progress = Progress::new(&format!("{verb} {name}"), "questions", None);
    let counted = Counted { engine: engine.as_ref(), progress: &progress };
    let fitted = match arguments.recorded {
        true => recorded(engine.key(), world)?,
        false => {
            // A second process shows whether the engine depends on earlier questions.
            let again = super::select::an_untried_engine(world, &arguments.engine)?.engine;
            Fitted::of(&counted, again.as_ref(), panel, &world.library()?).map_err(Failure::Engine)?
        }
    };
    let mut kinds = kinds(panel, arguments.random);
    // Other answers of a recording are predicted by the behaviour itself.
    kinds.truncate(if is_live { kinds.len() } else { 1 });
    kinds.extend((!given.is_empty()).then_some(("given pairs", given)));
    let measured = Measured::of(&fitted.behaviour, &counted, &kinds);
    let asked = fitted.asked.iter().map(|(base, reference)| (base.as_str(), reference.as_str()));
    let predictions = Predictions::of(&fitted.behaviour, panel.pairs().into_iter().chain(asked).collect());
    let decided = decided(&predictions, &ask_all(&counted, &panel.pairs()), &rfc3986::RULES);
    let mut misses = misses(&fitted.behaviour, &counted, &measured.missed, SAMPLE);
    misses.truncate(arguments.misses);
    drop(progress);
    if let Some(folder) = &arguments.out {
        let recorded = RecordedBehaviour::new(engine.name(), engine.version(), &fitted, &measured);
        let path = folder.join(file_name(engine.name())).with_extension(&BEHAVIOUR[1..]);
        let failed = |(path, error): (PathBuf, io::Error)| Failure::Usage(format!("{}: {error}", path.display()));
        urlstrata_harness::files::write_all(&[(path, recorded.canonical())]).map_err(failed)?;
    }
    let shown = Shown {
        engine: engine.name().to_owned(),
        version: engine.version().to_owned(),
        nearest: fitted.nearest.id,
        questions: fitted.questions,
        unanswered: fitted.unanswered,
        unrepeatable: fitted.unrepeatable.clone(),
        reliable: measured.is_reliable(),
        behaviour: fitted.behaviour.description(&decided, &rfc3986::RULES),
        is_recorded: arguments.recorded,
        undetermined: predictions.undetermined("http"),
        missed: measured.missed.len(),
        rates: measured.rates,
        bases: measured.bases,
        classes: measured.classes,
        misses,
    };
    match arguments.format {
        Format::Json => write_json(&shown, out)?,
        Format::Text => write_profile(&shown, out)?,
    }
    Ok(finding)
}

/// Returns how to see the steps of an engine.
fn steps_of(key: &str) -> String {
    format!("see its steps with urlstrata engine steps {key}")
}

/// Returns the recorded behaviour of the version with this key.
fn recorded(key: &str, world: &World) -> Result<Fitted, Failure> {
    let missing = || match Stepped::of_key(key) {
        Some(_) => format!("{key} is predicted by the steps of its source: {}", steps_of(key)),
        None => format!("no behaviour is recorded for {key}; without --recorded, one is fitted"),
    };
    let recorded = world.recorded_behaviour(key).ok_or_else(|| Failure::Usage(missing()))?;
    recorded.as_ref().try_into().map_err(Failure::Usage)
}

/// Returns the pairs of a file, sorted and without duplicates.
fn distinct_pairs(path: &Path, finding: &mut Finding) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs = BTreeSet::new();
    let take = |base: &str, reference: &str| {
        pairs.insert((base.to_owned(), reference.to_owned()));
        Ok(())
    };
    each_pair(path, take, finding)?;
    Ok(pairs.into_iter().collect())
}

fn write_profile(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let [engine, version] = [&shown.engine, &shown.version].map(|text| visible(text));
    let questions = counted(HumanCount(shown.questions as u64), "question", "questions");
    writeln!(out, "{engine} {version}: nearest specification {}, found by {questions}", shown.nearest)?;
    if shown.unanswered > 0 {
        let count = HumanCount(shown.unanswered as u64);
        writeln!(out, "It crashed or did not answer for {count} of them; these count as failures.")?;
    }
    if let Some(unrepeatable) = &shown.unrepeatable {
        writeln!(out, "It does not always return the same result: {unrepeatable}.")?;
    }
    writeln!(out)?;
    write_rates(shown, out)?;
    writeln!(out, "\nWhat differs from RFC 3986, as far as it decides about a pair of the panel:")?;
    let general = shown.behaviour.general.iter();
    general.enumerate().try_for_each(|(number, line)| {
        let head = if number == 0 { "\n  For all schemes:\n" } else { "" };
        writeln!(out, "{head}    {line}")
    })?;
    shown.behaviour.classes.iter().try_for_each(|class| write_class(class, out))?;
    if !shown.undetermined.is_empty() {
        let pair = if shown.is_recorded { "pair of the panel" } else { "pair of the panel or of the fit" };
        writeln!(out, "\nUndetermined for http bases with a host, because no {pair} tells the values apart:")?;
    }
    for (setting, others) in &shown.undetermined {
        writeln!(out, "  {setting}: could also be {}", others.join(" or "))?;
    }
    if !shown.misses.is_empty() {
        let of = counted(HumanCount(shown.missed as u64), "pair that is", "pairs that are");
        let sample = if shown.missed > SAMPLE { format!("a sample of the {of}") } else { format!("the {of}") };
        writeln!(out, "\nMost frequent kinds among {sample} not predicted, each by its smallest pair:")?;
    }
    for miss in &shown.misses {
        writeln!(out, "\n  {} × {} on {}", miss.count, quoted(&miss.reference), quoted(&miss.base))?;
        writeln!(out, "    {:<10} {}", "result", miss.returned)?;
        writeln!(out, "    {:<10} {}", "predicted", miss.predicted)?;
    }
    Ok(())
}

/// Writes settings, each with the pair that decides it.
fn write_settings(settings: &[Differing], indent: &str, out: &mut dyn Write) -> io::Result<()> {
    for Differing { question, sentence, decided_by, .. } in settings {
        let DecidedBy { base, reference, result, otherwise } = decided_by;
        writeln!(out, "{indent}{question} {sentence}")?;
        let [result, otherwise] =
            [result, otherwise].map(|url| url.as_deref().map_or_else(|| "failure".to_owned(), visible));
        writeln!(out, "{indent}  {} on {}: {result}, not {otherwise}", quoted(reference), quoted(base))?;
    }
    Ok(())
}

fn write_class(class: &ClassDescription, out: &mut dyn Write) -> io::Result<()> {
    let is_alike = class.settings.is_empty() && class.forms.is_empty() && class.characters_like.is_none();
    let is_alike = is_alike && class.tables.is_empty() && class.base_tables.is_empty();
    writeln!(out, "\n  {}:{}", class.schemes.join(", "), if is_alike { " nothing" } else { "" })?;
    write_settings(&class.settings, "    ", out)?;
    for (form, settings) in &class.forms {
        writeln!(out, "    For {form}:")?;
        write_settings(settings, "      ", out)?;
    }
    if let Some(like) = &class.characters_like {
        let except = if class.tables.is_empty() { "" } else { ", except:" };
        writeln!(out, "    Characters: as for {}{except}", like.join(", "))?;
    }
    for (head, tables) in [("", &class.tables), ("base: ", &class.base_tables)] {
        for (components, sentences) in tables {
            writeln!(out, "    {head}{}: {}", components.join(", "), sentences.join("; "))?;
        }
    }
    Ok(())
}

/// The minimum number of held-out pairs; a rate measured on fewer pairs is not meaningful.
const FEW: u64 = 100;

/// Writes the shares of pairs that the behaviour predicts, and a warning if it is not reliable.
fn write_rates(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    for rate in &shown.rates {
        let missed = HumanCount(rate.asked - rate.predicted);
        let (percent, asked) = (shown_percent(rate), HumanCount(rate.asked));
        writeln!(out, "  {percent:>7}  of {asked} {} predicted ({missed} missed)", rate.pairs)?;
    }
    writeln!(out, "\n  {:<17} {:>9} {:>9}", "among them", "pairs", "predicted")?;
    for share in &shown.bases {
        let (pairs, percent) = (HumanCount(share.asked).to_string(), shown_percent(share));
        writeln!(out, "  {:<17} {pairs:>9} {percent:>9}", share.pairs)?;
    }
    writeln!(out, "\n  {:>9} {:>9}  by class of base", "pairs", "predicted")?;
    for share in &shown.classes {
        let (pairs, percent) = (HumanCount(share.asked).to_string(), shown_percent(share));
        writeln!(out, "  {pairs:>9} {percent:>9}  {}", share.pairs)?;
    }
    let held_out = shown.rates.iter().find(|rate| rate.pairs == HELD_OUT).map_or(0, |rate| rate.asked);
    if held_out < FEW {
        let pairs = counted(held_out, "held-out pair", "held-out pairs");
        writeln!(out, "\n  Do not rely on this behaviour: it is measured on {pairs} only.")?;
    }
    if shown.reliable {
        return Ok(());
    }
    let mut weak: Vec<_> = shown.bases.iter().filter(|share| share.percent() < RELIABLE).collect();
    weak.sort_by(|one, other| one.percent().total_cmp(&other.percent()));
    let weak: Vec<_> = weak.iter().map(|share| format!("{} ({})", share.pairs, shown_percent(share))).collect();
    let kinds = if weak.is_empty() { String::new() } else { format!(" Weakest: {}.", weak.join(", ")) };
    writeln!(
        out,
        "\n  Do not rely on this behaviour: it predicts less than {RELIABLE}% of some kind of pairs, so causes are \
         missing for the others.{kinds}"
    )
}

/// Returns a share in percent with two decimals; 100 is written `100%`.
fn shown_percent(share: &Share) -> String {
    let percent = share.percent();
    if percent >= 100.0 { "100%".to_owned() } else { format!("{percent:.2}%") }
}
