//! The changes of `net/url` of Go, in the order of their dates.

use urlstrata_steps::{Change, Witness};

pub(crate) static USERINFO: Change = Change {
    id: "go-23392",
    versions: &["1.9.3", "1.10.0"],
    date: "2018-01-22",
    issue: "https://github.com/golang/go/issues/23392",
    says: "a user and a password have only characters of RFC 3986",
    witness: Witness::resolving("http://a/b", "//c|d@e", Some("http://c%7Cd@e"), None),
};

pub(crate) static NO_HOST: Change = Change {
    id: "go1.10",
    versions: &["1.10.0"],
    date: "2018-02-16",
    issue: "",
    says: "no slashes are written after a scheme without host and path, and only one of the slashes at the start of a path is removed",
    witness: Witness::resolving("http://a/b", "c:", Some("c://"), Some("c:")),
};

pub(crate) static SUB_DELIMS: Change = Change {
    id: "go-19917",
    versions: &["1.11.0"],
    date: "2018-08-24",
    issue: "https://github.com/golang/go/issues/19917",
    says: "! ( ) and * are not encoded in a fragment",
    witness: Witness::resolving("http://a/b", "#!", Some("http://a/b#%21"), Some("http://a/b#!")),
};

pub(crate) static CONTROLS: Change = Change {
    id: "go-22907",
    versions: &["1.11.6", "1.12.0"],
    date: "2019-02-25",
    issue: "https://github.com/golang/go/issues/22907",
    says: "a URL does not contain control characters before its fragment",
    witness: Witness::resolving("http://a/b", "c\td", Some("http://a/c%09d"), None),
};

pub(crate) static PORT: Change = Change {
    id: "go-29098",
    versions: &["1.12.8", "1.11.13", "1.13.0"],
    date: "2019-08-13",
    issue: "https://github.com/golang/go/issues/29098",
    says: "what follows the last colon of a host without brackets is a number (CVE-2019-14809)",
    witness: Witness::resolving("http://a/b", "//c:d", Some("http://c:d"), None),
};

pub(crate) static RAW_FRAGMENT: Change = Change {
    id: "go-37776",
    versions: &["1.15.0"],
    date: "2020-08-11",
    issue: "https://github.com/golang/go/issues/37776",
    says: "a fragment is written as it was read if nothing in it needs to be encoded",
    witness: Witness::resolving("http://a/b", "#%63", Some("http://a/b#c"), Some("http://a/b#%63")),
};

pub(crate) static FIRST: Change = Change {
    id: "go1.16",
    versions: &["1.16.0"],
    date: "2021-02-16",
    issue: "https://go.dev/cl/264817",
    says: "an empty segment that follows . at the start of a path is kept",
    witness: Witness::resolving("http://a", ".//b", Some("http://a/b"), Some("http://a//b")),
};

pub(crate) static FORCE_QUERY: Change = Change {
    id: "go-46033",
    versions: &["1.18.0"],
    date: "2022-03-15",
    issue: "https://github.com/golang/go/issues/46033",
    says: "a reference with an empty query does not inherit the base's",
    witness: Witness::resolving("http://a/b?c", "?", Some("http://a/b?c"), Some("http://a/b?")),
};

pub(crate) static OMIT_HOST: Change = Change {
    id: "go-46059",
    versions: &["1.19.0"],
    date: "2022-08-02",
    issue: "https://github.com/golang/go/issues/46059",
    says: "no empty authority is written for a reference that has a scheme and one slash",
    witness: Witness::resolving("http://a/b", "c:/d", Some("c:///d"), Some("c:/d")),
};

pub(crate) static OPAQUE: Change = Change {
    id: "go-66084",
    versions: &["1.23.0"],
    date: "2024-08-13",
    issue: "https://github.com/golang/go/issues/66084",
    says: "a reference without a path inherits a path without a slash",
    witness: Witness::resolving("c:d", "#e", Some("c:#e"), Some("c:d#e")),
};

pub(crate) static BRACKETS: Change = Change {
    id: "go-75678",
    versions: &["1.25.2", "1.24.8"],
    date: "2025-10-07",
    issue: "https://github.com/golang/go/issues/75678",
    says: "brackets contain an IPv6 address, and what precedes them is dropped (CVE-2025-47912)",
    witness: Witness::resolving("http://a/b", "//[c]", Some("http://[c]"), None),
};

pub(crate) static MAPPED: Change = Change {
    id: "go-75815",
    versions: &["1.25.4", "1.24.10"],
    date: "2025-11-05",
    issue: "https://github.com/golang/go/issues/75815",
    says: "brackets may contain an IPv6 address that holds an IPv4 address",
    witness: Witness::resolving("http://a/b", "//[::ffff:1.2.3.4]", None, Some("http://[::ffff:1.2.3.4]")),
};

pub(crate) static COLONS: Change = Change {
    id: "go-75223",
    versions: &["1.26.0"],
    date: "2026-02-10",
    issue: "https://github.com/golang/go/issues/75223",
    says: "what follows the first colon of a host without brackets is a number, except for PostgreSQL",
    witness: Witness::resolving("http://a/b", "http://c:1:2", Some("http://c:1:2"), None),
};

pub(crate) static PREFIX: Change = Change {
    id: "go-77578",
    versions: &["1.26.1", "1.25.8"],
    date: "2026-03-05",
    issue: "https://github.com/golang/go/issues/77578",
    says: "nothing precedes brackets in a host (CVE-2026-25679)",
    witness: Witness::resolving("http://a/b", "//c[::1]", Some("http://[::1]"), None),
};

pub(crate) static COLONS_OF_HTTP: Change = Change {
    id: "go-78077",
    versions: &["1.26.2"],
    date: "2026-04-07",
    issue: "https://github.com/golang/go/issues/78077",
    says: "a host may contain several colons if the scheme is not http or https",
    witness: Witness::resolving("http://a/b", "d://c:1:2", None, Some("d://c:1:2")),
};

pub(crate) static BACKTRACK: Change = Change {
    id: "go-80494",
    versions: &["1.26.6", "1.25.13", "1.27.0"],
    date: "2026-08-13",
    issue: "https://github.com/golang/go/issues/80494",
    says: "a path whose segments were all removed is begun again, so that an empty segment is dropped (CVE-2026-56860)",
    witness: Witness::resolving("http://a/b", "/c/..//d", Some("http://a//d"), Some("http://a/d")),
};

pub(crate) static SLASHES: Change = Change {
    id: "go-78328",
    versions: &["1.27.0"],
    date: "2026-08-19",
    issue: "https://github.com/golang/go/issues/78328",
    says: "the first of two slashes at the start of a path is encoded if no authority precedes them",
    witness: Witness::resolving("http://a/b", "c:/.//d", Some("c://d"), Some("c:%2F/d")),
};
