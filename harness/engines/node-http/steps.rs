//! Node's `http.get(url)` and `https.get(url)`: where they connect.
//!
//! Read from `lib/_http_client.js`, `lib/internal/url.js` and `lib/net.js` of Node 20.20.2 and 26.10.0.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::is_escape;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, accessors};
use crate::url_standard::PROPERTIES;
use crate::{ada, node_url};

/// node-http.
pub static TABLE: Table = Table {
    engine: "node-http",
    first: "18.20.5",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[PROPERTIES, GETADDRINFO],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: None,
    calls: |version| vec![(&node_url::TABLE, version.to_owned())],
};

static GET: &[Step] = &[
    Step::new("ClientRequest: new URL", "parse the URL", |_| Call(ada::STATE, Side::Reference)),
    AUTH,
    PORT_0,
    accessors("urlToHttpOptions: hostname, port"),
    NO_SERVICE,
    RESOLVER,
];

/// Decodes the user and the password of a URL of `http.request`.
pub(crate) const AUTH: Step = Step::new("urlToHttpOptions: auth", "reject a user or a password with a percent sign that begins no escape of UTF-8", |s| {
        for slot in [Slot::Out(Part::User), Slot::Out(Part::Password)] {
            let text = s.get(slot);
            if text.match_indices('%').any(|(at, _)| !is_escape(&text[at..])) {
                return s.reject(slot, "it cannot be decoded");
            }
        }
        Go
    });

/// Reads the port of `http.request`.
pub(crate) const PORT_0: Step = Step::new("ClientRequest: options.port ||", "the port 0 is left out", |s| {
        if s.get(Slot::Out(Part::Port)) == "0" {
            s.set(Slot::Out(Part::Port), "");
        }
        Go
    });
