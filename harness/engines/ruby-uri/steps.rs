//! Ruby's `URI.join(base, reference)` with the library's RFC 3986 parser, and, for the folder `ruby-uri-rfc2396`, with its RFC 2396 parser, from
//! 0.10.0 (Ruby 2.7) on. What a URL states is what the methods of `URI.parse(url)` return.
//!
//! Read from `lib/uri` of 0.10.0 to 1.1.1. Both parsers only check and cut the text; `Generic` and its classes, one for some schemes, do the
//! rest. Every failure is an exception. A host can be absent where a user or a port is present, so that the slot of the host says whether there is one.

pub(crate) mod changes;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, is_escape, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use changes::*;

/// Ruby's `URI` with the RFC 3986 parser.
pub static TABLE: Table = Table {
    engine: "ruby-uri",
    first: "0.10.0",
    changes: &[&WS, &AUTHORITY, &WSS, &EMPTY_HOST, &BRACKETS, &PATTERNS, &SLASH, &CREDENTIALS, &PASSWORD],
    dated: &[],
    questions: &[(Question::Resolve, JOIN), (Question::Parse, ACCESSORS)],
    called: &[SPLIT, INITIALIZE, MERGE, COMPONENTS],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The classes for schemes that have a default port.
fn default_port(s: &State<'_>, scheme: &str) -> Option<&'static str> {
    match scheme {
        "http" => Some("80"),
        "https" => Some("443"),
        "ftp" => Some("21"),
        "ldap" => Some("389"),
        "ldaps" => Some("636"),
        "ws" if s.has(&WS) => Some("80"),
        "wss" if s.has(&WSS) => Some("443"),
        _ => None,
    }
}

/// Returns whether each character is an escape, or accepted by `also`, or one that both specifications allow in a path.
pub(crate) fn has_only(text: &str, also: impl Fn(u8) -> Option<bool>) -> bool {
    let is_path = |it: u8| it.is_ascii_alphanumeric() || b"!$&'()*+,-./:;=@_~".contains(&it);
    text.bytes().enumerate().all(|(at, it)| match it {
        b'%' => text.get(at..).is_some_and(is_escape),
        _ => also(it).unwrap_or_else(|| is_path(it)),
    })
}

pub(crate) fn is_path(text: &str) -> bool {
    has_only(text, |_| None)
}

pub(crate) fn is_user(text: &str) -> bool {
    has_only(text, |it| matches!(it, b'/' | b'@').then_some(false))
}

/// Divides an authority: user, host, port.
pub(crate) fn divided(authority: &str) -> (Option<&str>, &str, Option<&str>) {
    let (user, rest) = authority.split_once('@').map_or((None, authority), |(user, rest)| (Some(user), rest));
    let digits_after = |at: usize| rest.get(at + 1..).is_some_and(|port| port.bytes().all(|it| it.is_ascii_digit()));
    let colon = match (rest.find(']'), rest.strip_prefix('[')) {
        (Some(close), _) => Some(close + 1).filter(|at| rest[*at..].starts_with(':')),
        (None, Some(address)) if is_ipv6(address) => None,
        (None, Some(_)) => rest.rfind(':'),
        (None, None) => rest.find(':'),
    };
    match colon.filter(|at| digits_after(*at)) {
        Some(at) => (user, &rest[..at], rest.get(at + 1..)),
        None => (user, rest, None),
    }
}

/// Returns whether the patterns match an IPv6 address. A mistake in them requires a group before two colons and six groups.
fn is_ipv6(text: &str) -> bool {
    let groups = text.strip_prefix("::").map(|rest| rest.split(':').count() + usize::from(rest.contains('.')));
    groups != Some(6) && text.parse::<std::net::Ipv6Addr>().is_ok()
}

/// Returns whether `host` is one of RFC 3986. `is_open` is a mistake in a pattern: an IPv6 address is not followed by a bracket, and a later kind
/// of address is not preceded by one.
fn is_host(host: &str, is_open: bool) -> bool {
    let in_brackets = |text: &str| text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).map(str::to_owned);
    let own = |text: Option<String>, is: fn(&str) -> bool| text.is_some_and(|text| is(&text));
    let is_future = |text: &str| {
        let (number, rest) = cut(text.strip_prefix('v').unwrap_or_default(), ".");
        let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_hexdigit());
        is_number && rest.is_some_and(|rest| !rest.is_empty() && is_user(rest) && !rest.contains('%'))
    };
    let (address, future) = match is_open {
        true => (host.strip_prefix('[').map(str::to_owned), host.strip_suffix(']').map(str::to_owned)),
        false => (in_brackets(host), in_brackets(host)),
    };
    own(address, is_ipv6) || own(future, is_future) || is_user(host) && !host.contains(':')
}

