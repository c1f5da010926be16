//! The results on parts of the pairs merge to the result on all pairs, in any order and grouping.

use proptest::prelude::*;
use serde_json::Value;
use urlstrata_harness::engine::by_name;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::survey::result::SurveyResult;
use urlstrata_harness::survey::tally::Comparer;
use urlstrata_harness::world::World;

use crate::folder::Folder;
use crate::program::{ends, with_input};

/// Pairs of which most differ, some for the same cause. A pair may occur several times, at the same place or at another one.
const PAIRS: [(&str, &str, Option<&str>); 12] = [
    ("http://a/b", "x y", None),
    ("http://a/b", "x z", None),
    ("http://a/b", "x z", Some("f:1")),
    ("http://a/b", "x z", Some("f:2")),
    ("http://a/b", "\\\\h", None),
    ("http://a/c", "\\\\h", None),
    ("http://a/b", "///h", None),
    ("http://a/b", "g", None),
    ("http://a/b", "http:g", None),
    ("foo:a", "../b", None),
    ("", "http://A/%zz", None),
    ("", "b", None),
];

type Pairs = [(&'static str, &'static str, Option<&'static str>)];

/// Returns the result on `pairs` after it was written and read.
fn surveyed(world: &World, pairs: &Pairs, examples: usize) -> SurveyResult {
    let specifications = ["rfc1808", "whatwg"].map(|id| Specification::by_id(id).expect("a specification"));
    let mut comparisons = Vec::new();
    for name in ["crate:url", "fast:rfc3986"] {
        let engine = by_name(name).expect("an engine");
        let model = world.model_of(engine.as_ref());
        let mut comparer = Comparer::new(engine.as_ref(), &specifications, &model).with_examples(examples);
        for (base, reference, place) in pairs {
            comparer.ask_at(base, reference, *place);
        }
        comparisons.extend(comparer.finish());
    }
    let written = serde_json::to_string(&SurveyResult::new(false, examples, pairs.len() as u64, comparisons));
    serde_json::from_str(&written.expect("JSON")).expect("a result")
}

fn merged(one: &SurveyResult, other: &SurveyResult) -> SurveyResult {
    let mut merged = one.clone();
    merged.merge(other.clone()).expect("results of the same questions");
    merged
}

fn json(found: &SurveyResult) -> Value {
    serde_json::to_value(found).expect("JSON")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn merging_is_commutative_and_associative_and_equals_the_whole(
        numbers in prop::collection::vec(0..PAIRS.len(), 0..30),
        cuts in prop::array::uniform2(0_usize..30),
        examples in 0_usize..4,
    ) {
        let world = World::embedded().expect("known deviations");
        let pairs: Vec<_> = numbers.iter().map(|&number| PAIRS[number]).collect();
        let [first, second] = cuts.map(|cut| cut.min(pairs.len()));
        let (first, second) = (first.min(second), first.max(second));
        let parts = [&pairs[..first], &pairs[first..second], &pairs[second..]];
        let [a, b, c] = parts.map(|pairs| surveyed(&world, pairs, examples));
        let whole = json(&surveyed(&world, &pairs, examples));
        prop_assert_eq!(json(&merged(&a, &b)), json(&merged(&b, &a)));
        prop_assert_eq!(&json(&merged(&merged(&a, &b), &c)), &whole);
        prop_assert_eq!(&json(&merged(&c, &merged(&a, &b))), &whole);
        prop_assert_eq!(&json(&merged(&a, &merged(&b, &c))), &whole);
    }
}

#[test]
fn more_examples_than_the_other_part_has_are_dropped() {
    let world = World::embedded().expect("known deviations");
    let [one, other] = [surveyed(&world, &PAIRS, 3), surveyed(&world, &PAIRS, 1)];
    assert_eq!(json(&merged(&one, &other)), json(&merged(&other, &one)));
    assert_eq!(merged(&one, &other).examples, 1);
}

fn lines(pairs: impl IntoIterator<Item = usize>) -> String {
    pairs.into_iter().map(|number| format!("{}\t{}\n", PAIRS[number].0, PAIRS[number].1)).collect()
}

/// Runs `run` with `arguments`, and writes its standard output as the file `name`.
fn write(folder: &Folder, name: &str, arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let output = with_input(&[&["run", "--format", "json"], arguments].concat(), input.as_bytes());
    let path = folder.file(name, &output.stdout);
    (output.status.code(), path.to_string_lossy().into_owned())
}

#[test]
fn parts_that_the_command_wrote_merge_to_what_it_writes_for_all() {
    let folder = Folder::new();
    for arguments in [&["--pairs", "-"][..], &["--pairs", "-", "--history"]] {
        let (_, one) = write(&folder, "one.json", arguments, &lines(0..7));
        // A part without pairs, and a part with a line that is not a pair.
        let (code, none) = write(&folder, "none.json", arguments, "");
        assert_eq!(code, Some(0));
        let (code, other) = write(&folder, "other.json", arguments, &format!("bad\n{}", lines(7..12)));
        assert_eq!(code, Some(65));
        let (_, all) = write(&folder, "all.json", arguments, &format!("{}bad\n", lines(0..12)));
        let (code, merged) = write(&folder, "merged.json", &["--merge", &other, &none, &one], "");
        assert_eq!(code, Some(65));
        let [all, merged] = [all, merged].map(|path| std::fs::read_to_string(path).expect("a file"));
        assert_eq!(merged, all);
    }
}

#[test]
fn results_of_other_questions_are_refused_and_both_are_named() {
    let folder = Folder::new();
    let (_, one) = write(&folder, "one.json", &["--pairs", "-", "-e", "crate:url"], &lines(0..7));
    let merge = |other: &str| with_input(&["run", "--merge", &one, other], b"");
    let (_, other) = write(&folder, "other.json", &["--pairs", "-", "-e", "crate:oxiri"], "");
    ends(&merge(&other), 65, "one.json compares crate:url");
    ends(&merge(&other), 65, "other.json compares crate:oxiri");
    let (_, other) = write(&folder, "other.json", &["--pairs", "-", "-e", "crate:url", "-r", "rfc1808"], "");
    ends(&merge(&other), 65, "with rfc1808");
    let (_, other) = write(&folder, "other.json", &["--pairs", "-", "--history"], "");
    ends(&merge(&other), 65, "other.json compares consecutive revisions");
    let text = std::fs::read_to_string(&one).expect("a file");
    let version = format!("\"urlstrata\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let other = folder.file("other.json", text.replacen(&version, "\"urlstrata\": \"9.9.9\"", 1));
    ends(&merge(&other.to_string_lossy()), 65, "other.json was written by urlstrata 9.9.9");
    let other = folder.file("other.json", "{\n\"urlstrata\": 1}");
    ends(
        &merge(&other.to_string_lossy()),
        65,
        "other.json:2: not a result of `run --pairs FILE --format json`: urlstrata:",
    );
    let other = folder.file("other.json", &text[..text.len() / 2]);
    ends(&merge(&other.to_string_lossy()), 65, "EOF while parsing");
    ends(&merge("missing.json"), 65, "missing.json: cannot be read");
}
