//! Pairs with which published attacks confuse engines.

use std::collections::BTreeSet;

use urlstrata_model::pairs::confusing::{BASE, pairs};

#[test]
fn published_constructions_are_among_the_pairs() {
    let pairs: BTreeSet<_> = pairs().into_iter().collect();
    for (base, reference) in [
        ("", r"http://a:1\@b"),
        ("", "http://a#@b/"),
        ("", r"http:/\a"),
        ("", "http://a%2f@b/"),
        (BASE, "///a"),
        (BASE, r"/\a"),
    ] {
        assert!(pairs.contains(&(base, reference.to_owned())), "{reference:?} on {base:?}");
    }
}
