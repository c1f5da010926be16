//! The property `RunningText`.
#![no_main]

urlstrata_fuzz::target!(RunningText, mutate);
