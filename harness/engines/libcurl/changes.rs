//! The changes of the URL API of libcurl, in the order of their dates.

use urlstrata_steps::{Change, Question, Witness};

pub(crate) static BRACKETS_ALONE: Change = change(
    "3218",
    &["7.63.0"],
    "2018-12-12",
    "https://github.com/curl/curl/issues/3218",
    "no port need follow the brackets of an IPv6 address",
    Witness::resolving("", "http://[::1]/", None, Some("http://[::1]/")),
);

pub(crate) static SLASH_AFTER: Change = change(
    "3220",
    &["7.63.0"],
    "2018-12-12",
    "https://github.com/curl/curl/issues/3220",
    "a slash follows the colon of a scheme",
    Witness::resolving("http://a/", "b:c", None, Some("http://a/b:c")),
);

pub(crate) static ZONE_PORT: Change = change(
    "3355",
    &["7.63.0"],
    "2018-12-12",
    "https://github.com/curl/curl/pull/3355",
    "the percent sign of a zone is encoded",
    Witness::resolving("", "http://[::1%a]:80/", Some("http://[::1%a]:80/"), None),
);

pub(crate) static NO_DIGITS: Change = change(
    "3365",
    &["7.64.0"],
    "2019-02-06",
    "https://github.com/curl/curl/pull/3365",
    "digits need not follow the colon of a port",
    Witness::resolving("", "http://a:/", None, Some("http://a/")),
);

pub(crate) static EMPTY_QUERY: Change = change(
    "3369",
    &["7.64.0"],
    "2019-02-06",
    "https://github.com/curl/curl/issues/3369",
    "an empty query is stated",
    Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "http://a/?",
        before: Some("scheme=http host=a path=/"),
        after: Some("scheme=http host=a path=/ query="),
    }),
);

pub(crate) static ZONE_ALONE: Change = change(
    "3411",
    &["7.64.0"],
    "2019-02-06",
    "https://github.com/curl/curl/pull/3411",
    "no port need follow the brackets of an address with a zone",
    Witness::resolving("", "http://[::1%25a]/", None, Some("http://[::1%25a]/")),
);

pub(crate) static ZONE: Change = change(
    "3817",
    &["7.65.0"],
    "2019-05-22",
    "https://github.com/curl/curl/issues/3817",
    "a zone has any characters, up to 15 of them, and its percent sign need not be encoded",
    Witness::resolving("", "http://[::1%eth0]/", None, Some("http://[::1%25eth0]/")),
);

pub(crate) static HOST_LENGTH: Change = change(
    "3880",
    &["7.65.0"],
    "2019-05-22",
    "https://github.com/curl/curl/pull/3880",
    "a host before a port or after a user is not empty",
    Witness::resolving("", "http://:80/", Some("http://:80/"), None),
);

pub(crate) static LONG_SCHEME: Change = change(
    "3905",
    &["7.65.0"],
    "2019-05-22",
    "https://github.com/curl/curl/pull/3905",
    "a scheme has up to 40 characters, before up to 7",
    Witness::resolving("http://a/", "b-scheme://c", Some("http://a/b-scheme://c"), None),
);

pub(crate) static ADDRESS: Change = change(
    "4315",
    &["7.66.0"],
    "2019-09-11",
    "https://github.com/curl/curl/pull/4315",
    "brackets contain an IPv6 address",
    Witness::resolving("", "http://[ab.be]/", Some("http://[ab.be]/"), None),
);

pub(crate) static FRAGMENT_FIRST: Change = change(
    "4412",
    &["7.67.0"],
    "2019-11-06",
    "https://github.com/curl/curl/issues/4412",
    "a question mark in a fragment does not begin a query",
    Witness::resolving("http://a/", "/c/../d#e/../f?g", Some("http://a/f?g"), Some("http://a/d#e/../f?g")),
);

pub(crate) static MQTT: Change =
    change("mqtt", &["7.71.0"], "2020-06-24", "", "mqtt is a scheme", Witness::resolving("", "mqtt://a/", None, Some("mqtt://a/")));

pub(crate) static GOPHERS: Change = change(
    "gophers",
    &["7.75.0"],
    "2021-02-03",
    "",
    "gophers is a scheme",
    Witness::resolving("", "gophers://a/", None, Some("gophers://a/")),
);

