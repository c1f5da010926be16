//! HTTParty: where `HTTParty.get(url)` connects.
//!
//! Read from `lib/httparty/request.rb` and `lib/httparty/connection_adapter.rb` of HTTParty 0.21.0. It parses with `URI` of Ruby 3.1, and connects
//! with `Net::HTTP`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, folder};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::net_http::{self, NIL_HOST, SOCKET_TCP, SOCKET_TCP_PORT};
use crate::redirect::c_trim;
use crate::ruby_uri;
use crate::socket::{GETADDRINFO, RESOLVER, accessors};

/// httparty.
pub static TABLE: Table = Table {
    engine: "httparty",
    first: "0.21.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(c_trim),
    calls: |_| vec![(&net_http::TABLE, "3.1.2".to_owned())],
};

/// `Request#uri`, for a redirect.
static REDIRECT: &[Step] = &[
    Step::new("Request#path=: URI.parse, the location", "parse the location", |_| Call(ruby_uri::ACCESSORS, Side::Reference)),
    Step::new("Request#uri: redirect", "a location with a scheme is the target; another one follows the scheme of the URL of the request, and without a host also its host and its port, unless this is 80; a path that does not begin with a slash follows the folder, and an empty one is a slash", |s| {
        if s.present(Slot::Ref(Part::Scheme)).is_some() {
            return s.return_text(s.reference);
        }
        let [scheme, authority, path, ..] = components(s.base).map(Option::unwrap_or_default);
        let own = s.present(Slot::Ref(Part::Path)).filter(|path| !path.is_empty()).unwrap_or("/");
        let own = if own.starts_with('/') {
            own.to_owned()
        } else {
            let base = if path.is_empty() { "/" } else { path };
            format!("{}{own}", folder(base))
        };
        let query = s.present(Slot::Ref(Part::Query)).map(|query| format!("?{query}")).unwrap_or_default();
        let server = authority.rsplit('@').next().unwrap_or_default();
        let server = server.strip_suffix(":80").unwrap_or(server);
        let authority = s.present(Slot::Ref(Part::Authority)).unwrap_or(server);
        let url = format!("{scheme}://{authority}{own}{query}");
        s.inherit_as("scheme");
        s.set(Slot::Result, url);
        Done
    }),
];

static GET: &[Step] = &[
    Step::new("Request#path=: URI.parse", "parse the URL", |_| Call(ruby_uri::ACCESSORS, Side::Reference)),
    Step::new("Generic#normalize: host", "write the host in lower case", |s| {
        let slot = Slot::Out(Part::Host);
        if let Some(host) = s.present(slot).map(str::to_lowercase).filter(|host| host != s.get(slot)) {
            s.set(slot, host);
        }
        Go
    }),
    Step::new("Request#uri: @last_uri", "reject a URL that has a host and no scheme", |s| {
        match s.present(Slot::Out(Part::Scheme)).is_none() && s.present(Slot::Out(Part::Host)).is_some() {
            true => s.reject(Slot::Out(Part::Scheme), "a URL before it is missing"),
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
    SOCKET_TCP,
    SOCKET_TCP_PORT,
    RESOLVER,
];
