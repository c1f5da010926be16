//! What is removed from a text, and the scheme at its start.

use std::borrow::Cow;

use super::{
    BadScheme, BaseSchemeName, Behaviour, Cleaning, DriveEnd, Form, FragmentCleaned, LeadingColon, Prefix,
    SchemeFollowedBy, SchemeName, drive,
};

impl Behaviour {
    /// Returns `text` cleaned, as far as its fragment is not exempt.
    pub(super) fn applied<'a>(&self, cleaning: &Cleaning, text: &'a str) -> Cow<'a, str> {
        let has_marks = self.classes.iter().any(|class| class.rows[0].drive_end == DriveEnd::RemovedToo);
        let whole = || if has_marks { drive::marked(cleaning, text) } else { cleaning.apply(text) };
        let Some(at) = text.find('#') else { return whole() };
        match self.syntax.fragment_cleaned {
            FragmentCleaned::Yes => whole(),
            FragmentCleaned::No => Cow::Owned(format!("{}{}", cleaning.apply(&text[..at]), &text[at..])),
            FragmentCleaned::NotAtEnd => {
                let text = Cleaning { end: Vec::new(), ..cleaning.clone() }.apply(text).into_owned();
                Cow::Owned(text)
            }
        }
    }

    /// Returns `text` cleaned, and without the characters of a prefix that are dropped.
    pub(super) fn cleaned<'a>(&self, cleaning: &Cleaning, text: &'a str) -> Cow<'a, str> {
        let mut text = self.applied(cleaning, text);
        if self.syntax.leading_colon == LeadingColon::Dropped && text.starts_with(':') {
            text = Cow::Owned(text[1..].to_owned());
        }
        if !matches!(self.syntax.bad_scheme, BadScheme::Dropped | BadScheme::CharactersDropped) {
            return text;
        }
        let is_bad = |c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c));
        let colon = text.find([':', '/', '?', '#']).filter(|&at| at > 0 && text.as_bytes()[at] == b':');
        let Some(colon) = colon else { return text };
        let (name, rest) = text.split_at(colon);
        let is_dropped = self.syntax.bad_scheme == BadScheme::Dropped;
        if !name.contains(is_bad) && (!is_dropped || name.starts_with(|c: char| c.is_ascii_alphabetic())) {
            return text;
        }
        if is_dropped {
            return match after_bad_scheme(&text) {
                Some(rest) if !rest.starts_with('/') => Cow::Owned(rest.to_owned()),
                _ => text,
            };
        }
        let kept = name.replace(is_bad, "");
        let rest = if kept.is_empty() { &rest[1..] } else { rest };
        Cow::Owned(format!("{kept}{rest}"))
    }

    pub(super) fn prefix_of_base<'a>(&self, text: &'a str) -> Prefix<'a> {
        self.prefix_with(
            text,
            match self.syntax.base_scheme_name {
                BaseSchemeName::LikeReference => self.syntax.scheme_name,
                BaseSchemeName::LetterFirst => SchemeName::LetterFirst,
            },
        )
    }

    pub(super) fn prefix<'a>(&self, text: &'a str) -> Prefix<'a> {
        self.prefix_with(text, self.syntax.scheme_name)
    }

    fn prefix_with<'a>(&self, text: &'a str, scheme_name: SchemeName) -> Prefix<'a> {
        let is_end = |byte: u8| match scheme_name {
            SchemeName::AnyColonBeforeSlash => matches!(byte, b':' | b'/' | b'#'),
            SchemeName::AnyColon if !text.starts_with('/') => byte == b':',
            _ => matches!(byte, b':' | b'/' | b'?' | b'#'),
        };
        let end = text.bytes().position(is_end);
        let Some(colon) = end.filter(|&at| text.as_bytes()[at] == b':') else { return Prefix::None };
        let name = &text[..colon];
        let others: &[u8] = if self.syntax.scheme_name == SchemeName::WithoutPlus { b"-." } else { b"+-." };
        let is_name =
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || others.contains(&byte));
        let is_scheme = match scheme_name {
            SchemeName::AnyColonBeforeSlash => true,
            SchemeName::AnyColonBeforeDelimiter => colon > 0,
            SchemeName::AnyNameCharacter => is_name,
            SchemeName::LetterAndAnyColon => name.starts_with(|c: char| c.is_ascii_alphabetic()),
            SchemeName::AnyColon => true,
            SchemeName::LetterOrDigitFirst => is_name && name.as_bytes()[0].is_ascii_alphanumeric(),
            SchemeName::LetterFirst | SchemeName::WithoutPlus => is_name && name.as_bytes()[0].is_ascii_alphabetic(),
        };
        let row = &self.classes[self.class_of(name)].rows[Form::Absolute as usize];
        if is_scheme && row.scheme_followed_by == SchemeFollowedBy::TwoSlashes && !text[colon + 1..].starts_with("//") {
            return Prefix::None;
        }
        let is_rejected = match colon {
            0 => self.syntax.leading_colon == LeadingColon::Rejected,
            _ => match self.syntax.bad_scheme {
                BadScheme::Rejected => true,
                BadScheme::RejectedIfName => is_name,
                BadScheme::Path | BadScheme::Dropped | BadScheme::CharactersDropped => false,
            },
        };
        match (is_scheme, is_rejected) {
            (true, _) => Prefix::Scheme(name),
            (false, true) => Prefix::Bad,
            (false, false) => Prefix::None,
        }
    }
}

/// Returns the text after a prefix that ends in a colon, and after an authority that follows it.
pub(super) fn after_bad_scheme(text: &str) -> Option<&str> {
    let colon = text.find([':', '/', '?', '#']).filter(|&at| at > 0 && text.as_bytes()[at] == b':')?;
    let rest = &text[colon + 1..];
    Some(rest.strip_prefix("//").map_or(rest, |after| &after[after.find(['/', '?', '#']).unwrap_or(after.len())..]))
}
