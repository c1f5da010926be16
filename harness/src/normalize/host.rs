//! Parsing and serialization of hosts according to the URL Standard (§3).

use std::borrow::Cow;
use std::fmt::Write;
use std::net::Ipv6Addr;

use percent_encoding::{CONTROLS, percent_decode_str, utf8_percent_encode};

use super::before::Kind;
use super::{Failure, Normalization, Normalizations, reject};

/// Splits `text` at the first colon outside brackets. Without such a colon, the second part is `None`.
pub(super) fn cut_port(text: &str) -> (&str, Option<&str>) {
    let mut inside = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => inside = true,
            b']' => inside = false,
            b':' if !inside => return (&text[..at], Some(&text[at + 1..])),
            _ => {}
        }
    }
    (text, None)
}

/// Normalizes `host` and appends it to `out`.
pub(super) fn write(set: Normalizations, host: &str, kind: Kind, out: &mut String) -> Result<(), Failure> {
    if host.starts_with('[') && set.has(Normalization::Ipv6) {
        return write_ipv6(host, out);
    }
    if host.is_empty() {
        return match kind {
            Kind::Special if set.has(Normalization::EmptyHost) => reject(Normalization::EmptyHost, "the host is empty"),
            _ => Ok(()),
        };
    }
    if kind == Kind::Other {
        if set.has(Normalization::HostForbidden) && host.chars().any(is_forbidden) {
            return reject(Normalization::HostForbidden, "a character that no host may have");
        }
        if set.has(Normalization::EncodeHost) {
            out.extend(utf8_percent_encode(host, CONTROLS));
        } else {
            out.push_str(host);
        }
        return Ok(());
    }
    let host = domain(set, host)?;
    if kind == Kind::File && host == "localhost" && set.has(Normalization::FileLocalhost) {
        return Ok(());
    }
    out.push_str(&host);
    Ok(())
}

/// Returns whether `host`, of a file URL, is normalized to `localhost`.
pub(super) fn is_localhost(set: Normalizations, host: &str) -> bool {
    domain(set, host).is_ok_and(|host| host == "localhost")
}

/// Normalizes the host of a special scheme, including `file`.
fn domain(set: Normalizations, host: &str) -> Result<Cow<'_, str>, Failure> {
    let mut host = Cow::Borrowed(host);
    if set.has(Normalization::HostDecoded) && host.contains('%') {
        host = Cow::Owned(percent_decode_str(&host).decode_utf8_lossy().into_owned());
    }
    let is_ace = || host.to_ascii_lowercase().split('.').any(|label| label.starts_with("xn--"));
    let by = match host.is_ascii() {
        true if set.has(Normalization::AceValidated) && is_ace() => Some(Normalization::AceValidated),
        false if set.has(Normalization::HostIdna) => Some(Normalization::HostIdna),
        _ => None,
    };
    if let Some(by) = by {
        host = match idna::domain_to_ascii_cow(host.as_bytes(), idna::AsciiDenyList::EMPTY) {
            Ok(ascii) if !ascii.is_empty() => Cow::Owned(ascii.into_owned()),
            _ => return reject(by, "no domain by IDNA"),
        };
    }
    if set.has(Normalization::HostCase) && host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        host = Cow::Owned(host.to_ascii_lowercase());
    }
    let forbidden = |c: char| is_forbidden(c) || c.is_ascii_control() || c == '%';
    if set.has(Normalization::HostForbidden) && host.chars().any(forbidden) {
        return reject(Normalization::HostForbidden, "a character that no domain may have");
    }
    if set.has(Normalization::Ipv4) && ends_in_number(&host) {
        let address = ipv4(&host).ok_or(Failure { why: "no IPv4 address", by: Some(Normalization::Ipv4) })?;
        let [a, b, c, d] = address.to_be_bytes();
        host = Cow::Owned(format!("{a}.{b}.{c}.{d}"));
    }
    Ok(host)
}

/// Returns whether `c` is a forbidden host code point (URL Standard §3.2).
fn is_forbidden(c: char) -> bool {
    matches!(
        c,
        '\0' | '\t' | '\n' | '\r' | ' ' | '#' | '/' | ':' | '<' | '>' | '?' | '@' | '[' | '\\' | ']' | '^' | '|'
    )
}

/// Returns whether the last label of `host` is a number (URL Standard §3.5 ends in a number checker).
fn ends_in_number(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    let last = host.rsplit('.').next().unwrap_or_default();
    let digits = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    digits || last.starts_with("0x") | last.starts_with("0X") && ipv4_number(last).is_some()
}

/// Parses an IPv4 address (URL Standard §3.5 IPv4 parser).
fn ipv4(host: &str) -> Option<u32> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let numbers: Option<Vec<u64>> = host.split('.').map(ipv4_number).collect();
    let numbers = numbers.filter(|numbers| numbers.len() <= 4)?;
    let (last, first) = numbers.split_last()?;
    if first.iter().any(|&number| number > 255) || *last >= 1 << (8 * (4 - first.len())) {
        return None;
    }
    let first = first.iter().zip((0..4).rev()).map(|(number, place)| number << (8 * place)).sum::<u64>();
    u32::try_from(first + last).ok()
}

/// Parses a number of an IPv4 address: hexadecimal after `0x`, octal after `0`, otherwise decimal. Numbers over 2^33
/// are returned as 2^33, which the IPv4 parser rejects in every position.
fn ipv4_number(text: &str) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    let (digits, radix) = if let Some(digits) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        (digits, 16)
    } else if text.len() > 1 && text.starts_with('0') {
        (&text[1..], 8)
    } else {
        (text, 10)
    };
    if !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    if digits.is_empty() {
        return Some(0);
    }
    Some(u64::from_str_radix(digits, radix).unwrap_or(1 << 33).min(1 << 33))
}

fn write_ipv6(host: &str, out: &mut String) -> Result<(), Failure> {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let Some(address) = address.and_then(|address| address.parse::<Ipv6Addr>().ok()) else {
        return reject(Normalization::Ipv6, "no IPv6 address");
    };
    let pieces = address.segments();
    let hidden = longest_zeros(&pieces);
    out.push('[');
    let mut index = 0;
    while index < 8 {
        if hidden.is_some_and(|(start, _)| start == index) {
            out.push_str(if index == 0 { "::" } else { ":" });
            index = hidden.map_or(index, |(_, end)| end);
            continue;
        }
        let _ = write!(out, "{:x}", pieces[index]);
        if index < 7 {
            out.push(':');
        }
        index += 1;
    }
    out.push(']');
    Ok(())
}

/// Returns the start and end of the longest run of at least two zero pieces, or of the first of equally long runs (URL
/// Standard §3.6 IPv6 serializer).
fn longest_zeros(pieces: &[u16; 8]) -> Option<(usize, usize)> {
    let mut longest = None;
    let mut start = 0;
    while start < 8 {
        let end = (start..8).find(|&index| pieces[index] != 0).unwrap_or(8);
        let length = end - start;
        if length > 1 && longest.is_none_or(|(start, end)| length > end - start) {
            longest = Some((start, end));
        }
        start = end.max(start) + 1;
    }
    longest
}
