//! aiohttp: where `ClientSession.get(url)` connects.
//!
//! Read from `client.py`, `client_reqrep.py`, `connector.py` and `helpers.py` of aiohttp 3.13.2 and 3.14.5. It reads the URL with yarl.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Change, Next::*, Question, Side, State, Step, Table, Witness, compare_versions};

use crate::socket::{C_STRING, DIGITS_AND_DOTS, GETADDRINFO, RESOLVER, WEB_SOCKETS, accessors};
use crate::{urllib, yarl};

/// aiohttp.
pub static TABLE: Table = Table {
    engine: "aiohttp",
    first: "3.13.2",
    changes: &[&CANONICAL],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| {
        let yarl = if compare_versions(version, "3.14").is_lt() { "1.22.0" } else { "1.25.1" };
        vec![(&yarl::TABLE, yarl.to_owned())]
    },
};

static CANONICAL: Change = Change {
    id: "#12827",
    versions: &["3.14.1"],
    date: "2026-06-07",
    issue: "https://github.com/aio-libs/aiohttp/issues/12827",
    says: "a host of digits and dots must be an IPv4 address of four decimal numbers",
    witness: Some(Witness {
        question: Question::Connect,
        base: "",
        reference: "http://127.1/",
        before: Some("scheme=http host=127.0.0.1 port=80"),
        after: None,
    }),
};

static GET: &[Step] = &[
    Step::new("ClientSession._build_url: URL", "read the URL", |_| Call(yarl::ENCODE, Side::Reference)),
    Step::new("allowed_protocol_schema_set", "reject other schemes than http, https, ws, wss and tcp; there may be none", |s| {
        let slot = Slot::Ref(Part::Scheme);
        match matches!(s.get(slot), "" | "http" | "https" | "ws" | "wss" | "tcp") {
            true => Go,
            false => s.reject(slot, "the scheme is none of HTTP"),
        }
    }),
    Step::new("URL.raw_host, URL.port", "the host and the port are those of the authority; if the host has a [, its first and its last character are removed", |s| {
        let (host, port) = divided(s);
        let is_bracketed = host.contains('[');
        let mut inner = host.chars();
        if is_bracketed {
            inner.next();
            inner.next_back();
        }
        s.set(Slot::Out(Part::Host), inner.as_str());
        s.set(Slot::Out(Part::Port), port);
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        Go
    }),
    Step::new("strip_auth_from_url: BasicAuth", "reject a user with a colon, and a user or a password with a character outside Latin-1", |s| {
        let slot = Slot::Ref(Part::Authority);
        let user = s.get(slot).rsplit_once('@').map_or("", |(user, _)| user);
        let (user, password) = cut(user, ":");
        let (user, password) = (urllib::unquoted(user), urllib::unquoted(password.unwrap_or_default()));
        match user.contains(':') || user.chars().chain(password.chars()).any(|it| it > '\u{ff}') {
            true => s.reject(slot, "the user information cannot be sent"),
            false => Go,
        }
    }),
    Step::new("TCPConnector._create_direct_connection: port", "without a scheme, and with tcp, reject a URL that has no port", |s| {
        s.mark(WEB_SOCKETS);
        if !matches!(s.get(Slot::Out(Part::Scheme)), "" | "tcp") {
            return Go;
        }
        if s.get(Slot::Out(Part::Port)).is_empty() {
            return s.reject(Slot::Out(Part::Port), "the port is missing");
        }
        // What follows is as for http.
        s.set(Slot::Out(Part::Scheme), "http");
        Go
    }),
    accessors("TCPConnector: raw_host, port"),
    Step::new("TCPConnector._create_direct_connection: ..", "of several dots at the end of the host, one remains", |s| {
        let slot = Slot::Out(Part::Host);
        if s.get(slot).ends_with("..") {
            let host = format!("{}.", s.get(slot).trim_end_matches('.'));
            s.set(slot, host);
        }
        Go
    }),
    Step::new("TCPConnector._resolve_host: is_canonical_ipv4_address", "reject a host of digits and dots that is not four decimal numbers without leading zeros", |s| {
        let slot = Slot::Out(Part::Host);
        let digits = s.get(slot).replace('.', "");
        let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        match is_number && s.get(slot).parse::<std::net::Ipv4Addr>().is_err() {
            true => s.reject(slot, "it is not an address in its usual form"),
            false => Go,
        }
    })
    .since(&CANONICAL),
    DIGITS_AND_DOTS.until(&CANONICAL),
    C_STRING,
    RESOLVER,
];

/// Divides the authority as it was normalized into host and port. Brackets that were removed are read in the text.
fn divided(s: &State<'_>) -> (String, Option<String>) {
    let server = |text: &str| text.rsplit_once('@').map_or(text, |(_, server)| server).to_owned();
    let text = cut(s.get(Slot::Ref(Part::Text)), "//").1.unwrap_or_default();
    let given = server(until(text, &['/', '?', '#']).0);
    let has_port = given.rsplit_once(']').is_none_or(|(_, after)| after.len() > 1);
    let server = server(s.get(Slot::Ref(Part::Authority)));
    match server.rsplit_once(':').filter(|(_, port)| has_port && port.bytes().all(|it| it.is_ascii_digit())) {
        Some((host, port)) => (host.to_owned(), Some(port.to_owned())),
        None => (server, None),
    }
}
