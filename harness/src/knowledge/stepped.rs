//! Engines with a table of steps: their predictions, and the steps by which they part from a specification or from each other.

use std::cell::OnceCell;
use std::sync::Arc;

use urlstrata::StepText;
use urlstrata::revision::Revision;
use urlstrata::revision::whatwg::{self, ChangeSet, Implementation};
use urlstrata::slots::{Part, Slot, Slots, Value};
pub use urlstrata_steps::Link;
use urlstrata_steps::{
    Change, EngineRun, Observation, Question, RevisionRun, Run, Runner, Table, WithDefaultPort, chain,
    compare_versions, parting::UNKNOWN, parting::words,
};

use crate::engine::locate::{UNDECIDED, Visit};
use crate::engine::statement::{redirect, redirected};
use crate::engine::{PredictedEngine, Prediction, StatementPredictions};
use crate::escape::visible;
use crate::knowledge::dated::{self, Introduced};
use crate::knowledge::note::{Note, Statement};
use crate::knowledge::specification::{Specification, is_url_standard};
use crate::outcome::location::asked;
use crate::outcome::{Components, Outcome};
use crate::protocol::Op;

/// A version of an engine that has a table of steps.
#[derive(Clone)]
pub struct Stepped {
    table: &'static Table,
    version: String,
    /// The changes of the version.
    changes: Arc<[&'static Change]>,
}

impl std::fmt::Debug for Stepped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}@{}", self.table.engine, self.version)
    }
}

/// What engines state in addition to the components of the text, and no step describes.
pub const UNSTATED: &[&str] = &["display_host", "address", "private", "allowed"];

impl Stepped {
    /// Returns the steps of `version` of the engine whose folder is called `engine`; `None` if the engine has no table, or it describes
    /// only later versions.
    pub fn of(engine: &str, version: &str) -> Option<Self> {
        let table = urlstrata_engines::table(engine)?;
        let is_described = compare_versions(version, table.first).is_ge();
        is_described.then(|| Self { table, version: version.to_owned(), changes: table.changes_of(version).into() })
    }

    /// Returns the steps of the version with the key NAME@VERSION, as [`Self::of`] does.
    pub fn of_key(key: &str) -> Option<Self> {
        key.split_once('@').and_then(|(name, version)| Self::of(name, version))
    }

    /// Returns whether the steps resolve references.
    pub fn resolves(&self) -> bool {
        self.table.steps(Question::Resolve).is_some()
    }

    /// Returns whether the steps state the components of a URL.
    pub fn states(&self) -> bool {
        self.table.steps(Question::Parse).is_some()
    }

    /// Returns whether the steps say where a client connects.
    pub fn connects(&self) -> bool {
        self.table.answers(Question::Connect, &self.changes)
    }

    /// Returns whether the steps say where a client goes after a redirect.
    pub fn follows(&self) -> bool {
        self.table.answers(Question::Follow, &self.changes)
    }

    /// Returns the `host` and the `port` to which the client connects for `url` by the steps; `None` if the table does not answer that question.
    pub fn connect(&self, url: &str) -> Option<Components> {
        self.answer(Question::Connect, url)
    }

    /// Returns what the accessors of the library state about `url` by the steps; `None` if the table does not answer that question.
    pub fn state(&self, url: &str) -> Option<Components> {
        self.answer(Question::Parse, url)
    }

    /// Returns the `host` and the `port` to which the client connects after a [`redirect`] by the steps;
    /// `None` if the table does not answer that question.
    pub fn follow(&self, redirect: &str) -> Option<Components> {
        self.answer(Question::Follow, redirect)
    }

    /// Returns the answer of the steps to a question about `url`.
    fn answer(&self, question: Question, url: &str) -> Option<Components> {
        if question == Question::Follow {
            let (base, location) = redirected(url)?;
            let run =
                self.table.answer(question, &self.changes, (base, &self.table.location(&self.changes, location)))?;
            return match &run.outcome {
                Ok(target) => self.connect(target),
                Err(_) => Some(Err(failure(&run))),
            };
        }
        let run = self.table.answer(question, &self.changes, ("", url))?;
        let stated = match run.stated() {
            None if run.asked.is_some() => return Some(Ok(vec![("names".to_owned(), run.asked)])),
            Some(_) if !run.is_text => Err(Outcome::Unrepresentable("a component is not UTF-8".to_owned())),
            stated => stated.ok_or_else(|| failure(&run)),
        };
        let written = |(part, value): (Part, Option<String>)| match (question, part) {
            (Question::Connect, Part::Host) => (part, value.map(|host| asked(&host))),
            _ => (part, value),
        };
        let named = |(part, value): (Part, Option<String>)| (part.name().to_owned(), value);
        Some(stated.map(|parts| parts.into_iter().map(written).map(named).collect()))
    }

    /// Returns whether the answer of the steps to a question about `url` is part of `stated`, which may contain more components.
    fn has_answer(&self, question: Question, url: &str, stated: &Components) -> bool {
        match (self.answer(question, url), stated) {
            (Some(Ok(own)), Ok(_)) if matches!(question, Question::Connect | Question::Follow) => {
                Visit::new(Ok(own)).is_at_location_of(&Visit::new(stated.clone()))
            }
            (Some(Ok(own)), Ok(stated)) => own.iter().all(|part| stated.contains(part)),
            (Some(Err(Outcome::Failure(_))), Err(Outcome::Failure(_))) => true,
            _ => false,
        }
    }

