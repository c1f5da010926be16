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

use crate::step::StepText;

mod search;

use search::{next_bare, next_bracket, next_quote};

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
