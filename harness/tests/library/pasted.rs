//! Notes about texts that were pasted with something around or within them.

use urlstrata_harness::pairs::generate::RandomPairs;
use urlstrata_harness::pasted::{note, notes};

#[test]
fn what_was_probably_meant_is_proposed() {
    let meant = [
        ("\"http://h/a\"", "http://h/a"),
        ("<http://h/a>", "http://h/a"),
        ("<URL:http://h/a>", "http://h/a"),
        ("‘http://h/a’", "http://h/a"),
        ("http://h/a\n", "http://h/a"),
        ("'http://h/a'\n", "http://h/a"),
        ("http://h/a\\n", "http://h/a"),
        ("http://h/\\?a=1\\&b=2", "http://h/?a=1&b=2"),
        ("http:\\/\\/h\\/a", "http://h/a"),
        ("http://h/?a=1&amp;b=2", "http://h/?a=1&b=2"),
        ("http%3A%2F%2Fh%2Fa", "http://h/a"),
    ];
    for (given, expected) in meant {
        let note = note("the reference", given).unwrap_or_else(|| panic!("{given:?} has no note"));
        assert_eq!(note.meant.as_deref(), Some(expected), "{given:?}");
    }
}

#[test]
fn usual_texts_have_no_note() {
    for text in
        ["", "g", "http://h/a?b=1&c=2#d", "//h/'a'", "\\\\evil.com", "http://1.1.1.1\\@2.2.2.2", "a%2Fb", "?q=%22a%22"]
    {
        assert_eq!(note("the reference", text), None, "{text:?}");
    }
    assert_eq!(notes("http://h/", "g"), []);
}

#[test]
fn a_base_without_a_scheme_or_host_is_noted() {
    let meant = |base: &str| notes(base, "g").into_iter().next().expect("a note").meant;
    assert_eq!(meant(""), None);
    assert_eq!(meant("www.example.org/a").as_deref(), Some("http://www.example.org/a"));
    assert_eq!(meant("localhost:8080/a").as_deref(), Some("http://localhost:8080/a"));
    assert_eq!(meant("C:\\a\\b").as_deref(), Some("file:///C:/a/b"));
    assert_eq!(meant("//h/a").as_deref(), Some("http://h/a"));
    assert_eq!(notes("", "http://h/"), [], "an absolute reference needs no base");
}

#[test]
fn what_was_meant_has_no_further_note_about_the_same() {
    let mut random = RandomPairs::new(7);
    for _ in 0..20_000 {
        let (_, reference) = random.pair();
        if let Some(meant) = note("the reference", &reference).and_then(|note| note.meant) {
            assert_ne!(meant, reference);
        }
    }
}
