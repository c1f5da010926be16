//! The property `Schemes`.
#![no_main]

urlstrata_fuzz::target!(Schemes, mutate);
