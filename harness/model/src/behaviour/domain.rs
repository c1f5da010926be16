//! Domains and addresses as the URL Standard parses them (§3).

use std::borrow::Cow;
use std::fmt::Write;
use std::net::Ipv6Addr;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use percent_encoding::percent_decode_str;

use super::table::{Rejected, decoded};
use super::{DomainForbidden, DomainNumbers, HostParser};

/// Returns the domain of a special scheme in ASCII: decoded and converted by IDNA as `parser` does it.
///
/// # Errors
///
/// Returns an error if the host is not a domain.
pub(super) fn to_ascii(host: &str, parser: HostParser) -> Result<Cow<'_, str>, Rejected> {
    let mut host = Cow::Borrowed(host);
    if host.contains('%') {
        host = Cow::Owned(percent_decode_str(&host).decode_utf8_lossy().into_owned());
    }
    let is_transitional = parser == HostParser::DomainTransitional;
    if !host.is_ascii() || is_transitional || parser != HostParser::Domain && has_ace(&host) {
        let hyphens = if is_transitional { Hyphens::Check } else { Hyphens::Allow };
        let domain = if is_transitional { transitional(&host) } else { host.into_owned() };
        let ascii = Uts46::new().to_ascii(domain.as_bytes(), AsciiDenyList::EMPTY, hyphens, DnsLength::Ignore);
        host = Cow::Owned(ascii.map_err(|_| Rejected)?.into_owned());
        if host.is_empty() && !matches!(parser, HostParser::DomainOrEmpty | HostParser::DomainTransitional) {
            return Err(Rejected);
        }
    }
    if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        host = Cow::Owned(host.to_ascii_lowercase());
    }
    Ok(host)
}

/// Returns whether a label of `host` begins with `xn--`.
pub(super) fn has_ace(host: &str) -> bool {
    host.to_ascii_lowercase().split('.').any(|label| label.starts_with("xn--"))
}

/// Maps the deviation characters of UTS #46 §4 as its transitional processing does, which the crate `idna` does not have.
pub(super) fn transitional(domain: &str) -> String {
    let domain = domain.replace(['ß', 'ẞ'], "ss").replace('ς', "σ");
    domain.replace(['\u{200c}', '\u{200d}'], "")
}

/// Returns whether `c` is forbidden in a domain (URL Standard §3.2).
pub(super) fn is_forbidden_in_domain(c: char, forbidden: DomainForbidden) -> bool {
    match c {
        '%' => true,
        '<' | '>' | '^' => forbidden != DomainForbidden::None,
        '|' => !matches!(forbidden, DomainForbidden::Brackets | DomainForbidden::None),
        '"' | '*' => forbidden == DomainForbidden::ControlsAndQuotes,
        c => {
            let are_controls = matches!(forbidden, DomainForbidden::Controls | DomainForbidden::ControlsAndQuotes);
            is_forbidden(c) || c.is_ascii_control() && are_controls
        }
    }
}

/// Returns `domain`, or its canonical form if it is an IPv4 address.
///
/// # Errors
///
/// Returns an error if the domain consists of numbers, or ends in one, and is not a valid address.
pub(super) fn numbers_parsed(domain: &str, numbers: DomainNumbers) -> Result<Cow<'_, str>, Rejected> {
    let number: fn(&str) -> Option<u64> = match numbers {
        DomainNumbers::Last => return with_ipv4(domain),
        DomainNumbers::All => ipv4_number,
        DomainNumbers::AllOctalAfterMark => octal_after_mark,
        DomainNumbers::None => return Ok(domain.into()),
    };
    let digits = domain.strip_suffix('.').unwrap_or(domain);
    let values: Option<Vec<u64>> = digits.split('.').map(number).collect();
    match values.filter(|values| values.len() <= 4) {
        Some(values) => ipv4(&values).map(|address| dotted(address).into()).ok_or(Rejected),
        None => Ok(domain.into()),
    }
}

