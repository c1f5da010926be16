//! URLs in running text: the wrapper `<URL:` … `>` of 1994, and what later documents made of it.
//!
//! A document's [`Reading`] is a small row of answers, and a table of its rules. The rules that acted on a find can be
//! told from it, so that vectors can be counted against them.
//!
//! ```
//! use urlstrata::{context, revision};
//!
//! let reading = revision::by_id("rfc1738").and_then(|revision| revision.context).expect("it has an appendix");
//! let text = "I found it under <URL:ftp://info.cern.ch/pub/www/doc;\ntype=d>.";
//! let find = context::find(reading, text).next().expect("a URL");
//! assert_eq!(find.url, "ftp://info.cern.ch/pub/www/doc;type=d");
//! assert_eq!(&text[find.content], "ftp://info.cern.ch/pub/www/doc;\ntype=d");
//! ```

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr2, memmem};

use crate::step::StepText;

/// How a document has URLs stand in running text.
#[derive(Debug)]
pub struct Reading {
    /// Where it says so.
    pub section: &'static str,
    /// Which angle brackets hold a URL?
    pub brackets: Brackets,
    /// Do double quotes?
    pub quotes: Quotes,
    /// Is a URL found that white space alone delimits?
    pub bare: Bare,
    /// Label, paraphrase and rule, in the document's order.
    pub(crate) rules: &'static [(&'static str, &'static str, Rule)],
}

impl Reading {
    /// The document's rules, in its order.
    pub fn steps(&self) -> impl Iterator<Item = StepText> {
        self.rules.iter().map(|&(label, says, _)| StepText { label, says })
    }

    /// Those that acted on `find`.
    pub fn acted(&self, find: &Find<'_>) -> impl Iterator<Item = StepText> {
        let acted = self.rules.iter().filter(|rule| find.has(rule.2));
        acted.map(|&(label, says, _)| StepText { label, says })
    }
}

/// Which angle brackets hold a URL?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Brackets {
    /// Those that begin `<URL:` (RFC 1738, appendix; Draft 1996 §12).
    WithPrefix,
    /// All; the prefix may stand in them and is dropped (RFC 2396 App. E; RFC 3986 App. C).
    WithOrWithout,
}

/// Do double quotes hold a URL?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Quotes {
    /// They are text like other text (RFC 1738, appendix; Draft 1996 §12).
    Text,
    /// They delimit one (RFC 2396 App. E; RFC 3986 App. C).
    Delimit,
}

/// Is a URL found that white space alone delimits?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Bare {
    /// No: the wrapper is what tells a URL from text (RFC 1738, appendix; Draft 1996 §12).
    Text,
    /// Yes (RFC 2396 App. E; RFC 3986 App. C).
    Found,
}

/// What a rule is about.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Rule {
    Prefix = 1,
    Brackets = 2,
    Quotes = 4,
    Bare = 8,
    Fragment = 16,
    WhiteSpace = 32,
    Hyphen = 64,
}

/// What delimits a URL.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Delimiter {
    /// `<URL:` and `>`.
    PrefixedBrackets,
    /// `<` and `>`.
    Brackets,
    /// Two double quotes.
    Quotes,
    /// White space, or an end of the text.
    WhiteSpace,
}

/// A URL in a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Find<'t> {
    /// The bytes from the first delimiter to the last, both included; as `content` where white space delimits.
    pub wrapper: Range<usize>,
    /// The bytes between the delimiters; a prefix is none of them.
    pub content: Range<usize>,
    /// The content without its white space; borrowed where there was none. What may be typesetting is kept in it
    /// but for punctuation behind a bare URL, see [`Find::doubt`].
    pub url: Cow<'t, str>,
    /// What delimits it.
    pub delimiter: Delimiter,
    /// What may or may not be part of the URL.
    pub doubt: Doubt,
    acted: u8,
}

