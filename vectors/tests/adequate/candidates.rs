//! Pairs from which vectors are chosen: one unusual text in one place of an ordinary pair.

/// Texts of several characters that a resolver with a fault may change.
const MANY: [&str; 14] = [
    "Gg",
    "%41%7e%2D%5f%31",
    "%2F%3a%3F%23%40%2b%26%3D%3B%2C",
    "%21%24%27%28%29%2A%5B%5D",
    "%20%22%25%3c%3E%5C%5E%60%7B%7C%7D",
    "%2541%00%0A%7F%c3%A9",
    "%zz%4%",
    "!$&'()*+,=",
    "\"<>\\^`{|}",
    " g h ",
    "[g]",
    "\0\t\r\n\u{7f}",
    "\u{e9}e\u{301}\u{2126}\u{ff21}\u{ff0e}\u{ff0f}\u{3002}\u{fb01}\u{df}",
    "\u{1f600}\u{feff}\u{200b}\u{ad}",
];

/// Texts that show one habit each.
const ONE: [&str; 112] = [
    "",
    "g",
    "%2e",
    "%2E%2e",
    "%2e.",
    "+",
    "'",
    "|",
    "^",
    "{x}",
    "\"",
    "<g>",
    "\\",
    "`",
    " ",
    "[]",
    "[",
    "]",
    "!",
    "$",
    "&",
    "*",
    "(g)",
    ",",
    "=",
    "~",
    "\u{e9}",
    "\u{2126}",
    "\u{ff0e}",
    "\u{3002}",
    "\u{df}",
    "\u{1f600}",
    "\0",
    "\t",
    "\n",
    "\u{7f}",
    "a//b",
    "a///b",
    "...",
    "....",
    ".g",
    "g.",
    "..g",
    "g..",
    "..",
    ".",
    "../..",
    ". ",
    ".. ",
    "..;x",
    ".;x",
    ";",
    ";x=1",
    ";x;y",
    "&amp;",
    "b=1&a=2",
    "a=1&a=1",
    "a&&b",
    "a=",
    "a;b",
    "?",
    "??",
    "a?b?c",
    "#",
    "a#b#c",
    "/",
    "//",
    "///g",
    "////g",
    "g/",
    "/g",
    ":",
    "a:b",
    "a:b:c",
    "@",
    "a@b@c",
    "@h",
    "u@h",
    "u:p@h",
    "u:@h",
    "u:p:q@h",
    "www.h",
    "h.",
    "h:",
    "h:0",
    "h:21",
    "h:80",
    "h:443",
    "h:8080",
    "h:080",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "URL:g",
    "C|/g",
    "1",
    "-",
    "_",
    "a-b",
    "a.b",
    "a1",
    "1a",
    "a_b",
    "+a",
    "-a",
    ".a",
    "a~b",
    "a%b",
    "HTTP",
    "file",
    "mailto",
];

/// Places of a reference.
const REFERENCES: [&str; 30] = [
    "g{}",
    "g?y{}",
    "g#s{}",
    "//h{}/g",
    "//u{}@h/g",
    "//h:{}/g",
    "x{}:g",
    "g;x{}",
    "{}",
    "/{}/g",
    "../{}",
    "{}/g",
    "?{}",
    "#{}",
    "//{}",
    "//{}/g",
    "{}:g",
    ";{}",
    "g?{}",
    "g?y#{}",
    "g/{}",
    "g/{}/h",
    "./{}",
    "/{}",
    "//h/g{}",
    "//h?{}",
    "//h#{}",
    "http://h/{}",
    "x:{}",
    "x://h/g{}",
];

/// Places of a base.
const BASES: [&str; 14] = [
    "http://a/b{}/c",
    "http://a{}/b/c",
    "http://u{}@a/b/c",
    "http://a:{}/b/c",
    "http://a/b/c?q{}",
    "http://a/b/c;p{}",
    "x{}://a/b/c",
    "http://a/b/c{}",
    "http://a/{}",
    "http://{}",
    "http://a/b/c#f{}",
    "http://a/b/{}/d/e",
    "{}://a/b/c",
    "x:{}",
];

/// Whole pairs.
const PAIRS: [(&str, &str); 12] = [
    ("https://h/", "//h/g"),
    ("https://h:443/b", "g"),
    ("http://h/", "http:g"),
    ("http://h/b", "HTTP:g"),
    ("http://h", "g"),
    ("http://h?q", "g"),
    ("http://h/a/b/c/d/e/f/g/h/i/j/k/l/m", "../../../../../../../../../../../n"),
    ("http://h/b/c", "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s"),
    ("x://h", ""),
    ("http://h/b/c", "http://h/b/c"),
    ("file:///a/b", "//h/g"),
    ("", "http://h/g"),
];

/// The base of most pairs: that of the examples of the RFCs.
const BASE: &str = "http://a/b/c/d;p?q";

/// Returns the pairs, in the order in which vectors are chosen.
pub(crate) fn pairs() -> Vec<(String, String)> {
    let long = ["0123456789".repeat(26), "abcdefghij".repeat(26)];
    let many: Vec<String> = MANY.map(str::to_owned).into_iter().chain(long).collect();
    let one: Vec<String> = ONE.map(str::to_owned).into();
    let mut all: Vec<(String, String)> = PAIRS.map(|(base, reference)| (base.to_owned(), reference.to_owned())).into();
    for texts in [many, one] {
        for place in REFERENCES {
            all.extend(texts.iter().map(|text| (BASE.to_owned(), place.replace("{}", text))));
        }
        for place in BASES {
            for reference in ["g", "", "../g", "?y", "#s", "/g", "//g", ";x"] {
                all.extend(texts.iter().map(|text| (place.replace("{}", text), reference.to_owned())));
            }
        }
        for base in ["http://a", "x:a/b"] {
            for place in REFERENCES {
                all.extend(texts.iter().map(|text| (base.to_owned(), place.replace("{}", text))));
            }
        }
    }
    all
}
