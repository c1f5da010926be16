//! whatwg-url: `new URL(reference, base)`, and the properties of `new URL(url)`, from 6.5.0 on.
//!
//! Read from `lib/url-state-machine.js` of whatwg-url 6.5.0 to 17.3.0, which has the states of the URL Standard as functions. Its README names
//! the commit of the Standard that a version follows. Domains are converted to ASCII by the package tr46, which has versions of its own.

use urlstrata::revision::whatwg::{self, Implementation, Next as Then, OwnStep};
use urlstrata::slots::Part;
use urlstrata_steps::standard::{adopts, landed};
use urlstrata_steps::{Change, Next, Question, Side, Step, Table, Witness, no_calls};

use crate::url_standard::PROPERTIES;

/// whatwg-url.
pub static TABLE: Table = Table {
    engine: "whatwg-url",
    first: "6.5.0",
    changes: &[
        &GOPHER,
        &NUL_IN_FRAGMENT,
        &EMPTY_DOMAIN,
        &FORBIDDEN_ANGLES,
        &NO_HOST,
        &FILE_HOST,
        &FILE_NULL_HOST,
        &FORBIDDEN_BAR,
        &ENDS_IN_NUMBER,
        &FORBIDDEN_DOMAIN,
        &CARET,
        &OPAQUE_SPACES,
        &ASCII_DOMAIN,
        &ASTRAL,
    ],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, PARSE)],
    called: &[PROPERTIES],
    standard: Some(standard),
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static GOPHER: Change = adopts(
    "d589670",
    "https://github.com/whatwg/url/commit/d589670",
    "`gopher` is not a special scheme",
    (&["7.1.0"], "2019-10-21"),
    Witness::resolving("", "gopher://H", Some("gopher://h/"), Some("gopher://H")),
);

static NUL_IN_FRAGMENT: Change = adopts(
    "3d57401",
    "https://github.com/whatwg/url/commit/3d57401",
    "NUL is percent-encoded in fragments, not removed",
    (&["8.1.0"], "2020-05-08"),
    Witness::resolving("", "http://h/#a\0b", Some("http://h/#ab"), Some("http://h/#a%00b")),
);

static EMPTY_DOMAIN: Change = adopts(
    "cceb435",
    "https://github.com/whatwg/url/commit/cceb435",
    "a domain that IDNA maps to an empty string is rejected",
    (&["8.1.0"], "2020-05-08"),
    Witness::resolving("", "http://%C2%AD/", Some("http:///"), None),
);

static FORBIDDEN_ANGLES: Change = adopts(
    "302ba41",
    "https://github.com/whatwg/url/commit/302ba41",
    "`<`, `>` and `^` in a host are rejected",
    (&["8.2.0"], "2020-08-24"),
    Witness::resolving("", "foo://a<b/", Some("foo://a<b/"), None),
);

static NO_HOST: Change = adopts(
    "83adf0c",
    "https://github.com/whatwg/url/commit/83adf0c",
    "`/.` is written before a path that begins with two slashes in a URL without a host",
    (&["8.2.0"], "2020-08-24"),
    Witness::resolving("", "foo:/.//x", Some("foo://x"), Some("foo:/.//x")),
);

static FILE_HOST: Change = adopts(
    "47efa00",
    "https://github.com/whatwg/url/commit/47efa00",
    "empty segments of `file` paths are kept, and a drive letter does not remove the host",
    (&["8.3.0"], "2020-09-30"),
    Witness::resolving("", "file:////x", Some("file:///x"), Some("file:////x")),
);

static FILE_NULL_HOST: Change = adopts(
    "a19495e",
    "https://github.com/whatwg/url/commit/a19495e",
    "the host of a `file` URL is never null",
    (&["8.4.0"], "2020-10-08"),
    Witness::resolving("", "file:.//p", Some("file:///.//p"), Some("file:////p")),
);

