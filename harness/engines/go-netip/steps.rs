//! Go's `netip.ParseAddr(u.Hostname())` for `u, err := url.Parse(text)`: the components of the URL that it reads.
//!
//! Not described: whether the host is an address, and a private one.

use urlstrata::slots::Part;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::{checks, go_net_url};

/// go-netip.
pub static TABLE: Table = Table {
    engine: "go-netip",
    first: "1.19.8",
    changes: &[],
    dated: &[],
    questions: &[(Question::Parse, PARSE)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&go_net_url::TABLE, version.to_owned())],
};

static PARSE: &[Step] = &[
    Step::new("url.Parse", "parse the URL, and state its components", |_| Call(go_net_url::ACCESSORS, Side::Reference)),
    Step::new("URL.Hostname, URL.Port", "read the scheme, the host and the port", |s| {
        checks::read(s, &[Part::Scheme, Part::Host, Part::Port])
    }),
];
