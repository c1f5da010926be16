//! Arguments, exit codes, and what each command prints.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use indicatif::ProgressBar;
use urlstrata::revision::Revision;
use urlstrata_harness::world::World;
use urlstrata_harness::yaml::FileError;

mod characters;
mod compare;
mod coverage;
mod engine;
mod enumerate;
mod explain;
mod input;
mod known;
mod links;
mod output;
mod parse;
mod profile;
mod progress;
mod report;
mod resolve;
mod run;
mod select;
mod shrink;
mod validate;
mod vectors;

/// Which specification does a URL parser really follow, clause by clause?
#[derive(Parser)]
#[command(name = "urlstrata", version, after_help = EXITS)]
struct Arguments {
    /// A folder with known deviations, which `known update --out` writes: engines are explained by their profiles there
    #[arg(long, global = true, value_name = "FOLDER")]
    known: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

const EXITS: &str = "\
Exit codes:
  0   as expected
  1   a new divergence: an engine says what nothing known of it predicts
  2   bookkeeping is stale: a known divergence has vanished, changed, or matches nothing
  3   our own fault: a reference violates a vector, or the optimized engine differs from a reference
  64  usage, or a place that cannot be written
  65  bad input data
  69  an engine could not start, or is not believed
  70  internal";

#[derive(Subcommand)]
enum Command {
    /// Puts vectors, or pairs of your own, to engines, and judges what they say
    Run(run::Arguments),
    /// Runs everything and writes the reports
    Report {
        /// The folder to write into
        #[arg(long, default_value = "reports")]
        out: PathBuf,
    },
    /// Shows every revision's and engine's answer to one reference, and why they differ
    Explain(explain::Arguments),
    /// Resolves references and prints the answers, one a line
    Resolve(resolve::Resolve),
    /// Shows the base of each part of documents, and every link in them resolved
    Links(links::Arguments),
    /// Splits a URL into components under a document's own names, and into its scheme's fields
    Parse(parse::Arguments),
    /// Shows which class each document puts a character in, and what moved
    Characters(characters::Arguments),
    /// Says whether a document's grammar derives a URL, and where it stops doing so
    Validate(validate::Validate),
    /// Lists engines, tries one, or lets one speak the engine protocol
    #[command(subcommand)]
    Engine(engine::EngineCommand),
    /// Checks, formats and generates vector files
    #[command(subcommand)]
    Vectors(vectors::VectorsCommand),
    /// Shows which step of which document the vectors reach
    Coverage {
        /// Show this revision only
        #[arg(short, long, value_parser = select::a_revision)]
        revision: Vec<&'static Revision>,
    },
    /// Compares two engines, or an engine and a specification: on which pairs do they differ, in what, and why
    Compare(compare::Arguments),
    /// Puts every short reference to two engines, or to all revisions
    Enumerate(enumerate::Arguments),
    /// Fits the row of rules and the normalizations that predict an engine best, and says how well they do
    Profile(profile::Profile),
    /// Finds the smallest pair that differs for the same reason
    Shrink(shrink::Shrink),
    /// Checks or updates what is known of engines
    #[command(subcommand)]
    Known(known::KnownCommand),
}

/// How output is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For machines
    Json,
}

/// Why a command ended early.
enum Failure {
    /// 64: what was asked for cannot be done so.
    Usage(String),
    /// 65: what was given is not in order.
    Input(String),
    /// 69: an engine does not start, or is not to be believed.
    Engine(String),
    /// 70, or nothing at all where the reader of our output has gone.
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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(sentence) | Self::Input(sentence) | Self::Engine(sentence) => f.write_str(sentence),
            Self::Io(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
}

/// How a command that came to its end found things.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Finding {
    AsExpected,
    NewDivergence,
    Stale,
    BadInput,
    OwnFault,
}

type Ended = Result<Finding, Failure>;

/// What the last panic said, for the case that it was ours.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

pub(crate) fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let asked_for =
                matches!(error.kind(), clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion);
            let _ = error.print();
            return ExitCode::from(if asked_for { 0 } else { 64 });
        }
    };
    // An engine's panic is an outcome and is told as one; the default hook would write over the terminal.
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = panic.to_string().replace('\n', " ");
        }
    }));
    let mut out = BufWriter::new(io::stdout().lock());
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let ended = dispatch(&arguments, &mut out);
        out.flush().map_err(Failure::Io).and(ended)
    }));
    match ended {
        Ok(Ok(Finding::AsExpected)) => ExitCode::SUCCESS,
        Ok(Ok(Finding::NewDivergence)) => ExitCode::from(1),
        Ok(Ok(Finding::Stale)) => ExitCode::from(2),
        Ok(Ok(Finding::OwnFault)) => ExitCode::from(3),
        Ok(Ok(Finding::BadInput)) => ExitCode::from(65),
        Ok(Err(Failure::Io(error))) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            let _ = writeln!(io::stderr(), "urlstrata: {failure}");
            ExitCode::from(match failure {
                Failure::Usage(_) => 64,
                Failure::Input(_) => 65,
                Failure::Engine(_) => 69,
                Failure::Io(_) => 70,
            })
        }
        Err(_) => {
            let said = LAST_PANIC.lock().map(|last| last.clone()).unwrap_or_default();
            let _ = writeln!(io::stderr(), "urlstrata: an internal fault, please report it with what you ran: {said}");
            ExitCode::from(70)
        }
    }
}

fn dispatch(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let mut world = World::embedded()?;
    if let Some(folder) = &arguments.known {
        world = world.with_known(folder)?;
    }
    match &arguments.command {
        Command::Run(arguments) => run::run(arguments, world, out),
        Command::Report { out: folder } => report::report(folder, world, out),
        Command::Explain(arguments) => explain::explain(arguments, world, out),
        Command::Resolve(arguments) => resolve::resolve(arguments, out),
        Command::Links(arguments) => links::links(arguments, out),
        Command::Parse(arguments) => parse::parse(arguments, &world, out),
        Command::Characters(arguments) => characters::characters(arguments, out),
        Command::Validate(arguments) => validate::validate(arguments, out),
        Command::Engine(command) => engine::engine(command, out),
        Command::Vectors(command) => vectors::vectors(command, out),
        Command::Coverage { revision } => coverage::coverage(revision, &world, out),
        Command::Compare(arguments) => compare::compare(arguments, world, out),
        Command::Enumerate(arguments) => enumerate::enumerate(arguments, world, out),
        Command::Profile(arguments) => profile::profile(arguments, &world, out),
        Command::Shrink(arguments) => shrink::shrink(arguments, world, out),
        Command::Known(command) => known::known(command, arguments.known.as_deref(), &world, out),
    }
}

/// Says on a terminal's standard error that something takes its time.
fn working(message: impl Into<String>) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message.into());
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}
