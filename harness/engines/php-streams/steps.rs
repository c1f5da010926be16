//! PHP's streams: where `file_get_contents($url)` connects.
//!
//! Read from `main/streams/streams.c`, `main/streams/xp_socket.c`, `main/network.c`, `ext/standard/http_fopen_wrapper.c` and `ftp_fopen_wrapper.c` of
//! older copies of PHP; what PHP 8 does otherwise follows its recordings. It divides the URL as `parse_url` does.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::folder;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::php_parse_url;
use crate::urllib::unquoted;
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER};

/// php-streams.
pub static TABLE: Table = Table {
    engine: "php-streams",
    first: "8.2.32",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, OPEN), (Question::Follow, REDIRECT)],
    called: &[STREAM, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&php_parse_url::TABLE, version.to_owned())],
};

/// `php_stream_url_wrap_http_ex`, for a redirect.
pub(crate) static REDIRECT: &[Step] = &[
    Step::new("php_stream_url_wrap_http_ex: new_path", "a location that begins with http://, https://, ftp:// or ftps:// is the target; another one follows the scheme, the host and the port of the URL of the request, and its folder unless a slash begins it", |s| {
        let is_url = |text: &str| ["http://", "https://", "ftp://", "ftps://"].iter().any(|scheme| {
            text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        });
        let location = s.reference.split('\0').next().unwrap_or_default();
        if location.len() >= 8 && is_url(location) {
            s.set(Slot::Result, location);
            return Go;
        }
        let run = s.answer(&php_parse_url::TABLE, Question::Parse, ("", s.base));
        let part = |part: Part| run.as_ref().and_then(|run| run.slots.text(Slot::Out(part))).unwrap_or_default();
        let [scheme, host, port, path] = [Part::Scheme, Part::Host, Part::Port, Part::Path].map(part);
        let port = match (scheme.to_ascii_lowercase().as_str(), port) {
            (_, "" | "0") | ("http", "80") | ("https", "443") => String::new(),
            (_, port) => format!(":{port}"),
        };
        let own = if location.starts_with('/') {
            location.to_owned()
        } else if location.len() > 1 && !path.is_empty() {
            let folder = folder(path);
            format!("{folder}{}{location}", if folder.len() > 1 { "/" } else { "" })
        } else {
            format!("/{location}")
        };
        let url = format!("{scheme}://{host}{port}{own}");
        s.inherit_as("authority");
        s.set(Slot::Result, url);
        Go
    }),
    Step::new("php_stream_url_wrap_http_ex: CHECK_FOR_CNTRL_CHARS", "reject a target whose user, password or path has a control character after its escapes are decoded", |s| {
        let run = s.answer(&php_parse_url::TABLE, Question::Parse, ("", s.get(Slot::Result))).filter(|run| run.outcome.is_ok());
        let Some(run) = run else { return s.reject(Slot::Result, "parse_url rejects it") };
        let has_control = |part: Part| {
            let text = run.slots.text(Slot::Out(part)).unwrap_or_default();
            unquoted(text).contains(|it: char| it.is_ascii_control())
        };
        match [Part::User, Part::Password, Part::Path].into_iter().any(has_control) {
            true => s.reject(Slot::Result, "it contains a control character"),
            false => Go,
        }
    }),
];

const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

static OPEN: &[Step] = &[
    Step::new("php_stream_open_wrapper_ex", "open the URL as a stream", |_| Call(STREAM, Side::Reference)),
];

/// `php_stream_open_wrapper_ex`, for the text of the reference.
pub(crate) static STREAM: &[Step] = &[
    Step::new("zend_parse_arg_path", "reject a URL with a NUL", |s| {
        let slot = Slot::Ref(Part::Text);
        match s.get(slot).contains('\0') {
            true => s.reject(slot, "it contains a NUL"),
            false => Go,
        }
    }),
    Step::new("php_stream_locate_url_wrapper", "what precedes :// is the protocol; reject other ones than http, https, ftp and ftps, in any case", |s| {
        let slot = Slot::Ref(Part::Text);
        let protocol = s.get(slot).split_once("://").map_or("", |(protocol, _)| protocol).to_ascii_lowercase();
        match matches!(protocol.as_str(), "http" | "https" | "ftp" | "ftps") {
            true => Go,
            false => s.reject(slot, "nothing connects for this protocol"),
        }
    }),
    Step::new("php_url_parse", "divide the URL", |_| Call(php_parse_url::PARSE_URL, Side::Reference)),
    Step::new("php_stream_url_wrap_http_ex, php_ftp_fopen_connect", "without a port, or for the port 0, it is that of the protocol: 80, 443 or 21", |s| {
        if matches!(s.get(PORT), "" | "0") {
            let port = match s.get(Slot::Out(Part::Scheme)).to_ascii_lowercase().as_str() {
                "http" => "80",
                "https" => "443",
                _ => "21",
            };
            s.set(PORT, port);
        }
        Go
    }),
    Step::new("php_ftp_fopen_connect: path", "reject a URL of ftp without a path", |s| {
        let is_ftp = s.get(Slot::Out(Part::Scheme)).to_ascii_lowercase().starts_with("ftp");
        match is_ftp && s.present(Slot::Out(Part::Path)).is_none() {
            true => s.reject(Slot::Out(Part::Path), "the path is missing"),
            false => Go,
        }
    }),
    Step::new("parse_ip_address_ex", "the host of a socket is what the first brackets contain, or ends at the first colon, after which its port is; reject brackets after which something else follows", |s| {
        let text = format!("{}:{}", s.get(HOST), s.get(PORT));
        let divided = match text.strip_prefix('[') {
            Some(rest) => rest.split_once("]").and_then(|(host, after)| Some((host, after.strip_prefix(':')?))),
            None => text.split_once(':'),
        };
        let Some((host, port)) = divided else { return s.reject(HOST, "its brackets are wrong") };
        let port: String = port.chars().take_while(char::is_ascii_digit).collect();
        let (host, port) = (host.to_owned(), if port.is_empty() { "0".to_owned() } else { port });
        if host != s.get(HOST) || port != s.get(PORT) {
            s.set(HOST, host);
            s.set(PORT, port);
        }
        Go
    }),
    NO_SERVICE,
    RESOLVER,
];
