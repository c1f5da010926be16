//! Every vector holds under every revision it names; every step of every revision is reached by one, and every production
//! of every grammar has a text that it derives and one that it does not.
//!
//! Each is a test by its path, so that `cargo test rfc1808/5.2` runs a section.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use urlstrata_harness::vector::{Suite, coverage, lint, yaml_below};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // Leaked once, as the trials outlive this function's frame.
    let suite: &'static Suite = match Suite::embedded() {
        Ok(suite) => Box::leak(Box::new(suite)),
        Err(error) => {
            eprintln!("the vectors cannot be loaded: {error}");
            return ExitCode::from(65);
        }
    };
    let mut trials = Vec::new();
    for (file, vector) in suite.vectors() {
        for id in vector.specifications().into_iter().filter(|id| urlstrata::revision::by_id(id).is_some()) {
            let name = format!("{}/{} by {id}", file.id, vector.name);
            trials.push(Trial::test(name, move || vector.evaluate(id).map_err(Failed::from)));
        }
    }
    for step in coverage::measure(suite) {
        let name = format!("step/{}/{}/{}", step.revision, step.part, step.label);
        trials.push(Trial::test(name, move || match step.acts {
            0 => Err(Failed::from(format!("no vector reaches it: {} ({} come to it)", step.says, step.runs))),
            _ => Ok(()),
        }));
    }
    for row in coverage::productions(suite) {
        let name = format!("production/{}/{}", row.grammar, row.production);
        trials.push(Trial::test(name, move || match row.is_shown() {
            false => Err(Failed::from(format!("vectors have {} members and {} others", row.members, row.stops))),
            true => Ok(()),
        }));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    trials.push(Trial::test("vectors are canonical", move || {
        let files = yaml_below(&folder, false).map_err(|error| Failed::from(error.to_string()))?;
        for file in files {
            lint(&file).map_err(|error| Failed::from(error.to_string()))?;
        }
        Ok(())
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}
