//! The classes of each specification, with the sections that define them.
//!
//! The table contains only classes that a grammar or a list of the specification names. Escapes are not part of a class.

use super::{Alphabet, Class, ComponentCharacters, Octets};

/// The alphabets of all specifications that have character classes of their own, oldest first.
pub static ALL: &[Alphabet] = &[RFC1630, RFC1738, RFC1808, DRAFT_1996, RFC2396, RFC3986];

const ALPHANUMERIC: Octets = Octets::of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
/// The octets 00 to 1F and 7F.
const CONTROL: Octets = Octets { ascii: 0x8000_0000_0000_0000_0000_0000_ffff_ffff, high: false };
const HIGH: Octets = Octets { ascii: 0, high: true };

const fn list(name: &'static str, section: &'static str, characters: &str) -> Class {
    Class { name, section, is_list: true, octets: Octets::of(characters) }
}

/// A class that lists octets that are not graphic characters.
const fn octets(name: &'static str, section: &'static str, octets: Octets) -> Class {
    Class { name, section, is_list: true, octets }
}

/// A class that combines other classes.
const fn made(name: &'static str, section: &'static str, octets: Octets) -> Class {
    Class { name, section, is_list: false, octets }
}

const fn component(name: &'static str, section: &'static str, reserved: &'static str) -> ComponentCharacters {
    ComponentCharacters { name, section, reserved }
}

const RFC1630: Alphabet = Alphabet {
    cite: "RFC 1630",
    revisions: &["rfc1630"],
    classes: &[
        octets("alpha, digit", "BNF", ALPHANUMERIC),
        list("safe", "BNF", "$-_@.&"),
        list("extra", "BNF", "!*\"'(),"),
        list("reserved", "BNF", "=;/#?: "),
        list("national", "BNF", "{}|[]\\^~"),
        list("punctuation", "BNF", "<>"),
        list("of xpalpha alone", "BNF", "+"),
        made("xalpha", "BNF", OLD_UNRESERVED),
        made("xpalpha", "BNF", OLD_UNRESERVED.with(Octets::of("+"))),
    ],
    components: &[component("path element", "BNF", "=;/#?: +"), component("search word", "BNF", "=;/#?: +")],
    unreserved: OLD_UNRESERVED,
    reserved: Octets::of("=;/#?: +"),
};

const OLD_UNRESERVED: Octets = ALPHANUMERIC.with(Octets::of("$-_@.&!*\"'(),"));

const EXTRA: &str = "!*'(),";
const NATIONAL: &str = "{}|\\^~[]`";
const PUNCTUATION: &str = "<>#%\"";
const RESERVED: &str = ";/?:@&=";
const UNSAFE: &str = " <>\"#%{}|\\^~[]`";
const UNRESERVED: Octets = ALPHANUMERIC.with(Octets::of("$-_.+")).with(Octets::of(EXTRA));

const RFC1738: Alphabet = Alphabet {
    cite: "RFC 1738",
    revisions: &["rfc1738"],
    classes: &[
        octets("alpha, digit", "5", ALPHANUMERIC),
        list("safe", "5", "$-_.+"),
        list("extra", "5", EXTRA),
        list("national", "5", NATIONAL),
        list("punctuation", "5", PUNCTUATION),
        list("reserved", "2.2, 5", RESERVED),
        list("unsafe", "2.2", UNSAFE),
        octets("no graphic character", "2.2", CONTROL.with(HIGH)),
        made("unreserved", "5", UNRESERVED),
        made("uchar", "5", UNRESERVED),
        made("xchar", "5", UNRESERVED.with(Octets::of(RESERVED))),
        made("hsegment, search", "5", UNRESERVED.with(Octets::of(";:@&="))),
        made("fsegment, psegment", "5", UNRESERVED.with(Octets::of("?:@&="))),
        made("user, password", "5", UNRESERVED.with(Octets::of(";?&="))),
    ],
    components: &[
        component("user or password", "3.1", ":@/"),
        component("ftp directory or name", "3.2.2", "/;"),
        component("http path or search", "3.3", "/;?"),
        component("gopher path", "3.4.1", ""),
        component("mailto address", "3.5", ""),
        component("news or nntp name", "3.6", "@/"),
        component("wais database, type, path or search", "5", RESERVED),
        component("file directory or name", "3.10", "/"),
        component("prospero name", "3.11", ";"),
        component("prospero field or value", "5", ";/="),
    ],
    unreserved: UNRESERVED,
    reserved: Octets::of(RESERVED),
};

const RFC1808: Alphabet = Alphabet {
    cite: "RFC 1808",
    revisions: &["rfc1808"],
    classes: &[
        octets("alpha, digit", "2.2", ALPHANUMERIC),
        list("safe", "2.2", "$-_.+"),
        list("extra", "2.2", EXTRA),
        list("national", "2.2", NATIONAL),
        list("punctuation", "2.2", PUNCTUATION),
        list("reserved", "2.2", RESERVED),
        list("unsafe", "2.2, by RFC 1738 §2.2", UNSAFE),
        octets("no graphic character", "2.2, by RFC 1738 §2.2", CONTROL.with(HIGH)),
        made("unreserved", "2.2", UNRESERVED),
        made("uchar", "2.2", UNRESERVED),
        made("pchar", "2.2", UNRESERVED.with(Octets::of(":@&="))),
    ],
    components: &[
        component("path segment", "2.2", "/;?"),
        component("params", "2.2", ";?"),
        component("query", "2.2", ""),
        component("net_loc", "2.2", "/"),
    ],
    unreserved: UNRESERVED,
    reserved: Octets::of(RESERVED),
};

