//! Ada, the parser of Node.js and of packages in several languages, from 2.8.0 on.
//!
//! Read from `src/parser.cpp`, `src/helpers.cpp` and `include/ada/checkers-inl.h` of Ada 2.9.2 to 4.0.0. It follows the states of the URL Standard,
//! but cuts the fragment off first, and keeps the path as one string.

use urlstrata::revision::whatwg::{self, Implementation, Machine, Next as Then, OwnStep};
use urlstrata::slots::Part;
use urlstrata_steps::standard::{adopts, landed};
use urlstrata_steps::{Change, Next, Question, Side, Step, Table, Witness, no_calls};

use crate::ada_idna::{Rules, to_ascii};
use crate::url_standard::PROPERTIES;

/// Ada. Engines call it; no engine folder has its name.
pub static TABLE: Table = Table {
    engine: "ada",
    first: "2.8.0",
    changes: &[
        &SHARP_S,
        &UNICODE_16,
        &NOT_ASCII,
        &CARET,
        &OPAQUE_SPACES,
        &FIRST_DOT,
        &DOTS,
        &CARET_ALONE,
        &EMPTY_QUERY,
        &ASCII_DOMAIN,
        &DIRECTIONS,
        &QUICK_CHECK,
        &DRIVE,
        &NO_SCHEME,
    ],
    dated: &[],
    questions: &[(Question::Resolve, PARSE), (Question::Parse, STATE)],
    called: &[PROPERTIES],
    standard: Some(standard),
    has_dated_names: true,
    field: None,
    calls: no_calls,
};

static SHARP_S: Change = Change {
    id: "#797",
    versions: &["3.0.0"],
    date: "2025-01-30",
    issue: "https://github.com/ada-url/ada/pull/797",
    says: "the tables of Unicode 15.1 map the capital sharp s to the small one, and no longer to ss",
    witness: Witness::resolving("", "http://\u{1e9e}/", Some("http://ss/"), Some("http://xn--zca/")),
};

static UNICODE_16: Change = Change {
    id: "6440fca",
    versions: &["3.2.0"],
    date: "2025-03-10",
    issue: "https://github.com/ada-url/ada/commit/6440fca",
    says: "the tables of Unicode 16 map or ignore characters that were disallowed",
    witness: Witness::resolving("", "http://a\u{2062}/", None, Some("http://a/")),
};

static NOT_ASCII: Change = Change {
    id: "6440fca labels",
    versions: &["3.2.0"],
    date: "2025-03-10",
    issue: "https://github.com/ada-url/ada/commit/6440fca",
    says: "a label with `xn--` and without a character outside ASCII is rejected",
    witness: Witness::resolving("", "http://xn--a-/", Some("http://xn--a-/"), None),
};

static CARET: Change = adopts(
    "9bc33c3",
    "https://github.com/ada-url/ada/pull/908",
    "carets are percent-encoded in paths",
    (&["3.2.0"], "2025-03-10"),
    Witness::resolving("", "http://h/^ ^", Some("http://h/^%20^"), Some("http://h/%5E%20%5E")),
);

static OPAQUE_SPACES: Change = adopts(
    "6c78200",
    "https://github.com/ada-url/ada/pull/925",
    "the last space of an opaque path before a query or a fragment is percent-encoded",
    (&["3.2.2"], "2025-03-30"),
    Witness::resolving("", "foo:a ?b", Some("foo:a ?b"), Some("foo:a%20?b")),
);

static FIRST_DOT: Change = Change {
    id: "#937",
    versions: &["3.2.3"],
    date: "2025-04-24",
    issue: "https://github.com/ada-url/ada/pull/937",
    says: "every segment that begins with a dot decides whether a path has dot segments, not the first one alone",
    witness: Witness::resolving("", "http://h/a/.b/../c", Some("http://h/a/.b/../c"), Some("http://h/a/c")),
};

