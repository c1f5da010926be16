//! States of the URL Standard.

use std::collections::BTreeSet;

use urlstrata::revision::whatwg::{CHANGES, ChangeSet, Implementation, NEWEST, REVISIONS, WHATWG_2018_06};
use urlstrata_harness::knowledge::attribute::{Answer, Attributor, Model};
use urlstrata_harness::knowledge::dated::{ChangeNote, alters_results, changes, ranges};
use urlstrata_harness::knowledge::dated_section::section_in;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::knowledge::step_table::shown;
use urlstrata_harness::knowledge::stepped::Stepped;
use urlstrata_harness::outcome::Outcome;

#[test]
fn consecutive_states_are_a_range() {
    let of = |ids: &[&str]| ranges(ids.iter().copied());
    assert_eq!(of(&["rfc3986", "whatwg-2014-12", "crate:url"]), ["rfc3986", "whatwg-2014-12", "crate:url"]);
    assert_eq!(
        of(&["whatwg-2014-12", "whatwg-2016-03", "whatwg-2021-06"]),
        ["whatwg 2014-12 to 2016-03", "whatwg-2021-06"]
    );
    assert_eq!(of(&REVISIONS.iter().map(|(revision, _)| revision.id).collect::<Vec<_>>()), ["whatwg"]);
}

#[test]
fn changes_are_those_at_which_the_result_changes() {
    let commits = |base, reference| -> Vec<_> {
        changes(&WHATWG_2018_06, NEWEST, base, reference).iter().map(|change| change.commit).collect()
    };
    assert_eq!(commits("", "file:////x"), ["47efa00"]);
    assert_eq!(commits("", "file:.//p"), ["47efa00", "a19495e"]);
    assert!(commits("http://a/b", "c").is_empty());
}

#[test]
fn days_are_in_words() {
    let days: Vec<_> = [0, CHANGES.len() - 1].map(|index| ChangeNote::from(&CHANGES[index]).day()).into();
    assert_eq!(days, ["20 Sep 2012", "25 Jun 2026"]);
}

/// A note says by which change the URL Standard came to do what an engine does, on which day, and not in which dated state it is first: the
/// pair is the smallest one that shows the change.
#[test]
fn notes_have_the_day_of_a_change_of_the_standard() {
    let steps = Stepped::of("whatwg-url", "17.3.0").expect("steps");
    let model = Model { steps: Some(steps), ..Model::default() };
    let first = REVISIONS[0].1;
    let mut dated = 0;
    for change in CHANGES.iter().filter(|change| !first.contains(change) && alters_results(change)) {
        let Some((base, reference)) = change.witness else { continue };
        let result = |landed| Implementation::new(landed).resolve(base, reference).map(|it| it.url).ok();
        // The first change that gives today's result, which no specification before it has.
        let with = CHANGES.iter().position(|own| own == change).map_or(0, |at| at + 1);
        let is_today = (with..=CHANGES.len()).all(|count| result(ChangeSet::until(count)) == result(ChangeSet::ALL));
        let older = Specification::by_id("rfc3986").expect("a specification");
        let returned = match result(ChangeSet::ALL) {
            Some(url) => Outcome::Url(url),
            None => continue,
        };
        let before = (0..with).any(|count| result(ChangeSet::until(count)).as_deref() == returned.url());
        if !is_today || before || older.resolve(base, reference).url() == returned.url() {
            continue;
        }
        let attributor = Attributor::new(older, model.clone());
        let found = attributor.attribute(base, reference, &returned).expect("a difference");
        let notes = attributor.notes(&found, &Answer::new(base, reference, &returned));
        let all: Vec<_> = notes.iter().map(|note| note.change.as_str()).collect();
        dated += usize::from(all.iter().any(|it| it.ends_with(&format!("({})", change.commit))));
        for (revision, _) in REVISIONS {
            let day = format!(", {}", revision.date);
            assert!(!all.iter().any(|it| it.contains("first in URL Standard") && it.ends_with(&day)), "{all:?}");
        }
    }
    assert!(dated > 10, "{dated}");
}

/// Three changes correct the text of the Standard, or say what it was taken to mean. No result depends on them, so no engine lacks them.
#[test]
fn changes_that_alter_no_result_are_not_missing_from_an_engine() {
    let editorial: BTreeSet<_> = CHANGES.iter().filter(|change| !alters_results(change)).map(|it| it.commit).collect();
    assert_eq!(editorial, BTreeSet::from(["8848692", "b11d73b", "cb146b9"]));
    let mut missing = 0;
    for table in urlstrata_engines::tables() {
        let of_standard = shown(table, None).standard;
        for change in of_standard.iter().flat_map(|standard| &standard.missing) {
            assert!(!editorial.contains(change.commit), "{}: {}", table.engine, change.commit);
            missing += 1;
        }
    }
    assert!(missing > 0);
}

/// The sections that sentences cite are those of the newest text.
#[test]
fn sections_and_states_are_those_of_the_dated_text() {
    let section =
        |id: &str, section: &str| section_in(Specification::by_id(id).expect("a specification").revision, section);
    let states = "§4.4 scheme state, special relative or authority state";
    assert_eq!(section("whatwg-2014-12", states), "§4.2 scheme state, relative or authority state");
    assert_eq!(section("whatwg-2016-03", states), "§4.2 scheme state, special relative or authority state");
    assert_eq!(section("whatwg-2026-07", states), states);
    let opaque = "§4.4 opaque path state, with §1.3 C0 control percent-encode set";
    assert_eq!(section("whatwg-2014-12", opaque), "§4.2 scheme data state, with §2 simple encode set");
    let of_2020 = "§4.4 cannot-be-a-base-URL path state, with §1.3 C0 control percent-encode set";
    assert_eq!(section("whatwg-2020-08", opaque), of_2020);
    assert_eq!(section("rfc3986", "§3.3"), "§3.3");
}
