//! The crate oxiri: `Iri::parse(base).resolve(&IriRef::parse(reference))`, `Iri::parse` without a base, and the methods of
//! `IriRef::parse(url)`.
//!
//! Read from `src/lib.rs` of oxiri 0.2.11, 0.3.0 and 0.3.1. Texts are checked by the grammar of RFC 3987, and nothing but the path is rewritten.
//! Before 0.3.0, one parser checks and resolves, character by character.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{until, without_dots};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986::{self, IRI, IRI_QUERY};

/// The crate oxiri.
pub static TABLE: Table = Table {
    engine: "crate-oxiri",
    first: "0.2.11",
    changes: &[&PARSER, &ABSOLUTE, &BASE, &INHERITED],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[VALIDATE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static PARSER: Change = Change {
    id: "0.3.0 validation",
    versions: &["0.3.0"],
    date: "2026-07-19",
    issue: "https://github.com/oxigraph/oxiri/commit/86bec57",
    says: "texts are validated by functions of their own before references are resolved; before, one parser did both",
    witness: None,
};

static ABSOLUTE: Change = Change {
    id: "0.3.0 absolute",
    versions: &["0.3.0"],
    date: "2026-07-19",
    issue: "https://github.com/oxigraph/oxiri/commit/da7aab1",
    says: "dot segments are removed from a path that follows a scheme or an authority in the reference",
    witness: Witness::resolving("http://a/b", "g:/x/../y", Some("g:/x/../y"), Some("g:/y")),
};

static BASE: Change = Change {
    id: "0.3.0 base",
    versions: &["0.3.0"],
    date: "2026-07-19",
    issue: "https://github.com/oxigraph/oxiri/commit/deb4653",
    says: "dot segments are removed from the path of the base, also if it is inherited as a whole",
    witness: Witness::resolving("http://a/b/../c/d", "e", Some("http://a/b/../c/e"), Some("http://a/c/e")),
};

static INHERITED: Change = Change {
    id: "0.3.1",
    versions: &["0.3.1"],
    date: "2026-07-25",
    issue: "",
    says: "a path that is inherited as a whole keeps its dot segments",
    witness: Witness::resolving("http://a/b/../c", "?d", Some("http://a/c?d"), Some("http://a/b/../c?d")),
};

/// `IriParser::parse` before 0.3.0, and then `find_iri_ref_positions` and `validate_iri_ref`, for the base and the reference.
pub(crate) static VALIDATE: &[Step] = &[
    Step::new(
        "parse_scheme_start",
        "a letter, then letters, digits, +, - and . before a colon are the scheme",
        rfc3986::cut_scheme,
    )
    .until(&PARSER),
    Step::new("parse_scheme_start: NoScheme", "reject a text that begins with a colon", |s| {
        match s.rest.starts_with(':') && s.present(s.own(Part::Scheme)).is_none() {
            true => s.reject(s.own(Part::Scheme), "it is missing before a colon"),
            false => Go,
        }
    })
    .until(&PARSER),
    Step::new("find_iri_positions: scheme_end", "the part before the first colon is the scheme, also after /, ? or #", |s| {
        let is_absolute = s.side == Side::Base || s.base.is_empty() && !s.is_marked(rfc3986::MAY_BE_RELATIVE);
        if !is_absolute {
            return Go;
        }
        let given = s.read_text();
        let given = given.as_str();
        let found = given.split_once(':');
        s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
        s.rest = found.map_or(given, |(_, rest)| rest).to_owned();
        To("validate_iri")
    })
    .since(&PARSER),
    Step::new(
        "find_iri_ref_positions: scheme_end",
        "the part before a colon is the scheme, unless /, ? or # precedes the colon",
        rfc3986::cut_any_scheme,
    )
    .since(&PARSER),
    Step::new(
        "validate_iri",
        "reject a base without a scheme, and a reference without one if the base is unknown",
        rfc3986::require_scheme,
    )
    .since(&PARSER),
    Step::new(
        "parse_path_or_authority",
        "after two slashes, the part up to the next /, ? or # is the authority",
        rfc3986::cut_authority,
    )
    .until(&PARSER),
    Step::new(
        "find_iri_positions_knowing_scheme_end: authority_end",
        "after two slashes, the part up to the next /, ? or # is the authority",
        rfc3986::cut_authority,
    )
    .since(&PARSER),
    Step::new(
        "parse_path: the end",
        "the part up to ? or # is the path, then up to # the query, then the fragment",
        rfc3986::cut_path,
    )
    .until(&PARSER),
    Step::new(
        "find_iri_positions_knowing_scheme_end",
        "the part up to ? or # is the path, then up to # the query, then the fragment",
        rfc3986::cut_path,
    )
    .since(&PARSER),
    Step::new(
        "validate_scheme",
        "reject a scheme that is not a letter, then letters, digits, +, - and .",
        rfc3986::check_scheme,
    )
    .since(&PARSER),
    Step::new(
        "parse_authority",
        "reject an authority with a character before @ or [ that RFC 3987 does not allow in user information",
        |s| {
            let slot = s.own(Part::Authority);
            match rfc3986::conforms(until(s.get(slot), &['@', '[']).0, rfc3986::USERINFO, IRI) {
                true => Go,
                false => s.reject(
                    slot,
                    "it contains a character that is not allowed, or a percent sign without two hexadecimal digits",
                ),
            }
        },
    )
    .until(&PARSER),
    Step::new(
        "parse_host",
        "reject a host that is neither an IPv6 address nor one of a later version in brackets, nor a name that RFC 3987 allows",
        |s| {
            let slot = s.own(Part::Authority);
            // User information does not contain a bracket: the host begins before an @ that follows one.
            match until(s.get(slot), &['@']).0.contains('[') && s.get(slot).contains('@') {
                true => s.reject(slot, "the host is neither an IP address in brackets nor a name of allowed characters"),
                false => check_host(s),
            }
        },
    )
    .until(&PARSER),
    Step::new("parse_port", "reject what follows the host if it is not a colon and digits", rfc3986::check_port)
        .until(&PARSER),
    Step::new(
        "validate_authority: username",
        "reject user information with a character that RFC 3987 does not allow",
        |s| rfc3986::check_user(s, IRI),
    )
    .since(&PARSER),
    Step::new(
        "validate_authority",
        "reject a host that is neither an IPv6 address nor one of a later version in brackets, nor a name that RFC 3987 allows",
        check_host,
    )
    .since(&PARSER),
    Step::new("validate_port", "reject what follows the host if it is not a colon and digits", rfc3986::check_port)
        .since(&PARSER),
    Step::new(
        "parse_relative_path",
        "without a scheme and a slash at the beginning, reject a first segment with a colon or a character that RFC 3987 does not allow",
        |s| {
            let slot = s.own(Part::Path);
            let is_relative = s.present(s.own(Part::Scheme)).or(s.present(s.own(Part::Authority))).is_none();
            let segment = until(s.get(slot), &['/']).0;
            match !is_relative || !segment.contains(':') && rfc3986::conforms(segment, rfc3986::PATH, IRI) {
                true => Go,
                false => s.reject(
                    slot,
                    "its first segment contains a character that is not allowed there, or a percent sign without two hexadecimal digits",
                ),
            }
        },
    )
    .until(&PARSER),
    Step::new("parse_path", "reject a path with a character that RFC 3987 does not allow", check_path).until(&PARSER),
    Step::new("parse_query", "reject a query with a character that RFC 3987 does not allow", check_query).until(&PARSER),
    Step::new("parse_fragment", "reject a fragment with a character that RFC 3987 does not allow", check_fragment)
        .until(&PARSER),
    Step::new(
        "Iri::try_from: is_absolute",
        "reject a base without a scheme, and a reference without one if the base is unknown",
        rfc3986::require_scheme,
    )
    .until(&PARSER),
    Step::new("validate_path", "reject a path with a character that RFC 3987 does not allow", check_path).since(&PARSER),
    Step::new("validate_query", "reject a query with a character that RFC 3987 does not allow", check_query).since(&PARSER),
    Step::new("validate_fragment", "reject a fragment with a character that RFC 3987 does not allow", check_fragment)
        .since(&PARSER),
];

/// `Iri::resolve`.
pub(crate) static RESOLVE: &[Step] = &[
    Step::new("Iri::parse", "validate the base, if it is known", |s| match s.base.is_empty() {
        true => Go,
        false => Call(VALIDATE, Side::Base),
    }),
    Step::new("IriRef::parse", "validate the reference", |_| Call(VALIDATE, Side::Reference)),
    Step::new("Iri::into_inner", "without a known base, return the reference as it is", rfc3986::without_base),
    Step::new("parse_scheme", "a reference with a scheme inherits nothing, and its path keeps its dot segments; any other one inherits the scheme", |s| {
        keeping(s, |s| rfc3986::own_scheme(s, CONCATENATE))
    })
    .until(&ABSOLUTE),
    Step::new("resolve: is_absolute", "a reference with a scheme inherits nothing, any other one the scheme", |s| rfc3986::own_scheme(s, DOTS))
        .since(&ABSOLUTE),
    Step::new(
        "parse_relative_slash",
        "a reference with an authority inherits only the scheme, and its path keeps its dot segments; any other one inherits the authority, too",
        |s| keeping(s, |s| rfc3986::own_authority(s, CONCATENATE)),
    )
    .until(&ABSOLUTE),
    Step::new("resolve: authority_end", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
        rfc3986::own_authority(s, DOTS)
    })
    .since(&ABSOLUTE),
    Step::new(
        "parse_relative: without a path",
        "without a path, inherit the base's as it is, and its query if there is none",
        |s| rfc3986::no_path(s, CONCATENATE),
    )
    .until(&BASE),
    Step::new(
        "resolve: base.path",
        "without a path, inherit the base's without dot segments, and its query if there is none",
        |s| rfc3986::no_path(s, DOTS),
    )
    .since(&BASE)
    .until(&INHERITED),
    Step::new(
        "resolve: query_end",
        "without a path, inherit the base's as it is, and its query if there is none",
        |s| rfc3986::no_path(s, CONCATENATE),
    )
    .since(&INHERITED),
    Step::new("parse_relative: /", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, DOTS))
        .until(&PARSER),
    Step::new("resolve: starts_with('/')", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, DOTS))
        .since(&PARSER),
    Step::new(
        "remove_last_segment",
        "the path follows the base's up to its last slash, or a slash if the base has an authority and no path",
        rfc3986::merge,
    )
    .until(&PARSER),
    Step::new(
        "resolve: last_slash_position",
        "the path follows the base's up to its last slash, or a slash if the base has an authority and no path",
        rfc3986::merge,
    )
    .since(&PARSER),
    Step::new(
        DOTS,
        "remove each . segment that does not come from the base, and each .. segment with the one before it; \
         a slash remains after what is before them, and none if nothing is",
        |s| {
            s.flow(Slot::NoDots, Slot::Merged);
            let path = written(s).0;
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    )
    .until(&BASE),
    Step::new(
        "write_path_without_dot_segments_to",
        "remove each . segment, and each .. segment with the one before it; a slash after a last one remains",
        |s| {
            s.flow(Slot::NoDots, Slot::Merged);
            let path = without_dots(s.get(Slot::NoDots));
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    )
    .since(&BASE),
    Step::new(
        "parse_path: PathStartingWithTwoSlashes",
        "without an authority, reject a path that begins with two slashes, also before the removal of later dot segments",
        |s| {
            let is_ambiguous = s.get(Slot::NoDots).starts_with("//") || written(s).1;
            reject_two_slashes(s, is_ambiguous)
        },
    )
    .until(&BASE),
    Step::new("resolve: PathStartingWithTwoSlashes", "without an authority, reject a path that begins with two slashes", |s| {
        let is_ambiguous = s.get(Slot::NoDots).starts_with("//");
        reject_two_slashes(s, is_ambiguous)
    })
    .since(&BASE),
    Step::new(CONCATENATE, "concatenate the components", |s| s.concatenate()).since(&PARSER),
    Step::new("parse: output", "write the components", |s| s.concatenate()).until(&PARSER),
];

/// `IriRef::parse`, and the methods of what it returns.
static STATE: &[Step] = &[
    Step::new("IriRef::parse, alone", "read the text, which may be a relative reference", |s| rfc3986::read_alone(s, VALIDATE)),
    Step::new("scheme, authority, path, query, fragment", "state the components as they were read", rfc3986::state),
];

const DOTS: &str = "parse_path: REMOVE_DOT_SEGMENTS";
const CONCATENATE: &str = "resolve: positions";

fn check_host(s: &mut State<'_>) -> Next {
    rfc3986::check_host(s, IRI)
}

fn check_path(s: &mut State<'_>) -> Next {
    rfc3986::check(s, Part::Path, rfc3986::PATH, IRI)
}

fn check_query(s: &mut State<'_>) -> Next {
    rfc3986::check(s, Part::Query, rfc3986::QUERY, IRI_QUERY)
}

fn check_fragment(s: &mut State<'_>) -> Next {
    rfc3986::check(s, Part::Fragment, rfc3986::QUERY, IRI)
}

/// Does not remove the dot segments of the path if `row` goes on at another row.
fn keeping(s: &mut State<'_>, row: impl Fn(&mut State<'_>) -> Next) -> Next {
    let next = row(s);
    if let To(_) = next {
        s.flow(Slot::NoDots, Slot::Merged);
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
    }
    next
}

