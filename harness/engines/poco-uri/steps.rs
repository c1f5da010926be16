//! Poco: `Poco::URI(base).resolve(reference)` and `toString`, and the accessors of `Poco::URI(text)`, of 1.13.0.
//!
//! Read from `Foundation/src/URI.cpp` of Poco 1.13.0. Texts are bytes, and paths and user information are kept decoded. If the base is unknown, the
//! reference is written as it was read.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{is_escape, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

/// Poco's URI.
pub static TABLE: Table = Table {
    engine: "poco-uri",
    first: "1.13.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The ports of `getWellKnownPort`.
const PORTS: &[(&str, &str)] = &[
    ("ftp", "21"),
    ("ssh", "22"),
    ("telnet", "23"),
    ("smtp", "25"),
    ("dns", "53"),
    ("http", "80"),
    ("ws", "80"),
    ("nntp", "119"),
    ("imap", "143"),
    ("ldap", "389"),
    ("https", "443"),
    ("wss", "443"),
    ("smtps", "465"),
    ("rtsp", "554"),
    ("ldaps", "636"),
    ("dnss", "853"),
    ("imaps", "993"),
    ("sip", "5060"),
    ("sips", "5061"),
    ("xmpp", "5222"),
];

fn default_port(scheme: &str) -> Option<&'static str> {
    PORTS.iter().find(|(name, _)| *name == scheme).map(|(_, port)| *port)
}

/// `parse`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new(
        "parse: scheme",
        "the text before a first colon is the scheme, if it has no /, ? or #, and does not begin with a dot; reject one that nothing follows",
        |s| {
            let given = s.read_text();
            let given = given.as_str();
            let found = given
                .split_once(':')
                .filter(|(name, _)| !name.starts_with('.') && !name.contains(['/', '?', '#']))
                .map(|(name, rest)| (name.to_owned(), rest.to_owned()));
            let (name, rest) = found.map_or((None, given.to_owned()), |(name, rest)| (Some(name), rest));
            if name.is_some() && rest.is_empty() {
                return s.reject(s.own(Part::Text), "neither an authority nor a path follows the scheme");
            }
            s.set(s.own(Part::Scheme), name);
            s.rest = rest;
            Go
        },
    ),
    Step::new("setScheme", "write the scheme in lower case", |s| rewrite(s, Part::Scheme, |scheme| scheme.to_ascii_lowercase())),
    Step::new("parse: parseAuthority", "after a scheme and two slashes, the part up to the next /, ? or # is the authority", |s| {
        let rest = std::mem::take(&mut s.rest);
        let has_scheme = s.present(s.own(Part::Scheme)).is_some();
        let divided = rest.strip_prefix("//").filter(|_| has_scheme).map(|after| until(after, &['/', '?', '#']));
        s.set(s.own(Part::Authority), divided.map(|(authority, _)| authority));
        s.rest = divided.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("parseAuthority: @", "what precedes the last @ of the authority is the user information, without another @ and what precedes that", |s| {
        let divided = s.present(s.own(Part::Authority)).map(|authority| {
            let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
            (user.rsplit_once('@').map_or(user, |(_, user)| user).to_owned(), host.to_owned())
        });
        let (user, host) = divided.unzip();
        s.set(s.own(Part::Userinfo), user);
        s.set(s.own(Part::Host), host);
        Go
    }),
    Step::new(
        "parseHostAndPort: host",
        "the host is what brackets contain, or ends at the first colon; the port follows the colon; ignore anything else after a bracket, \
         and reject a bracket that does not end",
        |s| {
            let slot = s.own(Part::Host);
            s.set(s.own(Part::Port), None::<&str>);
            let Some(text) = s.present(slot).map(str::to_owned) else { return Go };
            let (host, rest) = match text.strip_prefix('[').map(|text| text.split_once(']')) {
                Some(Some(divided)) => divided,
                Some(None) => return s.reject(slot, "the bracket does not end"),
                None => until(&text, &[':']),
            };
            s.set(slot, host);
            s.set(s.own(Part::Port), rest.strip_prefix(':').filter(|port| !port.is_empty()));
            Go
        },
    ),
    Step::new(
        "parseHostAndPort: nport",
        "write the port as a number; reject one that is not from 1 to 65535",
        |s| {
            let slot = s.own(Part::Port);
            let Some(port) = s.present(slot) else { return Go };
            match number(port).filter(|port| *port > 0) {
                Some(port) => {
                    s.set(slot, port.to_string());
                    Go
                }
                None => s.reject(slot, "it is not a port"),
            }
        },
    ),
    Step::new("parseHostAndPort: toLowerInPlace", "write the host in lower case", |s| rewrite(s, Part::Host, |host| host.to_ascii_lowercase())),
    Step::new("parsePathEtc", "the part up to ? or # is the path, then up to # the query, then the fragment", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (path, rest) = until(&rest, &['?', '#']);
        s.set(s.own(Part::Path), path);
        let (query, rest) = until(rest, &['#']);
        s.set(s.own(Part::Query), query.strip_prefix('?'));
        s.set(s.own(Part::Fragment), rest.strip_prefix('#'));
        Go
    }),
    Step::new("decode: the path", "decode the escapes of the path; reject a percent sign that does not begin one", |s| {
        let slot = s.own(Part::Path);
        let path = s.get(slot);
        if path.match_indices('%').any(|(at, _)| !is_escape(&path[at..])) {
            return s.reject(slot, "a percent sign does not begin an escape");
        }
        let bytes = decoded(path);
        let path = latin(&bytes);
        s.set(slot, path);
        Go
    }),
];

