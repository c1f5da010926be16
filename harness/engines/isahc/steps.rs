//! isahc: where `get(url)` connects.
//!
//! Read from `src/client.rs`, `src/redirect.rs` and `src/parsing.rs` of isahc 1.7.2. It parses with the crate http 0.2, and connects with libcurl 8.22.0, as the crate curl-sys builds it.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, scheme, until};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::redirect::has_no_controls;
use crate::socket::GETADDRINFO;
use crate::{crate_url, curl, http_uri, libcurl};

/// isahc.
pub static TABLE: Table = Table {
    engine: "isahc",
    first: "1.7.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[http_uri::PARSE, curl::PERFORM, GETADDRINFO],
    standard: Some(crate_url::standard),
    has_dated_names: false,
    field: Some(|_, field| field.trim_matches(|it: char| it.is_ascii_whitespace()).to_owned()),
    calls: |_| vec![(&curl::TABLE, "8.22.0".to_owned()), (&crate_url::TABLE, "2.5.8".to_owned())],
};

/// `RedirectInterceptor`.
static REDIRECT: &[Step] = &[
    Step::new("parse_header: HeaderValue", "a field with a control character is dropped", has_no_controls),
    Step::new("parse_location", "encode what is outside ASCII", |s| {
        let text = encoded(s.reference, |it| it.is_ascii());
        s.set(Slot::Ref(Part::Text), text);
        Go
    }),
    Step::new("resolve: Url::parse", "a location with a scheme is not relative", |s| {
        let text = s.reference.trim_matches(|it: char| it <= ' ').replace('\t', "");
        if scheme(&text).is_some() {
            s.set(Slot::Base(Part::Text), "");
        }
        Go
    }),
    Step::new("resolve: Url::join", "resolve the location on the URL of the request", |_| Call(crate_url::JOIN, Side::Reference)),
];

static GET: &[Step] = &[
    Step::new("http::Request::get: Uri", "parse the URI", |s| {
        s.mark(http_uri::VERSION_0_2);
        Call(http_uri::PARSE, Side::Reference)
    }),
    Step::new("uri_to_string", "write the URI without its fragment, and a slash for an empty path after a scheme", |s| {
        let text = cut(s.get(Slot::Ref(Part::Text)), "#").0;
        let text = match text.split_once("://").filter(|_| s.present(Slot::Ref(Part::Scheme)).is_some()) {
            Some((scheme, rest)) => {
                let (authority, rest) = until(rest, &['/', '?']);
                let slash = if rest.starts_with('/') { "" } else { "/" };
                format!("{scheme}://{authority}{slash}{rest}")
            }
            None => text.to_owned(),
        };
        s.set(Slot::Ref(Part::Text), text);
        Go
    }),
    Step::new("curl_version_info", "this build of libcurl converts no hosts, and has only HTTP, WebSocket and MQTT", |s| {
        s.mark(libcurl::NO_IDN);
        s.mark(curl::ONLY_HTTP);
        Go
    }),
    Step::new("curl_easy_perform", "connect as libcurl does", |_| Call(curl::PERFORM, Side::Reference)),
];