pub(crate) static IPV4: Change = change(
    "6863",
    &["7.77.0"],
    "2021-05-26",
    "https://github.com/curl/curl/issues/6863",
    "IPv4 addresses of one to four numbers are written as four decimal numbers",
    Witness::resolving("", "http://0x7f.1/", Some("http://0x7f.1/"), Some("http://127.0.0.1/")),
);

pub(crate) static SPACES: Change = change(
    "7073",
    &["7.78.0"],
    "2021-07-21",
    "https://github.com/curl/curl/pull/7073",
    "spaces are rejected",
    Witness::resolving("", "http://a/b c", Some("http://a/b c"), None),
);

pub(crate) static DECODED_HOST: Change = change(
    "7830",
    &["7.80.0"],
    "2021-11-10",
    "https://github.com/curl/curl/issues/7830",
    "escapes in a host are decoded",
    Witness::resolving("", "http://a%62/", Some("http://a%62/"), Some("http://ab/")),
);

pub(crate) static NO_NAME: Change = change(
    "8047",
    &["7.81.0"],
    "2022-01-05",
    "https://github.com/curl/curl/pull/8047",
    "a scheme is not empty",
    Witness::resolving("http://a/", ":/b", None, Some("http://a/:/b")),
);

pub(crate) static SHORT_FILE: Change = change(
    "8042",
    &["7.81.0"],
    "2022-01-05",
    "https://github.com/curl/curl/pull/8042",
    "the URL of a file has more than six characters",
    Witness::resolving("", "file:/", Some("file:///"), None),
);

pub(crate) static PORT_ZERO: Change = change(
    "8090",
    &["7.81.0"],
    "2022-01-05",
    "https://github.com/curl/curl/issues/8090",
    "port 0 is accepted",
    Witness::resolving("", "http://a:0/", None, Some("http://a:0/")),
);

pub(crate) static SHORT_ADDRESS: Change = change(
    "8206",
    &["7.81.0"],
    "2022-01-05",
    "https://github.com/curl/curl/pull/8206",
    "IPv6 addresses are written in their short form if it is shorter",
    Witness::resolving("", "http://[0::1]/", Some("http://[0::1]/"), Some("http://[::1]/")),
);

pub(crate) static SEPARATORS: Change = change(
    "CVE-2022-27780",
    &["7.83.1"],
    "2022-05-11",
    "https://curl.se/docs/CVE-2022-27780.html",
    "a decoded host does not contain separators",
    Witness::resolving("", "http://a%2fb/", Some("http://a/b/"), None),
);

pub(crate) static COLON: Change = change(
    "9503",
    &["7.86.0"],
    "2022-10-26",
    "https://github.com/curl/curl/issues/9503",
    "a colon ends a scheme also without a slash",
    Witness::resolving("http://a/b", "c:d", Some("http://a/c:d"), None),
);

pub(crate) static BLANK_USER: Change = change(
    "9088",
    &["7.86.0"],
    "2022-10-26",
    "https://github.com/curl/curl/issues/9088",
    "an empty name or password before @ is kept",
    Witness::resolving("", "http://@a/", Some("http://a/"), Some("http://@a/")),
);

pub(crate) static LAST_BYTE: Change = change(
    "9408",
    &["7.86.0"],
    "2022-10-26",
    "https://github.com/curl/curl/pull/9408",
    "the last byte of a host that begins with an encoded bracket is not compared with a bracket",
    Witness::resolving("", "http://%5b%3a%3a1x/", None, Some("http://[::1]/")),
);

pub(crate) static PUNCTUATION: Change = change(
    "9608",
    &["7.86.0"],
    "2022-10-26",
    "https://github.com/curl/curl/pull/9608",
    "hosts do not contain most punctuation",
    Witness::resolving("", "http://a*b/", Some("http://a*b/"), None),
);

pub(crate) static PLUS: Change = change(
    "10096",
    &["7.87.0"],
    "2022-12-21",
    "https://github.com/curl/curl/pull/10096",
    "hosts do not contain &, +, ( and )",
    Witness::resolving("", "http://a+b/", Some("http://a+b/"), None),
);

pub(crate) static NIL: Change = change(
    "10385",
    &["7.88.0"],
    "2023-02-15",
    "https://github.com/curl/curl/pull/10385",
    "a file's path that is only a slash is lost",
    Witness::resolving("", "file:///", Some("file:///"), Some("file://(nil)")),
);

pub(crate) static PUNYCODE: Change = change(
    "10109",
    &["7.88.0"],
    "2023-02-15",
    "https://github.com/curl/curl/pull/10109",
    "CURLU_PUNYCODE converts a host outside ASCII",
    Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "http://é/",
        before: Some("scheme=http host=é path=/"),
        after: Some("scheme=http host=xn--9ca path=/"),
    }),
);

