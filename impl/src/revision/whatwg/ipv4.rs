//! §3.5 ends in a number checker, IPv4 parser and IPv4 number parser; §3.6 IPv4 serializer.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::changes::*;
use super::machine::{Algorithm, Host, State};
use crate::step::Next::{self, Call, Continue, Done, Repeat, SkipTo};

/// The variables of the algorithms in this file. Their input is the domain in ASCII.
#[derive(Default)]
pub(super) struct Variables {
    parts: Vec<String>,
    /// The number of parts that have been parsed.
    parsed: usize,
    pub(super) numbers: Vec<u64>,
    /// The input of the IPv4 number parser.
    input: String,
    unusual: bool,
    radix: u32,
    /// The result of the IPv4 number parser: failure, or the number and whether it is unusual. `None` before it runs.
    number: Option<Option<(u64, bool)>>,
    /// The result of the ends in a number checker. `None` before it runs.
    pub(super) ends_in_number: Option<bool>,
    address: u64,
    counter: u32,
}

/// Returns 256 to the power of `exponent`.
fn power(exponent: u32) -> u64 {
    256_u64.saturating_pow(exponent)
}

/// Splits the domain at dots.
fn split(s: &mut State) -> Next {
    s.v4.parts = s.ascii_domain.as_deref().unwrap_or_default().split('.').map(String::from).collect();
    Continue
}

pub(super) const ENDS_IN_NUMBER: Algorithm = (
    "ends in a number checker",
    &[
        ("ends in a number 1", "the domain is not empty", since(CAB0E820), |_| Continue),
        ("ends in a number 2", "split it at dots", since(CAB0E820), split),
        ("ends in a number 3", "remove the last part if it is empty", since(CAB0E820), |s| {
            if s.v4.parts.last().is_some_and(String::is_empty) {
                s.v4.parts.pop();
            }
            Continue
        }),
        ("ends in a number 4", "take the last part", since(CAB0E820), |s| {
            s.v4.input = s.v4.parts.last().cloned().unwrap_or_default();
            Continue
        }),
        ("ends in a number 5", "if it consists of digits, return true", since(CAB0E820), |s| {
            if s.v4.input.is_empty() || !s.v4.input.bytes().all(|byte| byte.is_ascii_digit()) {
                return Continue;
            }
            s.v4.ends_in_number = Some(true);
            Done
        }),
        ("ends in a number 6", "if it is a number of an IPv4 address, return true", since(CAB0E820), |s| {
            match s.v4.number.take() {
                None => Repeat("IPv4 number parser"),
                Some(None) => Continue,
                Some(Some(_)) => {
                    s.v4.ends_in_number = Some(true);
                    Done
                }
            }
        }),
        ("ends in a number 7", "otherwise return false", since(CAB0E820), |s| {
            s.v4.ends_in_number = Some(false);
            Done
        }),
    ],
);

