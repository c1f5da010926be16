//! Differential conformance harness: vectors, engines, attribution and reports.
//!
//! The harness only uses the public API of `urlstrata`. It consists of crates, each of which uses only crates listed after
//! it. This crate makes the modules of the crates below it available under its own name.
//!
//! | crate | content |
//! | --- | --- |
//! | `urlstrata-command` | the command: one file for each subcommand; input and output |
//! | `urlstrata-report` | the reports, computed as one value and rendered as Markdown and JSON |
//! | `urlstrata-harness` | this crate |
//! | `urlstrata-suite` | [`vector`], [`evaluate`], [`yaml`], [`files`]: the vectors |
//! | `urlstrata-model` | [`fit`], [`behaviour`], [`pairs`]: the behaviours that predict engines |
//! | `urlstrata-document` | [`document`]: bases and links of HTML, MIME messages, text and WARC files |
//! | `urlstrata-engines` | the engine folders, packed |
//! | `urlstrata-outcome` | [`outcome`], [`plural`], [`escape`]: the results that engines return, and text |
//!
//! The modules of this crate form layers, too. A module only uses modules listed after it, which `tests/library/layers.rs`
//! checks.
//!
//! | module | content |
//! | --- | --- |
//! | [`explain`] | the results of all specifications and engines for one pair |
//! | [`survey`] | many pairs: enumeration, comparison of engines, counts by cause |
//! | [`world`] | vectors, known deviations and engines, built once and passed down |
//! | [`knowledge`] | what is known of engines: recorded behaviours, attribution of divergences, known deviations, shrinking |
//! | [`engine`] | engines in this process and in other programs |
//! | [`protocol`] | the engine protocol, without input or output |
//! | [`layout`] | the width of lines, and the marks of what differs |
//! | [`names`] | the names that people use for specifications |
//! | [`pasted`], [`unique_map`], [`lines`] | text |

pub use urlstrata_document as document;
pub use urlstrata_model::{behaviour, fit, pairs};
pub use urlstrata_outcome::{self as outcome, escape, plural};
pub use urlstrata_suite::{evaluate, files, vector, yaml};

pub mod engine;
pub mod explain;
pub mod knowledge;
pub mod layout;
pub mod lines;
pub mod names;
pub mod pasted;
pub mod protocol;
pub mod survey;
pub mod unique_map;
pub mod world;

/// Compiles and runs the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
