//! Bytes that are read as URLs: mostly the text itself, and now and then an instruction that builds more than a character.
//!
//! A byte above 8 stands for itself, so that a dictionary's words, a fuzzer's edits and a reader all see the text. A byte up to
//! 8 is an [`Op`], with its operands behind it: members of the documents' grammars and texts one edit away from one, runs of
//! dots, pieces of the base in the reference. Every string can be written so, and everything that is written can be read.

use arbitrary::{Arbitrary, Unstructured};
use urlstrata::grammar::{self, Grammar};

use crate::pairs::generate::BASES;

/// A base and a reference.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Pair {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
}

/// One text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Text(pub String);

/// Longer texts say no more, and take longer.
const LONGEST: usize = 1 << 16;

/// What a byte up to 8 does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub enum Op {
    /// Ends the base; in the reference, and in a single text, it is the character U+0000.
    Reference = 0,
    /// The next byte is a character, whatever it is.
    Literal = 1,
    /// A run of dot segments: the next byte tells which and how many.
    Dots = 2,
    /// The base's scheme, as it is, in capitals, without its colon.
    Scheme = 3,
    /// A member of a production: which, how many choices, the choices.
    Member = 4,
    /// The same with one edit.
    NearMember = 5,
    /// A component of the base.
    Splice = 6,
    /// The next byte tells how often the one behind it stands.
    Run = 7,
    /// Delimiters with nothing between them.
    Empty = 8,
}

impl Op {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Reference,
        Self::Literal,
        Self::Dots,
        Self::Scheme,
        Self::Member,
        Self::NearMember,
        Self::Splice,
        Self::Run,
        Self::Empty,
    ];
}

const DOTS: [&str; 8] = ["../", "./", "/..", "/.", "a/../", "..", "%2e%2E/", ".../"];

/// Every component absent or empty, one beside the other.
const EMPTY: [&str; 16] =
    ["//", "///", "://", "?#", "#", "?", ";", "//@", "//:", "//@:", ":", "/;", ";/", "//[]", "/./", "//?"];

/// The productions that pieces of a text are members of: that of a whole reference, of its parts, and of a scheme's.
const PRODUCTIONS: [(&str, &str); 16] = [
    ("rfc3986", "URI-reference"),
    ("rfc3986", "relative-ref"),
    ("rfc3986", "authority"),
    ("rfc3986", "path"),
    ("rfc3986", "host"),
    ("rfc2396", "URI-reference"),
    ("rfc2396", "authority"),
    ("rfc1808", "URL"),
    ("rfc1808", "relativeURL"),
    ("rfc1808", "net_loc"),
    ("draft-1996", "URL"),
    ("rfc1738", "ftpurl"),
    ("rfc1738", "httpurl"),
    ("rfc1738", "gopherurl"),
    ("rfc1738", "prosperourl"),
    ("rfc1738", "genericurl"),
];

impl Pair {
    /// Reads `input`, whatever it is.
    pub fn read(input: &[u8]) -> Self {
        let mut reader = Reader { rest: input, base: None, out: String::new() };
        reader.read();
        match reader.base {
            Some(base) => Self { base, reference: reader.out },
            None => Self { base: BASES[0].to_owned(), reference: reader.out },
        }
    }

    /// Bytes that are read as this pair.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        write(&self.base, &mut out);
        out.push(Op::Reference as u8);
        write(&self.reference, &mut out);
        out
    }
}

impl<'a> Arbitrary<'a> for Pair {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::read(u.bytes(u.len())?))
    }
}

impl Text {
    /// Reads `input`, whatever it is.
    pub fn read(input: &[u8]) -> Self {
        let mut reader = Reader { rest: input, base: Some(BASES[0].to_owned()), out: String::new() };
        reader.read();
        Self(reader.out)
    }

    /// Bytes that are read as this text.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        write(&self.0, &mut out);
        out
    }
}

impl<'a> Arbitrary<'a> for Text {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::read(u.bytes(u.len())?))
    }
}

fn write(text: &str, out: &mut Vec<u8>) {
    for &byte in text.as_bytes() {
        if byte <= Op::Empty as u8 {
            out.push(Op::Literal as u8);
        }
        out.push(byte);
    }
}

struct Reader<'i> {
    rest: &'i [u8],
    /// The base, once it has ended.
    base: Option<String>,
    out: String,
}

