//! The changes of how curl reads a URL before it has the parser of `urlapi.c`, and of how it resolves names, in the order of their dates.

use urlstrata_steps::{Change, Question, Witness};

const fn change(
    id: &'static str,
    versions: &'static [&'static str],
    date: &'static str,
    issue: &'static str,
    says: &'static str,
    (reference, before, after): (&'static str, Option<&'static str>, Option<&'static str>),
) -> Change {
    let witness = Some(Witness { question: Question::Connect, base: "", reference, before, after });
    Change { id, versions, date, issue, says, witness }
}

pub(crate) static FRAGMENT: Change = change(
    "CVE-2016-8624",
    &["7.51.0"],
    "2016-11-02",
    "https://curl.se/docs/CVE-2016-8624.html",
    "a # ends the host",
    ("http://a#@b", Some("scheme=http user=a# host=b port=80"), Some("scheme=http host=a port=80")),
);

pub(crate) static IDNA_2008: Change = change(
    "CVE-2016-8625",
    &["7.51.0"],
    "2016-11-02",
    "https://curl.se/docs/CVE-2016-8625.html",
    "hosts are converted by IDNA 2008, and not by IDNA 2003",
    ("http://\u{df}/", Some("scheme=http host=ss port=80"), Some("scheme=http host=xn--zca port=80")),
);

pub(crate) static DIGITS: Change = change(
    "aab33215af",
    &["7.52.0"],
    "2016-12-21",
    "https://github.com/curl/curl/commit/aab33215af",
    "a port without a digit is rejected",
    ("http://a:x/", Some("scheme=http host=a port=80"), None),
);

pub(crate) static SCHEME: Change = change(
    "1187",
    &["7.53.0"],
    "2017-02-22",
    "https://github.com/curl/curl/issues/1187",
    "a scheme does not contain a slash",
    ("a/b:/c", None, Some("scheme=http host=a port=80")),
);

pub(crate) static OPTIONS: Change = change(
    "1252",
    &["7.53.0"],
    "2017-02-22",
    "https://github.com/curl/curl/issues/1252",
    "a semicolon is part of a user or a password, except for mail",
    ("http://a;b@c/", Some("scheme=http user=a host=c port=80"), Some("scheme=http user=a;b host=c port=80")),
);

pub(crate) static WHOLE_PORT: Change = change(
    "7.54.1 port",
    &["7.54.1"],
    "2017-06-14",
    "",
    "the port follows the first colon, and is only digits",
    ("http://a:80x/", Some("scheme=http host=a port=80"), None),
);

pub(crate) static BRACKET: Change = change(
    "2072",
    &["7.57.0"],
    "2017-11-29",
    "https://github.com/curl/curl/pull/2072",
    "only a port follows the bracket of an address",
    ("http://[::1]x/", Some("scheme=http host=[::1] port=80"), None),
);

pub(crate) static URL_API: Change = change(
    "3017",
    &["7.62.0"],
    "2018-10-31",
    "https://github.com/curl/curl/pull/3017",
    "URLs are read by the parser of the URL API",
    ("http://a/\x01", Some("scheme=http host=a port=80"), None),
);

pub(crate) static LOCALHOST: Change = change(
    "1a0ebf6632",
    &["7.78.0"],
    "2021-07-21",
    "https://github.com/curl/curl/commit/1a0ebf6632",
    "localhost is this host",
    ("http://localhost/", Some("scheme=http host=localhost port=80 path=/"), Some("scheme=http host=127.0.0.1 port=80 path=/")),
);

pub(crate) static IN_LOCALHOST: Change = change(
    "9296",
    &["7.85.0"],
    "2022-08-31",
    "https://github.com/curl/curl/pull/9296",
    "a name that ends in .localhost is this host, too",
    ("http://a.localhost/", Some("scheme=http host=a.localhost port=80 path=/"), Some("scheme=http host=127.0.0.1 port=80 path=/")),
);

pub(crate) static IPV6_FIRST: Change = change(
    "11466",
    &["8.2.1"],
    "2023-07-26",
    "https://github.com/curl/curl/pull/11466",
    "localhost is reached by IPv6 first",
    ("http://localhost/", Some("scheme=http host=127.0.0.1 port=80 path=/"), Some("scheme=http host=[::1] port=80 path=/")),
);

pub(crate) static LOCALHOST_DOT: Change = change(
    "15676",
    &["8.11.1"],
    "2024-12-11",
    "https://github.com/curl/curl/pull/15676",
    "a dot may follow localhost",
    ("http://localhost./", Some("scheme=http host=localhost. port=80 path=/"), Some("scheme=http host=[::1] port=80 path=/")),
);
