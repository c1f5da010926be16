//! A single line of an engine's output, without the state of the conversation.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{End, Op, VERSION, read_object};
use crate::escape::visible;
use crate::unique_map::UniqueMap;

/// The first line of an engine's output, which describes the engine.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Hello {
    /// The name of the engine: 1 to 200 visible characters.
    pub engine: String,
    /// The version of the engine, or of the library that it calls: 1 to 200 visible characters.
    pub version: String,
    /// The operations that the engine offers; never empty. Unknown operations are left out.
    pub ops: Vec<Op>,
    /// The call that the shim makes, in the engine's language; at most 200 characters are kept.
    pub native: Option<String>,
    /// The mode in which the library is called.
    pub mode: Option<String>,
    /// The parser that the library uses, if several libraries share it.
    pub lineage: Option<String>,
    /// The options of the library that the shim sets, by name.
    pub options: BTreeMap<String, String>,
}

impl Hello {
    /// Parses the first line of an engine's output.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the line is not a hello of this version, if a name is invalid, or if the engine offers no
    /// known operation.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let no_hello = |why: String| {
            let remedy =
                format!("an engine writes {{\"protocol\":{VERSION},\"engine\":…,\"version\":…,\"ops\":[…]}} first");
            format!("its first line is not a greeting, {}: {remedy}: {}", cut(&why), excerpt(line))
        };
        let fields: BTreeMap<String, Value> = read_object(line).map_err(no_hello)?;
        match fields.get("protocol") {
            Some(protocol) if protocol.as_u64() == Some(u64::from(VERSION)) => {}
            Some(other) => {
                return Err(format!("it speaks protocol {}, and {VERSION} is understood", cut(&other.to_string())));
            }
            None => return Err(no_hello("missing field `protocol`".to_owned())),
        }
        let message: Fields = read_object(line).map_err(no_hello)?;
        for (what, name) in [("engine", &message.engine), ("version", &message.version)] {
            if name.is_empty() || name.chars().count() > LONGEST_NAME || visible(name) != *name {
                let wanted = format!("1 to {LONGEST_NAME} characters that can be shown");
                return Err(format!("its {what} is not a name of {wanted}: {}", excerpt(name)));
            }
        }
        let ops: Vec<_> = Op::ALL.into_iter().filter(|op| message.ops.iter().any(|name| name == op.name())).collect();
        if ops.is_empty() {
            return Err("it offers none of resolve, parse, connect and follow".to_owned());
        }
        let shown = |text: Option<String>| text.map(|text| cut_at(&text, LONGEST_NAME));
        Ok(Self {
            engine: message.engine,
            version: message.version,
            ops,
            native: shown(message.native),
            mode: shown(message.mode),
            lineage: shown(message.lineage),
            options: message.options,
        })
    }
}

/// The maximum length of a name, in characters.
const LONGEST_NAME: usize = 200;

#[derive(Deserialize)]
struct Fields {
    engine: String,
    version: String,
    ops: Vec<String>,
    native: Option<String>,
    mode: Option<String>,
    lineage: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, String>,
}

/// A line of which only the id is read.
#[derive(Deserialize)]
pub(crate) struct Named {
    pub(crate) id: Value,
}

/// A line that may be an answer.
#[derive(Deserialize)]
pub(super) struct Message {
    pub(super) id: Value,
    url: Option<String>,
    parts: Option<UniqueMap<Option<String>>>,
    // Shims written for earlier versions send `refused`.
    #[serde(alias = "refused")]
    failure: Option<String>,
    skipped: Option<String>,
    unrepresentable: Option<String>,
    /// How a client that is observed crashed, or did not answer in time. The observer sends these.
    crash: Option<String>,
    timeout: Option<String>,
    /// The URL as bytes in hexadecimal, for a library whose results may not be UTF-8.
    bytes: Option<String>,
}

