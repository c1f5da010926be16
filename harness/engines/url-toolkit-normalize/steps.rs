//! url-toolkit: `buildAbsoluteURL(base, reference, { alwaysNormalize: true })`, from 2.0.0 on.
//!
//! Read from `url-toolkit.js` of url-toolkit 2.0.0 to 2.2.5. The steps without this option are those of the table `url-toolkit`.

use urlstrata_steps::{Question, Table, no_calls};

use crate::url_toolkit::{BUILD_NORMALIZED, CHANGES, PARSE_URL};

/// url-toolkit with its option.
pub static TABLE: Table = Table {
    engine: "url-toolkit-normalize",
    first: "2.0.0",
    changes: CHANGES,
    dated: &[],
    questions: &[(Question::Resolve, BUILD_NORMALIZED)],
    called: &[PARSE_URL],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};