    /// Returns a function that predicts outcomes by the steps.
    pub fn prediction(self) -> Prediction {
        let missing = "the steps do not resolve references";
        Box::new(move |base, reference| {
            self.predict(base, reference).unwrap_or_else(|| Outcome::Skipped(missing.to_owned()))
        })
    }

    /// Returns the functions that predict by the steps what the library states, and where the client connects.
    ///
    /// The steps convert host names with the data of Unicode that this program has. If the version `is_newest` is false, and it converts names,
    /// its data may be older, and nothing is predicted about names that need them, except by the tables that describe older data.
    pub fn statements(self, is_newest: bool) -> StatementPredictions {
        let mut statements = StatementPredictions::new();
        for (op, question) in
            [(Op::Parse, Question::Parse), (Op::Connect, Question::Connect), (Op::Follow, Question::Follow)]
        {
            if self.table.answers(question, &self.changes) {
                let steps = self.clone();
                let is_older = !is_newest && steps.converts_names(question);
                let is_decided = question != Question::Parse || steps.is_decided();
                let skipped = |why: &str| Err(Outcome::Skipped(why.to_owned()));
                let answer = move |url: &str| match is_older && needs_names(question, url) {
                    true => skipped("not known: the version may have other data of Unicode for this host"),
                    false => {
                        let mut answer =
                            steps.answer(question, url).unwrap_or_else(|| skipped("the steps do not answer"));
                        if let (Ok(parts), false) = (&mut answer, is_decided) {
                            parts.push((UNDECIDED.0.to_owned(), Some(UNDECIDED.1.to_owned())));
                        }
                        answer
                    }
                };
                statements.insert(op, Box::new(answer));
            }
        }
        statements
    }

    /// Returns whether the steps convert a host name outside ASCII, with the same data for all versions. IDNA 2003 has that of Unicode 3.2
    /// for ever, which does not contain the second letter.
    fn converts_names(&self, question: Question) -> bool {
        let is_code = |(_, value): &(String, Option<String>)| value.as_deref().is_some_and(|it| it.starts_with("xn--"));
        let converts = |letter: char| {
            let url = format!("http://{letter}.example/");
            let url = if question == Question::Follow { redirect("http://a/", &url) } else { url };
            matches!(self.answer(question, &url), Some(Ok(parts)) if parts.iter().any(is_code))
        };
        !self.table.has_dated_names && converts('\u{e9}') && converts('\u{a641}')
    }

    /// Returns whether the steps describe all that the library states.
    fn is_decided(&self) -> bool {
        let run = self.table.answer(Question::Parse, &self.changes, ("", "http://h/"));
        run.is_none_or(|run| run.is_decided)
    }

    /// Returns the engine that answers by the steps.
    pub fn engine(self) -> PredictedEngine {
        let (name, version, statements) = (self.table.engine, self.version.clone(), self.clone().statements(false));
        PredictedEngine::new(name, &version, self.prediction()).stating(statements)
    }

    /// Returns what the steps predict; `None` if the table does not answer how references are resolved.
    pub fn predict(&self, base: &str, reference: &str) -> Option<Outcome> {
        let run = self.table.answer(Question::Resolve, &self.changes, (base, reference))?;
        Some(match &run.outcome {
            Ok(url) => Outcome::Url(url.clone()),
            Err(_) => failure(&run),
        })
    }

    /// Returns whether the steps have the result `outcome`.
    pub fn predicts(&self, (base, reference): (&str, &str), outcome: &Outcome) -> bool {
        matches!(outcome, Outcome::Url(_) | Outcome::Failure(_))
            && self.predict(base, reference).is_some_and(|predicted| predicted.url() == outcome.url())
    }

    /// Returns the implementation of the URL Standard that the steps run.
    fn standard(&self) -> Option<Implementation> {
        self.table.standard.map(|standard| standard(&self.changes))
    }

    /// Returns whether a step is one of the URL Standard, which the engine follows.
    fn is_of_standard(&self, step: &StepText) -> bool {
        self.standard()
            .is_some_and(|it| !it.own.iter().any(|own| own.label == step.label) && it.step(step.label).is_some())
    }

    /// Returns the links by which `specification` and this engine part, the specification first; `None` if the specification does not
    /// write slots, or the steps do not have the result `returned`.
    pub fn parting(&self, specification: &Specification, pair: (&str, &str), returned: &Outcome) -> Option<Vec<Link>> {
        let sides = [Source::Specification(*specification), Source::Engine(self)];
        // The result of the specification is that of its steps.
        parting(sides, pair, [&Outcome::Skipped(String::new()), returned])
    }

    /// Returns the place of the version in the order in which two engines are compared: by name, and then by the number of changes.
    fn place(&self) -> (&str, usize, &str) {
        (self.table.engine, self.changes.len(), &self.version)
    }

    fn run<'a>(&'a self, question: Question, pair: (&'a str, &'a str)) -> EngineRun<'a> {
        EngineRun { table: self.table, question, changes: &self.changes, pair }
    }
}

