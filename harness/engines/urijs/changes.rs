//! The changes of URI.js, in the order of their dates.

use urlstrata_steps::{Change, Witness};

pub(crate) static ANY_HOST: Change = Change {
    id: "#354",
    versions: &["1.19.0"],
    date: "2017-10-01",
    issue: "https://github.com/medialize/URI.js/issues/354",
    says: "a host may have any characters, and an http URL may lack it",
    witness: Witness::resolving("http://a/b", "//c d", None, Some("http://c d/")),
};

pub(crate) static QUERY: Change = Change {
    id: "#366",
    versions: &["1.19.1"],
    date: "2018-02-10",
    issue: "https://github.com/medialize/URI.js/issues/366",
    says: "a question mark at the beginning of the query is lost",
    witness: Witness::resolving("http://a/b", "??c", Some("http://a/b??c"), Some("http://a/b?c")),
};

pub(crate) static ROOT: Change = Change {
    id: "#387",
    versions: &["1.19.2"],
    date: "2019-10-20",
    issue: "https://github.com/medialize/URI.js/issues/387",
    says: "a path begins with a slash after a scheme, too",
    witness: Witness::resolving("x:a", "b", Some("x://b"), Some("x:///b")),
};

pub(crate) static BACKSLASH: Change = Change {
    id: "1.19.3",
    versions: &["1.19.3"],
    date: "2020-12-20",
    issue: "https://github.com/medialize/URI.js/issues/233",
    says: "an @ after a backslash before the first slash does not end a user",
    witness: Witness::resolving("", "//a\\@b/", Some("//a%5C@b/"), Some("//a/@b/")),
};

pub(crate) static BACKSLASHES: Change = Change {
    id: "#403",
    versions: &["1.19.4"],
    date: "2020-12-23",
    issue: "https://github.com/medialize/URI.js/pull/403",
    says: "a backslash ends the authority like a slash",
    witness: Witness::resolving("", "//a\\@b", Some("//a%5C@b/"), Some("//a/@b")),
};

pub(crate) static AFTER_SCHEME: Change = Change {
    id: "1.19.6",
    versions: &["1.19.6"],
    date: "2021-02-13",
    issue: "",
    says: "backslashes after a scheme are slashes",
    witness: Witness::resolving("", "x:\\\\a", None, Some("x://a/")),
};

pub(crate) static WEB: Change = Change {
    id: "1.19.7",
    versions: &["1.19.7"],
    date: "2021-07-14",
    issue: "",
    says: "any slashes and backslashes after http, https, ftp, ws, wss or an empty scheme precede an authority",
    witness: Witness::resolving("", "http:a", None, Some("http://a/")),
};

pub(crate) static WEB_CASE: Change = Change {
    id: "#412",
    versions: &["1.19.8"],
    date: "2022-02-15",
    issue: "https://github.com/medialize/URI.js/pull/412",
    says: "the case of such a scheme does not matter",
    witness: Witness::resolving("", "HTTP:a", None, Some("HTTP://a/")),
};

pub(crate) static LEADING: Change = Change {
    id: "1.19.9",
    versions: &["1.19.9"],
    date: "2022-03-03",
    issue: "",
    says: "control characters and white space before a URL are removed",
    witness: Witness::resolving("", " a", Some("%20a"), Some("a")),
};

pub(crate) static COLONS: Change = Change {
    id: "1.19.10",
    versions: &["1.19.10"],
    date: "2022-03-05",
    issue: "",
    says: "several colons after such a scheme are one",
    witness: Witness::resolving("", "http::a", None, Some("http://a/")),
};

pub(crate) static TABS: Change = Change {
    id: "1.19.11 whitespace",
    versions: &["1.19.11"],
    date: "2022-04-03",
    issue: "",
    says: "tabs and ends of lines are removed",
    witness: Witness::resolving("", "a\tb", Some("a%09b"), Some("ab")),
};

pub(crate) static SLASHES: Change = Change {
    id: "1.19.11 slashes",
    versions: &["1.19.11"],
    date: "2022-04-03",
    issue: "",
    says: "two or more slashes and backslashes at the beginning precede an authority",
    witness: Witness::resolving("", "///a", Some("/a"), Some("//a/")),
};
