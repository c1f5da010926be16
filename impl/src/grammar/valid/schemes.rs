//! RFC 1738: a form for each of the ten schemes, and the generic form for all others.

use super::{ALPHANUMERIC, Flags, Table, all, plain, with};

/// A uchar other than an escape.
const UCHAR: Flags = 1;
/// An xchar other than an escape.
const XCHAR: Flags = 2;
/// A character of a user or a password.
const USER: Flags = 4;
/// A character of a file path or of the name of a prospero object, including slashes.
const FPATH: Flags = 8;
/// A character of an http path, including slashes.
const HPATH: Flags = 16;
/// A character of a search.
const SEARCH: Flags = 32;
/// A character of an article before its at-sign.
const ARTICLE: Flags = 64;
/// A character of the name or value of a prospero field.
const FIELD: Flags = 128;

static CHARACTERS: Table = {
    let table = with([0; 256], ALPHANUMERIC, Flags::MAX);
    let table = with(table, b"$-_.+!*'(),", Flags::MAX);
    let table = with(table, b";/?:@&=", XCHAR);
    let table = with(table, b";?&=", USER);
    let table = with(table, b"?:@&=/", FPATH);
    let table = with(table, b";:@&=/", HPATH);
    let table = with(table, b";:@&=", SEARCH);
    let table = with(table, b";/?:&=", ARTICLE);
    with(table, b"?:@&", FIELD)
};

/// A letter in either case.
const LETTER: Flags = 1;
/// A decimal digit.
const DIGIT: Flags = 2;
/// A letter or a digit.
const ALPHADIGIT: Flags = 4;
/// A character inside a domain label.
const LABEL: Flags = 8;
/// A character of a scheme.
const SCHEME: Flags = 16;
/// A character of a newsgroup after the first letter.
const GROUP: Flags = 32;

static NAMES: Table = {
    let table = with([0; 256], ALPHANUMERIC, ALPHADIGIT | LABEL | GROUP);
    let table = with(table, b"abcdefghijklmnopqrstuvwxyz", LETTER | SCHEME);
    let table = with(table, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", LETTER);
    let table = with(table, b"0123456789", DIGIT | SCHEME);
    let table = with(table, b"-", LABEL | SCHEME | GROUP);
    with(with(table, b"+.", SCHEME | GROUP), b"_", GROUP)
};

/// A scheme, the start of its form, and the validator of the rest.
type Form = (&'static [u8], &'static [u8], fn(&[u8]) -> bool);

const FORMS: [Form; 10] = [
    (b"http", b"http://", http),
    (b"ftp", b"ftp://", ftp),
    (b"mailto", b"mailto:", |rest| !rest.is_empty() && all(&CHARACTERS, XCHAR, rest)),
    (b"news", b"news:", news),
    (b"file", b"file://", file),
    (b"gopher", b"gopher://", gopher),
    (b"nntp", b"nntp://", nntp),
    (b"telnet", b"telnet://", telnet),
    (b"wais", b"wais://", wais),
    (b"prospero", b"prospero://", prospero),
];

/// Validates RFC 1738's url by the form of its scheme.
pub(in super::super) fn rfc1738(text: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', text) else { return false };
    let scheme = &text[..colon];
    match FORMS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(scheme)) {
        Some((_, start, form)) => text.strip_prefix(*start).is_some_and(form),
        // The characters of a scheme and the colon are also allowed after it.
        None => colon > 0 && plain(&NAMES, SCHEME, scheme) == colon && all(&CHARACTERS, XCHAR, text),
    }
}

/// Returns the parts before and after the first slash.
fn split_slash(rest: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(b'/', rest) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    }
}

fn login(text: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'@', text) else { return hostport(text) };
    let colon = memchr::memchr(b':', &text[..at]);
    let user = all(&CHARACTERS, USER, &text[..colon.unwrap_or(at)]);
    user && colon.is_none_or(|colon| all(&CHARACTERS, USER, &text[colon + 1..at])) && hostport(&text[at + 1..])
}

fn hostport(text: &[u8]) -> bool {
    match memchr::memchr(b':', text) {
        Some(colon) => digits(&text[colon + 1..]) && host(&text[..colon]),
        None => host(text),
    }
}

fn digits(text: &[u8]) -> bool {
    !text.is_empty() && plain(&NAMES, DIGIT, text) == text.len()
}

