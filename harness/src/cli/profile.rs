//! `profile`: fits a profile to an engine, and measures how well it predicts the engine.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use urlstrata::rules;
use urlstrata_harness::engine::Engine;
use urlstrata_harness::escape::visible;
use urlstrata_harness::model::attribute::Difference;
use urlstrata_harness::model::dated::{Followed, NotFollowed};
use urlstrata_harness::model::profile::{self, BaseRate, Fitted, KnownProfile, Miss, Rate, Selection};
use urlstrata_harness::normalize::{Normalization, Origin};
use urlstrata_harness::plural::counted;
use urlstrata_harness::world::World;

use super::input::each_pair;
use super::output::{quoted, write_json};
use super::progress::{Counted, Progress};
use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
pub(super) struct Profile {
    /// Engine to fit a profile to
    engine: String,
    /// Fit and measure only on the pairs of this file: lines of base TAB reference; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Fit and measure with this base instead of all others; may be repeated
    #[arg(long, value_name = "URL", conflicts_with = "pairs")]
    base: Vec<String>,
    /// Fit and measure only on pairs whose base has this scheme; may be repeated
    #[arg(long, value_name = "SCHEME")]
    scheme: Vec<String>,
    /// Number of random pairs on which to measure the profile in addition to the held-out pairs
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    random: u64,
    /// Show up to this many kinds of pairs that are not predicted, most frequent first
    #[arg(long, value_name = "N", default_value_t = 20)]
    misses: usize,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A fitted profile, as written in JSON.
#[derive(Serialize)]
struct Shown {
    engine: String,
    version: String,
    nearest: &'static str,
    /// The changes that the engine does not follow, if the nearest specification is a state of the URL Standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    followed: Option<Followed>,
    /// Whether at least 99% of the pairs of each kind are predicted.
    reliable: bool,
    rates: Vec<Rate>,
    by_base: Vec<BaseRate>,
    rules: Vec<ShownRule>,
    applied: Vec<ShownNormalization>,
    unobservable: Vec<&'static str>,
    /// The number of pairs that are not predicted. `misses` lists their kinds, determined on at most [`SAMPLE`] of
    /// them.
    missed: usize,
    misses: Vec<Miss>,
}

#[derive(Serialize)]
struct ShownRule {
    name: &'static str,
    /// The setting, or several settings if the training pairs cannot distinguish them.
    settings: Vec<&'static str>,
    determined: bool,
    note: &'static str,
    /// The section that describes the setting, preferably of the specification closest to the engine.
    source: &'static str,
}

#[derive(Serialize)]
struct ShownNormalization {
    name: &'static str,
    note: &'static str,
    source: &'static str,
}

/// The maximum number of pairs that are shrunk. Shrinking one pair takes some hundred calls of the engine.
const SAMPLE: usize = 400;

pub(super) fn profile(arguments: &Profile, world: &World, out: &mut dyn Write) -> Ended {
    let engine = super::select::an_engine(world, &arguments.engine)?;
    let schemes = arguments.scheme.iter().map(|scheme| scheme.trim_end_matches(':').to_ascii_lowercase());
    let selection = Selection { bases: arguments.base.clone(), schemes: schemes.collect() };
    let mut finding = Finding::AsExpected;
    let pairs = selection.of(match &arguments.pairs {
        Some(path) => distinct_pairs(path, &mut finding)?,
        None => profile::survey(world.suite()?),
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
        fitted.extend(profile::rates(&fitted.profile, &counted, arguments.random, &selection));
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

fn shown(engine: &dyn Engine, fitted: &Fitted, misses: Vec<Miss>) -> Shown {
    let cite = fitted.nearest.cite_of_rules();
    let rules = rules::ALL.iter().enumerate().map(|(index, rule)| {
        let doubted = fitted.undetermined.iter().find(|(rule, _)| *rule == index);
        let setting = rule.setting(&fitted.profile.rules);
        ShownRule {
            name: rule.name,
            settings: match doubted {
                Some((_, settings)) => settings.iter().map(|setting| rule.settings[*setting].name).collect(),
                None => vec![setting.name],
            },
            determined: doubted.is_none(),
            note: if doubted.is_none() { setting.note() } else { "" },
            source: if doubted.is_none() { setting.source(cite) } else { "" },
        }
    });
    let undetermined = fitted.undetermined.iter().map(|(rule, _)| *rule).collect();
    let normalization =
        |it: Normalization| ShownNormalization { name: it.name(), note: it.note(), source: it.source() };
    Shown {
        engine: engine.name().to_owned(),
        version: engine.version().to_owned(),
        nearest: fitted.nearest.id,
        followed: Followed::of(
            &fitted.nearest,
            &KnownProfile { undetermined, ..KnownProfile::certain(fitted.profile) },
        ),
        reliable: fitted.is_reliable(),
        rates: fitted.rates.clone(),
        by_base: fitted.by_base.iter().filter(|rate| rate.asked() > 0).cloned().collect(),
        rules: rules.collect(),
        applied: fitted.profile.normalizations.iter().map(normalization).collect(),
        unobservable: fitted.unobservable.iter().map(|it| it.name()).collect(),
        missed: fitted.missed.len(),
        misses,
    }
}

fn write_changes(title: &str, changes: &[NotFollowed], out: &mut dyn Write) -> io::Result<()> {
    if !changes.is_empty() {
        writeln!(out, "\n{title}:")?;
    }
    for NotFollowed { change, names } in changes {
        let (day, commit) = (change.day(), change.commit);
        writeln!(out, "  since {day} ({commit}): {} ({})", change.sentence, names.join(", "))?;
    }
    Ok(())
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
            Difference::Setting(change) => (change.to().note(), change.to().sources().next().unwrap_or_default()),
            Difference::Applied(normalization) if normalization.origin() == Origin::Quirk => {
                (normalization.note(), "a quirk")
            }
            Difference::Applied(normalization) | Difference::Omitted(normalization) => {
                (normalization.note(), normalization.source())
            }
        };
        let does_not = if matches!(difference, Difference::Omitted(_)) { "does not do this: " } else { "" };
        writeln!(out, "  {name:<width$}  {does_not}{note} ({source})")?;
    }
    if let Some(followed) = &shown.followed {
        write_changes("Older parts, in which it does not follow a change of the URL Standard", &followed.older, out)?;
        write_changes("Later changes of the URL Standard that it does not follow", &followed.later, out)?;
    }
    writeln!(out, "\nRules:")?;
    let width = shown.rules.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    for rule in &shown.rules {
        match rule.determined {
            true => writeln!(out, "  {:<width$}  {} ({})", rule.name, rule.note, rule.source)?,
            false => writeln!(out, "  {:<width$}  undetermined: {}", rule.name, rule.settings.join(" or "))?,
        }
    }
    writeln!(out, "\nNormalizations and validations:")?;
    let width = shown.applied.iter().map(|normalization| normalization.name.len()).max().unwrap_or_default();
    for normalization in &shown.applied {
        let source = if normalization.source.is_empty() { "a quirk" } else { normalization.source };
        writeln!(out, "  {:<width$}  {} ({source})", normalization.name, normalization.note)?;
    }
    if shown.applied.is_empty() {
        writeln!(out, "  none")?;
    }
    if !shown.unobservable.is_empty() {
        writeln!(out, "\nNot observable on these pairs:\n  {}", shown.unobservable.join(", "))?;
    }
    if !shown.misses.is_empty() {
        let of = counted(shown.missed, "pair that is", "pairs that are");
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

/// The minimum number of held-out pairs; a rate measured on fewer pairs is not meaningful.
const FEW: u64 = 100;

/// Writes the shares of pairs that the profile predicts, and a warning if it is not reliable.
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

/// Returns a percentage with two decimals; 100 is written `100%`.
fn shown_percent(percent: f64) -> String {
    if percent >= 100.0 { "100%".to_owned() } else { format!("{percent:.2}%") }
}
