//! Node's `new URL(reference, base)`, and the properties of `new URL(url)`, from 18.20.5 on.
//!
//! `lib/internal/url.js` calls Ada through `src/node_url.cc`. The version of Ada is that of `process.versions.ada`.

use urlstrata_steps::{Question, Table, compare_versions};

use crate::ada;
use crate::url_standard::PROPERTIES;

/// Node's `URL`.
pub static TABLE: Table = Table {
    engine: "node-url",
    first: "18.20.5",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, ada::PARSE), (Question::Parse, ada::STATE)],
    called: &[PROPERTIES],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: None,
    calls: |version| vec![(&ada::TABLE, ada_of(version).to_owned())],
};

/// The first versions of Node with a version of Ada, as `process.versions.ada` names it. Versions of Ada between which nothing changed are left out.
const ADA: &[(&str, &str)] = &[
    ("18.20.5", "2.8.0"),
    ("23.11.0", "3.2.1"),
    ("24.0.0", "3.2.3"),
    ("24.5.0", "3.2.6"),
    ("24.15.0", "3.4.4"),
    ("24.20.0", "4.0.0"),
    ("25.0.0", "3.3.0"),
    ("25.9.0", "3.4.4"),
    ("26.7.0", "4.0.0"),
];

/// Returns the version of Ada that a version of Node contains.
fn ada_of(version: &str) -> &'static str {
    let contained = ADA.iter().rev().find(|(first, _)| compare_versions(version, first).is_ge());
    contained.map_or(ADA[0].1, |(_, ada)| ada)
}
