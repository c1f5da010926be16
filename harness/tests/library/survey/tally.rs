//! Counts of divergences by cause.

use crate::faulty::FaultyEngine;
use urlstrata_harness::engine::{Engine, Pair};
use urlstrata_harness::knowledge::attribute::{Attributor, EnginePair, Model};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::survey::comparison::{CauseClass, Totals};
use urlstrata_harness::survey::enumerate::{Scope, compare, compare_engines};
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
    let Totals { cases, agree, explained, unexplained, unanswered, .. } = found.totals;
    assert_eq!((cases, agree, explained, unexplained, unanswered), (5, 2, 0, 2, 1));
    assert_eq!(found.totals.new_divergences(), 2, "what was not asked is not a divergence");
    let causes: Vec<_> = found.classes.iter().map(|class| class.cause.as_str()).collect();
    assert_eq!(causes, ["unexplained: host", "not answered: the pair was skipped", "unexplained: a crash"]);
    let is_new: Vec<_> = found.classes.iter().map(CauseClass::is_new).collect();
    assert_eq!(is_new, [true, false, true]);
    assert_eq!(found.classes[2].witness.engine, Outcome::Crash("on purpose".to_owned()));
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

/// An engine like a program: many pairs in one call are faster than one call each.
struct Grouped;

impl Engine for Grouped {
    fn name(&self) -> &str {
        "grouped"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        panic!("{reference} on {base} is asked alone")
    }

    fn resolve_all(&self, pairs: &[Pair<'_>]) -> Option<Vec<Outcome>> {
        Some(pairs.iter().map(|&(base, reference)| rfc3986().resolve(base, reference)).collect())
    }

    fn parse(&self, _url: &str) -> Components {
        unreachable!("not asked here")
    }
}

/// A program answers a group of pairs in the time of one, so comparisons never ask it for a pair alone.
#[test]
fn engines_are_asked_in_groups() {
    let bases = ["http://a/b/c", "s:x"].map(str::to_owned).to_vec();
    let scope = Scope { alphabet: vec!['/', '.', 'g'], length: 5, bases };
    let found = compare(&scope, &Grouped, &Model::default(), &[rfc3986()], &|_| ()).expect("few pairs");
    assert_eq!((found[0].totals.cases, found[0].totals.agree), (728, 728));
    let pair = EnginePair::new(Model::default(), Model::default());
    let found = compare_engines(&scope, &Grouped, &Grouped, &pair, &|_| ()).expect("few pairs");
    assert_eq!((found.totals.cases, found.totals.agree), (728, 728));
}
