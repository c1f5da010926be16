//! The changes of CPython's `urllib.parse`, in the order of their dates.

use urlstrata_steps::{Change, Witness, Question};

pub(crate) static SCOPE: Change = Change {
    id: "bpo-32323",
    versions: &["3.7.0", "3.6.5"],
    date: "2018-03-28",
    issue: "https://bugs.python.org/issue32323",
    says: "the part of a host after a percent sign, the scope of an IPv6 address, keeps its case",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "//[::1%A]",
        before: Some("scheme= authority=[::1%A] host=::1%a path= query= fragment="),
        after: Some("scheme= authority=[::1%A] host=::1%A path= query= fragment="),
    }),
};

pub(crate) static NFKC: Change = Change {
    id: "bpo-36216",
    versions: &["3.8.0a3", "3.7.3", "3.6.9"],
    date: "2019-03-25",
    issue: "https://bugs.python.org/issue36216",
    says: "an authority whose compatible form has a delimiter is rejected (CVE-2019-9636)",
    witness: Witness::resolving("http://a/b", "//c\u{2100}d/e", Some("http://c\u{2100}d/e"), None),
};

pub(crate) static NFKC_PORT: Change = Change {
    id: "bpo-36742",
    versions: &["3.8.0a4", "3.7.4", "3.6.9"],
    date: "2019-05-06",
    issue: "https://bugs.python.org/issue36742",
    says: "delimiters that an authority has before it is normalized are no reason to reject it",
    witness: Witness::resolving("http://a/b", "//\u{ff43}:80/d", None, Some("http://\u{ff43}:80/d")),
};

pub(crate) static NFKC_USER: Change = Change {
    id: "CVE-2019-10160",
    versions: &["3.8.0b1", "3.7.4", "3.6.9"],
    date: "2019-06-04",
    issue: "https://github.com/python/cpython/pull/13812",
    says: "what precedes the last @ of an authority is compared with its compatible form, too",
    witness: Witness::resolving("http://a/b", "//c\u{ff03}@d/e", Some("http://c\u{ff03}@d/e"), None),
};

pub(crate) static PORTS: Change = Change {
    id: "bpo-27657",
    versions: &["3.9.0"],
    date: "2020-10-05",
    issue: "https://bugs.python.org/issue27657",
    says: "a name before a colon and digits is a scheme",
    witness: Witness::resolving("http://a/b", "c:80", Some("http://a/c:80"), Some("c:80")),
};

pub(crate) static TABS: Change = Change {
    id: "bpo-43882",
    versions: &["3.10.0", "3.9.5", "3.8.11", "3.7.11", "3.6.14"],
    date: "2021-05-03",
    issue: "https://bugs.python.org/issue43882",
    says: "tabs and ends of lines are removed",
    witness: Witness::resolving("http://a/b", "c\td", Some("http://a/c\td"), Some("http://a/cd")),
};

pub(crate) static LETTER_FIRST: Change = Change {
    id: "gh-99418",
    versions: &["3.11.1"],
    date: "2022-12-06",
    issue: "https://github.com/python/cpython/issues/99418",
    says: "a scheme begins with a letter of ASCII",
    witness: Witness::resolving("http://a/b", "1c:d", Some("1c:d"), Some("http://a/1c:d")),
};

pub(crate) static DIGITS: Change = Change {
    id: "gh-96035",
    versions: &["3.11.1", "3.10.9"],
    date: "2022-12-06",
    issue: "https://github.com/python/cpython/issues/96035",
    says: "a port with anything but digits of ASCII is rejected",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "//a:+8",
        before: Some("scheme= authority=a:+8 host=a port=8 path= query= fragment="),
        after: Some("scheme= authority=a:+8 host=a path= query= fragment="),
    }),
};

pub(crate) static LSTRIP: Change = Change {
    id: "gh-102153",
    versions: &["3.12.0", "3.11.4", "3.10.12", "3.9.17", "3.8.17", "3.7.17"],
    date: "2023-06-06",
    issue: "https://github.com/python/cpython/issues/102153",
    says: "control characters and spaces before a URL are removed (CVE-2023-24329)",
    witness: Witness::resolving("http://a/b", " //c/d", Some("http://a/ /c/d"), Some("http://c/d")),
};

pub(crate) static BRACKETED_HOST: Change = Change {
    id: "gh-103848",
    versions: &["3.12.0", "3.11.4", "3.10.16", "3.9.21"],
    date: "2023-06-06",
    issue: "https://github.com/python/cpython/issues/103848",
    says: "what brackets contain is an IPv6 address or begins with v, a hexadecimal number and a dot (CVE-2024-11168)",
    witness: Witness::resolving("http://a/b", "//[c]/d", Some("http://[c]/d"), None),
};

pub(crate) static RTSPS: Change = Change {
    id: "gh-104554",
    versions: &["3.12.0", "3.11.5"],
    date: "2023-08-24",
    issue: "https://github.com/python/cpython/issues/104554",
    says: "rtsps is a scheme with relative references, an authority and parameters",
    witness: Witness::resolving("rtsps://a/b", "c", Some("c"), Some("rtsps://a/c")),
};

pub(crate) static ITMS: Change = Change {
    id: "gh-104139",
    versions: &["3.12.0"],
    date: "2023-10-02",
    issue: "https://github.com/python/cpython/issues/104139",
    says: "itms-services is a scheme with an authority",
    witness: None,
};

pub(crate) static SLASHES: Change = Change {
    id: "gh-67693",
    versions: &["3.13.0", "3.12.4", "3.11.10", "3.10.15", "3.9.20", "3.8.20"],
    date: "2024-06-06",
    issue: "https://github.com/python/cpython/issues/67693",
    says: "a path that begins with two slashes follows an empty authority",
    witness: Witness::resolving("http:", "////c", Some("http://c"), Some("http:////c")),
};

pub(crate) static ROOTLESS: Change = Change {
    id: "gh-85110",
    versions: &["3.13.0", "3.12.6"],
    date: "2024-09-06",
    issue: "https://github.com/python/cpython/issues/85110",
    says: "a path without a slash does not follow an empty authority",
    witness: Witness::resolving("http:c", "d", Some("http:///d"), Some("http:d")),
};

pub(crate) static BRACKETED_NETLOC: Change = Change {
    id: "gh-105704",
    versions: &["3.14.0", "3.13.2", "3.12.9", "3.11.12", "3.10.17", "3.9.22"],
    date: "2025-02-04",
    issue: "https://github.com/python/cpython/issues/105704",
    says: "nothing but a user precedes a bracket, and nothing but a port follows it (CVE-2025-0938)",
    witness: Witness::resolving("http://a/b", "//c[::1]/d", Some("http://c[::1]/d"), None),
};

pub(crate) static EMPTY: Change = Change {
    id: "gh-76960",
    versions: &["3.14.0"],
    date: "2025-10-07",
    issue: "https://github.com/python/cpython/issues/76960",
    says: "empty components are kept apart from absent ones, and parameters are part of the path",
    witness: Witness::resolving("http://a/b", "?", Some("http://a/b"), Some("http://a/b?")),
};

pub(crate) static CAPITAL_V: Change = Change {
    id: "gh-105708",
    versions: &["3.14.7", "3.13.15"],
    date: "2026-08-05",
    issue: "https://github.com/python/cpython/issues/105708",
    says: "what brackets contain may begin with a capital V",
    witness: Witness::resolving("http://a/b", "//[V1.c]/d", None, Some("http://[V1.c]/d")),
};
