//! RFC 1738's schemes write back what they read, depart from their grammar only with a mark and from the url crate only with a
//! reason, and send no line that is broken.
#![no_main]

use urlstrata_fuzz::{Schemes, Text, begin, hold, mutate};

libfuzzer_sys::fuzz_target!(init: begin(), |text: Text| hold::<Schemes>(&text));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| { mutate(data, size, max, seed) });
