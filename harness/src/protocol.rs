//! The engine protocol, version 1: one JSON object a line, and the engine speaks first.
//!
//! It performs no input or output: a [`Conversation`] makes of whatever an engine writes what is an answer.

use serde::de::DeserializeOwned;

mod conversation;
mod line;
mod request;

pub use conversation::{Conversation, MAX_LINE};
pub use line::Hello;
pub(crate) use line::Named;
pub use request::{End, Request};

/// The version spoken here.
pub const VERSION: u32 = 1;

/// What an engine can be asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Op {
    /// A reference against a base.
    Resolve,
    /// The components of a URL.
    Parse,
}

impl Op {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Resolve, Self::Parse];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Parse => "parse",
        }
    }
}

/// The object on a line; a list is none, though serde would read one as the fields in their order.
pub(crate) fn read_object<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    if !line.trim_start().starts_with('{') {
        return Err("no JSON object".to_owned());
    }
    serde_json::from_str(line).map_err(|error| {
        let said = error.to_string();
        match said.rsplit_once(" at line ") {
            Some((said, _)) => format!("{said}, at byte {}", error.column()),
            None => said,
        }
    })
}
