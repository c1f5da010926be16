//! Every published state of relative-URL resolution, one file each.
//!
//! A file holds what its document says: a table of steps that the loop in `step` runs, the row of answers under
//! which the optimized engine says the same, and the marks of what the document leaves open (`CHOICE`) or
//! contradicts (`ERRATUM`).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::base;
use crate::context;
use crate::resolution::{Rejection, Resolution};
use crate::rules::Rules;
use crate::scheme;
use crate::step::{StepText, Trace};

pub mod appendix_b_1994;
pub mod draft_1996;
pub mod rfc1630;
pub mod rfc1738;
pub mod rfc1808;
pub mod rfc2396;
pub mod rfc3986;
mod segments;

/// A published state of the algorithm.
pub struct Revision {
    /// The name used everywhere: vectors, engines, reports.
    pub id: &'static str,
    /// The document's name.
    pub specification: &'static str,
    /// How sources name the document: `RFC 1808` in `RFC 1808 §4 step 3`.
    pub cite: &'static str,
    /// When it was published.
    pub date: &'static str,
    /// The sections followed here.
    pub sections: &'static str,
    /// The document's own names of a URL's components, in order.
    pub components: &'static [&'static str],
    /// The row under which the optimized engine says the same; `None` if the document resolves nothing.
    pub rules: Option<&'static Rules>,
    /// How a base is established; `None` if the document does not say.
    pub base: Option<&'static base::Algorithm>,
    /// How URLs stand in running text; `None` if the document does not say.
    pub context: Option<&'static context::Extractor>,
    /// What the document leaves open or contradicts.
    pub remarks: &'static [Remark],
    pub(crate) resolve: fn(&str, &str, &mut Trace) -> Resolution,
    pub(crate) parse: fn(&str, &mut Trace) -> Result<Parts, Rejection>,
    pub(crate) resolve_steps: fn() -> Vec<StepText>,
    pub(crate) parse_steps: fn() -> Vec<StepText>,
    pub(crate) schemes: Option<&'static Schemes>,
}

/// What a document makes of the URLs of single schemes.
pub(crate) struct Schemes {
    pub(crate) read: fn(&str, &mut Trace) -> Result<scheme::Url, Rejection>,
    pub(crate) steps: fn() -> Vec<StepText>,
}

impl Revision {
    /// Resolves `reference` against `base` by this document's steps.
    ///
    /// ```
    /// let rfc1808 = urlstrata::revision::by_id("rfc1808").expect("a revision");
    /// let target = rfc1808.resolve("http://a/b/c/d;p?q#f", "../../../g").expect("a target");
    /// assert_eq!(target.url, "http://a/../g");
    /// ```
    ///
    /// Neither string is checked: what the document does not call a delimiter is copied. An empty `base` is an
    /// unknown one.
    ///
    /// # Errors
    ///
    /// Where the document defines no result, with the section.
    pub fn resolve(&self, base: &str, reference: &str) -> Resolution {
        (self.resolve)(base, reference, &mut Trace::off())
    }

    /// As [`Revision::resolve`], with every step that ran.
    pub fn resolve_traced(&self, base: &str, reference: &str) -> (Resolution, Trace) {
        let mut trace = Trace::on();
        let resolution = (self.resolve)(base, reference, &mut trace);
        (resolution, trace)
    }

    /// Splits `url` into components by this document's rules and under its names.
    ///
    /// # Errors
    ///
    /// Where the document does not take such a string, with the section.
    pub fn parse(&self, url: &str) -> Result<Parts, Rejection> {
        (self.parse)(url, &mut Trace::off())
    }

    /// As [`Revision::parse`], with every step that ran.
    pub fn parse_traced(&self, url: &str) -> (Result<Parts, Rejection>, Trace) {
        let mut trace = Trace::on();
        let parts = (self.parse)(url, &mut trace);
        (parts, trace)
    }

    /// Reads `url` by the rules of its scheme; `None` if the document describes no scheme.
    ///
    /// # Errors
    ///
    /// Where the document does not take such a URL, with the section.
    #[must_use]
    pub fn read(&self, url: &str) -> Option<Result<scheme::Url, Rejection>> {
        Some((self.schemes?.read)(url, &mut Trace::off()))
    }

    /// As [`Revision::read`], with every step that ran, those of parsing first.
    #[must_use]
    pub fn read_traced(&self, url: &str) -> Option<(Result<scheme::Url, Rejection>, Trace)> {
        let mut trace = Trace::on();
        let read = (self.schemes?.read)(url, &mut trace);
        Some((read, trace))
    }

