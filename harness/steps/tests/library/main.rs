//! The tests of the library, in one program.

#![allow(missing_docs, reason = "tests")]

mod frame;
mod parting;
mod specifications;
mod text;
mod version;