static CARET_ALONE: Change = Change {
    id: "#974",
    versions: &["3.2.6"],
    date: "2025-07-16",
    issue: "https://github.com/ada-url/ada/pull/974",
    says: "a caret is percent-encoded also in a path without another character that is",
    witness: Witness::resolving("", "http://h/^", Some("http://h/^"), Some("http://h/%5E")),
};

static DOTS: Change = Change {
    id: "#978",
    versions: &["3.2.6"],
    date: "2025-07-16",
    issue: "https://github.com/ada-url/ada/pull/978",
    says: "`..` at the end of a path that has no segment to remove leaves a slash, also if the scheme is not special",
    witness: Witness::resolving("foo://h/a", "/..", Some("foo://h"), Some("foo://h/")),
};

static EMPTY_QUERY: Change = Change {
    id: "#1094",
    versions: &["3.4.4"],
    date: "2026-03-23",
    issue: "https://github.com/ada-url/ada/pull/1094",
    says: "an empty query of the base is inherited",
    witness: Witness::resolving("http://h/a?", "#f", Some("http://h/a#f"), Some("http://h/a?#f")),
};

static ASCII_DOMAIN: Change = adopts(
    "a8d5ca3",
    "",
    "a domain in ASCII is written in lower case and not converted, so that an invalid `xn--` label is kept",
    (&["4.0.0"], "2026-07"),
    Witness::resolving("", "http://xn--a/", None, Some("http://xn--a/")),
);

static DIRECTIONS: Change = Change {
    id: "4.0.0 directions",
    versions: &["4.0.0"],
    date: "2026-07",
    issue: "",
    says: "a label with characters from right to left begins with a letter of them",
    witness: Witness::resolving("", "http://0\u{5d0}/", Some("http://xn--0-0hc/"), None),
};

static QUICK_CHECK: Change = Change {
    id: "4.0.0 normalization",
    versions: &["4.0.0"],
    date: "2026-07",
    issue: "",
    says: "a quick check decides whether a domain is normalized, which does not find a mark below after a letter with a mark above",
    witness: Witness::resolving("", "http://\u{e9}\u{323}/", Some("http://xn--lsa503l/"), Some("http://xn--9ca45i/")),
};

static DRIVE: Change = Change {
    id: "#1156",
    versions: &["4.0.0"],
    date: "2026-07",
    issue: "https://github.com/ada-url/ada/pull/1156",
    says: "a segment that only begins with a letter and a colon is not a drive letter",
    witness: Witness::resolving("", "file:///a:b/..", Some("file:///a:b/"), Some("file:///")),
};

static NO_SCHEME: Change = Change {
    id: "#1186",
    versions: &["4.0.0"],
    date: "2026-07",
    issue: "https://github.com/ada-url/ada/pull/1186",
    says: "a relative reference with a fragment is rejected if the path of the base is opaque",
    witness: Witness::resolving("foo:a/b", "c#f", Some("foo:a/c#f"), None),
};

/// `ada::parse`.
pub static PARSE: &[Step] = &[Step::new(
    "ada::parse",
    "run the steps of the URL Standard with the changes that the version has adopted",
    |_| Next::Standard(standard),
)];

/// `ada::parse`, and the getters of what it returns.
pub static STATE: &[Step] = &[
    Step::new("ada::parse, without a base", "parse the URL", |_| Next::Call(PARSE, Side::Reference)),
    Step::new("url_aggregator: getters", "state the properties of the URL", |_| {
        Next::Call(PROPERTIES, Side::Reference)
    }),
];

