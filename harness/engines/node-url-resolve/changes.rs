//! The changes of Node's `url.resolve`, in the order of their dates.

use urlstrata_steps::{Change, Question, Witness};

pub(crate) static JAVASCRIPT: Change = Change {
    id: "CVE-2018-12123",
    versions: &["11.3.0", "10.24.0", "10.23.0", "10.22.0", "10.21.0", "10.20.0", "10.19.0", "10.18.0", "10.17.0", "10.16.0", "10.15.0", "10.14.0"],
    date: "2018-11-27",
    issue: "https://nodejs.org/en/blog/vulnerability/november-2018-security-releases/",
    says: "javascript has no host in whatever case it is written",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "javAscript://h/x",
        before: Some("scheme=javascript authority=h host=h path=/x"),
        after: Some("scheme=javascript path=//h/x"),
    }),
};

pub(crate) static WEB_SOCKETS: Change = Change {
    id: "26941",
    versions: &["11.14.0"],
    date: "2019-04-11",
    issue: "https://github.com/nodejs/node/pull/26941",
    says: "ws and wss are slashed protocols",
    witness: Witness::resolving("ws://a", "b", Some("ws://b"), Some("ws://a/b")),
};

pub(crate) static EMPTY_LABEL: Change = Change {
    id: "icu-68",
    versions: &["15.4.0", "14.21.0", "14.20.0", "14.19.0", "14.18.0", "14.17.0"],
    date: "2020-12-09",
    issue: "",
    says: "ICU marks an encoded label of a host that is empty or only ASCII",
    witness: Witness::resolving("http://a/b", "//xn--.c", Some("http://.c/"), Some("http://xn--\u{fffd}.c/")),
};

pub(crate) static CONFUSABLE: Change = Change {
    id: "38631",
    versions: &["17.0.0"],
    date: "2021-10-19",
    issue: "https://github.com/nodejs/node/pull/38631",
    says: "a host whose IDNA form is empty or contains a delimiter is rejected",
    witness: Witness::resolving("http://a/b", "//c\u{2100}d", Some("http://ca/cd/"), None),
};

pub(crate) static USERS: Change = Change {
    id: "41031",
    versions: &[
        "17.3.0", "16.20.0", "16.19.0", "16.18.0", "16.17.0", "16.16.0", "16.15.0", "16.14.0",
    ],
    date: "2021-12-17",
    issue: "https://github.com/nodejs/node/pull/41031",
    says: "two slashes without a protocol begin an authority with a user, also without a fragment",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "//u@h/",
        before: Some("path=//u@h/"),
        after: Some("authority=h userinfo=u host=h path=/"),
    }),
};

pub(crate) static CONTROLS: Change = Change {
    id: "42196",
    versions: &["18.0.0", "17.9.0", "16.20.0", "16.19.0", "16.18.0", "16.17.0", "16.16.0", "16.15.0"],
    date: "2022-04-07",
    issue: "https://github.com/nodejs/node/pull/42196",
    says: "all control characters before and after a URL are removed",
    witness: Witness::resolving("http://a/b", "c\0", Some("http://a/c\0"), Some("http://a/c")),
};

pub(crate) static BRACKETED: Change = Change {
    id: "18.0.0",
    versions: &["18.0.0"],
    date: "2022-04-19",
    issue: "",
    says: "a host in brackets that contains a delimiter is rejected",
    witness: Witness::resolving("http://a/b", "//[c\0]", Some("http://[c\0]/"), None),
};

pub(crate) static HOST_CHARACTERS: Change = Change {
    id: "45011",
    versions: &["19.1.0", "18.20.0", "18.19.0", "18.18.0", "18.17.0", "18.16.0", "18.15.0", "18.14.0", "18.13.0"],
    date: "2022-11-14",
    issue: "https://github.com/nodejs/node/pull/45011",
    says: "only a delimiter ends a host, and no longer any character but letters, digits, and . - + _",
    witness: Witness::resolving("http://a/b", "//c!d", Some("http://c/!d"), Some("http://c!d/")),
};

pub(crate) static TABS: Change = Change {
    id: "45116",
    versions: &["19.1.0", "18.20.0", "18.19.0", "18.18.0", "18.17.0", "18.16.0", "18.15.0", "18.14.0", "18.13.0"],
    date: "2022-11-14",
    issue: "https://github.com/nodejs/node/pull/45116",
    says: "tabs and ends of lines are removed from an authority, and no longer end a host",
    witness: Witness::resolving("http://a/b", "//c\td", Some("http://c/%09d"), Some("http://cd/")),
};

pub(crate) static ADA: Change = Change {
    id: "ada",
    versions: &["20.0.0", "18.20.0", "18.19.0", "18.18.0", "18.17.0"],
    date: "2023-04-18",
    issue: "",
    says: "Ada computes the IDNA form of a host, and a host without one is rejected",
    witness: Witness::resolving("http://a/b", "//xn--c", Some("http://xn--c\u{fffd}/"), None),
};

pub(crate) static NUL: Change = Change {
    id: "nul",
    versions: &[
        "23.8.0", "22.23.0", "22.22.0", "22.21.0", "22.20.0", "22.19.0", "22.18.0", "22.17.0", "22.16.0", "22.15.0",
    ],
    date: "2025-02-13",
    issue: "",
    says: "a NUL no longer ends the IDNA form of a host, so that the host is rejected",
    witness: Witness::resolving("http://a/b", "//c\0d", Some("http://c/"), None),
};

pub(crate) static ADA_3: Change = Change {
    id: "ada-3",
    versions: &["24.0.0", "23.11.0"],
    date: "2025-04",
    issue: "",
    says: "an encoded label of a host that is only ASCII is rejected",
    witness: Witness::resolving("http://a/b", "//xn--c-", Some("http://xn--c-/"), None),
};

pub(crate) static PORTS: Change = Change {
    id: "58617",
    versions: &["25.0.0"],
    date: "2025-10-15",
    issue: "https://github.com/nodejs/node/pull/58617",
    says: "a colon in a host that no port follows is rejected",
    witness: Witness::resolving("http://a/b", "//c:d", Some("http://c/:d"), None),
};

pub(crate) static ASCII: Change = Change {
    id: "ada-4",
    versions: &["26.7.0", "24.22.0", "24.21.0", "24.20.0"],
    date: "2026-08",
    issue: "https://github.com/nodejs/node/issues/64045",
    says: "a host of ASCII without a valid IDNA form is kept",
    witness: Witness::resolving("http://a/b", "//xn--c", None, Some("http://xn--c/")),
};
