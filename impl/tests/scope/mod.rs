//! The scope of a test: all inputs, or those that a second allows.

/// Returns `whole`, or `quick` in the test program of that name, which `cargo mutants` runs.
pub(crate) fn scope<N>(whole: N, quick: N) -> N {
    if env!("CARGO_CRATE_NAME") == "quick" { quick } else { whole }
}
