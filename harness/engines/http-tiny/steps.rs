//! Perl's `HTTP::Tiny->new->get($url)`: where it connects.
//!
//! Read from `HTTP/Tiny.pm` 0.080, 0.086 and 0.096, and from `IO/Socket/IP.pm` 0.41 and `Socket.xs` of Perl 5.36.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut, until};
use urlstrata_steps::{Change, Next::*, Question, Side, Step, Table, Witness, no_calls};

use crate::redirect::{latin_1, schemes};
use crate::socket::{GETADDRINFO, IO_SOCKET_IP, default_port, this_host};

/// http-tiny.
pub static TABLE: Table = Table {
    engine: "http-tiny",
    first: "0.080",
    changes: &[&TWO_SLASHES],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[IO_SOCKET_IP, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(latin_1),
    calls: no_calls,
};

static TWO_SLASHES: Change = Change {
    id: "0.096",
    // 0.086 does not have the change. The versions between were not read.
    versions: &["0.096"],
    date: "",
    issue: "",
    says: "a location that begins with two slashes has an authority, and a redirect from https to http is not followed",
    witness: Some(Witness {
        question: Question::Follow,
        base: "http://h/a",
        reference: "//b/c",
        before: Some("http://h//b/c"),
        after: Some("http://b/c"),
    }),
};

/// `_maybe_redirect`.
static REDIRECT: &[Step] = &[
    Step::new("_maybe_redirect: location", "do not follow a location that is empty or 0", |s| {
        match matches!(s.reference, "" | "0") {
            true => s.reject(Slot::Ref(Part::Text), "it is false"),
            false => Go,
        }
    }),
    Step::new("_maybe_redirect: ^//", "a location that begins with two slashes follows the scheme of the request", |s| {
        if !s.reference.starts_with("//") {
            return Go;
        }
        let url = format!("{}:{}", components(s.base)[0].unwrap_or_default(), s.reference);
        s.inherit_as("scheme");
        s.set(Slot::Result, url);
        To("_maybe_redirect: allow_downgrade")
    })
    .since(&TWO_SLASHES),
    Step::new("_maybe_redirect: ^/", "a location that begins with a slash follows the scheme, the host and the port of the request; another one is the target", |s| {
        if !s.reference.starts_with('/') {
            s.return_text(s.reference);
            return Go;
        }
        let [scheme, authority, ..] = components(s.base);
        let server = authority.map_or("", |authority| cut(authority, "@").1.unwrap_or(authority));
        let url = format!("{}://{server}{}", scheme.unwrap_or_default(), s.reference);
        s.inherit_as("authority");
        s.set(Slot::Result, url);
        Go
    }),
    Step::new("_maybe_redirect: allow_downgrade", "do not go from https to http", |s| match schemes(s) {
        [from, to] if from == "https" && to == "http" => s.reject(Slot::Out(Part::Scheme), "from https to http"),
        _ => Go,
    })
    .since(&TWO_SLASHES),
];

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
