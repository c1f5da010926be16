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
        Self { engine, needs_base: ask(engine, "", "http://a/b").url().is_none() }
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
        let stated = outcome.url().and_then(|url| Location::of_components(&ask_parts(self.engine, url).ok()?));
        let stated_by = if stated.is_some() { StatedBy::Components } else { StatedBy::Result };
        let location = stated.or_else(|| outcome.url().map(Location::of));
        Sight { location, stated_by, source: self.engine.source(base, url), has_neutral_base, outcome }
    }
}

#[cfg(test)]
mod tests {
    use super::{Locator, StatedBy};
    use crate::engine::{Components, Engine, by_name};
    use crate::outcome::Outcome;

    #[test]
    fn components_of_the_engine_are_preferred_to_its_result() {
        let url = by_name("crate:url").expect("an engine");
        let sight = Locator::new(url.as_ref()).locate("", r"http://a:1\@b");
        assert_eq!(sight.location.map(|it| it.to_string()).as_deref(), Some("http a 1"));
        assert_eq!(sight.stated_by, StatedBy::Components);
    }

    /// An engine that requires a base, and cannot split URLs.
    struct NeedsBase;

    impl Engine for NeedsBase {
        fn name(&self) -> &str {
            "needs-base"
        }

        fn version(&self) -> &str {
            "1"
        }

        fn resolve(&self, base: &str, reference: &str) -> Outcome {
            if base.is_empty() { Outcome::Failure("no base".to_owned()) } else { Outcome::Url(reference.to_owned()) }
        }

        fn parse(&self, _: &str) -> Components {
            Err(Outcome::Skipped("unsupported operation".to_owned()))
        }
    }

    #[test]
    fn engines_that_require_a_base_receive_a_neutral_one() {
        let sight = Locator::new(&NeedsBase).locate("", r"http://a:1\@b");
        assert_eq!(sight.location.map(|it| it.to_string()).as_deref(), Some("http b 80"));
        assert_eq!((sight.stated_by, sight.has_neutral_base), (StatedBy::Result, true));
        assert!(!Locator::new(&NeedsBase).locate("http://c/", "http://a/").has_neutral_base);
    }
}
