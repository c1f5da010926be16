//! What happens to the text of a reference before its scheme is split off.

use std::borrow::Cow;

use super::components::cut;
use super::{
    BaseFragmentAppended, Behaviour, MalformedEscape, RootedReference, Row, SlashesAfterScheme, SlashesAtStart,
    TextDelimiters, TextEnd, UnchangedText,
};

impl Behaviour {
    /// Returns `text` without the delimiters around it, if they are removed.
    pub(super) fn without_delimiters<'a>(&self, text: &'a str) -> &'a str {
        if !text.starts_with(['<', '"']) || self.syntax.text_delimiters() == TextDelimiters::Kept {
            return text;
        }
        let inside =
            |text: &'a str, [start, end]: [char; 2]| text.strip_prefix(start).and_then(|text| text.strip_suffix(end));
        let bracketed = inside(text, ['<', '>']).map(|text| text.strip_prefix("URL:").unwrap_or(text));
        let text = bracketed.unwrap_or(text);
        inside(text, ['"', '"']).unwrap_or(text)
    }

    /// Returns the text of `reference`, whose base is `base`, as it is resolved: trimmed, with the slashes and the fragment that
    /// precede resolution, and with its percent signs percent-encoded if one of them makes this necessary.
    pub(super) fn prepared<'a>(&self, base: &str, reference: &'a str) -> Cow<'a, str> {
        let reference = match self.syntax.unchanged_text() {
            UnchangedText::WrittenOrCleaned => reference,
            UnchangedText::Trimmed => reference.trim_matches(&self.reference.end[..]),
        };
        let mut text = Cow::Borrowed(reference);
        if reference.starts_with("//") && self.syntax.slashes_at_start() == SlashesAtStart::AfterScheme {
            let base = self.applied(&self.base, base);
            let scheme = self.prefix_of_base(&base).scheme().unwrap_or_default();
            text = Cow::Owned(format!("{}:{reference}", scheme.to_ascii_lowercase()));
        }
        if reference.contains(":///")
            && !base.is_empty()
            && self.syntax.slashes_after_scheme() == SlashesAfterScheme::Two
            && let Some(shorter) = with_two_slashes(reference)
        {
            text = Cow::Owned(shorter);
        }
        let fragment = base.split_once('#').map_or("", |(_, fragment)| fragment);
        let has_none = || text.find('#').is_none_or(|at| at + 1 == text.len());
        if !fragment.is_empty()
            && !text.is_empty()
            && has_none()
            && self.syntax.base_fragment_appended() == BaseFragmentAppended::ToReference
        {
            text = Cow::Owned(format!("{}#{fragment}", text.strip_suffix('#').unwrap_or(&text)));
        }
        let is_malformed = || text.match_indices('%').any(|(at, _)| is_before_two_others(&text[at..]));
        if text.contains('%') && is_malformed() && self.syntax.malformed_escape() == MalformedEscape::InReference {
            text = Cow::Owned(text.replace('%', "%25"));
        }
        text
    }

    /// Returns `text` up to its end, which may be before its last character.
    pub(super) fn ended<'a>(&self, text: &'a str) -> &'a str {
        let ends = ['<', '>', '"', '\n'];
        if !text.bytes().any(|byte| matches!(byte, b'<' | b'>' | b'"' | b'\n')) {
            return text;
        }
        match self.syntax.text_end() {
            TextEnd::Never => text,
            TextEnd::AtDelimiter => cut(text, &ends[..3]).0,
            TextEnd::AtNewline => cut(text, &ends[3..]).0,
        }
    }

    /// Returns the reference `raw`, which is `text` after cleaning, as it is returned if it is not changed otherwise.
    pub(super) fn unchanged(&self, raw: &str, text: &str) -> String {
        match self.syntax.unchanged_text() {
            UnchangedText::WrittenOrCleaned => text.to_owned(),
            UnchangedText::Trimmed => raw.to_owned(),
        }
    }

    /// Returns the reference `raw` as it is returned if it is cleaned and not changed otherwise.
    pub(crate) fn unchanged_after_cleaning(&self, raw: &str) -> String {
        self.unchanged(raw, &self.reference_text(raw))
    }
}

/// Returns whether the relative reference `rest` is written without the base.
pub(super) fn is_without_base(row: &Row, rest: &str) -> bool {
    rest.starts_with('/')
        && match row.rooted_reference() {
            RootedReference::Resolved => false,
            RootedReference::WrittenAfterTwo => rest.starts_with("//"),
            RootedReference::Written => true,
        }
}

/// Returns `text` up to a U+0000 before its query. Every character after one in the query or the fragment is replaced by it.
pub(super) fn without_text_after_nul(text: &str) -> Cow<'_, str> {
    if !text.contains('\0') {
        return text.into();
    }
    let fragment = text.find('#').unwrap_or(text.len());
    let query = text[..fragment].find('?').unwrap_or(fragment);
    if let Some(nul) = text[..query].find('\0') {
        return text[..nul].into();
    }
    let mut out = text[..query].to_owned();
    for part in [&text[query..fragment], &text[fragment..]] {
        let nul = part.find('\0').unwrap_or(part.len());
        out.push_str(&part[..nul]);
        out.extend(part[nul..].chars().map(|_| '\0'));
    }
    out.into()
}

/// Returns `text` with two slashes in place of more than two after a scheme.
fn with_two_slashes(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | ',' | '-' | '.');
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_name);
    is_scheme.then(|| format!("{scheme}://{}", rest.trim_start_matches('/')))
}

/// Returns whether two letters or digits follow the percent sign at the start of `text`, but not two hexadecimal digits.
pub(super) fn is_before_two_others(text: &str) -> bool {
    let mut following = text.chars().skip(1);
    match (following.next(), following.next()) {
        (Some(one), Some(other)) => {
            one.is_alphanumeric() && other.is_alphanumeric() && !(one.is_ascii_hexdigit() && other.is_ascii_hexdigit())
        }
        _ => false,
    }
}
