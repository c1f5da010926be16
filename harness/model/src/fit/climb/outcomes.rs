//! The probes that a behaviour meets, while the behaviour changes.

use super::{Probes, Weighted};
use crate::behaviour::{Behaviour, Form, Read, Watched};

/// Which probes a behaviour meets. If the behaviour changes, only the predictions that read what is different are made again.
pub(super) struct Outcomes<'a> {
    probes: &'a Probes<'a>,
    behaviour: Behaviour,
    /// For each probe, whether it is met, and what the prediction read.
    known: Vec<(bool, Read)>,
}

impl<'a> Outcomes<'a> {
    pub(super) fn new(behaviour: &Behaviour, probes: &'a Probes<'a>) -> Self {
        let behaviour = numbered(behaviour);
        let known = (0..probes.pairs.len()).map(|at| Read::during(|| probes.is_met(&behaviour, at))).collect();
        Self { probes, behaviour, known }
    }

    /// Replaces the behaviour by one with the same classes and tables.
    pub(super) fn update(&mut self, behaviour: &Behaviour) {
        let changed = changed(&self.behaviour, behaviour);
        if changed == Read::default() {
            return;
        }
        self.behaviour = numbered(behaviour);
        for (at, known) in self.known.iter_mut().enumerate().filter(|(_, known)| known.1.intersects(changed)) {
            *known = Read::during(|| self.probes.is_met(&self.behaviour, at));
        }
    }

    /// Returns whether the probe at `at` is met.
    pub(super) fn is_met(&self, at: usize) -> bool {
        self.known[at].0
    }

    /// Returns the weight of the probes of `among` that are missed.
    pub(super) fn missed(&self, among: &[Weighted]) -> usize {
        among.iter().filter(|probe| !self.is_met(probe.at)).map(|probe| probe.weight).sum()
    }
}

/// The number of the syntax; see [`Watched`].
pub(super) const SYNTAX_NUMBER: u8 = 127;

/// Returns the number of the row of `class` and `form`. Rows of many classes share numbers.
pub(super) fn number_of(class: usize, form: Form) -> u8 {
    ((class * Form::ALL.len() + form as usize) % usize::from(SYNTAX_NUMBER - 1)) as u8 + 1
}

/// Returns `behaviour` with a number for each row and the syntax.
pub(super) fn numbered(behaviour: &Behaviour) -> Behaviour {
    let mut numbered = behaviour.clone();
    numbered.syntax.watched = Watched(false, SYNTAX_NUMBER);
    for (index, class) in numbered.classes.iter_mut().enumerate() {
        for form in Form::ALL {
            class.rows[form as usize].watched = Watched(false, number_of(index, form));
        }
    }
    numbered
}

/// Returns the numbers of the sets in which the behaviours, which have the same classes and tables, differ.
pub(super) fn changed(one: &Behaviour, other: &Behaviour) -> Read {
    let mut changed = Read::default();
    if one.syntax != other.syntax {
        changed.insert(SYNTAX_NUMBER);
    }
    for (index, (one, other)) in one.classes.iter().zip(&other.classes).enumerate() {
        for form in Form::ALL.into_iter().filter(|form| one.rows[*form as usize] != other.rows[*form as usize]) {
            changed.insert(number_of(index, form));
        }
    }
    changed
}
