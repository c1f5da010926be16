//! `fuzz export`: the files that a fuzzing engine is started with.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use urlstrata_harness::files::write_all;
use urlstrata_harness::fuzz::{Export, TARGETS, Target};
use urlstrata_harness::plural::counted;
use urlstrata_harness::vector::Suite;

use super::super::output::unwritable;
use super::super::{Ended, Failure, Finding};

#[derive(Args)]
pub(in crate::cli) struct Arguments {
    /// Targets; all if none are given
    #[arg(value_name = "TARGET", value_parser = super::a_target)]
    targets: Vec<&'static Target>,
    /// The folder to write into: a folder of inputs, TARGET.dict and TARGET.options for each; other files in it stay
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The folder with what campaigns kept, a file TARGET.txt for each target that has any
    #[arg(long, value_name = "FOLDER", default_value = "fuzz/inputs")]
    inputs: PathBuf,
}

pub(super) fn export(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let suite = Suite::embedded()?;
    let targets = match arguments.targets.as_slice() {
        [] => TARGETS.iter().collect(),
        some => some.to_vec(),
    };
    // All is read before anything is written.
    let mut exports = Vec::new();
    for target in targets {
        let kept = super::kept_inputs(&arguments.inputs.join(format!("{}.txt", target.name)))?;
        exports.push((target, kept.len(), Export::of(target, &suite, &kept)));
    }
    for (target, kept, export) in &exports {
        write_export(&arguments.out, target.name, export)?;
        let inputs = counted(export.inputs.len(), "input", "inputs");
        let words = counted(target.words.len(), "word", "words");
        writeln!(out, "{}: {inputs}, {kept} of them kept by campaigns, {words}", target.name)?;
    }
    Ok(Finding::AsExpected)
}

fn write_export(folder: &Path, name: &str, export: &Export) -> Result<(), Failure> {
    let inputs = folder.join(name);
    fs::create_dir_all(&inputs).map_err(|error| unwritable(&inputs, &error))?;
    let mut files: Vec<_> = export.inputs.iter().map(|(name, input)| (inputs.join(name), input.as_slice())).collect();
    files.push((folder.join(format!("{name}.dict")), export.dictionary.as_bytes()));
    files.push((folder.join(format!("{name}.options")), export.options.as_bytes()));
    write_all(&files).map_err(|(path, error)| unwritable(&path, &error))
}
