//! States of the URL Standard.

use urlstrata::revision::whatwg::{CHANGES, NEWEST, REVISIONS, WHATWG_2018_06};
use urlstrata_harness::knowledge::dated::{ChangeNote, changes, ranges};

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
