//! Helpers that run the `urlstrata` program as a user does.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Returns the command that runs `urlstrata` with `arguments`.
pub(crate) fn urlstrata(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlstrata"));
    // In a step of GitHub Actions the program would write annotations.
    command.args(arguments).env_remove("GITHUB_ACTIONS");
    command
}

/// Runs `urlstrata` with `arguments` and `input` on standard input, and waits until it exits.
pub(crate) fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = urlstrata(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    output
}

/// Asserts that the command exited with `code`, that its standard output or standard error contains `expected`, and that it
/// did not panic.
#[track_caller]
pub(crate) fn ends(output: &Output, code: i32, expected: &str) {
    let both = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let shown: String = both.chars().take(2000).collect();
    assert_eq!(output.status.code(), Some(code), "{shown}");
    assert!(both.contains(expected), "{shown:?} does not contain {expected:?}");
    assert!(!both.contains("panicked"), "{shown}");
}
