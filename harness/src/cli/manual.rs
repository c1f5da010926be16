//! `completions` and `man`: files for shells and for `man`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;

use super::output::unwritable;
use super::{Arguments, Ended, Finding};

/// Writes the completions of `shell` to `out`.
pub(super) fn completions(shell: Shell, out: &mut dyn Write) -> Ended {
    let mut written = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "urlstrata", &mut written);
    out.write_all(&written)?;
    Ok(Finding::AsExpected)
}

/// Writes a manual page for the program and for each command into `folder`, and the completions of every shell.
pub(super) fn manual(folder: &Path, out: &mut dyn Write) -> Ended {
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let command = Arguments::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).map_err(|error| unwritable(folder, &error))?;
    let mut files: Vec<PathBuf> = Vec::new();
    for shell in Shell::value_variants() {
        let file = clap_complete::generate_to(*shell, &mut Arguments::command(), "urlstrata", folder);
        files.push(file.map_err(|error| unwritable(folder, &error))?);
    }
    let shells = files.len();
    writeln!(out, "{}: manual pages, and completions of {shells} shells", folder.display())?;
    Ok(Finding::AsExpected)
}
