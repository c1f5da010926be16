//! The complete comparison of all specifications and engines for one pair: see [`Explanation`].

use serde::Serialize;
use urlstrata::revision::{self, Revision, rfc1808, rfc3986, whatwg};
use urlstrata::rules;

use self::slots::SlotTrace;
use self::steps::changing;
use crate::behaviour::between;
use crate::engine::{Engine, Source, ask};
use crate::escape::visible;
use crate::evaluate::grammar::Recognizers;
use crate::evaluate::is_same_document;
use crate::knowledge::attribute::{self, Answer, Attribution, Attributor, Cause, Effect, EnginePair, Model};
use crate::knowledge::dated::{self, ChangeNote};
use crate::knowledge::errata;
use crate::knowledge::later::{Remark, remarks_on_pair};
use crate::knowledge::note::{Cited, Note, Statement};
use crate::knowledge::results::{Results, agrees};
use crate::knowledge::shrink::shrink;
use crate::knowledge::specification::{Specification, is_url_standard};
use crate::knowledge::stepped::{self, Stepped};
use crate::outcome::Outcome;
use crate::outcome::location::Location;
use crate::survey::validity;
use crate::world::{BaseRate, UnstatedNote, World};

mod brief;
mod bug_report;
mod deciding;
pub mod hosts;
mod known;
mod observations;
mod observed_result;
mod overview;
pub mod slots;
mod steps;
mod text;

pub use crate::knowledge::errata::ErratumNote;
pub use brief::Brief;
pub use bug_report::{bug_report, nothing_to_report};
pub use deciding::{Agreement, DecidedValue, DecidingSteps, Expectation};
pub use known::KnownDeviation;
pub use observations::{Observations, Observed};
pub use observed_result::{
    Change, ChangeOfSource, GivenResult, Giver, NamedEngine, ObservedResult, PartingOfResults, Permission, Question,
    VersionRange,
};
pub use overview::{Clause, Overview, OverviewParting, OverviewResult, OverviewRow, Replaced};
pub use steps::{RevisionSteps, TracedStep};
pub use text::Complete;

/// The results of all specifications and engines for one pair of a base and a reference, and the causes of their
/// differences.
///
/// The text form ([`Display`](std::fmt::Display)), the JSON form (`Serialize`) and the bug report ([`bug_report`]) only
/// render this value.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// Each distinct result, with the specifications and engines that return it. URLs come before failures.
    pub groups: Vec<Group>,
    /// The steps that decide, of RFC 1808, RFC 3986 and the newest state of the URL Standard, if all specifications have the same target.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<Statement>,
    /// How RFC 3986 comes to that target, and what people often expect instead, if all specifications have the same target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// The revisions for which the target is the document that contains the reference.
    pub same_document: Vec<&'static str>,
    /// Consecutive RFCs and drafts that differ in whether the target is this document, although their results may be equal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub document_changes: Vec<DocumentChange>,
    /// The errata on which results depend: where a specification contradicts itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errata: Vec<ErratumNote>,
    /// The grammars that do not match the reference. Only specifications that define a resolution are included.
    pub not_matched: Vec<NotMatched>,
    /// What standards after RFC 1738 state about the reference, the target and the base. No result depends on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// Pairs of revisions with different results, and the rules or changes that make the difference: consecutive RFCs and
    /// drafts, RFC 3986 and the newest state of the URL Standard, and consecutive states of the Standard.
    pub changes: Vec<RevisionChange>,
    /// Each engine of the world, with the specifications that return its result, and its divergences.
    pub engines: Vec<EngineExplanation>,
    /// Engines with different results, compared in pairs: one engine for each distinct result.
    pub between: Vec<EngineDifference>,
    /// Recorded engines without a result: the pair is not recorded, and their behaviours are not reliable enough to predict
    /// the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// What libraries state about the reference and the target, and where clients connect, if it was requested. It is neither derived
    /// from [`Self::groups`] nor mixed with them.
    #[serde(flatten, skip_serializing_if = "Observations::is_empty")]
    pub observations: Observations,
    /// The scheme of the base, if results are predicted and no behaviour was measured on a base with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme_not_measured: Option<String>,
    /// The steps of consecutive revisions with different results, if they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<TracePair>,
    /// The steps of single revisions, if they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<RevisionSteps>,
    /// What specifications and engines with steps read and write, side by side, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<SlotTrace>,
    /// A Markdown issue about one engine, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bug_report: Option<String>,
}

