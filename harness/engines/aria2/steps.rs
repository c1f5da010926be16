//! aria2: where the command connects for a URL.
//!
//! Read from `uri_split.c`, `uri.cc`, `Request.cc`, `InitiateConnectionCommandFactory.cc` and `AbstractCommand.cc` of aria2 1.36.0. The option
//! `--async-dns=false` is set: the system's resolver is asked.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut, folder, without_dots};
use urlstrata_steps::{Next::*, Question, Step, Table, no_calls};

use crate::redirect::has_location;
use crate::socket::{GETADDRINFO, NO_NAME, NO_SERVICE, RESOLVER};

/// aria2.
pub static TABLE: Table = Table {
    engine: "aria2",
    first: "1.36.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, DOWNLOAD), (Question::Follow, REDIRECT)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `Request::redirectUri`.
static REDIRECT: &[Step] = &[
    Step::new("redirectUri: uri.empty", "reject an empty location", has_location),
    Step::new("redirectUri: //", "a location that begins with two slashes follows the scheme of the URL of the request", |s| {
        if !s.reference.starts_with("//") {
            return Go;
        }
        let url = format!("{}:{}", components(s.base)[0].unwrap_or_default(), s.reference);
        s.inherit_as("scheme");
        s.set(Slot::Result, url);
        Done
    }),
    Step::new("redirectUri: absUri", "a location with letters, digits, +, - and . before :// is the target", |s| {
        let is_scheme = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'-' | b'.');
        match s.reference.split_once("://").is_some_and(|(scheme, _)| scheme.bytes().all(is_scheme)) {
            true => s.return_text(s.reference),
            false => Go,
        }
    }),
    Step::new("joinUri", "another one follows the authority of the URL of the request, and its folder unless a slash begins it; the dot segments are removed", |s| {
        let [scheme, authority, base, ..] = components(s.base).map(Option::unwrap_or_default);
        let (path, query) = cut(cut(s.reference, "#").0, "?");
        let before = if path.starts_with('/') { "" } else { Some(folder(base)).filter(|it| !it.is_empty()).unwrap_or("/") };
        let query = query.map(|query| format!("?{query}")).unwrap_or_default();
        let path = without_dots(&format!("{before}{path}"));
        let url = format!("{scheme}://{authority}{path}{query}");
        s.inherit_as("authority");
        s.set(Slot::Result, url);
        Done
    }),
];

const TEXT: Slot = Slot::Ref(Part::Text);
const SCHEME: Slot = Slot::Out(Part::Scheme);
const USER: Slot = Slot::Out(Part::Userinfo);
const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

const ENDS: &[char] = &['/', '?', '#'];

