//! The character classes of each document as one table, and percent-encoding by them.
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
//! Octets are meant throughout: the documents code a character outside US-ASCII as octets, and name no coding for it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

mod table;

pub use table::ALL;

/// The characters of one document.
#[derive(Debug)]
pub struct Alphabet {
    /// The document as sources name it: `RFC 1738`.
    pub cite: &'static str,
    /// The revisions that have these characters.
    pub revisions: &'static [&'static str],
    /// Its classes: first those that list characters, then those made of others.
    pub classes: &'static [Class],
    /// Where data may stand, and what is reserved there.
    pub components: &'static [ComponentCharacters],
    unreserved: Octets,
    reserved: Octets,
}

/// A class under the document's own name.
#[derive(Debug)]
#[non_exhaustive]
pub struct Class {
    /// `safe`.
    pub name: &'static str,
    /// Where it is defined.
    pub section: &'static str,
    /// Whether it lists characters itself, and is not made of other classes.
    pub is_list: bool,
    /// What is in it, escapes aside.
    pub octets: Octets,
}

/// A part of a URL that holds data.
#[derive(Debug)]
#[non_exhaustive]
pub struct ComponentCharacters {
    /// What it is, in a few words.
    pub name: &'static str,
    /// Where the document says so.
    pub section: &'static str,
    /// The reserved characters that have a meaning there, so that data must encode them.
    pub reserved: &'static str,
}

/// What a document lets a character do in a URL.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Status {
    /// It stands for itself, and its encoding means the same.
    Unreserved,
    /// It may stand there for a purpose, and its encoding may mean something else.
    Reserved,
    /// No production admits it: it must be encoded.
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
    /// The class of that name.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.iter().find(|class| class.name == name)
    }

    /// The component of that name.
    #[must_use]
    pub fn component(&self, name: &str) -> Option<&ComponentCharacters> {
        self.components.iter().find(|component| component.name == name)
    }

    /// The names of the classes that list `octet`, those made of others left out.
    #[must_use]
    pub fn classes_of(&self, octet: u8) -> Vec<&'static str> {
        let lists = self.classes.iter().filter(|class| class.is_list && class.octets.contains(octet));
        lists.map(|class| class.name).collect()
    }

    /// What the document lets `octet` do.
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

    /// Whether `octet` has to be encoded when it stands for itself in `component`.
    #[must_use]
    pub fn must_encode(&self, octet: u8, component: &ComponentCharacters) -> bool {
        match self.status(octet) {
            Status::Unreserved => false,
            Status::Reserved => component.reserved.as_bytes().contains(&octet),
            Status::Excluded => true,
        }
    }

    /// `octets` as they may stand in `component`: no more is encoded than has to be, in capitals.
    ///
    /// `encode(b"a;b", …)` is `a%3Bb` in a name of RFC 1738's ftp, where `;` begins the type. [`decode`] gives the octets
    /// back, by `tests/schemes.rs`.
    #[must_use]
    pub fn encode(&self, octets: &[u8], component: &ComponentCharacters) -> String {
        let mut text = String::with_capacity(octets.len());
        for &octet in octets {
            if self.must_encode(octet, component) { push_escape(octet, &mut text) } else { text.push(octet as char) }
        }
        text
    }

    /// `url` with each escape of an unreserved character undone and the others in capitals: two URLs that are equal so
    /// mean the same.
    ///
    /// # Errors
    ///
    /// The first `%` without two digits behind it.
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

    /// Where the first character stands that has to be encoded wherever it stands, the `%` of an escape aside.
    #[must_use]
    pub fn first_excluded(&self, url: &str) -> Option<usize> {
        let octets = url.as_bytes();
        (0..octets.len()).find(|&at| match octets[at] {
            b'%' => escaped(&octets[at..]).is_none(),
            octet => self.status(octet) == Status::Excluded,
        })
    }
}

/// A `%` that does not begin an escape.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct MalformedEscape {
    /// Where it stands, in bytes.
    pub offset: usize,
}

impl fmt::Display for MalformedEscape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the % at byte {} has no two hexadecimal digits behind it: write %25 for the character", self.offset)
    }
}

impl core::error::Error for MalformedEscape {}

/// The octets that `text` stands for, each escape being one: `a%2Fb` is `a/b`. Digits may be of either case.
///
/// # Errors
///
/// The first `%` without two digits behind it.
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

/// `octets` with every one encoded: what may be done to any character that does not serve a reserved purpose.
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

/// The octet of the escape that `octets` begin with.
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
    /// Whether 80 to FF are in it, which no document tells apart.
    high: bool,
}

impl Octets {
    /// Whether `octet` is in it.
    #[must_use]
    pub const fn contains(self, octet: u8) -> bool {
        if octet < 0x80 { self.ascii >> octet & 1 == 1 } else { self.high }
    }

