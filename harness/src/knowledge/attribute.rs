//! Attribution: the cause of a difference between an engine and a specification.
//!
//! An attribution lists the specifications that have the engine's result, and the differences between two behaviours that
//! explain the result: those between the specification's and the engine's, or, if nothing is known of the engine, those
//! between the specification's and another one's that has the engine's result.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::behaviour::{Behaviour, Difference, between_by};
use crate::knowledge::behaviours;
use crate::knowledge::note::Note;
use crate::knowledge::results::Results;
use crate::knowledge::specification::Specification;
use crate::outcome::Outcome;

mod effect;
mod engines;

pub use effect::{Effect, deviation, effect};
pub use engines::EnginePair;

/// The maximum length of base and reference together, in bytes. Longer pairs are not attributed, because each trial
/// resolves the pair again.
pub const MAX_ATTRIBUTED: usize = 1 << 20;

/// The cause of a divergence.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Cause {
    /// Differences between the behaviours of the two sides, both of which predict their results.
    Behaviour(Vec<Difference>),
    /// Differences towards a specification that has the engine's result. The engine does not have a behaviour, or its
    /// behaviour predicts another result.
    Agreeing(Vec<Difference>),
    /// A class of pairs that the behaviour does not predict and the known deviations list, by its id.
    Listed(String),
    /// No cause was found. The text describes the divergence.
    Unexplained(String),
}

impl Cause {
    /// Returns whether the cause has differences that turn the specification's result into the engine's.
    pub fn is_explained(&self) -> bool {
        !matches!(self, Self::Listed(_) | Self::Unexplained(_))
    }

    /// Returns the differences; empty for [`Self::Listed`] and [`Self::Unexplained`].
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::Behaviour(differences) | Self::Agreeing(differences) => differences,
            Self::Listed(_) | Self::Unexplained(_) => &[],
        }
    }

    /// Returns a note on each difference. `cites` cite the sections of the first and of the second side.
    pub fn notes(&self, cites: [&'static str; 2]) -> Vec<Note> {
        self.differences().iter().map(|difference| Note::of(difference, cites)).collect()
    }

    /// Returns a name that all divergences with this cause share. It is never empty.
    pub fn key(&self) -> String {
        match self {
            Self::Behaviour(differences) | Self::Agreeing(differences) => {
                differences.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(" + ")
            }
            Self::Listed(id) => format!("listed: {id}"),
            Self::Unexplained(why) => format!("unexplained: {why}"),
        }
    }
}

/// A divergence and its cause.
#[derive(Clone, Debug)]
pub struct Attribution {
    /// Whether both results are answers, to pairs that are not too long. Otherwise there is no [signature](Answer::signature).
    pub is_answered: bool,
    /// The cause.
    pub cause: Cause,
    /// The specification of [`Cause::Agreeing`]: it has the engine's result and requires the fewest differences. Of
    /// several, it is the nearest.
    pub towards: Option<Specification>,
    /// Whether the engine has a behaviour that does not contain the cause.
    pub outside: bool,
    /// The part in which the results differ.
    pub effect: Effect,
    /// The specification's result.
    pub own: Outcome,
}

impl Attribution {
    /// Returns whether the divergence is new: it has no cause, or its cause is outside the engine's behaviour.
    pub fn is_new(&self) -> bool {
        self.outside || matches!(self.cause, Cause::Unexplained(_))
    }

    /// Returns the specification whose sections are cited for the engine's settings. It is [`Self::towards`], or the
    /// newest specification that has `answer`, the engine's answer.
    pub fn alike(&self, answer: &Answer<'_>) -> Option<Specification> {
        self.towards.or_else(|| specifications(answer.signature(self)).pop())
    }
}

/// What is known of an engine.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The behaviour, if there is one.
    pub behaviour: Option<Arc<Behaviour>>,
    /// The ids of listed classes of pairs that the behaviour does not predict; see [`deviation`].
    pub listed: Arc<BTreeSet<String>>,
}

impl Model {
    /// Returns what is known of an engine with a behaviour and without listed classes of deviations.
    pub fn of(behaviour: Behaviour) -> Self {
        Self { behaviour: Some(Arc::new(behaviour)), listed: Arc::default() }
    }

    /// Returns whether the engine has no behaviour.
    pub fn is_empty(&self) -> bool {
        self.behaviour.is_none()
    }

    /// Returns whether the behaviour predicts `outcome`.
    pub fn predicts(&self, base: &str, reference: &str, outcome: &Outcome) -> bool {
        self.behaviour.as_ref().is_some_and(|behaviour| predicts(behaviour, base, reference, outcome))
    }

    /// Returns the class of deviations of a result that the behaviour does not predict; `None` if it predicts the result
    /// or the behaviour of the engine is unknown.
    pub fn deviation(&self, base: &str, reference: &str, returned: &Outcome) -> Option<String> {
        let predicted = behaviours::outcome(self.behaviour.as_ref()?, base, reference);
        deviation(&predicted, base, returned)
    }

