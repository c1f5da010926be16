//! The property `Documents`.
#![no_main]

urlstrata_fuzz::target!(Documents);
