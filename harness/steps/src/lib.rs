//! Engines as tables of steps: what each function of a library does to a URL, and since which version.
//!
//! A [`Table`] is read from the source of an engine. Its rows have a label (the source's function and the point in it), a sentence and a
//! function over [slots](urlstrata::slots). A change of the library is data: the first version on each branch, the date, the issue and a
//! witness; rows exist before or since a change, so that every version of the engine is a state of one table.
//!
//! An engine that implements the URL Standard runs its dated table in `urlstrata`, with the changes that it has adopted and with steps of
//! its own instead of some of the Standard's: see [`Next::Standard`].
//!
//! [`parting::chain`] compares two runs slot by slot and names the steps by which they part.

#![forbid(unsafe_code)]

pub mod parting;
pub mod standard;
mod state;
mod table;
pub mod text;
mod version;

pub use parting::{EngineRun, Link, Observation, RevisionRun, Runner, WithDefaultPort, chain};
pub use state::{NO_VERDICT, Run, Side, State};
pub use table::{Change, Dated, Field, Next, Question, Standard, Step, Table, Witness, no_calls};
pub use version::{compare_versions, is_since};
