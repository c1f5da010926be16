//! Surveys of many pairs: enumeration, comparison of engines, and counts of divergences by cause.

pub mod advisories;
pub mod clients;
pub mod compare;
pub mod comparison;
pub mod components;
pub mod confusion;
pub mod enumerate;
pub mod examples;
pub mod fields;
pub mod forms;
pub mod frequency;
pub mod host_characters;
pub mod panel;
pub mod redirects;
pub mod result;
pub mod rows;
pub mod schemes;
pub mod statements;
pub mod stream;
pub mod tally;
pub mod urls;
pub mod validity;
pub mod witness;
