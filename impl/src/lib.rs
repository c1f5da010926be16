//! Resolves URL references by any published revision of the algorithm: `fast::resolve(&rfc3986::RULES, base, reference)`.
//!
//! ```
//! use urlstrata::fast;
//! use urlstrata::revision::rfc3986;
//!
//! assert_eq!(fast::resolve(&rfc3986::RULES, "http://a/b/c/d;p?q", "../g")?, "http://a/b/g");
//! # Ok::<(), fast::Undefined>(())
//! ```
//!
//! # Modules
//!
//! - [`revision`] has each specification as a table of numbered steps: the reference implementations, with traces. The
//!   URL Standard is one of them, in eight dated states.
//! - [`rules`] has the points on which the revisions differ. Each revision has a rule set.
//! - [`fast`] is the optimized engine. It resolves and splits URLs by any rule set.
//! - [`grammar`] has the productions of five specifications, to validate URLs.
//! - [`characters`] has the character classes of each specification, to encode and decode.
//! - [`scheme`] reads the fields of a URL by the ten schemes of RFC 1738.
//! - [`context`] finds URLs in running text.
//! - [`base`] determines the base URL of a document.
//!
//! # Two implementations
//!
//! Each RFC and draft has two implementations, the steps and the rule set, which return the same results:
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
//! - `revision` and `fast` do not use each other. `tests/agreement.rs` compares their results.
//! - No code outside a revision's file depends on which revision it is.
//! - There is no I/O. No pair of strings causes a panic. Without a trace, time is linear in the input
//!   (`tests/properties.rs`).
//! - `unsafe` occurs only in `fast/x86.rs`, with the feature `simd`. That module reads no byte outside its input and
//!   writes no byte outside the output's capacity (`tests/page_ends.rs`).
//! - The productions of a grammar and its hand-written validator do not use each other. `tests/grammar.rs` compares them.
//! - `context` and `base` do not depend on a revision: each revision states its settings for them. Their time is linear,
//!   also for delimiters that are never closed (`tests/context.rs`).
//! - Parsing and resolving by the RFCs neither decode, encode nor validate: they copy every character that is not a
//!   delimiter. Only `characters`, `scheme` and the URL Standard, [`revision::whatwg`], decode and encode.

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
pub mod slots;
mod step;

pub use resolution::{Meaning, Rejection, Resolution, Target};
pub use step::{StepText, Trace, TraceEntry};

/// The examples in the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