static DOWNLOAD: &[Step] = &[
    Step::new("main: argv", "a text with a NUL cannot be an argument", |s| match s.get(TEXT).contains('\0') {
        true => s.reject(TEXT, "it contains a NUL"),
        false => Go,
    }),
    Step::new("removeFragment", "the part after the first # is removed", |s| {
        s.rest = cut(s.get(TEXT), "#").0.to_owned();
        s.write_text();
        Go
    }),
    Step::new("uri_split: URI_SCHEME", "what precedes the first colon is the scheme, and two slashes follow it", |s| {
        let text = s.get(TEXT).to_owned();
        let Some((scheme, rest)) = text.split_once("://").filter(|(scheme, _)| !scheme.is_empty() && !scheme.contains(':')) else {
            return s.reject(TEXT, "the scheme or the host is missing");
        };
        s.set(SCHEME, scheme);
        s.rest = rest.to_owned();
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("uri_split: URI_MAYBE_USER", "the user ends at the last @ before a colon, a bracket, / or ?", |s| {
        if s.rest.is_empty() || s.rest.starts_with(['@', ':', '/']) {
            return s.reject(HOST, "it is missing");
        }
        let first = s.rest.chars().next().map_or(0, char::len_utf8);
        let end = match s.rest.starts_with('[') {
            true => 0,
            false => s.rest[first..].find([':', '[', '/', '?']).map_or(s.rest.len(), |at| first + at),
        };
        match s.rest[..end].rfind('@') {
            Some(at) => {
                let (user, rest) = (s.rest[..at].to_owned(), s.rest[at + 1..].to_owned());
                s.set(USER, user);
                s.rest = rest;
                Go
            }
            None if end > 0 && s.rest[end..].starts_with('[') => s.reject(HOST, "a bracket in it"),
            None => Go,
        }
    }),
    Step::new("uri_split: URI_MAYBE_PASSWD", "a password follows a colon, and ends at an @, unless a bracket, / or ? precedes it", |s| {
        let end = s.rest.find([':', '[', '/', '?']).unwrap_or(s.rest.len());
        let Some(rest) = s.rest[end..].strip_prefix(':').filter(|_| !s.rest.starts_with('[')) else { return Go };
        if rest.is_empty() || rest.starts_with('/') {
            return s.reject(PORT, "it is missing");
        }
        let stop = rest.char_indices().find(|(at, it)| *it == '@' || *at > 0 && matches!(it, '[' | '/' | '?'));
        if let Some((at, '@')) = stop {
            let (user, rest) = (format!("{}:{}", &s.rest[..end], &rest[..at]), rest[at + 1..].to_owned());
            s.set(USER, user);
            s.rest = rest;
            if s.rest.is_empty() || s.rest.starts_with([':', '/']) {
                return s.reject(HOST, "it is missing");
            }
        }
        Go
    }),
    Step::new("uri_split: URI_HOST, URI_IPV6HOST", "brackets contain the host, and nothing but a port follows them; another one ends at a colon, at / or at ?", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (host, rest) = match rest.strip_prefix('[') {
            Some(rest) => match rest.split_once(']') {
                Some((host, after)) if !host.is_empty() && (after.is_empty() || after.starts_with([':', '/', '?'])) => (host, after),
                _ => return s.reject(HOST, "its brackets are wrong"),
            },
            None => rest.split_at(rest.find([':', '/', '?']).unwrap_or(rest.len())),
        };
        s.set(HOST, host);
        s.rest = rest.to_owned();
        match s.get(HOST).is_empty() {
            // After a user, it may be empty.
            true if s.present(USER).is_none() || s.rest.is_empty() => s.reject(HOST, "it is missing"),
            _ => Go,
        }
    }),
    Step::new("uri_split: URI_PORT", "the port follows the colon; reject one that is empty or not a number up to 65535", |s| {
        let Some(rest) = s.rest.strip_prefix(':') else { return Go };
        let port = rest.split(ENDS).next().unwrap_or_default();
        let number = port.parse::<u16>().ok().filter(|_| port.bytes().all(|it| it.is_ascii_digit()));
        match number {
            Some(number) => s.set(PORT, number.to_string()),
            None => return s.reject(PORT, "it is not a port"),
        }
        Go
    }),
    NO_NAME,
    Step::new("getDefaultPort", "without a port, or for the port 0, it is that of http, https, ftp or sftp, in lower case; reject other schemes", |s| {
        let default = match s.get(SCHEME) {
            "http" => "80",
            "https" => "443",
            "ftp" => "21",
            "sftp" => "22",
            _ => return s.reject(SCHEME, "it is not supported"),
        };
        if matches!(s.get(PORT), "" | "0") {
            s.set(PORT, default);
        }
        Go
    }),
    Step::new("InitiateConnectionCommandFactory: getFile", "for ftp and sftp, reject a path that is missing or ends in a slash", |s| {
        let path = s.rest.find('/').map_or("", |at| &s.rest[at..]);
        let path = cut(path, "?").0;
        match s.get(SCHEME).ends_with("ftp") && (path.is_empty() || path.ends_with('/')) {
            true => s.reject(TEXT, "the file is missing"),
            false => Go,
        }
    }),
    NO_SERVICE,
    RESOLVER,
];
