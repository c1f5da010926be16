//! `export`: what a fuzzing engine needs besides the program of a target: seeds, a dictionary and limits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use sha1::{Digest, Sha1};
use urlstrata_harness::plural::counted;
use urlstrata_harness::vector::Suite;
use urlstrata_properties::Target;

use super::{Failure, file, read_kept_inputs, selected};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Targets [default: all]
    #[arg(value_name = "TARGET", value_parser = Target::by_name)]
    targets: Vec<&'static Target>,
    /// The folder to write into: for each target a folder of seeds, TARGET.dict and TARGET.options
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The folder of the kept inputs
    #[arg(long, value_name = "FOLDER", default_value = "fuzz/inputs")]
    inputs: PathBuf,
}

pub(crate) fn export(arguments: &Arguments) -> Result<(), Failure> {
    let suite = Suite::embedded()?;
    // All kept inputs are read before anything is written.
    let exports = selected(&arguments.targets).into_iter().map(|target| Export::of(target, &suite, &arguments.inputs));
    for export in exports.collect::<Result<Vec<_>, _>>()? {
        let name = export.target.name;
        export.write_seeds(&arguments.out.join(name))?;
        file::write(&arguments.out.join(format!("{name}.dict")), export.dictionary())?;
        file::write(&arguments.out.join(format!("{name}.options")), export.options())?;
        let (seeds, words) = (export.seeds.len(), export.target.words.len());
        println!("{name}: {}, {}", counted(seeds, "seed", "seeds"), counted(words, "word", "words"));
    }
    Ok(())
}

/// What a target is started with.
pub(crate) struct Export {
    pub(crate) target: &'static Target,
    /// Inputs by file name.
    seeds: BTreeMap<String, Vec<u8>>,
}

/// The minimum of the limit for the length of inputs, which libFuzzer uses by itself.
const MIN_MAX_LEN: usize = 4096;

impl Export {
    /// Collects the seeds from the vectors and the kept inputs.
    ///
    /// A file is named like libFuzzer names it, by the SHA-1 of the input, so that an input is stored once.
    pub(crate) fn of(target: &'static Target, suite: &Suite, kept: &Path) -> Result<Self, Failure> {
        let inputs = target.seeds(suite).into_iter().chain(read_kept_inputs(kept, target.name)?);
        let name = |input: &[u8]| Sha1::digest(input).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { target, seeds: inputs.map(|input| (name(&input), input)).collect() })
    }

    pub(crate) fn write_seeds(&self, folder: &Path) -> Result<(), Failure> {
        file::create_folder(folder)?;
        self.seeds.iter().try_for_each(|(name, input)| file::write(&folder.join(name), input))
    }

    /// Returns the dictionary in the format of libFuzzer and AFL.
    pub(crate) fn dictionary(&self) -> String {
        let words = self.target.words.iter().map(|word| format!("\"{}\"\n", dictionary_word(word)));
        format!("# {}\n{}", self.target.statement, words.collect::<String>())
    }

    /// Returns the names and values of libFuzzer's options: bytes, seconds and megabytes that the longest seed needs.
    pub(crate) fn limits(&self) -> [(&'static str, usize); 3] {
        let longest = self.seeds.values().map(Vec::len).max().unwrap_or_default();
        [("max_len", longest.next_power_of_two().max(MIN_MAX_LEN)), ("timeout", 25), ("rss_limit_mb", 2560)]
    }

    /// Returns the limits in the format of ClusterFuzz.
    fn options(&self) -> String {
        let lines = self.limits().map(|(name, value)| format!("{name} = {value}\n"));
        "[libfuzzer]\n".to_owned() + &lines.concat()
    }
}

/// Escapes a word for a dictionary, which knows no escapes but `\\`, `\"` and `\xNN`.
fn dictionary_word(word: &str) -> String {
    let escape = |byte: u8| match byte {
        b'"' | b'\\' | b' '..=b'~' => byte.escape_ascii().to_string().replace("\\'", "'"),
        _ => format!("\\x{byte:02x}"),
    };
    word.bytes().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::{Export, dictionary_word};
    use std::path::Path;
    use urlstrata_harness::vector::Suite;
    use urlstrata_properties::TARGETS;

    #[test]
    fn words_use_the_escapes_of_a_dictionary() {
        assert_eq!(
            ["://", "\"\\", "é\0\n", "it's"].map(dictionary_word),
            ["://", "\\\"\\\\", "\\xc3\\xa9\\x00\\x0a", "it's"]
        );
    }

    #[test]
    fn the_limits_allow_the_longest_seed() {
        let limit = |seed: &[u8]| {
            let seeds = [("seed".to_owned(), seed.to_vec())].into();
            Export { target: &TARGETS[0], seeds }.limits()[0]
        };
        assert_eq!((limit(b"a"), limit(&[0; 4097])), (("max_len", 4096), ("max_len", 8192)));
    }

    #[test]
    fn seeds_and_kept_inputs_are_named_by_their_sha_1() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("agree.txt"), "abc\n").expect("written");
        let suite = Suite::embedded().expect("vectors");
        let export = Export::of(&TARGETS[0], &suite, folder.path()).expect("an export");
        assert_eq!(export.seeds["a9993e364706816aba3e25717850c26c9cd0d89d"], b"abc");
        assert_eq!(export.seeds.len(), TARGETS[0].seeds(&suite).len() + 1);
        let without = Export::of(&TARGETS[0], &suite, Path::new("nowhere")).expect("an export");
        assert_eq!(without.seeds.len() + 1, export.seeds.len());
    }
}