/// Returns the links by which two sides part; `None` if the steps of one do not have its result.
pub fn parting(sides: [Source<'_>; 2], pair: (&str, &str), results: [&Outcome; 2]) -> Option<Vec<Link>> {
    let runner = |side: usize| -> Option<Box<dyn Runner + '_>> {
        Some(match &sides[side] {
            Source::Specification(own) | Source::Like(own) => {
                let revision = own.revision;
                Box::new(Some(RevisionRun { revision, pair }).filter(|_| revision.writes_slots)?)
            }
            Source::Engine(own) if sides[side].has(pair, results[side]) => Box::new(own.run(Question::Resolve, pair)),
            Source::Engine(_) => return None,
            Source::Observed => {
                let returned = match results[side] {
                    Outcome::Url(url) => Ok(url.as_str()),
                    Outcome::Failure(why) => Err(why.as_str()),
                    _ => return None,
                };
                Box::new(Observation { pair, returned })
            }
        })
    };
    let runners = [runner(0)?, runner(1)?];
    let places = sides.each_ref().map(Source::place);
    linked(runners.each_ref().map(AsRef::as_ref), places, sides.each_ref().map(Source::standard), pair)
}

/// The steps by which two engines state components of URLs, or connect.
#[derive(Clone, Debug)]
pub struct StatingPair {
    sides: [(Stepped, Question); 2],
}

impl StatingPair {
    /// Creates the pair of engines that are asked what they state; `None` if the steps of one do not say so.
    pub fn new(sides: [Option<Stepped>; 2]) -> Option<Self> {
        Self::asked(sides, [Op::Parse; 2])
    }

    /// Creates the pair of engines that are asked these questions about a URL; `None` if the steps of one do not answer its question.
    pub fn asked([one, other]: [Option<Stepped>; 2], ops: [Op; 2]) -> Option<Self> {
        let [left, right] = ops.map(|op| match op {
            Op::Connect => Question::Connect,
            Op::Follow => Question::Follow,
            Op::Parse | Op::Resolve => Question::Parse,
        });
        let answers = |steps: &Stepped, question| steps.table.answers(question, &steps.changes);
        let one = one.filter(|steps| answers(steps, left))?;
        let other = other.filter(|steps| answers(steps, right))?;
        Some(Self { sides: [(one, left), (other, right)] })
    }

    /// Returns the links by which `stated`, what both answer about `url`, part; none if they agree, or if the steps of one do not have its
    /// answer. An absent component equals an empty one, and hosts are compared in lower case.
    fn links(&self, url: &str, stated: [&Components; 2]) -> Vec<Link> {
        let is_own =
            |((side, question), stated): (&(Stepped, Question), &Components)| side.has_answer(*question, url, stated);
        if !self.sides.iter().zip(stated).all(is_own) {
            return Vec::new();
        }
        if !self.follows() {
            return self.links_about([url; 2]);
        }
        let Some((base, location)) = redirected(url) else { return Vec::new() };
        let locations = self.sides.each_ref().map(|(side, _)| side.table.location(&side.changes, location));
        let run = |at: usize| self.sides[at].0.run(Question::Follow, (base, &locations[at]));
        let runs = [run(0), run(1)];
        let links = linked([&runs[0], &runs[1]], self.places(["", ""]), self.standards(), (base, location));
        let links = links.unwrap_or_default();
        match runs.map(|run| run.run(&[]).outcome) {
            // Both go to the same place of the text, and connect otherwise for it.
            [Ok(one), Ok(other)] if links.is_empty() => {
                Self { sides: self.sides.clone().map(|(side, _)| (side, Question::Connect)) }
                    .links_about([&one, &other])
            }
            _ => links,
        }
    }

    /// Returns the links by which the answers about two URLs part, each that of its side.
    fn links_about(&self, urls: [&str; 2]) -> Vec<Link> {
        let is_connection = self.sides.iter().any(|(_, question)| *question == Question::Connect);
        let runner = |at: usize| -> Box<dyn Runner + '_> {
            let (side, question) = &self.sides[at];
            let run = side.run(*question, ("", urls[at]));
            if is_connection { Box::new(WithDefaultPort(run)) } else { Box::new(run) }
        };
        let runners = [runner(0), runner(1)];
        let runners = runners.each_ref().map(AsRef::as_ref);
        linked(runners, self.places(urls), self.standards(), ("", urls[0])).unwrap_or_default()
    }

    /// Returns whether both are asked where they go after a redirect.
    fn follows(&self) -> bool {
        self.sides.iter().all(|(_, question)| *question == Question::Follow)
    }

    /// Returns the places of the sides, each of which answers about its URL.
    fn places<'a>(&'a self, urls: [&'a str; 2]) -> [impl Ord + 'a; 2] {
        [0, 1].map(|at| {
            let (side, question) = &self.sides[at];
            (side.place(), *question, urls[at])
        })
    }

    fn standards(&self) -> [Option<Implementation>; 2] {
        self.sides.each_ref().map(|(side, _)| side.standard())
    }

    /// Returns a name that all differences with the same links share; empty if there are none.
    pub fn key(&self, url: &str, stated: [&Components; 2]) -> String {
        key(&self.links(url, stated))
    }

    /// Returns notes on why `stated`, what both state about `url`, differ, the first side first; none if they agree, or if the steps of one do
    /// not have its statement.
    pub fn notes(&self, url: &str, stated: [&Components; 2]) -> Vec<Note> {
        let sources = self.sides.each_ref().map(|(side, _)| Source::Engine(side));
        let is_connection = self.sides.iter().any(|(_, question)| *question == Question::Connect);
        let of_target = if is_connection { "the" } else { "the stated" };
        let about_url = |note: Note| {
            let question = match self.follows() {
                true => note.question.replace("the reference", "the location"),
                false => note.question.replace("the reference", "the URL").replace("the target's", of_target),
            };
            Note { question, ..note }
        };
        let links = self.links(url, stated);
        links.iter().map(|link| about_url(note(link, sources, ("", url)))).collect()
    }
}

