//! The property `Agree`.
#![no_main]

urlstrata_fuzz::target!(Agree, mutate);
