//! Tables of characters: what happens to each character of a component.
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::settings::TablesRead;

/// What happens to a character.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Literal {
    /// It is kept.
    Kept,
    /// It is percent-encoded with upper-case digits.
    Encoded,
    /// It is percent-encoded with lower-case digits.
    EncodedLower,
    /// It is dropped.
    Dropped,
    /// It is written in lower case.
    Lowered,
    /// It is rejected.
    Rejected,
    /// The component ends before it, and the rest is dropped.
    Ends,
    /// It is percent-encoded, and then the percent signs are percent-encoded.
    EncodedTwice,
    /// A space is written in its place, percent-encoded.
    EncodedSpace,
    /// It is percent-encoded, and U+FFFD is written after it for its second surrogate, percent-encoded.
    EncodedAndReplaced,
    /// It is percent-encoded, and U+FFFD for its second surrogate, and then the percent signs are percent-encoded.
    EncodedAndReplacedTwice,
    /// It is written as another character (`\` as `/`, a space as `+`).
    Written(char),
}

/// What happens to a percent-encoded byte.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Escape {
    /// It is kept.
    Kept,
    /// Its digits are written in upper case.
    Upper,
    /// Its digits are written in lower case.
    Lower,
    /// It is decoded.
    Decoded,
    /// It is decoded and written in lower case.
    DecodedLower,
    /// A plus sign is written in its place.
    Plus,
    /// Its percent sign is percent-encoded.
    Encoded,
    /// It is rejected.
    Rejected,
}

/// What happens to a percent sign that two hexadecimal digits do not follow.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Percent {
    /// It is kept.
    Kept,
    /// It is percent-encoded.
    Encoded,
    /// It is rejected.
    Rejected,
    /// It is percent-encoded, and so are all other percent signs of the component.
    AllEncoded,
}

/// What happens to percent-encoded bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Bytes {
    /// The same as to other bytes outside ASCII; if these are decoded, U+FFFD replaces them.
    #[default]
    LikeOthers,
    /// They are kept.
    Kept,
    /// Their digits are written in upper case.
    Upper,
    /// They are replaced by U+FFFD, percent-encoded.
    Replaced,
    /// They are decoded as characters of ISO 8859-1, and so are bytes that are UTF-8.
    DecodedLatin1,
    /// Their percent sign is percent-encoded.
    Encoded,
    /// They are rejected.
    Rejected,
}

/// The characters outside ASCII that are asked about. Each represents a class; see [`index`].
pub const BEYOND: [char; 18] = [
    '\u{85}',
    'é',
    'ß',
    '\u{a0}',
    '\u{ad}',
    '\u{130}',
    '\u{2028}',
    '\u{200d}',
    '\u{3000}',
    '\u{e000}',
    '\u{feff}',
    '\u{fffd}',
    '\u{ff0e}',
    '\u{1f600}',
    '\u{fdd0}',
    '\u{ffff}',
    '中',
    '\u{10ffff}',
];

/// The number of entries of a table: the ASCII characters and the classes of others.
pub const ENTRIES: usize = 128 + BEYOND.len();

/// Returns the entry of a table that describes `c`.
pub fn index(c: char) -> usize {
    let code = u32::from(c);
    if code < 128 {
        return code as usize;
    }
    let like = match c {
        c if BEYOND.contains(&c) => c,
        '\u{80}'..='\u{9f}' => '\u{85}',
        '\u{2028}' | '\u{2029}' => '\u{2028}',
        c if c.is_whitespace() => '\u{3000}',
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => '\u{200d}',
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}' => '\u{e000}',
        _ if code > 0xffff && code & 0xfffe == 0xfffe => '\u{10ffff}',
        _ if code & 0xfffe == 0xfffe => '\u{ffff}',
        _ if (0xfdd0..=0xfdef).contains(&code) => '\u{fdd0}',
        _ if code > 0xffff => '\u{1f600}',
        _ if code < 0x250 => 'é',
        _ => '中',
    };
    128 + BEYOND.iter().position(|own| *own == like).unwrap_or_default()
}

