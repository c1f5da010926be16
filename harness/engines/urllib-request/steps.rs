//! Python's `urllib.request.urlopen(url)`: where it connects, from 3.6.0 on.
//!
//! Read from `Lib/urllib/request.py`, `Lib/urllib/parse.py`, `Lib/http/client.py`, `Lib/ftplib.py`, `Lib/encodings/idna.py` and
//! `Modules/socketmodule.c` of CPython 3.6.15 to 3.14; the changes before 3.6.15 are those of their pull requests.

use std::net::Ipv4Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness};

use crate::okhttp::idna_2003::python_codec;
use crate::redirect::latin_1;
use crate::socket::{C_STRING, DIGITS_AND_DOTS, GETADDRINFO, NO_NAME, PYTHON_LABELS, RESOLVER, accessors};
use crate::urllib;

/// urllib-request.
pub static TABLE: Table = Table {
    engine: "urllib-request",
    first: "3.6.0",
    changes: &[&FRAGMENT, &WHOLE_PORT, &CLEAN_PATH, &CLEAN_HOST],
    dated: &[],
    questions: &[(Question::Connect, URLOPEN), (Question::Follow, REDIRECT)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(latin_1),
    calls: |version| vec![(&urllib::TABLE, version.to_owned())],
};

const fn change(
    id: &'static str,
    versions: &'static [&'static str],
    date: &'static str,
    issue: &'static str,
    says: &'static str,
    (reference, before, after): (&'static str, Option<&'static str>, Option<&'static str>),
) -> Change {
    let witness = Some(Witness { question: Question::Connect, base: "", reference, before, after });
    Change { id, versions, date, issue, says, witness }
}

static FRAGMENT: Change = change(
    "bpo-30500",
    &["3.6.2"],
    "2017-07-17",
    "https://github.com/python/cpython/issues/74685",
    "a # ends the authority, and what follows may contain ends of lines",
    ("ftp://a#@b#", Some("scheme=http host=b port=21"), Some("scheme=http host=a port=21")),
);

static WHOLE_PORT: Change = change(
    "3.7.0 splitport",
    &["3.7.0"],
    "2018-06-27",
    "",
    "for ftp, an end of line after the port is not ignored",
    ("ftp://a:80%0a/", Some("scheme=http host=a port=80"), None),
);

static CLEAN_PATH: Change = change(
    "bpo-30458",
    &["3.7.4", "3.6.9"],
    "2019-07-02",
    "https://github.com/python/cpython/issues/74643",
    "a path and a query with control characters or spaces are rejected (CVE-2019-9740)",
    ("http://a/b c", Some("scheme=http host=a port=80"), None),
);

static CLEAN_HOST: Change = change(
    "bpo-38576",
    &["3.9.0", "3.8.3", "3.7.8", "3.6.11"],
    "2020-05-13",
    "https://github.com/python/cpython/issues/82757",
    "a host with control characters or spaces is rejected (CVE-2019-18348)",
    ("http://a%00b/", Some("scheme=http host=a port=80"), None),
);

/// `HTTPRedirectHandler`.
static REDIRECT: &[Step] = &[
    Step::new("OpenerDirector.open, of the request", "reject a URL of the request to which the client does not connect", |s| {
        match s.answer(&TABLE, Question::Connect, ("", s.base)).is_some_and(|run| run.outcome.is_ok()) {
            true => Go,
            false => s.reject(Slot::Base(Part::Text), "the request is not sent"),
        }
    }),
    Step::new("http_error_302: urlparse", "split the location", |_| Call(urllib::URLPARSE, Side::Reference)),
    Step::new("http_error_302: urlparts.scheme", "reject a location with another scheme than http, https or ftp; it may have none", |s| {
        let slot = Slot::Ref(Part::Scheme);
        match matches!(s.get(slot), "" | "http" | "https" | "ftp") {
            true => Go,
            false => s.reject(slot, "its scheme is not one for redirects"),
        }
    }),
    Step::new("http_error_302: urlunparse", "write the location from its components, with a slash for an empty path after an authority, and without an empty query and an empty fragment", |s| {
        let present = |part: Part| s.present(Slot::Ref(part)).filter(|text| !text.is_empty()).map(str::to_owned);
        let [scheme, authority, query, fragment] = [Part::Scheme, Part::Authority, Part::Query, Part::Fragment].map(present);
        s.flow(Slot::NoDots, Slot::Ref(Part::Path));
        if authority.is_some() && s.get(Slot::NoDots).is_empty() {
            s.set(Slot::NoDots, "/");
        }
        let is_rooted = s.get(Slot::NoDots).is_empty() || s.get(Slot::NoDots).starts_with('/');
        let authority = authority.or_else(|| scheme.as_ref().filter(|_| is_rooted).map(|_| String::new()));
        for (part, text) in [(Part::Scheme, scheme), (Part::Authority, authority), (Part::Query, query), (Part::Fragment, fragment)] {
            s.set(Slot::Out(part), text);
        }
        Call(urllib::URLUNPARSE, Side::Reference)
    }),
    Step::new("http_error_302: quote", "encode spaces, control characters and what is outside ASCII, whose bytes are those of ISO 8859-1", |s| {
        let quote = |it: char| match it {
            '!'..='~' => it.to_string(),
            _ => format!("%{:02X}", u32::from(it)),
        };
        let text = s.get(Slot::Result).chars().map(quote).collect();
        s.passed = Some(text);
        Go
    }),
    Step::new("http_error_302: urljoin", "resolve the location on the URL of the request", |_| Call(urllib::URLJOIN, Side::Reference)),
];

const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);
const SERVER: Slot = Slot::Ref(Part::Authority);

