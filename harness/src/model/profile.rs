//! The row of rules and the set of normalizations that predict an engine best, fitted over a broad survey.
//!
//! A survey is cut into halves by what its pairs are, not by where they stand. One half fits, the other is held back;
//! each fits once, and an answer on which they fit apart, or that another would do as well in either, is undetermined.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hasher;
use std::sync::LazyLock;

use fnv::FnvHasher;
use rayon::prelude::*;
use serde::Serialize;
use urlstrata::revision::{self, Revision, rfc3986};
use urlstrata::rules;

use crate::engine::{Engine, ask};
use crate::model::known::deviation;
use crate::model::shrink;
use crate::normalize::{Normalization, Normalizations, Profile};
use crate::outcome::Outcome;
use crate::pairs::bases::BaseClass;
use crate::pairs::generate::{self, BASES, RandomPairs};
use crate::vector::{Suite, WHATWG};

/// A document that an engine can be put beside.
#[derive(Clone, Copy, Debug)]
pub struct Specification {
    /// Its id: a revision's, or `whatwg` for the URL Standard.
    pub id: &'static str,
    /// How it is cited.
    pub cite: &'static str,
    /// What an engine that follows it does.
    pub profile: Profile,
    /// The revision, if it is one of ours.
    pub revision: Option<&'static Revision>,
}

impl Specification {
    /// That of `revision`, which has to resolve.
    pub fn of(revision: &'static Revision) -> Option<Self> {
        let profile = Profile { rules: *revision.rules?, normalizations: Normalizations::NONE };
        Some(Self { id: revision.id, cite: revision.cite, profile, revision: Some(revision) })
    }

    /// An engine's profile, as something that other engines are compared with.
    pub fn of_profile(profile: Profile) -> Self {
        Self { id: "", cite: "", profile, revision: None }
    }

    /// The URL Standard's: the row of RFC 3986 with the Standard's normalizations.
    pub fn url_standard() -> Self {
        let rules = *rfc3986::REVISION.rules.unwrap_or_else(|| unreachable!("RFC 3986 resolves"));
        let profile = Profile { rules, normalizations: Normalizations::url_standard() };
        Self { id: WHATWG, cite: "URL Standard", profile, revision: None }
    }

    /// Every one: the revisions, oldest first, then the URL Standard.
    pub fn all() -> Vec<Self> {
        static ALL: LazyLock<Vec<Specification>> = LazyLock::new(|| {
            let revisions = revision::resolving().filter_map(|(revision, _)| Specification::of(revision));
            revisions.chain([Specification::url_standard()]).collect()
        });
        ALL.clone()
    }

    /// The one of that id.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::all().into_iter().find(|specification| specification.id == id)
    }

    /// How the document is cited whose row of answers it has: the URL Standard's is that of RFC 3986.
    pub fn cite_of_rules(&self) -> &'static str {
        self.revision.map_or(rfc3986::REVISION.cite, |revision| revision.cite)
    }

    /// What it says of a pair: a revision by its steps, the URL Standard by its profile.
    pub fn says(&self, base: &str, reference: &str) -> Outcome {
        match self.revision {
            Some(revision) => revision.resolve(base, reference).into(),
            None => self.profile.predict(base, reference),
        }
    }

    /// The one from which `profile` differs least, the `undetermined` columns left out; of equally near ones the newest.
    pub fn nearest(profile: &Profile, undetermined: &[usize]) -> Self {
        let specifications = Self::all().into_iter().rev();
        let nearest = specifications.min_by_key(|specification| specification.distance(profile, undetermined));
        nearest.unwrap_or_else(Self::url_standard)
    }

    /// In how many answers and normalizations `profile` differs from it, the `undetermined` columns left out.
    fn distance(&self, profile: &Profile, undetermined: &[usize]) -> usize {
        let columns = rules::ALL.iter().enumerate().filter(|(index, column)| {
            !undetermined.contains(index) && column.index(&self.profile.rules) != column.index(&profile.rules)
        });
        let normalizations = Normalization::ALL
            .iter()
            .filter(|&&it| self.profile.normalizations.has(it) != profile.normalizations.has(it));
        columns.count() + normalizations.count()
    }
}

