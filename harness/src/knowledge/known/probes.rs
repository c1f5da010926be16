//! The probes of a check: the pairs by which `profile` finds and measures a behaviour, as far as they do not depend on what
//! the engine returns.

use rayon::prelude::*;

use super::observe::Classes;
use crate::engine::Engine;
use crate::engine::panel::Panel;
use crate::fit::{self, Pair};
use crate::knowledge::attribute::Model;
use crate::knowledge::measure::{measured_beyond_random, outcomes};

/// Returns the probes for which the behaviour of `model` does not predict what `engine` returns, by class.
///
/// The probes are the first questions of a fit, which ask about one character at a time and about the structure, the pairs of
/// `panel`, and the pairs on which a fitted behaviour is measured except random ones.
pub(super) fn missed(engine: &dyn Engine, model: &Model, panel: &Panel) -> Classes {
    let mut missed = Classes::default();
    let Some(behaviour) = model.behaviour.as_deref() else { return missed };
    let mut pairs: Vec<Pair> = fit::questions(behaviour);
    pairs.extend(panel.pairs().into_iter().map(|(base, reference)| (base.to_owned(), reference.to_owned())));
    pairs.extend(measured_beyond_random(panel));
    pairs.sort();
    pairs.dedup();
    let outcomes = outcomes(engine, &pairs);
    let asked = pairs.par_iter().zip(&outcomes);
    let classes: Vec<_> = asked.map(|((base, reference), did)| model.deviation(base, reference, did)).collect();
    for (((base, reference), did), class) in pairs.iter().zip(&outcomes).zip(classes) {
        if let Some(class) = class {
            missed.0.entry(class).or_default().add(base, reference, did);
        }
    }
    missed
}
