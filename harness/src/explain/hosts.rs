//! The hosts that specifications and engines see in one URL.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

use super::text::write_location_table;
use crate::engine::locate::{Locator, NEUTRAL_BASE, Sight, StatedBy};
use crate::engine::{Engine, Source};
use crate::escape::visible;
use crate::knowledge::dated::ranges;
use crate::knowledge::specification::Specification;
use crate::outcome::Outcome;
use crate::outcome::location::Location;
use crate::plural::counted;
use crate::world::World;

/// The scheme, host and port that each specification and engine sees in a URL.
#[derive(Clone, Debug, Serialize)]
pub struct Hosts {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The URL or reference.
    pub url: String,
    /// The distinct locations, the most frequent one first. Those without a URL follow.
    pub groups: Vec<HostGroup>,
    /// Recorded engines without a result: the pair is not recorded, and their behaviours are not reliable enough to predict
    /// the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
}

/// Those that see the same scheme, host and port.
#[derive(Clone, Debug, Serialize)]
pub struct HostGroup {
    /// The scheme, host and port; `None` for a result other than a URL.
    pub location: Option<Location>,
    /// What happened instead of a URL: `rejected`, `a crash`, `no answer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// The specifications and engines.
    pub by: Vec<Observer>,
}

impl HostGroup {
    /// Returns whether its members returned a URL or rejected the reference.
    fn is_answered(&self) -> bool {
        matches!(self.why, None | Some(REJECTED))
    }
}

/// What happens instead of a URL if an engine rejects a reference.
const REJECTED: &str = "rejected";

/// A specification or an engine, and what it returned.
#[derive(Clone, Debug, Serialize)]
pub struct Observer {
    /// The id of the specification, or the name of the engine.
    pub name: String,
    /// The version of the engine; empty for a specification.
    pub version: String,
    /// What it sees.
    #[serde(flatten)]
    pub sight: Sight,
}

impl Hosts {
    /// Returns whether everything that answered sees the same scheme, host and port.
    pub fn agree(&self) -> bool {
        self.groups.iter().filter(|group| group.is_answered()).count() <= 1
    }

    /// Returns the titles of those that did not answer.
    pub fn unanswered(&self) -> impl Iterator<Item = String> {
        self.groups.iter().filter(|group| !group.is_answered()).flat_map(|group| &group.by).map(Observer::title)
    }
}

/// Finds the hosts that the same specifications and engines see in several URLs.
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

    /// Returns the hosts that are seen in `url`, resolved against `base`. An empty base is unknown.
    pub fn find(&self, base: &str, url: &str) -> Hosts {
        let mut hosts = Hosts { base: base.to_owned(), url: url.to_owned(), groups: Vec::new(), absent: Vec::new() };
        for specification in &self.specifications {
            let outcome = specification.resolve(base, url);
            let sight = Sight {
                location: outcome.url().map(Location::of),
                stated_by: StatedBy::Result,
                source: Source::Live,
                has_neutral_base: false,
                outcome,
            };
            hosts.add(Observer { name: specification.id.to_owned(), version: String::new(), sight });
        }
        let observed = |locator: &Locator<'_>| Observer {
            name: locator.engine().name().to_owned(),
            version: locator.engine().version().to_owned(),
            sight: locator.locate(base, url),
        };
        for locator in &self.engines {
            hosts.add(observed(locator));
        }
        for locator in &self.others {
            let observer = observed(locator);
            let source = observer.sight.source;
            if self.world.is_shown(locator.engine(), source) {
                hosts.add(observer);
            } else if source == Source::Predicted {
                hosts.absent.push(observer.name);
            }
        }
        hosts.groups.sort_by_key(|group| (group.location.is_none(), std::cmp::Reverse(group.by.len())));
        hosts
    }
}

impl Hosts {
    fn add(&mut self, observer: Observer) {
        let Sight { location, outcome, .. } = &observer.sight;
        let why = match outcome {
            Outcome::Url(_) => None,
            Outcome::Failure(_) => Some(REJECTED),
            Outcome::Crash(_) => Some("a crash"),
            Outcome::Skipped(_) | Outcome::Unrepresentable(_) | Outcome::Timeout(_) => Some("no answer"),
        };
        match self.groups.iter_mut().find(|group| group.location == *location && group.why == why) {
            Some(group) => group.by.push(observer),
            None => self.groups.push(HostGroup { location: location.clone(), why, by: vec![observer] }),
        }
    }
}

impl Display for Hosts {
    /// Writes the URL, a line for each location with the names of those that see it, and notes on how they were asked.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let on = if self.base.is_empty() { String::new() } else { format!(" on {}", visible(&self.base)) };
        writeln!(f, "\n  {}{on}\n", visible(&self.url))?;
        let rows = self.groups.iter().map(|group| {
            let reason = group.why.unwrap_or_default();
            let none = || [reason.to_owned(), String::new(), String::new()];
            let columns = group.location.as_ref().map_or_else(none, Location::columns);
            let names: Vec<_> = group.by.iter().map(Observer::marked).collect();
            (columns, ranges(names.iter().map(String::as_str)))
        });
        write_location_table(&rows.collect::<Vec<_>>(), f)?;
        let observers = || self.groups.iter().flat_map(|group| &group.by);
        let own = observers().filter(|it| it.sight.stated_by == StatedBy::Components);
        let own: Vec<_> = own.map(|it| it.name.as_str()).collect();
        let by_themselves = match own.as_slice() {
            [] => String::new(),
            own => format!(" ({}: by their own components)", own.join(", ")),
        };
        writeln!(f, "\n  Hosts are those of the URL that each of them returns, split by RFC 3986{by_themselves}.")?;
        writeln!(f, "  What a parser states about the text, and where a client connects, was not asked.")?;
        if observers().any(|it| it.sight.source == Source::Predicted) {
            writeln!(f, "  * not asked: the behaviour of the recorded version predicts this")?;
        }
        if observers().any(|it| it.sight.has_neutral_base) {
            writeln!(f, "  + requires a base: {NEUTRAL_BASE}")?;
        }
        if !self.absent.is_empty() {
            let engines = counted(self.absent.len(), "engine was", "engines were");
            writeln!(f, "  {engines} not recorded on this URL: -e NAME shows what its behaviour predicts")?;
        }
        Ok(())
    }
}

impl Observer {
    /// Returns the name and the version.
    fn title(&self) -> String {
        format!("{} {}", self.name, self.version).trim_end().to_owned()
    }

    /// Returns the name and the version with marks.
    fn marked(&self) -> String {
        let predicted = if self.sight.source == Source::Predicted { "*" } else { "" };
        let base = if self.sight.has_neutral_base { "+" } else { "" };
        format!("{}{predicted}{base}", self.title())
    }
}
