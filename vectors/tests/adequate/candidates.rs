//! Pairs from which vectors are chosen: unusual texts in one place of an ordinary pair.

use urlstrata::revision::Revision;

/// A text with words that name it: `with` them, a place makes the name of a vector.
type Text = (&'static str, &'static str);

/// Texts for every place. Each has several characters that a resolver with a fault may change.
const ANYWHERE: [Text; 13] = [
    ("capital-letters", "GgHh"),
    ("escaped-unreserved-characters", "%41%7e%2D%5f%31%2E%6a"),
    ("escaped-reserved-characters", "%2F%3A%3F%23%40%2B%26%3D%3B%2C%21%24%27%28%29%2A%5B%5D"),
    ("escaped-other-characters", "%20%22%25%3C%3E%5C%5E%60%7B%7C%7D%2541%00%0A%7F%C3%A9"),
    ("escapes-in-lower-case", "%2f%c3%a9"),
    ("sub-delims-and-marks", "!$&'()*+,=-._~"),
    ("semicolons-and-exclamation-mark", "!g;$g"),
    ("characters-outside-the-grammar", "<>\"\\^`{|}%zz%4%"),
    ("brackets-and-spaces", " <[g h]> "),
    ("control-characters", "\tg\0h\r\u{7f}i\n"),
    (
        "characters-outside-ascii",
        "\u{e9}e\u{301}\u{2126}\u{ff21}\u{ff0e}\u{ff0f}\u{3002}\u{fb01}\u{df}\u{1f600}\u{feff}\u{200b}\u{ad}",
    ),
    ("plus-sign-and-escaped-space", "a+b%20c"),
    ("incomplete-escape", "%4g%"),
];

/// The texts of [`ANYWHERE`] that are not in the normal form of RFC 3986 §6.2.2. A base may be normalized first (§5.2.1).
const NOT_NORMAL: [&str; 4] =
    ["capital-letters", "escaped-unreserved-characters", "escapes-in-lower-case", "escaped-dots"];

const PATHS: [Text; 17] = [
    ("empty-segments", "a//b///c"),
    ("three-dots", "a/.../b/..../c"),
    ("dots-in-names", "a/.b/..c/d./e../f"),
    ("dots-and-spaces", "a/. /.. / /b"),
    ("dots-and-parameters", "a/.;x/..;x/b"),
    ("escaped-dots", "a/%2e/%2E%2e/.%2e/b"),
    ("backslashes", "a\\b\\..\\c"),
    ("slash-at-the-end", "a/b/"),
    ("dot-segments", "a/./b/../c"),
    ("two-dots-at-the-end", "a/b/.."),
    ("one-dot-at-the-end", "a/b/."),
    ("parameters", "a;x/b;y;z=1"),
    ("empty-parameters", "a;"),
    ("vertical-line", "C|/b"),
    ("colons-and-at-signs", "a/b:c@d:e"),
    ("many-segments", "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s"),
    ("equal-segments", "a/a/b/b"),
];

const QUERIES: [Text; 5] = [
    ("fields-and-url", "b=1&a=2&&c&c&b=1;b&amp;u=http://u:p@y:80/a/../b//c?d?e&a="),
    ("two-question-marks", "a?b/c?d"),
    ("number-signs", "a#b#c"),
    ("one-letter", "q"),
    ("nothing", ""),
];

const HOSTS: [Text; 12] = [
    ("dot-at-the-end", "h."),
    ("www", "www.h"),
    ("octal-number", "0177.0.0.1"),
    ("short-address", "127.1"),
    ("ipv6-address", "[::1]"),
    ("long-ipv6-address", "[0:0:0:0:0:0:0:1]"),
    ("nothing", ""),
    ("empty-port", "h:"),
    ("empty-user", "@h"),
    ("empty-user-and-port", "@h:"),
    ("two-at-signs", "a@b@c"),
    ("user-password-and-port", "u:P:q@h:8080"),
];

const USERS: [Text; 4] = [("empty-password", "u:"), ("colon", ":"), ("two-colons", "u:p:q"), ("password", "u:P")];

const PORTS: [Text; 7] = [
    ("21", "21"),
    ("80", "80"),
    ("443", "443"),
    ("8080", "8080"),
    ("0", "0"),
    ("leading-zeros", "00080"),
    ("letters", "a"),
];

