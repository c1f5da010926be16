//! The results of an engine for a pair or a URL, and its protocol violations.

use std::fmt;

use serde::{Deserialize, Serialize};
use urlstrata::Resolution;

use crate::escape::visible;

pub mod escape;
pub mod location;
pub mod plural;
mod violations;

pub use violations::Violations;

/// The result of an engine for a base and a reference.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The engine returned a URL.
    Url(String),
    /// The engine rejected the input, with this reason. A failure counts as an answer.
    Failure(String),
    /// There is no result, for this reason. The reason comes from the engine or from the harness. A skipped pair does
    /// not count as an answer.
    Skipped(String),
    /// The engine cannot be called with this input, or its result is not text, for this reason: a NUL in a C string, an
    /// output that is not UTF-8. It does not count as an answer.
    Unrepresentable(String),
    /// The engine crashed on this input.
    Crash(String),
    /// The engine did not answer within the time limit.
    Timeout(String),
}

impl Outcome {
    /// Returns the URL, or `None` if the engine did not return a URL.
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::Url(url) => Some(url),
            _ => None,
        }
    }

    /// Returns a number for the kind, in the order of the kinds, and the URL or the reason.
    pub fn kind_and_text(&self) -> (u8, &str) {
        match self {
            Self::Url(text) => (0, text),
            Self::Failure(text) => (1, text),
            Self::Skipped(text) => (2, text),
            Self::Unrepresentable(text) => (3, text),
            Self::Crash(text) => (4, text),
            Self::Timeout(text) => (5, text),
        }
    }

    /// Returns whether the outcome is an answer: a URL or a failure.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Url(_) | Self::Failure(_))
    }

    /// Returns whether both outcomes are of the same kind. Their texts are not compared.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl fmt::Display for Outcome {
    /// Writes the URL, or the kind of the outcome and its reason, on a single line. Invisible characters are escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => f.write_str(&visible(url)),
            Self::Failure(why) => write!(f, "failure: {}", visible(why)),
            Self::Skipped(why) => write!(f, "skipped: {}", visible(why)),
            Self::Unrepresentable(why) => write!(f, "unrepresentable: {}", visible(why)),
            Self::Crash(why) => write!(f, "crash: {}", visible(why)),
            Self::Timeout(why) => write!(f, "timeout: {}", visible(why)),
        }
    }
}

impl From<Resolution> for Outcome {
    fn from(resolution: Resolution) -> Self {
        match resolution {
            Ok(target) => Self::Url(target.url),
            Err(rejection) => Self::Failure(rejection.to_string()),
        }
    }
}

/// The components of a URL with the names and in the order of the engine, or an outcome other than [`Outcome::Url`].
pub type Components = Result<Vec<(String, Option<String>)>, Outcome>;
