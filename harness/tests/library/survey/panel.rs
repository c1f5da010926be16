//! The panel of recordings.

use urlstrata_harness::pairs::bases::BaseClass;
use urlstrata_harness::survey::panel::{PAIRS, panel, survey};
use urlstrata_harness::vector::Suite;

#[test]
fn a_panel_contains_every_vector_and_every_class_of_bases() {
    let suite = Suite::embedded().expect("valid");
    let panel = panel(&suite);
    let pairs = panel.pairs();
    assert_eq!(pairs.len(), PAIRS);
    assert!(suite.resolutions().all(|case| panel.find(&case.base, &case.reference).is_some()));
    for class in BaseClass::ALL {
        assert!(pairs.iter().filter(|(base, _)| BaseClass::of(base) == class).count() > 1_000, "{class}");
    }
    assert!(survey().len() > 70_000);
}
