//! Mojo::URL: `Mojo::URL->new(reference)->to_abs(Mojo::URL->new(base))->to_unsafe_string`, from 8.71 on.
//!
//! Read from `Mojo/URL.pm` of Mojolicious 8.71 to 9.53. The other steps are those of the table `mojo-url`.

use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::mojo_url::{CHANGES, PARSE, STRING, TO_ABS, UNSAFE};

/// Mojo::URL, with user information.
pub static TABLE: Table = Table {
    engine: "mojo-url-unsafe",
    first: "8.71",
    changes: CHANGES,
    dated: &[],
    questions: &[(Question::Resolve, TO_UNSAFE_STRING)],
    called: &[PARSE, TO_ABS, STRING],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static TO_UNSAFE_STRING: &[Step] = &[
    Step::new("to_abs", "make the reference absolute", |_| Call(TO_ABS, Side::Reference)),
    Step::new("to_unsafe_string", "write the URL with user information", |s| {
        s.mark(UNSAFE);
        Call(STRING, Side::Reference)
    }),
];
