//! What libraries state about URLs, and the files of these statements.

use std::path::Path;

use crate::stride;
use rayon::prelude::*;
use urlstrata_harness::engine::folder::{EngineFolder, EngineFolders};
use urlstrata_harness::engine::recording::RECORDED;
use urlstrata_harness::engine::statement::{Statements, UrlPanel, is_same, redirect, redirected};
use urlstrata_harness::engine::{ask_parts, by_name};
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::protocol::Op;
use urlstrata_harness::survey::{redirects, urls};
use urlstrata_harness::world::World;

fn panel() -> UrlPanel {
    UrlPanel::new(["http://u:p@h:80/p?q#f", "//h", "\u{202e}\t\\\"", "http://[::1", "=", ""].map(str::to_owned))
}

fn parts(of: &[(&str, Option<&str>)]) -> Components {
    Ok(of.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect())
}

fn statements() -> Vec<Components> {
    vec![
        // The order of the components has no meaning.
        parts(&[("path", Some("/p")), ("host", Some("h")), ("user", Some("u")), ("port", Some("80"))]),
        parts(&[("host", None), ("port", Some("")), ("path", Some("\u{e9}\t")), ("user", None)]),
        parts(&[("host", Some("=\n"))]),
        Err(Outcome::Failure(RECORDED.to_owned())),
        parts(&[("path", Some("=")), ("host", Some("!")), ("user", Some("\\N")), ("port", Some("\""))]),
        Err(Outcome::Crash(RECORDED.to_owned())),
    ]
}

#[test]
fn statements_are_read_as_they_were_written() {
    let (path, panel) = (Path::new("e/1.states.tsv"), panel());
    let written = Statements::new(("e", "1"), Op::Parse, &panel, &statements());
    assert!(written.text().is_ascii());
    let text = written.text();
    let lines: Vec<_> = text.lines().skip(3).collect();
    assert_eq!(lines[..2], ["parts user host port path", "="]);
    let read = Statements::parse(path, &text, Op::Parse, &panel).expect("valid");
    assert_eq!(read.text(), text);
    let all = read.all(&panel).expect("valid");
    assert!(all.iter().zip(&statements()).all(|(one, other)| is_same(one, other)), "{all:?}");
    assert_eq!(UrlPanel::parse(path, &panel.text()).expect("valid").urls(), panel.urls());
}

/// Two versions that differ in one statement: the file of one contains what differs.
#[test]
fn statements_refer_to_the_lines_of_another_version() {
    let panel = panel();
    let own = statements();
    let mut other = statements();
    other[0] = Err(Outcome::Failure(RECORDED.to_owned()));
    let [own, other] = [own, other].map(|of| Statements::new(("e", "1"), Op::Parse, &panel, &of));
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    std::fs::create_dir(folder.path().join("e")).expect("a folder");
    write(
        "e/engine.toml",
        "language = \"\"\nlineage = \"\"\nnative = \"\"\nversion = [{ version = \"1\", unavailable = \"\" }, { version = \"2\", unavailable = \"\" }]\n",
    );
    write("urls.txt", &panel.text());
    let written = |version: &str, statements: &Statements| {
        let folders = EngineFolders::read(folder.path()).expect("valid folders");
        folders.engines[0].statements_text(Op::Parse, version, statements)
    };
    let first = written("2", &other);
    write("e/2.states.tsv", &first);
    let text = written("1", &own);
    assert_eq!(
        text.lines().skip(3).collect::<Vec<_>>(),
        ["parts user host port path ^2", "=", "^", "^", "^", "^", "^"]
    );
    let same = written("1", &other);
    assert_eq!(same.lines().skip(3).collect::<Vec<_>>(), ["same as 2"]);
    for (text, statements) in [(&same, &other), (&text, &own)] {
        write("e/1.states.tsv", text);
        let folders = EngineFolders::read(folder.path()).expect("valid folders");
        let file = folders.engines[0].statements(Op::Parse, "1").expect("a file");
        assert_eq!(file.read(&folders.panels.urls).map(Statements::text), Ok(statements.text()));
    }
    // What refers to a recording that is written once more keeps its answers.
    let mut newer = statements();
    newer.rotate_left(1);
    let newer = Statements::new(("e", "2"), Op::Parse, &panel, &newer);
    for text in [&text, &same] {
        write("e/1.states.tsv", text);
        let answers = |version: &str| {
            let folders = EngineFolders::read(folder.path()).expect("valid folders");
            let file = folders.engines[0].statements(Op::Parse, version).expect("a file");
            file.read(&folders.panels.urls).and_then(|it| it.all(&folders.panels.urls)).expect("valid")
        };
        let before = answers("1");
        let folders = EngineFolders::read(folder.path()).expect("valid folders");
        let texts = folders.engines[0].statements_texts(Op::Parse, "2", &newer);
        assert_eq!(texts.iter().map(|(version, _)| version.as_str()).collect::<Vec<_>>(), ["2", "1"]);
        for (version, text) in texts {
            write(&format!("e/{version}.states.tsv"), &text);
        }
        assert_eq!((answers("1"), answers("2")), (before, newer.all(&panel).expect("valid")));
        write("e/2.states.tsv", &first);
    }
    write("e/1.states.tsv", &text);
    write("e/2.states.tsv", &same.replace("same as 2", "same as 1"));
    let folders = EngineFolders::read(folder.path()).expect("valid folders");
    let file = folders.engines[0].statements(Op::Parse, "1").expect("a file");
    let error = file.read(&folders.panels.urls).expect_err("an error").to_string();
    assert!(error.ends_with("1.states.tsv:4: the version \"2\" has no recording of its own"), "{error}");
}

