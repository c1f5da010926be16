//! Hosts, as they are written.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use percent_encoding::percent_decode_str;

use super::super::domain;
use super::super::table::{Component, Tables};
use super::super::{
    Brackets, EmptyHex, EmptyLabels, Exit, HostParser, IdnaResult, Ipv4, LabelHyphens, Localhost, Row, Stage,
    UnicodeHost,
};
use super::literal::{bracketed, literal};
use super::{address, shown};

/// Returns `host`, if it has characters outside ASCII, with the others as the table of hosts writes them.
fn with_encoded<'a>(tables: &Tables, host: &'a str) -> Stage<Cow<'a, str>> {
    if host.is_ascii() || !host.contains(|c: char| c.is_ascii() && c != '%' && !c.is_ascii_alphanumeric()) {
        return Ok(host.into());
    }
    let mut out = String::new();
    for c in host.chars() {
        match c.is_ascii() && c != '%' {
            true => out.push_str(&tables.apply(Component::Host, c.encode_utf8(&mut [0; 4]))?),
            false => out.push(c),
        }
    }
    Ok(out.into())
}

/// Returns `host` as it is written.
pub(super) fn written_host(row: &Row, tables: &Tables, host: &str) -> Stage<String> {
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_literal = match row.brackets() {
        Brackets::Any => host.len() > 2,
        Brackets::Characters => false,
        Brackets::Ipv6IfColon => host.contains(':'),
        _ => true,
    };
    if let Some(inside) = inside.filter(|_| is_literal) {
        return Ok(literal(row, tables, inside)?);
    }
    if host.is_empty() {
        return Ok(String::new());
    }
    if let Some((inside, text)) = host.strip_prefix('[').and_then(|host| host.split_once(']'))
        && row.brackets() == Brackets::Ipv6OrFutureThenText
    {
        return Ok(format!("{}{}", literal(row, tables, inside)?, tables.apply(Component::Host, text)?));
    }
    let host = match row.host_parser() {
        HostParser::Domain
        | HostParser::DomainValidated
        | HostParser::DomainOrEmpty
        | HostParser::DomainTransitional => of_domain(row, host)?,
        HostParser::DomainByTable => of_domain_by_table(tables, host)?,
        HostParser::Characters | HostParser::CutAtInvalid => with_numbers(row, of_characters(row, tables, host)?)?,
    };
    if !has_accepted_labels(row, &host) {
        return Err(Exit::Rejected);
    }
    let host = bracketed(row, host);
    match row.localhost() {
        Localhost::Empty if host == "localhost" => Ok(String::new()),
        Localhost::EmptyOthersRejected if host.eq_ignore_ascii_case("localhost") || host == "127.0.0.1" => {
            Ok(String::new())
        }
        Localhost::EmptyOthersRejected => Err(Exit::Rejected),
        Localhost::Host | Localhost::Empty => Ok(host),
    }
}

/// Returns `host` as a domain or an address of the URL Standard.
fn of_domain(row: &Row, host: &str) -> Stage<String> {
    let host = domain::to_ascii(host, row.host_parser())?;
    let is_forbidden = |c| domain::is_forbidden_in_domain(c, row.domain_forbidden());
    if host.contains(is_forbidden) || row.empty_hex() == EmptyHex::Rejected && ends_in_empty_hex(&host) {
        return Err(Exit::Rejected);
    }
    Ok(domain::numbers_parsed(&host, row.domain_numbers())?.into_owned())
}

/// Returns `host` as a domain or an address of the URL Standard with the characters that the table of hosts accepts.
fn of_domain_by_table(tables: &Tables, host: &str) -> Stage<String> {
    let decoded = percent_decode_str(host).decode_utf8_lossy();
    if decoded.contains('%') {
        // It is not decoded a second time.
        tables.apply(Component::Host, "%")?;
    }
    let ascii = domain::decoded_to_ascii(&with_encoded(tables, &decoded)?)?;
    let is_removed = |c| matches!(c, '\t' | '\n' | '\r');
    if ascii.contains(is_removed) && !host.contains(is_removed) {
        return Err(Exit::Rejected);
    }
    let host = tables.apply(Component::Host, &ascii)?;
    Ok(domain::with_ipv4(&host)?.into_owned())
}

