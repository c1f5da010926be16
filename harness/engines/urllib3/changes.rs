//! The changes of `parse_url` of urllib3, in the order of their dates.

use urlstrata_steps::{Change, Question, Witness};

pub(crate) static RFC_3986: Change = change(
    "#1487",
    &["1.25.0"],
    "2019-04-22",
    "https://github.com/urllib3/urllib3/pull/1487",
    "the package rfc3986 divides, normalizes and checks the URL",
    stated("//a/", Some("path=//a/"), Some("authority=a host=a path=/")),
);

pub(crate) static OWN: Change = change(
    "1.25.4",
    &["1.25.4"],
    "2019-09-19",
    "",
    "the library divides the URL itself; a user may have any characters, and nothing of schemes other than http and https is encoded",
    stated("x://a/|", Some("scheme=x authority=a host=a path=/%7C"), Some("scheme=x authority=a host=a path=/|")),
);

pub(crate) static TILDE: Change = change(
    "#1692",
    &["1.25.6"],
    "2019-09-24",
    "https://github.com/urllib3/urllib3/pull/1692",
    "~ is not encoded",
    stated("http://a/~", Some("scheme=http authority=a host=a path=/%7E"), Some("scheme=http authority=a host=a path=/~")),
);

pub(crate) static BACKSLASH: Change = change(
    "1.25.9",
    &["1.25.9"],
    "2020-04-16",
    "",
    "a backslash ends the authority",
    stated("x://a\\b", Some("scheme=x authority=a\\b host=a\\b"), Some("scheme=x authority=a host=a path=/\\b")),
);

pub(crate) static NO_USER: Change = change(
    "CVE-2021-33503",
    &["1.26.5"],
    "2021-05-26",
    "",
    "an empty user is absent",
    stated("http://@a/", Some("scheme=http authority=a userinfo= host=a path=/"), Some("scheme=http authority=a host=a path=/")),
);

pub(crate) static ZEROS: Change = change(
    "1.26.13",
    &["1.26.13"],
    "2022-11-23",
    "",
    "a port of five digits may follow zeros, and 0 is an empty port",
    stated("http://a:000080/", None, Some("scheme=http authority=a:80 host=a port=80 path=/")),
);

pub(crate) static PORT_0: Change = change(
    "#2850",
    &["1.26.14"],
    "2023-01-11",
    "https://github.com/urllib3/urllib3/issues/2850",
    "0 is a port",
    stated("http://a:0/", Some("scheme=http authority=a host=a path=/"), Some("scheme=http authority=a host=a port=0 path=/")),
);

pub(crate) static MARK: Change = change(
    "1.26.15",
    &["1.26.15"],
    "2023-03-10",
    "",
    "a zone does not contain an exclamation mark",
    stated("http://[::1%a!]/", Some("scheme=http authority=[::1%a%21] host=[::1%a%21] path=/"), None),
);

pub(crate) static CONTROLS: Change = change(
    "2.8.0 controls",
    &["2.8.0"],
    "2026",
    "",
    "a host does not contain spaces and control characters",
    stated("http://a b/", Some("scheme=http authority=a b host=a b path=/"), None),
);

pub(crate) static ESCAPES: Change = change(
    "2.8.0 escapes",
    &["2.8.0"],
    "2026",
    "",
    "the escapes of a host are normalized, and it does not contain escapes of control characters",
    stated("http://%61%3a/", Some("scheme=http authority=%61%3a host=%61%3a path=/"), Some("scheme=http authority=a%3A host=a%3A path=/")),
);

pub(crate) static NUMBERS: Change = change(
    "2.8.0 numbers",
    &["2.8.0"],
    "2026",
    "",
    "a host of one to four numbers keeps its case",
    stated("http://0XA/", Some("scheme=http authority=0xa host=0xa path=/"), Some("scheme=http authority=0XA host=0XA path=/")),
);

pub(crate) static NETLOC: Change = change(
    "2.8.0 netloc",
    &["2.8.0"],
    "2026",
    "",
    "port 0 is part of the authority",
    stated("http://a:0/", Some("scheme=http authority=a host=a port=0 path=/"), Some("scheme=http authority=a:0 host=a port=0 path=/")),
);

const fn stated(url: &'static str, before: Option<&'static str>, after: Option<&'static str>) -> Option<Witness> {
    Some(Witness { question: Question::Parse, base: "", reference: url, before, after })
}

const fn change(
    id: &'static str,
    versions: &'static [&'static str],
    date: &'static str,
    issue: &'static str,
    says: &'static str,
    witness: Option<Witness>,
) -> Change {
    Change { id, versions, date, issue, says, witness }
}