const DRAFT_RESERVED: &str = ";/?:@&=+";
const DRAFT_UNRESERVED: Octets = ALPHANUMERIC.with(Octets::of("$-_.")).with(Octets::of(EXTRA));

const DRAFT_1996: Alphabet = Alphabet {
    cite: "Draft 1996",
    revisions: &["draft-1996"],
    classes: &[
        octets("alpha, digit", "1.2", ALPHANUMERIC),
        list("safe", "4", "$-_."),
        list("extra", "4", EXTRA),
        list("national", "4", NATIONAL),
        list("punctuation", "4", PUNCTUATION),
        list("reserved", "3.2.3, 4", DRAFT_RESERVED),
        list("unsafe", "3.2.2", " <>\"#%"),
        octets("no graphic character", "3.2.1", CONTROL.with(HIGH)),
        made("unreserved", "4", DRAFT_UNRESERVED),
        made("uchar", "4", DRAFT_UNRESERVED),
        made("xchar", "4", DRAFT_UNRESERVED.with(Octets::of(DRAFT_RESERVED))),
        made("pchar", "4", DRAFT_UNRESERVED.with(Octets::of(":@&=+"))),
    ],
    components: &[
        component("path segment", "4", "/;?"),
        component("params", "4", ";?"),
        component("query", "4", ""),
        component("server", "4", "/"),
    ],
    unreserved: DRAFT_UNRESERVED,
    reserved: Octets::of(DRAFT_RESERVED),
};

const MARK: &str = "-_.!~*'()";
const URI_RESERVED: &str = ";/?:@&=+$,";
const URI_UNRESERVED: Octets = ALPHANUMERIC.with(Octets::of(MARK));

const RFC2396: Alphabet = Alphabet {
    cite: "RFC 2396",
    revisions: &["rfc2396"],
    classes: &[
        octets("alphanum", "1.6", ALPHANUMERIC),
        list("mark", "2.3", MARK),
        list("reserved", "2.2", URI_RESERVED),
        list("delims", "2.4.3", PUNCTUATION),
        list("unwise", "2.4.3", "{}|\\^[]`"),
        list("space", "2.4.3", " "),
        octets("control", "2.4.3", CONTROL),
        made("unreserved", "2.3", URI_UNRESERVED),
        made("uric", "2", URI_UNRESERVED.with(Octets::of(URI_RESERVED))),
        made("pchar", "3.3", URI_UNRESERVED.with(Octets::of(":@&=+$,"))),
    ],
    components: &[
        component("path segment", "3.3", "/;=?"),
        component("query", "3.4", URI_RESERVED),
        component("authority", "3.2", ";:@?/"),
    ],
    unreserved: URI_UNRESERVED,
    reserved: Octets::of(URI_RESERVED),
};

const GEN_DELIMS: &str = ":/?#[]@";
const SUB_DELIMS: &str = "!$&'()*+,;=";
const PLAIN: Octets = ALPHANUMERIC.with(Octets::of("-._~"));

const RFC3986: Alphabet = Alphabet {
    cite: "RFC 3986",
    revisions: &["rfc3986", "rfc3986-nonstrict"],
    classes: &[
        octets("ALPHA, DIGIT", "1.3", ALPHANUMERIC),
        list("unreserved mark", "2.3", "-._~"),
        list("gen-delims", "2.2", GEN_DELIMS),
        list("sub-delims", "2.2", SUB_DELIMS),
        made("unreserved", "2.3", PLAIN),
        made("reserved", "2.2", Octets::of(GEN_DELIMS).with(Octets::of(SUB_DELIMS))),
        made("pchar", "3.3", PLAIN.with(Octets::of(SUB_DELIMS)).with(Octets::of(":@"))),
        made("query, fragment", "3.4, 3.5", PLAIN.with(Octets::of(SUB_DELIMS)).with(Octets::of(":@/?"))),
        made("userinfo", "3.2.1", PLAIN.with(Octets::of(SUB_DELIMS)).with(Octets::of(":"))),
        made("reg-name", "3.2.2", PLAIN.with(Octets::of(SUB_DELIMS))),
    ],
    components: &[
        component("path segment", "3.3", "/?#[]"),
        component("query", "3.4", "#[]"),
        component("fragment", "3.5", "#[]"),
        component("userinfo", "3.2.1", "@/?#[]"),
        component("reg-name", "3.2.2", ":@/?#[]"),
    ],
    unreserved: PLAIN,
    reserved: Octets::of(GEN_DELIMS).with(Octets::of(SUB_DELIMS)),
};
