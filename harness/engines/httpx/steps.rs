//! httpx: `httpx.URL(base).join(reference)`, and the attributes of `httpx.URL(url)`, from 0.25.2 on.
//!
//! Read from `_urlparse.py` and `_urls.py` of httpx 0.25.2 to 0.28.1. It reads and normalizes the base, the reference and the joined text alike,
//! and joins with `urljoin` of the Python that runs it: that of the recordings is 3.11.7. Before 0.24 the package rfc3986 did both.

use std::net::{Ipv4Addr, Ipv6Addr};

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{concatenated, cut, encoded, is_escape, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness};

use crate::socket::{GETADDRINFO, PYTHON_LABELS, RESOLVER, WEB_SOCKETS, accessors};
use crate::urllib;

/// httpx.
pub static TABLE: Table = Table {
    engine: "httpx",
    first: "0.25.2",
    changes: &[&ESCAPES, &LAST_AT, &SCHEMES, &SETS],
    dated: &[],
    questions: &[(Question::Resolve, JOIN), (Question::Parse, ACCESSORS), (Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[URLPARSE, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&urllib::TABLE, urllib::RECORDED.to_owned())],
};

static ESCAPES: Change = Change {
    id: "#2990",
    versions: &["0.26.0"],
    date: "2023-12-20",
    issue: "https://github.com/encode/httpx/pull/2990",
    says: "escapes are kept, also where other characters are encoded, and slashes of a query are kept",
    witness: Witness::resolving("http://a/b", "%41%", Some("http://a/%2541%25"), Some("http://a/%41%")),
};

static LAST_AT: Change = Change {
    id: "#2986",
    versions: &["0.26.0"],
    date: "2023-12-20",
    issue: "https://github.com/encode/httpx/pull/2986",
    says: "the last @ ends the userinfo",
    witness: Witness::resolving("http://a/b", "//c@d@e/", Some("http://c@d%40e/"), Some("http://c%40d@e/")),
};

static SCHEMES: Change = Change {
    id: "0.27.1",
    versions: &["0.27.1"],
    date: "2024-08-27",
    issue: "",
    says: "the path after a scheme without an authority is normalized and not checked; fewer characters are encoded",
    witness: Witness::resolving("http://a/b", "x:/./c", Some("x:/./c"), Some("x:/c")),
};

static SETS: Change = Change {
    id: "0.28.0",
    versions: &["0.28.0"],
    date: "2024-11-28",
    issue: "",
    says: "the characters that are encoded are those of the URL Standard",
    witness: Witness::resolving("http://a/b", "{c}", Some("http://a/{c}"), Some("http://a/%7Bc%7D")),
};

/// The mark while the joined text is read, whose components are the target's.
const TARGET: &str = "httpx: the joined text is read";

/// Returns the slot of a part of the text that is read.
fn own(s: &State<'_>, part: Part) -> Slot {
    if s.is_marked(TARGET) { Slot::Out(part) } else { s.own(part) }
}

/// `urlparse`: for the base, the reference and the joined text.
static URLPARSE: &[Step] = &[
    Step::new("urlparse", "reject a text of more than 65,536 characters, or with a control character", |s| {
        let (slot, url) = match (s.is_marked(TARGET), s.side) {
            (true, _) => (Slot::Out(Part::Text), s.get(Slot::Result)),
            (false, Side::Base) => (Slot::Base(Part::Text), s.base),
            (false, Side::Reference) => (Slot::Ref(Part::Text), s.reference),
        };
        s.rest = url.to_owned();
        let url = s.rest.clone();
        s.set(slot, url);
        if s.rest.chars().count() > 65_536 {
            return s.reject(slot, "the text is too long");
        }
        match s.rest.chars().any(|it| it.is_ascii_control()) {
            true => s.reject(slot, "the text has a control character"),
            false => Go,
        }
    }),
    Step::new(
        "URL_REGEX: scheme",
        "a letter, then letters, digits, +, - and . before a colon are the scheme; nothing before one is none",
        |s| {
            let slot = own(s, Part::Scheme);
            let rest = std::mem::take(&mut s.rest);
            let found = rest.split_once(':').filter(|(name, _)| {
                name.is_empty()
                    || name.starts_with(|it: char| it.is_ascii_alphabetic())
                        && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'-' | b'.'))
            });
            s.set(slot, found.map(|(name, _)| name).filter(|name| !name.is_empty()));
            s.rest = found.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
            Go
        },
    ),
    Step::new("URL_REGEX", "cut the authority after //, the fragment at #, the query at ?, and the path", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (authority, rest) = match rest.strip_prefix("//") {
            Some(after) => {
                let (authority, rest) = until(after, &['/', '?', '#']);
                (Some(authority), rest)
            }
            None => (None, rest.as_str()),
        };
        let (rest, fragment) = cut(rest, "#");
        let (path, query) = cut(rest, "?");
        for (part, text) in
            [(Part::Authority, authority), (Part::Path, Some(path)), (Part::Query, query), (Part::Fragment, fragment)]
        {
            s.set(own(s, part), text);
        }
        Go
    }),
    Step::new("parsed_scheme", "write the scheme in lower case", |s| {
        let slot = own(s, Part::Scheme);
        if let Some(scheme) = s.present(slot) {
            if scheme.bytes().any(|it| it.is_ascii_uppercase()) {
                s.mark(CAPITAL);
            }
            let scheme = s.get(slot).to_ascii_lowercase();
            s.set(slot, scheme);
        }
        Go
    }),
    Step::new("encode_host: IPv4", "reject four numbers with dots that are not an IPv4 address", |s| {
        let Some((_, host, _)) = server(s) else { return Go };
        let numbers: Vec<&str> = host.split('.').collect();
        let is_like =
            numbers.len() == 4 && numbers.iter().all(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()));
        match is_like && host.parse::<Ipv4Addr>().is_err() {
            true => s.reject(own(s, Part::Authority), "the host is not an IPv4 address"),
            false => Go,
        }
    }),
    Step::new("encode_host: IPv6", "reject brackets that do not contain an IPv6 address", |s| {
        let Some((_, host, _)) = server(s) else { return Go };
        let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) else { return Go };
        let (address, zone) = cut(address, "%");
        let is_zone = zone.is_none_or(|zone| !zone.is_empty() && !zone.contains('%'));
        match is_zone && address.parse::<Ipv6Addr>().is_ok() {
            true => Go,
            false => s.reject(own(s, Part::Authority), "brackets do not contain an IPv6 address"),
        }
    }),
    Step::new("encode_host: lower", "write a host of ASCII in lower case, unless it has brackets", |s| {
        rewrite_name(s, |_, host| host.to_ascii_lowercase())
    }),
    Step::new(
        "encode_host: quote",
        "percent-encode what is not allowed in a host of ASCII, unless it has brackets",
        |s| {
            let kept = set(s, [b"!$&'()*+,;=", b"!$&'()*+,;=\"`{}%|\\", b"!$&'()*+,;=\"`{}%|\\"]);
            rewrite_name(s, |s, host| quoted(s, host, kept))
        },
    ),
    Step::new(
        "encode_host: idna",
        "convert a host outside ASCII by IDNA 2008; reject it if that is not possible",
        |s| {
            let Some((user, host, port)) = server(s).filter(|(_, host, _)| !host.is_ascii()) else { return Go };
            match idna_2008(&host.to_lowercase()) {
                Some(host) => write_server(s, (user, host, port)),
                None => s.reject(own(s, Part::Authority), "the host is not one of IDNA 2008"),
            }
        },
    ),
    Step::new(
        "normalize_port",
        "write the port as a number; write none that is empty or the default of a scheme in lower case",
        |s| {
            let Some((user, host, Some(port))) = server(s) else { return Go };
            if port.is_empty() {
                return write_server(s, (user, host, None));
            }
            let Some(number) = urllib::number(&port) else {
                return s.reject(own(s, Part::Authority), "the port is not a number");
            };
            let default = match s.get(own(s, Part::Scheme)) {
                _ if s.is_marked(CAPITAL) => "",
                "ftp" => "21",
                "http" | "ws" => "80",
                "https" | "wss" => "443",
                _ => "",
            };
            write_server(s, (user, host, Some(number).filter(|number| number != default)))
        },
    ),
    Step::new("parsed_userinfo", "percent-encode the userinfo, and write no @ after an empty one", |s| {
        let Some((user, host, port)) = server(s) else { return Go };
        let kept = set(s, [b"!$&'()*+,;=:", b"!$&'()*+,;=:", b"!$%&'()*+,:"]);
        let user = user.map(|user| quoted(s, &user, kept)).filter(|user| !user.is_empty());
        write_server(s, (user, host, port))
    }),
    Step::new("ParseResult: authority", "write no // before an empty authority", |s| {
        s.unmark(CAPITAL);
        let slot = own(s, Part::Authority);
        if s.get(slot).is_empty() {
            s.set(slot, None::<&str>);
        }
        Go
    }),
    Step::new(
        "validate_path: //",
        "reject a path that begins with //, or, without a scheme, with a colon, if the authority is absent",
        |s| check_path(s, true),
    )
    .until(&SCHEMES),
    Step::new(
        "validate_path: relative",
        "without a scheme and an authority, reject a path that begins with // or a colon",
        |s| check_path(s, false),
    )
    .since(&SCHEMES),
    Step::new(
        "normalize_path: has_authority",
        "remove . segments, and .. segments with those before them, if there is an authority",
        |s| match s.present(own(s, Part::Authority)) {
            Some(_) => normalize_path(s),
            None => Go,
        },
    )
    .until(&SCHEMES),
    Step::new(
        "normalize_path",
        "remove . segments, and .. segments with those before them, if there is a scheme or an authority",
        |s| match s.present(own(s, Part::Scheme)).or(s.present(own(s, Part::Authority))) {
            Some(_) => normalize_path(s),
            None => Go,
        },
    )
    .since(&SCHEMES),
    Step::new("parsed_path", "percent-encode the path", |s| {
        rewrite(s, Part::Path, [b"!$&'()*+,;=:/[]@", b"!$&'()*+,;=`{}%|^\\\":/[]@", b"!$%&'()*+,/:;=@[\\]^|"])
    }),
    Step::new("parsed_query: with slashes", "percent-encode the query, slashes too", |s| {
        rewrite(s, Part::Query, [b"!$&'()*+,;=:?[]@"; 3])
    })
    .until(&ESCAPES),
    Step::new("parsed_query", "percent-encode the query", |s| {
        rewrite(s, Part::Query, [b"!$&'()*+,;=:/?[]@", b"!$&'()*+,;=`{}%|^\\\":/?[]@", b"!$%&'()*+,/:;=?@[\\]^`{|}"])
    })
    .since(&ESCAPES),
    Step::new("parsed_frag", "percent-encode the fragment", |s| {
        rewrite(
            s,
            Part::Fragment,
            [b"!$&'()*+,;=:/?#[]@", b"!$&'()*+,;=`{}%|^\\\":/?#[]@", b"!#$%&'()*+,/:;=?@[\\]^{|}"],
        )
    }),
];

