//! The engine protocol, version 1: each line is a JSON object, and the first line is the engine's hello.
//!
//! This module performs no input or output: a [`Conversation`] extracts the answers from the bytes that an engine
//! wrote.

use serde::de::DeserializeOwned;

mod conversation;
mod line;
mod request;

pub use conversation::{Conversation, MAX_LINE};
pub use line::Hello;
pub(crate) use line::Named;
pub(crate) use request::ascii;
pub use request::{End, Request};

/// The version of the protocol that is implemented here.
pub const VERSION: u32 = 1;

/// An operation that an engine may offer.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Op {
    /// Resolve a reference against a base.
    Resolve,
    /// Split a URL into its components.
    Parse,
    /// Request a URL without following redirects, and tell where the client connects and what it sends.
    Connect,
    /// Request a URL whose response redirects, and tell where the client goes then.
    Follow,
}

impl Op {
    /// All operations.
    pub const ALL: [Self; 4] = [Self::Resolve, Self::Parse, Self::Connect, Self::Follow];

    /// The operations that ask about a URL, and whose answers are parts.
    pub const ABOUT_URLS: [Self; 3] = [Self::Parse, Self::Connect, Self::Follow];

    /// Returns the name of the operation in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Parse => "parse",
            Self::Connect => "connect",
            Self::Follow => "follow",
        }
    }
}

/// Deserializes the JSON object on `line`.
///
/// # Errors
///
/// Returns a sentence if `line` is not a JSON object with the fields of `T`. An array is rejected, although serde would
/// read it as the fields in their order.
pub(crate) fn read_object<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    if !line.trim_start().starts_with('{') {
        return Err("not a JSON object".to_owned());
    }
    serde_json::from_str(line).map_err(|error| {
        let message = error.to_string();
        match message.rsplit_once(" at line ") {
            Some((message, _)) => format!("{message}, at byte {}", error.column()),
            None => message,
        }
    })
}
