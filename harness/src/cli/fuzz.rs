//! `fuzz`: what fuzzing looks for, and what it is looked for with.

use std::io::Write;

use clap::Subcommand;

use super::Ended;

mod export;

#[derive(Subcommand)]
pub(super) enum FuzzCommand {
    /// Writes what a fuzzing engine needs: inputs to begin with, a dictionary and limits for each target
    Export(export::Arguments),
}

pub(super) fn fuzz(command: &FuzzCommand, out: &mut dyn Write) -> Ended {
    match command {
        FuzzCommand::Export(arguments) => export::export(arguments, out),
    }
}

/// A target by its name, for an argument.
fn a_target(name: &str) -> Result<&'static urlstrata_harness::fuzz::Target, String> {
    urlstrata_harness::fuzz::Target::by_name(name)
}