/// A pair and what an engine did with it.
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

/// How many pairs of a kind a profile predicts.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Rate {
    /// Which pairs.
    pub pairs: &'static str,
    /// Whether the profile was fitted to them.
    pub fitted: bool,
    /// How many there are.
    pub asked: u64,
    /// How many of them it predicts.
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

    /// The share that is predicted in percent, rounded down to two decimals: 100 only if all are.
    pub fn percent(&self) -> f64 {
        percent(self.predicted, self.asked)
    }
}

/// `part` of `all` in percent, rounded down to two decimals; 100 of nothing.
fn percent(part: u64, all: u64) -> f64 {
    if all == 0 { 100.0 } else { (part as f64 * 10_000.0 / all as f64).floor() / 100.0 }
}

/// How many pairs with bases of one class a profile predicts, among those that it was not fitted to.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct BaseRate {
    /// The class.
    pub base: BaseClass,
    /// Pairs for which the engine returned a URL, and how many of them are predicted.
    pub results: u64,
    /// See [`Self::results`].
    pub results_predicted: u64,
    /// Pairs for which it did not, and how many of them are predicted.
    pub failures: u64,
    /// See [`Self::failures`].
    pub failures_predicted: u64,
}

impl BaseRate {
    /// One for each class, without pairs.
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

    /// How many pairs there are.
    pub fn asked(&self) -> u64 {
        self.results + self.failures
    }

    /// The share that is predicted, in percent as [`Rate::percent`]: of all pairs, of results, and of failures.
    pub fn percents(&self) -> [f64; 3] {
        [
            percent(self.results_predicted + self.failures_predicted, self.asked()),
            percent(self.results_predicted, self.results),
            percent(self.failures_predicted, self.failures),
        ]
    }
}

/// Which pairs a user cares about: those with one of these bases, or with bases of these schemes; all if both are empty.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Bases that replace all others.
    pub bases: Vec<String>,
    /// Schemes of bases, in lower case.
    pub schemes: Vec<String>,
}

impl Selection {
    /// Whether `base` is one of those that are kept.
    fn keeps(&self, base: &str) -> bool {
        let scheme = |scheme: &String| {
            base.split_once(':').is_some_and(|(own, _)| own.trim_start().eq_ignore_ascii_case(scheme))
        };
        self.schemes.is_empty() || self.schemes.iter().any(scheme)
    }

    /// The pairs of `pairs` that are kept, each reference with each base if there are bases.
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

/// An engine's profile, as far as it is known.
#[derive(Clone, Debug)]
pub struct KnownProfile {
    /// What it does.
    pub profile: Profile,
    /// Columns, as indices into [`rules::ALL`], in which nothing is known of it.
    pub undetermined: Vec<usize>,
    /// The classes of pairs that it does not predict, by [`deviation`].
    pub exceptions: BTreeSet<String>,
}

impl KnownProfile {
    /// `profile` without doubts and exceptions.
    pub fn certain(profile: Profile) -> Self {
        Self { profile, undetermined: Vec::new(), exceptions: BTreeSet::new() }
    }

