//! The last search, for the few probes that are still missed: a setting is changed in several rows, or two settings are changed.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use super::outcomes::{SYNTAX_NUMBER, number_of, numbered};
use super::{Probes, Weighted, step};
use crate::behaviour::{Behaviour, Consulted, Form, ROW, Read, SYNTAX, Setting, Watched};

/// The share of missed probes, as a fraction, above which this search is not made.
const MANY_MISSED: usize = 25;

/// The number of changes that are made at most.
const CHANGES: usize = 40;

/// The number of missed probes for which two changes are tried.
const TRIED: usize = 60;

/// The number of probes among which those are searched that a change loses, and the number of these.
const LOST: usize = 2_000;
const FIRST_LOST: usize = 5;

/// The number of probes that are examined for losses before gains are counted; a change that loses this many of them is judged by
/// them, and rejected if all probes together would lose this many times as much as there is to gain.
const SCANNED: usize = 600;
const FEW_LOST: usize = 3;
const MORE_LOST: usize = 2;

/// The number of missed probes on which a change is tried first.
const SAMPLE: usize = 120;

/// The number of predictions that are made at most, so that the search ends in seconds if many probes are missed.
const PREDICTIONS: usize = 500_000;

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
    is_met: bool,
    /// The settings of rows that were consulted, and those of the syntax.
    rows: Consulted,
    syntax: Consulted,
    read: Read,
}

/// The probes that changes may affect: those whose predictions read a changed row and consulted a changed setting, or consulted
/// one of the syntax.
struct Affected {
    read: Read,
    rows: Consulted,
    syntax: Consulted,
}

impl Affected {
    fn by(changes: &[Change]) -> Self {
        let (syntax, rows): (Vec<&Change>, Vec<&Change>) =
            changes.iter().partition(|change| change.place == Place::Syntax);
        let [rows, syntax] = [rows, syntax].map(|changes| Consulted::of(changes.iter().map(|change| change.at)));
        Self { read: read_of(changes.iter().map(|change| change.place)), rows, syntax }
    }

    fn contains(&self, probe: &Probe) -> bool {
        probe.rows.intersects(&self.rows) && probe.read.intersects(self.read) || probe.syntax.intersects(&self.syntax)
    }
}

/// Whether probes are met by a value in some rows, by the probe and those of the rows that its prediction reads.
type Known = HashMap<(usize, Read), bool>;

/// The changes that were tried first, to be repaired by a second one.
#[derive(Default)]
struct Repaired {
    changes: HashSet<Change>,
    /// The settings that they changed, with the first probes that they lost.
    lost: HashSet<(Place, usize, Vec<usize>)>,
}

/// The search from a behaviour.
struct Polish<'a> {
    probes: &'a Probes<'a>,
    /// The behaviour, in which changes are tried and taken back.
    tried: Behaviour,
    /// Every probe.
    all: Vec<Probe>,
    /// The positions of the missed probes in it.
    missed: Vec<usize>,
    /// The position of the setting of rows that is changed next.
    next: usize,
    /// The number of predictions that may still be made.
    left: Cell<usize>,
}

/// Changes settings of `behaviour` in several rows or in the syntax, and two settings of the rows and of the syntax that a missed
/// probe reads, while more probes are met.
pub(super) fn polish(behaviour: &mut Behaviour, probes: &Probes<'_>) {
    let mut search = Polish::new(behaviour, probes);
    let whole: usize = search.all.iter().map(|probe| probe.weight).sum();
    let missed: usize = search.missed.iter().map(|at| search.all[*at].weight).sum();
    if missed * MANY_MISSED > whole {
        return;
    }
    for _ in 0..CHANGES {
        let found = search.change_of_rows().or_else(|| search.change_of_syntax()).or_else(|| search.two_changes());
        match found {
            Some(changes) => search.adopt(&changes),
            None => break,
        }
    }
    *behaviour = search.tried;
}

impl<'a> Polish<'a> {
    fn new(behaviour: &Behaviour, probes: &'a Probes<'a>) -> Self {
        let unknown = |Weighted { at, weight }| Probe {
            at,
            weight,
            is_met: false,
            rows: Consulted::default(),
            syntax: Consulted::default(),
            read: Read::default(),
        };
        let mut search = Self {
            probes,
            tried: behaviour.clone(),
            all: probes.all(1).into_iter().map(unknown).collect(),
            missed: Vec::new(),
            next: 0,
            left: Cell::new(PREDICTIONS),
        };
        search.examine(|_| true);
        search
    }

