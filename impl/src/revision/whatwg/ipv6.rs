//! §3.5 IPv6 parser; §3.6 IPv6 serializer.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::changes::*;
use super::machine::{Algorithm, Host, State};
use crate::step::Next::{self, Call, Continue, Done, SkipTo};

/// The variables of the algorithms in this file.
#[derive(Default)]
pub(super) struct Variables {
    input: Vec<char>,
    pointer: usize,
    pub(super) address: [u16; 8],
    pub(super) piece_index: usize,
    compress: Option<usize>,
    value: u16,
    length: usize,
    numbers_seen: usize,
    ipv4_piece: Option<u16>,
    number: u16,
    swaps: usize,
    ignore_zeros: bool,
    longest: Option<usize>,
    longest_size: usize,
    found: Option<usize>,
    found_size: usize,
}

impl Variables {
    pub(super) fn new(input: &str) -> Self {
        Self { input: input.chars().collect(), ..Self::default() }
    }

    /// Returns the pieces, for a trace.
    pub(super) fn show(&self) -> String {
        let pieces: Vec<_> = self.address.iter().map(|piece| format!("{piece:x}")).collect();
        pieces.join(":")
    }

    fn c(&self) -> Option<char> {
        self.input.get(self.pointer).copied()
    }

    fn digit(&self, radix: u32) -> Option<u16> {
        self.c().and_then(|c| c.to_digit(radix)).and_then(|digit| digit.try_into().ok())
    }

    /// Returns the piece at the index, which is less than 8 wherever the steps ask for a piece.
    fn piece(&mut self) -> &mut u16 {
        &mut self.address[self.piece_index.min(7)]
    }
}

fn too_few(s: &mut State, section: &'static str) -> Next {
    s.fail(section, "an IPv4 address in an IPv6 address that does not have four numbers")
}

fn not_a_number(s: &mut State, section: &'static str) -> Next {
    s.fail(section, "an IPv4 address in an IPv6 address with something other than numbers and dots")
}

