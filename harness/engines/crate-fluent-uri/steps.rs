//! The crate fluent-uri: `UriRef::parse(reference).resolve_against(&Uri::parse(base))`, `Uri::parse` without a base, and the methods of
//! `UriRef::parse(url)`.
//!
//! Read from `src/parser.rs` and `src/resolver.rs` of fluent-uri 0.3.2, and `src/parse.rs` and `src/resolve.rs` of 0.4.1. Texts are checked by
//! the grammar of RFC 3986, and nothing but the path is rewritten.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{folder, without_dots};
use urlstrata_steps::{Change, Next::*, Question, Side, Step, Table, Witness, no_calls};

use crate::rfc3986::{self, URI};

/// The crate fluent-uri.
pub static TABLE: Table = Table {
    engine: "crate-fluent-uri",
    first: "0.3.2",
    changes: &[&BASE_PATH],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static BASE_PATH: Change = Change {
    id: "0.4.0",
    versions: &["0.4.0"],
    date: "2025-11-03",
    issue: "",
    says: "dot segments are removed from a path that is inherited as a whole",
    witness: Witness::resolving("http://a/b/../c", "?d", Some("http://a/b/../c?d"), Some("http://a/c?d")),
};

/// `Parser::parse_from_scheme`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new(
        "parse_from_scheme",
        "a letter, then letters, digits, +, - and . before a colon are the scheme",
        rfc3986::cut_scheme,
    ),
    Step::new(
        "parse_from_scheme: scheme_required",
        "reject a base without a scheme, and a reference without one if the base is unknown",
        rfc3986::require_scheme,
    ),
    Step::new(
        "parse_from_authority",
        "after two slashes, the part up to the next /, ? or # is the authority",
        rfc3986::cut_authority,
    ),
    Step::new(
        "parse_from_path",
        "the part up to ? or # is the path, then up to # the query, then the fragment",
        rfc3986::cut_path,
    ),
    Step::new(
        "parse_from_authority: userinfo_table",
        "reject user information with a character that RFC 3986 does not allow",
        |s| rfc3986::check_user(s, URI),
    ),
    Step::new(
        "parse_from_authority: the host",
        "reject a host that is neither an IPv6 address nor one of a later version in brackets, nor a name that RFC 3986 allows",
        |s| rfc3986::check_host(s, URI),
    ),
    Step::new("read_port", "reject what follows the host if it is not a colon and digits", rfc3986::check_port),
    Step::new(
        "parse_from_path: segment_table",
        "reject a relative path whose first segment contains a colon",
        rfc3986::check_first_segment,
    ),
    Step::new("parse_from_path: path_table", "reject a path with a character that RFC 3986 does not allow", |s| {
        rfc3986::check(s, Part::Path, rfc3986::PATH, URI)
    }),
    Step::new("parse_from_path: query_table", "reject a query with a character that RFC 3986 does not allow", |s| {
        rfc3986::check(s, Part::Query, rfc3986::QUERY, URI)
    }),
    Step::new(
        "parse_from_path: fragment_table",
        "reject a fragment with a character that RFC 3986 does not allow",
        |s| rfc3986::check(s, Part::Fragment, rfc3986::QUERY, URI),
    ),
];

/// `resolve`.
static RESOLVE: &[Step] = &[
    Step::new("Uri::parse", "parse the base, if it is known", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("UriRef::parse", "parse the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("Uri::as_str", "without a known base, return the reference as it is", rfc3986::without_base),
    Step::new("resolve: BaseWithFragment", "reject a base with a fragment", |s| {
        match s.present(Slot::Base(Part::Fragment)) {
            Some(_) => s.reject(Slot::Base(Part::Fragment), "the base has a fragment"),
            None => Go,
        }
    }),
    Step::new(
        "resolve: InvalidReferenceAgainstOpaqueBase",
        "reject a relative reference that is not empty or a fragment if the base has no authority and its path does not begin with a slash",
        |s| {
            let path = s.get(Slot::Base(Part::Path));
            let is_opaque = s.present(Slot::Base(Part::Authority)).is_none() && !path.starts_with('/');
            let is_relative = s.present(Slot::Ref(Part::Scheme)).is_none()
                && (s.present(Slot::Ref(Part::Authority)).is_some()
                    || s.present(Slot::Ref(Part::Query)).is_some()
                    || !s.get(Slot::Ref(Part::Path)).is_empty());
            match is_opaque && is_relative {
                true => s.reject(Slot::Base(Part::Path), "the path of the base does not begin with a slash"),
                false => Go,
            }
        },
    ),
    Step::new("resolve: r_scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        rfc3986::own_scheme(s, "classify_segment")
    }),
    Step::new("resolve: r_authority", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
        rfc3986::own_authority(s, "classify_segment")
    }),
    Step::new("resolve: r_path, copied", "without a path, inherit the base's as it is, and its query if there is none", |s| {
        rfc3986::no_path(s, "resolve: the result")
    })
    .until(&BASE_PATH),
    Step::new("resolve: r_path", "without a path, inherit the base's, and its query if there is none", |s| {
        rfc3986::no_path(s, "classify_segment")
    })
    .since(&BASE_PATH),
    Step::new("resolve: is_absolute", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, "classify_segment")
    }),
    Step::new(
        "resolve: base_path_stripped",
        "the path follows the base's up to its last slash, or the whole path of the base and a slash if its last segment is ..; \
         a base without a path has the path /",
        |s| {
            let base = match s.get(Slot::Base(Part::Path)) {
                "" => "/",
                path => path,
            };
            let is_up = rfc3986::with_plain_dots(base).ends_with("/..");
            let folder = if is_up { format!("{base}/") } else { folder(base).to_owned() };
            let merged = format!("{folder}{}", s.get(Slot::Ref(Part::Path)));
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new("classify_segment", "an encoded dot in a dot segment of a path that begins with a slash is a dot", |s| {
        if s.get(Slot::Merged).starts_with('/') {
            let path = rfc3986::with_plain_dots(s.get(Slot::Merged));
            s.set(Slot::Merged, path);
        }
        Go
    }),
    Step::new(
        "remove_dot_segments",
        "if the path begins with a slash, remove each . segment, and each .. segment with the one before it; a slash after a last one remains",
        |s| {
            s.flow(Slot::NoDots, Slot::Merged);
            if s.get(Slot::NoDots).starts_with('/') {
                let path = without_dots(s.get(Slot::NoDots));
                s.set(Slot::NoDots, path);
            }
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new(
        "resolve: starts_with(\"//\")",
        "without an authority, write /. before a path that begins with two slashes",
        |s| {
            rfc3986::mark_two_slashes(s);
            Go
        },
    ),
    Step::new("resolve: the result", "concatenate the components", |s| s.concatenate()),
];

/// `UriRef::parse`, and the methods of what it returns.
static STATE: &[Step] = &[
    Step::new("UriRef::parse, alone", "read the text, which may be a relative reference", |s| rfc3986::read_alone(s, PARSE)),
    Step::new("scheme, authority, path, query, fragment", "state the components as they were read", rfc3986::state),
];
