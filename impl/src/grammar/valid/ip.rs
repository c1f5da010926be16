//! The text between the brackets of an RFC 3986 host.

use super::{AUTHORITY, HEX, RFC3986, is_hex, plain};

/// Returns whether `literal` is an IPv6address or an IPvFuture.
pub(super) fn is_literal(literal: &[u8]) -> bool {
    match literal {
        [b'v' | b'V', rest @ ..] => {
            let version = plain(&RFC3986, HEX, rest);
            let address = rest.get(version + 1..).unwrap_or_default();
            let dot = rest.get(version) == Some(&b'.');
            // Escapes are not allowed, so that every byte must have the flag.
            version > 0 && dot && !address.is_empty() && plain(&RFC3986, AUTHORITY, address) == address.len()
        }
        _ => is_ipv6(literal),
    }
}

/// Returns whether `rest` has eight groups of 16 bits. A `::` replaces one or more groups, and an IPv4 address may
/// replace the last two.
fn is_ipv6(mut rest: &[u8]) -> bool {
    let mut groups = 0;
    let mut compressed = false;
    if let Some(after) = rest.strip_prefix(b"::") {
        compressed = true;
        rest = after;
    }
    while !rest.is_empty() {
        if is_ipv4(rest) {
            groups += 2;
            break;
        }
        let digits = rest.iter().take(4).take_while(|&&byte| is_hex(byte)).count();
        if digits == 0 || groups == 8 {
            return false;
        }
        groups += 1;
        rest = &rest[digits..];
        match rest {
            [] => break,
            [b':', b':', after @ ..] if !compressed => {
                compressed = true;
                rest = after;
            }
            [b':', after @ ..] if !after.is_empty() => rest = after,
            _ => return false,
        }
    }
    if compressed { groups < 8 } else { groups == 8 }
}

fn is_ipv4(text: &[u8]) -> bool {
    let mut octets = 0;
    for octet in text.split(|&byte| byte == b'.') {
        octets += 1;
        let fits = matches!(
            octet,
            [b'0'..=b'9']
                | [b'1'..=b'9', b'0'..=b'9']
                | [b'1', b'0'..=b'9', b'0'..=b'9']
                | [b'2', b'0'..=b'4', b'0'..=b'9']
                | [b'2', b'5', b'0'..=b'5']
        );
        if !fits || octets > 4 {
            return false;
        }
    }
    octets == 4
}
