//! Parsing and serialization of hosts according to the URL Standard (§3).

use std::borrow::Cow;
use std::net::Ipv6Addr;

use percent_encoding::{CONTROLS, percent_decode_str, utf8_percent_encode};

use super::before::Kind;
use super::{Failure, Normalization, Normalizations, reject};
use crate::behaviour::domain::{idna, is_forbidden, pieces, with_ipv4};

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
        host = match idna(&host) {
            Ok(ascii) => Cow::Owned(ascii),
            Err(_) => return reject(by, "no domain by IDNA"),
        };
    }
    if set.has(Normalization::HostCase) && host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        host = Cow::Owned(host.to_ascii_lowercase());
    }
    let forbidden = |c: char| is_forbidden(c) || c.is_ascii_control() || c == '%';
    if set.has(Normalization::HostForbidden) && host.chars().any(forbidden) {
        return reject(Normalization::HostForbidden, "a character that no domain may have");
    }
    if set.has(Normalization::Ipv4) {
        host = match with_ipv4(&host) {
            Ok(Cow::Owned(address)) => Cow::Owned(address),
            Ok(Cow::Borrowed(_)) => host,
            Err(_) => return reject(Normalization::Ipv4, "no IPv4 address"),
        };
    }
    Ok(host)
}

fn write_ipv6(host: &str, out: &mut String) -> Result<(), Failure> {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let Some(address) = address.and_then(|address| address.parse::<Ipv6Addr>().ok()) else {
        return reject(Normalization::Ipv6, "no IPv6 address");
    };
    out.push('[');
    out.push_str(&pieces(address));
    out.push(']');
    Ok(())
}
