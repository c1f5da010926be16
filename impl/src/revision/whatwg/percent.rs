//! §1.3: percent-encode sets and percent-decoding; §3.2: forbidden code points.
//!
//! The sets are functions of a code point and of the changes of the Standard that had landed. The algorithms
//! "percent-encode after encoding" and "percent-decode" have no steps here: with UTF-8, the only encoding of a URL that
//! is resolved outside HTML, they encode and decode byte by byte.

use alloc::string::String;
use alloc::vec::Vec;

use super::changes::{self, ChangeSet};

/// A percent-encode set, as it was after the changes.
pub(super) type EncodeSet = fn(char, ChangeSet) -> bool;

/// C0 controls and everything after `~`.
pub(super) fn c0_control(c: char, _: ChangeSet) -> bool {
    !(' '..='~').contains(&c)
}

pub(super) fn fragment(c: char, landed: ChangeSet) -> bool {
    c0_control(c, landed) || landed.has(changes::C7A3C69F) && matches!(c, ' ' | '"' | '<' | '>' | '`')
}

pub(super) fn query(c: char, landed: ChangeSet) -> bool {
    c0_control(c, landed) || matches!(c, ' ' | '"' | '#' | '<' | '>') || !landed.has(changes::CF54C44D) && c == '`'
}

pub(super) fn special_query(c: char, landed: ChangeSet) -> bool {
    query(c, landed) || landed.has(changes::C6EF17EB) && c == '\''
}

pub(super) fn path(c: char, landed: ChangeSet) -> bool {
    c0_control(c, landed)
        || matches!(c, ' ' | '"' | '#' | '<' | '>' | '?' | '`')
        || landed.has(changes::CC296E2F) && matches!(c, '{' | '}')
        || landed.has(changes::C9BC33C3) && c == '^'
}

pub(super) fn userinfo(c: char, landed: ChangeSet) -> bool {
    path(c, landed) || landed.has(changes::C9CA26E5) && matches!(c, '/' | ':' | ';' | '=' | '@' | '['..='^' | '|')
}

/// Appends `c` to `out`, percent-encoded if `set` contains it.
pub(super) fn encode(c: char, set: EncodeSet, landed: ChangeSet, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    if !set(c, landed) {
        return out.push(c);
    }
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.extend(['%', DIGITS[usize::from(byte >> 4)].into(), DIGITS[usize::from(byte & 15)].into()]);
    }
}

/// Percent-decodes `text` to UTF-8. Malformed escapes are kept, and malformed UTF-8 becomes U+FFFD.
pub(super) fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                // Two hexadecimal digits are at most 255.
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// §3.2.
pub(super) fn is_forbidden_host(c: char, landed: ChangeSet) -> bool {
    matches!(c, '\0' | '\t' | '\n' | '\r' | ' ' | '#' | '/' | ':' | '?' | '@' | '[' | '\\' | ']')
        || landed.has(changes::C302BA41) && matches!(c, '<' | '>' | '^')
        || landed.has(changes::C4025253) && c == '|'
}

/// §3.2. Until 35e195a, `%` is a forbidden host code point.
pub(super) fn is_forbidden_domain(c: char, landed: ChangeSet) -> bool {
    is_forbidden_host(c, landed) || c == '%' || landed.has(changes::C35E195A) && c.is_ascii_control()
}

/// A URL code point (§4.3). The parser uses it for validation errors only.
pub(super) fn is_url_code_point(c: char) -> bool {
    let noncharacter = matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    c.is_ascii_alphanumeric() || "!$&'()*+,-./:;=?@_~".contains(c) || c >= '\u{A0}' && !noncharacter
}
