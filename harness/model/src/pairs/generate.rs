//! Generated references and bases: every short reference against bases of every shape, and random pairs.

/// The default alphabet of `enumerate`.
pub const ALPHABET: &str = "a./;?#:%";

/// The alphabet of `enumerate --agree`: the characters that some rule set treats specially, and a letter.
pub const DELIMITERS: &str = "a./;?#:";

/// Bases of every shape that specifications distinguish. The last base is empty, that is, unknown.
pub const BASES: [&str; 26] = [
    "http://a/b/c/d;p?q",
    "http://a/b/c/d;p?q#f",
    "magic://a/b/c/d",
    "a://a/b/c/d",
    "a:/b/c/d",
    "http://a",
    "http://a?q",
    "http://a/",
    "http://u:p@h:8/b/c?",
    "http://a/b/../c/./d",
    "http://a/../../b/..",
    "http://a/b//c//d",
    "http://a//b",
    "fred:///s//a/b/c",
    "foo:a/b/c",
    "foo:a",
    "foo:/a/b",
    "http://a/b/c?x/../y/z",
    "http://a/b;x/../y;z?q",
    "http://a/b#f/../g",
    "gopher://a/1b/c",
    "a:b",
    "foo:",
    "http://a#f",
    "http://a;p/b;c/d/e?q",
    "",
];

/// Returns the number of strings of up to `length` characters over an alphabet of `characters` characters, or `None` if
/// the number exceeds [`u64::MAX`].
pub fn count(characters: usize, length: usize) -> Option<u64> {
    let characters = characters as u64;
    (0..=length as u32).try_fold(0_u64, |sum, length| sum.checked_add(characters.checked_pow(length)?))
}

/// Replaces `out` with string number `number` over `alphabet`, from 0. Shorter strings come first, and strings of equal
/// length are in the order of the alphabet.
pub fn nth(alphabet: &[char], mut number: u64, out: &mut String) {
    out.clear();
    let characters = alphabet.len() as u64;
    let mut length = 0;
    let mut of_length = 1;
    while number >= of_length && characters > 0 {
        number -= of_length;
        of_length *= characters;
        length += 1;
    }
    for _ in 0..length {
        of_length /= characters;
        let index = number / of_length % characters;
        out.push(alphabet[index as usize]);
    }
}