/// A result, with the specifications and engines that return it.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// The result.
    pub outcome: Outcome,
    /// The scheme, host and port of the URL; `None` if the result is not a URL.
    pub location: Option<Location>,
    /// The ids of the specifications, and the names and versions of the engines.
    pub by: Vec<String>,
    /// Those of [`Self::by`] that were not asked, but whose behaviour predicts the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predicted: Vec<PredictedResult>,
}

/// An engine that was not asked, but whose behaviour predicts a result.
#[derive(Clone, Debug, Serialize)]
pub struct PredictedResult {
    /// The name and version of the engine.
    pub by: String,
    /// The share of pairs with a base of the same class that the behaviour predicts, in percent.
    pub accuracy: Option<f64>,
    /// What the engine does with pairs of the same class that its behaviour does not state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unstated: Vec<UnstatedNote>,
}

/// Grammars that do not match the reference, for the same reason at the same byte.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct NotMatched {
    /// The ids of the grammars.
    pub grammars: Vec<&'static str>,
    /// The unexpected character in our words: "a space".
    pub found: String,
    /// The byte at which the reference becomes invalid.
    pub at: usize,
}

/// Two revisions with different results: see [`Explanation::changes`].
#[derive(Clone, Debug, Serialize)]
pub struct RevisionChange {
    /// The older revision.
    pub older: &'static str,
    /// The newer revision.
    pub newer: &'static str,
    /// The part in which the results differ.
    pub effect: Effect,
    /// The smallest set of differences that turns the older result into the newer one. It is empty for two
    /// states of the URL Standard.
    pub notes: Vec<Note>,
    /// The changes of the URL Standard at which the result changes, for two of its states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub standard: Vec<ChangeNote>,
}

/// Two consecutive revisions of which only one makes the target the document that contains the reference.
#[derive(Clone, Debug, Serialize)]
pub struct DocumentChange {
    /// The older revision.
    pub older: &'static str,
    /// The newer revision.
    pub newer: &'static str,
    /// The rule on which they differ.
    pub note: Note,
}

/// An engine, with its result compared with those of specifications.
#[derive(Clone, Debug, Serialize)]
pub struct EngineExplanation {
    /// The name of the engine.
    pub name: String,
    /// The version of the engine.
    pub version: String,
    /// Whether the engine has a behaviour.
    pub has_model: bool,
    /// Whether the steps of its source are known, which are then what it does.
    pub has_steps: bool,
    /// Where the result comes from; JSON states it only if the engine was not asked.
    #[serde(skip_serializing_if = "Source::is_live")]
    pub source: Source,
    /// The command that installs the engine, if it was not asked and has no other answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
    /// The share of pairs with a base of the same class that the behaviour of a recorded engine predicts, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// How many held-out pairs with a base of the same class this behaviour predicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<BaseRate>,
    /// What the engine does with pairs of the same class that its behaviour does not state, if the result is predicted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unstated: Vec<UnstatedNote>,
    /// The result of the engine.
    #[serde(skip)]
    pub outcome: Outcome,
    /// The ids of the specifications that return the same result.
    pub same_as: Vec<&'static str>,
    /// The comparison with each requested specification. By default, these are RFC 3986 and the nearest specification.
    pub against: Vec<Against>,
}

/// An engine compared with a specification.
#[derive(Clone, Debug, Serialize)]
pub struct Against {
    /// The id of the specification.
    pub specification: &'static str,
    /// The difference between both results; `None` if they are equal.
    pub divergence: Option<Divergence>,
    /// The changes of the URL Standard since the newest older state that returns the engine's result, if the engine is
    /// compared with a state of the Standard.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub since: Vec<ChangeNote>,
    /// The listed deviations of the engine by which it differs, if they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<KnownDeviation>,
    /// The smallest pair that differs for the same reason, if a bug report was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest: Option<Smallest>,
}

