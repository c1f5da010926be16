//! `enumerate`: every short reference.

use std::io::{self, Write};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use urlstrata_harness::engine;
use urlstrata_harness::enumerate::{History, Scope, compare, history};
use urlstrata_harness::generate::{ALPHABET, BASES};

use super::run::write_comparison;
use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
pub(super) struct Arguments {
    /// The characters that references are made of
    #[arg(long, value_name = "CHARS", default_value = ALPHABET)]
    alphabet: String,
    /// The longest reference
    #[arg(long, value_name = "N", default_value_t = 4)]
    length: usize,
    /// Bases to ask about; without any, 26 of every shape
    #[arg(long, value_name = "URL")]
    base: Vec<String>,
    /// For people or for machines
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Two engines, the second one of ours: differences by cause. Without any, every revision beside the next, and the
    /// optimized engine beside every reference
    #[arg(num_args = 2, value_names = ["A", "B"])]
    engines: Vec<String>,
}

pub(super) fn enumerate(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let mut alphabet: Vec<char> = Vec::new();
    for character in arguments.alphabet.chars() {
        if alphabet.contains(&character) {
            return Err(Failure::Usage(format!("{character:?} stands twice in the alphabet")));
        }
        alphabet.push(character);
    }
    let bases = if arguments.base.is_empty() { BASES.map(str::to_owned).to_vec() } else { arguments.base.clone() };
    let scope = Scope { alphabet, length: arguments.length, bases };
    let total = scope.references().map_err(Failure::Usage)?;
    let style = ProgressStyle::with_template("{bar:40} {percent}% of {human_len} references, {eta} left");
    let bar = ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let progress = |done| bar.set_position(done);
    if let [one, other] = arguments.engines.as_slice() {
        let one = engine::by_name(one).map_err(Failure::Usage)?;
        let other = engine::by_name(other).map_err(Failure::Usage)?;
        let revision = other.revision().filter(|revision| revision.rules.is_some()).ok_or_else(|| {
            Failure::Usage(format!("{}: differences are explained beside a revision: name one second", other.name()))
        })?;
        let found = compare(&scope, one.as_ref(), &[revision], &progress).map_err(Failure::Usage)?;
        let found = &found[0];
        bar.finish_and_clear();
        match arguments.format {
            Format::Text => write_comparison(found, out)?,
            Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(found).map_err(io::Error::from)?)?,
        }
        return Ok(Finding::AsExpected);
    }
    let found = history(&scope, &progress).map_err(Failure::Usage)?;
    bar.finish_and_clear();
    match arguments.format {
        Format::Text => write_history(&found, out)?,
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&found).map_err(io::Error::from)?)?,
    }
    Ok(if found.disagreeing == 0 { Finding::AsExpected } else { Finding::OwnFault })
}

fn write_history(found: &History, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{:<37} {:>12} {:>7}  {:>13}", "", "differ", "share", "same document")?;
    for (older, newer, differing) in &found.consecutive {
        let share = differing.results as f64 * 100.0 / found.pairs.max(1) as f64;
        let name = format!("{older} -> {newer}");
        writeln!(out, "{name:<37} {:>12} {share:>6.1}%  {:>13}", differing.results, differing.meanings)?;
    }
    for (revision, base, reference) in &found.disagreements {
        writeln!(out, "the optimized engine differs from {revision} on {reference:?} under {base:?}")?;
    }
    writeln!(
        out,
        "{} pairs, each under {} revisions: {} disagreements between the optimized engine and a reference",
        found.pairs,
        found.consecutive.len() + 1,
        found.disagreeing
    )
}
