//! isahc: where `get(url)` connects.
//!
//! Read from `src/client.rs` of isahc 1.7.2. It parses with the crate http 0.2, and connects with libcurl 8.22.0, as the crate curl-sys builds it.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::socket::GETADDRINFO;
use crate::{curl, http_uri, libcurl};

/// isahc.
pub static TABLE: Table = Table {
    engine: "isahc",
    first: "1.7.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[http_uri::PARSE, curl::PERFORM, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&libcurl::TABLE, "8.22.0".to_owned())],
};

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
