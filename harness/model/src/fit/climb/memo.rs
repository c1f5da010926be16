//! The probes that a row or a syntax meets, remembered by the settings that the predictions consulted.

use std::collections::HashMap;

use super::outcomes::{SYNTAX_NUMBER, changed, number_of, numbered};
use super::{Probes, Weighted};
use crate::behaviour::{Behaviour, Consulted, Form, Read, Row, Syntax, Watched};

/// A set of settings of a behaviour, with values that are tried.
pub(super) trait Tried: Copy {
    /// Selects a set of a behaviour.
    type Place: Copy;

    /// Returns the set of `behaviour` at `place`.
    fn of(behaviour: &Behaviour, place: Self::Place) -> Self;

    /// Sets the set of `behaviour` at `place`, watched as stated.
    fn put(self, behaviour: &mut Behaviour, place: Self::Place, watched: Watched);

    /// Returns the number under which the set at `place` is recorded as a whole.
    fn number(place: Self::Place) -> u8;

    /// Returns the index of the value of each setting.
    fn indices(&self) -> [u8; Consulted::SIZE];
}

impl Tried for Row {
    type Place = (usize, Form);

    fn of(behaviour: &Behaviour, (class, form): Self::Place) -> Self {
        behaviour.classes[class].rows[form as usize]
    }

    fn put(self, behaviour: &mut Behaviour, (class, form): Self::Place, watched: Watched) {
        behaviour.classes[class].rows[form as usize] = Self { watched, ..self };
    }

    fn number((class, form): Self::Place) -> u8 {
        number_of(class, form)
    }

    fn indices(&self) -> [u8; Consulted::SIZE] {
        self.values()
    }
}

impl Tried for Syntax {
    type Place = ();

    fn of(behaviour: &Behaviour, (): ()) -> Self {
        behaviour.syntax
    }

    fn put(self, behaviour: &mut Behaviour, (): (), watched: Watched) {
        behaviour.syntax = Self { watched, ..self };
    }

    fn number((): ()) -> u8 {
        SYNTAX_NUMBER
    }

    fn indices(&self) -> [u8; Consulted::SIZE] {
        self.values()
    }
}

/// One row for all classes and forms.
#[derive(Clone, Copy)]
pub(super) struct Uniform(pub(super) Row);

impl Tried for Uniform {
    type Place = ();

    fn of(behaviour: &Behaviour, (): ()) -> Self {
        Self(behaviour.classes[behaviour.other].rows[Form::Authority as usize])
    }

    fn put(self, behaviour: &mut Behaviour, (): (), watched: Watched) {
        let row = Row { watched, ..self.0 };
        behaviour.classes.iter_mut().for_each(|class| class.rows = [row; Form::ALL.len()]);
    }

    fn number((): ()) -> u8 {
        0
    }

    fn indices(&self) -> [u8; Consulted::SIZE] {
        self.0.values()
    }
}

/// Tries values of a set of settings, while the rest of a behaviour is the same.
///
/// A prediction is not made again for a set that has the same values of the settings that the prediction consulted.
pub(super) struct Memo<'a, T: Tried> {
    probes: &'a Probes<'a>,
    place: T::Place,
    /// The behaviour in which sets are tried.
    tried: Behaviour,
    /// The values that are tried.
    values: [u8; Consulted::SIZE],
    /// Values to which those that are tried are similar.
    like: [u8; Consulted::SIZE],
    /// The settings in which the tried values differ from them, with what changes in the key of a set.
    changed: Vec<(usize, u64)>,
    /// The sets of settings that predictions consulted, and the position of each.
    consulted: Vec<Consulted>,
    positions: HashMap<Consulted, u32>,
    /// For each of these sets, a number for the values that the similar values have; computed on demand.
    keys: Vec<Option<u64>>,
    /// For each of these sets, a number for the tried values, and for which values it was computed.
    tried_keys: Vec<(u64, u64)>,
    /// The number of times that other values were tried.
    times: u64,
    /// Whether a probe is met, by the number for the values of a set and for the probe.
    met: Bits,
    /// The position in `known` of each probe, plus one.
    slots: Vec<u32>,
    /// What is known of each probe that was examined.
    known: Vec<Known>,
    /// The number of predictions that were made.
    pub(super) predictions: usize,
}

