//! A result that somebody observed or expected, without an engine: see [`ObservedResult`].

use serde::Serialize;
use urlstrata::revision::{Revision, rfc3986, whatwg};

use crate::engine::{Engine, Source, ask};
use crate::escape::visible;
use crate::knowledge::attribute::{self, Answer, Attributor};
use crate::knowledge::dated::ChangeNote;
use crate::knowledge::note::Note;
use crate::knowledge::results::Results;
use crate::knowledge::specification::Specification;
use crate::knowledge::stepped;
use crate::outcome::Outcome;
use crate::pasted::{self, InputNote};
use crate::world::World;
use crate::yaml::FileError;

use self::givers::EngineResults;
pub(super) use self::givers::is_same;
use super::RevisionChange;
use super::deciding::{DecidingSteps, Expectation};

mod changes;
mod givers;
mod likeness;
mod text;

pub use changes::Change;
pub(super) use changes::givers as specifications_giving;
pub use givers::{ChangeOfSource, GivenResult, Giver, Permission, VersionRange};
pub(super) use text::{shown, write_first};

/// What somebody asks about one pair: a result that was observed, one that was expected, and the engine that is said to have returned the
/// first.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The base; empty if it is unknown.
    pub base: &'a str,
    /// The reference.
    pub reference: &'a str,
    /// The observed result.
    pub got: Option<&'a Outcome>,
    /// The expected result.
    pub expected: Option<&'a Outcome>,
    /// The engine.
    pub by: Option<&'a dyn Engine>,
}

/// Who gives a result that was observed or expected, where both part, who is right, and what would give the expected one.
///
/// The text form ([`Self::text`]) and the JSON form (`Serialize`) only render this value.
#[derive(Clone, Debug, Serialize)]
pub struct ObservedResult {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// Notes about texts that were probably not meant as they were given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<InputNote>,
    /// The observed result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub got: Option<GivenResult>,
    /// The expected result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<GivenResult>,
    /// The results of RFC 3986 and of the newest state of the URL Standard that are neither of both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<GivenResult>,
    /// Who is right, and which older specifications give or permit what.
    pub verdict: Vec<String>,
    /// Where the results part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parting: Option<PartingOfResults>,
    /// The steps of the specification that is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<DecidingSteps>,
    /// Observations about the observed result, if nothing that is known gives it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub observations: Vec<String>,
    /// A change with which RFC 3986 gives the observed result, if nothing that is known gives it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub got_with: Vec<Change>,
    /// Changes with which RFC 3986 or the URL Standard gives the expected result, if neither gives it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// A result that people often expect instead, if none was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expectation: Option<Expectation>,
    /// What the named engine returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<NamedEngine>,
}

/// What the engine returns that is said to have returned the observed result.
#[derive(Clone, Debug, Serialize)]
pub struct NamedEngine {
    /// The name of the engine.
    pub engine: String,
    /// The version.
    pub version: String,
    /// Its result.
    pub outcome: Outcome,
    /// Where the result comes from.
    pub source: Source,
    /// Whether the steps of its source are known.
    pub has_steps: bool,
    /// The command that installs the engine, if it has no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
    /// Whether the result is the observed one; `None` without an observed result.
    pub is_observed: Option<bool>,
}

/// Where two results part, and what each side does there.
#[derive(Clone, Debug, Serialize)]
pub struct PartingOfResults {
    /// The specification or engine of the first side.
    pub from: String,
    /// The specification or engine of the second side, or `observed`.
    pub to: String,
    /// A note on each difference: see [`Note`].
    pub notes: Vec<Note>,
    /// The changes of the URL Standard between both sides, if these are two of its states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub standard: Vec<ChangeNote>,
}