/// Returns `host` by the table of hosts, and converted if it is not in ASCII.
fn of_characters(row: &Row, tables: &Tables, host: &str) -> Stage<String> {
    let is_ace = host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
    let is_checked = is_ace && row.unicode_host() == UnicodeHost::IdnaTransitionalChecked;
    let has_ace = match host.is_ascii().then(|| row.unicode_host()) {
        Some(UnicodeHost::AceDecoded) => true,
        Some(UnicodeHost::IdnaStrictShown) => domain::has_ace(host),
        _ => false,
    };
    let is_plain = host.is_ascii() && !host.contains('%') && !is_checked && !has_ace;
    let unicode_host = if is_plain { UnicodeHost::Characters } else { row.unicode_host() };
    let decoded = match unicode_host {
        UnicodeHost::IdnaDecoded
        | UnicodeHost::IdnaStrict
        | UnicodeHost::IdnaStrictShown
        | UnicodeHost::IdnaTransitionalDecoded => domain::with_unicode_decoded(host),
        _ => host.into(),
    };
    let host = match unicode_host {
        UnicodeHost::IdnaDecoded if !decoded.is_ascii() => domain::idna(&decoded)?,
        UnicodeHost::IdnaStrict if !decoded.is_ascii() => domain::idna_strict(&decoded)?,
        UnicodeHost::IdnaStrictShown if !decoded.is_ascii() => shown::shown(domain::idna_strict(&decoded)?),
        UnicodeHost::IdnaStrictShown if has_ace => shown::shown(tables.apply(Component::Host, host)?),
        UnicodeHost::IdnaTransitionalDecoded if !decoded.is_ascii() => domain::idna(&domain::transitional(&decoded))?,
        UnicodeHost::Idna if !host.is_ascii() => domain::idna(host)?,
        UnicodeHost::IdnaTransitionalChecked if !host.is_ascii() || is_checked => {
            domain::idna(&domain::transitional(host))?
        }
        UnicodeHost::IdnaTransitionalOrKept if !host.is_ascii() => domain::idna_or_kept(host),
        UnicodeHost::IdnaChecked if !host.is_ascii() && !domain::is_convertible(host) => {
            return Err(Exit::Rejected);
        }
        UnicodeHost::AceDecoded if has_ace => tables.apply(Component::Host, &domain::with_ace_decoded(host)?)?,
        UnicodeHost::IdnaUnmapped if !host.is_ascii() => domain::idna_unmapped(host)?,
        UnicodeHost::PunycodeDots if !host.is_ascii() => {
            let dotted = host.replace(['\u{3002}', '\u{ff0e}', '\u{ff61}'], ".");
            tables.apply(Component::Host, &domain::punycode(&dotted)?)?
        }
        _ => tables.apply(Component::Host, host)?,
    };
    let is_converted = !decoded.is_ascii() && unicode_host != UnicodeHost::Characters;
    if is_converted && row.idna_result() == IdnaResult::ByTable {
        tables.apply(Component::Host, &host)?;
    }
    Ok(host)
}

/// Returns `host` with its numbers as they are written, if it is an IPv4 address.
fn with_numbers(row: &Row, host: String) -> Stage<String> {
    Ok(match row.ipv4() {
        _ if row.empty_hex() == EmptyHex::Name && has_empty_hex(&host) => host,
        _ if row.empty_hex() == EmptyHex::Rejected && ends_in_empty_hex(&host) => return Err(Exit::Rejected),
        Ipv4::Kept | Ipv4::CutAfterFour => host,
        Ipv4::Checked if !is_valid_if_ipv4(&host) => return Err(Exit::Rejected),
        Ipv4::EndsAfterFour | Ipv4::AddressOrLetters if !address::is_accepted(row, &host) => {
            return Err(Exit::Rejected);
        }
        Ipv4::Checked | Ipv4::EndsAfterFour | Ipv4::AddressOrLetters => host,
        Ipv4::ZerosDropped => without_zeros(&host).into_owned(),
        Ipv4::ParsedWithoutDot if host.ends_with('.') => host,
        Ipv4::ParsedOrName | Ipv4::ParsedWithoutDot => domain::with_ipv4(&host).map(Cow::into_owned).unwrap_or(host),
    })
}

/// Returns whether a label of `host` is `0x`.
fn has_empty_hex(host: &str) -> bool {
    host.split('.').any(|label| label.eq_ignore_ascii_case("0x"))
}

/// Returns whether the last label of `host` is `0x`.
fn ends_in_empty_hex(host: &str) -> bool {
    host.trim_end_matches('.').rsplit('.').next().is_some_and(has_empty_hex)
}

/// Returns whether the labels of `host` are accepted that are empty or begin or end with a hyphen.
fn has_accepted_labels(row: &Row, host: &str) -> bool {
    let ideographic = ['\u{3002}', '\u{ff0e}', '\u{ff61}'];
    let dotted = match host.contains(ideographic) && row.empty_labels() == EmptyLabels::RejectedUnlessLast {
        true => Cow::Owned(host.replace(ideographic, ".")),
        false => Cow::Borrowed(host),
    };
    let host = &*dotted;
    let has_empty = host.starts_with('.') || host.ends_with('.') || host.contains("..");
    let are_accepted = !has_empty
        || match row.empty_labels() {
            EmptyLabels::Accepted => true,
            EmptyLabels::Rejected => !host.contains("..") && (host == "." || !host.starts_with('.')),
            EmptyLabels::RejectedAtEnd => !host.ends_with("..") && host != ".",
            EmptyLabels::RejectedUnlessLast => !host.contains("..") && !host.starts_with('.'),
        };
    let has_hyphen = |label: &str| label.starts_with('-') || label.ends_with('-');
    are_accepted && (!host.split('.').any(has_hyphen) || row.label_hyphens() == LabelHyphens::Accepted)
}

/// Returns whether `host` is an IPv4 address if it consists of four numbers.
fn is_valid_if_ipv4(host: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    !(host.split('.').count() == 4 && host.split('.').all(is_number)) || host.parse::<Ipv4Addr>().is_ok()
}

/// Returns an IPv4 address without leading zeros.
pub(super) fn without_zeros(host: &str) -> Cow<'_, str> {
    let numbers: Vec<&str> = host.split('.').collect();
    let is_address = numbers.len() == 4
        && numbers
            .iter()
            .all(|number| !number.is_empty() && number.len() < 4 && number.bytes().all(|b| b.is_ascii_digit()));
    if !is_address {
        return host.into();
    }
    let short = |number: &&str| match number.trim_start_matches('0') {
        "" => "0".to_owned(),
        short => short.to_owned(),
    };
    numbers.iter().map(short).collect::<Vec<_>>().join(".").into()
}