/// What is known of a probe.
#[derive(Default)]
struct Known {
    /// The other rows that its predictions read.
    read: Read,
    /// A number for the probe. It changes if predictions are forgotten.
    number: u64,
    /// The sets of settings that its predictions consulted: the last one that was found, and the others.
    last: Option<u32>,
    others: Vec<u32>,
}

impl<'a, T: Tried> Memo<'a, T> {
    pub(super) fn new(behaviour: &Behaviour, probes: &'a Probes<'a>, place: T::Place) -> Self {
        let values = T::of(behaviour, place).indices();
        let mut memo = Self {
            probes,
            place,
            tried: numbered(behaviour),
            values,
            like: values,
            changed: Vec::new(),
            consulted: Vec::new(),
            positions: HashMap::new(),
            keys: Vec::new(),
            tried_keys: Vec::new(),
            times: 0,
            met: Bits::default(),
            slots: vec![0; probes.pairs.len()],
            known: Vec::new(),
            predictions: 0,
        };
        memo.try_values(&T::of(behaviour, place));
        memo
    }

    /// Sets the rest of the behaviour. Predictions that read what is different are forgotten.
    pub(super) fn resume(&mut self, behaviour: &Behaviour) {
        let own = T::of(behaviour, self.place);
        own.put(&mut self.tried, self.place, Watched(false, T::number(self.place)));
        let changed = changed(&self.tried, behaviour);
        self.tried = numbered(behaviour);
        for known in self.known.iter_mut().filter(|known| known.read.intersects(changed)) {
            *known = Known { number: mixed(known.number), ..Known::default() };
        }
        self.try_values(&own);
    }

    /// Returns the behaviour with the values that were tried last.
    pub(super) fn tried(&self) -> &Behaviour {
        &self.tried
    }

    /// Sets the values for the following questions.
    pub(super) fn try_values(&mut self, tried: &T) {
        tried.put(&mut self.tried, self.place, Watched(true, 0));
        self.values = tried.indices();
        self.times += 1;
        self.changed.clear();
        let pairs = self.values.iter().zip(&self.like).enumerate();
        let differing = pairs.filter(|(_, (own, like))| own != like);
        self.changed.extend(differing.map(|(at, (own, like))| (at, number(at, *own) ^ number(at, *like))));
        if self.changed.len() > MANY {
            self.like = self.values;
            self.changed.clear();
            self.keys.fill(None);
        }
    }

    /// Returns whether the values meet the probe at `at`.
    pub(super) fn is_met(&mut self, at: usize) -> bool {
        self.outcome(at).0
    }

    /// Returns whether the values meet the probe at `at`, and the position of the set of settings that the prediction
    /// consulted; see [`Self::set`].
    pub(super) fn outcome(&mut self, at: usize) -> (bool, u32) {
        let slot = self.slot(at);
        let number = self.known[slot].number;
        if let Some(last) = self.known[slot].last {
            let key = self.key(last);
            if let Some(met) = self.remembered(key ^ number, at) {
                return (met, last);
            }
        }
        for index in 0..self.known[slot].others.len() {
            let position = self.known[slot].others[index];
            let key = self.key(position);
            if let Some(met) = self.remembered(key ^ number, at) {
                // The next values are probably found by the same set.
                let known = &mut self.known[slot];
                if let Some(last) = known.last.replace(position) {
                    known.others[index] = last;
                }
                return (met, position);
            }
        }
        self.predictions += 1;
        let ((met, consulted), read) = Read::during(|| Consulted::during(|| self.probes.is_met(&self.tried, at)));
        let position = self.position(consulted);
        let key = self.key(position);
        let known = &mut self.known[slot];
        known.read.add(read);
        if known.last.is_none() {
            known.last = Some(position);
        } else if known.last != Some(position) && !known.others.contains(&position) {
            known.others.push(position);
        }
        self.met.insert(key ^ number, met);
        (met, position)
    }

