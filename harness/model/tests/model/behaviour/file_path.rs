//! Paths of files as references and bases.

use urlstrata::revision::rfc3986;
use urlstrata_model::behaviour::{Behaviour, MissingScheme};

#[test]
fn paths_of_files_are_urls() {
    let mut behaviour = Behaviour::of_rules(&rfc3986::RULES);
    behaviour.syntax.missing_scheme = MissingScheme::FilePath;
    let predict = |base: &str, reference: &str| behaviour.predict(base, reference);
    assert_eq!(predict("", "/a?b#c").as_deref(), Some("file:///a%3Fb%23c"));
    assert_eq!(predict("/a/b", "c?d").as_deref(), Some("file:///a/c%3Fd"));
    assert_eq!(predict("/a/b", "/c?d").as_deref(), Some("file:///c?d"));
    assert_eq!(predict("C:\\a\\b", "c").as_deref(), Some("file:///C:/a/c"));
    assert_eq!(predict("C:\\a\\b", "/../c").as_deref(), Some("file:///C:/c"));
    assert_eq!(predict("http://h/", "\\\\k\\a").as_deref(), Some("file://k/a"));
    assert_eq!(predict("\\\\k\\a\\b", "/c").as_deref(), Some("file://k/a/c"));
    assert_eq!(predict("http://h/", "/a?b").as_deref(), Some("http://h/a?b"));
    assert_eq!(predict("http://h/", "c:d"), None);
    assert_eq!(predict("", "/a"), None);
}

#[test]
fn the_scheme_may_be_repeated_any_number_of_times() {
    let mut behaviour = Behaviour::of_rules(&rfc3986::RULES);
    behaviour.syntax.missing_scheme = MissingScheme::FilePath;
    let repeated = "file:".repeat(100_000);
    assert_eq!(behaviour.predict("file:///a/b", &(repeated + "c")).as_deref(), Some("file:///a/c"));
}