/// Names the characters outside ASCII that share the entry of `c`, one of [`BEYOND`].
pub(super) fn class_name(c: char) -> String {
    let name = match c {
        '\u{85}' => "U+0080 to U+009F",
        '\u{2028}' => "U+2028, U+2029",
        '\u{3000}' => "Unicode spaces such as U+2000",
        '\u{200d}' => "invisible format characters such as U+200D",
        '\u{e000}' => "private-use characters",
        '\u{fdd0}' => "U+FDD0 to U+FDEF",
        '\u{ffff}' => "U+FFFE, U+FFFF",
        '\u{10ffff}' => "noncharacters above U+FFFF",
        '\u{1f600}' => "other characters above U+FFFF",
        'é' => "other characters below U+0250",
        '中' => "other characters from U+0250 to U+FFFF",
        // The only one of its entry.
        c => return format!("U+{:04X}", u32::from(c)),
    };
    name.to_owned()
}

/// What happens to the characters and percent-encoded bytes of a component.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Actions {
    /// By entry; see [`index`].
    pub literal: Vec<Literal>,
    /// By byte below 128, and at 128 for all other bytes.
    pub escape: Vec<Escape>,
}

impl Default for Actions {
    fn default() -> Self {
        Self { literal: vec![Literal::Kept; ENTRIES], escape: vec![Escape::Kept; 129] }
    }
}

/// The table of a component.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Table {
    /// The usual actions.
    pub actions: Arc<Actions>,
    /// What happens to a percent sign that two hexadecimal digits do not follow.
    pub percent: Percent,
    /// What happens to percent-encoded bytes that are not UTF-8.
    pub bytes: Bytes,
    /// The actions for the whole component if at least one character is percent-encoded.
    pub anew: Option<Arc<Actions>>,
}

impl Default for Table {
    /// Returns the table that keeps everything. All such tables share their actions, so that comparing them is fast.
    fn default() -> Self {
        static KEPT: LazyLock<Arc<Actions>> = LazyLock::new(Arc::default);
        Self { actions: KEPT.clone(), percent: Percent::Kept, bytes: Bytes::LikeOthers, anew: None }
    }
}

/// Appends the percent-encoded bytes of `c`.
pub fn encode(c: char, out: &mut String) {
    let mut buffer = [0; 4];
    for byte in c.encode_utf8(&mut buffer).bytes() {
        let _ = write!(out, "%{byte:02X}");
    }
}

/// Appends the percent-encoded bytes of `c` with their percent signs percent-encoded.
pub(super) fn encode_twice(c: char, out: &mut String) {
    let mut encoded = String::new();
    encode(c, &mut encoded);
    out.push_str(&encoded.replace('%', "%25"));
}

/// Returns the byte that is percent-encoded at the start of `text`.
pub(super) fn decoded(text: &str) -> Option<u8> {
    let digits = text.strip_prefix('%')?.get(..2)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).ok())?
}

/// The text is rejected.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rejected;

impl Table {
    /// Returns the usual actions for changes. Tables share their actions until one of them is changed.
    pub fn actions_mut(&mut self) -> &mut Actions {
        Arc::make_mut(&mut self.actions)
    }

    /// Returns `text` with the table applied.
    ///
    /// # Errors
    ///
    /// Returns an error if the table rejects a character of the text.
    pub fn apply(&self, text: &str) -> Result<String, Rejected> {
        self.apply_in(text, self.is_begun_anew(text))
    }

    /// Returns whether a character of `text` is percent-encoded, and this changes what happens to the others.
    pub(super) fn is_begun_anew(&self, text: &str) -> bool {
        let is_encoded =
            |c: char| c != '%' && matches!(self.actions.literal[index(c)], Literal::Encoded | Literal::EncodedLower);
        self.anew.is_some() && text.chars().any(is_encoded)
            || self.percent == Percent::AllEncoded
                && text.match_indices('%').any(|(at, _)| decoded(&text[at..]).is_none())
    }