/// Parses a number of an IPv4 address like [`ipv4_number`], but a zero after `0x` begins an octal number.
fn octal_after_mark(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    match digits.filter(|digits| digits.len() > 1 && digits.starts_with('0')) {
        Some(digits) => ipv4_number(digits).filter(|_| !digits.starts_with("0x") && !digits.starts_with("0X")),
        None => ipv4_number(text),
    }
}

fn dotted(address: u32) -> String {
    let [a, b, c, d] = address.to_be_bytes();
    format!("{a}.{b}.{c}.{d}")
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

/// Returns `host` in ASCII by IDNA.
///
/// # Errors
///
/// Returns an error if the host is not valid, or has other characters than letters, digits, hyphens, underscores and full stops.
pub(super) fn idna_strict(host: &str) -> Result<String, Rejected> {
    let is_accepted = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    idna(host).and_then(|ascii| if ascii.bytes().all(is_accepted) { Ok(ascii) } else { Err(Rejected) })
}

/// Returns `host` in ASCII by IDNA of 2003, or in lower case if it cannot be converted or has an empty label then.
pub(super) fn idna_or_kept(host: &str) -> String {
    let is_complete =
        |ascii: &String| ascii.strip_suffix('.').unwrap_or(ascii).split('.').all(|label| !label.is_empty());
    idna(&transitional(host)).ok().filter(is_complete).unwrap_or_else(|| host.to_lowercase())
}

/// Returns whether IDNA of 2003 converts each label of `host` to at most 63 letters, digits and hyphens between them (RFC 3490
/// §4.1 with `UseSTD3ASCIIRules`). The last label may be empty.
pub(super) fn is_convertible(host: &str) -> bool {
    let converts = |label: &str| {
        let is_ace = label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
        let ascii = Uts46::new().to_ascii(label.as_bytes(), AsciiDenyList::STD3, Hyphens::Allow, DnsLength::Ignore);
        (label.is_ascii() || !is_ace)
            && ascii.is_ok_and(|it| (1..=63).contains(&it.len()) && !it.starts_with('-') && !it.ends_with('-'))
    };
    let dotted = transitional(host).replace(['\u{3002}', '\u{ff0e}', '\u{ff61}'], ".");
    dotted == "." || dotted.strip_suffix('.').unwrap_or(&dotted).split('.').all(converts)
}

/// Returns `host` with its labels that begin with `xn--` decoded.
///
/// # Errors
///
/// Returns an error if such a label is not valid.
pub(super) fn with_ace_decoded(host: &str) -> Result<String, Rejected> {
    let decoded = |label: &str| match label.get(..4) {
        Some(start) if start.eq_ignore_ascii_case("xn--") => {
            let (text, result) = idna::domain_to_unicode(label);
            result.map(|()| text).map_err(|_| Rejected)
        }
        _ => Ok(label.to_owned()),
    };
    Ok(host.split('.').map(decoded).collect::<Result<Vec<String>, Rejected>>()?.join("."))
}

/// Returns `host` with its percent-encoded characters outside ASCII decoded; `host` itself if they are not UTF-8.
pub(super) fn with_unicode_decoded(host: &str) -> Cow<'_, str> {
    let mut bytes = Vec::with_capacity(host.len());
    let mut rest = host;
    while let Some(c) = rest.chars().next() {
        let (length, byte) = match decoded(rest).filter(|byte| *byte >= 128) {
            Some(byte) => (3, Some(byte)),
            None => (c.len_utf8(), None),
        };
        match byte {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(&rest.as_bytes()[..length]),
        }
        rest = &rest[length..];
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(host), Cow::Owned)
}

/// Returns `host`, whose percent-encoded characters are decoded, in lower case, and converted by IDNA if it is not in ASCII.
///
/// # Errors
///
/// Returns an error if IDNA does not accept the host, or if it contains a delimiter.
pub(crate) fn decoded_to_ascii(host: &str) -> Result<String, Rejected> {
    let ascii = if host.is_ascii() { host.to_ascii_lowercase() } else { idna(host)? };
    if ascii.contains(['#', '/', ':', '?', '@', '[', '\\', ']']) { Err(Rejected) } else { Ok(ascii) }
}

