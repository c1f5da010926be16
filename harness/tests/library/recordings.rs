//! The engine folders and their recordings are complete and valid.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;
use urlstrata::revision;
use urlstrata_harness::behaviour::Predictions;
use urlstrata_harness::engine::description::{Given, Install};
use urlstrata_harness::engine::folder::{DESCRIPTION, EngineFolder, EngineFolders};
use urlstrata_harness::engine::recording::Recording;
use urlstrata_harness::engine::{Engine, Source};
use urlstrata_harness::knowledge::behaviours::RecordedBehaviour;
use urlstrata_harness::knowledge::measure::{decided, in_second_half};
use urlstrata_harness::knowledge::stepped::Stepped;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::world::World;

use crate::stride;

fn folders() -> EngineFolders {
    EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_recording_has_the_outcomes_of_its_digest() {
    let folders = folders();
    let recorded: Vec<_> =
        folders.engines.iter().flat_map(|it| it.recordings.keys().map(move |key| (it, key))).collect();
    assert!(!recorded.is_empty());
    recorded.par_iter().step_by(stride(5)).for_each(|(engine, version)| {
        let recording = engine.recording(version).unwrap_or_else(|error| panic!("{error}"));
        let recording = recording.expect("a recording");
        assert_eq!((&recording.head.engine, &recording.head.version), (&engine.name, *version));
        let outcomes = recording.outcomes(&engine.panel);
        let outcomes = outcomes.unwrap_or_else(|error| panic!("{error}"));
        assert!(outcomes.iter().any(|outcome| outcome.url().is_some()), "{}@{version}", engine.name);
        // The file has one form only, so that a recording of the same outcomes is the same file.
        let again = Recording::new(&engine.name, version, &engine.panel, &outcomes, recording.head.survey.clone());
        assert_eq!(again.text(), recording.text(), "{}@{version}", engine.name);
        let file = engine.recordings[*version].text().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(engine.recording_text(&again), file, "{}@{version}", engine.name);
    });
}

/// What is in the program is packed, and not checked when it is read. This test checks it.
#[test]
fn the_program_contains_the_folders_of_the_repository() {
    let own = folders();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines");
    let read = EngineFolders::read(&path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(own.engines.len(), read.engines.len());
    own.engines.par_iter().zip(&read.engines).step_by(stride(3)).for_each(|(own, read)| {
        assert_eq!(own.name, read.name);
        assert_eq!(own.panel.text(), read.panel.text(), "{}", own.name);
        assert_eq!(own.shim_text(), read.shim_text(), "{}", own.name);
        assert!(own.recordings.keys().eq(read.recordings.keys()), "{}", own.name);
        for version in own.recordings.keys() {
            let text = |engine: &EngineFolder| {
                let recording = engine.recording(version).unwrap_or_else(|error| panic!("{error}"));
                recording.expect("a recording").text()
            };
            assert_eq!(text(own), text(read), "{}@{version}", own.name);
            let behaviour = |engine| RecordedBehaviour::read(engine, version).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(behaviour(own), behaviour(read), "{}@{version}", own.name);
        }
    });
}

#[test]
fn a_pair_of_the_panel_is_found_before_and_after_it_is_decoded() {
    let (packed, decoded) = (folders().panel, folders().panel);
    let pairs = decoded.pairs();
    for (number, (base, reference)) in pairs.iter().enumerate().step_by(97) {
        assert_eq!(packed.find(base, reference), Some(number), "{reference:?} on {base:?}");
        assert_eq!(decoded.find(base, reference), Some(number), "{reference:?} on {base:?}");
        // A longer base, and a part of one, are other pairs.
        let longer = format!("{base}/no-such-pair");
        assert_eq!((packed.find(&longer, reference), decoded.find(&longer, reference)), (None, None), "{longer:?}");
    }
    assert_eq!(packed.find("", "no such reference"), None);
}

/// Steps are exact, so that nothing is fitted to an engine that has them; what it is compared with does not follow from a behaviour either.
#[test]
fn engines_with_steps_have_no_behaviour() {
    for engine in &folders().engines {
        let is_stepped = |version: &str| Stepped::of(&engine.name, version).is_some_and(|steps| steps.resolves());
        if engine.recordings.keys().any(|version| is_stepped(version)) {
            let fitted: Vec<_> = engine.behaviours.keys().filter(|version| is_stepped(version)).collect();
            assert_eq!(fitted, Vec::<&String>::new(), "delete the behaviours of {}", engine.name);
            assert!(engine.description.unstated.is_empty(), "delete the [[unstated]] entries of {}", engine.name);
            let compared = engine.description.compared_with.as_ref();
            assert!(compared.is_some(), "{}: missing key `compared_with` in {DESCRIPTION}", engine.name);
        }
    }
}

#[test]
fn every_behaviour_predicts_at_least_what_its_file_states() {
    let folders = folders();
    let stated: Vec<_> = folders.engines.iter().flat_map(|it| it.behaviours.keys().map(move |key| (it, key))).collect();
    assert!(!stated.is_empty());
    stated.par_iter().for_each(|(engine, version)| {
        assert!(engine.recordings.contains_key(*version), "{}@{version}", engine.name);
        let key = format!("{}@{version}", engine.name);
        let read = RecordedBehaviour::read(engine, version).unwrap_or_else(|error| panic!("{error}"));
        let read = read.expect("a behaviour");
        assert_eq!((&read.engine, &read.version), (&engine.name, *version));
        let behaviour = read.behaviour().unwrap_or_else(|sentence| panic!("{key}: {sentence}"));
        let recording = engine.recording(version).unwrap_or_else(|error| panic!("{error}")).expect("a recording");
        let pairs = engine.panel.pairs().into_iter().enumerate();
        let held_out = pairs.filter(|(_, (base, reference))| in_second_half(base, reference));
        let is_predicted = |(number, (base, reference)): &(usize, (&str, &str))| {
            let outcome = recording.outcome(*number, (base, reference));
            behaviour.predict(base, reference).as_deref() == outcome.as_ref().ok().and_then(Outcome::url)
        };
        let predicted = held_out.filter(is_predicted).count() as u64;
        let share = read.held_out().expect("a share of held-out pairs");
        assert!(predicted >= share.predicted, "{key}: {predicted} of {}, stated {}", share.asked, share.predicted);
    });
}

#[test]
fn the_pair_of_each_setting_decides_it() {
    let folders = folders();
    for name in ["mono-system-uri", "libwget"] {
        let engine = folders.engines.iter().find(|engine| engine.name == name).expect("an engine");
        let version = engine.behaviours.keys().next_back().expect("a behaviour");
        let read = RecordedBehaviour::read(engine, version).unwrap_or_else(|error| panic!("{error}"));
        let behaviour = read.and_then(|read| read.behaviour().ok()).expect("a behaviour");
        let recording = engine.recording(version).unwrap_or_else(|error| panic!("{error}")).expect("a recording");
        let outcomes = recording.outcomes(&engine.panel);
        let outcomes = outcomes.unwrap_or_else(|error| panic!("{error}"));
        let decided = decided(&Predictions::of(&behaviour, engine.panel.pairs()), &outcomes, &revision::rfc3986::RULES);
        assert!(decided.len() > 20, "{name}: {}", decided.len());
        for by in decided.values() {
            let number = engine.panel.find(&by.base, &by.reference).expect("a pair of the panel");
            assert_eq!(by.result.as_deref(), outcomes[number].url(), "{name}: {by:?}");
            assert_eq!(by.result, behaviour.predict(&by.base, &by.reference), "{name}: {by:?}");
            assert_ne!(by.result, by.otherwise, "{name}: {by:?}");
        }
    }
}

#[test]
fn every_engine_is_recorded_or_states_why_not() {
    let folders = folders();
    for engine in &folders.engines {
        // A command that takes a specification or an engine could not tell them apart.
        assert!(revision::by_id(&engine.name).is_none(), "{} is a specification", engine.name);
        let is_had = |install: &Install| !matches!(install, Install::Unavailable(_));
        let missing = engine
            .description
            .versions
            .iter()
            .find(|version| is_had(&version.install) && !engine.is_recorded(&version.version));
        assert_eq!(missing.map(|version| engine.key(version)), None, "neither recorded nor unavailable");
    }
    let languages: BTreeSet<_> = folders.engines.iter().map(|engine| &engine.description.language).collect();
    assert!(languages.len() >= 10, "{languages:?}");
}

#[test]
fn the_clients_of_1997_and_the_engines_of_2014_are_recorded() {
    let folders = folders();
    let results = |panel: &str| -> Vec<(&str, usize)> {
        let engines = folders.engines.iter().filter(|engine| engine.description.panel == panel);
        let count = |engine: &EngineFolder| {
            let version = engine.version(None).expect("a version");
            let recording = engine.recording(&version.version).expect("valid").expect("a recording");
            let outcomes = recording.outcomes(&engine.panel).expect("outcomes");
            outcomes.iter().filter(|outcome| !matches!(outcome, Outcome::Skipped(_))).count()
        };
        { engines }.map(|engine| (engine.name.as_str(), count(engine))).collect()
    };
    let clients = results("../fielding-1997.tsv");
    let names = ["libwww-perl-1997", "lynx-1997", "mosaic-1997", "msie-1997", "netscape-1997"];
    assert_eq!(clients, { names }.into_iter().zip([43, 103, 73, 103, 103]).collect::<Vec<_>>());
    let engines = results("../webspecs-2014.tsv");
    assert!(engines.len() == 14 && engines.iter().all(|(_, results)| *results >= 264), "{engines:?}");
}

#[test]
fn a_recorded_engine_answers_the_panel_and_predicts_the_rest() {
    let world = World::embedded().expect("valid");
    let engines = world.recorded_engines().unwrap_or_else(|error| panic!("{error}"));
    let (base, reference) = ("http://www.victim.com/login", "///evil.com");
    let common = world.folders().expect("valid").panel.pairs().len();
    for engine in engines.iter().filter(|engine| engine.panel().is_some_and(|panel| panel.pairs().len() == common)) {
        assert_eq!(engine.source(base, reference), Source::Recorded, "{}", engine.key());
        let other = engine.source("http://h/no/such/pair", "in-the-panel");
        let is_predicted = world.prediction(engine.key()).is_ok_and(|prediction| prediction.is_some());
        let expected = if is_predicted { Source::Predicted } else { Source::Absent };
        assert_eq!(other, expected, "{}", engine.key());
    }
}

/// A text that the shim of an engine cannot give to the library is not an input that the library rejects: neither the recording nor the
/// prediction is a failure.
#[test]
fn texts_that_cannot_be_given_are_unrepresentable() {
    let world = World::embedded().expect("valid");
    let folders = world.folders().expect("valid");
    let is_own = |engine: &&EngineFolder| engine.panel.pairs().len() == folders.panel.pairs().len();
    let checked = folders.engines.par_iter().filter(is_own).map(|engine| {
        let Some(version) = engine.description.versions.first().map(|it| it.version.as_str()) else { return 0 };
        let Some(recording) = engine.recording(version).expect("valid") else { return 0 };
        let outcomes = recording.outcomes(&engine.panel).expect("valid");
        let predicted = world.predicted(&engine.name).ok();
        let (mut excluded, mut others) = (0, 0);
        for ((base, reference), recorded) in engine.panel.pairs().into_iter().zip(&outcomes) {
            let is_unrepresentable = matches!(recorded, Outcome::Unrepresentable(_));
            if engine.description.text.is_some_and(|text| text.excludes(base, reference).is_some()) {
                let about = format!("{}: {reference:?} on {base:?}: {recorded:?}", engine.name);
                assert!(is_unrepresentable || matches!(recorded, Outcome::Skipped(_)), "{about}");
                let predicted = predicted.as_ref().map(|it| it.resolve(base, reference));
                assert!(predicted.is_none_or(|it| matches!(it, Outcome::Unrepresentable(_))), "{about}");
                excluded += 1;
            } else {
                others += usize::from(is_unrepresentable);
            }
        }
        // The other results are not UTF-8.
        assert!(others <= 5, "{}: {others} other unrepresentable outcomes", engine.name);
        excluded
    });
    assert!(checked.sum::<usize>() > 2_000);
}

/// Nor is a text that cannot be given a URL about which the library states something, or to which a client connects.
#[test]
fn urls_that_cannot_be_given_are_unrepresentable() {
    let world = World::embedded().expect("valid");
    let folders = world.folders().expect("valid");
    let (mut recorded, mut predicted) = (0, 0);
    for engine in folders.engines.iter().filter(|engine| engine.description.text == Some(Given::CString)) {
        let version = engine.version(None).expect("a version");
        let answering = world.recorded(engine, version).expect("valid").expect("a recording");
        for op in [Op::Parse, Op::Connect] {
            for url in ["http://a\0zq/x", "http://evil.test@\0ok.example/"] {
                let answer = match op {
                    Op::Parse if answering.states() => answering.parse(url),
                    Op::Connect if answering.visits(op) => answering.visit_all(op, &[url]).remove(0),
                    _ => continue,
                };
                match answering.source_of(op, url) {
                    Source::Recorded => recorded += 1,
                    Source::Predicted => predicted += 1,
                    _ => continue,
                }
                assert!(matches!(answer, Err(Outcome::Unrepresentable(_))), "{}: {url:?}: {answer:?}", engine.name);
            }
        }
    }
    assert!(recorded > 10 && predicted > 8, "{recorded} and {predicted}");
    // A version that is not listed, and an engine that only predicts.
    let unlisted = world.engine("libcurl@8.5.0").expect("steps");
    assert!(matches!(unlisted.parse("http://a\0zq/x"), Err(Outcome::Unrepresentable(_))));
    let predicting = World::embedded().expect("valid").with_predictions().expect("valid").others;
    let libcurl = predicting.iter().find(|engine| engine.name() == "libcurl").expect("an engine");
    assert!(matches!(libcurl.resolve("http://a/", "b\0c"), Outcome::Unrepresentable(_)));
}
