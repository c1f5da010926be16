//! Serd: `serd_node_new_uri_from_string(reference, &base, &result)`, and what `serd_uri_parse(url)` finds, from 0.30.10 on.
//!
//! Read from `src/uri.c` and `src/node.c` of Serd 0.30.10 to 0.32.10. Texts are neither checked, nor decoded, nor encoded. If the base is unknown,
//! the reference is written as it was read.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;

/// Serd.
pub static TABLE: Table = Table {
    engine: "serd",
    first: "0.30.10",
    changes: &[&DOTS, &SLASH],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static DOTS: Change = Change {
    id: "7935250b",
    versions: &["0.32.0"],
    date: "2023-10-22",
    issue: "https://github.com/drobilla/serd/commit/7935250b",
    says: "all dot segments at the beginning of a path with a slash are removed, not only the first one",
    witness: Witness::resolving("http://a/b", "/././c", Some("http://a/./c"), Some("http://a/c")),
};

static SLASH: Change = Change {
    id: "0.32.0",
    versions: &["0.32.0"],
    date: "2023-10-22",
    issue: "",
    says: "a slash is written between an empty authority and a path without one",
    witness: Witness::resolving("foo://", "c", Some("foo://c"), Some("foo:///c")),
};

/// `serd_uri_parse`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("serd_uri_parse: scheme", "if a letter is first, the text before a colon is the scheme, unless it has /, ? or #", |s| {
        let given = s.read_text();
        let given = given.as_str();
        let found = given.split_once(':').filter(|(name, _)| {
            name.starts_with(|it: char| it.is_ascii_alphabetic()) && !name.contains(['/', '?', '#'])
        });
        s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
        s.rest = found.map_or(given, |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("serd_uri_parse: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("serd_uri_parse: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
];

/// `serd_node_new_uri_from_string`: `serd_uri_resolve` and `serd_uri_serialise`.
static RESOLVE: &[Step] = &[
    Step::new("serd_uri_parse: the base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("serd_node_new_uri_from_string: str[0]", "an empty reference inherits everything; without a base, reject it", |s| {
        if !s.reference.is_empty() {
            return Call(PARSE, Side::Reference);
        }
        if s.base.is_empty() {
            return s.reject(Slot::Ref(Part::Text), "there is neither a reference nor a base");
        }
        for part in [Part::Scheme, Part::Authority, Part::Query, Part::Fragment] {
            s.inherit(part);
        }
        inherit_path(s);
        To(SERIALISE)
    }),
    Step::new("serd_uri_resolve: !base->scheme.len", "a reference inherits nothing from a base without a scheme", |s| {
        own(s, &[Part::Query, Part::Fragment]);
        match s.get(Slot::Base(Part::Scheme)).is_empty() {
            true => take_reference(s),
            false => Go,
        }
    }),
    Step::new("serd_uri_resolve: r->scheme.len", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        if !s.get(Slot::Ref(Part::Scheme)).is_empty() {
            return take_reference(s);
        }
        s.inherit(Part::Scheme);
        Go
    }),
    Step::new(
        "serd_uri_resolve: r->authority.len",
        "a reference with an authority that is not empty inherits nothing else, any other one the authority, too",
        |s| {
            if s.get(Slot::Ref(Part::Authority)).is_empty() {
                s.inherit(Part::Authority);
                return Go;
            }
            own(s, &[Part::Authority]);
            s.flow(Slot::Merged, Slot::Ref(Part::Path));
            s.flow(Slot::NoDots, Slot::Merged);
            To(SERIALISE)
        },
    ),
    Step::new(
        "serd_uri_resolve: !r->path.len",
        "without a path, inherit the base's, and its query if there is none or an empty one",
        |s| {
            s.flow(Slot::Merged, Slot::Ref(Part::Path));
            if !s.get(Slot::Ref(Part::Path)).is_empty() {
                return Go;
            }
            inherit_path(s);
            if s.get(Slot::Ref(Part::Query)).is_empty() {
                s.inherit(Part::Query);
            }
            To(SERIALISE)
        },
    ),
    Step::new(
        "remove_dot_segments: return begin",
        "remove dot segments at the beginning of the reference; one after a slash ends this; the last segment counts only if nothing follows it",
        |s| without_dots(s, true),
    )
    .until(&DOTS),
    Step::new(
        "remove_dot_segments",
        "remove dot segments at the beginning of the reference; the last segment counts only if nothing follows it",
        |s| without_dots(s, false),
    )
    .since(&DOTS),
    Step::new(
        "merge",
        "a path without a slash replaces the base's last segment, and one more for each .. that was removed; the first character of the base's \
         path is not compared with a slash if it is not the last one",
        |s| {
            if s.get(Slot::Ref(Part::Path)).starts_with('/') {
                s.flow(Slot::NoDots, Slot::Merged);
                return Go;
            }
            s.inherit_as("folder");
            let up = s.segments.len();
            let merged = kept(s.get(Slot::Base(Part::Path)), up).to_owned() + s.get(Slot::Merged);
            s.set(Slot::Merged, merged);
            s.flow(Slot::NoDots, Slot::Merged);
            Go
        },
    ),
    Step::new(
        "serd_uri_serialise: /, authority.len > 0",
        "write a slash between an authority that is not empty and a path that begins with another character",
        |s| write_path(s, !s.get(Slot::Out(Part::Authority)).is_empty()),
    )
    .until(&SLASH),
    Step::new("serd_uri_serialise: /", "write a slash between an authority and a path that begins with another character", |s| {
        write_path(s, s.present(Slot::Out(Part::Authority)).is_some())
    })
    .since(&SLASH),
    Step::new("serd_uri_serialise", "concatenate the components", |s| s.concatenate()),
];

