//! Ruby's `Net::HTTP.get_response(URI(url))`: where it connects.
//!
//! Read from `lib/net/http.rb` of Ruby 3.1.2 and 3.3.8, and from `ext/socket/raddrinfo.c`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, compare_versions};

use crate::ruby_uri;
use crate::socket::{GETADDRINFO, RESOLVER, accessors, this_host};

/// net-http.
pub static TABLE: Table = Table {
    engine: "net-http",
    first: "3.1.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| {
        let uri = if compare_versions(version, "3.3").is_lt() { "0.11.0" } else { "0.13.2" };
        vec![(&ruby_uri::TABLE, uri.to_owned())]
    },
};

static GET: &[Step] = &[
    Step::new("URI", "parse the URI", |_| Call(ruby_uri::ACCESSORS, Side::Reference)),
    Step::new("Net::HTTP.start", "connect for any scheme as for http, unless it is https", |s| {
        if s.get(Slot::Out(Part::Scheme)) != "https" {
            s.set(Slot::Out(Part::Scheme), "http");
        }
        Go
    }),
    NIL_HOST,
    accessors("Net::HTTP.start: hostname, port"),
    RESOLVER,
];

/// The host of a socket.
pub(crate) const NIL_HOST: Step =
    Step::new("TCPSocket.open: nil", "without a host, connect to this one; for an empty one, by IPv4", |s| {
        let is_absent = s.present(Slot::Out(Part::Host)).is_none();
        this_host(s, if is_absent { "[::1]" } else { "127.0.0.1" })
    });
