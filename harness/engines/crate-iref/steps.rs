//! The crate iref: `IriRef::new(reference)?.resolved(Iri::new(base)?)`, from 5.0.0 on.
//!
//! Read from `src/uri/reference.rs`, `src/uri/path/mod.rs`, `src/uri/path/mut.rs` and `src/iri/grammar.abnf` of iref 5.0.0. Texts are checked by an automaton
//! that is made of the grammar of RFC 3987. Paths were resolved otherwise before 5.0.0.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::scheme;
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::rfc3986::{self, IRI, IRI_QUERY};

/// The crate iref.
pub static TABLE: Table = Table {
    engine: "crate-iref",
    first: "5.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `Iri::new` and `IriRef::new`, by the rules of the grammar.
static PARSE: &[Step] = &[
    Step::new("scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", rfc3986::cut_scheme),
    Step::new("iri", "reject a base without a scheme, and a reference without one if the base is unknown", rfc3986::require_scheme),
    Step::new("ihier-part", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("ipath", "the part up to ? or # is the path, then up to # the query, then the fragment", rfc3986::cut_path),
    Step::new("iuserinfo", "reject user information with a character that RFC 3987 does not allow", |s| {
        rfc3986::check_user(s, IRI)
    }),
    Step::new(
        "ihost",
        "reject a host that is neither an IPv6 address nor one of a later version in brackets, nor a name that RFC 3987 allows",
        |s| rfc3986::check_host(s, IRI),
    ),
    Step::new("port", "reject what follows the host if it is not a colon and digits", rfc3986::check_port),
    Step::new("ipath-noscheme", "reject a relative path whose first segment contains a colon", rfc3986::check_first_segment),
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

/// `IriRefBuf::resolve`.
static RESOLVE: &[Step] = &[
    Step::new("Iri::new", "parse the base, if it is known", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("IriRef::new", "parse the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("Iri: to_string", "without a known base, return the reference as it is", rfc3986::without_base),
    Step::new("resolve: scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| rfc3986::own_scheme(s, NORMALIZE)),
    Step::new("resolve: authority", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
        rfc3986::own_authority(s, NORMALIZE)
    }),
    Step::new("resolve: is_empty", "without a path, inherit the base's as it is, and its query if there is none", |s| {
        rfc3986::no_path(s, CONCATENATE)
    }),
    Step::new("resolve: is_absolute", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, NORMALIZE)),
    Step::new(
        "parent_or_empty",
        "the path follows the parent of the base's, and a slash if the base has an authority and no path; \
         a . segment precedes an empty first segment of the base's path if that is the parent",
        |s| {
            s.mark(MERGED);
            let base = s.get(Slot::Base(Part::Path));
            let parent = match base.rfind('/') {
                None if base.is_empty() && s.present(Slot::Base(Part::Authority)).is_some() => "/",
                None => "",
                Some(0) => "/",
                Some(1) if base.starts_with("//") => "/.//",
                Some(at) => &base[..=at],
            };
            let merged = format!("{parent}{}", s.get(Slot::Ref(Part::Path)));
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new(
        NORMALIZE,
        "remove each . segment, and each .. segment with the one before it; without a slash before it, a .. segment that follows nothing or .. remains; \
         a slash follows what is before a last dot segment",
        |s| {
            let path = normalized(s.get(Slot::Merged));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("replace: //new_path", "write /. before a path that begins with two slashes, if the authority is absent or the path was merged", |s| {
        let path = s.get(Slot::NoDots);
        if path.starts_with("//") && (s.is_marked(MERGED) || s.present(Slot::Out(Part::Authority)).is_none()) {
            let path = format!("/.{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("replace: new:path", "write ./ before a merged path that begins with a scheme and a colon", |s| {
        if s.is_marked(MERGED) && scheme(s.get(Slot::NoDots)).is_some() {
            let path = format!("./{}", s.get(Slot::NoDots));
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new(CONCATENATE, "concatenate the components", |s| s.concatenate()),
];

const NORMALIZE: &str = "NormalizedSegments";
const CONCATENATE: &str = "IriRefBuf";

/// The mark of a path that was merged: neither the scheme nor the authority of the target is seen.
const MERGED: &str = "iref: the path was merged";

fn normalized(path: &str) -> String {
    let (root, rest) = path.strip_prefix('/').map_or(("", path), |rest| ("/", rest));
    let mut kept: Vec<&str> = Vec::new();
    for segment in rest.split('/').filter(|_| !rest.is_empty()) {
        match segment {
            "." => {}
            ".." if kept.last().map_or(root.is_empty(), |last| *last == "..") => kept.push(".."),
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    if rfc3986::ends_with_dots(rest) && !kept.is_empty() {
        kept.push("");
    }
    format!("{root}{}", kept.join("/"))
}
