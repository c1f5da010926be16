//! Hosts in brackets.

use super::super::domain;
use super::super::table::{Component, Rejected, Tables};
use super::super::{Brackets, Ipv6, Row, WrittenBrackets, Zone};
use super::host::without_zeros;
use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Returns the host in brackets as it is written, with the brackets.
pub(super) fn literal(row: &Row, tables: &Tables, inside: &str) -> Result<String, Rejected> {
    let (number, zone) = with_zone(row, inside);
    let address = match row.brackets() {
        Brackets::Ipv6OpenEnd => domain::ipv6_with_open_end(number),
        Brackets::Ipv6WithZeros => ipv6_with_zeros(number),
        _ => number.parse::<Ipv6Addr>().ok(),
    };
    let is_accepted = match row.brackets() {
        Brackets::Any
        | Brackets::Closed
        | Brackets::ClosedIfFirst
        | Brackets::Paired
        | Brackets::FirstPair
        | Brackets::Trimmed
        | Brackets::ClosedRestDropped
        | Brackets::FirstClosedRestDropped
        | Brackets::FirstClosedThenPath
        | Brackets::Characters
        | Brackets::ColonsHidden
        | Brackets::NotInPort => true,
        Brackets::WithColonOrFuture => inside.contains(':') || is_future(inside),
        Brackets::Ipv6OrFuture | Brackets::Ipv6OrFutureThenText => address.is_some() || is_future(inside),
        Brackets::Ipv6OrDecimalFuture => address.is_some() || is_decimal_future(inside),
        Brackets::Ipv6
        | Brackets::Ipv6WithZeros
        | Brackets::Ipv6IfColon
        | Brackets::Ipv6OrAbsent
        | Brackets::Ipv6OpenEnd => address.is_some(),
        Brackets::LooseIpv6IfPaired => address.is_some() || is_loose_ipv6(inside),
    };
    if !is_accepted {
        return Err(Rejected);
    }
    let written = match (row.ipv6(), address) {
        (Ipv6::CaseKept, Some(address)) => with_case_of(number, &address.to_string()),
        (Ipv6::CanonicalCompatible, Some(address)) => match address.segments() {
            [0, 0, 0, 0, 0, 0, high, _] if high != 0 => {
                let [.., a, b, c, d] = address.octets();
                format!("::{a}.{b}.{c}.{d}")
            }
            _ => address.to_string(),
        },
        (Ipv6::Pieces, Some(address)) => domain::pieces(address),
        (Ipv6::Full, Some(address)) => address.segments().map(|number| format!("{number:04x}")).join(":"),
        (_, None) if is_future(inside) => future(tables, inside)?,
        _ => tables.apply(Component::Literal, number)?,
    };
    Ok(match row.written_brackets() {
        WrittenBrackets::AsGiven => format!("[{written}{zone}]"),
        _ => bracketed(row, format!("{written}{zone}")),
    })
}

/// Returns whether `text` is an address of a future version, whose number has only decimal digits after a small `v`.
fn is_decimal_future(text: &str) -> bool {
    let version = text.strip_prefix('v').and_then(|text| text.split('.').next());
    version.is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit())) && is_future(text)
}

/// Returns an address of a future version as it is written. If the table rejects letters, they are kept: it states which
/// letters an IPv6 address may have.
fn future(tables: &Tables, address: &str) -> Result<String, Rejected> {
    tables.apply(Component::Literal, address).or_else(|_| {
        tables.apply(Component::Literal, &address.replace(|c: char| c.is_ascii_alphabetic(), ""))?;
        Ok(address.to_owned())
    })
}

/// Returns `address`, the canonical form of `text`, with the case of its letters in `text`.
fn with_case_of(text: &str, address: &str) -> String {
    let mut letters = text.chars().filter(char::is_ascii_alphabetic);
    let cased = |c: char| if c.is_ascii_alphabetic() { letters.next().unwrap_or(c) } else { c };
    address.chars().map(cased).collect()
}

