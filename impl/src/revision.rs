//! Every published revision of reference resolution, one file for each specification.
//!
//! A file contains the specification's steps as a table, the rule set with which the optimized engine returns the same
//! results, and remarks on what the specification leaves open (`CHOICE`) or contradicts (`ERRATUM`).
//!
//! The URL Standard, `whatwg`, is a folder: its dated states share one table of steps. It has no rule set.
//!
//! The easiest access is by name: [`rfc3986::REVISION`] and [`rfc3986::RULES`].
//! [`ALL`] and [`by_id`] serve programs that let their users choose.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::base;
use crate::context;
use crate::resolution::{Rejection, Resolution};
use crate::rules::Rules;
use crate::scheme::{self, Statement};
use crate::slots::Slots;
use crate::step::{StepText, Trace};

pub mod appendix_b_1994;
pub mod draft_1996;
pub mod rfc1630;
pub mod rfc1738;
pub mod rfc1808;
pub mod rfc2396;
pub mod rfc3986;
mod segments;
#[cfg(feature = "whatwg")]
pub mod whatwg;

/// A published revision of the algorithm.
pub struct Revision {
    /// The identifier, for example `"rfc1808"`.
    pub id: &'static str,
    /// The name of the specification.
    pub specification: &'static str,
    /// The short name of the specification in citations: `RFC 1808` in `RFC 1808 §4 step 3`.
    pub cite: &'static str,
    /// The date of publication.
    pub date: &'static str,
    /// The sections that are implemented.
    pub sections: &'static str,
    /// The specification's names for the components of a URL, in order.
    pub components: &'static [&'static str],
    /// The rule set with which the optimized engine returns the same results. It is `None` if the specification does not
    /// define resolution (RFC 1738), or more than rules describe (the URL Standard).
    pub rules: Option<&'static Rules>,
    /// How the base of a document is determined, or `None` if the specification does not define it.
    pub base: Option<&'static base::Algorithm>,
    /// How URLs are delimited in running text, or `None` if the specification does not define it.
    pub context: Option<&'static context::Extractor>,
    /// Remarks on what the specification leaves open or contradicts.
    pub remarks: &'static [Remark],
    pub(crate) resolve: fn(&str, &str, &mut Trace) -> Resolution,
    pub(crate) parse: fn(&str, &mut Trace) -> Result<Parts, Rejection>,
    pub(crate) resolve_steps: fn() -> Vec<StepText>,
    pub(crate) parse_steps: fn() -> Vec<StepText>,
    pub(crate) schemes: Option<&'static Schemes>,
    pub(crate) statements: Option<fn(&str) -> Vec<Statement>>,
    /// Whether a run can record [slots](crate::slots).
    pub writes_slots: bool,
}

/// How a specification reads the URLs of each scheme.
pub(crate) struct Schemes {
    pub(crate) read: fn(&str, &mut Trace) -> Result<scheme::Url, Rejection>,
    pub(crate) steps: fn() -> Vec<StepText>,
}

impl Revision {
    /// Resolves `reference` against `base` by the specification's steps.
    ///
    /// The strings are not validated: characters that are not delimiters are copied. An empty `base` means that the
    /// base is unknown.
    ///
    /// ```
    /// use urlstrata::revision::rfc1808;
    ///
    /// let target = rfc1808::REVISION.resolve("http://a/b/c/d;p?q#f", "../../../g")?;
    /// assert_eq!(target.url, "http://a/../g");
    /// # Ok::<(), urlstrata::Rejection>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`Rejection`] with the section if the specification defines no result.
    pub fn resolve(&self, base: &str, reference: &str) -> Resolution {
        (self.resolve)(base, reference, &mut Trace::off())
    }

    /// Does the same as [`Revision::resolve`], and returns a trace of the steps.
    pub fn resolve_traced(&self, base: &str, reference: &str) -> (Resolution, Trace) {
        let mut trace = Trace::on();
        let resolution = (self.resolve)(base, reference, &mut trace);
        (resolution, trace)
    }

