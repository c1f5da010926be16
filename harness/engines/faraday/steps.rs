//! Faraday: where `Faraday.get(url)` connects.
//!
//! Read from `lib/faraday/connection.rb`, `lib/faraday/request.rb` and `lib/faraday/adapter/net_http.rb` of Faraday 1.1.0. It parses with `URI` of
//! Ruby 3.1, and connects with `Net::HTTP`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::until;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::net_http::{self, NIL_HOST, SOCKET_TCP, SOCKET_TCP_PORT};
use crate::ruby_uri;
use crate::socket::{GETADDRINFO, RESOLVER, accessors};

/// faraday.
pub static TABLE: Table = Table {
    engine: "faraday",
    first: "1.1.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&net_http::TABLE, "3.1.2".to_owned())],
};

static GET: &[Step] = &[
    Step::new("Connection#proxy_for_request: URI", "parse the URL", |_| Call(ruby_uri::ACCESSORS, Side::Reference)),
    Step::new("Connection#build_exclusive_url", "resolve a URL without a scheme, up to its ? or #, on http:/", |s| {
        if s.present(Slot::Out(Part::Scheme)).is_some() {
            return Go;
        }
        let text = until(s.reference, &['?', '#']).0;
        let Some(run) = s.answer(&ruby_uri::TABLE, Question::Resolve, ("http:/", text)).filter(|run| run.outcome.is_ok()) else {
            return s.reject(Slot::Ref(Part::Text), "it cannot be resolved");
        };
        let authority = run.slots.text(Slot::Out(Part::Authority)).filter(|authority| !authority.is_empty());
        let (_, host, port) = authority.map_or((None, "", None), ruby_uri::divided);
        let (host, port) = (Some(host.to_owned()).filter(|_| authority.is_some()), port.map(str::to_owned));
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
    Step::new("Generic#query=", "reject a URL in which no slash follows the scheme: it cannot have a query, not even an empty one", |s| {
        match s.present(Slot::Out(Part::Path)).is_some() {
            true => Go,
            false => s.reject(Slot::Out(Part::Path), "the path is missing"),
        }
    }),
    Step::new("NetHttp#net_http_connection", "connect for any scheme as for http, unless it is https", |s| {
        if s.get(Slot::Out(Part::Scheme)) != "https" {
            s.set(Slot::Out(Part::Scheme), "http");
        }
        Go
    }),
    NIL_HOST,
    accessors("NetHttp#net_http_connection: hostname, port"),
    SOCKET_TCP,
    SOCKET_TCP_PORT,
    RESOLVER,
];
