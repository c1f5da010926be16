//! What happens to the text of a reference before its scheme is split off.

use std::borrow::Cow;

use super::{BaseFragmentAppended, Behaviour, MalformedEscape, SlashesAfterScheme, SlashesAtStart};

impl Behaviour {
    /// Returns the text of `reference`, whose base is `base`, as it is resolved: with the slashes and the fragment that precede
    /// resolution, and with its percent signs percent-encoded if one of them makes this necessary.
    pub(super) fn prepared<'a>(&self, base: &str, reference: &'a str) -> Cow<'a, str> {
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
