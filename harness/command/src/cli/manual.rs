//! `completions` and `man`: files for shells and for `man`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap_complete::Shell;

use super::examples;
use super::output::unwritable;
use super::{Ended, Finding};

/// Writes the completions of `shell` to `out`.
pub(super) fn completions(shell: Shell, out: &mut dyn Write) -> Ended {
    let mut written = Vec::new();
    clap_complete::generate(shell, &mut examples::command(), "urlstrata", &mut written);
    out.write_all(&written)?;
    Ok(Finding::AsExpected)
}

/// Writes a manual page for the program and for each command into `folder`, and the completions of every shell.
pub(super) fn manual(folder: &Path, out: &mut dyn Write) -> Ended {
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let command = examples::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).map_err(|error| unwritable(folder, &error))?;
    name_exit_codes(folder).map_err(|error| unwritable(folder, &error))?;
    let mut files: Vec<PathBuf> = Vec::new();
    for shell in Shell::value_variants() {
        let file = clap_complete::generate_to(*shell, &mut examples::command(), "urlstrata", folder);
        files.push(file.map_err(|error| unwritable(folder, &error))?);
    }
    let shells = files.len();
    writeln!(out, "{}: manual pages, and completions of {shells} shells", folder.display())?;
    Ok(Finding::AsExpected)
}

/// Changes the manual pages in `folder`: the exit codes are in a section with the usual name, and keep their lines.
fn name_exit_codes(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "1") {
            let page = fs::read_to_string(&path)?;
            if let Some((before, after)) = page.split_once(".SH EXTRA\n") {
                let (codes, rest) = after.split_at(after.find("\n.SH ").map_or(after.len(), |at| at + 1));
                fs::write(path, format!("{before}.SH \"EXIT STATUS\"\n.nf\n{codes}.fi\n{rest}"))?;
            }
        }
    }
    Ok(())
}
