//! Percent signs that the end of a component separates from their digits.

use std::borrow::Cow;

use super::{CutEscape, Row};

/// Returns `text`, which follows the scheme, without the escapes that the end of a component or segment cuts off, if these are
/// dropped.
pub(super) fn without_cut_escapes<'a>(row: &Row, text: &'a str) -> Cow<'a, str> {
    if !text.contains('%') || row.cut_escape() == CutEscape::LikeOthers {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let slashes = if text.starts_with("//") { 2 } else { 0 };
    let mut ends: &[char] = if slashes == 0 { &['/', '?', '#'] } else { &['@', '/', '?', '#'] };
    let mut kept_from = 0;
    for (at, c) in text.char_indices() {
        match c {
            '%' => {
                let after = &text[at + 1..];
                let digits = usize::from(after.starts_with(|c: char| c.is_ascii_hexdigit()));
                let rest = &after[digits..];
                if rest.is_empty() || rest.starts_with(ends) {
                    out.push_str(&text[kept_from..at]);
                    kept_from = at + 1 + digits;
                }
            }
            '#' => ends = &[],
            '?' if !ends.is_empty() => ends = &['#'],
            '/' if at >= slashes && ends.len() > 1 => ends = &['/', '?', '#'],
            _ => {}
        }
    }
    out.push_str(&text[kept_from..]);
    Cow::Owned(out)
}
