//! What is asked, and how that ends.

use super::Op;
use crate::outcome::{Components, Outcome};

/// Something to ask an engine.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Request<'a> {
    /// What `reference` stands for under `base`, which is empty where it is unknown.
    Resolve {
        /// The base.
        base: &'a str,
        /// The reference.
        reference: &'a str,
    },
    /// The components of `url`.
    Parse {
        /// The URL.
        url: &'a str,
    },
}

impl Request<'_> {
    /// What it asks for.
    pub fn op(&self) -> Op {
        match self {
            Self::Resolve { .. } => Op::Resolve,
            Self::Parse { .. } => Op::Parse,
        }
    }
}

/// How a request ended.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum End {
    /// With a URL, which only a request to resolve ends with.
    Url(String),
    /// With components, which only a request to parse ends with; in the order of their names.
    Parts(Vec<(String, Option<String>)>),
    /// With a rejection and why.
    Failure(String),
    /// Without an answer, as the engine says.
    Skipped(String),
    /// Without an answer, as the engine ended.
    Crash(String),
    /// Without an answer, as there was none within the limit.
    Timeout(String),
}

impl From<End> for Outcome {
    fn from(end: End) -> Self {
        match end {
            End::Url(url) => Self::Url(url),
            End::Parts(_) => Self::Skipped("components, where a URL was asked for".to_owned()),
            End::Failure(why) => Self::Failure(why),
            End::Skipped(why) => Self::Skipped(why),
            End::Crash(why) => Self::Crash(why),
            End::Timeout(why) => Self::Timeout(why),
        }
    }
}

impl From<End> for Components {
    fn from(end: End) -> Self {
        match end {
            End::Parts(parts) => Ok(parts),
            End::Url(_) => Err(Outcome::Skipped("a URL, where components were asked for".to_owned())),
            other => Err(other.into()),
        }
    }
}
