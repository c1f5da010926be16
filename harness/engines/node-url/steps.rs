//! Node's `new URL(reference, base)`, from 18.20.5 on.
//!
//! `lib/internal/url.js` calls Ada through `src/node_url.cc`. The version of Ada is that of `process.versions.ada`.

use urlstrata_steps::{Question, Table, compare_versions};

use crate::ada;

/// Node's `URL`.
pub static TABLE: Table = Table {
    engine: "node-url",
    first: "18.20.5",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, ada::PARSE)],
    called: &[],
    standard: Some(ada::standard),
    calls: |version| vec![(&ada::TABLE, ada_of(version).to_owned())],
};

/// Returns the version of Ada that a version of Node contains.
fn ada_of(version: &str) -> &'static str {
    if compare_versions(version, "26.10.0").is_ge() { "4.0.0" } else { "2.9.2" }
}
