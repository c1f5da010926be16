//! Counts of divergences by cause.

use crate::faulty::FaultyEngine;
use urlstrata_harness::knowledge::attribute::{Attributor, Model};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::survey::tally::{Comparer, Tally};

fn rfc3986() -> Specification {
    Specification::by_id("rfc3986").expect("a specification")
}

#[test]
fn wrong_results_crashes_and_skipped_pairs_are_counted() {
    let mut comparer = Comparer::new(&FaultyEngine, &[rfc3986()], &Model::default());
    for reference in ["g", "wrong", "crash", "skip", "../g"] {
        comparer.ask("http://a/b/c", reference);
    }
    let found = &comparer.finish()[0];
    assert_eq!(
        (found.totals.cases, found.totals.agree, found.totals.explained, found.totals.unexplained),
        (5, 2, 0, 3)
    );
    let causes: Vec<_> = found.classes.iter().map(|class| class.cause.as_str()).collect();
    assert_eq!(causes, ["unexplained: host", "unexplained: a crash", "unexplained: no answer"]);
    assert_eq!(found.classes[1].witness.engine, Outcome::Crash("on purpose".to_owned()));
}

#[test]
fn the_witness_is_the_smallest_pair_in_any_order() {
    let returned = Outcome::Url("http://elsewhere/".to_owned());
    let witness = |references: [&str; 3]| {
        let mut tally = Tally::new(&FaultyEngine, Attributor::new(rfc3986(), Model::default()));
        for reference in references {
            tally.add("http://a/b", reference, &returned);
        }
        tally.finish().classes[0].witness.reference.clone()
    };
    assert_eq!(witness(["long", "b", "a"]), "a");
    assert_eq!(witness(["a", "long", "b"]), "a");
}
