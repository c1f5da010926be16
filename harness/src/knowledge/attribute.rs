//! Attribution: the cause of a difference between an engine and a specification.
//!
//! An attribution lists the specifications that have the engine's result, and the differences between two behaviours that
//! explain the result: those between the specification's and the engine's, or, if nothing is known of the engine, those
//! between the specification's and another one's that has the engine's result.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use urlstrata::slots::{Part, Slot};

use crate::behaviour::{Behaviour, Difference, between};
use crate::knowledge::behaviours;
use crate::knowledge::citation;
use crate::knowledge::dated::ranges;
use crate::knowledge::note::{Cited, Note};
use crate::knowledge::results::Results;
use crate::knowledge::specification::Specification;
use crate::knowledge::stepped::{self, Link, Stepped};
use crate::outcome::Outcome;
use crate::plural::counted;

mod effect;
mod engines;
mod indirect;

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
    /// The links by which two tables of steps part. Both have the results.
    Steps(Vec<Link>),
    /// Differences towards a specification that has the engine's result. The engine does not have a behaviour, or its
    /// behaviour predicts another result.
    Agreeing(Vec<Difference>),
    /// Differences that turn one result into the other, but are too many or too indirect to be a cause: see the module `indirect`. What the
    /// engine does is not known.
    Indirect(Vec<Difference>),
    /// A class of pairs that the behaviour does not predict and the known deviations list, by its id.
    Listed(String),
    /// No cause was found.
    Unexplained {
        /// The part in which the results differ.
        effect: Effect,
        /// The ids of the specifications that have the engine's result, if nothing but its results is known of the engine.
        observed: Vec<&'static str>,
    },
    /// No cause was searched, for this reason.
    NotSearched(Obstacle),
}

/// Why the cause of a divergence is not searched.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Obstacle {
    /// A side skipped the pair.
    Skipped,
    /// A side cannot be called with these texts, or its result is not text.
    Unrepresentable,
    /// A side crashed.
    Crash,
    /// A side did not answer in time.
    Timeout,
    /// The pair is longer than [`MAX_ATTRIBUTED`].
    TooLong,
    /// Nothing is known of either engine.
    NoBehaviour,
    /// The results do not differ.
    NoDifference,
}

impl Obstacle {
    /// Returns why `outcome` is not an answer; `None` for a URL or a failure.
    fn of(outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Url(_) | Outcome::Failure(_) => None,
            Outcome::Skipped(_) => Some(Self::Skipped),
            Outcome::Unrepresentable(_) => Some(Self::Unrepresentable),
            Outcome::Crash(_) => Some(Self::Crash),
            Outcome::Timeout(_) => Some(Self::Timeout),
        }
    }

    /// Returns why one of two outcomes was not to be had: a side was not asked, or cannot be. `None` if both are answers or faults.
    pub fn unanswered(outcomes: [&Outcome; 2]) -> Option<Self> {
        outcomes.into_iter().filter_map(Self::of).find(|it| it.is_unanswered())
    }

    /// Returns whether a side was not asked, or cannot be. A crash and a timeout are faults of an engine that was asked.
    pub fn is_unanswered(self) -> bool {
        matches!(self, Self::Skipped | Self::Unrepresentable)
    }

    /// Returns the reason in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Skipped => "the pair was skipped",
            Self::Unrepresentable => "the text cannot be given to the library, or its result is not text",
            Self::Crash => "a crash",
            Self::Timeout => "no answer in time",
            Self::TooLong => "too long to attribute",
            Self::NoBehaviour => "neither engine has a behaviour",
            Self::NoDifference => "no difference",
        }
    }
}

impl Cause {
    /// Returns whether the cause is known: steps, or differences that turn the specification's result into the engine's.
    pub fn is_explained(&self) -> bool {
        matches!(self, Self::Behaviour(_) | Self::Steps(_) | Self::Agreeing(_))
    }

    /// Returns whether the cause is known, if one was searched.
    pub fn is_known(&self) -> bool {
        !matches!(self, Self::Unexplained { .. } | Self::Indirect(_))
    }

    /// Returns whether a side has no answer, so that there is nothing to explain.
    pub fn is_unanswered(&self) -> bool {
        matches!(self, Self::NotSearched(obstacle) if obstacle.is_unanswered())
    }

