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
    let explanation = explained("mono-system-uri", "jar:file:/a.jar!/b/c", "../never/asked");
    let rate = explanation.engines[0].rate.clone().expect("a rate");
    assert_eq!(rate.scheme_not_asked.as_deref(), Some("jar"));
    let text = explanation.to_string();
    assert!(text.contains("its behaviour was measured on no base with the scheme jar"), "{text}");
}

#[test]
fn the_rate_is_that_of_the_class_of_base() {
    let rate =
        |base: &str| explained("mono-system-uri", base, "never/asked/before").engines[0].rate.clone().expect("a rate");
    let rates =
        ["http://never.asked/", "file:///never/asked", "ftp://never.asked/", "foo:never", "never/asked", ""].map(rate);
    for (index, rate) in rates.iter().enumerate() {
        assert!(rate.asked >= rate.predicted && rate.asked > 0 && rate.scheme_not_asked.is_none(), "{rate:?}");
        assert!(rates[..index].iter().all(|other| other.class != rate.class), "{rate:?}");
    }
}

/// libwget is predicted on 99.2% of hierarchical bases and on 98.1% of relative ones.
#[test]
fn a_class_of_bases_with_a_lower_rate_is_not_shown_unasked() {
    let world = World::embedded().expect("files in order");
    let others = world.recorded_engines().expect("recordings in order");
    let world = world.with_others(others);
    let is_absent = |base: &str| {
        let explanation = Explanation::of(&world, base, "never/asked/before");
        explanation.absent.iter().any(|title| title.starts_with("libwget "))
    };
    assert!(!is_absent("http://never.asked/"));
    assert!(is_absent("never/asked"));
    let jar = Explanation::of(&world, "jar:file:/a.jar!/b/c", "../never/asked");
    assert_eq!(jar.scheme_not_measured.as_deref(), Some("jar"));
    assert!(jar.to_string().contains("no behaviour was measured on a base with the scheme jar"), "{jar}");
    assert_eq!(Explanation::of(&world, "http://never.asked/", "never/asked").scheme_not_measured, None);
}

#[test]
fn unstated_deviations_are_listed_with_the_prediction() {
    let explanation = explained("libcamel", "tag:example", "foo");
    assert!(explanation.engines[0].unstated.iter().any(|it| it.base == "foo:a/b/c"), "{explanation}");
    let text = explanation.to_string();
    assert!(
        text.contains("not stated by its behaviour, so that the predicted result may be wrong: libcamel drops"),
        "{text}"
    );
    assert!(explained("libcamel", "http://never.asked/", "?foo").engines[0].unstated.is_empty());
}
