//! `enumerate`: compares engines or revisions on every short reference.

use std::io::{self, Write};

use clap::Args;
use urlstrata::revision;
use urlstrata_harness::knowledge::attribute::EnginePair;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::pairs::generate::{ALPHABET, BASES, DELIMITERS};
use urlstrata_harness::survey::enumerate::{Agreement, History, Scope, agreement, compare, compare_engines, history};
use urlstrata_harness::world::World;

use super::output::{write_comparison, write_json};
use super::progress::Progress;
use super::select::{Fit, Target, an_engine, complete, target};
use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
pub(super) struct Arguments {
    /// Only compare every form of the optimized engine with every reference implementation
    #[arg(long, conflicts_with = "engines")]
    agree: bool,
    /// Characters of the references; default: `a./;?#:%`, or `a./;?#:` with --agree
    #[arg(long, value_name = "CHARS")]
    alphabet: Option<String>,
    /// Maximum length of the references, in characters; default: 4, or 7 with --agree
    #[arg(long, value_name = "N")]
    length: Option<usize>,
    /// Base to resolve references against; may be repeated; default: 26 bases of different shapes
    #[arg(long, value_name = "URL")]
    base: Vec<String>,
    #[command(flatten)]
    fit: Fit,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Engine A, and another engine or a specification (a revision, or whatwg) B, to compare by cause; default: compare
    /// each revision with the next, and the optimized engine with every reference implementation
    #[arg(num_args = 2, value_names = ["A", "B"])]
    engines: Vec<String>,
}

pub(super) fn enumerate(arguments: &Arguments, world: World, out: &mut dyn Write) -> Ended {
    let (usual, longest) = if arguments.agree { (DELIMITERS, 7) } else { (ALPHABET, 4) };
    let alphabet = alphabet(arguments.alphabet.as_deref().unwrap_or(usual))?;
    let bases = if arguments.base.is_empty() { BASES.map(str::to_owned).to_vec() } else { arguments.base.clone() };
    let scope = Scope { alphabet, length: arguments.length.unwrap_or(longest), bases };
    let total = scope.references().map_err(Failure::Usage)?;
    let bar = Progress::new("enumerating", "references", Some(total));
    let progress = |done| bar.set(done);
    if arguments.agree {
        let found = agreement(&scope, &progress).map_err(Failure::Usage)?;
        match arguments.format {
            Format::Text => write_agreement(&found, out)?,
            Format::Json => write_json(&found, out)?,
        }
        return Ok(if found.disagreeing == 0 { Finding::AsExpected } else { Finding::InternalFailure });
    }
    if let [one, other] = arguments.engines.as_slice() {
        let target = match target(&world, other)? {
            // An implementation of ours is compared by the specification that it implements.
            Target::Engine(other) => match other.revision() {
                Some(revision) => Target::Specification(Specification::of(revision).ok_or_else(|| {
                    Failure::Usage(format!("{} does not define how references are resolved", revision.specification))
                })?),
                None => Target::Engine(other),
            },
            specification => specification,
        };
        let mut engines = vec![an_engine(&world, one)?];
        let found = match target {
            Target::Specification(specification) => {
                let world = complete(world, engines, &arguments.fit)?;
                let (one, model) = (&world.engines[0], world.models().remove(0));
                compare(&scope, one.as_ref(), &model, &[specification], &progress).map(|mut found| found.remove(0))
            }
            Target::Engine(other) => {
                engines.push(other);
                let world = complete(world, engines, &arguments.fit)?;
                let models = world.models();
                let engine_pair = EnginePair::new(models[0].clone(), models[1].clone());
                compare_engines(&scope, world.engines[0].as_ref(), world.engines[1].as_ref(), &engine_pair, &progress)
            }
        };
        let found = found.map_err(Failure::Usage)?;
        match arguments.format {
            Format::Text => write_comparison(&found, out)?,
            Format::Json => write_json(&found, out)?,
        }
        return Ok(if found.totals.new_divergences() > 0 { Finding::NewDivergence } else { Finding::AsExpected });
    }
    let found = history(&scope, &progress).map_err(Failure::Usage)?;
    match arguments.format {
        Format::Text => write_history(&found, out)?,
        Format::Json => write_json(&found, out)?,
    }
    Ok(if found.disagreeing == 0 { Finding::AsExpected } else { Finding::InternalFailure })
}

/// Returns the characters of an alphabet.
///
/// # Errors
///
/// Returns an error if a character occurs twice.
pub(super) fn alphabet(characters: &str) -> Result<Vec<char>, Failure> {
    let mut alphabet: Vec<char> = Vec::new();
    for character in characters.chars() {
        if alphabet.contains(&character) {
            return Err(Failure::Usage(format!("{character:?} occurs twice in the alphabet")));
        }
        alphabet.push(character);
    }
    Ok(alphabet)
}

fn write_agreement(found: &Agreement, out: &mut dyn Write) -> io::Result<()> {
    for form in &found.forms {
        writeln!(out, "{form}")?;
    }
    for (revision, form, base, reference) in &found.disagreements {
        writeln!(out, "{form} differs from {revision} on {reference:?} under {base:?}")?;
    }
    writeln!(
        out,
        "{} references, {} pairs, {} results of {} forms under {} revisions: {} disagreements with a reference",
        found.references,
        found.pairs,
        found.compared,
        found.forms.len(),
        revision::resolving().count(),
        found.disagreeing
    )
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
