//! `vectors`, `coverage` and `report`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use urlstrata::revision::Revision;
use urlstrata_harness::plural::counted;
use urlstrata_harness::vector::{Content, MAX_FILE, Suite, canonical, format_file, lint, yaml_below};
use urlstrata_harness::{coverage, known, report, witness, wpt, write_all, write_whole};

use super::{Ended, Failure, Finding};

#[derive(Subcommand)]
pub(super) enum VectorsCommand {
    /// Checks files and their canonical form
    Lint {
        /// Files or folders
        #[arg(default_value = "vectors")]
        paths: Vec<PathBuf>,
    },
    /// Writes files in their canonical form
    Fmt {
        /// Files or folders
        #[arg(default_value = "vectors")]
        paths: Vec<PathBuf>,
    },
    /// Finds the smallest pair for each column, and writes them as vectors
    Witness {
        /// The file to write
        #[arg(long, default_value = "vectors/witness/columns.yaml")]
        out: PathBuf,
    },
    /// Turns the urltestdata.json of web-platform-tests into vectors
    ImportWpt {
        /// The file, as a package or repository carries it
        json: PathBuf,
        /// Which package or repository that is
        #[arg(long, default_value = "the tests of the url crate")]
        from: String,
        /// The file to write
        #[arg(long, default_value = "vectors/history/wpt.yaml")]
        out: PathBuf,
    },
}

pub(super) fn vectors(command: &VectorsCommand, out: &mut dyn Write) -> Ended {
    match command {
        VectorsCommand::Lint { paths } => {
            let mut files = 0;
            let mut faults = 0;
            for path in below(paths)? {
                files += 1;
                let found = match known::is_about_engine(&path) {
                    true => known::lint(&path).map(|()| Vec::new()),
                    false => lint(&path),
                };
                let found = found.unwrap_or_else(|error| vec![error]);
                for fault in found {
                    faults += 1;
                    writeln!(out, "{fault}")?;
                }
            }
            let found = counted(faults, "fault", "faults");
            writeln!(out, "{}, {found}", counted(files, "file", "files"))?;
            Ok(if faults == 0 { Finding::AsExpected } else { Finding::BadInput })
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
            writeln!(out, "{}, {changed} written anew", counted(paths.len(), "file", "files"))?;
            Ok(Finding::AsExpected)
        }
        VectorsCommand::Witness { out: path } => {
            let content = witness::vectors().map_err(|column| Failure::Input(format!("no pair shows {column}")))?;
            write_vectors(&content, path, out)
        }
        VectorsCommand::ImportWpt { json, from, out: path } => {
            let fault = |why: String| Failure::Input(format!("{}: {why}", json.display()));
            let length = fs::metadata(json).map_err(|error| fault(format!("cannot be read: {error}")))?.len();
            if length > MAX_FILE {
                return Err(fault(format!("{length} bytes long, the limit is {MAX_FILE}")));
            }
            let text = fs::read_to_string(json).map_err(|error| fault(format!("cannot be read: {error}")))?;
            let content = wpt::import(&text, from).map_err(fault)?;
            write_vectors(&content, path, out)
        }
    }
}

fn below(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(yaml_below(path, true)?);
    }
    Ok(files)
}

fn write_vectors(content: &Content, path: &Path, out: &mut dyn Write) -> Ended {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    write_whole(path, &canonical(content)).map_err(|error| unwritable(path, &error))?;
    writeln!(out, "{}: {}", path.display(), counted(content.vectors.len(), "vector", "vectors"))?;
    Ok(Finding::AsExpected)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("{}: cannot be written: {error}; what was there is as it was", path.display()))
}

pub(super) fn coverage(revisions: &[&Revision], out: &mut dyn Write) -> Ended {
    let suite = Suite::embedded()?;
    let rows = coverage::measure(&suite);
    let shown =
        rows.iter().filter(|row| revisions.is_empty() || revisions.iter().any(|revision| revision.id == row.revision));
    let mut unreached = 0;
    let mut last = "";
    for row in shown {
        if row.revision != last {
            last = row.revision;
            writeln!(out, "\n{last}\n    acts  runs")?;
        }
        unreached += usize::from(row.acts == 0);
        let mark = if row.acts == 0 { "!" } else { " " };
        writeln!(out, "  {mark} {:>4}  {:>4}  {:<26} {}", row.acts, row.runs, row.label, row.says)?;
    }
    let mut unshown = 0;
    let productions = coverage::productions(&suite);
    let asked = |id: &str| revisions.is_empty() || revisions.iter().any(|revision| revision.id == id);
    for row in productions.iter().filter(|row| asked(row.grammar)) {
        if row.grammar != last {
            last = row.grammar;
            writeln!(out, "\nthe grammar of {last}\n    members  others")?;
        }
        unshown += usize::from(!row.is_shown());
        let mark = if row.is_shown() { " " } else { "!" };
        writeln!(out, "  {mark} {:>7}  {:>6}  {}", row.members, row.stops, row.production)?;
    }
    let steps = counted(unreached, "step", "steps");
    let others = counted(unshown, "production", "productions");
    writeln!(out, "\n{steps} that no vector reaches, {others} without a member and another text")?;
    Ok(if unreached + unshown == 0 { Finding::AsExpected } else { Finding::OwnFault })
}

pub(super) fn report(folder: &Path, out: &mut dyn Write) -> Ended {
    let suite = Suite::embedded()?;
    let working = super::working("asking everyone everything");
    let files = report::write(&suite).map_err(Failure::Input)?;
    working.finish_and_clear();
    // Everything is made before anything is written, so that a fault leaves the old reports whole.
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let pages: Vec<_> = files.pages.iter().map(|(name, text)| (folder.join(name), text.as_str())).collect();
    write_all(&pages).map_err(|(path, error)| unwritable(&path, &error))?;
    writeln!(out, "{}", files.answer)?;
    for (name, _) in &files.pages {
        writeln!(out, "  {}", folder.join(name).display())?;
    }
    Ok(if files.faults == 0 { Finding::AsExpected } else { Finding::OwnFault })
}
