//! The hosts that specifications and engines state for one URL, those to which clients connect, and those of the URL to which it resolves.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter, Write};

use serde::Serialize;
use urlstrata::revision;

use super::brief::SHOWN;
use super::text::{LOCATION, by_use, write_location_table};
use crate::engine::locate::{
    HostAnswer, Locator, NEUTRAL_BASE, NO_CONNECTION, REJECTED, Sight, StatedBy, Statement, Visit,
};
use crate::engine::statement::redirect;
use crate::engine::{Engine, Source, ask};
use crate::escape::visible;
use crate::knowledge::dated::ranges;
use crate::knowledge::note::Note;
use crate::knowledge::specification::Specification;
use crate::knowledge::stepped::{StatingPair, resolution_notes};
use crate::layout::Layout;
use crate::outcome::Outcome;
use crate::outcome::location::Location;
use crate::pairs::asked::scheme;
use crate::plural::counted;
use crate::protocol::Op;
use crate::world::{BaseRate, UnstatedNote, World};

/// What each specification and engine states about a URL, where each client connects, and the host of the URL to which the others
/// resolve it.
///
/// These are three questions, and none answers another.
#[derive(Clone, Debug, Serialize)]
pub struct Hosts {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The URL or reference.
    pub url: String,
    /// The distinct locations that the components of the text `url` state, the most frequent one first; rejections follow. Empty if
    /// there is a base: then a result is asked for, not the text.
    pub stated: Vec<HostGroup>,
    /// The distinct hosts and ports to which clients connect for `url`, or to which they go if the response to the base redirects to it.
    pub connected: Vec<HostGroup>,
    /// The distinct locations of the result of resolving `url`, in the same order. Without a base, only those that do not state
    /// components are asked to resolve.
    pub resolved: Vec<HostGroup>,
    /// The specifications whose grammar excludes the text. Their locations are where the text would be divided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded_by: Vec<&'static str>,
    /// Those without an answer to the question: the recording of an engine does not contain the URL or the pair, and its behaviour is
    /// not reliable enough to predict the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_asked: Vec<String>,
    /// Why two named engines give different schemes, hosts or ports, if their steps answer the question that both were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<HostCause>,
    /// How far the predicted results of named engines without steps are to be trusted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<PredictedHost>,
    /// The recorded engines that were named and that others than their own projects built, with the platform.
    #[serde(skip)]
    builds: Vec<String>,
}

/// The predicted result of a behaviour: how well it predicts others like it.
#[derive(Clone, Debug, Serialize)]
pub struct PredictedHost {
    /// The name and version of the engine.
    pub engine: String,
    /// How many held-out pairs with a base of the same class the behaviour predicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<BaseRate>,
    /// What the engine does with pairs of the same class that its behaviour does not state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unstated: Vec<UnstatedNote>,
}

/// Why two engines state different components, or resolve differently.
#[derive(Clone, Debug, Serialize)]
pub struct HostCause {
    /// The name and version of the first and of the second side of each note.
    pub sides: [String; 2],
    /// A note on each slot in which they part.
    pub notes: Vec<Note>,
}

/// Those that give the same scheme, host and port.
#[derive(Clone, Debug, Serialize)]
pub struct HostGroup {
    /// The scheme, host and port; `None` for an answer without them.
    pub location: Option<Location>,
    /// What happened instead: `rejected`, `no connection`, `a crash`, `no answer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// What clients tell the server other than this host and port, in words; empty for other questions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sends: Vec<String>,
    /// The specifications and engines.
    pub by: Vec<Observer>,
}

impl HostGroup {
    /// Returns whether its members returned an answer: components, a URL, or a rejection.
    fn is_answered(&self) -> bool {
        matches!(self.why, None | Some(REJECTED | NO_CONNECTION))
    }

