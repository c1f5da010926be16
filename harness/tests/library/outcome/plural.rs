//! Numbers with nouns.

use urlstrata_harness::plural::counted;

#[test]
fn only_one_is_singular() {
    let links = |count: u64| counted(count, "link", "links");
    assert_eq!([0, 1, 2, 11, 21].map(links), ["0 links", "1 link", "2 links", "11 links", "21 links"]);
    assert_eq!(counted("1,000", "link", "links"), "1,000 links");
}
