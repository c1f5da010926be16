//! `ip.isPrivate(url.parse(url).hostname)` of the npm package ip: the components of the URL that it is asked about.
//!
//! Not described: which addresses are private. `url.parse` is that of Node 20, with which the versions were recorded.

use urlstrata::slots::Part;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::{checks, node_url_resolve};

/// ip, asked about the host of `url.parse`.
pub static TABLE: Table = Table {
    engine: "ip-url-parse",
    first: "1.1.8",
    changes: &[],
    dated: &[],
    questions: &[(Question::Parse, PARSE)],
    called: &[node_url_resolve::STATE, node_url_resolve::PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&node_url_resolve::TABLE, "20.20.2".to_owned())],
};

static PARSE: &[Step] = &[
    Step::new("url.parse", "parse the URL", |_| Call(node_url_resolve::STATE, Side::Reference)),
    Step::new("url.hostname", "read the scheme, the host and the port", |s| {
        checks::read(s, &[Part::Scheme, Part::Host, Part::Port])
    }),
];