/// What may or may not be part of a URL.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Doubt {
    /// Nothing.
    None,
    /// Hyphens with a line end right behind them, which a typesetter may have put there: where they stand in
    /// [`Find::url`], in bytes.
    Hyphens(Vec<usize>),
    /// So many bytes of punctuation, left out, between a bare URL and the white space behind it.
    Punctuation(usize),
}

impl<'t> Find<'t> {
    /// The URL, and the other candidate if something is in doubt: without any of the doubtful hyphens, or with the
    /// punctuation. `text` is the text that was searched.
    ///
    /// Of several hyphens each may be spurious on its own; the positions in [`Find::doubt`] tell them.
    pub fn candidates(&self, text: &'t str) -> (Cow<'t, str>, Option<Cow<'t, str>>) {
        let other = match &self.doubt {
            Doubt::None => None,
            Doubt::Hyphens(at) => {
                let mut other = String::with_capacity(self.url.len());
                let mut from = 0;
                for &at in at {
                    other.push_str(self.url.get(from..at).unwrap_or_default());
                    from = at + 1;
                }
                other.push_str(self.url.get(from..).unwrap_or_default());
                Some(Cow::Owned(other))
            }
            Doubt::Punctuation(length) => text.get(self.content.start..self.content.end + length).map(Cow::Borrowed),
        };
        (self.url.clone(), other)
    }

    fn has(&self, rule: Rule) -> bool {
        self.acted & rule as u8 != 0
    }
}

/// The URLs in `text` as `reading` finds them, in order; none overlaps another.
///
/// `"a <URL:http://a/\nb> c"` has one, `"http://a/b"`, at bytes 2 to 20. Nothing is decoded or checked.
///
/// Time is linear in the text, and nothing is allocated but for URLs that had white space in them.
pub fn find<'r, 't>(reading: &'r Reading, text: &'t str) -> Finds<'r, 't> {
    find_from(reading, text, 0)
}

/// As [`find`], from byte `at` on; places are those in the whole text. An `at` within a character is moved behind it.
pub fn find_from<'r, 't>(reading: &'r Reading, text: &'t str, at: usize) -> Finds<'r, 't> {
    let at = (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    Finds { reading, text, at, brackets: Ahead::Unknown, quotes: Ahead::Unknown, bare: Ahead::Unknown }
}

/// The iterator that [`find`] returns.
#[derive(Debug)]
pub struct Finds<'r, 't> {
    reading: &'r Reading,
    text: &'t str,
    at: usize,
    brackets: Ahead<'t>,
    quotes: Ahead<'t>,
    bare: Ahead<'t>,
}

/// What is known of the next find of a kind.
#[derive(Debug)]
enum Ahead<'t> {
    Unknown,
    Found(Find<'t>),
    Nothing,
}

impl<'t> Ahead<'t> {
    /// Looks for the next find unless it is known and still ahead. A find that another one ran into is looked for anew;
    /// as no delimiter stands inside a find, what is read twice lies within that one.
    fn look(&mut self, at: usize, next: impl FnOnce() -> Option<Find<'t>>) {
        let known = match self {
            Self::Unknown => false,
            Self::Found(find) => find.wrapper.start >= at,
            Self::Nothing => true,
        };
        if !known {
            *self = next().map_or(Self::Nothing, Self::Found);
        }
    }

    fn start(&self) -> Option<usize> {
        match self {
            Self::Found(find) => Some(find.wrapper.start),
            Self::Unknown | Self::Nothing => None,
        }
    }

    fn take(&mut self) -> Option<Find<'t>> {
        match core::mem::replace(self, Self::Unknown) {
            Self::Found(find) => Some(find),
            Self::Unknown | Self::Nothing => None,
        }
    }
}

