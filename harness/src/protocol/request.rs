//! Requests, and how they end.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

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
    /// Request `url`.
    Connect {
        /// The URL.
        url: &'a str,
    },
    /// Request `base`, whose response redirects to `location`.
    Follow {
        /// The URL that is requested first.
        base: &'a str,
        /// The field `Location` of its response.
        location: &'a str,
    },
}

impl Request<'_> {
    /// Returns the operation that the request needs.
    pub fn op(&self) -> Op {
        match self {
            Self::Resolve { .. } => Op::Resolve,
            Self::Parse { .. } => Op::Parse,
            Self::Connect { .. } => Op::Connect,
            Self::Follow { .. } => Op::Follow,
        }
    }
}

/// How a request ended.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum End {
    /// With a URL. Only a request to resolve ends like this.
    Url(String),
    /// With components in the order of their names, or with parts of what was observed. A request to resolve does not end like this.
    Parts(Vec<(String, Option<String>)>),
    /// With a failure: the engine rejected the input, with this reason.
    Failure(String),
    /// Without an answer: the engine skipped the request, with this reason.
    Skipped(String),
    /// Without an answer: the engine cannot be called with this input, or its result is not text, for this reason.
    Unrepresentable(String),
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
            End::Unrepresentable(why) => Self::Unrepresentable(why),
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

/// Returns `object` as JSON in ASCII, on one line.
pub(crate) fn ascii(object: &Value) -> String {
    let mut line = Vec::new();
    let written = object.serialize(&mut Serializer::with_formatter(&mut line, Ascii));
    debug_assert!(written.is_ok(), "a value with strings as keys can be written to memory");
    String::from_utf8(line).unwrap_or_default()
}

/// Escapes all characters outside ASCII.
struct Ascii;

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        for part in fragment.split_inclusive(|c: char| !c.is_ascii()) {
            let plain = part.trim_end_matches(|c: char| !c.is_ascii());
            writer.write_all(plain.as_bytes())?;
            for unit in part[plain.len()..].encode_utf16() {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}
