//! Xerces-J's URI: `new URI(new URI(base), reference)`, and the accessors of `new URI(url)`.
//!
//! Read from `org/apache/xerces/util/URI.java` of Xerces-J 2.12.2, which has not changed since 2.12.1. If the base is unknown, the reference is read
//! alone.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::is_escape;
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::{rfc3986, urllib};

/// Xerces-J's URI.
pub static TABLE: Table = Table {
    engine: "xerces",
    first: "2.12.1",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `initialize`, up to `absolutize`.
static PARSE: &[Step] = &[
    Step::new("initialize: uriSpecLen == 0", "reject an empty text, unless there is a base", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        match s.rest.is_empty() && is_alone(s) {
            true => s.reject(s.own(Part::Text), "it is empty"),
            false => Go,
        }
    }),
    Step::new("initialize: colonIdx", "the text before the first colon is the scheme, if it has no /, ? or #; reject an empty one", |s| {
        let found = s.rest.split_once(':').filter(|(name, _)| !name.contains(['/', '?', '#']));
        let found = found.map(|(name, rest)| (name.to_owned(), rest.to_owned()));
        let slot = s.own(Part::Scheme);
        s.set(slot, found.as_ref().map(|(name, _)| name.clone()));
        s.rest = found.map_or_else(|| std::mem::take(&mut s.rest), |(_, rest)| rest);
        match s.present(slot) {
            Some("") => s.reject(slot, "it is empty"),
            _ => Go,
        }
    }),
    Step::new("isConformantSchemeName", "reject a scheme that is not a letter, then letters, digits, +, - and .", rfc3986::check_scheme),
    Step::new("setScheme: toLowerCase", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        if let Some(name) = s.present(slot).map(str::to_ascii_lowercase) {
            s.set(slot, name);
        }
        Go
    }),
    Step::new("initialize: No scheme found in URI", "reject a text without a scheme and a base, unless it begins with #", |s| {
        let slot = s.own(Part::Scheme);
        match s.present(slot).is_none() && is_alone(s) && !s.rest.starts_with('#') {
            true => s.reject(slot, "the URI has no scheme"),
            false => Go,
        }
    }),
    Step::new("initialize: Scheme specific part cannot be empty", "reject a text that ends after the scheme, or continues with #", |s| {
        let slot = s.own(Part::Scheme);
        match s.present(slot).is_some() && (s.rest.is_empty() || s.rest.starts_with('#')) {
            true => s.reject(slot, "nothing follows it"),
            false => Go,
        }
    }),
    Step::new(
        "initializeAuthority",
        "after two slashes, the part up to the next /, ? or # is the authority, if it is a server or a name; otherwise the path begins with the slashes",
        |s| {
            let rest = s.rest.clone();
            rfc3986::cut_authority(s);
            let slot = s.own(Part::Authority);
            let Some(authority) = s.present(slot) else { return Go };
            if !authority.is_empty() && Server::of(authority).is_none() && !conforms(authority, PATH) {
                s.set(slot, None::<&str>);
                s.rest = rest;
            }
            Go
        },
    ),
    Step::new("initializeAuthority: m_port", "write the port of a server as a number; an empty one is none", |s| {
        let slot = s.own(Part::Authority);
        let written = s.present(slot).and_then(Server::of).map(|it| it.written());
        if let Some(written) = written.filter(|it| it != s.get(slot)) {
            s.set(slot, written);
        }
        Go
    }),
    Step::new("initializePath", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("initializePath: isPathCharacter", "reject a path with a character that is not allowed, if there is no scheme or it begins with a slash", |s| {
        let slot = s.own(Part::Path);
        let is_path = s.present(s.own(Part::Scheme)).is_none() || s.get(slot).starts_with('/');
        match !is_path || conforms(s.get(slot), PATH) {
            true => Go,
            false => s.reject(slot, "it contains a character that is not allowed, or a percent sign without two hexadecimal digits"),
        }
    }),
    Step::new("initializePath: opaque_part", "reject the path of another URI with a character that is not allowed; square brackets are", |s| check(s, Part::Path)),
    Step::new("initializePath: m_queryString", "reject a query with a character that is not allowed", |s| check(s, Part::Query)),
    Step::new("initializePath: m_fragment", "reject a fragment with a character that is not allowed", |s| check(s, Part::Fragment)),
];