/// Returns whether an authority of the side that is read matches RFC 3986's pattern.
fn is_authority(s: &State<'_>, authority: &str) -> bool {
    let (user, host, _) = divided(authority);
    let is_open = s.present(s.own(Part::Scheme)).is_none() && !s.has(&BRACKETS);
    user.is_none_or(is_user) && is_host(host, is_open)
}

/// An authority as `Generic` stores it.
#[derive(Default)]
struct Stored {
    user: Option<String>,
    host: Option<String>,
    port: Option<String>,
}

impl Stored {
    fn of(s: &State<'_>, of: fn(Part) -> Slot) -> Self {
        let Some(text) = s.present(of(Part::Authority)) else { return Self::default() };
        let (user, host, port) = divided(text);
        let has_host = !host.is_empty() || s.present(of(Part::Host)).is_some();
        Self { user: user.map(str::to_owned), host: has_host.then(|| host.to_owned()), port: port.map(str::to_owned) }
    }

    fn is_empty(&self) -> bool {
        self.user.is_none() && self.host.is_none() && self.port.is_none()
    }

    fn write(self, s: &mut State<'_>, of: fn(Part) -> Slot) -> Next {
        let user = self.user.as_ref().map(|user| format!("{user}@")).unwrap_or_default();
        let port = self.port.as_ref().map(|port| format!(":{port}")).unwrap_or_default();
        let text = (!self.is_empty()).then(|| format!("{user}{}{port}", self.host.as_deref().unwrap_or_default()));
        s.set(of(Part::Authority), text);
        s.set(of(Part::Host), self.host);
        Go
    }
}

/// Returns whether what follows the scheme is stored as opaque, with its query.
fn is_opaque(s: &State<'_>, of: fn(Part) -> Slot) -> bool {
    let path = s.get(of(Part::Path));
    let begins_with_query = s.is_marked("rfc2396") && path.is_empty() && s.present(of(Part::Query)).is_some();
    let is_rootless = !path.is_empty() && !path.starts_with('/');
    let has_scheme = s.present(of(Part::Scheme)).is_some();
    has_scheme && s.present(of(Part::Authority)).is_none() && (is_rootless || begins_with_query)
}

fn has_scheme(s: &State<'_>, name: &str) -> bool {
    s.present(s.own(Part::Scheme)) == Some(name)
}

pub(crate) fn take_text(s: &mut State<'_>) -> Next {
    s.rest = s.given().to_owned();
    s.write_text();
    Go
}

/// Cuts the text that the rows of either parser check: scheme, fragment, query, authority, path.
pub(crate) fn cut_components(s: &mut State<'_>) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let (scheme, rest) = urlstrata_steps::text::scheme(&rest).map_or((None, rest.as_str()), |(scheme, rest)| (Some(scheme), rest));
    let (rest, fragment) = cut(rest, "#");
    let (rest, query) = cut(rest, "?");
    let (authority, path) = match rest.strip_prefix("//") {
        Some(after) => {
            let (authority, path) = until(after, &['/']);
            (Some(authority), path)
        }
        None => (None, rest),
    };
    let of = s.of();
    s.set(of(Part::Scheme), scheme);
    s.set(of(Part::Authority), authority);
    s.set(of(Part::Path), path);
    s.set(of(Part::Query), query);
    s.set(of(Part::Fragment), fragment);
    Go
}