    /// Does the same as [`Revision::resolve`], and records the slots of the run: see [`slots`](crate::slots). `None` instead of the
    /// slots if the revision does not [write](Self::writes_slots) them.
    ///
    /// ```
    /// use urlstrata::revision::rfc3986;
    /// use urlstrata::slots::{Slot, Slots};
    ///
    /// let (_, slots) = rfc3986::REVISION.resolve_slots("http://a/b/c", "../g", Slots::recording(vec![]));
    /// let slots = slots.expect("the RFC writes slots");
    /// assert_eq!(slots.text(Slot::Merged), Some("/b/../g"));
    /// assert_eq!(slots.history(Slot::NoDots)[1].steps, ["5.2.4 2C"]);
    /// ```
    pub fn resolve_slots(&self, base: &str, reference: &str, slots: Slots) -> (Resolution, Option<Slots>) {
        let mut trace = Trace::slots(slots);
        let resolution = (self.resolve)(base, reference, &mut trace);
        (resolution, trace.into_slots().filter(|_| self.writes_slots))
    }

    /// Splits `url` into components. Their names are the specification's.
    ///
    /// # Errors
    ///
    /// Returns a [`Rejection`] with the section if the specification does not define the components of such a string.
    pub fn parse(&self, url: &str) -> Result<Parts, Rejection> {
        (self.parse)(url, &mut Trace::off())
    }

    /// Does the same as [`Revision::parse`], and returns a trace of the steps.
    pub fn parse_traced(&self, url: &str) -> (Result<Parts, Rejection>, Trace) {
        let mut trace = Trace::on();
        let parts = (self.parse)(url, &mut trace);
        (parts, trace)
    }

    /// Reads the fields of `url` by its scheme. Returns `None` if the specification describes no schemes.
    ///
    /// # Errors
    ///
    /// Returns a [`Rejection`] with the section if the scheme's description excludes the URL.
    #[must_use]
    pub fn read(&self, url: &str) -> Option<Result<scheme::Url, Rejection>> {
        Some((self.schemes?.read)(url, &mut Trace::off()))
    }

    /// Does the same as [`Revision::read`], and returns a trace of the steps: those of parsing, then those of the scheme.
    #[must_use]
    pub fn read_traced(&self, url: &str) -> Option<(Result<scheme::Url, Rejection>, Trace)> {
        let mut trace = Trace::on();
        let read = (self.schemes?.read)(url, &mut trace);
        Some((read, trace))
    }

    /// Returns the citation of `section`: `RFC 1808 §2.3`, `Appendix B 1994, introduction`.
    #[must_use]
    pub fn citation(&self, section: &str) -> String {
        match section.bytes().next() {
            None => self.cite.to_owned(),
            Some(b'0'..=b'9') => [self.cite, " §", section].concat(),
            Some(_) => [self.cite, ", ", section].concat(),
        }
    }

    /// Returns what the specification states about `url` without describing the syntax of its scheme: whether relative
    /// URLs can be used with the scheme, the status of its name, dangers (RFC 1738 has them in [`Revision::read`]), and
    /// recommendations. Returns nothing if `url` has no scheme.
    ///
    /// ```
    /// use urlstrata::revision::rfc1808;
    ///
    /// let statements = rfc1808::REVISION.statements("news:*");
    /// assert_eq!((statements[0].sentence.as_str(), statements[0].section), ("never", "2.3"));
    /// ```
    #[must_use]
    pub fn statements(&self, url: &str) -> Vec<Statement> {
        self.statements.map_or_else(Vec::new, |statements| statements(url))
    }

    /// Returns the steps of all schemes, in the specification's order. Returns no steps if it describes no schemes.
    pub fn scheme_steps(&self) -> Vec<StepText> {
        self.schemes.map_or_else(Vec::new, |schemes| (schemes.steps)())
    }

    /// Returns the steps of parsing, in the specification's order. Returns no steps if parsing and resolving are one
    /// algorithm, as in the URL Standard: they are [`Revision::resolve_steps`].
    #[must_use]
    pub fn parse_steps(&self) -> Vec<StepText> {
        (self.parse_steps)()
    }

