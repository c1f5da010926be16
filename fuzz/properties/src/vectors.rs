//! Files of vectors and of known deviations: errors, canonical form and evaluation.

use std::fmt::Write;
use std::path::Path;

use urlstrata_harness::escape::visible;
use urlstrata_harness::knowledge::known::KnownEngine;
use urlstrata_harness::vector::{Content, Suite, VectorFile};
use urlstrata_harness::yaml::FileError;

use super::{BytesInput, Classes, Property, Violation, ensure, is_single_line};

/// On bytes as a file of vectors, and as a file of known deviations.
pub struct VectorFiles;

impl Property for VectorFiles {
    type Input = BytesInput;
    const NAME: &'static str = "vectors";
    const STATEMENT: &'static str = "a file of vectors or of known deviations is rejected with an error that names one of its lines, \
                                     or has one canonical form; and every vector can be evaluated";
    const WORDS: &'static [&'static str] = &[
        "about: \"",
        "source:\n  specification: \"d\"\n  section: \"1\"\n  title: \"t\"\n",
        "base: \"http://a/\"\n",
        "vectors:\n",
        "  - name: \"n\"\n",
        "    reference: \"g\"\n",
        "    url: \"ftp://h/\"\n",
        "    text: \"<URL:a>\"\n",
        "    document: \"",
        "    type: \"html\"\n",
        "    type: \"mime\"\n",
        "    production: \"URL\"\n",
        "    class: \"unreserved\"\n",
        "    expect:\n",
        "    components:\n",
        "    fields:\n",
        "    actions:\n",
        "    matches:\n",
        "    urls:\n",
        "    parts:\n",
        "    characters:\n",
        "      rfc1808: \"",
        "      rfc1738: {",
        "      rfc3986: ",
        "      draft-1996: ",
        "whatwg: ",
        "{failure: true}",
        "valid: [",
        "invalid: [[\"",
        "same_document: true",
        "\\u200b",
        "\\U0001f600",
        "&a ",
        "*a",
        "!t ",
        "---\n",
        "%YAML 1.1\n",
        "|\n",
        ">-\n",
        "? ",
        "null",
        "<<: ",
        "\"\\\n      \\ ",
        "engine: \"e\"\n",
        "version: \"1\"\n",
        "profile:\n",
        "deviations: []\n",
        "exceptions: []\n",
    ];

    fn check(input: &BytesInput, classes: &mut Classes) -> Result<(), Violation> {
        let bytes = &input.0;
        let same = |one: &VectorFile, other: &VectorFile| one.content == other.content;
        let loaded = check_file(bytes, &load, &|file: &VectorFile| file.content.canonical(), &same)
            .map_err(|why| Violation::new(format!("vectors: {why}")))?;
        classes.count(if loaded.is_some() { "vectors: loaded" } else { "vectors: rejected" });
        if let Some(file) = &loaded {
            evaluate(file, classes);
        }
        let known = check_file(bytes, &load_known, &KnownEngine::canonical, &|one, other| one == other)
            .map_err(|why| Violation::new(format!("known deviations: {why}")))?;
        classes.count(if known.is_some() { "known deviations: loaded" } else { "known deviations: rejected" });
        Ok(())
    }

    fn seeds(suite: &Suite) -> Vec<BytesInput> {
        const MAX_LENGTH: usize = 4 << 10;
        let whole = suite.files.iter().map(|file| file.content.canonical().into_bytes());
        let single = suite.files.iter().filter_map(|file| {
            let vectors = vec![file.content.vectors.first()?.clone()];
            Some(Content { vectors, ..file.content.clone() }.canonical().into_bytes())
        });
        let known = urlstrata_vectors::known_deviations().map(|file| file.text.as_bytes().to_vec());
        let bare = urlstrata_vectors::known_deviations().filter_map(|file| {
            let known = KnownEngine::from_bytes(Path::new(file.path), file.text.as_bytes()).ok()?;
            Some(KnownEngine { deviations: Vec::new(), exceptions: Vec::new(), ..known }.canonical().into_bytes())
        });
        let all = whole.chain(single).chain(known).chain(bare);
        all.filter(|bytes| bytes.len() < MAX_LENGTH).map(BytesInput).collect()
    }

    fn describe(input: &BytesInput) -> String {
        let mut out = String::new();
        for line in String::from_utf8_lossy(&input.0).lines() {
            let _ = writeln!(out, "  | {}", visible(line));
        }
        let vectors = load(&input.0).map_or_else(|error| error.to_string(), |file| file.content.canonical());
        let known = load_known(&input.0).map_or_else(|error| error.to_string(), |known| known.canonical());
        for (what, result) in [("as vectors", vectors), ("as known deviations", known)] {
            let _ = writeln!(out, "  {what}:\n{result}");
        }
        out
    }
}

/// The path in errors.
const PATH: &str = "spec/fuzz/1.yaml";

fn load(bytes: &[u8]) -> Result<VectorFile, FileError> {
    VectorFile::parse(Path::new(PATH), bytes)
}

fn load_known(bytes: &[u8]) -> Result<KnownEngine, FileError> {
    KnownEngine::from_bytes(Path::new(PATH), bytes)
}