impl Reader<'_> {
    fn read(&mut self) {
        while let Some(byte) = self.next() {
            match Op::ALL.get(usize::from(byte)) {
                Some(op) => self.act(*op),
                None => self.character(byte),
            }
            if self.out.len() > LONGEST {
                break;
            }
        }
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// The next byte as a number below `below`; 0 where there is none.
    fn index(&mut self, below: usize) -> usize {
        usize::from(self.next().unwrap_or_default()) % below
    }

    /// The character that `first` begins; a byte that begins none in UTF-8 is one of U+0080 to U+00FF.
    fn character(&mut self, first: u8) {
        let longest = match first {
            0..=0x7f => 1,
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
        let mut bytes = [first; 4];
        let behind = &self.rest[..self.rest.len().min(longest - 1)];
        bytes[1..=behind.len()].copy_from_slice(behind);
        match str::from_utf8(&bytes[..longest]) {
            Ok(text) if behind.len() == longest - 1 => {
                self.out.push_str(text);
                self.rest = &self.rest[longest - 1..];
            }
            _ => self.out.push(char::from(first)),
        }
    }

    fn act(&mut self, op: Op) {
        match op {
            Op::Reference if self.base.is_none() => self.base = Some(std::mem::take(&mut self.out)),
            Op::Reference => self.out.push('\0'),
            Op::Literal => {
                if let Some(byte) = self.next() {
                    self.character(byte);
                }
            }
            Op::Dots => {
                let byte = self.next().unwrap_or_default();
                self.out.push_str(&DOTS[usize::from(byte) % DOTS.len()].repeat(usize::from(byte) / DOTS.len() + 1));
            }
            Op::Scheme => {
                let how = self.index(3);
                let scheme = self.base.as_deref().and_then(|base| base.split_once(':')).map_or("http", |two| two.0);
                let scheme = match how {
                    0 => format!("{scheme}:"),
                    1 => format!("{}:", scheme.to_uppercase()),
                    _ => scheme.to_owned(),
                };
                self.out.push_str(&scheme);
            }
            Op::Member | Op::NearMember => self.member(op),
            Op::Splice => {
                let piece = self.index(8);
                let base = self.base.as_deref().unwrap_or(BASES[0]);
                let piece = splice(base, piece).to_owned();
                self.out.push_str(&piece);
            }
            Op::Run => {
                let times = self.index(256) + 1;
                let byte = self.next().unwrap_or(b'a');
                self.out.extend(std::iter::repeat_n(char::from(byte), times));
            }
            Op::Empty => {
                let which = self.index(EMPTY.len());
                self.out.push_str(EMPTY[which]);
            }
        }
    }

    fn member(&mut self, op: Op) {
        let (id, production) = PRODUCTIONS[self.index(PRODUCTIONS.len())];
        let choices = self.index(64).min(self.rest.len());
        let (mut choices, rest) = self.rest.split_at(choices);
        self.rest = rest;
        let mut choose = |_| {
            let (first, behind) = choices.split_first().unwrap_or((&0, &[]));
            choices = behind;
            usize::from(*first)
        };
        let made = |grammar: &Grammar| match op {
            Op::Member => grammar.generate(production, &mut choose),
            _ => grammar.generate_mutated(production, &mut choose).map(|near| near.0),
        };
        self.out.extend(grammar::by_revision(id).and_then(made));
    }
}

/// A component of `base`, with the delimiters that make it one: scheme, authority, path, query, fragment; then the path's
/// directory, its last segment, and the whole.
fn splice(base: &str, piece: usize) -> &str {
    let scheme = base.find(':').map_or(0, |at| at + 1);
    let from = |start: usize, until: &[char]| base[start..].find(until).map_or(base.len(), |at| start + at);
    let authority = if base[scheme..].starts_with("//") { from(scheme + 2, &['/', '?', '#']) } else { scheme };
    let path = from(authority, &['?', '#']);
    let query = from(path, &['#']);
    let directory = base[..path].rfind('/').map_or(authority, |at| (at + 1).max(authority));
    match piece {
        0 => &base[..scheme],
        1 => &base[scheme..authority],
        2 => &base[authority..path],
        3 => &base[path..query],
        4 => &base[query..],
        5 => &base[authority..directory],
        6 => &base[directory..path],
        _ => base,
    }
}

#[cfg(test)]
mod tests {
    use super::{Op, PRODUCTIONS, Pair, Text, splice};
    use proptest::prelude::*;
    use urlstrata::grammar;

    fn pair(base: &str, reference: &str) -> Pair {
        Pair { base: base.to_owned(), reference: reference.to_owned() }
    }

    #[test]
    fn text_stands_for_itself() {
        assert_eq!(Pair::read(b"http://h/\0../g?\xc3\xa9"), pair("http://h/", "../g?é"));
        assert_eq!(Pair::read(b"g"), pair("http://a/b/c/d;p?q", "g"));
        assert_eq!(Pair::read(b"\xe9\xff\xc3\0\xf0\x9f\x98"), pair("éÿÃ", "ð\u{9f}\u{98}"));
    }

    #[test]
    fn an_instruction_builds_more() {
        assert_eq!(Pair::read(b"s://h/a/b?q#f\0\x03\x00\x06\x01\x02\x10x\x08\x03").reference, "s://h../../../x?#");
        assert_eq!(Pair::read(b"s:\0\x03\x01\x07\x02/").reference, "S:///");
        assert_eq!(Text::read(b"<\x04\x0c\x00>").0, "<http://a>");
        let member = Pair::read(&[Op::Member as u8]).reference;
        assert!(grammar::by_revision("rfc3986").is_some_and(|grammar| grammar.is_valid(&member)), "{member}");
    }

    #[test]
    fn each_production_that_is_built_from_is_there() {
        for (id, production) in PRODUCTIONS {
            assert!(
                grammar::by_revision(id).is_some_and(|grammar| grammar.production(production).is_some()),
                "{id} {production}"
            );
        }
    }

    #[test]
    fn components_of_a_base_are_cut_where_they_begin() {
        let cut = |base| (0..8).map(|piece| splice(base, piece)).collect::<Vec<_>>();
        let all = "s://h/a/b?q#f";
        assert_eq!(cut(all), ["s:", "//h", "/a/b", "?q", "#f", "/a/", "b", all]);
        assert_eq!(cut("s:a"), ["s:", "", "a", "", "", "", "a", "s:a"]);
        assert_eq!(cut("s://h"), ["s:", "//h", "", "", "", "", "", "s://h"]);
        assert_eq!(cut(""), [""; 8]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(base in any::<String>(), reference in any::<String>()) {
            let pair = pair(&base, &reference);
            prop_assert_eq!(Pair::read(&pair.write()), pair);
            prop_assert_eq!(Text::read(&Text(base.clone()).write()).0, base);
        }

        #[test]
        fn anything_is_read(input in prop::collection::vec(prop_oneof![0..9_u8, any::<u8>()], 0..200)) {
            let read = Pair::read(&input);
            prop_assert_eq!(Pair::read(&read.write()), read);
        }
    }
}
