//! Hand-written validators. They do not use the productions and accept the same language.
//!
//! The validity of most of a reference depends only on its characters, because each delimiter is also allowed in a
//! query or a fragment. The rest of the grammars are a few positions in which a character is not allowed.

mod ip;
mod schemes;

pub(super) use schemes::rfc1738;

/// Flags of a byte.
pub(super) type Flags = u8;

/// The flags of each byte.
pub(super) type Table = [Flags; 256];

/// A letter.
const ALPHA: Flags = 1;
/// A character of a scheme after the first one.
const SCHEME: Flags = 2;
/// A character of a path, a query or a fragment.
const TAIL: Flags = 4;
/// A character of an authority, except brackets and at-signs.
const AUTHORITY: Flags = 8;
/// A hexadecimal digit.
const HEX: Flags = 16;
/// A decimal digit.
const DIGIT: Flags = 32;

const ALPHANUMERIC: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// RFC 1808 and the draft of 1996. The draft moves a character from unreserved to pchar and reserved.
static GENERIC_RL: Table = table(b"$-_.+!*'(),;/?:@&=", b"");
/// RFC 2396.
static RFC2396: Table = table(b"-_.!~*'();/?:@&=+$,", b"-_.!~*'()$,;:@&=+");
/// RFC 3986.
static RFC3986: Table = table(b"-._~!$&'()*+,;=:@/?", b"-._~!$&'()*+,;=:");

/// Returns a table in which the tail has `tail`, and the authority has `authority`, in addition to letters and digits.
const fn table(tail: &[u8], authority: &[u8]) -> Table {
    let table = with([0; 256], ALPHANUMERIC, SCHEME | TAIL | AUTHORITY);
    let table = with(table, b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", ALPHA);
    let table = with(table, b"0123456789", DIGIT);
    let table = with(table, b"0123456789abcdefABCDEF", HEX);
    with(with(with(table, b"+-.", SCHEME), tail, TAIL), authority, AUTHORITY)
}

/// Adds `flags` to each of `bytes`.
const fn with(mut table: Table, bytes: &[u8], flags: Flags) -> Table {
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] |= flags;
        at += 1;
    }
    table
}

/// Returns whether every byte of `text` has `flag` or is part of an escape.
fn all(table: &Table, flag: Flags, mut text: &[u8]) -> bool {
    loop {
        let plain = plain(table, flag, text);
        match &text[plain..] {
            [] => return true,
            [b'%', one, other, rest @ ..] if is_hex(*one) && is_hex(*other) => text = rest,
            _ => return false,
        }
    }
}

/// Returns the number of bytes at the start of `text` that have `flag`.
fn plain(table: &Table, flag: Flags, text: &[u8]) -> usize {
    let of = |byte: u8| table[usize::from(byte)];
    let mut at = 0;
    // Eight bytes at a time: the loads are independent, and there is one branch for all of them.
    while let Some(&[a, b, c, d, e, f, g, h]) = text[at..].first_chunk() {
        if of(a) & of(b) & of(c) & of(d) & of(e) & of(f) & of(g) & of(h) & flag == 0 {
            break;
        }
        at += 8;
    }
    at + text[at..].iter().take_while(|&&byte| of(byte) & flag != 0).count()
}

fn is_hex(byte: u8) -> bool {
    RFC3986[usize::from(byte)] & HEX != 0
}

/// Removes a fragment, or returns `None` if it is invalid. A fragment allows the same characters as a path.
fn without_fragment<'a>(table: &Table, text: &'a [u8]) -> Option<&'a [u8]> {
    match memchr::memchr(b'#', text) {
        Some(at) => all(table, TAIL, &text[at + 1..]).then_some(&text[..at]),
        None => Some(text),
    }
}

/// Validates RFC 1808's URL and the draft's URL-reference.
///
/// An absolute URL allows any characters after the scheme. A relative one allows no empty first segment after a net_loc.
pub(super) fn generic_rl(text: &[u8]) -> bool {
    without_fragment(&GENERIC_RL, text)
        .is_some_and(|url| all(&GENERIC_RL, TAIL, url) && (has_any_scheme(url) || !has_empty_segment(url)))
}

/// Validates RFC 1808's and the draft's absoluteURL.
pub(super) fn generic_rl_base(text: &[u8]) -> bool {
    has_any_scheme(text) && all(&GENERIC_RL, TAIL, text)
}

