//! The crate sophia_iri: `BaseIri::new(base).resolve(reference)`, `Iri::new` without a base, and the methods of `BaseIriRef::new(url)`.
//!
//! Read from `src/resolve.rs` and `src/_regex.rs` of sophia_iri 0.10.0. With a base, and for components, it calls the crate oxiri 0.2; without one, it compares the
//! reference with a regular expression.

use urlstrata::slots::Part;
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::crate_oxiri;
use crate::rfc3986::{self, IRI, IRI_QUERY};

/// The crate sophia_iri.
pub static TABLE: Table = Table {
    engine: "crate-sophia-iri",
    first: "0.10.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[IRI_REGEX],
    standard: None,
    has_dated_names: false,
    field: None,
    // The rows of the newest oxiri before 0.3: it has none of the changes.
    calls: no_calls,
};

static IRI_REGEX: &[Step] = &[
    Step::new(
        "IRI_REGEX: scheme",
        "a letter, then letters, digits, +, - and . before a colon are the scheme",
        rfc3986::cut_scheme,
    ),
    Step::new("is_absolute_iri_ref", "reject a reference without a scheme", rfc3986::require_scheme),
    Step::new(
        "IRI_REGEX: iauthority",
        "after two slashes, the part up to the next /, ? or # is the authority",
        rfc3986::cut_authority,
    ),
    Step::new(
        "IRI_REGEX: ihier_part",
        "the part up to ? or # is the path, then up to # the query, then the fragment",
        rfc3986::cut_path,
    ),
    Step::new(
        "IRI_REGEX: ihost",
        "reject an authority that does not match, unless all its characters may occur in a path: \
         the expression for a path with one slash also matches two",
        |s| {
            let slot = s.own(Part::Authority);
            match is_authority(s.get(slot)) || rfc3986::conforms(s.get(slot), rfc3986::PATH, IRI) {
                true => Go,
                false => s.reject(slot, "it matches neither an authority nor a path"),
            }
        },
    ),
    Step::new("IRI_REGEX: ipath", "reject a path with a character that RFC 3987 does not allow", |s| {
        rfc3986::check(s, Part::Path, rfc3986::PATH, IRI)
    }),
    Step::new("IRI_REGEX: iquery", "reject a query with a character that RFC 3987 does not allow", |s| {
        rfc3986::check(s, Part::Query, rfc3986::QUERY, IRI_QUERY)
    }),
    Step::new("IRI_REGEX: ifragment", "reject a fragment with a character that RFC 3987 does not allow", |s| {
        rfc3986::check(s, Part::Fragment, rfc3986::QUERY, IRI)
    }),
];

static RESOLVE: &[Step] = &[
    Step::new("Iri::new", "match the reference if the base is unknown", |s| match s.base.is_empty() {
        true => Call(IRI_REGEX, Side::Reference),
        false => Go,
    }),
    Step::new("Iri::as_str", "without a known base, return the reference as it is", rfc3986::without_base),
    Step::new("BaseIri::resolve", "resolve as the crate oxiri does", |_| Call(crate_oxiri::RESOLVE, Side::Reference)),
];

/// `BaseIriRef::new`, and the methods of what it returns.
static STATE: &[Step] = &[
    Step::new("BaseIriRef::new", "read the text, which may be a relative reference", |s| rfc3986::read_alone(s, crate_oxiri::VALIDATE)),
    Step::new("scheme, authority, path, query, fragment", "state the components as they were read", rfc3986::state),
];

/// Returns whether an authority has user information, a host and a port that match.
fn is_authority(authority: &str) -> bool {
    let (user, host, port) = rfc3986::divide(authority);
    let is_host = match host.strip_prefix('[').map(|rest| rest.strip_suffix(']')) {
        Some(address) => {
            address.is_some_and(|it| matches_ipv6(it) || it.starts_with('v') && rfc3986::is_future(it))
        }
        None => rfc3986::conforms(host, rfc3986::REG_NAME, IRI),
    };
    let is_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(is_digits);
    is_host && is_port && user.is_none_or(|user| rfc3986::conforms(user, rfc3986::USERINFO, IRI))
}

/// The expression for an IPv6 address. Before `::` it wants groups that each end with a colon, and then a colon and a group, unless six groups
/// follow.
fn matches_ipv6(address: &str) -> bool {
    let is_group = |it: &str| (1..=4).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_hexdigit());
    // The number of groups; an IPv4 address at the end is two.
    let count = |text: &str| {
        let groups: Vec<&str> = text.split(':').collect();
        let (last, before) = groups.split_last()?;
        let is_ipv4 = last.parse::<std::net::Ipv4Addr>().is_ok();
        let is_valid = before.iter().all(|it| is_group(it)) && (is_ipv4 || is_group(last));
        is_valid.then(|| groups.len() + usize::from(is_ipv4))
    };
    let Some((before, after)) = address.rsplit_once("::") else { return count(address) == Some(8) };
    let Some(after) = (if after.is_empty() { Some(0) } else { count(after) }) else { return false };
    match (before, after) {
        ("", ..=7) => true,
        (_, 6) => is_group(before),
        (_, ..=5) => before.rsplit_once(':').is_some_and(|(groups, last)| {
            let groups: Vec<&str> = groups.split_terminator(':').collect();
            let is_terminated = groups.is_empty() || before.rsplit_once(':').is_some_and(|(it, _)| it.ends_with(':'));
            is_group(last) && is_terminated && groups.iter().all(|it| is_group(it)) && groups.len() <= 6 - after
        }),
        _ => false,
    }
}
