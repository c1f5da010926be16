//! A faulty engine.

use urlstrata::revision::rfc3986;
use urlstrata_harness::engine::Engine;
use urlstrata_harness::outcome::{Components, Outcome};

/// An engine that resolves as RFC 3986 does, except for three references: it returns a wrong URL for `wrong`, panics for
/// `crash` and skips `skip`.
pub(crate) struct FaultyEngine;

impl Engine for FaultyEngine {
    fn name(&self) -> &str {
        "test:faulty"
    }

    fn version(&self) -> &str {
        "0"
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        match reference {
            "wrong" => Outcome::Url("http://elsewhere/".to_owned()),
            "crash" => panic!("on purpose"),
            "skip" => Outcome::Skipped("not today".to_owned()),
            _ => rfc3986::REVISION.resolve(base, reference).into(),
        }
    }

    fn parse(&self, _: &str) -> Components {
        Err(Outcome::Skipped("unsupported operation".to_owned()))
    }
}