    /// Returns the listed class of deviations to which a result belongs.
    fn listed(&self, base: &str, reference: &str, returned: &Outcome) -> Option<String> {
        if self.listed.is_empty() {
            return None;
        }
        self.deviation(base, reference, returned).filter(|id| self.listed.contains(id))
    }
}

/// Returns whether `behaviour` predicts `outcome`. Nothing but a URL or a failure is predicted.
fn predicts(behaviour: &Behaviour, base: &str, reference: &str, outcome: &Outcome) -> bool {
    unanswered(outcome).is_none() && behaviour.predict(base, reference).as_deref() == outcome.url()
}

/// A side of a comparison: the behaviours that predict its result.
enum Side<'a> {
    /// The behaviour of an engine.
    Engine(&'a Behaviour),
    /// Specifications that have the result.
    Specifications {
        specifications: Vec<Specification>,
        /// Whether there is a behaviour of the engine, which does not predict the result.
        is_missed: bool,
    },
}

impl<'a> Side<'a> {
    /// Creates a side with the answer of an engine, of which `model` is known.
    fn of_engine(model: &'a Model, answer: &Answer<'_>) -> Self {
        match model.behaviour.as_deref() {
            Some(own) if predicts(own, answer.base, answer.reference, answer.returned) => Self::Engine(own),
            own => Self::Specifications { specifications: specifications(answer.agreeing()), is_missed: own.is_some() },
        }
    }

    /// Creates a side as [`Self::of_engine`] does, if only what `view` returns for the result is compared.
    fn of_view<T: PartialEq>(model: &'a Model, pair: (&str, &str), returned: &Outcome, view: View<'_, T>) -> Self {
        let (base, reference) = pair;
        let seen = view(returned.url().map(str::to_owned));
        match model.behaviour.as_deref() {
            Some(own) if view(own.predict(base, reference)) == seen => Self::Engine(own),
            own => {
                let result = |it: &Specification| it.resolve(base, reference).url().map(str::to_owned);
                let all = Specification::all().into_iter();
                let specifications = all.filter(|specification| view(result(specification)) == seen).collect();
                Self::Specifications { specifications, is_missed: own.is_some() }
            }
        }
    }

    fn of_specification(specification: Specification) -> Self {
        Self::Specifications { specifications: vec![specification], is_missed: false }
    }

    fn is_missed(&self) -> bool {
        matches!(self, Self::Specifications { is_missed: true, .. })
    }

    /// Returns the behaviours, each with its specification. Those nearest in time to `other` are first, or the newest.
    fn behaviours(&self, other: Option<Specification>) -> Vec<(&'a Behaviour, Option<Specification>)> {
        match self {
            Self::Engine(behaviour) => vec![(*behaviour, None)],
            Self::Specifications { specifications, .. } => {
                let place = |specification: &Specification| {
                    let all = Specification::all();
                    all.iter().position(|own| own.id == specification.id).unwrap_or(all.len())
                };
                let mut sorted = specifications.clone();
                let newest = Specification::all().len();
                let middle = other.as_ref().map_or(newest, place);
                sorted.sort_by_cached_key(|it| place(it).abs_diff(middle));
                sorted.into_iter().map(|specification| (specification.behaviour(), Some(specification))).collect()
            }
        }
    }
}

/// What is compared of a URL, or of the failure to return one.
type View<'v, T> = &'v dyn Fn(Option<String>) -> T;

/// Returns the smallest set of differences that turns the result of `from` into the result of `to`, with the specification
/// of which it has the values, if it is not the behaviour of an engine. Only what `view` returns for the results is
/// compared. Of equally small sets, it is the one towards the nearest specification.
fn cause<T: PartialEq>(
    from: &Side<'_>,
    to: &Side<'_>,
    (base, reference): (&str, &str),
    view: View<'_, T>,
) -> Option<(Vec<Difference>, Option<Specification>)> {
    let mut best: Option<(Vec<Difference>, Option<Specification>)> = None;
    for (start, specification) in from.behaviours(None) {
        for (target, towards) in to.behaviours(specification) {
            let fewest = best.as_ref().map_or(usize::MAX, |(best, _)| best.len());
            if fewest == 1 {
                return best;
            }
            let found = between_by(start, target, base, reference, view).filter(|found| found.len() < fewest);
            best = found.map(|found| (found, towards)).or(best);
        }
    }
    best
}

/// A specification and what is known of an engine that is compared with it.
#[derive(Clone, Debug)]
pub struct Attributor {
    specification: Specification,
    model: Model,
}

impl Attributor {
    /// Creates an attributor that compares an engine with `specification`. `model` is what is known of the engine.
    pub fn new(specification: Specification, model: Model) -> Self {
        Self { specification, model }
    }

    /// Returns the specification.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// Compares the engine's result `returned` with the specification's result. Returns `None` if they agree. Two failures
    /// agree, whatever their reasons.
    pub fn attribute(&self, base: &str, reference: &str, returned: &Outcome) -> Option<Attribution> {
        self.attribute_from(self.specification.resolve(base, reference), &Answer::new(base, reference, returned))
    }

