//! `explain`: the results of every specification and engine for a reference, what libraries state and where clients connect, and the
//! causes of differences.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use urlstrata_harness::explain::{Explainer, Explanation, nothing_to_report};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::layout::Layout;
use urlstrata_harness::world::World;

use super::input::each_pair;
use super::output::{quoted, write_json, write_slots};
use super::select::{Fit, a_specification, complete, engines_or, with_recorded};
use super::{Ended, Failure, Finding, Format};

mod given;

use self::given::{Given, Shown, explain_given, explain_several};

#[derive(Args)]
pub(super) struct Arguments {
    /// Reference to resolve
    #[arg(required_unless_present = "pairs", conflicts_with = "pairs", allow_hyphen_values = true)]
    reference: Option<String>,
    /// Further references. Several references, or several bases, are listed side by side
    #[arg(value_name = "REFERENCE", conflicts_with = "pairs")]
    others: Vec<String>,
    /// Base; may be repeated; the default, an empty string, is an unknown base
    #[arg(long, conflicts_with = "pairs")]
    base: Vec<String>,
    #[command(flatten)]
    given: Given,
    /// Engine whose result is explained; may be repeated; default: the results of all engines without causes
    #[arg(short, long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,
    /// Specification to compare engines with: a revision, or whatwg; may be repeated; default: RFC 3986 and the
    /// specification closest to the engine
    #[arg(short, long, value_name = "REVISION", value_parser = a_specification)]
    revision: Vec<Specification>,
    /// Show the steps of this specification, each with its number, what it changes, and whether it decides; may be repeated
    #[arg(long = "as", value_name = "REVISION", value_parser = a_specification)]
    steps: Vec<Specification>,
    /// Show everything: all engines of a group, the hosts of results, and all causes
    #[arg(long)]
    all: bool,
    /// Append a bug report about this engine in Markdown
    #[arg(long, value_name = "ENGINE", conflicts_with = "pairs")]
    bug_report: Option<String>,
    /// Show every step of each revision of `-r`; without `-r`, the steps of consecutive revisions whose results differ, side by side. With
    /// `-e`, also show what the engines whose steps are known read and write, side by side
    #[arg(long)]
    trace: bool,
    /// Predict the results of all recorded engines by their behaviours, also for recorded pairs
    #[arg(long, conflicts_with = "engines")]
    predicted: bool,
    #[command(flatten)]
    fit: Fit,
    /// Output format; JSON has the same content as text
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Explain the pairs of this file: lines of base TAB reference; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
}

pub(super) fn explain(arguments: &Arguments, layout: Layout, world: World, out: &mut dyn Write) -> Ended {
    let reference = arguments.reference.as_deref().unwrap_or_default();
    let base = arguments.base.first().map_or("", String::as_str);
    let shown = Shown { layout, all: arguments.all, format: arguments.format };
    if arguments.base.len() > 1 || !arguments.others.is_empty() {
        return several(arguments, shown, world, out);
    }
    if arguments.given.is_any() {
        let (given, engines) = (&arguments.given, &arguments.engines);
        return explain_given(given, engines, (base, reference), shown, &world, out);
    }
    let mut finding = Finding::AsExpected;
    let has_engines = arguments.steps.is_empty() || !arguments.engines.is_empty();
    let engines = match has_engines {
        true => engines_or(&world, &arguments.engines, |engine| engine.revision().is_none())?,
        false => Vec::new(),
    };
    let world = complete(world, engines, &arguments.fit)?;
    let world = match (arguments.predicted, arguments.engines.is_empty() && has_engines) {
        (true, _) => world.with_predictions()?,
        (false, true) => with_recorded(world, &mut finding)?,
        (false, false) => world,
    };
    let mut world = world;
    if arguments.engines.is_empty() && has_engines {
        // Clients, and libraries that only split URLs.
        let others = world.engines_without_results()?;
        world.others.extend(others);
    }
    let mut explainer = Explainer::new(&world, &arguments.revision);
    let Some(path) = &arguments.pairs else {
        let mut explanation = traced(explainer.explain(base, reference), arguments, &world);
        explainer.add_observations(&mut explanation);
        explainer.add_known(&mut explanation)?;
        let reported = bug_report(&explainer, &mut explanation, &world, arguments)?;
        match arguments.format {
            Format::Json => write_json(&explanation, out)?,
            Format::Text => {
                write_text(&explanation, arguments, layout, out)?;
                writeln!(out, "{}", hints(&reported, arguments))?;
            }
        }
        return Ok(finding);
    };
    // The JSON output is an array. Each element is written as soon as it is computed.
    let mut separator = "[";
    let each = |base: &str, reference: &str| {
        let mut explanation = traced(explainer.explain(base, reference), arguments, &world);
        explainer.add_observations(&mut explanation);
        explainer.add_known(&mut explanation)?;
        match arguments.format {
            Format::Text => {
                writeln!(out, "{} on {}", quoted(reference), quoted(base))?;
                write_text(&explanation, arguments, layout, out)?;
                writeln!(out)?;
            }
            Format::Json => {
                writeln!(out, "{}", std::mem::replace(&mut separator, ","))?;
                serde_json::to_writer(&mut *out, &explanation).map_err(std::io::Error::from)?;
            }
        }
        Ok(())
    };
    each_pair(path, each, &mut finding)?;
    if arguments.format == Format::Json {
        writeln!(out, "{}]", if separator == "[" { "[" } else { "\n" })?;
    }
    Ok(finding)
}

