//! Python's `ipaddress.ip_address(urlsplit(url).hostname)`: the components of the URL that it reads.
//!
//! Not described: whether the host is an address, and a private one.

use urlstrata::slots::Part;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::{checks, urllib};

/// python-ipaddress.
pub static TABLE: Table = Table {
    engine: "python-ipaddress",
    first: "3.9.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Parse, PARSE)],
    called: &[urllib::SPLIT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&urllib::TABLE, version.to_owned())],
};

static PARSE: &[Step] = &[
    Step::new("urlsplit(url)", "split the URL, and state its components", |_| Call(urllib::PARSE, Side::Reference)),
    Step::new("SplitResult.hostname", "read the scheme, the host and the port", |s| {
        checks::read(s, &[Part::Scheme, Part::Host, Part::Port])
    }),
];
