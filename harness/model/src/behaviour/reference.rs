//! What happens to the text of a reference before its scheme is split off.

use std::borrow::Cow;

use super::components::cut;
use super::{Behaviour, Exit, Nul, RootedReference, Row, Stage, TextDelimiters, TextEnd};

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

    /// Returns `text`, a base or a reference, as far as a U+0000 does not end it.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is rejected for a U+0000.
    pub(super) fn before_nul<'a>(&self, text: &'a str) -> Stage<Cow<'a, str>> {
        let Some(nul) = text.find('\0') else { return Ok(text.into()) };
        match self.syntax.nul() {
            Nul::Ordinary | Nul::EndsRelative => Ok(text.into()),
            Nul::Rejected => Err(Exit::Rejected),
            Nul::EndsText => Ok(text[..nul].into()),
            Nul::EndsPath => Ok(without_text_after_nul(text)),
        }
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
fn without_text_after_nul(text: &str) -> Cow<'_, str> {
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
