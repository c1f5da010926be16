//! Engines that resolve references: the reference implementations, the optimized engine under each rule set, crates in
//! this process, and programs that implement the engine protocol.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;
use urlstrata::fast;
use urlstrata::revision::whatwg::{self, ChangeSet};
use urlstrata::revision::{self, Revision};
use urlstrata::rules::{self, Rules};

use crate::names::{nearest, revision_named};
use crate::outcome::{Components, Outcome, Violations};
use crate::protocol::Op;

pub mod description;
pub mod folder;
pub mod installation;
pub mod locate;
mod native;
pub mod panel;
mod process;
mod recorded;
pub mod recording;
mod rows;
mod serve;
mod smoke;
pub mod statement;
mod stored;
pub mod use_order;

pub use process::{Limits, Process};
pub use recorded::{
    PredictedEngine, Prediction, RESOLVES_NOTHING, RecordedEngine, StatementPredictions, damaged_lines,
};
pub use rows::Relation;
pub use serve::{answer_all, serve};
pub use smoke::{PLAIN_BASE, PLAIN_PAIRS, Passed, PlainDeviation, is_plain, smoke};
pub use stored::StoredFile;

/// An engine: an implementation that resolves references and splits URLs into components.
pub trait Engine: Send + Sync {
    /// Returns the name that reports show, such as `ref:rfc1808`, `crate:url`, or the name that a program reports for
    /// itself, such as `urllib.parse`.
    fn name(&self) -> &str;
    /// Returns the key that selects the engine on the command line: its name, or `cmd:` and the command of a program.
    fn key(&self) -> &str {
        self.name()
    }
    /// Returns the version of the engine, or of the library that it calls.
    fn version(&self) -> &str;
    /// Resolves `reference` against `base`. An empty `base` means that the base is unknown.
    fn resolve(&self, base: &str, reference: &str) -> Outcome;
    /// Resolves many pairs in one call, if that is faster than one call for each pair; see [`ask_all`]. The outcomes have
    /// the order of `pairs`.
    fn resolve_all(&self, _pairs: &[Pair<'_>]) -> Option<Vec<Outcome>> {
        None
    }
    /// Returns the components that the engine states for the text `url`, or that it rejects it.
    fn parse(&self, url: &str) -> Components;
    /// Splits many URLs in one call, if that is faster than one call for each; see [`ask_all_parts`].
    fn parse_all(&self, _urls: &[&str]) -> Option<Vec<Components>> {
        None
    }
    /// Returns whether the engine resolves references. A library that only splits URLs does not.
    fn resolves(&self) -> bool {
        true
    }
    /// Returns whether the engine states components. A recorded engine may do so only for the URLs of its panel.
    fn states(&self) -> bool {
        false
    }
    /// Returns whether the engine states components of every URL: it is asked, or its steps predict what it states.
    fn states_every_url(&self) -> bool {
        self.states() && self.panel().is_none()
    }
    /// Returns whether the engine is a client that can be observed: [`Op::Connect`] and [`Op::Follow`] are two questions. A recorded
    /// client answers only the URLs of its panel.
    fn visits(&self, _op: Op) -> bool {
        false
    }
    /// Requests each of `urls`, and returns the parts of what is observed, in their order: where the client connects for
    /// [`Op::Connect`], and where it goes after a redirect for [`Op::Follow`], for which a URL is a [`redirect`](statement::redirect).
    fn visit_all(&self, _op: Op, urls: &[&str]) -> Vec<Components> {
        let skipped = || Err(Outcome::Skipped("unsupported operation: it is not a client".to_owned()));
        urls.iter().map(|_| skipped()).collect()
    }
    /// Checks that the engine can accept requests, and starts it if necessary.
    ///
    /// # Errors
    ///
    /// Returns a sentence with the reason if the engine cannot be started.
    fn ready(&self) -> Result<(), String> {
        Ok(())
    }
    /// Returns the protocol violations of the engine so far. Engines that do not use the engine protocol have none.
    fn violations(&self) -> Violations {
        Violations::default()
    }
    /// Returns whether the engine exists only if a Cargo feature is enabled. Reports omit such engines, so that their
    /// content does not depend on the enabled features.
    fn is_optional(&self) -> bool {
        false
    }
    /// Returns where the outcome for this pair comes from.
    fn source(&self, _base: &str, _reference: &str) -> Source {
        Source::Live
    }
    /// Returns where the answer to `op` about this URL comes from: [`Op::Parse`], [`Op::Connect`] or [`Op::Follow`].
    fn source_of(&self, _op: Op, _url: &str) -> Source {
        Source::Live
    }
    /// Returns the pairs that the engine answers from a recording, if it does.
    fn panel(&self) -> Option<&panel::Panel> {
        None
    }
    /// Returns the rule set if the engine is the optimized engine, and `None` otherwise.
    fn row(&self) -> Option<&Rules> {
        None
    }
    /// Returns the changes of the URL Standard that the engine follows, if it is a state of the Standard with other changes.
    fn landed(&self) -> Option<ChangeSet> {
        None
    }
    /// Returns the revision that the engine implements if it is a reference implementation or the optimized engine with
    /// the unchanged rule set of a revision, and `None` otherwise.
    fn revision(&self) -> Option<&'static Revision> {
        None
    }
}

