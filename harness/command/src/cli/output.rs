//! Output that several commands share.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use clap::ValueEnum;
use comfy_table::{Cell, Color, ContentArrangement, LineStyle, Table, presets};
use serde::Serialize;
use urlstrata::Resolution;
use urlstrata_harness::engine::{Engine, Source};
use urlstrata_harness::escape::visible;
use urlstrata_harness::explain::slots::{SlotCell, SlotRow, SlotTrace};
use urlstrata_harness::knowledge::dated::ranges;
use urlstrata_harness::knowledge::results::Results;
use urlstrata_harness::layout::Layout;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::plural::counted;
use urlstrata_harness::survey::comparison::{ComparedPair, Comparison, Totals};
use urlstrata_harness::world::World;

use super::Failure;
use super::input::InputPair;

/// When output has colours.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(super) enum Colour {
    /// If standard output is a terminal and the variable NO_COLOR is not set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Returns the layout of standard output: the width of the terminal, or 80 columns if it is not a terminal.
pub(super) fn layout(colour: Colour) -> Layout {
    let size = terminal_size::terminal_size_of(io::stdout());
    let width = size.map_or(Layout::PLAIN.width, |(width, _)| usize::from(width.0).max(40));
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    let has_colour = match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb,
    };
    Layout { width, has_colour }
}

pub(super) fn write_json(found: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, found)?;
    writeln!(out)
}

pub(super) fn write_totals(
    engine: &str,
    version: &str,
    against: &str,
    totals: Totals,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Totals { cases, agree, .. } = totals;
    let cases = counted(cases, "case", "cases");
    let causes = causes(totals, "its");
    writeln!(out, "{} {} against {against}: {cases}, {agree} agree, {causes}", visible(engine), visible(version))
}

/// Returns the numbers of divergences with and without a cause in words, such as `3 explained, 1 unexplained`. `whose`
/// is the word before "behaviour".
pub(super) fn causes(totals: Totals, whose: &str) -> String {
    let Totals { explained, predicted, listed, outside, unexplained, unanswered, .. } = totals;
    let predicted = match predicted {
        0 => String::new(),
        predicted => format!("{predicted} predicted with an unknown cause, "),
    };
    let outside = if outside > 0 { format!("{outside} only outside {whose} behaviour, ") } else { String::new() };
    let listed = if listed > 0 { format!("{listed} listed without a cause, ") } else { String::new() };
    let unanswered = if unanswered > 0 { format!(", {unanswered} not answered") } else { String::new() };
    format!("{explained} explained, {predicted}{outside}{listed}{unexplained} unexplained{unanswered}")
}

/// Writes the totals, then each class with its cause, its smallest pair and the examples that were requested.
pub(super) fn write_comparison(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    write_totals(&comparison.engine, &comparison.version, &comparison.against, comparison.totals, out)?;
    for class in &comparison.classes {
        writeln!(out, "\n  {} × {} [{}]", class.count, class.cause, class.effect.name())?;
        for note in &class.notes {
            out.write_all(note.lines(&comparison.against, &comparison.engine).as_bytes())?;
        }
        for witness in std::iter::once(&class.witness).chain(&class.examples) {
            writeln!(out, "      {}", pair_of(witness))?;
            writeln!(out, "        {}: {}", visible(&comparison.engine), witness.engine)?;
            writeln!(out, "        {}: {}", visible(&comparison.against), witness.specification)?;
            if comparison.is_observed {
                let results = Results::new(&witness.base, &witness.reference);
                let observed = observation(&comparison.engine, &results, &witness.engine);
                observed.iter().try_for_each(|observed| writeln!(out, "        {observed}"))?;
            }
        }
    }
    Ok(())
}

/// Returns a pair in words, with the place where the reference is used if it is known.
pub(super) fn pair_of(witness: &ComparedPair) -> String {
    let place = witness.place.as_ref().map_or_else(String::new, |place| format!(" ({})", visible(place)));
    format!("{} on {}{place}", quoted(&witness.reference), quoted(&witness.base))
}

pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text))
}

pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("{}: cannot be written: {error}; existing files were left unchanged", path.display()))
}

