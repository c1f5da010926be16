//! The encoding of strings: mostly the text itself, with operations that build more than one character.
//!
//! A byte above 8 stands for itself, so that dictionaries, mutations and people can work on the text. A byte up to 8 is an
//! [`Op`], followed by its operands: valid strings of a grammar and strings one edit away from one, runs of dots, pieces
//! of the base in the reference. Every string has an encoding, and every sequence of bytes can be decoded.

use arbitrary::{Arbitrary, Unstructured};
use urlstrata::grammar::{self, Grammar};
use urlstrata_harness::knowledge::shrink::{shorter, smallest};
use urlstrata_harness::pairs::generate::BASES;

use super::Input;

/// A base and a reference.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PairInput {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
}

/// One string.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TextInput(pub String);

/// Longer strings take more time and show nothing new.
const MAX_LENGTH: usize = 1 << 16;

/// What a byte up to 8 means.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub enum Op {
    /// Ends the base; in the reference, and in a single string, it is the character U+0000.
    Reference = 0,
    /// The next byte is a character, even if it is below 9.
    Literal = 1,
    /// A run of dot segments: the next byte selects the segment and the length.
    Dots = 2,
    /// The scheme of the base: as it is, in capitals, or without its colon.
    Scheme = 3,
    /// A valid string of a production: the number of the production, the number of choices, the choices.
    Valid = 4,
    /// The same with one edit.
    Mutated = 5,
    /// A component of the base.
    Splice = 6,
    /// A byte, repeated: the next byte is the number of repetitions, the one after it the byte.
    Run = 7,
    /// Delimiters with nothing between them.
    Empty = 8,
}

impl Op {
    /// All operations, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Reference,
        Self::Literal,
        Self::Dots,
        Self::Scheme,
        Self::Valid,
        Self::Mutated,
        Self::Splice,
        Self::Run,
        Self::Empty,
    ];
}

const DOTS: [&str; 8] = ["../", "./", "/..", "/.", "a/../", "..", "%2e%2E/", ".../"];

/// Absent next to empty components.
const EMPTY: [&str; 16] =
    ["//", "///", "://", "?#", "#", "?", ";", "//@", "//:", "//@:", ":", "/;", ";/", "//[]", "/./", "//?"];

/// The productions that strings are generated from: whole references, their parts, and URLs of one scheme.
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

impl PairInput {
    /// Decodes `bytes`; every sequence of bytes is a pair.
    pub fn decode(bytes: &[u8]) -> Self {
        let mut decoder = Decoder { rest: bytes, base: None, out: String::new() };
        decoder.decode();
        Self { base: decoder.base.unwrap_or_else(|| BASES[0].to_owned()), reference: decoder.out }
    }
}

impl<'a> Arbitrary<'a> for PairInput {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::decode(u.bytes(u.len())?))
    }
}

impl Input for PairInput {
    fn encode(&self) -> Vec<u8> {
        [encoded(&self.base), vec![Op::Reference as u8], encoded(&self.reference)].concat()
    }

    fn shrink(&self, still_fails: &dyn Fn(&Self) -> bool) -> Self {
        let pair = |base: &str, reference: &str| Self { base: base.to_owned(), reference: reference.to_owned() };
        let still_fails = |base: &str, reference: &str| still_fails(&pair(base, reference));
        let (base, reference) = smallest(&self.base, &self.reference, still_fails);
        Self { base, reference }
    }

    fn pair(&self) -> Option<PairInput> {
        Some(self.clone())
    }
}

impl TextInput {
    /// Decodes `bytes`; every sequence of bytes is a string.
    pub fn decode(bytes: &[u8]) -> Self {
        let mut decoder = Decoder { rest: bytes, base: Some(BASES[0].to_owned()), out: String::new() };
        decoder.decode();
        Self(decoder.out)
    }
}

impl<'a> Arbitrary<'a> for TextInput {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::decode(u.bytes(u.len())?))
    }
}

impl Input for TextInput {
    fn encode(&self) -> Vec<u8> {
        encoded(&self.0)
    }

    fn shrink(&self, still_fails: &dyn Fn(&Self) -> bool) -> Self {
        Self(shorter(&self.0, |text| still_fails(&Self(text.to_owned()))))
    }
}

fn encoded(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for &byte in text.as_bytes() {
        if byte <= Op::Empty as u8 {
            out.push(Op::Literal as u8);
        }
        out.push(byte);
    }
    out
}

struct Decoder<'i> {
    rest: &'i [u8],
    /// The base, after its end.
    base: Option<String>,
    out: String,
}