/// Where the outcome of an engine for a pair comes from.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The engine was asked.
    #[default]
    Live,
    /// The outcome was recorded earlier.
    Recorded,
    /// The steps or the behaviour of the engine predict the outcome.
    Predicted,
    /// The pair was not recorded, and the engine has neither steps nor a behaviour.
    Absent,
    /// The engine does not resolve references, in any version.
    Unable,
}

impl Source {
    /// Returns whether the engine was asked.
    pub fn is_live(&self) -> bool {
        *self == Self::Live
    }
}

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Resolves `reference` against `base` with `engine`, and returns a panic of the engine as [`Outcome::Crash`].
pub fn ask(engine: &dyn Engine, base: &str, reference: &str) -> Outcome {
    caught(|| engine.resolve(base, reference)).unwrap_or_else(|crashed| crashed)
}

/// A base and a reference.
pub type Pair<'a> = (&'a str, &'a str);

/// Resolves each of `pairs` with `engine`, on all cores if it is in this process, and returns the outcomes in the order of
/// `pairs`. A panic of the engine is [`Outcome::Crash`].
pub fn ask_all(engine: &dyn Engine, pairs: &[Pair<'_>]) -> Vec<Outcome> {
    let one = |&(base, reference): &Pair<'_>| ask(engine, base, reference);
    engine.resolve_all(pairs).unwrap_or_else(|| pairs.par_iter().map(one).collect())
}

/// Resolves each of `pairs` with `engine` as [`ask_all`] does, but in this thread, for callers that use all cores themselves.
pub fn ask_each(engine: &dyn Engine, pairs: &[Pair<'_>]) -> Vec<Outcome> {
    let one = |&(base, reference): &Pair<'_>| ask(engine, base, reference);
    engine.resolve_all(pairs).unwrap_or_else(|| pairs.iter().map(one).collect())
}

/// Splits `url` with `engine`, and returns a panic of the engine as [`Outcome::Crash`].
pub fn ask_parts(engine: &dyn Engine, url: &str) -> Components {
    caught(|| engine.parse(url)).and_then(|parts| parts)
}

/// Splits each of `urls` with `engine`, and returns the components in the order of `urls`. A panic of the engine is
/// [`Outcome::Crash`].
pub fn ask_all_parts(engine: &dyn Engine, urls: &[&str]) -> Vec<Components> {
    engine.parse_all(urls).unwrap_or_else(|| urls.par_iter().map(|url| ask_parts(engine, url)).collect())
}

/// Asks a question about each of `urls`: [`Op::Parse`], [`Op::Connect`] or [`Op::Follow`]. Returns the components, or the parts of
/// what was observed, in the order of `urls`.
pub fn ask_urls(engine: &dyn Engine, op: Op, urls: &[&str]) -> Vec<Components> {
    match op {
        Op::Resolve | Op::Parse => ask_all_parts(engine, urls),
        Op::Connect | Op::Follow => engine.visit_all(op, urls),
    }
}

/// Returns whether `engine` answers [`ask_urls`] for `op`.
pub fn answers(engine: &dyn Engine, op: Op) -> bool {
    match op {
        Op::Resolve => engine.resolves(),
        Op::Parse => engine.states(),
        Op::Connect | Op::Follow => engine.visits(op),
    }
}

fn caught<T>(asked: impl FnOnce() -> T) -> Result<T, Outcome> {
    let before = ASKED.replace(true);
    let did = catch_unwind(AssertUnwindSafe(asked));
    ASKED.set(before);
    did.map_err(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Outcome::Crash(message.unwrap_or("a panic").to_owned())
    })
}

/// Returns whether this thread is calling an engine. A panic is then a crash of the engine, not an internal failure.
pub fn is_asked() -> bool {
    ASKED.get()
}

/// The prefix of the key of an engine that is a program.
pub const PROGRAM: &str = "cmd:";

/// Returns every engine in this process: the reference implementations, the optimized engine under each rule set, and
/// the crates, in this order.
pub fn all() -> Vec<Box<dyn Engine>> {
    let references = revision::ALL
        .iter()
        .map(|revision| Box::new(Reference { name: format!("ref:{}", revision.id), revision }) as Box<dyn Engine>);
    let fast = revision::resolving().map(|(revision, rules)| {
        let name = format!("{FAST}{}", revision.id);
        Box::new(Fast { name, revision: Some(revision), rules: *rules }) as Box<dyn Engine>
    });
    references.chain(fast).chain(native::all()).collect()
}

/// Returns the engine called `name`.
///
/// `cmd:COMMAND`, or `NAME=cmd:COMMAND` to choose its name, is a program. The program starts at the first request. Its
/// results are not used until it has passed [`smoke`].
///
/// `ref:whatwg` is the newest state of the URL Standard.
///
/// `whatwg-2022-01+7b40216` is a dated state of the URL Standard with one or more of its later changes, by their commits.
///
/// `fast:REVISION+RULE=SETTING` is the optimized engine under the rule set of a revision with one or more settings
/// changed, such as `fast:rfc3986+dots_in_absolute=Kept`.
///
/// # Errors
///
/// Returns a sentence if no engine has this name, or if the command, a rule or a setting is invalid.
pub fn by_name(name: &str) -> Result<Box<dyn Engine>, String> {
    if let Some((given, command)) = program(name) {
        return Ok(Box::new(Process::new(command)?.named(given)));
    }
    if let Some((engine, changes)) = name.split_once('+')
        && engine.starts_with(FAST)
    {
        return Ok(Box::new(changed(name, engine, changes)?));
    }
    if let Some(standard) = ChangedStandard::named(name)? {
        return Ok(Box::new(standard));
    }
    let own = [REF, FAST].into_iter().find_map(|prefix| Some((prefix, revision_named(name.strip_prefix(prefix)?)?)));
    let wanted = own.map_or_else(|| name.to_owned(), |(prefix, revision)| format!("{prefix}{}", revision.id));
    let mut engines = all();
    if let Some(index) = engines.iter().position(|engine| engine.name() == wanted) {
        return Ok(engines.swap_remove(index));
    }
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
    let prefix = &name[..name.find(':').map_or(0, |colon| colon + 1)];
    let alike = || names.iter().copied().filter(|own| !prefix.is_empty() && own.starts_with(prefix));
    let names: Vec<&str> = if alike().next().is_some() { alike().collect() } else { names.clone() };
    let near = nearest(name, names.into_iter()).join(" or ");
    Err(format!(
        "no engine is called {name:?}: is it {near}? `urlstrata engine list` shows the engines, and {PROGRAM}COMMAND or NAME={PROGRAM}COMMAND is a program"
    ))
}

/// Returns the name and the command of a program if `name` is `cmd:COMMAND` or `NAME=cmd:COMMAND`, and `None`
/// otherwise.
///
/// A name consists of ASCII letters, digits, `.`, `_`, `-` and `@`.
pub fn program(name: &str) -> Option<(Option<&str>, &str)> {
    if let Some(command) = name.strip_prefix(PROGRAM) {
        return Some((None, command));
    }
    let (given, command) = name.split_once('=')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '@');
    let command = command.strip_prefix(PROGRAM).filter(|_| !given.is_empty() && given.chars().all(is_plain))?;
    Some((Some(given), command))
}

