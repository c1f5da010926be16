//! Tests of the library. They are one program, because each program that is linked contains the recordings.

mod acceptance;
mod behaviour;
mod causes;
mod client;
mod conversation;
mod crates;
mod engine;
mod explain;
mod faulty;
mod hosts;
mod knowledge;
mod layers;
mod lines;
mod notable;
mod observed_result;
mod outcome;
mod pasted;
mod rates;
mod recordings;
mod schemes;
mod settings;
mod steps;
mod stream;
mod survey;
mod url_standard;

/// Returns the step between the inputs that a test takes of all that it enumerates, or the divisor of the number of random ones:
/// `usual`, or 1 if the environment variable `URLSTRATA_EXHAUSTIVE` is 1, as in `.ci/run`.
fn stride(usual: usize) -> usize {
    if std::env::var_os("URLSTRATA_EXHAUSTIVE").is_some_and(|value| value == "1") { 1 } else { usual }
}