/// Returns notes on why two engines resolve a pair with different results, the first one first. None if the steps of one do not have its
/// result, or they agree.
pub fn resolution_notes(one: &Stepped, other: &Stepped, pair: (&str, &str), results: [&Outcome; 2]) -> Vec<Note> {
    let sides = [one, other].map(Source::Engine);
    let links = parting(sides, pair, results).unwrap_or_default();
    links.iter().map(|link| note(link, sides, pair)).collect()
}

/// Returns whether the answer to a question about `url` needs the data by which names are converted. A redirect has two URLs.
fn needs_names(question: Question, url: &str) -> bool {
    match redirected(url) {
        Some((base, location)) if question == Question::Follow => needs_unicode(base) || needs_unicode(location),
        _ => needs_unicode(url),
    }
}

/// Returns whether the authority of a URL, however it is divided, contains something that the conversion of names changes by its data.
fn needs_unicode(url: &str) -> bool {
    let after = url.split_once("//").map_or(url, |(_, after)| after);
    let authority = after.split(['/', '?', '#']).next().unwrap_or_default();
    let is_code =
        |at: usize| authority.as_bytes()[at..].get(..4).is_some_and(|text| text.eq_ignore_ascii_case(b"xn--"));
    let is_escape = |(at, _): (usize, &str)| {
        authority.as_bytes().get(at + 1).is_some_and(|digit| !digit.is_ascii_digit() || *digit > b'7')
    };
    !authority.is_ascii() || (0..authority.len()).any(is_code) || authority.match_indices('%').any(is_escape)
}

/// Returns why a run rejects its input.
fn failure(run: &Run) -> Outcome {
    let Err(rejected) = &run.outcome else { return Outcome::Failure(String::new()) };
    match run.is_known {
        true => Outcome::Failure(format!("{}: {}", rejected.step, rejected.why)),
        false => Outcome::Skipped(format!("not known: {}", rejected.why)),
    }
}

/// Returns the links between two sides; `None` if there are none. `standards` are the implementations of the URL Standard that they run.
///
/// The side with the lesser one of `places` is always the first one of the search, so that both directions find the same links.
fn linked(
    [one, other]: [&dyn Runner; 2],
    places: [impl Ord; 2],
    standards: [Option<Implementation>; 2],
    pair: (&str, &str),
) -> Option<Vec<Link>> {
    let [from, to] = &places;
    if from > to {
        let [from, to] = places;
        let [left, right] = standards;
        let links = linked([other, one], [to, from], [right, left], pair)?;
        return Some(links.into_iter().map(Link::reversed).collect());
    }
    let mut links = chain([one, other]);
    if let [Some(from), Some(to)] = &standards {
        links.iter_mut().for_each(|link| link.change = change_between(link, [from, to], pair));
    }
    Some(links).filter(|links| !links.is_empty())
}

/// Returns the change of the Standard that alone gives the first side of a link the other side's value. Steps of both sides can be the same,
/// and only what they use, such as a set of characters, has changed.
fn change_between(
    link: &Link,
    [from, to]: [&Implementation; 2],
    (base, reference): (&str, &str),
) -> Option<&'static str> {
    let changes = from.landed.difference(to.landed).chain(to.landed.difference(from.landed));
    let decides = |change: &&whatwg::Change| {
        let landed = if from.landed.contains(change) { from.landed.without(change) } else { from.landed.with(change) };
        let changed = Implementation { landed, own: from.own.clone() };
        let (resolution, slots) = changed.resolve_slots(base, reference, Slots::recording(Vec::new()));
        let is_rejected = link.rejected[1].is_some();
        *slots.value(link.slot) == link.values[1] && resolution.is_err() == is_rejected
    };
    changes.into_iter().find(decides).map(|change| change.commit)
}

/// Whose steps a side of a link has.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A specification.
    Specification(Specification),
    /// An engine.
    Engine(&'a Stepped),
    /// An engine whose steps are not known, and a specification that has its result.
    Like(Specification),
    /// An engine whose steps are not known. No specification that writes slots has its result.
    Observed,
}

