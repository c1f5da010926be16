//! What values say of themselves in reports, messages and failing tests.

use std::error::Error;

use urlstrata::base::Algorithm;
use urlstrata::characters::{self, Status};
use urlstrata::fast::{self, InstructionSet};
use urlstrata::grammar::{self, Expression, Repetitions};
use urlstrata::revision::{self, rfc1630, rfc3986};
use urlstrata::rules;

#[test]
fn a_revision_its_id() {
    assert_eq!(format!("{:?}", revision::ALL[3]), "rfc1808");
}

#[test]
fn a_rejection_its_sentence() {
    let rejection = revision::by_id("rfc1630").expect("a revision").resolve("", "g").expect_err("no context");
    assert_eq!(rejection.to_string(), "the context is unknown");
}

#[test]
fn undefined_targets_display_their_cause() {
    let mut out = String::new();
    let mut error = |rules, base, reference| {
        fast::resolve_into(rules, base, reference, &mut out).expect_err("an undefined target").to_string()
    };
    let no_target = "the rule set defines no target for this base and reference";
    assert_eq!(error(&rfc3986::RULES, "", "g"), no_target);
    assert_eq!(error(&rfc1630::RULES, "x:y", "/g"), no_target);
    assert_eq!(
        error(&rfc3986::RULES, "", "#f"),
        "the reference points into the document that contains it, and the URL of that document is unknown"
    );
}

#[test]
fn every_error_converts_to_a_boxed_error() {
    fn undefined() -> Result<String, Box<dyn Error>> {
        let mut out = String::new();
        fast::resolve_into(&rfc3986::RULES, "", "g", &mut out)?;
        Ok(out)
    }
    fn rejection() -> Result<String, Box<dyn Error>> {
        Ok(rfc3986::REVISION.resolve("", "g")?.url)
    }
    fn malformed() -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(characters::decode("%")?)
    }
    assert!(undefined().is_err_and(|error| error.is::<fast::Undefined>()));
    assert!(rejection().is_err_and(|error| error.is::<urlstrata::Rejection>()));
    assert!(malformed().is_err_and(|error| error.is::<characters::MalformedEscape>()));
}

#[test]
fn a_reading_of_bases_its_sections_and_headers() {
    let reading: &Algorithm = revision::by_id("rfc1808").and_then(|revision| revision.base).expect("it says how");
    assert_eq!(
        format!("{reading:?}"),
        "Algorithm { sections: [\"3.1\", \"3.2\", \"3.3\", \"3.4\"], headers: [Header { name: \"Base\", syntax: Wrapped }] }"
    );
}

#[test]
fn a_set_of_octets_its_characters() {
    let safe = characters::by_revision("rfc1738").and_then(|alphabet| alphabet.class("safe")).expect("a class");
    assert_eq!(format!("{:?}", safe.octets), "{'$', '+', '-', '.', '_'}");
}

#[test]
fn a_standing_what_has_to_be_done() {
    let said = [Status::Unreserved, Status::Reserved, Status::Excluded].map(|standing| standing.to_string());
    assert_eq!(said, ["unreserved", "reserved", "must be encoded"]);
}

#[test]
fn a_recognizer_its_production() {
    let recognizer =
        grammar::by_revision("rfc1808").and_then(|grammar| grammar.recognizer("net_loc")).expect("a production");
    assert_eq!(format!("{recognizer:?}"), "net_loc of rfc1808");
    assert_eq!(recognizer.production().name, "net_loc");
}

#[test]
fn a_rule_its_notation() {
    const NAME: Expression = Expression::Name("a");
    let repeat = |least, most, body| Expression::Repeat { least, most, repetitions: Repetitions::Most, body };
    for (rule, written) in [
        (Expression::OneOf("xy"), "one of xy"),
        (Expression::Text("xy"), "\"xy\""),
        (NAME, "a"),
        (Expression::Seq(&[NAME, Expression::Text("x"), Expression::Alt(&[NAME, NAME])]), "a \"x\" ( a | a )"),
        (Expression::Seq(&[NAME, Expression::Seq(&[NAME, NAME])]), "a a a"),
        (
            Expression::Alt(&[NAME, Expression::Seq(&[NAME, NAME]), Expression::OneOf("x")]),
            "a | ( a a ) | ( one of x )",
        ),
        (Expression::Opt(&[NAME, NAME]), "[ a a ]"),
        (Expression::Opt(&[Expression::Alt(&[NAME, NAME])]), "[ a | a ]"),
        (repeat(0, None, &[NAME]), "*a"),
        (repeat(1, None, &[Expression::Alt(&[NAME, NAME])]), "1*( a | a )"),
        (repeat(2, Some(2), &[NAME, NAME]), "2( a a )"),
        (repeat(0, Some(2), &[NAME]), "0*2a"),
    ] {
        assert_eq!(rule.to_string(), written);
    }
}

#[test]
fn instructions_their_names() {
    let mut names: Vec<_> = InstructionSet::available().map(|instructions| instructions.to_string()).collect();
    assert_eq!(names.last().map(String::as_str), Some("portable"));
    names.dedup();
    assert_eq!(names.len(), InstructionSet::available().count());
}

#[test]
fn instructions_the_best_first_and_safe_code_last() {
    assert_eq!(InstructionSet::available().next(), Some(InstructionSet::best()));
    assert_eq!(InstructionSet::available().last(), Some(InstructionSet::portable()));
}

#[test]
fn a_column_the_index_of_a_rows_answer() {
    for (_, rules) in revision::resolving() {
        for rule in rules::ALL {
            assert_eq!(rule.settings[rule.index(rules)].name, rule.setting(rules).name, "{}", rule.name);
            for setting in 0..rule.settings.len() {
                assert_eq!(rule.index(&rule.with(rules, setting)), setting, "{}", rule.name);
            }
        }
    }
}

#[test]
fn an_answer_its_note_and_where_a_document_gives_it() {
    let excess = rules::ALL.iter().find(|rule| rule.name == "excess").expect("a rule");
    let rules = revision::by_id("rfc3986").and_then(|revision| revision.rules).expect("a row");
    let dropped = excess.setting(rules);
    assert_eq!(format!("{} ({}).", dropped.note(), dropped.sources().collect::<Vec<_>>().join("; ")), dropped.doc);
    assert!(dropped.source("RFC 3986").starts_with("RFC 3986 §5.2.4"), "{}", dropped.source("RFC 3986"));
    assert_eq!(dropped.source("RFC 1"), dropped.sources().next().unwrap_or_default());
}
