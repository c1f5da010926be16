//! `vectors import-fuzz`: findings of fuzzing as vectors and kept inputs.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use urlstrata_harness::files::write_whole;
use urlstrata_harness::fuzz::{Finding as Found, Target, found, inputs};
use urlstrata_harness::plural::counted;
use urlstrata_harness::vector::{Content, Suite};
use urlstrata_harness::yaml::MAX_FILE;

use super::output::unwritable;
use super::{Ended, Failure, Finding};

#[derive(Args)]
pub(super) struct Arguments {
    /// Inputs that break a law, as fuzzing leaves them in fuzz/artifacts/TARGET
    #[arg(required = true)]
    artifacts: Vec<PathBuf>,
    /// Whose law; without one, that of the folder in which an artifact lies
    #[arg(long, value_parser = super::fuzz::a_target)]
    target: Option<&'static Target>,
    /// The folder to write vectors into
    #[arg(long, value_name = "FOLDER", default_value = "vectors/found")]
    out: PathBuf,
    /// The folder of the inputs that are kept for ever
    #[arg(long, value_name = "FOLDER", default_value = "fuzz/inputs")]
    inputs: PathBuf,
}

/// Shrinks each artifact. A pair becomes a vector; and each input, shrunk, is kept, so that its law is asked of it ever after.
pub(super) fn import(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let mut findings: BTreeMap<&'static str, Vec<Found>> = BTreeMap::new();
    for path in &arguments.artifacts {
        let target = match arguments.target {
            Some(target) => target,
            None => target_of(path)?,
        };
        let fault = |why: String| Failure::Input(format!("{}: {why}", path.display()));
        let length = fs::metadata(path).map_err(|error| fault(format!("cannot be read: {error}")))?.len();
        if length > MAX_FILE {
            return Err(fault(format!("{length} bytes long, the limit is {MAX_FILE}")));
        }
        let input = fs::read(path).map_err(|error| fault(format!("cannot be read: {error}")))?;
        match target.find(&input) {
            Some(finding) => {
                writeln!(out, "{}: {}", path.display(), finding.shown)?;
                findings.entry(target.name).or_default().push(finding);
            }
            None => writeln!(out, "{}: the law of {} holds of it, so nothing is written", path.display(), target.name)?,
        }
    }
    let (mut vectors, mut kept) = (0, 0);
    for (target, findings) in &findings {
        vectors += write_vectors(&arguments.out, target, findings)?;
        kept += keep(&arguments.inputs, target, findings)?;
    }
    let artifacts = counted(arguments.artifacts.len(), "artifact", "artifacts");
    let vectors = counted(vectors, "new vector", "new vectors");
    writeln!(out, "{artifacts}, {vectors}, {}", counted(kept, "new input", "new inputs"))?;
    Ok(Finding::AsExpected)
}

/// The target in whose folder an artifact lies.
fn target_of(path: &Path) -> Result<&'static Target, Failure> {
    let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    Target::by_name(&folder.unwrap_or_default())
        .map_err(|why| Failure::Usage(format!("{}: {why}; name it with --target", path.display())))
}

/// Adds what is a pair to the vectors of `target`; says how many are new.
fn write_vectors(folder: &Path, target: &str, findings: &[Found]) -> Result<usize, Failure> {
    let path = folder.join(format!("{target}.yaml"));
    let mut content: Content = match path.exists() {
        true => Suite::read(std::slice::from_ref(&path))?.files.swap_remove(0).content,
        false => found::content(target),
    };
    let new = findings.iter().filter(|finding| found::add(&mut content, finding)).count();
    if new > 0 {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        write_whole(&path, &content.canonical()).map_err(|error| unwritable(&path, &error))?;
    }
    Ok(new)
}

/// Adds the shrunk inputs to those of `target` that are kept; says how many are new.
fn keep(folder: &Path, target: &str, findings: &[Found]) -> Result<usize, Failure> {
    let path = folder.join(format!("{target}.txt"));
    let mut kept = super::fuzz::kept_inputs(&path)?;
    let before = kept.len();
    for finding in findings {
        if !kept.contains(&finding.input) {
            kept.push(finding.input.clone());
        }
    }
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    write_whole(&path, &inputs::write(&kept)).map_err(|error| unwritable(&path, &error))?;
    Ok(kept.len() - before)
}
