//! In what two results differ, worst first.

use serde::Serialize;
use urlstrata::revision;

use crate::outcome::Outcome;
use crate::outcome::location::Location;

/// The most consequential part in which two results differ, worst first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Another host, or none.
    Host,
    /// Another scheme.
    Scheme,
    /// Another port. A written default port is the same as none.
    Port,
    /// Other credentials: user, password, or whether there are any.
    Credentials,
    /// Another path.
    Path,
    /// Another query.
    Query,
    /// Another fragment.
    Fragment,
    /// The same components, spelled differently.
    Spelling,
    /// One is a URL, the other is not.
    Accepted,
}

impl Effect {
    /// Every effect, worst first.
    pub const ALL: [Self; 9] = [
        Self::Host,
        Self::Scheme,
        Self::Port,
        Self::Credentials,
        Self::Path,
        Self::Query,
        Self::Fragment,
        Self::Spelling,
        Self::Accepted,
    ];

    /// A short name: `host`, `accepted or rejected`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Scheme => "scheme",
            Self::Port => "port",
            Self::Credentials => "credentials",
            Self::Path => "path",
            Self::Query => "query",
            Self::Fragment => "fragment",
            Self::Spelling => "spelling",
            Self::Accepted => "accepted or rejected",
        }
    }

    /// What two results differ in, as part of a sentence.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Host => "the host",
            Self::Scheme => "the scheme",
            Self::Port => "the port",
            Self::Credentials => "the credentials",
            Self::Path => "the path",
            Self::Query => "the query",
            Self::Fragment => "the fragment",
            Self::Spelling => "the spelling",
            Self::Accepted => "whether there is a result",
        }
    }
}

/// In what two outcomes differ; `None` if they do not. Components are those of RFC 3986. Two failures do not differ, whatever
/// their reasons, and neither do two crashes, timeouts or skipped requests.
pub fn effect(one: &Outcome, other: &Outcome) -> Option<Effect> {
    let (one, other) = match (one, other) {
        (Outcome::Url(one), Outcome::Url(other)) => (one, other),
        (Outcome::Url(_), _) | (_, Outcome::Url(_)) => return Some(Effect::Accepted),
        (one, other) => return (!one.is_like(other)).then_some(Effect::Accepted),
    };
    if one == other {
        return None;
    }
    let locations = [one, other].map(|url| Location::of(url));
    let parts = [one, other].map(|url| revision::rfc3986::REVISION.parse(url).unwrap_or_default());
    let located = |part: fn(&Location) -> &Option<String>| part(&locations[0]) != part(&locations[1]);
    let written = |name: &str| parts[0].component(name) != parts[1].component(name);
    Effect::ALL.into_iter().find(|effect| match effect {
        Effect::Host => located(|it| &it.host),
        Effect::Scheme => located(|it| &it.scheme),
        Effect::Port => located(|it| &it.port),
        Effect::Credentials => located(|it| &it.credentials),
        Effect::Path => written("path"),
        Effect::Query => written("query"),
        Effect::Fragment => written("fragment"),
        Effect::Spelling | Effect::Accepted => true,
    })
}
