//! The last search, for the few probes that are still missed: a setting is changed in several rows, or two settings are changed.

use std::cell::Cell;

use super::outcomes::{number_of, numbered};
use super::{Probes, Weighted, step};
use crate::behaviour::{Behaviour, Consulted, Form, ROW, Read, Row, Watched};

/// The share of missed probes, as a fraction, above which this search is not made.
const MANY_MISSED: usize = 25;

/// The number of changes that are made at most.
const CHANGES: usize = 40;

/// The number of missed probes for which two changes are tried.
const TRIED: usize = 60;

/// The number of probes among which one is searched that a change loses.
const LOST: usize = 6_000;

/// The number of missed probes on which a change is tried first.
const SAMPLE: usize = 120;

/// The number of predictions that are made at most, so that the search ends in seconds if many probes are missed.
const PREDICTIONS: usize = 2_000_000;

/// The place of a row.
type Place = (usize, Form);

/// A value of a setting, by its position and its index.
type Value = (usize, usize);

/// A probe with what its prediction consulted and read.
struct Probe {
    at: usize,
    weight: usize,
    consulted: Consulted,
    read: Read,
}

/// The search from a behaviour.
struct Polish<'a> {
    probes: &'a Probes<'a>,
    /// The behaviour, in which changes are tried and taken back.
    tried: Behaviour,
    /// The probes that the behaviour misses, and those that it meets.
    missed: Vec<Probe>,
    met: Vec<Probe>,
    /// The number of predictions that may still be made.
    left: Cell<usize>,
}

/// Changes settings of `behaviour` in several rows, and two settings of the rows that a missed probe reads, while more
/// probes are met.
pub(super) fn polish(behaviour: &mut Behaviour, probes: &Probes<'_>) {
    let weighted = probes.all(1);
    let whole: usize = weighted.iter().map(|probe| probe.weight).sum();
    let mut left = PREDICTIONS;
    for _ in 0..CHANGES {
        let mut search = Polish::new(behaviour, probes, &weighted, left);
        let missed: usize = search.missed.iter().map(|probe| probe.weight).sum();
        if missed == 0 || missed * MANY_MISSED > whole {
            return;
        }
        match search.change_of_rows().or_else(|| search.two_changes()) {
            Some(better) => *behaviour = better,
            None => return,
        }
        left = search.left.get();
    }
}

impl<'a> Polish<'a> {
    fn new(behaviour: &Behaviour, probes: &'a Probes<'a>, weighted: &[Weighted], left: usize) -> Self {
        let mut watched = behaviour.clone();
        for class in &mut watched.classes {
            class.rows = class.rows.map(|row| Row { watched: Watched(true, 0), ..row });
        }
        let numbered = numbered(behaviour);
        let (mut missed, mut met) = (Vec::new(), Vec::new());
        for Weighted { at, weight } in weighted.iter().copied() {
            let (is_met, consulted) = Consulted::during(|| probes.is_met(&watched, at));
            let (_, read) = Read::during(|| probes.is_met(&numbered, at));
            if is_met { &mut met } else { &mut missed }.push(Probe { at, weight, consulted, read });
        }
        let left = left.saturating_sub(2 * weighted.len());
        Self { probes, tried: behaviour.clone(), missed, met, left: Cell::new(left) }
    }

    /// Returns whether the tried behaviour meets the probe at `at`.
    fn is_met(&self, at: usize) -> bool {
        self.left.set(self.left.get().saturating_sub(1));
        self.probes.is_met(&self.tried, at)
    }

    /// Returns the sets of rows in which a setting is changed, the larger ones first.
    fn scopes(&self) -> Vec<Vec<Place>> {
        let classes = 0..self.tried.classes.len();
        let of_class = |class: usize| Form::ALL.map(|form| (class, form)).to_vec();
        let mut scopes = vec![classes.clone().flat_map(of_class).collect()];
        scopes.extend(Form::ALL.map(|form| classes.clone().map(|class| (class, form)).collect::<Vec<_>>()));
        scopes.extend(classes.clone().map(of_class));
        scopes.extend(classes.map(|class| vec![(class, Form::Absolute), (class, Form::Alone)]));
        scopes
    }

    /// Returns the behaviour with one setting changed in several rows that gains most, after what it loses.
    fn change_of_rows(&mut self) -> Option<Behaviour> {
        let scopes: Vec<(Vec<Place>, Read)> = self
            .scopes()
            .into_iter()
            .map(|places| (read_of(&places), places))
            .map(|(read, places)| (places, read))
            .collect();
        let mut best = (0, None);
        for (at, setting) in ROW.iter().enumerate() {
            if !self.missed.iter().any(|probe| probe.consulted.contains(at)) {
                continue;
            }
            for value in 0..setting.values.len() {
                for (places, read) in &scopes {
                    let mut before: Vec<(Place, Row)> = Vec::new();
                    for place in places {
                        let row = row_mut(&mut self.tried, *place);
                        before.push((*place, *row));
                        setting.assign(row, value);
                    }
                    if let Some(gain) = self.gain(at, *read, best.0) {
                        best = (gain, Some(self.tried.clone()));
                    }
                    before.iter().for_each(|(place, row)| *row_mut(&mut self.tried, *place) = *row);
                }
            }
        }
        best.1
    }