    /// Adds `observer`, which was asked `op`, to the one of `groups` with the same answer, or to a new one.
    pub(super) fn add(groups: &mut Vec<Self>, observer: Observer, op: Op) {
        let (location, why) = observer.answer.location();
        let location = location.cloned();
        let sends = match &observer.answer {
            HostAnswer::Connected(visit) if visit.source == Source::Predicted && visit.part("host").is_some() => {
                vec!["not predicted".to_owned()]
            }
            HostAnswer::Connected(visit) => {
                let hidden = visit.is_hidden().then(|| "the request in TLS is not seen".to_owned());
                visit.sends(op).into_iter().chain(hidden).collect()
            }
            _ => Vec::new(),
        };
        let is_alike = |group: &&mut Self| group.location == location && group.why == why && group.sends == sends;
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.by.push(observer),
            None => groups.push(Self { location, why, sends, by: vec![observer] }),
        }
    }

    /// Sorts `groups`: the most frequent location first, and those without a location last.
    pub(super) fn sort(groups: &mut [Self]) {
        groups.sort_by_key(|group| (group.location.is_none(), std::cmp::Reverse(group.by.len())));
    }

    /// Returns the columns of a table: the scheme, the host and the port, or what happened instead.
    pub(super) fn columns(&self) -> [String; 3] {
        let instead = || [self.why.unwrap_or_default().to_owned(), String::new(), String::new()];
        self.location.as_ref().map_or_else(instead, Location::columns)
    }

    /// Returns the columns of a table of connections: the host and the port, or what happened instead, and what is sent.
    pub(super) fn connection(&self) -> [String; 3] {
        let [_, host, port] = self.location.as_ref().map(Location::columns).unwrap_or_default();
        [self.why.map_or(host, str::to_owned), port, self.sends.join(", ")]
    }
}

/// A specification or an engine, and what it answered.
#[derive(Clone, Debug, Serialize)]
pub struct Observer {
    /// The id of the specification, or the name of the engine.
    pub name: String,
    /// The version of the engine; empty for a specification.
    pub version: String,
    /// The platform on which the version was recorded, and who built it if that is not its own project; `None` if it is not known,
    /// or if the engine was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_on: Option<String>,
    /// The URL with which the engine joins the text, if it does not state anything about the text alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_base: Option<String>,
    /// The answer.
    #[serde(flatten)]
    pub answer: HostAnswer,
}

impl Hosts {
    /// Returns whether all answers have the same scheme, host and port, and clients connect to the host and the port that are stated.
    ///
    /// Hosts are compared in one notation, [`Location::in_one_notation`]. Answers to different questions are never equal: if some
    /// state components or connect, and others only resolve, they do not agree.
    pub fn agree(&self) -> bool {
        let answered = |groups: &[HostGroup]| -> BTreeSet<Option<Location>> {
            let groups = groups.iter().filter(|group| group.is_answered());
            groups.map(|group| group.location.as_ref().map(Location::in_one_notation)).collect()
        };
        // A name server is asked without the last dot of a name, and a connection has no scheme.
        let connected = |location: Option<Location>| {
            location.map(|it| {
                let host = it.host.map(|host| host.strip_suffix('.').map(str::to_owned).unwrap_or(host));
                (host, it.port)
            })
        };
        let (stated, visited) = (answered(&self.stated), answered(&self.connected));
        let both: BTreeSet<_> = stated.iter().chain(&visited).cloned().map(connected).collect();
        let is_one = visited.is_empty() || both.len() <= 1;
        stated.len() <= 1 && is_one && answered(&self.resolved).len() <= 1
    }

    /// Returns the titles of those that did not answer. If some of the others state components, an engine that only resolves has not
    /// answered either.
    pub fn unanswered(&self) -> Vec<String> {
        let all = self.groups().filter(|group| !group.is_answered());
        let silent = all.flat_map(|group| &group.by).map(Observer::title);
        let is_mixed = !self.base.is_empty() || self.stated.is_empty() && self.connected.is_empty();
        let only_resolved = self.resolved.iter().filter(|group| !is_mixed && group.is_answered());
        let only_resolved = only_resolved.flat_map(|group| &group.by);
        let only_resolved = only_resolved.map(|it| format!("{} (it only resolves)", it.title()));
        silent.chain(only_resolved).chain(self.not_asked.iter().cloned()).collect()
    }
}

/// Finds the hosts that the same specifications and engines give for several URLs.
pub struct HostFinder<'w> {
    world: &'w World,
    specifications: Vec<Specification>,
    engines: Vec<Locator<'w>>,
    others: Vec<Locator<'w>>,
}

