//! Results that were given without an engine: who gives them, where they part, and the changes that give them.

use urlstrata_harness::engine;
use urlstrata_harness::explain::{Change, ObservedResult, Overview, Question};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::layout::Layout;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::world::World;

fn world() -> World {
    World::embedded().expect("files in order")
}

fn url(text: &str) -> Outcome {
    Outcome::Url(text.to_owned())
}

fn observed(base: &str, reference: &str, got: Option<&str>, expected: Option<&str>) -> ObservedResult {
    let (got, expected) = (got.map(url), expected.map(url));
    let question = Question { base, reference, got: got.as_ref(), expected: expected.as_ref(), by: None };
    ObservedResult::of(&world(), &question).expect("files in order")
}

/// Pairs with a result that people expect, and no specification in force gives.
const EXPECTED: [(&str, &str, &str); 8] = [
    ("http://h/api/v1", "users", "http://h/api/v1/users"),
    ("http://h/api/v1/", "/users", "http://h/api/v1/users"),
    ("http://h/api/v1", "/users", "http://h/api/v1/users"),
    ("file:///fiz/buz/", "c:/foo", "file:///c:/foo"),
    ("http://h/", "www.example.org/x", "http://www.example.org/x"),
    ("http://h/a", "b[1]", "http://h/b%5B1%5D"),
    ("http://h/a/", "a:b.html", "http://h/a/a:b.html"),
    ("http://h/a", "?y", "http://h/?y"),
];

#[test]
fn a_change_that_is_proposed_gives_the_expected_result() {
    for (base, reference, expected) in EXPECTED {
        let found = observed(base, reference, None, Some(expected)).changes;
        assert!((1..=3).contains(&found.len()), "{reference} on {base}: {found:?}");
        for Change { base, reference, engine, result, by, .. } in found {
            assert_eq!(result, expected);
            match engine {
                Some(engine) => {
                    let own = engine::by_name(&engine).expect("an engine").resolve(&base, &reference);
                    assert_eq!(own, url(expected), "{engine}");
                }
                None => {
                    assert!(!by.is_empty());
                    for id in by {
                        let own = Specification::by_id(id).expect("a specification").resolve(&base, &reference);
                        assert_eq!(own, url(expected), "{reference} on {base} by {id}");
                    }
                }
            }
        }
    }
}

#[test]
fn nothing_is_changed_if_a_specification_in_force_gives_the_expected_result() {
    assert!(observed("http://h/a/b", "x", Some("http://h/x"), Some("http://h/a/x")).changes.is_empty());
}

#[test]
fn the_specifications_that_give_a_result_are_those_that_resolve_to_it() {
    let found = observed("http://a/b/c/d;p?q", "?y", Some("http://a/b/c/?y"), None);
    let got = found.got.expect("the observed result");
    for own in Specification::all() {
        let gives = own.resolve("http://a/b/c/d;p?q", "?y") == got.outcome;
        assert_eq!(got.specifications.contains(&own.id), gives, "{}", own.id);
    }
}

#[test]
fn each_version_that_gives_a_result_is_listed_and_no_other() {
    let (base, reference) = ("http://a/b/c/d;p?q", ".");
    let wrong = url("http://a/b/c");
    let found = observed(base, reference, wrong.url(), None);
    let got = found.got.expect("the observed result");
    let giver = got.engines.iter().find(|own| own.engine == "elixir-uri").expect("old versions of elixir-uri give it");
    assert!(!giver.is_every);
    let world = world();
    for range in &giver.versions {
        for version in [&range.first, &range.last] {
            let engine = world.engine(&format!("elixir-uri@{version}")).expect("a known version");
            assert_eq!(engine.resolve(base, reference), wrong, "{version}");
        }
        let before = range.before.as_ref().expect("the steps of elixir-uri are known");
        let engine = world.engine(&format!("elixir-uri@{before}")).expect("a known version");
        assert_ne!(engine.resolve(base, reference), wrong, "{before}");
    }
    assert_ne!(world.engine("elixir-uri").expect("an engine").resolve(base, reference), wrong);
}

#[test]
fn a_result_that_a_specification_permits_is_called_permitted() {
    let found = observed("http://server.com/123/xyz", "../../../a", Some("http://server.com/a"), None);
    let permitted = found.got.expect("the observed result").permitted;
    assert!(permitted.iter().any(|own| own.specification == "rfc2396" && own.section.contains("6g")), "{permitted:?}");
}

#[test]
fn an_observed_result_that_nobody_gives_is_described_and_has_no_cause() {
    let found = observed("http://example.org/foo/bar", "../baz", Some("http://example.org/foo/bar../baz"), None);
    assert!(found.observations.iter().any(|it| it.contains("one after the other")), "{:?}", found.observations);
    let found = observed("http://host/a/b", "x", Some("http://host/a//x"), None);
    assert!(found.observations.iter().any(|it| it.contains("two slashes")), "{:?}", found.observations);
    assert_eq!(found.parting.expect("where it parts").to, "observed");
}

#[test]
fn an_answer_fits_in_a_terminal_of_80_columns_and_24_lines() {
    for (base, reference, expected) in EXPECTED {
        let text = observed(base, reference, None, Some(expected)).text(&Layout::PLAIN, false);
        assert!(text.lines().count() <= 24, "{text}");
        // A word that is longer than a line is not divided.
        let is_long = |line: &&str| line.chars().count() > 80 && line.split(' ').all(|word| word.chars().count() < 60);
        assert_eq!(text.lines().find(is_long), None);
    }
}

#[test]
fn an_overview_has_a_row_for_each_pair_and_the_segment_that_is_replaced() {
    let bases = ["http://h/api/v1", "http://h/api/v1/"].map(str::to_owned);
    let references = ["users", "/users"].map(str::to_owned);
    let overview = Overview::of(&world(), &bases, &references);
    assert_eq!(overview.rows.len(), 4);
    let segments: Vec<&str> = overview.replaced.iter().map(|own| own.segment.as_str()).collect();
    assert_eq!(segments, ["v1", ""]);
    for row in &overview.rows {
        let own = Specification::by_id("rfc3986").expect("a specification").resolve(&row.base, &row.reference);
        assert_eq!(row.results[0].outcome, own);
    }
}
