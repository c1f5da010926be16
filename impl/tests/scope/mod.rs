//! How much of a law is tried: all of it, or what a second allows.

/// `whole`, but `quick` in the program of that name, which judges mutations.
pub(crate) fn scope<N>(whole: N, quick: N) -> N {
    if env!("CARGO_CRATE_NAME") == "quick" { quick } else { whole }
}
