//! The property `Explained`.
#![no_main]

urlstrata_fuzz::target!(Explained, mutate);