fn is_alone(s: &State<'_>) -> bool {
    s.side == Side::Base || s.base.is_empty()
}

/// The characters beside letters and digits: marks, and those of a path, user information and any part of a URI.
const PATH: &str = "-_.!~*'();/:@&=+$,";
const USERINFO: &str = "-_.!*'();:&=+$,";
const URIC: &str = "-_.!~*'();/?:@&=+$,[]";

fn conforms(text: &str, others: &str) -> bool {
    let is_allowed = |(at, it): (usize, char)| match it {
        '%' => is_escape(&text[at..]),
        _ => it.is_ascii_alphanumeric() || others.contains(it),
    };
    text.char_indices().all(is_allowed)
}

fn check(s: &mut State<'_>, part: Part) -> Next {
    let slot = s.own(part);
    match conforms(s.get(slot), URIC) {
        true => Go,
        false => s.reject(slot, "it contains a character that is not allowed, or a percent sign without two hexadecimal digits"),
    }
}

/// A valid authority that is a server.
struct Server<'a> {
    user: Option<&'a str>,
    host: &'a str,
    port: Option<u16>,
}

impl<'a> Server<'a> {
    /// `isValidServerBasedAuthority`: the port follows the last colon, or the one after a closing bracket.
    fn of(text: &'a str) -> Option<Self> {
        let (user, server) = text.split_once('@').map_or((None, text), |(user, server)| (Some(user), server));
        let end = match server.starts_with('[') {
            true => server.find(']').map(|at| at + 1).filter(|at| server[*at..].starts_with(':')),
            // The search covers the user information, too, so that only a colon after the first character of the host counts.
            false => server.rfind(':').filter(|at| *at > 0),
        };
        let (host, port) = end.map_or((server, ""), |at| (&server[..at], &server[at + 1..]));
        let port = match port {
            "" => None,
            _ => Some(integer(port)?),
        };
        let is_valid = is_address(host) && user.is_none_or(|user| conforms(user, USERINFO));
        is_valid.then_some(Self { user, host, port })
    }

    fn written(&self) -> String {
        let user = self.user.map(|user| format!("{user}@")).unwrap_or_default();
        format!("{user}{}{}", self.host, self.port.map(|port| format!(":{port}")).unwrap_or_default())
    }
}

/// `Integer.parseInt`, which reads digits of all scripts that are one unit of UTF-16, and a sign, and the limits of a port.
fn integer(text: &str) -> Option<u16> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digit = |it: char| urllib::digit(it).filter(|_| it <= '\u{ffff}').and_then(|it| char::from_digit(it, 10));
    let digits: Option<String> = digits.chars().map(digit).collect();
    digits?.parse().ok().filter(|port| *port == 0 || !is_negative)
}