impl Source<'_> {
    /// Returns the id of the specification, or the name and the version of the engine.
    pub fn title(&self) -> String {
        match self {
            Self::Specification(own) | Self::Like(own) => own.id.to_owned(),
            Self::Engine(own) => format!("{} {}", own.table.engine, own.version),
            Self::Observed => "observed".to_owned(),
        }
    }

    /// Returns the place of the side in the order in which two sides are compared: specifications by their dates, and then engines.
    fn place(&self) -> (u8, (&str, usize, &str)) {
        let of = |own: &Specification| Specification::all().iter().position(|it| it.id == own.id).unwrap_or_default();
        match self {
            Self::Specification(own) => (0, ("", of(own), own.id)),
            Self::Like(own) => (1, ("", of(own), own.id)),
            Self::Engine(own) => (2, own.place()),
            Self::Observed => (3, ("", 0, "")),
        }
    }

    /// Returns which of the texts the grammar of the specification excludes; see [`Specification::excludes`].
    fn excludes(&self, base: &str, reference: &str) -> Option<&'static str> {
        match self {
            Self::Specification(own) | Self::Like(own) => own.excludes(base, reference),
            Self::Engine(_) | Self::Observed => None,
        }
    }

    /// Returns the implementation of the URL Standard that the side runs.
    fn standard(&self) -> Option<Implementation> {
        match self {
            Self::Specification(own) | Self::Like(own) => whatwg::changes_of(own.revision).map(Implementation::new),
            Self::Engine(own) => own.standard(),
            Self::Observed => None,
        }
    }

    /// Returns whether the steps have the result `outcome`.
    pub fn has(&self, pair: (&str, &str), outcome: &Outcome) -> bool {
        match self {
            Self::Engine(own) => own.predicts(pair, outcome),
            Self::Specification(own) | Self::Like(own) => {
                let is_answer = matches!(outcome, Outcome::Url(_) | Outcome::Failure(_));
                is_answer && own.resolve(pair.0, pair.1).url() == outcome.url()
            }
            Self::Observed => false,
        }
    }

    /// Resolves a pair and records the slots; `None` if the algorithm does not write slots.
    pub fn record(&self, pair: (&str, &str)) -> Option<Run> {
        match self {
            Self::Specification(own) | Self::Like(own) => {
                own.revision.writes_slots.then(|| RevisionRun { revision: own.revision, pair }.run(&[]))
            }
            Self::Engine(own) => own.resolves().then(|| own.run(Question::Resolve, pair).run(&[])),
            Self::Observed => None,
        }
    }

    /// Returns the label of a step as it is shown: that of the dated text for a state of the URL Standard.
    pub fn label(&self, label: &'static str) -> &'static str {
        match self {
            Self::Specification(own) | Self::Like(own) => whatwg::place_in(own.revision, label).label,
            Self::Engine(_) | Self::Observed => label,
        }
    }

    /// Returns the result of a run, with the label of the step that rejects.
    pub fn outcome(&self, run: &Run) -> Outcome {
        match &run.outcome {
            Ok(url) => Outcome::Url(url.clone()),
            Err(rejected) => Outcome::Failure(format!("{}: {}", self.label(rejected.step), rejected.why)),
        }
    }

    /// Returns where `steps` are found: the sections and the date of a specification, or the engine's version.
    fn cite(&self, steps: &[&StepText]) -> String {
        match self {
            Self::Specification(own) => format!("{}, {}", place(own, steps), own.revision.date),
            Self::Engine(own) => {
                let (of_standard, others): (Vec<&StepText>, Vec<&StepText>) =
                    steps.iter().copied().partition(|step| own.is_of_standard(step));
                let mut cited = format!("{} {}", own.table.engine, own.version);
                if !of_standard.is_empty() {
                    let sections = listed(of_standard.iter().map(|step| standard_section(whatwg::NEWEST, step.label)));
                    cited = format!("URL Standard {sections}, followed by {cited}");
                }
                let known = others.iter().filter(|step| ***step != UNKNOWN);
                known.for_each(|step| cited.extend([", ", step.label]));
                cited
            }
            Self::Like(own) => format!("as {} would", Self::Specification(*own).cite(steps)),
            Self::Observed => "observed".to_owned(),
        }
    }
}

/// Returns a specification with the sections of `steps`.
fn place(specification: &Specification, steps: &[&StepText]) -> String {
    let sections = match steps {
        [] => reading_section(specification),
        steps => listed(steps.iter().map(|step| section(specification, step.label))),
    };
    format!("{} {sections}", specification.cite)
}

/// Returns sections with steps as a list, in which no step is repeated, nor the same section as before.
fn listed(sections: impl Iterator<Item = String>) -> String {
    let (mut list, mut before) = (String::new(), String::new());
    let mut places: Vec<String> = Vec::new();
    for place in sections {
        if places.contains(&place) {
            continue;
        }
        places.push(place.clone());
        let section = place.split_inclusive(' ').next().unwrap_or_default();
        let is_section = section.starts_with('§') || section == "rule ";
        let repeated = if section == before && is_section && section.len() < place.len() { section.len() } else { 0 };
        if !list.is_empty() {
            list.push_str(", ");
        }
        list.push_str(&place[repeated..]);
        before = section.to_owned();
    }
    list
}

/// Returns where a specification says how a reference is read. None of its steps cleans the text.
fn reading_section(specification: &Specification) -> String {
    let section = match specification.id {
        _ if is_url_standard(specification.revision) => {
            return format!("§{}", whatwg::place_in(specification.revision, "basic 1").section);
        }
        "rfc1630" => "Partial form",
        "appendix-b-1994" => "rule 1",
        "rfc1808" => "§2.4",
        "draft-1996" => "§7.4",
        "rfc2396" => "§5.2 step 1",
        _ => "§5.2.2",
    };
    section.to_owned()
}

