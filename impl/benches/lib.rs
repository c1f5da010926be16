//! The inputs and the other crates that the benchmarks of urlstrata share.

pub mod pairs;
pub mod peers;
pub mod worst;
