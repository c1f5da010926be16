//! The files of recordings and panels.

use std::path::Path;

use urlstrata_harness::engine::panel::Panel;
use urlstrata_harness::engine::recording::{Head, RECORDED, Recording, digest_of, escape, unescape};
use urlstrata_harness::outcome::Outcome;

fn panel() -> Panel {
    let pairs = [("http://a/b", "../c"), ("", "\t\u{202e}é\u{10ffff}\\\""), ("http://a", ""), ("x", "y"), ("x", "z")];
    Panel::new(pairs.map(|(base, reference)| (base.to_owned(), reference.to_owned())))
}

fn outcomes() -> Vec<Outcome> {
    let url = |text: &str| Outcome::Url(text.to_owned());
    let why = || RECORDED.to_owned();
    vec![url("http://a/c"), url("=\n"), Outcome::Failure(why()), url(""), Outcome::Crash(why())]
}

fn recording() -> Recording {
    Recording::new("e", "1", &panel(), &outcomes(), (7, "00".to_owned()))
}

#[test]
fn a_recording_is_read_as_it_was_written() {
    let (path, panel) = (Path::new("e/1.txt"), panel());
    let recording = recording();
    let text = recording.text();
    assert!(text.is_ascii() && text.contains("\n=rfc3986\n\"=\\n\n!failure\n\"\n!crash\n"), "{text}");
    let read = Recording::parse(path, &text, &panel).expect("valid");
    assert_eq!((read.text(), &read.head), (text.clone(), &recording.head));
    assert_eq!(read.outcomes(&panel), Ok(outcomes()));
    let mut same = Head::parse(path, &recording.same_as("0")).expect("valid");
    assert_eq!((same.same_as.take().as_deref(), &recording.head.same_as), (Some("0"), &None));
    assert_eq!(same, recording.head);
    let again = Panel::parse(path, &panel.text()).expect("valid");
    assert_eq!(again.pairs(), panel.pairs());
    assert_eq!(again.find("x", "z"), Some(4));
}

#[test]
fn a_damaged_recording_is_rejected_with_its_line() {
    let (path, panel) = (Path::new("e/1.txt"), panel());
    let text = recording().text();
    let parse = |text: &str| match Recording::parse(path, text, &panel) {
        Ok(read) => read.outcomes(&panel).map(drop).expect_err("an error").to_string(),
        Err(error) => error.to_string(),
    };
    let last = &text[..text.len() - "!crash\n".len()];
    for (damaged, wanted) in [
        (last.to_owned(), "e/1.txt:8: the recording has 4 outcomes, and the panel has 5 pairs: record it again"),
        (text.replace("!crash", "!failure"), "e/1.txt:4: the outcomes do not have this digest: the file was edited"),
        (text.replace("!crash", "!boom"), "e/1.txt:9: not an outcome: a URL, =REVISION or !KIND"),
        (text.replace("=rfc3986", "=rfc9999"), "e/1.txt:5: not an outcome"),
        (text.replace("panel 5", "panel 6"), "e/1.txt:2: the recording belongs to another panel"),
        (text.replace("survey 7 pairs", "survey x"), "e/1.txt:3: a number, the word \"pairs\" and a digest"),
        (String::new(), "e/1.txt:1: a recording has a line that begins with \"engine\" here"),
    ] {
        let error = parse(&damaged);
        assert!(error.starts_with(wanted), "{error}");
    }
}

#[test]
fn a_panel_has_each_pair_once() {
    let error = Panel::parse(Path::new("p"), "a\tb\na\tb\n").expect_err("a duplicate");
    assert_eq!(error.to_string(), "p: 1 pairs are duplicates");
    let error = Panel::parse(Path::new("p"), "a\tb\nab\n").expect_err("no tab");
    assert!(error.to_string().starts_with("p:2: not a pair"), "{error}");
}

#[test]
fn text_is_escaped_and_read_again() {
    for text in ["", "a\tb\n", "\\\"", "é\u{202e}\u{10ffff}\0", "=x"] {
        assert!(escape(text).is_ascii() && !escape(text).contains(['\t', '\n']));
        assert_eq!(unescape(&escape(text)).as_deref(), Some(text));
    }
    assert_ne!(digest_of(&outcomes()), digest_of(&outcomes()[1..]));
}
