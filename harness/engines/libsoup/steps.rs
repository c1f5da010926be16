//! SoupURI of libsoup 2: `soup_uri_new_with_base(soup_uri_new(base), reference)`, and the accessors of `soup_uri_new(url)`.
//!
//! Read from `libsoup/soup-uri.c` of libsoup 2.72.0 and 2.74.3. If the base is unknown, the reference is read by `soup_uri_new`. No URL is written
//! with its password.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{is_escape, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;

/// SoupURI.
pub static TABLE: Table = Table {
    engine: "libsoup",
    first: "2.72.0",
    changes: &[&DATA],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static DATA: Change = Change {
    id: "f3343989",
    versions: &["2.74.0"],
    date: "2021-08-22",
    issue: "https://gitlab.gnome.org/GNOME/libsoup/-/commit/f3343989",
    says: "the dot segments of a URL with the scheme data stay",
    witness: Witness::resolving("http://a/b", "data:/x/../y", Some("data:/y"), Some("data:/x/../y")),
};

/// `soup_uri_new_with_base`, up to where it applies the base.
static PARSE: &[Step] = &[
    Step::new("g_ascii_isspace, strcspn", "remove white space before the URL, and tabs and line breaks in it", |s| {
        let text = s.given().trim_start_matches(is_space);
        s.rest = text.replace(['\t', '\n', '\r'], "").trim_start_matches(is_space).to_owned();
        s.write_text();
        Go
    }),
    Step::new("end--", "white space at the end is not a part of the URL, but up to two characters of it are of a fragment", |s| {
        let end = s.rest.trim_end_matches(is_space).len();
        let kept = if s.rest.contains('#') { (end + 2).min(s.rest.len()) } else { end };
        s.rest.truncate(kept);
        s.write_text();
        Go
    }),
    Step::new("hash", "cut the fragment at #", |s| {
        let (rest, fragment) = urlstrata_steps::text::cut(&s.rest, "#");
        let (rest, fragment) = (rest.to_owned(), fragment.map(str::to_owned));
        s.set(s.own(Part::Fragment), fragment);
        s.rest = rest;
        Go
    }),
    Step::new("soup_uri_parse_scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let found = urlstrata_steps::text::scheme(&s.rest).map(|(name, rest)| (name.to_owned(), rest.to_owned()));
        s.set(s.own(Part::Scheme), found.as_ref().map(|(name, _)| name.clone()));
        s.rest = found.map_or_else(|| std::mem::take(&mut s.rest), |(_, rest)| rest);
        s.unmark(NOTHING);
        if s.rest.is_empty() && is_alone(s) && s.present(s.own(Part::Fragment)).is_none() {
            s.mark(NOTHING);
        }
        Go
    }),
    Step::new("g_ascii_strdown", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        if let Some(name) = s.present(slot).map(str::to_ascii_lowercase) {
            s.set(slot, name);
        }
        Go
    }),
    Step::new("path = strcspn \"/?#\"", "after two slashes, the part up to the next / or ? is the authority", rfc3986::cut_authority),
    Step::new("question", "cut the query at ?, and the path", |s| {
        let (path, query) = urlstrata_steps::text::cut(&s.rest, "?");
        let (path, query) = (path.to_owned(), query.map(str::to_owned));
        s.set(s.own(Part::Path), path);
        s.set(s.own(Part::Query), query);
        Go
    }),
    Step::new("hostend", "reject an authority with an opening bracket before the host and no closing one after it", |s| {
        let slot = s.own(Part::Authority);
        let host = s.get(slot).split_once('@').map_or(s.get(slot), |(_, host)| host);
        match host.starts_with('[') && !host.contains(']') {
            true => s.reject(slot, "the host has no closing bracket"),
            false => Go,
        }
    }),
    Step::new("strtoul", "reject a port that is not a number, with white space and a sign before it", |s| {
        let slot = s.own(Part::Authority);
        match number(Authority::of(s.get(slot)).port).is_none() {
            true => s.reject(slot, "the port is not a number"),
            false => Go,
        }
    }),
    Step::new(
        "uri_normalized_copy",
        "decode the escapes of unreserved characters in path, query and fragment, and encode white space, control characters and non-ASCII",
        |s| {
            for part in [Part::Path, Part::Query, Part::Fragment] {
                let slot = s.own(part);
                if let Some(text) = s.present(slot).map(normalized) {
                    s.set(slot, text);
                }
            }
            Go
        },
    ),
    Step::new("remove_dot_segments: soup_uri_new", "without a base, remove dot segments", |s| {
        if is_alone(s) && removes_dots(s) {
            let slot = s.own(Part::Path);
            let path = without_dots(s.get(slot));
            s.set(slot, path);
        }
        Go
    }),
    Step::new("uri->scheme == SOUP_URI_SCHEME_HTTP: path", "an empty path of http and https is a slash", |s| {
        let slot = s.own(Part::Path);
        if matches!(s.get(s.own(Part::Scheme)), "http" | "https") && s.get(slot).is_empty() && !s.is_marked(NOTHING) {
            s.set(slot, "/");
        }
        Go
    }),
    Step::new("SOUP_URI_VALID_FOR_HTTP", "reject http, https and ftp without an authority, unless nothing follows the scheme and the base is missing", |s| {
        let slot = s.own(Part::Authority);
        match s.is_marked(NOTHING) || !needs_host(s.get(s.own(Part::Scheme))) || s.present(slot).is_some() {
            true => Go,
            false => s.reject(slot, "the URL has no host"),
        }
    }),
    Step::new("SOUP_URI_IS_VALID", "without a base, reject a URL without a scheme", |s| {
        let slot = s.own(Part::Scheme);
        match is_alone(s) && s.present(slot).is_none() {
            true => s.reject(slot, "the URL has no scheme"),
            false => Go,
        }
    }),
];

