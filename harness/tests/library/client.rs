//! Clients whose connections follow from a rule.

use urlstrata::revision::{Revision, rfc3986, whatwg};
use urlstrata_harness::engine::Engine;
use urlstrata_harness::engine::statement::redirected;
use urlstrata_harness::outcome::location::{Location, credentials};
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::protocol::Op;

/// A client that connects to the host that a revision finds in a URL, and sends the credentials that it finds.
pub(crate) struct RevisionClient {
    name: &'static str,
    revision: &'static Revision,
}

/// A client by RFC 3986, and one by the URL Standard.
pub(crate) fn clients() -> [RevisionClient; 2] {
    [("old", &rfc3986::REVISION), ("new", whatwg::NEWEST)].map(|(name, revision)| RevisionClient { name, revision })
}

impl Engine for RevisionClient {
    fn name(&self) -> &str {
        self.name
    }

    fn version(&self) -> &str {
        "1"
    }

    fn resolve(&self, _: &str, _: &str) -> Outcome {
        Outcome::Skipped("unsupported operation".to_owned())
    }

    fn parse(&self, _: &str) -> Components {
        Err(Outcome::Skipped("unsupported operation".to_owned()))
    }

    fn resolves(&self) -> bool {
        false
    }

    fn visits(&self, _: Op) -> bool {
        true
    }

    fn visit_all(&self, op: Op, urls: &[&str]) -> Vec<Components> {
        let visit = |url: &&str| {
            let (base, url) = redirected(url).filter(|_| op == Op::Follow).unwrap_or(("", url));
            let target = self.revision.resolve(base, url).map_err(|error| Outcome::Failure(error.to_string()))?.url;
            let Location { host, port, .. } = Location::of(&target);
            let parts = [("host", host), ("port", port), ("credentials", credentials(&target))];
            let seen = parts.into_iter().filter(|(_, value)| value.is_some());
            match parts_of(seen) {
                parts if parts.iter().any(|(name, value)| name == "host" && value.as_deref() != Some("")) => Ok(parts),
                _ => Err(Outcome::Failure("no host".to_owned())),
            }
        };
        urls.iter().map(visit).collect()
    }
}

fn parts_of<'a>(seen: impl Iterator<Item = (&'a str, Option<String>)>) -> Vec<(String, Option<String>)> {
    seen.map(|(name, value)| (name.to_owned(), value)).collect()
}
