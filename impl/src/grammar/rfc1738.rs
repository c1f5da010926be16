//! RFC 1738 §5: the forms of ten schemes, and the generic one.

use super::expression::Expression::{Alt, Name, OneOf, Opt, Seq, Text};
use super::expression::{fewest, many};
use super::{Case, DIGIT, Grammar, HIALPHA, LOWALPHA, Production, class, production, valid};

/// The grammar of RFC 1738.
pub(super) static GRAMMAR: Grammar = Grammar {
    id: "rfc1738",
    cite: "RFC 1738",
    revisions: &["rfc1738"],
    productions: PRODUCTIONS,
    top,
    valid: valid::rfc1738,
    base: None,
    valid_base: valid::rfc1738,
    tops: &[
        "ftpurl",
        "fileurl",
        "httpurl",
        "gopherurl",
        "mailtourl",
        "newsurl",
        "nntpurl",
        "telneturl",
        "waisurl",
        "prosperourl",
        "otherurl",
    ],
    case: Case::AsWritten,
};

/// The schemes with a form of their own, and their productions.
const SCHEMES: [(&str, &str); 10] = [
    ("ftp", "ftpurl"),
    ("file", "fileurl"),
    ("http", "httpurl"),
    ("gopher", "gopherurl"),
    ("mailto", "mailtourl"),
    ("news", "newsurl"),
    ("nntp", "nntpurl"),
    ("telnet", "telneturl"),
    ("wais", "waisurl"),
    ("prospero", "prosperourl"),
];

/// Returns the production of the scheme's own form, or the generic one. The case of the scheme is ignored.
fn top(text: &str) -> &'static str {
    let scheme = text.split(':').next().unwrap_or_default();
    SCHEMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(scheme)).map_or("otherurl", |(_, production)| production)
}