pub(crate) static PERCENT: Change = change(
    "10711",
    &["8.0.0"],
    "2023-03-20",
    "https://github.com/curl/curl/pull/10711",
    "hosts do not contain percent signs",
    Witness::resolving("", "http://a%25b/", Some("http://a%25b/"), None),
);

pub(crate) static WHOLE_SCAN: Change = change(
    "10935",
    &["8.1.0"],
    "2023-05-17",
    "https://github.com/curl/curl/pull/10935",
    "the whole text is scanned for control characters and spaces before it is divided",
    None,
);

pub(crate) static NOT_ADDRESS: Change = change(
    "10894",
    &["8.1.0"],
    "2023-05-17",
    "https://github.com/curl/curl/pull/10894",
    "a host that begins with a number and a dot is an IPv4 address",
    Witness::resolving("", "http://1.2.x/", Some("http://1.2.x/"), None),
);

pub(crate) static HOST_NAME: Change = change(
    "11129",
    &["8.1.1"],
    "2023-05-23",
    "https://github.com/curl/curl/issues/11129",
    "a host that is not an IPv4 address is a name, even if it begins with a number",
    Witness::resolving("", "http://1.2.x/", None, Some("http://1.2.x/")),
);

pub(crate) static LETTER: Change = change(
    "11249",
    &["8.2.0"],
    "2023-07-19",
    "https://github.com/curl/curl/issues/11249",
    "a scheme begins with a letter",
    Witness::resolving("http://a/", "1b:/c", None, Some("http://a/1b:/c")),
);

pub(crate) static NO_BLANK: Change = change(
    "11714",
    &["8.3.0"],
    "2023-09-13",
    "https://github.com/curl/curl/issues/11714",
    "an empty reference is rejected",
    Witness::resolving("http://a/b", "", Some("http://a/"), None),
);

pub(crate) static FRAGMENT_ONLY: Change = change(
    "13394",
    &["8.8.0"],
    "2024-05-22",
    "https://github.com/curl/curl/pull/13394",
    "a reference that is a fragment keeps the base's path",
    Witness::resolving("http://a/b", "#c", Some("http://a/#c"), Some("http://a/b#c")),
);

pub(crate) static WEBSOCKETS: Change = change(
    "14936",
    &["8.11.0"],
    "2024-11-06",
    "https://github.com/curl/curl/pull/14936",
    "ws and wss are schemes",
    Witness::resolving("", "ws://a/", None, Some("ws://a/")),
);

pub(crate) static GET_EMPTY: Change = change(
    "13396",
    &["8.8.0"],
    "2024-05-22",
    "https://github.com/curl/curl/pull/13396",
    "an empty query is not stated without CURLU_GET_EMPTY",
    Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "http://a/?",
        before: Some("scheme=http host=a path=/ query="),
        after: Some("scheme=http host=a path=/"),
    }),
);

pub(crate) static REDIRECT: Change = change(
    "15836",
    &["8.12.0"],
    "2025-02-05",
    "https://github.com/curl/curl/issues/15836",
    "the base's fragment is removed before a query or a fragment is appended, and its query stays before a fragment",
    Witness::resolving("http://a/b?c", "#d", Some("http://a/b#d"), Some("http://a/b?c#d")),
);

pub(crate) static BASE_QUERY: Change = change(
    "16498",
    &["8.13.0"],
    "2025-04-02",
    "https://github.com/curl/curl/pull/16498",
    "the base's query does not begin in its fragment, and a file has a query",
    Witness::resolving("file:///a", "?b", Some("file:///a"), Some("file:///a?b")),
);

pub(crate) static ENCODED_DOTS: Change = change(
    "16869",
    &["8.13.0"],
    "2025-04-02",
    "https://github.com/curl/curl/issues/16869",
    "%2e is a dot in dot segments",
    Witness::resolving("", "http://a/b/%2e%2e/c", Some("http://a/b/%2e%2e/c"), Some("http://a/c")),
);

pub(crate) static CONTROLS: Change = change(
    "16498+",
    &["8.13.0"],
    "2025-04-02",
    "https://github.com/curl/curl/pull/16498",
    "control characters in a relative reference are encoded",
    Witness::resolving("http://a/", "b\x01", None, Some("http://a/b%01")),
);

