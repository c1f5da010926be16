//! What a resolution ends in: a target with its meaning, or a refusal with its section.

use alloc::string::String;
use core::fmt;

/// What a resolved reference asks the reader to do.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Meaning {
    /// The target is to be retrieved.
    Retrieval,
    /// The reference points into the document that holds it; nothing need be retrieved.
    SameDocument,
    /// The document reads the reference as absolute though it names no scheme.
    AsIs,
}

/// Where a reference leads.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Target {
    /// The result, in the spelling that the inputs had.
    pub url: String,
    /// What the document makes of it.
    pub meaning: Meaning,
}

/// Why a document gives no result.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Refusal {
    /// A sentence about the input, lower case, without a full stop.
    pub why: String,
    /// The section that says so.
    pub section: &'static str,
    /// Whether the reference is known to point into the document that holds it, although no URL is defined.
    pub same_document: bool,
}

impl Refusal {
    pub(crate) fn new(section: &'static str, why: impl Into<String>) -> Self {
        Self { why: why.into(), section, same_document: false }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl core::error::Error for Refusal {}

/// A target, or why there is none.
pub type Resolution = Result<Target, Refusal>;
