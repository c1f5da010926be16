//! Citations: every specification can be cited for every difference.

use std::collections::BTreeMap;

use rayon::prelude::*;
use urlstrata::revision;
use urlstrata_harness::behaviour::{Component, ROW, SYNTAX, between};
use urlstrata_harness::engine::{Engine, ask, by_name};
use urlstrata_harness::knowledge::attribute::{Answer, Attributor, EnginePair, Model};
use urlstrata_harness::knowledge::citation::{Citation, choices, subjects};
use urlstrata_harness::knowledge::note::{IN_NO_SPECIFICATION, NOT_ALL_IN_A_SPECIFICATION, Note, Statement};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::knowledge::stepped;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs::generate::RandomPairs;
use urlstrata_harness::world::World;

#[test]
fn each_setting_and_each_table_has_one_subject() {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for name in subjects() {
        *found.entry(name).or_default() += 1;
    }
    let components = Component::ALL.map(|component| format!("characters: {}", component.name()));
    let settings = ROW.iter().map(|it| it.name).chain(SYNTAX.iter().map(|it| it.name));
    let cleanings = ["cleaning of references", "cleaning of bases"];
    for name in settings.chain(cleanings).chain(components.iter().map(String::as_str)) {
        assert_eq!(found.remove(name), Some(1), "{name}");
    }
    // Delimiters around a text are removed by cleaning.
    assert!(found.is_empty(), "without a setting: {found:?}");
}

#[test]
fn each_choice_that_is_cited_is_one_of_its_specification() {
    for (cite, id) in choices() {
        let mut revisions = revision::ALL.iter().filter(|revision| revision.cite == cite);
        assert!(revisions.any(|revision| revision.remarks.iter().any(|remark| remark.id == id)), "{cite}: {id}");
    }
}

/// Each side of a difference between two specifications is cited from its own specification, with its date.
#[test]
fn both_sides_of_a_difference_between_specifications_are_cited() {
    let all = Specification::all();
    let mut random = RandomPairs::new(51);
    let mut cited = 0;
    for _ in 0..300 {
        let (base, reference) = random.pair();
        for sides in all.windows(2) {
            let [from, to] = [&sides[0], &sides[1]];
            for difference in between(from.behaviour(), to.behaviour(), &base, &reference).unwrap_or_default() {
                for (specification, sentence) in [(from, &difference.from), (to, &difference.to)] {
                    let citation = Citation::of(specification, &difference, sentence);
                    let name = specification.cite.trim_end_matches(" 1994").trim_end_matches(" 1996");
                    let rest = citation.place.strip_prefix(name).unwrap_or_default();
                    let about = format!("{}, {}: {citation}", specification.id, difference.name);
                    assert!(rest.len() > 3 && citation.date == specification.revision.date, "{about}");
                    cited += 1;
                }
            }
        }
    }
    assert!(cited > 1_000, "{cited}");
}

/// Every note on the `url` crate has a section and a date on the side of the specification, and on the side of the crate too, or
/// states that no specification does the same.
#[test]
fn notes_on_an_engine_have_a_source_on_both_sides() {
    let engine = by_name("crate:url").expect("an engine");
    let model = World::embedded().expect("a world").model_of(engine.as_ref());
    let mut random = RandomPairs::new(52);
    let (mut both, mut own) = (0, 0);
    for _ in 0..300 {
        let (base, reference) = random.pair();
        let returned = ask(engine.as_ref(), &base, &reference);
        for specification in Specification::all() {
            let answer = Answer::new(&base, &reference, &returned);
            let attributor = Attributor::new(specification, Model::clone(&model));
            let Some(found) = attributor.attribute(&base, &reference, &returned) else { continue };
            for note in attributor.notes(&found, &answer) {
                let dated =
                    |source: &str| source.contains(", ") && source.contains(|digit: char| digit.is_ascii_digit());
                assert!(dated(&note.from.source), "{note:?}");
                match note.to.source == IN_NO_SPECIFICATION {
                    true => own += 1,
                    false => both += 1,
                }
                assert!(note.to.source == IN_NO_SPECIFICATION || dated(&note.to.source), "{note:?}");
                assert_ne!(note.from.note, note.to.note, "{note:?}");
            }
        }
    }
    assert!(both > 20 * own, "{both} and {own}");
}

/// Engines by the steps of their sources, and then engines by behaviours that were fitted to their results.
const ENGINES: [&str; 20] = [
    "urllib",
    "libcurl",
    "go-net-url",
    "java-net-uri",
    "java-net-url",
    "node-url-resolve",
    "ruby-uri",
    "perl-uri",
    "whatwg-url",
    "libxml2",
    "htmlcxx",
    "libwget",
    "gauche",
    "htmlpurifier",
    "pike",
    "commons-httpclient",
    "jena",
    "swi-prolog-uri",
    "gstreamer",
    "mono-system-uri",
];

