//! RFC 2396 Appendix A.

use super::expression::Expression::{Alt, Name, OneOf, Opt, Seq, Text};
use super::expression::many;
use super::{Case, DIGIT, Grammar, HIALPHA, LOWALPHA, Production, class, production, valid};

/// RFC 2396's grammar.
pub(super) static GRAMMAR: Grammar = Grammar {
    id: "rfc2396",
    cite: "RFC 2396",
    revisions: &["rfc2396"],
    productions: PRODUCTIONS,
    top: |_| "URI-reference",
    valid: valid::rfc2396,
    base: Some("absoluteURI"),
    valid_base: valid::rfc2396_base,
    tops: &["URI-reference"],
    case: Case::AsWritten,
};

const PRODUCTIONS: &[Production] = &[
    production(
        "URI-reference",
        "A",
        Seq(&[Opt(&[Alt(&[Name("absoluteURI"), Name("relativeURI")])]), Opt(&[Text("#"), Name("fragment")])]),
    ),
    production("absoluteURI", "A", Seq(&[Name("scheme"), Text(":"), Alt(&[Name("hier_part"), Name("opaque_part")])])),
    production(
        "relativeURI",
        "A",
        Seq(&[Alt(&[Name("net_path"), Name("abs_path"), Name("rel_path")]), Opt(&[Text("?"), Name("query")])]),
    ),
    production("hier_part", "A", Seq(&[Alt(&[Name("net_path"), Name("abs_path")]), Opt(&[Text("?"), Name("query")])])),
    production("opaque_part", "A", Seq(&[Name("uric_no_slash"), many(0, &[Name("uric")])])),
    class("uric_no_slash", "A", Alt(&[Name("unreserved"), Name("escaped"), OneOf(";?:@&=+$,")])),
    production("net_path", "A", Seq(&[Text("//"), Name("authority"), Opt(&[Name("abs_path")])])),
    production("abs_path", "A", Seq(&[Text("/"), Name("path_segments")])),
    production("rel_path", "A", Seq(&[Name("rel_segment"), Opt(&[Name("abs_path")])])),
    production("rel_segment", "A", many(1, &[Alt(&[Name("unreserved"), Name("escaped"), OneOf(";@&=+$,")])])),
    production("scheme", "A", Seq(&[Name("alpha"), many(0, &[Alt(&[Name("alpha"), Name("digit"), OneOf("+-.")])])])),
    production("authority", "A", Alt(&[Name("server"), Name("reg_name")])),
    production("reg_name", "A", many(1, &[Alt(&[Name("unreserved"), Name("escaped"), OneOf("$,;:@&=+")])])),
    production("server", "A", Opt(&[Opt(&[Name("userinfo"), Text("@")]), Name("hostport")])),
    production("userinfo", "A", many(0, &[Alt(&[Name("unreserved"), Name("escaped"), OneOf(";:&=+$,")])])),
    production("hostport", "A", Seq(&[Name("host"), Opt(&[Text(":"), Name("port")])])),
    production("host", "A", Alt(&[Name("hostname"), Name("IPv4address")])),
    production(
        "hostname",
        "A",
        Seq(&[many(0, &[Name("domainlabel"), Text(".")]), Name("toplabel"), Opt(&[Text(".")])]),
    ),
    production(
        "domainlabel",
        "A",
        Alt(&[
            Name("alphanum"),
            Seq(&[Name("alphanum"), many(0, &[Alt(&[Name("alphanum"), Text("-")])]), Name("alphanum")]),
        ]),
    ),
    production(
        "toplabel",
        "A",
        Alt(&[Name("alpha"), Seq(&[Name("alpha"), many(0, &[Alt(&[Name("alphanum"), Text("-")])]), Name("alphanum")])]),
    ),
    production(
        "IPv4address",
        "A",
        Seq(&[
            many(1, &[Name("digit")]),
            Text("."),
            many(1, &[Name("digit")]),
            Text("."),
            many(1, &[Name("digit")]),
            Text("."),
            many(1, &[Name("digit")]),
        ]),
    ),
    production("port", "A", many(0, &[Name("digit")])),
    production("path", "A", Opt(&[Alt(&[Name("abs_path"), Name("opaque_part")])])),
    production("path_segments", "A", Seq(&[Name("segment"), many(0, &[Text("/"), Name("segment")])])),
    production("segment", "A", Seq(&[many(0, &[Name("pchar")]), many(0, &[Text(";"), Name("param")])])),
    production("param", "A", many(0, &[Name("pchar")])),
    class("pchar", "A", Alt(&[Name("unreserved"), Name("escaped"), OneOf(":@&=+$,")])),
    production("query", "A", many(0, &[Name("uric")])),
    production("fragment", "A", many(0, &[Name("uric")])),
    class("uric", "A", Alt(&[Name("reserved"), Name("unreserved"), Name("escaped")])),
    class("reserved", "A", OneOf(";/?:@&=+$,")),
    class("unreserved", "A", Alt(&[Name("alphanum"), Name("mark")])),
    class("mark", "A", OneOf("-_.!~*'()")),
    class("escaped", "A", Seq(&[Text("%"), Name("hex"), Name("hex")])),
    class("hex", "A", Alt(&[Name("digit"), OneOf("ABCDEFabcdef")])),
    class("alphanum", "A", Alt(&[Name("alpha"), Name("digit")])),
    class("alpha", "A", Alt(&[Name("lowalpha"), Name("upalpha")])),
    class("lowalpha", "A", OneOf(LOWALPHA)),
    class("upalpha", "A", OneOf(HIALPHA)),
    class("digit", "A", OneOf(DIGIT)),
];