pub(super) const PARSER: Algorithm = (
    "IPv4 parser",
    &[
        ("IPv4 1", "split the domain at dots", since(C9043740), split),
        ("IPv4 2", "if the last part is empty:", since(C9043740), |s| {
            if s.v4.parts.last().is_some_and(String::is_empty) { Continue } else { SkipTo("IPv4 3") }
        }),
        ("IPv4 2.1", "record a validation error", since(C9043740), |s| s.note("IPv4-empty-part")),
        ("IPv4 2.2", "remove it unless it is the only part", since(C9043740), |s| {
            if s.v4.parts.len() > 1 || !s.has(CCB146B9) {
                s.v4.parts.pop();
            }
            Continue
        }),
        ("IPv4 3", "if there are fewer than four parts, record a validation error", since(C9043740), |s| {
            if s.v4.parts.len() < 4 { s.note("IPv4-too-few-parts") } else { Continue }
        }),
        (
            "IPv4 4 (83adf0c)",
            "if there are more than four parts, return the domain",
            between(C9043740, CAB0E820),
            |s| {
                if s.v4.parts.len() > 4 { Done } else { Continue }
            },
        ),
        ("IPv4 4", "if there are more than four parts, return failure", since(CAB0E820), |s| {
            if s.v4.parts.len() > 4 {
                return s.fail("3.5 IPv4 4", "a domain that ends in a number and has more than four parts");
            }
            Continue
        }),
        ("IPv4 5", "there are no numbers yet", since(C9043740), |s| {
            (s.v4.parsed, s.v4.numbers) = (0, Vec::new());
            Continue
        }),
        ("IPv4 6", "for each part:", since(C9043740), |s| {
            let Some(part) = s.v4.parts.get(s.v4.parsed) else { return SkipTo("IPv4 7") };
            s.v4.input.clone_from(part);
            s.v4.parsed += 1;
            Continue
        }),
        ("IPv4 6.1 (83adf0c)", "if it is empty, return the domain", between(C990295A, CAB0E820), |s| {
            if s.v4.input.is_empty() { Done } else { Continue }
        }),
        ("IPv4 6.1", "parse it as a number", since(C9043740), |s| {
            s.v4.number = None;
            Call("IPv4 number parser")
        }),
        ("IPv4 6.3 (83adf0c)", "if that fails, return the domain", between(C9043740, CAB0E820), |s| {
            if s.v4.number == Some(None) { Done } else { Continue }
        }),
        ("IPv4 6.2", "if that fails, return failure", since(CAB0E820), |s| {
            if s.v4.number == Some(None) {
                return s.fail("3.5 IPv4 6.2", "a domain that ends in a number and is not an IPv4 address");
            }
            Continue
        }),
        ("IPv4 6.3", "if it is not decimal, record a validation error", since(C9043740), |s| match s.v4.number {
            Some(Some((_, true))) => s.note("IPv4-non-decimal-part"),
            _ => Continue,
        }),
        ("IPv4 6.4", "append it to the numbers", since(C9043740), |s| {
            s.v4.numbers.extend(s.v4.number.take().flatten().map(|(number, _)| number));
            SkipTo("IPv4 6")
        }),
        ("IPv4 7", "if a number is over 255, record a validation error", since(C9043740), |s| {
            if s.v4.numbers.iter().any(|&number| number > 255) { s.note("IPv4-out-of-range-part") } else { Continue }
        }),
        ("IPv4 8", "if a number before the last is over 255, return failure", since(C9043740), |s| {
            let first = s.v4.numbers.split_last().map_or(&[][..], |(_, first)| first);
            if first.iter().any(|&number| number > 255) {
                return s.fail("3.5 IPv4 8", "an IPv4 address with a part over 255");
            }
            Continue
        }),
        ("IPv4 9", "if the last number needs more bytes than remain, return failure", since(C9043740), |s| {
            // The first text allowed one byte less.
            let remaining = if s.has(C94E9E60) { 5 } else { 4_u32 };
            let count = u32::try_from(s.v4.numbers.len()).unwrap_or(u32::MAX);
            if s.v4.numbers.last().is_some_and(|&last| last >= power(remaining.saturating_sub(count))) {
                return s.fail("3.5 IPv4 9", "an IPv4 address with a last part that is too large");
            }
            Continue
        }),
        ("IPv4 10", "the address begins as the last number", since(C9043740), |s| match s.v4.numbers.last() {
            Some(&last) => {
                s.v4.address = last;
                Continue
            }
            // Until cb146b9, an empty domain has no number: it stays a domain.
            None => Done,
        }),
        ("IPv4 11", "remove that number", since(C9043740), |s| {
            s.v4.numbers.pop();
            Continue
        }),
        ("IPv4 12", "count from 0", since(C9043740), |s| {
            s.v4.counter = 0;
            Continue
        }),
        ("IPv4 13", "for each number that remains:", since(C9043740), |s| {
            let done = usize::try_from(s.v4.counter).unwrap_or(usize::MAX) >= s.v4.numbers.len();
            if done { SkipTo("IPv4 14") } else { Continue }
        }),
        ("IPv4 13.1", "add it to the address as the next byte from the left", since(C9043740), |s| {
            let number = usize::try_from(s.v4.counter).ok().and_then(|index| s.v4.numbers.get(index).copied());
            s.v4.address += number.unwrap_or(0) * power(3_u32.saturating_sub(s.v4.counter));
            Continue
        }),
        ("IPv4 13.2", "count on", since(C9043740), |s| {
            s.v4.counter += 1;
            SkipTo("IPv4 13")
        }),
        ("IPv4 14", "return the address", since(C9043740), |s| {
            s.v4.numbers.clear();
            // Steps 8 and 9 allow 32 bits.
            s.host = u32::try_from(s.v4.address).ok().map(Host::Ipv4);
            Done
        }),
    ],
);

