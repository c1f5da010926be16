//! Classes of bases, and which of two pairs is the better example.

use std::fmt;

use serde::Serialize;
use urlstrata::grammar::{self, Grammar};

use crate::outcome::location::Location;

/// How a base begins, as far as specifications treat bases differently.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BaseClass {
    /// With a scheme and an authority or a rooted path: `http://a/b`, `foo:/a`.
    Hierarchical,
    /// With a scheme and a path that does not begin with a slash: `foo:a`, `mailto:`.
    Opaque,
    /// Without a scheme: `a/b`. No specification defines a result for these, except for absolute references.
    Relative,
    /// The empty base, which stands for an unknown one.
    Unknown,
}

impl BaseClass {
    /// Every class.
    pub const ALL: [Self; 4] = [Self::Hierarchical, Self::Opaque, Self::Relative, Self::Unknown];

    /// The class of `base`. Leading white space and control characters do not count.
    pub fn of(base: &str) -> Self {
        if base.is_empty() {
            return Self::Unknown;
        }
        let base = base.trim_start_matches(|c: char| c <= ' ');
        let scheme = base.find(':').filter(|&at| {
            let mut bytes = base[..at].bytes();
            bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
                && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        });
        match scheme {
            None => Self::Relative,
            Some(at) if base[at + 1..].starts_with('/') => Self::Hierarchical,
            Some(_) => Self::Opaque,
        }
    }
}

impl fmt::Display for BaseClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Hierarchical => "hierarchical base",
            Self::Opaque => "opaque base",
            Self::Relative => "relative base",
            Self::Unknown => "unknown base",
        })
    }
}

/// How good an example a pair is: pairs that RFC 3986 allows come before others, bases with `http` or `https` before
/// others, short pairs before long ones; then the order of the strings decides, so that the same pairs have the same
/// smallest one.
///
/// # Examples
///
/// ```
/// use urlstrata_harness::pairs::bases::Rank;
///
/// assert!(Rank::of("http://a/b", "..") < Rank::of("x:", ".."));
/// assert!(Rank::of("http://a/b", "..") < Rank::of("http://a/", "|"));
/// ```
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Rank<'a> {
    illegal: u8,
    unusual: bool,
    length: usize,
    base: &'a str,
    reference: &'a str,
}

impl<'a> Rank<'a> {
    /// The rank of a pair.
    pub fn of(base: &'a str, reference: &'a str) -> Self {
        let kind = BaseKind::of(base);
        Self {
            illegal: u8::from(kind == BaseKind::Illegal) + u8::from(!is_legal(reference)),
            unusual: kind != BaseKind::Http,
            length: base.len() + reference.len(),
            base,
            reference,
        }
    }
}

/// What a reader makes of a base: the usual kind first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum BaseKind {
    /// Legal by RFC 3986, with `http` or `https` and a host.
    Http,
    /// Another absolute URI by RFC 3986, or none at all.
    Legal,
    /// A relative reference, or a string that RFC 3986 does not allow.
    Illegal,
}

impl BaseKind {
    pub(crate) fn of(base: &str) -> Self {
        if base.is_empty() {
            return Self::Legal;
        }
        if !is_legal(base) || matches!(BaseClass::of(base), BaseClass::Relative) {
            return Self::Illegal;
        }
        let location = Location::of(base);
        let http = matches!(location.scheme.as_deref(), Some("http" | "https"));
        let has_host = location.host.is_some_and(|host| !host.is_empty());
        if http && has_host { Self::Http } else { Self::Legal }
    }
}

/// Whether RFC 3986's grammar allows `text` as a reference.
pub(crate) fn is_legal(text: &str) -> bool {
    grammar::by_revision("rfc3986").is_none_or(|grammar: &Grammar| grammar.is_valid(text))
}

#[cfg(test)]
mod tests {
    use super::{BaseClass, Rank};

    #[test]
    fn every_base_has_a_class() {
        for (base, class) in [
            ("http://a/b", BaseClass::Hierarchical),
            ("foo:/a", BaseClass::Hierarchical),
            ("foo:a/b", BaseClass::Opaque),
            ("foo:", BaseClass::Opaque),
            ("a/b", BaseClass::Relative),
            ("1a:b", BaseClass::Relative),
            ("//h/x", BaseClass::Relative),
            (" http://a", BaseClass::Hierarchical),
            ("", BaseClass::Unknown),
        ] {
            assert_eq!(BaseClass::of(base), class, "{base:?}");
        }
    }

    #[test]
    fn legal_http_pairs_come_first() {
        let mut pairs =
            [("", "|"), ("x:", "g"), ("http://a/b/c", "g"), ("http://a", "g"), ("http://a", "|"), ("a", "g")];
        pairs.sort_by(|one, other| Rank::of(one.0, one.1).cmp(&Rank::of(other.0, other.1)));
        let expected =
            [("http://a", "g"), ("http://a/b/c", "g"), ("x:", "g"), ("http://a", "|"), ("", "|"), ("a", "g")];
        assert_eq!(pairs, expected);
    }
}