static URLOPEN: &[Step] = &[
    Step::new("unwrap", "remove white space around the URL, then < and > around it, and URL: before it", |s| {
        let is_space = |it: char| it.is_whitespace() || matches!(it, '\x1c'..='\x1f');
        let text = s.reference.trim_matches(is_space);
        let text = text.strip_prefix('<').and_then(|it| it.strip_suffix('>')).map_or(text, |it| it.trim_matches(is_space));
        let text = text.strip_prefix("URL:").map_or(text, |it| it.trim_matches(is_space));
        s.rest = text.to_owned();
        s.write_text();
        Go
    }),
    Step::new("request_host: urlparse", "reject a URL that `urlparse` rejects", |s| {
        let run = s.answer(&urllib::TABLE, Question::Parse, ("", s.get(Slot::Ref(Part::Text))));
        match run.is_none_or(|run| run.outcome.is_ok()) {
            true => Go,
            false => s.reject(Slot::Ref(Part::Text), "urlparse rejects it"),
        }
    }),
    Step::new("_splittag", "the part after the last # is the fragment", |s| {
        let (rest, fragment) = match s.rest.rsplit_once('#') {
            Some((rest, fragment)) => (rest.to_owned(), Some(fragment.to_owned())),
            None => (s.rest.clone(), None),
        };
        s.set(Slot::Ref(Part::Fragment), fragment);
        s.rest = rest;
        Go
    }),
    Step::new("_splittype", "the part before the first colon is the scheme, in lower case, unless it has a slash", |s| {
        let (scheme, rest) = cut(&s.rest, ":");
        let (scheme, rest) = (scheme.to_lowercase(), rest.filter(|_| !scheme.is_empty() && !scheme.contains('/')));
        let Some(rest) = rest.map(str::to_owned) else {
            return s.reject(Slot::Ref(Part::Scheme), "the scheme is missing");
        };
        s.rest = rest;
        s.set(Slot::Ref(Part::Scheme), scheme);
        Go
    }),
    Step::new("_splithost: ^//([^/?]*)(.*)$", "the part between two slashes and the next / or ? is the authority; an end of line follows it only as the last character", |s| {
        let (_, rest) = until(&s.rest, &['/', '?']);
        match rest.strip_suffix('\n').unwrap_or(rest).contains('\n') {
            true => s.reject(SERVER, "the pattern does not match"),
            false => split_host(s, &['/', '?']),
        }
    })
    .until(&FRAGMENT),
    Step::new("_splithost", "the part between two slashes and the next /, ? or # is the authority", |s| split_host(s, &['/', '?', '#'])).since(&FRAGMENT),
    Step::new("Request._parse: unquote", "decode the escapes of the authority", |s| {
        let authority = urllib::unquoted(s.get(SERVER));
        s.set(SERVER, authority);
        Go
    }),
    Step::new("OpenerDirector.open", "reject other schemes than http, https and ftp", |s| {
        let slot = Slot::Out(Part::Scheme);
        s.flow(slot, Slot::Ref(Part::Scheme));
        match s.get(slot) {
            "http" | "https" => Go,
            "ftp" => To("FTPHandler: _splitport"),
            _ => s.reject(slot, "nothing connects for this scheme"),
        }
    }),
    Step::new("HTTPConnection._get_hostport: port", "the part after the last colon, which no bracket follows, is the port; reject one that `int` does not read", |s| {
        let (host, port) = match s.get(SERVER).rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host.to_owned(), port.to_owned()),
            _ => (s.get(SERVER).to_owned(), String::new()),
        };
        s.set(HOST, host);
        match urllib::number(&port) {
            Some(number) => s.set(PORT, number),
            None if port.is_empty() => {}
            None => return s.reject(PORT, "it is not a number"),
        }
        Go
    }),
    Step::new("HTTPConnection._validate_host", "reject a host with a control character or a space", |s| match s.get(HOST).contains(is_control) {
        true => s.reject(HOST, "it contains a control character"),
        false => Go,
    })
    .since(&CLEAN_HOST),
    Step::new("HTTPConnection._validate_path", "reject a path and a query with a control character or a space", |s| match s.rest.contains(is_control) {
        true => s.reject(Slot::Ref(Part::Path), "it contains a control character"),
        false => Go,
    })
    .since(&CLEAN_PATH),
    Step::new("HTTPConnection._encode_request", "reject a path and a query outside ASCII", |s| match s.rest.is_ascii() {
        true => Go,
        false => s.reject(Slot::Ref(Part::Path), "it is not in ASCII"),
    }),
    Step::new("HTTPConnection.putheader", "reject an authority with a character outside Latin-1, or with an end of line that a space or a tab does not follow", |s| {
        let server = s.get(SERVER);
        let ends = |(at, end): (usize, &str)| match server.as_bytes().get(at + 1) {
            Some(b' ' | b'\t') => false,
            Some(b'\n') => end == "\n",
            _ => true,
        };
        let is_line = server.match_indices(['\r', '\n']).any(ends);
        match is_line || server.contains(|it| it > '\u{ff}') {
            true => s.reject(SERVER, "it cannot be the header Host"),
            false => To("encodings.idna"),
        }
    }),
    Step::new("FTPHandler: _splitport", "for ftp, digits after the last colon are the port", |s| {
        let (host, port) = match s.get(SERVER).rsplit_once(':') {
            Some((host, port)) if !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit()) => (host, urllib::number(port)),
            _ => (s.get(SERVER), None),
        };
        let host = host.to_owned();
        s.set(HOST, host);
        s.set(PORT, port.filter(|port| port != "0").unwrap_or_else(|| "21".to_owned()));
        Go
    }),
    Step::new("FTPHandler: ([0-9]*)$", "for ftp, an end of line after the port is not part of it", |s| {
        let server = s.get(SERVER).strip_suffix('\n').unwrap_or_default();
        if let Some((host, port)) = server.rsplit_once(':').filter(|(_, port)| port.bytes().all(|it| it.is_ascii_digit())) {
            let (host, port) = (host.to_owned(), urllib::number(port));
            s.set(HOST, host);
            s.set(PORT, port.filter(|port| port != "0").unwrap_or_else(|| "21".to_owned()));
        }
        Go
    })
    .until(&WHOLE_PORT),
    Step::new("FTPHandler: _splituser", "for ftp, the host follows the last @", |s| {
        if let Some((_, host)) = s.get(HOST).rsplit_once('@') {
            let host = host.to_owned();
            s.set(HOST, host);
        }
        Go
    }),
    Step::new("FTPHandler: unquote", "for ftp, decode the escapes of the host again", |s| {
        let host = urllib::unquoted(s.get(HOST));
        s.set(HOST, host);
        Go
    }),
    Step::new("FTPHandler: gethostbyname", "for ftp, an empty host is 0.0.0.0; reject an IPv6 address", |s| {
        if s.get(HOST).is_empty() {
            s.set(HOST, Ipv4Addr::UNSPECIFIED.to_string());
        }
        if s.get(HOST).contains([':', '[', ']']) {
            return s.reject(HOST, "it is not a name or an address of IPv4");
        }
        // What follows is as for http.
        s.set(Slot::Out(Part::Scheme), "http");
        Go
    }),
    DIGITS_AND_DOTS,
    Step::new("encodings.idna", "convert a host outside ASCII by IDNA 2003; reject it if that is not possible", idna),
    C_STRING.until(&CLEAN_HOST),
    NO_NAME,
    PYTHON_LABELS,
    accessors("socket.create_connection"),
    RESOLVER,
];

/// Takes the authority between two slashes and one of `ends` off the rest; rejects an empty one.
fn split_host(s: &mut State<'_>, ends: &[char]) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let Some(rest) = rest.strip_prefix("//").filter(|rest| !rest.starts_with(ends) && !rest.is_empty()) else {
        return s.reject(SERVER, "the host is missing");
    };
    let (authority, rest) = until(rest, ends);
    s.rest = rest.to_owned();
    s.set(SERVER, authority);
    Go
}

fn idna(s: &mut State<'_>) -> Next {
    if s.get(HOST).is_ascii() {
        return Go;
    }
    match python_codec(s.get(HOST)) {
        Some(host) => {
            s.set(HOST, host);
            Go
        }
        None => s.reject(HOST, "it is not a host of IDNA 2003"),
    }
}

fn is_control(it: char) -> bool {
    matches!(it, '\0'..=' ' | '\x7f')
}
