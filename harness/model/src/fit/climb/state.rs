//! The probes that a row or a syntax meets and misses, by the settings that their predictions consulted.

use std::cmp::Reverse;

use super::memo::{Memo, Tried};
use super::{Weighted, step};
use crate::behaviour::Consulted;

/// A row or a syntax, with the probes that it meets and misses.
pub(super) struct State<T> {
    pub(super) row: T,
    pub(super) met: Groups,
    pub(super) missed: Groups,
}

/// Probes, grouped by the set of settings that the predictions consulted. If other settings change, the predictions do not.
pub(super) struct Groups {
    probes: Vec<(Weighted, u32)>,
    /// The positions of the sets.
    sets: Vec<u32>,
    pub(super) weight: usize,
}

impl Groups {
    fn of(probes: Vec<(Weighted, u32)>) -> Self {
        let weight = probes.iter().map(|(probe, _)| probe.weight).sum();
        let mut sets: Vec<u32> = probes.iter().map(|(_, set)| *set).collect();
        sets.sort_unstable();
        sets.dedup();
        Self { probes, sets, weight }
    }

    /// Returns the number of probes.
    pub(super) fn count(&self) -> usize {
        self.probes.len()
    }

    /// Returns a sample of about `size`.
    pub(super) fn sample(&self, size: usize) -> Self {
        let step = step(self.probes.len(), size);
        let weighted = |(probe, set): &(Weighted, u32)| (Weighted { weight: probe.weight * step, ..*probe }, *set);
        Self::of(self.probes.iter().step_by(step).map(weighted).collect())
    }

    /// Returns whether a prediction consulted the setting at the position `setting`.
    pub(super) fn consult<T: Tried>(&self, memo: &Memo<'_, T>, setting: usize) -> bool {
        self.sets.iter().any(|set| memo.set(*set).contains(setting))
    }
}

impl<T: Tried> State<T> {
    /// Examines the probes of `among`.
    pub(super) fn of(memo: &mut Memo<'_, T>, row: T, among: &[Weighted]) -> Self {
        memo.try_values(&row);
        let (mut met, mut missed) = (Vec::new(), Vec::new());
        for probe in among {
            let (is_met, set) = memo.outcome(probe.at);
            if is_met { &mut met } else { &mut missed }.push((*probe, set));
        }
        Self { row, met: Groups::of(met), missed: Groups::of(missed) }
    }

    /// Returns the weight of the probes of `missed`, which the row misses, that `changed` meets.
    pub(super) fn met_of(&self, memo: &mut Memo<'_, T>, missed: &Groups, changed: &T) -> usize {
        self.differing(memo, missed, changed, usize::MAX, true).unwrap_or_default()
    }

    /// Returns the weight of the probes of `met`, which the row meets, that `changed` misses, or `None` if it is `limit` or
    /// more.
    pub(super) fn missed_of(&self, memo: &mut Memo<'_, T>, met: &Groups, changed: &T, limit: usize) -> Option<usize> {
        self.differing(memo, met, changed, limit, false)
    }

    /// Returns the one of `changed` that gains most after what it loses on samples of `size` probes, of those that gain more than
    /// they lose on all probes.
    pub(super) fn best_of(&self, memo: &mut Memo<'_, T>, changed: impl Iterator<Item = T>, size: usize) -> Option<T> {
        let [missed, met] = [&self.missed, &self.met].map(|groups| groups.sample(size));
        let mut estimated = Vec::new();
        for row in changed {
            let gain = self.met_of(memo, &missed, &row);
            if let Some(lost) = self.missed_of(memo, &met, &row, gain) {
                estimated.push((gain - lost, row));
            }
        }
        estimated.sort_by_key(|(net, _)| Reverse(*net));
        estimated.into_iter().map(|(_, row)| row).find(|row| {
            let gain = self.met_of(memo, &self.missed, row);
            self.missed_of(memo, &self.met, row, gain).is_some()
        })
    }

    fn differing(
        &self,
        memo: &mut Memo<'_, T>,
        groups: &Groups,
        changed: &T,
        limit: usize,
        are_met: bool,
    ) -> Option<usize> {
        let (own, other) = (self.row.indices(), changed.indices());
        let different = Consulted::of((0..own.len()).filter(|at| own[*at] != other[*at]));
        // The sets are in order.
        let mut are_affected = vec![false; groups.sets.last().map_or(0, |last| *last as usize + 1)];
        for set in &groups.sets {
            are_affected[*set as usize] = memo.set(*set).intersects(&different);
        }
        let mut weight = 0;
        if are_affected.contains(&true) {
            memo.try_values(changed);
            for (probe, _) in groups.probes.iter().filter(|(_, set)| are_affected[*set as usize]) {
                if memo.is_met(probe.at) == are_met {
                    weight += probe.weight;
                    if weight >= limit {
                        return None;
                    }
                }
            }
        }
        (weight < limit).then_some(weight)
    }
}
