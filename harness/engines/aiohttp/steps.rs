//! aiohttp: where `ClientSession.get(url)` connects.
//!
//! Read from `client.py`, `client_reqrep.py`, `connector.py` and `helpers.py` of aiohttp 3.13.2 and 3.14.5. It reads the URL with yarl.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut, until};
use urlstrata_steps::{Change, Next::*, Question, Run, Side, State, Step, Table, Witness, compare_versions};

use crate::redirect::{has_location, schemes};
use crate::socket::{C_STRING, DIGITS_AND_DOTS, GETADDRINFO, PYTHON_LABELS, RESOLVER, WEB_SOCKETS, accessors};
use crate::{urllib, yarl};

/// aiohttp.
pub static TABLE: Table = Table {
    engine: "aiohttp",
    first: "3.13.2",
    changes: &[&CANONICAL, &SAME_SCHEME],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
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

static SAME_SCHEME: Change = Change {
    id: "#13855",
    versions: &["3.14.5"],
    date: "2026-10-10",
    issue: "https://github.com/aio-libs/aiohttp/issues/13855",
    says: "a location with the scheme of the URL that was requested and without two slashes is relative",
    witness: Some(Witness {
        question: Question::Follow,
        base: "http://h/a",
        reference: "http:b",
        before: None,
        after: Some("http://h/b"),
    }),
};

/// `ClientSession._request`, for a redirect.
static REDIRECT: &[Step] = &[
    Step::new("_request: hdrs.LOCATION", "do not follow an empty location", has_location),
    Step::new("_request: HTTP_AND_EMPTY_SCHEMA_SET", "reject a location with another scheme than http or https; it may have none", |s| {
        match matches!(location(s)[0].as_str(), "" | "http" | "https") {
            true => Go,
            false => s.reject(Slot::Ref(Part::Scheme), "its scheme is not one for redirects"),
        }
    }),
    Step::new("URL.origin: absolute", "reject a location with a scheme and without an authority", |s| {
        let [scheme, authority] = location(s);
        match scheme.is_empty() || !authority.is_empty() {
            true => Go,
            false => s.reject(Slot::Ref(Part::Authority), "the authority is missing"),
        }
    })
    .until(&SAME_SCHEME),
    Step::new("_has_no_authority", "reject a location with a scheme and without an authority, unless the scheme is that of the URL of the request, and no two slashes or backslashes follow it", |s| {
        let [scheme, authority] = location(s);
        let text = s.reference.trim_matches(|it: char| it <= ' ').replace(['\t', '\n', '\r'], "");
        let rest = text.get(scheme.len() + 1..).unwrap_or_default();
        let is_relative = scheme == schemes(s)[0] && rest.chars().take_while(|it| matches!(it, '/' | '\\')).count() < 2;
        match scheme.is_empty() || !authority.is_empty() || is_relative {
            true => Go,
            false => s.reject(Slot::Ref(Part::Authority), "the authority is missing"),
        }
    })
    .since(&SAME_SCHEME),
    Step::new("_request: URL.join", "resolve the location on the URL of the request", |_| Call(yarl::STEPS, Side::Reference)),
];

/// Returns the scheme and the authority of the location as yarl reads it.
fn location(s: &State<'_>) -> [String; 2] {
    let run = s.answer(&yarl::TABLE, Question::Resolve, ("", s.reference));
    let [scheme, authority, ..] = components(run.as_ref().and_then(Run::url).unwrap_or_default());
    [scheme, authority].map(|part| part.unwrap_or_default().to_owned())
}

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
    PYTHON_LABELS,
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
