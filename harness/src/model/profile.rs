//! Profiles: the rule set and the set of normalizations that best predict an engine's results, fitted to a survey of
//! pairs.
//!
//! A hash of each pair decides whether the pair is a training pair or a held-out pair. A profile is fitted to the
//! training pairs. A second fit, to the held-out pairs, shows what the survey does not determine. A rule is
//! undetermined if the two fits have different settings, or if another setting predicts at least as many training pairs
//! or held-out pairs.

mod rates;
mod search;

use std::collections::{BTreeSet, HashSet};
use std::hash::Hasher;

use fnv::FnvHasher;
use urlstrata::rules;

use crate::engine::{Engine, Pair, ask_all};
use crate::model::known::deviation;
use crate::model::specification::Specification;
use crate::normalize::{Normalization, Profile};
use crate::outcome::Outcome;
use crate::pairs::generate::{self, BASES, RandomPairs};
use crate::vector::Suite;

pub use rates::{BaseRate, Measured, Rate, rates, rates_of_halves};
use search::{Ambiguity, Asked, climb};

/// The pairs that a user selects, by base or by the scheme of the base. All pairs are selected if both lists are empty.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Bases that replace all other bases. If this list is not empty, the list of schemes has no effect.
    pub bases: Vec<String>,
    /// Schemes of bases; case is ignored.
    pub schemes: Vec<String>,
}

impl Selection {
    /// Returns whether the scheme of `base` is selected. Ignores [`Self::bases`].
    fn keeps(&self, base: &str) -> bool {
        let scheme = |scheme: &String| {
            base.split_once(':').is_some_and(|(own, _)| own.trim_start().eq_ignore_ascii_case(scheme))
        };
        self.schemes.is_empty() || self.schemes.iter().any(scheme)
    }

    /// Returns the selected pairs of `pairs`. If bases are selected, returns each distinct reference with each of these
    /// bases.
    pub fn of(&self, pairs: Vec<(String, String)>) -> Vec<(String, String)> {
        if self.bases.is_empty() {
            return pairs.into_iter().filter(|(base, _)| self.keeps(base)).collect();
        }
        let references: BTreeSet<String> = pairs.into_iter().map(|(_, reference)| reference).collect();
        let with_bases =
            |reference: &String| self.bases.iter().map(|base| (base.clone(), reference.clone())).collect::<Vec<_>>();
        references.iter().flat_map(with_bases).collect()
    }
}

/// An engine's profile, with its undetermined rules and its listed exceptions.
#[derive(Clone, Debug)]
pub struct KnownProfile {
    /// The profile.
    pub profile: Profile,
    /// Undetermined rules, as indices into [`rules::ALL`].
    pub undetermined: Vec<usize>,
    /// The ids of listed classes of pairs that the profile does not predict; see [`deviation`].
    pub exceptions: BTreeSet<String>,
}

impl KnownProfile {
    /// Returns `profile` without undetermined rules and without exceptions.
    pub fn certain(profile: Profile) -> Self {
        Self { profile, undetermined: Vec::new(), exceptions: BTreeSet::new() }
    }

    /// Returns the listed class of deviations to which a pair with the outcome `did` belongs. Returns `None` if the
    /// profile predicts the outcome or the class is not listed.
    pub fn listed(&self, base: &str, reference: &str, did: &Outcome) -> Option<String> {
        if self.exceptions.is_empty() {
            return None;
        }
        deviation(&self.profile.predict(base, reference), base, did).filter(|id| self.exceptions.contains(id))
    }
}

/// A profile fitted to an engine, with its accuracy.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The profile that best predicts the engine. Undetermined rules have the setting of the nearest specification.
    pub profile: Profile,
    /// The specification from which the profile differs least.
    pub nearest: Specification,
    /// Undetermined rules, as indices into [`rules::ALL`], each with the settings that fit equally well.
    pub undetermined: Vec<(usize, Vec<usize>)>,
    /// Unobservable normalizations: the survey does not show whether the engine applies them. The profile does not
    /// contain them.
    pub unobservable: Vec<Normalization>,
    /// The accuracy by kind of pairs.
    pub rates: Vec<Rate>,
    /// The accuracy by class of base. Training pairs are not counted.
    pub by_base: Vec<BaseRate>,
    /// Pairs, other than training pairs, that the profile does not predict.
    pub missed: Vec<(String, String)>,
}

