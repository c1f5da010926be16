//! uriparser: `uriAddBaseUriExA(&result, &reference, &base, URI_RESOLVE_STRICTLY)`, from 0.9.4 on.
//!
//! Read from `UriParse.c`, `UriResolve.c`, `UriCommon.c` and `UriRecompose.c` of uriparser 0.9.4 to 1.0.2. A path is a list of segments, with a flag for
//! the slash before the first one if the host is absent. What `uriparser-compat` and PHP do with the library is in tables of theirs.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{is_escape, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986::{self, URI};

/// uriparser.
pub static TABLE: Table = Table {
    engine: "uriparser",
    first: "0.9.4",
    changes: &[&EXCESS, &FUTURE, &ESSENTIAL],
    dated: &[],
    questions: &[(Question::Resolve, STEPS)],
    called: &[PARSE, READ, ADD_BASE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static EXCESS: Change = Change {
    id: "#92",
    versions: &["0.9.5"],
    date: "2021-03-18",
    issue: "https://github.com/uriparser/uriparser/issues/92",
    says: "a last .. segment without one before it leaves a slash after a host",
    witness: Witness::resolving("http://a/b", "..", Some("http://a"), Some("http://a/")),
};

static FUTURE: Change = Change {
    id: "#146",
    versions: &["0.9.7"],
    date: "2022-10-05",
    issue: "https://github.com/uriparser/uriparser/issues/146",
    says: "the address of a later version of IP may begin with a capital V",
    witness: Witness::resolving("http://a/b", "//[V1.a]", None, Some("http://[V1.a]")),
};

static ESSENTIAL: Change = Change {
    id: "#262",
    versions: &["1.0.0"],
    date: "2025-12-15",
    issue: "https://github.com/uriparser/uriparser/issues/262",
    says: "without a host, a first . segment remains if the next one is empty",
    witness: Witness::resolving("s:/a", "/.//b", Some("s://b"), Some("s:/.//b")),
};

/// `uriParseSingleUri`, for the base or the reference.
static PARSE: &[Step] = &[
    Step::new(
        "ParseUriReference",
        "a letter, then letters, digits, +, - and . before a colon are the scheme",
        rfc3986::cut_scheme,
    ),
    Step::new("ParseAuthority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("ParseUriTail", "the part up to ? or # is the path, then up to # the query, then the fragment", rfc3986::cut_path),
    Step::new(
        "ParseIpLit2",
        "reject a host that begins with [ and is neither an IPv6 address nor one of a later version in brackets",
        |s| check(s, Fault::Address),
    ),
    Step::new("ParsePctEncoded", "reject a percent sign that two hexadecimal digits do not follow", |s| check(s, Fault::Escape)),
    Step::new(
        "ParseOwnUserInfo",
        "reject an authority with another character than a digit after its first colon if it is not user information before @",
        |s| check(s, Fault::Userinfo),
    ),
    Step::new(
        "ParseUriExMm: afterUriReference",
        "reject a text that goes on after the last character that RFC 3986 allows in its place",
        |s| check(s, Fault::Rest),
    ),
    Step::new("ParseIpFuture: V", "reject a host in brackets that begins with a capital V", |s| {
        let slot = s.own(Part::Authority);
        match rfc3986::divide(s.get(slot)).1.starts_with("[V") {
            true => s.reject(slot, "the host begins with a capital V"),
            false => Go,
        }
    })
    .until(&FUTURE),
    Step::new("ToString: ip6", "write an IPv6 address with all its digits, in lower case", |s| {
        let slot = s.own(Part::Authority);
        let Some(authority) = s.present(slot) else { return Go };
        let (user, host, port) = rfc3986::divide(authority);
        let address = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).and_then(|it| it.parse::<Ipv6Addr>().ok());
        if let Some(address) = address {
            let user = user.map(|user| format!("{user}@")).unwrap_or_default();
            let groups = address.segments().map(|it| format!("{it:04x}")).join(":");
            let authority = format!("{user}[{groups}]{port}");
            s.set(slot, authority);
        }
        Go
    }),
];

/// Why a text is not parsed to its end.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Fault {
    /// Brackets without an address.
    Address,
    /// A percent sign that does not begin an escape.
    Escape,
    /// A port that is neither one nor part of user information.
    Userinfo,
    /// Another character that does not belong where it is.
    Rest,
}

/// Rejects a text with this fault.
fn check(s: &mut State<'_>, fault: Fault) -> Next {
    let Some((part, _)) = faulty(s).filter(|(_, own)| *own == fault) else { return Go };
    s.reject(
        s.own(part),
        match fault {
            Fault::Address => "the brackets do not contain an address",
            Fault::Escape => "a percent sign does not begin an escape",
            Fault::Userinfo => "what follows a colon is neither a port nor user information",
            Fault::Rest => "it contains a character that is not allowed there",
        },
    )
}

/// Returns the first component that is not parsed to its end, and why.
fn faulty(s: &State<'_>) -> Option<(Part, Fault)> {
    let authority = s.present(s.own(Part::Authority));
    if let Some(fault) = authority.and_then(authority_fault) {
        return Some((Part::Authority, fault));
    }
    let is_relative = s.present(s.own(Part::Scheme)).or(authority).is_none();
    let text_fault = |(part, others): (Part, &str)| {
        let text = s.get(s.own(part));
        let segment = until(text, &['/']).0;
        let colon = segment.find(':').filter(|_| part == Part::Path && is_relative);
        let end = legal(text, others).min(colon.unwrap_or(text.len()));
        (end < text.len()).then(|| (part, stopped(&text[end..])))
    };
    [(Part::Path, rfc3986::PATH), (Part::Query, rfc3986::QUERY), (Part::Fragment, rfc3986::QUERY)]
        .into_iter()
        .find_map(text_fault)
}

/// `ParseAuthority`.
fn authority_fault(text: &str) -> Option<Fault> {
    if text.starts_with('[') {
        return host_fault(text);
    }
    let rest = &text[legal(text, rfc3986::REG_NAME)..];
    if let Some(host) = rest.strip_prefix('@') {
        return host_fault(host);
    }
    let Some(after) = rest.strip_prefix(':') else { return (!rest.is_empty()).then(|| stopped(rest)) };
    let after = after.trim_start_matches(|it: char| it.is_ascii_digit());
    let user = legal(after, rfc3986::USERINFO);
    match after[user..].chars().next() {
        Some('@') => host_fault(&after[user + 1..]),
        Some('%') => Some(Fault::Escape),
        None if user == 0 => None,
        _ if user > 0 => Some(Fault::Userinfo),
        _ => Some(Fault::Rest),
    }
}

/// `ParseOwnHost` and `ParseAuthorityTwo`.
fn host_fault(text: &str) -> Option<Fault> {
    let end = match text.starts_with('[') {
        true => text.find(']').map_or(text.len(), |at| at + 1),
        false => legal(text, rfc3986::REG_NAME),
    };
    let (host, rest) = text.split_at(end);
    if host.starts_with('[') && !rfc3986::is_host(host, URI) {
        return Some(Fault::Address);
    }
    if rest.starts_with('%') && !host.starts_with('[') {
        return Some(Fault::Escape);
    }
    let rest = rest.strip_prefix(':').map_or(rest, |port| port.trim_start_matches(|it: char| it.is_ascii_digit()));
    (!rest.is_empty()).then_some(Fault::Rest)
}

fn stopped(rest: &str) -> Fault {
    if rest.starts_with('%') { Fault::Escape } else { Fault::Rest }
}

/// Returns the length of the beginning of a text that consists of unreserved characters, escapes and `others`.
fn legal(text: &str, others: &str) -> usize {
    let is_legal = |(at, it): (usize, char)| match it {
        '%' => is_escape(&text[at..]),
        _ => it.is_ascii_alphanumeric() || "-._~".contains(it) || others.contains(it),
    };
    text.char_indices().find(|it| !is_legal(*it)).map_or(text.len(), |(at, _)| at)
}

/// `uriParseSingleUri` for both texts.
pub(crate) static READ: &[Step] = &[
    Step::new("uriParseSingleUri: base", "parse the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("uriParseSingleUri", "parse the reference", |_| Call(PARSE, Side::Reference)),
];

/// Without a known base, the shim writes the reference.
pub(crate) const WITHOUT_BASE: Step = Step::new("ToString: no base", "without a known base, write the reference", |s| {
    if !s.base.is_empty() {
        return Go;
    }
    for part in Part::COMPONENTS {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    s.concatenate()
});

/// The first check of `uriAddBaseUriEx`.
pub(crate) const ABSOLUTE_BASE: Step =
    Step::new("AddBaseUriImpl: absBase", "reject a base without a scheme", |s| match s.present(Slot::Base(Part::Scheme)) {
        Some(_) => Go,
        None => s.reject(Slot::Base(Part::Scheme), "the base has no scheme"),
    });

static STEPS: &[Step] = &[
    Step::new("uriParseSingleUri: both", "parse the base and the reference", |_| Call(READ, Side::Reference)),
    WITHOUT_BASE,
    ABSOLUTE_BASE,
    Step::new("uriAddBaseUriEx", "resolve the reference", |_| Call(ADD_BASE, Side::Reference)),
];

/// `uriAddBaseUriEx` after its checks, and `uriToString`.
pub(crate) static ADD_BASE: &[Step] = &[
    Step::new("AddBaseUriImpl: relSourceHasScheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        rfc3986::own_scheme(s, CHOOSE)
    }),
    Step::new("AddBaseUriImpl: HasHost", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
        rfc3986::own_authority(s, CHOOSE)
    }),
    Step::new(
        "AddBaseUriImpl: pathHead == NULL",
        "without a path, inherit the base's as it is, and its query if there is none",
        |s| rfc3986::no_path(s, TO_STRING),
    ),
    Step::new("AddBaseUriImpl: absolutePath", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, CHOOSE)
    }),
    Step::new(
        "MergePath",
        "the path replaces the last segment of the base's; a slash precedes it if the base has an authority and no path",
        |s| {
            s.mark(MERGED);
            rfc3986::merge(s)
        },
    ),
    Step::new(
        CHOOSE,
        "remove each . segment, and each .. segment with the one before it; a slash remains after what is before them, \
         or none if nothing is",
        |s| remove_dots(s, false, false),
    )
    .until(&EXCESS),
    Step::new(
        "RemoveDotSegmentsEx: .. alone",
        "remove each . segment, and each .. segment with the one before it; a slash remains after what is before them, or after a host",
        |s| remove_dots(s, true, false),
    )
    .since(&EXCESS)
    .until(&ESSENTIAL),
    Step::new(
        "RemoveDotSegmentsEx: /.//",
        "remove each . segment, except a first one before an empty segment without a host, and each .. segment with the one before it; \
         a slash remains after what is before them, or after a host",
        |s| remove_dots(s, true, true),
    )
    .since(&ESSENTIAL),
    Step::new(
        "FixAmbiguity",
        "insert a . segment before a merged path that begins with an empty segment, or with two if it has no slash or a host before it",
        |s| {
            let path = s.get(Slot::NoDots);
            let is_rooted = s.get(Slot::Merged).starts_with('/');
            let is_ambiguous = match is_rooted && s.present(Slot::Out(Part::Authority)).is_none() {
                true => path.starts_with("//") || path == "/" && s.is_marked(EMPTY_SEGMENT),
                false => {
                    let rest = if is_rooted { path.strip_prefix('/').unwrap_or(path) } else { path };
                    rest.starts_with("//") || rest == "/"
                }
            };
            if s.is_marked(MERGED) && is_ambiguous {
                let path = format!("{}{path}", if is_rooted { "/." } else { "./" });
                s.set(Slot::Out(Part::Path), path);
            }
            Go
        },
    ),
    Step::new(TO_STRING, "concatenate the components", |s| s.concatenate()),
];

