//! Perl's URI with `$ABS_ALLOW_RELATIVE_SCHEME` set: `URI->new_abs(reference, base)`, from 1.69 on.

use urlstrata_steps::{Question, Table, no_calls};

use crate::perl_uri::{CALLED, CHANGES, NEW_ABS_RELATIVE_SCHEME};

/// Perl's URI with its switch.
pub static TABLE: Table = Table {
    engine: "perl-uri-relative-scheme",
    first: "1.69",
    changes: CHANGES,
    dated: &[],
    questions: &[(Question::Resolve, NEW_ABS_RELATIVE_SCHEME)],
    called: CALLED,
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};