/// Returns the number of lines, at least 1.
fn lines(bytes: &[u8]) -> usize {
    String::from_utf8_lossy(bytes).lines().count().max(1)
}

/// Checks a file and its canonical form, and returns the content; `None` if the file is rejected with a proper error.
fn check_file<T>(
    bytes: &[u8],
    load: &dyn Fn(&[u8]) -> Result<T, FileError>,
    canonical: &dyn Fn(&T) -> String,
    same: &dyn Fn(&T, &T) -> bool,
) -> Result<Option<T>, &'static str> {
    let loaded = match load(bytes) {
        Ok(loaded) => loaded,
        Err(error) => return check_error(&error, lines(bytes)).map(|()| None),
    };
    let written = canonical(&loaded);
    let again = load(written.as_bytes()).map_err(|_| "the canonical form is rejected")?;
    ensure(same(&loaded, &again), "the canonical form has another content")?;
    ensure(canonical(&again) == written, "the canonical form has another canonical form")?;
    Ok(Some(loaded))
}

fn check_error(error: &FileError, lines: usize) -> Result<(), &'static str> {
    let sentence = is_single_line(&error.to_string()) && !error.sentence().is_empty();
    ensure(sentence, "an error is not a line of text")?;
    let exists = error.line().is_none_or(|line| (1..=lines).contains(&line));
    ensure(exists, "an error names a line that does not exist")
}

/// Evaluates every vector; any result is allowed.
fn evaluate(file: &VectorFile, classes: &mut Classes) {
    for vector in &file.content.vectors {
        for id in vector.specifications() {
            let met = vector.evaluate(id).is_ok();
            classes.count(if met { "an expectation is met" } else { "an expectation is not met" });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{VectorFiles, check_error, check_file, lines};
    use crate::{BytesInput, Classes, Property};
    use proptest::prelude::*;
    use urlstrata_harness::vector::Suite;
    use urlstrata_harness::yaml::FileError;

    #[track_caller]
    fn assert_holds(bytes: &[u8], classes: &mut Classes) {
        crate::assert_holds::<VectorFiles>(&BytesInput(bytes.to_vec()), classes);
    }

    #[test]
    fn it_holds_for_the_vectors() {
        let suite = Suite::embedded().expect("the vectors");
        let mut classes = Classes::default();
        let seeds = VectorFiles::seeds(&suite);
        seeds.iter().for_each(|seed| assert_holds(&seed.0, &mut classes));
        let loaded = classes.0["vectors: loaded"] + classes.0["known deviations: loaded"];
        assert_eq!(loaded, seeds.len() as u64, "{classes:?}");
        assert!(classes.0["an expectation is met"] > 100, "{classes:?}");
        assert!(!classes.0.contains_key("an expectation is not met"), "{classes:?}");
    }

    fn error(path: &str) -> FileError {
        FileError::new(Path::new(path), Some(2), "is invalid")
    }

    #[test]
    fn an_unstable_canonical_form_is_a_violation() {
        let check = |canonical: &'static dyn Fn(&String) -> String| {
            let load = |bytes: &[u8]| match str::from_utf8(bytes) {
                Ok(text) if text.len() < 9 => Ok(text.to_owned()),
                _ => Err(error("a.yaml")),
            };
            check_file(b"text", &load, canonical, &|one, other| one.trim() == other.trim())
        };
        assert_eq!(check(&|text| text.clone()), Ok(Some("text".to_owned())));
        assert_eq!(check(&|text| text.repeat(3)), Err("the canonical form is rejected"));
        assert_eq!(check(&|text| text.repeat(2)), Err("the canonical form has another content"));
        assert_eq!(check(&|text| format!("{text} ")), Err("the canonical form has another canonical form"));
    }

    #[test]
    fn an_error_is_one_line_about_an_existing_line() {
        assert_eq!(check_error(&error("a.yaml"), 2), Ok(()));
        assert_eq!(check_error(&error("a.yaml"), 1), Err("an error names a line that does not exist"));
        assert_eq!(check_error(&error("a\nb.yaml"), 2), Err("an error is not a line of text"));
        assert_eq!((lines(b""), lines(b"a\n"), lines(b"a\r\n\xff")), (1, 1, 2));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn it_holds_for_random_files(
            pieces in prop::collection::vec(prop::sample::select(VectorFiles::WORDS), 0..20),
            bytes in prop::collection::vec(any::<u8>(), 0..20),
        ) {
            assert_holds(pieces.concat().as_bytes(), &mut Classes::default());
            assert_holds(&bytes, &mut Classes::default());
        }

        #[test]
        fn it_holds_for_files_with_an_inserted_word(
            file in any::<prop::sample::Index>(),
            at in any::<prop::sample::Index>(),
            piece in prop::sample::select(VectorFiles::WORDS),
        ) {
            thread_local! {
                static SEEDS: Vec<BytesInput> =
                    Suite::embedded().map(|suite| VectorFiles::seeds(&suite)).unwrap_or_default();
            }
            let mut bytes = SEEDS.with(|seeds| file.get(seeds).0.clone());
            let at = at.index(bytes.len());
            bytes.splice(at..at, piece.bytes());
            assert_holds(&bytes, &mut Classes::default());
        }
    }
}
