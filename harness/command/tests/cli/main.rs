//! Tests of the command. They are one program, because each program that is linked contains the recordings.

mod by_readme;
mod commands;
mod export;
mod formats;
mod golden;
mod hosts;
mod known;
mod links;
mod merge;
mod package;
mod pipe;
mod schema;
mod unread;
mod warc;

#[path = "../folder/mod.rs"]
mod folder;
#[path = "../program/mod.rs"]
mod program;

/// Returns the step between the inputs that a test takes of all that it has, or the divisor of their size: `usual`, or 1 if the
/// environment variable `URLSTRATA_EXHAUSTIVE` is 1, as in `.ci/run`.
fn stride(usual: usize) -> usize {
    if std::env::var_os("URLSTRATA_EXHAUSTIVE").is_some_and(|value| value == "1") { 1 } else { usual }
}
