//! Every form of the optimized implementation says what each revision says step by step, of pairs built from the grammars.
#![no_main]

use urlstrata_fuzz::{Agree, Pair, begin, hold, mutate};

libfuzzer_sys::fuzz_target!(init: begin(), |pair: Pair| hold::<Agree>(&pair));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| { mutate(data, size, max, seed) });