    /// Returns what the tried behaviour gains after what it loses, if this is more than `least`. It differs in the setting at
    /// the position `at` in rows that `read` contains.
    fn gain(&self, at: usize, read: Read, least: usize) -> Option<usize> {
        let affected = |probe: &&Probe| probe.consulted.contains(at) && probe.read.intersects(read);
        let mut sample = self.missed.iter().step_by(step(self.missed.len(), SAMPLE)).filter(affected);
        if self.left.get() == 0 || !sample.any(|probe| self.is_met(probe.at)) {
            return None;
        }
        self.net_gain(affected, least)
    }

    fn net_gain(&self, affected: impl Fn(&&Probe) -> bool, least: usize) -> Option<usize> {
        let gaining = self.missed.iter().filter(&affected).filter(|probe| self.is_met(probe.at));
        let gain: usize = gaining.map(|probe| probe.weight).sum();
        let mut lost = 0;
        for probe in self.met.iter().filter(&affected) {
            if lost + least >= gain {
                return None;
            }
            if !self.is_met(probe.at) {
                lost += probe.weight;
            }
        }
        (gain > lost + least).then(|| gain - lost)
    }

    /// Returns the first behaviour with two changed settings of rows that a missed probe reads which gains more than it loses.
    fn two_changes(&mut self) -> Option<Behaviour> {
        for at in (0..self.missed.len()).step_by(step(self.missed.len(), TRIED)) {
            let places = self.places_of(&self.missed[at]);
            let found = self.two_changes_for(at, &places);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Returns the rows that the prediction of `probe` reads.
    fn places_of(&self, probe: &Probe) -> Vec<Place> {
        let (base, reference) = &self.probes.pairs[probe.at];
        let behaviour = &self.tried;
        let mut places = vec![behaviour.row_of(base, reference), behaviour.base_row_of(base)];
        places.extend(behaviour.absolute_row_of(base, reference));
        let all = (0..behaviour.classes.len()).flat_map(|class| Form::ALL.map(|form| (class, form)));
        // Strings that are parsed alone first have other rows.
        places.extend(all.filter(|place| read_of(&[*place]).intersects(probe.read)).take(6));
        places.sort_unstable();
        places.dedup();
        places.truncate(5);
        places
    }

    fn two_changes_for(&mut self, at: usize, places: &[Place]) -> Option<Behaviour> {
        let probe = self.missed[at].at;
        let (base, reference) = &self.probes.pairs[probe];
        let own = self.tried.predict(base, reference);
        for place in places {
            for one in values(&self.missed[at].consulted) {
                let before = *row_mut(&mut self.tried, *place);
                ROW[one.0].assign(row_mut(&mut self.tried, *place), one.1);
                // A first change that does not change the prediction is made second with the other one.
                self.left.set(self.left.get().saturating_sub(1));
                let changed = self.tried.predict(base, reference);
                let found = if changed == own || self.left.get() == 0 {
                    None
                } else if changed == self.probes.answers[probe] {
                    // Alone, the change loses more than it gains.
                    let lost = self.first_lost(read_of(&[*place]));
                    lost.and_then(|lost| self.second_change(lost, places, (*place, one)))
                } else {
                    self.second_change(probe, places, (*place, one))
                };
                if found.is_some() {
                    return found;
                }
                *row_mut(&mut self.tried, *place) = before;
            }
        }
        None
    }

    /// Returns the first probe that the behaviour meets and the tried one, which differs in rows that `read` contains, does not.
    fn first_lost(&self, read: Read) -> Option<usize> {
        let affected = self.met.iter().filter(|probe| probe.read.intersects(read));
        affected.take(LOST).map(|probe| probe.at).find(|at| !self.is_met(*at))
    }

    /// Returns the behaviour with a further change with which the probe at `at` is met, if it gains more than it loses.
    fn second_change(&mut self, at: usize, places: &[Place], (first, one): (Place, Value)) -> Option<Behaviour> {
        let mut watched = self.tried.clone();
        for place in places {
            row_mut(&mut watched, *place).watched = Watched(true, 0);
        }
        let (_, consulted) = Consulted::during(|| self.probes.is_met(&watched, at));
        for place in places {
            for other in values(&consulted) {
                if (*place, other.0) == (first, one.0) {
                    continue;
                }
                let before = *row_mut(&mut self.tried, *place);
                ROW[other.0].assign(row_mut(&mut self.tried, *place), other.1);
                if self.is_met(at) {
                    let read = read_of(&[first, *place]);
                    if self.net_gain(|probe| probe.read.intersects(read), 0).is_some() {
                        return Some(self.tried.clone());
                    }
                }
                *row_mut(&mut self.tried, *place) = before;
            }
        }
        None
    }
}

/// Returns every value of the settings of `consulted`.
fn values(consulted: &Consulted) -> Vec<Value> {
    let settings = consulted.positions().filter(|at| *at < ROW.len());
    settings.flat_map(|at| (0..ROW[at].values.len()).map(move |value| (at, value))).collect()
}

fn row_mut(behaviour: &mut Behaviour, (class, form): Place) -> &mut Row {
    &mut behaviour.classes[class].rows[form as usize]
}

/// Returns the numbers of the rows at `places`.
fn read_of(places: &[Place]) -> Read {
    let mut read = Read::default();
    places.iter().for_each(|(class, form)| read.insert(number_of(*class, *form)));
    read
}
