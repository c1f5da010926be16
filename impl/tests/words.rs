//! The texts that reports, error messages and failing tests show: `Display` and `Debug` of public types.

use std::error::Error;

use urlstrata::characters::{self, Status};
use urlstrata::fast::{self, InstructionSet};
use urlstrata::grammar::{self, Expression, Repetitions};
use urlstrata::revision::{self, rfc1630, rfc1808, rfc3986};
use urlstrata::rules;

#[test]
fn rejections_display_their_reason() {
    let rejection = rfc1630::REVISION.resolve("", "g").expect_err("the base is unknown");
    assert_eq!(rejection.to_string(), rejection.reason());
    assert_eq!(rejection.reason(), "the base is unknown or has no scheme");
    assert_eq!(rejection.section(), "Partial form");
}

#[test]
fn undefined_targets_display_their_cause() {
    let error =
        |rules, base, reference| fast::resolve(rules, base, reference).expect_err("an undefined target").to_string();
    let no_target = "the rule set defines no target for this base and reference";
    assert_eq!(error(&rfc3986::RULES, "", "g"), no_target);
    assert_eq!(error(&rfc1630::RULES, "x:y", "/g"), no_target);
    assert_eq!(
        error(&rfc3986::RULES, "", "#f"),
        "the reference points into the document that contains it, and the URL of that document is unknown"
    );
}

#[test]
fn mismatches_display_position_and_expected_terminals() {
    let rfc1808 = grammar::by_revision("rfc1808").expect("a grammar");
    let mismatch = |text| {
        let mut recognizer = rfc1808.recognizer("URL").expect("a production");
        recognizer.match_parts(text).expect_err("a mismatch").to_string()
    };
    assert_eq!(mismatch("a%4"), "mismatch at byte 3: expected hex in fsegment");
}

#[test]
fn every_error_converts_to_a_boxed_error() {
    fn undefined() -> Result<String, Box<dyn Error>> {
        Ok(fast::resolve(&rfc3986::RULES, "", "g")?)
    }
    fn rejection() -> Result<String, Box<dyn Error>> {
        Ok(rfc3986::REVISION.resolve("", "g")?.url)
    }
    fn malformed() -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(characters::decode("%")?)
    }
    fn mismatch() -> Result<usize, Box<dyn Error>> {
        let mut recognizer =
            grammar::by_revision("rfc3986").and_then(|grammar| grammar.recognizer("port")).ok_or("no production")?;
        Ok(recognizer.match_parts("a")?.len())
    }
    assert!(undefined().is_err_and(|error| error.is::<fast::Undefined>()));
    assert!(rejection().is_err_and(|error| error.is::<urlstrata::Rejection>()));
    assert!(malformed().is_err_and(|error| error.is::<characters::MalformedEscape>()));
    assert!(mismatch().is_err_and(|error| error.is::<grammar::Mismatch>()));
}

#[test]
fn statuses_display_what_a_writer_must_do() {
    let texts = [Status::Unreserved, Status::Reserved, Status::Excluded].map(|status| status.to_string());
    assert_eq!(texts, ["unreserved", "reserved", "must be encoded"]);
}

#[test]
fn debug_output_identifies_revisions_recognizers_and_octets() {
    assert_eq!(format!("{:?}", rfc1808::REVISION), rfc1808::REVISION.id);
    let recognizer =
        grammar::by_revision("rfc1808").and_then(|grammar| grammar.recognizer("net_loc")).expect("a production");
    assert_eq!(recognizer.production().name, "net_loc");
    assert!(format!("{recognizer:?}").contains("net_loc"));
    let safe =
        characters::by_revision("rfc1738").and_then(|alphabet| alphabet.class("safe")).expect("a character class");
    let debug = format!("{:?}", safe.octets);
    assert!("$-_.+".chars().all(|character| debug.contains(character)) && !debug.contains('a'), "{debug}");
}

#[test]
fn expressions_display_in_one_notation() {
    const NAME: Expression = Expression::Name("a");
    let repeat = |least, most, body| Expression::Repeat { least, most, repetitions: Repetitions::Most, body };
    for (expression, notation) in [
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
        assert_eq!(expression.to_string(), notation);
    }
}

#[test]
fn instruction_sets_have_different_names() {
    let mut names: Vec<_> = InstructionSet::available().map(|instructions| instructions.to_string()).collect();
    assert_eq!(names.last().map(String::as_str), Some("portable"));
    names.dedup();
    assert_eq!(names.len(), InstructionSet::available().count());
}

#[test]
fn instruction_sets_are_ordered_from_best_to_portable() {
    assert_eq!(InstructionSet::available().next(), Some(InstructionSet::best()));
    assert_eq!(InstructionSet::available().last(), Some(InstructionSet::portable()));
}

#[test]
fn rules_return_the_setting_that_was_set() {
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
fn settings_consist_of_a_note_and_sources() {
    let dropped = rules::by_name("excess").expect("a rule").setting(&rfc3986::RULES);
    assert_eq!(format!("{} ({}).", dropped.note(), dropped.sources().collect::<Vec<_>>().join("; ")), dropped.doc);
    assert!(dropped.source("RFC 3986").starts_with("RFC 3986 §5.2.4"), "{}", dropped.source("RFC 3986"));
    assert_eq!(dropped.source("RFC 1"), dropped.sources().next().unwrap_or_default());
}
