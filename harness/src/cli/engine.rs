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
const PROGRAMS: &str = r#"A program in any language is an engine if it speaks the engine protocol: one JSON object a line on standard input and output. Name it wherever an engine is named, with its arguments, quoted as for a shell: -e "cmd:python3 shim.py", or -e "py=cmd:python3 shim.py" to give it a name. It writes the first line, and then answers each request once, in any order; up to 64 requests are open at a time. Requests are ASCII, answers may be UTF-8:

  engine   {"protocol":1,"engine":"urllib.parse","version":"3.11.7","ops":["resolve"]}
  harness  {"id":1,"op":"resolve","base":"http://a/b/c","reference":"../g"}
  engine   {"id":1,"url":"http://a/g"}
       or  {"id":1,"failure":"no scheme"}       the library rejects the input: this is an answer
       or  {"id":1,"bytes":"687474703a2f2f61"}  the URL as bytes in hexadecimal, if the library returns bytes
       or  {"id":1,"unrepresentable":"NUL"}     the library cannot be called with this input
       or  {"id":1,"skipped":"out of order"}    not an answer, with a reason
  harness  {"id":2,"op":"parse","url":"http://a/g"}
  engine   {"id":2,"parts":{"scheme":"http","host":"a","path":"/g","query":null}}

The first line may also have "native" (the call in the library's language), "mode", "lineage" (the parser, if several libraries share it) and "options". An unknown base is empty. An engine is asked only for the operations that it lists; only `engine serve` and `resolve --jsonl` ask for "parse".

The program must not change anything that its library does not: no trimming, no lower case, no encoding. Standard error is free for notes; it is shown after a crash. The program ends when its input ends. It has ten seconds for its first line and five seconds for each answer; after a crash or a timeout it is started again, and the requests that were open are asked one at a time. It must pass `engine smoke` before its results are used."#;

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
