//! network-uri: ``reference `relativeTo` base`` of two texts that `parseURIReference` and `parseURI` read, and the fields of `parseURIReference url`.
//!
//! Read from `Network/URI.hs` of network-uri 2.6.4.2. A parser that has consumed characters does not try its alternatives, so the first component
//! that does not conform rejects the text. Texts are neither decoded nor encoded. If the base is unknown, the reference is written as it was read.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::rfc3986::{self, REG_NAME, URI};

/// network-uri.
pub static TABLE: Table = Table {
    engine: "network-uri",
    first: "2.6.4.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `parseURI`, for the base, and `parseURIReference`, for the reference.
static PARSE: &[Step] = &[
    Step::new("uscheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", rfc3986::cut_scheme),
    Step::new("hierPart, relativePart: string \"//\"", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("uquery, ufragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("parseURI", "reject a base without a scheme", |s| {
        let slot = s.own(Part::Scheme);
        match s.side == Side::Base && s.present(slot).is_none() {
            true => s.reject(slot, "the base has no scheme"),
            false => Go,
        }
    }),
    Step::new("userinfo", "reject user information with a character that is not allowed", |s| rfc3986::check_user(s, URI)),
    Step::new("host", "reject a host that is neither an IP address in brackets nor a name of at most 255 characters", |s| {
        let slot = s.own(Part::Authority);
        match is_host(rfc3986::divide(s.get(slot)).1) {
            true => Go,
            false => s.reject(slot, "the host is neither an IP address in brackets nor a name of at most 255 allowed characters"),
        }
    }),
    Step::new("port", "reject what follows the host and is not a colon and digits", rfc3986::check_port),
    Step::new("pathNoScheme: segmentNzc", "reject a relative path with a colon in its first segment", rfc3986::check_first_segment),
    Step::new("pchar", "reject a path with a character that is not allowed", |s| rfc3986::check(s, Part::Path, rfc3986::PATH, URI)),
    Step::new("uquery: uchar", "reject a query with a character that is not allowed", |s| {
        rfc3986::check(s, Part::Query, rfc3986::QUERY, URI)
    }),
    Step::new("ufragment: uchar", "reject a fragment with a character that is not allowed", |s| {
        rfc3986::check(s, Part::Fragment, rfc3986::QUERY, URI)
    }),
];

/// `host`: an escape is one character of a name.
fn is_host(host: &str) -> bool {
    let Some(address) = host.strip_prefix('[') else {
        return rfc3986::conforms(host, REG_NAME, URI) && host.len() - 2 * host.matches('%').count() <= 255;
    };
    address.strip_suffix(']').is_some_and(|it| is_address(it) || is_future(it))
}

/// `ipv6addrz`: the numbers of an IPv4 address at the end may have leading zeros, and no zone identifier follows one.
fn is_address(text: &str) -> bool {
    let (address, zone) = text.split_once("%25").map_or((text, None), |(address, zone)| (address, Some(zone)));
    if zone.is_some_and(|it| it.is_empty() || !rfc3986::conforms(it, "", URI) || address.contains('.')) {
        return false;
    }
    let (before, last) = address.split_at(address.rfind(':').map_or(0, |at| at + 1));
    let octet = |it: &str| match it.len() <= 3 && it.bytes().all(|it| it.is_ascii_digit()) {
        true => it.parse::<u8>().map_or_else(|_| it.to_owned(), |number| number.to_string()),
        false => it.to_owned(),
    };
    let last = if last.contains('.') { last.split('.').map(octet).collect::<Vec<_>>().join(".") } else { last.to_owned() };
    format!("{before}{last}").parse::<Ipv6Addr>().is_ok()
}

/// `ipvFuture`: the version is one digit, the v is a small letter, and the address does not contain a colon.
fn is_future(text: &str) -> bool {
    let digit = text.strip_prefix('v').filter(|it| it.starts_with(|it: char| it.is_ascii_hexdigit()));
    let address = digit.and_then(|it| it[1..].strip_prefix('.'));
    address.is_some_and(|it| !it.is_empty() && !it.contains('%') && rfc3986::conforms(it, REG_NAME, URI))
}

/// `relativeTo`.
static RESOLVE: &[Step] = &[
    Step::new("parseURIReference", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("parseURIReference: no base", "without a base, return the reference as it was read", rfc3986::without_base),
    Step::new("parseURI: the base", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("relativeTo: uriScheme ref", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| {
        rfc3986::own_scheme(s, "removeDotSegments")
    }),
    Step::new("relativeTo: uriAuthority ref", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        rfc3986::own_authority(s, "removeDotSegments")
    }),
    Step::new("relativeTo: uriPath base", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To("removeDotSegments")
    }),
    Step::new("relativeTo: head (uriPath ref)", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, "removeDotSegments")),
    Step::new("mergePaths", "write the path after the base's up to its last slash, or after a slash if the base has an authority and no path", rfc3986::merge),
    Step::new("removeDotSegments", "remove each . segment, and each .. with the segment before it, also from an inherited path", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("uriToString", "concatenate the components", |s| s.concatenate()),
];

/// `removeDotSegments`: the first slash stays, and a segment includes the slash after it.
fn without_dots(path: &str) -> String {
    let (root, rest) = path.split_at(usize::from(path.starts_with('/')));
    let mut kept = Vec::new();
    for segment in rest.split_inclusive('/') {
        match segment {
            "." | "./" => {}
            ".." | "../" => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    format!("{root}{}", kept.concat())
}

/// `parseURIReference`, and what it finds.
static STATE: &[Step] = &[
    Step::new("parseURIReference: the URL", "read the URL", |s| rfc3986::read_alone(s, PARSE)),
    Step::new("URI", "state the components as they were read; a scheme, a query or a fragment that is absent is empty", |s| {
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("URIAuth", "state the parts of the authority; user information or a port that is absent is empty", |s| {
        rfc3986::state_authority(s);
        for part in [Part::Userinfo, Part::Port] {
            if s.present(Slot::Ref(Part::Authority)).is_some() && s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        Done
    }),
];