/// `URL.join`.
static JOIN: &[Step] = &[
    Step::new("URL: the base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => To("URL: the reference"),
        false => Call(URLPARSE, Side::Base),
    }),
    Step::new("URL: the reference", "read the reference", |_| Call(URLPARSE, Side::Reference)),
    Step::new("str", "write both", |s| {
        for (of, mark) in
            [(Slot::Base as fn(Part) -> Slot, urllib::BASE_IN_SLOT), (Slot::Ref, urllib::REFERENCE_IN_SLOT)]
        {
            let text = concatenated(Part::COMPONENTS.map(|part| s.present(of(part))));
            s.compose(of(Part::Text), &Part::COMPONENTS.map(of));
            s.set(of(Part::Text), text);
            s.mark(mark);
        }
        if !s.base.is_empty() {
            return Go;
        }
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.concatenate()
    }),
    Step::new("URL.join: urljoin", "join the texts", |_| Call(urllib::URLJOIN, Side::Reference)),
    Step::new("URL.join: URL", "read the joined text", |s| {
        s.mark(TARGET);
        Call(URLPARSE, Side::Reference)
    }),
    Step::new("ParseResult: str", "concatenate the components", |s| s.concatenate()),
];

/// The mark of a scheme that was written with capitals.
const CAPITAL: &str = "httpx: the scheme has capitals";

