//! The smoke test of engines.

use urlstrata::revision::rfc3986;
use urlstrata_harness::engine::{Engine, PLAIN_BASE, PLAIN_PAIRS, Passed, all, by_name, smoke};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::{Components, Outcome};

#[test]
fn all_specifications_agree() {
    for specification in Specification::all() {
        for (reference, url) in PLAIN_PAIRS {
            assert_eq!(
                specification.resolve(PLAIN_BASE, reference),
                Outcome::Url(url.to_owned()),
                "{}: {reference:?}",
                specification.id
            );
        }
    }
}

#[test]
fn every_engine_that_resolves_passes() {
    for engine in all().iter().filter(|engine| engine.name() != "ref:rfc1738") {
        assert_eq!(smoke(engine.as_ref()), Ok(Passed { pairs: 12, deviations: vec![] }), "{}", engine.name());
    }
    let rejects = smoke(by_name("ref:rfc1738").expect("an engine").as_ref()).expect_err("it resolves nothing");
    assert!(rejects.contains("is \"http://a/b/c/g\" in every specification, and it rejects it"), "{rejects}");
}

/// An engine that resolves as RFC 3986 does, except for references for which the function returns another result.
struct Deviating(fn(&str) -> Option<&'static str>);

impl Engine for Deviating {
    fn name(&self) -> &str {
        "test:deviating"
    }

    fn version(&self) -> &str {
        "0"
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        match (self.0)(reference) {
            Some(url) => Outcome::Url(url.to_owned()),
            None => rfc3986::REVISION.resolve(base, reference).into(),
        }
    }

    fn parse(&self, _: &str) -> Components {
        Err(Outcome::Skipped("unsupported operation".to_owned()))
    }
}

#[test]
fn a_library_that_deviates_on_a_plain_pair_passes_with_a_sentence() {
    let library = Deviating(|reference| match reference {
        "//h/x" => Some("http://a//h/x"),
        "./g" => Some("http://a/b/c/./g"),
        _ => None,
    });
    let passed = smoke(&library).expect("it passes");
    assert_eq!(passed.deviations.len(), 2);
    let sentence =
        "\"//h/x\" on \"http://a/b/c/d?q\" is \"http://h/x\" in every specification, and it returns \"http://a//h/x\"";
    assert_eq!((passed.deviations[0].reference, passed.deviations[0].to_string()), ("//h/x", sentence.to_owned()));
}

#[test]
fn a_shim_that_mixes_up_its_arguments_fails() {
    let failed = smoke(&Deviating(|_| Some(PLAIN_BASE))).expect_err("it fails");
    assert!(failed.starts_with("test:deviating failed the smoke test: \"http://h/x\" on "), "{failed}");
    let half = smoke(&Deviating(|reference| reference.contains("..").then_some("http://a/")));
    assert!(half.is_ok_and(|passed| passed.deviations.len() == 3));
    let most = smoke(&Deviating(|reference| (!["http://h/x", "g"].contains(&reference)).then_some("http://a/")));
    assert!(most.is_err_and(|why| why.contains("it differs on 10 of 12 plain pairs")));
}
