//! Citations: every specification can be cited for every difference.

use std::collections::BTreeMap;

use urlstrata::revision;
use urlstrata_harness::behaviour::{Component, ROW, SYNTAX, between};
use urlstrata_harness::engine::{ask, by_name};
use urlstrata_harness::knowledge::attribute::{Answer, Attributor, Model};
use urlstrata_harness::knowledge::citation::{Citation, choices, subjects};
use urlstrata_harness::knowledge::note::IN_NO_SPECIFICATION;
use urlstrata_harness::knowledge::specification::Specification;
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