/// Returns whether a source says where a sentence is stated: a specification with its year, or an engine with its version.
fn is_source(source: &str, version: &str) -> bool {
    let years = ["19", "20"].iter().flat_map(|century| source.match_indices(century));
    let mut years = years.map(|(at, _)| source[at..].bytes().take_while(u8::is_ascii_digit).count());
    years.any(|digits| digits == 4) || source.contains(version) || source == "observed"
}

/// A side that returns a URL is not said to reject it.
fn assert_is_not_rejected(side: &Statement, result: &Outcome, about: &str) {
    let is_rejection =
        ["It is rejected", "The pair is rejected"].contains(&side.note.as_str()) || side.note.starts_with("Rejects ");
    assert!(result.url().is_none() || !is_rejection, "{about}");
}

/// What a specification does not list is copied, and not stated by its section on characters.
fn assert_characters_are_copied(note: &Note) {
    let is_of_rfc = |source: &str| source.contains("RFC ") || source.contains("Appendix B") || source.contains("Draft");
    for side in [&note.from, &note.to] {
        let is_kept = note.name.starts_with("characters of ") && is_of_rfc(&side.source);
        assert!(!is_kept || side.source.contains("which copies every character"), "{note:?}");
    }
}

/// Notes on engines, by their steps or by fitted behaviours, have the specification's own section and date on its side. The engine's side has
/// its function and version, a specification that does the same, or says that none is known.
#[test]
fn notes_on_engines_of_both_kinds_have_a_source_on_both_sides() {
    let world = World::embedded().expect("a world");
    let mut random = RandomPairs::new(53);
    let pairs: Vec<_> = (0..100).map(|_| random.pair()).collect();
    let engines: Vec<_> = ENGINES.iter().map(|name| world.predicted(name).expect("an engine")).collect();
    let counts = |engine: &dyn Engine| {
        let model = world.model_of(engine);
        let (mut all, mut unknown) = (0, 0);
        for (base, reference) in &pairs {
            let returned = ask(engine, base, reference);
            let answer = Answer::new(base, reference, &returned);
            for specification in Specification::all() {
                let attributor = Attributor::new(specification, model.clone());
                let Some(found) = attributor.attribute(base, reference, &returned) else { continue };
                for note in attributor.notes(&found, &answer) {
                    let about =
                        format!("{} against {}: {base:?} {reference:?} {note:?}", engine.key(), specification.id);
                    let cite = specification.cite.trim_end_matches(" 1994").trim_end_matches(" 1996");
                    let own = &note.from.source;
                    assert!(own.starts_with(cite) && own.contains(specification.revision.date), "{about}");
                    let is_unknown =
                        [IN_NO_SPECIFICATION, NOT_ALL_IN_A_SPECIFICATION].contains(&note.to.source.as_str());
                    assert!(is_unknown || is_source(&note.to.source, engine.version()), "{about}");
                    assert!(note.from != note.to && !note.from.note.is_empty() && !note.to.note.is_empty(), "{about}");
                    assert_characters_are_copied(&note);
                    assert_is_not_rejected(&note.from, &found.own, &about);
                    assert_is_not_rejected(&note.to, &returned, &about);
                    all += 1;
                    unknown += usize::from(is_unknown);
                }
            }
        }
        (engine.key().to_owned(), all, unknown)
    };
    let counted: Vec<_> = engines.par_iter().map(|engine| counts(engine.as_ref())).collect();
    let (by_steps, fitted) = counted.split_at(ENGINES.len() / 2);
    assert!(by_steps.iter().all(|(_, all, unknown)| *all > 500 && *unknown == 0), "{by_steps:?}");
    let [all, unknown]: [usize; 2] = [fitted.iter().map(|it| it.1).sum(), fitted.iter().map(|it| it.2).sum()];
    assert!(all > 5_000 && unknown * 2 < all, "{fitted:?}");
}

/// Notes on two engines have a source on both sides, too.
#[test]
fn notes_between_engines_have_a_source_on_both_sides() {
    let world = World::embedded().expect("a world");
    let mut random = RandomPairs::new(54);
    let pairs: Vec<_> = (0..100).map(|_| random.pair()).collect();
    let engines: Vec<_> = ENGINES.iter().map(|name| world.predicted(name).expect("an engine")).collect();
    let compared = |sides: &[Box<dyn Engine>]| {
        let [one, other] = [sides[0].as_ref(), sides[1].as_ref()];
        let engine_pair = EnginePair::new(world.model_of(one), world.model_of(other));
        let mut count = 0;
        for (base, reference) in &pairs {
            let [returned, own] = [one, other].map(|engine| ask(engine, base, reference));
            let Some(found) = engine_pair.attribute(base, reference, &returned, &own) else { continue };
            for note in engine_pair.notes(&found, base, reference) {
                for (side, engine) in [(&note.from, other), (&note.to, one)] {
                    let is_unknown = [IN_NO_SPECIFICATION, NOT_ALL_IN_A_SPECIFICATION].contains(&side.source.as_str());
                    let about = format!("{} and {}: {base:?} {reference:?} {note:?}", one.key(), other.key());
                    assert!(is_unknown || is_source(&side.source, engine.version()), "{about}");
                    assert_is_not_rejected(&note.from, &own, &about);
                    assert_is_not_rejected(&note.to, &returned, &about);
                }
                assert_characters_are_copied(&note);
                count += 1;
            }
        }
        count
    };
    let counted: Vec<usize> = engines.par_windows(2).map(compared).collect();
    assert!(counted.iter().sum::<usize>() > 500, "{counted:?}");
}

