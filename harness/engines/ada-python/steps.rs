//! The Python package `ada-url`: `ada_url.join_url(base, reference)`, and the attributes of `ada_url.URL(url)`, from 1.15.3 on.
//!
//! `join_url` in `ada_url/ada_adapter.py` calls `ada_parse_with_base` of the Ada that the package contains.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Step, Table, compare_versions};

use crate::ada;
use crate::url_standard::PROPERTIES;

/// The Python package `ada-url`.
pub static TABLE: Table = Table {
    engine: "ada-python",
    first: "1.15.3",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, JOIN), (Question::Parse, ada::STATE)],
    called: &[ada::PARSE, PROPERTIES],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: None,
    calls: |version| vec![(&ada::TABLE, ada_of(version).to_owned())],
};

/// Returns the version of Ada that the package contains.
fn ada_of(version: &str) -> &'static str {
    if compare_versions(version, "4.0.0").is_ge() { "4.0.0" } else { "2.9.2" }
}

static JOIN: &[Step] = &[
    Step::new("join_url", "reject an empty base, which is not a URL", |s| match s.base.is_empty() {
        true => s.reject(Slot::Base(Part::Text), "the base is not a URL"),
        false => Go,
    }),
    Step::new("ada_parse_with_base", "call Ada", |_| Standard(ada::standard)),
];
