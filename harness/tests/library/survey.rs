//! Surveys of many pairs.

mod advisories;
mod clients;
mod comparison;
mod confusion;
mod enumerate;
mod examples;
mod fields;
mod frequency;
mod host_characters;
mod matrix;
mod panel;
mod tally;
mod validity;