/// The prefix of the names of the reference implementations.
const REF: &str = "ref:";

/// The prefix of the names of the optimized engine.
const FAST: &str = "fast:";

/// Returns the optimized engine `engine` with `changes` to its rule set, such as `excess=Kept+params=InSegment`, under
/// the name `name`.
///
/// # Errors
///
/// Returns a sentence if `engine` is not an optimized engine, or if a change is malformed or has an unknown rule or
/// setting.
fn changed(name: &str, engine: &str, changes: &str) -> Result<Fast, String> {
    let id = engine.strip_prefix(FAST).unwrap_or_default();
    let id = revision_named(id).map_or(id, |revision| revision.id);
    let (_, rules) = revision::resolving().find(|(revision, _)| revision.id == id).ok_or_else(|| {
        let ids: Vec<_> = revision::resolving().map(|(revision, _)| format!("{FAST}{}", revision.id)).collect();
        format!("no engine is called {engine:?} whose rules can be changed: there are {}", ids.join(", "))
    })?;
    let mut rules = *rules;
    for change in changes.split('+') {
        let (rule, setting) = change.split_once('=').ok_or_else(|| {
            format!("{change:?} in {name:?} is not a change: write RULE=SETTING, such as excess=Kept")
        })?;
        let found = rules::ALL.iter().find(|it| it.name == rule).ok_or_else(|| {
            let near = nearest(rule, rules::ALL.iter().map(|it| it.name)).join(", ");
            format!("no rule is called {rule:?}: the nearest names are {near}")
        })?;
        let index = found.settings.iter().position(|it| it.name == setting).ok_or_else(|| {
            let names: Vec<_> = found.settings.iter().map(|it| it.name).collect();
            format!("the rule {rule} has no setting {setting:?}: it has {}", names.join(", "))
        })?;
        rules = found.with(&rules, index);
    }
    Ok(Fast { name: name.to_owned(), revision: None, rules })
}

