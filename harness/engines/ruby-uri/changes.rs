//! The changes of Ruby's `URI`, in the order of their dates.

use urlstrata_steps::{Change, Question, Witness};

pub(crate) static WS: Change = Change {
    id: "ws",
    versions: &["0.11.0"],
    date: "2021-10-21",
    issue: "https://github.com/ruby/uri/commit/fc4980d",
    says: "ws has a class, and with it a default port",
    witness: Witness::resolving("ws://a/b", "//c:80/d", Some("ws://c:80/d"), Some("ws://c/d")),
};

pub(crate) static AUTHORITY: Change = Change {
    id: "authority",
    versions: &["0.11.0"],
    date: "2021-10-21",
    issue: "https://github.com/ruby/uri/pull/30",
    says: "http and https have a method that returns the authority",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "http://a/",
        before: Some("scheme=http host=a port=80 path=/"),
        after: Some("scheme=http authority=a host=a port=80 path=/"),
    }),
};

pub(crate) static WSS: Change = Change {
    id: "wss",
    versions: &["0.12.0"],
    date: "2022-12-05",
    issue: "https://github.com/ruby/uri/pull/33",
    says: "wss has a class, and with it a default port",
    witness: Witness::resolving("wss://a/b", "//c:443/d", Some("wss://c:443/d"), Some("wss://c/d")),
};

pub(crate) static EMPTY_HOST: Change = Change {
    id: "empty-host",
    versions: &["0.12.0"],
    date: "2022-12-05",
    issue: "https://github.com/ruby/uri/commit/81263c9",
    says: "an empty host after a scheme is a host",
    witness: Witness::resolving("foo://a", "http:///b", Some("http:/b"), Some("http:///b")),
};

pub(crate) static BRACKETS: Change = Change {
    id: "brackets",
    versions: &["0.12.0", "0.11.1", "0.10.2", "0.10.0.1"],
    date: "2022-12-05",
    issue: "https://github.com/ruby/uri/commit/ffbab83",
    says: "an IPv6 address in a reference without a scheme ends with a bracket",
    witness: Witness::resolving("http://a", "//[::1]/b", None, Some("http://[::1]/b")),
};

pub(crate) static PATTERNS: Change = Change {
    id: "patterns",
    versions: &["0.13.0"],
    date: "2023-11-06",
    issue: "https://github.com/ruby/uri/pull/46",
    says: "a reference that begins with two slashes and has no valid authority is a path, and an empty host after a user is a host",
    witness: Witness::resolving("http://a", "//b:c/d", None, Some("http://a//b:c/d")),
};

pub(crate) static SLASH: Change = Change {
    id: "19916",
    versions: &["1.0.0"],
    date: "2024-11-07",
    issue: "https://bugs.ruby-lang.org/issues/19916",
    says: "a slash is written between a host and a path without one",
    witness: Witness::resolving("http://a/..", "b", Some("http://ab"), Some("http://a/b")),
};

pub(crate) static CREDENTIALS: Change = Change {
    id: "CVE-2025-27221",
    versions: &["1.0.3", "0.13.2", "0.12.4", "0.11.3"],
    date: "2025-02-26",
    issue: "https://www.ruby-lang.org/en/news/2025/02/26/security-advisories/",
    says: "a reference with an authority does not inherit the base's user, host and port",
    witness: Witness::resolving("http://u@a/b", "//c/d", Some("http://u@c/d"), Some("http://c/d")),
};

pub(crate) static PASSWORD: Change = Change {
    id: "CVE-2025-61594",
    versions: &["1.0.4", "0.13.3", "0.12.5"],
    date: "2025-10-07",
    issue: "https://hackerone.com/reports/3221142",
    says: "a user of the reference does not inherit the base's password",
    witness: Witness::resolving("http://u:p@a/b", "//v@c/d", Some("http://v:p@c/d"), Some("http://v@c/d")),
};
