//! The scheme, host and port that an engine sees in a URL.

use std::fmt;

use serde::{Serialize, Serializer};
use urlstrata::revision::Revision;

use super::statement::{ordered, redirect};
use super::{Components, Engine, Outcome, Source, ask, ask_parts, ask_urls};
use crate::escape::visible;
use crate::outcome::location::Location;
use crate::protocol::Op;

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

impl Sight {
    /// Returns what a resolution without an engine shows: the location of its result, by RFC 3986.
    pub fn of_result(outcome: Outcome) -> Self {
        let location = outcome.url().map(Location::of);
        Self { location, stated_by: StatedBy::Result, source: Source::Live, has_neutral_base: false, outcome }
    }
}

/// What an engine or a specification states about the text of a URL.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Statement {
    /// The components by name; `None` for a component that is stated to be absent. Empty if the engine states nothing.
    #[serde(serialize_with = "as_map")]
    pub parts: Vec<(String, Option<String>)>,
    /// The scheme, host and port of these components.
    pub location: Option<Location>,
    /// The outcome if the engine states nothing: a rejection, a crash, or a missing answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<Outcome>,
    /// Where the statement comes from.
    #[serde(skip_serializing_if = "Source::is_live")]
    pub source: Source,
}

impl Statement {
    /// Returns the statement with these components.
    pub fn new(components: Components) -> Self {
        match components {
            Ok(parts) => {
                let scheme = |(name, _): &&(String, Option<String>)| name == "scheme";
                let without_host = || Location {
                    scheme: parts.iter().find(scheme).and_then(|(_, value)| value.as_deref().map(str::to_lowercase)),
                    ..Location::default()
                };
                let location = Location::of_components(&parts).unwrap_or_else(without_host);
                Self { location: Some(location), parts, instead: None, source: Source::Live }
            }
            Err(outcome) => Self { parts: Vec::new(), location: None, instead: Some(outcome), source: Source::Live },
        }
    }

    /// Returns what `engine` states about the text `url`.
    pub fn of_engine(engine: &dyn Engine, url: &str) -> Self {
        Self { source: engine.source_of(Op::Parse, url), ..Self::new(ask_parts(engine, url)) }
    }

    /// Returns the name and the value of a verdict: whether the URL is `allowed`, or its address is `private`, or that it is not known; `None`
    /// if the engine states components only.
    pub fn verdict(&self) -> Option<(&str, &str)> {
        let is_verdict = |name: &str| matches!(name, "allowed" | "private") || name == UNDECIDED.0;
        self.parts
            .iter()
            .find_map(|(name, value)| Some((name.as_str(), value.as_deref()?)).filter(|it| is_verdict(it.0)))
    }

    /// Returns whether a check does not let the URL pass.
    pub fn is_refused(&self) -> bool {
        matches!(self.verdict(), Some(("allowed", "false") | ("private", "true")))
    }

    /// Returns whether it is not known whether a check lets the URL pass.
    pub fn is_undecided(&self) -> bool {
        self.verdict() == Some(UNDECIDED)
    }

    /// Returns what `revision` states: the components that it names.
    pub fn of_revision(revision: &Revision, url: &str) -> Self {
        let parts = revision.parse(url).map_err(|rejection| Outcome::Failure(rejection.to_string()));
        let owned = |(name, value): (&str, Option<&str>)| (name.to_owned(), value.map(str::to_owned));
        Self::new(parts.map(|parts| parts.iter().map(owned).collect()))
    }
}

/// The verdict of a check, as name and value, if only the components that it reads are predicted.
pub const UNDECIDED: (&str, &str) = ("verdict", "not known");

/// What happens instead of a URL or of components if an engine rejects the input.
pub const REJECTED: &str = "rejected";

/// What happens instead of a connection if the steps of a client predict none: it rejects the URL, or its resolver the host, or it receives a
/// response without a connection.
pub const NO_CONNECTION: &str = "no connection";

