//! The changes of url-parse, in the order of their dates.

use urlstrata_steps::{Change, Witness};

pub(crate) static BACKSLASH: Change = Change {
    id: "384029",
    versions: &["1.4.3"],
    date: "2018-07-29",
    issue: "https://hackerone.com/reports/384029",
    says: "the first backslash is a slash",
    witness: Witness::resolving("", "http://a\\b\\c", Some("http://a\\b\\c"), Some("http://a/b\\c")),
};

pub(crate) static EMPTY: Change = Change {
    id: "#166",
    versions: &["1.4.5"],
    date: "2019-04-12",
    issue: "https://github.com/unshiftio/url-parse/pull/166",
    says: "a reference without a path inherits the base's",
    witness: Witness::resolving("http://a/b", "?c", Some("http://a/?c"), Some("http://a/b?c")),
};

pub(crate) static TRIM: Change = Change {
    id: "1.4.5",
    versions: &["1.4.5"],
    date: "2019-04-12",
    issue: "https://github.com/unshiftio/url-parse/commit/3ecd256",
    says: "white space before a URL is removed",
    witness: Witness::resolving("", " http://a", Some(" http://a"), Some("http://a")),
};

pub(crate) static SLASHES: Change = Change {
    id: "#197",
    versions: &["1.5.0"],
    date: "2021-02-17",
    issue: "https://github.com/unshiftio/url-parse/pull/197",
    says: "any number of slashes and backslashes precedes an authority; a slash is written after a host",
    witness: Witness::resolving("", "http:\\\\a", Some("http:/\\a"), Some("http://a/")),
};

pub(crate) static ONE_SLASH: Change = Change {
    id: "#201",
    versions: &["1.5.1"],
    date: "2021-02-18",
    issue: "https://github.com/unshiftio/url-parse/pull/201",
    says: "one slash at the beginning belongs to the path",
    witness: Witness::resolving("http://a/b/c", "/d", Some("http://a/b/d"), Some("http://a/d")),
};

pub(crate) static SPECIAL: Change = Change {
    id: "#208",
    versions: &["1.5.2"],
    date: "2021-07-25",
    issue: "https://github.com/unshiftio/url-parse/pull/208",
    says: "protocols are special or not: only the former have backslashes for slashes and an authority after any slashes",
    witness: Witness::resolving("", "http:a", Some("http:a"), Some("http://a/")),
};

pub(crate) static FILE: Change = Change {
    id: "#210",
    versions: &["1.5.3"],
    date: "2021-07-26",
    issue: "https://github.com/unshiftio/url-parse/pull/210",
    says: "a file URL has a host after two slashes, unless a drive letter follows them",
    witness: Witness::resolving("", "file://A/b", Some("file:///A/b"), Some("file://a/b")),
};

pub(crate) static PASSWORD: Change = Change {
    id: "15b1dbd",
    versions: &["1.5.4"],
    date: "2021-12-28",
    issue: "https://github.com/unshiftio/url-parse/commit/15b1dbd",
    says: "a password without a user is kept",
    witness: Witness::resolving("", "http://:p@a/", Some("http://a/"), Some("http://:p@a/")),
};

pub(crate) static PROTOCOL: Change = Change {
    id: "d9e332b",
    versions: &["1.5.4"],
    date: "2021-12-28",
    issue: "https://github.com/unshiftio/url-parse/commit/d9e332b",
    says: "slashes are only written after a protocol",
    witness: Witness::resolving("", "//a", Some("////a"), Some("//a")),
};

pub(crate) static LINES: Change = Change {
    id: "319851b",
    versions: &["1.5.5"],
    date: "2022-02-13",
    issue: "https://github.com/unshiftio/url-parse/commit/319851b",
    says: "tabs and ends of lines are removed",
    witness: Witness::resolving("", "http://a/\tb", Some("http://a/\tb"), Some("http://a/b")),
};

pub(crate) static VOWEL_SEPARATOR: Change = Change {
    id: "193b44b",
    versions: &["1.5.5"],
    date: "2022-02-13",
    issue: "https://github.com/unshiftio/url-parse/commit/193b44b",
    says: "U+180E is not white space",
    witness: Witness::resolving("", "\u{180e}a", Some("a"), Some("\u{180e}a")),
};

pub(crate) static USER: Change = Change {
    id: "CVE-2022-0512",
    versions: &["1.5.6"],
    date: "2022-02-13",
    issue: "https://github.com/unshiftio/url-parse/pull/223",
    says: "the last @ ends the userinfo, the first colon its user, and both parts are decoded and encoded",
    witness: Witness::resolving("", "http://u@v@a/", Some("http://u@v@a/"), Some("http://u%40v@a/")),
};

pub(crate) static NO_HOST: Change = Change {
    id: "CVE-2022-0639",
    versions: &["1.5.7"],
    date: "2022-02-16",
    issue: "https://github.com/unshiftio/url-parse/pull/226",
    says: "an @ is written for a host that is missing",
    witness: Witness::resolving("", "http://@/a", Some("http:///a"), Some("http://@/a")),
};

pub(crate) static EMPTY_PORT: Change = Change {
    id: "CVE-2022-0686",
    versions: &["1.5.8"],
    date: "2022-02-19",
    issue: "https://github.com/unshiftio/url-parse/commit/d5c6479",
    says: "an empty port is not written",
    witness: Witness::resolving("", "http://a:/", Some("http://a:/"), Some("http://a/")),
};

pub(crate) static CONTROLS: Change = Change {
    id: "CVE-2022-0691",
    versions: &["1.5.9"],
    date: "2022-02-20",
    issue: "https://github.com/unshiftio/url-parse/commit/0e3fb54",
    says: "control characters before a URL are removed",
    witness: Witness::resolving("", "\u{8}a", Some("\u{8}a"), Some("a")),
};

pub(crate) static SECOND_PORT: Change = Change {
    id: "ce7a01f",
    versions: &["1.5.10"],
    date: "2022-02-22",
    issue: "https://github.com/unshiftio/url-parse/commit/ce7a01f",
    says: "a colon is written after a host that ends with a port",
    witness: Witness::resolving("", "http://a:1:/", Some("http://a:1/"), Some("http://a:1:/")),
};
