//! In what two answers differ, worst first.

use serde::Serialize;
use urlstrata::revision;

use crate::engine::Outcome;

/// The most consequential part in which two answers differ, worst first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Another host, or none.
    Authority,
    /// Another scheme.
    Scheme,
    /// Another path.
    Path,
    /// Another query.
    Query,
    /// Another fragment.
    Fragment,
    /// The same components, spelled apart.
    Spelling,
    /// One gives a result, the other none.
    Accepted,
}

impl Effect {
    /// As a reader sees it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Authority => "authority",
            Self::Scheme => "scheme",
            Self::Path => "path",
            Self::Query => "query",
            Self::Fragment => "fragment",
            Self::Spelling => "spelling",
            Self::Accepted => "accepted or refused",
        }
    }
}

impl Effect {
    /// What two answers differ in, in a sentence.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Authority => "the authority",
            Self::Scheme => "the scheme",
            Self::Path => "the path",
            Self::Query => "the query",
            Self::Fragment => "the fragment",
            Self::Spelling => "the spelling",
            Self::Accepted => "whether there is a result",
        }
    }
}

/// In what two outcomes differ; `None` if they do not. Components are RFC 3986's.
pub fn effect(one: &Outcome, other: &Outcome) -> Option<Effect> {
    let (one, other) = match (one, other) {
        (Outcome::Url(one), Outcome::Url(other)) => (one, other),
        (Outcome::Url(_), _) | (_, Outcome::Url(_)) => return Some(Effect::Accepted),
        _ => return None,
    };
    if one == other {
        return None;
    }
    let parts = |url: &str| revision::rfc3986::REVISION.parse(url).unwrap_or_default();
    let (one, other) = (parts(one), parts(other));
    let ranked = [
        ("authority", Effect::Authority),
        ("scheme", Effect::Scheme),
        ("path", Effect::Path),
        ("query", Effect::Query),
        ("fragment", Effect::Fragment),
    ];
    let differing = ranked.into_iter().find(|(name, _)| {
        let (one, other) = (one.component(name).flatten(), other.component(name).flatten());
        if *name == "scheme" || *name == "authority" {
            one.map(str::to_lowercase) != other.map(str::to_lowercase)
        } else {
            one != other
        }
    });
    Some(differing.map_or(Effect::Spelling, |(_, effect)| effect))
}