/// The number of random pairs in a survey. A million random pairs do not determine more rules.
const SURVEY_RANDOM: usize = 60_000;
/// The maximum length of a short reference in a survey, in characters.
const SURVEY_LENGTH: usize = 3;
/// Seeds for three generators: random pairs of a survey, random pairs that only measure accuracy, and long references.
const SEEDS: [u64; 3] = [1, 2, 3];

/// Returns the pairs of a survey, without duplicates: short references, the vectors, witnesses, and random pairs.
///
/// The reference of each normalization's witness is combined with the usual bases and with the bases of all witnesses.
pub fn survey(suite: &Suite) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    generate::short_pairs(SURVEY_LENGTH, |base, reference| pairs.push((base.to_owned(), reference.to_owned())));
    pairs.extend(suite.resolutions().map(|case| (case.base.clone(), case.reference.clone())));
    let witnesses = || Normalization::ALL.iter().map(|normalization| normalization.witness());
    for (_, reference) in witnesses() {
        let bases = BASES.into_iter().chain(witnesses().map(|(base, _)| base));
        pairs.extend(bases.map(|base| (base.to_owned(), reference.to_owned())));
    }
    let mut random = RandomPairs::new(SEEDS[0]);
    pairs.extend((0..SURVEY_RANDOM).map(|_| random.pair()));
    let mut seen = HashSet::new();
    pairs.retain(|pair| seen.insert(pair.clone()));
    pairs
}

/// Returns whether a pair is a held-out pair. The result depends only on a hash (FNV-1a) of both strings, so it never
/// changes.
pub fn in_second_half(base: &str, reference: &str) -> bool {
    let mut hash = FnvHasher::default();
    hash.write(base.as_bytes());
    hash.write(&[0]);
    hash.write(reference.as_bytes());
    (hash.finish() >> 32) & 1 == 1
}

/// Fits a profile to `engine` on the training pairs of a survey and measures its accuracy. Calls the engine once for
/// each pair.
pub fn fit(engine: &dyn Engine, pairs: &[(String, String)]) -> Fitted {
    let borrowed: Vec<_> = pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect();
    fit_outcomes(&borrowed, &ask_all(engine, &borrowed))
}

