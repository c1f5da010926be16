//! got: where `got(url)` connects.
//!
//! Read from `dist/source/core/options.js` and `dist/source/core/index.js` of got 16.1.0. It parses with `URL`, and requests with `http.request`.

use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::node_http::{AUTH, PORT_0};
use crate::redirect::{has_location, has_no_controls, is_web};
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, accessors, two_slashes};
use crate::url_standard::PROPERTIES;
use crate::{ada, node_url};

/// got.
pub static TABLE: Table = Table {
    engine: "got",
    first: "16.1.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GOT), (Question::Follow, REDIRECT)],
    called: &[PROPERTIES, GETADDRINFO],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: None,
    calls: |_| vec![(&node_url::TABLE, "26.10.0".to_owned())],
};

/// `Request._onResponseBase`.
static REDIRECT: &[Step] = &[
    Step::new("_onResponseBase: headers.location", "do not follow an empty location", has_location),
    Step::new("llhttp: header value", "reject a response with a control character in a field", has_no_controls),
    Step::new("_onResponseBase: new URL", "resolve the location on the URL of the request", |_| Call(ada::PARSE, Side::Reference)),
    Step::new("http.request: protocol", "reject a target that is not one of http or https", is_web),
];

static GOT: &[Step] = &[
    Step::new("hasHttpProtocolWithoutSlashes", "without tabs, ends of lines, and control characters and spaces before it, reject http: and https: without two slashes", two_slashes),
    Step::new("Options.url: new URL", "parse the URL", |_| Call(ada::STATE, Side::Reference)),
    AUTH,
    PORT_0,
    accessors("http.request: hostname, port"),
    NO_SERVICE,
    RESOLVER,
];