    /// The listed class of deviations to which a pair with the result `did` belongs, if it belongs to one.
    pub fn listed(&self, base: &str, reference: &str, did: &Outcome) -> Option<String> {
        if self.exceptions.is_empty() {
            return None;
        }
        deviation(&self.profile, base, reference, did).filter(|id| self.exceptions.contains(id))
    }
}

/// A profile fitted to an engine, and how far it can be believed.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// What predicts the engine best. Undetermined columns have the answer of the nearest document.
    pub profile: Profile,
    /// The document it differs least from.
    pub nearest: Specification,
    /// Columns, as indices into [`rules::ALL`], that the survey cannot tell: each with the answers that do equally well.
    pub undetermined: Vec<(usize, Vec<usize>)>,
    /// Normalizations that make no difference on the survey, off in the profile.
    pub unobservable: Vec<Normalization>,
    /// How well it predicts.
    pub rates: Vec<Rate>,
    /// How well it predicts pairs that it was not fitted to, by class of base.
    pub by_base: Vec<BaseRate>,
    /// The pairs that it was not fitted to and does not predict.
    pub missed: Vec<(String, String)>,
}

/// How many random pairs are in a survey; a million would tell no more of a column.
const SURVEY_RANDOM: usize = 60_000;
/// The longest reference of a survey's enumeration.
const SURVEY_LENGTH: usize = 3;
/// The seeds of the survey's pairs, of those that are only predicted, and of the long references.
const SEEDS: [u64; 3] = [1, 2, 3];

/// Every pair that an engine is fitted over: short references, the vectors, the witnesses of normalizations on each other's
/// bases, and random pairs. None stands twice.
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

/// Whether a pair belongs to the second half: FNV-1a over both strings, so that the answer never changes.
pub fn in_second_half(base: &str, reference: &str) -> bool {
    let mut hash = FnvHasher::default();
    hash.write(base.as_bytes());
    hash.write(&[0]);
    hash.write(reference.as_bytes());
    (hash.finish() >> 32) & 1 == 1
}

/// Fits a profile to `engine` over the pairs of a survey.
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
    let undetermined: Vec<_> = doubts.columns.iter().map(|(column, _)| *column).collect();
    let nearest = Specification::nearest(&profile, &undetermined);
    for &column in &undetermined {
        profile.rules = rules::ALL[column].with(&profile.rules, rules::ALL[column].index(&nearest.profile.rules));
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
    let (undetermined, unobservable) = (doubts.columns, doubts.normalizations.iter().collect());
    Fitted { profile, nearest, undetermined, unobservable, rates, by_base, missed }
}

/// The pairs of a survey that a profile is fitted to.
const TRAINING: &str = "training pairs";
/// The pairs of a survey that it is not fitted to.
pub const HELD_OUT: &str = "held-out pairs";

impl Fitted {
    /// The profile as something that explains: without listed classes of deviations.
    pub fn known_profile(&self) -> KnownProfile {
        let undetermined = self.undetermined.iter().map(|(column, _)| *column).collect();
        KnownProfile { profile: self.profile, undetermined, exceptions: BTreeSet::new() }
    }

    /// Adds what it predicts of other pairs.
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

    /// Whether it predicts at least 99% of the pairs of each kind that it was not fitted to: below that, causes are often
    /// missing.
    pub fn is_reliable(&self) -> bool {
        self.rates.iter().filter(|rate| !rate.fitted && rate.asked > 0).all(|rate| rate.percent() >= RELIABLE)
    }
}

/// The least share of pairs in percent that a reliable profile predicts.
pub const RELIABLE: f64 = 99.0;

/// What a profile predicts of pairs that no fit has seen.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How many it predicts.
    pub rates: Vec<Rate>,
    /// The same by class of base.
    pub by_base: Vec<BaseRate>,
    /// Those it does not: base and reference.
    pub missed: Vec<(String, String)>,
}

/// How well `profile` predicts `engine` on pairs that no fit has seen, of those that are selected: `random` random pairs, and
/// long references.
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

/// How many of a survey's pairs `profile` predicts: of the half that profiles are fitted to, and of the other.
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

/// A kind of pairs that a profile does not predict: those that shrink to the same pair.
#[derive(Clone, Debug, Serialize)]
pub struct Miss {
    /// How many pairs of the sample shrink to this one.
    pub count: u64,
    /// The shrunk base.
    pub base: String,
    /// The shrunk reference.
    pub reference: String,
    /// The engine's result.
    pub said: Outcome,
    /// The profile's.
    pub predicted: Outcome,
}

