//! The order of compared pairs.

use proptest::prelude::*;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::survey::comparison::ComparedPair;

/// Texts of few characters, so that many are equal or the start of another.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(proptest::sample::select(vec!['\0', '\u{1}', 'a', 'é', '\u{ffff}']), 0..4)
            .prop_map(|characters| characters.into_iter().collect()),
        proptest::sample::select(vec!["http://a", "http://a/b", "s:", "|", "..", ""]).prop_map(str::to_owned),
    ]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let kinds =
        [Outcome::Url, Outcome::Failure, Outcome::Skipped, Outcome::Unrepresentable, Outcome::Crash, Outcome::Timeout];
    (proptest::sample::select(kinds.to_vec()), text()).prop_map(|(kind, text)| kind(text))
}

fn pair() -> impl Strategy<Value = ComparedPair> {
    (text(), text(), outcome(), outcome(), proptest::option::of(text())).prop_map(
        |(base, reference, engine, specification, place)| ComparedPair {
            reference,
            base,
            engine,
            specification,
            place,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn the_bytes_of_ranks_have_the_order_of_the_ranks(one in pair(), other in pair(), shared in 0..4) {
        let mut other = other;
        // Without equal parts, the first byte would decide nearly always.
        if shared > 0 {
            (other.base, other.reference) = (one.base.clone(), one.reference.clone());
        }
        if shared > 1 {
            other.place = one.place.clone();
        }
        if shared > 2 {
            other.engine = one.engine.clone();
        }
        prop_assert_eq!(one.rank().cmp(&other.rank()), one.rank_bytes().cmp(&other.rank_bytes()));
    }
}
