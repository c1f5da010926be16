//! axios: where `axios.get(url)` connects in Node.
//!
//! Read from `lib/adapters/http.js`, `lib/core/buildFullPath.js` and `lib/helpers/normalizeURLForProtocolCheck.js` of axios 1.21.1. It parses with `URL`, and requests with `follow-redirects`.

use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::redirect::{has_location, has_no_controls, is_web, latin_1, rewrite_authority};
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, accessors, two_slashes};
use crate::url_standard::PROPERTIES;
use crate::{ada, node_url};

/// axios.
pub static TABLE: Table = Table {
    engine: "axios",
    first: "1.21.1",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[PROPERTIES, GETADDRINFO],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: Some(latin_1),
    calls: |_| vec![(&node_url::TABLE, "20.20.2".to_owned())],
};

/// `_processResponse` of follow-redirects.
static REDIRECT: &[Step] = &[
    Step::new("_processResponse: location", "do not follow an empty location", has_location),
    Step::new("llhttp: header value", "reject a response with a control character in a field", has_no_controls),
    Step::new("resolveUrl: new URL", "resolve the location on the URL of the request", |_| Call(ada::PARSE, Side::Reference)),
    Step::new("spreadUrlObject: Number", "the port 0 is as none", |s| {
        rewrite_authority(s, |authority| authority.strip_suffix(":0").unwrap_or(authority).to_owned())
    }),
    Step::new("_performRequest: nativeProtocols", "reject a target that is not one of http or https", is_web),
];

static GET: &[Step] = &[
    Step::new("buildFullPath: malformedHttpProtocol", "without tabs, ends of lines, and control characters and spaces before it, reject http: and https: without two slashes", two_slashes),
    Step::new("httpAdapter: new URL", "parse the URL", |_| Call(ada::STATE, Side::Reference)),
    accessors("RedirectableRequest: hostname, port"),
    NO_SERVICE,
    RESOLVER,
];
