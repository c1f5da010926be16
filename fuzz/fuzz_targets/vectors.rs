//! Bytes as a file of vectors, or about an engine, are refused with a line of text that names one of theirs, or are loaded and have
//! one canonical form; and a vector that is loaded can be judged.
#![no_main]

use urlstrata_fuzz::{Bytes, VectorFiles, begin, hold};

libfuzzer_sys::fuzz_target!(init: begin(), |bytes: Bytes| hold::<VectorFiles>(&bytes));