#[test]
fn damaged_statements_are_rejected_with_their_line() {
    let (path, panel) = (Path::new("e/1.states.tsv"), panel());
    let text = Statements::new(("e", "1"), Op::Parse, &panel, &statements()).text();
    let parse = |text: &str| match Statements::parse(path, text, Op::Parse, &panel) {
        Ok(read) => read.all(&panel).map(drop).expect_err("an error").to_string(),
        Err(error) => error.to_string(),
    };
    for (damaged, wanted) in [
        (text.replace("!crash\n", ""), "e/1.states.tsv:9: 5 statements, and there are 6 URLs"),
        (text.replace("!crash", "!failure"), "e/1.states.tsv:3: the statements do not have this digest"),
        (text.replace("!crash", "!boom"), "e/1.states.tsv:10: not a statement"),
        (text.replace("!crash", "a\tb"), "e/1.states.tsv:10: not a statement"),
        (text.replace("urls 6", "urls 7"), "e/1.states.tsv:2: the recording belongs to other URLs"),
        (String::new(), "e/1.states.tsv:1: a recording of statements has a line that begins with \"engine \" here"),
    ] {
        let error = parse(&damaged);
        assert!(error.starts_with(wanted), "{error}");
    }
}

#[test]
fn the_urls_of_recordings_are_those_of_the_rules() {
    let folders = EngineFolders::embedded().expect("valid folders");
    for (own, rules) in [(&folders.panels.urls, urls::panel()), (&folders.panels.redirects, redirects::panel())] {
        let remedy = "write them with `urlstrata engine urls`, and record the engines again";
        assert!(own.urls() == rules.urls(), "{remedy}");
    }
}

#[test]
fn every_recorded_statement_is_valid_and_has_one_form() {
    let folders = EngineFolders::embedded().expect("valid folders");
    let ops = Op::ABOUT_URLS;
    for op in ops {
        let of = |folder: &EngineFolder| {
            folder.description.versions.iter().filter(|it| folder.statements(op, &it.version).is_some()).count()
        };
        assert!(folders.engines.iter().map(of).sum::<usize>() > 0, "{}", op.name());
    }
    let all = folders.engines.par_iter().flat_map_iter(|folder| ops.map(|op| (folder, op)));
    all.for_each(|(folder, op)| {
        for version in folder.description.versions.iter().step_by(stride(3)) {
            let Some(file) = folder.statements(op, &version.version) else { continue };
            let call = if op == Op::Parse { &folder.description.states } else { &folder.description.connects };
            assert!(!call.is_empty(), "{}: engine.toml lacks the key for {}", folder.name, op.name());
            let panel = folder.panels.of(op);
            let read = file.read(panel).unwrap_or_else(|error| panic!("{error}"));
            let all = read.all(panel).unwrap_or_else(|error| panic!("{error}"));
            assert!(all.iter().any(Result::is_ok), "{}", folder.key(version));
            let again = Statements::new((&folder.name, &version.version), op, panel, &all);
            assert_eq!(again.text(), read.text(), "{}", folder.key(version));
        }
    });
}

/// What is recorded of a crate in this process is what the crate states.
#[test]
fn recorded_statements_are_those_of_the_crate() {
    let world = World::embedded().expect("a world");
    let recorded = world.engine("recorded:crate-url").expect("a recording");
    let live = by_name("crate:url").expect("an engine");
    assert!(recorded.states() && live.states());
    for url in urls::panel().urls() {
        let [one, other] = [recorded.as_ref(), live.as_ref()].map(|engine| ask_parts(engine, url));
        assert!(is_same(&one, &other), "{url:?}: {one:?} and {other:?}");
    }
    // The steps predict what it states about another URL. Of an engine without steps, that is not known.
    let outside = "http://outside.the.panel/";
    assert!(is_same(&recorded.parse(outside), &live.parse(outside)));
    let outside = world.engine("pike").expect("a recording").parse(outside);
    assert!(matches!(&outside, Err(Outcome::Skipped(why)) if why.starts_with("not asked")), "{outside:?}");
}

/// A recording of connections has the usual values of a request as `=`, and does not answer another question.
#[test]
fn connections_are_recorded_with_their_question() {
    let panel = UrlPanel::new([redirect("http://h/", "http://u@h:81/p?q"), redirect("http://h/", "/p")]);
    let visits = vec![
        parts(&[("host", Some("h")), ("port", Some("81")), ("field", Some("h:81")), ("target", Some("/p?q"))]),
        parts(&[("host", Some("h")), ("port", Some("80")), ("credentials", Some("u:p"))]),
    ];
    let written = Statements::new(("e", "1"), Op::Follow, &panel, &visits);
    let text = written.text();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "engine e 1 follow");
    assert_eq!(lines[3..], ["parts host port credentials field target", "=\t=\t\\-\t=\t=", "h\t80\tu:p\t\\-\t\\-"]);
    let path = Path::new("e/1.follows.tsv");
    let read = Statements::parse(path, &text, Op::Follow, &panel).expect("valid");
    assert!(read.all(&panel).expect("valid").iter().zip(&visits).all(|(one, other)| is_same(one, other)));
    let error = Statements::parse(path, &text, Op::Connect, &panel).expect_err("an error").to_string();
    assert_eq!(error, "e/1.follows.tsv:1: the recording answers follow, and not connect");
    assert_eq!(redirected(&panel.urls()[1]), Some(("http://h/", "/p")));
}
