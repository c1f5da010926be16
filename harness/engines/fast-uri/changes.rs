//! The changes of fast-uri, in the order of their dates. Releases of 2.4 and 3.1 have most of those of 4.

use urlstrata_steps::{Change, Question, Witness};

pub(crate) static ESCAPE: Change = Change {
    id: "2.4.0",
    versions: &["2.4.0"],
    date: "2024-06-10",
    issue: "",
    says: "a path is decoded before it is encoded, and encoded as `escape` does",
    witness: Witness::resolving("http://a/b", "%41\u{e9}", Some("http://a/%41\u{c3}\u{a9}"), Some("http://a/A\u{e9}")),
};

pub(crate) static OCTETS: Change = Change {
    id: "3.0.0",
    versions: &["3.0.0", "2.4.5"],
    date: "2024-06-23",
    issue: "",
    says: "zeros at the beginning of the numbers of an IPv4 address remain",
    witness: Witness::resolving("", "//01.2.3.4", Some("//1.2.3.4"), Some("//01.2.3.4")),
};

pub(crate) static FRAGMENT: Change = Change {
    id: "3.0.1",
    versions: &["3.0.1", "2.4.5"],
    date: "2024-06-27",
    issue: "",
    says: "escapes of delimiters in a fragment are decoded",
    witness: Witness::resolving("", "#%2F", Some("#%252F"), Some("#/")),
};

pub(crate) static USER_ESCAPES: Change = Change {
    id: "3.0.2",
    versions: &["3.0.2", "2.4.5"],
    date: "2024-09-26",
    issue: "",
    says: "escapes in a user remain",
    witness: Witness::resolving("", "//%41@b", Some("//A@b"), Some("//%41@b")),
};

pub(crate) static ZEROS: Change = Change {
    id: "3.1.0 hosts",
    versions: &["3.1.0"],
    date: "2025-08-25",
    issue: "",
    says: "a host in brackets with a number of only zeros before another is not an address",
    witness: Witness::resolving("", "//[1:0::2]", Some("//[1:::2]"), Some("//[1:0::2]")),
};

pub(crate) static LAST_SLASH: Change = Change {
    id: "3.1.0 paths",
    versions: &["3.1.0"],
    date: "2025-08-25",
    issue: "",
    says: "the last of two slashes at the end of a path is lost; paths with an end of a line no longer stop the program",
    witness: Witness::resolving("", "http://a/b//", Some("http://a/b//"), Some("http://a/b/")),
};

pub(crate) static RESERVED: Change = Change {
    id: "3.1.1",
    versions: &["3.1.1", "2.4.1"],
    date: "2026-05-04",
    issue: "",
    says: "only unreserved characters of a path are decoded, and a path is not decoded when it is written",
    witness: Witness::resolving("http://a/b", "c%2Fd", Some("http://a/c/d"), Some("http://a/c%2Fd")),
};

pub(crate) static DELIMITERS: Change = Change {
    id: "3.1.2 hosts",
    versions: &["3.1.2", "2.4.1"],
    date: "2026-05-05",
    issue: "",
    says: "delimiters that are decoded in a host are encoded again",
    witness: Witness::resolving("", "//a%2Fb", Some("//a/b"), Some("//a%2Fb")),
};

pub(crate) static KEPT_FRAGMENT: Change = Change {
    id: "#171",
    versions: &["3.1.2", "2.4.5"],
    date: "2026-05-05",
    issue: "https://github.com/fastify/fast-uri/pull/171",
    says: "a fragment whose escapes are not those of UTF-8 is kept, and not rejected",
    witness: Witness::resolving("", "#%", None, Some("#%")),
};

pub(crate) static UTF_8: Change = Change {
    id: "4.0.0",
    versions: &["4.0.0", "3.1.6", "2.4.5"],
    date: "2026-06-09",
    issue: "https://github.com/fastify/fast-uri/pull/181",
    says: "characters of a path are encoded as UTF-8, and not as `escape` encodes them",
    witness: Witness::resolving("http://a/b", "\u{e9}", Some("http://a/%E9"), Some("http://a/%C3%A9")),
};

pub(crate) static CASE: Change = Change {
    id: "4.0.1",
    versions: &["4.0.1", "3.1.6", "2.4.5"],
    date: "2026-06-29",
    issue: "https://github.com/fastify/fast-uri/pull/182",
    says: "the scheme is written in lower case",
    witness: Witness::resolving("", "A:b", Some("A:b"), Some("a:b")),
};

