//! The changes of Perl's URI.

use urlstrata_steps::{Change, Question, Witness};

pub(crate) static NNTPS: Change = Change {
    id: "#82",
    versions: &["5.08"],
    date: "2021-02-28",
    issue: "https://github.com/libwww-perl/URI/issues/82",
    says: "nntps is a scheme with servers",
    witness: Witness::resolving("nntps://a/b", "//é/", Some("nntps://%C3%A9/"), Some("nntps://xn--9ca/")),
};

pub(crate) static BRACKETS: Change = Change {
    id: "#100",
    versions: &["5.11"],
    date: "2022-07-04",
    issue: "https://github.com/libwww-perl/URI/pull/100",
    says: "brackets are encoded, except those of a host",
    witness: Witness::resolving("http://a/b", "[c]", Some("http://a/[c]"), Some("http://a/%5Bc%5D")),
};

pub(crate) static HOSTS: Change = Change {
    id: "#102",
    versions: &["5.12"],
    date: "2022-07-10",
    issue: "https://github.com/libwww-perl/URI/issues/102",
    says: "a URI with an empty authority keeps its text, and brackets are kept in mailto, but not in the hosts of data, ldapi, sqlite and urn",
    witness: Witness::resolving("http://a/b", "///c d", Some("http://a/b"), Some("http:///c%20d")),
};

pub(crate) static ICAP: Change = Change {
    id: "#130",
    versions: &["5.20"],
    date: "2023-08-23",
    issue: "https://github.com/libwww-perl/URI/pull/130",
    says: "icap and icaps are schemes with servers",
    witness: Witness::resolving("icap://a/b", "//é/", Some("icap://%C3%A9/"), Some("icap://xn--9ca/")),
};

pub(crate) static GEO: Change = Change {
    id: "#141",
    versions: &["5.26"],
    date: "2024-02-02",
    issue: "https://github.com/libwww-perl/URI/pull/141",
    says: "geo is a scheme without relative references, and its coordinates are read",
    witness: Witness::resolving("geo:1,2", "3,4", Some("geo:/3,4"), Some("geo:3,4")),
};

pub(crate) static IRC: Change = Change {
    id: "#16",
    versions: &["5.30"],
    date: "2024-10-08",
    issue: "https://github.com/libwww-perl/URI/issues/16",
    says: "scp, ftps, ftpes, irc and ircs are schemes with servers; a # after the first slash of irc is part of the path",
    witness: Witness::resolving("irc://a/#b/c", "d", Some("irc://a/d"), Some("irc://a/#b/d")),
};

pub(crate) static SMB: Change = Change {
    id: "#149",
    versions: &["5.32"],
    date: "2025-05-10",
    issue: "https://github.com/libwww-perl/URI/pull/149",
    says: "smb is a scheme with servers",
    witness: Witness::resolving("smb://a/b", "//é/", Some("smb://%C3%A9/"), Some("smb://xn--9ca/")),
};

pub(crate) static SMTP: Change = Change {
    id: "#156",
    versions: &["5.33"],
    date: "2025-09-17",
    issue: "https://github.com/libwww-perl/URI/pull/156",
    says: "smtp is a scheme with servers",
    witness: Witness::resolving("smtp://a/b", "//é/", Some("smtp://%C3%A9/"), Some("smtp://xn--9ca/")),
};

pub(crate) static WS: Change = Change {
    id: "#158",
    versions: &["5.34"],
    date: "2025-09-17",
    issue: "https://github.com/libwww-perl/URI/pull/158",
    says: "ws and wss are schemes with servers",
    witness: Witness::resolving("ws://a/b", "//é/", Some("ws://%C3%A9/"), Some("ws://xn--9ca/")),
};

pub(crate) static NFC: Change = Change {
    id: "CVE-2026-19953",
    versions: &["5.36"],
    date: "2026-08-19",
    issue: "https://github.com/libwww-perl/URI/issues/191",
    says: "the characters of a host outside ASCII are composed (NFC) before it is encoded",
    witness: Witness::resolving("http://a/b", "//e\u{301}/", Some("http://xn--e-xbb/"), Some("http://xn--9ca/")),
};

pub(crate) static LAZY_GEO: Change = Change {
    id: "#201",
    versions: &["5.40"],
    date: "2026-10-19",
    issue: "https://github.com/libwww-perl/URI/issues/201",
    says: "a geo URI that does not have coordinates is not rejected",
    witness: Witness::resolving("http://a/b", "geo:c", None, Some("geo:c")),
};

// The version is between 5.36 and 5.40.
pub(crate) static EMPTY_PORT: Change = Change {
    id: "5.40",
    versions: &["5.40"],
    date: "2026",
    issue: "",
    says: "the host is stated without the colon of an empty port",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "http://h:/",
        before: Some("scheme=http authority=h: host=h: port=80 path=/"),
        after: Some("scheme=http authority=h: host=h port=80 path=/"),
    }),
};
