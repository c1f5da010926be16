//! Files: whatever their bytes, they are refused in a line of text or have one canonical form, and their vectors can be judged.

use std::fmt::Write;
use std::path::Path;

use super::{Bytes, Fault, Law, Seen, is_a_line};
use crate::escape::visible;
use crate::model::known::KnownEngine;
use crate::vector::{Content, Suite, VectorFile};
use crate::yaml::FileError;

/// On bytes as a file of vectors, and as one about an engine.
pub struct VectorFiles;

impl Law for VectorFiles {
    type Case = Bytes;
    const NAME: &'static str = "vectors";
    const STATES: &'static str = "bytes as a file of vectors, or about an engine, are refused with a line of text that names one of \
                                  theirs, or are loaded and have one canonical form; and a vector that is loaded can be judged";
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

    fn check(case: &Bytes, seen: &mut Seen) -> Result<(), Fault> {
        let bytes = &case.0;
        let loaded = kept(bytes, &load, &|file: &VectorFile| file.content.canonical(), &|one, other| {
            one.content == other.content
        });
        let loaded = loaded.map_err(|why| Fault::new(format!("vectors: {why}")))?;
        seen.count(if loaded.is_some() { "vectors: loaded" } else { "vectors: refused" });
        if let Some(file) = &loaded {
            evaluate(file, seen);
        }
        let known = kept(bytes, &load_known, &KnownEngine::canonical, &|one, other| one == other);
        let known = known.map_err(|why| Fault::new(format!("about an engine: {why}")))?;
        seen.count(if known.is_some() { "about an engine: loaded" } else { "about an engine: refused" });
        Ok(())
    }

    fn seeds(suite: &Suite) -> Vec<Bytes> {
        const LONGEST: usize = 4 << 10;
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
        all.filter(|bytes| bytes.len() < LONGEST).map(Bytes).collect()
    }

    fn show(case: &Bytes) -> String {
        let mut out = String::new();
        for line in String::from_utf8_lossy(&case.0).lines() {
            let _ = writeln!(out, "  | {}", visible(line));
        }
        let vectors = load(&case.0).map_or_else(|error| error.to_string(), |file| file.content.canonical());
        let known = load_known(&case.0).map_or_else(|error| error.to_string(), |known| known.canonical());
        for (what, said) in [("as vectors", vectors), ("about an engine", known)] {
            let _ = writeln!(out, "  {what}:\n{said}");
        }
        out
    }
}

/// Where a file is said to lie.
const PATH: &str = "spec/fuzz/1.yaml";

fn load(bytes: &[u8]) -> Result<VectorFile, FileError> {
    VectorFile::parse(Path::new(PATH), bytes)
}

fn load_known(bytes: &[u8]) -> Result<KnownEngine, FileError> {
    KnownEngine::from_bytes(Path::new(PATH), bytes)
}

/// How many lines there are; there is always a first.
fn lines(bytes: &[u8]) -> usize {
    String::from_utf8_lossy(bytes).lines().count().max(1)
}

type Loading<T> = dyn Fn(&[u8]) -> Result<T, FileError>;

/// What is loaded, of which the canonical form is loaded as the same and is its own; `None` if it is refused as it should be.
fn kept<T>(
    bytes: &[u8],
    load: &Loading<T>,
    canonical: &dyn Fn(&T) -> String,
    same: &dyn Fn(&T, &T) -> bool,
) -> Result<Option<T>, &'static str> {
    let loaded = match load(bytes) {
        Ok(loaded) => loaded,
        Err(error) => return is_refused_well(&error, lines(bytes)).map(|()| None),
    };
    let written = canonical(&loaded);
    let again = load(written.as_bytes()).map_err(|_| "a canonical form is refused")?;
    if !same(&loaded, &again) {
        return Err("a canonical form is loaded as something else");
    }
    (canonical(&again) == written).then_some(Some(loaded)).ok_or("a canonical form has another")
}

fn is_refused_well(error: &FileError, lines: usize) -> Result<(), &'static str> {
    if !is_a_line(&error.to_string()) || error.sentence().is_empty() {
        return Err("a file is refused in other than a line of text");
    }
    match error.line().is_none_or(|line| (1..=lines).contains(&line)) {
        true => Ok(()),
        false => Err("a file is refused for a line that it does not have"),
    }
}

