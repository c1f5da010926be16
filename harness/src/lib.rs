//! Differential conformance harness: vectors, engines, attribution and reports.
//!
//! The harness only uses the public API of `urlstrata`. The modules form layers. A module only uses modules listed
//! after it, which `tests/library/layers.rs` checks.
//!
//! | module | content |
//! | --- | --- |
//! | `cli` (of the program) | one file per command; input and output |
//! | [`report`] | the reports, computed as one value and rendered as Markdown and JSON |
//! | [`explain`] | the results of all specifications and engines for one pair |
//! | [`survey`] | many pairs: enumeration, comparison of engines, counts by cause |
//! | [`world`] | vectors, known deviations and engines, built once and passed down |
//! | [`model`] | what is known of engines: behaviours, attribution of divergences, known deviations, shrinking |
//! | [`fit`] | the fit of a behaviour to an engine: probes, tables, climbing |
//! | [`behaviour`] | the parameters that describe an engine, and the resolver that they control |
//! | [`vector`] | files and kinds of vectors, their evaluation, and coverage |
//! | [`evaluate`] | comparison of the results of revisions and grammars |
//! | [`engine`] | engines in this process and in other programs |
//! | [`protocol`] | the engine protocol, without input or output |
//! | [`document`] | HTML, MIME messages, text and WARC files: bases and links |
//! | [`pairs`] | bases and references, given or generated |
//! | [`outcome`] | the results that engines return |
//! | [`yaml`], [`unique_map`], [`lines`], [`files`], [`plural`], [`escape`] | text and files |

pub mod behaviour;
pub mod document;
pub mod engine;
pub mod escape;
pub mod evaluate;
pub mod explain;
pub mod files;
pub mod fit;
pub mod lines;
pub mod model;
pub mod outcome;
pub mod pairs;
pub mod plural;
pub mod protocol;
pub mod report;
pub mod survey;
pub mod unique_map;
pub mod vector;
pub mod world;
pub mod yaml;

/// Compiles and runs the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