/// `isWellFormedAddress`.
fn is_address(host: &str) -> bool {
    if host.starts_with('[') {
        return host.len() > 2 && host.ends_with(']') && is_ipv6(&host[1..host.len() - 1]);
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    let last = name.rsplit('.').next().unwrap_or_default();
    if last.starts_with(|it: char| it.is_ascii_digit()) {
        return is_ipv4(host) && !host.starts_with('.');
    }
    let is_label = |it: &str| {
        let is_end = |it: Option<char>| it.is_some_and(|it| it.is_ascii_alphanumeric());
        it.len() <= 63 && is_end(it.chars().next()) && is_end(it.chars().next_back()) && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
    };
    host.len() <= 255 && name.split('.').all(is_label)
}

/// `isWellFormedIPv4Address`: a number has up to three digits, and is below 256 if it has three. The last one may be absent.
fn is_ipv4(text: &str) -> bool {
    let numbers: Vec<&str> = text.split('.').collect();
    let is_number = |(at, it): (usize, &&str)| {
        it.bytes().all(|it| it.is_ascii_digit())
            && match it.len() {
                0 => at == 3 || at == 0,
                1 | 2 => true,
                3 => it.parse::<u16>().is_ok_and(|it| it < 256),
                _ => false,
            }
    };
    numbers.len() == 4 && numbers.iter().enumerate().all(is_number)
}

/// `isWellFormedIPv6Reference`.
fn is_ipv6(text: &str) -> bool {
    let mut count = 0;
    let Some(at) = scan(text, 0, &mut count) else { return false };
    if at == text.len() {
        return count == 8;
    }
    if at + 1 >= text.len() || !text[at..].starts_with(':') {
        return false;
    }
    if !text[at..].starts_with("::") {
        return count == 6 && is_ipv4(&text[at + 1..]);
    }
    count += 1;
    if count > 8 {
        return false;
    }
    if at + 2 == text.len() {
        return true;
    }
    let before = count;
    match scan(text, at + 2, &mut count) {
        Some(end) if end == text.len() => true,
        Some(end) => is_ipv4(&text[if count > before { end + 1 } else { end }..]),
        None => false,
    }
}

/// `scanHexSequence`: where groups of hexadecimal digits end, at two colons or before an IPv4 address.
fn scan(text: &str, start: usize, count: &mut usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut digits = 0;
    for at in start..bytes.len() {
        match bytes[at] {
            b':' => {
                if digits > 0 {
                    *count += 1;
                    if *count > 8 {
                        return None;
                    }
                }
                if digits == 0 || bytes.get(at + 1) == Some(&b':') {
                    return Some(at);
                }
                digits = 0;
            }
            it if it.is_ascii_hexdigit() => {
                digits += 1;
                if digits > 4 {
                    return None;
                }
            }
            b'.' if digits < 4 && digits > 0 && *count <= 6 => return Some((at - digits).checked_sub(1).filter(|it| *it >= start).unwrap_or(at - digits)),
            _ => return None,
        }
    }
    if digits > 0 {
        *count += 1;
    }
    (digits > 0 && *count <= 8).then_some(bytes.len())
}

/// `initialize` and `absolutize`.
static RESOLVE: &[Step] = &[
    Step::new("new URI(base)", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("initialize: p_uriSpec", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("initialize: p_base != null", "without a base, the target is the reference", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        match s.base.is_empty() {
            true => {
                s.copy(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
                s.copy(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
                s.set(Slot::Used, "nothing");
                s.flow(Slot::Merged, Slot::Ref(Part::Path));
                s.flow(Slot::NoDots, Slot::Merged);
                To(WRITE)
            }
            false => Go,
        }
    }),
    Step::new("initialize(p_base)", "an empty reference is a copy of the base", |s| {
        if !s.get(Slot::Ref(Part::Text)).is_empty() {
            return Go;
        }
        s.inherit(Part::Scheme);
        s.inherit(Part::Authority);
        s.inherit_as("path");
        s.inherit(Part::Query);
        s.inherit(Part::Fragment);
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        To(WRITE)
    }),
    Step::new("absolutize: m_scheme == null", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| {
        let next = rfc3986::own_scheme(s, WRITE);
        if s.present(Slot::Ref(Part::Scheme)).is_some() {
            s.flow(Slot::NoDots, Slot::Merged);
        }
        next
    }),
    Step::new("absolutize: m_host == null && m_regAuthority == null", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        let next = rfc3986::own_authority(s, WRITE);
        if s.present(Slot::Ref(Part::Authority)).is_some() {
            s.flow(Slot::NoDots, Slot::Merged);
        }
        next
    }),
    Step::new(
        "absolutize: m_path.length() == 0",
        "without a path, inherit the base's, and its query if there is none",
        |s| {
            if !s.get(Slot::Ref(Part::Path)).is_empty() {
                return Go;
            }
            s.inherit_as("path");
            if s.present(Slot::Ref(Part::Query)).is_none() {
                s.inherit(Part::Query);
            }
            s.flow(Slot::Merged, Slot::Base(Part::Path));
            s.flow(Slot::NoDots, Slot::Merged);
            To(WRITE)
        },
    ),
    Step::new("absolutize: m_path.startsWith(\"/\")", "a path that begins with a slash is not merged, and its dot segments stay", |s| {
        let next = rfc3986::rooted(s, WRITE);
        s.flow(Slot::NoDots, Slot::Merged);
        next
    }),
    Step::new("absolutize: 6a, 6b", "write the path after the base's up to its last slash, or after a slash if the base has no path", |s| {
        let base = s.get(Slot::Base(Part::Path));
        let folder = if base.is_empty() { "/" } else { urlstrata_steps::text::folder(base) };
        let merged = format!("{folder}{}", s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new("absolutize: 6c, 6d", "remove each . segment after a slash", |s| {
        let mut path = s.get(Slot::Merged).to_owned();
        while let Some(at) = path.find("/./") {
            path.replace_range(at..at + 2, "");
        }
        if path.ends_with("/.") {
            path.pop();
        }
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("absolutize: 6e", "remove each .. with the segment before it, also another ..; none, if no slash precedes the segment before the first ..", |s| {
        let path = without_double(s.get(Slot::NoDots));
        let stays = path.contains("/../");
        s.set(Slot::NoDots, path);
        if stays {
            s.keep(Slot::NoDots);
        }
        Go
    }),
    Step::new("absolutize: 6f", "remove a .. at the end with the segment before it, if a slash precedes that", |s| {
        let path = s.get(Slot::NoDots);
        let kept = path.strip_suffix("/..").and_then(|it| it.rfind('/')).map(|at| path[..=at].to_owned());
        if let Some(path) = kept {
            s.set(Slot::NoDots, path);
        }
        Go
    }),
    Step::new(WRITE, "take this path", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("URI.toString", "concatenate the components", |s| s.concatenate()),
];

const WRITE: &str = "absolutize: m_path";

/// What `absolutize` removes: the segment before the first `/../` goes, and the text up to the found one with it.
fn without_double(path: &str) -> String {
    let mut path = path.to_owned();
    let mut from = 1;
    while let Some(at) = path.get(from..).and_then(|it| it.find("/../")).map(|at| at + from) {
        let first = path.find("/../").unwrap_or(at);
        match path[..first].rfind('/') {
            Some(slash) => {
                path.replace_range(slash + 1..at + 4, "");
                from = slash;
            }
            None => from = at + 4,
        }
        if from == 0 && path.starts_with("/../") {
            break;
        }
    }
    path
}

/// `new URI(url)`, and its accessors.
static STATE: &[Step] = &[
    Step::new("new URI(url)", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("getScheme, getPath, getQueryString, getFragment", "state these as they were read", |s| {
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("initializeAuthority: isValidServerBasedAuthority", "user information, host and port are stated if the authority is a server; a name is only an authority", |s| {
        let authority = s.present(Slot::Ref(Part::Authority)).map(str::to_owned);
        let server = authority.as_deref().and_then(Server::of);
        let empty = authority.as_deref().filter(|it| it.is_empty());
        s.set(Slot::Out(Part::Userinfo), server.as_ref().and_then(|it| it.user));
        s.set(Slot::Out(Part::Host), server.as_ref().map(|it| it.host).or(empty));
        s.set(Slot::Out(Part::Port), server.and_then(|it| it.port).map(|port| port.to_string()));
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        if s.present(Slot::Out(Part::Authority)).is_none() {
            s.set(Slot::Out(Part::Authority), "");
        }
        Done
    }),
];