impl PartingOfResults {
    /// Returns where two specifications part for the pair of `results`, the older one first; `None` if they do not.
    pub(super) fn of(results: &Results<'_>, sides: [&Specification; 2]) -> Option<Self> {
        let place = |own: &Specification| Specification::all().iter().position(|other| other.id == own.id);
        let [older, newer] = if place(sides[0]) <= place(sides[1]) { sides } else { [sides[1], sides[0]] };
        let outcome = |own: &Specification| results.outcome(own.revision);
        let effect = attribute::effect(&outcome(older), &outcome(newer))?;
        let side = |own: &Specification| (own.revision, outcome(own));
        let change = RevisionChange::of(effect, side(older), side(newer), results.base, results.reference);
        let name = |own: &Specification| match own.id {
            // It is cited as RFC 3986 is.
            id if id == rfc3986::NONSTRICT.id => own.revision.specification.to_owned(),
            id if own.is_url_standard() => id.to_owned(),
            _ => own.cite.to_owned(),
        };
        Some(Self { from: name(older), to: name(newer), notes: change.notes, standard: change.standard })
    }
}

/// The specifications that are in force: RFC 3986 and the newest state of the URL Standard.
fn current() -> [(&'static Revision, &'static str); 2] {
    [(&rfc3986::REVISION, "RFC 3986"), (whatwg::NEWEST, "the URL Standard")]
}

/// Returns whether libraries follow a specification. That one has the result of an earlier specification, or of the draft of 1996, is a
/// coincidence, so that the steps of another engine with the result say more.
fn is_followed(id: &str) -> bool {
    !["rfc1630", "appendix-b-1994", "draft-1996"].contains(&id)
}

/// The largest number of changes that are proposed.
const MOST_CHANGES: usize = 3;

impl ObservedResult {
    /// Answers `question`, with the known versions of all engines of `world`.
    ///
    /// # Errors
    ///
    /// Returns an error if a file of an engine folder is not valid.
    pub fn of(world: &World, question: &Question<'_>) -> Result<Self, FileError> {
        let Question { base, reference, got, expected, by } = *question;
        let results = Results::new(base, reference);
        let engines = EngineResults::of_all(world, (base, reference))?;
        let given = |outcome: &Outcome| GivenResult::of(outcome, &results, &engines);
        let (got, expected) = (got.map(given), expected.map(given));
        let is_given =
            |outcome: &Outcome| [&got, &expected].into_iter().flatten().any(|own| is_same(&own.outcome, outcome));
        let mut others: Vec<GivenResult> = Vec::new();
        for (revision, _) in current() {
            let outcome = results.outcome(revision);
            if !is_given(&outcome) && !others.iter().any(|own| is_same(&own.outcome, &outcome)) {
                others.push(GivenResult { specifications: ids_of(&results, &outcome), ..given(&outcome) });
            }
        }
        let asked =
            Asked { world, results: &results, engines: &engines, got: got.as_ref(), expected: expected.as_ref() };
        let by = by.map(|engine| asked.named(engine));
        let (observations, got_with) = asked.observations();
        Ok(Self {
            base: base.to_owned(),
            reference: reference.to_owned(),
            input: pasted::notes(base, reference),
            verdict: asked.verdict().into_iter().chain(others.iter().flat_map(permitting)).collect(),
            parting: asked.parting(question.by),
            steps: asked.right().and_then(|right| DecidingSteps::of(&right, (base, reference))),
            observations,
            got_with,
            changes: asked.changes(),
            expectation: match expected {
                Some(_) => None,
                None => Expectation::of(base, reference),
            },
            by,
            others,
            got,
            expected,
        })
    }
}

/// Returns a sentence for each specification that permits `other` instead of its own result.
fn permitting(other: &GivenResult) -> impl Iterator<Item = String> {
    other.permitted.iter().map(|own| format!("{} permits {}, too.", own.section, other.outcome))
}

/// Returns the ids of the specifications with this result; of a failure, those that reject, too.
fn ids_of(results: &Results<'_>, outcome: &Outcome) -> Vec<&'static str> {
    let is_own = |own: &Outcome| is_same(own, outcome);
    results.all().filter(|(_, result)| is_own(&Outcome::from((*result).clone()))).map(|(own, _)| own.id).collect()
}

struct Asked<'a> {
    world: &'a World,
    results: &'a Results<'a>,
    engines: &'a [EngineResults],
    got: Option<&'a GivenResult>,
    expected: Option<&'a GivenResult>,
}

