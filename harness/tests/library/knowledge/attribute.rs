//! The causes of divergences.

use urlstrata::revision::rfc2396;
use urlstrata_harness::behaviour::{Behaviour, DefaultPort};
use urlstrata_harness::engine::by_name;
use urlstrata_harness::knowledge::attribute::{
    Answer, Attribution, Attributor, Cause, Effect, EnginePair, Model, effect,
};
use urlstrata_harness::knowledge::behaviours::outcome;
use urlstrata_harness::knowledge::dated::ranges;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::knowledge::stepped::Stepped;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::world::World;

fn attribute(specification: &str, base: &str, reference: &str, returned: &Outcome) -> Option<Attribution> {
    let specification = Specification::by_id(specification).expect("a specification");
    let by_settings = Model { has_settings_only: true, ..Model::default() };
    Attributor::new(specification, by_settings).attribute(base, reference, returned)
}

fn caused(engine: &str, revision: &str, base: &str, reference: &str) -> (Vec<&'static str>, Cause, Effect) {
    let returned = by_name(engine).expect("an engine").resolve(base, reference);
    let found = attribute(revision, base, reference, &returned).expect("a divergence");
    (Answer::new(base, reference, &returned).signature(&found).to_vec(), found.cause, found.effect)
}

fn rules_of(cause: &Cause) -> Vec<String> {
    cause.differences().iter().filter_map(|it| it.name.split('=').next().map(str::to_owned)).collect()
}

#[test]
fn a_behaviour_explains_with_the_fewest_of_its_differences() {
    let mut behaviour = Behaviour::of_rules(&rfc2396::RULES);
    behaviour.classes[0].rows.iter_mut().for_each(|row| row.default_port = DefaultPort::Dropped);
    let rfc3986 = Specification::by_id("rfc3986").expect("a specification");
    let rfc3986 = Attributor::new(rfc3986, Model::of(behaviour.clone()));
    let key = |reference: &str| {
        let returned = outcome(&behaviour, "http://A/b", reference);
        rfc3986.attribute("http://A/b", reference, &returned).map(|found| (found.cause.key(), found.outside))
    };
    assert_eq!(key("//h:80/x"), Some(("default_port=Dropped".to_owned(), false)));
    assert_eq!(key("?y"), Some(("query_only=DropsLastSegment".to_owned(), false)));
    assert_eq!(key("//h/x"), None);
    // The behaviour explains the first result. The second result is explained only outside it, and is marked.
    let found = rfc3986.attribute("http://A/b", "//h/./x", &Outcome::Url("http://h/./x".to_owned()));
    let found = found.map(|found| (found.cause.key(), found.outside));
    assert_eq!(found, Some(("dots_in_network_path=Kept".to_owned(), false)));
    let found = rfc3986.attribute("http://a/b", "g#", &Outcome::Url("http://a/g".to_owned()));
    let found = found.map(|found| (found.cause.key(), found.outside));
    assert_eq!(found, Some(("empty_fragment=Dropped".to_owned(), true)));
}

#[test]
fn a_query_only_reference_is_explained_by_one_rule() {
    let (signature, cause, effect) = caused("ref:rfc1808", "rfc2396", "http://a/b/c/d;p?q", "?y");
    assert_eq!(ranges(signature), ["rfc1808", "draft-1996", "rfc3986", "rfc3986-nonstrict", "whatwg"]);
    assert_eq!(rules_of(&cause), ["query_only"]);
    assert_eq!(effect, Effect::Path);
}

#[test]
fn of_equally_small_causes_the_nearest_revision_is_preferred() {
    let returned = by_name("crate:url").expect("an engine").resolve("non-spec:/p", "/.//path");
    let found = attribute("rfc3986", "non-spec:/p", "/.//path", &returned).expect("a divergence");
    assert_eq!(found.towards.map(|revision| revision.id), Some("rfc2396"));
    assert_eq!(rules_of(&found.cause), ["dots_in_rooted_path"]);
}

#[test]
fn a_cause_of_two_rules_is_found() {
    let (_, cause, _) = caused("ref:rfc1808", "rfc3986", "http://a/b", "../../g#");
    assert_eq!(rules_of(&cause), ["empty_fragment", "excess"]);
}

