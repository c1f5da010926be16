//! The harness reproduces published numbers: the differences between consecutive revisions, the results on R.
//! Fielding's test pages, and the examples that the specifications print.

use std::fs;
use std::path::Path;

use urlstrata::rules;
use urlstrata_harness::pairs::generate::{ALPHABET, BASES};
use urlstrata_harness::survey::enumerate::{Scope, history};
use urlstrata_harness::survey::witness;
use urlstrata_harness::vector::{Expected, Suite, Vector};

fn suite() -> Suite {
    Suite::embedded().expect("vectors in order")
}

/// Counts the vectors that expect a result of `id`, in the files whose identity `wanted` selects.
///
/// The counts are those of all such vectors, of vectors with an erratum, and of same-document references.
///
/// # Errors
///
/// Returns a sentence about the first vector that does not hold.
fn counted(suite: &Suite, wanted: impl Fn(&str) -> bool, id: &str) -> Result<[usize; 3], String> {
    let expected = |vector: &'_ Vector| vector.resolution().and_then(|case| case.expect.get(id).cloned());
    let mut named = suite.vectors().filter(|(file, vector)| wanted(&file.id) && expected(vector).is_some());
    named.try_fold([0; 3], |[holds, errata, same], (file, vector)| {
        vector.evaluate(id).map_err(|failure| format!("{}/{}: {failure}", file.id, vector.name))?;
        let current = matches!(expected(vector), Some(Expected::Url { same_document: Some(true), .. }));
        Ok([holds + 1, errata + usize::from(vector.erratum.is_some()), same + usize::from(current)])
    })
}

/// Returns the counts of [`counted`] for the vectors of Fielding's pages.
///
/// # Panics
///
/// Panics if a vector does not hold.
#[track_caller]
fn counted_on_fieldings_pages(id: &str) -> [usize; 3] {
    counted(&suite(), |name| name.starts_with("history/fielding-"), id).unwrap_or_else(|failure| panic!("{failure}"))
}

/// The number of resolution examples that a section of a specification prints.
struct Section {
    /// The identity of the vector file for the section.
    file: &'static str,
    /// The citation of the section.
    cite: &'static str,
    /// The revision whose results the section prints.
    id: &'static str,
    /// The number of examples, of examples with an erratum, and of same-document references.
    printed: [usize; 3],
}

#[rustfmt::skip]
const SECTIONS: &[Section] = &[
    Section { file: "appendix-b-1994/examples", cite: "Appendix B 1994, Examples", id: "appendix-b-1994", printed: [14, 2, 0] },
    Section { file: "rfc1808/5.1", cite: "RFC 1808 §5.1", id: "rfc1808", printed: [24, 0, 0] },
    Section { file: "rfc1808/5.2", cite: "RFC 1808 §5.2", id: "rfc1808", printed: [15, 0, 0] },
    Section { file: "rfc1808/10", cite: "RFC 1808 §10", id: "rfc1808", printed: [1, 0, 0] },
    Section { file: "draft-1996/13.1", cite: "Draft 1996 §13.1", id: "draft-1996", printed: [24, 0, 1] },
    Section { file: "draft-1996/13.2", cite: "Draft 1996 §13.2", id: "draft-1996", printed: [15, 0, 1] },
    Section { file: "rfc2396/C.1", cite: "RFC 2396 Appendix C.1", id: "rfc2396", printed: [22, 0, 1] },
    Section { file: "rfc2396/C.2", cite: "RFC 2396 Appendix C.2", id: "rfc2396", printed: [20, 0, 1] },
    Section { file: "rfc3986/5.4.1", cite: "RFC 3986 §5.4.1", id: "rfc3986", printed: [23, 0, 2] },
    Section { file: "rfc3986/5.4.2", cite: "RFC 3986 §5.4.2", id: "rfc3986", printed: [19, 0, 0] },
    Section { file: "rfc3986/5.2.4", cite: "RFC 3986 §5.2.4", id: "rfc3986", printed: [2, 0, 0] },
    Section { file: "rfc1630/partial-form", cite: "RFC 1630, Partial (relative) form", id: "rfc1630", printed: [10, 2, 0] },
];

/// Checks that the vectors of `section` hold and that the file contains at least as many as the section prints.
///
/// # Errors
///
/// Returns a sentence if a vector does not hold or if the file contains too few vectors.
fn is_complete(suite: &Suite, section: &Section) -> Result<(), String> {
    let Section { file, cite, id, printed } = section;
    let there = counted(suite, |name| name == *file, id)?;
    for ((printed, there), what) in
        printed.iter().zip(there).zip(["examples", "examples with an erratum", "same-document examples"])
    {
        if there < *printed {
            return Err(format!(
                "vectors/spec/{file}.yaml: {cite} prints {printed} {what}, and the file contains {there}: restore the missing vectors"
            ));
        }
    }
    Ok(())
}

