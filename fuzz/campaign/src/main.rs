//! `campaign`: runs fuzz targets in turn and keeps what they find.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use urlstrata_properties::{TARGETS, Target, inputs};

mod cargo_fuzz;
mod export;
mod file;
mod import;
mod run;
mod summary;

use summary::Summary;

/// Runs fuzz targets in turn and keeps what they find.
///
/// A fuzz target checks one property of urlstrata, or of the engines that it compares, on inputs that libFuzzer generates.
/// Run the program in the root of the repository.
#[derive(Parser)]
#[command(name = "campaign", version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  success; every property holds
  1  an input violates a property, or a target ended early
  2  wrong arguments, unreadable input, or output that cannot be written";

#[derive(Subcommand)]
enum Command {
    /// Run targets, shrink what they find, merge their corpora, and write the kept inputs and the summary
    Run(run::Arguments),
    /// Shrink inputs that violate a property, and add them to the vectors and to the kept inputs
    Import(import::Arguments),
    /// Write the seeds, the dictionary and the limits of targets for another fuzzing engine
    Export(export::Arguments),
    /// Write the summary page from the results of the last campaigns
    Summary(Folders),
}

/// The folders that a command reads and writes.
#[derive(Args)]
struct Folders {
    /// The folder of the fuzz targets
    #[arg(long, value_name = "FOLDER", default_value = "fuzz")]
    folder: PathBuf,
    /// The folder of the reports, for the summary page
    #[arg(long, value_name = "FOLDER", default_value = "reports")]
    reports: PathBuf,
}

impl Folders {
    fn summary(&self) -> PathBuf {
        self.folder.join("campaign.json")
    }

    fn page(&self) -> PathBuf {
        self.reports.join("campaign.md")
    }

    fn inputs(&self) -> PathBuf {
        self.folder.join("inputs")
    }
}

/// A sentence for the user: the place and the problem.
type Failure = Box<dyn Error>;

fn main() -> ExitCode {
    // The panic of an engine is one of its results; without this hook it would be printed.
    std::panic::set_hook(Box::new(|panic| {
        if !urlstrata_harness::engine::is_asked() {
            eprintln!("{panic}");
        }
    }));
    let result = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Import(arguments) => import::import(&arguments).map(|()| true),
        Command::Export(arguments) => export::export(&arguments).map(|()| true),
        Command::Summary(folders) => {
            Summary::read(&folders.summary()).and_then(|summary| summary.write_page(&folders.page())).map(|()| true)
        }
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(failure) => {
            eprintln!("campaign: {failure}");
            ExitCode::from(2)
        }
    }
}

/// Returns the targets that an argument names; all of them if it names none.
fn selected(targets: &[&'static Target]) -> Vec<&'static Target> {
    if targets.is_empty() { TARGETS.iter().collect() } else { targets.to_vec() }
}

fn kept_inputs_path(folder: &Path, target: &str) -> PathBuf {
    folder.join(format!("{target}.txt"))
}

/// Reads the kept inputs of a target; there are none without a file.
fn read_kept_inputs(folder: &Path, target: &str) -> Result<Vec<Vec<u8>>, Failure> {
    let path = kept_inputs_path(folder, target);
    if !path.exists() {
        return Ok(Vec::new());
    }
    inputs::decode(&file::read_to_string(&path)?).map_err(|why| format!("{}: {why}", path.display()).into())
}

fn write_kept_inputs(folder: &Path, target: &str, kept: &[Vec<u8>]) -> Result<(), Failure> {
    file::create_folder(folder)?;
    file::write(&kept_inputs_path(folder, target), inputs::encode(kept))
}