pub(super) const PARSER: Algorithm = (
    "IPv6 parser",
    &[
        ("IPv6 1", "all eight pieces are 0", ALWAYS, |s| {
            s.v6.address = [0; 8];
            Continue
        }),
        ("IPv6 2", "begin with the first piece", ALWAYS, |s| {
            s.v6.piece_index = 0;
            Continue
        }),
        ("IPv6 3", "a :: has not been seen yet", ALWAYS, |s| {
            s.v6.compress = None;
            Continue
        }),
        ("IPv6 4", "point to the start of the input", ALWAYS, |s| {
            s.v6.pointer = 0;
            Continue
        }),
        ("IPv6 5", "if the input begins with a colon:", ALWAYS, |s| {
            if s.v6.c() == Some(':') { Continue } else { SkipTo("IPv6 6") }
        }),
        ("IPv6 5.1", "if a second colon does not follow, return failure", ALWAYS, |s| {
            if s.v6.input.get(1) != Some(&':') {
                return s.fail("3.5 IPv6 5.1", "an IPv6 address that begins with one colon");
            }
            Continue
        }),
        ("IPv6 5.2", "skip both colons", ALWAYS, |s| {
            s.v6.pointer += 2;
            Continue
        }),
        ("IPv6 5.3", "the :: is before the second piece", ALWAYS, |s| {
            s.v6.piece_index += 1;
            s.v6.compress = Some(s.v6.piece_index);
            Continue
        }),
        ("IPv6 6", "until the end:", ALWAYS, |s| if s.v6.c().is_some() { Continue } else { SkipTo("IPv6 7") }),
        ("IPv6 6.1", "if there are eight pieces already, return failure", ALWAYS, |s| {
            if s.v6.piece_index == 8 {
                return s.fail("3.5 IPv6 6.1", "an IPv6 address with more than eight pieces");
            }
            Continue
        }),
        ("IPv6 6.2", "at a colon:", ALWAYS, |s| if s.v6.c() == Some(':') { Continue } else { SkipTo("IPv6 6.3") }),
        ("IPv6 6.2.1", "if there was a :: before, return failure", ALWAYS, |s| {
            if s.v6.compress.is_some() {
                return s.fail("3.5 IPv6 6.2.1", "an IPv6 address with more than one ::");
            }
            Continue
        }),
        ("IPv6 6.2.2", "skip the colon; the :: is before the next piece", ALWAYS, |s| {
            s.v6.pointer += 1;
            s.v6.piece_index += 1;
            s.v6.compress = Some(s.v6.piece_index);
            SkipTo("IPv6 6")
        }),
        ("IPv6 6.3", "the value has no digits yet", ALWAYS, |s| {
            (s.v6.value, s.v6.length) = (0, 0);
            Continue
        }),
        ("IPv6 6.4", "read up to four hexadecimal digits", ALWAYS, |s| {
            while s.v6.length < 4
                && let Some(digit) = s.v6.digit(16)
            {
                s.v6.value = s.v6.value * 16 + digit;
                s.v6.pointer += 1;
                s.v6.length += 1;
            }
            Continue
        }),
        ("IPv6 6.5", "if a dot follows, the digits belong to an IPv4 address:", ALWAYS, |s| {
            if s.v6.c() == Some('.') { Continue } else { SkipTo("IPv6 6.6") }
        }),
        ("IPv6 6.5.1", "if there are no digits, return failure", ALWAYS, |s| {
            if s.v6.length == 0 { not_a_number(s, "3.5 IPv6 6.5.1") } else { Continue }
        }),
        ("IPv6 6.5.2", "go back to the first digit", ALWAYS, |s| {
            s.v6.pointer -= s.v6.length;
            Continue
        }),
        ("IPv6 6.5.3", "if fewer than two pieces remain, return failure", ALWAYS, |s| {
            if s.v6.piece_index > 6 {
                return s.fail("3.5 IPv6 6.5.3", "an IPv6 address with an IPv4 address after more than six pieces");
            }
            Continue
        }),
        ("IPv6 6.5.4", "no numbers have been seen", ALWAYS, |s| {
            s.v6.numbers_seen = 0;
            Continue
        }),
        ("IPv6 6.5.5", "until the end:", ALWAYS, |s| if s.v6.c().is_some() { Continue } else { SkipTo("IPv6 6.5.6") }),
        ("IPv6 6.5.5.1", "the number is not set yet", ALWAYS, |s| {
            s.v6.ipv4_piece = None;
            Continue
        }),
        ("IPv6 6.5.5.2", "after the first number:", since(CA7AE1B8), |s| {
            if s.v6.numbers_seen > 0 { Continue } else { SkipTo("IPv6 6.5.5.3") }
        }),
        ("IPv6 6.5.5.2.1", "skip a dot unless there were four numbers", since(CA7AE1B8), |s| {
            if s.v6.c() != Some('.') || s.v6.numbers_seen >= 4 {
                return Continue;
            }
            s.v6.pointer += 1;
            SkipTo("IPv6 6.5.5.3")
        }),
        ("IPv6 6.5.5.2.2", "otherwise return failure", since(CA7AE1B8), |s| not_a_number(s, "3.5 IPv6 6.5.5.2.2")),
        ("IPv6 6.5.5.3", "if no digit follows, return failure", ALWAYS, |s| {
            if s.v6.digit(10).is_none() { not_a_number(s, "3.5 IPv6 6.5.5.3") } else { Continue }
        }),
        ("IPv6 6.5.5.4", "while there are digits:", ALWAYS, |s| {
            if s.v6.digit(10).is_some() { Continue } else { SkipTo("IPv6 10.4 (e322a8a)") }
        }),
        ("IPv6 6.5.5.4.1", "take the digit", ALWAYS, |s| {
            s.v6.number = s.v6.digit(10).unwrap_or(0);
            Continue
        }),
        ("IPv6 6.5.5.4.2", "the first digit is the number", ALWAYS, |s| {
            if s.v6.ipv4_piece.is_some() {
                return Continue;
            }
            s.v6.ipv4_piece = Some(s.v6.number);
            SkipTo("IPv6 6.5.5.4.5")
        }),
        ("IPv6 6.5.5.4.3", "otherwise, if the number is 0, return failure", ALWAYS, |s| {
            if s.v6.ipv4_piece == Some(0) {
                return s.fail("3.5 IPv6 6.5.5.4.3", "an IPv4 address in an IPv6 address with a leading zero");
            }
            Continue
        }),
        ("IPv6 6.5.5.4.4", "otherwise append the digit to the number", ALWAYS, |s| {
            s.v6.ipv4_piece = s.v6.ipv4_piece.map(|piece| piece * 10 + s.v6.number);
            Continue
        }),
        ("IPv6 6.5.5.4.5", "if the number is over 255, return failure", ALWAYS, |s| {
            if s.v6.ipv4_piece > Some(255) {
                return s.fail("3.5 IPv6 6.5.5.4.5", "an IPv4 address in an IPv6 address with a number over 255");
            }
            Continue
        }),
        ("IPv6 6.5.5.4.6", "go to the next character", ALWAYS, |s| {
            s.v6.pointer += 1;
            SkipTo("IPv6 6.5.5.4")
        }),
        (
            "IPv6 10.4 (e322a8a)",
            "if a dot does not follow one of the first three numbers, return failure",
            until(CA7AE1B8),
            |s| {
                if s.v6.numbers_seen < 3 && s.v6.c() != Some('.') {
                    too_few(s, "3.5 IPv6 10.4 (e322a8a)")
                } else {
                    Continue
                }
            },
        ),
        ("IPv6 6.5.5.5", "shift the number into the piece", ALWAYS, |s| {
            let number = s.v6.ipv4_piece.unwrap_or(0);
            let piece = s.v6.piece();
            *piece = piece.wrapping_mul(256).wrapping_add(number);
            Continue
        }),
        ("IPv6 6.5.5.6", "count it", since(CA7AE1B8), |s| {
            s.v6.numbers_seen += 1;
            Continue
        }),
        ("IPv6 6.5.5.7", "the second and the fourth number complete a piece", since(CA7AE1B8), |s| {
            if matches!(s.v6.numbers_seen, 2 | 4) {
                s.v6.piece_index += 1;
            }
            SkipTo("IPv6 6.5.5")
        }),
        ("IPv6 10.6 (e322a8a)", "the second and the fourth number complete a piece", until(CA7AE1B8), |s| {
            if matches!(s.v6.numbers_seen, 1 | 3) {
                s.v6.piece_index += 1;
            }
            Continue
        }),
        ("IPv6 10.7 (e322a8a)", "skip the next character", until(CA7AE1B8), |s| {
            if s.v6.c().is_some() {
                s.v6.pointer += 1;
            }
            Continue
        }),
        (
            "IPv6 10.8 (e322a8a)",
            "if something follows the fourth number and its dot, return failure",
            until(CA7AE1B8),
            |s| {
                if s.v6.numbers_seen == 3 && s.v6.c().is_some() {
                    not_a_number(s, "3.5 IPv6 10.8 (e322a8a)")
                } else {
                    Continue
                }
            },
        ),
        ("IPv6 10.9 (e322a8a)", "count the number", until(CA7AE1B8), |s| {
            s.v6.numbers_seen += 1;
            SkipTo("IPv6 6.5.5")
        }),
        ("IPv6 6.5.6", "if there are not exactly four numbers, return failure", since(CA7AE1B8), |s| {
            if s.v6.numbers_seen == 4 { Continue } else { too_few(s, "3.5 IPv6 6.5.6") }
        }),
        ("IPv6 6.5.7", "the address ends", ALWAYS, |_| SkipTo("IPv6 7")),
        ("IPv6 6.6", "otherwise, if a colon follows:", ALWAYS, |s| {
            if s.v6.c() == Some(':') { Continue } else { SkipTo("IPv6 6.7") }
        }),
        ("IPv6 6.6.1", "skip it", ALWAYS, |s| {
            s.v6.pointer += 1;
            Continue
        }),
        ("IPv6 6.6.2", "if nothing follows, return failure", ALWAYS, |s| {
            if s.v6.c().is_none() {
                return s.fail("3.5 IPv6 6.6.2", "an IPv6 address that ends with one colon");
            }
            SkipTo("IPv6 6.8")
        }),
        ("IPv6 6.7", "otherwise, before the end, return failure", ALWAYS, |s| {
            if s.v6.c().is_some() {
                return s.fail("3.5 IPv6 6.7", "a character that no IPv6 address has");
            }
            Continue
        }),
        ("IPv6 6.8", "if the piece has leading zeros, record a validation error", ALWAYS, |s| {
            let digits = match s.v6.value {
                0..0x10 => 1,
                0x10..0x100 => 2,
                0x100..0x1000 => 3,
                _ => 4,
            };
            if s.v6.length > digits { s.note("IPv6-piece-leading-zero") } else { Continue }
        }),
        ("IPv6 6.9", "the piece is the value", ALWAYS, |s| {
            *s.v6.piece() = s.v6.value;
            Continue
        }),
        ("IPv6 6.10", "go to the next piece", ALWAYS, |s| {
            s.v6.piece_index += 1;
            SkipTo("IPv6 6")
        }),
        ("IPv6 7", "if there was a ::", ALWAYS, |s| if s.v6.compress.is_some() { Continue } else { SkipTo("IPv6 8") }),
        ("IPv6 7.1", "count the pieces after it", ALWAYS, |s| {
            s.v6.swaps = s.v6.piece_index.saturating_sub(s.v6.compress.unwrap_or(0));
            Continue
        }),
        ("IPv6 7.2", "begin with the last piece", ALWAYS, |s| {
            s.v6.piece_index = 7;
            Continue
        }),
        ("IPv6 7.3", "move these pieces to the end", ALWAYS, |s| {
            let compress = s.v6.compress.unwrap_or(0);
            while s.v6.piece_index != 0 && s.v6.swaps > 0 {
                s.v6.address.swap(s.v6.piece_index, compress + s.v6.swaps - 1);
                s.v6.piece_index -= 1;
                s.v6.swaps -= 1;
            }
            SkipTo("IPv6 9")
        }),
        ("IPv6 8", "otherwise, if there are fewer than eight pieces, return failure", ALWAYS, |s| {
            if s.v6.piece_index != 8 {
                return s.fail("3.5 IPv6 8", "an IPv6 address with fewer than eight pieces");
            }
            Continue
        }),
        ("IPv6 9", "return the address", ALWAYS, |s| {
            s.host = Some(Host::Ipv6(s.v6.address));
            s.v6.piece_index = 0;
            Done
        }),
    ],
);

