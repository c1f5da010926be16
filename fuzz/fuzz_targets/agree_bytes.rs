//! The property `AgreeBytes`.
#![no_main]

urlstrata_fuzz::target!(AgreeBytes, mutate);
