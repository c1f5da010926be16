//! The behaviours of the crates in this process predict all their results, and their known deviations are current.

use std::path::Path;

use expect_test::expect;
use rayon::prelude::*;
use urlstrata::revision::whatwg::NEWEST;
use urlstrata_harness::behaviour::{Behaviour, predicted_with};
use urlstrata_harness::engine::{self, Engine, ask};
use urlstrata_harness::knowledge::attribute::{Answer, Attributor, Model};
use urlstrata_harness::knowledge::dated::Followed;
use urlstrata_harness::knowledge::known::{KnownEngine, KnownEngines};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::knowledge::stepped::Stepped;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs::generate::{ALPHABET, BASES, RandomPairs, count, nth};
use urlstrata_harness::survey::tally::Comparer;
use urlstrata_harness::vector::{ResolutionCase, Suite};

use crate::stride;

/// Returns the crates, which have a file of known deviations each.
fn crates() -> Vec<Box<dyn Engine>> {
    engine::all().into_iter().filter(|engine| engine.name().starts_with("crate:")).collect()
}

fn behaviour(engine: &dyn Engine) -> Behaviour {
    engine.name().strip_prefix("crate:").and_then(Behaviour::of_crate).expect("a stated behaviour")
}

fn known_engines() -> KnownEngines {
    KnownEngines::embedded().expect("files in order")
}

fn suite() -> Suite {
    Suite::embedded().expect("vectors in order")
}

#[test]
fn files_of_known_deviations_are_canonical_and_every_entry_is_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/known");
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let known = KnownEngine::read(&path).expect("a file in order");
        let text = std::fs::read_to_string(&path).expect("a file");
        assert!(text == known.canonical(), "{}: not in canonical form", path.display());
        assert!(!text.contains("\"unclear\""), "{}: an entry that nobody has looked at", path.display());
    }
}

#[test]
fn the_behaviour_of_the_url_crate_predicts_every_short_reference() {
    let engine = engine::by_name("crate:url").expect("an engine");
    let behaviour = behaviour(engine.as_ref());
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let mut reference = String::new();
    for number in (0..count(alphabet.len(), 5).expect("a number")).step_by(stride(13)) {
        nth(&alphabet, number, &mut reference);
        for base in BASES {
            let returned = ask(engine.as_ref(), base, &reference);
            let predicted = behaviour.predict(base, &reference);
            assert!(predicted.as_deref() == returned.url(), "{reference:?} on {base:?}: {returned:?}, {predicted:?}");
        }
    }
}

#[test]
fn behaviours_mispredict_at_most_ten_of_a_million_random_pairs() {
    crates().par_iter().for_each(|engine| {
        let behaviour = behaviour(engine.as_ref());
        let mut random = RandomPairs::new(1_000);
        let mut missed = Vec::new();
        for _ in 0..1_000_000 / stride(10) {
            let (base, reference) = random.pair();
            if behaviour.predict(&base, &reference).as_deref() != ask(engine.as_ref(), &base, &reference).url() {
                missed.push((base, reference));
            }
        }
        assert!(missed.len() <= 10 / stride(10), "{}: {} unexplained: {missed:?}", engine.name(), missed.len());
    });
}

#[test]
fn every_url_standard_vector_that_the_url_crate_fails_has_a_reason() {
    let engine = engine::by_name("crate:url").expect("an engine");
    let known = known_engines().of("crate:url").cloned().expect("a file");
    let behaviour = behaviour(engine.as_ref());
    let attributor = Attributor::new(Specification::url_standard(), Model::of(behaviour.clone()));
    let followed = Followed::of(&known.nearest().expect("a specification"), &behaviour).expect("a state");
    let later: Vec<&String> = followed.later.iter().flat_map(|change| &change.names).collect();
    let suite = suite();
    let (mut rows, mut otherwise) = (0, 0);
    for (_, vector) in suite.vectors() {
        let Some(ResolutionCase { base, reference, expect, .. }) = vector.resolution() else { continue };
        let Some(expected) = expect.get(NEWEST.id) else { continue };
        rows += 1;
        let returned = ask(engine.as_ref(), base, reference);
        if expected.is_met_by(&returned) {
            continue;
        }
        otherwise += 1;
        let found = attributor
            .attribute_from(expected.outcome(), &Answer::new(base, reference, &returned))
            .expect("a divergence");
        assert!(!found.is_new(), "{}: {:?}", vector.name, found.cause);
        for difference in found.cause.differences() {
            // The entries are those against the nearest state of the Standard. Later changes need no reason.
            let entry = known.deviations.iter().find(|entry| entry.id == difference.name);
            let is_later = later.contains(&&difference.name);
            let has_reason = entry.is_some_and(|entry| !entry.reason.is_empty());
            assert!(has_reason || is_later, "{}: {}", vector.name, difference.name);
        }
    }
    expect!["89 of 1304"].assert_eq(&format!("{otherwise} of {rows}"));
}

