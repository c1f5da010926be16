//! No divergence of an engine in this process from a document is unexplained.
#![no_main]

use urlstrata_fuzz::{Explained, Pair, begin, hold, mutate};

libfuzzer_sys::fuzz_target!(init: begin(), |case: Pair| hold::<Explained>(&case));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| { mutate(data, size, max, seed) });
