//! Pairs that may hide a host: two host names with delimiters around them, after several forms of the scheme and the
//! slashes, and unusual spellings of one host.

use super::generate::nth;

/// The base of the references that are resolved against one.
pub const BASE: &str = "http://v/p";

/// What may be written between two hosts, or before and after a host.
const DELIMITERS: [&str; 25] = [
    ":", "@", "/", "\\", "?", "#", ".", "%", "[", "]", ";", "&", " ", "\t", "\n", "%2f", "%40", "%5c", "%00", ":1",
    ":80", "\u{3002}", "\u{e9}", "_", "-",
];

/// The starts of URLs that are resolved without a base. The first one is combined with the most delimiters.
const ABSOLUTE: [&str; 17] = [
    "http://",
    "http:",
    "http:/",
    "http:///",
    "http:////",
    "http:\\\\",
    "http:/\\",
    "HTTP://",
    " http://",
    "ht\ttp://",
    "http:\t//",
    "https://",
    "ftp://",
    "file://",
    "foo://",
    "foo:",
    "",
];

/// The starts of references that are resolved against [`BASE`]. The first one is combined with the most delimiters.
const RELATIVE: [&str; 18] = [
    "//", "///", "////", "/", "\\", "\\\\", "/\\", "\\/", " //", "\t//", "/\t/", "/ /", "http:", "http:/", "http:///",
    "https:", "foo:", "",
];

/// Spellings of a host that some libraries convert, and others keep or reject.
const SPELLINGS: [&str; 46] = [
    "A",
    "a.",
    "a..",
    ".a",
    "a..b",
    "-a",
    "a-",
    "a_b",
    "%61",
    "%41",
    "a%20b",
    "a b",
    "a+b",
    "a!b",
    "a*b",
    "a'b",
    "a(b)",
    "a,b",
    "a=b",
    "a$b",
    "a~b",
    "a|b",
    "a^b",
    "a`b",
    "a{b}",
    "a<b>",
    "a\"b",
    "\u{df}",
    "\u{ff21}",
    "\u{2488}",
    "\u{ad}a",
    "a\u{200d}b",
    "xn--a",
    "xn--nxa",
    "0x7f.1",
    "0177.1",
    "127.1",
    "2130706433",
    "256.1.1.1",
    "1.2.3.4.5",
    "0",
    "[::1]",
    "[::ffff:1.2.3.4]",
    "[1.2.3.4]",
    "[fe80::1%25e]",
    "[v1.a]",
];

/// Returns all pairs of a base and a reference, in a fixed order. An empty base is unknown.
pub fn pairs() -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    for (base, starts) in [("", ABSOLUTE.as_slice()), (BASE, RELATIVE.as_slice())] {
        for (index, start) in starts.iter().enumerate() {
            let most = if index == 0 { 3 } else { 2 };
            for number in 0.. {
                let between = delimiters(number);
                if between.len() > most {
                    break;
                }
                let joined = between.concat();
                pairs.push((base, format!("{start}a{joined}b")));
                pairs.push((base, format!("{start}a{joined}")));
                if between.len() < most {
                    pairs.push((base, format!("{start}{joined}a")));
                    pairs.push((base, format!("{start}a{joined}b/")));
                }
            }
            if start.contains(['/', '\\']) {
                pairs.extend(SPELLINGS.iter().map(|host| (base, format!("{start}{host}"))));
            }
        }
    }
    pairs
}

/// Returns the sequence of delimiters with this number. Shorter sequences have smaller numbers.
fn delimiters(number: u64) -> Vec<&'static str> {
    // Each delimiter is represented by a character.
    let alphabet: Vec<char> = ('\u{0}'..).take(DELIMITERS.len()).collect();
    let mut sequence = String::new();
    nth(&alphabet, number, &mut sequence);
    sequence.chars().map(|character| DELIMITERS[character as usize]).collect()
}
