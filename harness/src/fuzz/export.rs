//! What a fuzzing engine needs of a target beside its program: inputs to begin with, words, and limits.

use std::collections::BTreeMap;
use std::fmt::Write;

use sha1::{Digest, Sha1};

use super::Target;
use super::inputs::push_hex;
use crate::vector::Suite;

/// The files of a target.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Export {
    /// Inputs by their files' names.
    pub inputs: BTreeMap<String, Vec<u8>>,
    /// The dictionary, as libFuzzer and AFL read it.
    pub dictionary: String,
    /// Limits, as libFuzzer is given them by ClusterFuzz.
    pub options: String,
    /// The same as libFuzzer's own arguments.
    pub limits: Vec<String>,
}

/// Shorter than what libFuzzer takes by itself where no input is longer.
const LEAST_MAX_LEN: usize = 4096;

impl Export {
    /// Those of `target`: its seeds, and what campaigns `kept`.
    ///
    /// An input's file is named as libFuzzer names it, by the SHA-1 of what is in it, so that the same input found again is
    /// the same file.
    pub fn of(target: &Target, suite: &Suite, kept: &[Vec<u8>]) -> Self {
        let inputs: BTreeMap<_, _> =
            target.seeds(suite).into_iter().chain(kept.iter().cloned()).map(|input| (name(&input), input)).collect();
        let longest = inputs.values().map(Vec::len).max().unwrap_or_default();
        let limits = limits(longest);
        let options = limits
            .iter()
            .fold("[libfuzzer]\n".to_owned(), |options, (name, value)| options + &format!("{name} = {value}\n"));
        let limits = limits.iter().map(|(name, value)| format!("-{name}={value}")).collect();
        Self { dictionary: dictionary(target.states, target.words), options, limits, inputs }
    }
}

fn name(input: &[u8]) -> String {
    Sha1::digest(input).iter().fold(String::new(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    })
}

/// Words in quotes, one a line.
fn dictionary(states: &str, words: &[&str]) -> String {
    let mut out = format!("# {states}\n");
    for word in words {
        out.push('"');
        for byte in word.bytes() {
            match byte {
                b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
                b' '..=b'~' => out.push(char::from(byte)),
                _ => push_hex(byte, &mut out),
            }
        }
        out.push_str("\"\n");
    }
    out
}

/// Limits under which an input as long as the `longest` is taken whole: bytes, seconds, megabytes.
fn limits(longest: usize) -> [(&'static str, usize); 3] {
    [("max_len", longest.next_power_of_two().max(LEAST_MAX_LEN)), ("timeout", 25), ("rss_limit_mb", 2560)]
}

#[cfg(test)]
mod tests {
    use super::{Export, dictionary, limits};
    use crate::fuzz::TARGETS;
    use crate::vector::Suite;

    #[test]
    fn a_word_is_escaped_as_engines_read_it() {
        assert_eq!(
            dictionary("why", &["://", "\"\\", "é\0\n"]),
            "# why\n\"://\"\n\"\\\"\\\\\"\n\"\\xc3\\xa9\\x00\\x0a\"\n"
        );
    }

    #[test]
    fn the_longest_input_is_within_the_limits() {
        assert_eq!((limits(0)[0], limits(4097)[0]), (("max_len", 4096), ("max_len", 8192)));
    }

    #[test]
    fn every_seed_and_what_was_kept_is_a_file() {
        let suite = Suite::embedded().expect("vectors");
        for target in TARGETS {
            let seeds = target.seeds(&suite);
            let kept = [b"abc".to_vec(), seeds[0].clone()];
            let export = Export::of(target, &suite, &kept);
            assert_eq!(export.inputs.len(), seeds.len() + 1, "{}", target.name);
            assert_eq!(export.inputs["a9993e364706816aba3e25717850c26c9cd0d89d"], b"abc");
            assert_eq!(export.dictionary.lines().count(), target.words.len() + 1);
            assert!(export.options.contains("\ntimeout = 25\n") && export.limits.contains(&"-timeout=25".to_owned()));
            assert_eq!(export, Export::of(target, &suite, &kept));
        }
    }
}
