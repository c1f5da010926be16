//! Every published state of relative-URL resolution since 1994.
//!
//! Two tables and a test: [`revision`] holds each document as a table of numbered steps, [`rules`] holds the
//! questions on which the documents differ, [`fast`] is one engine under a row of answers, and the tests hold
//! the two equal. [`grammar`] holds the productions of the documents that have some: what is a URL at all; [`context`] finds
//! URLs in running text, and [`base`] says which of a document's bases counts.
//! [`characters`] holds each document's classes of characters, [`scheme`] what RFC 1738's ten schemes make of a URL.
//!
//! Resolve by one revision, for example RFC 3986:
//!
//! ```
//! use urlstrata::fast;
//! use urlstrata::revision::rfc3986;
//!
//! let mut target = String::new();
//! fast::resolve_into(&rfc3986::RULES, "http://a/b/c/d;p?q", "../g", &mut target)?;
//! assert_eq!(target, "http://a/b/g");
//! # Ok::<(), fast::Undefined>(())
//! ```
//!
//! Compare the two implementations of every revision:
//!
//! ```
//! use urlstrata::{fast, revision};
//!
//! for (revision, rules) in revision::resolving() {
//!     let by_steps = revision.resolve("http://a/b/c/d;p?q", "../../../g").map(|target| target.url);
//!     let by_rules = fast::resolve(rules, "http://a/b/c/d;p?q", "../../../g");
//!     assert_eq!(by_steps.ok(), by_rules.ok());
//! }
//! ```
//!
//! # Invariants
//!
//! - `revision` and `fast` do not see each other; they meet in `tests/agreement.rs`.
//! - No code outside a revision's file asks which revision it is.
//! - No I/O, no panic on any pair of strings, time linear in the input when no trace is kept (`tests/properties.rs`).
//! - No `unsafe` but in `fast/x86.rs`, under the feature `simd`; it reads no byte beside a text and writes none beside the
//!   room for a result (`tests/page_ends.rs`).
//! - A grammar's productions and the code written by hand for the same language do not see each other; they meet in
//!   `tests/grammar.rs`.
//! - `context` and `base` see no revision: each states a row for them. Time is linear, also on what is never closed
//!   (`tests/context.rs`).
//! - Parsing and resolving decode, encode and check nothing: what no document calls a delimiter is copied. Only `characters`
//!   and `scheme` do.

#![no_std]
#![cfg_attr(not(all(feature = "simd", target_arch = "x86_64")), forbid(unsafe_code))]

extern crate alloc;

pub mod base;
pub mod characters;
pub mod context;
pub mod fast;
pub mod grammar;
mod resolution;
pub mod revision;
pub mod rules;
pub mod scheme;
mod scheme_name;
mod step;

pub use resolution::{Meaning, Rejection, Resolution, Target};
pub use step::{StepText, Trace, TraceEntry};

/// The examples in the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
