//! ureq: where `get(url)` connects.
//!
//! Read from `src/util.rs`, `src/proxy.rs` and `src/unversioned/resolver.rs` of ureq 3.5.2, from `src/client/amended.rs` and `redirect.rs` of ureq-proto 0.7.1, and from `std::net::ToSocketAddrs`. It parses with the
//! crate http.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, folder};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::http_uri;
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, default_port, unbracketed};

/// ureq.
pub static TABLE: Table = Table {
    engine: "ureq",
    first: "3.5.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, CALL), (Question::Follow, REDIRECT)],
    called: &[http_uri::PARSE, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `Call<Redirect>::as_new_call`.
static REDIRECT: &[Step] = &[
    Step::new("as_new_call: HeaderValue::to_str", "reject a location with a control character, or with a character outside ASCII", |s| {
        match s.reference.chars().all(|it| matches!(it, ' '..='~' | '\t')) {
            true => Go,
            false => s.reject(Slot::Ref(Part::Text), "it is not a text"),
        }
    }),
    Step::new("join: has_scheme", "a location that is a URI with a scheme is the target", |s| {
        let run = s.answer(&TABLE, Question::Connect, ("", s.reference));
        let rejected = run.and_then(|run| run.outcome.err()).map_or("", |rejected| rejected.step);
        let is_uri = http_uri::PARSE.iter().all(|step| step.label != rejected);
        match is_uri && s.reference.contains("://") {
            true => s.return_text(s.reference),
            false => Go,
        }
    }),
    Step::new("join: //", "one that begins with two slashes follows the scheme of the URI of the request", |s| {
        if !s.reference.starts_with("//") {
            return Go;
        }
        let url = format!("{}:{}", components(s.base)[0].unwrap_or_default(), s.reference);
        s.inherit_as("scheme");
        s.set(Slot::Result, url);
        Done
    }),
    Step::new("join_relative", "one that does not begin with a slash follows the folder of the path, without its . segments, and without .. segments and those before them; reject one that leads above the root, or of which nothing is left", |s| {
        let [_, _, path, ..] = components(s.base).map(Option::unwrap_or_default);
        if s.reference.starts_with('/') {
            s.set(Slot::NoDots, s.reference);
            return Go;
        }
        let mut segments: Vec<&str> = folder(path).strip_suffix('/').unwrap_or_default().split('/').collect();
        for segment in s.reference.split('/') {
            match segment {
                "." => {}
                ".." if segments.len() == 1 => return s.reject(Slot::Ref(Part::Path), "it leads above the root"),
                ".." => drop(segments.pop()),
                _ => segments.push(segment),
            }
        }
        let path = segments.join("/");
        s.inherit_as("folder");
        s.set(Slot::NoDots, path);
        match s.get(Slot::NoDots).is_empty() {
            true => s.reject(Slot::NoDots, "nothing is left"),
            false => Go,
        }
    }),
    Step::new("join: PathAndQuery", "the path and the query follow the authority of the URI of the request", |s| {
        let [scheme, authority, ..] = components(s.base).map(Option::unwrap_or_default);
        let url = format!("{scheme}://{authority}{}", s.get(Slot::NoDots));
        s.inherit_as("authority");
        s.set(Slot::Result, url);
        Done
    }),
];

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
