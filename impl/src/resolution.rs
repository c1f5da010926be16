//! The outcome of a resolution: a target and its meaning, or a rejection and the section that causes it.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

/// What the user of a resolved reference does with the target.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Meaning {
    /// The user retrieves the target.
    Retrieval,
    /// The reference points into the document that contains it, so that nothing needs to be retrieved.
    SameDocument,
    /// The specification treats the reference as absolute although it has no scheme. The target is the reference itself.
    AsIs,
}

/// The result of a resolution.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub struct Target {
    /// The target URL. Its characters are those of the base and the reference: nothing is encoded, decoded or normalized.
    pub url: String,
    /// What the specification says about the use of the target.
    pub meaning: Meaning,
}

/// The error of an operation that a specification does not define for its input, with the section that says so.
///
/// The [`Display`](fmt::Display) implementation writes [`Rejection::reason`].
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Rejection {
    reason: String,
    section: Cow<'static, str>,
    same_document: bool,
}

impl Rejection {
    pub(crate) fn new(section: &'static str, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), section: Cow::Borrowed(section), same_document: false }
    }

    /// Returns the rejection with another section.
    #[cfg(feature = "whatwg")]
    pub(crate) fn at(self, section: Cow<'static, str>) -> Self {
        Self { section, ..self }
    }

    /// The rejection of a reference into a document whose URL is unknown.
    pub(crate) fn same_document(section: &'static str, reason: &'static str) -> Self {
        Self { same_document: true, ..Self::new(section, reason) }
    }

    /// Returns what is wrong with the input: one sentence, in lower case and without a full stop.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Returns the number of the section that causes the rejection, for example `"5.1.4"`. That of a dated revision of the
    /// URL Standard is followed by the step, both as the text of that date has them: `"4.2 port 4"`.
    #[must_use]
    pub fn section(&self) -> &str {
        &self.section
    }

    /// Returns whether the reference points into the document that contains it, although its target is undefined.
    #[must_use]
    pub fn is_same_document(&self) -> bool {
        self.same_document
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl core::error::Error for Rejection {}

/// The result of [`Revision::resolve`](crate::revision::Revision::resolve).
pub type Resolution = Result<Target, Rejection>;