/// Returns a step as its specification is cited.
fn section(specification: &Specification, label: &str) -> String {
    let is_parsed = specification.revision.parse_steps().iter().any(|step| step.label == label);
    match specification.id {
        _ if is_url_standard(specification.revision) => standard_section(specification.revision, label),
        "rfc1630" if is_parsed => format!("BNF, {label}"),
        "rfc1630" => format!("Partial form, {label}"),
        "appendix-b-1994" if is_parsed => format!("({label})"),
        "appendix-b-1994" => format!("rule {label}"),
        "rfc1808" if !is_parsed => format!("§4 step {label}"),
        "draft-1996" if !is_parsed => format!("§9 step {label}"),
        "rfc2396" if !is_parsed => format!("§5.2 step {label}"),
        _ => format!("§{label}"),
    }
}

/// Returns a step of the URL Standard as the text of `revision` has it.
fn standard_section(revision: &Revision, label: &str) -> String {
    whatwg::place_in(revision, label).to_string()
}

/// Returns a note on a link by which two sides part for `pair`.
pub fn note(link: &Link, sources: [Source<'_>; 2], pair: (&str, &str)) -> Note {
    let [from, to] = [0, 1].map(|side| statement(link, side, sources[side], pair));
    let what = if link.follows { "With this equal, what" } else { "What" };
    let question = match link.slot {
        Slot::Used => format!("{what} does the base give?"),
        slot => {
            let verb = if slot.part() == Some(Part::Params) { "are" } else { "is" };
            let division = if link.is_division { " The same text is divided otherwise." } else { "" };
            format!("{what} {verb} {slot}?{division}")
        }
    };
    let name = link.slot.part().map_or("steps", |part| part.name()).to_owned();
    let change = link.change.and_then(whatwg::Change::by_commit);
    let change = change.map_or_else(String::new, |it| {
        format!("changed by URL Standard {} of {}: {}", it.commit, it.date, it.sentence)
    });
    Note { name, question, from, to, change, permitted: String::new() }
}

/// Returns the specifications, oldest first, without the part of RFC 3986 that is not strict: what it permits is not another revision.
fn revisions() -> Vec<Specification> {
    Specification::all().into_iter().filter(|it| it.id != "rfc3986-nonstrict").collect()
}

/// Returns the place of `specification` among `all`; that of RFC 3986 if it is the part of it that is not strict.
fn position(all: &[Specification], specification: &Specification) -> usize {
    all.iter()
        .position(|it| it.cite == specification.cite && (!it.is_url_standard() || it.id == specification.id))
        .unwrap_or_default()
}

/// Returns for each of `links`, by which `specification` and an engine part, how the specifications changed: the first later one that has the
/// engine's value, and the last earlier one. Empty where none has it.
pub fn changes(specification: &Specification, links: &[Link], pair: (&str, &str)) -> Vec<String> {
    let all = revisions();
    let own = position(&all, specification);
    let first = nearest_alike(specification, all[own + 1..].iter(), links, pair);
    let last = nearest_alike(specification, all[..own].iter().rev(), links, pair);
    let change = |(last, first): (Option<Alike>, Option<Alike>)| match (last, first) {
        (None, None) => String::new(),
        (None, Some(first)) => format!("as {}", first.first(pair)),
        (Some(last), None) => format!("as in {}", last.cited()),
        (Some(last), Some(first)) => {
            format!("as in {}, and again {}", last.cited(), first.first(pair).trim_start_matches("first "))
        }
    };
    last.into_iter().zip(first).map(change).collect()
}

/// Returns for each of `links`, by which two specifications part, the first one between them that has the value of the newer one. Empty where
/// only the newer one has it.
pub fn changes_between(sides: [&Specification; 2], links: &[Link], pair: (&str, &str)) -> Vec<String> {
    let all = revisions();
    let [left, right] = sides.map(|own| position(&all, own));
    let (older, newer) = (left.min(right), left.max(right));
    let reverse = |link: &Link| if left > right { link.clone().reversed() } else { link.clone() };
    let links: Vec<Link> = links.iter().map(reverse).collect();
    let between = all.get(older + 1..newer).unwrap_or_default();
    let first = nearest_alike(&all[older], between.iter(), &links, pair);
    let change = |first: Alike| format!("as {}", first.first(pair));
    first.into_iter().map(|first| first.map(change).unwrap_or_default()).collect()
}

/// A specification that has the value of the engine's side of a link.
struct Alike {
    specification: Specification,
    /// The specification with the sections of the steps.
    place: String,
    /// The slot in which it has the value.
    slot: Slot,
}

impl Alike {
    /// Returns the specification as it is cited.
    fn cited(&self) -> String {
        format!("{}, {}", self.place, self.specification.revision.date)
    }

    /// Returns the specification as the first one that has the value: a state of the URL Standard by its own text, with the day of the change
    /// that led to it. The texts before the first state are not known here.
    fn first(&self, (base, reference): (&str, &str)) -> String {
        // The Standard removes dot segments while it writes a path.
        let slot = if self.slot == Slot::NoDots { Slot::Out(Part::Path) } else { self.slot };
        // How a text is read does not depend on a later step that rejects it.
        let is_read = is_read(slot);
        let record = |landed: ChangeSet| {
            let slots = Slots::recording(Vec::new());
            let (resolution, slots) = Implementation::new(landed).resolve_slots(base, reference, slots);
            (slots.value(slot).clone(), is_read || resolution.is_ok())
        };
        let result =
            |landed: ChangeSet| Implementation::new(landed).resolve(base, reference).map(|target| target.url).ok();
        // The state before may have the same result by another step.
        let has_new_result = || dated::introduced(self.specification.revision, result).is_some();
        match dated::introduced(self.specification.revision, record) {
            Some(Introduced::By(_)) if !has_new_result() => format!("in {}", self.cited()),
            Some(Introduced::By(change)) => {
                format!("first in {}, since {} ({})", self.cited(), dated::day(change.date), change.commit)
            }
            Some(Introduced::Before) => format!("first in {} or earlier", self.cited()),
            None if self.specification.is_url_standard() => format!("in {}", self.cited()),
            None => format!("first in {}", self.cited()),
        }
    }
}

/// Returns for each of `links` the first of `others` that has the value of the engine's side.
fn nearest_alike<'a>(
    specification: &Specification,
    others: impl Iterator<Item = &'a Specification>,
    links: &[Link],
    pair: (&str, &str),
) -> Vec<Option<Alike>> {
    let mut found: Vec<Option<Alike>> = links.iter().map(|_| None).collect();
    for other in others {
        let open = |at: &usize| found[*at].is_none() && links[*at].change.is_none();
        let open: Vec<usize> = (0..links.len()).filter(open).collect();
        if open.is_empty() {
            break;
        }
        let sides = [specification, other].map(|it| Source::Specification(*it));
        let any = Outcome::Skipped(String::new());
        let others = parting(sides, pair, [&any, &any]).unwrap_or_default();
        let run = OnceCell::new();
        for at in open {
            let link = &links[at];
            let alike = |steps: &[&StepText], slot| Alike { specification: *other, place: place(other, steps), slot };
            if let Some(other) = others.iter().find(|other| is_alike(link, other)) {
                found[at] = Some(alike(&acting(other, 1), other.slot));
            } else if let Some(run) = run.get_or_init(|| sides[1].record(pair)) {
                found[at] = holds(run, link).map(|step| alike(&[&step], link.slot));
            }
        }
    }
    found
}

