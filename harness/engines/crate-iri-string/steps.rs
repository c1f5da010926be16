//! The crate iri-string: `FixedBaseResolver::new(IriAbsoluteStr::new(base)).resolve(IriReferenceStr::new(reference))`, `IriStr::new`
//! without a base, and the methods of `IriReferenceStr::new(url)`.
//!
//! Read from `src/parser/validate.rs`, `src/normalize.rs` and `src/normalize/path.rs` of iri-string 0.7.0 and 0.7.14. Texts are checked by the
//! grammar of RFC 3987, and nothing but the path is rewritten.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::without_dots;
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986::{self, IRI, IRI_QUERY};

/// The crate iri-string.
pub static TABLE: Table = Table {
    engine: "crate-iri-string",
    first: "0.7.0",
    changes: &[&DOT, &FRAGMENT],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[VALIDATE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static DOT: Change = Change {
    id: "#36",
    versions: &["0.7.2"],
    date: "2024-04-14",
    issue: "https://github.com/lo48576/iri-string/issues/36",
    says: "a path `//` that a last dot segment leaves is not written as an empty authority",
    witness: Witness::resolving("a:/b", "..//.", Some("a://"), Some("a:/.//")),
};

static FRAGMENT: Change = Change {
    id: "0.7.14",
    versions: &["0.7.14"],
    date: "2026-07-26",
    issue: "",
    says: "a base with an empty fragment is rejected",
    witness: Witness::resolving("a:b#", "c:d", Some("c:d"), None),
};

/// `validate_uri_reference_common`, for the base and the reference.
static VALIDATE: &[Step] = &[
    Step::new(
        "validate_uri_reference_common: scheme",
        "a letter, then letters, digits, +, - and . before a colon are the scheme",
        rfc3986::cut_scheme,
    ),
    Step::new(
        "validate_uri_reference_common: UnexpectedRelative",
        "reject a base without a scheme, and a reference without one if the base is unknown",
        rfc3986::require_scheme,
    ),
    Step::new(
        "validate_uri_reference_common: hier-part",
        "after two slashes, the part up to the next /, ? or # is the authority",
        rfc3986::cut_authority,
    ),
    Step::new(
        "validate_uri_reference_common: find_split2_hole",
        "the part up to ? or # is the path, then up to # the query, then the fragment",
        rfc3986::cut_path,
    ),
    Step::new("validate_userinfo", "reject user information with a character that RFC 3987 does not allow", |s| {
        rfc3986::check_user(s, IRI)
    }),
    Step::new("validate_authority: port", "reject what follows the host if it is not a colon and digits", rfc3986::check_port),
    Step::new(
        "validate_host",
        "reject a host that is neither an IPv6 address nor one of a later version in brackets, nor a name that RFC 3987 allows",
        |s| rfc3986::check_host(s, IRI),
    ),
    Step::new(
        "validate_path_relative_authority_absent",
        "reject a relative path whose first segment contains a colon",
        rfc3986::check_first_segment,
    ),
    Step::new("validate_path_abempty", "after an authority, reject a path with a character that RFC 3987 does not allow", |s| {
        check_path(s, |_, has_authority| has_authority)
    }),
    Step::new(
        "validate_path_absolute_authority_absent",
        "after a scheme and no authority, reject a path with a character that RFC 3987 does not allow",
        |s| check_path(s, |has_scheme, has_authority| has_scheme && !has_authority),
    ),
    Step::new(
        "validate_path_relative_authority_absent: satisfy_chars_with_pct_encoded",
        "without a scheme and an authority, reject a path with a character that RFC 3987 does not allow",
        |s| check_path(s, |has_scheme, has_authority| !has_scheme && !has_authority),
    ),
    Step::new("validate_query", "reject a query with a character that RFC 3987 does not allow", |s| {
        rfc3986::check(s, Part::Query, rfc3986::QUERY, IRI_QUERY)
    }),
    Step::new("validate_after_path: a fragment", "reject a base with a fragment that is not empty", |s| {
        match s.side == Side::Base && !s.get(Slot::Base(Part::Fragment)).is_empty() {
            true => s.reject(Slot::Base(Part::Fragment), "an absolute IRI has no fragment"),
            false => Go,
        }
    })
    .until(&FRAGMENT),
    Step::new("validate_after_path: UnexpectedFragment", "reject a base with a fragment", |s| {
        match s.side == Side::Base && s.present(Slot::Base(Part::Fragment)).is_some() {
            true => s.reject(Slot::Base(Part::Fragment), "an absolute IRI has no fragment"),
            false => Go,
        }
    })
    .since(&FRAGMENT),
    Step::new("validate_fragment", "reject a fragment with a character that RFC 3987 does not allow", |s| {
        rfc3986::check(s, Part::Fragment, rfc3986::QUERY, IRI)
    }),
];

/// Checks the characters of a path if `is_own` holds for whether there is a scheme, and whether there is an authority.
fn check_path(s: &mut State<'_>, is_own: fn(bool, bool) -> bool) -> Next {
    let [has_scheme, has_authority] = [Part::Scheme, Part::Authority].map(|part| s.present(s.own(part)).is_some());
    match is_own(has_scheme, has_authority) {
        true => rfc3986::check(s, Part::Path, rfc3986::PATH, IRI),
        false => Go,
    }
}

/// `FixedBaseResolver::resolve`, and what writes its result.
static RESOLVE: &[Step] = &[
    Step::new("IriAbsoluteStr::new", "validate the base, if it is known", |s| match s.base.is_empty() {
        true => Go,
        false => Call(VALIDATE, Side::Base),
    }),
    Step::new("IriReferenceStr::new", "validate the reference", |_| Call(VALIDATE, Side::Reference)),
    Step::new("IriStr::new", "without a known base, return the reference as it is", rfc3986::without_base),
    Step::new("with_resolution_params: RefToplevel::Scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        rfc3986::own_scheme(s, "SegmentKind::from_segment")
    }),
    Step::new("with_resolution_params: RefToplevel::Authority", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
        rfc3986::own_authority(s, "SegmentKind::from_segment")
    }),
    Step::new(
        "with_resolution_params: Path::Done",
        "without a path, inherit the base's as it is, and its query if there is none",
        |s| rfc3986::no_path(s, "NormalizedInner::fmt"),
    ),
    Step::new(
        "from_paths_to_be_resolved: reference.starts_with('/')",
        "a path that begins with a slash is not merged",
        |s| rfc3986::rooted(s, "SegmentKind::from_segment"),
    ),
    Step::new(
        "from_paths_to_be_resolved",
        "the path follows the base's up to its last slash, or a slash if the base has an authority and no path",
        rfc3986::merge,
    ),
    Step::new("SegmentKind::from_segment", "an encoded dot in a dot segment is a dot", |s| {
        let path = rfc3986::with_plain_dots(s.get(Slot::Merged));
        s.set(Slot::Merged, path);
        Go
    }),
    Step::new(
        "fmt_write_normalize",
        "remove each . segment, and each .. segment with the one before it; a slash after a last one remains",
        |s| {
            s.flow(Slot::NoDots, Slot::Merged);
            let path = without_dots(s.get(Slot::NoDots));
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new(
        "emit_segment: ./",
        "without an authority, write /. before a path that begins with two slashes, unless a last dot segment leaves nothing after them",
        |s| {
            if s.get(Slot::NoDots) != "//" || !rfc3986::ends_with_dots(s.get(Slot::Merged)) {
                rfc3986::mark_two_slashes(s);
            }
            Go
        },
    )
    .until(&DOT),
    Step::new(
        "emit_segment",
        "without an authority, write /. before a path that begins with two slashes",
        |s| {
            rfc3986::mark_two_slashes(s);
            Go
        },
    )
    .since(&DOT),
    Step::new("NormalizedInner::fmt", "concatenate the components", |s| s.concatenate()),
];

/// `IriReferenceStr::new`, and the methods of what it returns.
static STATE: &[Step] = &[
    Step::new("IriReferenceStr::new, alone", "read the text, which may be a relative reference", |s| rfc3986::read_alone(s, VALIDATE)),
    Step::new("scheme_str, authority_str, path_str, query_str, fragment", "state the components as they were read", rfc3986::state),
];
