//! Relative references that are joined with the text of the base.

use urlstrata::revision::rfc3986;
use urlstrata_model::behaviour::{Behaviour, Relative, Row};

/// Returns the prediction of RFC 3986's behaviour with rows that `change` changed.
fn predicted(change: fn(&mut Row), base: &str, reference: &str) -> Option<String> {
    let mut behaviour = Behaviour::of_rules(&rfc3986::RULES);
    behaviour.classes.iter_mut().flat_map(|class| &mut class.rows).for_each(change);
    behaviour.predict(base, reference)
}

#[test]
fn dot_segments_are_replaced_in_the_text() {
    let check = |base, reference, expected| {
        let joined = predicted(|row| row.relative = Relative::TextReplaced, base, reference);
        assert_eq!(joined.as_deref(), Some(expected));
    };
    check("http://a/b?c/d", "e", "http://a/b?c/e");
    check("http://a/b/c", "../../../e", "http://a.e");
    check("http://a/b", "../../g/../", "http://a.");
    check("http://a/b", "c./d", "http://a/cd");
    check("http://a/b", "..", "http://a/..");
    check("http://a", "/e", "http://a//e");
    check("a/b", "c", "c");
    check("http://a/b", &format!("c/{}d", "../".repeat(1 << 20)), "http://ad");
}