impl<'t> Iterator for Finds<'_, 't> {
    type Item = Find<'t>;

    fn next(&mut self) -> Option<Find<'t>> {
        let (text, at) = (self.text, self.at);
        let brackets = self.reading.brackets;
        self.brackets.look(at, || next_bracket(text, at, brackets));
        if self.reading.quotes == Quotes::Delimit {
            self.quotes.look(at, || next_quote(text, at));
        }
        if self.reading.bare == Bare::Found {
            self.bare.look(at, || next_bare(text, at));
        }
        let mut kinds = [&mut self.brackets, &mut self.quotes, &mut self.bare];
        let first = kinds.iter_mut().filter(|kind| kind.start().is_some()).min_by_key(|kind| kind.start())?;
        let find = first.take()?;
        self.at = find.wrapper.end;
        Some(find)
    }
}

impl core::iter::FusedIterator for Finds<'_, '_> {}

const PREFIX: &str = "URL:";

/// The first bracket from `at` on that holds a URL. One that a `<`, an empty line or the end of the text comes before its
/// `>` is not closed, and text.
fn next_bracket(text: &str, mut at: usize, brackets: Brackets) -> Option<Find<'_>> {
    let bytes = text.as_bytes();
    loop {
        let open = at + memchr(b'<', bytes.get(at..)?)?;
        let inside = open + 1;
        let end = inside + memchr2(b'<', b'>', &bytes[inside..])?;
        at = end;
        if bytes[end] != b'>' {
            continue;
        }
        let held = &text[inside..end];
        // The later documents let white space stand anywhere between the brackets, so also before the prefix.
        let before = match brackets {
            Brackets::WithPrefix => 0,
            Brackets::WithOrWithout => held.len() - held.trim_start().len(),
        };
        let prefixed = held[before..].get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX));
        let content = if prefixed { inside + before + PREFIX.len()..end } else { inside..end };
        let holds_url = match (prefixed, brackets) {
            (true, _) => !text[content.clone()].trim().is_empty(),
            (false, Brackets::WithPrefix) => false,
            (false, Brackets::WithOrWithout) => has_scheme(text[content.clone()].trim_start()),
        };
        if holds_url && !has_empty_line(held) {
            let (delimiter, prefix) = match prefixed {
                true => (Delimiter::PrefixedBrackets, Rule::Prefix as u8),
                false => (Delimiter::Brackets, 0),
            };
            return Some(unwrap(text, open..end + 1, content, delimiter, prefix | Rule::Brackets as u8));
        }
    }
}

/// The first pair of quotes from `at` on that holds a URL. The second of a pair that does not may be the first of another.
fn next_quote(text: &str, mut at: usize) -> Option<Find<'_>> {
    let bytes = text.as_bytes();
    loop {
        let open = at + memchr(b'"', bytes.get(at..)?)?;
        let end = open + 1 + memchr(b'"', &bytes[open + 1..])?;
        at = end;
        let held = &text[open + 1..end];
        if has_host(held.trim_start()) && !held.contains(['<', '>']) && !has_empty_line(held) {
            return Some(unwrap(text, open..end + 1, open + 1..end, Delimiter::Quotes, Rule::Quotes as u8));
        }
    }
}

/// The first word from `at` on that is a URL: scheme, colon and two slashes, behind white space or opening punctuation,
/// up to white space or what no URL may hold.
fn next_bare(text: &str, at: usize) -> Option<Find<'_>> {
    let bytes = text.as_bytes();
    let mut from = at;
    loop {
        let colon = from + memmem::find(bytes.get(from..)?, b"://")?;
        let name = bytes[from..colon].iter().rev().take_while(|byte| is_scheme_byte(**byte)).count();
        let start = colon - name;
        let opens = |before: char| before.is_whitespace() || "([{<>\"'“‘«".contains(before);
        let begins =
            name > 0 && bytes[start].is_ascii_alphabetic() && text[..start].chars().next_back().is_none_or(opens);
        let after = colon + "://".len();
        from = after;
        if !begins {
            continue;
        }
        let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"');
        let end = text[after..].find(ends).map_or(text.len(), |length| after + length);
        let punctuation = trailing_punctuation(&text[after..end]);
        from = end;
        if after + punctuation == end {
            continue;
        }
        let content = start..end - punctuation;
        let mut found = unwrap(text, content.clone(), content, Delimiter::WhiteSpace, Rule::Bare as u8);
        if punctuation > 0 {
            found.doubt = Doubt::Punctuation(punctuation);
        }
        return Some(found);
    }
}

