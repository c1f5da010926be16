//! How well a behaviour predicts an engine, on pairs that the fit did not use.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hasher;

use fnv::FnvHasher;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use urlstrata::fast;
use urlstrata::rules::Rules;

use crate::behaviour::{Behaviour, Decided, DecidedBy, Form, Predictions, ROW, Row};
use crate::engine::panel::Panel;
use crate::engine::{Engine, ask_all};
use crate::fit::Pair;
use crate::outcome::Outcome;
use crate::pairs::asked::AskedBase;
use crate::pairs::bases::BaseClass;
use crate::pairs::documentation;
use crate::pairs::generate::{BASES, Long, RandomPairs};

/// How many pairs of one kind a behaviour predicts.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The kind of pairs.
    pub pairs: String,
    /// The number of pairs.
    pub asked: u64,
    /// The number of pairs that the behaviour predicts.
    pub predicted: u64,
}

impl Share {
    fn add(shares: &mut Vec<Self>, pairs: &str, predicted: bool) {
        let at = shares.iter().position(|share| share.pairs == pairs).unwrap_or_else(|| {
            shares.push(Self { pairs: pairs.to_owned(), asked: 0, predicted: 0 });
            shares.len() - 1
        });
        shares[at].asked += 1;
        shares[at].predicted += u64::from(predicted);
    }

    /// Returns the share of predicted pairs in percent, rounded down to two decimals; 100 if there are no pairs.
    pub fn percent(&self) -> f64 {
        if self.asked == 0 { 100.0 } else { (self.predicted as f64 * 10_000.0 / self.asked as f64).floor() / 100.0 }
    }
}

/// The name of the pairs of the panel that a fit does not use.
pub const HELD_OUT: &str = "held-out pairs of the panel";

/// The name of the links of documentation in [`Measured::rates`].
pub const DOCUMENTATION: &str = "links of documentation";

/// The number of random pairs on which recorded behaviours are measured.
pub const RANDOM: usize = 20_000;

/// Seeds that no other survey uses.
const SEEDS: [u64; 2] = [11, 12];

/// The minimum accuracy of a reliable behaviour, in percent. With a less accurate one, many divergences have no cause.
pub const RELIABLE: f64 = 99.0;

/// Returns whether a pair is a held-out pair. The result depends only on a hash (FNV-1a) of both strings, so it never
/// changes.
pub fn in_second_half(base: &str, reference: &str) -> bool {
    let mut hash = FnvHasher::default();
    hash.write(base.as_bytes());
    hash.write(&[0]);
    hash.write(reference.as_bytes());
    (hash.finish() >> 32) & 1 == 1
}

/// Returns the pairs of `panel`: those that a fit uses, and the held-out ones.
pub(super) fn halves(panel: &Panel) -> [Vec<Pair>; 2] {
    let (held_out, training) =
        owned(panel.pairs()).into_iter().partition(|(base, reference)| in_second_half(base, reference));
    [training, held_out]
}

/// Returns the pairs on which a behaviour is measured, by kind: the held-out pairs of `panel`, `random` random pairs, and
/// one long reference for every 100 of them with the usual bases, and the links of documentation that a fit does not use.
pub fn kinds(panel: &Panel, random: usize) -> Vec<(&'static str, Vec<Pair>)> {
    let [training, held_out] = halves(panel);
    let mut pairs = RandomPairs::new(SEEDS[0]);
    let random_pairs: Vec<Pair> = (0..random).map(|_| pairs.pair()).collect();
    vec![
        (HELD_OUT, held_out),
        ("random pairs", random_pairs),
        ("references of 6 to 24 characters", long_pairs(random)),
        (DOCUMENTATION, links_without(&training)),
    ]
}

/// Returns one long reference for every 100 of `random` random pairs, with the usual bases.
fn long_pairs(random: usize) -> Vec<Pair> {
    let mut long = Long::new(SEEDS[1]);
    let pairs = (0..random.div_ceil(100)).flat_map(|_| {
        let reference = long.reference();
        BASES.map(|base| (base.to_owned(), reference.clone()))
    });
    pairs.collect()
}

/// Returns the pairs on which recorded behaviours are measured, without the held-out pairs of `panel` and the random pairs.
pub(super) fn measured_beyond_random(panel: &Panel) -> Vec<Pair> {
    [long_pairs(RANDOM), links_without(&halves(panel)[0])].concat()
}

/// Returns the links of documentation that are not among `training`.
fn links_without(training: &[Pair]) -> Vec<Pair> {
    let training: HashSet<&Pair> = training.iter().collect();
    owned(documentation().collect()).into_iter().filter(|pair| !training.contains(pair)).collect()
}

