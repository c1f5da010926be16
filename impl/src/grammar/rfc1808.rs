//! RFC 1808 §2.2: relative URLs, and the generic-RL form of absolute ones.

use super::expression::Expression::{Alt, Name, OneOf, Opt, Seq, Text};
use super::expression::many;
use super::{Case, DIGIT, Grammar, HIALPHA, LOWALPHA, Production, class, production, valid};

/// The grammar of RFC 1808.
pub(super) static GRAMMAR: Grammar = Grammar {
    id: "rfc1808",
    cite: "RFC 1808",
    revisions: &["rfc1808"],
    productions: PRODUCTIONS,
    top: |_| "URL",
    valid: valid::generic_rl,
    base: Some("absoluteURL"),
    valid_base: valid::generic_rl_base,
    tops: &["URL"],
    case: Case::AsWritten,
};

const PRODUCTIONS: &[Production] = &[
    production(
        "URL",
        "2.2",
        Seq(&[Alt(&[Name("absoluteURL"), Name("relativeURL")]), Opt(&[Text("#"), Name("fragment")])]),
    ),
    production(
        "absoluteURL",
        "2.2",
        Alt(&[
            Name("generic-RL"),
            Seq(&[Name("scheme"), Text(":"), many(0, &[Alt(&[Name("uchar"), Name("reserved")])])]),
        ]),
    ),
    production("generic-RL", "2.2", Seq(&[Name("scheme"), Text(":"), Name("relativeURL")])),
    production("relativeURL", "2.2", Alt(&[Name("net_path"), Name("abs_path"), Name("rel_path")])),
    production("net_path", "2.2", Seq(&[Text("//"), Name("net_loc"), Opt(&[Name("abs_path")])])),
    production("abs_path", "2.2", Seq(&[Text("/"), Name("rel_path")])),
    production(
        "rel_path",
        "2.2",
        Seq(&[Opt(&[Name("path")]), Opt(&[Text(";"), Name("params")]), Opt(&[Text("?"), Name("query")])]),
    ),
    production("path", "2.2", Seq(&[Name("fsegment"), many(0, &[Text("/"), Name("segment")])])),
    production("fsegment", "2.2", many(1, &[Name("pchar")])),
    production("segment", "2.2", many(0, &[Name("pchar")])),
    production("params", "2.2", Seq(&[Name("param"), many(0, &[Text(";"), Name("param")])])),
    production("param", "2.2", many(0, &[Alt(&[Name("pchar"), Text("/")])])),
    production("scheme", "2.2", many(1, &[Alt(&[Name("alpha"), Name("digit"), OneOf("+-.")])])),
    production("net_loc", "2.2", many(0, &[Alt(&[Name("pchar"), OneOf(";?")])])),
    production("query", "2.2", many(0, &[Alt(&[Name("uchar"), Name("reserved")])])),
    production("fragment", "2.2", many(0, &[Alt(&[Name("uchar"), Name("reserved")])])),
    class("pchar", "2.2", Alt(&[Name("uchar"), OneOf(":@&=")])),
    class("uchar", "2.2", Alt(&[Name("unreserved"), Name("escape")])),
    class("unreserved", "2.2", Alt(&[Name("alpha"), Name("digit"), Name("safe"), Name("extra")])),
    class("escape", "2.2", Seq(&[Text("%"), Name("hex"), Name("hex")])),
    class("hex", "2.2", Alt(&[Name("digit"), OneOf("ABCDEFabcdef")])),
    class("alpha", "2.2", Alt(&[Name("lowalpha"), Name("hialpha")])),
    class("lowalpha", "2.2", OneOf(LOWALPHA)),
    class("hialpha", "2.2", OneOf(HIALPHA)),
    class("digit", "2.2", OneOf(DIGIT)),
    class("safe", "2.2", OneOf("$-_.+")),
    class("extra", "2.2", OneOf("!*'(),")),
    class("national", "2.2", OneOf("{}|\\^~[]`")),
    class("reserved", "2.2", OneOf(";/?:@&=")),
    class("punctuation", "2.2", OneOf("<>#%\"")),
];
