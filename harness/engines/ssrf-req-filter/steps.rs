//! `http.get(url, { agent: ssrfFilter(url) })` of the npm package ssrf-req-filter: the components of the URL that it is asked about.
//!
//! Not described: which addresses are private. The URL is that of Node 20, with which the versions were recorded.

use urlstrata::slots::Part;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::node_http::AUTH;
use crate::url_standard::PROPERTIES;
use crate::{ada, checks, node_url};

/// ssrf-req-filter.
pub static TABLE: Table = Table {
    engine: "ssrf-req-filter",
    first: "1.1.1",
    changes: &[],
    dated: &[],
    questions: &[(Question::Parse, PARSE)],
    called: &[ada::PARSE, PROPERTIES],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: None,
    calls: |_| vec![(&node_url::TABLE, "20.20.2".to_owned())],
};

static PARSE: &[Step] = &[
    Step::new("ClientRequest: new URL", "parse the URL, and state its properties", |_| Call(ada::STATE, Side::Reference)),
    AUTH,
    Step::new("requestFilterHandler: createConnection", "read the scheme, the host and the port", |s| {
        checks::read(s, &[Part::Scheme, Part::Host, Part::Port])
    }),
];
