//! The crate `ada-url`: `Url::parse(reference, Some(base))`, and the methods of `Url::parse(url, None)?`, from 3.0.0 on.
//!
//! The crate contains Ada's single-file release (`deps/ada.cpp`) and calls `ada_parse_with_base`.

use urlstrata_steps::{Question, Table, compare_versions};

use crate::ada;
use crate::url_standard::PROPERTIES;

/// The crate `ada-url`.
pub static TABLE: Table = Table {
    engine: "crate-ada-url",
    first: "3.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, ada::PARSE), (Question::Parse, ada::STATE)],
    called: &[PROPERTIES],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: None,
    calls: |version| {
        let is_new = compare_versions(version, "4.0.0").is_ge();
        vec![(&ada::TABLE, if is_new { "4.0.0" } else { "2.9.2" }.to_owned())]
    },
};
