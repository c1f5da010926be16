//! pycurl: where `Curl.perform()` connects.
//!
//! The wheel of pycurl 7.49.0 contains libcurl 8.23.0 without libidn2 and OpenLDAP: `pycurl.version_info()` lists its schemes. What a build without
//! IDN does was read from `lib/idn.c` of curl 8.22.0.

use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::socket::GETADDRINFO;
use crate::{curl, libcurl};

/// pycurl.
pub static TABLE: Table = Table {
    engine: "pycurl",
    first: "7.49.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, PERFORM), (Question::Follow, curl::REDIRECT)],
    called: &[GETADDRINFO, curl::PERFORM],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&curl::TABLE, "8.23.0".to_owned())],
};

static PERFORM: &[Step] = &[
    Step::new("curl_version_info", "this build of libcurl converts no hosts, and it has neither LDAP, nor RTMP, nor SMB", |s| {
        s.mark(libcurl::NO_IDN);
        s.mark(curl::FEW_SCHEMES);
        Go
    }),
    Step::new("curl_easy_perform", "connect as libcurl does", |_| Call(curl::PERFORM, Side::Reference)),
];