/// Returns whether the second sides of two links with the same first side do the same. A path without dot segments is the target's path, too,
/// for specifications that remove these segments while they write it. Of what the base gives, only that counts in which the sides differ.
fn is_alike(own: &Link, other: &Link) -> bool {
    let are_rejections_alike = own.rejected[1].is_some() == other.rejected[1].is_some();
    if own.slot == Slot::Used && other.slot == Slot::Used {
        return are_rejections_alike && gives_as(own, &other.values[1]);
    }
    let slots = [own.slot, other.slot];
    let is_resolved = |slot: &Slot| matches!(slot, Slot::NoDots | Slot::Out(Part::Path));
    let same_slot = own.slot == other.slot || slots.iter().all(is_resolved);
    same_slot && own.values[1] == other.values[1] && are_rejections_alike
}

/// Returns whether a base of which `used` is taken gives what the second side of `link` takes, as far as its sides differ. A path and its folder
/// are never the same.
fn gives_as(link: &Link, used: &Value) -> bool {
    let [left, right, used] = [&link.values[0], &link.values[1], used].map(words);
    let mut parts = left.symmetric_difference(&right).copied().chain(["path", "folder"]);
    parts.all(|part| right.contains(part) == used.contains(part)) && (right.is_empty() || !used.is_empty())
}

/// Returns whether a slot is a text or a component as it is read, before the target is computed.
fn is_read(slot: Slot) -> bool {
    matches!(slot, Slot::Base(_) | Slot::Ref(_))
}

/// Returns the step that gave the slot of `link` the value of the second side, if `run` has this value there, and no side rejects it: the one that
/// rewrote it last, or else the one that left it as it is.
fn holds(run: &Run, link: &Link) -> Option<StepText> {
    let own = run.slots.value(link.slot);
    let is_equal = match link.slot {
        Slot::Used => gives_as(link, own),
        _ => *own == link.values[1] && link.values[1] != Value::Unread,
    };
    let is_accepted = (is_read(link.slot) || run.outcome.is_ok()) && link.rejected == [None, None];
    let rewritten =
        run.slots.history(link.slot).iter().skip(1).next_back().and_then(|write| write.steps.last().copied());
    let label = rewritten.or_else(|| run.slots.left_by(link.slot));
    let label = label.filter(|label| is_equal && is_accepted && !label.is_empty())?;
    Some(run.text_of(label))
}

/// Returns the steps of a side that a note describes and cites: those that do something, as `otherwise:` does not, or the one that left the value
/// as it is.
fn acting(link: &Link, side: usize) -> Vec<&StepText> {
    let steps = &link.steps[side];
    let acts: Vec<&StepText> = steps.iter().filter(|step| !step.text.ends_with(':')).collect();
    match (acts.is_empty(), steps.is_empty()) {
        (false, _) => acts,
        (true, false) => steps.iter().collect(),
        (true, true) => link.left_by[side].iter().collect(),
    }
}

