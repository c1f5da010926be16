//! Boost.URL: `resolve(parse_uri(base), parse_uri_reference(reference), result)`, and the accessors of `parse_uri_reference(url)`.
//!
//! Read from `src/rfc`, `src/url_base.cpp` and `src/detail` of Boost.URL 1.88.0. If the base is unknown, the reference is returned as it was read.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::until;
use urlstrata_steps::{Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986::{self, REG_NAME, URI, USERINFO};

/// Boost.URL.
pub static TABLE: Table = Table {
    engine: "boost-url",
    first: "1.88.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `parse_uri`, for the base, and `parse_uri_reference`, for the reference.
static PARSE: &[Step] = &[
    Step::new("scheme_rule", "a letter, then letters, digits, +, - and . before a colon are the scheme", rfc3986::cut_scheme),
    Step::new("hier_part_rule: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new(
        "relative_part_rule: authority",
        "without a scheme, the authority ends after its port, or after its host, and what follows begins the path",
        |s| {
            let slot = s.own(Part::Authority);
            if s.present(s.own(Part::Scheme)).is_some() || s.present(slot).is_none() {
                return Go;
            }
            let (authority, rest) = s.get(slot).split_at(authority_end(s.get(slot)));
            if rest.is_empty() {
                return Go;
            }
            let (authority, rest) = (authority.to_owned(), rest.to_owned());
            s.rest.insert_str(0, &rest);
            s.set(slot, authority);
            Go
        },
    ),
    Step::new("hier_part_rule, query_part_rule, fragment_part_rule", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("parse_uri", "reject a base without a scheme", |s| {
        let slot = s.own(Part::Scheme);
        match s.side == Side::Base && s.present(slot).is_none() {
            true => s.reject(slot, "the base has no scheme"),
            false => Go,
        }
    }),
    Step::new("userinfo_rule", "reject user information with a character that is not allowed", |s| rfc3986::check_user(s, URI)),
    Step::new("host_rule", "reject a host that is neither an IP address in brackets nor a name", |s| {
        let slot = s.own(Part::Authority);
        match is_host(rfc3986::divide(s.get(slot)).1) {
            true => Go,
            false => s.reject(slot, "the host is neither an IP address in brackets nor a name of allowed characters"),
        }
    }),
    Step::new("port_rule", "reject what follows the host and is not a colon and digits", rfc3986::check_port),
    Step::new("relative_part_rule: pchars_nc", "reject a path without a slash at its beginning and with a colon in its first segment", |s| {
        let slot = s.own(Part::Path);
        match s.present(s.own(Part::Scheme)).is_none() && until(s.get(slot), &['/']).0.contains(':') {
            true => s.reject(slot, "its first segment contains a colon"),
            false => Go,
        }
    }),
    Step::new("segment_rule", "reject a path with a character that is not allowed", |s| rfc3986::check(s, Part::Path, rfc3986::PATH, URI)),
    Step::new("query_rule", "reject a query with a character that is not allowed; brackets are", |s| {
        rfc3986::check(s, Part::Query, "!$&'()*+,;=:@/?[]", URI)
    }),
    Step::new("fragment_part_rule", "reject a fragment with a character that is not allowed; # is", |s| {
        rfc3986::check(s, Part::Fragment, "!$&'()*+,;=:@/?#", URI)
    }),
];

/// Where `authority_rule` ends.
fn authority_end(text: &str) -> usize {
    let user = text.split_once('@').filter(|(user, _)| rfc3986::conforms(user, USERINFO, URI));
    let start = user.map_or(0, |(user, _)| user.len() + 1);
    let host = &text[start..];
    let end = match host.starts_with('[') {
        true => host.find(']').map_or(host.len(), |at| at + 1),
        false => rfc3986::conforming(host, REG_NAME, URI),
    };
    let digits = host[end..].strip_prefix(':').map(|port| port.find(|it: char| !it.is_ascii_digit()).unwrap_or(port.len()));
    start + end + digits.map_or(0, |it| it + 1)
}

/// `host_rule`: a zone identifier may follow an IPv6 address.
fn is_host(host: &str) -> bool {
    let Some(address) = host.strip_prefix('[').map(|it| it.strip_suffix(']')) else {
        return rfc3986::conforms(host, REG_NAME, URI);
    };
    let is_zone = |zone: &str| !zone.is_empty() && rfc3986::conforms(zone, "", URI);
    address.is_some_and(|it| match it.split_once("%25") {
        _ if it.starts_with('v') => rfc3986::is_future(it),
        Some((address, zone)) => is_zone(zone) && address.parse::<Ipv6Addr>().is_ok(),
        None => it.parse::<Ipv6Addr>().is_ok(),
    })
}

/// `resolve`.
static RESOLVE: &[Step] = &[
    Step::new("parse_uri_reference", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("parse_uri_reference: no base", "without a base, return the reference as it was read", rfc3986::without_base),
    Step::new("parse_uri: the base", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("resolve: ref.scheme() != scheme()", "a reference with another scheme inherits nothing, any other one inherits the scheme", |s| {
        if s.present(Slot::Ref(Part::Scheme)) == s.present(Slot::Base(Part::Scheme)) {
            s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
            s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
            s.inherit(Part::Scheme);
            return Go;
        }
        rfc3986::own_scheme(s, OCTETS)
    }),
    Step::new("resolve: ref.has_authority()", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        let next = rfc3986::own_authority(s, "set_encoded_path: make_absolute");
        if s.present(Slot::Ref(Part::Authority)).is_none() || !s.get(Slot::Ref(Part::Path)).is_empty() {
            return next;
        }
        s.flow(Slot::NoDots, Slot::Merged);
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        To("url_base::resolve")
    }),
    Step::new(
        "resolve: ref.encoded_path().empty()",
        "without a path, inherit the base's, its query if there is none, and its fragment if there is none",
        |s| {
            if !s.get(Slot::Ref(Part::Path)).is_empty() {
                return Go;
            }
            s.inherit_as("path");
            for part in [Part::Query, Part::Fragment] {
                if s.present(Slot::Ref(part)).is_none() {
                    s.inherit(part);
                }
            }
            s.flow(Slot::Merged, Slot::Base(Part::Path));
            To(OCTETS)
        },
    ),
    Step::new("resolve: ref.is_path_absolute()", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, OCTETS)),
    Step::new("resolve: es.pop_back()", "remove the last segment of the base's path, with the slash before it if another segment precedes", |s| {
        s.inherit_as("folder");
        let base = s.get(Slot::Base(Part::Path));
        let (prefix, segments) = divided(base);
        let kept = match segments.len() {
            0 => base,
            1 if has_authority(s) => "",
            1 => &base[..usize::from(base.starts_with('/'))],
            _ => &base[..prefix + segments[..segments.len() - 1].join("/").len()],
        };
        let kept = kept.to_owned();
        s.set(Slot::Merged, kept);
        Go
    }),
    Step::new(
        "resolve: es.insert",
        "append the segments of the reference; the first of all follows ./ if it is empty, or a dot and not the only one",
        |s| {
            let merged = s.get(Slot::Merged);
            let added = divided(s.get(Slot::Ref(Part::Path))).1;
            let is_first = divided(s.get(Slot::Base(Part::Path))).1.len() < 2;
            let slash = if has_authority(s) || merged.starts_with('/') { "/" } else { "" };
            let merged = match is_first {
                true if matches!(added[..], ["", ..] | [".", _, ..]) => format!("{slash}./"),
                true => slash.to_owned(),
                false => format!("{merged}/"),
            };
            let merged = merged + &added.join("/");
            s.set(Slot::Merged, merged);
            To(OCTETS)
        },
    ),
    Step::new("set_encoded_path: make_absolute", "after an authority, write a slash before a path that begins with another character", |s| {
        let path = s.get(Slot::Merged);
        if !path.is_empty() && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Merged, path);
        }
        Go
    }),
    Step::new(OCTETS, "decode the escapes of characters that a path may have, and write the others with capital letters", |s| {
        let path = with_normal_escapes(s.get(Slot::Merged));
        s.set(Slot::Merged, path);
        Go
    }),
    Step::new(
        "normalize_path: skip_dot",
        "without an authority, keep /. at the beginning if two slashes would begin the path without it",
        |s| {
            if !ambiguous(s.get(Slot::Merged), has_authority(s)).is_empty() {
                s.flow(Slot::NoDots, Slot::Merged);
            }
            Go
        },
    ),
    Step::new(
        "remove_dot_segments",
        "remove each . segment, and each .. with the segment before it, also from an inherited path; a .. without one stays",
        |s| {
            let path = s.get(Slot::Merged);
            let kept = ambiguous(path, has_authority(s));
            let removed = format!("{kept}{}", without_dots(&path[kept.len()..]));
            if kept.is_empty() {
                s.flow(Slot::NoDots, Slot::Merged);
            }
            s.set(Slot::NoDots, removed);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("url_base::resolve", "concatenate the components", |s| s.concatenate()),
];

const OCTETS: &str = "normalize_path: normalize_octets_impl";

fn has_authority(s: &State<'_>) -> bool {
    s.present(Slot::Out(Part::Authority)).is_some()
}

/// `path_prefix` and `path_segments`: the length of a prefix that is not a segment (`/`, `./` or `/./`), and the segments after it.
fn divided(path: &str) -> (usize, Vec<&str>) {
    let prefix = ["/./", "./", "/"].into_iter().find(|it| path.starts_with(it)).map_or(0, str::len);
    match path {
        "" | "/" => (prefix, Vec::new()),
        _ => (prefix, path[prefix..].split('/').collect()),
    }
}

/// `normalize_octets_impl`, for a path.
fn with_normal_escapes(path: &str) -> String {
    let mut parts = path.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        let character = u8::from_str_radix(digits, 16).ok().filter(u8::is_ascii).map(char::from);
        match character.filter(|it| it.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@".contains(*it)) {
            Some(character) => out.push(character),
            None => out.extend(["%", &digits.to_ascii_uppercase()]),
        }
        out.push_str(rest);
    }
    out
}

/// `skip_dot`: `/.` at the beginning stays if two slashes would begin the path without it.
fn ambiguous(path: &str, has_authority: bool) -> &'static str {
    let mut rest = path;
    while let Some(after) = rest.strip_prefix("/.").filter(|it| it.starts_with('/')) {
        rest = after;
    }
    if !has_authority && rest.len() < path.len() && rest.starts_with("//") { "/." } else { "" }
}

/// `remove_dot_segments`.
fn without_dots(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let mut out = String::new();
    let mut rest = path;
    loop {
        if let Some(after) = rest.strip_prefix("../") {
            out.push_str("../");
            rest = after;
        } else if let Some(after) = rest.strip_prefix("./") {
            rest = after;
        } else {
            break;
        }
    }
    match rest {
        "." => return out,
        ".." => return out + "..",
        _ => {}
    }
    while !rest.is_empty() {
        let (segment, after) = rest.split_at(rest.char_indices().skip(1).find(|(_, it)| *it == '/').map_or(rest.len(), |(at, _)| at));
        rest = after;
        match segment {
            "/." if after.is_empty() => out.push('/'),
            "/." => {}
            "/.." => rest = without_last(&mut out, is_absolute, after),
            _ => out.push_str(segment),
        }
    }
    out
}

/// Removes the last segment, and returns what remains to be read. A slash follows what is left if the path ends here.
fn without_last<'a>(out: &mut String, is_absolute: bool, rest: &'a str) -> &'a str {
    let slash = out.rfind('/');
    let last = &out[slash.map_or(0, |at| at + 1)..];
    match slash {
        _ if last == ".." => out.push_str("/.."),
        Some(at) => {
            out.truncate(at);
            if rest.is_empty() {
                out.push('/');
            }
        }
        None if out.is_empty() => out.push_str(if is_absolute { "/.." } else { ".." }),
        None => {
            out.clear();
            return if is_absolute { rest } else { rest.strip_prefix('/').unwrap_or(rest) };
        }
    }
    rest
}