/// The characters that `quote` keeps, besides letters, digits, -, ., _ and ~: at first delimiters, then also symbols, then those of the URL
/// Standard.
type Sets = [&'static [u8]; 3];

/// Returns the set of the version.
fn set(s: &State<'_>, [delimiters, symbols, standard]: Sets) -> &'static [u8] {
    match (s.has(&SCHEMES), s.has(&SETS)) {
        (_, true) => standard,
        (true, false) => symbols,
        _ => delimiters,
    }
}

/// Percent-encodes what is not `kept`. Escapes are kept; before 0.26 only if there is nothing to encode. Before 0.27.1 the text between two
/// escapes keeps its percent signs if there is nothing to encode in it.
fn quoted(s: &State<'_>, text: &str, kept: &[u8]) -> String {
    let keeps = |it: u8| it.is_ascii_alphanumeric() || b"-._~".contains(&it) || kept.contains(&it);
    let is_safe = |text: &str| text.bytes().all(|it| keeps(it) || it == b'%');
    let encode = |text: &str, percent: bool| encoded(text, |it| keeps(it) || it == b'%' && percent);
    if !s.has(&ESCAPES) {
        let are_escapes = text.match_indices('%').all(|(at, _)| is_escape(&text[at..]));
        return encode(text, are_escapes && is_safe(text));
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some((at, _)) = rest.match_indices('%').find(|(at, _)| is_escape(&rest[*at..])) {
        let piece = &rest[..at];
        out.push_str(&encode(piece, !s.has(&SCHEMES) && is_safe(piece)));
        out.push_str(&rest[at..at + 3]);
        rest = &rest[at + 3..];
    }
    out + &encode(rest, !s.has(&SCHEMES) && is_safe(rest))
}

fn rewrite(s: &mut State<'_>, part: Part, sets: Sets) -> Next {
    let slot = own(s, part);
    if let Some(text) = s.present(slot) {
        let text = quoted(s, text, set(s, sets));
        s.set(slot, text);
    }
    Go
}

/// The userinfo, the host and the port of an authority.
type Server = (Option<String>, String, Option<String>);

/// Divides the authority: a bracket at the beginning of the host extends to the last one; what follows the host is the port.
fn server(s: &State<'_>) -> Option<Server> {
    let authority = s.present(own(s, Part::Authority))?;
    let divided = if s.has(&LAST_AT) { authority.rsplit_once('@') } else { authority.split_once('@') };
    let (user, rest) = divided.map_or((None, authority), |(user, rest)| (Some(user.to_owned()), rest));
    let bracket = rest.rfind(']').filter(|_| rest.starts_with('['));
    let (host, port) = rest.split_at(bracket.map_or_else(|| rest.find(':').unwrap_or(rest.len()), |at| at + 1));
    let port = (!port.is_empty()).then(|| port.strip_prefix(':').unwrap_or(port).to_owned());
    Some((user, host.to_owned(), port))
}

fn write_server(s: &mut State<'_>, (user, host, port): Server) -> Next {
    let user = user.map(|user| user + "@").unwrap_or_default();
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    s.set(own(s, Part::Authority), format!("{user}{host}{port}"));
    Go
}

/// Rewrites a host of ASCII that has no brackets around it.
fn rewrite_name(s: &mut State<'_>, written: impl Fn(&State<'_>, &str) -> String) -> Next {
    let Some((user, host, port)) = server(s) else { return Go };
    if !host.is_ascii() || host.starts_with('[') && host.ends_with(']') {
        return Go;
    }
    let host = written(s, &host);
    write_server(s, (user, host, port))
}

/// Rejects a path that begins with // unless there is an authority or, if `with_scheme` is not set, a scheme; and one that begins with a colon
/// without both.
fn check_path(s: &mut State<'_>, with_scheme: bool) -> Next {
    let slot = own(s, Part::Path);
    let has_scheme = s.present(own(s, Part::Scheme)).is_some();
    if s.present(own(s, Part::Authority)).is_some() {
        return Go;
    }
    if s.get(slot).starts_with("//") && (with_scheme || !has_scheme) {
        return s.reject(slot, "the path begins with //");
    }
    match s.get(slot).starts_with(':') && !has_scheme {
        true => s.reject(slot, "the path begins with a colon"),
        false => Go,
    }
}

/// Removes . segments, and .. segments with those before them, but not the empty one before the first slash.
fn normalize_path(s: &mut State<'_>) -> Next {
    let slot = own(s, Part::Path);
    let mut kept: Vec<&str> = Vec::new();
    for segment in s.get(slot).split('/') {
        match segment {
            "." => {}
            ".." if kept == [""] => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    let path = kept.join("/");
    s.set(slot, path);
    Go
}

/// Returns a host in lower case as IDNA 2008 encodes it: without mapping. What UTS 46 maps is rejected, and so is what is neither a letter, nor a
/// digit, nor a mark, nor a hyphen.
pub(crate) fn idna_2008(host: &str) -> Option<String> {
    let host: String =
        host.chars().map(|it| if matches!(it, '\u{3002}' | '\u{ff0e}' | '\u{ff61}') { '.' } else { it }).collect();
    let is_allowed = |it: char| {
        it.is_alphabetic()
            || it.is_ascii_digit()
            || urllib::digit(it).is_some()
            || matches!(it, '-' | '.')
            || is_mark(it)
            || is_in_context(it)
    };
    if !host.chars().all(is_allowed) {
        return None;
    }
    let uts46 = Uts46::new();
    let ascii =
        uts46.to_ascii(host.as_bytes(), AsciiDenyList::STD3, Hyphens::Check, DnsLength::VerifyAllowRootDot).ok()?;
    let (unicode, is_valid) = uts46.to_unicode(host.as_bytes(), AsciiDenyList::STD3, Hyphens::Check);
    let is_unmapped =
        host.split('.').zip(unicode.split('.')).all(|(own, mapped)| own == mapped || own.starts_with("xn--"));
    (is_valid.is_ok() && is_unmapped).then(|| ascii.into_owned())
}

/// Returns whether a character is a mark that is not alphabetic: the combining diacritical ones and the viramas.
fn is_mark(it: char) -> bool {
    matches!(it, '\u{300}'..='\u{36f}' | '\u{94d}' | '\u{9cd}' | '\u{a4d}' | '\u{acd}' | '\u{b4d}' | '\u{bcd}' | '\u{c4d}' | '\u{ccd}' | '\u{d4d}' | '\u{e48}'..='\u{e4e}')
}

/// Returns whether a character is allowed next to some others, which UTS 46 does not check but for the joiners.
fn is_in_context(it: char) -> bool {
    matches!(it, '\u{b7}' | '\u{375}' | '\u{5f3}' | '\u{5f4}' | '\u{30fb}' | '\u{200c}' | '\u{200d}')
}

/// `unquote`: decodes escapes. What is not UTF-8 afterwards is replaced.
fn unquoted(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digit = |at: usize| after.get(at).and_then(|it| char::from(*it).to_digit(16));
        match digit(0).zip(digit(1)).filter(|_| *first == b'%') {
            Some((high, low)) => {
                bytes.push((high << 4 | low) as u8);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns a host whose labels of Punycode are decoded; `None` if it is not one of IDNA 2008.
fn idna_decoded(host: &str) -> Option<String> {
    let (unicode, is_valid) = Uts46::new().to_unicode(host.as_bytes(), AsciiDenyList::STD3, Hyphens::Check);
    (is_valid.is_ok() && idna_2008(&unicode).is_some()).then(|| unicode.into_owned())
}

/// `Client._redirect_url`.
static REDIRECT: &[Step] = &[
    Step::new("_redirect_url: request.url", "read the URL of the request", |_| Call(URLPARSE, Side::Base)),
    Step::new("_redirect_url: URL", "read the location", |_| Call(URLPARSE, Side::Reference)),
    Step::new("_redirect_url: copy_with", "a location with a scheme and without a host gets the host of the request, without its port", |s| {
        let has_host = server(s).is_some_and(|(_, host, _)| !host.is_empty());
        if s.present(Slot::Ref(Part::Scheme)).is_none_or(str::is_empty) || has_host {
            return Call(JOIN, Side::Reference);
        }
        let path = s.get(Slot::Ref(Part::Path));
        if !path.is_empty() && !path.starts_with('/') {
            return s.reject(Slot::Ref(Part::Path), "a path without a slash follows the host");
        }
        let (_, authority) = s.get(Slot::Base(Part::Authority)).rsplit_once('@').unwrap_or(("", s.get(Slot::Base(Part::Authority))));
        let host = authority.rsplit_once(':').filter(|(_, port)| !port.contains(']')).map_or(authority, |(host, _)| host);
        let host = host.to_owned();
        s.inherit_as("authority");
        s.set(Slot::Ref(Part::Authority), host);
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.concatenate()
    }),
];

/// `URL`, and its attributes. Nothing is absent but the port.
pub(crate) static ACCESSORS: &[Step] = &[
    Step::new("URL: the text", "read the URL", |_| Call(URLPARSE, Side::Reference)),
    Step::new("URL.scheme, URL.query", "a scheme and a query that are absent are empty", |s| {
        for part in [Part::Scheme, Part::Query] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        Go
    }),
    Step::new("URL.path", "decode the path, and state a slash for an empty one", |s| {
        s.flow(Slot::Out(Part::Path), Slot::Ref(Part::Path));
        let path = Some(s.get(Slot::Out(Part::Path))).filter(|path| !path.is_empty()).map_or("/".to_owned(), unquoted);
        s.set(Slot::Out(Part::Path), path);
        Go
    }),
    Step::new("URL.fragment", "decode the fragment", |s| {
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        let fragment = unquoted(s.get(Slot::Out(Part::Fragment)));
        s.set(Slot::Out(Part::Fragment), fragment);
        Go
    }),
    Step::new("URL.username, URL.password", "divide the userinfo at its first colon, and decode both parts", |s| {
        let user = server(s).and_then(|(user, ..)| user).unwrap_or_default();
        let (user, password) = cut(&user, ":");
        s.set(Slot::Out(Part::User), unquoted(user));
        s.set(Slot::Out(Part::Password), unquoted(password.unwrap_or_default()));
        Go
    }),
    Step::new("URL.netloc, URL.port", "the authority is the host with its port", |s| {
        let (_, host, port) = server(s).unwrap_or_default();
        s.set(Slot::Out(Part::Host), host.as_str());
        s.set(Slot::Out(Part::Port), port.as_deref());
        s.set(Slot::Out(Part::Authority), host + &port.map(|port| format!(":{port}")).unwrap_or_default());
        Go
    }),
    Step::new("ParseResult: host", "the host has no brackets", |s| {
        let host = s.get(Slot::Out(Part::Host));
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host).to_owned();
        s.set(Slot::Out(Part::Host), host);
        Go
    }),
    Step::new("URL.host: idna.decode", "decode a host that begins with xn--, and reject it if it is not one of IDNA 2008", |s| {
        let slot = Slot::Out(Part::Host);
        if s.get(slot).starts_with("xn--") {
            let Some(host) = idna_decoded(s.get(slot)) else { return s.reject(slot, "it is not one of IDNA 2008") };
            s.set(slot, host);
        }
        s.set(Slot::Result, s.reference);
        Done
    }),
];

/// `httpx.get`, up to the socket. httpcore connects by `anyio` or `socket.create_connection`.
static GET: &[Step] = &[
    Step::new("Client.request: URL", "read the URL", |s| {
        s.mark(WEB_SOCKETS);
        Call(ACCESSORS, Side::Reference)
    }),
    Step::new("URL.raw_host", "connect to the host as it was converted", |s| {
        let authority = s.get(Slot::Out(Part::Authority));
        let port = s.present(Slot::Out(Part::Port)).map(|port| format!(":{port}")).unwrap_or_default();
        let host = authority.strip_suffix(port.as_str()).unwrap_or(authority).to_owned();
        s.set(Slot::Out(Part::Host), host);
        if s.get(Slot::Out(Part::Port)) == "0" {
            s.set(Slot::Out(Part::Port), None::<&str>);
        }
        Go
    }),
    accessors("Origin: host, port"),
    PYTHON_LABELS,
    RESOLVER,
];
