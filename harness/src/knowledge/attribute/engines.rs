//! The attribution of differences between two engines.

use std::sync::OnceLock;

use super::{Answer, Attribution, Cause, Model, Side};
use crate::behaviour::between_either;
use crate::knowledge::note::Note;
use crate::knowledge::specification::Specification;
use crate::knowledge::stepped;
use crate::outcome::Outcome;

/// Two engines that are compared with each other, and what is known of them.
#[derive(Clone, Debug)]
pub struct EnginePair {
    one: Model,
    other: Model,
    /// What [`Self::nearest`] returns, once it was asked for.
    nearest: OnceLock<[Option<Specification>; 2]>,
}

impl EnginePair {
    /// Creates a comparison of two engines of which `one` and `other` are known.
    pub fn new(one: Model, other: Model) -> Self {
        Self { one, other, nearest: OnceLock::new() }
    }

    /// Returns the specifications nearest to the first and to the second engine.
    fn nearest(&self) -> &[Option<Specification>; 2] {
        self.nearest.get_or_init(|| {
            [&self.one, &self.other].map(|model| {
                let nearest = |behaviour: &_| Specification::nearest(behaviour, std::iter::empty());
                model.behaviour.as_deref().map(nearest)
            })
        })
    }

    /// Returns whether a behaviour of at least one of the engines is known.
    pub fn has_causes(&self) -> bool {
        !self.one.is_empty() || !self.other.is_empty()
    }

    /// Returns the cause of different results as [`Self::attribute`] does. Without a difference, or without a cause that was found, the
    /// cause is unexplained.
    pub fn cause(&self, base: &str, reference: &str, returned: &Outcome, own: &Outcome) -> Cause {
        let found = self.attribute(base, reference, returned, own).map(|found| found.cause);
        found.unwrap_or_else(|| Cause::Unexplained("no difference".to_owned()))
    }

    /// Returns a note on each difference of `found`, the attribution of different results for a pair. The first side of each note
    /// is the second engine.
    pub fn notes(&self, found: &Attribution, base: &str, reference: &str) -> Vec<Note> {
        if let (Cause::Steps(links), Some(one), Some(other)) = (&found.cause, &self.one.steps, &self.other.steps) {
            let sources = [other, one].map(stepped::Source::Engine);
            return links.iter().map(|link| stepped::note(link, sources)).collect();
        }
        let [one, other] = self.nearest();
        let from = self.other.side(found.start, other.as_slice());
        let to = self.one.side(found.towards, one.as_slice());
        from.zip(to).map_or_else(Vec::new, |(from, to)| found.cause.notes([from, to], (base, reference)))
    }

    /// Compares the result `returned` of the first engine with the result `own` of the second. Returns `None` if they
    /// agree. Two failures agree, whatever their reasons. So do two crashes, two timeouts or two skipped requests.
    ///
    /// The differences of a cause lead from the second engine to the first. If the behaviour of an engine is unknown, or
    /// predicts another result, those of the specifications that have its result are used.
    pub fn attribute(&self, base: &str, reference: &str, returned: &Outcome, own: &Outcome) -> Option<Attribution> {
        self.attribute_answers(&Answer::new(base, reference, returned), &Answer::new(base, reference, own))
    }

    /// Compares the answers of both engines to a pair, as [`Self::attribute`] does.
    pub fn attribute_answers(&self, answer: &Answer<'_>, own: &Answer<'_>) -> Option<Attribution> {
        let Answer { base, reference, returned, .. } = *answer;
        let of_other = || self.other.listed(base, reference, own.returned);
        let listed = || self.one.listed(base, reference, returned).or_else(of_other);
        let (mut found, is_open) = Attribution::start(own.returned.clone(), answer, listed)?;
        if !is_open {
            return Some(found);
        }
        if let (Some(one), Some(other)) = (&self.one.steps, &self.other.steps)
            && let Some(links) = one.parting_from(other, (base, reference), [own.returned, returned])
        {
            found.cause = Cause::Steps(links);
            return Some(found);
        }
        if !self.has_causes() {
            found.cause = Cause::Unexplained("neither engine has a behaviour".to_owned());
            return Some(found);
        }
        let (from, to) = (Side::of_engine(&self.other, own), Side::of_engine(&self.one, answer));
        let results = [own.returned.url(), answer.returned.url()];
        found.explain((between_either, &[&self.other, &self.one], results), &from, &to, base, reference);
        Some(found)
    }
}