/// Calls `each` with each of [`BASES`] and every reference of up to `length` characters of [`ALPHABET`].
pub fn short_pairs(length: usize, mut each: impl FnMut(&'static str, &str)) {
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let mut reference = String::new();
    for number in 0..count(alphabet.len(), length).unwrap_or_default() {
        nth(&alphabet, number, &mut reference);
        BASES.iter().for_each(|base| each(base, &reference));
    }
}

/// Random references of 6 to 24 characters of [`ALPHABET`].
pub struct Long(fastrand::Rng);

impl Long {
    /// Creates a generator. The same `seed` gives the same references.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Returns the next reference.
    pub fn reference(&mut self) -> String {
        let alphabet = ALPHABET.as_bytes();
        (0..self.0.usize(6..=24)).map(|_| char::from(alphabet[self.0.usize(..alphabet.len())])).collect()
    }
}

/// Random pairs of every shape, with a large alphabet. The same seed gives the same pairs.
///
/// The pairs consist of typical components: schemes in both letter cases, hosts of every kind, ports, drive letters,
/// and percent-encoded dot segments. Some pairs also contain random characters at random positions.
pub struct RandomPairs(fastrand::Rng);

const SCHEMES: &[&str] = &[
    "http", "http", "http", "https", "ftp", "ws", "wss", "file", "file", "HTTP", "hTTps", "FILE", "foo", "foo", "a",
    "mailto", "urn", "gopher", "data", "x-1.2+3", "1a",
];
const HOSTS: &[&str] = &[
    "a",
    "h",
    "example.com",
    "EXAMPLE.com",
    "localhost",
    "127.0.0.1",
    "0x7f.1",
    "1.2.3",
    "256",
    "0300.1",
    "1.2.3.4.5",
    "a.1",
    "0x",
    "1.2.3.04",
    "[::1]",
    "[1:2::3]",
    "[::FFFF:1.2.3.4]",
    "[1:0:0:2:0:0:0:3]",
    "[v1.a]",
    "[::1",
    "[1::2::3]",
    "é.com",
    "xn--nxa",
    "xn--a",
    "a%41",
    "%zz",
    "a%2fb",
    "%C3%A9",
    "a b",
    "",
    "",
    "a.",
    ".",
    "C:",
    "c|",
    "a_b",
    "-a-",
    "ß",
    "a\u{ad}",
    "日本",
    "\u{ff0e}",
];
const USERS: &[&str] = &["u", "u:p", "u:", ":p", "", ":", "u@v", "a%40", "é", "u;x=1", "u/", "[", "u:p:q"];
const PORTS: &[&str] =
    &["", "80", "443", "21", "8080", "080", "0", "65535", "65536", "99999999999", "8a", "x", "00000"];
const SEGMENTS: &[&str] = &[
    "a",
    "b",
    "c",
    "..",
    "..",
    ".",
    "",
    "d;p",
    ";",
    "%2e",
    "%2E%2e",
    ".%2e",
    "...",
    "%41",
    "%",
    "%zz",
    "C:",
    "c|",
    "D:",
    "d|",
    "é",
    "x y",
    "a:b",
    "a@b",
    "\"",
    "<>",
    "`",
    "{}",
    "^",
    "|",
    "'",
    "[]",
    "~",
    "!$&'()*+,=",
    "A",
    "\u{7f}",
    "日",
    "?",
    "#",
    "\\",
    "\\\\",
    "//",
];
const TAILS: &[&str] =
    &["", "q", "x=1&y=2", "'", "a/../b", "é", " ", "<>", "\"", "?", "`", "{}", "%41", "%", "^|", "\\", "\u{e000}"];
const STRAY: &[char] = &[
    '@',
    '\\',
    '\t',
    '%',
    'é',
    '\n',
    ' ',
    '/',
    '?',
    '#',
    ':',
    '.',
    ';',
    '[',
    ']',
    'C',
    '|',
    '\0',
    '\u{1f}',
    '<',
    '"',
    '^',
    '`',
    '{',
    'Z',
    '0',
    '\u{a0}',
    '\u{feff}',
    '\u{fffd}',
    '\u{10ffff}',
];

impl RandomPairs {
    /// Creates a generator. The same `seed` gives the same pairs.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Returns the next base and reference.
    pub fn pair(&mut self) -> (String, String) {
        let base = match self.0.u8(..32) {
            0 => String::new(),
            1..=3 => self.reference(),
            4..=9 => BASES[self.0.usize(..BASES.len())].to_owned(),
            _ => self.absolute(),
        };
        let reference = if self.0.u8(..4) == 0 { self.absolute() } else { self.reference() };
        (base, reference)
    }

    fn one(&mut self, of: &[&'static str]) -> &'static str {
        of[self.0.usize(..of.len())]
    }

    fn chance(&mut self, in_how_many: u8) -> bool {
        self.0.u8(..in_how_many) == 0
    }

    fn absolute(&mut self) -> String {
        let mut text = self.one(SCHEMES).to_owned();
        text.push(':');
        match self.0.u8(..16) {
            0 => self.relative_path(&mut text),
            1 => self.rooted_path(&mut text),
            2 => text.push_str("///"),
            _ => self.authority(&mut text),
        }
        if !self.chance(4) {
            self.rooted_path(&mut text);
        }
        self.tail(&mut text);
        self.strayed(text)
    }

    fn reference(&mut self) -> String {
        let mut text = String::new();
        match self.0.u8(..16) {
            0 => {}
            1 | 2 => self.authority(&mut text),
            3..=6 => self.rooted_path(&mut text),
            7 => {
                self.authority(&mut text);
                self.rooted_path(&mut text);
            }
            8 => text.extend(["/"].repeat(self.0.usize(2..6))),
            9 => {
                text.push_str(self.one(SCHEMES));
                text.push(':');
                self.relative_path(&mut text);
            }
            _ => self.relative_path(&mut text),
        }
        self.tail(&mut text);
        self.strayed(text)
    }

    fn authority(&mut self, text: &mut String) {
        text.push_str(if self.chance(16) { "\\\\" } else { "//" });
        if self.chance(4) {
            text.push_str(self.one(USERS));
            text.push('@');
        }
        text.push_str(self.one(HOSTS));
        if self.chance(4) {
            text.push(':');
            text.push_str(self.one(PORTS));
        }
    }

    fn rooted_path(&mut self, text: &mut String) {
        text.push('/');
        self.relative_path(text);
    }

    fn relative_path(&mut self, text: &mut String) {
        for index in 0..self.0.u8(..6) {
            if index > 0 {
                text.push('/');
            }
            text.push_str(self.one(SEGMENTS));
            if self.chance(16) {
                text.push_str(self.one(SEGMENTS));
            }
        }
    }

    fn tail(&mut self, text: &mut String) {
        if self.chance(4) {
            text.push('?');
            text.push_str(self.one(TAILS));
        }
        if self.chance(4) {
            text.push('#');
            text.push_str(self.one(TAILS));
        }
    }

    /// Returns `text`, sometimes with characters inserted at random positions.
    fn strayed(&mut self, mut text: String) -> String {
        while self.chance(5) {
            let places: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let at = places[self.0.usize(..places.len())];
            text.insert(at, STRAY[self.0.usize(..STRAY.len())]);
        }
        text
    }
}
