//! ureq: where `get(url)` connects.
//!
//! Read from `src/util.rs`, `src/proxy.rs` and `src/unversioned/resolver.rs` of ureq 3.5.2, and from `std::net::ToSocketAddrs`. It parses with the
//! crate http.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::http_uri;
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, default_port, unbracketed};

/// ureq.
pub static TABLE: Table = Table {
    engine: "ureq",
    first: "3.5.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, CALL)],
    called: &[http_uri::PARSE, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static CALL: &[Step] = &[
    Step::new("Request: Uri", "parse the URI", |_| Call(http_uri::PARSE, Side::Reference)),
    Step::new("SchemeExt::default_port", "without a port, it is the default one of the scheme; reject other schemes than http, https and those of SOCKS", |s| {
        if matches!(s.get(Slot::Out(Part::Scheme)).to_ascii_lowercase().as_str(), "socks" | "socks4" | "socks4a" | "socks5" | "socks5h") {
            if s.get(Slot::Out(Part::Port)).is_empty() {
                s.set(Slot::Out(Part::Port), "1080");
            }
            return Go;
        }
        default_port(s)
    }),
    Step::new("to_socket_addrs", "brackets around an IPv6 address are removed", |s| {
        let slot = Slot::Out(Part::Host);
        let host = unbracketed(s.get(slot));
        if host.split('%').next().is_some_and(|address| address.parse::<Ipv6Addr>().is_ok()) {
            let host = host.to_owned();
            s.set(slot, host);
        }
        Go
    }),
    NO_SERVICE,
    RESOLVER,
];
