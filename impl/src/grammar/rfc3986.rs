//! RFC 3986 Appendix A, with the core rules of RFC 2234 that it uses.

use super::expression::Expression::{Alt, Name, OneOf, Opt, Seq, Text};
use super::expression::{many, times};
use super::{ALPHA, Case, DIGIT, Grammar, Production, class, production, valid};

/// The grammar of RFC 3986.
pub(super) static GRAMMAR: Grammar = Grammar {
    id: "rfc3986",
    cite: "RFC 3986",
    revisions: &["rfc3986", "rfc3986-nonstrict"],
    productions: PRODUCTIONS,
    top: |_| "URI-reference",
    valid: valid::rfc3986,
    base: Some("absolute-URI"),
    valid_base: valid::rfc3986_base,
    tops: &["URI-reference"],
    case: Case::Folded,
};

const PRODUCTIONS: &[Production] = &[
    production(
        "URI",
        "A",
        Seq(&[
            Name("scheme"),
            Text(":"),
            Name("hier-part"),
            Opt(&[Text("?"), Name("query")]),
            Opt(&[Text("#"), Name("fragment")]),
        ]),
    ),
    production(
        "hier-part",
        "A",
        Alt(&[
            Seq(&[Text("//"), Name("authority"), Name("path-abempty")]),
            Name("path-absolute"),
            Name("path-rootless"),
            Name("path-empty"),
        ]),
    ),
    production("URI-reference", "A", Alt(&[Name("URI"), Name("relative-ref")])),
    production(
        "absolute-URI",
        "A",
        Seq(&[Name("scheme"), Text(":"), Name("hier-part"), Opt(&[Text("?"), Name("query")])]),
    ),
    production(
        "relative-ref",
        "A",
        Seq(&[Name("relative-part"), Opt(&[Text("?"), Name("query")]), Opt(&[Text("#"), Name("fragment")])]),
    ),
    production(
        "relative-part",
        "A",
        Alt(&[
            Seq(&[Text("//"), Name("authority"), Name("path-abempty")]),
            Name("path-absolute"),
            Name("path-noscheme"),
            Name("path-empty"),
        ]),
    ),
    production("scheme", "A", Seq(&[Name("ALPHA"), many(0, &[Alt(&[Name("ALPHA"), Name("DIGIT"), OneOf("+-.")])])])),
    production(
        "authority",
        "A",
        Seq(&[Opt(&[Name("userinfo"), Text("@")]), Name("host"), Opt(&[Text(":"), Name("port")])]),
    ),
    production(
        "userinfo",
        "A",
        many(0, &[Alt(&[Name("unreserved"), Name("pct-encoded"), Name("sub-delims"), Text(":")])]),
    ),
    production("host", "A", Alt(&[Name("IP-literal"), Name("IPv4address"), Name("reg-name")])),
    production("port", "A", many(0, &[Name("DIGIT")])),
    production("IP-literal", "A", Seq(&[Text("["), Alt(&[Name("IPv6address"), Name("IPvFuture")]), Text("]")])),
    production(
        "IPvFuture",
        "A",
        Seq(&[
            Text("v"),
            many(1, &[Name("HEXDIG")]),
            Text("."),
            many(1, &[Alt(&[Name("unreserved"), Name("sub-delims"), Text(":")])]),
        ]),
    ),
    production(
        "IPv6address",
        "A",
        Alt(&[
            Seq(&[times(6, 6, &[Name("h16"), Text(":")]), Name("ls32")]),
            Seq(&[Text("::"), times(5, 5, &[Name("h16"), Text(":")]), Name("ls32")]),
            Seq(&[Opt(&[Name("h16")]), Text("::"), times(4, 4, &[Name("h16"), Text(":")]), Name("ls32")]),
            Seq(&[
                Opt(&[times(0, 1, &[Name("h16"), Text(":")]), Name("h16")]),
                Text("::"),
                times(3, 3, &[Name("h16"), Text(":")]),
                Name("ls32"),
            ]),
            Seq(&[
                Opt(&[times(0, 2, &[Name("h16"), Text(":")]), Name("h16")]),
                Text("::"),
                times(2, 2, &[Name("h16"), Text(":")]),
                Name("ls32"),
            ]),
            Seq(&[
                Opt(&[times(0, 3, &[Name("h16"), Text(":")]), Name("h16")]),
                Text("::"),
                Name("h16"),
                Text(":"),
                Name("ls32"),
            ]),
            Seq(&[Opt(&[times(0, 4, &[Name("h16"), Text(":")]), Name("h16")]), Text("::"), Name("ls32")]),
            Seq(&[Opt(&[times(0, 5, &[Name("h16"), Text(":")]), Name("h16")]), Text("::"), Name("h16")]),
            Seq(&[Opt(&[times(0, 6, &[Name("h16"), Text(":")]), Name("h16")]), Text("::")]),
        ]),
    ),
    production("h16", "A", times(1, 4, &[Name("HEXDIG")])),
    production("ls32", "A", Alt(&[Seq(&[Name("h16"), Text(":"), Name("h16")]), Name("IPv4address")])),
    production(
        "IPv4address",
        "A",
        Seq(&[
            Name("dec-octet"),
            Text("."),
            Name("dec-octet"),
            Text("."),
            Name("dec-octet"),
            Text("."),
            Name("dec-octet"),
        ]),
    ),
    production(
        "dec-octet",
        "A",
        Alt(&[
            Name("DIGIT"),
            Seq(&[OneOf("123456789"), Name("DIGIT")]),
            Seq(&[Text("1"), times(2, 2, &[Name("DIGIT")])]),
            Seq(&[Text("2"), OneOf("01234"), Name("DIGIT")]),
            Seq(&[Text("25"), OneOf("012345")]),
        ]),
    ),
    production("reg-name", "A", many(0, &[Alt(&[Name("unreserved"), Name("pct-encoded"), Name("sub-delims")])])),
    production(
        "path",
        "A",
        Alt(&[
            Name("path-abempty"),
            Name("path-absolute"),
            Name("path-noscheme"),
            Name("path-rootless"),
            Name("path-empty"),
        ]),
    ),
    production("path-abempty", "A", many(0, &[Text("/"), Name("segment")])),
    production(
        "path-absolute",
        "A",
        Seq(&[Text("/"), Opt(&[Name("segment-nz"), many(0, &[Text("/"), Name("segment")])])]),
    ),
    production("path-noscheme", "A", Seq(&[Name("segment-nz-nc"), many(0, &[Text("/"), Name("segment")])])),
    production("path-rootless", "A", Seq(&[Name("segment-nz"), many(0, &[Text("/"), Name("segment")])])),
    production("path-empty", "A", Seq(&[])),
    production("segment", "A", many(0, &[Name("pchar")])),
    production("segment-nz", "A", many(1, &[Name("pchar")])),
    production(
        "segment-nz-nc",
        "A",
        many(1, &[Alt(&[Name("unreserved"), Name("pct-encoded"), Name("sub-delims"), Text("@")])]),
    ),
    class("pchar", "A", Alt(&[Name("unreserved"), Name("pct-encoded"), Name("sub-delims"), OneOf(":@")])),
    production("query", "A", many(0, &[Alt(&[Name("pchar"), OneOf("/?")])])),
    production("fragment", "A", many(0, &[Alt(&[Name("pchar"), OneOf("/?")])])),
    class("pct-encoded", "A", Seq(&[Text("%"), Name("HEXDIG"), Name("HEXDIG")])),
    class("unreserved", "A", Alt(&[Name("ALPHA"), Name("DIGIT"), OneOf("-._~")])),
    class("reserved", "A", Alt(&[Name("gen-delims"), Name("sub-delims")])),
    class("gen-delims", "A", OneOf(":/?#[]@")),
    class("sub-delims", "A", OneOf("!$&'()*+,;=")),
    class("ALPHA", "1.3", OneOf(ALPHA)),
    class("DIGIT", "1.3", OneOf(DIGIT)),
    class("HEXDIG", "1.3", Alt(&[Name("DIGIT"), OneOf("ABCDEF")])),
];