    /// Returns whether the specification's behaviour predicts `own`, and the engine's behaviour predicts the answer, and the pair
    /// is not too long. Then a divergence has a cause, because all differences of the two behaviours together are one.
    pub fn predicts_both(&self, own: &Outcome, answer: &Answer<'_>) -> bool {
        let Answer { base, reference, returned, .. } = *answer;
        base.len() + reference.len() <= MAX_ATTRIBUTED
            && self.model.predicts(base, reference, returned)
            && predicts(self.specification.behaviour(), base, reference, own)
    }

    /// Attributes a divergence like [`Self::attribute`], but uses `own` as the specification's result.
    pub fn attribute_from(&self, own: Outcome, answer: &Answer<'_>) -> Option<Attribution> {
        let listed = || self.model.listed(answer.base, answer.reference, answer.returned);
        let (mut found, is_open) = Attribution::start(own, answer, listed)?;
        if !is_open {
            return Some(found);
        }
        let to = Side::of_engine(&self.model, answer);
        found.explain(&Side::of_specification(self.specification), &to, answer.base, answer.reference);
        Some(found)
    }
}

/// The answer of an engine to a pair, which can be compared with several specifications.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The base.
    pub base: &'a str,
    /// The reference.
    pub reference: &'a str,
    /// What the engine returned.
    pub returned: &'a Outcome,
    /// The results of the specifications, if others need them, too.
    results: Option<&'a Results<'a>>,
    agreeing: OnceCell<Vec<&'static str>>,
}

impl<'a> Answer<'a> {
    /// Creates the answer `returned` to a pair.
    pub fn new(base: &'a str, reference: &'a str, returned: &'a Outcome) -> Self {
        Self { base, reference, returned, results: None, agreeing: OnceCell::new() }
    }

    /// Creates the answer `returned` to the pair of `results`, which it shares with others.
    pub fn with(results: &'a Results<'a>, returned: &'a Outcome) -> Self {
        Self { results: Some(results), ..Self::new(results.base, results.reference, returned) }
    }

    /// Returns the ids of the revisions that have the engine's result, by their reference implementations. It is empty if
    /// `found`, the comparison of the answer, is not about two answers.
    ///
    /// Asking every revision takes longer than finding a cause, so it is done only once, and only if it is needed.
    pub fn signature(&self, found: &Attribution) -> &[&'static str] {
        if found.is_answered { self.agreeing() } else { &[] }
    }

    fn agreeing(&self) -> &[&'static str] {
        self.agreeing.get_or_init(|| match self.results {
            Some(results) => results.agreeing(self.returned),
            None => Results::new(self.base, self.reference).agreeing(self.returned),
        })
    }
}

impl Attribution {
    /// Returns the difference of two results before its cause is searched, and whether there is anything to search: neither
    /// result belongs to the class that `listed` returns, both are answers, and the pair is not too long. Returns `None` if
    /// they agree.
    fn start(own: Outcome, answer: &Answer<'_>, listed: impl FnOnce() -> Option<String>) -> Option<(Self, bool)> {
        let effect = effect(&own, answer.returned)?;
        let listed = listed();
        let too_long = (answer.base.len() + answer.reference.len() > MAX_ATTRIBUTED).then_some("too long to attribute");
        let obstacle = unanswered(&own).or_else(|| unanswered(answer.returned)).or(too_long);
        let is_open = listed.is_none() && obstacle.is_none();
        let unexplained = || Cause::Unexplained(obstacle.unwrap_or_else(|| effect.name()).to_owned());
        let cause = listed.map_or_else(unexplained, Cause::Listed);
        let is_answered = obstacle.is_none();
        Some((Self { is_answered, cause, towards: None, outside: false, effect, own }, is_open))
    }

    /// Adds the cause by which the result of `from` becomes the result of `to`, if there is one.
    fn explain(&mut self, from: &Side<'_>, to: &Side<'_>, base: &str, reference: &str) {
        let Some((differences, towards)) = cause(from, to, (base, reference), &|url| url) else { return };
        self.cause = match (towards, from.is_missed()) {
            (None, false) => Cause::Behaviour(differences),
            _ => Cause::Agreeing(differences),
        };
        self.towards = towards;
        self.outside = from.is_missed() || to.is_missed();
    }
}

/// Returns the specifications with these ids.
fn specifications(ids: &[&str]) -> Vec<Specification> {
    Specification::all().into_iter().filter(|specification| ids.contains(&specification.id)).collect()
}

/// Returns why `outcome` is neither a URL nor a failure; `None` for a URL or a failure.
fn unanswered(outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Url(_) | Outcome::Failure(_) => None,
        Outcome::Skipped(_) => Some("no answer"),
        Outcome::Unrepresentable(_) => Some("an unrepresentable result"),
        Outcome::Crash(_) => Some("a crash"),
        Outcome::Timeout(_) => Some("no answer in time"),
    }
}