pub(crate) static LOWER_X: Change = change(
    "16336",
    &["8.13.0"],
    "2025-04-02",
    "https://github.com/curl/curl/pull/16336",
    "hexadecimal numbers in IPv4 addresses begin with 0x, not with 0X",
    Witness::resolving("", "http://0X7f.1/", Some("http://127.0.0.1/"), Some("http://0X7f.1/")),
);

pub(crate) static BLANK: Change = change(
    "17188",
    &["8.14.0"],
    "2025-05-28",
    "https://github.com/curl/curl/issues/17188",
    "an empty reference is the base, with its fragment",
    Witness::resolving("http://a/b#c", "", None, Some("http://a/b#c")),
);

pub(crate) static UPPER_CASE: Change = change(
    "17685",
    &["8.15.0"],
    "2025-07-16",
    "https://github.com/curl/curl/issues/17685",
    "bytes are encoded with upper-case digits",
    Witness::resolving("http://a/", "é", Some("http://a/%c3%a9"), Some("http://a/%C3%A9")),
);

pub(crate) static ZERO_LENGTH: Change = change(
    "18462",
    &["8.16.0"],
    "2025-09-10",
    "https://github.com/curl/curl/pull/18462",
    "a host is not empty after it was converted",
    Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "http://\u{200b}/",
        before: Some("scheme=http host= path=/"),
        after: None,
    }),
);

pub(crate) static EQUAL_LENGTH: Change = change(
    "8.18.0",
    &["8.18.0"],
    "2026-01-07",
    "",
    "IPv6 addresses are written in their short form also if it is not shorter",
    Witness::resolving("", "http://[A::1]/", Some("http://[A::1]/"), Some("http://[a::1]/")),
);

pub(crate) static MQTTS: Change = change(
    "19418",
    &["8.19.0"],
    "2026-03-11",
    "https://github.com/curl/curl/pull/19418",
    "mqtts is a scheme",
    Witness::resolving("", "mqtts://a/", None, Some("mqtts://a/")),
);

pub(crate) static RTMP: Change = change(
    "20673",
    &["8.20.0"],
    "2026-04-29",
    "https://github.com/curl/curl/pull/20673",
    "rtmp and its variants are not schemes",
    Witness::resolving("", "rtmp://a/", Some("rtmp://a/"), None),
);

/// A change of connections, which the URL API does not show.
pub(crate) static SEPARATE: Change = change(
    "335dc0e3c5",
    &["8.20.0"],
    "2026-04-29",
    "https://github.com/curl/curl/commit/335dc0e3c5",
    "a client asks for addresses of IPv4 and of IPv6 separately",
    None,
);

pub(crate) static FIRST_DOT: Change = change(
    "20974",
    &["8.20.0"],
    "2026-04-29",
    "https://github.com/curl/curl/pull/20974",
    "a path that begins with a dot and something else keeps the dot",
    Witness::resolving("", "file:.ab", Some("file://ab"), Some("file://.ab")),
);

pub(crate) static FILE_SLASH: Change = change(
    "21070",
    &["8.20.0"],
    "2026-04-29",
    "https://github.com/curl/curl/pull/21070",
    "a file's path that is only a slash is kept",
    Witness::resolving("", "file:///", Some("file://(nil)"), Some("file:///")),
);

pub(crate) static UPPER_ESCAPES: Change = change(
    "8.20.0",
    &["8.20.0"],
    "2026-04-29",
    "",
    "escapes in a relative reference are written in upper case",
    Witness::resolving("http://a/", "%c3", Some("http://a/%c3"), Some("http://a/%C3")),
);

pub(crate) static DECODE_FIRST: Change = change(
    "21918",
    &["8.21.0"],
    "2026-06-24",
    "https://github.com/curl/curl/pull/21918",
    "a host is decoded before it is read as an address",
    Witness::resolving("", "http://%31.2/", Some("http://1.2/"), Some("http://1.0.0.2/")),
);

pub(crate) static DOT_AFTER: Change = change(
    "21635",
    &["8.21.0"],
    "2026-06-24",
    "https://github.com/curl/curl/pull/21635",
    "a dot after an IPv4 address is removed, and hexadecimal numbers also begin with 0X",
    Witness::resolving("", "http://1.2./", Some("http://1.2./"), Some("http://1.0.0.2/")),
);

pub(crate) static LAST_DOTS: Change = change(
    "21622",
    &["8.21.0"],
    "2026-06-24",
    "https://github.com/curl/curl/pull/21622",
    "a host is not a dot, and does not end in two",
    Witness::resolving("", "http://a../", Some("http://a../"), None),
);

