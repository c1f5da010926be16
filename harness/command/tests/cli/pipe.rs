//! An external program can be used wherever an engine name is accepted, and its results are those of the same engine in
//! this process.

use crate::program::{ends, urlstrata, with_input};

/// Returns the name of the engine that runs `urlstrata engine serve` with a built-in `engine`.
fn served(engine: &str) -> String {
    let program = shlex::try_quote(env!("CARGO_BIN_EXE_urlstrata")).expect("no NUL");
    format!("cmd:{program} engine serve {engine}")
}

/// Asserts that the command exits with `code` and that its output contains `expected`.
#[track_caller]
fn prints(arguments: &[&str], code: i32, expected: &str) {
    ends(&urlstrata(arguments).output().expect("the command ends"), code, expected);
}

#[test]
fn an_engine_in_another_process_returns_the_results_of_the_built_in_engine() {
    let pairs =
        "http://a/b/c\t../g\nhttp://a/b\t\\\\h\\ \u{e9}\n\tg\nmailto:a\tx\n\nno tab\nhttp://a\t//[::1\n".repeat(20);
    let requests = "{\"id\":\"a\",\"op\":\"parse\",\"url\":\"http://u@h:81/p?q\"}\n{\"id\":2,\"op\":\"parse\",\"url\":\"::\"}\n{\"id\":3}\n\
                    {\"id\":4,\"op\":\"resolve\",\"base\":\"http://a/\",\"reference\":\"\\u0000\"}\n";
    for engine in ["crate:url", "crate:iri-string", "fast:rfc2396"] {
        for (way, input) in [(["--pairs", "-"].as_slice(), pairs.as_str()), (&["--jsonl"], requests)] {
            let [direct, piped] = [engine.to_owned(), served(engine)]
                .map(|name| with_input(&[&["resolve", "--as", name.as_str()], way].concat(), input.as_bytes()));
            assert!(!direct.stdout.is_empty());
            assert_eq!(
                String::from_utf8_lossy(&piped.stdout),
                String::from_utf8_lossy(&direct.stdout),
                "{engine} {way:?}"
            );
            assert_eq!((piped.status, piped.stderr), (direct.status, direct.stderr), "{engine} {way:?}");
        }
    }
}

#[test]
fn every_command_that_accepts_an_engine_accepts_a_program() {
    let rfc3986 = served("ref:rfc3986");
    // The name of the engine in its hello replaces the command.
    prints(&["engine", "smoke", &rfc3986], 0, &format!("ref:rfc3986 {}: 12 of 12 plain", env!("CARGO_PKG_VERSION")));
    prints(&["run", "-k", "rfc3986/*", "-e", &rfc3986], 0, "explained, 0 unexplained\n");
    prints(&["explain", "../x", "--base", "http://a/b", "-e", &rfc3986], 0, "ref:rfc3986 does not differ from rfc3986");
    prints(
        &["enumerate", "--length", "2", "--base", "http://a/b/c", &rfc3986, "rfc3986"],
        0,
        "73 cases, 73 agree, 0 explained, 0 unexplained",
    );
    prints(&["enumerate", "--length", "1", "crate:oxiri", &rfc3986], 0, "234 cases, ");
    prints(&["compare", "--length", "1", "ref:rfc3986", &rfc3986], 0, "234 pairs, 234 equal, 0 different");
    let rfc1808 = served("ref:rfc1808");
    prints(
        &["shrink", "--base", "http://a/b/c", "../../x/../../g", "-e", &rfc1808],
        0,
        "because the path without dot segments: 5.2.4 2C | 6e",
    );
}

#[test]
fn a_program_that_fails_the_smoke_test_is_rejected() {
    for (command, sentence) in [
        ("cmd:./no/such/program", "cmd:./no/such/program cannot be started: "),
        ("cmd:true", "cmd:true wrote no greeting: exit status: 0"),
        (
            &served("ref:rfc1738"),
            "serve ref:rfc1738 failed the smoke test: \"g\" on \"http://a/b/c/d?q\" is \"http://a/b/c/g\" in every specification",
        ),
        ("cmd:echo hello", "cmd:echo hello is not understood: its first line is not a greeting, not a JSON object"),
        (
            r#"cmd:echo '{"protocol":1,"engine":"e","version":"1","ops":["parse"]}'"#,
            "failed the smoke test on \"http://h/x\": crash: exit status: 0",
        ),
    ] {
        prints(&["engine", "smoke", command], 69, sentence);
        prints(&["resolve", "--as", command, "g"], 69, sentence);
        prints(&["run", "-e", command, "-e", "crate:url"], 69, sentence);
        prints(&["profile", command], 69, sentence);
    }
    prints(&["engine", "smoke", "ref:rfc1738"], 69, "ref:rfc1738 failed the smoke test");
    prints(&["engine", "smoke", "cmd:"], 64, "cmd: names no program");
    prints(&["engine", "smoke", "cmd:'a"], 64, "left open");
    prints(&["engine", "smoke", "crate:nosuch"], 64, "cmd:COMMAND or NAME=cmd:COMMAND");
}
