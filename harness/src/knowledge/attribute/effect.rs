//! The part in which two results differ.

use serde::{Deserialize, Serialize};
use urlstrata::revision;

use crate::outcome::Outcome;
use crate::outcome::location::{Location, credentials};
use crate::pairs::bases::BaseClass;

/// The most significant part in which two results differ. The variants are ordered, worst first.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The hosts differ, or only one result has a host.
    Host,
    /// The schemes differ.
    Scheme,
    /// The ports differ. An explicit default port equals an absent port.
    Port,
    /// The credentials differ: user, password, or whether there are any.
    Credentials,
    /// The paths differ.
    Path,
    /// The queries differ.
    Query,
    /// The fragments differ.
    Fragment,
    /// The components are equal, but spelled differently.
    Spelling,
    /// Only one result is a URL, or neither is and their kinds differ, for example a failure and a crash.
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

    /// Returns a short name: `host`, `accepted or rejected`.
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

    /// Returns the name as one word, as JSON has it: `host`, `accepted`.
    pub fn word(self) -> &'static str {
        self.name().split(' ').next().unwrap_or_default()
    }

    /// Returns the differing part as a phrase for use in a sentence.
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

/// Returns the worst effect by which two outcomes differ; `None` if they do not differ.
///
/// Components are those of RFC 3986. Two failures do not differ, whatever their reasons. Neither do two crashes, two
/// timeouts or two skipped requests.
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
        Effect::Credentials => credentials(one) != credentials(other),
        Effect::Path => written("path"),
        Effect::Query => written("query"),
        Effect::Fragment => written("fragment"),
        Effect::Spelling | Effect::Accepted => true,
    })
}

/// Returns the class of a pair with the base `base` whose outcome `did` differs from the outcome `predicted`; `None` if it is
/// predicted.
///
/// The id consists of the part in which prediction and outcome differ and the class of the base: `path: opaque base`,
/// `rejects: hierarchical base`, `crashes: unknown base`.
pub fn deviation(predicted: &Outcome, base: &str, did: &Outcome) -> Option<String> {
    let part = match (predicted, did) {
        (_, Outcome::Crash(_)) => "crashes",
        (_, Outcome::Timeout(_)) => "times out",
        (_, Outcome::Skipped(_)) => "skips",
        (_, Outcome::Unrepresentable(_)) => "is unrepresentable",
        (Outcome::Url(_), Outcome::Failure(_)) => "rejects",
        (Outcome::Failure(_), Outcome::Url(_)) => "accepts",
        (predicted, did) => effect(predicted, did)?.name(),
    };
    Some(format!("{part}: {}", BaseClass::of(base)))
}