/// Returns whether `text` has two colons in a row, hexadecimal digits and colons, and possibly an IPv4 address at the end.
fn is_loose_ipv6(text: &str) -> bool {
    let is_of_ipv6 = |text: &str| text.bytes().all(|byte| byte == b':' || byte.is_ascii_hexdigit());
    let (head, tail) = text.split_at(text.rfind(':').map_or(0, |at| at + 1));
    let is_end = is_of_ipv6(tail) || without_zeros(tail).parse::<Ipv4Addr>().is_ok();
    text.contains("::") && is_of_ipv6(head) && is_end
}

/// Returns an IPv6 address whose IPv4 part may have leading zeros.
fn ipv6_with_zeros(text: &str) -> Option<Ipv6Addr> {
    let (head, tail) = text.split_at(text.rfind(':')? + 1);
    format!("{head}{}", without_zeros(tail)).parse().ok()
}

/// Returns `host` in brackets if it is written like this.
pub(super) fn bracketed(row: &Row, host: String) -> String {
    let has_brackets = host.contains(':')
        && match row.written_brackets() {
            WrittenBrackets::AsGiven | WrittenBrackets::Never => false,
            WrittenBrackets::WithColon => true,
            WrittenBrackets::WithIpv6 => host.parse::<Ipv6Addr>().is_ok(),
        };
    if has_brackets { format!("[{host}]") } else { host }
}

/// Splits an IPv6 address from its zone. Returns the zone as it is written.
pub(super) fn with_zone<'a>(row: &Row, inside: &'a str) -> (&'a str, Cow<'a, str>) {
    let whole = (inside, Cow::Borrowed(""));
    let Some((number, zone)) = inside.split_once('%') else { return whole };
    let name = zone.strip_prefix("25");
    match row.zone() {
        _ if name.unwrap_or(zone).is_empty() => whole,
        Zone::Rejected => whole,
        Zone::AfterEncodedPercent if name.is_none() => whole,
        Zone::AfterEncodedPercent | Zone::AfterPercent => (number, Cow::Borrowed(&inside[number.len()..])),
        Zone::Dropped => (number, Cow::Borrowed("")),
        Zone::WrittenEncoded => (number, Cow::Owned(format!("%25{}", name.unwrap_or(zone)))),
    }
}

/// Returns `server` without the text after the bracket that closes its host, except a port.
pub(super) fn without_rest<'a>(row: &Row, server: &'a str) -> &'a str {
    let end = if row.brackets() == Brackets::ClosedRestDropped { server.rfind(']') } else { server.find(']') };
    let end = end.filter(|_| server.starts_with('['));
    end.filter(|&end| !server[end + 1..].starts_with(':')).map_or(server, |end| &server[..=end])
}

/// Returns `authority` with the number at the start of its port, as one of 32 bits, in place of the port.
pub(in super::super) fn with_number_of_port(authority: &str) -> Option<String> {
    let server = authority.rfind('@').map_or(0, |at| at + 1);
    let literal = authority[server..].rfind(']').filter(|_| authority[server..].starts_with('['));
    let host = server + literal.unwrap_or(0);
    let port = host + authority[host..].find(':')? + 1;
    let digits = authority[port..].bytes().take_while(u8::is_ascii_digit).count();
    let digits = &authority[port..port + digits];
    // A number of more than 64 bits is the highest one.
    let number =
        digits.bytes().fold(0_u64, |number, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    let number = if digits.is_empty() { String::new() } else { (number as u32).to_string() };
    Some(format!("{}{number}", &authority[..port]))
}

/// Returns whether `text` is an address of a future IP version (RFC 3986 §3.2.2 `IPvFuture`).
pub(super) fn is_future(text: &str) -> bool {
    let Some((version, address)) = text.strip_prefix(['v', 'V']).and_then(|text| text.split_once('.')) else {
        return false;
    };
    !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit()) && !address.is_empty()
}
