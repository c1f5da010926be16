use proptest::prelude::*;
use urlstrata::revision::rfc3986;
use urlstrata_steps::text::{components, concatenated, encoded, folder, is_escape, without_dots};

proptest! {
    #[test]
    fn components_are_the_text(text in "[a/?#:.@\\[\\]é%-]{0,16}") {
        prop_assert_eq!(concatenated(components(&text)), text);
    }

    #[test]
    fn components_are_those_of_rfc_3986(text in "[a1/?#:.@é-]{0,16}") {
        let parts = rfc3986::REVISION.parse(&text).expect("any text has components");
        let names = ["scheme", "authority", "path", "query", "fragment"];
        for (name, own) in names.into_iter().zip(components(&text)) {
            prop_assert_eq!(parts.component(name), Some(own), "{}", name);
        }
    }

    #[test]
    fn dots_are_removed_as_by_rfc_3986(path in "/[a./]{0,14}") {
        let base = format!("s://h{path}");
        let target = rfc3986::REVISION.resolve("s://h", &base).expect("the reference is a URL").url;
        prop_assert_eq!(format!("s://h{}", without_dots(&path)), target);
    }
}

#[test]
fn the_folder_of_a_path_ends_in_a_slash() {
    for (path, expected) in [("", ""), ("a", ""), ("/", "/"), ("/a/b", "/a/"), ("a/é", "a/")] {
        assert_eq!(folder(path), expected, "{path}");
    }
}

#[test]
fn characters_are_encoded_whole() {
    assert_eq!(encoded("a é%", |byte| byte.is_ascii_alphabetic()), "a%20%C3%A9%25");
    assert_eq!(encoded("é", |byte| byte >= 0x80), "é");
}

#[test]
fn an_escape_has_two_digits() {
    assert!(is_escape("%aF") && is_escape("%00x"));
    assert!(!is_escape("%a") && !is_escape("%ag") && !is_escape("a%aa") && !is_escape(""));
}
