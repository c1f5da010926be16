//! EasyRdf: `(new ParsedUri($base))->resolve($reference)`, and the accessors of `new ParsedUri($url)`, of 1.0.0.
//!
//! Read from `EasyRdf/ParsedUri.php` of EasyRdf 1.0.0. Texts are bytes, and are neither checked, nor decoded, nor encoded. PHP takes the text `0` for
//! false, as the empty one.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::folder;
use urlstrata_steps::{Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986;

/// EasyRdf.
pub static TABLE: Table = Table {
    engine: "easyrdf",
    first: "1.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[CONSTRUCT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `__construct`, for the base and the reference.
static CONSTRUCT: &[Step] = &[
    Step::new("URI_REGEX: scheme", "the text before a colon is the scheme, if it is not empty and has no /, ? or #", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        rfc3986::cut_scheme_of_appendix_b(s)
    }),
    Step::new("URI_REGEX: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("URI_REGEX: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("URI_REGEX: .*", "a line feed ends the fragment and the text", |s| {
        let slot = s.own(Part::Fragment);
        if let Some((before, _)) = s.present(slot).and_then(|it| it.split_once('\n')) {
            let before = before.to_owned();
            s.set(slot, before);
        }
        Go
    }),
];

/// Returns whether a component of the reference is neither absent, nor empty, nor `0`.
fn is_true(s: &State<'_>, part: Part) -> bool {
    !matches!(s.get(Slot::Ref(part)), "" | "0")
}

/// `resolve`, `normalise` and `toString`.
static RESOLVE: &[Step] = &[
    Step::new("new ParsedUri($base)", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(CONSTRUCT, Side::Base),
    }),
    Step::new("new ParsedUri($reference)", "read the reference", |_| Call(CONSTRUCT, Side::Reference)),
    Step::new("toString: no base", "without a base, write the reference as it was read", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        if !s.base.is_empty() {
            return Go;
        }
        for part in Part::COMPONENTS {
            s.copy(Slot::Out(part), Slot::Ref(part));
        }
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::Used, "nothing");
        To("toString")
    }),
    Step::new("resolve: scheme", "a reference with a scheme other than 0 inherits nothing, any other one inherits the scheme", |s| {
        if !is_true(s, Part::Scheme) {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.set(Slot::Used, "nothing");
        To("normalise: ./")
    }),
    Step::new(
        "resolve: authority",
        "a reference with an authority that is neither empty nor 0 inherits nothing else, any other one the authority",
        |s| {
            if !is_true(s, Part::Authority) {
                s.inherit(Part::Authority);
                return Go;
            }
            s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            To("normalise: ./")
        },
    ),
    Step::new("resolve: query", "without a path, or with 0, inherit the base's, and its query if there is none or an empty one or 0", |s| {
        if is_true(s, Part::Path) {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        if !is_true(s, Part::Query) {
            s.inherit(Part::Query);
        }
        To("normalise: ./")
    }),
    Step::new("resolve: strrpos", "a path without a slash at its beginning follows the base's up to its last slash, or a slash if it has none", |s| {
        let path = s.get(Slot::Ref(Part::Path));
        if !path.starts_with('/') {
            let folder = folder(s.get(Slot::Base(Part::Path)));
            let merged = format!("{}{path}", if folder.is_empty() { "/" } else { folder });
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
        }
        Go
    }),
    Step::new("normalise: ./", "remove a first . segment with the slash after it", |s| {
        s.flow(Slot::NoDots, Slot::Merged);
        let path = s.get(Slot::Merged);
        let path = path.strip_prefix("./").unwrap_or(path).to_owned();
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new(
        "normalise",
        "remove each . segment, and each .. with the one before it, but not one that is empty or 0; a slash remains after a last one",
        |s| {
            let path = without_dots(s.get(Slot::NoDots));
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("toString", "concatenate the components", |s| s.concatenate()),
];

/// `normalise`.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if matches!(kept.last(), None | Some(&("" | "0"))) => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    if path.contains('/') && rfc3986::ends_with_dots(path) {
        kept.push("");
    }
    kept.join("/")
}

/// The accessors of `new ParsedUri($url)`.
static STATE: &[Step] = &[
    Step::new("new ParsedUri($url)", "read the URL", |_| Call(CONSTRUCT, Side::Reference)),
    Step::new("getScheme, getAuthority, getPath, getQuery, getFragment", "state the components as they were read", |s| {
        rfc3986::state(s);
        Done
    }),
];