/// Returns whether `text` is a name whose last label begins with a letter, or four numbers.
fn host(text: &[u8]) -> bool {
    let label = |label: &[u8]| match label {
        [] => false,
        [one] => NAMES[usize::from(*one)] & ALPHADIGIT != 0,
        [first, inside @ .., last] => {
            NAMES[usize::from(*first)] & NAMES[usize::from(*last)] & ALPHADIGIT != 0
                && plain(&NAMES, LABEL, inside) == inside.len()
        }
    };
    let last = text.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    match last.first() {
        Some(&first) if NAMES[usize::from(first)] & LETTER != 0 => text.split(|&byte| byte == b'.').all(label),
        _ => text.split(|&byte| byte == b'.').all(digits) && text.iter().filter(|&&byte| byte == b'.').count() == 3,
    }
}

fn group(text: &[u8]) -> bool {
    let first = text.first().is_some_and(|&first| NAMES[usize::from(first)] & LETTER != 0);
    first && plain(&NAMES, GROUP, text) == text.len()
}

fn ftp(rest: &[u8]) -> bool {
    let (before, path) = split_slash(rest);
    login(before)
        && path.is_none_or(|path| match memchr::memchr(b';', path) {
            Some(at) => {
                all(&CHARACTERS, FPATH, &path[..at])
                    && matches!(&path[at..], [b';', b't', b'y', b'p', b'e', b'=', code] if b"AIDaid".contains(code))
            }
            None => all(&CHARACTERS, FPATH, path),
        })
}

fn file(rest: &[u8]) -> bool {
    let (before, path) = split_slash(rest);
    (before.is_empty() || host(before)) && path.is_some_and(|path| all(&CHARACTERS, FPATH, path))
}

fn http(rest: &[u8]) -> bool {
    let (before, path) = split_slash(rest);
    hostport(before)
        && path.is_none_or(|path| {
            let end = memchr::memchr(b'?', path).unwrap_or(path.len());
            let search = path.get(end + 1..).unwrap_or_default();
            all(&CHARACTERS, HPATH, &path[..end]) && all(&CHARACTERS, SEARCH, search)
        })
}

/// A selector may contain any xchar and `%09`, so that search and Gopher+ string need no separate check.
fn gopher(rest: &[u8]) -> bool {
    let (before, path) = split_slash(rest);
    hostport(before) && path.is_none_or(|path| all(&CHARACTERS, XCHAR, path))
}

fn news(rest: &[u8]) -> bool {
    match memchr::memchr(b'@', rest) {
        Some(at) => at > 0 && all(&CHARACTERS, ARTICLE, &rest[..at]) && host(&rest[at + 1..]),
        None => rest == b"*" || group(rest),
    }
}

fn nntp(rest: &[u8]) -> bool {
    let (before, path) = split_slash(rest);
    hostport(before)
        && path.is_some_and(|path| {
            let (name, number) = split_slash(path);
            group(name) && number.is_none_or(digits)
        })
}

fn telnet(rest: &[u8]) -> bool {
    login(rest.strip_suffix(b"/").unwrap_or(rest))
}

fn wais(rest: &[u8]) -> bool {
    let (before, path) = split_slash(rest);
    let form = |path: &[u8]| {
        let end = path.iter().position(|byte| b"/?".contains(byte)).unwrap_or(path.len());
        let is_rest_valid = match &path[end..] {
            [b'?', search @ ..] => all(&CHARACTERS, SEARCH, search),
            [b'/', document @ ..] => {
                let (wtype, wpath) = split_slash(document);
                all(&CHARACTERS, UCHAR, wtype) && wpath.is_some_and(|wpath| all(&CHARACTERS, UCHAR, wpath))
            }
            _ => true,
        };
        is_rest_valid && all(&CHARACTERS, UCHAR, &path[..end])
    };
    hostport(before) && path.is_some_and(form)
}

fn prospero(rest: &[u8]) -> bool {
    let (before, path) = split_slash(rest);
    let field = |field: &[u8]| {
        memchr::memchr(b'=', field)
            .is_some_and(|at| all(&CHARACTERS, FIELD, &field[..at]) && all(&CHARACTERS, FIELD, &field[at + 1..]))
    };
    hostport(before)
        && path.is_some_and(|path| {
            let mut parts = path.split(|&byte| byte == b';');
            parts.next().is_some_and(|name| all(&CHARACTERS, FPATH, name)) && parts.all(field)
        })
}