/// The mark of a URL that ends after its scheme.
const NOTHING: &str = "nothing follows the scheme";

fn is_space(it: char) -> bool {
    it.is_ascii_whitespace()
}

fn is_alone(s: &State<'_>) -> bool {
    s.side == Side::Base || s.base.is_empty()
}

fn needs_host(scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ftp")
}

fn removes_dots(s: &State<'_>) -> bool {
    !s.has(&DATA) || s.get(s.own(Part::Scheme)) != "data"
}

/// The parts of an authority, as they are written there.
struct Authority<'a> {
    user: Option<&'a str>,
    password: Option<&'a str>,
    /// The host, with an opening bracket.
    host: &'a str,
    port: &'a str,
}

impl<'a> Authority<'a> {
    /// The host in brackets ends at the first closing one, and what follows this is dropped unless it begins with a colon.
    fn of(text: &'a str) -> Self {
        let (info, rest) = text.split_once('@').map_or((None, text), |(info, rest)| (Some(info), rest));
        let divided = info.map(|info| info.split_once(':').map_or((info, None), |(user, password)| (user, Some(password))));
        let (host, port) = match rest.split_once(']').filter(|_| rest.starts_with('[')) {
            Some((host, port)) => (host, port.strip_prefix(':').unwrap_or_default()),
            None => rest.split_once(':').unwrap_or((rest, "")),
        };
        Self { user: divided.map(|(user, _)| user), password: divided.and_then(|(_, password)| password), host, port }
    }

    /// The host decoded up to a NUL, unless it is in brackets and its first % does not begin %25.
    fn host(&self) -> Vec<u8> {
        let Some(address) = self.host.strip_prefix('[') else { return decoded(self.host) };
        match address.find('%').is_some_and(|at| !address[at..].starts_with("%25")) {
            true => address.as_bytes().to_vec(),
            false => decoded(address),
        }
    }
}

/// `soup_uri_decoded_copy`: a C string ends at NUL.
fn decoded(text: &str) -> Vec<u8> {
    rfc3986::decoded(text).split(|it| *it == 0).next().unwrap_or_default().to_vec()
}

/// Reads a port as `strtoul` does, modulo 2^32. Zero is none.
fn number(text: &str) -> Option<u32> {
    if text.is_empty() {
        return Some(0);
    }
    let text = text.trim_start_matches(|it: char| it.is_ascii_whitespace() || it == '\u{b}');
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let value = digits.parse::<u64>().map_or(u64::MAX, |it| if is_negative { it.wrapping_neg() } else { it });
    u32::try_from(value & 0xffff_ffff).ok()
}

