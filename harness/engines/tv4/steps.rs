//! tv4: `tv4.resolveUrl(base, reference)`, of 1.3.0.
//!
//! Read from `tv4.js` of tv4 1.3.0, whose `parseURI` and `resolveUrl` come from a snippet by Yaffle. Texts are neither checked, nor decoded, nor
//! encoded, and an unknown base is a relative one whose components are absent.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{folder, until};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::rfc3986;
use crate::url_parse::is_white;

/// tv4.
pub static TABLE: Table = Table {
    engine: "tv4",
    first: "1.3.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE_URL)],
    called: &[PARSE_URI],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// Returns the length of an authority after two slashes: user information up to the first @, if at most one colon precedes it, a host up to a colon, a
/// slash, ? or #, and the digits after a colon.
fn authority(text: &str) -> usize {
    let user = text.split_once('@').map(|(user, _)| user).filter(|user| user.matches(':').count() <= 1);
    let start = user.map_or(0, |user| user.len() + 1);
    let host = until(&text[start..], &[':', '/', '?', '#']).0.len();
    let port = text[start + host..].strip_prefix(':');
    let digits = port.map_or(0, |port| 1 + port.find(|it: char| !it.is_ascii_digit()).unwrap_or(port.len()));
    start + host + digits
}

/// `parseURI`, for the base and the reference.
static PARSE_URI: &[Step] = &[
    Step::new("parseURI: replace(/^\\s+|\\s+$/g, '')", "remove white space at both ends", |s| {
        s.rest = s.given().trim_matches(is_white).to_owned();
        s.write_text();
        Go
    }),
    Step::new("parseURI: protocol", "the text before a colon is the scheme, if it is not empty and has no /, ? or #", rfc3986::cut_scheme_of_appendix_b),
    Step::new(
        "parseURI: authority",
        "after two slashes, user information up to the first @, if at most one colon precedes it, a host up to a colon, a slash, ? or #, and the digits \
         after a colon are the authority",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let divided = rest.strip_prefix("//").map(|after| after.split_at(authority(after)));
            s.set(s.own(Part::Authority), divided.map(|(authority, _)| authority));
            s.rest = divided.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
            Go
        },
    ),
    Step::new("parseURI: pathname, search, hash", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
];

/// `resolveUrl`.
static RESOLVE_URL: &[Step] = &[
    Step::new("resolveUrl: parseURI(href)", "read the reference", |_| Call(PARSE_URI, Side::Reference)),
    Step::new("resolveUrl: parseURI(base)", "read the base", |_| Call(PARSE_URI, Side::Base)),
    Step::new("resolveUrl: href.protocol", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| {
        rfc3986::own_scheme(s, "removeDotSegments")
    }),
    Step::new("resolveUrl: href.authority", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        rfc3986::own_authority(s, "removeDotSegments")
    }),
    Step::new("resolveUrl: base.pathname", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To("removeDotSegments")
    }),
    Step::new("resolveUrl: pathname.charAt(0) === '/'", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, "removeDotSegments")
    }),
    Step::new("resolveUrl: lastIndexOf('/')", "the path follows the base's up to its last slash, or a slash if the base has an authority and no path", |s| {
        let base = s.get(Slot::Base(Part::Path));
        let has_root = base.is_empty() && s.present(Slot::Base(Part::Authority)).is_some();
        let merged = format!("{}{}", if has_root { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "removeDotSegments",
        "remove each . segment, and each .. with the one before it; a path that did not begin with a slash has none there afterwards",
        |s| {
            let path = without_dots(s.get(Slot::Merged));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("resolveUrl", "concatenate the components", |s| s.concatenate()),
];

/// `removeDotSegments`.
fn without_dots(path: &str) -> String {
    let mut rest = path;
    while let Some(after) = ["../", "./"].into_iter().find_map(|dots| rest.strip_prefix(dots)) {
        rest = after;
    }
    let rest = if matches!(rest, "." | "..") { "" } else { rest };
    // Each segment, with the slash before it.
    let mut kept: Vec<String> = Vec::new();
    for (at, segment) in rest.split('/').enumerate() {
        match segment {
            "." if at > 0 => {}
            ".." if at > 0 => drop(kept.pop()),
            _ if at > 0 => kept.push(format!("/{segment}")),
            "" => {}
            _ => kept.push(segment.to_owned()),
        }
    }
    if rest.contains('/') && rfc3986::ends_with_dots(rest) {
        kept.push("/".to_owned());
    }
    let out = kept.concat();
    match out.strip_prefix('/') {
        Some(out) if !path.starts_with('/') => out.to_owned(),
        _ => out,
    }
}
