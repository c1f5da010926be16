//! `resolve`: answers, without a judgement.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use urlstrata_harness::engine::{self, Engine, ask};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::survey::stream::{self, StreamError};

use super::input::{BadLines, each_line, name_of, open};
use super::progress::Progress;
use super::{Ended, Failure, Finding};

#[derive(Args)]
pub(super) struct Resolve {
    /// Who answers: a name that `engine list` shows, or `cmd:` and a program (`engine --help`)
    #[arg(long = "as", value_name = "ENGINE")]
    engine: String,
    /// The base; without one it is unknown
    #[arg(long, default_value = "")]
    base: String,
    /// Read requests of the engine protocol from standard input, and answer each with a line
    #[arg(long, conflicts_with_all = ["base", "reference"])]
    jsonl: bool,
    /// Resolve pairs instead: lines of base TAB reference, a line of output for each; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "reference", "jsonl"])]
    pairs: Option<PathBuf>,
    /// The references; without any they are read from standard input, one a line
    reference: Vec<String>,
}

pub(super) fn resolve(arguments: &Resolve, out: &mut dyn Write) -> Ended {
    let engine = super::select::an_engine(&arguments.engine)?;
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
            // Unlike `Display`, nothing is escaped.
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
    // Where results appear on the same terminal, they are the progress.
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
