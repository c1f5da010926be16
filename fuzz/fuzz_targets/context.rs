//! URLs in running text lie in order between their delimiters, are what stands there without white space, and are found again by
//! a search that remembers nothing.
#![no_main]

use urlstrata_fuzz::{RunningText, Text, begin, hold, mutate};

libfuzzer_sys::fuzz_target!(init: begin(), |text: Text| hold::<RunningText>(&text));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| { mutate(data, size, max, seed) });
