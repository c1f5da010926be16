//! Comparisons as rows of a table with one row for each class, for programs that merge results in their own way.
//!
//! Rows with the same [`Key`] merge: counts are added, and the witness with the smaller [`Witness::rank`] is kept.

use std::collections::BTreeMap;

use crate::knowledge::attribute::{Attribution, Cause};
use crate::outcome::Outcome;

use super::comparison::{CauseClass, ComparedPair, Comparison};

/// The result of comparing one pair. Each of these has rows of its own.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Kind {
    /// The engine returns the result of the other side.
    Agree,
    /// The results differ, for a cause that is a difference of behaviours.
    Explained,
    /// The results differ as the engine's behaviour predicts, but the cause is not known.
    Predicted,
    /// The results differ without a cause, in a listed class of deviations.
    Listed,
    /// The results differ for a cause that is outside the engine's behaviour.
    Outside,
    /// The results differ without a cause.
    Unexplained,
    /// A side has no result: it did not answer, or cannot be given the text.
    Unanswered,
    /// There is no pair: a value is missing or is not text.
    Skipped,
}

impl Kind {
    /// All kinds, in their order.
    pub const ALL: [Self; 8] = [
        Self::Agree,
        Self::Explained,
        Self::Predicted,
        Self::Listed,
        Self::Outside,
        Self::Unexplained,
        Self::Unanswered,
        Self::Skipped,
    ];

    /// Returns the name, such as `explained`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Explained => "explained",
            Self::Predicted => "predicted",
            Self::Listed => "listed",
            Self::Outside => "outside",
            Self::Unexplained => "unexplained",
            Self::Unanswered => "unanswered",
            Self::Skipped => "skipped",
        }
    }

    /// Returns the kind called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the kind of a divergence.
    pub(super) fn of(found: &Attribution) -> Self {
        match &found.cause {
            Cause::NotSearched(obstacle) if obstacle.is_unanswered() => Self::Unanswered,
            Cause::Listed(_) => Self::Listed,
            Cause::Unexplained { .. } | Cause::NotSearched(_) => Self::Unexplained,
            _ if found.outside => Self::Outside,
            Cause::Indirect(_) => Self::Predicted,
            Cause::Behaviour(_) | Cause::Steps(_) | Cause::Agreeing(_) => Self::Explained,
        }
    }

    fn of_class(class: &CauseClass) -> Self {
        match class {
            CauseClass { unanswered: true, .. } => Self::Unanswered,
            CauseClass { listed: true, .. } => Self::Listed,
            CauseClass { predicted: true, .. } => Self::Predicted,
            CauseClass { outside: true, .. } => Self::Outside,
            CauseClass { explained: true, .. } => Self::Explained,
            _ => Self::Unexplained,
        }
    }
}

/// The class of a row. Rows are sorted by it.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Key {
    /// The name of the engine.
    pub engine: String,
    /// The id of the specification, or the name of the other engine.
    pub against: String,
    /// The result of the comparison.
    pub kind: Kind,
    /// The name of the cause; `None` for [`Kind::Agree`] and [`Kind::Skipped`].
    pub cause: Option<String>,
    /// The part in which the results differ, as it is written in JSON; `None` where the cause is.
    pub effect: Option<String>,
}

/// The smallest pair of a class.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Witness {
    /// Bytes whose order is that of [`ComparedPair::rank_bytes`].
    pub rank: Vec<u8>,
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// The URL that the engine returns, or another outcome in words.
    pub engine_result: String,
    /// The URL that the other side returns, or another outcome in words.
    pub against_result: String,
}

impl From<&ComparedPair> for Witness {
    fn from(pair: &ComparedPair) -> Self {
        let in_words = |outcome: &Outcome| outcome.url().map_or_else(|| outcome.to_string(), str::to_owned);
        Self {
            rank: pair.rank_bytes(),
            base: pair.base.clone(),
            reference: pair.reference.clone(),
            engine_result: in_words(&pair.engine),
            against_result: in_words(&pair.specification),
        }
    }
}

/// The rows of any number of comparisons, by class.
///
/// # Examples
///
/// ```
/// use urlstrata_harness::engine::by_name;
/// use urlstrata_harness::knowledge::attribute::Model;
/// use urlstrata_harness::knowledge::specification::Specification;
/// use urlstrata_harness::survey::rows::Rows;
/// use urlstrata_harness::survey::tally::Comparer;
///
/// let engine = by_name("crate:url").unwrap();
/// let specifications = [Specification::named("rfc3986").unwrap()];
/// let survey = |references: &[&str]| {
///     let mut comparer = Comparer::new(engine.as_ref(), &specifications, &Model::default());
///     references.iter().for_each(|reference| drop(comparer.ask("http://a/b", reference)));
///     Rows::of(&comparer.finish(), 0)
/// };
/// let mut merged = survey(&["c", "d e"]);
/// merged.merge(survey(&["///f"]));
/// assert_eq!(merged, survey(&["c", "d e", "///f"]));
/// assert_eq!(merged.iter().map(|(_, count, _)| count).sum::<u64>(), 3);
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Rows(BTreeMap<Key, (u64, Option<Witness>)>);

impl Rows {
    /// Returns the rows of `comparisons`, each of which skipped `skipped` pairs. Classes without a pair have no row.
    pub fn of(comparisons: &[Comparison], skipped: u64) -> Self {
        let mut rows = Self::default();
        for found in comparisons {
            let key = |kind, cause: Option<&CauseClass>| Key {
                engine: found.engine.clone(),
                against: found.against.clone(),
                kind,
                cause: cause.map(|class| class.cause.clone()),
                effect: cause.map(|class| class.effect.word().to_owned()),
            };
            rows.add(key(Kind::Agree, None), found.totals.agree, None);
            rows.add(key(Kind::Skipped, None), skipped, None);
            for class in &found.classes {
                rows.add(key(Kind::of_class(class), Some(class)), class.count, Some((&class.witness).into()));
            }
        }
        rows
    }

    /// Adds `count` pairs to the class `key`. Its witness stays the one with the smallest rank.
    pub fn add(&mut self, key: Key, count: u64, witness: Option<Witness>) {
        if count == 0 {
            return;
        }
        let (sum, smallest) = self.0.entry(key).or_default();
        *sum += count;
        let is_smaller = |found: &Witness| smallest.as_ref().is_none_or(|own| found.rank < own.rank);
        if let Some(found) = witness.filter(is_smaller) {
            *smallest = Some(found);
        }
    }

    /// Adds the rows of `other`.
    pub fn merge(&mut self, other: Self) {
        other.0.into_iter().for_each(|(key, (count, witness))| self.add(key, count, witness));
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the rows in the order of their keys: the class, the number of pairs, and the smallest pair.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, u64, Option<&Witness>)> {
        self.0.iter().map(|(key, (count, witness))| (key, *count, witness.as_ref()))
    }
}