fn default_port(scheme: &str) -> u32 {
    match scheme {
        "http" | "ws" => 80,
        "https" | "wss" => 443,
        "ftp" => 21,
        _ => 0,
    }
}

/// `uri_normalized_copy`.
fn normalized(text: &str) -> String {
    let mut out = String::new();
    for (at, character) in text.split('%').enumerate() {
        let mut part = character;
        if at > 0 {
            let byte = u8::from_str_radix(part.get(..2).unwrap_or_default(), 16).ok().filter(|_| is_escape(&format!("%{part}")));
            match byte.filter(|it| it.is_ascii_alphanumeric() || b"-._~".contains(it)) {
                Some(byte) => {
                    out.push(char::from(byte));
                    part = &part[2..];
                }
                None => out.push('%'),
            }
        }
        out.push_str(&urlstrata_steps::text::encoded(part, |it| it.is_ascii_graphic()));
    }
    out
}

/// The dot segments that `soup_uri_new_with_base` removes. The first character of a path counts as its slash.
fn without_dots(path: &str) -> String {
    let mut segments: Vec<&str> = path.split('/').collect();
    let last = segments.len() - 1;
    let mut at = 0..;
    segments.retain(|it| at.next().is_some_and(|at| *it != "." || at == 0 || at == last));
    let mut path = segments.join("/");
    if path.len() > 2 && path.ends_with("/.") {
        path.pop();
    }
    let first = path.chars().next().map_or(0, char::len_utf8);
    let mut at = first;
    while at < path.len() {
        if path[at..].starts_with("../") {
            at += 3;
            continue;
        }
        let Some(slash) = path.get(at + 1..).and_then(|it| it.find('/')).map(|it| at + 1 + it) else { break };
        if path[slash..].starts_with("/../") {
            path.replace_range(at..slash + 4, "");
            at = first;
        } else {
            at = slash + 1;
        }
    }
    if let Some(before) = path.strip_suffix("/..").filter(|it| !it.is_empty()) {
        let start = before.rfind('/').unwrap_or(0);
        if !path[start..].starts_with("/../") {
            path.truncate(start.max(first - 1) + 1);
        }
    }
    while path.starts_with("/../") {
        path.replace_range(..3, "");
    }
    if path == "/.." { "/".to_owned() } else { path }
}

