//! uritools: `urijoin(base, reference, strict=True)`, from 4.0.0 on.
//!
//! Read from `uritools/__init__.py` of uritools 4.0.3 and 6.1.4. The other steps are those of the table `uritools`.

use urlstrata_steps::{Question, Table, no_calls};

use crate::uritools::{LINES, SPLIT, TRANSFORM_STRICT};

/// uritools, strict.
pub static TABLE: Table = Table {
    engine: "uritools-strict",
    first: "4.0.0",
    changes: &[&LINES],
    dated: &[],
    questions: &[(Question::Resolve, TRANSFORM_STRICT)],
    called: &[SPLIT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};
