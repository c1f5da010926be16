//! Runs this program as an observer of itself as a client.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, ExitCode, Stdio};

use serde_json::Value;

use crate::client;

/// The argument that makes this program an observer.
pub(crate) const FLAG: &str = "--observe";

pub(crate) fn main(mode: &str) -> ExitCode {
    let program = std::env::current_exe().expect("a path").to_string_lossy().into_owned();
    let words = [program, client::FLAG.to_owned(), mode.to_owned()];
    match urlstrata_wire::observe(&words, std::io::stdin().lock(), std::io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The mode of a client whose observer does not find `openssl`.
pub(crate) const WITHOUT_OPENSSL: &str = "without openssl";

fn observer(mode: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.args([FLAG, mode]).env("HTTP_PROXY", "http://proxy.test:1/").env("all_proxy", "http://proxy.test:1/");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if mode == WITHOUT_OPENSSL {
        command.env("PATH", "/nowhere");
    }
    command
}

/// Returns the answers to `requests`, which get ids; `None` where namespaces are not permitted, which is printed.
pub(crate) fn observed(mode: &str, requests: &[Value]) -> Option<Vec<Value>> {
    let mut child = observer(mode).spawn().expect("the observer starts");
    let mut input = child.stdin.take().expect("a pipe");
    for (id, request) in requests.iter().enumerate() {
        let mut request = request.clone();
        request["id"] = id.into();
        writeln!(input, "{request}").expect("the observer reads");
    }
    drop(input);
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let lines: Vec<Value> =
        output.lines().map(|line| serde_json::from_str(&line.expect("text")).expect("JSON")).collect();
    let mut errors = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
    assert!(child.wait().expect("it ends").success(), "{errors}");
    if lines[0]["engine"] == urlstrata_wire::UNOBSERVED {
        println!("left out: {}", lines[1]["skipped"]);
        return None;
    }
    assert_eq!(lines.len(), requests.len() + 1, "{lines:?} {errors}");
    Some(lines[1..].to_vec())
}

/// Returns the sentence of an observer that refuses the client; `None` where namespaces are not permitted.
pub(crate) fn refused(mode: &str) -> Option<String> {
    let output = observer(mode).stdin(Stdio::null()).output().expect("the observer runs");
    if String::from_utf8_lossy(&output.stdout).contains(urlstrata_wire::UNOBSERVED) {
        return None;
    }
    assert!(!output.status.success());
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Returns the parts of an answer.
#[track_caller]
pub(crate) fn parts(answer: &Value) -> Value {
    assert!(answer["parts"].is_object(), "{answer}");
    answer["parts"].clone()
}

/// Returns the failure of an answer.
#[track_caller]
pub(crate) fn failure(answer: &Value) -> &str {
    answer["failure"].as_str().unwrap_or_else(|| panic!("{answer}"))
}
