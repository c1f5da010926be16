//! `vectors`: checks, formats and generates vector files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use serde_json::Value;
use urlstrata::revision::Revision;
use urlstrata_harness::files::write_whole;
use urlstrata_harness::knowledge::known;
use urlstrata_harness::plural::counted;
use urlstrata_harness::survey::witness;
use urlstrata_harness::vector::{Content, Suite, export, format_file, lint, wpt, yaml_below};
use urlstrata_harness::world::World;
use urlstrata_harness::yaml::MAX_FILE;

use super::output::unwritable;
use super::select::{a_revision, a_specification};
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
    /// Write vectors for other projects, as JSON
    Export {
        /// Vector files or folders; default: the built-in vectors
        paths: Vec<PathBuf>,
        /// Format: rows of web-platform-tests' urltestdata.json with the results of one revision, or a line for each vector
        #[arg(long = "as", value_enum, value_name = "FORMAT")]
        form: Form,
        /// Revision of the rows; whatwg is the newest state of the URL Standard
        #[arg(short, long, value_name = "REVISION", required_if_eq("form", "wpt"), value_parser = a_resolving_revision)]
        revision: Option<&'static Revision>,
        /// Also write rows for vectors that expect nothing of the revision, with the result of its reference implementation
        #[arg(long, requires = "revision")]
        computed: bool,
        /// File to write; default: standard output
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
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

/// A format of exported vectors.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Form {
    /// A list of rows with input, base, and href or failure
    Wpt,
    /// A JSON object on a line for each vector, with the results of all revisions
    Jsonl,
}

pub(super) fn vectors(command: &VectorsCommand, world: &World, out: &mut dyn Write) -> Ended {
    match command {
        VectorsCommand::Export { paths, form, revision, computed, out: path } => {
            let read;
            let suite = if paths.is_empty() {
                world.suite()?
            } else {
                read = Suite::read(paths)?;
                &read
            };
            let text = match (form, revision) {
                (Form::Wpt, Some(revision)) => {
                    let rows: Vec<_> = export::wpt(suite, revision, *computed).iter().map(Value::to_string).collect();
                    format!("[\n{}\n]\n", rows.join(",\n"))
                }
                _ => export::lines(suite).map_err(Failure::Input)?.iter().map(|line| format!("{line}\n")).collect(),
            };
            let Some(path) = path else {
                out.write_all(text.as_bytes())?;
                return Ok(Finding::AsExpected);
            };
            write_whole(path, &text).map_err(|error| unwritable(path, &error))?;
            let rows = text.lines().filter(|line| line.starts_with('{')).count();
            writeln!(out, "{}: {}", path.display(), counted(rows, "vector", "vectors"))?;
            Ok(Finding::AsExpected)
        }
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

/// Returns the revision with this id, if it resolves references; `whatwg` is the newest state of the URL Standard.
fn a_resolving_revision(id: &str) -> Result<&'static Revision, String> {
    a_specification(id).map(|specification| specification.revision)
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
