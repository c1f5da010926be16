//! Whatever an engine writes, each request ends once; whatever is written to one of ours, each line has one answer.
#![no_main]

use urlstrata_fuzz::{Bytes, Protocol, begin, hold};

libfuzzer_sys::fuzz_target!(init: begin(), |case: Bytes| hold::<Protocol>(&case));
