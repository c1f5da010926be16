//! needle: where `needle('get', url)` connects.
//!
//! Read from `lib/needle.js` and `lib/utils.js` of needle 3.5.0, and from `lib/_http_client.js` and `lib/net.js` of Node 20.20.2. It parses with Node's legacy `url`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::redirect::{has_location, has_no_controls, is_web, latin_1};
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, default_port, this_host};
use crate::{ada, node_url, node_url_resolve};

/// needle.
pub static TABLE: Table = Table {
    engine: "needle",
    first: "3.5.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[GETADDRINFO],
    standard: Some(ada::standard),
    has_dated_names: false,
    field: Some(latin_1),
    calls: |_| vec![(&node_url_resolve::TABLE, "20.20.2".to_owned()), (&node_url::TABLE, "20.20.2".to_owned())],
};

/// `Needle.send_request`, for a redirect.
static REDIRECT: &[Step] = &[
    Step::new("should_follow: location", "do not follow an empty location", has_location),
    Step::new("llhttp: header value", "reject a response with a control character in a field", has_no_controls),
    Step::new("host_and_ports_match: url.parse", "reject a location that `url.parse` rejects; if it contains http nowhere, http:// is written before it", |s| {
        let text = if s.reference.contains("http") { s.reference.to_owned() } else { format!("http://{}", s.reference) };
        let run = s.answer(&node_url_resolve::TABLE, Question::Parse, ("", &text));
        match run.is_some_and(|run| run.outcome.is_ok()) {
            true => Go,
            false => s.reject(Slot::Ref(Part::Text), "url.parse rejects it"),
        }
    }),
    Step::new("resolve_url: new url.URL", "resolve the location on the URL of the request", |_| Call(ada::PARSE, Side::Reference)),
    Step::new("ClientRequest: protocol, of the target", "reject a target that is not one of http or https", is_web),
];

static GET: &[Step] = &[
    Step::new("Needle.start: http", "write http:// before a URL that contains http nowhere, instead of two slashes", |s| {
        if !s.reference.contains("http") {
            let rest = s.reference.strip_prefix("//").unwrap_or(s.reference);
            s.set(Slot::Ref(Part::Text), format!("http://{rest}"));
        }
        Go
    }),
    Step::new("Needle.get_request_opts: url.parse", "parse the URL", |_| Call(node_url_resolve::STATE, Side::Reference)),
    Step::new("ClientRequest: protocol", "without a scheme, it is http", |s| {
        let slot = Slot::Out(Part::Scheme);
        if s.get(slot).is_empty() {
            s.set(slot, "http");
        }
        Go
    }),
    Step::new("ClientRequest: INVALID_PATH_REGEX", "reject a path and a query with a character that is neither ASCII without spaces nor Latin-1", |s| {
        let is_invalid = |it: char| !matches!(it, '!'..='\u{ff}');
        let slot = [Slot::Out(Part::Path), Slot::Out(Part::Query)].into_iter().find(|slot| s.get(*slot).contains(is_invalid));
        slot.map_or(Go, |slot| s.reject(slot, "a character that must be escaped"))
    }),
    Step::new("ClientRequest: host", "a missing host is localhost", |s| this_host(s, "localhost")),
    Step::new("Needle.get_request_opts: port", "without a port, it is the default one of the scheme; reject other schemes than http and https", default_port),
    Step::new("net.connect: validatePort", "reject a port above 65535", |s| {
        let slot = Slot::Out(Part::Port);
        match s.get(slot).parse::<u16>() {
            Ok(_) => Go,
            Err(_) => s.reject(slot, "not a port"),
        }
    }),
    NO_SERVICE,
    RESOLVER,
];
