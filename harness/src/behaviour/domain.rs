//! Domains and addresses as the URL Standard parses them (§3).

use std::borrow::Cow;
use std::fmt::Write;
use std::net::Ipv6Addr;

use percent_encoding::percent_decode_str;

use super::table::Rejected;

/// Returns the host of a special scheme in ASCII: decoded, converted by IDNA, and with an IPv4 address in canonical
/// form. With `validated`, an ASCII host with an `xn--` label is converted too.
///
/// # Errors
///
/// Returns an error if the host is not a domain or an address.
pub(crate) fn to_ascii(host: &str, validated: bool) -> Result<Cow<'_, str>, Rejected> {
    let mut host = Cow::Borrowed(host);
    if host.contains('%') {
        host = Cow::Owned(percent_decode_str(&host).decode_utf8_lossy().into_owned());
    }
    let is_ace = || host.to_ascii_lowercase().split('.').any(|label| label.starts_with("xn--"));
    if !host.is_ascii() || validated && is_ace() {
        host = Cow::Owned(idna(&host)?);
    }
    if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        host = Cow::Owned(host.to_ascii_lowercase());
    }
    if host.chars().any(|c| is_forbidden(c) || c.is_ascii_control() || c == '%') {
        return Err(Rejected);
    }
    match with_ipv4(&host)? {
        Cow::Owned(address) => Ok(Cow::Owned(address)),
        Cow::Borrowed(_) => Ok(host),
    }
}

/// Returns `host` in ASCII by IDNA.
///
/// # Errors
///
/// Returns an error if the host is not valid.
pub(crate) fn idna(host: &str) -> Result<String, Rejected> {
    match idna::domain_to_ascii_cow(host.as_bytes(), idna::AsciiDenyList::EMPTY) {
        Ok(ascii) if !ascii.is_empty() => Ok(ascii.into_owned()),
        _ => Err(Rejected),
    }
}

/// Returns `host` with each label outside ASCII encoded with Punycode (RFC 3492).
///
/// # Errors
///
/// Returns an error if a label is too long.
pub(crate) fn punycode(host: &str) -> Result<String, Rejected> {
    let label = |label: &str| match label.is_ascii() {
        true => Ok(label.to_owned()),
        false => idna::punycode::encode_str(label).map(|text| format!("xn--{text}")).ok_or(Rejected),
    };
    Ok(host.split('.').map(label).collect::<Result<Vec<_>, _>>()?.join("."))
}

/// Returns `host`, with an IPv4 address in canonical form.
///
/// # Errors
///
/// Returns an error if the host ends in a number and is not an IPv4 address.
pub(crate) fn with_ipv4(host: &str) -> Result<Cow<'_, str>, Rejected> {
    if !ends_in_number(host) {
        return Ok(Cow::Borrowed(host));
    }
    let [a, b, c, d] = ipv4(host).ok_or(Rejected)?.to_be_bytes();
    Ok(Cow::Owned(format!("{a}.{b}.{c}.{d}")))
}

/// Returns whether `c` is a forbidden host code point (URL Standard §3.2).
pub(crate) fn is_forbidden(c: char) -> bool {
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

/// Returns an IPv6 address in canonical form, with IPv4 parts as hexadecimal numbers (URL Standard §3.6 IPv6
/// serializer).
pub(crate) fn pieces(address: Ipv6Addr) -> String {
    let pieces = address.segments();
    let hidden = longest_zeros(&pieces);
    let mut out = String::new();
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
    out
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