/// A dated state of the URL Standard with later changes.
struct ChangedStandard {
    name: String,
    landed: ChangeSet,
}

impl ChangedStandard {
    /// Returns the state called `name`; `None` if `name` is not a state of the URL Standard and `+` before a commit.
    ///
    /// # Errors
    ///
    /// Returns a sentence if a commit is not that of a change, or if the state has the change already.
    fn named(name: &str) -> Result<Option<Self>, String> {
        let Some((state, commits)) = name.strip_prefix(REF).unwrap_or(name).split_once('+') else { return Ok(None) };
        let Some(revision) = revision_named(state) else { return Ok(None) };
        let Some(mut landed) = whatwg::changes_of(revision) else { return Ok(None) };
        for commit in commits.split('+') {
            let change = whatwg::Change::by_commit(commit).ok_or_else(|| {
                let near = nearest(commit, whatwg::CHANGES.iter().map(|change| change.commit)).join(", ");
                format!("no change of the URL Standard has the commit {commit:?}: the nearest ones are {near}")
            })?;
            if landed.contains(change) {
                return Err(format!("{} contains the change {change} already: name an older state", revision.id));
            }
            landed = landed.with(change);
        }
        Ok(Some(Self { name: format!("{}+{commits}", revision.id), landed }))
    }
}

impl Engine for ChangedStandard {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        whatwg::resolve(self.landed, base, reference).into()
    }

    fn parse(&self, _url: &str) -> Components {
        Err(Outcome::Skipped("unsupported operation: ask a state of the URL Standard".to_owned()))
    }

    fn landed(&self) -> Option<ChangeSet> {
        Some(self.landed)
    }
}

/// The reference implementation of a revision.
struct Reference {
    name: String,
    revision: &'static Revision,
}

impl Engine for Reference {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        self.revision.resolve(base, reference).into()
    }

    fn parse(&self, url: &str) -> Components {
        match self.revision.parse(url) {
            Ok(parts) => Ok(parts.iter().map(|(name, value)| (name.to_owned(), value.map(str::to_owned))).collect()),
            Err(rejection) => Err(Outcome::Failure(rejection.to_string())),
        }
    }

    fn states(&self) -> bool {
        true
    }

    fn revision(&self) -> Option<&'static Revision> {
        Some(self.revision)
    }
}

/// The optimized engine under a rule set.
struct Fast {
    name: String,
    /// The revision that has this rule set, or `None` if a setting was changed.
    revision: Option<&'static Revision>,
    rules: Rules,
}

impl Engine for Fast {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        match fast::resolve(&self.rules, base, reference) {
            Ok(url) => Outcome::Url(url),
            Err(_) => Outcome::Failure("the rules define no result".to_owned()),
        }
    }

    fn parse(&self, _url: &str) -> Components {
        Err(Outcome::Skipped("unsupported operation: ask the reference".to_owned()))
    }

    fn row(&self) -> Option<&Rules> {
        Some(&self.rules)
    }

    fn revision(&self) -> Option<&'static Revision> {
        self.revision
    }
}
