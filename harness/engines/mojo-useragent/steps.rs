//! Mojolicious: where `Mojo::UserAgent->new->get($url)` connects.
//!
//! Read from `Mojo/UserAgent.pm`, `Mojo/UserAgent/Transactor.pm`, `Mojo/URL.pm`, `Mojo/IOLoop/Client.pm` and `Mojo/Util.pm` of Mojolicious 9.31.

use idna::punycode;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::perl_uri::unescaped;
use crate::redirect::{c_trim, latin_1};
use crate::socket::{GETADDRINFO, IO_SOCKET_IP, default_port};
use crate::{mojo_url, urllib};

/// mojo-useragent.
pub static TABLE: Table = Table {
    engine: "mojo-useragent",
    first: "9.31",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[IO_SOCKET_IP, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(|changes, field| latin_1(changes, &c_trim(changes, field))),
    calls: no_calls,
};

/// `Mojo::UserAgent::Transactor::redirect`.
static REDIRECT: &[Step] = &[
    Step::new("redirect: Location", "do not follow a location that is empty or 0", |s| {
        match matches!(s.reference, "" | "0") {
            true => s.reject(Slot::Ref(Part::Text), "it is false"),
            false => Go,
        }
    }),
    Step::new("redirect: to_abs", "resolve the location on the URL of the request", |_| Call(mojo_url::TO_ABS, Side::Reference)),
    Step::new("redirect: protocol, host", "do not follow a target that is not one of http or https, or whose host is empty or 0", |s| {
        let scheme = s.get(Slot::Out(Part::Scheme)).to_lowercase();
        match matches!(scheme.as_str(), "http" | "https") && !matches!(s.get(HOST), "" | "0") {
            true => Go,
            false => s.reject(SCHEME, "its scheme or its host is not one for redirects"),
        }
    }),
    Step::new("Mojo::URL: to_string", "write the URL", |_| Call(mojo_url::STRING, Side::Reference)),
];

const TEXT: Slot = Slot::Ref(Part::Text);
const SCHEME: Slot = Slot::Out(Part::Scheme);
const SERVER: Slot = Slot::Out(Part::Authority);
const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

static GET: &[Step] = &[
    Step::new("Mojo::UserAgent::Transactor: tx", "write http:// before a text that neither begins with a slash nor contains ://", |s| {
        if !s.get(TEXT).starts_with('/') && !s.get(TEXT).contains("://") {
            let text = format!("http://{}", s.get(TEXT));
            s.set(TEXT, text);
        }
        Go
    }),
    Step::new("Mojo::URL: parse", "cut the scheme before the first colon, and after two slashes the authority up to /, ? or #", |s| {
        let text = s.get(TEXT).to_owned();
        let (scheme, rest) = until(&text, &[':', '/', '?', '#']);
        let (scheme, rest) = match rest.strip_prefix(':').filter(|_| !scheme.is_empty()) {
            Some(rest) => (Some(scheme), rest),
            None => (None, text.as_str()),
        };
        let authority = rest.strip_prefix("//").map(|rest| until(rest, &['/', '?', '#']).0);
        s.set(SCHEME, scheme.map(str::to_lowercase));
        s.set(SERVER, authority);
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("Mojo::UserAgent: _start", "without a scheme, the URL is one of a server of its own", |s| match s.present(SCHEME) {
        Some(_) => Go,
        None => s.reject(SCHEME, "it is missing"),
    }),
    Step::new("Mojo::URL: userinfo", "what precedes the first @ is the user information, unless it is empty", |s| {
        let (user, server) = cut(s.get(SERVER), "@");
        if let Some(server) = server.filter(|_| !user.is_empty()) {
            let (user, server) = (user.to_owned(), server.to_owned());
            s.set(Slot::Out(Part::Userinfo), user);
            s.set(SERVER, server);
        }
        Go
    }),
    Step::new("Mojo::URL: host_port", "digits after the last colon are the port", |s| {
        let found = s.get(SERVER).rsplit_once(':');
        let found = found.filter(|(_, port)| !port.is_empty() && port.chars().all(|it| urllib::digit(it).is_some()));
        let (host, port) = found.map_or((s.get(SERVER), None), |(host, port)| (host, Some(port.to_owned())));
        let host = host.to_owned();
        s.set(HOST, host);
        s.set(PORT, port);
        Go
    }),
    Step::new("Mojo::URL: url_unescape", "decode the host: each escape is a character", |s| {
        let host = unescaped(s.get(HOST));
        s.set(HOST, host);
        Go
    }),
    Step::new("Mojo::URL: ihost", "write the labels outside ASCII in Punycode, without any mapping", |s| {
        if s.get(HOST).is_ascii() {
            return Go;
        }
        let encode = |label: &str| match label.is_ascii() {
            true => Some(label.to_owned()),
            false => Some(format!("xn--{}", punycode::encode_str(label)?)),
        };
        match s.get(HOST).split('.').map(encode).collect::<Option<Vec<String>>>() {
            Some(labels) => s.set(HOST, labels.join(".")),
            None => return s.reject(HOST, "it has no form in Punycode"),
        }
        Go
    }),
    Step::new("Mojo::IOLoop::Client: _port", "the port 0 is none", |s| {
        if s.get(PORT) == "0" {
            s.set(PORT, None::<&str>);
        }
        Go
    }),
    Step::new("Mojo::UserAgent: _connection", "without a port, it is 443 for https and 80 for http; reject other schemes", default_port),
    Step::new("Mojo::IOLoop::Client: connect", "brackets are removed from the host; an empty one, and 0, are 127.0.0.1", |s| {
        let host = s.get(HOST).replace(['[', ']'], "");
        s.set(HOST, if matches!(host.as_str(), "" | "0") { "127.0.0.1" } else { &host });
        Go
    }),
    Step::new("Mojo::IOLoop::Client: _connect", "connect by `IO::Socket::IP`", |_| Call(IO_SOCKET_IP, Side::Reference)),
];
