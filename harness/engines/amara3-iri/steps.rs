//! amara3.iri: `iri.absolutize(reference, base)`, and what `iri.split_uri_ref(url)` and `iri.split_authority` state, of 3.0.3.
//!
//! Read from `pylib/iri.py` of amara3.iri 3.0.3. Texts are neither checked, nor decoded, nor encoded.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, scheme};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::rfc3986;

/// amara3.iri.
pub static TABLE: Table = Table {
    engine: "amara3-iri",
    first: "3.0.3",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, ABSOLUTIZE), (Question::Parse, SPLIT)],
    called: &[SPLIT_URI_REF],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `split_uri_ref`, for the base and the reference.
static SPLIT_URI_REF: &[Step] = &[
    Step::new("split_uri_ref: scheme", "the text before a colon is the scheme, if it is not empty and has no /, ? or #", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        rfc3986::cut_scheme_of_appendix_b(s)
    }),
    Step::new("split_uri_ref: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("split_uri_ref: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("split_uri_ref: .*$", "remove a line feed at the end of the fragment, and reject any other one in it", |s| {
        let slot = s.own(Part::Fragment);
        let Some((before, after)) = s.get(slot).split_once('\n') else { return Go };
        if !after.is_empty() {
            return s.reject(slot, "it contains a line feed");
        }
        let before = before.to_owned();
        s.set(slot, before);
        Go
    }),
];

/// `absolutize`.
static ABSOLUTIZE: &[Step] = &[
    Step::new("absolutize: is_absolute(uriRef)", "return a reference with a scheme as it is", |s| {
        let name = scheme(s.reference).map(|(name, _)| name);
        s.set(Slot::Ref(Part::Scheme), name);
        if name.is_some() { s.return_text(s.reference) } else { Go }
    }),
    Step::new("absolutize: is_absolute(baseUri)", "reject a base without a scheme", |s| match scheme(s.base) {
        Some((name, _)) => {
            s.set(Slot::Base(Part::Scheme), name);
            Go
        }
        None => s.reject(Slot::Base(Part::Scheme), "the base has no scheme"),
    }),
    Step::new("absolutize: uriRef[0] == '#'", "a reference that is empty or a fragment follows the base without its fragment", |s| {
        if !s.reference.is_empty() && !s.reference.starts_with('#') {
            return Go;
        }
        let target = format!("{}{}", cut(s.base, "#").0, s.reference);
        s.set(Slot::Used, "scheme, authority, path, query");
        s.set(Slot::Ref(Part::Fragment), s.reference.strip_prefix('#'));
        s.set(Slot::Result, target);
        Done
    }),
    Step::new("absolutize: split_uri_ref(uriRef)", "read the reference", |_| Call(SPLIT_URI_REF, Side::Reference)),
    Step::new("absolutize: split_uri_ref(baseUri)", "read the base, unless the reference has a text before a colon", |s| {
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => Go,
            None => Call(SPLIT_URI_REF, Side::Base),
        }
    }),
    Step::new("absolutize: rScheme", "a reference with any text before a colon inherits nothing, any other one the scheme", |s| {
        rfc3986::own_scheme(s, "remove_dot_segments")
    }),
    Step::new("absolutize: rAuth", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        rfc3986::own_authority(s, "remove_dot_segments")
    }),
    Step::new("absolutize: rQuery or bQuery", "a reference without a path inherits the base's, and its query if there is none or an empty one", |s| {
        if s.get(Slot::Ref(Part::Path)).is_empty() && s.present(Slot::Ref(Part::Query)) == Some("") {
            s.inherit(Part::Query);
        }
        rfc3986::no_path(s, "unsplit_uri_ref")
    }),
    Step::new("absolutize: rPath[0] == '/'", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, "remove_dot_segments")
    }),
    Step::new("absolutize: bPath.rfind", "the path follows the base's up to its last slash, or a slash if the base has an authority and no path", rfc3986::merge),
    Step::new(
        "remove_dot_segments",
        "remove dot segments; a .. that no segment precedes stays in a path that does not begin with a slash, and a path from which the first segment \
         is removed has no slash before the next one",
        |s| {
            let path = without_dots(s.get(Slot::Merged));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("unsplit_uri_ref", "concatenate the components", |s| s.concatenate()),
];

/// `remove_dot_segments`.
fn without_dots(path: &str) -> String {
    if matches!(path, "." | "..") {
        return String::new();
    }
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./").or_else(|| path.strip_prefix("../")) {
        path = rest;
    }
    let (root, path) = path.split_at(usize::from(path.starts_with('/')));
    let path = if path.ends_with("/.") { &path[..path.len() - 1] } else { path };
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if kept.pop().is_some() || !root.is_empty() => {}
            _ => kept.push(segment),
        }
    }
    if path.rsplit('/').next() == Some("..") {
        kept.push("");
    }
    root.to_owned() + &kept.join("/")
}

/// `split_uri_ref`, and `split_authority` for an authority.
static SPLIT: &[Step] = &[
    Step::new("split_uri_ref", "read the URL", |_| Call(SPLIT_URI_REF, Side::Reference)),
    Step::new("split_uri_ref: groupdict", "state the components as they were read", rfc3986::state),
    Step::new(
        "split_authority",
        "the text before the first @ is the user information; the host ends at the first colon, and the port follows it, up to a line feed",
        |s| {
            let authority = s.present(Slot::Ref(Part::Authority)).map(str::to_owned);
            let divided = authority.as_deref().map(|it| it.split_once('@').map_or((None, it), |(user, rest)| (Some(user), rest)));
            let host = divided.map(|(_, rest)| cut(rest, ":"));
            s.set(Slot::Out(Part::Userinfo), divided.and_then(|(user, _)| user));
            s.set(Slot::Out(Part::Host), host.map(|(host, _)| host));
            s.set(Slot::Out(Part::Port), host.and_then(|(_, port)| port).map(|port| cut(port, "\n").0));
            Done
        },
    ),
];
