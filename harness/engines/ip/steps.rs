//! `ip.isPrivate(new URL(url).hostname)` of the npm package ip: the components of the URL that it is asked about.
//!
//! Not described: which addresses are private. The URL is that of Node 20, with which the versions were recorded.

use urlstrata::slots::Part;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::url_standard::PROPERTIES;
use crate::{ada, checks, node_url};

/// ip.
pub static TABLE: Table = Table {
    engine: "ip",
    first: "1.1.8",
    changes: &[],
    dated: &[],
    questions: &[(Question::Parse, PARSE)],
    called: &[ada::PARSE, PROPERTIES],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: None,
    calls: |_| vec![(&node_url::TABLE, "20.20.2".to_owned())],
};

pub(crate) static PARSE: &[Step] = &[
    Step::new("new URL", "parse the URL, and state its properties", |_| Call(ada::STATE, Side::Reference)),
    Step::new("URL.hostname", "read the scheme, the host and the port", |s| {
        checks::read(s, &[Part::Scheme, Part::Host, Part::Port])
    }),
];
