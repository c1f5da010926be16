//! undici: where `request(url)` connects.
//!
//! Read from `lib/core/util.js`, `lib/dispatcher/client.js` and `lib/core/connect.js` of undici 6.29.1 and 8.13.1. It parses with `URL` of the Node that
//! runs it.

use urlstrata::revision::whatwg;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::components;
use urlstrata_steps::{Next::*, Question, Side, Step, Table, compare_versions};

use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, accessors};
use crate::url_standard::PROPERTIES;
use crate::{ada, node_url};

/// undici.
pub static TABLE: Table = Table {
    engine: "undici",
    first: "6.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, REQUEST)],
    called: &[PROPERTIES, GETADDRINFO],
    standard: Some(ada::standard),
    has_dated_names: true,
    calls: |version| {
        let node = if compare_versions(version, "7").is_lt() { "20.20.2" } else { "26.10.0" };
        vec![(&node_url::TABLE, node.to_owned())]
    },
};

static REQUEST: &[Step] = &[
    Step::new("util.parseURL: new URL", "parse the URL", |_| Call(ada::STATE, Side::Reference)),
    Step::new("util.parseOrigin: url.origin", "the origin of blob is that of the URL in its path", |s| {
        let is_web = |path: &str| path.starts_with("http://") || path.starts_with("https://");
        if s.get(Slot::Out(Part::Scheme)) == "blob"
            && is_web(s.get(Slot::Out(Part::Path)))
            && let Ok(target) = whatwg::NEWEST.resolve("", s.get(Slot::Out(Part::Path)))
            && let [Some(scheme @ ("http" | "https")), Some(authority), ..] = components(&target.url)
        {
            let host = authority.rsplit('@').next().unwrap_or_default();
            let (host, port) = host.rsplit_once(':').filter(|_| !host.ends_with(']')).unwrap_or((host, ""));
            let (scheme, host, port) = (scheme.to_owned(), host.to_owned(), port.to_owned());
            for (part, value) in [(Part::Scheme, scheme), (Part::Host, host), (Part::Port, port)] {
                s.set(Slot::Out(part), value);
            }
        }
        Go
    }),
    accessors("buildConnector: hostname, port"),
    NO_SERVICE,
    RESOLVER,
];
