//! Validation of URI and IRI references (RFC 3986 App. A; RFC 3987 §2.2).

use std::net::Ipv6Addr;

use super::parts::{authority_end, scheme_of};

/// Returns whether `text` is a URI reference, or an IRI reference if `iri` is `true`.
pub(super) fn is_reference(text: &str, iri: bool) -> bool {
    let (rest, fragment) = text.split_once('#').map_or((text, ""), |(rest, fragment)| (rest, fragment));
    let scheme = scheme_of(rest);
    let rest = scheme.map_or(rest, |scheme| &rest[scheme.len() + 1..]);
    let (rest, query) = rest.split_once('?').map_or((rest, ""), |(rest, query)| (rest, query));
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(authority_end(rest));
            (Some(authority), path)
        }
        None => (None, rest),
    };
    let first = path.split('/').next().unwrap_or_default();
    authority.is_none_or(|authority| is_authority(authority, iri))
        && (scheme.is_some() || authority.is_some() || !first.contains(':'))
        && all(path, "/:@", iri, false)
        && all(query, "/?:@", iri, true)
        && all(fragment, "/?:@", iri, false)
}

fn is_authority(authority: &str, iri: bool) -> bool {
    let (userinfo, rest) = authority.split_once('@').map_or(("", authority), |(userinfo, rest)| (userinfo, rest));
    let (host, port) = match rest.strip_prefix('[') {
        Some(literal) => {
            let Some((literal, port)) = literal.split_once(']') else { return false };
            if !(is_ipv6(literal) || is_future(literal)) {
                return false;
            }
            match port.strip_prefix(':') {
                Some(port) => ("", port),
                None if port.is_empty() => ("", ""),
                None => return false,
            }
        }
        None => rest.split_once(':').map_or((rest, ""), |(host, port)| (host, port)),
    };
    all(userinfo, ":", iri, false) && all(host, "", iri, false) && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether `text` is an IPv6 address. The standard library accepts the same syntax as both specifications.
fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// Returns whether `text` is an address of a future IP version (RFC 3986 §3.2.2 `IPvFuture`).
fn is_future(text: &str) -> bool {
    let Some((version, address)) = text.strip_prefix(['v', 'V']).and_then(|text| text.split_once('.')) else {
        return false;
    };
    let hexadecimal = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
    hexadecimal && !address.is_empty() && address.chars().all(|c| is_plain(c) || c == ':')
}

/// Returns whether `c` is unreserved or a sub-delimiter (RFC 3986 §2.2, §2.3).
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(c)
}

/// Returns whether each character of `text` is plain, contained in `more`, or percent-encoded. An IRI may also contain
/// characters outside ASCII, and private characters if `private` is `true`.
fn all(text: &str, more: &str, iri: bool, private: bool) -> bool {
    let bytes = text.as_bytes();
    text.char_indices().all(|(at, c)| match c {
        '%' => bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
        c if c.is_ascii() => is_plain(c) || more.contains(c),
        c => iri && (is_beyond_ascii(c) || private && is_private(c)),
    })
}

/// Returns whether `c` is a `ucschar` (RFC 3987 §2.2).
fn is_beyond_ascii(c: char) -> bool {
    match u32::from(c) {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        code @ 0x10000..=0xDFFFD => code & 0xFFFF < 0xFFFE,
        0xE1000..=0xEFFFD => true,
        _ => false,
    }
}

/// Returns whether `c` is an `iprivate` (RFC 3987 §2.2).
fn is_private(c: char) -> bool {
    matches!(u32::from(c), 0xE000..=0xF8FF | 0xF0000..=0xFFFFD | 0x100000..=0x10FFFD)
}