/// How many bytes of punctuation end `text`; a closing bracket is none if it has its partner in `text`.
fn trailing_punctuation(text: &str) -> usize {
    const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];
    let mut surplus = PAIRS.map(|(open, close)| text.matches(close).count() as i64 - text.matches(open).count() as i64);
    let mut kept = text.len();
    for (at, character) in text.char_indices().rev() {
        let pair = PAIRS.iter().position(|pair| pair.1 == character);
        let goes = match pair {
            Some(pair) => {
                surplus[pair] -= 1;
                surplus[pair] >= 0
            }
            None => ".,;:!?'”’»…".contains(character),
        };
        if !goes {
            break;
        }
        kept = at;
    }
    text.len() - kept
}

fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// What follows the scheme name that `text` begins with, and its colon.
fn after_scheme(text: &str) -> Option<&str> {
    let length = text.bytes().take_while(|byte| is_scheme_byte(*byte)).count();
    let begins = text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    text[length..].strip_prefix(':').filter(|_| begins)
}

/// Whether `text` begins with a scheme that something follows.
fn has_scheme(text: &str) -> bool {
    after_scheme(text).is_some_and(|rest| rest.chars().next().is_some_and(|next| !next.is_whitespace()))
}

/// Whether `text` begins with a scheme and two slashes that something follows.
fn has_host(text: &str) -> bool {
    after_scheme(text).and_then(|rest| rest.strip_prefix("//")).is_some_and(|rest| !rest.trim_start().is_empty())
}

/// Whether a line of `text` that has one before and behind it holds nothing but white space.
fn has_empty_line(text: &str) -> bool {
    let mut ended = false;
    let mut before = '\0';
    for character in text.chars() {
        let ends = is_line_end(character) && !(before == '\r' && character == '\n');
        if ends && ended {
            return true;
        }
        ended = (ended || ends) && character.is_whitespace();
        before = character;
    }
    false
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\x0b' | '\x0c' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The find of these places, its URL without white space.
fn unwrap(text: &str, wrapper: Range<usize>, content: Range<usize>, delimiter: Delimiter, acted: u8) -> Find<'_> {
    let held = &text[content.clone()];
    let (url, hyphens) = without_white_space(held);
    let removed = matches!(url, Cow::Owned(_)) || url.len() != held.len();
    let rule = |acts: bool, rule: Rule| if acts { rule as u8 } else { 0 };
    let acted = acted
        | rule(removed, Rule::WhiteSpace)
        | rule(!hyphens.is_empty(), Rule::Hyphen)
        | rule(memchr(b'#', url.as_bytes()).is_some(), Rule::Fragment);
    let doubt = if hyphens.is_empty() { Doubt::None } else { Doubt::Hyphens(hyphens) };
    Find { wrapper, content, url, delimiter, doubt, acted }
}

/// `text` without white space, and where in that the hyphens stand that a line end came right behind.
fn without_white_space(text: &str) -> (Cow<'_, str>, Vec<usize>) {
    let trimmed = text.trim();
    if !trimmed.contains(char::is_whitespace) {
        // White space at the end may begin with a line end behind a hyphen: `a-⏎>`.
        let broken = trimmed.ends_with('-') && text.trim_start()[trimmed.len()..].contains(is_line_end);
        return (Cow::Borrowed(trimmed), if broken { alloc::vec![trimmed.len() - 1] } else { Vec::new() });
    }
    let mut url = String::with_capacity(text.len());
    let mut hyphens = Vec::new();
    for character in text.chars() {
        if !character.is_whitespace() {
            url.push(character);
        } else if is_line_end(character) && url.ends_with('-') && hyphens.last() != Some(&(url.len() - 1)) {
            hyphens.push(url.len() - 1);
        }
    }
    (Cow::Owned(url), hyphens)
}
