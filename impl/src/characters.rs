//! The character classes of each specification, and percent-encoding by them.
//!
//! ```
//! use urlstrata::characters::{Status, by_revision, decode};
//!
//! let rfc1738 = by_revision("rfc1738").expect("an alphabet");
//! assert_eq!(rfc1738.classes_of(b'~'), ["national", "unsafe"]);
//! assert_eq!(rfc1738.status(b'~'), Status::Excluded);
//! assert_eq!(by_revision("rfc3986").map(|it| it.status(b'~')), Some(Status::Unreserved));
//!
//! let name = rfc1738.component("ftp directory or name").expect("a component");
//! assert_eq!(rfc1738.encode(b"/etc", name), "%2Fetc");
//! assert_eq!(decode("%2Fetc").as_deref(), Ok(&b"/etc"[..]));
//! ```
//!
//! All functions work on octets: the specifications encode characters outside US-ASCII as octets, without defining how.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

mod table;

pub use table::ALL;

/// The character classes of a specification.
#[derive(Debug)]
pub struct Alphabet {
    /// The short name of the specification, for example `RFC 1738`.
    pub cite: &'static str,
    /// The identifiers of the revisions to which the classes apply.
    pub revisions: &'static [&'static str],
    /// The classes: first those that list characters, then those that combine other classes.
    pub classes: &'static [Class],
    /// The parts of a URL that contain data, and the characters that are reserved in them.
    pub components: &'static [ComponentCharacters],
    unreserved: Octets,
    reserved: Octets,
}

/// A character class of a specification.
#[derive(Debug)]
#[non_exhaustive]
pub struct Class {
    /// The specification's name, for example `safe`.
    pub name: &'static str,
    /// The section that defines the class.
    pub section: &'static str,
    /// Whether the class lists characters, and does not combine other classes.
    pub is_list: bool,
    /// The octets of the class, without escapes.
    pub octets: Octets,
}

/// A part of a URL that contains data, and the characters that are reserved in it.
#[derive(Debug)]
#[non_exhaustive]
pub struct ComponentCharacters {
    /// A short description, for example `ftp directory or name`.
    pub name: &'static str,
    /// The section that defines the part.
    pub section: &'static str,
    /// The reserved characters that are delimiters in this part, so that data must encode them.
    pub reserved: &'static str,
}

/// The status of a character in the URLs of a specification.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Status {
    /// The character is data. Encoding it does not change the meaning.
    Unreserved,
    /// The character may be a delimiter. Encoding it may change the meaning.
    Reserved,
    /// No production allows the character: it must be encoded.
    Excluded,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreserved => "unreserved",
            Self::Reserved => "reserved",
            Self::Excluded => "must be encoded",
        })
    }
}

/// Returns the alphabet of the revision with this id, or `None` if its specification has no character classes of its own.
#[must_use]
pub fn by_revision(id: &str) -> Option<&'static Alphabet> {
    ALL.iter().find(|alphabet| alphabet.revisions.contains(&id))
}

impl Alphabet {
    /// Returns the class with this name.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.iter().find(|class| class.name == name)
    }

    /// Returns the component with this name.
    #[must_use]
    pub fn component(&self, name: &str) -> Option<&ComponentCharacters> {
        self.components.iter().find(|component| component.name == name)
    }

    /// Returns the names of the classes that list `octet`. Classes that combine other classes are left out.
    #[must_use]
    pub fn classes_of(&self, octet: u8) -> Vec<&'static str> {
        let lists = self.classes.iter().filter(|class| class.is_list && class.octets.contains(octet));
        lists.map(|class| class.name).collect()
    }

    /// Returns the status of `octet`.
    #[must_use]
    pub fn status(&self, octet: u8) -> Status {
        if self.unreserved.contains(octet) {
            Status::Unreserved
        } else if self.reserved.contains(octet) {
            Status::Reserved
        } else {
            Status::Excluded
        }
    }

    /// Returns whether `octet` must be encoded as data in `component`.
    #[must_use]
    pub fn must_encode(&self, octet: u8, component: &ComponentCharacters) -> bool {
        match self.status(octet) {
            Status::Unreserved => false,
            Status::Reserved => component.reserved.as_bytes().contains(&octet),
            Status::Excluded => true,
        }
    }

    /// Encodes `octets` for `component`. Only octets that must be encoded are, with upper-case digits.
    ///
    /// In an ftp name of RFC 1738, `a;b` becomes `a%3Bb`, because `;` begins the type. [`decode`] is the inverse
    /// function.
    #[must_use]
    pub fn encode(&self, octets: &[u8], component: &ComponentCharacters) -> String {
        let mut text = String::with_capacity(octets.len());
        for &octet in octets {
            if self.must_encode(octet, component) { push_escape(octet, &mut text) } else { text.push(octet as char) }
        }
        text
    }

    /// Decodes the escapes of unreserved characters in `url`, and converts the digits of other escapes to upper case.
    ///
    /// URLs with equal results have the same meaning.
    ///
    /// # Errors
    ///
    /// Returns the position of the first `%` that two hexadecimal digits do not follow.
    pub fn decode_unreserved(&self, url: &str) -> Result<String, MalformedEscape> {
        let mut text = String::with_capacity(url.len());
        let mut rest = url;
        while let Some(at) = rest.find('%') {
            text.push_str(&rest[..at]);
            let octet =
                escaped(&rest.as_bytes()[at..]).ok_or(MalformedEscape { offset: url.len() - rest.len() + at })?;
            match self.status(octet) {
                Status::Unreserved => text.push(octet as char),
                _ => push_escape(octet, &mut text),
            }
            rest = &rest[at + 3..];
        }
        text.push_str(rest);
        Ok(text)
    }

    /// Returns the position of the first character that must be encoded in every part of a URL. A `%` is one unless it
    /// begins an escape.
    #[must_use]
    pub fn first_excluded(&self, url: &str) -> Option<usize> {
        let octets = url.as_bytes();
        (0..octets.len()).find(|&at| match octets[at] {
            b'%' => escaped(&octets[at..]).is_none(),
            octet => self.status(octet) == Status::Excluded,
        })
    }
}