static FORBIDDEN_BAR: Change = adopts(
    "4025253",
    "https://github.com/whatwg/url/commit/4025253",
    "a `|` in a host is rejected",
    (&["8.5.0"], "2021-03-24"),
    Witness::resolving("", "foo://a|b/", Some("foo://a|b/"), None),
);

static ENDS_IN_NUMBER: Change = adopts(
    "ab0e820",
    "https://github.com/whatwg/url/commit/ab0e820",
    "a domain whose last label is a number is an IPv4 address, or rejected",
    (&["9.1.0"], "2021-08-05"),
    Witness::resolving("", "http://foo.0/", Some("http://foo.0/"), None),
);

static FORBIDDEN_DOMAIN: Change = adopts(
    "35e195a",
    "https://github.com/whatwg/url/commit/35e195a",
    "control characters in a domain are rejected",
    (&["12.0.0"], "2023-01-03"),
    Witness::resolving("", "http://a%01b/", Some("http://a\u{1}b/"), None),
);

static CARET: Change = adopts(
    "9bc33c3",
    "https://github.com/whatwg/url/commit/9bc33c3",
    "carets are percent-encoded in paths",
    (&["14.2.0"], "2025-03-15"),
    Witness::resolving("", "http://h/^", Some("http://h/^"), Some("http://h/%5E")),
);

static OPAQUE_SPACES: Change = adopts(
    "6c78200",
    "https://github.com/whatwg/url/commit/6c78200",
    "the last space of an opaque path before a query or a fragment is percent-encoded",
    (&["14.2.0"], "2025-03-15"),
    Witness::resolving("", "foo:a ?b", Some("foo:a ?b"), Some("foo:a%20?b")),
);

static ASCII_DOMAIN: Change = adopts(
    "a8d5ca3",
    "https://github.com/whatwg/url/commit/a8d5ca3",
    "a domain in ASCII is written in lower case and not converted, so that an invalid `xn--` label is kept",
    (&["17.0.0"], "2026-07-01"),
    Witness::resolving("", "http://xn--a/", None, Some("http://xn--a/")),
);

static ASTRAL: Change = Change {
    id: "fbaf303",
    versions: &["17.1.0"],
    date: "2026-07-10",
    issue: "https://github.com/jsdom/whatwg-url/commit/fbaf303",
    says: "credentials are read code point by code point",
    witness: Witness::resolving(
        "",
        "http://\u{1F600}x@h/",
        Some("http://%F0%9F%98%80%EF%BF%BD@h/"),
        Some("http://%F0%9F%98%80x@h/"),
    ),
};

fn standard(changes: &[&'static Change]) -> Implementation {
    let own = if ASTRAL.is_among(changes) { Vec::new() } else { vec![&CREDENTIALS] };
    Implementation { landed: landed(&whatwg::WHATWG_2018_06, changes), own }
}

/// Also in a fork of an older version.
pub(crate) static CREDENTIALS: OwnStep = OwnStep {
    instead_of: "authority 1.3",
    label: "parseAuthority: countSymbols",
    text: "read as many UTF-16 code units of the credentials as they have code points; half a surrogate pair is U+FFFD",
    run: |s| {
        let units: Vec<u16> = s.buffer().encode_utf16().collect();
        let count = s.buffer().chars().count();
        // Each place is read with the code unit after it.
        let read = |at: usize| {
            let pair = units.get(at..)?.iter().copied().take(2);
            char::decode_utf16(pair).next().map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER))
        };
        s.rewrites(Part::Authority);
        s.set_credentials((0..count).filter_map(read).collect());
        Some(Then::Continue)
    },
};

static RESOLVE: &[Step] = &[Step::new(
    "URL-impl: constructor",
    "run the steps of the URL Standard with the changes that the version has adopted",
    |_| Next::Standard(standard),
)];

static PARSE: &[Step] = &[
    Step::new("URL-impl: constructor, without a base", "parse the URL", |_| Next::Call(RESOLVE, Side::Reference)),
    Step::new("URL-impl: getters", "state the properties of the URL", |_| Next::Call(PROPERTIES, Side::Reference)),
];
