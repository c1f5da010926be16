//! The changes of Guzzle PSR-7.

use urlstrata_steps::{Change, Question, Witness};

pub(super) static ENCODED: Change = Change {
    id: "2.0.0",
    versions: &["2.0.0"],
    date: "2021-06-30",
    issue: "",
    says: "texts are percent-encoded before PHP divides them, and decoded afterwards",
    witness: Witness::resolving("http://a/b", "\u{1}", Some("http://a/_"), Some("http://a/%01")),
};

pub(super) static SLASH: Change = Change {
    id: "#532",
    versions: &["2.4.2"],
    date: "2022-10-25",
    issue: "https://github.com/guzzle/psr7/pull/532",
    says: "a path without a slash after an authority gets one and is not rejected",
    witness: Witness::resolving("http://a/b", "http:./c", None, Some("http://localhost/c")),
};

pub(super) static CAPITALS: Change = Change {
    id: "2.7.1",
    versions: &["2.7.1"],
    date: "2025-03-27",
    issue: "",
    says: "an IPv6 address in brackets may have capital letters",
    witness: Witness::resolving("http://a/b", "http://[A::]", None, Some("http://[a::]")),
};

pub(super) static COLONS: Change = Change {
    id: "2.9.1",
    versions: &["2.9.1"],
    date: "2026-05-19",
    issue: "",
    says: "a colon after the first segment of a relative reference does not precede a port",
    witness: Witness::resolving("http://a/b", "c/d:8", Some("http://c:8/d:8"), Some("http://a/c/d:8")),
};

pub(super) static COPIES: Change = Change {
    id: "2.10.0",
    versions: &["2.10.0"],
    date: "2026-05-19",
    issue: "",
    says: "the target is a changed base or reference, and is not read from a text",
    witness: Witness::resolving("a", "./b:c", Some("b:c"), None),
};

pub(super) static CONTROLS: Change = Change {
    id: "GHSA-hq7v-mx3g-29hw",
    versions: &["2.10.2"],
    date: "2026-05-25",
    issue: "https://github.com/guzzle/psr7/security/advisories/GHSA-hq7v-mx3g-29hw",
    says: "a host with a space or a control character is rejected",
    witness: Witness::resolving("http://a/b", "//c d/", Some("http://c d/"), None),
};

pub(super) static LITERALS: Change = Change {
    id: "2.10.3",
    versions: &["2.10.3"],
    date: "2026-05-27",
    issue: "",
    says: "the brackets of any host are read as such, also with an IPv4 address in them",
    witness: Witness::resolving("http://a/b", "http://[::1.2.3.4]/", None, Some("http://[::1.2.3.4]/")),
};

pub(super) static HOSTS: Change = Change {
    id: "GHSA-c2w2-prh8-qm98",
    versions: &["2.12.3"],
    date: "2026-06-23",
    issue: "https://github.com/guzzle/psr7/security/advisories/GHSA-c2w2-prh8-qm98",
    says: "a host with a delimiter, a backslash or brackets without an address is rejected",
    witness: Witness::resolving("http://a/b", "//c\\d/", Some("http://c\\d/"), None),
};

pub(super) static STRICT: Change = Change {
    id: "3.0.0",
    versions: &["3.0.0"],
    date: "2026-07-20",
    issue: "",
    says: "`..` does not remove the first slash, IPv6 addresses and escapes of hosts are normalized, and ws and wss have default ports",
    witness: Witness::resolving("http://a/b", "/..//c", Some("http://a/c"), Some("http://a//c")),
};

pub(super) static ONE_SLASH: Change = Change {
    id: "#815",
    versions: &["3.0.0"],
    date: "2026-07-20",
    issue: "https://github.com/guzzle/psr7/pull/815",
    says: "`getPath` states a single slash for those at the beginning of a path",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "http://h//a",
        before: Some("scheme=http authority=h userinfo= host=h path=//a query= fragment="),
        after: Some("scheme=http authority=h userinfo= host=h path=/a query= fragment="),
    }),
};

pub(super) static COLON_PATHS: Change = Change {
    id: "3.0.1",
    versions: &["3.0.1"],
    date: "2026-08-24",
    issue: "",
    says: "./ is written before a path that would begin like a scheme",
    witness: Witness::resolving("a", "./b:c", None, Some("./b:c")),
};
