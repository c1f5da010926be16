//! Public security advisories as cases.

use std::collections::BTreeSet;
use std::path::Path;

use urlstrata_harness::engine::{ask, ask_urls};
use urlstrata_harness::knowledge::advisory::{Advisory, Answered};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::survey::advisories::rows;
use urlstrata_harness::world::World;

/// What is recorded of an affected and of a fixed version is what the advisory states.
#[test]
fn recorded_versions_answer_as_the_advisories_state() {
    let rows = rows(&World::embedded().expect("a world")).unwrap_or_else(|error| panic!("{error}"));
    let ids: BTreeSet<_> = rows.iter().map(|row| (&row.advisory.id, &row.advisory.input)).collect();
    assert_eq!(ids.len(), rows.len(), "an advisory with the same input occurs twice");
    for row in &rows {
        let Advisory { id, happened, happens, .. } = &row.advisory;
        let sides = &row.sides;
        assert_ne!(row.is_shown, Some(false), "{id}: {happened} and {happens}, but {sides:?} are recorded");
    }
    assert!(rows.iter().any(|row| row.is_shown == Some(true)));
    let found = |id: &str| rows.iter().find(|row| row.advisory.id == id).and_then(|row| row.found.clone());
    // The command shows its kind by the input of an advisory, which does not count, and by this URL as an example.
    let (command, url) = found("GHSA-333x-w4r6-6crp").expect("a command");
    assert_eq!((command.contains("--examples"), url.as_str()), (true, "java%0ascript:alert(1)"), "{command}");
    // The affected version is described by steps, and not recorded.
    assert!(found("CVE-2019-9636").is_some());
}

/// The same for versions that only steps describe.
#[test]
fn described_versions_answer_as_the_advisories_state() {
    let world = World::embedded().expect("a world");
    let mut compared = 0;
    for advisory in Advisory::all().unwrap_or_else(|error| panic!("{error}")) {
        let Advisory { id, base, input, happened, happens, before, after, .. } = &advisory;
        for (name, expected) in [(before, happened), (after, happens)] {
            let Some(engine) = Some(name).filter(|name| !name.is_empty()).map(|name| world.engine(name)) else {
                continue;
            };
            let engine = engine.unwrap_or_else(|error| panic!("{id}: {error}"));
            let answer = match advisory.operation.op() {
                Op::Resolve => match ask(engine.as_ref(), base, input) {
                    Outcome::Url(url) => Ok(vec![("url".to_owned(), Some(url))]),
                    other => Err(other),
                },
                op => ask_urls(engine.as_ref(), op, &[input]).pop().expect("an answer"),
            };
            assert!(expected.is_answer(&answer), "{id}: {name} answers {answer:?}, and not {expected}");
            compared += 1;
        }
    }
    assert!(compared > 0);
}

#[test]
fn answers_are_compared_by_the_parts_that_matter() {
    let rejection = Err(Outcome::Failure("no".to_owned()));
    let part = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
    let stated = Ok(vec![part("host", Some("a")), part("port", None), part("path", Some("/"))]);
    let answered = |yaml: &str| serde_yaml::from_str::<Answered>(yaml).expect("an answer");
    assert!(answered("failure").is_answer(&rejection) && !answered("failure").is_answer(&stated));
    assert!(answered("{host: a, port: null, user: null}").is_answer(&stated));
    assert!(!answered("{host: b}").is_answer(&stated) && !answered("{host: a}").is_answer(&rejection));
    assert_eq!(answered("{host: a, port: null}").to_string(), "host=a  no port");
}

#[test]
fn advisories_without_engines_need_a_reason() {
    let parse = |text: &str| Advisory::parse(Path::new("a.yaml"), text.as_bytes()).map(|all| all.len());
    let advisory = |more: &str| {
        format!(
            "advisories:\n  - id: \"X-1\"\n    ecosystem: \"npm\"\n    package: \"p\"\n    introduced: \"0\"\n    fixed: \"1\"\n    \
             operation: \"parse\"\n    input: \"http://a/\"\n    effect: \"host\"\n    happened: \"failure\"\n    happens: \"failure\"\n    \
             reference: \"\"\n{more}"
        )
    };
    assert_eq!(parse(&advisory("    uncovered: \"It is an application.\"\n")).expect("valid"), 1);
    assert_eq!(parse(&advisory("    before: \"a@1\"\n    after: \"a@2\"\n")).expect("valid"), 1);
    for (more, wanted) in [
        ("", "a.yaml: X-1: needs `before` and `after`"),
        ("    before: \"a@1\"\n", "a.yaml: X-1: needs `before` and `after`"),
        ("    checker: \"a\"\n    fetcher: \"b\"\n    uncovered: \"x\"\n", "a.yaml: X-1: needs `before` and `after`"),
        ("    after_all: \"a\"\n", "a.yaml:13: unknown field `after_all`"),
    ] {
        let error = parse(&advisory(more)).expect_err("an error").to_string();
        assert!(error.starts_with(wanted), "{error}");
    }
}