/// What an engine does is not known. If a specification has its result, that specification's steps are named, and nothing is searched.
#[test]
fn an_engine_without_steps_is_explained_by_a_specification_that_has_its_result() {
    let rfc1808 = Specification::by_id("rfc1808").expect("a specification");
    let (base, reference) = ("http://a/b", "../../g");
    let returned = Outcome::Url("http://a/g".to_owned());
    let attributor = Attributor::new(rfc1808, Model::default());
    let found = attributor.attribute(base, reference, &returned).expect("a divergence");
    assert!(matches!(found.cause, Cause::Steps(_)) && !found.is_new(), "{:?}", found.cause);
    let note = &attributor.notes(&found, &Answer::new(base, reference, &returned))[0];
    assert!(note.from.source.starts_with("RFC 1808 §4 step 6c"), "{note:?}");
    assert!(note.to.source.starts_with("as ") && note.to.source.ends_with(" would"), "{note:?}");
    // A result that nothing predicts stays unexplained, also against an engine with steps.
    let urllib = Model { steps: Stepped::of("urllib", "3.11.7"), ..Model::default() };
    let engines = EnginePair::new(Model::default(), urllib);
    let [wrong, own] = ["http://a/g/", "http://a/g"].map(|url| Outcome::Url(url.to_owned()));
    let found = engines.attribute(base, reference, &wrong, &own).expect("a difference");
    assert!(found.is_new(), "{:?}", found.cause);
}

#[test]
fn a_result_of_no_rule_set_is_unexplained() {
    let returned = Outcome::Url("http://elsewhere/".to_owned());
    let found = attribute("rfc3986", "http://a/b", "g", &returned).expect("a divergence");
    assert!(Answer::new("http://a/b", "g", &returned).signature(&found).is_empty() && !found.cause.is_explained());
    assert_eq!(found.effect, Effect::Host);
}

#[test]
fn a_failure_agrees_only_with_a_failure_for_an_unknown_base() {
    let returned = Outcome::Failure("empty host".to_owned());
    let found = attribute("rfc3986", "http://a/b", "///x", &returned).expect("a divergence");
    assert!(Answer::new("http://a/b", "///x", &returned).signature(&found).is_empty());
    assert!(attribute("rfc3986", "", "x", &returned).is_none());
}

#[test]
fn wrong_urls_crashes_and_timeouts_are_distinguished() {
    for (outcome, why) in [
        (Outcome::Crash("boom".to_owned()), "unexplained: a crash"),
        (Outcome::Skipped("later".to_owned()), "not answered: the pair was skipped"),
        (
            Outcome::Unrepresentable("NUL".to_owned()),
            "not answered: the text cannot be given to the library, or its result is not text",
        ),
        (Outcome::Timeout("no answer within 5s".to_owned()), "unexplained: no answer in time"),
    ] {
        let found = attribute("rfc3986", "http://a/b", "g", &outcome).expect("a divergence");
        assert_eq!(found.cause.key(), why);
    }
}

#[test]
fn the_most_severe_effect_is_reported() {
    let url = |url: &str| Outcome::Url(url.to_owned());
    assert_eq!(effect(&url("http://a/b?c"), &url("http://x/y?z")), Some(Effect::Host));
    assert_eq!(effect(&url("http://u@a/b?c"), &url("http://v@a/y")), Some(Effect::Credentials));
    assert_eq!(effect(&url("http://a:81/b?c"), &url("http://u@a/y")), Some(Effect::Port));
    assert_eq!(effect(&url("http://a:80/"), &url("http://a/")), Some(Effect::Spelling));
    let [rejects, crashes] = [Outcome::Failure("no".to_owned()), Outcome::Crash("boom".to_owned())];
    assert_eq!(effect(&rejects, &crashes), Some(Effect::Accepted), "a crash is not a failure");
    assert_eq!(effect(&crashes, &crashes), None);
    assert_eq!(effect(&url("http://a/b#c"), &url("http://a/b#d")), Some(Effect::Fragment));
    assert_eq!(effect(&url("http://a/"), &url("HTTP://A/")), Some(Effect::Spelling));
    assert_eq!(effect(&url("http://a/"), &url("http://a/")), None);
}

/// An engine that is a specification is explained by its steps, and cited from nothing else.
#[test]
fn a_specification_has_its_own_steps_as_an_engine() {
    let world = World::embedded().expect("a world");
    let engines = ["ref:rfc1808", "crate:url"].map(|name| by_name(name).expect("an engine"));
    let [one, other] = engines.each_ref().map(|engine| world.model_of(engine.as_ref()));
    let pair = EnginePair::new(one, other);
    for (base, reference) in
        [("https://256", ""), ("http://a/b/c", "http:g"), ("http://a", "hTTps://0x"), ("http://a//b", "/\\//../A/??q")]
    {
        let [returned, own] = engines.each_ref().map(|engine| engine.resolve(base, reference));
        let found = pair.attribute(base, reference, &returned, &own).expect("a difference");
        assert!(matches!(found.cause, Cause::Steps(_)), "{:?}", found.cause);
        for note in pair.notes(&found, base, reference) {
            assert!(note.to.source.starts_with("RFC 1808") && note.from.source.contains("crate-url"), "{note:?}");
        }
    }
}