    /// Returns whether the values meet the probe at `at`, if that is remembered by the number `key` for the values and the probe.
    fn remembered(&self, key: u64, at: usize) -> Option<bool> {
        let met = self.met.of(key)?;
        debug_assert!(
            key >> 32 & CHECKED != 0 || self.probes.is_met(&self.tried, at) == met,
            "another outcome than the remembered one is predicted for {:?}",
            self.probes.pairs[at]
        );
        Some(met)
    }

    /// Returns the weight of the probes of `among` that the values miss, or `None` if it is `limit` or more.
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

    /// Returns the set of settings at `position`.
    pub(super) fn set(&self, position: u32) -> &Consulted {
        &self.consulted[position as usize]
    }

    fn slot(&mut self, at: usize) -> usize {
        if self.slots[at] == 0 {
            self.known.push(Known { number: mixed(PROBE | at as u64), ..Known::default() });
            self.slots[at] = self.known.len() as u32;
        }
        self.slots[at] as usize - 1
    }

    /// Returns the position of a set.
    fn position(&mut self, consulted: Consulted) -> u32 {
        *self.positions.entry(consulted).or_insert_with(|| {
            self.consulted.push(consulted);
            self.keys.push(None);
            self.tried_keys.push((0, 0));
            self.keys.len() as u32 - 1
        })
    }

    /// Returns the number for the tried values of the set at `position`.
    fn key(&mut self, position: u32) -> u64 {
        let at = position as usize;
        let (tried, times) = self.tried_keys[at];
        if times == self.times {
            return tried;
        }
        let set = &self.consulted[at];
        let of_like = *self.keys[at].get_or_insert_with(|| key(position, set, &self.like));
        let changed = self.changed.iter().filter(|(at, _)| set.contains(*at));
        let tried = changed.fold(of_like, |key, (_, number)| key ^ number);
        self.tried_keys[at] = (tried, self.times);
        tried
    }
}

/// The bits that are zero in the numbers of remembered outcomes that are compared with predictions, if debug assertions are
/// enabled: one outcome of 16.
const CHECKED: u64 = 15;

/// Distinguishes the numbers of probes from those of values, which are combined with them.
const PROBE: u64 = 1 << 32;

/// If the values that are tried differ in more settings from those to which they are similar, they take their place.
const MANY: usize = 3;

/// Returns a number for the values of the set of settings at `position`.
fn key(position: u32, set: &Consulted, values: &[u8]) -> u64 {
    set.positions().fold(mixed(!u64::from(position)), |key, at| key ^ number(at, values[at]))
}

/// Returns a number for the value of the setting at `at`.
fn number(at: usize, value: u8) -> u64 {
    mixed((at as u64) << 8 | u64::from(value))
}

/// Returns a number whose bits depend on all bits of `number` (the finalizer of SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// A map from mixed numbers to bits.
#[derive(Default)]
struct Bits {
    /// The numbers, whose lowest bits are replaced by the bits; 0 if there is none. The count is a power of two.
    entries: Vec<u64>,
    count: usize,
}

impl Bits {
    /// Returns the bit of `number`.
    fn of(&self, number: u64) -> Option<bool> {
        let entry = *self.entries.get(self.place(number)?)?;
        (entry != 0).then_some(entry & 1 == 1)
    }

    fn insert(&mut self, number: u64, bit: bool) {
        if self.count * 4 >= self.entries.len() * 3 {
            let entries = std::mem::take(&mut self.entries);
            self.entries = vec![0; (entries.len() * 2).max(64)];
            entries.into_iter().filter(|entry| *entry != 0).for_each(|entry| self.put(entry));
        }
        self.count += 1;
        self.put(number & !1 | u64::from(bit));
    }

    fn put(&mut self, entry: u64) {
        if let Some(place) = self.place(entry) {
            self.entries[place] = entry;
        }
    }

    /// Returns the place of `number`, which may be free.
    fn place(&self, number: u64) -> Option<usize> {
        let mask = self.entries.len().checked_sub(1)?;
        let mut at = (number >> 1) as usize & mask;
        while self.entries[at] != 0 && self.entries[at] >> 1 != number >> 1 {
            at = (at + 1) & mask;
        }
        Some(at)
    }
}
