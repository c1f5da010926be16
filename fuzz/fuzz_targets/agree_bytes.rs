//! Every form of the optimized implementation says what each revision says step by step, of any bytes.
#![no_main]

use urlstrata_fuzz::{AgreeBytes, Strings, begin, hold, mutate};

libfuzzer_sys::fuzz_target!(init: begin(), |case: Strings| hold::<AgreeBytes>(&case));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| { mutate(data, size, max, seed) });