    /// The steps by which schemes read their part of a URL, in the document's order; none if it describes no scheme.
    pub fn scheme_steps(&self) -> Vec<StepText> {
        self.schemes.map_or_else(Vec::new, |schemes| (schemes.steps)())
    }

    /// The steps of parsing, in the document's order.
    #[must_use]
    pub fn parse_steps(&self) -> Vec<StepText> {
        (self.parse_steps)()
    }

    /// The steps of resolving, in the document's order.
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

/// Components under a document's own names, in its order. `None` is absent, `Some("")` present and empty, where
/// the document tells them apart.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Parts(pub(crate) Vec<(&'static str, Option<String>)>);

impl Parts {
    /// Iterates over the components: the name that the specification uses, and the value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Option<&str>)> {
        self.0.iter().map(|(name, value)| (*name, value.as_deref()))
    }

    /// The component of that name: `None` if the document has no such component.
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

/// A remark on a document, in three parts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Remark {
    /// Whether the document leaves something open or contradicts itself.
    pub kind: RemarkKind,
    /// `r1808-entirely-empty`, unique over all documents.
    pub id: &'static str,
    /// What is open; or what the document says.
    pub issue: &'static str,
    /// What we do; or what it must mean.
    pub decision: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// The two kinds of [`Remark`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RemarkKind {
    /// What we decided where a document did not.
    Choice,
    /// Where a document contradicts itself.
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

/// What a document leaves open, what we do, and why: `grep -rn 'CHOICE('` lists them.
#[allow(non_snake_case, reason = "a mark is to be found by grep, in one spelling")]
const fn CHOICE(id: &'static str) -> Remark {
    Remark::new(RemarkKind::Choice, id)
}

/// What a document says, what it must mean, and why: `grep -rn 'ERRATUM('` lists them.
#[allow(non_snake_case, reason = "a mark is to be found by grep, in one spelling")]
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
];

/// The revision of that id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Revision> {
    ALL.iter().copied().find(|revision| revision.id == id)
}

/// The revisions that define a resolution, with the row of each, oldest first.
pub fn resolving() -> impl Iterator<Item = (&'static Revision, &'static Rules)> {
    ALL.iter().copied().filter_map(|revision| revision.rules.map(|rules| (revision, rules)))
}

/// `name=value` pairs of what is there, for a trace.
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

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::ToString;

    use super::ALL;
    use crate::step::{MISSING_STEP, Next, Program, Show, Trace, run};

    #[test]
    fn ids_labels_and_marks_are_unique() {
        let mut ids = BTreeSet::new();
        let mut remarks = BTreeSet::new();
        for &revision in ALL {
            assert!(ids.insert(revision.id));
            for steps in [revision.parse_steps(), revision.resolve_steps()] {
                let labels: BTreeSet<_> = steps.iter().map(|step| step.label).collect();
                assert_eq!(labels.len(), steps.len(), "{}", revision.id);
            }
            for remark in revision.remarks {
                assert!(remarks.insert(remark.id), "{}", remark.id);
                assert!(
                    [remark.issue, remark.decision, remark.reason].iter().all(|part| !part.is_empty()),
                    "{}",
                    remark.id
                );
            }
        }
    }

    struct Count(usize);

    impl Show for Count {
        fn show(&self) -> alloc::string::String {
            self.0.to_string()
        }
    }

    #[test]
    fn no_step_runs_without_leaving_a_trace() {
        const STEPS: &Program<Count> = &[
            ("a", "counts", |count| {
                count.0 += 1;
                if count.0 < 3 { Next::SkipTo("a") } else { Next::Continue }
            }),
            ("b", "ends", |_| Next::Done),
            ("c", "is never reached", |_| Next::Done),
        ];
        let mut trace = Trace::on();
        run(STEPS, &mut Count(0), &mut trace);
        let left: alloc::vec::Vec<_> =
            trace.entries().iter().map(|entry| (entry.label, entry.state.as_str())).collect();
        assert_eq!(left, [("a", "1"), ("a", "2"), ("a", "3"), ("b", "3")]);
    }

    #[test]
    fn a_skip_to_a_missing_step_is_traced() {
        const STEPS: &Program<Count> =
            &[("a", "skips", |_| Next::SkipTo("c")), ("b", "is never reached", |_| Next::Done)];
        let mut trace = Trace::on();
        run(STEPS, &mut Count(0), &mut trace);
        let left: alloc::vec::Vec<_> = trace.entries().iter().map(|entry| (entry.label, entry.text)).collect();
        assert_eq!(left, [("a", "skips"), ("c", MISSING_STEP)]);
    }
}