    /// Returns the steps of resolving, in the specification's order.
    #[must_use]
    pub fn resolve_steps(&self) -> Vec<StepText> {
        (self.resolve_steps)()
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// The components of a URL, in the specification's order and under its names.
///
/// The value `None` means that the component is absent, and `Some("")` means that it is empty, if the specification
/// distinguishes the two.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Parts(pub(crate) Vec<(&'static str, Option<String>)>);

impl Parts {
    /// Iterates over the components: the name that the specification uses, and the value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Option<&str>)> {
        self.0.iter().map(|(name, value)| (*name, value.as_deref()))
    }

    /// Returns the value of the component with this name, or `None` if the specification has no such component.
    #[must_use]
    pub fn component(&self, name: &str) -> Option<Option<&str>> {
        self.0.iter().find(|part| part.0 == name).map(|part| part.1.as_deref())
    }
}

impl FromIterator<(&'static str, Option<String>)> for Parts {
    fn from_iter<I: IntoIterator<Item = (&'static str, Option<String>)>>(parts: I) -> Self {
        Self(parts.into_iter().collect())
    }
}

/// A remark on a point that a specification leaves open or contradicts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Remark {
    /// Whether the specification leaves the point open or contradicts itself.
    pub kind: RemarkKind,
    /// A unique identifier, for example `"r1808-entirely-empty"`.
    pub id: &'static str,
    /// The open question, or the contradictory statement.
    pub issue: &'static str,
    /// How this crate decides the question, or what the statement must mean.
    pub decision: &'static str,
    /// The reason for the decision.
    pub reason: &'static str,
}

/// The kind of a [`Remark`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RemarkKind {
    /// The specification leaves the point open, and this crate decides it.
    Choice,
    /// The specification contradicts itself.
    Erratum,
}

impl Remark {
    const fn new(kind: RemarkKind, id: &'static str) -> Self {
        Self { kind, id, issue: "", decision: "", reason: "" }
    }

    const fn issue(self, issue: &'static str) -> Self {
        Self { issue, ..self }
    }

    const fn decision(self, decision: &'static str) -> Self {
        Self { decision, ..self }
    }

    const fn reason(self, reason: &'static str) -> Self {
        Self { reason, ..self }
    }
}

/// Creates a remark on an open point. `grep -rn 'CHOICE('` lists all of them.
#[allow(non_snake_case, reason = "upper case makes the remarks easy to find with grep")]
const fn CHOICE(id: &'static str) -> Remark {
    Remark::new(RemarkKind::Choice, id)
}

/// Creates a remark on a contradiction. `grep -rn 'ERRATUM('` lists all of them.
#[allow(non_snake_case, reason = "upper case makes the remarks easy to find with grep")]
const fn ERRATUM(id: &'static str) -> Remark {
    Remark::new(RemarkKind::Erratum, id)
}

/// Every revision, oldest first.
pub static ALL: &[&Revision] = &[
    &rfc1630::REVISION,
    &appendix_b_1994::REVISION,
    &rfc1738::REVISION,
    &rfc1808::REVISION,
    &draft_1996::REVISION,
    &rfc2396::REVISION,
    &rfc3986::REVISION,
    &rfc3986::NONSTRICT,
    #[cfg(feature = "whatwg")]
    &whatwg::WHATWG_2014_12,
    #[cfg(feature = "whatwg")]
    &whatwg::WHATWG_2016_03,
    #[cfg(feature = "whatwg")]
    &whatwg::WHATWG_2018_06,
    #[cfg(feature = "whatwg")]
    &whatwg::WHATWG_2020_08,
    #[cfg(feature = "whatwg")]
    &whatwg::WHATWG_2021_06,
    #[cfg(feature = "whatwg")]
    &whatwg::WHATWG_2022_01,
    #[cfg(feature = "whatwg")]
    &whatwg::WHATWG_2025_03,
    #[cfg(feature = "whatwg")]
    &whatwg::WHATWG_2026_07,
];

/// Returns the revision with this identifier. The identifier `whatwg` is that of the newest state of the URL Standard.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Revision> {
    #[cfg(feature = "whatwg")]
    if id == "whatwg" {
        return Some(whatwg::NEWEST);
    }
    ALL.iter().copied().find(|revision| revision.id == id)
}

/// Returns the revisions that define resolution and their rule sets, oldest first.
pub fn resolving() -> impl Iterator<Item = (&'static Revision, &'static Rules)> {
    ALL.iter().copied().filter_map(|revision| revision.rules.map(|rules| (revision, rules)))
}

/// Formats the values that are present as `name=value` pairs, for a trace.
fn pairs(values: &[(&str, Option<&str>)]) -> String {
    let mut text = String::new();
    for (name, value) in values {
        if let Some(value) = value {
            if !text.is_empty() {
                text.push(' ');
            }
            text.extend([name, "=", value]);
        }
    }
    text
}