pub(super) const SERIALIZER: Algorithm = (
    "IPv6 serializer",
    &[
        ("IPv6 serializer 1", "the output is empty", ALWAYS, |s| {
            s.address.clear();
            if let Some(Host::Ipv6(pieces)) = s.url.host {
                s.v6.address = pieces;
            }
            Continue
        }),
        ("IPv6 serializer 2", "find the pieces that :: replaces", ALWAYS, |_| Call("IPv6 compressed piece")),
        ("IPv6 serializer 3", "do not skip zeros yet", ALWAYS, |s| {
            (s.v6.ignore_zeros, s.v6.piece_index) = (false, 0);
            Continue
        }),
        ("IPv6 serializer 4", "for each piece:", ALWAYS, |s| {
            if s.v6.piece_index < 8 { Continue } else { SkipTo("IPv6 serializer 5") }
        }),
        ("IPv6 serializer 4.1", "skip a zero that :: replaces", ALWAYS, |s| {
            if !s.v6.ignore_zeros || *s.v6.piece() != 0 {
                return Continue;
            }
            next_piece(s)
        }),
        ("IPv6 serializer 4.2", "otherwise do not skip zeros any more", ALWAYS, |s| {
            s.v6.ignore_zeros = false;
            Continue
        }),
        ("IPv6 serializer 4.3", "at the first piece that :: replaces:", ALWAYS, |s| {
            if s.v6.longest == Some(s.v6.piece_index) { Continue } else { SkipTo("IPv6 serializer 4.4") }
        }),
        ("IPv6 serializer 4.3.1", "the separator is :: at the start, otherwise one more colon", ALWAYS, |_| Continue),
        ("IPv6 serializer 4.3.2", "write the separator", ALWAYS, |s| {
            s.address.push_str(if s.v6.piece_index == 0 { "::" } else { ":" });
            Continue
        }),
        ("IPv6 serializer 4.3.3", "skip zeros from here on", ALWAYS, |s| {
            s.v6.ignore_zeros = true;
            next_piece(s)
        }),
        ("IPv6 serializer 4.4", "write the piece in hexadecimal", ALWAYS, |s| {
            let piece = format!("{:x}", s.v6.piece());
            s.address.push_str(&piece);
            Continue
        }),
        ("IPv6 serializer 4.5", "write a colon after it, except after the last", ALWAYS, |s| {
            if s.v6.piece_index != 7 {
                s.address.push(':');
            }
            next_piece(s)
        }),
        ("IPv6 serializer 5", "return the output", ALWAYS, |s| {
            s.v6.piece_index = 0;
            Done
        }),
    ],
);

