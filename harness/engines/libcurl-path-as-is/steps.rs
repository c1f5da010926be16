//! libcurl's URL API with the flags `CURLU_NON_SUPPORT_SCHEME`, `CURLU_PATH_AS_IS`, from 7.62.0 on.
//!
//! Read from `lib/urlapi.c` of curl 7.62.0 to 8.22.0. The rows are those of the table `libcurl`, which these flags change.

use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table};

use crate::libcurl;
use crate::libcurl::changes::AS_IS_ALONE;

/// libcurl's URL API with these flags.
pub static TABLE: Table = Table {
    engine: "libcurl-path-as-is",
    first: "7.62.0",
    changes: &[&AS_IS_ALONE],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, ACCESSORS)],
    called: &[libcurl::PARSEURL, libcurl::URLGET, libcurl::RESOLVE, libcurl::ACCESSORS],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&libcurl::TABLE, version.to_owned())],
};

static RESOLVE: &[Step] = &[
    Step::new("CURLU_NON_SUPPORT_SCHEME, CURLU_PATH_AS_IS", "accept any scheme, and keep dot segments", set_flags),
    Step::new("curl_url_set: both", "read the base, then the reference", |_| Call(libcurl::RESOLVE, Side::Reference)),
];

static ACCESSORS: &[Step] = &[
    Step::new("CURLU_NON_SUPPORT_SCHEME, CURLU_PATH_AS_IS, for a URL", "accept any scheme, and keep dot segments", set_flags),
    Step::new("curl_url_get: the parts", "read the URL, and state its parts", |_| Call(libcurl::ACCESSORS, Side::Reference)),
];

fn set_flags(s: &mut State<'_>) -> Next {
    s.mark(libcurl::NON_SUPPORT_SCHEME);
    s.mark(libcurl::PATH_AS_IS);
    Go
}
