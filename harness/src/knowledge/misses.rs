//! What a behaviour does not predict, by the smallest pair of each kind.

use std::collections::BTreeMap;

use serde::Serialize;

use super::shrink;
use crate::behaviour::Behaviour;
use crate::engine::{Engine, ask};
use crate::fit::Pair;
use crate::knowledge::attribute::deviation;
use crate::knowledge::behaviours::outcome;
use crate::outcome::Outcome;

/// A group of pairs that a behaviour does not predict and that shrink to the same pair.
#[derive(Clone, Debug, Serialize)]
pub struct Miss {
    /// The number of pairs of the sample that shrink to this pair.
    pub count: u64,
    /// The base after shrinking.
    pub base: String,
    /// The reference after shrinking.
    pub reference: String,
    /// The engine's result.
    pub returned: Outcome,
    /// The result that the behaviour predicts.
    pub predicted: Outcome,
}

/// Groups pairs that `behaviour` does not predict by the pair to which they shrink. Returns the most frequent group first.
///
/// If `missed` has more than `most` pairs, uses an evenly spaced sample of at most `most` pairs.
pub fn misses(behaviour: &Behaviour, engine: &dyn Engine, missed: &[Pair], most: usize) -> Vec<Miss> {
    let mut counts: BTreeMap<Pair, u64> = BTreeMap::new();
    for (base, reference) in missed.iter().step_by(missed.len().div_ceil(most.max(1)).max(1)) {
        let class = |base: &str, reference: &str| {
            deviation(&outcome(behaviour, base, reference), base, &ask(engine, base, reference))
        };
        let wanted = class(base, reference);
        // The behaviour may predict the result this time if the engine is not deterministic.
        let shrunk = match &wanted {
            Some(_) => shrink::smallest(base, reference, |base, reference| class(base, reference) == wanted),
            None => (base.clone(), reference.clone()),
        };
        *counts.entry(shrunk).or_default() += 1;
    }
    let miss = |((base, reference), count): (Pair, u64)| Miss {
        count,
        returned: ask(engine, &base, &reference),
        predicted: outcome(behaviour, &base, &reference),
        base,
        reference,
    };
    let mut found: Vec<_> = counts.into_iter().map(miss).collect();
    found.sort_by_key(|miss| std::cmp::Reverse(miss.count));
    found
}
