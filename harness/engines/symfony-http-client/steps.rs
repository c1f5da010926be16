//! Symfony HttpClient: where `HttpClient::create()->request('GET', $url)` connects with the curl extension.
//!
//! Read from `HttpClientTrait.php`, `CurlHttpClient.php` and `Response/CurlResponse.php` of Symfony 5.4. It divides the URL with `parse_url`. In Debian's bookworm, PHP is 8.2, and
//! libcurl is 7.88.1. The extension intl is not loaded.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{encoded, is_escape};
use urlstrata_steps::{Change, Next::*, Question, Side, Step, Table};

use crate::redirect::{c_trim, is_web};
use crate::socket::GETADDRINFO;
use crate::{curl, php_parse_url};

/// symfony-http-client.
pub static TABLE: Table = Table {
    engine: "symfony-http-client",
    first: "5.4.53",
    changes: &[&LATER],
    dated: &[],
    questions: &[(Question::Connect, REQUEST), (Question::Follow, REDIRECT)],
    called: &[PREPARE, curl::PERFORM, curl::REDIRECT, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(c_trim),
    calls: |_| vec![(&php_parse_url::TABLE, "8.2.32".to_owned()), (&curl::TABLE, "7.88.1".to_owned())],
};

/// The end of what is described: version 7.4 rejects more URLs.
pub(crate) static LATER: Change = Change {
    id: "6.0.0",
    versions: &["6.0.0"],
    date: "2021-11-29",
    issue: "",
    says: "what later versions reject is not described",
    witness: None,
};

/// `CurlResponse::parseHeaderLine`, for a redirect.
static REDIRECT: &[Step] = &[
    PARSE_LOCATION.until(&LATER),
    HAS_HOST,
    Step::new("CurlHttpClient: CURLOPT_FOLLOWLOCATION", "follow the redirect as libcurl does", |_| Call(curl::REDIRECT, Side::Reference)),
    Step::new("CurlHttpClient: CURLOPT_REDIR_PROTOCOLS", "reject a target that is not one of http or https", is_web),
];

/// Reads a location.
pub(crate) const PARSE_LOCATION: Step = Step::new(
    "createRedirectResolver: parseUrl",
    "do not follow a location that `parse_url` rejects, that has another scheme than http or https, or a host outside ASCII",
    |s| {
        let run = s.answer(&php_parse_url::TABLE, Question::Parse, ("", s.reference)).filter(|run| run.outcome.is_ok());
        let Some(run) = run else { return s.reject(Slot::Ref(Part::Text), "parse_url rejects it") };
        let part = |part: Part| run.slots.text(Slot::Out(part)).unwrap_or_default();
        if !matches!(part(Part::Scheme).to_ascii_lowercase().as_str(), "" | "http" | "https") {
            return s.reject(Slot::Ref(Part::Scheme), "its scheme is not one for redirects");
        }
        match part(Part::Host).is_ascii() {
            true => Go,
            false => s.reject(Slot::Ref(Part::Authority), "the host is not in ASCII"),
        }
    },
);

/// Rejects a location that cannot be resolved.
pub(crate) const HAS_HOST: Step = Step::new(
    "createRedirectResolver: resolveUrl, host is missing",
    "do not follow a location with a scheme and without a host",
    |s| {
        let run = s.answer(&php_parse_url::TABLE, Question::Parse, ("", s.reference));
        let has = |part: Part| run.as_ref().is_some_and(|run| run.slots.text(Slot::Out(part)).is_some());
        match has(Part::Host) || !has(Part::Scheme) {
            true => Go,
            false => s.reject(Slot::Ref(Part::Authority), "the host is missing"),
        }
    },
);

static REQUEST: &[Step] = &[
    Step::new("prepareRequest: the curl client", "write the URL that is requested", |_| Call(PREPARE, Side::Reference)).until(&LATER),
    Step::new("CurlHttpClient: CURLOPT_PROTOCOLS", "libcurl connects only for http and https", |s| {
        s.mark(curl::ONLY_WEB);
        Go
    }),
    Step::new("curl_exec", "connect as libcurl does", |_| Call(curl::PERFORM, Side::Reference)),
];

const SCHEME: Slot = Slot::Out(Part::Scheme);
const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

/// `prepareRequest`, for the URL.
pub(crate) static PREPARE: &[Step] = &[
    Step::new("parseUrl: parse_url", "divide the URL", |_| Call(php_parse_url::PARSE_URL, Side::Reference)),
    Step::new("parseUrl: allowedSchemes", "reject other schemes than http and https", |s| {
        let scheme = s.get(SCHEME).to_ascii_lowercase();
        match matches!(scheme.as_str(), "http" | "https") {
            true => {
                s.set(SCHEME, scheme);
                Go
            }
            false => s.reject(SCHEME, "the scheme is missing or not supported"),
        }
    }),
    Step::new("parseUrl: INTL_IDNA_VARIANT_UTS46", "without the extension intl, reject a host outside ASCII", |s| match s.get(HOST).is_ascii() {
        true => Go,
        false => s.reject(HOST, "it is not in ASCII"),
    }),
    Step::new("parseUrl: strtolower", "write the host in lower case", |s| {
        if s.present(HOST).is_some() {
            let host = s.get(HOST).to_ascii_lowercase();
            s.set(HOST, host);
        }
        Go
    }),
    Step::new("parseUrl: $port", "write no port 0, and no default port of the scheme", |s| {
        if matches!((s.get(SCHEME), s.get(PORT)), (_, "0") | ("http", "80") | ("https", "443")) {
            s.set(PORT, None::<&str>);
        }
        Go
    }),
    Step::new("parseUrl: rawurlencode", "decode the escapes of unreserved characters, and encode spaces, control characters, \", <, >, ?, # and what is outside ASCII, but not in the host", |s| {
        for part in [Part::User, Part::Password, Part::Path, Part::Query, Part::Fragment] {
            if let Some(text) = s.present(Slot::Out(part)) {
                let text = requoted(text);
                s.set(Slot::Out(part), text);
            }
        }
        Go
    }),
    Step::new("resolveUrl: host is missing", "reject a URL without a host", |s| match s.present(HOST).is_some() {
        true => Go,
        false => s.reject(HOST, "it is missing"),
    }),
    Step::new("resolveUrl", "write the URL", |s| {
        let [user, password, host, port] = [Part::User, Part::Password, Part::Host, Part::Port].map(|part| s.present(Slot::Out(part)));
        let authority = host.map(|host| {
            let password = password.map(|it| format!(":{it}")).unwrap_or_default();
            let user = user.map(|user| format!("{user}{password}@")).unwrap_or_default();
            let port = port.map(|it| format!(":{it}")).unwrap_or_default();
            format!("//{user}{host}{port}")
        });
        let path = Some(s.get(Slot::Out(Part::Path))).filter(|path| !path.is_empty()).unwrap_or("/");
        let query = s.present(Slot::Out(Part::Query)).filter(|query| !query.is_empty()).map(|query| format!("?{query}"));
        let url = format!("{}:{}{path}{}", s.get(SCHEME), authority.unwrap_or_default(), query.unwrap_or_default());
        s.set(Slot::Ref(Part::Text), url);
        Go
    }),
];

fn requoted(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let byte = rest.get(1..3).filter(|_| is_escape(rest)).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let byte = byte.filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte));
        let length = if byte.is_some() { 3 } else { first.len_utf8() };
        match byte {
            Some(byte) => out.push(char::from(byte)),
            None => out.push(first),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    encoded(&out, |it| it.is_ascii_alphanumeric() || b"-._~!$&/'()[]*+,;=:@\\^`{|}%".contains(&it))
}
