//! hyper-util: where `Client::get(uri)` of its legacy client connects, with hyper-tls.
//!
//! Read from `src/client/legacy/client.rs` and `connect/http.rs` of hyper-util 0.1.21. It parses with the crate http.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::http_uri;
use crate::socket::{GETADDRINFO, NO_NAME, NO_SERVICE, RESOLVER, accessors};

/// hyper-util.
pub static TABLE: Table = Table {
    engine: "hyper-util",
    first: "0.1.21",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[http_uri::PARSE, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static GET: &[Step] = &[
    Step::new("Uri", "parse the URI", |_| Call(http_uri::PARSE, Side::Reference)),
    Step::new("extract_domain", "reject a URI without a scheme", |s| {
        let slot = Slot::Out(Part::Scheme);
        match s.present(slot).is_some() {
            true => Go,
            false => s.reject(slot, "the scheme is missing"),
        }
    }),
    Step::new("get_host_port", "connect for any scheme as for http, unless it is https", |s| {
        let slot = Slot::Out(Part::Scheme);
        if s.get(slot) != "https" {
            s.set(slot, "http");
        }
        Go
    }),
    NO_NAME,
    accessors("get_host_port: host, port"),
    NO_SERVICE,
    RESOLVER,
];
