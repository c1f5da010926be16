//! The npm package @hyperjump/uri: `resolveIri(reference, base)`, and what `parseIriReference(url)` returns, from 1.3.3 on.
//!
//! Read from `lib/index.js` of @hyperjump/uri 1.3.3 to 1.3.6. In earlier versions the classes of characters of the grammar are other ones,
//! because the regular expressions lack a flag.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::hyperjump_uri::{
    ABSOLUTE_END, ABSOLUTE_SCHEME, AUTHORITY_ROW, COMPOSE, DOTS, FIRST_SEGMENT, FUTURE, IP_FUTURE, LOWER_HOST, LOWER_SCHEME, MERGE,
    NO_PATH, OWN_AUTHORITY, OWN_SCHEME, PATH, PORT, ROOTED, SCHEME_ROW, SEGMENT, decode, path_with_scheme,
};
use crate::rfc3986::{self, IRI, IRI_QUERY};

/// The package @hyperjump/uri for IRIs.
pub static TABLE: Table = Table {
    engine: "hyperjump-iri",
    first: "1.3.3",
    changes: &[&FUTURE, &SEGMENT],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The expressions `iriReference` and `absoluteIri`, by the names of their parts.
static PARSE: &[Step] = &[
    SCHEME_ROW,
    AUTHORITY_ROW,
    PATH,
    Step::new(
        "ipathWithoutAuthority: (?!//)",
        "the scheme begins the path if two slashes follow it, and then what is not an authority and has only characters of a path",
        |s| path_with_scheme(s, IRI),
    )
    .until(&SEGMENT),
    Step::new("iuserinfo", "reject user information with a character that RFC 3987 does not allow", |s| {
        rfc3986::check_user(s, IRI)
    }),
    Step::new(
        "ihost",
        "reject a host that is neither an IPv6 address nor one of a later version in brackets, nor a name that RFC 3987 allows",
        |s| rfc3986::check_host(s, IRI),
    ),
    IP_FUTURE,
    PORT,
    FIRST_SEGMENT,
    Step::new("ipchar", "reject a path with a character that RFC 3987 does not allow", |s| {
        rfc3986::check(s, Part::Path, rfc3986::PATH, IRI)
    }),
    Step::new("iquery", "reject a query with a character that RFC 3987 does not allow", |s| {
        rfc3986::check(s, Part::Query, rfc3986::QUERY, IRI_QUERY)
    }),
    Step::new("ifragment", "reject a fragment with a character that RFC 3987 does not allow", |s| {
        rfc3986::check(s, Part::Fragment, rfc3986::QUERY, IRI)
    }),
];

/// `resolveReference`.
static RESOLVE: &[Step] = &[
    Step::new("resolveReference: parseIriReference", "match the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("resolveReference: parseAbsoluteIri", "match the base if the reference has no scheme", |s| {
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => Go,
            None => Call(PARSE, Side::Base),
        }
    }),
    ABSOLUTE_SCHEME,
    ABSOLUTE_END,
    OWN_SCHEME,
    OWN_AUTHORITY,
    NO_PATH,
    ROOTED,
    MERGE,
    DOTS,
    Step::new(
        "normalizePath: isAllowedUnescapedInIPath",
        "decode each byte of the path that is a character without need of an escape, from U+00A0 on also those outside ASCII, \
         and write other escapes in upper case",
        |s| decode(s, Part::Path, ":@", IRI),
    ),
    Step { since: None, ..LOWER_SCHEME },
    Step { since: None, ..LOWER_HOST },
    Step::new("normalizeQuery: isAllowedUnescapedInIQuery", "decode the escapes of the query in the same way", |s| {
        decode(s, Part::Query, ":@/?", IRI)
    }),
    Step::new("normalizeFragment: isAllowedUnescapedInIQuery", "decode the escapes of the fragment in the same way", |s| {
        decode(s, Part::Fragment, ":@/?", IRI)
    }),
    COMPOSE,
];

/// `parseIriReference`, and the methods of what it returns.
static STATE: &[Step] = &[
    Step::new("parseIriReference", "read the text, which may be a relative reference", |s| rfc3986::read_alone(s, PARSE)),
    Step::new("userinfo, host, port", "state what the authority consists of", rfc3986::state_authority),
    Step::new("scheme, authority, path, query, fragment", "state the components as they were read", rfc3986::state),
];