    /// Applies the table to a part of a component; `anew` states whether the component is encoded anew.
    pub(super) fn apply_in(&self, text: &str, anew: bool) -> Result<String, Rejected> {
        let actions = self.anew.as_ref().filter(|_| anew).unwrap_or(&self.actions);
        if anew && self.percent == Percent::AllEncoded {
            let parts: Result<Vec<String>, Rejected> = text.split('%').map(|part| self.with(actions, part)).collect();
            return parts.map(|parts| parts.join("%25"));
        }
        self.with(actions, text)
    }

    fn with(&self, actions: &Actions, text: &str) -> Result<String, Rejected> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if c == '%' {
                rest = self.escape(actions, rest, &mut out)?;
                continue;
            }
            match actions.literal[index(c)] {
                Literal::Kept => out.push(c),
                Literal::Encoded => encode(c, &mut out),
                Literal::EncodedLower => {
                    let start = out.len();
                    encode(c, &mut out);
                    out[start..].make_ascii_lowercase();
                }
                Literal::Dropped => {}
                Literal::Lowered => out.extend(c.to_lowercase()),
                Literal::Rejected => return Err(Rejected),
                Literal::Ends => return Ok(out),
                Literal::EncodedTwice => encode_twice(c, &mut out),
                Literal::EncodedSpace => out.push_str("%20"),
                Literal::EncodedAndReplaced => {
                    [c, char::REPLACEMENT_CHARACTER].iter().for_each(|c| encode(*c, &mut out));
                }
                Literal::EncodedAndReplacedTwice => {
                    [c, char::REPLACEMENT_CHARACTER].iter().for_each(|c| encode_twice(*c, &mut out));
                }
                Literal::Written(other) => out.push(other),
            }
            rest = &rest[c.len_utf8()..];
        }
        Ok(out)
    }

    /// Appends the escape or the percent sign at the start of `text`. Returns the text after it.
    fn escape<'a>(&self, actions: &Actions, text: &'a str, out: &mut String) -> Result<&'a str, Rejected> {
        let Some(byte) = decoded(text) else {
            match self.percent {
                Percent::Kept => out.push('%'),
                Percent::Encoded | Percent::AllEncoded => out.push_str("%25"),
                Percent::Rejected => return Err(Rejected),
            }
            return Ok(&text[1..]);
        };
        let (length, is_valid) =
            if byte < 128 { (1, true) } else { first_sequence(&bytes(text).take(4).collect::<Vec<_>>()) };
        let is_single = self.bytes == Bytes::DecodedLatin1 && byte >= 128;
        if is_single || !is_valid && self.bytes != Bytes::LikeOthers {
            let forms = &text[..length * 3];
            match self.bytes {
                Bytes::LikeOthers | Bytes::Kept => out.push_str(forms),
                Bytes::Upper => out.push_str(&forms.to_ascii_uppercase()),
                Bytes::Replaced => out.push_str("%EF%BF%BD"),
                Bytes::DecodedLatin1 => out.extend(bytes(forms).map(char::from)),
                Bytes::Encoded => out.push_str(&forms.replace('%', "%25")),
                Bytes::Rejected => return Err(Rejected),
            }
            return Ok(&text[forms.len()..]);
        }
        let form = &text[..length * 3];
        match actions.escape[usize::from(byte).min(128)] {
            Escape::Kept => out.push_str(form),
            Escape::Upper => out.push_str(&form.to_ascii_uppercase()),
            Escape::Lower => out.push_str(&form.to_ascii_lowercase()),
            Escape::Decoded if byte < 128 => out.push(char::from(byte)),
            Escape::DecodedLower if byte < 128 => out.push(char::from(byte.to_ascii_lowercase())),
            Escape::Decoded | Escape::DecodedLower => {
                let mut bytes: Vec<u8> = bytes(text).collect();
                if self.bytes != Bytes::LikeOthers {
                    bytes.truncate(str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len));
                }
                let length = bytes.len();
                out.push_str(&String::from_utf8_lossy(&bytes));
                return Ok(&text[length * 3..]);
            }
            Escape::Encoded => {
                out.push_str(&form.replace('%', "%25"));
            }
            Escape::Plus => out.push('+'),
            Escape::Rejected => return Err(Rejected),
        }
        Ok(&text[form.len()..])
    }
}