/// What was observed when a client requested a URL, or followed a redirect.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Visit {
    /// The parts of what was observed, by name: `host` and `port`, to which the client connects, the name of the server in TLS (`tls`),
    /// the field `Host` (`field`), the request target (`target`), the `credentials` that are sent, and others. Empty if the client
    /// connected to nothing.
    #[serde(serialize_with = "as_map")]
    pub parts: Vec<(String, Option<String>)>,
    /// The host and the port to which the client connects; both without a value if it received a response without a connection, or only
    /// asked for a name.
    pub location: Option<Location>,
    /// The outcome if nothing was observed: the client rejected the URL, crashed, or was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<Outcome>,
    /// Where the answer comes from. A prediction is only about the host and the port.
    #[serde(skip_serializing_if = "Source::is_live")]
    pub source: Source,
}

impl Visit {
    /// Returns the visit with these parts.
    pub fn new(parts: Components) -> Self {
        match parts {
            Ok(parts) => {
                let value = |name: &str| parts.iter().find(|(own, _)| own == name).and_then(|(_, value)| value.clone());
                let location = Location { scheme: None, host: value("host"), port: value("port") };
                Self { location: Some(location), parts, instead: None, source: Source::Live }
            }
            Err(outcome) => Self { parts: Vec::new(), location: None, instead: Some(outcome), source: Source::Live },
        }
    }

    /// Returns where `client` connects for `url`, or where it goes if the response to `base` redirects to `url`.
    pub fn of_client(client: &dyn Engine, base: &str, url: &str) -> Self {
        let (op, asked) =
            if base.is_empty() { (Op::Connect, url.to_owned()) } else { (Op::Follow, redirect(base, url)) };
        let answer = ask_urls(client, op, &[&asked]).pop();
        let visit = Self::new(answer.unwrap_or_else(|| Err(Outcome::Skipped("not asked".to_owned()))));
        Self { source: client.source_of(op, &asked), ..visit }
    }

    /// Returns whether both connect to the same host, in one notation, and port.
    pub fn is_at_location_of(&self, other: &Self) -> bool {
        let located = |visit: &Self| {
            let own = visit.location.as_ref()?.in_one_notation();
            Some((same_name(&own.host?), own.port))
        };
        located(self).is_some_and(|own| located(other) == Some(own))
    }

    /// Returns the value of a part; `None` if it was not observed.
    pub fn part(&self, name: &str) -> Option<&str> {
        self.parts.iter().find(|(own, _)| own == name).and_then(|(_, value)| value.as_deref())
    }

    /// Returns whether the client used TLS, and its request was not seen: it gave up the connection, or nothing completed TLS.
    pub fn is_hidden(&self) -> bool {
        is_hidden(&self.parts)
    }

    /// Returns in words what a client tells the server other than the host and the port to which it connects: the credentials, another
    /// field `Host`, and another name in TLS. `op` is what it was asked, [`Op::Connect`] or [`Op::Follow`]. Invisible characters are escaped.
    pub fn sends(&self, op: Op) -> Vec<String> {
        let host = self.part("host").unwrap_or_default();
        let port = self.part("port").unwrap_or_default();
        let is_usual = |field: &&str| *field != host && *field != format!("{host}:{port}");
        let field = self.part("field").filter(is_usual).map(|field| format!("Host: {}", visible(field)));
        let tls = self.part("tls").filter(|name| *name != host).map(|name| match name {
            "" => "TLS without a name".to_owned(),
            name => format!("TLS name {}", visible(name)),
        });
        let credentials = self.part("credentials").map(|it| format!("credentials {}", visible(it)));
        let names = self.part("names").filter(|_| self.part("host").is_none());
        let names = names.map(|names| format!("asks for the name {}", visible(names)));
        let unseen = match op {
            Op::Follow => "does not follow the redirect",
            _ => "a response without a connection",
        };
        let unseen = self.part("unseen").map(|_| unseen.to_owned());
        let also = self.part("also").map(|also| format!("then {}", visible(also)));
        [credentials, field, tls, names, unseen, also].into_iter().flatten().collect()
    }
}

/// Returns whether a client used TLS, and the parts of its request ([`IN_REQUEST`]) were not seen.
pub fn is_hidden(parts: &[(String, Option<String>)]) -> bool {
    let has = |name: &str| parts.iter().any(|(own, value)| own == name && value.is_some());
    has("tls") && !has("target")
}

/// The parts of an observation that are in the client's request, and not in its connection.
pub const IN_REQUEST: [&str; 5] = ["credentials", "field", "target", "method", "referer"];