/// `resolve` and `toString`.
static RESOLVE: &[Step] = &[
    Step::new("URI: base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("URI: relativeURI", "read the reference; it is the target without a base", |_| Call(PARSE, Side::Reference)),
    Step::new("resolve: !_scheme.empty()", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        if s.base.is_empty() {
            own_authority(s);
            s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
            s.flow(Slot::NoDots, Slot::Merged);
            return To("toString: encode");
        }
        if s.get(Slot::Ref(Part::Scheme)).is_empty() {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.set(Slot::Used, "nothing");
        own_authority(s);
        To("removeDotSegments")
    }),
    Step::new("resolve: !_host.empty()", "a reference with a host inherits nothing else, any other one the authority", |s| {
        if !s.get(Slot::Ref(Part::Host)).is_empty() {
            own_authority(s);
            return To("removeDotSegments");
        }
        s.inherit(Part::Authority);
        for part in [Part::Userinfo, Part::Host, Part::Port] {
            s.flow(Slot::Out(part), Slot::Base(part));
        }
        Go
    }),
    Step::new("resolve: _path.empty()", "without a path, inherit the base's, and its query if there is none or an empty one", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        if s.get(Slot::Ref(Part::Query)).is_empty() {
            s.inherit(Part::Query);
        }
        To("toString: encode")
    }),
    Step::new("resolve: _path[0] == '/'", "a path that begins with a slash is not merged", |s| {
        if s.get(Slot::Ref(Part::Path)).starts_with('/') { To("removeDotSegments") } else { Go }
    }),
    Step::new("mergePath: pop_back", "the path replaces the last segment of the base's that is not empty, or follows a slash at its end", |s| {
        s.inherit_as("folder");
        let base = s.get(Slot::Base(Part::Path));
        let mut segments = segments(base);
        if !base.ends_with('/') {
            segments.pop();
        }
        let slash = if base.starts_with('/') { "/" } else { "" };
        let before: String = segments.iter().map(|segment| format!("{segment}/")).collect();
        let merged = format!("{slash}{before}{}", s.get(Slot::Ref(Part::Path)));
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "mergePath",
        "remove empty segments, . segments, and .. segments with those before them; a slash remains after a last one, or if the path ends in one",
        |s| {
            let merged = s.get(Slot::Merged);
            let all = segments(merged);
            let mut kept: Vec<&str> = Vec::new();
            for segment in &all {
                match *segment {
                    "." => {}
                    ".." => drop(kept.pop()),
                    _ => kept.push(segment),
                }
            }
            let has_slash = merged.ends_with('/') || matches!(all.last(), Some(&("." | "..")));
            let path = built(&kept, merged.starts_with('/'), has_slash, s.get(Slot::Out(Part::Scheme)).is_empty());
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            To("toString: encode")
        },
    ),
    Step::new(
        "removeDotSegments",
        "remove empty segments, . segments, and .. segments with those before them; a slash remains only if the path ends in one",
        |s| {
            s.flow(Slot::NoDots, Slot::Merged);
            let merged = s.get(Slot::NoDots).to_owned();
            if merged.is_empty() {
                return Go;
            }
            let mut kept: Vec<&str> = Vec::new();
            for segment in segments(&merged) {
                match segment {
                    "." => {}
                    ".." => drop(kept.pop()),
                    _ => kept.push(segment),
                }
            }
            let path = built(&kept, merged.starts_with('/'), merged.ends_with('/'), s.get(Slot::Out(Part::Scheme)).is_empty());
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new("toString: encode", "encode the path: control characters, spaces, what is not ASCII, and %<>{}|\\\"^`!*'()$,[]?#", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        let path = encoded(s.get(Slot::NoDots));
        s.set(Slot::Out(Part::Path), path);
        Go
    }),
    Step::new("getAuthority", "write user information, host and a port that is not the known one of the scheme", |s| {
        let authority = authority(s);
        s.compose(Slot::Out(Part::Authority), &[Part::Userinfo, Part::Host, Part::Port].map(Slot::Out));
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new("toString: isRelative", "write no authority without a scheme", |s| {
        if s.get(Slot::Out(Part::Scheme)).is_empty() {
            s.set(Slot::Out(Part::Scheme), None::<&str>);
            s.set(Slot::Out(Part::Authority), None::<&str>);
        }
        Go
    }),
    Step::new("toString: auth", "write an empty authority only in a URL of a file", |s| {
        if s.get(Slot::Out(Part::Authority)).is_empty() && s.get(Slot::Out(Part::Scheme)) != "file" {
            s.set(Slot::Out(Part::Authority), None::<&str>);
        }
        Go
    }),
    Step::new("toString: _query, _fragment", "write no ? before an empty query and no # before an empty fragment", |s| {
        for part in [Part::Query, Part::Fragment] {
            if s.get(Slot::Out(part)).is_empty() {
                s.set(Slot::Out(part), None::<&str>);
            }
        }
        Go
    }),
    Step::new(
        "toString: /",
        "write a slash between an authority and a path that begins with another character, and for an empty path before a query or a fragment",
        |s| {
            let has = |part| !s.get(Slot::Out(part)).is_empty();
            let path = s.get(Slot::Out(Part::Path));
            let is_missing = match path.is_empty() {
                true => has(Part::Query) || has(Part::Fragment),
                false => has(Part::Authority) && !path.starts_with('/'),
            };
            if is_missing && has(Part::Scheme) {
                let path = format!("/{path}");
                s.set(Slot::Out(Part::Path), path);
            }
            Go
        },
    ),
    Step::new("toString", "concatenate the components", |s| s.concatenate()),
];

/// `Poco::URI(text)`, and its accessors.
static STATE: &[Step] = &[
    Step::new("URI", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("getScheme, getHost, getPath, getQuery, getFragment", "state the components, an absent one as empty, query and fragment decoded", |s| {
        for part in [Part::Scheme, Part::Userinfo, Part::Host, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.flow(Slot::Out(Part::Port), Slot::Ref(Part::Port));
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("getAuthority()", "state user information, host and a port that is not the known one of the scheme", |s| {
        let authority = authority(s);
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new("decode: query, fragment", "decode the escapes of query and fragment; reject a percent sign that does not begin one", |s| {
        for part in [Part::Query, Part::Fragment] {
            let slot = Slot::Out(part);
            let text = s.get(slot);
            if text.match_indices('%').any(|(at, _)| !is_escape(&text[at..])) {
                return s.reject(slot, "a percent sign does not begin an escape");
            }
            let bytes = decoded(text);
            let text = s.text(bytes);
            s.set(slot, text);
        }
        Go
    }),
    Step::new("getPath", "state the path as it is decoded", |s| {
        let bytes = bytes(s.get(Slot::Out(Part::Path)));
        let path = s.text(bytes);
        s.set(Slot::Out(Part::Path), path);
        Go
    }),
    Step::new("getPort", "without a port, state the known one of the scheme", |s| {
        let slot = Slot::Out(Part::Port);
        if let (None, Some(port)) = (s.present(slot), default_port(s.get(Slot::Out(Part::Scheme)))) {
            s.set(slot, port);
        }
        Done
    }),
];

/// Takes the authority of the reference.
fn own_authority(s: &mut State<'_>) {
    for part in [Part::Authority, Part::Userinfo, Part::Host, Part::Port] {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
}

fn rewrite(s: &mut State<'_>, part: Part, written: impl Fn(&str) -> String) -> Next {
    let slot = s.own(part);
    let text = s.present(slot).map(written);
    s.set(slot, text);
    Go
}

/// Returns the authority of what is written.
fn authority(s: &State<'_>) -> String {
    let user = Some(s.get(Slot::Out(Part::Userinfo))).filter(|user| !user.is_empty());
    let user = user.map(|user| format!("{user}@")).unwrap_or_default();
    let port = s.present(Slot::Out(Part::Port)).filter(|port| Some(*port) != default_port(s.get(Slot::Out(Part::Scheme))));
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    let host = s.get(Slot::Out(Part::Host));
    if host.contains(':') { format!("{user}[{host}]{port}") } else { format!("{user}{host}{port}") }
}

/// `strToInt`, for a port: white space and a plus sign may precede the digits, commas may be between them, and a NUL ends them.
fn number(text: &str) -> Option<u16> {
    let text = text.split('\0').next().unwrap_or_default();
    let text = text.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    let digits = text.strip_prefix('+').unwrap_or(text).replace(',', "");
    digits.bytes().all(|it| it.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Returns the segments of a path that are not empty.
fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|segment| !segment.is_empty()).collect()
}

/// `buildPath`.
fn built(segments: &[&str], leading: bool, trailing: bool, is_relative: bool) -> String {
    let begins = match segments.first() {
        Some(_) if leading => "/",
        Some(first) if is_relative && first.contains(':') => "./",
        _ => "",
    };
    format!("{begins}{}{}", segments.join("/"), if trailing { "/" } else { "" })
}

/// Decodes all escapes.
fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        bytes.extend(rest.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok()));
        rest = rest.get(at + 3..).unwrap_or_default();
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Returns a decoded path as a text: bytes that are not UTF-8 are characters of a range for private use.
fn latin(bytes: &[u8]) -> String {
    let piece = |chunk: std::str::Utf8Chunk<'_>| {
        let invalid = chunk.invalid().iter().filter_map(|byte| char::from_u32(PRIVATE + u32::from(*byte)));
        chunk.valid().chars().chain(invalid).collect::<String>()
    };
    bytes.utf8_chunks().map(piece).collect()
}

/// Returns the bytes of a decoded path.
fn bytes(path: &str) -> Vec<u8> {
    let byte = |it: char| u32::from(it).checked_sub(PRIVATE).and_then(|it| u8::try_from(it).ok());
    let mut bytes = Vec::with_capacity(path.len());
    for it in path.chars() {
        match byte(it) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(it.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// The character that is written for the byte 0.
const PRIVATE: u32 = 0x10_fe00;

/// `encode` of a path.
fn encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in bytes(path) {
        match byte {
            ..=0x20 | 0x7f.. => out += &format!("%{byte:02X}"),
            _ if b"%<>{}|\\\"^`!*'()$,[]?#".contains(&byte) => out += &format!("%{byte:02X}"),
            _ => out.push(byte.into()),
        }
    }
    out
}
