//! The reasons for which a grammar does not match a reference.

use urlstrata_harness::evaluate::grammar::Recognizers;
use urlstrata_harness::survey::validity::reason;

#[track_caller]
fn stops(id: &str, reference: &str, what: &str) {
    let grammar = urlstrata::grammar::by_revision(id).expect("a grammar");
    assert_eq!(
        reason(&mut Recognizers::default(), grammar, reference).map(|reason| reason.what).as_deref(),
        Some(what),
        "{reference:?}"
    );
}

#[test]
fn each_reason_has_a_name() {
    stops("rfc1738", "a/b", "no scheme");
    stops("rfc1738", "http://h:", "it ends too early");
    stops("rfc1808", "a%", "a percent sign without two hexadecimal digits");
    stops("rfc1808", "a%1g", "a percent sign without two hexadecimal digits");
    stops("rfc3986", "//[::1]:8x", "a letter or a digit");
    stops("rfc3986", "a b", "a space");
    stops("rfc3986", "a\u{7f}", "a control character");
    stops("rfc3986", "é", "a character outside ASCII");
    stops("rfc2396", "?y", "`?`");
    let grammar = urlstrata::grammar::by_revision("rfc3986").expect("a grammar");
    assert!(reason(&mut Recognizers::default(), grammar, "?y").is_none());
}
