//! axios: where `axios.get(url)` connects in Node.
//!
//! Read from `lib/adapters/http.js`, `lib/core/buildFullPath.js` and `lib/helpers/normalizeURLForProtocolCheck.js` of axios 1.21.1. It parses with `URL`, and requests with `follow-redirects`.

use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, accessors, two_slashes};
use crate::url_standard::PROPERTIES;
use crate::{ada, node_url};

/// axios.
pub static TABLE: Table = Table {
    engine: "axios",
    first: "1.21.1",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[PROPERTIES, GETADDRINFO],
    standard: Some(ada::standard),
    has_dated_names: true,
    calls: |_| vec![(&node_url::TABLE, "20.20.2".to_owned())],
};

static GET: &[Step] = &[
    Step::new("buildFullPath: malformedHttpProtocol", "without tabs and ends of lines, reject http: and https: without two slashes", two_slashes),
    Step::new("httpAdapter: new URL", "parse the URL", |_| Call(ada::STATE, Side::Reference)),
    accessors("RedirectableRequest: hostname, port"),
    NO_SERVICE,
    RESOLVER,
];