impl<'w> HostFinder<'w> {
    /// Creates a finder that asks `specifications` and the engines of `world`.
    pub fn new(world: &'w World, specifications: Vec<Specification>) -> Self {
        let locators = |engines: &'w [Box<dyn Engine>]| engines.iter().map(|it| Locator::new(it.as_ref())).collect();
        Self { world, specifications, engines: locators(&world.engines), others: locators(&world.others) }
    }

    /// Returns what is stated about `url` if `base` is empty, and the hosts of the results of resolving `url` against `base`
    /// otherwise.
    pub fn find(&self, base: &str, url: &str) -> Hosts {
        let (stated, connected, resolved, not_asked) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (base_text, url_text, builds) = (base.to_owned(), url.to_owned(), Vec::new());
        let excludes = |it: &&Specification| base.is_empty() && it.excludes(base, url).is_some();
        let excluded_by = self.specifications.iter().filter(excludes).map(|it| it.id).collect();
        let mut hosts = Hosts {
            base: base_text,
            url: url_text,
            stated,
            connected,
            resolved,
            excluded_by,
            not_asked,
            cause: None,
            predictions: Vec::new(),
            builds,
        };
        for specification in &self.specifications {
            let answer = match base {
                "" => HostAnswer::Stated(Statement::of_revision(specification.revision, url)),
                _ => HostAnswer::Resolved(Sight::of_result(specification.resolve(base, url))),
            };
            hosts.add(Observer {
                name: specification.id.to_owned(),
                version: String::new(),
                recorded_on: None,
                own_base: None,
                answer,
            });
        }
        for locator in &self.engines {
            hosts.ask(locator, true, self.world);
            hosts.note_build(locator.engine(), self.world);
        }
        for locator in &self.others {
            hosts.ask(locator, false, self.world);
        }
        [&mut hosts.stated, &mut hosts.connected, &mut hosts.resolved].into_iter().for_each(|it| HostGroup::sort(it));
        hosts.cause = if hosts.agree() { None } else { self.cause(&hosts) };
        hosts
    }
}

impl HostFinder<'_> {
    /// Returns why the two named engines differ, if there are two, and the steps of both answer what both were asked.
    fn cause(&self, hosts: &Hosts) -> Option<HostCause> {
        let [one, other] = self.engines.as_slice() else { return None };
        let engines = [one, other].map(Locator::engine);
        let [one, other] = engines.map(|engine| self.world.steps_of(engine));
        let (one, other) = (one?, other?);
        let notes = match hosts {
            Hosts { base, .. } if !base.is_empty() && !engines.iter().all(|engine| engine.visits(Op::Follow)) => {
                let [own, returned] = engines.map(|engine| ask(engine, base, &hosts.url));
                resolution_notes(&one, &other, (base, &hosts.url), [&own, &returned])
            }
            _ => {
                let (url, ops) = match hosts.base.is_empty() {
                    // A library that also connects is asked what it states.
                    true => (hosts.url.clone(), engines.map(|it| if it.states() { Op::Parse } else { Op::Connect })),
                    false => (redirect(&hosts.base, &hosts.url), [Op::Follow; 2]),
                };
                let groups = |op| if op == Op::Parse { &hosts.stated } else { &hosts.connected };
                let answer = |side: usize| {
                    let title = format!("{} {}", engines[side].name(), engines[side].version());
                    let found =
                        groups(ops[side]).iter().flat_map(|group| &group.by).find(|by| by.title() == title.trim_end());
                    found.map(|by| by.answer.components())
                };
                let (own, returned) = (answer(0)?, answer(1)?);
                StatingPair::asked([Some(one), Some(other)], ops)?.notes(&url, [&own, &returned])
            }
        };
        let sides = engines.map(|engine| format!("{} {}", engine.name(), engine.version()));
        (!notes.is_empty()).then_some(HostCause { sides, notes })
    }
}

impl Hosts {
    /// Returns the answers to all questions.
    fn groups(&self) -> impl Iterator<Item = &HostGroup> {
        self.stated.iter().chain(&self.connected).chain(&self.resolved)
    }

