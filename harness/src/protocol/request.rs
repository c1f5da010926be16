//! Requests, and how they end.

use super::Op;
use crate::outcome::{Components, Outcome};

/// A request to an engine.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Request<'a> {
    /// Resolve `reference` against `base`. An empty `base` means that the base is unknown.
    Resolve {
        /// The base.
        base: &'a str,
        /// The reference.
        reference: &'a str,
    },
    /// Split `url` into its components.
    Parse {
        /// The URL.
        url: &'a str,
    },
}

impl Request<'_> {
    /// Returns the operation that the request needs.
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
    /// With a URL. Only a request to resolve ends like this.
    Url(String),
    /// With components in the order of their names. Only a request to parse ends like this.
    Parts(Vec<(String, Option<String>)>),
    /// With a failure: the engine rejected the input, with this reason.
    Failure(String),
    /// Without an answer: the engine skipped the request, with this reason.
    Skipped(String),
    /// Without an answer: the engine ended, as described here.
    Crash(String),
    /// Without an answer: the engine did not answer within the time limit.
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
