//! The attribution of differences between two engines.

use std::sync::OnceLock;

use urlstrata_steps::Link;

use super::{Answer, Attribution, Cause, Model, Obstacle, Side, like};
use crate::behaviour::between_either;
use crate::knowledge::note::Note;
use crate::knowledge::specification::Specification;
use crate::knowledge::stepped::{self, Source};
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
        self.nearest.get_or_init(|| [&self.one, &self.other].map(Model::nearest))
    }

    /// Returns the links by which both engines part, the second one first, and whose steps these are; `None` if there are too few. An
    /// engine without steps is replaced by a specification that has its result or, against an engine with steps, by no more than its result, if
    /// its behaviour predicts that.
    fn parting(&self, answers: [&Answer<'_>; 2]) -> Option<(Vec<Link>, [Source<'_>; 2])> {
        let pair = (answers[0].base, answers[0].reference);
        let models = [&self.other, &self.one];
        let is_by_rules = models[0].parts_by_rules(models[1].specification, answers.map(|answer| answer.returned));
        if is_by_rules || models.iter().any(|model| model.is_stated()) {
            return None;
        }
        let sources = [0, 1].map(|side| match models[side].own_steps() {
            Some(own) if own.has(pair, answers[side].returned) => own,
            _ => {
                let nearest = || self.nearest()[1 - side];
                like(models[side], nearest, answers[side]).map_or(Source::Observed, Source::Like)
            }
        });
        let has_steps = |source: &Source<'_>| !matches!(source, Source::Observed);
        let is_own = |source: &Source<'_>| matches!(source, Source::Engine(_) | Source::Specification(_));
        if !sources.iter().any(is_own) && !sources.iter().all(has_steps) {
            return None;
        }
        // What nothing predicts is not explained by an observation.
        let is_predicted = |side: usize| models[side].predicts(pair.0, pair.1, answers[side].returned);
        if [0, 1].into_iter().any(|side| matches!(sources[side], Source::Observed) && !is_predicted(side)) {
            return None;
        }
        Some((stepped::parting(sources, pair, answers.map(|answer| answer.returned))?, sources))
    }

    /// Returns whether a behaviour of at least one of the engines is known.
    pub fn has_causes(&self) -> bool {
        !self.one.is_empty() || !self.other.is_empty()
    }

    /// Returns the cause of different results as [`Self::attribute`] does. Without a difference, or without a cause that was found, the
    /// cause is unexplained.
    pub fn cause(&self, base: &str, reference: &str, returned: &Outcome, own: &Outcome) -> Cause {
        let found = self.attribute(base, reference, returned, own).map(|found| found.cause);
        found.unwrap_or(Cause::NotSearched(Obstacle::NoDifference))
    }

    /// Returns a note on each difference of `found`, the attribution of different results for a pair. The first side of each note
    /// is the second engine.
    pub fn notes(&self, found: &Attribution, base: &str, reference: &str) -> Vec<Note> {
        if let Cause::Steps(links) = &found.cause {
            let sides = [(&self.other, found.start), (&self.one, found.towards)];
            let sources = [0, 1].map(|side| match sides[side] {
                _ if found.observed[side] => Source::Observed,
                (_, Some(specification)) => Source::Like(specification),
                (model, None) => model.own_steps().unwrap_or(Source::Observed),
            });
            return links.iter().map(|link| stepped::note(link, sources, (base, reference))).collect();
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
        // Of two listed deviations, that with the lesser result, whichever engine is the first one.
        let mut sides = [(&self.one, returned), (&self.other, own.returned)];
        sides.sort_by_key(|(_, returned)| *returned);
        let listed = || sides.into_iter().find_map(|(model, returned)| model.listed(base, reference, returned));
        let (mut found, is_open) = Attribution::start(own.returned.clone(), answer, listed)?;
        if !is_open {
            return Some(found);
        }
        if let Some((links, sources)) = self.parting([own, answer]).filter(|_| self.has_causes()) {
            let like = |source: &Source<'_>| match source {
                Source::Like(specification) => Some(*specification),
                _ => None,
            };
            (found.start, found.towards) = (like(&sources[0]), like(&sources[1]));
            found.observed = sources.map(|source| matches!(source, Source::Observed));
            found.cause = Cause::Steps(links);
            return Some(found);
        }
        if !self.has_causes() {
            found.cause = Cause::NotSearched(Obstacle::NoBehaviour);
            return Some(found);
        }
        let (from, to) = (Side::of_engine(&self.other, own), Side::of_engine(&self.one, answer));
        let results = [own.returned.url(), answer.returned.url()];
        found.explain((between_either, &[&self.other, &self.one], results), &from, &to, base, reference);
        let unknown = [(&self.one, answer), (&self.other, own)].into_iter().find(|(model, _)| model.is_empty());
        if let Some((_, answer)) = unknown {
            found.observe(answer);
        }
        Some(found)
    }
}
