//! Perl's `HTTP::Tiny->new->get($url)`: where it connects.
//!
//! Read from `HTTP/Tiny.pm` 0.080 and 0.096, and from `IO/Socket/IP.pm` 0.41 and `Socket.xs` of Perl 5.36.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::socket::{GETADDRINFO, IO_SOCKET_IP, default_port, this_host};

/// http-tiny.
pub static TABLE: Table = Table {
    engine: "http-tiny",
    first: "0.080",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[IO_SOCKET_IP, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

const SERVER: Slot = Slot::Out(Part::Authority);

static GET: &[Step] = &[
    Step::new("_split_url", "what precedes :// is the scheme, and what precedes the next /, ? or # the authority", |s| {
        let text = s.get(Slot::Ref(Part::Text)).to_owned();
        let (scheme, rest) = until(&text, &[':', '/', '?', '#']);
        let Some(rest) = rest.strip_prefix("://").filter(|_| !scheme.is_empty()) else {
            return s.reject(Slot::Ref(Part::Text), "the scheme or the authority is missing");
        };
        s.set(Slot::Out(Part::Scheme), scheme.to_lowercase());
        s.set(SERVER, until(rest, &['/', '?', '#']).0);
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("_split_url: auth", "the part before the first @ is the user information", |s| {
        let (user, server) = cut(s.get(SERVER), "@");
        if let Some(server) = server {
            let (user, server) = (user.to_owned(), server.to_owned());
            s.set(Slot::Out(Part::Userinfo), user);
            s.set(SERVER, server);
        }
        Go
    }),
    Step::new("_split_url: port", "digits after the last colon are the port", |s| {
        let (host, port) = match s.get(SERVER).rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|it| it.is_ascii_digit()) => (host, port),
            _ => (s.get(SERVER), ""),
        };
        let (host, port) = (host.to_lowercase(), port.to_owned());
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
    Step::new("_request: scheme", "without a port, it is the default one of the scheme; reject other schemes than http and https", default_port),
    Step::new("_split_url: localhost", "a missing host is localhost", |s| this_host(s, "localhost")),
    Step::new("HTTP::Tiny::Handle: connect", "connect by `IO::Socket::IP`", |_| Call(IO_SOCKET_IP, Side::Reference)),
];