/// Returns the settings of the behaviour of `predictions` that decide about at least one of its first pairs, which have the outcomes
/// `outcomes`: the class, the form, and the position in [`ROW`] of each setting that differs from `specification`, if its value
/// would change a right prediction for which it has another result; with the smallest pair that is predicted rightly only with the
/// setting.
pub fn decided(predictions: &Predictions<'_>, outcomes: &[Outcome], specification: &Rules) -> Decided {
    let pairs = predictions.pairs();
    let is_met = |pair: &usize| predictions.urls()[*pair].as_deref() == outcomes[*pair].url();
    let mut smallest_first: Vec<usize> = (0..outcomes.len()).filter(is_met).collect();
    smallest_first.sort_by_key(|pair| (pairs[*pair].0.len() + pairs[*pair].1.len(), pairs[*pair].1, pairs[*pair].0));
    let mut deciding: BTreeMap<(usize, Form), Vec<usize>> = BTreeMap::new();
    for pair in smallest_first {
        let rows = BTreeSet::from(predictions.rows(pair));
        rows.into_iter().for_each(|row| deciding.entry(row).or_default().push(pair));
    }
    deciding.par_iter().flat_map_iter(|(row, met)| decided_in(predictions, *row, met, specification)).collect()
}

/// Returns the settings of one row that decide about at least one of the pairs at the positions `met`, with the first pair that
/// shows it.
fn decided_in(
    predictions: &Predictions<'_>,
    (class, form): (usize, Form),
    met: &[usize],
    specification: &Rules,
) -> Vec<((usize, Form, usize), DecidedBy)> {
    let plain = Row::of(specification);
    let mut tried = predictions.behaviour().clone();
    let own = tried.classes[class].rows[form as usize];
    let mut decided_by = |number: usize| {
        let setting = &ROW[number];
        if setting.index(&own) == setting.index(&plain) {
            return None;
        }
        let row = &mut tried.classes[class].rows[form as usize];
        *row = own;
        setting.assign(row, setting.index(&plain));
        met.iter().filter(|pair| predictions.is_consulted(**pair, number)).find_map(|&pair| {
            let ((base, reference), result) = (predictions.pairs()[pair], &predictions.urls()[pair]);
            let otherwise = tried.predict(base, reference);
            // An engine does not differ from the specification where it returns the same.
            let is_other = || fast::resolve(specification, base, reference).ok() != *result;
            (otherwise != *result && is_other()).then(|| DecidedBy {
                base: base.to_owned(),
                reference: reference.to_owned(),
                result: result.clone(),
                otherwise,
            })
        })
    };
    (0..ROW.len()).filter_map(|number| Some(((class, form, number), decided_by(number)?))).collect()
}

fn owned(pairs: Vec<(&str, &str)>) -> Vec<Pair> {
    pairs.into_iter().map(|(base, reference)| (base.to_owned(), reference.to_owned())).collect()
}

/// Returns the outcome of `engine` for each of `pairs`.
pub(super) fn outcomes(engine: &dyn Engine, pairs: &[Pair]) -> Vec<Outcome> {
    let borrowed: Vec<_> = pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect();
    ask_all(engine, &borrowed)
}

/// Returns the URL that `engine` returns for each of `pairs`.
pub(super) fn answers(engine: &dyn Engine, pairs: &[Pair]) -> Vec<Option<String>> {
    outcomes(engine, pairs).iter().map(|outcome| outcome.url().map(str::to_owned)).collect()
}

/// The accuracy of a behaviour.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The accuracy by kind of pairs.
    pub rates: Vec<Share>,
    /// The accuracy by class of base, and for results and failures, without links.
    pub bases: Vec<Share>,
    /// The accuracy by class of base with its scheme, without links.
    pub classes: Vec<Share>,
    /// The pairs that the behaviour does not predict.
    pub missed: Vec<Pair>,
}

impl Measured {
    /// Measures how well `behaviour` predicts `engine` on pairs of several kinds.
    pub fn of(behaviour: &Behaviour, engine: &dyn Engine, kinds: &[(&str, Vec<Pair>)]) -> Self {
        let mut measured = Self::default();
        for (name, pairs) in kinds {
            let answers = answers(engine, pairs);
            let asked = pairs.par_iter().zip(&answers);
            let predicted: Vec<bool> =
                asked.map(|((base, reference), answer)| behaviour.predict(base, reference) == *answer).collect();
            for ((pair, answer), predicted) in pairs.iter().zip(&answers).zip(predicted) {
                Share::add(&mut measured.rates, name, predicted);
                if !predicted {
                    measured.missed.push(pair.clone());
                }
                // Nearly every link is predicted, so links would hide the other pairs of a class.
                if *name == DOCUMENTATION {
                    continue;
                }
                Share::add(&mut measured.bases, &BaseClass::of(&pair.0).to_string(), predicted);
                Share::add(&mut measured.classes, &AskedBase::of(&pair.0).to_string(), predicted);
                Share::add(&mut measured.bases, if answer.is_some() { "results" } else { "failures" }, predicted);
            }
        }
        measured
    }

    /// Returns whether at least [`RELIABLE`] percent of the pairs of each kind are predicted.
    pub fn is_reliable(&self) -> bool {
        self.rates.iter().all(|rate| rate.percent() >= RELIABLE)
    }
}
