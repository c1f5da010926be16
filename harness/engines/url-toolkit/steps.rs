//! url-toolkit: `buildAbsoluteURL(base, reference)`, and what `parseURL(url)` returns, from 2.0.0 on.
//!
//! Read from `url-toolkit.js` of url-toolkit 2.0.1 to 2.2.5, whose comments are those of RFC 1808 §4. Paths include their parameters here.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;
use crate::url_parse::is_white;

/// url-toolkit.
pub static TABLE: Table = Table {
    engine: "url-toolkit",
    first: "2.0.0",
    changes: CHANGES,
    dated: &[],
    questions: &[(Question::Resolve, BUILD), (Question::Parse, STATE)],
    called: &[PARSE_URL],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

pub(crate) static CHANGES: &[&Change] = &[&SCHEMES, &SEMICOLONS, &FIRST_SEGMENT, &REGEX, &LINES];

static SCHEMES: Change = Change {
    id: "#10",
    versions: &["2.1.2"],
    date: "2017-12-29",
    issue: "https://github.com/tjenkinson/url-toolkit/pull/10",
    says: "only letters, digits, +, - and . before a first colon are a scheme",
    witness: Witness::resolving("http://a/b", "c_:d", Some("c_:d"), Some("http://a/c_:d")),
};

static SEMICOLONS: Change = Change {
    id: "#13",
    versions: &["2.1.5"],
    date: "2018-08-29",
    issue: "https://github.com/tjenkinson/url-toolkit/pull/13",
    says: "a semicolon begins the parameters only in the last segment, and does not end an authority",
    witness: Witness::resolving("http://a/b", "c;d/../e", Some("http://a/c;d/../e"), Some("http://a/e")),
};

static FIRST_SEGMENT: Change = Change {
    id: "0f5d3c3",
    versions: &["2.1.6"],
    date: "2018-08-31",
    issue: "https://github.com/tjenkinson/url-toolkit/commit/0f5d3c3",
    says: "a semicolon does not end the first segment that is taken for a net_loc",
    witness: Witness::resolving("a;b/c", "/d", Some("a/d"), Some("a;b/d")),
};

static REGEX: Change = Change {
    id: "#26",
    versions: &["2.2.0"],
    date: "2020-05-28",
    issue: "https://github.com/tjenkinson/url-toolkit/pull/26",
    says: "ends of lines are only rejected in fragments; a semicolon at the beginning does not begin parameters before a slash",
    witness: Witness::resolving("http://a/b", "c\nd", None, Some("http://a/c\nd")),
};

static LINES: Change = Change {
    id: "#64",
    versions: &["2.2.2"],
    date: "2021-04-24",
    issue: "https://github.com/tjenkinson/url-toolkit/pull/64",
    says: "ends of lines are allowed in fragments, and in bases that begin with a net_loc",
    witness: Witness::resolving("http://a/b", "#c\nd", None, Some("http://a/b#c\nd")),
};

const LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

/// `parseURL`, for the base and the reference.
pub(crate) static PARSE_URL: &[Step] = &[
    Step::new("URL_REGEX: scheme, any characters", "the text before the last colon before /, ;, ? and # is the scheme", |s| {
        let found = until(&s.rest, &['/', ';', '?', '#']).0.rsplit_once(':').map(|(name, _)| name.len());
        cut_scheme(s, found)
    })
    .until(&SCHEMES),
    Step::new("URL_REGEX: scheme", "letters, digits, +, - and . before a colon are the scheme", |s| {
        let is_name =
            |name: &str| name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'-' | b'.'));
        let found = s.rest.split_once(':').map(|(name, _)| name).filter(|name| is_name(name)).map(str::len);
        cut_scheme(s, found)
    })
    .since(&SCHEMES),
    Step::new("URL_REGEX: netLoc, up to ;", "after two slashes, the part up to the next /, ;, ? or # is the authority", |s| {
        cut_authority(s, &['/', ';', '?', '#'])
    })
    .until(&SEMICOLONS),
    Step::new("URL_REGEX: netLoc", "after two slashes, the part up to the next /, ? or # is the authority", |s| {
        cut_authority(s, &['/', '?', '#'])
    })
    .since(&SEMICOLONS),
    Step::new("URL_REGEX", "cut the fragment at #, the query at ?, and the path with its parameters", rfc3986::cut_path),
    Step::new("URL_REGEX: params, at the first ;", "the part of the path after the first ; is the parameters", |s| {
        cut_params(s, |_| 0)
    })
    .until(&SEMICOLONS),
    Step::new(
        "URL_REGEX: params, or a first ;",
        "the part of the path after the first ; of the last segment, or after a ; at its beginning, is the parameters",
        |s| {
            let is_first = |path: &str| path.starts_with(';') && !path.contains(LINE_ENDS);
            cut_params(s, |path| if is_first(path) { 0 } else { folder(path).len() })
        },
    )
    .since(&SEMICOLONS)
    .until(&REGEX),
    Step::new("URL_REGEX: params", "the part of the path after the first ; of the last segment is the parameters", |s| {
        cut_params(s, |path| folder(path).len())
    })
    .since(&REGEX),
    Step::new("URL_REGEX: ends of lines", "reject an end of a line after the authority", |s| {
        reject_line_ends(s, &[(Part::Path, false), (Part::Query, false), (Part::Fragment, false)])
    })
    .until(&SEMICOLONS),
    Step::new("URL_REGEX: ends of lines, not in segments", "reject an end of a line after the last slash of the path", |s| {
        reject_line_ends(s, &[(Part::Path, true), (Part::Query, false), (Part::Fragment, false)])
    })
    .since(&SEMICOLONS)
    .until(&REGEX),
    Step::new("URL_REGEX: an end of a line in a fragment", "reject an end of a line in the fragment", |s| {
        reject_line_ends(s, &[(Part::Fragment, false)])
    })
    .since(&REGEX)
    .until(&LINES),
];

