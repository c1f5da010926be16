//! `engine`: lists, tests and serves engines.

use std::io::{self, Write};

use clap::Subcommand;
use urlstrata_harness::engine::{self, Passed};
use urlstrata_harness::escape::visible;

use super::{Ended, Failure, Finding};

#[derive(Subcommand)]
#[command(after_long_help = PROGRAMS)]
pub(super) enum EngineCommand {
    /// List the engines in this process with their versions
    List,
    /// Run the smoke test of an engine: twelve pairs on which all specifications agree
    Smoke {
        /// Engine: a name that `engine list` shows, or `cmd:` and a command
        name: String,
    },
    /// Serve an engine over the engine protocol, on standard input and output
    Serve {
        /// Engine: a name that `engine list` shows, or `cmd:` and a command
        name: String,
    },
}

// Each paragraph is one line, because clap wraps it at the width of the terminal.
const PROGRAMS: &str = r#"An engine of your own, in any language, is a program that speaks the engine protocol: one JSON object a line on standard input and output. Name it wherever an engine is named, with its arguments, quoted as for a shell: -e "cmd:python3 shim.py". It speaks first, and then answers each request once, in any order:

  says   {"protocol":1,"engine":"urllib.parse","version":"3.11.7","ops":["resolve"]}
  reads  {"id":1,"op":"resolve","base":"http://a/b/c","reference":"../g"}
  says   {"id":1,"url":"http://a/g"}
     or  {"id":1,"failure":"no scheme"}       an answer: it will not have this input
     or  {"id":1,"skipped":"out of order"}    no answer, with a reason
  reads  {"id":2,"op":"parse","url":"http://a/g"}
  says   {"id":2,"parts":{"scheme":"http","host":"a","path":"/g","query":null}}

An unknown base is empty. Who has no "parse" among its "ops" is not asked for it; only `engine serve` and `resolve --jsonl` ask.

It changes nothing that its library does not: no trimming, no lower case, no encoding. Standard error is free for notes, and is shown if it crashes. It ends when its input ends. It has ten seconds to say hello and five for an answer; after a crash or a late answer it is started again for the next request. It has to pass `engine smoke` before it is believed."#;

pub(super) fn engine(command: &EngineCommand, out: &mut dyn Write) -> Ended {
    match command {
        EngineCommand::List => {
            let engines = engine::all();
            let width = engines.iter().map(|engine| engine.name().len()).max().unwrap_or_default();
            for engine in &engines {
                let what = engine.revision().map_or("", |revision| revision.specification);
                writeln!(out, "{}", format!("{:<width$}  {:<6} {what}", engine.name(), engine.version()).trim_end())?;
            }
        }
        EngineCommand::Smoke { name } => {
            let engine = super::select::an_untried_engine(name)?;
            let Passed { pairs, deviations } = engine::smoke(engine.as_ref()).map_err(Failure::Engine)?;
            let alike = pairs - deviations.len();
            let (title, version) = (visible(engine.name()), visible(engine.version()));
            writeln!(out, "{title} {version}: {alike} of {pairs} plain pairs as in every specification")?;
            deviations.iter().try_for_each(|deviation| writeln!(out, "  {deviation}"))?;
        }
        EngineCommand::Serve { name } => {
            let engine = super::select::an_engine(name)?;
            engine::serve(engine.as_ref(), io::stdin().lock(), &mut *out)?;
        }
    }
    Ok(Finding::AsExpected)
}
