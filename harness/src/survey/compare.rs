//! Comparisons of two engines, or of an engine with a specification: classes of divergences, with the scheme, host and
//! port of both results.

use serde::Serialize;

use crate::knowledge::attribute::Effect;
use crate::knowledge::note::Note;
use crate::outcome::Outcome;
use crate::outcome::location::Location;
use crate::survey::comparison::{CauseClass, ComparedPair, Comparison};
use crate::survey::components::StatedDifferences;

/// A comparison as printed by `urlstrata compare`.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The name of the first engine.
    pub one: String,
    /// The name of the second engine, or the id of a specification.
    pub other: String,
    /// Whether at least one of the two has a known behaviour. Without one, divergences have no causes.
    pub has_causes: bool,
    /// The number of pairs that were compared.
    pub pairs: u64,
    /// The number of pairs for which both return the same result.
    pub equal: u64,
    /// The number of pairs with a divergence that has one of the requested effects.
    pub different: u64,
    /// The number of pairs with a divergence that has another effect. These are not in [`Self::classes`].
    pub otherwise: u64,
    /// The number of pairs counted in [`Self::different`] whose divergence has no cause.
    pub unexplained: u64,
    /// The number of pairs that a side did not answer, or cannot be given.
    pub unanswered: u64,
    /// The classes of divergences: the most consequential effect first, then the largest count.
    pub classes: Vec<DivergenceClass>,
    /// What two engines answer differently about URLs, for each question that was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stated: Vec<StatedDifferences>,
}

/// The pairs for which the results differ in the same part and for the same cause.
#[derive(Clone, Debug, Serialize)]
pub struct DivergenceClass {
    /// The most consequential part in which the results differ.
    pub effect: Effect,
    /// The names of the differences that are the cause, with the values of the first engine. Without a cause, the reason
    /// for that.
    pub cause: String,
    /// Whether the divergence has a cause.
    pub explained: bool,
    /// Whether a side has no answer, so that there is nothing to explain.
    pub unanswered: bool,
    /// Whether a cause was searched and not found.
    pub unknown: bool,
    /// The number of pairs.
    pub count: u64,
    /// A note on each difference that is part of the cause.
    pub notes: Vec<Note>,
    /// The best example, followed by the other examples that were requested.
    pub examples: Vec<ComparedExample>,
}

/// A pair and both results.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedExample {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// The result of the first engine.
    pub one: Side,
    /// The result of the second engine or of the specification.
    pub other: Side,
}

/// The result of one side, and its scheme, host and port.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// The result.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The scheme, host and port of the URL; `None` if the result is not a URL.
    pub location: Option<Location>,
}

impl Compared {
    /// Converts the comparison `found` of `one` with `other` into the form that is printed.
    pub fn of(found: Comparison, one: String, other: String, has_causes: bool) -> Self {
        let classes = found.classes;
        let (pairs, equal, otherwise) = (found.totals.cases, found.totals.agree, found.otherwise);
        let counted = |is_counted: fn(&CauseClass) -> bool| {
            classes.iter().filter(|class| is_counted(class)).map(|class| class.count).sum()
        };
        let different = counted(|class| !class.unanswered);
        let unexplained = counted(|class| class.unknown || !class.explained && !class.unanswered);
        let unanswered = found.totals.unanswered;
        let classes = classes.into_iter().map(|class| DivergenceClass {
            effect: class.effect,
            cause: class.cause,
            explained: class.explained,
            unanswered: class.unanswered,
            unknown: class.unknown,
            count: class.count,
            notes: class.notes,
            examples: std::iter::once(class.witness).chain(class.examples).map(ComparedExample::of).collect(),
        });
        let classes = classes.collect();
        Self {
            one,
            other,
            has_causes,
            pairs,
            equal,
            different,
            otherwise,
            unexplained,
            unanswered,
            classes,
            stated: Vec::new(),
        }
    }
}

impl ComparedExample {
    fn of(witness: ComparedPair) -> Self {
        let ComparedPair { base, reference, engine, specification, .. } = witness;
        Self { base, reference, one: Side::of(engine), other: Side::of(specification) }
    }
}

impl Side {
    fn of(outcome: Outcome) -> Self {
        Self { location: outcome.url().map(Location::of), outcome }
    }

    /// Returns the scheme, host and port as cells of a table. Without a URL, each cell is `-`.
    pub fn columns(&self) -> [String; 3] {
        self.location.as_ref().map_or_else(|| ["-", "-", "-"].map(str::to_owned), Location::columns)
    }
}
