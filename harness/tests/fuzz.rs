//! Every law that fuzzing looks after holds of the vectors' seeds, of every input that campaigns have kept, and of what lies in
//! fuzz/artifacts.
//!
//! The same laws as the fuzz targets', on any compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use urlstrata_harness::fuzz::{Seen, TARGETS, Target, campaign, inputs};
use urlstrata_harness::vector::Suite;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for target in TARGETS {
        trials.push(Trial::test(format!("{}/seeds", target.name), || {
            let suite = Suite::embedded().map_err(|error| Failed::from(error.to_string()))?;
            holds(target, &target.seeds(&suite))
        }));
        let kept = folder().join("inputs").join(format!("{}.txt", target.name));
        if kept.exists() {
            trials.push(Trial::test(format!("{}/kept", target.name), move || {
                let text = fs::read_to_string(&kept).map_err(|error| Failed::from(error.to_string()))?;
                holds(target, &inputs::read(&text).map_err(|why| format!("{}: {why}", kept.display()))?)
            }));
        }
        let artifacts = campaign::files(&folder().join("artifacts").join(target.name)).unwrap_or_default();
        if !artifacts.is_empty() {
            trials.push(Trial::test(format!("{}/artifacts", target.name), move || {
                let inputs: Result<Vec<_>, _> = artifacts.iter().map(fs::read).collect();
                holds(target, &inputs.map_err(|error| Failed::from(error.to_string()))?)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// Puts every input to the law; some have to be there.
fn holds(target: &Target, inputs: &[Vec<u8>]) -> Result<(), Failed> {
    let mut seen = Seen::default();
    let broken = inputs.iter().filter(|input| target.check(input, &mut seen).is_err());
    let shown: Vec<_> = broken.filter_map(|input| target.find(input)).map(|finding| finding.shown).collect();
    match (inputs, shown.as_slice()) {
        ([], _) => Err(Failed::from("there is no input")),
        (_, []) => Ok(()),
        (_, shown) => Err(Failed::from(format!("{} of {} break it:\n{}", shown.len(), inputs.len(), shown.join("\n")))),
    }
}
