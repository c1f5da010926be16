//! Every law that fuzzing looks after holds of the vectors' seeds, and of every input that a campaign has kept or found.
//!
//! The same laws as the fuzz targets', on any compiler.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use urlstrata_harness::fuzz::{Seen, TARGETS, Target};
use urlstrata_harness::vector::Suite;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = TARGETS.iter().map(|target| {
        Trial::test(format!("{}/seeds", target.name), || {
            let suite = Suite::embedded().map_err(|error| Failed::from(error.to_string()))?;
            holds(target, &target.seeds(&suite))
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
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
