use proptest::prelude::*;
use urlstrata::revision::{self, rfc3986};
use urlstrata::slots::{Exchange, Part, Slot, Slots, Value};
use urlstrata_steps::{RevisionRun, Runner};

/// The revisions that write slots.
const REVISIONS: [&str; 11] = [
    "appendix-b-1994",
    "rfc1808",
    "draft-1996",
    "rfc2396",
    "rfc3986",
    "rfc3986-nonstrict",
    "whatwg-2014-12",
    "whatwg-2016-03",
    "whatwg-2018-06",
    "whatwg-2020-08",
    "whatwg-2026-07",
];

fn runs<'a>(pair: (&'a str, &'a str)) -> impl Iterator<Item = RevisionRun<'a>> {
    REVISIONS.into_iter().map(move |id| RevisionRun { revision: revision::by_id(id).expect("a revision"), pair })
}

const TEXT: &str = "([sS]:|http:|file:|)[a/?#:.;@b%\\\\ é1\t-]{0,12}";
const BASE: &str = "(s://[a:@]{0,3}|s:|HTTP://[a1:@é]{1,5}|file:|)[a/?#:.; é\\\\]{0,10}";

proptest! {
    #[test]
    fn results_do_not_depend_on_recording(base in BASE, reference in TEXT) {
        for run in runs((&base, &reference)) {
            let plain = run.revision.resolve(&base, &reference).map(|target| target.url);
            let recorded = run.run(&[]);
            prop_assert_eq!(recorded.url(), plain.as_deref().ok(), "{:?}", run.revision);
        }
    }

    #[test]
    fn every_difference_of_two_revisions_has_a_link(base in BASE, reference in TEXT) {
        let all: Vec<_> = runs((&base, &reference)).collect();
        for (one, other) in all.iter().zip(&all[1..]) {
            let links = urlstrata_steps::chain([one, other]);
            prop_assert_eq!(links.is_empty(), one.run(&[]).url() == other.run(&[]).url());
            for link in links {
                prop_assert!(link.values[0] != link.values[1] || link.rejected.iter().any(Option::is_some), "{link}");
            }
        }
    }

    #[test]
    fn any_value_may_be_exchanged(base in BASE, reference in TEXT, text in proptest::option::of(TEXT), at in 0..Slot::COUNT) {
        let slot = Slot::all().nth(at).expect("a slot");
        for run in runs((&base, &reference)) {
            run.run(&[Exchange { slot, after: 1, value: Value::from(text.clone()) }]);
        }
    }
}

#[test]
fn an_exchanged_component_changes_the_result() {
    let run = RevisionRun { revision: &rfc3986::REVISION, pair: ("http://a/b/c", "d") };
    for (slot, value, expected) in [
        (Slot::Base(Part::Scheme), "s", "s://a/b/d"),
        (Slot::Base(Part::Authority), "h", "http://h/b/d"),
        (Slot::Base(Part::Path), "/x/y/z", "http://a/x/y/d"),
        (Slot::Ref(Part::Path), "../e", "http://a/e"),
        (Slot::Merged, "/m/../n", "http://a/n"),
        (Slot::NoDots, "/./p", "http://a/./p"),
        (Slot::Out(Part::Query), "q", "http://a/b/d?q"),
        (Slot::Ref(Part::Text), "?r", "http://a/b/c?r"),
    ] {
        let run = run.run(&[Exchange { slot, after: 1, value: Value::from(value) }]);
        assert_eq!(run.url(), Some(expected), "{slot}");
    }
}

#[test]
fn a_revision_without_slots_says_so() {
    let rfc1738 = revision::by_id("rfc1738").expect("a revision");
    assert!(rfc1738.resolve_slots("a:b", "c", Slots::new()).1.is_none());
    assert!(!rfc1738.writes_slots);
}
