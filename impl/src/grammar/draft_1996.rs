//! The draft of 2 November 1996: §1.2 letters and digits, §2 references, §4 RFC 1738's generic form and RFC 1808's.
//!
//! §4 defines `scheme` twice. The second definition applies (`draft-scheme-case`); the first one is named `scheme
//! (first)`.

use super::expression::Expression::{Alt, Name, OneOf, Opt, Seq, Text};
use super::expression::many;
use super::{Case, DIGIT, Grammar, HIALPHA, LOWALPHA, Production, class, production, valid};

/// The grammar of the draft of 1996.
pub(super) static GRAMMAR: Grammar = Grammar {
    id: "draft-1996",
    cite: "Draft 1996",
    revisions: &["draft-1996"],
    productions: PRODUCTIONS,
    top: |_| "URL-reference",
    valid: valid::generic_rl,
    base: Some("absoluteURL"),
    valid_base: valid::generic_rl_base,
    tops: &["URL-reference"],
    case: Case::AsWritten,
};

const PRODUCTIONS: &[Production] = &[
    class("alpha", "1.2", Alt(&[Name("lowalpha"), Name("hialpha")])),
    class("lowalpha", "1.2", OneOf(LOWALPHA)),
    class("hialpha", "1.2", OneOf(HIALPHA)),
    class("digit", "1.2", OneOf(DIGIT)),
    production("digits", "1.2", many(1, &[Name("digit")])),
    class("alphanum", "1.2", Alt(&[Name("alpha"), Name("digit")])),
    production(
        "URL-reference",
        "2",
        Seq(&[Opt(&[Alt(&[Name("absoluteURL"), Name("relativeURL")])]), Opt(&[Text("#"), Name("fragment")])]),
    ),
    production("genericurl", "4", Seq(&[Name("scheme"), Text(":"), Name("schemepart")])),
    production("scheme (first)", "4", many(1, &[Alt(&[Name("lowalpha"), Name("digit"), OneOf("+-.")])])),
    production("schemepart", "4", Alt(&[Name("ip-schemepart"), many(0, &[Name("xchar")])])),
    production("ip-schemepart", "4", Seq(&[Text("//"), Name("login"), Opt(&[Text("/"), Name("urlpath")])])),
    production(
        "login",
        "4",
        Seq(&[Opt(&[Name("user"), Opt(&[Text(":"), Name("password")]), Text("@")]), Name("hostport")]),
    ),
    production("hostport", "4", Seq(&[Name("host"), Opt(&[Text(":"), Name("port")])])),
    production("host", "4", Alt(&[Name("hostname"), Name("hostnumber")])),
    production("hostname", "4", Seq(&[many(0, &[Name("domainlabel"), Text(".")]), Name("toplabel")])),
    production(
        "domainlabel",
        "4",
        Alt(&[
            Name("alphadigit"),
            Seq(&[Name("alphadigit"), many(0, &[Alt(&[Name("alphadigit"), Text("-")])]), Name("alphadigit")]),
        ]),
    ),
    production(
        "toplabel",
        "4",
        Alt(&[
            Name("alpha"),
            Seq(&[Name("alpha"), many(0, &[Alt(&[Name("alphadigit"), Text("-")])]), Name("alphadigit")]),
        ]),
    ),
    class("alphadigit", "4", Alt(&[Name("alpha"), Name("digit")])),
    production(
        "hostnumber",
        "4",
        Seq(&[Name("digits"), Text("."), Name("digits"), Text("."), Name("digits"), Text("."), Name("digits")]),
    ),
    production("port", "4", Name("digits")),
    production("user", "4", many(0, &[Alt(&[Name("uchar"), OneOf(";?&=")])])),
    production("password", "4", many(0, &[Alt(&[Name("uchar"), OneOf(";?&=")])])),
    production("urlpath", "4", many(0, &[Name("xchar")])),
    production(
        "URL",
        "4",
        Seq(&[Alt(&[Name("absoluteURL"), Name("relativeURL")]), Opt(&[Text("#"), Name("fragment")])]),
    ),
    production(
        "absoluteURL",
        "4",
        Alt(&[
            Name("generic-RL"),
            Seq(&[Name("scheme"), Text(":"), many(0, &[Alt(&[Name("uchar"), Name("reserved")])])]),
        ]),
    ),
    production("generic-RL", "4", Seq(&[Name("scheme"), Text(":"), Name("relativeURL")])),
    production("relativeURL", "4", Alt(&[Name("net_path"), Name("abs_path"), Name("rel_path")])),
    production("net_path", "4", Seq(&[Text("//"), Name("server"), Opt(&[Name("abs_path")])])),
    production("abs_path", "4", Seq(&[Text("/"), Name("rel_path")])),
    production(
        "rel_path",
        "4",
        Seq(&[Opt(&[Name("path")]), Opt(&[Text(";"), Name("params")]), Opt(&[Text("?"), Name("query")])]),
    ),
    production("path", "4", Seq(&[Name("fsegment"), many(0, &[Text("/"), Name("segment")])])),
    production("fsegment", "4", many(1, &[Name("pchar")])),
    production("segment", "4", many(0, &[Name("pchar")])),
    production("params", "4", Seq(&[Name("param"), many(0, &[Text(";"), Name("param")])])),
    production("param", "4", many(0, &[Alt(&[Name("pchar"), Text("/")])])),
    production("scheme", "4", many(1, &[Alt(&[Name("alpha"), Name("digit"), OneOf("+-.")])])),
    production("server", "4", many(0, &[Alt(&[Name("pchar"), OneOf(";?")])])),
    production("query", "4", many(0, &[Alt(&[Name("uchar"), Name("reserved")])])),
    production("fragment", "4", many(0, &[Alt(&[Name("uchar"), Name("reserved")])])),
    class("pchar", "4", Alt(&[Name("uchar"), OneOf(":@&=+")])),
    class("uchar", "4", Alt(&[Name("unreserved"), Name("escape")])),
    class("xchar", "4", Alt(&[Name("unreserved"), Name("reserved"), Name("escape")])),
    class("unreserved", "4", Alt(&[Name("alpha"), Name("digit"), Name("safe"), Name("extra")])),
    class("escape", "4", Seq(&[Text("%"), Name("hex"), Name("hex")])),
    class("hex", "4", Alt(&[Name("digit"), OneOf("ABCDEFabcdef")])),
    class("safe", "4", OneOf("$-_.")),
    class("extra", "4", OneOf("!*'(),")),
    class("national", "4", OneOf("{}|\\^~[]`")),
    class("reserved", "4", OneOf(";/?:@&=+")),
    class("punctuation", "4", OneOf("<>#%\"")),
];
