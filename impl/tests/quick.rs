//! The tests of all other files in a scope of one second, for `cargo mutants`.

#[path = "all.rs"]
mod all;
#[path = "allocations.rs"]
mod allocations;
