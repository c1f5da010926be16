//! One line of an engine, taken by itself.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{End, Op, VERSION, read_object};
use crate::escape::visible;
use crate::unique_map::UniqueMap;

/// What an engine says of itself before anything else.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Hello {
    /// What it calls itself.
    pub engine: String,
    /// The version of what is asked.
    pub version: String,
    /// What it can be asked for; never nothing.
    pub ops: Vec<Op>,
}

impl Hello {
    /// Reads the first line of an engine.
    ///
    /// # Errors
    ///
    /// A sentence about the engine.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let no_hello = |why: String| {
            let remedy =
                format!("an engine says {{\"protocol\":{VERSION},\"engine\":…,\"version\":…,\"ops\":[…]}} first");
            format!("its first line is no hello, {}: {remedy}: {}", cut(&why), excerpt(line))
        };
        let fields: BTreeMap<String, Value> = read_object(line).map_err(no_hello)?;
        match fields.get("protocol") {
            Some(protocol) if protocol.as_u64() == Some(u64::from(VERSION)) => {}
            Some(other) => {
                return Err(format!("it speaks protocol {}, and {VERSION} is understood", cut(&other.to_string())));
            }
            None => return Err(no_hello("missing field `protocol`".to_owned())),
        }
        let said: Fields = read_object(line).map_err(no_hello)?;
        for (what, name) in [("engine", &said.engine), ("version", &said.version)] {
            if name.is_empty() || name.chars().count() > LONGEST_NAME || visible(name) != *name {
                let wanted = format!("1 to {LONGEST_NAME} characters that can be shown");
                return Err(format!("its {what} is no name of {wanted}: {}", excerpt(name)));
            }
        }
        let ops: Vec<_> = Op::ALL.into_iter().filter(|op| said.ops.iter().any(|name| name == op.name())).collect();
        if ops.is_empty() {
            return Err("it offers neither resolve nor parse".to_owned());
        }
        Ok(Self { engine: said.engine, version: said.version, ops })
    }
}

/// A longer name, in characters, is none.
const LONGEST_NAME: usize = 200;

#[derive(Deserialize)]
struct Fields {
    engine: String,
    version: String,
    ops: Vec<String>,
}

/// A line of which only the id is read.
#[derive(Deserialize)]
pub(crate) struct Named {
    pub(crate) id: Value,
}

/// A line that may be an answer.
#[derive(Deserialize)]
pub(super) struct Said {
    pub(super) id: Value,
    url: Option<String>,
    parts: Option<UniqueMap<Option<String>>>,
    // Shims written for earlier versions send `refused`.
    #[serde(alias = "refused")]
    failure: Option<String>,
    skipped: Option<String>,
}

impl Said {
    /// Reads a line that is not the first.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        read_object(line).map_err(|why| format!("no answer, {}", cut(&why)))
    }

    /// How its request ends, if the line has one answer.
    pub(super) fn end(self) -> Result<End, String> {
        match (self.url, self.parts, self.failure, self.skipped) {
            (Some(url), None, None, None) => Ok(End::Url(url)),
            (None, Some(parts), None, None) => Ok(End::Parts(parts.0.into_iter().collect())),
            (None, None, Some(why), None) => Ok(End::Failure(why)),
            (None, None, None, Some(why)) => Ok(End::Skipped(why)),
            (None, None, None, None) => {
                Err(format!("no answer to {}, as url, parts, failure or skipped is wanted", self.id))
            }
            _ => Err(format!("two answers to {} in one", self.id)),
        }
    }
}

/// The start of a text, between quotes, as a terminal shows it.
pub(super) fn excerpt(text: &str) -> String {
    format!("\"{}\"", cut(text))
}

/// The start of a text, as a terminal shows it.
pub(super) fn cut(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", visible(&text[..at])),
        None => visible(text),
    }
}
