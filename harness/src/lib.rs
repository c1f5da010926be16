//! The differential conformance harness: vectors, engines, attribution and reports.
//!
//! It uses the public API of `urlstrata` only. The modules form layers: a module uses only modules that are listed after it, which
//! `tests/layers.rs` checks.
//!
//! | module | content |
//! | --- | --- |
//! | `cli` (of the program) | one file per command; input and output |
//! | [`report`] | one value, rendered as Markdown and JSON |
//! | [`explain`] | everything there is to report about one pair |
//! | [`survey`] | many pairs: enumeration, comparison of engines, counts by cause |
//! | [`world`] | vectors, known deviations and engines, built once and passed down |
//! | [`model`] | the profile of an engine, attribution of divergences, known deviations, shrinking |
//! | [`normalize`] | what engines do to characters, as normalizations, validations and quirks |
//! | [`vector`] | vectors: files, the kinds with check and evaluation, coverage |
//! | [`evaluate`] | results of revisions and grammars, compared and in words |
//! | [`engine`] | engines in this process and as programs |
//! | [`protocol`] | the engine protocol, without input or output |
//! | [`document`] | HTML, MIME messages and text: bases and links |
//! | [`pairs`] | bases and references, given or generated |
//! | [`outcome`] | what an engine returns |
//! | [`yaml`], [`unique_map`], [`lines`], [`files`], [`plural`], [`escape`] | text and files |

pub mod document;
pub mod engine;
pub mod escape;
pub mod evaluate;
pub mod explain;
pub mod files;
pub mod lines;
pub mod model;
pub mod normalize;
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

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
