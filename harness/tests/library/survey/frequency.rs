//! The frequencies of differences between consecutive revisions, in real links.

use urlstrata_harness::survey::frequency::on_documentation;

#[test]
fn every_difference_in_documentation_has_a_cause() {
    let found = on_documentation().expect("pairs");
    assert_eq!(found.len(), 6);
    for comparison in found {
        assert_eq!(comparison.totals.cases, 5008);
        assert_eq!(comparison.totals.new_divergences(), 0, "{} against {}", comparison.engine, comparison.against);
    }
}