pub(crate) static BAR: Change = change(
    "21762",
    &["8.21.0"],
    "2026-06-24",
    "https://github.com/curl/curl/pull/21762",
    "hosts do not contain |",
    Witness::resolving("", "http://a|b/", Some("http://a|b/"), None),
);

pub(crate) static FILE_ROOT: Change = change(
    "21743",
    &["8.21.0"],
    "2026-06-24",
    "https://github.com/curl/curl/issues/21743",
    "a file's path begins with a slash",
    Witness::resolving("", "file:a.b", Some("file://a.b"), None),
);

pub(crate) static NO_FRAGMENT: Change = change(
    "21745",
    &["8.21.0"],
    "2026-06-24",
    "https://github.com/curl/curl/issues/21745",
    "an empty reference is the base without its fragment",
    Witness::resolving("http://a/b#c", "", Some("http://a/b#c"), Some("http://a/b")),
);

pub(crate) static SOCKS: Change = change(
    "socks",
    &["8.21.0"],
    "2026-06-24",
    "",
    "socks and its variants are schemes",
    Witness::resolving("", "socks5://a/", None, Some("socks5://a/")),
);

pub(crate) static DELETE: Change = change(
    "8.23.0",
    &["8.23.0"],
    "",
    "",
    "hosts do not contain an encoded delete character",
    Witness::resolving("", "http://a%7fb/", Some("http://a\x7fb/"), None),
);

pub(crate) static BRACKETS: Change = change(
    "8.23.0 brackets",
    &["8.23.0"],
    "",
    "",
    "an encoded bracket does not begin an IPv6 address",
    Witness::resolving("", "http://%5b%3a%3a1%5d/", Some("http://[::1]/"), None),
);

pub(crate) static ZONES: Change = change(
    "22949",
    &["8.23.0"],
    "",
    "https://github.com/curl/curl/pull/22949",
    "the zone of an IPv6 address does not contain spaces and most punctuation",
    Witness::resolving("", "http://[::1%&]/", Some("http://[::1%25&]/"), None),
);

pub(crate) static SMB: Change = change(
    "8.23.0 smb",
    &["8.23.0"],
    "",
    "",
    "smb and smbs are not schemes",
    Witness::resolving("", "smb://a/", Some("smb://a/"), None),
);

/// A change that shows with `CURLU_PATH_AS_IS`.
pub(crate) static AS_IS_ALONE: Change = change(
    "15848",
    &["8.12.0"],
    "2025-02-05",
    "https://github.com/curl/curl/pull/15848",
    "dot segments of a relative reference are removed although CURLU_PATH_AS_IS is set",
    Witness::resolving("http://a/b/", "c/../d", Some("http://a/b/c/../d"), Some("http://a/b/d")),
);

/// A change that shows with `CURLU_URLENCODE`.
pub(crate) static ENCODED_PARTS: Change = change(
    "9763",
    &["7.86.0"],
    "2022-10-26",
    "https://github.com/curl/curl/pull/9763",
    "path and query are encoded one by one, and the fragment is not encoded",
    Witness::resolving("", "http://a/#é", Some("http://a/#%c3%a9"), Some("http://a/#é")),
);

/// A change that shows with `CURLU_URLENCODE`.
pub(crate) static ENCODED_FRAGMENT: Change = change(
    "10887",
    &["8.1.0"],
    "2023-05-17",
    "https://github.com/curl/curl/pull/10887",
    "the fragment is encoded",
    Witness::resolving("", "http://a/#é", Some("http://a/#é"), Some("http://a/#%c3%a9")),
);

/// A change that shows with `CURLU_URLENCODE`.
pub(crate) static FRAGMENT_SPACES: Change = change(
    "21296",
    &["8.20.0"],
    "2026-04-29",
    "https://github.com/curl/curl/pull/21296",
    "a space of a fragment is encoded as %20, also after a question mark",
    Witness::resolving("", "http://a/#?b c", Some("http://a/#?b+c"), Some("http://a/#?b%20c")),
);

/// A change that shows with `CURLU_URLENCODE`.
pub(crate) static ENCODED_CONTROLS: Change = change(
    "8.23.0 control characters",
    &["8.23.0"],
    "",
    "",
    "control characters after the authority are encoded",
    Witness::resolving("", "http://a/\x01", None, Some("http://a/%01")),
);

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