/// Returns whether `url` begins with scheme characters and a colon. Any scheme character may be the first one.
fn has_any_scheme(url: &[u8]) -> bool {
    let length = plain(&GENERIC_RL, SCHEME, url);
    length > 0 && url.get(length) == Some(&b':')
}

/// Returns whether the path after a net_loc begins with two slashes.
fn has_empty_segment(url: &[u8]) -> bool {
    let Some(net_loc) = url.strip_prefix(b"//") else { return false };
    memchr::memchr(b'/', net_loc).is_some_and(|at| net_loc.get(at + 1) == Some(&b'/'))
}

/// Validates RFC 2396's URI-reference.
pub(super) fn rfc2396(text: &[u8]) -> bool {
    let Some(uri) = without_fragment(&RFC2396, text) else { return false };
    match scheme_end(&RFC2396, uri) {
        Scheme::Ends(at) => rfc2396_after_scheme(&uri[at + 1..]),
        Scheme::None => uri.is_empty() || uri[0] != b'?' && rfc2396_path(uri),
        Scheme::Malformed => false,
    }
}

/// Validates RFC 2396's absoluteURI.
pub(super) fn rfc2396_base(text: &[u8]) -> bool {
    matches!(scheme_end(&RFC2396, text), Scheme::Ends(at) if rfc2396_after_scheme(&text[at + 1..]))
}

fn rfc2396_after_scheme(rest: &[u8]) -> bool {
    !rest.is_empty() && rfc2396_path(rest)
}

/// Validates a net_path, another path or an opaque part, with a query. A reg_name allows everything that a server
/// allows, except an empty text.
fn rfc2396_path(rest: &[u8]) -> bool {
    let Some(network) = rest.strip_prefix(b"//") else { return all(&RFC2396, TAIL, rest) };
    let end = network.iter().position(|byte| b"/?".contains(byte)).unwrap_or(network.len());
    all(&RFC2396, AUTHORITY, &network[..end]) && all(&RFC2396, TAIL, &network[end..])
}

/// Validates RFC 3986's URI-reference.
pub(super) fn rfc3986(text: &[u8]) -> bool {
    without_fragment(&RFC3986, text).is_some_and(|uri| match scheme_end(&RFC3986, uri) {
        Scheme::Ends(at) => rfc3986_path(&uri[at + 1..]),
        Scheme::None => rfc3986_path(uri),
        Scheme::Malformed => false,
    })
}

/// Validates RFC 3986's absolute-URI.
pub(super) fn rfc3986_base(text: &[u8]) -> bool {
    matches!(scheme_end(&RFC3986, text), Scheme::Ends(at) if rfc3986_path(&text[at + 1..]))
}

fn rfc3986_path(rest: &[u8]) -> bool {
    let Some(network) = rest.strip_prefix(b"//") else { return all(&RFC3986, TAIL, rest) };
    let end = network.iter().position(|byte| b"/?".contains(byte)).unwrap_or(network.len());
    rfc3986_authority(&network[..end]) && all(&RFC3986, TAIL, &network[end..])
}

fn rfc3986_authority(authority: &[u8]) -> bool {
    let host = match memchr::memchr(b'@', authority) {
        Some(at) if !all(&RFC3986, AUTHORITY, &authority[..at]) => return false,
        Some(at) => &authority[at + 1..],
        None => authority,
    };
    let (literal, port) = match host {
        [b'[', literal @ ..] => {
            let Some(end) = memchr::memchr(b']', literal) else { return false };
            (ip::is_literal(&literal[..end]), &literal[end + 1..])
        }
        _ => {
            let end = memchr::memchr(b':', host).unwrap_or(host.len());
            (all(&RFC3986, AUTHORITY, &host[..end]), &host[end..])
        }
    };
    literal
        && matches!(port, [] | [b':', ..])
        && plain(&RFC3986, DIGIT, port.get(1..).unwrap_or_default()) + 1 >= port.len()
}

/// The end of a reference's scheme.
enum Scheme {
    /// The position of the colon.
    Ends(usize),
    /// There is no scheme.
    None,
    /// The first segment contains a colon that no scheme precedes.
    Malformed,
}

fn scheme_end(table: &Table, uri: &[u8]) -> Scheme {
    let length = plain(table, SCHEME, uri);
    match uri.get(length) {
        Some(b':') if table[usize::from(uri[0])] & ALPHA != 0 => Scheme::Ends(length),
        _ => match uri[length..].iter().find(|byte| b":/?".contains(byte)) {
            Some(b':') => Scheme::Malformed,
            _ => Scheme::None,
        },
    }
}
