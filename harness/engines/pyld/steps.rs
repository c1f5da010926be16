//! PyLD: `iri_resolver.resolve(reference, base)`, of 3.3.0.
//!
//! Read from `pyld/iri_resolver.py` of PyLD 3.3.0, a port of an earlier version of relative-to-absolute-iri, whose steps it shares.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Question, Step, Table, no_calls};

use crate::relative_to_absolute_iri::{
    BASE_COLON, BASE_FRAGMENT, EMPTY, FRAGMENT, LAST_SLASH, QUERY, Rows, drop_dot,
};

/// PyLD.
pub static TABLE: Table = Table {
    engine: "pyld",
    first: "3.3.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static RESOLVE: &[Step] = &[
    Step { label: "resolve: base_fragment_pos", ..BASE_FRAGMENT },
    EMPTY,
    Step { label: "resolve: base_query_pos", ..QUERY },
    FRAGMENT,
    Rows::<true>::NO_BASE,
    Step::new(
        "resolve: value_colon_pos",
        "a reference with a colon inherits nothing; what precedes the first slash after the colon, or after two slashes there, keeps its dots",
        |s| {
            let is_absolute = s.get(Slot::Ref(Part::Text)).contains(':');
            Rows::<true>::absolute(s, is_absolute)
        },
    ),
    Step { label: "resolve: base_colon_pos", ..BASE_COLON },
    Rows::<true>::NETWORK_PATH,
    Step { label: "resolve: base_slash_after_colon_pos", ..Rows::<true>::NO_PATH },
    Rows::<true>::ROOTED,
    Step { label: "resolve: base_path", ..LAST_SLASH },
    Step::new(
        "resolve: relative_iri[1:]",
        "remove a dot that begins a name of three or more characters, if the base's path does not end in a slash",
        |s| drop_dot(s, |text| text.chars().count() > 2),
    ),
    Rows::<true>::REMOVE_DOTS,
];