/// A difference between two results, with its cause.
#[derive(Clone, Debug, Serialize)]
pub struct Divergence {
    /// The most consequential part in which they differ.
    pub effect: Effect,
    /// The name of the cause, as returned by [`Cause::key`].
    pub cause: String,
    /// How the cause was found.
    pub found: Found,
    /// Whether the cause is outside the engine's behaviour, so that it counts as new.
    pub outside: bool,
    /// A note on each difference that is part of the cause.
    pub notes: Vec<Note>,
    /// The reason that is listed with a known deviation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The way in which a cause was found.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// The cause is the first slot in which two tables of steps differ, and the steps that wrote it.
    Steps,
    /// The cause is a difference between the engine's behaviour and that of the specification or of the other engine.
    Behaviour,
    /// The cause is the difference from a specification that returns the engine's result.
    Agreeing,
    /// Differences of a fitted behaviour predict the result, but they are too many or too indirect to be the cause.
    Indirect,
    /// There is no cause, but the divergence belongs to a listed class of known deviations.
    Listed,
    /// There is no cause.
    Unexplained,
}

/// Two engines with different results.
#[derive(Clone, Debug, Serialize)]
pub struct EngineDifference {
    /// The name of the first engine.
    pub one: String,
    /// The name of the second engine.
    pub other: String,
    /// The difference and its cause. Each note leads from the second engine to the first.
    pub divergence: Divergence,
}

/// A smaller pair that differs for the same reason.
#[derive(Clone, Debug, Serialize)]
pub struct Smallest {
    /// The base.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// The engine's result.
    pub engine: Outcome,
    /// The specification's result.
    pub specification: Outcome,
}

/// Two consecutive revisions, with the steps that changed their state.
#[derive(Clone, Debug, Serialize)]
pub struct TracePair {
    /// The name of the older specification.
    pub older: &'static str,
    /// The name of the newer specification.
    pub newer: &'static str,
    /// The older revision's steps.
    pub older_steps: Vec<TracedStep>,
    /// The newer revision's steps.
    pub newer_steps: Vec<TracedStep>,
    /// The index of the first step after which the states differ; `None` for an RFC and the URL Standard, whose states
    /// are not comparable.
    pub first_difference: Option<usize>,
}

/// Explains pairs. For a single pair, [`Explanation::of`] is simpler.
pub struct Explainer<'w> {
    world: &'w World,
    /// What is known of the engines of the world.
    models: Vec<Model>,
    specifications: Vec<Specification>,
    recognizers: Recognizers,
}

impl<'w> Explainer<'w> {
    /// Creates an explainer that compares the engines of `world` with `specifications`.
    ///
    /// If `specifications` is empty, each engine is compared with RFC 3986 and with its nearest specification.
    pub fn new(world: &'w World, specifications: &[Specification]) -> Self {
        let specifications = specifications.to_vec();
        Self { world, models: world.models(), specifications, recognizers: Recognizers::default() }
    }

