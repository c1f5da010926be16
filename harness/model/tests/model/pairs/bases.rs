//! Classes of bases, and the order of pairs.

use urlstrata_model::pairs::bases::{BaseClass, Rank};

#[test]
fn every_base_has_a_class() {
    for (base, class) in [
        ("http://a/b", BaseClass::Hierarchical),
        ("foo:/a", BaseClass::Hierarchical),
        ("foo:a/b", BaseClass::Opaque),
        ("foo:", BaseClass::Opaque),
        ("a/b", BaseClass::Relative),
        ("1a:b", BaseClass::Relative),
        ("//h/x", BaseClass::Relative),
        (" http://a", BaseClass::Hierarchical),
        ("", BaseClass::Unknown),
    ] {
        assert_eq!(BaseClass::of(base), class, "{base:?}");
    }
}

#[test]
fn legal_http_pairs_come_first() {
    let mut pairs = [("", "|"), ("x:", "g"), ("http://a/b/c", "g"), ("http://a", "g"), ("http://a", "|"), ("a", "g")];
    pairs.sort_by(|one, other| Rank::of(one.0, one.1).cmp(&Rank::of(other.0, other.1)));
    let expected = [("http://a", "g"), ("http://a/b/c", "g"), ("x:", "g"), ("http://a", "|"), ("", "|"), ("a", "g")];
    assert_eq!(pairs, expected);
}