/// `parseURL(url)`, and what the object has that it returns.
static STATE: &[Step] = &[
    Step::new("parseURL", "read the URL", |s| {
        s.rest = s.reference.to_owned();
        Call(PARSE_URL, Side::Reference)
    }),
    Step::new("scheme, netLoc, path, query, fragment", "state empty components if they are absent, and the path without its parameters", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        if let Some(params) = s.present(Slot::Ref(Part::Params)) {
            let (path, end) = (s.get(Slot::Ref(Part::Path)), format!(";{params}"));
            let path = path.strip_suffix(&end).unwrap_or(path).to_owned();
            s.set(Slot::Out(Part::Path), path);
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
];

/// `buildAbsoluteURL`.
static BUILD: &[Step] = &[
    TRIM, EMPTY, PARSE_REFERENCE, ABSOLUTE, PARSE_BASE, LINE, FIRST_SEGMENT_SEMICOLON, FIRST_SEGMENT_ROW, EMPTY_PATH, SCHEME, NET_LOC,
    ROOTED, NO_PATH, NO_QUERY, MERGE, NORMALIZE_LINES, NORMALIZE, BUILD_URL,
];

/// The same, with `alwaysNormalize`.
pub(crate) static BUILD_NORMALIZED: &[Step] = &[
    TRIM, PARSE_EMPTY, EMPTY_NORMALIZED, PARSE_REFERENCE, ABSOLUTE_NORMALIZED, PARSE_BASE, LINE, FIRST_SEGMENT_SEMICOLON,
    FIRST_SEGMENT_ROW, EMPTY_PATH, SCHEME, NET_LOC_NORMALIZED, ROOTED_NORMALIZED, NO_PATH, NO_QUERY, MERGE, NORMALIZE_LINES, NORMALIZE,
    BUILD_URL,
];

const TRIM: Step = Step::new("buildAbsoluteURL: trim", "remove white space before and after both texts", |s| {
    s.set(Slot::Base(Part::Text), s.base.trim_matches(is_white));
    s.set(Slot::Ref(Part::Text), s.reference.trim_matches(is_white));
    Go
});

const EMPTY: Step = Step::new("buildAbsoluteURL: 2a", "return the base as it is if the reference is empty", |s| {
    if !s.get(Slot::Ref(Part::Text)).is_empty() {
        return Go;
    }
    s.set(Slot::Used, "scheme, authority, path, query, fragment");
    s.return_text(s.get(Slot::Base(Part::Text)).to_owned())
});

const PARSE_REFERENCE: Step = Step::new("buildAbsoluteURL: parseURL(relativeURL)", "read the reference", |s| {
    s.rest = s.get(Slot::Ref(Part::Text)).to_owned();
    Call(PARSE_URL, Side::Reference)
});

const ABSOLUTE: Step = Step::new("buildAbsoluteURL: 2b", "return the reference as it is if it has a scheme", |s| {
    match s.present(Slot::Ref(Part::Scheme)) {
        Some(_) => s.return_text(s.get(Slot::Ref(Part::Text)).to_owned()),
        None => Go,
    }
});

const PARSE_BASE: Step = Step::new("buildAbsoluteURL: parseURL(baseURL)", "read the base", |s| {
    s.rest = s.get(Slot::Base(Part::Text)).to_owned();
    Call(PARSE_URL, Side::Base)
});

const LINE: Step = Step::new(
    "FIRST_SEGMENT_REGEX: a line",
    "reject a base without an authority and a slash that has an end of a line after its first segment",
    |s| {
        match is_bare(s) && first_segment(s).1.contains(LINE_ENDS) {
            true => s.reject(Slot::Base(Part::Path), "an end of a line follows the first segment"),
            false => Go,
        }
    },
)
.since(&SEMICOLONS)
.until(&LINES);

const FIRST_SEGMENT_SEMICOLON: Step = Step::new(
    "FIRST_SEGMENT_REGEX: up to ;",
    "the first segment, up to a ;, of a base without an authority and a slash is the authority",
    take_first_segment,
)
.until(&FIRST_SEGMENT);

const FIRST_SEGMENT_ROW: Step = Step::new(
    "FIRST_SEGMENT_REGEX",
    "the first segment of a base without an authority and a slash is the authority",
    take_first_segment,
)
.since(&FIRST_SEGMENT);

const EMPTY_PATH: Step = Step::new("buildAbsoluteURL: an empty path", "write a slash for the empty path of a base with an authority", |s| {
    let params = s.present(Slot::Base(Part::Params)).map(|params| format!(";{params}")).unwrap_or_default();
    let slot = Slot::Base(Part::Path);
    if s.present(Slot::Base(Part::Authority)).is_some() && s.get(slot) == params {
        s.set(slot, format!("/{params}"));
    }
    Go
});

const SCHEME: Step = Step::new("buildAbsoluteURL: 2c", "inherit the scheme", |s| {
    s.inherit(Part::Scheme);
    for part in [Part::Authority, Part::Query, Part::Fragment] {
        s.copy(Slot::Out(part), Slot::Ref(part));
    }
    s.copy(Slot::Merged, Slot::Ref(Part::Path));
    s.copy(Slot::NoDots, Slot::Merged);
    Go
});

const NET_LOC: Step =
    Step::new("buildAbsoluteURL: 3", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        own_authority(s, "buildURLFromParts")
    });

const ROOTED: Step = Step::new("buildAbsoluteURL: 4", "a path that begins with a slash is not merged", |s| {
    rooted(s, "buildURLFromParts")
});

const NO_PATH: Step = Step::new("buildAbsoluteURL: 5", "without a path, inherit the base's", |s| {
    if !divided(s, Slot::Ref).0.is_empty() {
        return To("buildAbsoluteURL: 6");
    }
    s.inherit_as("path");
    let path = divided(s, Slot::Base).0.to_owned() + s.get(Slot::Ref(Part::Path));
    s.flow(Slot::Merged, Slot::Base(Part::Path));
    if s.present(Slot::Ref(Part::Params)).is_some() {
        s.set(Slot::Merged, path);
    }
    s.flow(Slot::NoDots, Slot::Merged);
    Go
});

const NO_QUERY: Step = Step::new("buildAbsoluteURL: 5b", "without parameters and a query, inherit the query", |s| {
    if s.present(Slot::Ref(Part::Params)).is_none() && s.present(Slot::Ref(Part::Query)).is_none() {
        s.inherit(Part::Query);
    }
    To("buildURLFromParts")
});

const MERGE: Step = Step::new("buildAbsoluteURL: 6", "the path follows the base's up to its last slash", |s| {
    s.inherit_as("folder");
    let merged = folder(divided(s, Slot::Base).0).to_owned() + s.get(Slot::Ref(Part::Path));
    s.set(Slot::Merged, merged);
    Go
});

const NORMALIZE_LINES: Step = Step::new("normalizePath: segments of a line", "remove . segments, and .. segments with those before them that have no end of a line", |s| {
    normalize(s, |segment| !segment.contains(LINE_ENDS))
})
.until(&REGEX);

const NORMALIZE: Step = Step::new("normalizePath", "remove . segments, and .. segments with those before them, except a first segment", |s| {
    normalize(s, |_| true)
})
.since(&REGEX);

const BUILD_URL: Step = Step::new("buildURLFromParts", "concatenate the components; no slashes precede an authority that the base has as its first segment", |s| {
    s.copy(Slot::Out(Part::Path), Slot::NoDots);
    if s.is_marked(BARE) {
        let path = s.get(Slot::Out(Part::Authority)).to_owned() + s.get(Slot::Out(Part::Path));
        s.set(Slot::Out(Part::Path), path);
        s.set(Slot::Out(Part::Authority), None::<&str>);
    }
    s.concatenate()
});

/// The first row that normalizes a path. Versions have one of two.
const NORMALIZE_PATH: &str = "normalizePath: segments of a line";

const PARSE_EMPTY: Step = Step::new("buildAbsoluteURL: parseURL(baseURL), alone", "read the base if the reference is empty", |s| {
    if !s.get(Slot::Ref(Part::Text)).is_empty() {
        return To("buildAbsoluteURL: parseURL(relativeURL)");
    }
    s.rest = s.get(Slot::Base(Part::Text)).to_owned();
    Call(PARSE_URL, Side::Base)
});

const EMPTY_NORMALIZED: Step =
    Step::new("buildAbsoluteURL: basePartsForNormalise", "an empty reference inherits everything, and the path is normalized", |s| {
        for part in [Part::Scheme, Part::Authority, Part::Query, Part::Fragment] {
            s.inherit(part);
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.copy(Slot::Ref(Part::Params), Slot::Base(Part::Params));
        To(NORMALIZE_PATH)
    });

const ABSOLUTE_NORMALIZED: Step =
    Step::new("buildAbsoluteURL: relativeParts.path", "a reference with a scheme inherits nothing, and its path is normalized", |s| {
        if s.present(Slot::Ref(Part::Scheme)).is_none() {
            return Go;
        }
        for part in [Part::Scheme, Part::Authority, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.set(Slot::Used, "nothing");
        To(NORMALIZE_PATH)
    });

const NET_LOC_NORMALIZED: Step = Step::new(
    "buildAbsoluteURL: 3, normalized",
    "a reference with an authority inherits nothing else, and its path is normalized; any other one inherits the authority",
    |s| own_authority(s, NORMALIZE_PATH),
);

const ROOTED_NORMALIZED: Step = Step::new(
    "buildAbsoluteURL: 4, normalized",
    "a path that begins with a slash is not merged, and it is normalized",
    |s| rooted(s, NORMALIZE_PATH),
);

/// The mark of a base whose first segment is its authority.
const BARE: &str = "the base's authority has no slashes";

/// Returns whether the base has neither an authority nor a path that begins with a slash, but a first segment.
fn is_bare(s: &State<'_>) -> bool {
    let path = divided(s, Slot::Base).0;
    s.present(Slot::Base(Part::Authority)).is_none() && !path.is_empty() && !path.starts_with('/')
}

/// Divides the base's path, without its parameters, after the first segment.
fn first_segment<'a>(s: &'a State<'_>) -> (&'a str, &'a str) {
    until(divided(s, Slot::Base).0, if s.has(&FIRST_SEGMENT) { &['/'] } else { &['/', ';'] })
}

fn take_first_segment(s: &mut State<'_>) -> Next {
    let (host, path) = first_segment(s);
    if is_bare(s) && !host.is_empty() {
        let (host, path) = (host.to_owned(), path.to_owned() + divided(s, Slot::Base).1);
        s.mark(BARE);
        s.set(Slot::Base(Part::Authority), host);
        s.set(Slot::Base(Part::Path), path);
    }
    Go
}

/// Inherits the authority, or goes on at the row `then`.
fn own_authority(s: &mut State<'_>, then: &'static str) -> Next {
    if s.present(Slot::Ref(Part::Authority)).is_some() {
        s.unmark(BARE);
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        take_path(s);
        return To(then);
    }
    s.inherit(Part::Authority);
    Go
}

/// Goes on at the row `then` if the path begins with a slash.
fn rooted(s: &mut State<'_>, then: &'static str) -> Next {
    if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
        return Go;
    }
    take_path(s);
    To(then)
}

/// The path of the reference is neither merged nor freed of its dot segments.
fn take_path(s: &mut State<'_>) {
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.flow(Slot::NoDots, Slot::Merged);
}

/// Divides a path before its parameters.
fn divided<'a>(s: &'a State<'_>, of: fn(Part) -> Slot) -> (&'a str, &'a str) {
    let path = s.get(of(Part::Path));
    let params = s.present(of(Part::Params)).map_or(0, |params| params.len() + 1);
    let at = path.len().saturating_sub(params);
    if path.is_char_boundary(at) { path.split_at(at) } else { (path, "") }
}

