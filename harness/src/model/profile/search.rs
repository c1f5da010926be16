//! The search for a profile by hill climbing, and for the changes of a profile that fit equally well.

use urlstrata::rules;

use crate::model::specification::Specification;
use crate::normalize::{Normalization, Normalizations, Profile};
use crate::outcome::Outcome;

/// A pair and the engine's outcome.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) base: String,
    pub(super) reference: String,
    pub(super) did: Outcome,
}

impl Asked {
    pub(super) fn is_predicted_by(&self, profile: &Profile) -> bool {
        profile.predicts(&self.base, &self.reference, &self.did)
    }
}

/// A change of one setting or one normalization of a profile.
#[derive(Clone, Copy, Debug)]
enum Change {
    Setting { rule: usize, to: usize },
    Normalization(Normalization),
}

impl Change {
    /// Returns every change that can be made to `profile`.
    fn all(profile: &Profile) -> Vec<Self> {
        let settings = rules::ALL.iter().enumerate().flat_map(|(index, rule)| {
            let own = rule.index(&profile.rules);
            (0..rule.settings.len()).filter(move |&to| to != own).map(move |to| Self::Setting { rule: index, to })
        });
        settings.chain(Normalization::ALL.iter().copied().map(Self::Normalization)).collect()
    }

    fn apply(self, profile: &Profile) -> Profile {
        let mut changed = *profile;
        match self {
            Self::Setting { rule, to } => changed.rules = rules::ALL[rule].with(&profile.rules, to),
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
pub(super) fn climb(half: &[Asked]) -> Profile {
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
        let single: Vec<_> = Change::all(&profile).into_iter().map(|change| change.apply(&profile)).collect();
        let doubled = || {
            let again = |changed: &Profile| {
                let changes_again = Change::all(changed).into_iter();
                changes_again.map(|change| change.apply(changed)).filter(|twice| *twice != profile).collect::<Vec<_>>()
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
pub(super) struct Ambiguity {
    /// Rules, each with the settings that fit equally well. The setting of the profile is included.
    pub(super) rules: Vec<(usize, Vec<usize>)>,
    /// Normalizations that fit equally well whether they are applied or not.
    pub(super) normalizations: Normalizations,
}

impl Ambiguity {
    /// Returns the settings and normalizations that can be changed in `profile` without predicting fewer pairs of
    /// `half`.
    pub(super) fn of(profile: &Profile, half: &[Asked]) -> Self {
        let (predicted, missed): (Vec<&Asked>, Vec<&Asked>) =
            half.iter().partition(|asked| asked.is_predicted_by(profile));
        let as_good = |changed: &Profile| {
            let gains = missed.iter().filter(|asked| asked.is_predicted_by(changed)).count();
            let losses = predicted.iter().filter(|asked| !asked.is_predicted_by(changed)).take(gains + 1).count();
            losses <= gains
        };
        let mut doubts = Self::default();
        for change in Change::all(profile).into_iter().filter(|change| as_good(&change.apply(profile))) {
            match change {
                Change::Setting { rule, to } => doubts.add(rule, &[rules::ALL[rule].index(&profile.rules), to]),
                Change::Normalization(normalization) => {
                    doubts.normalizations = doubts.normalizations.with(normalization)
                }
            }
        }
        doubts
    }

    /// Returns the settings and normalizations in which two fits differ.
    pub(super) fn between(one: &Profile, other: &Profile) -> Self {
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

    pub(super) fn or(&self, other: &Self) -> Self {
        let mut both = self.clone();
        other.rules.iter().for_each(|(rule, settings)| both.add(*rule, settings));
        both.rules.sort();
        both.normalizations = self.normalizations.iter().chain(other.normalizations.iter()).collect();
        both
    }
}