    /// Returns the differences; empty for a cause that has none.
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::Behaviour(differences) | Self::Agreeing(differences) | Self::Indirect(differences) => differences,
            Self::Steps(_) | Self::Listed(_) | Self::Unexplained { .. } | Self::NotSearched(_) => &[],
        }
    }

    /// Returns a note on each difference between two sides, which decides about `pair`. There are none if the cause is not known.
    fn notes(&self, sides: [Cited<'_>; 2], pair: (&str, &str)) -> Vec<Note> {
        if let Self::Indirect(_) = self {
            return Vec::new();
        }
        let has = |name: &str| self.differences().iter().any(|difference| difference.subject() == name);
        // A base that is returned unchanged has its fragment. That it is unchanged needs no note of its own.
        let is_implied = |difference: &&Difference| difference.subject() == "empty_form" && has("base_fragment");
        // Which characters of the pair are treated otherwise is not known if none of them acts.
        let stated = self.differences().iter().filter(|difference| difference.acts() && !is_implied(difference));
        stated.map(|difference| Note::of(difference, sides, pair)).collect()
    }

    /// Returns the names of what the cause consists of: its differences, or the slots and steps of its links.
    pub fn names(&self) -> BTreeSet<String> {
        match self {
            Self::Steps(links) => links.iter().map(|link| stepped::key(std::slice::from_ref(link))).collect(),
            other => other.differences().iter().map(|difference| difference.name.clone()).collect(),
        }
    }

    /// Returns a name that all divergences share that have this cause and for which the same is done to characters, whichever these are.
    pub fn class(&self) -> String {
        let (Self::Behaviour(differences) | Self::Agreeing(differences)) = self else { return self.key() };
        let name = |it: &Difference| match it.from.action.is_empty() && it.to.action.is_empty() {
            true => it.name.clone(),
            false => format!("{}: {} | {}", it.name, it.from.action, it.to.action),
        };
        differences.iter().map(name).collect::<Vec<_>>().join(" + ")
    }

    /// Returns a name that all divergences with this cause share. It is never empty.
    pub fn key(&self) -> String {
        match self {
            Self::Behaviour(differences) | Self::Agreeing(differences) => {
                differences.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(" + ")
            }
            Self::Steps(links) => stepped::key(links),
            Self::Indirect(differences) => {
                format!("not known ({})", counted(differences.len(), "setting", "settings together"))
            }
            Self::Listed(id) => format!("listed: {id}"),
            Self::Unexplained { effect, observed } if observed.is_empty() => format!("unexplained: {}", effect.name()),
            Self::Unexplained { effect, observed } => {
                format!("unexplained: {}; a result of {}", effect.name(), ranges(observed.iter().copied()).join(", "))
            }
            Self::NotSearched(obstacle) if obstacle.is_unanswered() => format!("not answered: {}", obstacle.name()),
            Self::NotSearched(obstacle) => format!("unexplained: {}", obstacle.name()),
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
    /// The specification whose steps are named instead of the engine's: it has the engine's result. That of [`Cause::Agreeing`] requires the fewest
    /// differences. Of several, it is the nearest.
    pub towards: Option<Specification>,
    /// The specification that has the result of the other side, if that side is an engine whose behaviour does not predict it.
    start: Option<Specification>,
    /// For each side, the other one first, whether nothing but its result is known.
    observed: [bool; 2],
    /// Whether the engine has a behaviour that does not contain the cause.
    pub outside: bool,
    /// The part in which the results differ.
    pub effect: Effect,
    /// The specification's result.
    pub own: Outcome,
}

impl Attribution {
    /// Returns whether the divergence is new: it has no cause, or its cause is outside the engine's behaviour. Without an answer there is
    /// none.
    pub fn is_new(&self) -> bool {
        let is_open = matches!(self.cause, Cause::Unexplained { .. } | Cause::NotSearched(_));
        self.outside || is_open && !self.cause.is_unanswered()
    }
}

/// What is known of an engine.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The behaviour, if there is one.
    pub behaviour: Option<Arc<Behaviour>>,
    /// The specification, if the engine is an implementation of this project: its steps are the engine's.
    pub specification: Option<Specification>,
    /// The steps, if the engine has a table of them.
    pub steps: Option<Stepped>,
    /// The specification with which the folder of an engine with steps compares it.
    pub compared: Option<Specification>,
    /// Whether the behaviour was fitted to results. Otherwise, the source of the engine states it.
    pub is_fitted: bool,
    /// Whether only the behaviour may explain a result: known deviations of engines without steps are differences of settings.
    pub has_settings_only: bool,
    /// The ids of listed classes of pairs that the behaviour does not predict; see [`deviation`].
    pub listed: Arc<BTreeSet<String>>,
}

impl Model {
    /// Returns what is known of an engine whose source states its behaviour, without listed classes of deviations.
    pub fn of(behaviour: Behaviour) -> Self {
        Self { behaviour: Some(Arc::new(behaviour)), ..Self::default() }
    }

    /// Returns what is known without the steps of the engine: its known deviations are differences of settings.
    #[must_use]
    pub fn without_steps(&self) -> Self {
        Self { specification: None, steps: None, has_settings_only: true, ..self.clone() }
    }

    /// Returns the specification from which the behaviour differs least; without a behaviour, the one with which the engine is compared.
    fn nearest(&self) -> Option<Specification> {
        let of = |behaviour: &Behaviour| Specification::nearest(behaviour, std::iter::empty());
        self.behaviour.as_deref().map(of).or(self.compared)
    }

    /// Returns whether a behaviour that was stated, and not fitted, explains results.
    fn is_stated(&self) -> bool {
        self.own_steps().is_none() && self.behaviour.is_some() && !self.is_fitted
    }

    /// Returns whether rules say why the engine and `other` have different targets: both implement RFCs or drafts.
    fn parts_by_rules(&self, other: Option<Specification>, results: [&Outcome; 2]) -> bool {
        let is_rfc = |own: Option<Specification>| own.is_some_and(|own| !own.is_url_standard());
        is_rfc(self.specification) && is_rfc(other) && results.iter().all(|result| result.url().is_some())
    }

    /// Returns the engine's own steps: those of its table, or of the specification that it implements.
    fn own_steps(&self) -> Option<stepped::Source<'_>> {
        let specification = self.specification.filter(|own| own.revision.writes_slots);
        let of_table = || self.steps.as_ref().map(stepped::Source::Engine);
        specification.map(stepped::Source::Specification).or_else(of_table)
    }

    /// Returns whether the engine has neither steps nor a behaviour.
    pub fn is_empty(&self) -> bool {
        self.steps.is_none() && self.behaviour.is_none()
    }

    /// Returns the engine as a side of notes: `specification`, which has its result, or the behaviour. Of the specifications that do
    /// what the behaviour does, the first of `preferred` is cited.
    fn side<'a>(&'a self, specification: Option<Specification>, preferred: &'a [Specification]) -> Option<Cited<'a>> {
        let own = || self.behaviour.as_deref().map(|behaviour| Cited::Engine(behaviour, preferred));
        let implemented = || self.specification.map(Cited::Specification);
        specification.map(Cited::Like).or_else(implemented).or_else(own)
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
    outcome.is_answer() && behaviour.predict(base, reference).as_deref() == outcome.url()
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
            own => {
                let mut specifications = specifications(answer.agreeing());
                specifications.retain(|it| own.is_some() || is_followed(it.id));
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

/// Returns the smallest set of differences of two behaviours.
type Between = fn(&Behaviour, &Behaviour, &str, &str) -> Option<Vec<Difference>>;

/// Returns the smallest set of differences between the results of `from` and `to`, with the specifications that have the two values
/// of each, for a side that is not the behaviour of an engine. Of equally small sets, it is the one towards the nearest specification, which is
/// searched from the second side if the search `is_reversed`.
fn cause(
    between: Between,
    sides: [&Side<'_>; 2],
    is_reversed: bool,
    (base, reference): (&str, &str),
) -> Option<(Vec<Difference>, [Option<Specification>; 2])> {
    let [first, second] = if is_reversed { [sides[1], sides[0]] } else { sides };
    let mut best: Option<(Vec<Difference>, [Option<Specification>; 2])> = None;
    for one in first.behaviours(None) {
        for other in second.behaviours(one.1) {
            let fewest = best.as_ref().map_or(usize::MAX, |(best, _)| best.len());
            if fewest == 1 {
                return best;
            }
            let [(from, start), (to, towards)] = if is_reversed { [other, one] } else { [one, other] };
            let found = between(from, to, base, reference).filter(|found| found.len() < fewest);
            best = found.map(|found| (found, [start, towards])).or(best);
        }
    }
    best
}

/// A specification and what is known of an engine that is compared with it.
#[derive(Clone, Debug)]
pub struct Attributor {
    specification: Specification,
    model: Model,
    /// What [`Model::nearest`] returns, once it was asked for.
    nearest: OnceLock<Option<Specification>>,
}

impl Attributor {
    /// Creates an attributor that compares an engine with `specification`. `model` is what is known of the engine.
    pub fn new(specification: Specification, model: Model) -> Self {
        Self { specification, model, nearest: OnceLock::new() }
    }

    /// Returns whether nothing but its results is known of the engine.
    pub fn is_observed(&self) -> bool {
        self.model.is_empty()
    }

    /// Returns whether the engine's behaviour was fitted to results, so that what it predicts is not a cause.
    pub fn is_fitted(&self) -> bool {
        self.model.is_fitted && self.model.own_steps().is_none()
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
        let pair = (answer.base, answer.reference);
        let sides = |own| [stepped::Source::Specification(self.specification), own];
        let parting = |own| stepped::parting(sides(own), pair, [&found.own, answer.returned]);
        let is_by_rules = self.model.parts_by_rules(Some(self.specification), [&found.own, answer.returned]);
        if let Some(links) = self.model.own_steps().filter(|_| !is_by_rules).and_then(parting) {
            found.cause = Cause::Steps(links);
            return Some(found);
        }
        let to = Side::of_engine(&self.model, answer);
        if let Some((links, like)) = self.parting_like(pair, answer, &found.own) {
            found.cause = Cause::Steps(links);
            found.towards = Some(like);
            found.outside = to.is_missed();
            return Some(found);
        }
        let own = found.own.clone();
        let results = [own.url(), answer.returned.url()];
        let from = Side::of_specification(self.specification);
        found.explain((between, &[&self.model], results), &from, &to, answer.base, answer.reference);
        if self.model.is_empty() {
            found.observe(answer);
        }
        Some(found)
    }

    /// Returns the specification nearest to the engine.
    fn nearest(&self) -> Option<Specification> {
        *self.nearest.get_or_init(|| self.model.nearest())
    }

    /// Returns the links by which the specification, whose result is `own`, parts from one that has the result of an engine whose steps are not
    /// known.
    fn parting_like(
        &self,
        pair: (&str, &str),
        answer: &Answer<'_>,
        own: &Outcome,
    ) -> Option<(Vec<Link>, Specification)> {
        let like = like(&self.model, || self.nearest(), answer)?;
        let sides = [stepped::Source::Specification(self.specification), stepped::Source::Like(like)];
        Some((stepped::parting(sides, pair, [own, answer.returned])?, like))
    }

    /// Returns a note on each difference of `found`, the attribution of `answer`. The first side is the specification.
    pub fn notes(&self, found: &Attribution, answer: &Answer<'_>) -> Vec<Note> {
        if let Cause::Steps(links) = &found.cause {
            let own = self.model.own_steps().unwrap_or(stepped::Source::Observed);
            let own = found.towards.map_or(own, stepped::Source::Like);
            let sources = [stepped::Source::Specification(self.specification), own];
            let pair = (answer.base, answer.reference);
            let changes = match &self.model.specification {
                Some(own) => stepped::changes_between([&self.specification, own], links, pair),
                None => stepped::changes(&self.specification, links, pair),
            };
            let permits = |url| citation::permits(&self.specification, (answer.base, answer.reference), url);
            let permitted = answer.returned.url().and_then(permits).unwrap_or_default();
            let dated = |(link, change): (&Link, String)| {
                let note = stepped::note(link, sources, pair);
                let change = if change.is_empty() { note.change } else { change };
                // What is permitted is to use the base, or to ignore what it does not give.
                let is_permitted = matches!(link.slot, Slot::Used | Slot::Ref(Part::Scheme)) || links.len() == 1;
                Note { change, permitted: if is_permitted { permitted.clone() } else { String::new() }, ..note }
            };
            return links.iter().zip(changes).map(dated).collect();
        }
        // A specification that has the engine's result is cited first: the one from which the engine differs least, and then those
        // of its kind, RFCs or states of the URL Standard.
        let nearest = self.nearest();
        let is_of_kind = |own: &Specification| nearest.is_some_and(|it| it.is_url_standard() == own.is_url_standard());
        let mut preferred = specifications(answer.signature(found));
        preferred.sort_by_key(|own| (nearest.is_some_and(|it| it.id == own.id), is_of_kind(own)));
        preferred.reverse();
        let side = self.model.side(found.towards, &preferred);
        let from = Cited::Specification(self.specification);
        side.map_or_else(Vec::new, |to| found.cause.notes([from, to], (answer.base, answer.reference)))
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
        let unanswered = Obstacle::unanswered([&own, answer.returned]);
        let effect = effect(&own, answer.returned)?;
        let listed = if unanswered.is_none() { listed() } else { None };
        let too_long = (answer.base.len() + answer.reference.len() > MAX_ATTRIBUTED).then_some(Obstacle::TooLong);
        let obstacle = unanswered.or_else(|| Obstacle::of(&own)).or_else(|| Obstacle::of(answer.returned)).or(too_long);
        let is_open = listed.is_none() && obstacle.is_none();
        let unexplained = || obstacle.map_or(Cause::Unexplained { effect, observed: Vec::new() }, Cause::NotSearched);
        let cause = listed.map_or_else(unexplained, Cause::Listed);
        let is_answered = obstacle.is_none();
        Some((
            Self { is_answered, cause, towards: None, start: None, observed: [false; 2], outside: false, effect, own },
            is_open,
        ))
    }

    /// Adds which specifications have the result of `answer`, whose engine is not known otherwise, if no cause was found.
    fn observe(&mut self, answer: &Answer<'_>) {
        if let Cause::Unexplained { observed, .. } = &mut self.cause {
            *observed = answer.agreeing().to_vec();
        }
    }

    /// Adds the cause by which the result of `from` becomes the result of `to`, if there is one. `models` are those of the sides
    /// that are engines, and `results` those of both.
    fn explain(
        &mut self,
        (between, models, results): (Between, &[&Model], [Option<&str>; 2]),
        from: &Side<'_>,
        to: &Side<'_>,
        base: &str,
        reference: &str,
    ) {
        // Two engines are compared in the same order in both directions.
        let are_engines = models.len() > 1;
        let is_reversed = are_engines && results[0] > results[1];
        let Some((differences, [start, towards])) = cause(between, [from, to], is_reversed, (base, reference)) else {
            return;
        };
        let is_fitted = models.iter().any(|model| model.is_fitted);
        let is_contradicted = is_fitted && differences.iter().any(|it| indirect::contradicts(it, results));
        let is_own = towards.is_none() && !(are_engines && start.is_some());
        self.cause = match is_own {
            _ if is_contradicted => Cause::Indirect(differences),
            true if indirect::is_indirect(&differences, models, results) => Cause::Indirect(differences),
            true => Cause::Behaviour(differences),
            false => Cause::Agreeing(differences),
        };
        (self.start, self.towards) = (start, towards);
        self.outside = from.is_missed() || to.is_missed();
    }
}

/// Returns a specification that has the result of an engine, and writes slots: the one nearest to the engine, or, if that is not known, the newest
/// that libraries follow. `None` if a behaviour that was stated, and not fitted, explains the result. That another one has the result is a
/// coincidence.
///
/// There are many reasons to reject: a rejection is that of the nearest one only.
fn like(model: &Model, nearest: impl FnOnce() -> Option<Specification>, answer: &Answer<'_>) -> Option<Specification> {
    let is_known = model.is_stated() || model.specification.is_some();
    if is_known || model.has_settings_only || !answer.returned.is_answer() {
        return None;
    }
    let nearest = nearest();
    let is_usable = |own: &Specification| {
        let is_known = match nearest {
            Some(nearest) => nearest.id == own.id,
            None => answer.returned.url().is_some() && is_followed(own.id),
        };
        own.revision.writes_slots && is_known
    };
    specifications(answer.agreeing()).into_iter().rfind(is_usable)
}

/// Returns whether libraries follow a specification. That a program of which nothing is known has the result of RFC 1630, Appendix B or the draft
/// of 1996 is a coincidence.
fn is_followed(id: &str) -> bool {
    !matches!(id, "rfc1630" | "appendix-b-1994" | "draft-1996")
}

/// Returns the specifications with these ids.
fn specifications(ids: &[&str]) -> Vec<Specification> {
    Specification::all().into_iter().filter(|specification| ids.contains(&specification.id)).collect()
}
