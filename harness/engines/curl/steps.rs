//! curl: where the tool connects for a URL, from 7.62.0 on, which has the parser of `urlapi.c`.
//!
//! Read from `parseurlandfillconn` and `Curl_setup_conn` in `lib/url.c` and from `lib/urldata.h` of curl 7.88.1 and 8.23.0. It calls libcurl's parser with
//! `CURLU_GUESS_SCHEME`, and gets the parts from it.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::until;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::libcurl;
use crate::redirect::{has_location, schemes};
use crate::socket::{GETADDRINFO, RESOLVER, unbracketed};

/// curl.
pub static TABLE: Table = Table {
    engine: "curl",
    first: "7.62.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, PERFORM), (Question::Follow, REDIRECT)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&libcurl::TABLE, version.to_owned())],
};

/// `curl --location`, for a redirect.
pub(crate) static REDIRECT: &[Step] = &[
    Step::new("http_header: Location", "do not follow an empty location", has_location),
    Step::new("Curl_follow: curl_url_set", "resolve the location on the URL of the request", |s| {
        s.mark(libcurl::NON_SUPPORT_SCHEME);
        s.mark(libcurl::URLENCODE);
        Call(libcurl::RESOLVE, Side::Reference)
    }),
    Step::new("CURLOPT_REDIR_PROTOCOLS", "reject a target that is not one of http, https, ftp or ftps", |s| {
        match matches!(schemes(s)[1].as_str(), "http" | "https" | "ftp" | "ftps") {
            true => Done,
            false => s.reject(Slot::Out(Part::Scheme), "its protocol is not one for redirects"),
        }
    }),
];

/// `curl URL`, up to the socket.
pub(crate) static PERFORM: &[Step] = &[
    Step::new("curl_url_set: CURLU_GUESS_SCHEME", "without a scheme, it is that of the first label of the host if this is a scheme, or http", |s| {
        let text = s.get(Slot::Ref(Part::Text)).to_owned();
        let text = text.as_str();
        // Without a scheme, what follows its colon must be a slash.
        if libcurl::absolute(s, text).is_none_or(|(_, rest)| !rest.starts_with('/')) {
            if text.starts_with(['/', '?', '#']) {
                return s.reject(Slot::Ref(Part::Text), "the host is missing");
            }
            if until(text, &['/', '?', '#']).0.ends_with(':') {
                return s.reject(Slot::Ref(Part::Text), "the scheme and the port are missing");
            }
            let label = text.split('.').next().unwrap_or_default().to_ascii_lowercase();
            let is_named = text.contains('.') && matches!(label.as_str(), "ftp" | "dict" | "ldap" | "imap" | "smtp" | "pop3");
            let scheme = if is_named { label.as_str() } else { "http" };
            let text = format!("{scheme}://{text}");
            s.set(Slot::Ref(Part::Text), text);
        }
        Go
    }),
    Step::new("parseurlandfillconn: curl_url_set", "parse the URL", |_| Call(libcurl::ACCESSORS, Side::Reference)),
    Step::new("curl_url_get: CURLU_URLDECODE", "reject a user and a password that contain %00; for ftp, other control characters, too", |s| {
        let is_ftp = s.get(Slot::Out(Part::Scheme)).starts_with("ftp");
        for slot in [Slot::Out(Part::User), Slot::Out(Part::Password)] {
            let text = s.get(slot);
            let is_control = |(at, _): (usize, &str)| {
                let byte = text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
                byte.is_some_and(|byte| byte == 0 || is_ftp && byte < b' ')
            };
            if text.match_indices('%').any(is_control) {
                return s.reject(slot, "it contains a control character");
            }
        }
        Go
    }),
    Step::new("findprotocol", "the scheme has a default port; reject one without a server", |s| {
        let scheme = s.get(Slot::Out(Part::Scheme));
        let is_web = matches!(scheme, "http" | "https");
        let is_built = match () {
            () if s.is_marked(ONLY_WEB) => is_web,
            () if s.is_marked(ONLY_HTTP) => is_web || matches!(scheme, "ws" | "wss" | "mqtt" | "mqtts"),
            () if s.is_marked(FEW_SCHEMES) => !["ldap", "rtmp", "smb"].iter().any(|it| scheme.starts_with(it)),
            () => true,
        };
        let Some(port) = default_port(scheme).filter(|_| is_built) else {
            return s.reject(Slot::Out(Part::Scheme), "nothing connects for this scheme");
        };
        if s.get(Slot::Out(Part::Port)).is_empty() {
            s.set(Slot::Out(Part::Port), port);
        }
        Go
    }),
    Step::new("parseurlandfillconn: CURLUPART_HOST", "connect to the host, without brackets", |s| {
        let slot = Slot::Out(Part::Host);
        let host = unbracketed(s.get(slot)).to_owned();
        if host != s.get(slot) {
            s.set(slot, host);
        }
        Go
    }),
    RESOLVER,
];

/// The mark of a build without LDAP, RTMP and SMB.
pub(crate) const FEW_SCHEMES: &str = "curl: no LDAP, RTMP and SMB";

/// The mark of a build that has HTTP, WebSocket and MQTT.
pub(crate) const ONLY_HTTP: &str = "curl: only HTTP";

/// The mark of `CURLOPT_PROTOCOLS` with HTTP only.
pub(crate) const ONLY_WEB: &str = "curl: only http and https";

/// Returns the default port of a scheme; `None` if it has no server.
fn default_port(scheme: &str) -> Option<&'static str> {
    Some(match scheme {
        "http" | "ws" => "80",
        "https" | "wss" => "443",
        "ftp" => "21",
        "ftps" => "990",
        "dict" => "2628",
        "gopher" | "gophers" => "70",
        "imap" => "143",
        "imaps" => "993",
        "ldap" => "389",
        "ldaps" => "636",
        "mqtt" => "1883",
        "mqtts" => "8883",
        "pop3" => "110",
        "pop3s" => "995",
        "rtmp" | "rtmpe" => "1935",
        "rtsp" => "554",
        "scp" | "sftp" => "22",
        "smb" | "smbs" => "445",
        "smtp" => "25",
        "smtps" => "465",
        "telnet" => "23",
        "tftp" => "69",
        _ => return None,
    })
}
