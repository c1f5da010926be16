//! The changes of yarl, in the order of their dates.

use urlstrata_steps::{Change, Witness};

/// Creates a change that one pull request made.
macro_rules! change {
    ($name:ident, $number:literal, $version:literal, $date:literal, $says:literal, $witness:expr) => {
        pub(super) static $name: Change = Change {
            id: concat!("#", $number),
            versions: &[$version],
            date: $date,
            issue: concat!("https://github.com/aio-libs/yarl/pull/", $number),
            says: $says,
            witness: $witness,
        };
    };
}

change!(
    DEFAULT_PORT,
    "1033",
    "1.9.5",
    "2024-08-30",
    "the default port of the scheme is not written, nor are the port 0 and the brackets of an address without a port",
    Witness::resolving("", "http://h:80/", Some("http://h:80/"), Some("http://h/"))
);

change!(
    JOIN,
    "1082",
    "1.9.10",
    "2024-09-04",
    "references are joined without `urljoin`: empty segments are kept, and the folder of the base is decoded",
    Witness::resolving("http://a/b", "c//d", Some("http://a/c/d"), Some("http://a/c//d"))
);

change!(
    ROOT,
    "1118",
    "1.10.0",
    "2024-09-06",
    "a path follows a slash if the base has none",
    Witness::resolving("?a", "b", Some("b"), Some("/b"))
);

change!(
    NETLOC,
    "1112",
    "1.10.0",
    "2024-09-06",
    "a port is what `int` reads",
    Witness::resolving("", "//h:8_0/", None, Some("//h:80/"))
);

change!(
    NO_HOST,
    "1136",
    "1.11.1",
    "2024-09-09",
    "the host may be empty unless the scheme is ftp, http, https, ws or wss; 21 is the default port of ftp",
    Witness::resolving("", "foo://u@/a", None, Some("foo://u@/a"))
);

change!(
    BRACKETS,
    "1158",
    "1.13.0",
    "2024-09-26",
    "an address without a port is written in brackets",
    Witness::resolving("", "//[::1]/", Some("//::1/"), Some("//[::1]/"))
);

change!(
    ZERO,
    "1170",
    "1.14.0",
    "2024-10-08",
    "the port 0 is written",
    Witness::resolving("", "//h:0/", Some("//h/"), Some("//h:0/"))
);

change!(
    LIKELY_ADDRESS,
    "1176",
    "1.14.0",
    "2024-10-08",
    "a host is an address only if it ends in a digit or contains a colon",
    Witness::resolving("", "//1.2.3.4%A/", Some("//1.2.3.4%A/"), Some("//1.2.3.4%a/"))
);

change!(
    NO_NETLOC,
    "1198",
    "1.15.0",
    "2024-10-11",
    "the user of a joined URL is written also if the host is empty and the port is absent",
    Witness::resolving("file:///a", "//u@/b", Some("file:///b"), Some("file://u@/b"))
);

change!(
    TWO_SLASHES,
    "1234",
    "1.15.2",
    "2024-10-13",
    "two slashes are written before a path that begins with two slashes",
    Witness::resolving("", "////a", Some("//a"), Some("////a"))
);

pub(super) static LOWER: Change = Change {
    id: "1.16.0",
    versions: &["1.16.0"],
    date: "2024-10-21",
    issue: "",
    says: "a host outside ASCII is not written in lower case before it is converted",
    witness: Witness::resolving("", "//\u{2177}.A%/", Some("//viii.a%/"), Some("//viii.A%/")),
};

change!(
    SPLIT_URL,
    "1360",
    "1.16.0",
    "2024-10-21",
    "URLs are split without `urlsplit`: a scheme may begin with a digit, and brackets contain anything with a colon",
    Witness::resolving("", "//[a:b]/", None, Some("//a:b/"))
);

change!(
    BEFORE_BRACKET,
    "1654",
    "1.24.0",
    "2026-05-19",
    "a host with a bracket inside or with two pairs of brackets is rejected",
    Witness::resolving("", "//a[::1]/", Some("//[::1]/"), None)
);

change!(
    BACKSLASH,
    "1659",
    "1.24.0",
    "2026-05-19",
    "an authority with a backslash is rejected",
    Witness::resolving("", "//a\\b/", Some("//a\\b/"), None)
);

change!(
    COLON,
    "1669",
    "1.24.0",
    "2026-05-19",
    "the first colon of a relative path is percent-encoded if what precedes it is a scheme",
    Witness::resolving("", "a%3Ab", Some("a:b"), Some("a%3Ab"))
);

change!(
    AFTER_BRACKET,
    "1672",
    "1.24.0",
    "2026-05-19",
    "anything but a port after brackets is rejected",
    Witness::resolving("", "//[::1]a/", Some("//[::1]/"), None)
);

change!(
    PERCENT,
    "1655",
    "1.24.3",
    "2026-07-19",
    "an authority whose compatible form has a percent sign is rejected",
    Witness::resolving("", "//\u{ff05}41/", Some("//%41/"), None)
);

change!(
    IGNORABLE,
    "1801",
    "1.24.3",
    "2026-07-19",
    "a host with a character that IDNA drops is rejected",
    Witness::resolving("", "//a\u{ad}b/", Some("//ab/"), None)
);