/// Returns `host` in lower case and in ASCII by IDNA. Characters that IDNA would map to others are not accepted.
///
/// # Errors
///
/// Returns an error if the host is not valid.
pub(crate) fn idna_unmapped(host: &str) -> Result<String, Rejected> {
    let host = host.to_lowercase();
    let ascii = idna::domain_to_ascii_cow(host.as_bytes(), idna::AsciiDenyList::STD3).map_err(|_| Rejected)?;
    let is_same = idna::domain_to_unicode(&ascii).0 == host;
    let labels = host.strip_suffix('.').unwrap_or(&host);
    if is_same && labels.split('.').all(|label| !label.is_empty()) { Ok(ascii.into_owned()) } else { Err(Rejected) }
}

/// Returns `host` in ASCII: each label outside ASCII is encoded by Punycode (RFC 3492), and no character is mapped.
///
/// # Errors
///
/// Returns an error if a label is too long to be encoded.
pub(crate) fn punycode(host: &str) -> Result<String, Rejected> {
    let encode = |label: &str| match label.is_ascii() {
        true => Ok(label.to_owned()),
        false => idna::punycode::encode_str(label).map(|label| format!("xn--{label}")).ok_or(Rejected),
    };
    Ok(host.split('.').map(encode).collect::<Result<Vec<String>, Rejected>>()?.join("."))
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
    let digits = host.strip_suffix('.').unwrap_or(host);
    let numbers: Option<Vec<u64>> = digits.split('.').map(ipv4_number).collect();
    let address = numbers.filter(|numbers| numbers.len() <= 4).and_then(|numbers| ipv4(&numbers));
    address.map(|address| Cow::Owned(dotted(address))).ok_or(Rejected)
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

/// Returns the IPv4 address of one to four numbers (URL Standard §3.5 IPv4 parser).
fn ipv4(numbers: &[u64]) -> Option<u32> {
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

/// Parses an IPv6 address as the URL Standard did until a7ae1b8: its IPv4 part may have fewer than four numbers, each with
/// a dot after it, and one more character may follow the fourth.
pub(super) fn ipv6_with_open_end(text: &str) -> Option<Ipv6Addr> {
    let Some(dot) = text.find('.') else { return text.parse().ok() };
    let (head, tail) = text.split_at(text[..dot].rfind(':').map_or(0, |at| at + 1));
    let mut numbers = Vec::new();
    let mut rest = tail;
    while !rest.is_empty() && numbers.len() < 4 {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let is_number = end == 1 || end > 1 && !rest.starts_with('0');
        let number: u8 = rest[..end].parse().ok().filter(|_| is_number)?;
        numbers.push(u16::from(number));
        let mut following = rest[end..].chars();
        if following.next() != Some('.') && numbers.len() < 4 {
            return None;
        }
        rest = following.as_str();
    }
    if !rest.is_empty() {
        return None;
    }
    if let [a, b, c, d] = numbers[..] {
        return format!("{head}{a}.{b}.{c}.{d}").parse().ok();
    }
    // Only `::` makes an address with fewer numbers complete.
    format!("{head}0:0").parse::<Ipv6Addr>().ok()?;
    let (before, after) = head.split_once("::")?;
    let values = |text: &str| text.split(':').filter_map(|it| u16::from_str_radix(it, 16).ok()).collect::<Vec<u16>>();
    let [before, after] = [before, after].map(values);
    let compressed = before.len() + 1;
    let mut index = compressed + after.len();
    let mut pieces = [0; 8];
    pieces[..before.len()].copy_from_slice(&before);
    pieces[compressed..index].copy_from_slice(&after);
    for (count, number) in (1..).zip(numbers) {
        pieces[index] = pieces[index] << 8 | number;
        index += usize::from(count == 2);
    }
    // The pieces after `::` move to the end.
    for (moved, end) in (compressed..index).rev().zip((0..8).rev()) {
        pieces.swap(moved, end);
    }
    Some(pieces.into())
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
