//! The files of recordings and panels.

use std::path::Path;

use urlstrata_harness::engine::folder::{EngineFolder, EngineFolders};
use urlstrata_harness::engine::panel::Panel;
use urlstrata_harness::engine::recording::{RECORDED, Recording, digest_of, escape, unescape};
use urlstrata_harness::knowledge::behaviours::RecordedBehaviour;
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
fn a_recording_without_a_panel_names_the_missing_file() {
    let error = Recording::parse(Path::new("e/1.txt"), &recording().text(), &Panel::default()).expect_err("an error");
    let wanted =
        "e/1.txt:2: the file panel.tsv with the 5 pairs of the recording is missing from the folder above: copy it";
    assert!(error.to_string().starts_with(wanted), "{error}");
    assert!(error.to_string().contains("record it again: urlstrata engine record e@1"), "{error}");
}

/// Writes the folder of an engine with three versions. `recordings` are files without `.txt`, and their texts.
fn folders(recordings: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    std::fs::create_dir(folder.path().join("e")).expect("a folder");
    let versions = ["3", "2", "1"].map(|version| format!("{{ version = {version:?}, unavailable = \"\" }}"));
    let versions = versions.join(", ");
    write("e/engine.toml", &format!("language = \"\"\nlineage = \"\"\nnative = \"\"\nversion = [{versions}]\n"));
    write("panel.tsv", &panel().text());
    for (version, text) in recordings {
        write(&format!("e/{version}.txt"), text);
    }
    folder
}

/// Returns the engine in `folder`.
fn engine(folder: &tempfile::TempDir) -> EngineFolder {
    EngineFolders::read(folder.path()).expect("valid folders").engines.remove(0)
}

/// A version that differs in one outcome from a complete recording, and a version with the outcomes of the former.
#[test]
fn recordings_refer_to_the_lines_of_another_version() {
    let of =
        |version: &str, outcomes: &[Outcome]| Recording::new("e", version, &panel(), outcomes, (7, "00".to_owned()));
    let mut differing = outcomes();
    differing[1] = Outcome::Url("^".to_owned());
    let (one, two, three) = (of("1", &outcomes()), of("2", &differing), of("3", &differing));
    let one_text = engine(&folders(&[])).recording_text(&one);
    assert_eq!(one_text, one.text());
    let two_text = engine(&folders(&[("1", &one_text)])).recording_text(&two);
    let lines: Vec<_> = two_text.lines().skip(4).collect();
    assert_eq!(lines, ["^", "\"^", "^", "^", "^"]);
    assert!(two_text.lines().nth(3).is_some_and(|line| line.starts_with("outcomes ") && line.ends_with(" ^1")));
    let three_text = engine(&folders(&[("1", &one_text), ("2", &two_text)])).recording_text(&three);
    assert_eq!(three_text.lines().skip(4).collect::<Vec<_>>(), ["same as 2"]);

    // Recorded again, each version has the same file.
    let folder = folders(&[("1", &one_text), ("2", &two_text), ("3", &three_text)]);
    let engine = engine(&folder);
    for (recording, text) in [(&one, &one_text), (&two, &two_text), (&three, &three_text)] {
        let version = &recording.head.version;
        let read = engine.recording(version).expect("valid").expect("a recording");
        assert_eq!(read.text(), recording.text());
        assert_eq!(read.outcomes(&panel()), recording.outcomes(&panel()));
        assert_eq!(engine.recording_text(&read), *text);
    }
    assert_eq!(engine.recorded_as("3").as_deref(), Ok("2"));
    // A version has the behaviour of the version that it refers to, and not one of its own.
    std::fs::write(folder.path().join("e/3.behaviour.yaml"), "").expect("a file");
    let error = RecordedBehaviour::read(&self::engine(&folder), "3").expect_err("a file that is not read").to_string();
    assert!(error.ends_with("unused: the recording of this version is the same as that of 2"), "{error}");
    assert_eq!(engine.recorded_as("2").as_deref(), Ok("2"));
}

#[test]
fn damaged_recordings_that_refer_to_another_one_are_rejected_with_their_line() {
    let one = recording().text();
    let two = engine(&folders(&[("1", &one)])).recording_text(&Recording::new(
        "e",
        "2",
        &panel(),
        &outcomes(),
        (8, "00".to_owned()),
    ));
    assert_eq!(two.lines().skip(4).collect::<Vec<_>>(), ["^"; 5]);
    let same = two.replace(" ^1", "").split_inclusive('\n').take(4).collect::<String>() + "same as 1\n";
    let shorter = one.replace("!crash\n", "");
    for (one, two, wanted) in [
        (Some(one.replace("!crash", "!boom")), two.clone(), "1.txt:9: not an outcome: a URL, =REVISION or !KIND"),
        (Some(one.replace("!crash", "^")), two.clone(), "1.txt:9: not an outcome"),
        (Some(one.clone()), two.replacen("\n^\n", "\n!boom\n", 1), "2.txt:5: not an outcome"),
        (
            Some(one.clone()),
            two.replacen("\n^\n", "\n!crash\n", 1),
            "2.txt:4: the outcomes do not have this digest: this file or that of 1 was edited",
        ),
        (
            Some(one.clone()),
            two.replacen("\n^\n", "\n", 1),
            "2.txt:8: the recording has 4 outcomes, and the panel has 5 pairs",
        ),
        (Some(shorter), two.clone(), "1.txt:8: the recording has 4 outcomes, and the panel has 5 pairs"),
        (
            Some(one.replace("panel 5", "panel 6")),
            two.clone(),
            "2.txt:4: the version \"1\" has a recording for another panel",
        ),
        (Some(two.replace(" ^1", " ^2")), two.clone(), "2.txt:4: the version \"1\" has no recording of its own"),
        (None, two.clone(), "2.txt:4: the version \"1\" has no recording of its own"),
        (None, same.clone(), "2.txt:5: the version \"1\" has no recording of its own"),
        (Some(same.clone()), same.clone(), "2.txt:5: the version \"1\" has no recording of its own"),
    ] {
        let files: Vec<_> = one.iter().map(|one| ("1", one.as_str())).chain([("2", two.as_str())]).collect();
        let folder = folders(&files);
        let engine = engine(&folder);
        let error = match engine.recording("2") {
            Ok(read) => read.expect("a recording").outcomes(&panel()).map(drop).expect_err("an error").to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error.replace('\\', "/").contains(&format!("e/{wanted}")), "{error}");
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
