//! `resolve`: answers, without a judgement.

use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use urlstrata_harness::engine::{self, Engine, ask};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::survey::stream::{self, StreamError};

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
            Outcome::Url(url) => writeln!(out, "{url}"),
            other => writeln!(out, "{}", super::output::said_by(&other)),
        }
    };
    if !arguments.reference.is_empty() {
        for reference in &arguments.reference {
            answer(reference)?;
        }
        return Ok(finding);
    }
    super::input::each_line(input, "standard input", |line| Ok(answer(line)?), &mut finding)?;
    Ok(finding)
}

fn resolve_pairs(engine: &dyn Engine, path: &Path, out: &mut dyn Write) -> Ended {
    /// More lines than these are counted only.
    const SAID: u64 = 10;
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let input: Box<dyn Read + Send> =
        if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(super::input::open_file(path)?) };
    // Where results appear on the same terminal, they are the progress.
    let progress = (!io::stdout().is_terminal()).then(|| Progress::new("resolving", "pairs", None));
    let mut bad = 0;
    let mut complain = |line: stream::Bad| {
        bad += 1;
        if bad <= SAID {
            let _ = writeln!(io::stderr(), "urlstrata: {name}:{}: {}: the line is skipped", line.line, line.why);
        }
    };
    let ended = stream::resolve_pairs(engine, input, out, &mut complain, &mut |lines| {
        progress.iter().for_each(|it| it.set(lines))
    });
    drop(progress);
    if bad > SAID {
        let _ = writeln!(io::stderr(), "urlstrata: {name}: {bad} lines are skipped in all");
    }
    match ended {
        Err(StreamError::Input(error)) => Err(Failure::Input(format!("{name}: cannot be read: {error}"))),
        Err(StreamError::Output(error)) => Err(Failure::Io(error)),
        Ok(()) if bad > 0 => Ok(Finding::BadInput),
        Ok(()) => Ok(Finding::AsExpected),
    }
}