/// Returns the percent-encoded bytes outside ASCII at the start of `text`.
fn bytes(text: &str) -> impl Iterator<Item = u8> {
    let byte = |at: usize| decoded(text.get(at * 3..)?).filter(|byte| *byte >= 128);
    (0..).map_while(byte)
}

/// Returns the length of the first character in `bytes`, or of the bytes at the start that U+FFFD would replace, and whether it
/// is a character.
fn first_sequence(bytes: &[u8]) -> (usize, bool) {
    match bytes.utf8_chunks().next() {
        Some(chunk) => match chunk.valid().chars().next() {
            Some(c) => (c.len_utf8(), true),
            None => (chunk.invalid().len(), false),
        },
        None => (0, true),
    }
}

/// A component that has a table.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Component {
    /// The path of a relative reference that begins with a slash.
    Path,
    /// The first segment of a path that does not begin with a slash.
    FirstSegment,
    /// The other segments of a path that does not begin with a slash.
    RootlessPath,
    /// The path of an absolute reference.
    AbsolutePath,
    /// The path of a base, if the reference inherits it.
    InheritedPath,
    /// The query.
    Query,
    /// The query of an absolute reference.
    AbsoluteQuery,
    /// The fragment of a reference with a path.
    Fragment,
    /// The fragment of an absolute reference.
    AbsoluteFragment,
    /// The fragment of a reference without a path: it consists of a fragment, or of a query and a fragment.
    FragmentAlone,
    /// The user name.
    User,
    /// The password.
    Password,
    /// The host, if it is not in brackets.
    Host,
    /// The host in brackets.
    Literal,
    /// An opaque path.
    Opaque,
    /// The query after an opaque path.
    OpaqueQuery,
}

impl Component {
    /// Every component.
    pub const ALL: [Self; 16] = [
        Self::Path,
        Self::FirstSegment,
        Self::RootlessPath,
        Self::AbsolutePath,
        Self::InheritedPath,
        Self::Query,
        Self::AbsoluteQuery,
        Self::Fragment,
        Self::AbsoluteFragment,
        Self::FragmentAlone,
        Self::User,
        Self::Password,
        Self::Host,
        Self::Literal,
        Self::Opaque,
        Self::OpaqueQuery,
    ];

    /// Returns the component as a noun phrase.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::FirstSegment => "first segment of paths without a leading slash",
            Self::RootlessPath => "other segments of paths without a leading slash",
            Self::AbsolutePath => "path of absolute URLs",
            Self::InheritedPath => "path of bases without a reference's path",
            Self::Query => "query",
            Self::AbsoluteQuery => "query of absolute URLs",
            Self::Fragment => "fragment",
            Self::AbsoluteFragment => "fragment of absolute URLs",
            Self::FragmentAlone => "fragment of references without a path",
            Self::User => "user name",
            Self::Password => "password",
            Self::Host => "host",
            Self::Literal => "host in brackets",
            Self::Opaque => "opaque path",
            Self::OpaqueQuery => "query after an opaque path",
        }
    }
}

/// A table for each component.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Tables(pub Vec<Table>);

impl Default for Tables {
    fn default() -> Self {
        Self(vec![Table::default(); Component::ALL.len()])
    }
}

impl Tables {
    /// Returns the table of `component`, and records that it is read; see [`TablesRead`].
    pub fn of(&self, component: Component) -> &Table {
        TablesRead::record(component);
        &self.0[component as usize]
    }

    /// Applies the table of `component` to `text`.
    ///
    /// # Errors
    ///
    /// Returns an error if the table rejects a character of the text.
    pub fn apply(&self, component: Component, text: &str) -> Result<String, Rejected> {
        self.of(component).apply(text)
    }
}