fn cut_scheme(s: &mut State<'_>, found: Option<usize>) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let name = found.filter(|length| *length > 0).map(|length| &rest[..length]);
    s.set(s.own(Part::Scheme), name);
    s.rest = rest[name.map_or(0, |name| name.len() + 1)..].to_owned();
    Go
}

fn cut_authority(s: &mut State<'_>, ends: &[char]) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let divided = rest.strip_prefix("//").map(|after| until(after, ends));
    s.set(s.own(Part::Authority), divided.map(|(authority, _)| authority));
    s.rest = divided.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
    Go
}

/// Marks the parameters: what follows the first semicolon after `from`.
fn cut_params(s: &mut State<'_>, from: impl Fn(&str) -> usize) -> Next {
    let path = s.get(s.own(Part::Path));
    let params = cut(&path[from(path)..], ";").1.map(str::to_owned);
    s.set(s.own(Part::Params), params);
    Go
}

/// Rejects an end of a line in parts; in a path, if it says so, only after the last slash.
fn reject_line_ends(s: &mut State<'_>, parts: &[(Part, bool)]) -> Next {
    let found = parts.iter().find(|(part, is_last)| {
        let text = s.get(s.own(*part));
        text[if *is_last { folder(text).len() } else { 0 }..].contains(LINE_ENDS)
    });
    match found {
        Some((part, _)) => s.reject(s.own(*part), "it contains an end of a line"),
        None => Go,
    }
}

/// `normalizePath`: the first segment is never removed.
fn normalize(s: &mut State<'_>, may_go: impl Fn(&str) -> bool) -> Next {
    let merged = s.get(Slot::Merged);
    let params = s.present(Slot::Ref(Part::Params)).map(|params| format!(";{params}")).unwrap_or_default();
    let path = merged.strip_suffix(&params).unwrap_or(merged);
    let mut kept: Vec<&str> = Vec::new();
    let mut is_removed = false;
    for (at, segment) in path.split('/').enumerate() {
        is_removed = match segment {
            "." if at > 0 => true,
            ".." if kept.len() > 1 && kept.last().is_some_and(|last| *last != ".." && may_go(last)) => {
                kept.pop();
                true
            }
            _ => {
                kept.push(segment);
                false
            }
        };
    }
    if is_removed {
        kept.push("");
    }
    let path = kept.join("/") + &params;
    s.flow(Slot::NoDots, Slot::Merged);
    s.set(Slot::NoDots, path);
    Go
}