    /// Notes who built a recorded engine, if that is not its own project.
    fn note_build(&mut self, engine: &dyn Engine, world: &World) {
        let platform = world.recorded_on(engine).filter(|platform| platform.contains(BUILT_BY));
        self.builds.extend(platform.map(|platform| format!("{} {}: {platform}", engine.name(), engine.version())));
    }

    /// Writes the platforms of recordings, if the answers can depend on them: those about file URLs, and those of engines that others
    /// built.
    fn write_platforms(&self, f: &mut String) -> fmt::Result {
        let is_of_file = |text: &str| scheme(text).as_deref() == Some("file") || has_drive_letter(text);
        if is_of_file(&self.base) || is_of_file(&self.url) {
            let all = self.groups().flat_map(|group| &group.by).filter_map(|by| by.recorded_on.as_deref());
            let platforms: BTreeSet<&str> =
                all.map(|platform| platform.split(BUILT_BY).next().unwrap_or_default()).collect();
            let platforms: Vec<_> = platforms.into_iter().collect();
            if !platforms.is_empty() {
                let names = platforms.join(", ");
                writeln!(
                    f,
                    "  Recorded on {names}: libraries may treat file URLs and drive letters otherwise elsewhere."
                )?;
            }
        }
        self.builds.iter().try_for_each(|build| writeln!(f, "  Recorded build of {build}"))
    }

    /// Writes why those of the tables did not answer.
    fn write_unanswered(&self, f: &mut String) -> fmt::Result {
        let silent = self.groups().filter(|group| group.why == Some("no answer")).flat_map(|group| &group.by);
        let (mut is_not_recorded, mut others) = (false, BTreeMap::<&str, Vec<String>>::new());
        for by in silent {
            match by.answer.instead() {
                Some(Outcome::Skipped(why)) if by.answer.source() != Source::Absent => {
                    others.entry(why).or_default().push(by.title())
                }
                Some(Outcome::Unrepresentable(_)) => {
                    others
                        .entry("it cannot be called with this text, or its answer is not text")
                        .or_default()
                        .push(by.title());
                }
                Some(Outcome::Timeout(_)) => others.entry("it did not answer in time").or_default().push(by.title()),
                _ => is_not_recorded = true,
            }
        }
        for (why, names) in others {
            writeln!(f, "  no answer of {}: {}", names.join(", "), visible(why))?;
        }
        if is_not_recorded && self.not_asked.is_empty() {
            writeln!(f, "  no answer: no recording has it; -e live:NAME asks an installed version")?;
        }
        Ok(())
    }

    /// Asks an engine. The predicted result of an engine that was not named is shown if the prediction is reliable.
    fn ask(&mut self, locator: &Locator<'_>, is_named: bool, world: &World) {
        let engine = locator.engine();
        let observer = |answer| Observer::of(world, engine, answer);
        let states = self.base.is_empty() && engine.states();
        let visits = engine.visits(if self.base.is_empty() { Op::Connect } else { Op::Follow });
        let stated = states.then(|| HostAnswer::Stated(locator.state(&self.url)));
        let visited = visits.then(|| HostAnswer::Connected(locator.visit(&self.base, &self.url)));
        for answer in stated.into_iter().chain(visited) {
            let observer = observer(answer);
            match observer.answer.location() {
                (None, Some("no answer")) if !is_named => self.not_asked.push(observer.title()),
                _ => self.add(observer),
            }
        }
        if states || visits && (self.base.is_empty() || !engine.resolves()) {
            return;
        }
        let sight = locator.locate(&self.base, &self.url);
        let source = sight.source;
        let observer = observer(HostAnswer::Resolved(sight));
        if is_named && source == Source::Predicted && world.steps_of(engine).is_none() {
            let rate = world.base_rate(engine.key(), &self.base);
            let unstated = world.unstated(engine.key(), &self.base, &self.url);
            self.predictions.push(PredictedHost { engine: observer.title(), rate, unstated });
        }
        match is_named || world.is_shown(engine, source, &self.base) {
            true => self.add(observer),
            false if source == Source::Predicted => self.not_asked.push(observer.title()),
            false => {}
        }
    }

