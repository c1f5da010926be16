//! Two engines, or an engine and a document, compared: classes of divergences with the scheme, host and port of both sides.

use serde::Serialize;

use crate::model::attribute::Effect;
use crate::model::note::Note;
use crate::outcome::Outcome;
use crate::outcome::location::Location;
use crate::survey::tally::{ComparedPair, Comparison};

/// A comparison as `urlstrata compare` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The one engine.
    pub one: String,
    /// The other engine, or a document.
    pub other: String,
    /// Whether a profile of at least one of the two is known, so that divergences can have causes.
    pub has_causes: bool,
    /// How many pairs both were asked.
    pub pairs: u64,
    /// On how many of them they agree.
    pub equal: u64,
    /// On how many they differ, in the effects that were asked for.
    pub different: u64,
    /// On how many they differ only in other effects.
    pub otherwise: u64,
    /// How many of these have no cause.
    pub unexplained: u64,
    /// By effect, worst first, then by count.
    pub classes: Vec<DivergenceClass>,
}

/// Pairs on which the two differ in the same part for the same cause.
#[derive(Clone, Debug, Serialize)]
pub struct DivergenceClass {
    /// The most consequential part in which they differ.
    pub effect: Effect,
    /// The names of the differences that are the cause: what the one engine does and the other does not; with `no `, what
    /// the other does and the one does not. Otherwise why there is none.
    pub cause: String,
    /// Whether there is a cause.
    pub explained: bool,
    /// Whether only a search over all differences found it, so that it may be a coincidence.
    pub by_search: bool,
    /// How many pairs.
    pub count: u64,
    /// A note on each difference.
    pub notes: Vec<Note>,
    /// The best example, then more of them if they were asked for.
    pub examples: Vec<ComparedExample>,
}

/// A pair and both results.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedExample {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// What the one engine did.
    pub one: Side,
    /// What the other engine did, or the document's result.
    pub other: Side,
}

/// One side's result and where it leads.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// The result.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Scheme, host and port of the URL, if there is one.
    pub location: Option<Location>,
}

impl Compared {
    /// A comparison of `one` with `other`.
    pub fn of(found: Comparison, one: String, other: String, has_causes: bool) -> Self {
        let classes = found.classes;
        let (pairs, equal, otherwise) = (found.totals.cases, found.totals.agree, found.otherwise);
        let different = classes.iter().map(|class| class.count).sum();
        let unexplained = classes.iter().filter(|class| !class.explained).map(|class| class.count).sum();
        let classes = classes.into_iter().map(|class| DivergenceClass {
            effect: class.effect,
            cause: class.cause,
            explained: class.explained,
            by_search: class.by_search,
            count: class.count,
            notes: class.notes,
            examples: std::iter::once(class.witness).chain(class.examples).map(ComparedExample::of).collect(),
        });
        let classes = classes.collect();
        Self { one, other, has_causes, pairs, equal, different, otherwise, unexplained, classes }
    }
}

impl ComparedExample {
    fn of(witness: ComparedPair) -> Self {
        let ComparedPair { base, reference, engine, document, .. } = witness;
        Self { base, reference, one: Side::of(engine), other: Side::of(document) }
    }
}

impl Side {
    fn of(outcome: Outcome) -> Self {
        Self { location: outcome.url().map(Location::of), outcome }
    }

    /// Scheme, host and port as the cells of a table; `-` without a URL.
    pub fn columns(&self) -> [String; 3] {
        self.location.as_ref().map_or_else(|| ["-", "-", "-"].map(str::to_owned), Location::columns)
    }
}
