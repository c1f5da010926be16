//! The property `Protocol`.
#![no_main]

urlstrata_fuzz::target!(Protocol);
