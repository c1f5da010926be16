//! The fit of a behaviour.

use urlstrata_model::behaviour::Behaviour;
use urlstrata_model::fit::{Answer, Asker, Pair, fit};
use urlstrata_model::pairs::generate::RandomPairs;

/// The search compares some of the outcomes that it remembers with predictions, because debug assertions are enabled.
#[test]
fn a_fit_finds_the_behaviour_of_a_crate() {
    let engine = Behaviour::of_crate("iri-string").expect("a behaviour");
    let predict = |(base, reference): &Pair| engine.predict(base, reference);
    let ask = |pairs: &[Pair]| -> Vec<Answer> { pairs.iter().map(predict).collect() };
    let fitted = fit(&mut Asker::new(ask), &[], &[]);
    let mut random = RandomPairs::new(43);
    let pairs: Vec<Pair> = (0..1_000).map(|_| random.pair()).collect();
    let missed: Vec<_> = pairs.iter().filter(|pair| fitted.predict(&pair.0, &pair.1) != predict(pair)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}
