//! URLs in running text: the wrapper `<URL:` … `>` of 1994, and what later documents made of it.
//!
//! A document's [`Extractor`] is a small row of answers, and a table of its rules. The rules that acted on a find can be
//! told from it, so that vectors can be counted against them.
//!
//! ```
//! use urlstrata::{context, revision};
//!
//! let extractor = revision::by_id("rfc1738").and_then(|revision| revision.context).expect("it has an appendix");
//! let text = "I found it under <URL:ftp://info.cern.ch/pub/www/doc;\ntype=d>.";
//! let find = extractor.find(text).next().expect("a URL");
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
pub struct Extractor {
    /// Where it says so.
    pub section: &'static str,
    /// Which angle brackets hold a URL?
    pub brackets: Brackets,
    /// Do double quotes?
    pub quotes: Quotes,
    /// Is a URL found that white space alone delimits?
    pub bare: Bare,
    /// Label, paraphrase and rule, in the document's order.
    pub(crate) steps: &'static [(&'static str, &'static str, Aspect)],
}

impl Extractor {
    /// The document's rules, in its order.
    pub fn steps(&self) -> impl Iterator<Item = StepText> {
        self.steps.iter().map(|&(label, text, _)| StepText { label, text })
    }

    /// Finds the URLs in `text`, in order. No two of them overlap.
    ///
    /// `"a <URL:http://a/\nb> c"` has one, `"http://a/b"`, at bytes 2 to 20. Nothing is decoded or checked.
    ///
    /// Time is linear in the text, and nothing is allocated but for URLs that had white space in them.
    #[must_use]
    pub fn find<'r, 't>(&'r self, text: &'t str) -> FoundUrls<'r, 't> {
        self.find_from(text, 0)
    }

    /// As [`Extractor::find`], from byte `at` on; places are those in the whole text. An `at` within a character is moved
    /// behind it.
    #[must_use]
    pub fn find_from<'r, 't>(&'r self, text: &'t str, at: usize) -> FoundUrls<'r, 't> {
        let at = (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        FoundUrls {
            extractor: self,
            text,
            at,
            brackets: Lookahead::Unknown,
            quotes: Lookahead::Unknown,
            bare: Lookahead::Unknown,
        }
    }

    /// Those that acted on `find`.
    pub fn acted(&self, find: &FoundUrl<'_>) -> impl Iterator<Item = StepText> {
        let acted = self.steps.iter().filter(|rule| find.has(rule.2));
        acted.map(|&(label, text, _)| StepText { label, text })
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
pub(crate) enum Aspect {
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
pub struct FoundUrl<'t> {
    /// The bytes from the first delimiter to the last, both included; as `content` where white space delimits.
    pub wrapper: Range<usize>,
    /// The bytes between the delimiters; a prefix is none of them.
    pub content: Range<usize>,
    /// The content without its white space; borrowed where there was none. What may be typesetting is kept in it
    /// but for punctuation behind a bare URL, see [`FoundUrl::ambiguity`].
    pub url: Cow<'t, str>,
    /// What delimits it.
    pub delimiter: Delimiter,
    /// What may or may not be part of the URL.
    pub ambiguity: Ambiguity,
    acted: u8,
}

/// What may or may not be part of a URL.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Ambiguity {
    /// Nothing.
    None,
    /// Hyphens with a line end right behind them, which a typesetter may have put there: where they stand in
    /// [`FoundUrl::url`], in bytes.
    Hyphens(Vec<usize>),
    /// So many bytes of punctuation, left out, between a bare URL and the white space behind it.
    TrailingPunctuation(usize),
}

impl<'t> FoundUrl<'t> {
    /// The URL, and the other candidate if something is in ambiguity: without any of the doubtful hyphens, or with the
    /// punctuation. `text` is the text that was searched.
    ///
    /// Of several hyphens each may be spurious on its own; the positions in [`FoundUrl::ambiguity`] tell them.
    pub fn candidates(&self, text: &'t str) -> (Cow<'t, str>, Option<Cow<'t, str>>) {
        let other = match &self.ambiguity {
            Ambiguity::None => None,
            Ambiguity::Hyphens(at) => {
                let mut other = String::with_capacity(self.url.len());
                let mut from = 0;
                for &at in at {
                    other.push_str(self.url.get(from..at).unwrap_or_default());
                    from = at + 1;
                }
                other.push_str(self.url.get(from..).unwrap_or_default());
                Some(Cow::Owned(other))
            }
            Ambiguity::TrailingPunctuation(length) => {
                text.get(self.content.start..self.content.end + length).map(Cow::Borrowed)
            }
        };
        (self.url.clone(), other)
    }

    fn has(&self, rule: Aspect) -> bool {
        self.acted & rule as u8 != 0
    }
}

/// The iterator that [`Extractor::find`] returns.
#[derive(Debug)]
pub struct FoundUrls<'r, 't> {
    extractor: &'r Extractor,
    text: &'t str,
    at: usize,
    brackets: Lookahead<'t>,
    quotes: Lookahead<'t>,
    bare: Lookahead<'t>,
}

/// What is known of the next find of a kind.
#[derive(Debug)]
enum Lookahead<'t> {
    Unknown,
    Found(FoundUrl<'t>),
    Nothing,
}

impl<'t> Lookahead<'t> {
    /// Looks for the next find unless it is known and still ahead. A find that another one ran into is looked for anew;
    /// as no delimiter stands inside a find, what is read twice lies within that one.
    fn advance(&mut self, at: usize, next: impl FnOnce() -> Option<FoundUrl<'t>>) {
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

    fn take(&mut self) -> Option<FoundUrl<'t>> {
        match core::mem::replace(self, Self::Unknown) {
            Self::Found(find) => Some(find),
            Self::Unknown | Self::Nothing => None,
        }
    }
}

impl<'t> Iterator for FoundUrls<'_, 't> {
    type Item = FoundUrl<'t>;

    fn next(&mut self) -> Option<FoundUrl<'t>> {
        let (text, at) = (self.text, self.at);
        let brackets = self.extractor.brackets;
        self.brackets.advance(at, || next_bracket(text, at, brackets));
        if self.extractor.quotes == Quotes::Delimit {
            self.quotes.advance(at, || next_quote(text, at));
        }
        if self.extractor.bare == Bare::Found {
            self.bare.advance(at, || next_bare(text, at));
        }
        let mut kinds = [&mut self.brackets, &mut self.quotes, &mut self.bare];
        let first = kinds.iter_mut().filter(|kind| kind.start().is_some()).min_by_key(|kind| kind.start())?;
        let find = first.take()?;
        self.at = find.wrapper.end;
        Some(find)
    }
}

impl core::iter::FusedIterator for FoundUrls<'_, '_> {}
