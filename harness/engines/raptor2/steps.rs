//! Raptor: `raptor_new_uri_relative_to_base(world, base, reference)`, of 2.0.14 to 2.0.16.
//!
//! Read from `src/raptor_rfc2396.c` and `src/raptor_uri.c` of Raptor 2.0.14 to 2.0.16, with the fix of CVE-2024-57823 that distributions have:
//! a path that becomes empty is not read on. Texts are neither checked, nor decoded, nor encoded. If the
//! base is unknown, the reference is the target as it is, and an empty one is rejected.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::folder;
use urlstrata_steps::{Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986;

/// Raptor.
pub static TABLE: Table = Table {
    engine: "raptor2",
    first: "2.0.14",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE)],
    called: &[DETAIL],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `raptor_new_uri_detail`, for the base and the reference.
static DETAIL: &[Step] = &[
    Step::new("raptor_new_uri_detail: scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", rfc3986::cut_scheme),
    Step::new("raptor_new_uri_detail: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("raptor_new_uri_detail: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
];

/// `raptor_uri_resolve_uri_reference`.
static RESOLVE: &[Step] = &[
    Step::new("raptor_new_uri", "without a base, return the reference as it is; reject an empty one", |s| {
        match (s.base.is_empty(), s.reference.is_empty()) {
            (true, true) => s.reject(Slot::Ref(Part::Text), "the URI is empty"),
            (true, false) => s.return_text(s.reference),
            (false, _) => Go,
        }
    }),
    Step::new("raptor_new_uri_relative_to_base: raptor_uri_copy", "an empty reference is the base with its fragment", |s| {
        if !s.reference.is_empty() {
            return Go;
        }
        s.set(Slot::Used, "scheme, authority, path, query, fragment");
        s.return_text(s.base)
    }),
    Step::new("raptor_uri_resolve_uri_reference: ref", "read the reference", |_| Call(DETAIL, Side::Reference)),
    Step::new("raptor_uri_resolve_uri_reference: base", "read the base", |_| Call(DETAIL, Side::Base)),
    Step::new("raptor_uri_resolve_uri_reference: #frag", "a fragment alone inherits everything else as it is", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        let has_others = [Part::Scheme, Part::Authority, Part::Query].iter().any(|part| s.present(Slot::Ref(*part)).is_some());
        if has_others || !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        for part in [Part::Scheme, Part::Authority, Part::Query] {
            s.inherit(part);
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("raptor_uri_resolve_uri_reference: result")
    }),
    Step::new("raptor_uri_resolve_uri_reference: ref->scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        if s.present(Slot::Ref(Part::Scheme)).is_none() {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.set(Slot::Used, "nothing");
        To("raptor_uri_normalize_path: ./")
    }),
    Step::new(
        "raptor_uri_resolve_uri_reference: ref->authority",
        "a reference with an authority inherits only the scheme, and its path stays as it is; any other one inherits the authority, too",
        |s| {
            if s.present(Slot::Ref(Part::Authority)).is_none() {
                s.inherit(Part::Authority);
                return Go;
            }
            s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            s.flow(Slot::Merged, Slot::Ref(Part::Path));
            s.flow(Slot::NoDots, Slot::Merged);
            To("raptor_uri_resolve_uri_reference: result")
        },
    ),
    Step::new(
        "raptor_uri_resolve_uri_reference: is_hierarchical",
        "a path is not merged if it begins with a slash, or the base's does not",
        |s| match s.get(Slot::Ref(Part::Path)).starts_with('/') || !s.get(Slot::Base(Part::Path)).starts_with('/') {
            true => {
                let path = s.get(Slot::Ref(Part::Path)).to_owned();
                s.keep(Slot::Used);
                s.set(Slot::Merged, path);
                To("raptor_uri_normalize_path: ./")
            }
            false => Go,
        },
    ),
    Step::new("raptor_uri_resolve_uri_reference: !ref->path", "without a path, inherit the base's", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To("raptor_uri_normalize_path: ./")
    }),
    Step::new("raptor_uri_resolve_uri_reference: path_buffer", "the path follows the base's up to its last slash", |s| {
        s.inherit_as("folder");
        let merged = folder(s.get(Slot::Base(Part::Path))).to_owned() + s.get(Slot::Ref(Part::Path));
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "raptor_uri_normalize_path: ./",
        "remove segments of one dot; what follows a removed one is not looked at if it is empty",
        |s| {
            let path = without_dot(s.get(Slot::Merged).as_bytes().to_vec());
            s.flow(Slot::NoDots, Slot::Merged);
            write(s, path);
            Go
        },
    ),
    Step::new(
        "raptor_uri_normalize_path: ../",
        "remove each segment of two dots with the last one before it that is not empty; after one, the path is read again without its first character",
        |s| {
            let path = without_dots(s.get(Slot::NoDots).as_bytes().to_vec());
            write(s, path);
            Go
        },
    ),
    Step::new("raptor_uri_normalize_path: /../", "remove /.. and /. before a slash at the beginning", |s| {
        let mut path = s.get(Slot::NoDots);
        while path.starts_with("/../") || path.starts_with("/./") {
            path = &path[if path.starts_with("/./") { 2 } else { 3 }..];
        }
        let path = path.to_owned();
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("raptor_uri_resolve_uri_reference: result", "concatenate the components", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        s.concatenate();
        Go
    }),
    Step::new("raptor_new_uri_from_counted_string", "reject an empty target", |s| match s.get(Slot::Result).is_empty() {
        true => s.reject(Slot::Result, "the URI is empty"),
        false => Done,
    }),
];

/// Writes a path of bytes.
fn write(s: &mut State<'_>, path: Vec<u8>) {
    s.set(Slot::NoDots, String::from_utf8_lossy(&path).into_owned());
}

fn without_dot(mut path: Vec<u8>) -> Vec<u8> {
    let (mut start, mut at) = (0, 0);
    while at < path.len() {
        if path[at] == b'/' {
            if at == start + 1 && path[start] == b'.' {
                path.drain(start..=at);
                at = start;
                if at >= path.len() {
                    return path;
                }
            } else {
                start = at + 1;
            }
        }
        at += 1;
    }
    if path.get(start..) == Some(b".") {
        path.truncate(start);
    }
    path
}

fn without_dots(mut path: Vec<u8>) -> Vec<u8> {
    let is_up = |path: &[u8], start: usize, end: usize| path.get(start..end) == Some(b"..");
    let (mut older, mut before, mut current) = (None, None::<usize>, None::<usize>);
    let (mut at, mut last) = (0, b'/');
    while at < path.len() {
        match (path[at], before, current) {
            // A `..` after another one is kept.
            (b'/', Some(start), Some(up)) if is_up(&path, up, at) && is_up(&path, start, up - 1) => {}
            (b'/', Some(start), Some(up)) if is_up(&path, up, at) => {
                path.drain(start..=at);
                if path.is_empty() {
                    break;
                }
                let kept = older.filter(|older| *older < start);
                at = kept.map_or(0, |_| start - 1);
                (older, before, current) = (None, kept, None);
            }
            (b'/', Some(_), Some(_)) => (older, before, current) = (before, current, None),
            (b'/', ..) => {}
            (_, None, _) if last == b'/' => before = Some(at),
            (_, Some(_), None) if last == b'/' => current = Some(at),
            _ => {}
        }
        last = path[at];
        at += 1;
    }
    if let (Some(start), Some(up)) = (before, current)
        && is_up(&path, up, path.len())
    {
        path.truncate(start);
    }
    path
}
