//! `vectors`: checks, formats and generates vector files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use urlstrata::revision::Revision;
use urlstrata_harness::files::write_whole;
use urlstrata_harness::model::known;
use urlstrata_harness::plural::counted;
use urlstrata_harness::survey::witness;
use urlstrata_harness::vector::{Content, format_file, lint, wpt, yaml_below};
use urlstrata_harness::yaml::MAX_FILE;

use super::output::unwritable;
use super::select::a_revision;
use super::{Ended, Failure, Finding};

#[derive(Subcommand)]
pub(super) enum VectorsCommand {
    /// Check files and their canonical form
    Lint {
        /// Vector files or folders
        #[arg(default_value = "vectors")]
        paths: Vec<PathBuf>,
    },
    /// Write files in their canonical form
    Fmt {
        /// Vector files or folders
        #[arg(default_value = "vectors")]
        paths: Vec<PathBuf>,
    },
    /// Find the smallest pair for each rule, and write these pairs as vectors
    Witness {
        /// File to write
        #[arg(long, default_value = "vectors/witness/rules.yaml")]
        out: PathBuf,
    },
    /// Convert dated versions of urltestdata.json of web-platform-tests into vectors
    ImportWpt {
        /// REVISION=FILE: a version of urltestdata.json, and the revision whose results it has; oldest first
        #[arg(required = true, value_parser = dated)]
        versions: Vec<(&'static Revision, PathBuf)>,
        /// Repositories and commits of the files, cited in the vectors
        #[arg(long)]
        from: String,
        /// File to write
        #[arg(long, default_value = "vectors/history/wpt.yaml")]
        out: PathBuf,
    },
}

pub(super) fn vectors(command: &VectorsCommand, out: &mut dyn Write) -> Ended {
    match command {
        VectorsCommand::Lint { paths } => {
            let mut files = 0;
            let mut errors = 0;
            for path in below(paths)? {
                files += 1;
                let lint = if known::is_about_engine(&path) { known::lint } else { lint };
                if let Err(error) = lint(&path) {
                    errors += 1;
                    writeln!(out, "{error}")?;
                }
            }
            let found = counted(errors, "error", "errors");
            writeln!(out, "{}, {found}", counted(files, "file", "files"))?;
            Ok(if errors == 0 { Finding::AsExpected } else { Finding::BadInput })
        }
        VectorsCommand::Fmt { paths } => {
            let paths = below(paths)?;
            let mut changed = 0;
            for path in &paths {
                let written = if known::is_about_engine(path) { known::format_file } else { format_file };
                if written(path)? {
                    changed += 1;
                    writeln!(out, "{}", path.display())?;
                }
            }
            writeln!(out, "{}, {changed} rewritten", counted(paths.len(), "file", "files"))?;
            Ok(Finding::AsExpected)
        }
        VectorsCommand::Witness { out: path } => {
            let content = witness::vectors().map_err(|column| Failure::Input(format!("no pair shows {column}")))?;
            write_vectors(&content, path, out)
        }
        VectorsCommand::ImportWpt { versions, from, out: path } => {
            let read = |(revision, json): &(&'static Revision, PathBuf)| {
                let invalid = |why: String| Failure::Input(format!("{}: {why}", json.display()));
                let length = fs::metadata(json).map_err(|error| invalid(format!("cannot be read: {error}")))?.len();
                if length > MAX_FILE {
                    return Err(invalid(format!("{length} bytes long, the limit is {MAX_FILE}")));
                }
                let text = fs::read_to_string(json).map_err(|error| invalid(format!("cannot be read: {error}")))?;
                Ok((*revision, text))
            };
            let texts: Vec<_> = versions.iter().map(read).collect::<Result<_, _>>()?;
            let versions: Vec<_> = texts.iter().map(|(revision, json)| wpt::Dated { revision, json }).collect();
            write_vectors(&wpt::import(&versions, from).map_err(Failure::Input)?, path, out)
        }
    }
}

/// Reads `REVISION=FILE`.
fn dated(text: &str) -> Result<(&'static Revision, PathBuf), String> {
    let (id, file) = text.split_once('=').ok_or("expected REVISION=FILE")?;
    Ok((a_revision(id)?, PathBuf::from(file)))
}

fn below(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(yaml_below(path, true)?);
    }
    Ok(files)
}

fn write_vectors(content: &Content, path: &Path, out: &mut dyn Write) -> Ended {
    write_whole(path, &content.canonical()).map_err(|error| unwritable(path, &error))?;
    writeln!(out, "{}: {}", path.display(), counted(content.vectors.len(), "vector", "vectors"))?;
    Ok(Finding::AsExpected)
}
