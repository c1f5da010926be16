//! PHP's curl extension: where `curl_exec(curl_init($url))` connects.
//!
//! The extension passes the URL to libcurl as it is, unless it contains a NUL, which libcurl rejects, too. libcurl is that of the Debian suite: 7.88.1
//! of bookworm, and 8.23.0 of sid.

use urlstrata_steps::{Question, Table, compare_versions};

use crate::curl;
use crate::socket::GETADDRINFO;

/// php-curl.
pub static TABLE: Table = Table {
    engine: "php-curl",
    first: "8.2.32",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, curl::PERFORM), (Question::Follow, curl::REDIRECT)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| {
        let library = if compare_versions(version, "8.4").is_lt() { "7.88.1" } else { "8.23.0" };
        vec![(&curl::TABLE, library.to_owned())]
    },
};


