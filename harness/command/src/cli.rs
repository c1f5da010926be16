//! The command line: arguments, commands and exit codes.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use clap::{FromArgMatches, Parser, Subcommand, ValueEnum};
use indicatif::ProgressBar;
use urlstrata::revision::Revision;
use urlstrata_harness::engine::damaged_lines;
use urlstrata_harness::engine::installation::Root;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::world::{SelectError, World};
use urlstrata_harness::yaml::FileError;

mod characters;
mod checks;
mod compare;
mod confuse;
mod coverage;
mod engine;
mod enumerate;
mod examples;
mod explain;
mod hosts;
mod input;
mod known;
mod links;
mod manual;
mod output;
mod parse;
mod playground;
mod profile;
mod progress;
mod report;
mod resolve;
mod run;
mod select;
mod shrink;
mod validate;
mod vectors;

use output::{Colour, layout};

/// Compare URL engines, and explain their differences by the rules on which the specifications differ
#[derive(Parser)]
#[command(name = "urlstrata", version, after_help = EXITS)]
struct Arguments {
    /// Read known deviations from this folder, which `known update --out` writes; with behaviours,
    /// which `profile --out` writes
    #[arg(long, global = true, value_name = "FOLDER")]
    known: Option<PathBuf>,
    /// Use the engines that `engine install` installed in this folder instead of their recordings
    #[arg(long, global = true, value_name = "FOLDER", env = "URLSTRATA_ROOT")]
    root: Option<PathBuf>,
    /// Read engine folders from this folder instead of the built-in ones
    #[arg(long, global = true, value_name = "FOLDER")]
    engine_folders: Option<PathBuf>,
    /// When to write colours: if standard output is a terminal and NO_COLOR is not set, always, or never
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    color: Colour,
    #[command(subcommand)]
    command: Command,
}

const EXITS: &str = "\
Exit codes:
  0   as expected
  1   a new divergence, which no behaviour predicts and no list contains;
      `compare`, `confuse`, `hosts --agree` and `links --confusing`: different
  2   known deviations are out of date: fixed, changed or unused
  3   an internal failure: a reference implementation violates a vector, or the
      optimized engine differs from it
  64  usage, or output that cannot be created
  65  bad input data
  69  an engine could not start, failed the smoke test, or did not answer where an answer was needed
  70  an internal error";

#[derive(Subcommand)]
enum Command {
    /// Evaluate vectors, or pairs of your own: compare the results of engines with the expected ones
    Run(run::Arguments),
    /// Run everything and write the reports
    Report(report::Arguments),
    /// List the result of every specification and engine, and the causes of their differences
    Explain(explain::Arguments),
    /// List the scheme, host and port that each specification and engine sees in a URL
    Hosts(hosts::Arguments),
    /// Resolve references and print the results, one a line
    Resolve(resolve::Resolve),
    /// List the base and every resolved link of HTML, MIME and text documents, and of WARC files
    Links(links::Arguments),
    /// Split a URL into the components that a specification names, and into the fields of its scheme
    ///
    /// The exit code is 65 if the specification rejects the URL: the reason is the result.
    Parse(parse::Arguments),
    /// Show the class of a character in each specification, and which characters changed class
    Characters(characters::Arguments),
    /// Match URLs against a specification's grammar, and show the first error
    Validate(validate::Validate),
    /// List engines, run the smoke test, or serve an engine over the protocol
    #[command(subcommand)]
    Engine(engine::EngineCommand),
    /// Check, format and generate vector files
    #[command(subcommand)]
    Vectors(vectors::VectorsCommand),
    /// Find the smallest inputs on which an engine that checks URLs and one that fetches them see different hosts, by cause
    Confuse(confuse::Arguments),
    /// Count how many vectors reach each step and each production
    Coverage {
        /// Show only this revision; may be repeated
        #[arg(short, long, value_parser = select::a_revision)]
        revision: Vec<&'static Revision>,
    },
    /// List the pairs on which two engines, or an engine and a specification, differ, by cause
    Compare(compare::Arguments),
    /// Compare on every short reference: two engines, all revisions, or every form of the optimized engine
    Enumerate(enumerate::Arguments),
    /// Fit the behaviour that predicts an engine, and measure how well it does
    Profile(profile::Profile),
    /// Find the smallest pair that differs for the same reason
    Shrink(shrink::Shrink),
    /// Compare known deviations with what engines do now, or update them
    #[command(subcommand)]
    Known(known::KnownCommand),
    /// Print the completions of a shell
    Completions {
        /// The shell that reads them
        shell: clap_complete::Shell,
    },
    /// Write a manual page for each command, and the completions of every shell
    Man {
        /// Folder for the files
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
}

/// An output format.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Format {
    /// Human-readable text
    Text,
    /// JSON
    Json,
}

/// What two engines are asked.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Question {
    /// The components that they state for a URL
    Parse,
    /// The URL to which they resolve a pair
    Resolve,
    /// Where the clients connect for a URL, and what they send
    Connect,
    /// Where the clients go after a redirect
    Follow,
}

impl Question {
    /// Returns the operation of the engine protocol that asks the question.
    fn op(self) -> Op {
        match self {
            Self::Parse => Op::Parse,
            Self::Resolve => Op::Resolve,
            Self::Connect => Op::Connect,
            Self::Follow => Op::Follow,
        }
    }
}