    /// Resolves the pair with every specification and every engine, and attributes each divergence.
    pub fn explain(&mut self, base: &str, reference: &str) -> Explanation {
        let results = Results::new(base, reference);
        let same_document = results.all().filter(|(_, result)| is_same_document(result));
        let same_document = same_document.map(|(revision, _)| revision.id).collect();
        let document_changes = document_changes(&results);
        let outcomes: Vec<_> = results.all().map(|(_, result)| Outcome::from(result.clone())).collect();
        let specified: Vec<_> = results.all().map(|(revision, _)| revision).zip(&outcomes).collect();

        let engines = self.world.engines.iter().zip(&self.models).map(|(engine, model)| {
            let outcome = ask(engine.as_ref(), base, reference);
            let source = engine.source(base, reference);
            EngineExplanation {
                source,
                install: match source {
                    Source::Absent => self.world.installed_by(engine.as_ref()),
                    _ => None,
                },
                accuracy: self.world.accuracy(engine.key(), base).filter(|_| model.steps.is_none()),
                rate: match source.is_live() || model.steps.is_some() {
                    true => None,
                    false => self.world.base_rate(engine.key(), base),
                },
                unstated: match source {
                    Source::Predicted if model.steps.is_none() => self.world.unstated(engine.key(), base, reference),
                    _ => Vec::new(),
                },
                name: engine.name().to_owned(),
                version: engine.version().to_owned(),
                has_model: !model.is_empty(),
                has_steps: model.steps.is_some(),
                same_as: results.agreeing(&outcome),
                against: match source {
                    // An engine that was not asked does not differ from a specification.
                    _ if is_skipped(&outcome) => Vec::new(),
                    _ => self.against(engine.as_ref(), model, &results, &outcome),
                },
                outcome,
            }
        });
        let engines: Vec<_> = engines.collect();

        let (others, absent) = self.others(base, reference);
        let mut groups: Vec<Group> = Vec::new();
        let named = specified.iter().map(|(revision, outcome)| (revision.id.to_owned(), *outcome, None));
        let asked = engines.iter().map(|it| (it.title(), &it.outcome, (it.source, it.accuracy, &it.unstated)));
        let is_other_fitted = others.iter().any(|it| it.source == Source::Predicted && !it.has_steps);
        let others = others.iter().map(|it| (it.title.clone(), &it.outcome, (it.source, it.accuracy, &it.unstated)));
        let asked = asked.chain(others).map(|(title, outcome, (source, accuracy, unstated))| {
            let is_predicted = source == Source::Predicted;
            let result = || PredictedResult { by: title.clone(), accuracy, unstated: unstated.clone() };
            let predicted = is_predicted.then(result);
            (title, outcome, predicted)
        });
        for (name, outcome, predicted) in named.chain(asked) {
            let index = groups.iter().position(|group| group.outcome == *outcome).unwrap_or_else(|| {
                groups.push(Group {
                    outcome: outcome.clone(),
                    location: outcome.url().map(Location::of),
                    by: Vec::new(),
                    predicted: Vec::new(),
                });
                groups.len() - 1
            });
            groups[index].predicted.extend(predicted);
            groups[index].by.push(name);
        }
        groups.sort_by_key(|group| group.outcome.url().is_none());
        // Steps need no measurement.
        let is_fitted = |source: Source, has_steps: bool| source == Source::Predicted && !has_steps;
        let is_predicted = engines.iter().any(|it| is_fitted(it.source, it.has_steps)) || is_other_fitted;
        let remarks = remarks_on_pair(base, reference, target_of(&groups));
        let decided = decided(&specified, (base, reference));
        Explanation {
            base: base.to_owned(),
            reference: reference.to_owned(),
            groups,
            agreement: if decided.is_empty() { None } else { Agreement::of(base, reference) },
            decided,
            same_document,
            document_changes,
            errata: errata::about(base, reference),
            not_matched: self.not_matched(reference),
            remarks,
            changes: changes(&specified, base, reference),
            between: self.between(&engines, &results),
            engines,
            absent,
            observations: Observations::default(),
            scheme_not_measured: self.world.scheme_not_measured(base).filter(|_| is_predicted),
            traces: Vec::new(),
            slots: None,
            steps: Vec::new(),
            bug_report: None,
        }
    }

    /// Asks the engines what they state about the reference and the target, and the clients where they connect. The target is that
    /// of RFC 3986, or of the newest state of the URL Standard if RFC 3986 has none.
    pub fn add_observations(&self, explanation: &mut Explanation) {
        let target = target_of(&explanation.groups);
        let observations = Observations::of(self.world, &explanation.base, &explanation.reference, target);
        explanation.observations = observations;
    }