    /// Makes `changes` for good.
    fn adopt(&mut self, changes: &[Change]) {
        let affected = Affected::by(changes);
        for change in changes {
            change.make(&mut self.tried);
        }
        self.examine(|probe| affected.contains(probe));
    }

    /// Predicts the probes of `which` again.
    fn examine(&mut self, which: impl Fn(&Probe) -> bool) {
        let mut with_rows = numbered(&self.tried);
        for row in with_rows.classes.iter_mut().flat_map(|class| &mut class.rows) {
            row.watched.0 = true;
        }
        let mut with_syntax = self.tried.clone();
        with_syntax.syntax.watched.0 = true;
        for probe in self.all.iter_mut().filter(|probe| which(probe)) {
            let ((is_met, rows), read) =
                Read::during(|| Consulted::during(|| self.probes.is_met(&with_rows, probe.at)));
            let (_, syntax) = Consulted::during(|| self.probes.is_met(&with_syntax, probe.at));
            *probe = Probe { is_met, rows, syntax, read, ..*probe };
            self.left.set(self.left.get().saturating_sub(2));
        }
        self.missed = (0..self.all.len()).filter(|at| !self.all[*at].is_met).collect();
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

    /// Returns the change of one setting in several rows that gains most, after what it loses. The settings are tried in turn, and
    /// the first one that gains is changed.
    fn change_of_rows(&mut self) -> Option<Vec<Change>> {
        let scopes = self.scopes();
        for _ in 0..ROW.len() {
            let at = self.next;
            self.next = (at + 1) % ROW.len();
            if !self.missed.iter().any(|missed| self.all[*missed].rows.contains(at)) {
                continue;
            }
            let mut best = (0, None);
            for value in 0..ROW[at].values.len() {
                let mut known = Known::new();
                for places in &scopes {
                    let changes = places.iter().map(|place| Change { place: *place, at, value }).collect();
                    self.try_changes(changes, &mut known, &mut best);
                }
            }
            if best.1.is_some() {
                return best.1;
            }
        }
        None
    }

    /// Returns the change of one setting of the syntax that gains most, after what it loses.
    fn change_of_syntax(&mut self) -> Option<Vec<Change>> {
        let mut best = (0, None);
        for (at, setting) in SYNTAX.iter().enumerate() {
            for value in 0..setting.values.len() {
                let changes = vec![Change { place: Place::Syntax, at, value }];
                self.try_changes(changes, &mut Known::new(), &mut best);
            }
        }
        best.1
    }

    /// Makes `changes`, replaces `best`, a gain and the changes for it, if they gain more, and takes them back.
    fn try_changes(&mut self, changes: Vec<Change>, known: &mut Known, best: &mut (usize, Option<Vec<Change>>)) {
        let affected = Affected::by(&changes);
        let before: Vec<Change> = changes.iter().map(|change| change.make(&mut self.tried)).collect();
        if let Some(gain) = self.gain(&affected, known, best.0) {
            *best = (gain, Some(changes));
        }
        for change in before {
            change.make(&mut self.tried);
        }
    }

    /// Returns what the tried behaviour gains after what it loses, if this is more than `least`.
    fn gain(&self, affected: &Affected, known: &mut Known, least: usize) -> Option<usize> {
        let mut sample = self.missed.iter().step_by(step(self.missed.len(), SAMPLE)).map(|at| &self.all[*at]);
        let is_met = |probe| affected.contains(probe) && self.is_met_among(probe, affected, known);
        if self.left.get() == 0 || !sample.any(is_met) {
            return None;
        }
        self.net_gain(affected, known, least)
    }

    /// Returns what the tried behaviour gains after what it loses, if this is more than `least`. A change that seems to lose much
    /// more than there is to gain is not examined further.
    fn net_gain(&self, affected: &Affected, known: &mut Known, least: usize) -> Option<usize> {
        let missed = self.missed.iter().map(|at| &self.all[*at]).filter(|probe| affected.contains(probe));
        let most: usize = missed.clone().map(|probe| probe.weight).sum();
        let is_lost = |probe: &Probe, known: &mut Known| {
            probe.is_met && affected.contains(probe) && !self.is_met_among(probe, affected, known)
        };
        let (mut count, mut lost) = (0, 0);
        let (first, others) = self.all.split_at(SCANNED.min(self.all.len()));
        for (at, probe) in first.iter().enumerate().filter(|(_, probe)| is_lost(probe, known)) {
            count += 1;
            lost += probe.weight;
            if lost + least >= most || count >= FEW_LOST && lost * self.all.len() > MORE_LOST * most * (at + 1) {
                return None;
            }
        }
        let gain: usize =
            missed.filter(|probe| self.is_met_among(probe, affected, known)).map(|probe| probe.weight).sum();
        let mut others = others.iter();
        while lost + least < gain {
            match others.find(|probe| is_lost(probe, known)) {
                Some(probe) => lost += probe.weight,
                None => return Some(gain - lost),
            }
        }
        None
    }

    /// Returns whether the tried behaviour meets `probe`. The prediction is known if it was made with the same changes in those of
    /// the affected rows that it reads.
    fn is_met_among(&self, probe: &Probe, affected: &Affected, known: &mut Known) -> bool {
        *known.entry((probe.at, probe.read.common(affected.read))).or_insert_with(|| self.is_met(probe.at))
    }

    /// Returns two changes of what a missed probe reads which gain more than they lose together.
    fn two_changes(&mut self) -> Option<Vec<Change>> {
        let missed: Vec<usize> = self.missed.iter().copied().step_by(step(self.missed.len(), TRIED)).collect();
        let mut repaired = Repaired::default();
        let found = missed.iter().find_map(|at| self.repaired_change(*at, &mut repaired));
        found.or_else(|| missed.iter().find_map(|at| self.two_changes_for(*at)))
    }

    /// Returns a change that meets a missed probe but loses more than it gains alone, and a second one that repairs this. First
    /// changes in `tried`, or of the same setting with the same lost probes, are left out, and those that are tried are added.
    fn repaired_change(&mut self, at: usize, tried: &mut Repaired) -> Option<Vec<Change>> {
        let places = self.places_of(&self.all[at]);
        let probe = self.all[at].at;
        for one in self.changes_for(probe, &places) {
            let before = one.make(&mut self.tried);
            let lost = match self.left.get() > 0 && self.is_met(probe) && tried.changes.insert(one) {
                true => self.first_lost(one),
                false => Vec::new(),
            };
            let is_new = !lost.is_empty() && tried.lost.insert((one.place, one.at, lost.clone()));
            let found = if is_new { self.second_change(probe, &lost, &places, one) } else { None };
            before.make(&mut self.tried);
            if found.is_some() {
                return found;
            }
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
        let is_read = |(class, form): &(usize, Form)| read_of([Place::Row(*class, *form)]).intersects(probe.read);
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

    /// Returns two changes that meet a missed probe together.
    fn two_changes_for(&mut self, at: usize) -> Option<Vec<Change>> {
        let places = self.places_of(&self.all[at]);
        let probe = self.all[at].at;
        let (base, reference) = &self.probes.pairs[probe];
        let own = self.tried.predict(base, reference);
        for one in self.changes_for(probe, &places) {
            let before = one.make(&mut self.tried);
            // A first change that does not change the prediction is made second with the other one.
            self.left.set(self.left.get().saturating_sub(1));
            let changed = self.tried.predict(base, reference);
            let is_tried = changed != own && changed != self.probes.answers[probe] && self.left.get() > 0;
            let found = if is_tried { self.second_change(probe, &[], &places, one) } else { None };
            before.make(&mut self.tried);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Returns the first probes that the behaviour meets and the tried one, which differs in `change`, does not.
    fn first_lost(&self, change: Change) -> Vec<usize> {
        let affected = Affected::by(&[change]);
        let met = self.all.iter().filter(|probe| probe.is_met && affected.contains(probe));
        met.take(LOST).map(|probe| probe.at).filter(|at| !self.is_met(*at)).take(FIRST_LOST).collect()
    }

    /// Returns `first` and a further change with which the probe at `at` and at least half of those at `lost` are met, if they gain more
    /// than they lose.
    fn second_change(&mut self, at: usize, lost: &[usize], places: &[Place], first: Change) -> Option<Vec<Change>> {
        for other in self.changes_for(lost.first().copied().unwrap_or(at), places) {
            if (other.place, other.at) == (first.place, first.at) {
                continue;
            }
            let before = other.make(&mut self.tried);
            let changes = [first, other];
            let is_repaired = self.is_met(at) && lost.iter().filter(|at| self.is_met(**at)).count() * 2 >= lost.len();
            let gains = is_repaired && self.net_gain(&Affected::by(&changes), &mut Known::new(), 0).is_some();
            before.make(&mut self.tried);
            if gains {
                return Some(changes.to_vec());
            }
        }
        None
    }
}

/// Returns the numbers of what is at `places`.
fn read_of(places: impl IntoIterator<Item = Place>) -> Read {
    let mut read = Read::default();
    for place in places {
        read.insert(match place {
            Place::Row(class, form) => number_of(class, form),
            Place::Syntax => SYNTAX_NUMBER,
        });
    }
    read
}
