//! reqwest: where `get(url)` connects.
//!
//! Read from `src/into_url.rs` and `src/connect.rs` of reqwest 0.13.5, and from `src/client/legacy/connect/http.rs` and `dns.rs` of hyper-util. It parses
//! with the crate `url`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::crate_url;
use crate::redirect::{has_no_controls, is_web};
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, accessors};

/// reqwest.
pub static TABLE: Table = Table {
    engine: "reqwest",
    first: "0.13.5",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[GETADDRINFO],
    standard: Some(crate_url::standard),
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&crate_url::TABLE, "2.5.8".to_owned())],
};

/// `FollowRedirect` of tower-http.
static REDIRECT: &[Step] = &[
    Step::new("HeaderValue: is_visible_ascii", "reject a response with a control character in a field", has_no_controls),
    Step::new("FollowRedirect: Url::join", "resolve the location on the URL of the request", |_| Call(crate_url::JOIN, Side::Reference)),
    Step::new("redirect: scheme", "reject a target that is not one of http or https", is_web),
];

static GET: &[Step] = &[
    Step::new("IntoUrl: Url::parse", "parse the URL", |_| Call(crate_url::PARSE, Side::Reference)),
    Step::new("http::Uri: MAX_LEN", "reject a URL of more than 65534 bytes", |s| match s.reference.len() > 65_534 {
        true => s.reject(Slot::Ref(Part::Text), "it is too long"),
        false => Go,
    }),
    accessors("HttpConnector: host, port"),
    NO_SERVICE,
    RESOLVER,
];