    /// Returns the results of the engines that are shown without causes, and the titles of those whose predictions are not
    /// reliable.
    fn others(&self, base: &str, reference: &str) -> (Vec<OtherResult>, Vec<String>) {
        let (mut results, mut absent) = (Vec::new(), Vec::new());
        for engine in &self.world.others {
            let title = title(engine.name(), engine.version());
            let source = engine.source(base, reference);
            if self.world.is_shown(engine.as_ref(), source, base) {
                let has_steps = Stepped::of_key(engine.key()).is_some();
                let accuracy = self.world.accuracy(engine.key(), base).filter(|_| !has_steps);
                let unstated = match source == Source::Predicted && !has_steps {
                    true => self.world.unstated(engine.key(), base, reference),
                    false => Vec::new(),
                };
                let outcome = ask(engine.as_ref(), base, reference);
                results.push(OtherResult { title, outcome, source, accuracy, has_steps, unstated });
            } else if source == Source::Predicted {
                absent.push(title);
            }
        }
        (results, absent)
    }

    fn against(&self, engine: &dyn Engine, model: &Model, results: &Results<'_>, outcome: &Outcome) -> Vec<Against> {
        let answer = Answer::with(results, outcome);
        let one = |specification: Specification| {
            let own = results.outcome(specification.revision);
            let attributor = Attributor::new(specification, model.clone());
            let divergence = attributor.attribute_from(own, &answer).map(|found| {
                let listed = self.world.known.of(engine.name());
                let reason = |id: &str| listed?.exceptions.iter().find(|it| it.id == id).map(|it| it.reason.clone());
                let reason = if let Cause::Listed(id) = &found.cause { reason(id) } else { None };
                Divergence { reason, ..Divergence::of(&found, attributor.notes(&found, &answer)) }
            });
            let since = match &divergence {
                Some(_) => since(specification.revision, results, outcome),
                None => Vec::new(),
            };
            Against { specification: specification.id, divergence, since, known: Vec::new(), smallest: None }
        };
        self.specifications_for(engine).into_iter().map(one).collect()
    }

    /// Returns the requested specifications, or RFC 3986 and the engine's nearest specification by default.
    fn specifications_for(&self, engine: &dyn Engine) -> Vec<Specification> {
        if !self.specifications.is_empty() {
            return self.specifications.clone();
        }
        let nearest = self.world.nearest(engine).filter(|nearest| nearest.id != "rfc3986");
        Specification::by_id("rfc3986").into_iter().chain(nearest).collect()
    }

    fn not_matched(&mut self, reference: &str) -> Vec<NotMatched> {
        let mut found: Vec<NotMatched> = Vec::new();
        for grammar in validity::of_resolving() {
            let Some(reason) = validity::reason(&mut self.recognizers, grammar, reference) else { continue };
            match found.iter_mut().find(|own| own.found == reason.what && own.at == reason.at) {
                Some(own) => own.grammars.push(grammar.id),
                None => found.push(NotMatched { grammars: vec![grammar.id], found: reason.what, at: reason.at }),
            }
        }
        found
    }

    /// Compares engines with different results. For each distinct result, only the first engine with that result is
    /// compared.
    fn between(&self, engines: &[EngineExplanation], results: &Results<'_>) -> Vec<EngineDifference> {
        let is_same =
            |one: usize, other: usize| attribute::effect(&engines[one].outcome, &engines[other].outcome).is_none();
        // An engine that was not asked does not differ.
        let is_first =
            |&index: &usize| !is_skipped(&engines[index].outcome) && !(0..index).any(|earlier| is_same(earlier, index));
        let firsts: Vec<usize> = (0..engines.len()).filter(is_first).collect();
        let mut found = Vec::new();
        for (at, &one) in firsts.iter().enumerate() {
            for &other in &firsts[at + 1..] {
                let engine_pair = EnginePair::new(self.models[one].clone(), self.models[other].clone());
                let [answer, their_answer] = [one, other].map(|at| Answer::with(results, &engines[at].outcome));
                let attribution = engine_pair.attribute_answers(&answer, &their_answer);
                found.extend(attribution.map(|attribution| EngineDifference {
                    one: engines[one].name.clone(),
                    other: engines[other].name.clone(),
                    divergence: Divergence::of(
                        &attribution,
                        engine_pair.notes(&attribution, results.base, results.reference),
                    ),
                }));
            }
        }
        found
    }

