//! Productions and hand-written validators say the same of every text, a member's parts nest and are put together again, and a
//! text stops where no member goes on.
#![no_main]

use urlstrata_fuzz::{Grammars, Text, begin, hold, mutate};

libfuzzer_sys::fuzz_target!(init: begin(), |text: Text| hold::<Grammars>(&text));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| { mutate(data, size, max, seed) });
