//! URLs in running text: the wrapper `<URL:` … `>` of 1994, and the delimiters of later specifications.
//!
//! The [`Extractor`] of a specification has its settings and its steps. A found URL knows which steps had an effect on
//! it.
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

use search::{next_bare, next_bracket, next_prefixed, next_quote};

/// How a specification delimits URLs in running text.
#[derive(Debug)]
pub struct Extractor {
    /// The section that defines the delimiters.
    pub section: &'static str,
    /// Which angle brackets delimit a URL?
    pub brackets: Brackets,
    /// Do double quotes delimit a URL?
    pub quotes: Quotes,
    /// Does white space delimit a URL?
    pub bare: Bare,
    /// Label, paraphrase and aspect of each step, in the specification's order.
    pub(crate) steps: &'static [(&'static str, &'static str, Aspect)],
}

impl Extractor {
    /// Returns the steps, in the specification's order.
    pub fn steps(&self) -> impl Iterator<Item = StepText> {
        self.steps.iter().map(|&(label, text, _)| StepText { label, text })
    }

    /// Finds the URLs in `text`, in order. They do not overlap.
    ///
    /// `a <URL:http://a/\nb> c` contains `http://a/b` at bytes 2 to 20. The URLs are neither decoded nor validated.
    ///
    /// Time is linear in the length of the text. Only URLs that contain white space are allocated.
    #[must_use]
    pub fn find<'r, 't>(&'r self, text: &'t str) -> FoundUrls<'r, 't> {
        self.find_from(text, 0)
    }

    /// Does the same as [`Extractor::find`] from byte `at` on. Positions are those in the whole text. If `at` is inside
    /// a character, the search begins after it.
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

    /// Returns the steps that had an effect on `find`.
    pub fn acted(&self, find: &FoundUrl<'_>) -> impl Iterator<Item = StepText> {
        let acted = self.steps.iter().filter(|rule| find.has(rule.2));
        acted.map(|&(label, text, _)| StepText { label, text })
    }
}

/// Which angle brackets delimit a URL?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Brackets {
    /// Those that begin with `<URL:` (RFC 1738, appendix; Draft 1996 §12).
    WithPrefix,
    /// All; a prefix in them is dropped (RFC 2396 App. E; RFC 3986 App. C).
    WithOrWithout,
}

/// Do double quotes delimit a URL?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Quotes {
    /// No, they are ordinary text (RFC 1738, appendix; Draft 1996 §12).
    Text,
    /// Yes (RFC 2396 App. E; RFC 3986 App. C).
    Delimit,
}

/// Does white space delimit a URL?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Bare {
    /// Only if the prefix `URL:` precedes the URL (RFC 1738, appendix; Draft 1996 §12).
    WithPrefix,
    /// Yes (RFC 2396 App. E; RFC 3986 App. C).
    Found,
}

/// The aspect of a found URL that a step describes. The values are bits.
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

/// The delimiter of a found URL.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Delimiter {
    /// `<URL:` and `>`.
    PrefixedBrackets,
    /// `<` and `>`.
    Brackets,
    /// Two double quotes.
    Quotes,
    /// `URL:` and white space, or the end of the text.
    Prefix,
    /// White space, or the start or end of the text.
    WhiteSpace,
}

/// A URL that was found in a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FoundUrl<'t> {
    /// The bytes from the first delimiter to the last, including both. White space around the URL is not included.
    pub wrapper: Range<usize>,
    /// The bytes between the delimiters, without a prefix.
    pub content: Range<usize>,
    /// The content without white space. It is borrowed if the content has no white space.
    ///
    /// [`FoundUrl::ambiguity`] describes characters that may not be part of the URL: hyphens are kept, and trailing
    /// punctuation is dropped.
    pub url: Cow<'t, str>,
    /// The delimiter.
    pub delimiter: Delimiter,
    /// The characters that may or may not be part of the URL.
    pub ambiguity: Ambiguity,
    acted: u8,
}

/// The characters that may or may not be part of a URL.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Ambiguity {
    /// There are none.
    None,
    /// Hyphens directly before a line end, which may have been added to break the line: their positions in
    /// [`FoundUrl::url`], in bytes.
    Hyphens(Vec<usize>),
    /// Punctuation between the URL and the white space after it, which was dropped: the number of bytes.
    TrailingPunctuation(usize),
}

impl<'t> FoundUrl<'t> {
    /// Returns the URL, and a second candidate if it is ambiguous: without the hyphens, or with the punctuation.
    ///
    /// `text` is the text that was searched. Each of several hyphens may have been added independently; their positions
    /// are in [`FoundUrl::ambiguity`].
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

/// The next URL with a kind of delimiter, if it is known.
#[derive(Debug)]
enum Lookahead<'t> {
    Unknown,
    Found(FoundUrl<'t>),
    Nothing,
}

impl<'t> Lookahead<'t> {
    /// Searches for the next URL, unless the known one begins at `at` or later.
    ///
    /// If another URL overlaps the known one, the search is repeated. A found URL contains no delimiter, so that only
    /// the text of the overlapping URL is searched twice.
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
        self.bare.advance(at, || match self.extractor.bare {
            Bare::WithPrefix => next_prefixed(text, at),
            Bare::Found => next_bare(text, at),
        });
        let mut kinds = [&mut self.brackets, &mut self.quotes, &mut self.bare];
        let first = kinds.iter_mut().filter(|kind| kind.start().is_some()).min_by_key(|kind| kind.start())?;
        let find = first.take()?;
        self.at = find.wrapper.end;
        Some(find)
    }
}

impl core::iter::FusedIterator for FoundUrls<'_, '_> {}
