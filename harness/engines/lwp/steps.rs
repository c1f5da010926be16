//! Perl's `LWP::UserAgent->new->get($url)`: where it connects.
//!
//! Read from `LWP/UserAgent.pm`, `LWP/Protocol.pm`, `LWP/Protocol/http.pm`, `ftp.pm` and `gopher.pm` of libwww-perl 6.68 and 6.83, from
//! `Net/HTTP/Methods.pm` 6.22 and from `Net/FTP.pm`. It parses with the distribution URI: 5.17 and 5.40 in Debian's bookworm and sid.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, compare_versions};

use crate::perl_uri;
use crate::redirect::latin_1;
use crate::socket::{GETADDRINFO, IO_SOCKET_IP};

/// lwp.
pub static TABLE: Table = Table {
    engine: "lwp",
    first: "6.68",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[IO_SOCKET_IP, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(latin_1),
    calls: |version| {
        let uri = if compare_versions(version, "6.83").is_lt() { "5.17" } else { "5.40" };
        vec![(&perl_uri::TABLE, uri.to_owned())]
    },
};

/// `LWP::UserAgent::request`, for a redirect.
static REDIRECT: &[Step] = &[
    Step::new("request: HTTP::URI_CLASS->new->abs", "resolve the location on the URL of the request; it may repeat the scheme", |_| Call(perl_uri::NEW_ABS_RELATIVE_SCHEME, Side::Reference)),
];

const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

static GET: &[Step] = &[
    Step::new("HTTP::Request: URI", "read the URL", |_| Call(perl_uri::STATE, Side::Reference)),
    Step::new("LWP::Protocol: create", "reject other schemes than http, https, ftp and gopher", |s| {
        let slot = Slot::Out(Part::Scheme);
        match s.get(slot) {
            "http" | "https" | "gopher" => Go,
            "ftp" => To("Net::FTP: new"),
            _ => s.reject(slot, "nothing connects for this scheme"),
        }
    }),
    Step::new("LWP::Protocol::http: _new_socket", "a host with a colon is written in brackets, unless it begins with one", |s| {
        if s.get(HOST).contains(':') && !s.get(HOST).starts_with('[') {
            let host = format!("[{}]", s.get(HOST));
            s.set(HOST, host);
        }
        Go
    }),
    Step::new("Net::HTTP: http_configure", "read the host again as that of a URL, whose port is preferred; reject an empty one", |s| {
        let default = if s.get(Slot::Out(Part::Scheme)) == "https" { "443" } else { "80" };
        let url = format!("http://{}", s.get(HOST));
        let run = s.answer(&perl_uri::TABLE, Question::Parse, ("", &url)).filter(|run| run.outcome.is_ok());
        let Some(run) = run.filter(|_| !s.get(HOST).is_empty()) else { return s.reject(HOST, "the host is missing") };
        let host = run.slots.text(HOST).unwrap_or_default();
        let port = run.slots.text(Slot::Out(Part::Authority)).unwrap_or_default().rsplit_once(':').map(|(_, port)| port);
        let is_port = |port: &&str| port.bytes().all(|it| it.is_ascii_digit()) && !matches!(*port, "" | "0");
        let port = port.filter(is_port).unwrap_or(Some(s.get(PORT)).filter(is_port).unwrap_or(default)).to_owned();
        s.set(HOST, host);
        s.set(PORT, port);
        To("IO::Socket::IP")
    }),
    Step::new("Net::FTP: new", "for ftp, the port 0 is 21; reject a missing host", |s| {
        if s.get(PORT) == "0" {
            s.set(PORT, "21");
        }
        match s.present(HOST) {
            Some(_) => Go,
            None => s.reject_after_asking(HOST, "the host is missing"),
        }
    }),
    Step::new("IO::Socket::IP", "connect by `IO::Socket::IP`", |_| Call(IO_SOCKET_IP, Side::Reference)),
];