const SCHEMES: [Text; 29] = [
    ("apostrophe", "a'b"),
    ("parenthesis", "a(b"),
    ("letter-outside-ascii-inside", "a\u{e9}b"),
    ("underscore-first", "_a"),
    ("asterisk", "a*b"),
    ("at-sign", "a@b"),
    ("equals-sign", "a=b"),
    ("dollar-sign", "a$b"),
    ("exclamation-mark", "a!b"),
    ("comma", "a,b"),
    ("ampersand", "a&b"),
    ("more-than-64-letters", "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccddddddddddddddddeeeeeeee"),
    ("capital-letters", "HTTP"),
    ("digits-and-signs", "a1+b-c.d"),
    ("digit-first", "1a"),
    ("plus-first", "+a"),
    ("hyphen-first", "-a"),
    ("dot-first", ".a"),
    ("underscore", "a_b"),
    ("tilde", "a~b"),
    ("escape", "a%41"),
    ("space", "a b"),
    ("letter-outside-ascii", "\u{e9}a"),
    ("nothing", ""),
    ("url-prefix", "URL"),
    ("file", "file"),
    ("mailto", "mailto"),
    ("one-letter", "x"),
    ("slash", "a/b"),
];

/// A place of an ordinary pair in which texts are put.
struct Place {
    /// The part of a URL.
    part: &'static str,
    name: &'static str,
    base: &'static str,
    reference: &'static str,
    /// The texts that only such places have.
    own: &'static [Text],
}

/// The base of most pairs: that of the examples of the RFCs.
const BASE: &str = "http://a/b/c/d;p?q";

const fn of_reference(part: &'static str, name: &'static str, reference: &'static str, own: &'static [Text]) -> Place {
    Place { part, name, base: BASE, reference, own }
}

const fn of_base(name: &'static str, base: &'static str, reference: &'static str, own: &'static [Text]) -> Place {
    Place { part: "base", name, base, reference, own }
}

const PLACES: [Place; 32] = [
    of_reference("path", "path", "{}/g", &PATHS),
    of_reference("path", "last-segment", "g{}", &PATHS),
    of_reference("path", "rooted-path", "/{}", &PATHS),
    of_reference("path", "path-after-authority", "//h/{}", &PATHS),
    of_reference("path", "path-after-scheme", "x:{}", &PATHS),
    of_reference("path", "absolute-path", "http://h/{}", &PATHS),
    of_reference("path", "params", "g;{}", &PATHS),
    of_reference("path", "params-alone", ";{}", &QUERIES),
    of_reference("query", "query", "g?{}", &QUERIES),
    of_reference("query", "query-alone", "?{}", &QUERIES),
    of_reference("query", "query-after-authority", "//h?{}", &QUERIES),
    of_reference("query", "absolute-query", "http://h/?{}", &QUERIES),
    of_reference("fragment", "fragment", "g?y#{}", &QUERIES),
    of_reference("fragment", "fragment-alone", "#{}", &QUERIES),
    of_reference("fragment", "absolute-fragment", "http://h/#{}", &QUERIES),
    of_reference("authority", "authority", "//{}/g", &HOSTS),
    of_reference("authority", "host", "//h{}/g", &HOSTS),
    of_reference("authority", "user", "//{}@h/g", &USERS),
    of_reference("authority", "port", "//h:{}/g", &PORTS),
    of_reference("authority", "absolute-authority", "http://{}/g", &HOSTS),
    of_reference("authority", "absolute-user", "http://{}@h/g", &USERS),
    of_reference("authority", "authority-after-another-scheme", "x://{}/g", &HOSTS),
    of_reference("scheme", "scheme", "{}:g", &SCHEMES),
    of_reference("scheme", "scheme-before-an-authority", "{}://h/g", &SCHEMES),
    of_base("base-path", "http://a/b/{}/c/d", "g", &PATHS),
    of_base("last-segment-of-the-base", "http://a/b/c{}", "?y", &PATHS),
    of_base("base-query", "http://a/b/c?{}", "#s", &QUERIES),
    of_base("base-host", "http://{}/b/c", "g", &HOSTS),
    of_base("base-user", "http://{}@a/b/c", "/g", &USERS),
    of_base("base-port", "http://a:{}/b/c", "g", &PORTS),
    of_base("base-scheme", "{}://a/b/c", "//h/g", &SCHEMES),
    of_base("base-path-after-a-scheme", "x:{}/c", "g", &PATHS),
];