fn next_piece(s: &mut State) -> Next {
    s.v6.piece_index += 1;
    SkipTo("IPv6 serializer 4")
}

pub(super) const COMPRESSED: Algorithm = (
    "IPv6 compressed piece",
    &[
        ("IPv6 compressed piece 1", "the longest run of zeros is not set yet", ALWAYS, |s| {
            s.v6.longest = None;
            Continue
        }),
        ("IPv6 compressed piece 2", "it must be longer than one piece", ALWAYS, |s| {
            s.v6.longest_size = 1;
            Continue
        }),
        ("IPv6 compressed piece 3", "the current run is not set", ALWAYS, |s| {
            s.v6.found = None;
            Continue
        }),
        ("IPv6 compressed piece 4", "its size is 0", ALWAYS, |s| {
            (s.v6.found_size, s.v6.piece_index) = (0, 0);
            Continue
        }),
        ("IPv6 compressed piece 5", "for each piece:", ALWAYS, |s| {
            if s.v6.piece_index < 8 { Continue } else { SkipTo("IPv6 compressed piece 6") }
        }),
        ("IPv6 compressed piece 5.1", "if it is not zero:", ALWAYS, |s| {
            if *s.v6.piece() == 0 { SkipTo("IPv6 compressed piece 5.2") } else { Continue }
        }),
        ("IPv6 compressed piece 5.1.1", "the current run is the longest if it is longer", ALWAYS, |s| {
            if s.v6.found_size > s.v6.longest_size {
                (s.v6.longest, s.v6.longest_size) = (s.v6.found, s.v6.found_size);
            }
            Continue
        }),
        ("IPv6 compressed piece 5.1.2", "the current run is not set", ALWAYS, |s| {
            s.v6.found = None;
            Continue
        }),
        ("IPv6 compressed piece 5.1.3", "its size is 0", ALWAYS, |s| {
            s.v6.found_size = 0;
            s.v6.piece_index += 1;
            SkipTo("IPv6 compressed piece 5")
        }),
        ("IPv6 compressed piece 5.2", "otherwise:", ALWAYS, |_| Continue),
        ("IPv6 compressed piece 5.2.1", "a current run begins here if it is not set", ALWAYS, |s| {
            s.v6.found.get_or_insert(s.v6.piece_index);
            Continue
        }),
        ("IPv6 compressed piece 5.2.2", "it is one piece longer", ALWAYS, |s| {
            s.v6.found_size += 1;
            s.v6.piece_index += 1;
            SkipTo("IPv6 compressed piece 5")
        }),
        ("IPv6 compressed piece 6", "if the current run is longer than the longest, return it", ALWAYS, |s| {
            if s.v6.found_size <= s.v6.longest_size {
                return Continue;
            }
            s.v6.longest = s.v6.found;
            Done
        }),
        ("IPv6 compressed piece 7", "otherwise return the longest", ALWAYS, |_| Done),
    ],
);
