//! The tests of all other files in a scope of one second, for `cargo mutants`.

#![allow(clippy::duplicate_mod, reason = "each of these files is also a test program of its own")]

#[path = "accesses.rs"]
mod accesses;
#[path = "agreement.rs"]
mod agreement;
#[path = "allocations.rs"]
mod allocations;
#[path = "base.rs"]
mod base;
#[path = "batch.rs"]
mod batch;
#[path = "boundaries.rs"]
mod boundaries;
#[path = "characters.rs"]
mod characters;
#[path = "components.rs"]
mod components;
#[path = "context.rs"]
mod context;
#[path = "grammar.rs"]
mod grammar;
#[path = "page_ends.rs"]
mod page_ends;
#[path = "properties.rs"]
mod properties;
#[path = "schemes.rs"]
mod schemes;
#[path = "skips.rs"]
mod skips;
#[path = "traces.rs"]
mod traces;
#[cfg(feature = "whatwg")]
#[path = "whatwg.rs"]
mod whatwg;
#[path = "words.rs"]
mod words;
