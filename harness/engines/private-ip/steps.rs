//! `isPrivate(new URL(url).hostname)` of the npm package private-ip: the components of the URL that it is asked about.
//!
//! Not described: which addresses are private. The URL is that of Node 20, with which the versions were recorded.

use urlstrata_steps::{Question, Table};

use crate::url_standard::PROPERTIES;
use crate::{ada, ip, node_url};

/// private-ip.
pub static TABLE: Table = Table {
    engine: "private-ip",
    first: "1.0.5",
    changes: &[],
    dated: &[],
    questions: &[(Question::Parse, ip::PARSE)],
    called: &[ada::PARSE, PROPERTIES],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: None,
    calls: |_| vec![(&node_url::TABLE, "20.20.2".to_owned())],
};