/// Fits a profile to the outcomes of an engine for `pairs`, as [`fit`] does.
pub fn fit_outcomes(pairs: &[Pair<'_>], outcomes: &[Outcome]) -> Fitted {
    let asked = |(&(base, reference), did): (&Pair<'_>, &Outcome)| Asked {
        base: base.to_owned(),
        reference: reference.to_owned(),
        did: did.clone(),
    };
    let (second, first): (Vec<_>, Vec<_>) =
        pairs.iter().zip(outcomes).map(asked).partition(|asked| in_second_half(&asked.base, &asked.reference));
    let halves = [first, second];
    let [one, other] = on_both(&halves, climb);
    let doubts = on_both(&halves, |half| Ambiguity::of(&one, half));
    let doubts = doubts[0].or(&doubts[1]).or(&Ambiguity::between(&one, &other));

    let mut profile = one;
    for normalization in doubts.normalizations.iter() {
        profile.normalizations = profile.normalizations.without(normalization);
    }
    let undetermined: Vec<_> = doubts.rules.iter().map(|(rule, _)| *rule).collect();
    let nearest = Specification::nearest(&profile, &undetermined);
    for &rule in &undetermined {
        profile.rules = rules::ALL[rule].with(&profile.rules, rules::ALL[rule].index(&nearest.profile.rules));
    }
    let mut rates = vec![Rate::of(TRAINING, true), Rate::of(HELD_OUT, false)];
    let (mut by_base, mut missed) = (BaseRate::all(), Vec::new());
    halves[0].iter().for_each(|asked| rates[0].add(asked.is_predicted_by(&profile)));
    for asked in &halves[1] {
        let predicted = asked.is_predicted_by(&profile);
        rates[1].add(predicted);
        BaseRate::add(&mut by_base, &asked.base, &asked.did, predicted);
        if !predicted {
            missed.push((asked.base.clone(), asked.reference.clone()));
        }
    }
    let (undetermined, unobservable) = (doubts.rules, doubts.normalizations.iter().collect());
    Fitted { profile, nearest, undetermined, unobservable, rates, by_base, missed }
}

/// The name of the pairs of a survey to which a profile is fitted.
const TRAINING: &str = "training pairs";
/// The name of the pairs of a survey to which a profile is not fitted.
pub const HELD_OUT: &str = "held-out pairs";

impl Fitted {
    /// Returns the profile in the form that attribution uses, without exceptions.
    pub fn known_profile(&self) -> KnownProfile {
        let undetermined = self.undetermined.iter().map(|(rule, _)| *rule).collect();
        KnownProfile { profile: self.profile, undetermined, exceptions: BTreeSet::new() }
    }

    /// Adds the accuracy on further pairs.
    pub fn extend(&mut self, surveyed: Measured) {
        self.rates.extend(surveyed.rates);
        self.missed.extend(surveyed.missed);
        for (own, other) in self.by_base.iter_mut().zip(surveyed.by_base) {
            own.results += other.results;
            own.results_predicted += other.results_predicted;
            own.failures += other.failures;
            own.failures_predicted += other.failures_predicted;
        }
    }

    /// Returns whether the profile predicts at least [`RELIABLE`] percent of each kind of pairs to which it was not
    /// fitted. With a less accurate profile, many divergences have no cause.
    pub fn is_reliable(&self) -> bool {
        self.rates.iter().filter(|rate| !rate.fitted && rate.asked > 0).all(|rate| rate.percent() >= RELIABLE)
    }
}

/// The minimum accuracy of a reliable profile, in percent.
pub const RELIABLE: f64 = 99.0;

fn on_both<T: Send>(halves: &[Vec<Asked>; 2], work: impl Fn(&[Asked]) -> T + Sync) -> [T; 2] {
    rayon::join(|| work(&halves[0]), || work(&halves[1])).into()
}

#[cfg(test)]
mod tests {
    use super::{BaseRate, Fitted, Rate, Selection, Specification};
    use crate::outcome::Outcome;

    fn fitted(predicted: u64) -> Fitted {
        let nearest = Specification::url_standard();
        let rates = vec![
            Rate { pairs: "training pairs", fitted: true, asked: 1_000, predicted: 0 },
            Rate { pairs: "held-out pairs", fitted: false, asked: 1_000, predicted },
            Rate { pairs: "no pairs", fitted: false, asked: 0, predicted: 0 },
        ];
        let (by_base, profile) = (BaseRate::all(), nearest.profile);
        Fitted {
            profile,
            nearest,
            undetermined: Vec::new(),
            unobservable: Vec::new(),
            rates,
            by_base,
            missed: Vec::new(),
        }
    }

    #[test]
    fn a_profile_below_ninety_nine_percent_is_not_reliable() {
        assert!(fitted(1_000).is_reliable() && fitted(990).is_reliable());
        assert!(!fitted(989).is_reliable());
    }

    #[test]
    fn percentages_are_rounded_down() {
        let percent = |predicted| Rate { pairs: "", fitted: false, asked: 100_000, predicted }.percent();
        assert_eq!([percent(100_000), percent(99_999), percent(12_345)], [100.0, 99.99, 12.34]);
    }

    #[test]
    fn rates_are_counted_by_class_of_base_for_results_and_failures_apart() {
        let mut rates = BaseRate::all();
        BaseRate::add(&mut rates, "http://a/", &Outcome::Url("x".to_owned()), true);
        BaseRate::add(&mut rates, "http://a/", &Outcome::Failure("x".to_owned()), false);
        BaseRate::add(&mut rates, "", &Outcome::Crash("x".to_owned()), false);
        let asked: Vec<_> = rates.iter().map(|rate| (rate.asked(), rate.percents()[0])).collect();
        assert_eq!(asked, [(2, 50.0), (0, 100.0), (0, 100.0), (1, 0.0)]);
        assert_eq!(rates[0].percents(), [50.0, 100.0, 0.0]);
    }

    #[test]
    fn a_selection_keeps_schemes_and_replaces_bases() {
        let pairs =
            || [("http://a", "x"), ("HTTPS://b", "x"), ("", "y")].map(|(b, r)| (b.to_owned(), r.to_owned())).to_vec();
        let schemes = Selection { bases: Vec::new(), schemes: vec!["https".to_owned()] };
        assert_eq!(schemes.of(pairs()), [("HTTPS://b".to_owned(), "x".to_owned())]);
        let bases = Selection { bases: vec!["s:".to_owned()], schemes: Vec::new() };
        assert_eq!(bases.of(pairs()), [("s:", "x"), ("s:", "y")].map(|(b, r)| (b.to_owned(), r.to_owned())));
        assert_eq!(Selection::default().of(pairs()), pairs());
    }
}
