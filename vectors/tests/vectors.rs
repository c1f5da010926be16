//! Each revision returns the results that the vectors expect, a vector reaches each step of each revision, and the
//! vectors of each production have a valid and an invalid string.
//!
//! Each vector is a test whose name is the vector's path, so `cargo test rfc1808/5.2` runs the vectors of one section.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use urlstrata_suite::vector::{Question, Suite, VectorFile, coverage, lint, yaml_below};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // The suite is leaked because the closures of trials must be `'static`.
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
        trials.push(Trial::test(name, move || match step.is_reached() {
            true => Ok(()),
            false => Err(Failed::from(format!(
                "no vector reaches the step, which runs for {1}: {0}",
                step.paraphrase, step.runs
            ))),
        }));
    }
    for row in coverage::productions(suite) {
        let name = format!("production/{}/{}", row.grammar, row.production);
        trials.push(Trial::test(name, move || match row.is_shown() {
            false => {
                Err(Failed::from(format!("the vectors have {} valid and {} invalid strings", row.valid, row.invalid)))
            }
            true => Ok(()),
        }));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).to_owned();
    trials.push(Trial::test("vectors are canonical", move || {
        let files = yaml_below(&folder, false).map_err(|error| Failed::from(error.to_string()))?;
        for file in files {
            lint(&file).map_err(|error| Failed::from(error.to_string()))?;
        }
        Ok(())
    }));
    trials.push(Trial::test("the README shows each kind of vector", || {
        let readme = include_str!("../README.md");
        let (_, example) = readme.split_once("```yaml\n").ok_or("no example")?;
        let (example, _) = example.split_once("```").ok_or("no end of the example")?;
        let file = VectorFile::parse(Path::new("vectors/README.md"), example.as_bytes())?;
        for vector in &file.content.vectors {
            for id in vector.specifications() {
                vector.evaluate(id).map_err(|why| format!("{}: {why}", vector.name))?;
            }
        }
        let is_shown = |subject: &&str| file.content.vectors.iter().any(|vector| vector.question.subject() == *subject);
        match Question::SUBJECTS.iter().find(|subject| !is_shown(subject)) {
            Some(subject) => Err(Failed::from(format!("the example has no vector with the subject {subject:?}"))),
            None => Ok(()),
        }
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}
