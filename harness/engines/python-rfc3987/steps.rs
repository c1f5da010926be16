//! The Python package rfc3987: `resolve(base, reference)`, and what `parse(url)` states, of 1.3.8.
//!
//! Read from `rfc3987.py` of rfc3987 1.3.8, with the optional package regex, without which `parse` does not divide the authority. Texts are neither
//! decoded nor encoded.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::folder;
use urlstrata_steps::{Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986::{self, IRI, IRI_QUERY};

/// rfc3987.
pub static TABLE: Table = Table {
    engine: "python-rfc3987",
    first: "1.3.8",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `parse`, for the base and the reference: one expression checks a text and reads its components.
static PARSE: &[Step] = &[
    Step::new("match: $", "a line feed at the end is not a part of the IRI", |s| {
        let given = s.given();
        s.rest = given.strip_suffix('\n').unwrap_or(given).to_owned();
        s.write_text();
        Go
    }),
    Step::new("IRI_reference: scheme", "the text before a colon is the scheme, if it is not empty and has no /, ? or #", rfc3986::cut_scheme_of_appendix_b),
    Step::new("IRI_reference: iauthority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("IRI_reference: ipath, iquery, ifragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("IRI", "reject a base without a scheme", |s| {
        let slot = s.own(Part::Scheme);
        match s.side == Side::Base && s.present(slot).is_none() {
            true => s.reject(slot, "the base has no scheme"),
            false => Go,
        }
    }),
    Step::new("scheme", "reject a scheme that is not a letter, then letters, digits, +, - and .", rfc3986::check_scheme),
    Step::new("iuserinfo", "reject user information with a character that is not allowed", |s| rfc3986::check_user(s, IRI)),
    Step::new("ihost", "reject a host that is neither an IP address in brackets nor a name", |s| {
        let slot = s.own(Part::Authority);
        match is_host(rfc3986::divide(s.get(slot)).1) {
            true => Go,
            false => s.reject(slot, "the host is neither an IP address in brackets nor a name of allowed characters"),
        }
    }),
    Step::new("port", "reject what follows the host and is not a colon and digits", rfc3986::check_port),
    Step::new("ipath_noscheme", "reject a relative path with a colon in its first segment", rfc3986::check_first_segment),
    Step::new("ipath_abempty, ipath_rootless", "reject a path with a character that is not allowed", |s| {
        rfc3986::check(s, Part::Path, rfc3986::PATH, IRI)
    }),
    Step::new("iquery", "reject a query with a character that is not allowed", |s| {
        rfc3986::check(s, Part::Query, rfc3986::QUERY, IRI_QUERY)
    }),
    Step::new("ifragment", "reject a fragment with a character that is not allowed", |s| {
        rfc3986::check(s, Part::Fragment, rfc3986::QUERY, IRI)
    }),
];

/// `ihost`: the numbers of an IPv4 address in an IPv6 address may have leading zeros, and the letter of a future address is not a capital.
fn is_host(host: &str) -> bool {
    let Some(address) = host.strip_prefix('[') else { return rfc3986::conforms(host, rfc3986::REG_NAME, IRI) };
    let Some(address) = address.strip_suffix(']') else { return false };
    if address.starts_with('v') {
        return rfc3986::is_future(address);
    }
    let (before, last) = address.split_at(address.rfind(':').map_or(0, |at| at + 1));
    let octet = |it: &str| match it.len() <= 3 && it.bytes().all(|it| it.is_ascii_digit()) {
        true => it.parse::<u8>().map_or_else(|_| it.to_owned(), |number| number.to_string()),
        false => it.to_owned(),
    };
    let last = if last.contains('.') { last.split('.').map(octet).collect::<Vec<_>>().join(".") } else { last.to_owned() };
    format!("{before}{last}").parse::<Ipv6Addr>().is_ok()
}

/// `resolve`, with `strict`.
static RESOLVE: &[Step] = &[
    Step::new("resolve: parse(base, 'IRI')", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("resolve: parse(uriref, 'IRI_reference')", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("resolve: R['scheme']", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| {
        rfc3986::own_scheme(s, "_remove_dot_segments: _dot_segments")
    }),
    Step::new("resolve: R['authority']", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        rfc3986::own_authority(s, "_remove_dot_segments: _dot_segments")
    }),
    Step::new("resolve: R['path']", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To("_remove_dot_segments: _dot_segments")
    }),
    Step::new("resolve: R['path'][:1] == '/'", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, "_remove_dot_segments: _dot_segments")
    }),
    Step::new("resolve: rpartition", "the path follows the base's up to its last slash, or a slash if the base has an authority and no path", |s| {
        let base = s.get(Slot::Base(Part::Path));
        let has_root = base.is_empty() && s.present(Slot::Base(Part::Authority)).is_some();
        let merged = format!("{}{}", if has_root { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new("_remove_dot_segments: _dot_segments", "remove each . segment, and each .. at the beginning of a path without a slash there", |s| {
        let path = without_single(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new(
        "_remove_dot_segments: _2dots_segments",
        "replace each .. segment, and the characters of the segment before it after the last one that is not of ASCII, by a slash",
        |s| {
            let path = without_double(s);
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("compose", "concatenate the components", |s| s.concatenate()),
];

/// Returns the rest of a text after a segment's end: a slash, or the end of the text.
fn after_segment(rest: &str) -> Option<&str> {
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Returns a path without `.` segments, and without those of either kind with which it begins.
fn without_single(path: &str) -> String {
    let mut rest = path;
    while let Some(after) = ["..", "."].into_iter().find_map(|dots| rest.strip_prefix(dots).and_then(after_segment)) {
        rest = after;
    }
    let mut out = String::with_capacity(rest.len());
    let mut is_start = path.len() != rest.len() && path[..path.len() - rest.len()].ends_with('/');
    while let Some(first) = rest.chars().next() {
        if let (true, Some(after)) = (is_start, rest.strip_prefix('.').and_then(after_segment)) {
            is_start = rest.starts_with("./");
            rest = after;
            continue;
        }
        out.push(first);
        is_start = first == '/';
        rest = &rest[first.len_utf8()..];
    }
    out
}

/// Returns the path without `..` segments.
fn without_double(s: &State<'_>) -> String {
    let mut path = s.get(Slot::NoDots).to_owned();
    loop {
        let found = path.match_indices("/..").find_map(|(at, _)| Some((at, after_segment(&path[at + 3..])?)));
        let Some((at, rest)) = found else { return path };
        let start = path[..at].rfind(|it: char| it == '/' || !it.is_ascii()).map_or(0, |it| it + 1);
        let start = (start..=at).find(|it| path.is_char_boundary(*it)).unwrap_or(at);
        let start = if path[..start].ends_with('/') { start - 1 } else { start };
        path = format!("{}/{rest}", &path[..start]);
    }
}

/// `parse(url)`.
static STATE: &[Step] = &[
    Step::new("parse", "read the URL", |s| rfc3986::read_alone(s, PARSE)),
    Step::new("parse: groupdict", "state the components as they were read", rfc3986::state),
    Step::new("parse: iuserinfo, ihost, port", "state the parts of the authority", |s| {
        rfc3986::state_authority(s);
        Done
    }),
];