/// Whole pairs: the part, the name, the base and the reference.
const PAIRS: [[&str; 4]; 29] = [
    ["authority", "three-slashes", "http://a/b", "///g"],
    ["authority", "four-slashes", "http://a/b", "////g/h"],
    ["authority", "scheme-and-three-slashes", "http://a/b", "http:///g"],
    ["authority", "scheme-and-one-slash", "http://a/b", "http:/g"],
    ["authority", "authority-alone", "http://a/b", "//h"],
    ["authority", "scheme-and-authority-alone", "http://a/b", "x://h"],
    ["authority", "authority-and-query", "http://a/b", "//h?y/z"],
    ["authority", "authority-and-fragment", "http://a/b", "//h#s/t"],
    ["authority", "authority-with-other-delimiters", "http://a/b", "//h;x,y&z:1@i/g"],
    ["path", "slash-alone", "http://a/b/c?q", "/"],
    ["query", "question-mark-alone", "http://a/b/c?q", "?"],
    ["authority", "port-443-under-https", "https://a/b", "//h:443/g"],
    ["authority", "port-80-under-http", "http://a/b", "http://h:80/g"],
    ["authority", "port-21-under-ftp", "ftp://a/b", "//h:21/g"],
    [
        "path",
        "more-two-dots-than-ten",
        "http://a/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15",
        "../../../../../../../../../../../../g",
    ],
    [
        "path",
        "more-two-dots-than-segments",
        "http://a/b/c",
        "../../../../../../../../../../../../../../../../../../../../../../../../g",
    ],
    ["path", "path-of-the-base", "http://h/b/c", "http://h/b/c"],
    ["path", "empty-reference", "http://a/b/c?q", ""],
    ["path", "path-without-a-base-path", "http://a", "g"],
    ["path", "path-without-a-base-path-but-a-query", "http://a?q/r", "g"],
    ["path", "two-dots-without-a-base-path", "http://a", "../g"],
    ["path", "two-dots-after-a-scheme-without-a-slash", "x:a/b", "../../g"],
    ["scheme", "scheme-of-the-base", "http://a/b/c", "http:g"],
    ["scheme", "scheme-of-the-base-in-capital-letters", "http://a/b/c", "HTTP:g"],
    ["scheme", "scheme-of-the-base-alone", "http://a/b/c", "http:"],
    ["base", "file-base", "file:///a/b", "g"],
    ["base", "file-base-with-a-drive", "file:///C:/a/b", "/g"],
    ["base", "base-with-an-empty-authority", "x:///b/c", "g"],
    ["base", "base-with-a-question-mark-in-its-query", "http://a/b/c?x?y/z", ""],
];

/// Whole pairs that must be vectors: each shows a fault that is not a change of one slot or step.
const REQUIRED: [[&str; 4]; 10] = [
    ["authority", "authority-of-the-base", "https://h/b", "//h/g"],
    ["fragment", "question-mark-in-a-fragment", "http://a/b", "g#s?x"],
    ["authority", "delimiters-in-an-authority-before-two-dots", "http://a/b", "//h;x,y&z:1@i/../g"],
    ["fragment", "fragment-alone-with-two-number-signs", "http://a/b/c", "#a#b"],
    ["path", "two-dots-after-a-scheme", "http://a/b", "x:../g"],
    ["path", "one-dot-after-a-scheme", "http://a/b", "x:./g"],
    ["path", "two-dots-alone-after-a-scheme", "http://a/b", "x:.."],
    ["path", "dot-segments-after-an-authority", "http://a/b", "//h/a/../g"],
    ["base", "base-without-a-path-and-an-authority", "x:", "g"],
    ["base", "fragment-of-the-base", "http://a/b/c?q#f/g", "h"],
];