/// Lists several references or bases side by side, with the engines that were named.
///
/// # Errors
///
/// Returns [`Failure::Usage`] if a result was given, which is that of a single pair.
fn several(arguments: &Arguments, shown: Shown, world: World, out: &mut dyn Write) -> Ended {
    if arguments.given.is_any() {
        let why = "--got, --expected and --by are about a single reference on a single base";
        return Err(Failure::Usage(why.to_owned()));
    }
    let engines =
        if arguments.engines.is_empty() { Vec::new() } else { engines_or(&world, &arguments.engines, |_| false)? };
    let world = complete(world, engines, &arguments.fit)?;
    let references: Vec<String> = arguments.reference.iter().chain(&arguments.others).cloned().collect();
    let bases = if arguments.base.is_empty() { vec![String::new()] } else { arguments.base.clone() };
    explain_several(&bases, &references, shown, &world, out)
}

fn traced(explanation: Explanation, arguments: &Arguments, world: &World) -> Explanation {
    let explanation = match arguments.trace {
        true => explanation.traced(world, &arguments.revision, !arguments.engines.is_empty()),
        false => explanation,
    };
    explanation.with_steps_of(arguments.steps.iter().map(|specification| specification.revision))
}

/// Writes the short text form, or the complete one with --all, and after it the steps and the bug report.
fn write_text(explanation: &Explanation, arguments: &Arguments, layout: Layout, out: &mut dyn Write) -> io::Result<()> {
    match arguments.all {
        true => write!(out, "{}", explanation.complete(layout))?,
        false => {
            let is_named = !arguments.engines.is_empty() || !arguments.steps.is_empty();
            let mut text = explanation.brief(layout, is_named).to_string();
            explanation.write_traces(&layout, &mut text).map_err(io::Error::other)?;
            out.write_all(text.as_bytes())?;
            explanation
                .bug_report
                .iter()
                .try_for_each(|report| write!(out, "\n  Bug report (Markdown):\n\n{report}"))?;
        }
    }
    explanation.slots.iter().try_for_each(|slots| write_slots(slots, &layout, out))
}

/// Adds a bug report to `explanation`, about the engine of `--bug-report` or, for JSON, the only `--engine`. Does nothing if there
/// is no such engine. Returns a sentence if there is nothing to report.
///
/// # Errors
///
/// Returns an error if the engine of `--bug-report` is not one of the engines that are compared.
fn bug_report(
    explainer: &Explainer<'_>,
    explanation: &mut Explanation,
    world: &World,
    arguments: &Arguments,
) -> Result<Option<String>, Failure> {
    let only = match arguments.engines.as_slice() {
        [only] if arguments.format == Format::Json => Some(only),
        _ => None,
    };
    let Some(name) = arguments.bug_report.as_ref().or(only) else { return Ok(None) };
    // The engines have the order of their arguments.
    let asked = arguments.engines.iter().position(|asked| asked == name);
    let is_named = |key: &str, own: &str| [key, own].contains(&name.as_str());
    let index = asked.or_else(|| world.engines.iter().position(|engine| is_named(engine.key(), engine.name())));
    let index = index.ok_or_else(|| Failure::Usage(format!("{name} is not one of the engines: name it with -e")))?;
    explainer.add_bug_report(explanation, world.engines[index].key());
    if explanation.bug_report.is_some() {
        return Ok(None);
    }
    Ok(Some(nothing_to_report(explanation, index)).filter(|sentence| !sentence.is_empty()))
}

/// Returns the lines after an explanation: `nothing_to_report`, and the options that would show more.
fn hints(nothing_to_report: &Option<String>, arguments: &Arguments) -> String {
    let nothing = nothing_to_report.iter().map(|sentence| format!("\n  {sentence}\n"));
    let engine = arguments.engines.is_empty().then_some("-e NAME explains an engine");
    let all = (!arguments.all).then_some("--all shows everything");
    let trace = (!arguments.trace && arguments.steps.is_empty()).then_some("--trace the steps");
    let more: Vec<&str> = [engine, all, trace].into_iter().flatten().collect();
    let more = if more.is_empty() { String::new() } else { format!("\n  More: {}\n", more.join(", ")) };
    nothing.chain([more]).collect()
}