impl Asked<'_> {
    fn pair(&self) -> (&str, &str) {
        (self.results.base, self.results.reference)
    }

    /// Returns the results that were given, with how sentences call them.
    fn given(&self) -> impl Iterator<Item = (&GivenResult, &'static str)> {
        let got = self.got.map(|own| (own, "what was observed"));
        got.into_iter().chain(self.expected.map(|own| (own, "what was expected")))
    }

    /// Returns sentences about who is right.
    fn verdict(&self) -> Vec<String> {
        let of_current = |given: &GivenResult| -> Vec<&'static str> {
            let own = current().into_iter().filter(|(own, _)| given.specifications.contains(&own.id));
            own.map(|(_, name)| name).collect()
        };
        let mut given: Vec<_> = self.given().map(|(given, what)| (given, what, of_current(given))).collect();
        // What is right comes first.
        given.sort_by_key(|(.., names)| std::cmp::Reverse(names.len()));
        let mut sentences: Vec<String> =
            given.iter().filter_map(|(given, what, names)| right(given, what, names)).collect();
        if let [(one, ..), (other, ..)] = given.as_slice()
            && one.is_unknown()
            && other.is_unknown()
        {
            return vec!["Nothing that is known here gives what was observed, or what was expected.".to_owned()];
        }
        for (given, what, names) in &given {
            let what = capitalized(what);
            let older = self.older(given);
            if names.is_empty() && !older.is_empty() {
                sentences.push(format!("{what} is the result of {older}."));
            } else if given.is_unknown() && given.permitted.is_empty() {
                sentences.push(format!("{what}: nothing that is known here gives it."));
            } else if given.specifications.is_empty() && given.permitted.is_empty() {
                sentences.push(format!("{what}: no specification gives it."));
            }
            if names.is_empty() {
                let sections = given.permitted.iter().map(|own| own.section.as_str()).collect::<Vec<_>>().join(" and ");
                sentences.extend((!sections.is_empty()).then(|| format!("{what} is permitted by {sections}.")));
            }
        }
        let is_right = |given: &GivenResult| current().iter().any(|(own, _)| given.is_of(own.id));
        if let (Some(got), Some(expected)) = (self.got, self.expected)
            && is_right(got)
            && is_right(expected)
            && !is_same(&got.outcome, &expected.outcome)
        {
            sentences.push("So neither is wrong: each follows a specification.".to_owned());
        }
        sentences
    }

    /// Returns the specifications that are not in force and give a result, with the first and the last date of RFCs and of states of the URL
    /// Standard; empty if there are none, or if all specifications give it.
    fn older(&self, given: &GivenResult) -> String {
        let is_current = |id: &str| current().iter().any(|(own, _)| own.id == id) || id == rfc3986::NONSTRICT.id;
        let all = Specification::all();
        if given.specifications.len() == all.len() {
            return String::new();
        }
        let old: Vec<&Specification> =
            all.iter().filter(|own| given.specifications.contains(&own.id) && !is_current(own.id)).collect();
        let (states, others): (Vec<&Specification>, Vec<&Specification>) =
            old.into_iter().partition(|own| own.is_url_standard());
        let has_newest = given.specifications.contains(&whatwg::NEWEST.id);
        let dated = |own: &&Specification| format!("{} ({})", own.cite, own.revision.date);
        let mut names: Vec<String> = others.iter().map(dated).collect();
        match states.as_slice() {
            _ if has_newest => {}
            [] => {}
            [only] => names.push(format!("the {}", only.revision.specification)),
            [first, .., last] => {
                names.push(format!("the {} to that of {}", first.revision.specification, last.revision.date))
            }
        }
        match names.split_last() {
            None => String::new(),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
        }
    }

    /// Returns the specification whose steps are shown: one that gives the expected result, or else the observed one, or RFC 3986, or the
    /// newest state of the URL Standard, whichever has a target.
    fn right(&self) -> Option<Specification> {
        let all = || current().into_iter().filter_map(|(own, _)| Specification::by_id(own.id));
        let gives =
            |given: Option<&GivenResult>| all().find(|own| given.is_some_and(|it| it.specifications.contains(&own.id)));
        let has_target = |own: &Specification| self.results.outcome(own.revision).url().is_some();
        gives(self.expected).or_else(|| gives(self.got)).filter(has_target).or_else(|| all().find(has_target))
    }

    /// Returns where the observed result parts from what a specification gives: from the expected result, if one gives that.
    fn parting(&self, by: Option<&dyn Engine>) -> Option<PartingOfResults> {
        let Some(got) = self.got else { return self.parting_of_expected() };
        // Without a target, RFC 3986 rejects the pair, which is a difference, too.
        let rfc3986 = || Specification::of(&rfc3986::REVISION);
        let from = self.side_of(self.expected).or_else(|| self.right()).or_else(rfc3986)?;
        let own = self.results.outcome(from.revision);
        if is_same(&own, &got.outcome) {
            return self.parting_of_expected();
        }
        if let Some(engine) =
            by.filter(|engine| is_same(&ask(*engine, self.results.base, self.results.reference), &got.outcome))
        {
            return self.parting_of_engine(&from, own, engine, &got.outcome);
        }
        let to = self.side_of(Some(got));
        if let Some(to) = to.filter(|own| is_followed(own.id)) {
            return self.parting_of_specifications([&from, &to]);
        }
        // What the named engine does otherwise is known, although it is not what was observed.
        let of_named = by.and_then(|engine| {
            let returned = ask(engine, self.results.base, self.results.reference);
            self.parting_of_engine(&from, own.clone(), engine, &returned).filter(|found| !found.notes.is_empty())
        });
        // There are many reasons to reject, so that the one of another engine need not be the observed one.
        if of_named.is_some() || got.outcome.url().is_none() {
            return of_named;
        }
        let key = self.engines.iter().find_map(|engine| engine.key_of_steps(&got.outcome));
        let engine = key.and_then(|key| self.world.engine(&key).ok());
        if let Some(engine) = engine {
            return self.parting_of_engine(&from, own, engine.as_ref(), &got.outcome);
        }
        if let Some(to) = to {
            return self.parting_of_specifications([&from, &to]);
        }
        let sides = [stepped::Source::Specification(from), stepped::Source::Observed];
        let links = stepped::parting(sides, self.pair(), [&own, &got.outcome])?;
        let notes = links.iter().map(|link| stepped::note(link, sides, self.pair())).collect();
        Some(PartingOfResults { from: from.cite.to_owned(), to: "observed".to_owned(), notes, standard: Vec::new() })
    }

    /// Returns where the expected result, which a specification gives, parts from that of RFC 3986 or the URL Standard.
    fn parting_of_expected(&self) -> Option<PartingOfResults> {
        let to = self.side_of(self.expected)?;
        let from = self.side_of(self.got).or_else(|| self.others_side())?;
        if is_same(&self.results.outcome(from.revision), &self.results.outcome(to.revision)) {
            return None;
        }
        self.parting_of_specifications([&from, &to])
    }

    /// Returns one of the specifications in force that gives neither of the given results.
    fn others_side(&self) -> Option<Specification> {
        let all = current().into_iter().filter_map(|(own, _)| Specification::by_id(own.id));
        let is_given = |own: &Specification| self.given().any(|(given, _)| given.specifications.contains(&own.id));
        all.filter(|own| !is_given(own)).find(|own| own.revision.writes_slots)
    }

    /// Returns the specification that gives a result: RFC 3986, the newest state of the URL Standard, or the newest of the others.
    fn side_of(&self, given: Option<&GivenResult>) -> Option<Specification> {
        let ids = &given?.specifications;
        let first = current().into_iter().map(|(own, _)| own.id).find(|id| ids.contains(id));
        first.or(ids.last().copied()).and_then(Specification::by_id)
    }

    fn parting_of_specifications(&self, sides: [&Specification; 2]) -> Option<PartingOfResults> {
        PartingOfResults::of(self.results, sides)
    }

    fn parting_of_engine(
        &self,
        from: &Specification,
        own: Outcome,
        engine: &dyn Engine,
        got: &Outcome,
    ) -> Option<PartingOfResults> {
        let attributor = Attributor::new(*from, self.world.model_of(engine));
        let answer = Answer::with(self.results, got);
        let found = attributor.attribute_from(own, &answer)?;
        let notes = attributor.notes(&found, &answer);
        let title = format!("{} {}", visible(engine.name()), visible(engine.version()));
        Some(PartingOfResults { from: from.cite.to_owned(), to: title, notes, standard: Vec::new() })
    }

    /// Returns what the engine returns that is said to have returned the observed result.
    fn named(&self, engine: &dyn Engine) -> NamedEngine {
        let (base, reference) = self.pair();
        let outcome = ask(engine, base, reference);
        NamedEngine {
            engine: engine.name().to_owned(),
            version: engine.version().to_owned(),
            source: engine.source(base, reference),
            has_steps: self.world.steps_of(engine).is_some_and(|steps| steps.resolves()),
            install: self.world.installed_by(engine).filter(|_| !outcome.is_answer()),
            is_observed: self.got.map(|got| is_same(&got.outcome, &outcome)),
            outcome,
        }
    }

    /// Returns what the observed result looks like, and the change with which RFC 3986 gives it, if nothing that is known gives it.
    fn observations(&self) -> (Vec<String>, Vec<Change>) {
        let Some((got, url)) = self.got.and_then(|got| Some((got, got.outcome.url()?))) else {
            return Default::default();
        };
        // Otherwise, what gives it says more.
        if !got.is_unknown() {
            return Default::default();
        }
        let (base, reference) = self.pair();
        let outcome = self.right().map(|right| (right, self.results.outcome(right.revision)));
        let right = outcome.as_ref().and_then(|(own, outcome)| Some((name_of(own), outcome.url()?)));
        let (put_together, difference) = likeness::clauses(base, reference, right, url);
        let is_put_together = put_together.is_some();
        let mut clauses: Vec<String> = put_together.into_iter().chain(difference).collect();
        if !is_put_together {
            clauses.extend(self.nearest(url));
        }
        let mut with = changes::search(base, reference, url);
        // That it is put together from both texts says more than another reference.
        with.retain(|change| !is_put_together || change.reference == reference);
        with.truncate(1);
        (clauses, with)
    }

    /// Returns a clause about the engine whose result is nearest to `got`; `None` if that of a specification is as near, or none is near.
    fn nearest(&self, got: &str) -> Option<String> {
        let specified: Vec<Outcome> = self.results.all().map(|(_, result)| Outcome::from(result.clone())).collect();
        let newest: Vec<(String, &Outcome)> = self.engines.iter().filter_map(EngineResults::newest).collect();
        let all = specified.iter().chain(newest.iter().map(|(_, outcome)| *outcome));
        let index = likeness::nearest(got, all)?.checked_sub(specified.len())?;
        let (name, outcome) = &newest[index];
        let differing = likeness::differing(outcome.url()?, got);
        if differing.len() > likeness::MOST_DIFFERING {
            return None;
        }
        Some(format!(
            "is nearest to the result of {name}, {outcome}, and differs from it in the {}",
            differing.join(" and the ")
        ))
    }

    /// Returns the changes with which RFC 3986 or the URL Standard gives the expected result, if neither gives it.
    fn changes(&self) -> Vec<Change> {
        let Some(expected) = self.expected else { return Vec::new() };
        let is_given = current().iter().any(|(own, _)| expected.specifications.contains(&own.id));
        let Some(url) = expected.outcome.url().filter(|_| !is_given) else { return Vec::new() };
        let (base, reference) = self.pair();
        let mut changes = changes::search(base, reference, url);
        changes.truncate(MOST_CHANGES);
        changes
    }
}

/// Returns a sentence about a result that the specifications in force called `names` give; `None` if none of them does.
fn right(given: &GivenResult, what: &str, names: &[&str]) -> Option<String> {
    let what = capitalized(what);
    let is_every = Specification::all().len() == given.specifications.len();
    match names {
        [] => None,
        [_, _] if is_every => Some(format!("{what} is right: every specification gives it.")),
        [one, other] => Some(format!("{what} is right: {one} and {other} give it.")),
        [one, ..] => Some(format!("{what} is right by {one}.")),
    }
}

/// Returns how sentences call a specification that is in force.
fn name_of(specification: &Specification) -> &'static str {
    current().into_iter().find(|(own, _)| own.id == specification.id).map_or(specification.cite, |(_, name)| name)
}

/// Returns `text` with a capital letter first.
fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
