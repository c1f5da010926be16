//! What an engine returns for a pair or a URL, and what it does against the protocol.

use std::fmt;

use serde::Serialize;
use urlstrata::Resolution;

use crate::escape::visible;

pub mod location;
mod violations;

pub use violations::Violations;

/// What an engine did with a base and a reference.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It said a URL.
    Url(String),
    /// It will not have this input, and says why. That is an answer.
    Failure(String),
    /// It has no answer, for a reason of ours or its own.
    Skipped(String),
    /// It died on this input.
    Crash(String),
    /// It did not answer this input within the limit.
    Timeout(String),
}

impl Outcome {
    /// The URL, if that is what it said.
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::Url(url) => Some(url),
            _ => None,
        }
    }

    /// Whether it is an answer: a URL, or that there is none.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Url(_) | Self::Failure(_))
    }

    /// Whether both are outcomes of the same kind, whatever their texts.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl fmt::Display for Outcome {
    /// Writes the URL, or what the engine did instead with its reason, on one line: invisible characters are escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => f.write_str(&visible(url)),
            Self::Failure(why) => write!(f, "failure: {}", visible(why)),
            Self::Skipped(why) => write!(f, "skipped: {}", visible(why)),
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

/// The components that an engine names, in its order; or what it did instead, which is no [`Outcome::Url`].
pub type Components = Result<Vec<(String, Option<String>)>, Outcome>;