const PRODUCTIONS: &[Production] = &[
    production("genericurl", "5", Seq(&[Name("scheme"), Text(":"), Name("schemepart")])),
    production(
        "url",
        "5",
        Alt(&[
            Name("httpurl"),
            Name("ftpurl"),
            Name("newsurl"),
            Name("nntpurl"),
            Name("telneturl"),
            Name("gopherurl"),
            Name("waisurl"),
            Name("mailtourl"),
            Name("fileurl"),
            Name("prosperourl"),
            Name("otherurl"),
        ]),
    ),
    production("otherurl", "5", Name("genericurl")),
    production("scheme", "5", many(1, &[Alt(&[Name("lowalpha"), Name("digit"), OneOf("+-.")])])),
    // The narrower alternative is first, so that a match contains a login if there is one.
    production("schemepart", "5", Alt(&[Name("ip-schemepart"), many(0, &[Name("xchar")])])),
    production("ip-schemepart", "5", Seq(&[Text("//"), Name("login"), Opt(&[Text("/"), Name("urlpath")])])),
    production(
        "login",
        "5",
        Seq(&[Opt(&[Name("user"), Opt(&[Text(":"), Name("password")]), Text("@")]), Name("hostport")]),
    ),
    production("hostport", "5", Seq(&[Name("host"), Opt(&[Text(":"), Name("port")])])),
    production("host", "5", Alt(&[Name("hostname"), Name("hostnumber")])),
    production("hostname", "5", Seq(&[many(0, &[Name("domainlabel"), Text(".")]), Name("toplabel")])),
    production(
        "domainlabel",
        "5",
        Alt(&[
            Name("alphadigit"),
            Seq(&[Name("alphadigit"), many(0, &[Alt(&[Name("alphadigit"), Text("-")])]), Name("alphadigit")]),
        ]),
    ),
    production(
        "toplabel",
        "5",
        Alt(&[
            Name("alpha"),
            Seq(&[Name("alpha"), many(0, &[Alt(&[Name("alphadigit"), Text("-")])]), Name("alphadigit")]),
        ]),
    ),
    class("alphadigit", "5", Alt(&[Name("alpha"), Name("digit")])),
    production(
        "hostnumber",
        "5",
        Seq(&[Name("digits"), Text("."), Name("digits"), Text("."), Name("digits"), Text("."), Name("digits")]),
    ),
    production("port", "5", Name("digits")),
    production("user", "5", many(0, &[Alt(&[Name("uchar"), OneOf(";?&=")])])),
    production("password", "5", many(0, &[Alt(&[Name("uchar"), OneOf(";?&=")])])),
    production("urlpath", "5", many(0, &[Name("xchar")])),
    production(
        "ftpurl",
        "5",
        Seq(&[
            Text("ftp://"),
            Name("login"),
            Opt(&[Text("/"), Name("fpath"), Opt(&[Text(";type="), Name("ftptype")])]),
        ]),
    ),
    production("fpath", "5", Seq(&[Name("fsegment"), many(0, &[Text("/"), Name("fsegment")])])),
    production("fsegment", "5", many(0, &[Alt(&[Name("uchar"), OneOf("?:@&=")])])),
    production("ftptype", "5", OneOf("AIDaid")),
    production(
        "fileurl",
        "5",
        Seq(&[Text("file://"), Opt(&[Alt(&[Name("host"), Text("localhost")])]), Text("/"), Name("fpath")]),
    ),
    production(
        "httpurl",
        "5",
        Seq(&[Text("http://"), Name("hostport"), Opt(&[Text("/"), Name("hpath"), Opt(&[Text("?"), Name("search")])])]),
    ),
    production("hpath", "5", Seq(&[Name("hsegment"), many(0, &[Text("/"), Name("hsegment")])])),
    production("hsegment", "5", many(0, &[Alt(&[Name("uchar"), OneOf(";:@&=")])])),
    // As few as possible: in a gopher URL, the second %09 ends the search.
    production("search", "5", fewest(&[Alt(&[Name("uchar"), OneOf(";:@&=")])])),
    production(
        "gopherurl",
        "5",
        Seq(&[
            Text("gopher://"),
            Name("hostport"),
            Opt(&[
                Text("/"),
                Opt(&[
                    Name("gtype"),
                    Opt(&[
                        Name("selector"),
                        Opt(&[Text("%09"), Name("search"), Opt(&[Text("%09"), Name("gopher+_string")])]),
                    ]),
                ]),
            ]),
        ]),
    ),
    production("gtype", "5", Name("xchar")),
    // As few as possible: a selector contains no tab (§3.4.1), so that the first %09 ends it.
    production("selector", "5", fewest(&[Name("xchar")])),
    production("gopher+_string", "5", many(0, &[Name("xchar")])),
    production("mailtourl", "5", Seq(&[Text("mailto:"), Name("encoded822addr")])),
    production("encoded822addr", "5", many(1, &[Name("xchar")])),
    production("newsurl", "5", Seq(&[Text("news:"), Name("grouppart")])),
    production("grouppart", "5", Alt(&[Text("*"), Name("group"), Name("article")])),
    production("group", "5", Seq(&[Name("alpha"), many(0, &[Alt(&[Name("alpha"), Name("digit"), OneOf("-.+_")])])])),
    production("article", "5", Seq(&[many(1, &[Alt(&[Name("uchar"), OneOf(";/?:&=")])]), Text("@"), Name("host")])),
    production(
        "nntpurl",
        "5",
        Seq(&[Text("nntp://"), Name("hostport"), Text("/"), Name("group"), Opt(&[Text("/"), Name("digits")])]),
    ),
    production("telneturl", "5", Seq(&[Text("telnet://"), Name("login"), Opt(&[Text("/")])])),
    production("waisurl", "5", Alt(&[Name("waisdatabase"), Name("waisindex"), Name("waisdoc")])),
    production("waisdatabase", "5", Seq(&[Text("wais://"), Name("hostport"), Text("/"), Name("database")])),
    production(
        "waisindex",
        "5",
        Seq(&[Text("wais://"), Name("hostport"), Text("/"), Name("database"), Text("?"), Name("search")]),
    ),
    production(
        "waisdoc",
        "5",
        Seq(&[
            Text("wais://"),
            Name("hostport"),
            Text("/"),
            Name("database"),
            Text("/"),
            Name("wtype"),
            Text("/"),
            Name("wpath"),
        ]),
    ),
    production("database", "5", many(0, &[Name("uchar")])),
    production("wtype", "5", many(0, &[Name("uchar")])),
    production("wpath", "5", many(0, &[Name("uchar")])),
    production(
        "prosperourl",
        "5",
        Seq(&[Text("prospero://"), Name("hostport"), Text("/"), Name("ppath"), many(0, &[Name("fieldspec")])]),
    ),
    production("ppath", "5", Seq(&[Name("psegment"), many(0, &[Text("/"), Name("psegment")])])),
    production("psegment", "5", many(0, &[Alt(&[Name("uchar"), OneOf("?:@&=")])])),
    production("fieldspec", "5", Seq(&[Text(";"), Name("fieldname"), Text("="), Name("fieldvalue")])),
    production("fieldname", "5", many(0, &[Alt(&[Name("uchar"), OneOf("?:@&")])])),
    production("fieldvalue", "5", many(0, &[Alt(&[Name("uchar"), OneOf("?:@&")])])),
    class("lowalpha", "5", OneOf(LOWALPHA)),
    class("hialpha", "5", OneOf(HIALPHA)),
    class("alpha", "5", Alt(&[Name("lowalpha"), Name("hialpha")])),
    class("digit", "5", OneOf(DIGIT)),
    class("safe", "5", OneOf("$-_.+")),
    class("extra", "5", OneOf("!*'(),")),
    class("national", "5", OneOf("{}|\\^~[]`")),
    class("punctuation", "5", OneOf("<>#%\"")),
    class("reserved", "5", OneOf(";/?:@&=")),
    class("hex", "5", Alt(&[Name("digit"), OneOf("ABCDEFabcdef")])),
    class("escape", "5", Seq(&[Text("%"), Name("hex"), Name("hex")])),
    class("unreserved", "5", Alt(&[Name("alpha"), Name("digit"), Name("safe"), Name("extra")])),
    class("uchar", "5", Alt(&[Name("unreserved"), Name("escape")])),
    class("xchar", "5", Alt(&[Name("unreserved"), Name("reserved"), Name("escape")])),
    production("digits", "5", many(1, &[Name("digit")])),
];