/// `soup_uri_new_with_base` and `soup_uri_to_string`.
static RESOLVE: &[Step] = &[
    Step::new("soup_uri_new: the base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("soup_uri_new_with_base", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("base && !uri->scheme", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| {
        rfc3986::own_scheme(s, DOTS)
    }),
    Step::new("uri->host", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        rfc3986::own_authority(s, DOTS)
    }),
    Step::new("!uri->path", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        To(HOST)
    }),
    Step::new("*uri->path != '/'", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, DOTS)),
    Step::new("newpath", "write the path after the base's up to its last slash, or after a slash if it has none", |s| {
        let base = s.get(Slot::Base(Part::Path));
        let folder = base.rfind('/').map_or("/", |at| &base[..=at]);
        let merged = format!("{folder}{}", s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(DOTS, "remove . segments, .. segments with the segment before them, unless it is empty, and .. segments at the beginning", |s| {
        s.flow(Slot::NoDots, Slot::Merged);
        if !s.base.is_empty() && removes_dots(s) {
            let path = without_dots(s.get(Slot::Merged));
            s.set(Slot::NoDots, path);
        }
        Go
    }),
    Step::new(HOST, "reject http, https and ftp without an inherited authority", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        let slot = Slot::Out(Part::Authority);
        let is_inherited = s.present(Slot::Ref(Part::Scheme)).is_none();
        match is_inherited && needs_host(s.get(Slot::Out(Part::Scheme))) && s.present(slot).is_none() {
            true => s.reject(slot, "the URL has no host"),
            false => Go,
        }
    }),
    Step::new("uri->scheme == SOUP_URI_SCHEME_HTTP: the inherited scheme", "an empty path of http and https is a slash", |s| {
        let slot = Slot::Out(Part::Path);
        if s.present(Slot::Ref(Part::Scheme)).is_none() && matches!(s.get(Slot::Out(Part::Scheme)), "http" | "https") && s.get(slot).is_empty() {
            s.set(slot, "/");
        }
        Go
    }),
    Step::new("soup_uri_to_string: include_password", "drop the password", |s| {
        rewrite(s, |text, _| {
            let (info, rest) = text.split_once('@').map_or((None, text), |(info, rest)| (Some(info), rest));
            info.map_or(rest.to_owned(), |info| format!("{}@{rest}", until(info, &[':']).0))
        })
    }),
    Step::new("soup_uri_to_string: uri->user", "decode the user name up to a NUL, and encode delimiters and what a URI does not have", |s| {
        rewrite(s, |text, _| match text.split_once('@') {
            Some((user, rest)) => format!("{}@{rest}", encoded(&decoded(user), ":;@?/")),
            None => text.to_owned(),
        })
    }),
    Step::new(
        "soup_uri_to_string: uri->host",
        "decode the host up to a NUL; write one with a colon in brackets, with its first % as %25; in another, encode delimiters and what a URI does not have",
        |s| {
            rewrite(s, |text, _| {
                let user = text.split_once('@').map(|(user, _)| format!("{user}@")).unwrap_or_default();
                let it = Authority::of(text);
                let port = if it.port.is_empty() { String::new() } else { format!(":{}", it.port) };
                let host = it.host();
                let host = match host.contains(&b':') {
                    true => format!("[{}]", String::from_utf8_lossy(&host).replacen('%', "%25", 1)),
                    false => encoded(&host, ":/"),
                };
                format!("{user}{host}{port}")
            })
        },
    ),
    Step::new("soup_uri_to_string: uri->port", "write the port as a number below 4294967296; drop 0 and the default port of http, https, ws, wss and ftp", |s| {
        rewrite(s, |text, scheme| {
            let port = Authority::of(text).port;
            let before = text.strip_suffix(port).map_or(text, |it| it.strip_suffix(':').unwrap_or(it));
            let port = number(port).filter(|port| *port != 0 && *port != default_port(scheme));
            format!("{before}{}", port.map(|port| format!(":{port}")).unwrap_or_default())
        })
    }),
    Step::new("soup_uri_to_string", "concatenate the components", |s| s.concatenate()),
];

const DOTS: &str = "remove_dot_segments";
const HOST: &str = "SOUP_URI_VALID_FOR_HTTP: the base's host";

/// Rewrites the target's authority.
fn rewrite(s: &mut State<'_>, written: impl Fn(&str, &str) -> String) -> Next {
    let slot = Slot::Out(Part::Authority);
    let Some(authority) = s.present(slot) else { return Go };
    let rewritten = written(authority, s.get(Slot::Out(Part::Scheme)));
    if rewritten != authority {
        s.set(slot, rewritten);
    }
    Go
}

/// `append_uri_encoded`.
fn encoded(bytes: &[u8], others: &str) -> String {
    let write = |it: &u8| match it.is_ascii_graphic() && !b"\"%<>\\^`{|}#/:?@[]=".contains(it) && !others.as_bytes().contains(it) {
        true => char::from(*it).to_string(),
        false => format!("%{it:02X}"),
    };
    bytes.iter().map(write).collect()
}

/// `soup_uri_new`, and its accessors.
static STATE: &[Step] = &[
    Step::new("soup_uri_new", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("soup_uri_get_scheme, _path, _query, _fragment", "state these as they were read", |s| {
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("soup_uri_get_user, _password, _host, _port", "state the parts of the authority decoded, and the default port if there is none", |s| {
        let text = s.present(Slot::Ref(Part::Authority)).map(str::to_owned);
        let it = text.as_deref().map(Authority::of);
        let user = it.as_ref().and_then(|it| it.user).map(decoded);
        let password = it.as_ref().and_then(|it| it.password).map(decoded);
        for (part, bytes) in [(Part::User, user), (Part::Password, password), (Part::Host, it.as_ref().map(Authority::host))] {
            let text = bytes.map(|bytes| s.text(bytes));
            s.set(Slot::Out(part), text);
        }
        let own = it.and_then(|it| number(it.port)).filter(|it| *it != 0);
        let default = if s.is_marked(NOTHING) { 0 } else { default_port(s.get(Slot::Ref(Part::Scheme))) };
        let port = own.unwrap_or(default);
        s.set(Slot::Out(Part::Port), Some(port).filter(|it| *it != 0).map(|it| it.to_string()));
        Done
    }),
];
