//! The scheme, host and port that an engine sees in a URL.

use serde::Serialize;

use super::{Engine, Outcome, Source, ask, ask_parts};
use crate::outcome::location::Location;

/// The base for engines that cannot resolve an absolute URL without a base. Its host cannot exist (RFC 6761 §6.4).
pub const NEUTRAL_BASE: &str = "http://base.invalid/";

/// What an engine sees in a URL.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Sight {
    /// The result of the resolution.
    pub outcome: Outcome,
    /// The scheme, host and port; `None` if the engine returns no URL.
    pub location: Option<Location>,
    /// Where the location comes from.
    pub stated_by: StatedBy,
    /// Where the result comes from.
    pub source: Source,
    /// Whether [`NEUTRAL_BASE`] was used because the engine requires a base.
    pub has_neutral_base: bool,
}

/// Where a location comes from.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StatedBy {
    /// The engine itself splits its result into components.
    Components,
    /// The result of the engine, split by RFC 3986.
    Result,
}

/// Asks an engine which scheme, host and port it sees.
pub struct Locator<'e> {
    engine: &'e dyn Engine,
    needs_base: bool,
}

impl<'e> Locator<'e> {
    /// Creates a locator for `engine`. It asks the engine whether it resolves an absolute URL without a base.
    pub fn new(engine: &'e dyn Engine) -> Self {
        Self { engine, needs_base: matches!(ask(engine, "", "http://a/b"), Outcome::Failure(_)) }
    }

    /// Returns the engine.
    pub fn engine(&self) -> &'e dyn Engine {
        self.engine
    }

    /// Returns whether the engine requires a base.
    pub fn needs_base(&self) -> bool {
        self.needs_base
    }

    /// Returns what the engine sees in `url`, resolved against `base`. An empty base is unknown.
    pub fn locate(&self, base: &str, url: &str) -> Sight {
        let has_neutral_base = base.is_empty() && self.needs_base;
        let base = if has_neutral_base { NEUTRAL_BASE } else { base };
        let outcome = ask(self.engine, base, url);
        let source = self.engine.source(base, url);
        let sight = |location, stated_by, outcome| Sight { location, stated_by, source, has_neutral_base, outcome };
        let Some(result) = outcome.url() else { return sight(None, StatedBy::Result, outcome) };
        match ask_parts(self.engine, result) {
            Ok(parts) => match Location::of_components(&parts) {
                Some(location) => sight(Some(location), StatedBy::Components, outcome),
                None => sight(Some(Location::of(result)), StatedBy::Result, outcome),
            },
            // The engine has no operation that splits a URL.
            Err(Outcome::Skipped(_)) => sight(Some(Location::of(result)), StatedBy::Result, outcome),
            // An engine that fails to split its own result sees no host in it.
            Err(failure) => sight(None, StatedBy::Components, failure),
        }
    }
}