/// Rejects a path with other characters, and a colon in the first segment without a scheme.
pub(crate) fn check_path(s: &mut State<'_>) -> Next {
    let slot = s.own(Part::Path);
    let path = s.get(slot);
    let is_relative = s.present(s.own(Part::Scheme)).is_none() && s.present(s.own(Part::Authority)).is_none();
    if !is_path(path) {
        return s.reject(slot, "a character that a path does not have");
    }
    if is_relative && until(path, &['/']).0.contains(':') {
        return s.reject(slot, "a colon in the first segment without a scheme");
    }
    Go
}

pub(crate) fn cut_host(s: &mut State<'_>) -> Next {
    if let Some(authority) = s.present(s.own(Part::Authority)) {
        let host = divided(authority).1.to_owned();
        s.set(s.own(Part::Host), host);
    }
    Go
}

/// An empty host is absent if `is` holds for the side that is read.
pub(crate) fn empty_host(s: &mut State<'_>, is: fn(&State<'_>) -> bool) -> Next {
    let of = s.of();
    if s.present(of(Part::Host)) == Some("") && is(s) {
        s.set(of(Part::Host), None::<&str>);
        return Stored::of(s, of).write(s, of);
    }
    Go
}

/// `RFC3986_Parser#split`, for the base and the reference.
static SPLIT: &[Step] = &[
    Step::new("RFC3986_Parser#split", "take the text as it is", take_text),
    Step::new("split: ascii_only?", "reject a text that is not ASCII", |s| {
        let slot = s.own(Part::Text);
        if s.get(slot).is_ascii() { Go } else { s.reject(slot, "a character that is not ASCII") }
    }),
    Step::new(
        "RFC3986_URI or RFC3986_relative_ref",
        "match a name before a colon as the scheme, the part after the first # as the fragment, after the first ? as the query, and after two \
         slashes up to the next one as the authority",
        cut_components,
    ),
    Step::new(
        "RFC3986_relative_ref: path-absolute",
        "without a scheme, two slashes belong to the path if no authority follows them",
        |s| {
            let of = s.of();
            let Some(authority) = s.present(of(Part::Authority)) else { return Go };
            let path = format!("//{authority}{}", s.get(of(Part::Path)));
            if s.present(of(Part::Scheme)).is_none() && !is_authority(s, authority) && is_path(&path) {
                s.set(of(Part::Authority), None::<&str>);
                s.set(of(Part::Path), path);
            }
            Go
        },
    )
    .since(&PATTERNS),
    Step::new("RFC3986_URI or RFC3986_relative_ref: authority", "reject an authority that is not [user@]host[:port] of RFC 3986, or an IPv6 address of two colons and six groups", |s| {
        let slot = s.own(Part::Authority);
        let is_valid = s.present(slot).is_none_or(|authority| is_authority(s, authority));
        if is_valid { Go } else { s.reject(slot, "not an authority of RFC 3986") }
    }),
    Step::new("RFC3986_URI or RFC3986_relative_ref: path", "reject other characters than RFC 3986's, and a colon in the first segment without a scheme", check_path),
    Step::new("RFC3986_URI or RFC3986_relative_ref: fragment", "reject a fragment with other characters than RFC 3986's", |s| {
        let slot = s.own(Part::Fragment);
        let is_valid = has_only(s.get(slot), |it| (it == b'?').then_some(true));
        if is_valid { Go } else { s.reject(slot, "a character that a fragment does not have") }
    }),
    Step::new("RFC3986_URI or RFC3986_relative_ref: host", "the host is what remains of the authority", cut_host),
    Step::new("RFC3986_URI: reg-name", "an empty host is absent", |s| empty_host(s, |_| true)).until(&EMPTY_HOST),
    Step::new("RFC3986_relative_ref: reg-name", "without a scheme, an empty host is absent", |s| {
        empty_host(s, |s| s.present(s.own(Part::Scheme)).is_none())
    })
    .since(&EMPTY_HOST)
    .until(&PATTERNS),
    Step::new("RFC3986_relative_ref: host", "without a scheme, an empty host is absent unless a user precedes it", |s| {
        empty_host(s, |s| s.present(s.own(Part::Scheme)).is_none() && !s.get(s.own(Part::Authority)).contains('@'))
    })
    .since(&PATTERNS),
    Step::new("RFC3986_Parser#parse", "create an object of the scheme's class", |s| Call(INITIALIZE, s.side)),
];