/// Without a search for causes, the same divergences have one.
#[test]
fn divergences_are_counted_as_they_are_attributed() {
    let suite = suite();
    for name in ["crate:url", "crate:fluent-uri"] {
        let engine = engine::by_name(name).expect("an engine");
        let model = Model::of(behaviour(engine.as_ref()));
        let specifications = Specification::all();
        let comparer = || Comparer::new(engine.as_ref(), &specifications, &model);
        let [mut counting, mut searching] = [comparer().counting(), comparer()];
        for case in suite.resolutions().step_by(stride(9)) {
            counting.ask(&case.base, &case.reference);
            searching.ask(&case.base, &case.reference);
        }
        for (counted, found) in counting.finish().into_iter().zip(searching.finish()) {
            assert_eq!(counted.totals, found.totals, "{name} against {}", found.against);
            assert!(found.totals.explained > 0 && counted.classes.is_empty(), "{name} against {}", found.against);
        }
    }
}

/// No smaller part of a cause explains the result.
#[test]
fn causes_contain_nothing_that_is_not_needed() {
    let engine = engine::by_name("crate:url").expect("an engine");
    let behaviour = behaviour(engine.as_ref());
    let mut sizes = [0; 4];
    for document in ["rfc1808", "rfc3986"] {
        let specification = Specification::by_id(document).expect("a specification");
        let attributor = Attributor::new(specification, Model::of(behaviour.clone()));
        let mut random = RandomPairs::new(21);
        for _ in 0..1_500 {
            let (base, reference) = random.pair();
            let returned = ask(engine.as_ref(), &base, &reference);
            let Some(found) = attributor.attribute(&base, &reference, &returned) else { continue };
            let differences = found.cause.differences();
            sizes[differences.len().min(3)] += 1;
            let sides = [specification.behaviour(), &behaviour];
            let results = [found.own.url(), returned.url()];
            let [from, to] = if results[0].is_some() { [0, 1] } else { [1, 0] };
            let with = |from: usize, set: &[_]| predicted_with(sides[from], sides[1 - from], set, &base, &reference);
            let explains = |set: &[_]| with(from, set).as_deref() == results[to];
            // A rejection is explained by what rejects: without it, the side that rejects does not.
            let is_enough = |set: &[_]| explains(set) && (results[to].is_some() || with(to, set).is_some());
            assert!(explains(differences), "{reference:?} on {base:?}: {:?}", found.cause);
            for left_out in 0..differences.len() {
                let mut fewer = differences.to_vec();
                fewer.remove(left_out);
                assert!(!is_enough(&fewer), "{reference:?} on {base:?}: {fewer:?}");
            }
        }
    }
    assert!(sizes[1..].iter().all(|count| *count > 50), "of every size: {sizes:?}");
}

/// Checks tabs after drive letters at every position: after dot segments, after segments that dot
/// segments remove, and relative to a base.
#[test]
fn a_tab_after_a_drive_letter_is_predicted() {
    const TOKENS: [&str; 8] = ["a:", "/", ".", "..", "\t", "b", "%2e", "?"];
    const BASES: [&str; 8] =
        ["http://h/b", "file:///", "file:///b", "file:///b/c", "file://h/b", "file:///c:/b", "file:b", "file://h"];
    let engine = engine::by_name("crate:url").expect("an engine");
    let behaviour = behaviour(engine.as_ref());
    let mut unforeseen = Vec::new();
    let mut asked = 0;
    for number in 0..8_usize.pow(5) {
        let rest: String = (0..5).map(|place| TOKENS[number / 8_usize.pow(place) % 8]).collect();
        for (start, base) in ["file:", "", "file:/", "file://h/"].into_iter().flat_map(|s| BASES.map(|base| (s, base)))
        {
            let reference = format!("{start}{rest}");
            asked += 1;
            if behaviour.predict(base, &reference).as_deref() != ask(engine.as_ref(), base, &reference).url() {
                unforeseen.push((base, reference));
            }
        }
    }
    unforeseen.sort_by_key(|(_, reference)| reference.len());
    let first = &unforeseen[..unforeseen.len().min(20)];
    assert!(first.is_empty(), "{} of {asked}: {first:#?}", unforeseen.len());
}

/// Checks drive letters at every position of a reference: also after dot segments, where they keep the host of the base.
#[test]
fn drive_letters_are_resolved_by_the_steps_of_the_url_crate() {
    const TOKENS: [&str; 7] = ["a:", "a|", "/", ".", "..", "b", ""];
    const BASES: [&str; 7] =
        ["http://h/b", "file:///b", "file://h/b", "file://h", "file:///c:/b", "file://h/c:", "file://localhost/b"];
    let engine = engine::by_name("crate:url").expect("an engine");
    let steps = Stepped::of("crate-url", engine.version()).expect("steps");
    let mut wrong = Vec::new();
    for number in 0..7_usize.pow(4) {
        let rest: String = (0..4).map(|place| TOKENS[number / 7_usize.pow(place) % 7]).collect();
        for (start, base) in ["file:", "", "//", "//h/"].into_iter().flat_map(|s| BASES.map(|base| (s, base))) {
            let reference = format!("{start}{rest}");
            let returned = ask(engine.as_ref(), base, &reference);
            if steps.predict(base, &reference).as_ref().and_then(Outcome::url) != returned.url() {
                wrong.push((base, reference));
            }
        }
    }
    wrong.sort_by_key(|(_, reference)| reference.len());
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}
