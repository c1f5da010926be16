//! What is removed from a text, and the scheme at its start.

use super::{
    BadScheme, BaseSchemeName, Behaviour, Class, Cleaning, ColonBeforePort, DriveEnd, Form, FragmentCleaned,
    LeadingColon, Prefix, Row, SchemeFollowedBy, SchemeName, drive,
};
use std::borrow::Cow;

impl Behaviour {
    /// Returns `text` cleaned, as far as its fragment is not exempt.
    pub(super) fn applied<'a>(&self, cleaning: &Cleaning, text: &'a str) -> Cow<'a, str> {
        let has_marks = |class: &Class| class.rows.iter().any(|row| row.drive_end() == DriveEnd::RemovedToo);
        let whole = || {
            let clean = cleaning.apply(text);
            let is_marked = clean.len() != text.len() && self.classes.iter().any(has_marks);
            if is_marked { drive::marked(cleaning, text, clean) } else { clean }
        };
        let Some(at) = text.find('#') else { return whole() };
        match self.syntax.fragment_cleaned() {
            FragmentCleaned::Yes => whole(),
            FragmentCleaned::NotAtEndIfAlone | FragmentCleaned::NotIfAlone if at > 0 => whole(),
            FragmentCleaned::NotIfAlone => text.into(),
            FragmentCleaned::NotAtEnd | FragmentCleaned::NotAtEndIfAlone => {
                let text = Cleaning { end: Vec::new(), ..cleaning.clone() }.apply(text).into_owned();
                Cow::Owned(text)
            }
        }
    }

    /// Returns `text` cleaned, and with a colon at its start as it is read.
    pub(crate) fn cleaned<'a>(&self, cleaning: &Cleaning, text: &'a str) -> Cow<'a, str> {
        let text = self.applied(cleaning, text);
        let Some(after) = text.strip_prefix(':') else { return text };
        match self.syntax.leading_colon() {
            LeadingColon::DroppedBeforeSlashes if after.starts_with("//") => Cow::Owned(after.to_owned()),
            LeadingColon::Encoded => Cow::Owned(format!("%3A{after}")),
            _ => text,
        }
    }

    /// Returns `text`, which does not have a scheme, without a colon at its start that ends an empty one.
    pub(super) fn after_leading_colon<'a>(&self, text: &'a str) -> &'a str {
        match text.strip_prefix(':') {
            Some(rest) if self.syntax.leading_colon() == LeadingColon::DroppedAlone => rest,
            _ => text,
        }
    }

    pub(super) fn prefix_of_base<'a>(&self, text: &'a str) -> Prefix<'a> {
        self.prefix_with(
            text,
            match self.syntax.base_scheme_name() {
                BaseSchemeName::LikeReference => self.syntax.scheme_name(),
                BaseSchemeName::LetterFirst => SchemeName::LetterFirst,
                BaseSchemeName::LetterAndAnyColon => SchemeName::LetterAndAnyColon,
            },
        )
    }

    /// Returns what `text`, a cleaned reference, begins with if its base is `base`.
    pub(super) fn prefix_against<'a>(&self, text: &'a str, base: &str) -> Prefix<'a> {
        match base.is_empty() && self.syntax.base_scheme_name() == BaseSchemeName::LetterAndAnyColon {
            true => self.prefix_of_base(text),
            false => self.prefix(text),
        }
    }

    pub(super) fn prefix<'a>(&self, text: &'a str) -> Prefix<'a> {
        let found = self.prefix_with(text, self.syntax.scheme_name());
        let is_bad = || {
            let end = text.find([':', '/']).filter(|&at| at > 0 && !text.starts_with(['?', '#']));
            end.is_some_and(|at| text.as_bytes()[at] == b':')
        };
        match found {
            Prefix::None if self.syntax.bad_scheme() == BadScheme::RejectedInReference && is_bad() => Prefix::Bad,
            _ => found,
        }
    }

    fn prefix_with<'a>(&self, text: &'a str, scheme_name: SchemeName) -> Prefix<'a> {
        let is_end = |byte: u8| match scheme_name {
            SchemeName::AnyColonBeforeSlash => matches!(byte, b':' | b'/' | b'#'),
            SchemeName::AnyColon if !text.starts_with('/') => byte == b':',
            SchemeName::AnyColonUnlessFragment if !text.starts_with('#') => byte == b':',
            SchemeName::AnyColonUnlessSlash => matches!(byte, b':' | b'/'),
            _ => matches!(byte, b':' | b'/' | b'?' | b'#'),
        };
        let end = text.bytes().position(is_end);
        let Some(colon) = end.filter(|&at| text.as_bytes()[at] == b':') else { return Prefix::None };
        if is_port_after_colon(text) && self.syntax.colon_before_port() == ColonBeforePort::NotAfterScheme {
            return Prefix::None;
        }
        let name = &text[..colon];
        let is_name = !name.is_empty() && name.chars().all(is_of_name);
        let is_scheme = match scheme_name {
            _ if colon == 0 && self.syntax.leading_colon() == LeadingColon::EmptyScheme => true,
            _ if colon == 0 && self.syntax.leading_colon() == LeadingColon::DroppedAlone => false,
            SchemeName::AnyColonBeforeDelimiter => colon > 0,
            SchemeName::AnyColonBeforePeriod => colon > 0 && !name.contains('.'),
            SchemeName::AnyNameCharacter => is_name,
            SchemeName::LetterAndAnyColon => name.starts_with(|c: char| c.is_ascii_alphabetic()),
            SchemeName::AnyColonBeforeSlash
            | SchemeName::AnyColon
            | SchemeName::AnyColonUnlessFragment
            | SchemeName::AnyColonUnlessSlash => true,
            SchemeName::LetterOrDigitFirst => is_name && name.as_bytes()[0].is_ascii_alphanumeric(),
            SchemeName::LetterFirst => is_name && name.as_bytes()[0].is_ascii_alphabetic(),
        };
        let row = || &self.classes[self.class_of(name)].rows[Form::Absolute as usize];
        if is_scheme && !is_followed(row(), &text[colon + 1..]) {
            return Prefix::None;
        }
        let is_rejected = match colon {
            0 => self.syntax.leading_colon() == LeadingColon::Rejected,
            _ => self.syntax.bad_scheme() == BadScheme::Rejected,
        };
        match (is_scheme, is_rejected) {
            (true, _) => Prefix::Scheme(name),
            (false, true) => Prefix::Bad,
            (false, false) => Prefix::None,
        }
    }
}

/// Returns whether `rest` may follow a scheme.
fn is_followed(row: &Row, rest: &str) -> bool {
    match row.scheme_followed_by() {
        SchemeFollowedBy::Anything => true,
        SchemeFollowedBy::TwoSlashes => rest.starts_with("//"),
    }
}

/// Returns whether up to five digits follow the first colon of `text`, and these are followed by a slash or the end. If the colon
/// is at the start, the digits may be missing.
fn is_port_after_colon(text: &str) -> bool {
    let end = text.bytes().position(|byte| matches!(byte, b':' | b'?' | b'#'));
    let Some(colon) = end.filter(|&at| text.as_bytes()[at] == b':') else { return false };
    let rest = &text[colon + 1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_end = rest[digits..].is_empty() || rest[digits..].starts_with('/');
    is_end && digits <= 5 && (digits > 0 || text == ":")
}

/// Returns whether the name of a scheme can have `c` after its first letter (RFC 3986 §3.1).
pub(super) fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

/// Returns whether `c` is white space of ECMAScript.
pub(super) fn is_space(c: char) -> bool {
    c == '\u{feff}' || c.is_whitespace() && c != '\u{85}'
}