fn reject_two_slashes(s: &mut State<'_>, is_ambiguous: bool) -> Next {
    match is_ambiguous && s.present(Slot::Out(Part::Authority)).is_none() {
        true => s.reject(Slot::NoDots, "it would be read as an authority"),
        false => Go,
    }
}

/// `parse_path` before 0.3.0: writes the segments of the reference's path after the folder of the base. Returns the path, and whether it began
/// with two slashes after a dot segment.
fn written(s: &State<'_>) -> (String, bool) {
    let (merged, path) = (s.get(Slot::Merged), s.get(Slot::Ref(Part::Path)));
    let (folder, path) = merged.strip_suffix(path).map_or(("", merged), |folder| (folder, path));
    let mut written = folder.to_owned();
    let mut was_ambiguous = false;
    for part in path.split_inclusive('/') {
        let segment = part.strip_suffix('/').unwrap_or(part);
        written.push_str(segment);
        if written == "." || written == ".." {
            written.clear();
        } else if let Some(before) = written.strip_suffix("/..") {
            let is_host = before.is_empty() && s.present(Slot::Out(Part::Authority)).is_some();
            written = match before.rfind('/') {
                Some(at) => before[..=at].to_owned(),
                None if is_host => "/".to_owned(),
                None => String::new(),
            };
        } else if written.ends_with("/.") {
            written.pop();
        } else {
            written.push_str(&part[segment.len()..]);
            continue;
        }
        was_ambiguous |= written.starts_with("//");
    }
    (written, was_ambiguous)
}