/// `initialize` of `Generic` and its classes, for the base and the reference.
pub(crate) static INITIALIZE: &[Step] = &[
    Step::new("Generic#set_scheme", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        if let Some(scheme) = s.present(slot) {
            let scheme = scheme.to_ascii_lowercase();
            s.set(slot, scheme);
        }
        Go
    }),
    Step::new("Generic#split_userinfo", "an empty user without a password is absent", |s| {
        let of = s.of();
        let mut stored = Stored::of(s, of);
        stored.user = stored.user.filter(|user| !user.is_empty());
        stored.write(s, of)
    }),
    Step::new("Generic#set_port", "an empty port is absent, and others are numbers", |s| {
        let of = s.of();
        let mut stored = Stored::of(s, of);
        stored.port = stored.port.filter(|port| !port.is_empty()).map(number);
        stored.write(s, of)
    }),
    Step::new("File#set_userinfo, set_port, set_host", "file has no user and port, and localhost and no host are an empty host", |s| {
        let of = s.of();
        if !has_scheme(s, "file") {
            return Go;
        }
        if is_opaque(s, of) {
            s.set(of(Part::Host), "");
            return Go;
        }
        let host = file_host(Stored::of(s, of).host);
        Stored { host: Some(host), ..Stored::default() }.write(s, of)
    }),
    Step::new(
        "Generic#query=",
        "remove tabs and ends of lines from a query, reject a percent sign before two characters that are not hexadecimal, and encode spaces, \
         control characters, \", ', <, > and `; an opaque part keeps its query as it is",
        |s| {
            let slot = s.own(Part::Query);
            let Some(query) = s.present(slot).filter(|_| !is_opaque(s, s.of())) else { return Go };
            let query: String = query.chars().filter(|it| !matches!(it, '\t' | '\r' | '\n')).collect();
            let is_hex = |it: &u8| it.is_ascii_hexdigit();
            if query.as_bytes().windows(3).any(|it| it[0] == b'%' && !is_hex(&it[1]) && !is_hex(&it[2])) {
                return s.reject(slot, "an escape without hexadecimal digits");
            }
            let query = urlstrata_steps::text::encoded(&query, |it| it.is_ascii_graphic() && !b"\"'<>`".contains(&it));
            s.set(slot, query);
            Go
        },
    ),
    Step::new("FTP#initialize", "reject an ftp path without a slash, write an empty one as /, and encode a second slash", |s| {
        let slot = s.own(Part::Path);
        if !has_scheme(s, "ftp") {
            return Go;
        }
        if is_opaque(s, s.of()) {
            return s.reject(slot, "no path");
        }
        let path = s.get(slot);
        let path = path.strip_prefix('/').unwrap_or(path);
        let path = path.strip_prefix("%2F").map_or_else(|| ftp_path(path), |rest| ftp_path(&format!("/{rest}")));
        s.set(slot, path);
        Go
    }),
    Step::new("LDAP#initialize", "reject ldap with a fragment, or without a path", |s| {
        if !has_scheme(s, "ldap") && !has_scheme(s, "ldaps") {
            return Go;
        }
        let fragment = s.own(Part::Fragment);
        if s.present(fragment).is_some() {
            return s.reject(fragment, "ldap does not have fragments");
        }
        if is_opaque(s, s.of()) { s.reject(s.own(Part::Path), "no path") } else { Go }
    }),
    Step::new(
        "MailTo#initialize",
        "mailto has addresses with one @ each, without an opaque part only a query; reject others, and drop empty headers at the end",
        |s| {
            let of = s.of();
            if !has_scheme(s, "mailto") {
                return Go;
            }
            let headers = s.present(of(Part::Query)).map(|query| query.trim_end_matches('&').to_owned()).filter(|it| !it.is_empty());
            if !is_opaque(s, of) {
                if s.present(of(Part::Query)).is_none() {
                    return s.reject(of(Part::Path), "no address");
                }
                s.set(of(Part::Authority), None::<&str>);
                s.set(of(Part::Path), "");
            }
            let to = s.get(of(Part::Path));
            let list = to.strip_suffix([',', ';']).unwrap_or(to);
            let is_address = |it: &str| it.split_once('@').is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('@'));
            if !to.is_empty() && !list.split([',', ';']).all(is_address) {
                return s.reject(of(Part::Path), "not an address");
            }
            s.set(of(Part::Query), headers);
            Go
        },
    ),
];