/// Returns what the spellings of a name that name servers do not distinguish have in common: it is in lower case, without its last dot.
pub fn same_name(host: &str) -> String {
    let host = host.to_lowercase();
    host.strip_suffix('.').map(str::to_owned).unwrap_or(host)
}

/// An answer to one of three questions: what does the library state about this text, where is the result of the resolution, and where does
/// a client connect?
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum HostAnswer {
    /// What the engine states about the text.
    Stated(Statement),
    /// The location of the result.
    Resolved(Sight),
    /// Where the client connects.
    Connected(Visit),
}

impl HostAnswer {
    /// Returns the components of a statement or the parts of a connection, or what happened instead. A result has none.
    pub fn components(&self) -> Components {
        match self {
            Self::Stated(Statement { parts, instead, .. }) | Self::Connected(Visit { parts, instead, .. }) => {
                instead.clone().map_or_else(|| Ok(parts.clone()), Err)
            }
            Self::Resolved(_) => Err(Outcome::Skipped("not a statement".to_owned())),
        }
    }

    /// Returns what happened instead of components, a connection or a result.
    pub fn instead(&self) -> Option<&Outcome> {
        match self {
            Self::Stated(Statement { instead, .. }) | Self::Connected(Visit { instead, .. }) => instead.as_ref(),
            Self::Resolved(sight) => Some(&sight.outcome).filter(|outcome| outcome.url().is_none()),
        }
    }

    /// Returns where the answer comes from.
    pub fn source(&self) -> Source {
        match self {
            Self::Stated(Statement { source, .. }) | Self::Connected(Visit { source, .. }) => *source,
            Self::Resolved(sight) => sight.source,
        }
    }

    /// Replaces the host name `own` with `other` in a statement or a connection.
    pub fn rename(&mut self, own: &str, other: &str) {
        let (parts, location) = match self {
            Self::Stated(Statement { parts, location, .. }) | Self::Connected(Visit { parts, location, .. }) => {
                (parts, location)
            }
            Self::Resolved(_) => return,
        };
        let values = parts.iter_mut().filter_map(|(_, value)| value.as_mut());
        values.for_each(|value| *value = value.replace(own, other));
        let hosts = location.iter_mut().filter_map(|location| location.host.as_mut());
        hosts.for_each(|host| *host = host.replace(own, other));
    }

    /// Returns the scheme, host and port, and what happened instead: a URL that a check does not let pass is rejected.
    pub fn location(&self) -> (Option<&Location>, Option<&'static str>) {
        let why = |outcome: &Outcome| match outcome {
            Outcome::Url(_) => None,
            Outcome::Failure(_) => Some(REJECTED),
            Outcome::Crash(_) => Some("a crash"),
            Outcome::Skipped(_) | Outcome::Unrepresentable(_) | Outcome::Timeout(_) => Some("no answer"),
        };
        match self {
            Self::Stated(statement) if statement.is_refused() => (None, Some(REJECTED)),
            Self::Stated(statement) if statement.is_undecided() => (None, Some("no answer")),
            Self::Stated(statement) => (statement.location.as_ref(), statement.instead.as_ref().and_then(why)),
            Self::Resolved(sight) => (sight.location.as_ref(), why(&sight.outcome)),
            Self::Connected(Visit { instead: Some(Outcome::Failure(_)), source: Source::Predicted, .. }) => {
                (None, Some(NO_CONNECTION))
            }
            Self::Connected(visit) => (visit.location.as_ref(), visit.instead.as_ref().and_then(why)),
        }
    }
}

impl fmt::Display for Statement {
    /// Writes the components as `name=value`, without those that are absent, or what happened instead.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(outcome) = &self.instead {
            return outcome.fmt(f);
        }
        let stated = ordered(&self.parts).into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let cells: Vec<_> = stated.map(|(name, value)| format!("{name}={}", visible(value))).collect();
        f.write_str(&cells.join("  "))
    }
}

fn as_map<S: Serializer>(parts: &[(String, Option<String>)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(ordered(parts).into_iter().map(|(name, value)| (name, value)))
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

    /// Returns what the engine states about the text `url`.
    pub fn state(&self, url: &str) -> Statement {
        Statement::of_engine(self.engine, url)
    }

    /// Returns where the client connects for `url`, or where it goes if the response to `base` redirects to `url`.
    pub fn visit(&self, base: &str, url: &str) -> Visit {
        Visit::of_client(self.engine, base, url)
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
