//! Anything that resolves: the references, the optimized engine under each row, the crates in this process, and programs that
//! speak the engine protocol.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;
use urlstrata::{Resolution, fast};

use crate::protocol::Faults;

#[cfg(test)]
mod liar;
mod native;
mod process;
mod smoke;

#[cfg(test)]
pub(crate) use liar::Liar;
pub use process::{Limits, Process};
pub use smoke::smoke;

/// What an engine did with a base and a reference.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It said a URL.
    Url(String),
    /// It will not have this input, and says why. That is an answer.
    Refused(String),
    /// It has no answer, for a reason of ours or its own.
    Skipped(String),
    /// It died on this input.
    Crashed(String),
    /// It did not answer this input within the limit.
    TimedOut(String),
}

impl Outcome {
    /// The URL, if that is what it said.
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::Url(url) => Some(url),
            _ => None,
        }
    }

    /// Whether it is an answer: a URL, or that there is none.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Url(_) | Self::Refused(_))
    }
}

impl From<Resolution> for Outcome {
    fn from(resolution: Resolution) -> Self {
        match resolution {
            Ok(target) => Self::Url(target.url),
            Err(refusal) => Self::Refused(refusal.why),
        }
    }
}

/// The components that an engine names, in its order; or what it did instead, which is no [`Outcome::Url`].
pub type Components = Result<Vec<(String, Option<String>)>, Outcome>;

/// Something that resolves references and splits URLs.
pub trait Engine: Sync {
    /// Its name: `ref:rfc1808`, `fast:rfc1808`, `crate:url`, `cmd:python3 shim.py`.
    fn name(&self) -> &str;
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
    fn faults(&self) -> Faults {
        Faults::default()
    }
    /// Whether it is there only under a feature: reports leave it out, lest they depend on features.
    fn is_optional(&self) -> bool {
        false
    }
    /// The row, if it is the optimized engine under one.
    fn row(&self) -> Option<&'static Rules> {
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
        Outcome::Crashed(said.unwrap_or("a panic").to_owned())
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
        .into_iter()
        .map(|revision| Box::new(Reference { name: format!("ref:{}", revision.id), revision }) as Box<dyn Engine>);
    let fast = revision::resolving().map(|(revision, rules)| {
        Box::new(Fast { name: format!("fast:{}", revision.id), revision, rules }) as Box<dyn Engine>
    });
    references.chain(fast).chain(native::all()).collect()
}

/// The engine of that name. `cmd:` and a command is a program, which starts when it is first asked; until it has passed
/// [`smoke`], it is not to be believed.
///
/// # Errors
///
/// A sentence with the names there are, or on what is wrong with the command.
pub fn by_name(name: &str) -> Result<Box<dyn Engine>, String> {
    if let Some(command) = name.strip_prefix(PROGRAM) {
        return Ok(Box::new(Process::new(command)?));
    }
    let mut engines = all();
    match engines.iter().position(|engine| engine.name() == name) {
        Some(index) => Ok(engines.swap_remove(index)),
        None => {
            let names: Vec<_> = engines.iter().map(|engine| engine.name()).collect();
            Err(format!("no engine is called {name:?}: there are {}, and {PROGRAM} with a program", names.join(", ")))
        }
    }
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
            Ok(parts) => Ok(parts.0.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
            Err(refusal) => Err(Outcome::Refused(refusal.why)),
        }
    }

    fn revision(&self) -> Option<&'static Revision> {
        Some(self.revision)
    }
}

/// The optimized engine under a revision's row.
struct Fast {
    name: String,
    revision: &'static Revision,
    rules: &'static Rules,
}

impl Engine for Fast {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        let mut out = String::new();
        match fast::resolve(self.rules, base, reference, &mut out) {
            Ok(_) => Outcome::Url(out),
            Err(_) => Outcome::Refused("the rules define no result".to_owned()),
        }
    }

    fn parse(&self, _url: &str) -> Components {
        Err(Outcome::Skipped("no such operation: ask the reference".to_owned()))
    }

    fn row(&self) -> Option<&'static Rules> {
        Some(self.rules)
    }

    fn revision(&self) -> Option<&'static Revision> {
        Some(self.revision)
    }
}