fn number(digits: String) -> String {
    let short = digits.trim_start_matches('0');
    if short.is_empty() && !digits.is_empty() { "0".to_owned() } else { short.to_owned() }
}

fn file_host(host: Option<String>) -> String {
    host.filter(|host| host != "localhost").unwrap_or_default()
}

/// `FTP#set_path`: a path is relative to the folder of the user, and an encoded slash leads out of it.
fn ftp_path(path: &str) -> String {
    path.strip_prefix('/').map_or_else(|| format!("/{path}"), |rest| format!("/%2F{rest}"))
}

/// `FTP#path` and its type code.
fn ftp_divided(path: &str) -> (String, Option<&str>) {
    let (path, code) = cut(path, ";type=");
    let path = path.strip_prefix('/').unwrap_or(path);
    (path.strip_prefix("%2F").map_or_else(|| path.to_owned(), |rest| format!("/{rest}")), code)
}

fn base_path(s: &State<'_>) -> String {
    let path = s.get(Slot::Base(Part::Path));
    if s.get(Slot::Base(Part::Scheme)) == "ftp" { ftp_divided(path).0 } else { path.to_owned() }
}

/// Returns the segments of a path as Ruby's `split` does: an empty text has none.
fn segments(path: &str) -> Vec<String> {
    if path.is_empty() { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// Removes . and inner .. segments of a reference's path, and ends it in a slash after either.
fn without_inner_dots(path: &str) -> Vec<String> {
    let mut own: Vec<String> = path.split('/').map(str::to_owned).collect();
    if own.last().is_some_and(|last| last == "." || last == "..") {
        own.push(String::new());
    }
    let mut kept: Vec<String> = Vec::new();
    for segment in own.into_iter().filter(|it| it != ".") {
        if segment == ".." && kept.last().is_some_and(|last| last != "..") {
            kept.pop();
        } else {
            kept.push(segment);
        }
    }
    kept
}

/// `RFC3986_Parser#join`.
pub(crate) static JOIN: &[Step] = &[
    Step::new("RFC3986_Parser#join", "parse the base", |_| Call(SPLIT, Side::Base)),
    Step::new("RFC3986_Parser#convert_to_uri", "parse the reference", |_| Call(SPLIT, Side::Reference)),
    Step::new("join: merge", "merge them", |_| Call(MERGE, Side::Reference)),
];

/// `Generic#merge`, its overriding in `FTP`, and `to_s`.
pub(crate) static MERGE: &[Step] = &[
    Step::new("Generic#merge: absolute?", "a reference with a scheme is the target", |s| {
        if s.present(Slot::Ref(Part::Scheme)).is_none() {
            return Go;
        }
        s.set(Slot::Used, "nothing");
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        if is_opaque(s, Slot::Ref) || s.get(Slot::Ref(Part::Scheme)) == "mailto" {
            s.mark("opaque");
        }
        s.flow(Slot::Out(Part::Host), Slot::Ref(Part::Host));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        To("FTP#merge")
    }),
    Step::new("Generic#merge: both URI are relative", "reject a base without a scheme", |s| {
        if s.present(Slot::Base(Part::Scheme)).is_none() {
            return s.reject(Slot::Base(Part::Scheme), "no scheme");
        }
        s.inherit(Part::Scheme);
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        if is_opaque(s, Slot::Base) || s.get(Slot::Base(Part::Scheme)) == "mailto" {
            s.mark("opaque");
        }
        Go
    }),
    Step::new(
        "Generic#merge: RFC2396, Section 5.2, 2)",
        "without a path, an authority and a query, inherit all of the base's, and its fragment if there is none",
        |s| {
            let has_query = s.present(Slot::Ref(Part::Query)).is_some();
            if !s.get(Slot::Ref(Part::Path)).is_empty() || !Stored::of(s, Slot::Ref).is_empty() || has_query {
                return Go;
            }
            inherit_authority(s);
            inherit_path(s);
            s.inherit(Part::Query);
            if s.present(Slot::Ref(Part::Fragment)).is_none() {
                s.inherit(Part::Fragment);
            }
            To("FTP#merge")
        },
    ),
    Step::new("Generic#merge: opaque", "a base with an opaque part keeps it, whatever the authority and the path are, and rejects a query", |s| {
        if !s.is_marked("opaque") {
            return Go;
        }
        if s.present(Slot::Ref(Part::Query)).is_some() {
            return s.reject(Slot::Ref(Part::Query), "the base has an opaque part");
        }
        s.inherit(Part::Authority);
        inherit_path(s);
        s.inherit(Part::Query);
        To("FTP#merge")
    }),
    Step::new(
        "Generic#merge: authority",
        "the user, host and port of the reference replace those of the base, each if there is one; a user without a password keeps the base's",
        |s| {
            let own = with_base_password(s);
            if own.is_empty() {
                return Go;
            }
            if own.host.is_none() {
                s.inherit_as("host");
            }
            let default = default_port(s, s.get(Slot::Base(Part::Scheme)));
            let base = Stored::of(s, Slot::Base);
            let base_port = base.port.filter(|port| default != Some(port));
            let (user, host, port) = (own.user.or(base.user), own.host.or(base.host), own.port.or(base_port));
            write_merged(s, Stored { user, host, port }, true)
        },
    )
    .until(&CREDENTIALS),
    Step::new(
        "Generic#merge: set_userinfo, set_host, set_port",
        "the authority of the reference replaces that of the base, but a user without a password keeps the base's; a file has only a host, and localhost is the empty one",
        |s| {
            let own = with_base_password(s);
            if own.is_empty() { Go } else { write_merged(s, own, true) }
        },
    )
    .since(&CREDENTIALS)
    .until(&PASSWORD),
    Step::new("Generic#merge: set_authority", "the authority of the reference replaces that of the base", |s| {
        let own = Stored::of(s, Slot::Ref);
        if own.is_empty() { Go } else { write_merged(s, own, false) }
    })
    .since(&PASSWORD),
    Step::new("merge_path: base_path", "inherit the authority; remove each .. segment of the base's path with the one before it; nothing remains if .. is the first", |s| {
        inherit_authority(s);
        let mut base = segments(&base_path(s));
        if base.last().is_some_and(|last| last == "..") {
            base.push(String::new());
        }
        while let Some(at) = base.iter().position(|segment| segment == "..") {
            s.decide(Slot::Merged);
            match at {
                0 => drop(base.pop()),
                _ => drop(base.drain(at - 1..=at)),
            }
        }
        s.segments = base;
        Go
    }),
    Step::new("merge_path: base_path.clear", "a path that begins with a slash is not merged", |s| {
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        s.segments = vec![String::new()];
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("merge_path: tmp")
    }),
    Step::new("merge_path: base_path.pop", "the path follows the base's up to its last slash, or a slash if the base's is empty; without a path, inherit the base's", |s| {
        let own = s.get(Slot::Ref(Part::Path)).to_owned();
        let is_root = s.segments.is_empty();
        if own.is_empty() {
            s.inherit_as("path");
            let merged = s.segments.join("/");
            s.flow(Slot::Merged, Slot::Base(Part::Path));
            s.set(Slot::Merged, merged);
            s.flow(Slot::NoDots, Slot::Merged);
            return To("FTP#set_path");
        }
        match is_root {
            true => s.segments.push(String::new()),
            false => drop(s.segments.pop()),
        }
        s.inherit_as("folder");
        let merged = format!("{}{own}", joined(&s.segments));
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "merge_path: tmp",
        "remove . segments of the reference's path, and .. segments with the one before them, but never the first; end in a slash after either",
        |s| {
            let mut all = std::mem::take(&mut s.segments);
            let merged = s.get(Slot::Merged);
            let own = without_inner_dots(merged.strip_prefix(&joined(&all)).unwrap_or(merged));
            let excess = own.iter().take_while(|segment| *segment == "..").count();
            for _ in 0..excess.min(all.len().saturating_sub(1)) {
                all.pop();
            }
            all.extend(own.into_iter().skip(excess));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, all.join("/"));
            Go
        },
    ),
    Step::new("FTP#set_path", "an ftp path begins with a slash, encodes a second one, and keeps the base's type code", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        if s.get(Slot::Out(Part::Scheme)) == "ftp" {
            let code = ftp_divided(s.get(Slot::Base(Part::Path))).1.map(|code| format!(";type={code}")).unwrap_or_default();
            let path = format!("{}{code}", ftp_path(s.get(Slot::NoDots)));
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("FTP#merge", "reject a base with ftp, unless the target has the same scheme, authority, path and type code", |s| {
        if s.get(Slot::Base(Part::Scheme)) != "ftp" {
            return Go;
        }
        let of = |of: fn(Part) -> Slot| {
            let (user, _, port) = divided(s.get(of(Part::Authority)));
            let (path, code) = ftp_divided(s.get(of(Part::Path)));
            let path = if path.is_empty() { "/".to_owned() } else { path };
            let host = Stored::of(s, of).host.map(|host| host.to_ascii_lowercase());
            (user.map(str::to_owned), host, port.unwrap_or("21").to_owned(), path, code.map(str::to_owned))
        };
        let (base, target) = (of(Slot::Base), of(Slot::Out));
        if s.get(Slot::Out(Part::Scheme)) != "ftp" {
            return s.reject(Slot::Out(Part::Scheme), "another scheme than the base's ftp");
        }
        match base == target {
            true => Go,
            false => s.reject(Slot::Out(Part::Path), "another target than the base, which is ftp"),
        }
    }),
    Step::new("Generic#to_s: port", "write no port that is the default port of the scheme", |s| {
        let default = default_port(s, s.get(Slot::Out(Part::Scheme)));
        if let (Some(authority), Some(default)) = (s.present(Slot::Out(Part::Authority)), default)
            && divided(authority).2 == Some(default)
        {
            let authority = authority.strip_suffix(&format!(":{default}")).unwrap_or(authority);
            let authority = Some(authority).filter(|it| !it.is_empty() || s.present(Slot::Out(Part::Host)).is_some()).map(str::to_owned);
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    }),
    Step::new("Generic#to_s: path", "write a slash before a path without one if there is a host or a port, also a default port", |s| {
        let path = s.get(Slot::Out(Part::Path));
        let Stored { host, port, .. } = Stored::of(s, Slot::Out);
        let has_port = port.is_some() || default_port(s, s.get(Slot::Out(Part::Scheme))).is_some();
        if (host.is_some() || has_port) && !s.is_marked("opaque") && !path.is_empty() && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    })
    .since(&SLASH),
    Step::new("Generic#to_s: host", "write // before a host, and always for file and postgres; without them, the user and port follow the scheme", |s| {
        let authority = s.get(Slot::Out(Part::Authority)).to_owned();
        if s.is_marked("opaque") {
            return Go;
        }
        if matches!(s.get(Slot::Out(Part::Scheme)), "file" | "postgres") {
            s.set(Slot::Out(Part::Authority), authority);
        } else if Stored::of(s, Slot::Out).host.is_none() && s.present(Slot::Out(Part::Authority)).is_some() {
            let path = format!("{authority}{}", s.get(Slot::Out(Part::Path)));
            s.set(Slot::Out(Part::Authority), None::<&str>);
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("Generic#to_s", "concatenate the components", |s| s.concatenate()),
];

/// Returns segments before a last one.
fn joined(segments: &[String]) -> String {
    segments.iter().map(|segment| format!("{segment}/")).collect()
}

fn inherit_authority(s: &mut State<'_>) {
    s.inherit(Part::Authority);
    s.flow(Slot::Out(Part::Host), Slot::Base(Part::Host));
}

fn inherit_path(s: &mut State<'_>) {
    s.inherit_as("path");
    s.flow(Slot::Merged, Slot::Base(Part::Path));
    s.flow(Slot::NoDots, Slot::Base(Part::Path));
    s.flow(Slot::Out(Part::Path), Slot::Base(Part::Path));
}

/// Returns the authority of the reference, its user with the password of the base if it has none.
fn with_base_password(s: &mut State<'_>) -> Stored {
    let mut own = Stored::of(s, Slot::Ref);
    let password = Stored::of(s, Slot::Base).user.as_deref().and_then(|user| cut(user, ":").1.map(str::to_owned));
    if let (Some(user), Some(password)) = (own.user.as_mut().filter(|user| !user.contains(':')), password) {
        s.inherit_as("password");
        user.push_str(&format!(":{password}"));
    }
    own
}

/// Writes the authority of a target whose reference has one. The setters of `File` store only a host.
fn write_merged(s: &mut State<'_>, mut stored: Stored, has_setters: bool) -> Next {
    if has_setters && s.get(Slot::Out(Part::Scheme)) == "file" {
        stored = Stored { host: Some(file_host(stored.host)), ..Stored::default() };
    }
    s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
    stored.write(s, Slot::Out);
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.flow(Slot::NoDots, Slot::Ref(Part::Path));
    To("FTP#set_path")
}

/// `RFC3986_Parser#parse`, and the methods of the URI that return its components.
pub(crate) static ACCESSORS: &[Step] = &[
    Step::new("RFC3986_Parser#parse: the URI", "parse the URI", |_| Call(SPLIT, Side::Reference)),
    Step::new("RFC3986_Parser#parse: Generic", "state its components", |_| Call(COMPONENTS, Side::Reference)),
];

/// The methods of `Generic` and its classes that return components.
pub(crate) static COMPONENTS: &[Step] = &[
    Step::new("Generic#scheme, host, path, query, fragment", "state the components", |s| {
        for part in [Part::Scheme, Part::Host, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new("Generic#opaque, MailTo#to", "an opaque URI and mailto have neither a path nor a query", |s| {
        if is_opaque(s, Slot::Ref) || has_scheme(s, "mailto") {
            s.set(Slot::Out(Part::Path), None::<&str>);
            s.set(Slot::Out(Part::Query), None::<&str>);
        }
        Go
    }),
    Step::new("FTP#path", "an ftp path has no slash at its beginning, unless it is encoded, and no type code", |s| {
        if has_scheme(s, "ftp") {
            let path = ftp_divided(s.get(Slot::Out(Part::Path))).0;
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("Generic#userinfo", "state the user with the password", |s| {
        let user = Stored::of(s, Slot::Ref).user;
        s.set(Slot::Out(Part::Userinfo), user);
        Go
    }),
    Step::new("Generic#port", "without a port, state the default port of the scheme", |s| {
        let default = default_port(s, s.get(Slot::Ref(Part::Scheme)));
        let port = Stored::of(s, Slot::Ref).port.or(default.map(str::to_owned));
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
    Step::new("Generic: no authority", "no method of most classes returns the authority", |s| {
        s.set(Slot::Out(Part::Authority), None::<&str>);
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("HTTP#authority", "of http and https, state the host as the authority, with a port that is not the default", |s| {
        let scheme = s.get(Slot::Ref(Part::Scheme));
        if !matches!(scheme, "http" | "https") {
            return Go;
        }
        let port = s.present(Slot::Out(Part::Port)).filter(|port| default_port(s, scheme) != Some(port));
        let host = s.present(Slot::Out(Part::Host));
        let authority = match port {
            Some(port) => Some(format!("{}:{port}", host.unwrap_or_default())),
            None => host.map(str::to_owned),
        };
        s.set(Slot::Out(Part::Authority), authority);
        Go
    })
    .since(&AUTHORITY),
];
