//! HTTParty: where `HTTParty.get(url)` connects.
//!
//! Read from `lib/httparty/request.rb` and `lib/httparty/connection_adapter.rb` of HTTParty 0.21.0. It parses with `URI` of Ruby 3.1, and connects
//! with `Net::HTTP`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::net_http::NIL_HOST;
use crate::ruby_uri;
use crate::socket::{GETADDRINFO, RESOLVER, accessors};

/// httparty.
pub static TABLE: Table = Table {
    engine: "httparty",
    first: "0.21.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&ruby_uri::TABLE, "0.11.0".to_owned())],
};

static GET: &[Step] = &[
    Step::new("Request#path=: URI.parse", "parse the URL", |_| Call(ruby_uri::ACCESSORS, Side::Reference)),
    Step::new("Request#uri: @last_uri", "reject a URL that has a host and no scheme", |s| {
        match s.present(Slot::Out(Part::Scheme)).is_none() && s.present(Slot::Out(Part::Host)).is_some() {
            true => s.reject(Slot::Out(Part::Scheme), "there is no URL before it"),
            false => Go,
        }
    }),
    Step::new("Request#uri: base_uri", "write a URL without a scheme, and parse it again", |s| {
        if s.present(Slot::Out(Part::Scheme)).is_some() {
            return Go;
        }
        let [user, port, path] = [Part::Userinfo, Part::Port, Part::Path].map(|part| s.present(Slot::Out(part)));
        let user = user.map(|user| format!("{user}@")).unwrap_or_default();
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        let path = path.filter(|path| !path.is_empty()).unwrap_or("/");
        let text = format!("{user}{port}{path}");
        let Some(run) = s.answer(&ruby_uri::TABLE, Question::Parse, ("", &text)).filter(|run| run.outcome.is_ok()) else {
            return s.reject(Slot::Ref(Part::Text), "it cannot be parsed again");
        };
        for part in [Part::Host, Part::Port] {
            s.set(Slot::Out(part), run.slots.text(Slot::Out(part)));
        }
        Go
    }),
    Step::new("SupportedURISchemes", "reject other schemes than http, https and webcal; there may be none", |s| {
        let slot = Slot::Out(Part::Scheme);
        match s.get(slot) {
            "http" | "https" => {}
            // What follows is as for http.
            "" | "webcal" => s.set(slot, "http"),
            _ => return s.reject(slot, "the scheme is not supported"),
        }
        Go
    }),
    Step::new("Request#request_uri", "reject a URL without a path: one with a scheme that neither a slash nor two slashes follow", |s| {
        match s.present(Slot::Out(Part::Path)).is_some() {
            true => Go,
            false => s.reject(Slot::Out(Part::Path), "the path is missing"),
        }
    }),
    NIL_HOST,
    accessors("ConnectionAdapter#connection: host, port"),
    RESOLVER,
];