/// Writes a table with a column for each side. Rows whose values differ are marked, and are yellow on a terminal.
pub(super) fn write_slots(slots: &SlotTrace, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(layout.width).unwrap_or(u16::MAX));
    if layout.has_colour {
        table.enforce_styling()
    } else {
        table.force_no_tty()
    };
    let names = slots.sides.iter().map(|name| visible(name));
    table.set_header(["", ""].map(str::to_owned).into_iter().chain(names));
    for SlotRow { slot, differs, cells } in &slots.rows {
        let cell = |text: String| match *differs && layout.has_colour {
            true => Cell::new(text).fg(Color::Yellow),
            false => Cell::new(text),
        };
        let head = [if *differs { "≠" } else { "" }, slot].map(str::to_owned);
        table.add_row(head.into_iter().chain(cells.iter().map(SlotCell::lines)).map(cell));
    }
    let results = slots.results.iter().map(Outcome::to_string);
    table.add_row(["", "returns"].map(str::to_owned).into_iter().chain(results));
    writeln!(out, "\n{table}")
}

/// Returns the name of a cause in words. If it is `unknown`, a cause was searched and not found.
pub(super) fn cause_in_words(cause: &str, unknown: bool) -> &str {
    if unknown { "not known" } else { cause.strip_prefix("unexplained: ").unwrap_or(cause) }
}

/// Returns which specifications have a result of an engine of which nothing else is known; `None` if it is not an answer.
pub(super) fn observation(name: &str, results: &Results<'_>, returned: &Outcome) -> Option<String> {
    if !returned.is_answer() {
        return None;
    }
    let is_same = |result: &Resolution| result.as_ref().ok().map(|target| target.url.as_str()) == returned.url();
    let same = results.all().filter(|(_, result)| is_same(result)).map(|(revision, _)| revision.id);
    let (name, ids) = (visible(name), ranges(same));
    Some(match (ids.is_empty(), returned.url()) {
        (true, _) => format!("observed: no specification has the result of {name}"),
        (false, Some(_)) => format!("observed: {name} has the result of {}", ids.join(", ")),
        (false, None) => format!("observed: {name} rejects what {} reject", ids.join(", ")),
    })
}

/// The pairs that engines without steps were not asked: their behaviours predict the results.
pub(super) struct PredictedPairs<'w> {
    world: &'w World,
    engines: Vec<PredictedEngine<'w>>,
}

struct PredictedEngine<'w> {
    engine: &'w dyn Engine,
    predicted: u64,
    /// The schemes of bases on which no behaviour was measured.
    schemes: BTreeSet<String>,
}

impl<'w> PredictedPairs<'w> {
    /// Creates an empty count for the engines of `world`.
    pub(super) fn new(world: &'w World) -> Self {
        let engines = world.engines.iter().map(AsRef::as_ref);
        let engines = engines.filter(|engine| engine.panel().is_some() && world.steps_of(*engine).is_none());
        let engines = engines.map(|engine| PredictedEngine { engine, predicted: 0, schemes: BTreeSet::new() });
        Self { world, engines: engines.collect() }
    }

    /// Counts those of `pairs` whose results are predicted.
    pub(super) fn add(&mut self, pairs: &[InputPair]) {
        for PredictedEngine { engine, predicted, schemes } in &mut self.engines {
            let is_predicted = |pair: &&InputPair| engine.source(&pair.base, &pair.reference) == Source::Predicted;
            for pair in pairs.iter().filter(is_predicted) {
                *predicted += 1;
                schemes.extend(self.world.scheme_not_measured(&pair.base));
            }
        }
    }

    /// Writes a line for each engine with predicted results.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for PredictedEngine { engine, predicted, schemes } in self.engines.iter().filter(|it| it.predicted > 0) {
            let name = format!("{} {}", visible(engine.name()), visible(engine.version()));
            let pairs = counted(*predicted, "pair is", "pairs are");
            let schemes: Vec<String> = schemes.iter().map(|scheme| visible(scheme)).collect();
            let never = match schemes.as_slice() {
                [] => String::new(),
                _ => format!("; no behaviour was measured on a base with the scheme {}", schemes.join(" or ")),
            };
            writeln!(out, "{name}: {pairs} not recorded, and its behaviour predicts the results{never}")?;
        }
        Ok(())
    }
}

/// Writes how to learn more about engines of which only results are known.
pub(super) fn write_remedy(unknown: &[&str], out: &mut dyn Write) -> io::Result<()> {
    if unknown.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = unknown.iter().map(|name| visible(name)).collect();
    writeln!(
        out,
        "Only results of {} are known: --fit fits a behaviour to them, and `urlstrata profile` describes it",
        names.join(" and ")
    )
}
