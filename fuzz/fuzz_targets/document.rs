//! What is told of a document is in order, with a base that is absolute, links that lead where the revision says, lines that are
//! there, the same each time, and linear in its bytes.
#![no_main]

use urlstrata_fuzz::{Bytes, Documents, begin, hold};

libfuzzer_sys::fuzz_target!(init: begin(), |bytes: Bytes| hold::<Documents>(&bytes));