/// `parse_uri_reference`, and what it finds.
static STATE: &[Step] = &[
    Step::new("parse_uri_reference: the URL", "read the URL", |s| rfc3986::read_alone(s, PARSE)),
    Step::new("scheme(), port(), encoded_authority()", "state these as they were read; what is absent is empty", |s| {
        state(s, Part::Scheme, s.present(Slot::Ref(Part::Scheme)).map(str::to_owned));
        state(s, Part::Authority, s.present(Slot::Ref(Part::Authority)).map(str::to_owned));
        let port = s.present(Slot::Ref(Part::Authority)).and_then(|it| rfc3986::divide(it).2.strip_prefix(':')).map(str::to_owned);
        state(s, Part::Port, port);
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("pct_string_view::decode", "state the other components decoded; what is absent is empty", |s| {
        let authority = s.get(Slot::Ref(Part::Authority)).to_owned();
        let (user, host, _) = rfc3986::divide(&authority);
        let (user, password) = user.map_or((None, None), |it| it.split_once(':').map_or((Some(it), None), |(a, b)| (Some(a), Some(b))));
        let texts = [Part::Path, Part::Query, Part::Fragment].map(|part| (part, s.present(Slot::Ref(part)).map(str::to_owned)));
        for (part, text) in [(Part::User, user), (Part::Password, password), (Part::Host, Some(host))] {
            decoded(s, part, text);
        }
        for (part, text) in &texts {
            decoded(s, *part, text.as_deref());
        }
        Done
    }),
];

fn state(s: &mut State<'_>, part: Part, text: Option<String>) {
    if matches!(part, Part::Scheme | Part::Authority) {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    s.set(Slot::Out(part), text.unwrap_or_default());
}

fn decoded(s: &mut State<'_>, part: Part, text: Option<&str>) {
    let bytes = rfc3986::decoded(text.unwrap_or_default());
    let text = s.text(bytes);
    if matches!(part, Part::Path | Part::Query | Part::Fragment) {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    s.set(Slot::Out(part), text);
}
