//! The attribution of differences between two engines.

use std::sync::OnceLock;

use super::{Answer, Attribution, Cause, Model, Side, cause, unanswered};
use crate::knowledge::specification::Specification;
use crate::outcome::Outcome;
use crate::outcome::location::Location;

/// Two engines that are compared with each other, and what is known of them.
#[derive(Clone, Debug)]
pub struct EnginePair {
    one: Model,
    other: Model,
    /// What [`Self::cites`] returns, once it was asked for.
    cites: OnceLock<[&'static str; 2]>,
}

impl EnginePair {
    /// Creates a comparison of two engines of which `one` and `other` are known.
    pub fn new(one: Model, other: Model) -> Self {
        Self { one, other, cites: OnceLock::new() }
    }

    /// Returns the citations of the specifications nearest to the first and to the second engine. The citation is empty
    /// for an engine without a behaviour.
    pub fn cites(&self) -> [&'static str; 2] {
        *self.cites.get_or_init(|| {
            [&self.one, &self.other].map(|model| {
                let nearest = |behaviour: &_| Specification::nearest(behaviour, std::iter::empty()).cite_of_rules();
                model.behaviour.as_deref().map_or("", nearest)
            })
        })
    }

    /// Returns whether a behaviour of at least one of the engines is known.
    pub fn has_causes(&self) -> bool {
        !self.one.is_empty() || !self.other.is_empty()
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
        if !self.has_causes() {
            found.cause = Cause::Unexplained("neither engine has a behaviour".to_owned());
            return Some(found);
        }
        let (from, to) = (Side::of_engine(&self.other, own), Side::of_engine(&self.one, answer));
        found.explain(&from, &to, base, reference);
        Some(found)
    }

    /// Returns the cause of a difference between the locations of two results: `returned` of the first engine and `own` of
    /// the second. Other parts of the URLs are ignored, so the cause is often smaller than that of [`Self::attribute`].
    pub fn location_cause(&self, base: &str, reference: &str, returned: &Outcome, own: &Outcome) -> Cause {
        if let Some(obstacle) = unanswered(own).or_else(|| unanswered(returned)) {
            return Cause::Unexplained(obstacle.to_owned());
        }
        let view = |url: Option<String>| url.map(|url| Location::of(&url));
        let to = Side::of_view(&self.one, (base, reference), returned, &view);
        let from = Side::of_view(&self.other, (base, reference), own, &view);
        match cause(&from, &to, (base, reference), &view) {
            None => Cause::Unexplained("no difference of the behaviours".to_owned()),
            Some((differences, None)) if !from.is_missed() => Cause::Behaviour(differences),
            Some((differences, _)) => Cause::Agreeing(differences),
        }
    }
}