pub(crate) static DOMAINS: Change = Change {
    id: "CVE-2026-13676",
    versions: &["4.0.1", "3.1.3", "2.4.2"],
    date: "2026-06-29",
    issue: "https://github.com/fastify/fast-uri/security/advisories/GHSA-4c8g-83qw-93j6",
    says: "`parse` converts hosts of http, https, ws and wss as the URL Standard does; the call before did not exist and only set an error",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "http://0x7f.1/",
        before: Some("scheme=http host=0x7f.1 path=/"),
        after: Some("scheme=http host=127.0.0.1 path=/"),
    }),
};

pub(crate) static QUERY: Change = Change {
    id: "4.1.0 query",
    versions: &["4.1.0", "3.1.6", "2.4.5"],
    date: "2026-06-29",
    issue: "https://github.com/fastify/fast-uri/pull/183",
    says: "queries and fragments are normalized like paths",
    witness: Witness::resolving("http://a/b", "?c d", Some("http://a/b?c d"), Some("http://a/b?c%20d")),
};

pub(crate) static TWO_SLASHES: Change = Change {
    id: "4.1.0 path",
    versions: &["4.1.0"],
    date: "2026-06-29",
    issue: "https://github.com/fastify/fast-uri/pull/185",
    says: "two slashes at the end of a path remain",
    witness: Witness::resolving("http://a/b", "/c//", Some("http://a/c/"), Some("http://a/c//")),
};

pub(crate) static MALFORMED: Change = Change {
    id: "4.1.2",
    versions: &["4.1.2", "3.1.5", "2.4.4"],
    date: "2026-07-31",
    issue: "",
    says: "authorities with a backslash or what is not a port are rejected, and slashes that are not two",
    witness: Witness::resolving("", "//a:b", Some("//a:/b"), None),
};

pub(crate) static SCHEMES: Change = Change {
    id: "4.1.3 schemes",
    versions: &["4.1.3", "3.1.6", "2.4.5"],
    date: "2026-08",
    issue: "",
    says: "what is not a scheme before a colon is rejected",
    witness: Witness::resolving("", "a_:b", Some("a_:b"), None),
};

pub(crate) static ESCAPES: Change = Change {
    id: "4.1.3 escapes",
    versions: &["4.1.3", "3.1.6", "2.4.5"],
    date: "2026-08",
    issue: "https://github.com/fastify/fast-uri/pull/205",
    says: "percent signs without an escape are rejected",
    witness: Witness::resolving("http://a/b", "%", Some("http://a/%25"), None),
};

pub(crate) static CHARACTERS: Change = Change {
    id: "4.1.3 characters",
    versions: &["4.1.3", "3.1.6", "2.4.5"],
    date: "2026-08",
    issue: "https://github.com/fastify/fast-uri/pull/201",
    says: "users are encoded, and two letters that are not of ASCII no longer count as letters",
    witness: Witness::resolving("", "//a b@c", Some("//a b@c"), Some("//a%20b@c")),
};

pub(crate) static ADDRESSES: Change = Change {
    id: "4.1.3 addresses",
    versions: &["4.1.3", "3.1.6", "2.4.5"],
    date: "2026-08",
    issue: "",
    says: "IP addresses in brackets are checked, and their longest zeros are shortened",
    witness: Witness::resolving("", "//[1:0:0:0:0:0:0:2]", Some("//[1%3A0%3A0%3A0%3A0%3A0%3A0%3A2]"), Some("//[1::2]")),
};

pub(crate) static HOSTS: Change = Change {
    id: "4.1.3 hosts",
    versions: &["4.1.3", "3.1.6", "2.4.5"],
    date: "2026-08",
    issue: "",
    says: "`resolve` converts hosts of http, https, ws and wss as the URL Standard does, and only unreserved characters of a host are decoded",
    witness: Witness::resolving("", "http://1.2", Some("http://1.2"), Some("http://1.0.0.2")),
};

pub(crate) static URN: Change = Change {
    id: "4.1.3 urn",
    versions: &["4.1.3", "3.1.6", "2.4.5"],
    date: "2026-08",
    issue: "",
    says: "the whole path of a URN must be a name, a colon and a text",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "urn:/a:b",
        before: Some("scheme=urn"),
        after: Some("scheme=urn path=/a:b"),
    }),
};

pub(crate) static MAILTO: Change = Change {
    id: "4.1.3 mailto",
    versions: &["4.1.3"],
    date: "2026-08",
    issue: "",
    says: "mailto has a handler, which takes recipients and headers from path and query",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "mailto:a",
        before: Some("scheme=mailto path=a"),
        after: Some("scheme=mailto"),
    }),
};

