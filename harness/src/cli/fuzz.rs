//! `fuzz`: campaigns, and what other fuzzing engines are started with.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use clap::{Args, Subcommand};
use urlstrata_harness::fuzz::{Target, inputs};

use super::{Ended, Failure};

mod campaign;
mod export;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<FuzzCommand>,
    #[command(flatten)]
    campaign: campaign::Arguments,
}

#[derive(Subcommand)]
enum FuzzCommand {
    /// Writes what a fuzzing engine needs: inputs to begin with, a dictionary and limits for each target
    Export(export::Arguments),
}

pub(super) fn fuzz(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    match &arguments.command {
        Some(FuzzCommand::Export(arguments)) => export::export(arguments, out),
        None => campaign::campaign(&arguments.campaign, out),
    }
}

/// A target by its name, for an argument.
pub(super) fn a_target(name: &str) -> Result<&'static Target, String> {
    Target::by_name(name)
}

/// The inputs that campaigns kept: none, where there is no such file.
pub(super) fn kept_inputs(path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let said = |sentence| Failure::Input(format!("{}: {sentence}", path.display()));
    match fs::read_to_string(path) {
        Ok(text) => inputs::read(&text).map_err(said),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(said(format!("cannot be read: {error}"))),
    }
}
