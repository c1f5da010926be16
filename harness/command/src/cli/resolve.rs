//! `resolve`: prints the results of an engine, without comparing them.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use urlstrata::revision::Revision;
use urlstrata_harness::engine::{self, Engine, ask};
use urlstrata_harness::escape::visible;
use urlstrata_harness::explain::RevisionSteps;
use urlstrata_harness::explain::slots::SlotTrace;
use urlstrata_harness::knowledge::later::remarks_on_pair;
use urlstrata_harness::knowledge::stepped::{Source, Stepped};
use urlstrata_harness::layout::Layout;
use urlstrata_harness::names::revision_named;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::survey::stream::{self, StreamError};
use urlstrata_harness::world::World;

use super::input::{BadLines, each_line, name_of, open};
use super::output::write_slots;
use super::progress::Progress;
use super::{Ended, Failure, Finding};

#[derive(Args)]
pub(super) struct Resolve {
    /// Engine: a name that `engine list` shows, or `cmd:` and a command (see `engine --help`); with --trace, a specification or an engine
    /// whose steps are known (`engine steps` lists them)
    #[arg(long = "as", value_name = "ENGINE")]
    engine: String,
    /// Base; the default, an empty string, is an unknown base
    #[arg(long, default_value = "")]
    base: String,
    /// Read requests of the engine protocol from standard input, and write a response line for each
    #[arg(long, conflicts_with_all = ["base", "reference"])]
    jsonl: bool,
    /// Resolve the pairs of this file: lines of base TAB reference, one line of output for each; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "reference", "jsonl"])]
    pairs: Option<PathBuf>,
    /// Show each step of a specification with its number, the state before and after it, and which steps decide, or what an engine reads and
    /// writes, and by which steps
    #[arg(long, conflicts_with_all = ["jsonl", "pairs"])]
    trace: bool,
    /// References to resolve; default: the lines of standard input
    reference: Vec<String>,
}

pub(super) fn resolve(arguments: &Resolve, layout: &Layout, world: &World, out: &mut dyn Write) -> Ended {
    let id = arguments.engine.strip_prefix("ref:").unwrap_or(&arguments.engine);
    let revision = revision_named(id).filter(|_| arguments.trace);
    let name = revision.map_or_else(|| arguments.engine.clone(), |revision| format!("ref:{}", revision.id));
    let engine = super::select::an_engine(world, &name)?;
    // The folders of engines are read only if they are needed.
    let steps = if arguments.trace { world.steps_of(engine.as_ref()).filter(Stepped::resolves) } else { None };
    if arguments.trace && revision.is_none() && steps.is_none() {
        let name = &arguments.engine;
        let remedy = "`engine steps` lists the engines with steps, and `engine list` the specifications";
        return Err(Failure::Usage(format!("the steps of {name} are not known: {remedy}")));
    }
    if let Some(path) = &arguments.pairs {
        return resolve_pairs(engine.as_ref(), path, out);
    }
    let input = io::stdin().lock();
    if arguments.jsonl {
        engine::answer_all(engine.as_ref(), input, &mut *out)?;
        return Ok(Finding::AsExpected);
    }
    let mut finding = Finding::AsExpected;
    let mut answer = |reference: &str| -> io::Result<()> {
        let pair = (arguments.base.as_str(), reference);
        if let Some(slots) = steps.as_ref().and_then(|steps| SlotTrace::of(&[Source::Engine(steps)], pair)) {
            write_slots(&slots, layout, out)?;
        }
        if let Some(revision) = revision {
            return write_steps(revision, pair, layout, out);
        }
        match ask(engine.as_ref(), &arguments.base, reference) {
            // Unlike `Display`, this does not escape any characters.
            Outcome::Url(url) => writeln!(out, "{url}"),
            other => writeln!(out, "{other}"),
        }
    };
    if !arguments.reference.is_empty() {
        for reference in &arguments.reference {
            answer(reference)?;
        }
        return Ok(finding);
    }
    each_line(input, "standard input", |line| Ok(answer(line)?), &mut finding)?;
    Ok(finding)
}

/// Writes the steps of a specification, its result, and what later standards state about the URLs.
fn write_steps(
    revision: &'static Revision,
    (base, reference): (&str, &str),
    layout: &Layout,
    out: &mut dyn Write,
) -> io::Result<()> {
    let steps = RevisionSteps::of(revision, base, reference);
    let mut text = String::new();
    steps.write((base, reference), layout, &mut text).map_err(io::Error::other)?;
    for remark in remarks_on_pair(base, reference, steps.result.url()) {
        let about = visible(&remark.about);
        text += &layout.wrapped("  ", 4, &format!("{about}: {} ({})", remark.sentence, remark.source()));
    }
    writeln!(out, "{text}\nresult {}", steps.result)
}

fn resolve_pairs(engine: &dyn Engine, path: &Path, out: &mut dyn Write) -> Ended {
    let input = open(path)?;
    // If standard output is a terminal, the results themselves show the progress.
    let progress = (!io::stdout().is_terminal()).then(|| Progress::new("resolving", "pairs", None));
    let (mut bad, mut finding) = (BadLines::of(name_of(path)), Finding::AsExpected);
    let mut report = |it: stream::BadLine| bad.report(it.line, &it.why);
    let ended = stream::resolve_pairs(engine, input, out, &mut report, &mut |lines| {
        progress.iter().for_each(|it| it.set(lines));
    });
    drop(progress);
    bad.finish(&mut finding);
    match ended {
        Err(StreamError::Input(error)) => Err(Failure::Input(format!("{}: cannot be read: {error}", name_of(path)))),
        Err(StreamError::Output(error)) => Err(Failure::Io(error)),
        Ok(()) => Ok(finding),
    }
}