    fn add(&mut self, observer: Observer) {
        let groups = match observer.answer {
            HostAnswer::Stated(_) => &mut self.stated,
            HostAnswer::Resolved(_) => &mut self.resolved,
            HostAnswer::Connected(_) => &mut self.connected,
        };
        let op = if self.base.is_empty() { Op::Connect } else { Op::Follow };
        HostGroup::add(groups, observer, op);
    }
}

/// How a text is written: its layout, and the number of engines of a group that are shown.
#[derive(Clone, Copy)]
struct Shown {
    layout: Layout,
    most: usize,
}

/// The text form of [`Hosts`].
pub struct HostText<'a> {
    hosts: &'a Hosts,
    shown: Shown,
}

impl Hosts {
    /// Returns the text form in a layout. Unless `is_whole`, only the best known engines of a group are named.
    pub fn text(&self, layout: Layout, is_whole: bool) -> HostText<'_> {
        HostText { hosts: self, shown: Shown { layout, most: if is_whole { usize::MAX } else { SHOWN } } }
    }
}

impl Display for HostText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.hosts.write(self.shown, &mut text)?;
        f.write_str(&self.shown.layout.refolded(&text))
    }
}

impl Display for Hosts {
    /// Writes the text form with all engines, for lines of names of 118 columns.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(Shown { layout: Layout { width: 118, has_colour: false }, most: usize::MAX }, &mut text)?;
        f.write_str(&text)
    }
}

impl Hosts {
    /// Writes the URL, a table for each question with a line for each location and the names of those that give it, and notes on how
    /// they were asked.
    fn write(&self, shown: Shown, f: &mut String) -> fmt::Result {
        let on = if self.base.is_empty() { String::new() } else { format!(" on {}", visible(&self.base)) };
        writeln!(f, "\n  {}{on}", visible(&self.url))?;
        if !self.stated.is_empty() {
            writeln!(f, "\n  States, about this text:")?;
            write_groups(&self.stated, shown, f)?;
        }
        if !self.connected.is_empty() {
            let asked = if self.base.is_empty() { "Connects to" } else { "Goes to, after a redirect from the base" };
            writeln!(f, "\n  {asked}:")?;
            write_connections(&self.connected, shown, f)?;
        }
        if !self.resolved.is_empty() {
            let only = if self.stated.is_empty() { "" } else { ", and states no components" };
            writeln!(f, "\n  Resolves it to a URL with this host{only}:")?;
            write_groups(&self.resolved, shown, f)?;
        }
        if let Some(HostCause { sides: [one, other], notes }) = &self.cause {
            writeln!(f, "\n  Why they differ, by the steps of their sources:")?;
            notes.iter().try_for_each(|note| f.write_str(&note.lines(one, other)))?;
        }
        writeln!(f)?;
        if !self.excluded_by.is_empty() {
            let names = ranges(self.excluded_by.iter().copied()).join(", ");
            writeln!(f, "  The grammar excludes this text: {names}. Their hosts are where it would be divided.")?;
        }
        if self.connected.is_empty() {
            writeln!(f, "  Where a client connects was not asked.")?;
        }
        let answers = || self.groups().flat_map(|group| &group.by).map(|it| &it.answer);
        let sights =
            || answers().filter_map(|answer| if let HostAnswer::Resolved(sight) = answer { Some(sight) } else { None });
        if sights().any(|it| it.stated_by == StatedBy::Result && it.location.is_some()) {
            writeln!(f, "  The host of a result is found by RFC 3986, unless the engine splits its results itself.")?;
        }
        self.write_platforms(f)?;
        if self.groups().flat_map(|group| &group.by).any(Observer::is_predicted) {
            writeln!(f, "  {PREDICTED}")?;
        }
        for PredictedHost { engine, rate, unstated } in &self.predictions {
            rate.iter().try_for_each(|rate| writeln!(f, "  {engine}: its behaviour {rate}"))?;
            unstated.iter().try_for_each(|note| writeln!(f, "  {}", note.sentence(engine)))?;
        }
        if sights().any(|it| it.has_neutral_base) {
            writeln!(f, "  + requires a base: {NEUTRAL_BASE}")?;
        }
        if !self.not_asked.is_empty() {
            let engines = counted(self.not_asked.len(), "engine was", "engines were");
            writeln!(f, "  {engines} not asked, and no recording has the answer: -e live:NAME asks an installed one")?;
        }
        self.write_unanswered(f)
    }
}

