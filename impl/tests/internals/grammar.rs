//! Recognizers that keep few sets of states, and productions that no specification has.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Expression::{Alt, Name, Seq, Text};
use super::recognizer::KEPT;
use super::{Case, Grammar, by_revision, class, production};

#[track_caller]
fn derives(id: &str, production: &str, text: &str) -> Vec<(&'static str, String)> {
    let mut recognizer = by_revision(id).and_then(|grammar| grammar.recognizer(production)).expect("a production");
    match recognizer.match_parts(text) {
        Ok(derived) => derived.iter().map(|it| (it.production, text[it.start..it.end].to_string())).collect(),
        Err(stop) => panic!("{production} of {id} does not match {text}: {stop:?}"),
    }
}

#[track_caller]
fn stops(id: &str, production: &str, text: &str) -> String {
    let mut recognizer = by_revision(id).and_then(|grammar| grammar.recognizer(production)).expect("a production");
    match recognizer.match_parts(text) {
        Ok(_) => panic!("{production} of {id} matches {text}"),
        Err(stop) => {
            let expected: Vec<_> =
                stop.expected.iter().map(|it| format!("{}: {}", it.production, it.terminal)).collect();
            format!("{}{} {}", stop.at, if stop.prefix_is_valid { " valid prefix" } else { "" }, expected.join(", "))
        }
    }
}

#[test]
fn matches_contain_the_named_parts() {
    let parts = derives("rfc1738", "ftpurl", "ftp://u:@h.d:21/a//b;type=i");
    let of = |name| parts.iter().filter(|part| part.0 == name).map(|part| part.1.as_str()).collect::<Vec<_>>();
    assert_eq!(of("user"), ["u"]);
    assert_eq!(of("password"), [""]);
    assert_eq!(of("hostname"), ["h.d"]);
    assert_eq!(of("domainlabel"), ["h"]);
    assert_eq!(of("toplabel"), ["d"]);
    assert_eq!(of("port"), ["21"]);
    assert_eq!(of("fsegment"), ["a", "", "b"]);
    assert_eq!(of("ftptype"), ["i"]);
}

#[test]
fn ambiguous_texts_match_the_first_alternative() {
    let parts = derives("rfc3986", "host", "1.2.3.4");
    assert_eq!(parts[1].0, "IPv4address");
    assert_eq!(derives("rfc3986", "host", "1.2.3.400")[1].0, "reg-name");
    let parts = derives("rfc1738", "gopherurl", "gopher://h/7a%09b%09c");
    let of = |name| parts.iter().find(|part| part.0 == name).map(|part| part.1.as_str());
    assert_eq!((of("selector"), of("search"), of("gopher+_string")), (Some("a"), Some("b"), Some("c")));
}

#[test]
fn mismatches_are_at_the_first_offending_byte() {
    assert_eq!(
        stops("rfc1738", "host", "a_b"),
        "1 valid prefix hostname: \".\", domainlabel: alphadigit, \
                domainlabel: \"-\", toplabel: alphadigit, toplabel: \"-\""
    );
    assert_eq!(stops("rfc1738", "nntpurl", "nntp://h/g/x"), "11 digits: digit");
    assert_eq!(stops("rfc1738", "nntpurl", "nntX"), "3 nntpurl: \"p://\"");
    assert_eq!(stops("rfc1808", "URL", "a%4"), "3 fsegment: hex");
    assert_eq!(stops("rfc1738", "ppath", "a "), "1 valid prefix ppath: \"/\", psegment: one of &:=?@, psegment: uchar");
}

/// No specification has such productions.
static ENDLESS: Grammar = Grammar {
    id: "endless",
    cite: "",
    revisions: &[],
    productions: &[
        production("tower", "", Alt(&[Seq(&[Text("a"), Name("tower")]), Text("a")])),
        class("itself", "", Name("itself")),
    ],
    top: |_| "tower",
    valid: |_| false,
    base: None,
    valid_base: |_| false,
    tops: &["tower"],
    case: Case::AsWritten,
};

#[test]
fn recursive_productions_terminate() {
    let mut tower = ENDLESS.recognizer("tower").expect("a production");
    assert!(tower.is_match(&"a".repeat(200)) && !tower.is_match(&"a".repeat(201)));
    assert!(!ENDLESS.recognizer("itself").expect("a production").is_match("a"));
    assert_eq!(ENDLESS.generate("tower", &mut |_| 0), Some("a".repeat(67)));
    assert_eq!(ENDLESS.generate("itself", &mut |_| 0).as_deref(), Some(""));
}

#[test]
fn number_of_sets_is_bounded() {
    let rfc1808 = by_revision("rfc1808").expect("a grammar");
    let mut recognizer = rfc1808.recognizer("URL").expect("a production");
    for text in ["http://h/a;p?q#f", "a%20/b", "//h:1/"] {
        assert!(recognizer.is_match(text), "{text}");
        assert!(recognizer.forward.sets.len() <= KEPT, "{}", recognizer.forward.sets.len());
    }
}
