//! Deno: `new URL(reference, base)`, from 1.37.0 on.
//!
//! The function `op_url_parse` in `ext/web/url.rs` (before 2.5, `ext/url/lib.rs`) of Deno calls the crate `url`.

use urlstrata_steps::{Question, Table, compare_versions};

use crate::crate_url;

/// Deno.
pub static TABLE: Table = Table {
    engine: "deno",
    first: "1.37.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, crate_url::JOIN)],
    called: &[],
    standard: Some(crate_url::standard),
    calls: |version| vec![(&crate_url::TABLE, crate_of(version).to_owned())],
};

/// Returns the version of the crate `url` that a version of Deno contains: that of its `Cargo.lock`.
fn crate_of(version: &str) -> &'static str {
    let is_since = |first| compare_versions(version, first).is_ge();
    match () {
        () if version == "2.5.5" || is_since("2.6.4") => "2.5.7",
        () if is_since("2.1.7") => "2.5.4",
        () if is_since("2.1.1") => "2.5.3",
        () => "2.4.1",
    }
}