const CHOOSE: &str = "RemoveDotSegmentsEx";
const TO_STRING: &str = "ToString";

/// The mark of a path that was merged.
const MERGED: &str = "uriparser: the path was merged";
/// The mark of a path of one empty segment after a slash, instead of no segment.
const EMPTY_SEGMENT: &str = "uriparser: the only segment is empty";

/// Removes the dot segments. If there is a host, a last `..` that has no segment before it leaves a slash if `leaves_slash` is set. A first `.` that precedes an empty
/// segment remains if the host is absent and `keeps_first` is set.
fn remove_dots(s: &mut State<'_>, leaves_slash: bool, keeps_first: bool) -> Next {
    let path = s.get(Slot::Merged);
    let has_host = s.present(Slot::Out(Part::Authority)).is_some();
    let (root, rest) = path.strip_prefix('/').map_or(("", path), |rest| ("/", rest));
    let is_empty = rest.is_empty() && !(has_host && root == "/");
    let segments: Vec<&str> = if is_empty { Vec::new() } else { rest.split('/').collect() };
    let mut kept: Vec<&str> = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        let next = segments.get(at + 1);
        match *segment {
            "." if kept.is_empty() && next == Some(&"") && keeps_first && !has_host => kept.push("."),
            "." if next.is_none() && (has_host || !kept.is_empty()) => kept.push(""),
            "." => {}
            ".." if kept.pop().is_some() => kept.extend(next.is_none().then_some("")),
            ".." if next.is_none() && has_host && leaves_slash => kept.push(""),
            ".." => {}
            _ => kept.push(segment),
        }
    }
    let is_one = kept == [""] && !has_host && root == "/";
    let root = if has_host && kept.is_empty() { "" } else { root };
    let path = format!("{root}{}", kept.join("/"));
    if is_one {
        s.mark(EMPTY_SEGMENT);
    }
    s.flow(Slot::NoDots, Slot::Merged);
    s.set(Slot::NoDots, path);
    s.copy(Slot::Out(Part::Path), Slot::NoDots);
    Go
}
