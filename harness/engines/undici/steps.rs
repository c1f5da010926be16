//! undici: where `request(url)` connects.
//!
//! Read from `lib/core/util.js`, `lib/dispatcher/client.js` and `lib/core/connect.js` of undici 6.29.1 and 8.13.1. It parses with `URL` of the Node that
//! runs it.

use urlstrata::revision::whatwg;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::components;
use urlstrata_steps::{Change, Next::*, Question, Side, Step, Table, Witness, compare_versions};

use crate::redirect::{has_location, has_no_controls, latin_1};
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, accessors};
use crate::url_standard::PROPERTIES;
use crate::{ada, node_url};

/// undici.
pub static TABLE: Table = Table {
    engine: "undici",
    first: "6.0.0",
    changes: &[&STRINGS, &LOOPS, &LATIN_1],
    dated: &[],
    questions: &[(Question::Connect, REQUEST), (Question::Follow, REDIRECT)],
    called: &[PROPERTIES, GETADDRINFO],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: Some(|changes, field| match LATIN_1.is_among(changes) {
        true => latin_1(changes, field),
        false => field.trim_matches([' ', '\t']).to_owned(),
    }),
    calls: |version| {
        let node = if compare_versions(version, "7").is_lt() { "20.20.2" } else { "26.10.0" };
        vec![(&node_url::TABLE, node.to_owned())]
    },
};

static STRINGS: Change = Change {
    id: "7.0.0",
    versions: &["7.0.0"],
    date: "2024-11-27",
    issue: "",
    says: "fields are strings, so that an empty location is none",
    witness: Some(Witness {
        question: Question::Follow,
        base: "http://h/a",
        reference: "",
        before: Some("http://h/a"),
        after: None,
    }),
};

static LOOPS: Change = Change {
    id: "#4361",
    versions: &["7.13.0"],
    date: "2025-07-31",
    issue: "https://github.com/nodejs/undici/pull/4361",
    says: "a redirect to a URL that was requested is rejected",
    witness: Some(Witness {
        question: Question::Follow,
        base: "http://h/a",
        reference: "#f",
        before: Some("http://h/a#f"),
        after: None,
    }),
};

static LATIN_1: Change = Change {
    id: "#4768",
    versions: &["7.19.2"],
    date: "2026-01-27",
    issue: "https://github.com/nodejs/undici/pull/4768",
    says: "fields are read as ISO 8859-1, and not as UTF-8",
    witness: None,
};

/// `RedirectHandler`.
static REDIRECT: &[Step] = &[
    Step::new("llhttp: header value", "reject a response with a control character in a field", has_no_controls),
    Step::new("RedirectHandler: location", "do not follow an empty location", has_location).since(&STRINGS),
    Step::new("RedirectHandler: new URL", "resolve the location on the URL of the request", |_| Call(ada::PARSE, Side::Reference)),
    Step::new("RedirectHandler: history", "reject a target that was requested", |s| {
        let place = |url: &str| {
            let [scheme, authority, path, query, _] = components(url).map(|part| part.unwrap_or_default().to_owned());
            let host = authority.rsplit('@').next().unwrap_or_default().to_owned();
            [scheme, host, path, query]
        };
        match place(s.base) == place(s.get(Slot::Result)) {
            true => s.reject(Slot::Result, "a loop"),
            false => Go,
        }
    })
    .since(&LOOPS),
];

static REQUEST: &[Step] = &[
    Step::new("util.parseURL: new URL", "parse the URL", |_| Call(ada::STATE, Side::Reference)),
    Step::new("util.parseOrigin: url.origin", "the origin of blob is that of the URL in its path", |s| {
        let is_web = |path: &str| path.starts_with("http://") || path.starts_with("https://");
        if s.get(Slot::Out(Part::Scheme)) == "blob"
            && is_web(s.get(Slot::Out(Part::Path)))
            && let Ok(target) = whatwg::NEWEST.resolve("", s.get(Slot::Out(Part::Path)))
            && let [Some(scheme @ ("http" | "https")), Some(authority), ..] = components(&target.url)
        {
            let host = authority.rsplit('@').next().unwrap_or_default();
            let (host, port) = host.rsplit_once(':').filter(|_| !host.ends_with(']')).unwrap_or((host, ""));
            let (scheme, host, port) = (scheme.to_owned(), host.to_owned(), port.to_owned());
            for (part, value) in [(Part::Scheme, scheme), (Part::Host, host), (Part::Port, port)] {
                s.set(Slot::Out(part), value);
            }
        }
        Go
    }),
    accessors("buildConnector: hostname, port"),
    NO_SERVICE,
    RESOLVER,
];
