//! Slashes, and the backslashes and other delimiters that are read as slashes.

use super::{Backslash, MixedSlashes, Row};
use std::borrow::Cow;

/// Returns `rest`, a relative reference, with the slashes and backslashes at its start as slashes.
pub(super) fn with_mixed_slashes<'a>(row: &Row, rest: &'a str) -> Cow<'a, str> {
    let after = rest.trim_start_matches(['/', '\\']);
    let is_mixed = rest.len() > after.len() && !rest.starts_with("//");
    match rest.len() - after.len() {
        _ if !is_mixed || row.mixed_slashes() != MixedSlashes::UpToTwoSlashes => rest.into(),
        1 => format!("/{after}").into(),
        _ => format!("//{after}").into(),
    }
}

/// Returns whether `text` begins with two slashes or backslashes.
pub(super) fn is_prefix(text: &str) -> bool {
    text.starts_with(['/', '\\']) && text[1..].starts_with(['/', '\\'])
}

/// Returns `rest` with the backslashes that are slashes written as slashes. `has_fragment` states whether a fragment follows.
pub(super) fn with_slashes<'a>(row: &Row, rest: &'a str, has_fragment: bool) -> Cow<'a, str> {
    if !rest.contains('\\') {
        return rest.into();
    }
    let end = match row.backslash() {
        Backslash::Ordinary
        | Backslash::EndsAuthority
        | Backslash::EndsPort
        | Backslash::RejectedInPrefix
        | Backslash::RejectedBeforeSlash => 0,
        Backslash::Slash => rest.find('?').unwrap_or(rest.len()),
        Backslash::SlashInQueryAtEnd if has_fragment => rest.find('?').unwrap_or(rest.len()),
        Backslash::SlashAfterTwo if !is_prefix(rest) => 0,
        Backslash::SlashAfterTwo => rest.find('?').unwrap_or(rest.len()),
        Backslash::SlashInQueryAtEnd => rest.len(),
    };
    match rest[..end].contains('\\') {
        true => format!("{}{}", rest[..end].replace('\\', "/"), &rest[end..]).into(),
        false => rest.into(),
    }
}