    /// Adds a bug report about the engine called `name`, with the smallest pair that differs for the same reason.
    ///
    /// The report compares the engine with the last specification in [`EngineExplanation::against`]. `explanation` is
    /// unchanged if the world has no engine of that name.
    pub fn add_bug_report(&self, explanation: &mut Explanation, name: &str) {
        let is_named = |engine: &dyn Engine| [engine.name(), engine.key()].contains(&name);
        let Some(index) = self.world.engines.iter().position(|engine| is_named(engine.as_ref())) else { return };
        let (engine, model) = (self.world.engines[index].as_ref(), &self.models[index]);
        let Some(against) = explanation.engines[index].against.last_mut() else { return };
        if against.divergence.is_some()
            && let Some(specification) = Specification::by_id(against.specification)
        {
            let attributor = Attributor::new(specification, model.clone());
            let smallest = shrink(engine, &attributor, &explanation.base, &explanation.reference);
            against.smallest = smallest.map(|(base, reference)| Smallest {
                engine: ask(engine, &base, &reference),
                specification: specification.resolve(&base, &reference),
                base,
                reference,
            });
        }
        explanation.bug_report = bug_report(explanation, index, !self.specifications.is_empty());
    }
}

/// Returns the target by RFC 3986, or by the newest state of the URL Standard if RFC 3986 has none.
fn target_of(groups: &[Group]) -> Option<&str> {
    let of = |id: &str| groups.iter().find(|group| group.by.iter().any(|by| by == id))?.outcome.url();
    of(rfc3986::REVISION.id).or_else(|| of(whatwg::NEWEST.id))
}

/// Returns whether an engine was not asked, or cannot be given the text.
fn is_skipped(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Skipped(_) | Outcome::Unrepresentable(_))
}

/// The result of an engine that is shown without causes.
struct OtherResult {
    title: String,
    outcome: Outcome,
    source: Source,
    accuracy: Option<f64>,
    /// Whether the steps of its source predict results.
    has_steps: bool,
    /// What its behaviour does not state about pairs of the same class, if the result is predicted.
    unstated: Vec<UnstatedNote>,
}

/// Returns the changes of the URL Standard until `state` at which the result changes, after the newest older state that
/// returns `outcome`. Returns no changes if no older state does.
fn since(state: &Revision, results: &Results<'_>, outcome: &Outcome) -> Vec<ChangeNote> {
    if !is_url_standard(state) {
        return Vec::new();
    }
    let older = results.all().filter(|(own, _)| is_url_standard(own)).take_while(|(own, _)| own.id != state.id);
    let agreeing = older.filter(|(own, result)| agrees(own, result, results.base, outcome)).last();
    agreeing.map_or_else(Vec::new, |(own, _)| dated::changes(own, state, results.base, results.reference))
}

