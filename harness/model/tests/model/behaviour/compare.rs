//! The smallest set of differences between two behaviours.

use urlstrata::revision::{rfc1808, rfc3986, whatwg};
use urlstrata_model::behaviour::{Behaviour, between};

fn names(from: &Behaviour, to: &Behaviour, base: &str, reference: &str) -> Vec<String> {
    let found = between(from, to, base, reference).unwrap_or_default();
    found.into_iter().map(|difference| difference.name).collect()
}

#[test]
fn the_smallest_set_of_differences_is_found() {
    let [rfc1808, rfc3986] = [&rfc1808::RULES, &rfc3986::RULES].map(Behaviour::of_rules);
    assert_eq!(names(&rfc1808, &rfc3986, "http://a/b/c", "../../../g"), ["excess=Dropped"]);
    assert_eq!(names(&rfc3986, &rfc1808, "http://a/b/c", "../../../g"), ["excess=Kept"]);
    assert_eq!(names(&rfc1808, &rfc3986, "http://a/b/c", "g"), [""; 0]);
}

#[test]
fn a_difference_of_characters_names_them() {
    let rfc3986 = Behaviour::of_rules(&rfc3986::RULES);
    let landed = whatwg::changes_of(whatwg::NEWEST).expect("a state");
    let standard = Behaviour::url_standard(landed);
    for (reference, name) in [("x y", "U+0020"), ("x\"y", "`\"`"), ("?x#`", "U+0060")] {
        let found = between(&rfc3986, &standard, "http://a/b", reference).expect("a difference");
        let sentences: Vec<_> = found.iter().map(|it| (it.from.text.clone(), it.to.text.clone())).collect();
        assert_eq!(sentences, [(format!("Keeps {name}"), format!("Percent-encodes {name}"))]);
    }
}
