//! jsonld.js: `prependBase(base, reference)`.
//!
//! Read from `lib/url.js` of jsonld 9.0.0. Components are neither decoded nor encoded.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{folder, until};
use urlstrata_steps::{Next::*, Question, Side, State, Step, Table, no_calls};

use crate::parse_uri::Divided;
use crate::rfc3986;
use crate::url_parse::is_white;

/// jsonld.js.
pub static TABLE: Table = Table {
    engine: "jsonld",
    first: "9.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, PREPEND_BASE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// Returns the scheme, and the text after its colon: a letter, then letters, digits, `+`, `,`, `-` and `.`.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(':')?;
    let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"+,-.".contains(&it));
    is_name.then_some((name, rest))
}

/// `parse`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("parsers.full: scheme", "a letter, then letters, digits, +, -, . and commas before a colon are the scheme", |s| {
        let given = s.read_text();
        let given = given.as_str();
        let (name, rest) = scheme(given).map_or((None, given), |(name, rest)| (Some(name), rest));
        s.rest = rest.to_owned();
        s.set(s.own(Part::Scheme), name);
        Go
    }),
    Step::new(
        "parsers.full: authority",
        "after two slashes, a user and a password up to @, a host up to a colon, /, ? or #, and the digits after a colon are the authority",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let after = rest.strip_prefix("//");
            let length = after.map_or(0, |after| Divided::of(after).length);
            s.set(s.own(Part::Authority), after.map(|after| &after[..length]));
            s.rest = after.map_or(rest.as_str(), |after| &after[length..]).to_owned();
            Go
        },
    ),
    Step::new("parsers.full", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("parsers.full: fragment", "the fragment ends at an end of line", |s| {
        let slot = s.own(Part::Fragment);
        let fragment = s.present(slot).map(|it| until(it, &['\n', '\r', '\u{2028}', '\u{2029}']).0.to_owned());
        s.set(slot, fragment);
        Go
    }),
    Step::new("parse: default ports", "remove the first occurrence of a default port from the authority of http and https", |s| {
        let slot = s.own(Part::Authority);
        let default = match s.get(s.own(Part::Scheme)) {
            "https" => ":443",
            "http" => ":80",
            _ => return Go,
        };
        let authority = s.get(slot);
        if Divided::of(authority).port == Some(&default[1..]) {
            let authority = authority.replacen(default, "", 1);
            s.set(slot, authority);
        }
        Go
    }),
];

/// `prependBase`.
static PREPEND_BASE: &[Step] = &[
    Step::new(
        "isAbsolute",
        "return a reference with a scheme, or with _ before a colon, as it is, unless it contains white space",
        |s| {
            let rest = scheme(s.reference).map(|(_, rest)| rest).or_else(|| s.reference.strip_prefix("_:"));
            match rest.is_some_and(|rest| !rest.contains(is_white)) {
                true => s.return_text(s.reference),
                false => Go,
            }
        },
    ),
    Step::new("parse: base", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("parse: iri", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("prependBase: protocol", "the scheme is the base's", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        s.inherit(Part::Scheme);
        Go
    }),
    Step::new(
        "prependBase: rel.authority",
        "a reference with an authority inherits nothing else, any other one inherits the authority",
        |s| rfc3986::own_authority(s, "removeDotSegments"),
    ),
    Step::new("prependBase: rel.path === ''", "without a path, inherit the base's, and its query if there is none", |s| {
        rfc3986::no_path(s, "prependBase")
    }),
    Step::new("prependBase: rel.path.indexOf('/')", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, "removeDotSegments")),
    Step::new(
        "prependBase: path.lastIndexOf('/')",
        "the path follows the base's up to its last slash, or a slash if there is none after an authority that is not empty",
        |s| {
            let folder = folder(s.get(Slot::Base(Part::Path)));
            let has_root = folder.is_empty() && !s.get(Slot::Base(Part::Authority)).is_empty();
            let merged = format!("{}{}", if has_root { "/" } else { folder }, s.get(Slot::Ref(Part::Path)));
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new(
        "removeDotSegments",
        "remove each . segment, and each .. with the one before it; a slash remains after a last one, also if nothing else does",
        |s| {
            let path = without_dots(s);
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new("prependBase", "concatenate the components", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        s.concatenate();
        Go
    }),
    Step::new("prependBase: rval === ''", "an empty result is ./", |s| {
        if s.get(Slot::Result).is_empty() {
            s.set(Slot::Out(Part::Path), "./");
            s.set(Slot::Result, "./");
        }
        Done
    }),
];

/// Returns the merged path without dot segments. A path without a reference's own is not changed.
fn without_dots(s: &State<'_>) -> String {
    let path = s.get(Slot::Merged);
    if path.is_empty() || s.get(Slot::Ref(Part::Path)).is_empty() {
        return path.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    if rfc3986::ends_with_dots(path) {
        kept.push("");
    }
    if path.starts_with('/') && kept.first().is_some_and(|first| !first.is_empty()) {
        kept.insert(0, "");
    }
    match kept[..] {
        [""] => "/".to_owned(),
        _ => kept.join("/"),
    }
}