pub(crate) static BRACKETS: Change = Change {
    id: "4.1.4",
    versions: &["4.1.4", "3.1.7", "2.4.6"],
    date: "2026-09",
    issue: "",
    says: "a bracket inside a host is rejected",
    witness: Witness::resolving("", "//a[b", Some("//a[b"), None),
};

pub(crate) static LOWER: Change = Change {
    id: "4.1.5",
    versions: &["4.1.5", "3.1.8", "2.4.7"],
    date: "2026-09",
    issue: "",
    says: "a host is written in lower case after it is decoded, too; hosts of urn and mailto are decoded by `parse`",
    witness: Witness::resolving("", "//%41", Some("//A"), Some("//a")),
};

pub(crate) static ZONES: Change = Change {
    id: "4.2.0",
    versions: &["4.2.0"],
    date: "2026-09",
    issue: "",
    says: "a zone that begins with 25 is kept",
    witness: Witness::resolving("", "//[::1%2525a]", Some("//[::1%25a]"), Some("//[::1%2525a]")),
};

pub(crate) static EDGES: Change = Change {
    id: "4.2.2 edges",
    versions: &["4.2.2"],
    date: "2026-10",
    issue: "",
    says: "control characters and spaces at the edges of a text are rejected",
    witness: Witness::resolving("", " a", Some("%20a"), None),
};

pub(crate) static HTTP_HOST: Change = Change {
    id: "4.2.2 http",
    versions: &["4.2.2"],
    date: "2026-10",
    issue: "",
    says: "http and https URLs without a host are rejected",
    witness: Witness::resolving("", "http:/a", Some("http:/a"), None),
};

pub(crate) static OPAQUE: Change = Change {
    id: "4.2.2 paths",
    versions: &["4.2.2"],
    date: "2026-10",
    issue: "",
    says: "dot segments of mailto and urn URLs remain",
    witness: Witness::resolving("", "urn:a/../b", Some("urn:/b"), Some("urn:a/../b")),
};

pub(crate) static ENCODED_HOSTS: Change = Change {
    id: "4.2.2 hosts",
    versions: &["4.2.2"],
    date: "2026-10",
    issue: "",
    says: "what a host cannot contain is encoded",
    witness: Witness::resolving("", "x://a b", Some("x://a b"), Some("x://a%20b")),
};

pub(crate) static RAW_HOSTS: Change = Change {
    id: "4.2.2 delimiters",
    versions: &["4.2.2", "3.1.9", "2.4.8"],
    date: "2026-10",
    issue: "",
    says: "delimiters in a host are only encoded when it is written",
    witness: Witness::resolving("", "http://a@b@c%41/", Some("http://a@b%40ca/"), Some("http://a@ca/")),
};

pub(crate) static RAW_SCHEMES: Change = Change {
    id: "4.2.3 schemes",
    versions: &["4.2.3", "3.1.9", "2.4.8"],
    date: "2026-10",
    issue: "",
    says: "an escape in a scheme is rejected",
    witness: Witness::resolving("", "%61:b", Some("a:b"), None),
};

pub(crate) static FORBIDDEN: Change = Change {
    id: "4.2.3 hosts",
    versions: &["4.2.3", "3.1.9", "2.4.8"],
    date: "2026-10",
    issue: "",
    says: "hosts of http, https, ws and wss with another character of ASCII than those of RFC 3986 are rejected",
    witness: Witness::resolving("", "http://a{", Some("http://a%7B"), None),
};

pub(crate) static RELATIVE: Change = Change {
    id: "4.2.3 paths",
    versions: &["4.2.3", "3.1.9", "2.4.8"],
    date: "2026-10",
    issue: "",
    says: "a relative path remains one: .. segments at its beginning remain, and ./ precedes a colon in its first segment",
    witness: Witness::resolving("", "../a", Some("a"), Some("../a")),
};

pub(crate) static WS_HOST: Change = Change {
    id: "4.2.4 ws",
    versions: &["4.2.4"],
    date: "2026-11",
    issue: "",
    says: "ws and wss URLs without a host are rejected",
    witness: Witness::resolving("", "ws:/a", Some("ws:/a"), None),
};

pub(crate) static FAST: Change = Change {
    id: "4.2.4 hosts",
    versions: &["4.2.4"],
    date: "2026-11",
    issue: "",
    says: "a host of letters, digits and marks that does not end in a number is not converted",
    witness: Witness::resolving("", "http://xn--1", None, Some("http://xn--1")),
};
