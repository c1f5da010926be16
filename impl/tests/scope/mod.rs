//! The scope of a test: all inputs, or those that a second allows.

/// Returns the step between the inputs that a test takes of all that it enumerates: `usual`, or 1 if the environment variable
/// `URLSTRATA_EXHAUSTIVE` is 1, as in `.ci/run`. `usual` has no common factor with the number of characters of an enumeration, so
/// that each character is taken at each place.
#[allow(dead_code, reason = "each test program uses a part of this module")]
pub(crate) fn stride(usual: usize) -> usize {
    let is_exhaustive = std::env::var_os("URLSTRATA_EXHAUSTIVE").is_some_and(|value| value == "1");
    if is_exhaustive { 1 } else { scope(usual, 1) }
}

/// Returns `whole`, or `quick` in the test program of that name, which `cargo mutants` runs.
pub(crate) fn scope<N>(whole: N, quick: N) -> N {
    if env!("CARGO_CRATE_NAME") == "quick" { quick } else { whole }
}
