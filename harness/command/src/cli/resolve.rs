//! `resolve`: prints the results of an engine, without comparing them.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use urlstrata_harness::engine::{self, Engine, ask};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::survey::stream::{self, StreamError};
use urlstrata_harness::world::World;

use super::input::{BadLines, each_line, name_of, open};
use super::progress::Progress;
use super::{Ended, Failure, Finding};

#[derive(Args)]
pub(super) struct Resolve {
    /// Engine: a name that `engine list` shows, or `cmd:` and a command (see `engine --help`)
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
    /// References to resolve; default: the lines of standard input
    reference: Vec<String>,
}

pub(super) fn resolve(arguments: &Resolve, world: &World, out: &mut dyn Write) -> Ended {
    let engine = super::select::an_engine(world, &arguments.engine)?;
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
