//! The last search, for the few probes that are still missed: a setting is changed in several rows, or two settings are changed.

use std::cell::Cell;
use std::collections::HashSet;

use super::outcomes::{SYNTAX_NUMBER, number_of, numbered};
use super::{Probes, Weighted, step};
use crate::behaviour::{Behaviour, Consulted, Form, ROW, Read, Row, SYNTAX, Setting, Watched};

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

/// The place of a setting: the row of a class and a form, or the syntax.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
enum Place {
    Row(usize, Form),
    Syntax,
}

impl Place {
    /// Returns the number of values of the setting at the position `at`.
    fn values(self, at: usize) -> usize {
        match self {
            Self::Row(..) => ROW[at].values.len(),
            Self::Syntax => SYNTAX[at].values.len(),
        }
    }
}

/// Another value of a setting: the position of the setting, and the index of the value.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
struct Change {
    place: Place,
    at: usize,
    value: usize,
}

impl Change {
    /// Makes the change in `behaviour`. Returns the change that takes it back.
    fn make(self, behaviour: &mut Behaviour) -> Self {
        fn exchanged<T>(setting: &Setting<T>, set: &mut T, value: usize) -> usize {
            let before = setting.index(set);
            setting.assign(set, value);
            before
        }
        let value = match self.place {
            Place::Row(class, form) => {
                exchanged(&ROW[self.at], &mut behaviour.classes[class].rows[form as usize], self.value)
            }
            Place::Syntax => exchanged(&SYNTAX[self.at], &mut behaviour.syntax, self.value),
        };
        Self { value, ..self }
    }
}

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

