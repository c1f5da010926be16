//! The tests of the other files as one program, which is compiled in a third of the time of one for each file.
//!
//! The tests of allocations are a program of their own, because their allocator is slow.

#![allow(clippy::duplicate_mod, reason = "some of these files are also test programs of their own")]

#[path = "accesses.rs"]
mod accesses;
#[path = "agreement.rs"]
mod agreement;
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
#[path = "statements.rs"]
mod statements;
#[path = "traces.rs"]
mod traces;
#[cfg(feature = "whatwg")]
#[path = "whatwg.rs"]
mod whatwg;
#[path = "words.rs"]
mod words;