/// An error that ends a command. Each variant has an exit code.
enum Failure {
    /// The arguments are not valid, or an output file cannot be written. Exit code 64.
    Usage(String),
    /// The input data are not valid. Exit code 65.
    Input(String),
    /// An engine could not start, failed the smoke test, or did not answer where an answer was needed. Exit code 69.
    Engine(String),
    /// The output cannot be written. Exit code 70, but 0 without a message if the reader closed the pipe.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<SelectError> for Failure {
    fn from(error: SelectError) -> Self {
        match error {
            SelectError::Name(sentence) => Self::Usage(sentence),
            SelectError::File(error) => error.into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(sentence) | Self::Input(sentence) | Self::Engine(sentence) => f.write_str(sentence),
            Self::Io(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
}

/// The outcome of a command that ran to completion. Each variant has an exit code.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Finding {
    AsExpected,
    NewDivergence,
    Stale,
    BadInput,
    InternalFailure,
}

type Ended = Result<Finding, Failure>;

/// The message if nothing differs, but one of two engines did not answer all that was given.
const UNANSWERED: &str = "not all was answered, so nothing is known of the rest: --root asks installed engines";

/// The message of the most recent panic, printed if the panic ends the command.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

pub(crate) fn main() -> ExitCode {
    let matches = examples::command().try_get_matches();
    let arguments = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => {
            use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
            let is_asked_for = matches!(error.kind(), DisplayHelp | DisplayVersion);
            if is_asked_for || error.kind() == DisplayHelpOnMissingArgumentOrSubcommand {
                let _ = error.print();
            } else {
                let _ = writeln!(io::stderr(), "urlstrata: {}", in_one_sentence(&error.to_string()));
            }
            return ExitCode::from(if is_asked_for { 0 } else { 64 });
        }
    };
    // A panic of an engine is caught and reported as an outcome. The default hook would also print it to the terminal.
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = panic.to_string().replace('\n', " ");
        }
    }));
    let mut out = BufWriter::new(io::stdout().lock());
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let ended = dispatch(&arguments, &mut out);
        let ended = out.flush().map_err(Failure::Io).and(ended)?;
        let damaged = damaged_lines();
        damaged.iter().for_each(|line| drop(writeln!(io::stderr(), "urlstrata: {line}: the pair is skipped")));
        Ok(if damaged.is_empty() { ended } else { Finding::BadInput })
    }));
    match ended {
        Ok(Ok(Finding::AsExpected)) => ExitCode::SUCCESS,
        Ok(Ok(Finding::NewDivergence)) => ExitCode::from(1),
        Ok(Ok(Finding::Stale)) => ExitCode::from(2),
        Ok(Ok(Finding::InternalFailure)) => ExitCode::from(3),
        Ok(Ok(Finding::BadInput)) => ExitCode::from(65),
        Ok(Err(Failure::Io(error))) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            let _ = writeln!(io::stderr(), "urlstrata: {failure}");
            checks::report_failure(&failure.to_string());
            ExitCode::from(match failure {
                Failure::Usage(_) => 64,
                Failure::Input(_) => 65,
                Failure::Engine(_) => 69,
                Failure::Io(_) => 70,
            })
        }
        Err(_) => {
            let message = LAST_PANIC.lock().map(|last| last.clone()).unwrap_or_default();
            let _ =
                writeln!(io::stderr(), "urlstrata: an internal error, please report it with the command: {message}");
            ExitCode::from(70)
        }
    }
}

/// Returns an error in arguments as one sentence: the first paragraph, and the tips.
fn in_one_sentence(error: &str) -> String {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut paragraphs = error.split("\n\n");
    let first = squeezed(paragraphs.next().unwrap_or_default().trim_start_matches("error: "));
    let rest = paragraphs.flat_map(str::lines).map(str::trim);
    let tips: String =
        rest.filter_map(|line| line.strip_prefix("tip: ")).map(|tip| format!("; {}", squeezed(tip))).collect();
    format!("{first}{tips}")
}

fn dispatch(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let mut world = World::embedded()?;
    if let Some(folder) = &arguments.known {
        world = world.with_known(folder)?;
    }
    if let Some(folder) = &arguments.engine_folders {
        world = world.with_folders(folder)?;
    }
    world = world.with_root(arguments.root.as_deref().map(Root::new).transpose()?);
    let layout = layout(arguments.color);
    match &arguments.command {
        Command::Run(arguments) => run::run(arguments, world, out),
        Command::Report(arguments) => report::report(arguments, world, out),
        Command::Explain(arguments) => explain::explain(arguments, layout, world, out),
        Command::Hosts(arguments) => hosts::hosts(arguments, layout, world, out),
        Command::Resolve(arguments) => resolve::resolve(arguments, &layout, &world, out),
        Command::Links(arguments) => links::links(arguments, world, out),
        Command::Parse(arguments) => parse::parse(arguments, out),
        Command::Characters(arguments) => characters::characters(arguments, &world, out),
        Command::Validate(arguments) => validate::validate(arguments, &layout, out),
        Command::Engine(command) => engine::engine(command, arguments.engine_folders.as_deref(), world, out),
        Command::Vectors(command) => vectors::vectors(command, &world, out),
        Command::Coverage { revision } => coverage::coverage(revision, &world, out),
        Command::Compare(arguments) => compare::compare(arguments, world, out),
        Command::Confuse(arguments) => confuse::confuse(arguments, world, out),
        Command::Enumerate(arguments) => enumerate::enumerate(arguments, world, out),
        Command::Profile(arguments) => profile::profile(arguments, &world, out),
        Command::Shrink(arguments) => shrink::shrink(arguments, world, out),
        Command::Known(command) => known::known(command, arguments.known.as_deref(), &world, out),
        Command::Completions { shell } => manual::completions(*shell, out),
        Command::Man { out: folder } => manual::manual(folder, out),
    }
}

/// Returns a spinner with `message`, drawn on standard error. Nothing is drawn if that is not a terminal.
fn working(message: impl Into<String>) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message.into());
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}