pub(super) const NUMBER: Algorithm = (
    "IPv4 number parser",
    &[
        ("IPv4 number 1", "if the part is empty, return failure", since(CAB0E820), |s| {
            if !s.v4.input.is_empty() {
                return Continue;
            }
            s.v4.number = Some(None);
            Done
        }),
        ("IPv4 number 2", "a validation error has not been recorded yet", since(C9043740), |s| {
            s.v4.unusual = false;
            Continue
        }),
        ("IPv4 number 3", "the number is decimal", since(C9043740), |s| {
            s.v4.radix = 10;
            Continue
        }),
        ("IPv4 number 4", "if it begins with 0x or 0X:", since(C9043740), |s| {
            let is_hexadecimal = s.v4.input.starts_with("0x") || s.v4.input.starts_with("0X");
            if is_hexadecimal { Continue } else { SkipTo("IPv4 number 5") }
        }),
        ("IPv4 number 4.1", "that is a validation error", since(C9043740), |s| {
            s.v4.unusual = true;
            Continue
        }),
        ("IPv4 number 4.2", "remove these two characters", since(C9043740), |s| {
            s.v4.input.drain(..2);
            Continue
        }),
        ("IPv4 number 4.3", "the number is hexadecimal", since(C9043740), |s| {
            s.v4.radix = 16;
            // Until 620fa90, a zero after 0x is the mark of an octal number.
            let or_octal = s.has(C1EAB2AB) && !s.has(C620FA90);
            if or_octal { Continue } else { SkipTo("IPv4 number 6") }
        }),
        ("IPv4 number 5", "otherwise, if it begins with 0 and has more characters:", since(C9043740), |s| {
            let is_octal = s.v4.input.starts_with('0') && (s.v4.input.len() > 1 || !s.has(C8848692));
            if is_octal { Continue } else { SkipTo("IPv4 number 6") }
        }),
        ("IPv4 number 5.1", "that is a validation error", since(C9043740), |s| {
            s.v4.unusual = true;
            Continue
        }),
        ("IPv4 number 5.2", "remove that 0", since(C9043740), |s| {
            s.v4.input.remove(0);
            Continue
        }),
        ("IPv4 number 5.3", "the number is octal", since(C9043740), |s| {
            s.v4.radix = 8;
            Continue
        }),
        ("IPv4 number 6", "if nothing remains, return 0", since(C1EAB2AB), |s| {
            if !s.v4.input.is_empty() {
                return Continue;
            }
            s.v4.number = Some(Some((0, true)));
            Done
        }),
        ("IPv4 number 7", "if a character is not a digit of the number, return failure", since(C9043740), |s| {
            // Until 1eab2ab, nothing after 0x is not a number; nothing after an octal 0 is 0.
            let has_digits = !s.v4.input.is_empty() || s.v4.radix == 8;
            let is_number = has_digits && s.v4.input.chars().all(|c| c.is_digit(s.v4.radix));
            if is_number {
                return Continue;
            }
            s.v4.number = Some(None);
            Done
        }),
        ("IPv4 number 8", "compute the number", since(C9043740), |s| {
            // A number that does not fit is too large for every part.
            let number = match s.v4.input.as_str() {
                "" => 0,
                digits => u64::from_str_radix(digits, s.v4.radix).unwrap_or(u64::MAX),
            };
            s.v4.number = Some(Some((number, s.v4.unusual)));
            Continue
        }),
        ("IPv4 number 9", "return it, and whether there was a validation error", since(C9043740), |_| Done),
    ],
);

pub(super) const SERIALIZER: Algorithm = (
    "IPv4 serializer",
    &[
        ("IPv4 serializer 1", "the output is empty", since(C9043740), |s| {
            s.address.clear();
            Continue
        }),
        ("IPv4 serializer 2", "take the address as a number", since(C9043740), |s| {
            s.v4.counter = 0;
            s.v4.address = match s.url.host {
                Some(Host::Ipv4(address)) => address.into(),
                _ => 0,
            };
            Continue
        }),
        ("IPv4 serializer 3", "four times:", since(C9043740), |s| {
            s.v4.counter += 1;
            if s.v4.counter <= 4 { Continue } else { SkipTo("IPv4 serializer 4") }
        }),
        ("IPv4 serializer 3.1", "write its last byte in front, in decimal", since(C9043740), |s| {
            let byte = (s.v4.address % 256).to_string();
            // The first text wrote the least significant byte first.
            let at = if s.has(CE7D85D6) { 0 } else { s.address.len() };
            s.address.insert_str(at, &byte);
            Continue
        }),
        ("IPv4 serializer 3.2", "write a dot in front of it, except for the fourth", since(C9043740), |s| {
            if s.v4.counter < 4 {
                let at = if s.has(CE7D85D6) { 0 } else { s.address.len() };
                s.address.insert(at, '.');
            }
            Continue
        }),
        ("IPv4 serializer 3.3", "remove that byte", since(C9043740), |s| {
            s.v4.address /= 256;
            SkipTo("IPv4 serializer 3")
        }),
        ("IPv4 serializer 4", "return the output", since(C9043740), |_| Done),
    ],
);
