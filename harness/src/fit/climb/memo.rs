//! The probes that a row meets, remembered by the settings that the predictions consulted.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::{Probes, Weighted};
use crate::behaviour::{Behaviour, Consulted, Form, ROW, Row, Watched};

/// Tries rows of a class and a form, while the rest of a behaviour is the same.
///
/// A prediction is not made again for a row that has the same values of the settings that the prediction consulted.
pub(super) struct Memo<'a> {
    probes: &'a Probes<'a>,
    class: usize,
    form: Form,
    /// The behaviour in which rows are tried.
    tried: Behaviour,
    /// A row to which the rows that are tried are similar.
    like: Row,
    /// The settings in which the row that is tried differs from it, with what changes in the key of a set.
    changed: Vec<(usize, u64)>,
    /// The sets of settings that predictions consulted, and the position of each.
    consulted: Vec<Consulted>,
    positions: HashMap<Consulted, usize>,
    /// For each of these sets, a number for the values that the similar row has; computed on demand.
    keys: Vec<Option<u64>>,
    /// What is known of each probe.
    known: Vec<Known>,
}

/// What is known of a probe.
#[derive(Default)]
struct Known {
    /// The sets of settings that its predictions consulted.
    consulted: Vec<usize>,
    /// Whether the probe is met, by the number for the values of a set.
    met: HashMap<u64, bool, BuildHasherDefault<Unhashed>>,
}

impl<'a> Memo<'a> {
    pub(super) fn new(behaviour: &Behaviour, probes: &'a Probes<'a>, (class, form): (usize, Form)) -> Self {
        let mut known = Vec::new();
        known.resize_with(probes.pairs.len(), Known::default);
        let mut memo = Self {
            probes,
            class,
            form,
            tried: behaviour.clone(),
            like: behaviour.classes[class].rows[form as usize],
            changed: Vec::new(),
            consulted: Vec::new(),
            positions: HashMap::new(),
            keys: Vec::new(),
            known,
        };
        memo.try_row(&behaviour.classes[class].rows[form as usize]);
        memo
    }

    /// Returns the behaviour with the row that was tried last.
    pub(super) fn tried(&self) -> &Behaviour {
        &self.tried
    }

    /// Sets the row for the following questions.
    pub(super) fn try_row(&mut self, row: &Row) {
        self.tried.classes[self.class].rows[self.form as usize] = Row { watched: Watched(true), ..*row };
        self.changed.clear();
        let differing = (0..ROW.len()).filter(|at| ROW[*at].index(row) != ROW[*at].index(&self.like));
        self.changed.extend(differing.map(|at| (at, number(at, row) ^ number(at, &self.like))));
        if self.changed.len() > MANY {
            self.like = *row;
            self.changed.clear();
            self.keys.fill(None);
        }
    }

    /// Returns whether the row meets the probe at `at`.
    pub(super) fn is_met(&mut self, at: usize) -> bool {
        for index in 0..self.known[at].consulted.len() {
            let key = self.key(self.known[at].consulted[index]);
            if let Some(met) = self.known[at].met.get(&key).copied() {
                // The next row probably has the values of the same set.
                self.known[at].consulted.swap(0, index);
                return met;
            }
        }
        let (met, consulted) = Consulted::during(|| self.probes.is_met(&self.tried, at));
        let position = self.position(consulted);
        let key = self.key(position);
        let known = &mut self.known[at];
        if !known.consulted.contains(&position) {
            known.consulted.push(position);
        }
        known.met.insert(key, met);
        met
    }

    /// Returns the weight of the probes of `among` that the row meets.
    pub(super) fn met(&mut self, among: &[Weighted]) -> usize {
        among.iter().map(|probe| if self.is_met(probe.at) { probe.weight } else { 0 }).sum()
    }

    /// Returns the weight of the probes of `among` that the row misses, or `None` if it is `limit` or more.
    pub(super) fn missed_below(&mut self, among: &[Weighted], limit: usize) -> Option<usize> {
        let mut missed = 0;
        for probe in among {
            if missed >= limit {
                return None;
            }
            if !self.is_met(probe.at) {
                missed += probe.weight;
            }
        }
        (missed < limit).then_some(missed)
    }

    /// Returns the position of a set.
    fn position(&mut self, consulted: Consulted) -> usize {
        *self.positions.entry(consulted).or_insert_with(|| {
            self.consulted.push(consulted);
            self.keys.push(None);
            self.keys.len() - 1
        })
    }

    /// Returns the number for the values that the row has for the set at `position`.
    fn key(&mut self, position: usize) -> u64 {
        let set = &self.consulted[position];
        let of_like = *self.keys[position].get_or_insert_with(|| key(position, set, &self.like));
        let changed = self.changed.iter().filter(|(at, _)| set.contains(*at));
        changed.fold(of_like, |key, (_, number)| key ^ number)
    }
}

/// If the row that is tried differs in more settings from the row to which it is similar, it takes its place.
const MANY: usize = 3;

/// Returns a number for the values that `row` has for the set of settings at `position`.
fn key(position: usize, set: &Consulted, row: &Row) -> u64 {
    set.positions().fold(mixed(!(position as u64)), |key, at| key ^ number(at, row))
}

/// Returns a number for the value of the setting at `at`.
fn number(at: usize, row: &Row) -> u64 {
    mixed((at << 8 | ROW[at].index(row)) as u64)
}

/// Returns a number whose bits depend on all bits of `number` (the finalizer of SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Returns a number that is mixed as it is.
#[derive(Default)]
struct Unhashed(u64);

impl Hasher for Unhashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}