fn statement(link: &Link, side: usize, source: Source<'_>, (base, reference): (&str, &str)) -> Statement {
    let steps = &link.steps[side];
    // A side that does not use the slot has no step for it.
    if link.values[side] == Value::Unread && link.rejected[side].is_none() {
        let last = link.left_by[side].as_ref().filter(|step| !step.text.is_empty());
        let note = match (source, link.part_of[side], last) {
            (Source::Observed, ..) => "accepted".to_owned(),
            (_, Some(whole), Some(step)) => format!("part of the {}: {}", whole.name(), sentence(step)),
            (_, _, Some(step)) => format!("{}, up to the last step: {}", link.side(side), sentence(step)),
            (_, _, None) => link.side(side),
        };
        return Statement { note, source: source.cite(last.as_slice()) };
    }
    let acts = acting(link, side);
    let sentence = match (steps.is_empty(), acts.as_slice()) {
        (true, []) => "as it was given: no step changes it".to_owned(),
        (true, [step, ..]) if link.slot == Slot::Used => sentence(step).to_owned(),
        (true, [step, ..]) if link.values[0] == link.values[1] => match source.excludes(base, reference) {
            Some(what) => format!("not checked: {}; but the grammar excludes {what}", sentence(step)),
            None => format!("not rejected: {}", sentence(step)),
        },
        (true, [step, ..]) if link.is_kept[side] => format!("left as it is by the step: {}", sentence(step)),
        (true, [step, ..]) => sentence(step).to_owned(),
        (false, acts) => {
            let stated = acts.iter().copied().map(sentence).collect::<Vec<_>>().join("; ");
            // A step that would take less of the base by the steps that it begins, and did not begin them.
            let is_condition = acts.iter().all(|step| step.text.ends_with(':'));
            if is_condition && link.slot == Slot::Used { format!("this does not apply: {stated}") } else { stated }
        }
    };
    let note = format!("{}: {sentence}", visible(&link.side(side)));
    // A specification is cited by the section that divides a text.
    let reader = link.read_by[side].iter().filter(|_| acts.is_empty() && matches!(source, Source::Engine(_)));
    let cited: Vec<&StepText> = acts.iter().copied().chain(reader).collect();
    Statement { note, source: source.cite(&cited) }
}

/// Returns what a step does, without the colon of a step that begins other ones.
fn sentence(step: &StepText) -> &'static str {
    step.text.trim_end_matches(':')
}

/// Returns the labels of the steps of a side of `link`: those that wrote its value, or the one that left it as it is.
pub fn labels(link: &Link, side: usize) -> impl Iterator<Item = &'static str> {
    let left_by = link.left_by[side].iter().filter(move |_| link.steps[side].is_empty());
    link.steps[side].iter().chain(left_by).map(|step| step.label)
}

/// Returns the steps of [`deciding_steps`] as a sentence with its source; `None` if there are none.
pub fn deciding(specification: &Specification, pair: (&str, &str)) -> Option<Statement> {
    let steps = deciding_steps(specification, pair);
    let steps: Vec<&StepText> = steps.iter().collect();
    let note = steps.iter().copied().map(sentence).collect::<Vec<_>>().join("; ");
    let source = Source::Specification(*specification).cite(&steps);
    Some(Statement { note, source }).filter(|found| !found.note.is_empty())
}

/// Returns the steps of a specification that decide on the target of a pair: those that name what the base gives, remove dot segments, and
/// rewrite the target. None if it rejects the pair, or does not write slots.
pub fn deciding_steps(specification: &Specification, pair: (&str, &str)) -> Vec<StepText> {
    let run = Source::Specification(*specification).record(pair).filter(|run| run.outcome.is_ok());
    let Some(run) = run else { return Vec::new() };
    let given = run.slots.history(Slot::Used).iter();
    let removed =
        run.slots.history(Slot::NoDots).iter().filter(|write| !run.slots.history(Slot::Merged).contains(write));
    let read = |part: Part| [Slot::Base(part), Slot::Ref(part)].map(|slot| run.slots.history(slot).to_vec()).concat();
    let written = Part::COMPONENTS.into_iter().flat_map(|part| {
        let known = [read(part), run.slots.history(Slot::Merged).to_vec()].concat();
        run.slots.history(Slot::Out(part)).iter().filter(move |write| !known.contains(write)).collect::<Vec<_>>()
    });
    let mut steps: Vec<StepText> = Vec::new();
    for label in given.chain(removed).chain(written).flat_map(|write| &write.steps) {
        let step = run.text_of(label);
        if !step.text.is_empty() && !step.text.ends_with(':') && !steps.contains(&step) {
            steps.push(step);
        }
    }
    steps
}

/// Returns a name that all differences with these links share.
pub fn key(links: &[Link]) -> String {
    let side = |link: &Link, side: usize| match labels(link, side).collect::<Vec<_>>().as_slice() {
        [] => "as given".to_owned(),
        labels => labels.join(", "),
    };
    let one = |link: &Link| format!("{}: {} | {}", link.slot, side(link, 0), side(link, 1));
    links.iter().map(one).collect::<Vec<_>>().join(" + ")
}
