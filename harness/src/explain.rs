//! Everything there is to report about one pair.

pub mod bug_report;