#[test]
fn every_printed_example_is_a_vector_that_holds() {
    let suite = suite();
    let faults: Vec<_> = SECTIONS.iter().filter_map(|section| is_complete(&suite, section).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn added_vectors_are_accepted_and_a_removed_example_is_reported() {
    let of_file = |suite: &mut Suite, change: &dyn Fn(&mut Vec<Vector>)| {
        let file = suite.files.iter_mut().find(|file| file.id == "rfc1808/5.2").expect("the file");
        change(&mut file.content.vectors);
    };
    let section = SECTIONS.iter().find(|section| section.file == "rfc1808/5.2").expect("the section");
    let mut suite = suite();
    of_file(&mut suite, &|vectors| vectors.push(vectors[0].clone()));
    assert_eq!(is_complete(&suite, section), Ok(()));
    of_file(&mut suite, &|vectors| vectors.truncate(section.printed[0] - 1));
    let sentence = "vectors/spec/rfc1808/5.2.yaml: RFC 1808 §5.2 prints 15 examples, and the file contains 14: restore the missing vectors";
    assert_eq!(is_complete(&suite, section), Err(sentence.to_owned()));
}

#[test]
fn the_expected_results_of_fieldings_pages_hold() {
    let rows = suite().vectors().filter(|(file, _)| file.id.starts_with("history/fielding-")).count();
    assert_eq!(rows, 103);
    assert_eq!(counted_on_fieldings_pages("rfc1808"), [73, 0, 0]);
    // 101 vectors expect a URL. For two, the page prints "(current document)".
    assert_eq!(counted_on_fieldings_pages("rfc2396"), [103, 0, 2]);
    // Pages 4 and 5 also print the results of T. Berners-Lee's proposal, which the vectors list under `rfc1630`.
    assert_eq!(counted_on_fieldings_pages("rfc1630"), [30, 0, 0]);
}

#[test]
fn exactly_twenty_vectors_of_fieldings_pages_separate_rfc_1808_from_rfc_2396() {
    let suite = suite();
    let rows = suite.vectors().filter(|(file, vector)| {
        let Some(case) = vector.resolution() else { return false };
        let url = |id| case.expect.get(id).and_then(|expected| expected.url());
        let current = case.printed.is_some();
        file.id.starts_with("history/fielding-")
            && url("rfc1808").is_some_and(|url_1808| current || url("rfc2396") != Some(url_1808))
    });
    assert_eq!(rows.count(), 20);
}

#[test]
fn differences_between_consecutive_revisions_have_the_published_counts() {
    let scope = Scope { alphabet: ALPHABET.chars().collect(), length: 5, bases: BASES.map(str::to_owned).to_vec() };
    let found = history(&scope, &|_| ()).expect("a scope that can be counted");
    assert_eq!(found.disagreements, []);
    assert_eq!(found.pairs, 973_674);
    let counts: Vec<_> =
        found.consecutive.iter().map(|(_, _, differing)| (differing.results, differing.meanings)).collect();
    assert_eq!(counts, [(509_952, 0), (582_411, 0), (0, 121_732), (478_228, 0), (194_768, 3_463), (1_235, 222)]);
}

#[test]
fn every_rule_has_a_witness_and_the_file_of_witnesses_is_current() {
    let found = witness::vectors().expect("a witness for each column");
    for rule in rules::ALL {
        let shows = |vector: &Vector| vector.resolution().is_some_and(|case| case.rule.as_deref() == Some(rule.name));
        assert!(found.vectors.iter().any(shows), "{}", rule.name);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/witness/rules.yaml");
    let written = fs::read_to_string(path).expect("the file is there");
    assert!(found.canonical() == written, "stale: run `cargo run --release -- vectors witness`");
}

#[test]
fn the_identity_of_a_vector_file_does_not_depend_on_the_path_that_is_read() {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    for path in [vectors.join("spec/rfc1808/5.2.yaml"), vectors.join("spec/rfc1808"), vectors.clone()] {
        let suite = Suite::read(&[path]).expect("vectors in order");
        assert!(suite.files.iter().any(|file| file.id == "rfc1808/5.2"));
    }
    let ids = |suite: Suite| suite.files.into_iter().map(|file| file.id).collect::<Vec<_>>();
    let (mut embedded, mut read) = (ids(suite()), ids(Suite::read(&[vectors]).expect("vectors in order")));
    embedded.sort();
    read.sort();
    assert_eq!(embedded, read);
}