/// Evaluates every vector, whatever the result.
fn evaluate(file: &VectorFile, seen: &mut Seen) {
    for vector in &file.content.vectors {
        for id in vector.specifications() {
            let met = vector.evaluate(id).is_ok();
            seen.count(if met { "a vector is met" } else { "a vector is not met" });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{VectorFiles, is_refused_well, kept, lines};
    use crate::fuzz::{Bytes, Law, Seen};
    use crate::vector::Suite;
    use crate::yaml::FileError;
    use proptest::prelude::*;

    #[track_caller]
    fn holds(bytes: &[u8], seen: &mut Seen) {
        crate::fuzz::holds::<VectorFiles>(&Bytes(bytes.to_vec()), seen);
    }

    #[test]
    fn it_holds_of_the_vectors() {
        let suite = Suite::embedded().expect("the vectors");
        let mut seen = Seen::default();
        let seeds = VectorFiles::seeds(&suite);
        seeds.iter().for_each(|seed| holds(&seed.0, &mut seen));
        let loaded = seen.0["vectors: loaded"] + seen.0["about an engine: loaded"];
        assert_eq!(loaded, seeds.len() as u64, "{seen:?}");
        assert!(seen.0["a vector is met"] > 100 && !seen.0.contains_key("a vector is not met"), "{seen:?}");
    }

    fn fault(line: Option<usize>) -> FileError {
        FileError::new(Path::new("a.yaml"), line, "is not in order")
    }

    #[test]
    fn a_form_that_changes_is_told() {
        let written = |write: &'static dyn Fn(&String) -> String| {
            let load = |bytes: &[u8]| match str::from_utf8(bytes) {
                Ok(text) if text.len() < 9 => Ok(text.to_owned()),
                _ => Err(fault(Some(1))),
            };
            kept(b"text", &load, write, &|one, other| one.trim() == other.trim())
        };
        assert_eq!(written(&|text| text.clone()), Ok(Some("text".to_owned())));
        assert_eq!(written(&|text| text.repeat(3)), Err("a canonical form is refused"));
        assert_eq!(written(&|text| text.repeat(2)), Err("a canonical form is loaded as something else"));
        assert_eq!(written(&|text| format!("{text} ")), Err("a canonical form has another"));
        let refused = kept(b"a", &|_| Err::<(), _>(fault(Some(2))), &|()| String::new(), &|(), ()| true);
        assert!(refused.is_err_and(|why| why.contains("a line that it does not have")));
    }

    #[test]
    fn a_refusal_that_is_no_line_of_the_file_is_told() {
        assert!(is_refused_well(&fault(None), 1).is_ok() && is_refused_well(&fault(Some(2)), 2).is_ok());
        assert!(is_refused_well(&fault(Some(3)), 2).is_err() && is_refused_well(&fault(Some(0)), 2).is_err());
        assert!(is_refused_well(&FileError::new(Path::new("a\nb"), None, "x"), 1).is_err());
        assert!(is_refused_well(&FileError::new(Path::new("a"), None, ""), 1).is_err());
        assert_eq!((lines(b""), lines(b"a\n"), lines(b"a\r\n\xff")), (1, 1, 2));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn it_holds_by_chance(
            pieces in prop::collection::vec(prop::sample::select(VectorFiles::WORDS), 0..20),
            bytes in prop::collection::vec(any::<u8>(), 0..20),
        ) {
            holds(pieces.concat().as_bytes(), &mut Seen::default());
            holds(&bytes, &mut Seen::default());
        }

        #[test]
        fn it_holds_of_a_file_with_a_piece_in_it(
            file in any::<prop::sample::Index>(),
            at in any::<prop::sample::Index>(),
            piece in prop::sample::select(VectorFiles::WORDS),
        ) {
            thread_local! {
                static SEEDS: Vec<Bytes> = Suite::embedded().map(|suite| VectorFiles::seeds(&suite)).unwrap_or_default();
            }
            let mut bytes = SEEDS.with(|seeds| file.get(seeds).0.clone());
            let at = at.index(bytes.len());
            bytes.splice(at..at, piece.bytes());
            holds(&bytes, &mut Seen::default());
        }
    }
}