/// The error of a `%` that two hexadecimal digits do not follow.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct MalformedEscape {
    /// The position of the `%`, in bytes.
    pub offset: usize,
}

impl fmt::Display for MalformedEscape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "two hexadecimal digits must follow the % at byte {}: write a literal % as %25", self.offset)
    }
}

impl core::error::Error for MalformedEscape {}

/// Decodes all escapes in `text`: `a%2Fb` becomes `a/b`. The digits may have any case.
///
/// # Errors
///
/// Returns the position of the first `%` that two hexadecimal digits do not follow.
pub fn decode(text: &str) -> Result<Vec<u8>, MalformedEscape> {
    let octets = text.as_bytes();
    let mut decoded = Vec::with_capacity(octets.len());
    let mut at = 0;
    while let Some(&octet) = octets.get(at) {
        if octet == b'%' {
            decoded.push(escaped(&octets[at..]).ok_or(MalformedEscape { offset: at })?);
            at += 3;
        } else {
            decoded.push(octet);
            at += 1;
        }
    }
    Ok(decoded)
}

/// Encodes every octet. This is allowed for all data.
#[must_use]
pub fn encode_all(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len() * 3);
    octets.iter().for_each(|&octet| push_escape(octet, &mut text));
    text
}

fn push_escape(octet: u8, text: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    text.push('%');
    text.push(HEX[usize::from(octet >> 4)] as char);
    text.push(HEX[usize::from(octet & 15)] as char);
}

/// Decodes the escape that `octets` begin with.
fn escaped(octets: &[u8]) -> Option<u8> {
    let digit = |octet: u8| (octet as char).to_digit(16);
    match octets {
        [b'%', high, low, ..] => u8::try_from(16 * digit(*high)? + digit(*low)?).ok(),
        _ => None,
    }
}

/// A set of octets.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct Octets {
    ascii: u128,
    /// Whether the set contains the octets 80 to FF, which no specification distinguishes.
    high: bool,
}

impl Octets {
    /// Returns whether the set contains `octet`.
    #[must_use]
    pub const fn contains(self, octet: u8) -> bool {
        if octet < 0x80 { self.ascii >> octet & 1 == 1 } else { self.high }
    }

    /// Iterates over the octets in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |&octet| self.contains(octet))
    }

    const fn of(characters: &str) -> Self {
        let characters = characters.as_bytes();
        let mut ascii = 0;
        let mut at = 0;
        while at < characters.len() {
            ascii |= 1 << characters[at];
            at += 1;
        }
        Self { ascii, high: false }
    }

    const fn with(self, other: Self) -> Self {
        Self { ascii: self.ascii | other.ascii, high: self.high || other.high }
    }
}

impl fmt::Debug for Octets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|octet| octet as char)).finish()
    }
}

/// A character that two specifications treat differently.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The character.
    pub octet: u8,
    /// The status in the older specification.
    pub from: Status,
    /// The classes of the older specification that list the character.
    pub from_classes: Vec<&'static str>,
    /// The status in the newer specification.
    pub to: Status,
    /// The classes of the newer specification that list the character.
    pub to_classes: Vec<&'static str>,
    /// A URL that contains the character. If `from` and `to` differ, the two specifications treat it differently.
    pub witness: String,
}

/// Returns the US-ASCII characters that the two specifications treat differently: those whose status differs, and those
/// that belong to a class in only one of them although both have a class with this name.
#[must_use]
pub fn changes(older: &Alphabet, newer: &Alphabet) -> Vec<Change> {
    let shared = |octet: u8| {
        older.classes.iter().filter(|class| class.is_list).any(|class| {
            newer.class(class.name).is_some_and(|it| it.octets.contains(octet) != class.octets.contains(octet))
        })
    };
    let octets = (0..0x80).filter(|&octet| older.status(octet) != newer.status(octet) || shared(octet));
    octets
        .map(|octet| Change {
            octet,
            from: older.status(octet),
            from_classes: older.classes_of(octet),
            to: newer.status(octet),
            to_classes: newer.classes_of(octet),
            witness: ["http://a/", core::str::from_utf8(&[octet]).unwrap_or_default()].concat(),
        })
        .collect()
}
