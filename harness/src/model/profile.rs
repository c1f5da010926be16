//! Profiles: the rule set and the set of normalizations that best predict an engine's results, fitted to a survey of
//! pairs.
//!
//! A hash of each pair decides whether the pair is a training pair or a held-out pair. A profile is fitted to the
//! training pairs. A second fit, to the held-out pairs, shows what the survey does not determine. A rule is
//! undetermined if the two fits have different settings, or if another setting predicts at least as many training pairs
//! or held-out pairs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hasher;

use fnv::FnvHasher;
use rayon::prelude::*;
use serde::Serialize;
use urlstrata::rules;

use crate::engine::{Engine, ask};
use crate::model::known::deviation;
use crate::model::shrink;
use crate::model::specification::Specification;
use crate::normalize::{Normalization, Normalizations, Profile};
use crate::outcome::Outcome;
use crate::pairs::bases::BaseClass;
use crate::pairs::generate::{self, BASES, RandomPairs};
use crate::vector::Suite;

/// A pair and the engine's outcome.
#[derive(Clone, Debug)]
struct Asked {
    base: String,
    reference: String,
    did: Outcome,
}

impl Asked {
    fn is_predicted_by(&self, profile: &Profile) -> bool {
        profile.predicts(&self.base, &self.reference, &self.did)
    }
}

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
    fn of(pairs: &'static str, fitted: bool) -> Self {
        Self { pairs, fitted, asked: 0, predicted: 0 }
    }

    fn add(&mut self, predicted: bool) {
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
fn percent(part: u64, all: u64) -> f64 {
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
    fn all() -> Vec<Self> {
        let none = |base| Self { base, results: 0, results_predicted: 0, failures: 0, failures_predicted: 0 };
        BaseClass::ALL.map(none).to_vec()
    }

    fn add(rates: &mut [Self], base: &str, did: &Outcome, predicted: bool) {
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
        deviation(&self.profile, base, reference, did).filter(|id| self.exceptions.contains(id))
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
    let asked = |(base, reference): &(String, String)| Asked {
        base: base.clone(),
        reference: reference.clone(),
        did: ask(engine, base, reference),
    };
    let (second, first): (Vec<_>, Vec<_>) =
        pairs.par_iter().map(asked).partition(|asked| in_second_half(&asked.base, &asked.reference));
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
        let outcomes: Vec<_> = pairs
            .par_iter()
            .map(|(base, reference)| {
                let did = ask(engine, base, reference);
                let predicted = profile.predicts(base, reference, &did);
                (did, predicted)
            })
            .collect();
        for (pair, (did, predicted)) in pairs.into_iter().zip(outcomes) {
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
    let predicted: Vec<_> = pairs
        .par_iter()
        .map(|(base, reference)| profile.predicts(base, reference, &ask(engine, base, reference)))
        .collect();
    for ((base, reference), predicted) in pairs.iter().zip(predicted) {
        rates[usize::from(in_second_half(base, reference))].add(predicted);
    }
    rates
}

/// A group of pairs that a profile does not predict and that shrink to the same pair.
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
    /// The result that the profile predicts.
    pub predicted: Outcome,
}

/// Groups pairs that `profile` does not predict by the pair to which they shrink. Returns the most frequent group
/// first.
///
/// If `missed` has more than `most` pairs, uses an evenly spaced sample of at most `most` pairs.
pub fn misses(profile: &Profile, engine: &dyn Engine, missed: &[(String, String)], most: usize) -> Vec<Miss> {
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (base, reference) in missed.iter().step_by(missed.len().div_ceil(most.max(1)).max(1)) {
        let class = |base: &str, reference: &str| deviation(profile, base, reference, &ask(engine, base, reference));
        let wanted = class(base, reference);
        // The profile may predict the result this time if the engine is not deterministic.
        let shrunk = match &wanted {
            Some(_) => shrink::smallest(base, reference, |base, reference| class(base, reference) == wanted),
            None => (base.clone(), reference.clone()),
        };
        *counts.entry(shrunk).or_default() += 1;
    }
    let mut found: Vec<_> = counts
        .into_iter()
        .map(|((base, reference), count)| Miss {
            count,
            returned: ask(engine, &base, &reference),
            predicted: profile.predict(&base, &reference),
            base,
            reference,
        })
        .collect();
    found.sort_by_key(|miss| std::cmp::Reverse(miss.count));
    found
}

fn on_both<T: Send>(halves: &[Vec<Asked>; 2], work: impl Fn(&[Asked]) -> T + Sync) -> [T; 2] {
    rayon::join(|| work(&halves[0]), || work(&halves[1])).into()
}

/// A change of one setting or one normalization of a profile.
#[derive(Clone, Copy, Debug)]
enum Flip {
    Answer { rule: usize, to: usize },
    Normalization(Normalization),
}

impl Flip {
    /// Returns every change that can be made to `profile`.
    fn all(profile: &Profile) -> Vec<Self> {
        let settings = rules::ALL.iter().enumerate().flat_map(|(rule, about)| {
            let own = about.index(&profile.rules);
            (0..about.settings.len()).filter(move |&to| to != own).map(move |to| Self::Answer { rule, to })
        });
        settings.chain(Normalization::ALL.iter().copied().map(Self::Normalization)).collect()
    }

    fn apply(self, profile: &Profile) -> Profile {
        let mut changed = *profile;
        match self {
            Self::Answer { rule, to } => changed.rules = rules::ALL[rule].with(&profile.rules, to),
            Self::Normalization(normalization) if profile.normalizations.has(normalization) => {
                changed.normalizations = profile.normalizations.without(normalization);
            }
            Self::Normalization(normalization) => changed.normalizations = profile.normalizations.with(normalization),
        }
        changed
    }
}

fn score(profile: &Profile, half: &[Asked]) -> usize {
    half.iter().filter(|asked| asked.is_predicted_by(profile)).count()
}

/// Fits a profile to the pairs in `half` by hill climbing.
///
/// Starts from the specification that predicts the most pairs. Applies single changes as long as they increase the
/// number of predicted pairs. Tries two changes together if no single change helps. Finally removes added
/// normalizations that no predicted pair requires.
fn climb(half: &[Asked]) -> Profile {
    /// The maximum number of mispredicted pairs on which single changes are ranked. For two changes together, the
    /// maximum is `RANKED_PAIRS`.
    const RANKED: usize = 1500;
    const RANKED_PAIRS: usize = 100;
    let specifications = Specification::all();
    // In this order, `max_by_key` returns the oldest of equally good specifications.
    let start = specifications.iter().rev().max_by_key(|specification| score(&specification.profile, half));
    let Some(start) = start else { return Specification::url_standard().profile };
    let mut profile = start.profile;
    loop {
        let (predicted, missed): (Vec<&Asked>, Vec<&Asked>) =
            half.iter().partition(|asked| asked.is_predicted_by(&profile));
        let better = |changes: Vec<Profile>, most: usize| {
            let stride = missed.len().div_ceil(most).max(1);
            let gains = |changed: &Profile| {
                missed.iter().step_by(stride).filter(|asked| asked.is_predicted_by(changed)).count()
            };
            let ranked = changes.into_iter().map(|changed| (gains(&changed), changed));
            let mut ranked: Vec<_> = ranked.filter(|(gains, _)| *gains > 0).collect();
            ranked.sort_by_key(|(gains, _)| std::cmp::Reverse(*gains));
            ranked.into_iter().map(|(_, changed)| changed).find(|changed| {
                let gains = missed.iter().filter(|asked| asked.is_predicted_by(changed)).count();
                let losses = predicted.iter().filter(|asked| !asked.is_predicted_by(changed)).take(gains).count();
                gains > losses
            })
        };
        let single: Vec<_> = Flip::all(&profile).into_iter().map(|flip| flip.apply(&profile)).collect();
        let doubled = || {
            let again = |changed: &Profile| {
                let flips = Flip::all(changed).into_iter();
                flips.map(|flip| flip.apply(changed)).filter(|twice| *twice != profile).collect::<Vec<_>>()
            };
            single.iter().flat_map(again).collect()
        };
        match better(single.clone(), RANKED).or_else(|| better(doubled(), RANKED_PAIRS)) {
            Some(changed) => profile = changed,
            None => break,
        }
    }
    let predicted: Vec<&Asked> = half.iter().filter(|asked| asked.is_predicted_by(&profile)).collect();
    for normalization in
        Normalization::ALL.iter().rev().filter(|&&normalization| !start.profile.normalizations.has(normalization))
    {
        let changed = Profile { normalizations: profile.normalizations.without(*normalization), ..profile };
        if profile.normalizations.has(*normalization) && predicted.iter().all(|asked| asked.is_predicted_by(&changed)) {
            profile = changed;
        }
    }
    profile
}

/// What a set of pairs does not determine.
#[derive(Clone, Debug, Default)]
struct Ambiguity {
    /// Rules, each with the settings that fit equally well. The setting of the profile is included.
    rules: Vec<(usize, Vec<usize>)>,
    /// Normalizations that fit equally well whether they are applied or not.
    normalizations: Normalizations,
}

impl Ambiguity {
    /// Returns the settings and normalizations that can be changed in `profile` without predicting fewer pairs of
    /// `half`.
    fn of(profile: &Profile, half: &[Asked]) -> Self {
        let (predicted, missed): (Vec<&Asked>, Vec<&Asked>) =
            half.iter().partition(|asked| asked.is_predicted_by(profile));
        let as_good = |changed: &Profile| {
            let gains = missed.iter().filter(|asked| asked.is_predicted_by(changed)).count();
            let losses = predicted.iter().filter(|asked| !asked.is_predicted_by(changed)).take(gains + 1).count();
            losses <= gains
        };
        let mut doubts = Self::default();
        for flip in Flip::all(profile).into_iter().filter(|flip| as_good(&flip.apply(profile))) {
            match flip {
                Flip::Answer { rule, to } => doubts.add(rule, &[rules::ALL[rule].index(&profile.rules), to]),
                Flip::Normalization(normalization) => doubts.normalizations = doubts.normalizations.with(normalization),
            }
        }
        doubts
    }

    /// Returns the settings and normalizations in which two fits differ.
    fn between(one: &Profile, other: &Profile) -> Self {
        let mut doubts = Self::default();
        for (rule, about) in rules::ALL.iter().enumerate() {
            let settings = [about.index(&one.rules), about.index(&other.rules)];
            if settings[0] != settings[1] {
                doubts.add(rule, &settings);
            }
        }
        let apart = |&&it: &&Normalization| one.normalizations.has(it) != other.normalizations.has(it);
        doubts.normalizations = Normalization::ALL.iter().filter(apart).copied().collect();
        doubts
    }

    fn add(&mut self, rule: usize, settings: &[usize]) {
        let index = match self.rules.iter().position(|(own, _)| *own == rule) {
            Some(index) => index,
            None => {
                self.rules.push((rule, Vec::new()));
                self.rules.len() - 1
            }
        };
        let own = &mut self.rules[index].1;
        own.extend(settings);
        own.sort_unstable();
        own.dedup();
    }

    fn or(&self, other: &Self) -> Self {
        let mut both = self.clone();
        other.rules.iter().for_each(|(rule, settings)| both.add(*rule, settings));
        both.rules.sort();
        both.normalizations = self.normalizations.iter().chain(other.normalizations.iter()).collect();
        both
    }
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
