//! The grammars of the specifications: validation of URLs.
//!
//! A grammar is a list of productions under the specification's names. No production refers to itself, so that each of
//! them defines a regular language. A [`Recognizer`] reads a text once and returns the parts that the productions
//! match, or the first offending position. Validation is separate from resolution: the algorithms in `revision` do not
//! validate.
//!
//! ```
//! use urlstrata::grammar;
//!
//! let rfc1738 = grammar::by_revision("rfc1738").expect("it has a grammar");
//! let Some(mut host) = rfc1738.recognizer("host") else { panic!("it has hosts") };
//! assert!(host.is_match("ds.internic.net"));
//! let Err(mismatch) = host.match_parts("a_b") else { panic!("a host contains no underscore") };
//! assert_eq!(mismatch.at, 1);
//! ```

mod automaton;
mod draft_1996;
mod expression;
mod generate;
mod recognizer;
mod rfc1738;
mod rfc1808;
mod rfc2396;
mod rfc3986;
mod valid;

pub use expression::{Expression, Repetitions};
pub use generate::Edit;
pub use recognizer::{Expected, MatchedPart, Mismatch, Recognizer, Terminal};

/// The grammar of a specification.
#[derive(Debug)]
pub struct Grammar {
    /// The identifier of the grammar: that of the first revision that uses it.
    pub id: &'static str,
    /// The short name of the specification.
    pub cite: &'static str,
    /// The identifiers of the revisions that use the grammar.
    pub revisions: &'static [&'static str],
    /// The productions, in the specification's order. `schemepart` of RFC 1738 and of the draft tries its narrower form
    /// first.
    pub productions: &'static [Production],
    top: fn(&str) -> &'static str,
    /// The hand-written validator of the top production.
    valid: fn(&[u8]) -> bool,
    /// The production of a base: a URL with a scheme and without a fragment. `None` means the top production.
    pub base: Option<&'static str>,
    /// The hand-written validator of a base.
    valid_base: fn(&[u8]) -> bool,
    /// The productions that [`Grammar::top`] may return.
    pub tops: &'static [&'static str],
    /// Whether a letter in quotes matches both cases.
    pub case: Case,
}

/// A production of a grammar.
#[derive(Debug)]
pub struct Production {
    /// The specification's name.
    pub name: &'static str,
    /// The section that defines the production.
    pub section: &'static str,
    /// The right-hand side.
    pub rule: Expression,
    /// Whether the production describes the structure of a URL or its characters.
    pub kind: ProductionKind,
}

/// Whether a production describes the structure of a URL or its characters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ProductionKind {
    /// A part of a URL. [`Recognizer::match_parts`] returns it.
    Structure,
    /// One character or escape.
    Characters,
}

/// Which letters a letter in quotes matches.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Case {
    /// Only itself. RFC 1738 to RFC 2396 list upper and lower case separately where both are allowed.
    AsWritten,
    /// The letter in both cases (RFC 2234 §2.3, which RFC 3986 uses).
    Folded,
}

/// Every grammar, oldest first.
pub static ALL: &[&Grammar] =
    &[&rfc1738::GRAMMAR, &rfc1808::GRAMMAR, &draft_1996::GRAMMAR, &rfc2396::GRAMMAR, &rfc3986::GRAMMAR];

/// Returns the grammar of the revision with this identifier, or `None` if its specification has no grammar of its own.
#[must_use]
pub fn by_revision(revision: &str) -> Option<&'static Grammar> {
    ALL.iter().copied().find(|grammar| grammar.revisions.contains(&revision))
}

impl Grammar {
    /// Returns the production with this name.
    #[must_use]
    pub fn production(&self, name: &str) -> Option<&'static Production> {
        self.productions.iter().find(|production| production.name == name)
    }

    /// Returns the name of the production that a complete `text` must match: `"URL"` in RFC 1808.
    ///
    /// In RFC 1738 it depends on the scheme, for example `"ftpurl"`, because `otherurl` would match everything that the
    /// forms of the ten schemes exclude (`r1738-otherurl`).
    #[must_use]
    pub fn top(&self, text: &str) -> &'static str {
        (self.top)(text)
    }

    /// Returns whether `reference` is valid, that is, whether [`Grammar::top`] matches it.
    ///
    /// ```
    /// let rfc2396 = urlstrata::grammar::by_revision("rfc2396").expect("it has a grammar");
    /// assert!(rfc2396.is_valid("g?y"));
    /// assert!(!rfc2396.is_valid("g h"));
    /// ```
    ///
    /// The validator is hand-written for each specification, reads each byte about once, and allocates nothing.
    /// `tests/grammar.rs` compares it with the [`Recognizer`] of the production.
    #[must_use]
    pub fn is_valid(&self, reference: &str) -> bool {
        (self.valid)(reference.as_bytes())
    }

    /// Returns whether `base` is a valid base, that is, whether it matches `absoluteURL`, `absoluteURI` or
    /// `absolute-URI`.
    #[must_use]
    pub fn is_valid_base(&self, base: &str) -> bool {
        (self.valid_base)(base.as_bytes())
    }

    /// Returns which of the two texts is not valid, the reference first; `None` if both are. An empty base, which is an unknown one, is not
    /// excluded.
    ///
    /// ```
    /// let rfc3986 = urlstrata::grammar::by_revision("rfc3986").expect("it has a grammar");
    /// assert_eq!(rfc3986.excluded("", "g h"), Some("the reference"));
    /// assert_eq!(rfc3986.excluded("a b", "g"), Some("the base"));
    /// assert_eq!(rfc3986.excluded("", "g"), None);
    /// ```
    #[must_use]
    pub fn excluded(&self, base: &str, reference: &str) -> Option<&'static str> {
        if !self.is_valid(reference) {
            return Some("the reference");
        }
        (!base.is_empty() && !self.is_valid_base(base)).then_some("the base")
    }

    /// Creates a recognizer of the production `name`, or returns `None` if there is no such production.
    ///
    /// Creating a recognizer takes as long as reading some thousand characters. Reuse it for several texts.
    #[must_use]
    pub fn recognizer(&'static self, name: &str) -> Option<Recognizer> {
        self.production(name).map(|production| Recognizer::new(self, production))
    }
}

const fn production(name: &'static str, section: &'static str, rule: Expression) -> Production {
    Production { name, section, rule, kind: ProductionKind::Structure }
}

const fn class(name: &'static str, section: &'static str, rule: Expression) -> Production {
    Production { name, section, rule, kind: ProductionKind::Characters }
}

const LOWALPHA: &str = "abcdefghijklmnopqrstuvwxyz";
const HIALPHA: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ALPHA: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGIT: &str = "0123456789";

// The test program `internals` contains this module; the library has no tests.
#[cfg(test)]
#[path = "../tests/internals/grammar.rs"]
mod tests;