/// The only note on why `crate:url` and the specification called `id` have different targets for `reference` on `base`.
fn only_note(id: &str, base: &str, reference: &str) -> Note {
    let engine = by_name("crate:url").expect("an engine");
    let specification = Specification::by_id(id).expect("a specification");
    let world = World::embedded().expect("files in order").with_engines(Vec::new());
    let attributor = Attributor::new(specification, world.model_of(engine.as_ref()));
    let returned = ask(engine.as_ref(), base, reference);
    let answer = Answer::new(base, reference, &returned);
    let found = attributor.attribute_from(specification.resolve(base, reference), &answer).expect("a difference");
    let mut notes = attributor.notes(&found, &answer);
    assert_eq!(notes.len(), 1, "{notes:?}");
    notes.remove(0)
}

/// A specification whose target is in the folder of the base does not take the path of the base.
#[test]
fn a_specification_that_takes_the_folder_is_not_one_that_takes_the_path() {
    let note = only_note("rfc1808", "http://a/b/c/d;p?q#f", "");
    assert!(note.to.note.starts_with("scheme, authority, path, query: "), "{note:?}");
    assert_eq!(note.change, "as first in RFC 2396 §5.2 step 2, August 1998");
}

/// The first states of the URL Standard trim the reference, too, though they reject it on this base.
#[test]
fn a_state_that_rejects_later_reads_the_text_alike() {
    let note = only_note("rfc1808", "foo:/p", " g");
    assert_eq!(note.change, "as first in URL Standard §4.2 basic 1.2, 15 December 2014 or earlier");
}

/// The states before basic 3 ignore a tab in a path by another step: their text is another one, and their result is not.
#[test]
fn a_change_of_the_text_without_another_result_is_not_the_first() {
    let note = only_note("rfc3986", "http://a/b", "g\ty");
    assert_eq!(note.change, "as in URL Standard §4.2 basic 3, 30 March 2016");
}

/// In the text of 2014, the state has another name and another section. The steps that an engine follows are those of the newest text.
#[test]
fn a_dated_state_is_cited_by_its_own_text() {
    let note = only_note("rfc3986", "", "http://h?q");
    assert!(note.to.source.starts_with("URL Standard §4.4 path start 1.2, followed by crate-url "), "{note:?}");
    assert_eq!(note.change, "as first in URL Standard §4.2 relative path start 2, 15 December 2014 or earlier");
    let deciding = |id: &str| {
        let specification = Specification::by_id(id).expect("a specification");
        stepped::deciding(&specification, ("http://a/b/c", "../g")).expect("steps that decide").source
    };
    // The state of 2014 inherits the scheme and the rest in one sentence, which is cited once.
    let of_2014 = "URL Standard §4.2 relative state, relative f.1, relative path 1.3, 15 December 2014";
    assert_eq!(deciding("whatwg-2014-12"), of_2014);
    assert_eq!(
        deciding("whatwg-2026-07"),
        "URL Standard §4.4 relative 2, relative 5.1, relative 5.4.1, relative 5.4.2, path 1.2.1, 2 July 2026"
    );
}

/// A step with a condition that does not hold is not said to have been taken.
#[test]
fn a_condition_that_does_not_hold_is_not_a_step() {
    let note = only_note("rfc1630", "http://a/b/c/d", "");
    assert_eq!(note.to.note, "scheme, authority, path, query: this does not apply: otherwise, before the end");
}

/// A later specification that has another result for the pair did not change what the engine does with it.
#[test]
fn a_change_is_that_of_a_specification_with_the_same_result() {
    let world = World::embedded().expect("files in order");
    let engine = world.predicted("jena").expect("an engine");
    let (base, reference) = ("", "sc://a b/");
    let returned = ask(engine.as_ref(), base, reference);
    let appendix_b = Specification::by_id("appendix-b-1994").expect("a specification");
    let attributor = Attributor::new(appendix_b, world.model_of(engine.as_ref()));
    let answer = Answer::new(base, reference, &returned);
    let found = attributor.attribute_from(appendix_b.resolve(base, reference), &answer).expect("a difference");
    for note in attributor.notes(&found, &answer) {
        assert!(!note.change.contains("RFC 1808"), "{note:?}");
    }
}
