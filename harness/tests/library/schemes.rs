//! Every field that differs between RFC 1738 and the `url` crate has a reason. Every URL that RFC 1738's prose and
//! grammar evaluate differently has a mark.
//!
//! The tests cover the URLs of the vectors, every short URL of each scheme, and random URLs.

use std::collections::BTreeMap;

use proptest::prelude::*;
use urlstrata_harness::evaluate::grammar::Recognizers;
use urlstrata_harness::evaluate::scheme::disagreement;
use urlstrata_harness::survey::fields::FieldComparer;
use urlstrata_harness::vector::Suite;

use crate::stride;

/// Delimiters, characters that the crate changes, and characters that it rejects.
const TOKENS: [&str; 20] =
    ["a", "B", "1", "/", ";", "?", "#", ":", "@", "=", "*", ".", "..", "%2e", "%09", " ", "\\", "|", ";type=a", "é"];

/// The beginnings of URLs of each scheme.
const STARTS: [&str; 23] = [
    "ftp://",
    "ftp://h/",
    "FTP://u:p@H:21/",
    "http://",
    "http://h/",
    "http://h:80/",
    "gopher://",
    "gopher://H/",
    "mailto:",
    "mailto:a@",
    "mailto://a@",
    "news:",
    "news:a@",
    "nntp://h:119/a/",
    "telnet://",
    "telnet://u:@h",
    "wais://h/",
    "wais://h/a/",
    "file://",
    "file:///",
    "file://localhost/",
    "prospero://h/",
    "prospero://h/a;",
];

/// Calls `check` with `text` followed by every sequence of up to `length` tokens.
fn each_short(length: usize, text: &mut String, check: &mut dyn FnMut(&str)) {
    check(text);
    if length == 0 {
        return;
    }
    for token in TOKENS {
        let before = text.len();
        text.push_str(token);
        each_short(length - 1, text, check);
        text.truncate(before);
    }
}

/// The number of differing fields by reason, and the differences without a reason.
#[derive(Default)]
struct Reasons {
    of: BTreeMap<String, u64>,
    unexplained: Vec<String>,
}

impl Reasons {
    fn add(&mut self, comparer: &FieldComparer, url: &str) {
        for row in comparer.differing(url) {
            if row.reasons.is_empty() {
                self.unexplained.push(format!("{url:?} {row:?}"));
            }
            row.reasons.iter().for_each(|reason| *self.of.entry(reason.name().to_owned()).or_default() += 1);
        }
    }

    /// Asserts that every difference has a reason.
    #[track_caller]
    fn all_explained(&self) {
        let first = &self.unexplained[..self.unexplained.len().min(20)];
        assert!(first.is_empty(), "{} unexplained:\n{}", self.unexplained.len(), first.join("\n"));
    }
}

#[test]
fn no_field_of_the_vectors_differs_without_a_reason() {
    let suite = Suite::embedded().expect("the vectors");
    let comparer = FieldComparer::default();
    let mut reasons = Reasons::default();
    suite.urls().into_iter().for_each(|url| reasons.add(&comparer, url));
    reasons.all_explained();
    assert!(reasons.of.len() > 10, "{:?}", reasons.of);
}

#[test]
fn no_field_of_a_short_url_differs_without_a_reason() {
    let comparer = FieldComparer::default();
    let mut reasons = Reasons::default();
    for start in STARTS {
        let mut number = 0;
        each_short(3, &mut start.to_owned(), &mut |url| {
            number += 1;
            if number % stride(7) == 0 {
                reasons.add(&comparer, url);
            }
        });
    }
    reasons.all_explained();
    assert!(reasons.of.len() > 20, "{:?}", reasons.of);
}

#[test]
fn every_disagreement_between_prose_and_grammar_of_a_short_url_has_a_mark() {
    let mut recognizers = Recognizers::default();
    let mut marks: BTreeMap<&str, u64> = BTreeMap::new();
    let mut unmarked = Vec::new();
    for start in STARTS {
        each_short(2, &mut start.to_owned(), &mut |url| {
            let Some(found) = disagreement(&mut recognizers, url) else { return };
            match found.mark {
                Some(mark) => *marks.entry(mark).or_default() += 1,
                None => unmarked.push(format!("{url:?} {found:?}")),
            }
        });
    }
    let first = &unmarked[..unmarked.len().min(20)];
    assert!(first.is_empty(), "{} unmarked of {marks:?}:\n{}", unmarked.len(), first.join("\n"));
    assert!(marks.len() > 5, "{marks:?}");
}

proptest! {
    #[test]
    fn no_field_of_a_random_url_differs_without_a_reason(
        start in prop::sample::select(&STARTS[..]),
        tokens in prop::collection::vec(prop::sample::select(&TOKENS[..]), 0..12),
    ) {
        let url = format!("{start}{}", tokens.concat());
        let mut reasons = Reasons::default();
        reasons.add(&FieldComparer::default(), &url);
        reasons.all_explained();
    }

    #[test]
    fn every_disagreement_between_prose_and_grammar_of_a_random_url_has_a_mark(
        start in prop::sample::select(&STARTS[..]),
        tokens in prop::collection::vec(prop::sample::select(&TOKENS[..]), 0..12),
    ) {
        let url = format!("{start}{}", tokens.concat());
        if let Some(found) = disagreement(&mut Recognizers::default(), &url) {
            prop_assert!(found.mark.is_some(), "{} {:?}", url, found);
        }
    }
}