impl Message {
    /// Parses a line that is not the first.
    ///
    /// # Errors
    ///
    /// Returns a phrase with the reason if the line is not a JSON object with an id, or if a field has the wrong type.
    ///
    /// A library whose strings are UTF-16 may return half of a surrogate pair, which is not text. A URL with such a
    /// character is unrepresentable; in a reason it is replaced.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let read = read_object(line).or_else(|why| {
            let mended = without_lone_surrogates(line).ok_or(why)?;
            let read: Self = read_object(&mended)?;
            let unrepresentable = || "the result contains a lone surrogate".to_owned();
            let is_text = read.url.is_none() && read.parts.is_none();
            Ok(match is_text {
                true => read,
                false => Self { url: None, parts: None, unrepresentable: Some(unrepresentable()), ..read },
            })
        });
        read.map_err(|why: String| format!("not an answer, {}", cut(&why)))
    }

    /// Returns how the request ends.
    ///
    /// # Errors
    ///
    /// Returns a phrase if the line contains no answer or more than one answer.
    pub(super) fn end(self) -> Result<End, String> {
        let ends = [
            self.url.map(|url| Ok(End::Url(url))),
            self.bytes
                .map(|hex| from_hex(&hex).ok_or_else(|| format!("bytes of {} that are not hexadecimal", self.id))),
            self.parts.map(|parts| Ok(End::Parts(parts.0.into_iter().collect()))),
            self.failure.map(|why| Ok(End::Failure(why))),
            self.skipped.map(|why| Ok(End::Skipped(why))),
            self.unrepresentable.map(|why| Ok(End::Unrepresentable(why))),
            self.crash.map(|why| Ok(End::Crash(why))),
            self.timeout.map(|why| Ok(End::Timeout(why))),
        ];
        let mut ends = ends.into_iter().flatten();
        match (ends.next(), ends.next()) {
            (Some(end), None) => end,
            (None, _) => Err(format!(
                "no answer to {}, as url, bytes, parts, failure, skipped or unrepresentable is wanted",
                self.id
            )),
            (Some(_), Some(_)) => Err(format!("two answers to {} in one", self.id)),
        }
    }
}

/// Replaces each escape of half a surrogate pair in `line` by the escape of U+FFFD. Returns `None` if there are none.
fn without_lone_surrogates(line: &str) -> Option<String> {
    let unit = |at: usize| {
        let digits = line.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    let (mut mended, mut at, mut is_changed) = (String::with_capacity(line.len()), 0, false);
    while let Some(next) = line[at..].find('\\').map(|next| at + next) {
        mended += &line[at..next];
        let is_low = |unit: u32| (0xdc00..0xe000).contains(&unit);
        let width = match unit(next) {
            Some(0xd800..0xdc00) if unit(next + 6).is_some_and(is_low) => 12,
            Some(0xd800..0xe000) => {
                is_changed = true;
                mended += "\\ufffd";
                at = next + 6;
                continue;
            }
            Some(_) => 6,
            None => 1 + line[next + 1..].chars().next().map_or(0, char::len_utf8),
        };
        mended += &line[next..next + width];
        at = next + width;
    }
    mended += &line[at..];
    is_changed.then_some(mended)
}

/// Returns the end of a request with the URL whose bytes are `hex`; `None` if that is not hexadecimal. Bytes that are not
/// UTF-8 are not a URL.
fn from_hex(hex: &str) -> Option<End> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pair = |pair: &[u8]| match *pair {
        [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
        _ => None,
    };
    let bytes: Vec<u8> = hex.as_bytes().chunks(2).map(pair).collect::<Option<_>>()?;
    Some(match String::from_utf8(bytes) {
        Ok(url) => End::Url(url),
        Err(error) => {
            let shown = error.as_bytes().escape_ascii().to_string();
            End::Unrepresentable(format!("the result is not UTF-8: {}", cut(&shown)))
        }
    })
}

/// Returns the first 80 characters of `text` between quotes. Invisible characters are escaped.
pub(super) fn excerpt(text: &str) -> String {
    format!("\"{}\"", cut(text))
}

/// Returns the first 80 characters of `text`. Invisible characters are escaped.
pub(super) fn cut(text: &str) -> String {
    const LONGEST: usize = 80;
    cut_at(text, LONGEST)
}

/// Returns the first `longest` characters of `text`. Invisible characters are escaped.
fn cut_at(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((at, _)) => format!("{}…", visible(&text[..at])),
        None => visible(text),
    }
}
