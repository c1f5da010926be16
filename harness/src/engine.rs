//! Anything that resolves: the references, the optimized engine under each row, the crates in this process, and programs that
//! speak the engine protocol.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use urlstrata::fast;
use urlstrata::revision::{self, Revision};
use urlstrata::rules::{self, Rules};

use crate::outcome::{Components, Outcome, Violations};

#[cfg(test)]
mod faulty;
mod native;
mod process;
mod serve;
mod smoke;

#[cfg(test)]
pub(crate) use faulty::FaultyEngine;
pub use process::{Limits, Process};
pub use serve::{answer_all, serve};
pub use smoke::{Passed, smoke};

/// Something that resolves references and splits URLs.
pub trait Engine: Sync {
    /// Its name, as readers see it: `ref:rfc1808`, `crate:url`, or what a program calls itself, such as `urllib.parse`.
    fn name(&self) -> &str;
    /// What selects it on the command line: its name, or `cmd:` and the command of a program.
    fn key(&self) -> &str {
        self.name()
    }
    /// The version of what is asked.
    fn version(&self) -> &str;
    /// Resolves `reference` against `base`; an empty base is an unknown one.
    fn resolve(&self, base: &str, reference: &str) -> Outcome;
    /// Splits `url`.
    fn parse(&self, url: &str) -> Components;
    /// Makes sure that it can be asked.
    ///
    /// # Errors
    ///
    /// Why it does not start.
    fn ready(&self) -> Result<(), String> {
        Ok(())
    }
    /// What it did against the protocol so far, if it is asked by one.
    fn violations(&self) -> Violations {
        Violations::default()
    }
    /// Whether it is there only under a feature: reports leave it out, lest they depend on features.
    fn is_optional(&self) -> bool {
        false
    }
    /// The rule set, if it is the optimized engine under one.
    fn row(&self) -> Option<&Rules> {
        None
    }
    /// The revision that it implements, if it is one of ours.
    fn revision(&self) -> Option<&'static Revision> {
        None
    }
}

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Asks `engine`, and takes a panic as the answer that it is.
pub fn ask(engine: &dyn Engine, base: &str, reference: &str) -> Outcome {
    caught(|| engine.resolve(base, reference)).unwrap_or_else(|crashed| crashed)
}

/// As [`ask`], for the components of `url`.
pub fn ask_parts(engine: &dyn Engine, url: &str) -> Components {
    caught(|| engine.parse(url)).and_then(|parts| parts)
}

fn caught<T>(asked: impl FnOnce() -> T) -> Result<T, Outcome> {
    let before = ASKED.replace(true);
    let did = catch_unwind(AssertUnwindSafe(asked));
    ASKED.set(before);
    did.map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Outcome::Crash(said.unwrap_or("a panic").to_owned())
    })
}

/// Whether this thread is asking an engine: a panic is its answer then, and no fault of ours.
pub fn is_asked() -> bool {
    ASKED.get()
}

/// What the name of an engine begins with that is a program.
pub const PROGRAM: &str = "cmd:";

/// Every engine in this process, ours first.
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

/// The engine of that name. `cmd:COMMAND`, or `NAME=cmd:COMMAND` to name it, is a program, which starts when it is first
/// asked; until it has passed [`smoke`], its results are not used. `fast:REVISION+RULE=SETTING` is the optimized engine under the rule set of a revision
/// with one or more settings changed, such as `fast:rfc3986+dots_in_absolute=Kept`.
///
/// # Errors
///
/// A sentence with the names there are, or on what is wrong with the command, the rule or the setting.
pub fn by_name(name: &str) -> Result<Box<dyn Engine>, String> {
    if let Some((given, command)) = program(name) {
        return Ok(Box::new(Process::new(command)?.named(given)));
    }
    if let Some((engine, changes)) = name.split_once('+')
        && engine.starts_with(FAST)
    {
        return Ok(Box::new(changed(name, engine, changes)?));
    }
    let mut engines = all();
    match engines.iter().position(|engine| engine.name() == name) {
        Some(index) => Ok(engines.swap_remove(index)),
        None => {
            let names: Vec<_> = engines.iter().map(|engine| engine.name()).collect();
            Err(format!(
                "no engine is called {name:?}: there are {}, and {PROGRAM}COMMAND or NAME={PROGRAM}COMMAND for a program",
                names.join(", ")
            ))
        }
    }
}

/// The name and the command of a program, if `name` is `cmd:COMMAND` or `NAME=cmd:COMMAND`.
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

/// What the names of the optimized engine begin with.
const FAST: &str = "fast:";

/// The optimized engine called `name`: that called `engine`, with `changes` such as `excess=Kept+params=InSegment`.
fn changed(name: &str, engine: &str, changes: &str) -> Result<Fast, String> {
    let id = engine.strip_prefix(FAST).unwrap_or_default();
    let (_, rules) = revision::resolving().find(|(revision, _)| revision.id == id).ok_or_else(|| {
        let ids: Vec<_> = revision::resolving().map(|(revision, _)| format!("{FAST}{}", revision.id)).collect();
        format!("no engine is called {engine:?} whose rules can be changed: there are {}", ids.join(", "))
    })?;
    let mut rules = *rules;
    for change in changes.split('+') {
        let (rule, setting) = change.split_once('=').ok_or_else(|| {
            format!("{change:?} in {name:?} is not a change: write RULE=SETTING, such as excess=Kept")
        })?;
        let column = rules::ALL.iter().find(|column| column.name == rule).ok_or_else(|| {
            let names: Vec<_> = rules::ALL.iter().map(|column| column.name).collect();
            format!("no rule is called {rule:?}: there are {}", names.join(", "))
        })?;
        let index = column.settings.iter().position(|answer| answer.name == setting).ok_or_else(|| {
            let names: Vec<_> = column.settings.iter().map(|answer| answer.name).collect();
            format!("the rule {rule} has no setting {setting:?}: it has {}", names.join(", "))
        })?;
        rules = column.with(&rules, index);
    }
    Ok(Fast { name: name.to_owned(), revision: None, rules })
}

/// A revision's table of steps.
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

    fn revision(&self) -> Option<&'static Revision> {
        Some(self.revision)
    }
}

/// The optimized engine under a rule set.
struct Fast {
    name: String,
    /// The revision that has this rule set, unless it is changed.
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
        Err(Outcome::Skipped("no such operation: ask the reference".to_owned()))
    }

    fn row(&self) -> Option<&Rules> {
        Some(&self.rules)
    }

    fn revision(&self) -> Option<&'static Revision> {
        self.revision
    }
}