/// Changes settings of `behaviour` in several rows or in the syntax, and two settings of the rows and of the syntax that a missed
/// probe reads, while more probes are met.
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
        let found = search.change_of_rows().or_else(|| search.change_of_syntax()).or_else(|| search.two_changes());
        match found {
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
        let of_class = |class: usize| Form::ALL.map(|form| Place::Row(class, form)).to_vec();
        let mut scopes = vec![classes.clone().flat_map(of_class).collect()];
        scopes.extend(Form::ALL.map(|form| classes.clone().map(|class| Place::Row(class, form)).collect::<Vec<_>>()));
        scopes.extend(classes.clone().map(of_class));
        scopes.extend(classes.map(|class| vec![Place::Row(class, Form::Absolute), Place::Row(class, Form::Alone)]));
        scopes
    }

    /// Returns the behaviour with one setting changed in several rows that gains most, after what it loses.
    fn change_of_rows(&mut self) -> Option<Behaviour> {
        let with_read = |places: Vec<Place>| {
            let read = read_of(&places);
            (places, read)
        };
        let scopes: Vec<(Vec<Place>, Read)> = self.scopes().into_iter().map(with_read).collect();
        let mut best = (0, None);
        for (at, setting) in ROW.iter().enumerate() {
            if !self.missed.iter().any(|probe| probe.consulted.contains(at)) {
                continue;
            }
            for value in 0..setting.values.len() {
                for (places, read) in &scopes {
                    let affected = |probe: &&Probe| probe.consulted.contains(at) && probe.read.intersects(*read);
                    let changes = places.iter().map(|place| Change { place: *place, at, value });
                    self.try_changes(changes, affected, &mut best);
                }
            }
        }
        best.1
    }

    /// Returns the behaviour with one setting of the syntax changed that gains most, after what it loses.
    fn change_of_syntax(&mut self) -> Option<Behaviour> {
        let read = read_of(&[Place::Syntax]);
        let mut best = (0, None);
        for (at, setting) in SYNTAX.iter().enumerate() {
            for value in 0..setting.values.len() {
                let change = Change { place: Place::Syntax, at, value };
                self.try_changes([change], |probe| probe.read.intersects(read), &mut best);
            }
        }
        best.1
    }

    /// Makes `changes` together, replaces `best`, a gain and the behaviour with it, if they gain more, and takes them back. Only
    /// probes that are `affected` can have another prediction.
    fn try_changes(
        &mut self,
        changes: impl IntoIterator<Item = Change>,
        affected: impl Fn(&&Probe) -> bool,
        best: &mut (usize, Option<Behaviour>),
    ) {
        let before: Vec<Change> = changes.into_iter().map(|change| change.make(&mut self.tried)).collect();
        if let Some(gain) = self.gain(affected, best.0) {
            *best = (gain, Some(self.tried.clone()));
        }
        for change in before {
            change.make(&mut self.tried);
        }
    }

    /// Returns what the tried behaviour gains after what it loses, if this is more than `least`. Only probes that are `affected`
    /// can have another prediction.
    fn gain(&self, affected: impl Fn(&&Probe) -> bool, least: usize) -> Option<usize> {
        let mut sample = self.missed.iter().step_by(step(self.missed.len(), SAMPLE)).filter(&affected);
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

    /// Returns the first behaviour with two changed settings of what a missed probe reads which gains more than it loses.
    fn two_changes(&mut self) -> Option<Behaviour> {
        let missed: Vec<usize> = (0..self.missed.len()).step_by(step(self.missed.len(), TRIED)).collect();
        let mut repaired = HashSet::new();
        let found = missed.iter().find_map(|at| self.repaired_change(*at, &mut repaired));
        found.or_else(|| missed.iter().find_map(|at| self.two_changes_for(*at)))
    }

    /// Returns the behaviour with a change that meets a missed probe but loses more than it gains alone, and a second one that
    /// repairs this. First changes in `tried` are left out, and those that are tried are added.
    fn repaired_change(&mut self, at: usize, tried: &mut HashSet<Change>) -> Option<Behaviour> {
        let places = self.places_of(&self.missed[at]);
        let probe = self.missed[at].at;
        for one in self.changes_for(probe, &places) {
            let before = one.make(&mut self.tried);
            let found = if self.left.get() > 0 && self.is_met(probe) && tried.insert(one) {
                self.first_lost(read_of(&[one.place])).and_then(|lost| self.second_change(lost, &places, one))
            } else {
                None
            };
            if found.is_some() {
                return found;
            }
            before.make(&mut self.tried);
        }
        None
    }

    /// Returns the places that the prediction of `probe` reads: a few rows, and the syntax.
    fn places_of(&self, probe: &Probe) -> Vec<Place> {
        let (base, reference) = &self.probes.pairs[probe.at];
        let behaviour = &self.tried;
        let mut rows = vec![behaviour.row_of(base, reference), behaviour.base_row_of(base)];
        rows.extend(behaviour.absolute_row_of(base, reference));
        let all = (0..behaviour.classes.len()).flat_map(|class| Form::ALL.map(|form| (class, form)));
        // Strings that are parsed alone first have other rows.
        let is_read = |(class, form): &(usize, Form)| read_of(&[Place::Row(*class, *form)]).intersects(probe.read);
        rows.extend(all.filter(is_read).take(6));
        rows.sort_unstable();
        rows.dedup();
        rows.truncate(5);
        rows.into_iter().map(|(class, form)| Place::Row(class, form)).chain([Place::Syntax]).collect()
    }

    /// Returns every other value of the settings at `places` that the prediction of the probe at `probe` consults.
    fn changes_for(&self, probe: usize, places: &[Place]) -> Vec<Change> {
        let consulted = |watch: &dyn Fn(&mut Behaviour)| {
            let mut watched = self.tried.clone();
            watch(&mut watched);
            Consulted::during(|| self.probes.is_met(&watched, probe)).1
        };
        let of_rows = consulted(&|watched| {
            for place in places {
                if let Place::Row(class, form) = place {
                    watched.classes[*class].rows[*form as usize].watched = Watched(true, 0);
                }
            }
        });
        let of_syntax = consulted(&|watched| watched.syntax.watched = Watched(true, 0));
        let mut changes = Vec::new();
        for place in places.iter().copied() {
            let consulted = if place == Place::Syntax { of_syntax } else { of_rows };
            let of_setting = |at| (0..place.values(at)).map(move |value| Change { place, at, value });
            changes.extend(consulted.positions().flat_map(of_setting));
        }
        changes
    }

    /// Returns the behaviour with two changes that meet a missed probe together.
    fn two_changes_for(&mut self, at: usize) -> Option<Behaviour> {
        let places = self.places_of(&self.missed[at]);
        let probe = self.missed[at].at;
        let (base, reference) = &self.probes.pairs[probe];
        let own = self.tried.predict(base, reference);
        for one in self.changes_for(probe, &places) {
            let before = one.make(&mut self.tried);
            // A first change that does not change the prediction is made second with the other one.
            self.left.set(self.left.get().saturating_sub(1));
            let changed = self.tried.predict(base, reference);
            let is_tried = changed != own && changed != self.probes.answers[probe] && self.left.get() > 0;
            let found = if is_tried { self.second_change(probe, &places, one) } else { None };
            if found.is_some() {
                return found;
            }
            before.make(&mut self.tried);
        }
        None
    }

    /// Returns the first probe that the behaviour meets and the tried one, which differs in what `read` contains, does not.
    fn first_lost(&self, read: Read) -> Option<usize> {
        let affected = self.met.iter().filter(|probe| probe.read.intersects(read));
        affected.take(LOST).map(|probe| probe.at).find(|at| !self.is_met(*at))
    }

    /// Returns the behaviour with a further change after `first` with which the probe at `at` is met, if it gains more than it
    /// loses.
    fn second_change(&mut self, at: usize, places: &[Place], first: Change) -> Option<Behaviour> {
        for other in self.changes_for(at, places) {
            if (other.place, other.at) == (first.place, first.at) {
                continue;
            }
            let before = other.make(&mut self.tried);
            if self.is_met(at) {
                let read = read_of(&[first.place, other.place]);
                if self.net_gain(|probe| probe.read.intersects(read), 0).is_some() {
                    return Some(self.tried.clone());
                }
            }
            before.make(&mut self.tried);
        }
        None
    }
}

/// Returns the numbers of what is at `places`.
fn read_of(places: &[Place]) -> Read {
    let mut read = Read::default();
    for place in places {
        read.insert(match place {
            Place::Row(class, form) => number_of(*class, *form),
            Place::Syntax => SYNTAX_NUMBER,
        });
    }
    read
}
