//! Every property holds for the seeds from the vectors, for the kept inputs, and for the files in `fuzz/artifacts`.
//!
//! These are the properties of the fuzz targets, checked with any compiler.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use urlstrata_harness::vector::Suite;
use urlstrata_properties::{Classes, TARGETS, Target, inputs};

fn main() -> ExitCode {
    let trials = TARGETS.iter().flat_map(|target| {
        let of = |source, inputs: fn(&Target) -> Result<Vec<Vec<u8>>, Failed>| {
            Trial::test(format!("{}/{source}", target.name), move || check(target, &inputs(target)?))
        };
        let has_artifacts = !files(&artifacts(target)).unwrap_or_default().is_empty();
        [of("seeds", seeds), of("kept", kept)].into_iter().chain(has_artifacts.then(|| of("artifacts", found)))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn artifacts(target: &Target) -> PathBuf {
    folder().join("artifacts").join(target.name)
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| path.is_file() && path.extension().is_none()).collect())
}

fn seeds(target: &Target) -> Result<Vec<Vec<u8>>, Failed> {
    Ok(target.seeds(&Suite::embedded()?))
}

fn kept(target: &Target) -> Result<Vec<Vec<u8>>, Failed> {
    let path = folder().join("inputs").join(format!("{}.txt", target.name));
    inputs::decode(&fs::read_to_string(&path)?).map_err(|why| format!("{}: {why}", path.display()).into())
}

fn found(target: &Target) -> Result<Vec<Vec<u8>>, Failed> {
    Ok(files(&artifacts(target))?.iter().map(fs::read).collect::<io::Result<_>>()?)
}

/// Checks the property on every input; an empty list is an error.
fn check(target: &Target, inputs: &[Vec<u8>]) -> Result<(), Failed> {
    let mut classes = Classes::default();
    let violating = inputs.iter().filter(|input| target.check(input, &mut classes).is_err());
    let described: Vec<_> = violating
        .filter_map(|input| target.counterexample(input))
        .map(|counterexample| counterexample.description)
        .collect();
    match (inputs, described.as_slice()) {
        ([], _) => Err("there are no inputs".into()),
        (_, []) => Ok(()),
        (_, all) => {
            Err(format!("{} of {} inputs violate the property:\n{}", all.len(), inputs.len(), all.join("\n")).into())
        }
    }
}