/// `serd_uri_parse`, and what it finds.
static STATE: &[Step] = &[
    Step::new("serd_uri_parse", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("SerdURI: scheme, authority, query, fragment", "state the components as they were read", |s| {
        own(s, &[Part::Scheme, Part::Authority, Part::Query, Part::Fragment]);
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("SerdURI: path", "an empty path is absent", |s| {
        s.flow(Slot::Out(Part::Path), Slot::Ref(Part::Path));
        if s.get(Slot::Out(Part::Path)).is_empty() {
            s.set(Slot::Out(Part::Path), None::<&str>);
        }
        Done
    }),
];

/// The first row that writes the path. Versions have one of two.
const SERIALISE: &str = "serd_uri_serialise: /, authority.len > 0";

fn own(s: &mut State<'_>, parts: &[Part]) {
    for part in parts {
        s.copy(Slot::Out(*part), Slot::Ref(*part));
    }
}

/// Takes everything from the reference.
fn take_reference(s: &mut State<'_>) -> Next {
    own(s, &[Part::Scheme, Part::Authority]);
    s.set(Slot::Used, "nothing");
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.flow(Slot::NoDots, Slot::Merged);
    To(SERIALISE)
}

fn inherit_path(s: &mut State<'_>) {
    s.inherit_as("path");
    s.flow(Slot::Merged, Slot::Base(Part::Path));
    s.flow(Slot::NoDots, Slot::Merged);
}

/// Removes dot segments at the beginning of the path, and remembers a segment for each `..`.
fn without_dots(s: &mut State<'_>, is_once: bool) -> Next {
    let path = s.get(Slot::Merged).to_owned();
    let is_end = s.present(Slot::Ref(Part::Query)).is_none() && s.present(Slot::Ref(Part::Fragment)).is_none();
    let mut rest = path.as_str();
    s.segments.clear();
    loop {
        let slash = rest.strip_prefix('/');
        let (length, is_up) = match slash.unwrap_or(rest) {
            "." if slash.is_none() && is_end => (1, false),
            ".." if slash.is_none() && is_end => (2, true),
            text if text.starts_with("./") => (2, false),
            text if text.starts_with("../") => (3, true),
            _ => break,
        };
        rest = &rest[length..];
        if is_up {
            s.segments.push("..".to_owned());
        }
        if is_once && slash.is_some() {
            break;
        }
    }
    s.set(Slot::Merged, rest);
    Go
}

/// Returns the part of the base's path that is kept before a path from which `up` segments `..` were removed.
fn kept(base: &str, up: usize) -> &str {
    let mut up = up + 1;
    let Some(mut at) = base.len().checked_sub(1) else { return "" };
    loop {
        if base.as_bytes()[at] == b'/' {
            up -= 1;
        }
        if up == 0 {
            break;
        }
        match at.checked_sub(1) {
            None => return "",
            Some(0) => {
                // It is kept, whatever it is.
                return &base[..base.chars().next().map_or(0, char::len_utf8)];
            }
            Some(before) => at = before,
        }
    }
    &base[..=at]
}

fn write_path(s: &mut State<'_>, has_authority: bool) -> Next {
    s.copy(Slot::Out(Part::Path), Slot::NoDots);
    let path = s.get(Slot::Out(Part::Path));
    if has_authority && !path.is_empty() && !path.starts_with('/') {
        let path = format!("/{path}");
        s.set(Slot::Out(Part::Path), path);
    }
    Go
}