fn write_groups(groups: &[HostGroup], shown: Shown, f: &mut String) -> fmt::Result {
    write_rows(LOCATION, groups, HostGroup::columns, shown, f)
}

/// Writes the hosts and ports to which clients connect, and what they tell the server.
fn write_connections(groups: &[HostGroup], shown: Shown, f: &mut String) -> fmt::Result {
    write_rows(CONNECTION, groups, HostGroup::connection, shown, f)
}

/// What the mark of a predicted answer means.
pub(super) const PREDICTED: &str = "* not asked: the steps or the behaviour of the version predict this";

/// The head of a table of connections.
pub(super) const CONNECTION: [&str; 3] = ["host", "port", "sends"];

fn write_rows(
    head: [&str; 3],
    groups: &[HostGroup],
    columns: fn(&HostGroup) -> [String; 3],
    shown: Shown,
    f: &mut String,
) -> fmt::Result {
    let rows = groups.iter().map(|group| {
        let names: Vec<_> = group.by.iter().map(Observer::marked).collect();
        let mut names = by_use(names.iter().map(String::as_str));
        let is_specification = |name: &&str| revision::by_id(name).is_some();
        let specifications = names.iter().take_while(|name| is_specification(name)).count();
        let others = names.len() - specifications;
        if others > shown.most.saturating_add(1) {
            names.truncate(specifications + shown.most);
        }
        let left_out = specifications + others - names.len();
        let more = (left_out > 0).then(|| format!("and {left_out} others"));
        (columns(group), ranges(names).into_iter().chain(more).collect())
    });
    write_location_table(head, &rows.collect::<Vec<_>>(), &shown.layout, f)
}

/// Returns whether `text` begins with a Windows drive letter.
fn has_drive_letter(text: &str) -> bool {
    match text.as_bytes() {
        [letter, b':' | b'|', b'/' | b'\\', rest @ ..] => letter.is_ascii_alphabetic() && !rest.starts_with(b"/"),
        _ => false,
    }
}

/// Precedes who built a version in the name of a platform.
const BUILT_BY: &str = ", ";

impl Observer {
    /// Returns the answer of `engine`.
    pub(super) fn of(world: &World, engine: &dyn Engine, answer: HostAnswer) -> Self {
        let (name, version) = (engine.name().to_owned(), engine.version().to_owned());
        let (recorded_on, own_base) = (world.recorded_on(engine), world.own_base(engine));
        Self { name, version, recorded_on, own_base, answer }
    }

    /// Returns the name and the version.
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.name, self.version).trim_end().to_owned()
    }

    /// Returns whether the engine was not asked, and the answer is predicted.
    pub(super) fn is_predicted(&self) -> bool {
        match &self.answer {
            HostAnswer::Resolved(sight) => sight.source == Source::Predicted,
            HostAnswer::Stated(Statement { source, instead, .. })
            | HostAnswer::Connected(Visit { source, instead, .. }) => {
                *source == Source::Predicted && !matches!(instead, Some(Outcome::Skipped(_)))
            }
        }
    }

    /// Returns the name and the version with marks, the base of the engine's own, and the verdict of a check.
    pub(super) fn marked(&self) -> String {
        let has_neutral_base = matches!(&self.answer, HostAnswer::Resolved(sight) if sight.has_neutral_base);
        let predicted = if self.is_predicted() { "*" } else { "" };
        let base = if has_neutral_base { "+" } else { "" };
        let verdict = if let HostAnswer::Stated(statement) = &self.answer { statement.verdict() } else { None };
        let verdict = verdict.map_or_else(String::new, |(name, value)| format!(" ({name}: {value})"));
        let joined = self.own_base.iter().map(|base| format!(" (on {base})")).collect::<String>();
        format!("{}{predicted}{base}{joined}{verdict}", self.title())
    }
}