/// What a specification leaves open: the start of the revision's id, the start of the vector's name, and the part of it that follows
/// `with`; an empty one is any. The choices are in `reports/choices.md`.
const OPEN: [[&str; 3]; 43] = [
    // r1808-double-slash-path and its successors
    ["rfc1808", "three-slashes", ""],
    ["rfc1808", "four-slashes", ""],
    ["draft-1996", "three-slashes", ""],
    ["draft-1996", "four-slashes", ""],
    ["rfc1808", "scheme-and-three-slashes", ""],
    ["draft-1996", "scheme-and-three-slashes", ""],
    ["rfc1808", "authority-and-query", ""],
    ["draft-1996", "authority-and-query", ""],
    ["rfc1808", "authority-with-other-delimiters", ""],
    ["draft-1996", "authority-with-other-delimiters", ""],
    ["rfc1808", "question-mark-alone", ""],
    ["draft-1996", "question-mark-alone", ""],
    ["rfc2396", "scheme-and-one-slash", ""],
    ["rfc2396", "question-mark-alone", ""],
    // r2396-surplus
    ["rfc2396", "more-two-dots-than-segments", ""],
    ["rfc2396", "two-dots-without-a-base-path", ""],
    ["rfc2396", "two-dots-after-a-scheme-without-a-slash", ""],
    // r2396-current-document
    ["rfc2396", "empty-reference", ""],
    ["rfc2396", "fragment-alone", ""],
    ["rfc2396", "base-without-a-path-and-an-authority", ""],
    ["rfc1808", "base-without-a-path-and-an-authority", ""],
    ["draft-1996", "base-without-a-path-and-an-authority", ""],
    ["rfc1808", "delimiters-in-an-authority", ""],
    ["draft-1996", "delimiters-in-an-authority", ""],
    ["rfc2396", "base-query", ""],
    ["rfc2396", "base-with-a-question-mark-in-its-query", ""],
    // r2396-opaque-base
    ["rfc2396", "base-path-after-a-scheme", ""],
    // r2396-bare-host, r1808-net-loc-slash
    ["rfc2396", "path-without-a-base-path", ""],
    ["rfc1808", "path-without-a-base-path", ""],
    ["draft-1996", "path-without-a-base-path", ""],
    // r2396-same-scheme
    ["rfc2396", "scheme-of-the-base", ""],
    // r1808-net-loc-query, r1808-empty-net-loc, r1808-lone-delimiter
    ["rfc1808", "query-after-authority", ""],
    ["draft-1996", "query-after-authority", ""],
    ["rfc1808", "", "nothing"],
    ["draft-1996", "", "nothing"],
    ["rfc1808", "file-base", ""],
    ["draft-1996", "file-base", ""],
    ["rfc1808", "base-with-an-empty-authority", ""],
    ["draft-1996", "base-with-an-empty-authority", ""],
    // draft-empty-reference
    ["draft-1996", "empty-reference", ""],
    ["draft-1996", "fragment-alone", ""],
    ["draft-1996", "base-query", ""],
    ["draft-1996", "base-with-a-question-mark-in-its-query", ""],
];

fn is_open(revision: &str, name: &str) -> bool {
    OPEN.iter().any(|[own, start, words]| {
        let ends = words.is_empty() || name.rsplit_once("-with-").is_some_and(|(_, text)| text == *words);
        revision.starts_with(own) && name.starts_with(start) && ends
    })
}

/// A pair from which vectors are chosen.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The part of a URL that it is about.
    pub(crate) part: &'static str,
    /// The name of the vector.
    pub(crate) name: String,
    pub(crate) base: String,
    pub(crate) reference: String,
    pub(crate) is_required: bool,
}

/// Returns the candidates of a revision. Those for which an RFC defines no target are left out: what a resolver does then is open.
pub(crate) fn of(revision: &Revision) -> Vec<Candidate> {
    let is_normalized = revision.id.starts_with("rfc3986");
    let whole = |pairs: &[[&'static str; 4]], is_required| -> Vec<Candidate> {
        let candidate = |[part, name, base, reference]: &[&'static str; 4]| {
            let [name, base, reference] = [*name, *base, *reference].map(str::to_owned);
            Candidate { part, name, base, reference, is_required }
        };
        pairs.iter().map(candidate).collect()
    };
    let mut all = [whole(&PAIRS, false), whole(&REQUIRED, true)].concat();
    let [long, longer] = [7, 26].map(|count| "0123456789".repeat(count));
    for Place { part, name, base, reference, own } in PLACES {
        let long = match name {
            "path" | "query" | "fragment" | "authority" => ("more-than-255-characters", longer.as_str()),
            _ => ("more-than-64-characters", long.as_str()),
        };
        for &(words, text) in ANYWHERE.iter().chain(own).chain([&long]) {
            // Other results are permitted.
            let is_permitted = is_normalized && part == "base" && is_not_normal(name, words);
            if !is_permitted {
                let [base, reference] = [base, reference].map(|place| place.replace("{}", text));
                let name = format!("{name}-with-{words}");
                all.push(Candidate { part, name, base, reference, is_required: false });
            }
        }
    }
    all.retain(|Candidate { name, base, reference, .. }| {
        let is_defined = revision.id.starts_with("whatwg") || revision.resolve(base, reference).is_ok();
        is_defined && !is_open(revision.id, name)
    });
    all
}

/// Returns whether RFC 3986 §6.2.2 and §6.2.3 change the base with this text.
fn is_not_normal(place: &str, words: &str) -> bool {
    let is_port = matches!(words, "80" | "empty-port" | "empty-user-and-port" | "leading-zeros" | "nothing");
    let is_in_path = place.contains("path") || place.contains("segment");
    let has_dots = matches!(words, "dot-segments" | "two-dots-at-the-end" | "one-dot-at-the-end");
    NOT_NORMAL.contains(&words)
        || is_port && matches!(place, "base-port" | "base-host")
        || is_in_path && has_dots
        || words == "url-prefix"
}
