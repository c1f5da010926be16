//! The result of comparing an engine with a specification or another engine: divergences, grouped by cause and effect.
//!
//! Results on parts of the pairs merge: counts are added, and the smallest pairs are kept. Merging is commutative and
//! associative, so the parts may be compared in any order and on any number of machines.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::knowledge::attribute::Effect;
use crate::knowledge::note::Note;
use crate::outcome::Outcome;
use crate::pairs::bases::{Rank, append_ordered};

/// The numbers of pairs by result of the comparison.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Totals {
    /// The number of all pairs.
    pub cases: u64,
    /// The number of pairs for which the engine returns the specification's result.
    pub agree: u64,
    /// The number of divergences with a cause. The cause is a set of differences of the engine's behaviour, or, for an
    /// engine without a behaviour, of another specification that returns the same result.
    pub explained: u64,
    /// The number of divergences that the engine's behaviour predicts, although their cause is not known.
    #[serde(default)]
    pub predicted: u64,
    /// The number of divergences without a cause that belong to a listed class of deviations from the engine's behaviour.
    pub listed: u64,
    /// The number of divergences that the engine's behaviour does not predict, and for which a search outside it found a
    /// cause.
    pub outside: u64,
    /// The number of divergences without a cause that are not listed.
    pub unexplained: u64,
    /// The number of pairs that a side did not answer, or cannot be given: there is nothing to explain.
    #[serde(default)]
    pub unanswered: u64,
}

impl Totals {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.agree += other.agree;
        self.explained += other.explained;
        self.predicted += other.predicted;
        self.listed += other.listed;
        self.outside += other.outside;
        self.unexplained += other.unexplained;
        self.unanswered += other.unanswered;
    }

    /// Returns the number of new divergences: those explained only outside the behaviour, and those without a cause that
    /// are not listed.
    pub fn new_divergences(&self) -> u64 {
        self.outside + self.unexplained
    }
}

/// A pair, and the results of both sides.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct ComparedPair {
    /// The reference.
    pub reference: String,
    /// The base; empty if it is unknown.
    pub base: String,
    /// The result of the engine.
    pub engine: Outcome,
    /// The result of the specification or of the other engine.
    pub specification: Outcome,
    /// The file and line where the reference is used, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

impl ComparedPair {
    /// Returns the key by which pairs are sorted. It does not depend on the order of insertion, so equal sets of pairs
    /// have the same witness.
    pub fn rank(&self) -> impl Ord {
        (Rank::of(&self.base, &self.reference), self.place.as_deref(), &self.engine, &self.specification)
    }

    /// Returns the key by which pairs are sorted as bytes, for programs that merge results without this library: of two
    /// pairs, the one with the smaller bytes is the witness.
    pub fn rank_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        Rank::of(&self.base, &self.reference).append_to(&mut bytes);
        match &self.place {
            None => bytes.push(0),
            Some(place) => {
                bytes.push(1);
                append_ordered(place, &mut bytes);
            }
        }
        for outcome in [&self.engine, &self.specification] {
            let (kind, text) = outcome.kind_and_text();
            bytes.push(kind);
            append_ordered(text, &mut bytes);
        }
        bytes
    }
}

/// All divergences with the same cause and effect.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct CauseClass {
    /// The name of the cause.
    pub cause: String,
    /// Whether there is a cause: differences that turn the specification's result into the engine's result.
    pub explained: bool,
    /// Whether the engine's behaviour predicts the results, although their cause is not known.
    #[serde(default, skip_serializing_if = "is_false")]
    pub predicted: bool,
    /// Whether the divergences have no cause, and belong to a listed class of deviations from the engine's behaviour.
    pub listed: bool,
    /// Whether the engine's behaviour predicts another result, and the cause is outside the behaviour.
    pub outside: bool,
    /// Whether a side has no answer to these pairs, so that there is nothing to explain.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unanswered: bool,
    /// Whether the cause is not known: none was found, or only one that is too indirect.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unknown: bool,
    /// The most consequential part in which the results differ.
    pub effect: Effect,
    /// The number of divergences.
    pub count: u64,
    /// The revisions that return the engine's result for the witness.
    pub signature: Vec<Cow<'static, str>>,
    /// A note on each difference that is part of the cause.
    pub notes: Vec<Note>,
    /// The smallest of the pairs.
    pub witness: ComparedPair,
    /// The next smallest pairs, as many as were requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<ComparedPair>,
}

impl CauseClass {
    /// Returns whether the divergences are new: without a cause that is predicted or listed.
    pub fn is_new(&self) -> bool {
        self.outside || !self.explained && !self.predicted && !self.listed && !self.unanswered
    }

    /// Adds the divergences of `other`, which has the same cause and effect. The smallest pair is the witness; at most
    /// `most` other pairs are kept.
    pub(super) fn merge(&mut self, mut other: Self, most: usize) {
        let count = self.count + other.count;
        let mut examples = std::mem::take(&mut self.examples);
        examples.append(&mut other.examples);
        if other.witness.rank() < self.witness.rank() {
            std::mem::swap(self, &mut other);
        }
        examples.push(other.witness);
        examples.sort_by(|one, other| one.rank().cmp(&other.rank()));
        examples.dedup();
        examples.retain(|pair| *pair != self.witness);
        examples.truncate(most);
        (self.count, self.examples) = (count, examples);
    }
}

/// The result of comparing an engine with a specification or another engine.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Comparison {
    /// The name of the engine.
    pub engine: String,
    /// The version of the engine.
    pub version: String,
    /// The id of the specification, or the name of the other engine.
    pub against: String,
    /// The numbers of pairs by result of the comparison.
    pub totals: Totals,
    /// The divergences by cause: the most consequential effect first, then the largest count.
    pub classes: Vec<CauseClass>,
    /// Whether nothing but its results is known of the engine.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_observed: bool,
    /// The number of divergences whose effect was not requested. These are not in [`Self::classes`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub otherwise: u64,
}

impl Comparison {
    /// Adds the divergences of `other`, which compares the same engine with the same specification on other pairs. At most
    /// `most` examples of each class are kept in addition to the witness.
    pub fn merge(&mut self, other: Self, most: usize) {
        self.totals.add(&other.totals);
        self.otherwise += other.otherwise;
        let mut classes: BTreeMap<_, _> = std::mem::take(&mut self.classes).into_iter().map(keyed).collect();
        for class in &mut classes.values_mut() {
            class.examples.truncate(most);
        }
        for (key, class) in other.classes.into_iter().map(keyed) {
            merge_class(&mut classes, key, class, most);
        }
        self.classes = sorted(classes);
    }
}

/// Classes by effect and cause.
pub(super) type Classes = BTreeMap<(Effect, String), CauseClass>;

fn keyed(class: CauseClass) -> ((Effect, String), CauseClass) {
    ((class.effect, class.cause.clone()), class)
}

/// Adds `class` to the class of the same effect and cause.
pub(super) fn merge_class(classes: &mut Classes, key: (Effect, String), mut class: CauseClass, most: usize) {
    match classes.get_mut(&key) {
        Some(own) => own.merge(class, most),
        None => {
            class.examples.truncate(most);
            classes.insert(key, class);
        }
    }
}

/// Returns the classes in the order of a comparison: the most consequential effect first, then the largest count.
pub(super) fn sorted(classes: Classes) -> Vec<CauseClass> {
    let mut classes: Vec<_> = classes.into_values().collect();
    classes.sort_by(|one, other| (one.effect, other.count, &one.cause).cmp(&(other.effect, one.count, &other.cause)));
    classes
}

fn is_false(it: &bool) -> bool {
    !it
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