/// Compares consecutive RFCs and drafts, the last strict one of them with the newest state of the URL Standard, and
/// consecutive states of the Standard. Returns the pairs with different results; two rejections do not differ.
fn changes(specified: &[(&'static Revision, &Outcome)], base: &str, reference: &str) -> Vec<RevisionChange> {
    let (states, others): (Vec<_>, Vec<_>) = specified.iter().partition(|(revision, _)| is_url_standard(revision));
    let find = |wanted: &Revision| specified.iter().find(|(revision, _)| revision.id == wanted.id);
    let across = find(&rfc3986::REVISION).zip(find(whatwg::NEWEST)).map(|(older, newer)| [older, newer]);
    let chain = |revisions: &[&'_ (&'static Revision, &Outcome)]| -> Vec<[(&'static Revision, Outcome); 2]> {
        let owned = |&&(revision, outcome): &&(&'static Revision, &Outcome)| (revision, outcome.clone());
        revisions.windows(2).map(|pair| [owned(&pair[0]), owned(&pair[1])]).collect()
    };
    let mut pairs = chain(&others);
    pairs.extend(across.map(|pair| pair.map(|&(revision, outcome)| (revision, outcome.clone()))));
    pairs.extend(chain(&states));
    let change = |[older, newer]: [(&'static Revision, Outcome); 2]| {
        let effect = attribute::effect(&older.1, &newer.1)?;
        Some(RevisionChange::of(effect, older, newer, base, reference))
    };
    pairs.into_iter().filter_map(change).collect()
}

/// Returns the steps by which specifications come to the target that all of them have; none if two targets differ.
fn decided(specified: &[(&'static Revision, &Outcome)], pair: (&str, &str)) -> Vec<Statement> {
    let mut targets = specified.iter().map(|(_, outcome)| outcome.url());
    let first = targets.next().flatten();
    if first.is_none() || !targets.all(|target| target == first) {
        return Vec::new();
    }
    let shown =
        [rfc1808::REVISION.id, rfc3986::REVISION.id, whatwg::NEWEST.id].into_iter().filter_map(Specification::by_id);
    shown.filter_map(|specification| stepped::deciding(&specification, pair)).collect()
}

/// Returns the consecutive RFCs and drafts that differ in whether the target is the document that contains the reference, and in the
/// rule about it. Otherwise only their results differ.
fn document_changes(results: &Results<'_>) -> Vec<DocumentChange> {
    let Some(rule) = rules::by_name("same_document") else { return Vec::new() };
    let others = results.all().filter(|(revision, _)| !is_url_standard(revision));
    let others: Vec<_> = others.map(|(revision, result)| (revision, is_same_document(result))).collect();
    let changed = others.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    let change = |pair: &[(&'static Revision, bool)]| {
        let [older, newer] = [pair[0].0, pair[1].0].map(Specification::of);
        let (older, newer) = older.zip(newer)?;
        Some(DocumentChange { older: older.id, newer: newer.id, note: Note::of_rule(rule, &older, &newer)? })
    };
    changed.filter_map(change).collect()
}

impl RevisionChange {
    fn of(
        effect: Effect,
        (older, from): (&'static Revision, Outcome),
        (newer, to): (&'static Revision, Outcome),
        base: &str,
        reference: &str,
    ) -> Self {
        let standard = dated::changes(older, newer, base, reference);
        let notes = match [older, newer].map(Specification::of) {
            // Within the Standard, its changes are the cause.
            [Some(older), Some(newer)] if !older.is_url_standard() => {
                // What rejects is a step, and so is what the URL Standard does; rules say how RFCs form URLs, and what they do without a base.
                let unknown_base = rules::by_name("unknown_base").filter(|_| base.is_empty());
                let sides = [older, newer].map(stepped::Source::Specification);
                let is_rejected = from.url().is_none() || to.url().is_none();
                let is_by_steps = is_rejected || newer.is_url_standard();
                let links = || stepped::parting(sides, (base, reference), [&from, &to]).filter(|_| is_by_steps);
                if let Some(note) = unknown_base.and_then(|rule| Note::of_rule(rule, &older, &newer)) {
                    vec![note]
                } else if let Some(links) = links() {
                    let changes = stepped::changes_between([&older, &newer], &links, (base, reference));
                    let dated = |(link, change)| Note { change, ..stepped::note(link, sides, (base, reference)) };
                    links.iter().zip(changes).map(dated).collect()
                } else {
                    let differences = between(older.behaviour(), newer.behaviour(), base, reference);
                    let sides = [older, newer].map(Cited::Specification);
                    let note = |difference| Note::of(difference, sides, (base, reference));
                    differences.unwrap_or_default().iter().map(note).collect()
                }
            }
            _ => Vec::new(),
        };
        Self { older: older.id, newer: newer.id, effect, notes, standard }
    }
}

impl Explanation {
    /// Explains one pair with the engines of `world`: see [`Explainer`].
    pub fn of(world: &World, base: &str, reference: &str) -> Self {
        Explainer::new(world, &[]).explain(base, reference)
    }

    /// Adds traces: the steps of `asked`, and what they and the engines of `world` read and write if these were named. If nothing was named,
    /// the steps of consecutive revisions with different results.
    #[must_use]
    pub fn traced(self, world: &World, asked: &[Specification], has_named_engines: bool) -> Self {
        let explanation = match asked {
            [] if has_named_engines => self,
            [] => self.with_traces(),
            asked => self.with_steps_of(asked.iter().map(|specification| specification.revision)),
        };
        if has_named_engines { explanation.with_slots(world, asked) } else { explanation }
    }

    /// Adds the steps of consecutive revisions with different results.
    #[must_use]
    pub fn with_traces(mut self) -> Self {
        let by_id = |id| revision::ALL.iter().copied().find(|revision| revision.id == id);
        let pairs = self.changes.iter().filter_map(|change| Some([by_id(change.older)?, by_id(change.newer)?]));
        self.traces = pairs.map(|pair| TracePair::of(pair, &self.base, &self.reference)).collect();
        self
    }

    /// Adds what `specifications` and the engines that `world` names read and write, side by side. Those that do not write slots are left
    /// out. An engine alone is shown with the specification from which it differs least, the last one of those it is compared with.
    #[must_use]
    fn with_slots(mut self, world: &World, specifications: &[Specification]) -> Self {
        let steps: Vec<Stepped> = world.engines.iter().filter_map(|engine| world.steps_of(engine.as_ref())).collect();
        if steps.is_empty() {
            return self;
        }
        let nearest = || {
            let last = self.engines.iter().filter(|_| steps.len() == 1).find_map(|engine| engine.against.last());
            last.and_then(|against| Specification::by_id(against.specification)).into_iter()
        };
        let asked: Vec<Specification> = match specifications {
            [] => nearest().collect(),
            asked => asked.to_vec(),
        };
        let sides =
            asked.into_iter().map(stepped::Source::Specification).chain(steps.iter().map(stepped::Source::Engine));
        self.slots = SlotTrace::of(&sides.collect::<Vec<_>>(), (&self.base, &self.reference));
        self
    }

    /// Adds every step of `revisions`, also those that change nothing.
    #[must_use]
    pub fn with_steps_of(mut self, revisions: impl Iterator<Item = &'static Revision>) -> Self {
        let steps = revisions.map(|revision| RevisionSteps::of(revision, &self.base, &self.reference));
        self.steps.extend(steps.collect::<Vec<_>>());
        self
    }
}

impl EngineExplanation {
    /// Returns the name and the version, with invisible characters escaped.
    pub fn title(&self) -> String {
        title(&self.name, &self.version)
    }
}

/// Returns the name and the version of an engine, with invisible characters escaped.
fn title(name: &str, version: &str) -> String {
    format!("{} {}", visible(name), visible(version))
}

impl Divergence {
    /// Converts an attribution with its notes.
    fn of(found: &Attribution, notes: Vec<Note>) -> Self {
        Self {
            effect: found.effect,
            cause: found.cause.key(),
            found: match found.cause {
                Cause::Behaviour(_) => Found::Behaviour,
                Cause::Steps(_) => Found::Steps,
                Cause::Agreeing(_) => Found::Agreeing,
                Cause::Indirect(_) => Found::Indirect,
                Cause::Listed(_) => Found::Listed,
                Cause::Unexplained { .. } | Cause::NotSearched(_) => Found::Unexplained,
            },
            outside: found.outside,
            notes,
            reason: None,
        }
    }
}

impl TracePair {
    fn of(pair: [&'static Revision; 2], base: &str, reference: &str) -> Self {
        let steps = |revision: &Revision| -> Vec<TracedStep> {
            let (_, trace) = revision.resolve_traced(base, reference);
            match is_url_standard(revision) {
                true => changing(&trace).map(|entry| TracedStep::of(revision, entry)).collect(),
                false => {
                    let acted = trace.entries().iter().filter(|entry| entry.acted);
                    acted.map(|entry| TracedStep::of(revision, entry)).collect()
                }
            }
        };
        let [older_steps, newer_steps] = pair.map(steps);
        // The states of the Standard's parser have no counterpart in an RFC.
        let comparable = is_url_standard(pair[0]) == is_url_standard(pair[1]);
        let first_difference = older_steps.iter().zip(&newer_steps).position(|(one, other)| one.state != other.state);
        let first_difference = first_difference.filter(|_| comparable);
        let [older, newer] = pair.map(|revision| revision.specification);
        Self { older, newer, older_steps, newer_steps, first_difference }
    }
}
