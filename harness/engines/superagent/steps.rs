//! superagent: where `superagent.get(url)` connects in Node.
//!
//! Read from `lib/node/index.js` of superagent 10.4.2. It parses with `URL`, and requests with `http.request`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{scheme, until};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::redirect::{has_location, has_no_controls, is_web, latin_1};
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, accessors};
use crate::url_standard::PROPERTIES;
use crate::{ada, node_url};

/// superagent.
pub static TABLE: Table = Table {
    engine: "superagent",
    first: "10.4.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[PROPERTIES, GETADDRINFO],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: Some(latin_1),
    calls: |_| vec![(&node_url::TABLE, "20.20.2".to_owned())],
};

/// `Request._redirect`.
static REDIRECT: &[Step] = &[
    Step::new("_redirect: headers.location", "reject an empty location", has_location),
    Step::new("llhttp: header value", "reject a response with a control character in a field", has_no_controls),
    Step::new("_redirect: new URL", "resolve the location on the URL of the request", |_| Call(ada::PARSE, Side::Reference)),
    Step::new("isAllowedRedirectTarget", "reject a target that is not one of http or https", is_web),
];

static GET: &[Step] = &[
    Step::new("withDefaultProtocol", "write http:// before a URL that does not begin with http, in lower case", |s| {
        if !s.reference.starts_with("http") {
            s.set(Slot::Ref(Part::Text), format!("http://{}", s.reference));
        }
        Go
    }),
    Step::new("preserveDotSegments", "write a name for each segment . or .. that follows a slash, which the path of the request does not keep; it can become the host", |s| {
        if let Some(text) = marked(s.get(Slot::Ref(Part::Text))) {
            s.set(Slot::Ref(Part::Text), text);
        }
        Go
    }),
    Step::new("Request.request: new URL", "parse the URL", |_| Call(ada::STATE, Side::Reference)),
    accessors("Request.request: url.hostname, url.port"),
    NO_SERVICE,
    RESOLVER,
];

/// Replaces dot segments of a path; `None` if there is none, or no scheme with two slashes.
fn marked(text: &str) -> Option<String> {
    let (name, rest) = scheme(text)?;
    let rest = rest.strip_prefix("//")?;
    let (authority, rest) = until(rest, &['/', '?', '#']);
    let (path, rest) = until(rest, &['?', '#']);
    let is_dots = |segment: &str| matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..");
    // The end of the pattern is not the end of a line.
    if rest.contains(['\n', '\r', '\u{2028}', '\u{2029}']) || !path.split('/').skip(1).any(is_dots) {
        return None;
    }
    let mut number = 0;
    let mut written = String::new();
    for segment in path.split('/').skip(1) {
        written.push('/');
        match is_dots(segment) {
            true => {
                written.push_str(&format!("__superagent_dot_segment_{number}__"));
                number += 1;
            }
            false => written.push_str(segment),
        }
    }
    Some(format!("{name}://{authority}{written}{rest}"))
}
