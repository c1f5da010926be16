//! PHP: `(new Uri\Rfc3986\Uri($base))->resolve($reference)->toRawString()`.
//!
//! Read from `ext/uri/uri_parser_rfc3986.c` of PHP, which calls the uriparser that it contains. 8.5.10 also checks the port; its source was not at
//! hand, and the limits were found by asking it.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::{rfc3986, uriparser};

/// `Uri\Rfc3986\Uri` of PHP.
pub static TABLE: Table = Table {
    engine: "php-uri-rfc3986",
    first: "8.5.10",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, STEPS)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&uriparser::TABLE, "1.0.0".to_owned())],
};

static STEPS: &[Step] = &[
    Step::new("uriParseSingleUriExMm", "parse the base and the reference", |_| Call(uriparser::READ, Side::Reference)),
    Step::new("php_uri_parser_rfc3986_parse_ex: port", "reject a port of more than 20 digits, or above 2^63 - 1", |s| {
        for slot in [Slot::Base(Part::Authority), Slot::Ref(Part::Authority)] {
            let port = rfc3986::divide(s.get(slot)).2.trim_start_matches(':');
            if port.len() > 20 || !port.is_empty() && port.parse::<i64>().is_err() {
                return s.reject(slot, "the port is out of range");
            }
        }
        Go
    }),
    uriparser::WITHOUT_BASE,
    uriparser::ABSOLUTE_BASE,
    Step::new("uriAddBaseUriExMm", "resolve the reference", |_| Call(uriparser::ADD_BASE, Side::Reference)),
];
