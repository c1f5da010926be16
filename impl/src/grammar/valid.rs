//! Members told from other texts by hand-written code, without the productions: what it shares with them is the language.
//!
//! Most of a reference is told by its characters alone, since each delimiter that may stand somewhere may stand in a query
//! or a fragment. What is left of the grammars is which characters there are, and a few places where one may not stand.

mod ip;
mod schemes;

pub(super) use schemes::rfc1738;

/// Flags of a byte.
pub(super) type Flags = u8;

/// What the flags of each byte are.
pub(super) type Table = [Flags; 256];

/// A letter.
const ALPHA: Flags = 1;
/// What a scheme may have behind its first character.
const SCHEME: Flags = 2;
/// What a path, a query or a fragment may have.
const TAIL: Flags = 4;
/// What an authority may have, but for brackets and at-signs.
const AUTHORITY: Flags = 8;
/// A hexadecimal digit.
const HEX: Flags = 16;
/// A decimal digit.
const DIGIT: Flags = 32;

const ALPHANUMERIC: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// RFC 1808 and the draft: what the latter takes from unreserved it gives to pchar and reserved.
static GENERIC_RL: Table = table(b"$-_.+!*'(),;/?:@&=", b"");
/// RFC 2396.
static RFC2396: Table = table(b"-_.!~*'();/?:@&=+$,", b"-_.!~*'()$,;:@&=+");
/// RFC 3986.
static RFC3986: Table = table(b"-._~!$&'()*+,;=:@/?", b"-._~!$&'()*+,;=:");

/// The table of a document whose tail has `tail` and whose authority has `authority` beside letters and digits.
const fn table(tail: &[u8], authority: &[u8]) -> Table {
    let table = with([0; 256], ALPHANUMERIC, SCHEME | TAIL | AUTHORITY);
    let table = with(table, b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", ALPHA);
    let table = with(table, b"0123456789", DIGIT);
    let table = with(table, b"0123456789abcdefABCDEF", HEX);
    with(with(with(table, b"+-.", SCHEME), tail, TAIL), authority, AUTHORITY)
}

/// `table`, in which each of `bytes` has `flags` too.
const fn with(mut table: Table, bytes: &[u8], flags: Flags) -> Table {
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] |= flags;
        at += 1;
    }
    table
}

/// Whether every byte of `text` has `flag`, or is part of a percent sign with two hexadecimal digits behind it.
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

/// How many bytes at the start of `text` have `flag`.
fn plain(table: &Table, flag: Flags, text: &[u8]) -> usize {
    let of = |byte: u8| table[usize::from(byte)];
    let mut at = 0;
    // Eight at a time: the loads do not wait for each other, and nothing is decided before the last.
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

/// Cuts a fragment off; `None` if it is no fragment. What a path may have a fragment may have too.
fn without_fragment<'a>(table: &Table, text: &'a [u8]) -> Option<&'a [u8]> {
    match memchr::memchr(b'#', text) {
        Some(at) => all(table, TAIL, &text[at + 1..]).then_some(&text[..at]),
        None => Some(text),
    }
}

/// RFC 1808's URL, and the draft's URL-reference: an absolute one is anything behind a scheme, and a relative one
/// anything but an empty first segment behind a slash that is not a net_loc's.
pub(super) fn generic_rl(text: &[u8]) -> bool {
    without_fragment(&GENERIC_RL, text)
        .is_some_and(|url| all(&GENERIC_RL, TAIL, url) && (has_any_scheme(url) || !has_void_segment(url)))
}

/// RFC 1808's absoluteURL, and the draft's.
pub(super) fn generic_rl_base(text: &[u8]) -> bool {
    has_any_scheme(text) && all(&GENERIC_RL, TAIL, text)
}

/// Whether `url` begins with characters of a scheme, whichever is first, and a colon.
fn has_any_scheme(url: &[u8]) -> bool {
    let length = plain(&GENERIC_RL, SCHEME, url);
    length > 0 && url.get(length) == Some(&b':')
}

/// Whether the path behind a net_loc begins with two slashes.
fn has_void_segment(url: &[u8]) -> bool {
    let Some(net_loc) = url.strip_prefix(b"//") else { return false };
    memchr::memchr(b'/', net_loc).is_some_and(|at| net_loc.get(at + 1) == Some(&b'/'))
}

/// RFC 2396's URI-reference.
pub(super) fn rfc2396(text: &[u8]) -> bool {
    let Some(uri) = without_fragment(&RFC2396, text) else { return false };
    match scheme_end(&RFC2396, uri) {
        Scheme::Ends(at) => rfc2396_behind_scheme(&uri[at + 1..]),
        Scheme::None => uri.is_empty() || uri[0] != b'?' && rfc2396_path(uri),
        Scheme::Malformed => false,
    }
}

/// RFC 2396's absoluteURI.
pub(super) fn rfc2396_base(text: &[u8]) -> bool {
    matches!(scheme_end(&RFC2396, text), Scheme::Ends(at) if rfc2396_behind_scheme(&text[at + 1..]))
}

fn rfc2396_behind_scheme(rest: &[u8]) -> bool {
    !rest.is_empty() && rfc2396_path(rest)
}

/// A net_path, another path or an opaque part, with a query. Whatever a server may be a reg_name may be too, but for an
/// empty one.
fn rfc2396_path(rest: &[u8]) -> bool {
    let Some(network) = rest.strip_prefix(b"//") else { return all(&RFC2396, TAIL, rest) };
    let end = network.iter().position(|byte| b"/?".contains(byte)).unwrap_or(network.len());
    all(&RFC2396, AUTHORITY, &network[..end]) && all(&RFC2396, TAIL, &network[end..])
}

/// RFC 3986's URI-reference.
pub(super) fn rfc3986(text: &[u8]) -> bool {
    without_fragment(&RFC3986, text).is_some_and(|uri| match scheme_end(&RFC3986, uri) {
        Scheme::Ends(at) => rfc3986_path(&uri[at + 1..]),
        Scheme::None => rfc3986_path(uri),
        Scheme::Malformed => false,
    })
}

/// RFC 3986's absolute-URI.
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

/// Where a reference's scheme ends.
enum Scheme {
    /// At this colon.
    Ends(usize),
    /// It has none.
    None,
    /// A colon in the first segment, and no scheme before it.
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