/// Returns the parser of a version.
pub fn standard(changes: &[&'static Change]) -> Implementation {
    let mut own: Vec<&'static OwnStep> = Vec::new();
    let mut before = |change: &'static Change, steps: &[&'static OwnStep]| {
        if !change.is_among(changes) {
            own.extend(steps);
        }
    };
    before(&FIRST_DOT, &[&PATH_SIGNATURE, &TRIVIAL_PATH]);
    if CARET.is_among(changes) {
        before(&CARET_ALONE, &[&NEEDED_ENCODING, &CARET_KEPT]);
    }
    before(&DOTS, &[&NOTHING_LEFT, &NO_SLASH]);
    before(&EMPTY_QUERY, &[&OPAQUE_FRAGMENT, &RELATIVE_SEARCH, &FILE_SEARCH, &DROPPED_QUERY]);
    before(&DRIVE, &[&KEPT_DRIVE, &BASE_DRIVE]);
    before(&NO_SCHEME, &[&ANY_FRAGMENT, &OPAQUE_QUERY, &OPAQUE_SEGMENTS, &LAST_SEGMENT, &OPAQUE_RESULT]);
    own.push(match () {
        () if QUICK_CHECK.is_among(changes) => &QUICK_CHECK_DOMAIN,
        () if DIRECTIONS.is_among(changes) => &DIRECTIONS_DOMAIN,
        () if NOT_ASCII.is_among(changes) => &NOT_ASCII_DOMAIN,
        () if UNICODE_16.is_among(changes) => &UNICODE_16_DOMAIN,
        () if SHARP_S.is_among(changes) => &UNICODE_15_1_DOMAIN,
        () => &UNICODE_15_DOMAIN,
    });
    Implementation { landed: landed(&whatwg::WHATWG_2022_01, changes), own }
}

static UNICODE_15_DOMAIN: OwnStep = domain_step(|s| convert(s, Rules::Unicode15));
static UNICODE_15_1_DOMAIN: OwnStep = domain_step(|s| convert(s, Rules::Unicode151));
static UNICODE_16_DOMAIN: OwnStep = domain_step(|s| convert(s, Rules::Unicode16));
static NOT_ASCII_DOMAIN: OwnStep = domain_step(|s| convert(s, Rules::NotAscii));
static DIRECTIONS_DOMAIN: OwnStep = domain_step(|s| convert(s, Rules::Directions));
static QUICK_CHECK_DOMAIN: OwnStep = domain_step(|s| convert(s, Rules::QuickCheck));