/// Groups pairs that `profile` does not predict by the pair they shrink to, the most frequent first. Of more than `most`
/// pairs, a sample of that size is taken at equal distances.
pub fn misses(profile: &Profile, engine: &dyn Engine, missed: &[(String, String)], most: usize) -> Vec<Miss> {
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (base, reference) in missed.iter().step_by(missed.len().div_ceil(most.max(1)).max(1)) {
        let class = |base: &str, reference: &str| deviation(profile, base, reference, &ask(engine, base, reference));
        let wanted = class(base, reference);
        // An engine that is not deterministic may be predicted now.
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
            said: ask(engine, &base, &reference),
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

/// One answer or one normalization of a profile, changed.
#[derive(Clone, Copy, Debug)]
enum Flip {
    Answer { column: usize, to: usize },
    Normalization(Normalization),
}

impl Flip {
    /// Every change that can be made to `profile`.
    fn all(profile: &Profile) -> Vec<Self> {
        let answers = rules::ALL.iter().enumerate().flat_map(|(column, about)| {
            let own = about.index(&profile.rules);
            (0..about.settings.len()).filter(move |&to| to != own).map(move |to| Self::Answer { column, to })
        });
        answers.chain(Normalization::ALL.iter().copied().map(Self::Normalization)).collect()
    }

    fn apply(self, profile: &Profile) -> Profile {
        let mut changed = *profile;
        match self {
            Self::Answer { column, to } => changed.rules = rules::ALL[column].with(&profile.rules, to),
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

/// Climbs from the document that predicts the most, one change at a time and two where one does not help, to where
/// neither does; then takes back what makes no difference.
fn climb(half: &[Asked]) -> Profile {
    /// So many of the pairs that are not predicted are enough to rank changes.
    const RANKED: usize = 1500;
    const RANKED_PAIRS: usize = 100;
    let specifications = Specification::all();
    // The oldest of equally good ones: a later document has to earn it.
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

/// What a half cannot tell.
#[derive(Clone, Debug, Default)]
struct Ambiguity {
    /// Columns with the answers that do as well as the one taken, that one among them.
    columns: Vec<(usize, Vec<usize>)>,
    /// Normalizations that are on or off without a difference.
    normalizations: Normalizations,
}

impl Ambiguity {
    /// What else predicts as much of `half` as `profile` does.
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
                Flip::Answer { column, to } => doubts.add(column, &[rules::ALL[column].index(&profile.rules), to]),
                Flip::Normalization(normalization) => doubts.normalizations = doubts.normalizations.with(normalization),
            }
        }
        doubts
    }

    /// In what two fits differ.
    fn between(one: &Profile, other: &Profile) -> Self {
        let mut doubts = Self::default();
        for (column, about) in rules::ALL.iter().enumerate() {
            let answers = [about.index(&one.rules), about.index(&other.rules)];
            if answers[0] != answers[1] {
                doubts.add(column, &answers);
            }
        }
        let apart = |&&it: &&Normalization| one.normalizations.has(it) != other.normalizations.has(it);
        doubts.normalizations = Normalization::ALL.iter().filter(apart).copied().collect();
        doubts
    }

    fn add(&mut self, column: usize, answers: &[usize]) {
        let index = match self.columns.iter().position(|(own, _)| *own == column) {
            Some(index) => index,
            None => {
                self.columns.push((column, Vec::new()));
                self.columns.len() - 1
            }
        };
        let own = &mut self.columns[index].1;
        own.extend(answers);
        own.sort_unstable();
        own.dedup();
    }

    fn or(&self, other: &Self) -> Self {
        let mut both = self.clone();
        other.columns.iter().for_each(|(column, answers)| both.add(*column, answers));
        both.columns.sort();
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