impl Decoder<'_> {
    fn decode(&mut self) {
        while let Some(byte) = self.next() {
            match Op::ALL.get(usize::from(byte)) {
                Some(op) => self.act(*op),
                None => self.character(byte),
            }
            if self.out.len() > MAX_LENGTH {
                break;
            }
        }
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// Returns the next byte as a number below `below`; 0 at the end.
    fn index(&mut self, below: usize) -> usize {
        usize::from(self.next().unwrap_or_default()) % below
    }

    /// Appends the character that begins with `first`; a byte that is not UTF-8 is one of U+0080 to U+00FF.
    fn character(&mut self, first: u8) {
        let longest = match first {
            0..=0x7f => 1,
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
        let mut bytes = [first; 4];
        let next = &self.rest[..self.rest.len().min(longest - 1)];
        bytes[1..=next.len()].copy_from_slice(next);
        match str::from_utf8(&bytes[..longest]) {
            Ok(text) if next.len() == longest - 1 => {
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
            Op::Valid | Op::Mutated => self.generated(op),
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

    fn generated(&mut self, op: Op) {
        let (id, production) = PRODUCTIONS[self.index(PRODUCTIONS.len())];
        let choices = self.index(64).min(self.rest.len());
        let (mut choices, rest) = self.rest.split_at(choices);
        self.rest = rest;
        let mut choose = |_| {
            let (first, rest) = choices.split_first().unwrap_or((&0, &[]));
            choices = rest;
            usize::from(*first)
        };
        let generate = |grammar: &Grammar| match op {
            Op::Valid => grammar.generate(production, &mut choose),
            _ => grammar.generate_mutated(production, &mut choose).map(|mutated| mutated.0),
        };
        self.out.extend(grammar::by_revision(id).and_then(generate));
    }
}

/// Returns a component of `base` with its delimiters: scheme, authority, path, query, fragment, the directory of the path,
/// its last segment, or the whole.
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
    use super::{Input, Op, PRODUCTIONS, PairInput, TextInput, splice};
    use proptest::prelude::*;
    use urlstrata::grammar;

    fn pair(base: &str, reference: &str) -> PairInput {
        PairInput { base: base.to_owned(), reference: reference.to_owned() }
    }

    #[test]
    fn characters_stand_for_themselves() {
        assert_eq!(PairInput::decode(b"http://h/\0../g?\xc3\xa9"), pair("http://h/", "../g?é"));
        assert_eq!(PairInput::decode(b"g"), pair("http://a/b/c/d;p?q", "g"));
        assert_eq!(PairInput::decode(b"\xe9\xff\xc3\0\xf0\x9f\x98"), pair("éÿÃ", "ð\u{9f}\u{98}"));
    }

    #[test]
    fn operations_build_strings() {
        assert_eq!(
            PairInput::decode(b"s://h/a/b?q#f\0\x03\x00\x06\x01\x02\x10x\x08\x03").reference,
            "s://h../../../x?#"
        );
        assert_eq!(PairInput::decode(b"s:\0\x03\x01\x07\x02/").reference, "S:///");
        assert_eq!(TextInput::decode(b"<\x04\x0c\x00>").0, "<http://a>");
        let valid = PairInput::decode(&[Op::Valid as u8]).reference;
        assert!(grammar::by_revision("rfc3986").is_some_and(|grammar| grammar.is_valid(&valid)), "{valid}");
    }

    #[test]
    fn every_production_exists() {
        for (id, production) in PRODUCTIONS {
            assert!(
                grammar::by_revision(id).is_some_and(|grammar| grammar.production(production).is_some()),
                "{id} {production}"
            );
        }
    }

    #[test]
    fn a_base_is_split_into_components() {
        let cut = |base| (0..8).map(|piece| splice(base, piece)).collect::<Vec<_>>();
        let all = "s://h/a/b?q#f";
        assert_eq!(cut(all), ["s:", "//h", "/a/b", "?q", "#f", "/a/", "b", all]);
        assert_eq!(cut("s:a"), ["s:", "", "a", "", "", "", "a", "s:a"]);
        assert_eq!(cut("s://h"), ["s:", "//h", "", "", "", "", "", "s://h"]);
        assert_eq!(cut(""), [""; 8]);
    }

    proptest! {
        #[test]
        fn decoding_reverts_encoding(base in any::<String>(), reference in any::<String>()) {
            let pair = pair(&base, &reference);
            prop_assert_eq!(PairInput::decode(&pair.encode()), pair);
            prop_assert_eq!(TextInput::decode(&TextInput(base.clone()).encode()).0, base);
        }

        #[test]
        fn every_sequence_of_bytes_can_be_decoded(input in prop::collection::vec(prop_oneof![0..9_u8, any::<u8>()], 0..200)) {
            let decoded = PairInput::decode(&input);
            prop_assert_eq!(PairInput::decode(&decoded.encode()), decoded);
        }
    }
}
