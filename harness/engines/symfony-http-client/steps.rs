//! Symfony HttpClient: where `HttpClient::create()->request('GET', $url)` connects with the curl extension.
//!
//! Read from `HttpClientTrait.php` and `CurlHttpClient.php` of Symfony 5.4. It divides the URL with `parse_url`. In Debian's bookworm, PHP is 8.2, and
//! libcurl is 7.88.1. The extension intl is not loaded.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{encoded, is_escape};
use urlstrata_steps::{Change, Next::*, Question, Side, Step, Table};

use crate::socket::GETADDRINFO;
use crate::{curl, php_parse_url};

/// symfony-http-client.
pub static TABLE: Table = Table {
    engine: "symfony-http-client",
    first: "5.4.53",
    changes: &[&LATER],
    dated: &[],
    questions: &[(Question::Connect, REQUEST)],
    called: &[PREPARE, curl::PERFORM, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
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