const fn domain_step(run: fn(&mut Machine<'_>) -> Option<Then>) -> OwnStep {
    OwnStep {
        instead_of: "domain 6.1",
        label: "ada::idna::to_ascii",
        text: "convert it to ASCII; rules of directions apply to a label with characters from right to left, not to the whole domain",
        run,
    }
}

fn convert(s: &mut Machine<'_>, rules: Rules) -> Option<Then> {
    if let Some(domain) = to_ascii(s.domain(), rules) {
        s.set_ascii_domain(domain);
    }
    Some(Then::Continue)
}

/// The marks of a path that was looked at, of one whose dots are not looked at, and of one with a character that is percent-encoded.
const SIGNED: &str = "path_signature";
const TRIVIAL: &str = "trivial_path";
const COUNTED: &str = "path_signature: need_encoding was looked at";
const ENCODED: &str = "need_encoding";

/// Returns the path that is read next: a drive letter in the buffer, which was read as a host, belongs to it.
fn path(s: &Machine<'_>) -> String {
    let rest = (0..).map_while(|distance| s.at(distance)).take_while(|c| !matches!(c, '?' | '#'));
    s.buffer().chars().chain(rest).collect()
}

/// Returns whether `path_signature` counts a character as one to encode.
fn needs_encoding(c: char) -> bool {
    c <= ' ' || c > '~' || matches!(c, '"' | '<' | '>' | '`' | '{' | '}')
}

static PATH_SIGNATURE: OwnStep = OwnStep {
    instead_of: "path 1",
    label: "parse_prepared_path: find(\"/.\")",
    text: "a path that needs no other work has dot segments if its first segment that begins with a dot is one",
    run: |s| {
        if s.is_marked(SIGNED) {
            return None;
        }
        s.mark(SIGNED);
        let path = path(s);
        let is_plain = path.contains('.') && !path.chars().any(|c| needs_encoding(c) || matches!(c, '\\' | '%'));
        let has_drive = matches!(path.as_bytes(), [letter, b':' | b'|', ..] if letter.is_ascii_alphabetic())
            && matches!(path.as_bytes().get(2), None | Some(b'/'));
        let is_drive = s.scheme() == "file" && has_drive;
        let after = path.split_once("/.").map(|(_, after)| after);
        let has_dots = path.starts_with('.') || after.is_some_and(|it| it.is_empty() || it.starts_with(['.', '/']));
        // A path that follows the base's is looked at segment by segment.
        if is_plain && !is_drive && !has_dots && s.segments().is_empty() {
            s.mark(TRIVIAL);
        }
        None
    },
};

static TRIVIAL_PATH: OwnStep = OwnStep {
    instead_of: "path 1.2",
    label: "parse_prepared_path: trivial_path",
    text: "keep the dot segments of a path that was found to have none",
    run: |s| {
        if !s.is_marked(TRIVIAL) {
            return None;
        }
        if matches!(s.buffer(), "." | "..") {
            s.rewrites(Part::Path);
        }
        Some(Then::SkipTo("path 1.4.2"))
    },
};

static NEEDED_ENCODING: OwnStep = OwnStep {
    instead_of: "path 1",
    label: "parse_prepared_path: need_encoding",
    text: "see whether a character of the path other than a caret is percent-encoded",
    run: |s| {
        if !s.is_marked(COUNTED) {
            s.mark(COUNTED);
            if path(s).chars().any(needs_encoding) {
                s.mark(ENCODED);
            }
        }
        None
    },
};

static CARET_KEPT: OwnStep = OwnStep {
    instead_of: "path 2.3",
    label: "parse_prepared_path: needs_percent_encoding",
    text: "keep a caret if no other character of the path is percent-encoded",
    run: |s| {
        if s.at(0) != Some('^') || s.is_marked(ENCODED) {
            return None;
        }
        s.push('^');
        s.rewrites(Part::Path);
        Some(Then::Done)
    },
};

/// The mark of a `..` that has nothing to remove.
const NOTHING: &str = "shorten_path returned false";

static NOTHING_LEFT: OwnStep = OwnStep {
    instead_of: "path 1.2.1",
    label: "shorten_path",
    text: "see whether a segment is left",
    run: |s| {
        s.unmark(NOTHING);
        if s.segments().is_empty() {
            s.mark(NOTHING);
        }
        None
    },
};

static NO_SLASH: OwnStep = OwnStep {
    instead_of: "path 1.2.2",
    label: "parse_prepared_path: double dots",
    text: "write no slash for `..` at the end if nothing was removed and the scheme is not special",
    run: |s| {
        if !s.is_marked(NOTHING) || s.is_special() {
            return None;
        }
        s.rewrites(Part::Path);
        Some(Then::SkipTo("path 1.5"))
    },
};

/// The mark of a reference that takes the query of the base.
const INHERITED: &str = "the query is the base's";

static OPAQUE_FRAGMENT: OwnStep = OwnStep {
    instead_of: "no scheme 2",
    label: "NO_SCHEME: update_base_search",
    text: "take the query of the base",
    run: |s| {
        if s.opaque_base().is_some() {
            s.mark(INHERITED);
        }
        None
    },
};

static RELATIVE_SEARCH: OwnStep = OwnStep {
    instead_of: "relative 5.2",
    label: "RELATIVE_SCHEME: update_base_search",
    text: "take the query of the base if the reference has neither a path nor a query",
    run: take_query,
};

static FILE_SEARCH: OwnStep = OwnStep {
    instead_of: "file 4.2",
    label: "FILE: update_base_search",
    text: "take the query of the base if the reference has neither a path nor a query",
    run: take_query,
};

fn take_query(s: &mut Machine<'_>) -> Option<Then> {
    if matches!(s.at(0), None | Some('#')) {
        s.mark(INHERITED);
    }
    None
}

static DROPPED_QUERY: OwnStep = OwnStep {
    instead_of: "basic 10",
    label: "update_base_search",
    text: "an empty query of the base is not inherited",
    run: |s| {
        if s.is_marked(INHERITED) && s.query() == Some("") {
            s.remove_query();
            s.rewrites(Part::Query);
        }
        None
    },
};

/// Returns whether a segment begins with a letter and a colon.
fn begins_with_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

static KEPT_DRIVE: OwnStep = OwnStep {
    instead_of: "shorten 3",
    label: "shorten_path: is_normalized_windows_drive_letter",
    text: "keep the only segment of a `file` path if it begins with a letter and a colon",
    run: |s| match s.segments() {
        [only] if s.scheme() == "file" && begins_with_drive(only) => {
            s.rewrites(Part::Path);
            Some(Then::Done)
        }
        _ => None,
    },
};

static BASE_DRIVE: OwnStep = OwnStep {
    instead_of: "file slash 2.1.2",
    label: "FILE_SLASH: is_normalized_windows_drive_letter",
    text: "inherit the first segment of the base's path if it begins with a letter and a colon, unless the rest of the input does",
    run: |s| {
        if s.starts_with_drive_letter() {
            return None;
        }
        let first = s.base_segments().first().filter(|first| begins_with_drive(first))?.clone();
        s.push_segment(first);
        s.rewrites(Part::Path);
        Some(Then::Continue)
    },
};

/// The mark while a reference is resolved on an opaque path.
const OPAQUE: &str = "an opaque path is resolved";

static ANY_FRAGMENT: OwnStep = OwnStep {
    instead_of: "no scheme 1",
    label: "NO_SCHEME: fragment.has_value",
    text: "a reference with a fragment is resolved even if the path of the base is opaque",
    run: |s| {
        let has_fragment = (0..).map_while(|distance| s.at(distance)).any(|c| c == '#');
        if s.opaque_base().is_none() || s.at(0) == Some('#') || !has_fragment {
            return None;
        }
        s.begin_without_scheme();
        s.go_back("relative")
    },
};

static OPAQUE_QUERY: OwnStep = OwnStep {
    instead_of: "relative 5.2",
    label: "RELATIVE_SCHEME: has_opaque_path",
    text: "take the opaque path of the base",
    run: |s| {
        if let (Some(path), Some('?')) = (s.opaque_base(), s.at(0)) {
            s.set_opaque(path.to_owned());
        }
        None
    },
};

static OPAQUE_SEGMENTS: OwnStep = OwnStep {
    instead_of: "relative 5.4.2",
    label: "RELATIVE_SCHEME: shorten_path",
    text: "remove the opaque path's last slash and what follows it",
    run: |s| {
        let mut segments: Vec<String> = s.opaque_base()?.split('/').map(str::to_owned).collect();
        if segments.len() > 1 {
            segments.pop();
        }
        s.set_segments(segments);
        s.rewrites(Part::Path);
        s.mark(OPAQUE);
        Some(Then::Continue)
    },
};

static LAST_SEGMENT: OwnStep = OwnStep {
    instead_of: "shorten 4",
    label: "shorten_path: rfind",
    text: "a path without a slash has nothing to remove",
    run: |s| {
        let is_last = s.is_marked(OPAQUE) && s.segments().len() <= 1;
        if is_last {
            s.mark(NOTHING);
        }
        is_last.then_some(Then::Done)
    },
};

static OPAQUE_RESULT: OwnStep = OwnStep {
    instead_of: "basic 10",
    label: "PATH: has_opaque_path",
    text: "the path does not begin with a slash",
    run: |s| {
        if s.is_marked(OPAQUE) {
            let path = s.segments().join("/");
            s.set_opaque(path);
        }
        None
    },
};