    /// Each of them, in order.
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

/// A character that one document treats otherwise than the one before it.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The character.
    pub octet: u8,
    /// What the older lets it do.
    pub from: Status,
    /// The classes of the older that list it.
    pub from_classes: Vec<&'static str>,
    /// What the newer lets it do.
    pub to: Status,
    /// The classes of the newer that list it.
    pub to_classes: Vec<&'static str>,
    /// A URL with the character: the two let it do different things there, if `from` and `to` differ.
    pub witness: String,
}

/// What changes from one document to another: each character of US-ASCII whose standing differs, and each that a class of the
/// same name has in the one and not in the other.
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

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::{ALL, MalformedEscape, Status, by_revision, changes, decode, encode_all};

    #[track_caller]
    fn between(older: &str, newer: &str) -> String {
        let [older, newer] = [older, newer].map(|id| by_revision(id).expect("an alphabet"));
        changes(older, newer).iter().map(|it| it.octet as char).collect()
    }

    #[test]
    fn every_octet_comes_back_from_every_component() {
        let octets: Vec<u8> = (0..=u8::MAX).collect();
        for alphabet in ALL {
            for component in alphabet.components {
                let text = alphabet.encode(&octets, component);
                assert_eq!(decode(&text).as_ref(), Ok(&octets), "{} {}", alphabet.cite, component.name);
                assert_eq!(alphabet.first_excluded(&text), None, "{} {}", alphabet.cite, component.name);
            }
        }
        assert_eq!(decode(&encode_all(&octets)), Ok(octets));
    }

    #[test]
    fn every_octet_has_one_standing_and_no_class_made_of_others_admits_an_excluded_one() {
        for alphabet in ALL {
            for class in alphabet.classes.iter().filter(|class| !class.is_list) {
                for octet in class.octets.iter() {
                    assert_ne!(alphabet.status(octet), Status::Excluded, "{} {}", alphabet.cite, class.name);
                }
            }
            for component in alphabet.components {
                for octet in component.reserved.bytes() {
                    assert_eq!(alphabet.status(octet), Status::Reserved, "{} {octet:?}", alphabet.cite);
                }
            }
            let both = (0..=u8::MAX)
                .filter(|&octet| alphabet.unreserved.contains(octet) && alphabet.reserved.contains(octet))
                .count();
            assert_eq!(both, 0, "{}", alphabet.cite);
        }
    }

    #[test]
    fn what_moved_is_computed() {
        assert_eq!(between("rfc1630", "rfc1738"), " \"#%&+@`");
        assert_eq!(between("rfc1738", "rfc1808"), "");
        assert_eq!(between("rfc1808", "draft-1996"), "+[\\]^`{|}~");
        assert_eq!(between("draft-1996", "rfc2396"), "$,~");
        assert_eq!(between("rfc2396", "rfc3986"), "!#'()*[]");
    }

    /// What a move says of its witness: whether it may stand in a URL, and whether its encoding means the same.
    #[test]
    fn a_witness_shows_its_move() {
        for pair in ALL.windows(2) {
            for found in changes(&pair[0], &pair[1]) {
                for (alphabet, standing) in [(&pair[0], found.from), (&pair[1], found.to)] {
                    let coded = ["http://a/", &encode_all(&[found.octet])].concat();
                    let excluded = alphabet.first_excluded(&found.witness) == Some("http://a/".len());
                    assert_eq!(excluded, standing == Status::Excluded, "{} {found:?}", alphabet.cite);
                    let same = alphabet.decode_unreserved(&coded).as_ref() == Ok(&found.witness);
                    assert_eq!(same, standing == Status::Unreserved, "{} {found:?}", alphabet.cite);
                }
            }
        }
    }

    #[test]
    fn a_malformed_escape_is_told_with_its_place() {
        for (text, offset) in [("%", 0), ("a%4", 1), ("%41%zz", 3), ("a%é", 1), ("%%41", 0)] {
            assert_eq!(decode(text), Err(MalformedEscape { offset }), "{text}");
        }
        assert_eq!(decode("%2f%2F"), Ok(b"//".to_vec()));
    }

    #[test]
    fn a_megabyte_of_escapes_is_decoded() {
        let text = "%41".repeat(1 << 20);
        assert_eq!(decode(&text).map(|octets| octets.len()), Ok(1 << 20));
        let rfc3986 = by_revision("rfc3986").expect("an alphabet");
        assert_eq!(rfc3986.decode_unreserved(&text).map(|text| text.len()), Ok(1 << 20));
        assert_eq!(rfc3986.decode_unreserved(&"%%".repeat(1 << 20)), Err(MalformedEscape { offset: 0 }));
    }
}
