//! The differences that decide about pairs.

use urlstrata::revision::{rfc1808, rfc3986};
use urlstrata_model::behaviour::{Behaviour, decisive, is_name, predict_without};
use urlstrata_model::pairs::generate::RandomPairs;

#[test]
fn names_are_those_of_settings_tables_and_cleaning() {
    for name in ["excess=Kept", "nul=Rejected", "characters of the path", "characters of the user name of the base"] {
        assert!(is_name(name), "{name}");
    }
    for name in ["excess", "excess=Lost", "characters of the moon", "cleaning"] {
        assert!(!is_name(name), "{name}");
    }
}

#[test]
fn a_behaviour_with_another_value_predicts_another_result() {
    let [own, other] = [&rfc1808::RULES, &rfc3986::RULES].map(Behaviour::of_rules);
    let without = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        predict_without(&own, &other, &names, "http://a/b", "../../g")
    };
    assert_eq!(without(&[]), Ok(Some("http://a/../../g".to_owned())));
    assert_eq!(without(&["excess=Kept"]), Ok(Some("http://a/g".to_owned())));
    assert_eq!(without(&["excess=Lost"]), Err("no setting is called \"excess=Lost\"".to_owned()));
    let error = "\"excess=Dropped\" is not a difference from the specification for the pair";
    assert_eq!(without(&["excess=Dropped"]), Err(error.to_owned()));
}

#[test]
fn differences_are_counted_by_the_pairs_about_which_they_decide() {
    let [own, other] = [&rfc1808::RULES, &rfc3986::RULES].map(Behaviour::of_rules);
    let pairs = [("http://a/b", "../../g"), ("http://a", "../g"), ("http://a/b", "x?")];
    let found = decisive(&own, &other, &[], 5, pairs.into_iter());
    let counts: Vec<_> =
        found.iter().map(|it| (it.differences[0].name.as_str(), it.pairs, it.smallest.1.as_str())).collect();
    assert_eq!(counts, [("excess=Kept", 2, "../g"), ("empty_query=Dropped", 1, "x?")]);
    let names = ["excess=Kept", "empty_query=Dropped"].map(str::to_owned);
    let found = decisive(&own, &other, &[&names], 5, pairs.into_iter());
    let several: Vec<_> = found.iter().filter(|it| it.differences.len() > 1).map(|it| it.pairs).collect();
    assert_eq!(several, [3]);
}

/// For 3,000 pairs, the listed differences are chosen by a sample of the pairs.
#[test]
fn the_numbers_of_pairs_are_exact_for_many_pairs() {
    let [own, other] = [&rfc1808::RULES, &rfc3986::RULES].map(Behaviour::of_rules);
    let mut random = RandomPairs::new(33);
    let mut pairs = Vec::new();
    while pairs.len() < 3_000 {
        let (base, reference) = random.pair();
        if own.predict(&base, &reference) != other.predict(&base, &reference) {
            pairs.push((base, reference));
        }
    }
    let borrowed = || pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str()));
    let rare = ["empty_params=Kept".to_owned()];
    let found = decisive(&own, &other, &[&rare], 3, borrowed());
    assert!(found.len() >= 3, "{}", found.len());
    for it in found {
        let names = [it.differences[0].name.clone()];
        let decides = |(base, reference): &(&str, &str)| {
            let without = predict_without(&own, &other, &names, base, reference);
            without.is_ok_and(|without| without != own.predict(base, reference))
        };
        assert_eq!(it.pairs, borrowed().filter(decides).count(), "{names:?}");
    }
}
