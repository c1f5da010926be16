//! Classes of bases, and the rank of a pair as an example.

use std::fmt;

use serde::Serialize;
use urlstrata::grammar::{self, Grammar};

use urlstrata_outcome::location::Location;

/// The class of a base: the form of its beginning, as far as specifications treat it differently.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BaseClass {
    /// A base with a scheme and an authority or a rooted path: `http://a/b`, `foo:/a`.
    Hierarchical,
    /// A base with a scheme and a path that does not begin with a slash: `foo:a`, `mailto:`.
    Opaque,
    /// A base without a scheme: `a/b`. Specifications define results against such a base only for absolute references.
    Relative,
    /// The empty base, which means that the base is unknown.
    Unknown,
}

impl BaseClass {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::Hierarchical, Self::Opaque, Self::Relative, Self::Unknown];

    /// Returns the class of `base`. Leading spaces and control characters are ignored.
    /// Returns the kind of `base`.
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

/// The rank of a pair as an example. A better example has a smaller rank.
///
/// Pairs that are valid by RFC 3986 come before others, bases with `http` or `https` and a host before others, and
/// short pairs before long pairs. Ties are broken by the order of the strings, so that the smallest pair of a set is
/// unique.
///
/// # Examples
///
/// ```
/// use urlstrata_model::pairs::bases::Rank;
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
    /// Returns the rank of a pair.
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

    /// Appends bytes whose order is that of the ranks. No rank's bytes are the start of another's.
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend([self.illegal, u8::from(self.unusual)]);
        bytes.extend((self.length as u64).to_be_bytes());
        append_ordered(self.base, bytes);
        append_ordered(self.reference, bytes);
    }
}

/// Appends bytes whose order is that of `text`. They end with a mark that is smaller than any continuation, so that further
/// bytes only decide between equal texts.
pub fn append_ordered(text: &str, bytes: &mut Vec<u8>) {
    for byte in text.bytes() {
        bytes.push(byte);
        // A NUL of the text is larger than the mark at the end.
        bytes.extend((byte == 0).then_some(0xff));
    }
    bytes.extend([0, 0]);
}

/// The kind of a base in the ranking of examples, from the most to the least usual kind.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum BaseKind {
    /// A base that is valid by RFC 3986, with `http` or `https` and a host.
    Http,
    /// Another absolute URI that is valid by RFC 3986, or the empty base.
    Legal,
    /// A relative reference, or a string that is not valid by RFC 3986.
    Illegal,
}

impl BaseKind {
    /// Returns the kind of `base`.
    pub fn of(base: &str) -> Self {
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

/// Returns whether `text` is a valid URI reference by the grammar of RFC 3986.
pub fn is_legal(text: &str) -> bool {
    grammar::by_revision("rfc3986").is_none_or(|grammar: &Grammar| grammar.is_valid(text))
}
