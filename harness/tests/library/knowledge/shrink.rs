//! The smallest pair that differs for the same reason.

use urlstrata_harness::engine::by_name;
use urlstrata_harness::knowledge::attribute::{Attributor, Model};
use urlstrata_harness::knowledge::shrink::shrink;
use urlstrata_harness::knowledge::specification::Specification;

fn shrunk(engine: &str, specification: &str, base: &str, reference: &str) -> Option<(String, String)> {
    let engine = by_name(engine).expect("an engine");
    let attributor = Attributor::new(
        Specification::by_id(specification).expect("a specification"),
        engine
            .revision()
            .and_then(Specification::of)
            .map_or_else(Model::default, |it| Model::of(it.behaviour().clone())),
    );
    shrink(engine.as_ref(), &attributor, base, reference)
}

#[test]
fn a_witness_is_minimal_and_deterministic() {
    let once = || shrunk("ref:rfc1808", "rfc3986", "http://example.org/x/y/z?q", "../../../../deep/er?x#y");
    let (base, reference) = once().expect("a witness");
    assert!(base.starts_with("http://a") && base.len() + reference.len() <= 15, "{reference:?} on {base:?}");
    assert!(reference.contains(".."), "the reason is kept: {reference:?} on {base:?}");
    assert_eq!(once(), Some((base, reference)));
}

#[test]
fn equal_results_have_no_witness() {
    assert_eq!(shrunk("ref:rfc1808", "rfc3986", "http://a/b", "g"), None);
}
