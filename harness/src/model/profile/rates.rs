//! The accuracy of a profile: rates on kinds of pairs and classes of bases, and the pairs that it does not predict.

use rayon::prelude::*;
use serde::Serialize;

use super::{HELD_OUT, SEEDS, Selection, TRAINING, in_second_half};
use crate::engine::{Engine, ask_all};
use crate::normalize::Profile;
use crate::outcome::Outcome;
use crate::pairs::bases::BaseClass;
use crate::pairs::generate::{self, BASES, RandomPairs};

/// The accuracy of a profile on pairs of one kind.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Rate {
    /// The kind of pairs, for example [`HELD_OUT`].
    pub pairs: &'static str,
    /// Whether the profile was fitted to these pairs.
    pub fitted: bool,
    /// The number of pairs.
    pub asked: u64,
    /// The number of pairs that the profile predicts.
    pub predicted: u64,
}

impl Rate {
    pub(super) fn of(pairs: &'static str, fitted: bool) -> Self {
        Self { pairs, fitted, asked: 0, predicted: 0 }
    }

    pub(super) fn add(&mut self, predicted: bool) {
        self.asked += 1;
        self.predicted += u64::from(predicted);
    }

    /// Returns the share of predicted pairs in percent, rounded down to two decimals. The result is 100 only if all
    /// pairs are predicted.
    pub fn percent(&self) -> f64 {
        percent(self.predicted, self.asked)
    }
}

/// Returns `part` of `all` in percent, rounded down to two decimals; 100 if `all` is 0.
pub(super) fn percent(part: u64, all: u64) -> f64 {
    if all == 0 { 100.0 } else { (part as f64 * 10_000.0 / all as f64).floor() / 100.0 }
}

/// The accuracy of a profile on bases of one class. Training pairs are not counted.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct BaseRate {
    /// The class of the bases.
    pub base: BaseClass,
    /// The number of pairs for which the engine returned a URL.
    pub results: u64,
    /// The number of these pairs that the profile predicts; see [`Self::results`].
    pub results_predicted: u64,
    /// The number of pairs for which the engine did not return a URL.
    pub failures: u64,
    /// The number of these pairs that the profile predicts; see [`Self::failures`].
    pub failures_predicted: u64,
}

impl BaseRate {
    /// Returns a rate without pairs for each class.
    pub(super) fn all() -> Vec<Self> {
        let none = |base| Self { base, results: 0, results_predicted: 0, failures: 0, failures_predicted: 0 };
        BaseClass::ALL.map(none).to_vec()
    }

    pub(super) fn add(rates: &mut [Self], base: &str, did: &Outcome, predicted: bool) {
        let class = BaseClass::of(base);
        let Some(rate) = rates.iter_mut().find(|rate| rate.base == class) else { return };
        let (asked, right) = match did {
            Outcome::Url(_) => (&mut rate.results, &mut rate.results_predicted),
            _ => (&mut rate.failures, &mut rate.failures_predicted),
        };
        *asked += 1;
        *right += u64::from(predicted);
    }

    /// Returns the number of pairs.
    pub fn asked(&self) -> u64 {
        self.results + self.failures
    }

    /// Returns three shares of predicted pairs in percent, rounded like [`Rate::percent`]: of all pairs, of pairs with
    /// a URL, and of pairs without a URL.
    pub fn percents(&self) -> [f64; 3] {
        [
            percent(self.results_predicted + self.failures_predicted, self.asked()),
            percent(self.results_predicted, self.results),
            percent(self.failures_predicted, self.failures),
        ]
    }
}

/// The accuracy of a profile on pairs outside the survey.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The accuracy by kind of pairs.
    pub rates: Vec<Rate>,
    /// The accuracy by class of base.
    pub by_base: Vec<BaseRate>,
    /// The pairs that the profile does not predict: base and reference.
    pub missed: Vec<(String, String)>,
}

/// Measures how well `profile` predicts `engine` on selected pairs that are generated with other seeds than the survey.
///
/// Generates `random` random pairs. For every 100 of them, generates one long reference, which is combined with every
/// base.
pub fn rates(profile: &Profile, engine: &dyn Engine, random: u64, selection: &Selection) -> Measured {
    let mut pairs = RandomPairs::new(SEEDS[1]);
    let mut random_pairs = Vec::new();
    for number in 0..random {
        let (base, reference) = pairs.pair();
        match selection.bases.get(number as usize % selection.bases.len().max(1)) {
            Some(base) => random_pairs.push((base.clone(), reference)),
            None if selection.keeps(&base) => random_pairs.push((base, reference)),
            None => {}
        }
    }
    let mut references = generate::Long::new(SEEDS[2]);
    let bases: Vec<&str> = match selection.bases.as_slice() {
        [] => BASES.into_iter().filter(|base| selection.keeps(base)).collect(),
        bases => bases.iter().map(String::as_str).collect(),
    };
    let long_pairs = (0..random.div_ceil(100)).flat_map(|_| {
        let reference = references.reference();
        bases.iter().map(|base| ((*base).to_owned(), reference.clone())).collect::<Vec<_>>()
    });
    let long_pairs: Vec<_> = long_pairs.collect();
    let mut found = Measured { rates: Vec::new(), by_base: BaseRate::all(), missed: Vec::new() };
    for (name, pairs) in [("random pairs", random_pairs), ("references of 6 to 24 characters", long_pairs)] {
        let mut rate = Rate::of(name, false);
        let (outcomes, predicted) = predicted(profile, engine, &pairs);
        for ((pair, did), predicted) in pairs.into_iter().zip(outcomes).zip(predicted) {
            rate.add(predicted);
            BaseRate::add(&mut found.by_base, &pair.0, &did, predicted);
            if !predicted {
                found.missed.push(pair);
            }
        }
        found.rates.push(rate);
    }
    found
}

/// Measures how well `profile` predicts `engine` on the training pairs and on the held-out pairs of a survey.
pub fn rates_of_halves(profile: &Profile, engine: &dyn Engine, pairs: &[(String, String)]) -> Vec<Rate> {
    let mut rates = vec![Rate::of(TRAINING, true), Rate::of(HELD_OUT, false)];
    let (_, predicted) = predicted(profile, engine, pairs);
    for ((base, reference), predicted) in pairs.iter().zip(predicted) {
        rates[usize::from(in_second_half(base, reference))].add(predicted);
    }
    rates
}

/// Returns the outcome of `engine` for each of `pairs`, and whether `profile` predicts it.
fn predicted(profile: &Profile, engine: &dyn Engine, pairs: &[(String, String)]) -> (Vec<Outcome>, Vec<bool>) {
    let borrowed: Vec<_> = pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect();
    let outcomes = ask_all(engine, &borrowed);
    let is_predicted = |(&(base, reference), did): (&(&str, &str), &Outcome)| profile.predicts(base, reference, did);
    let predicted = borrowed.par_iter().zip(&outcomes).map(is_predicted).collect();
    (outcomes, predicted)
}
