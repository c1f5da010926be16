//! The property `Grammars`.
#![no_main]

urlstrata_fuzz::target!(Grammars, mutate);
