//! The hosts that engines find in URLs.

use urlstrata_harness::engine::locate::{Locator, StatedBy};
use urlstrata_harness::engine::{Engine, by_name};
use urlstrata_harness::outcome::{Components, Outcome};

#[test]
fn components_of_the_engine_are_preferred_to_its_result() {
    let url = by_name("crate:url").expect("an engine");
    let sight = Locator::new(url.as_ref()).locate("", r"http://a:1\@b");
    assert_eq!(sight.location.map(|it| it.to_string()).as_deref(), Some("http a 1"));
    assert_eq!(sight.stated_by, StatedBy::Components);
}

/// An engine that requires a base, and cannot split URLs.
struct NeedsBase;

impl Engine for NeedsBase {
    fn name(&self) -> &str {
        "needs-base"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        if base.is_empty() { Outcome::Failure("no base".to_owned()) } else { Outcome::Url(reference.to_owned()) }
    }

    fn parse(&self, _: &str) -> Components {
        Err(Outcome::Skipped("unsupported operation".to_owned()))
    }
}

#[test]
fn engines_that_require_a_base_receive_a_neutral_one() {
    let sight = Locator::new(&NeedsBase).locate("", r"http://a:1\@b");
    assert_eq!(sight.location.map(|it| it.to_string()).as_deref(), Some("http b 80"));
    assert_eq!((sight.stated_by, sight.has_neutral_base), (StatedBy::Result, true));
    assert!(!Locator::new(&NeedsBase).locate("http://c/", "http://a/").has_neutral_base);
}
