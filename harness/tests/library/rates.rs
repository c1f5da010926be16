//! Each prediction has the rate of its class of bases, and the deviations that the behaviour does not state.

use urlstrata_harness::explain::Explanation;
use urlstrata_harness::world::World;

/// Returns the explanation of a pair for one recorded engine.
fn explained(name: &str, base: &str, reference: &str) -> Explanation {
    let world = World::embedded().expect("files in order");
    let engine = world.engine(name).unwrap_or_else(|error| panic!("{error}"));
    Explanation::of(&world.with_engines(vec![engine]), base, reference)
}

#[test]
fn a_scheme_of_bases_that_was_never_asked_is_stated_with_the_prediction() {
    let explanation = explained("java-net-url", "jar:file:/a.jar!/b/c", "../never/asked");
    let rate = explanation.engines[0].rate.clone().expect("a rate");
    assert_eq!(rate.scheme_not_asked.as_deref(), Some("jar"));
    let text = explanation.to_string();
    assert!(text.contains("its behaviour was measured on no base with the scheme jar"), "{text}");
}

#[test]
fn the_rate_is_that_of_the_class_of_base() {
    let rate =
        |base: &str| explained("java-net-url", base, "never/asked/before").engines[0].rate.clone().expect("a rate");
    let rates =
        ["http://never.asked/", "file:///never/asked", "ftp://never.asked/", "foo:never", "never/asked", ""].map(rate);
    for (index, rate) in rates.iter().enumerate() {
        assert!(rate.asked >= rate.predicted && rate.asked > 0 && rate.scheme_not_asked.is_none(), "{rate:?}");
        assert!(rates[..index].iter().all(|other| other.class != rate.class), "{rate:?}");
    }
}

#[test]
fn unstated_deviations_are_listed_with_the_prediction() {
    let explanation = explained("serd", "tag:example", "foo");
    assert!(explanation.engines[0].unstated.iter().any(|it| it.base == "about:blank"), "{explanation}");
    let text = explanation.to_string();
    assert!(
        text.contains("not stated by its behaviour, so that the predicted result may be wrong: serd keeps"),
        "{text}"
    );
    assert!(explained("serd", "http://never.asked/", "?foo").engines[0].unstated.is_empty());
}
