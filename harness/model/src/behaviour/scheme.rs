//! What is removed from a text, and the scheme at its start.

use std::borrow::Cow;

use super::table::decoded;
use super::{
    BadScheme, BaseSchemeName, Behaviour, Class, Cleaning, ColonBeforePort, DriveEnd, Form, FragmentCleaned,
    LeadingColon, Prefix, QueryStart, Row, SchemeFollowedBy, SchemeName, drive,
};

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

    /// Returns `text` cleaned, and without the characters of a prefix that are dropped.
    pub(super) fn cleaned<'a>(&self, cleaning: &Cleaning, text: &'a str) -> Cow<'a, str> {
        let mut text = self.applied(cleaning, text);
        if is_port_after_colon(&text) && self.syntax.colon_before_port() == ColonBeforePort::AfterHost {
            let slashes = if text.starts_with("//") { "" } else { "//" };
            text = Cow::Owned(format!("{slashes}{text}"));
        }
        let is_dropped = match self.syntax.leading_colon() {
            LeadingColon::DroppedOnce => !text.starts_with("::"),
            LeadingColon::Path
            | LeadingColon::Rejected
            | LeadingColon::Encoded
            | LeadingColon::EmptyScheme
            | LeadingColon::BeginsAuthority
            | LeadingColon::DroppedAlone => false,
            LeadingColon::DroppedBeforeSlashes => text.starts_with("://"),
        };
        if is_dropped && text.starts_with(':') {
            text = Cow::Owned(text[1..].to_owned());
        }
        if self.syntax.leading_colon() == LeadingColon::Encoded
            && let Some(after) = text.strip_prefix(':')
        {
            text = Cow::Owned(format!("%3A{after}"));
        }
        if text.starts_with(':') && self.syntax.leading_colon() == LeadingColon::BeginsAuthority {
            text = Cow::Owned(format!("//{}", text.trim_start_matches(':').trim_start_matches(['/', '\\'])));
        }
        let is_changed = matches!(self.syntax.bad_scheme(), BadScheme::Dropped | BadScheme::CharactersDecodedOrDropped);
        if !is_changed {
            return text;
        }
        let is_bad = |c: char| !is_of_name(c);
        let colon = text.find([':', '/', '?', '#']).filter(|&at| at > 0 && text.as_bytes()[at] == b':');
        let Some(colon) = colon else { return text };
        let (name, rest) = text.split_at(colon);
        let is_dropped = self.syntax.bad_scheme() == BadScheme::Dropped;
        if !name.contains(is_bad) && (!is_dropped || name.starts_with(|c: char| c.is_ascii_alphabetic())) {
            return text;
        }
        if is_dropped {
            return match after_bad_scheme(&text) {
                Some(rest) if !rest.starts_with('/') => Cow::Owned(rest.to_owned()),
                _ => text,
            };
        }
        let kept = with_decoded(name).replace(is_bad, "");
        let rest = if kept.is_empty() { &rest[1..] } else { rest };
        Cow::Owned(format!("{kept}{rest}"))
    }

    /// Returns the reference `raw` cleaned, without the question mark at the start of its query if it is dropped.
    pub(super) fn reference_text<'a>(&self, raw: &'a str) -> Cow<'a, str> {
        let text = self.cleaned(&self.reference, raw);
        let query = text.find(['?', '#']).filter(|&at| text[at..].starts_with("??"));
        match query.filter(|_| self.syntax.query_start() == QueryStart::MarkDropped) {
            Some(at) => Cow::Owned(format!("{}{}", &text[..at], &text[at + 1..])),
            None => text,
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

    /// Returns what `text`, the cleaned reference `raw`, begins with if its base is `base`. A text whose prefix was dropped does
    /// not begin with a scheme.
    pub(super) fn prefix_against<'a>(&self, raw: &str, text: &'a str, base: &str) -> Prefix<'a> {
        if self.syntax.bad_scheme() == BadScheme::Dropped && text.len() < self.applied(&self.reference, raw).len() {
            return Prefix::None;
        }
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
            SchemeName::AnyColonUnlessMarkFirst if !text.starts_with(['?', '#']) => matches!(byte, b':' | b'/'),
            SchemeName::AnyColonEvenAfterSlash if !text.starts_with(['?', '#']) => byte == b':',
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
        let is_name = !name.is_empty()
            && name.chars().all(is_of_name)
            && (scheme_name != SchemeName::WithoutPlus || !name.contains('+'));
        let is_scheme = match scheme_name {
            _ if colon == 0 && self.syntax.leading_colon() == LeadingColon::EmptyScheme => true,
            _ if colon == 0 && self.syntax.leading_colon() == LeadingColon::DroppedAlone => false,
            SchemeName::AnyColonBeforeSlash | SchemeName::AnyColonUnlessMarkFirst => true,
            SchemeName::AnyColonBeforeDelimiter => colon > 0,
            SchemeName::AnyColonUnlessDotFirst => colon > 0 && !name.starts_with('.'),
            SchemeName::AnyColonBeforePeriod => colon > 0 && !name.contains('.'),
            SchemeName::AnyNameCharacter => is_name,
            SchemeName::LetterAndAnyColon => name.starts_with(|c: char| c.is_ascii_alphabetic()),
            SchemeName::AnyColon
            | SchemeName::AnyColonEvenAfterSlash
            | SchemeName::AnyColonUnlessFragment
            | SchemeName::AnyColonUnlessSlash => true,
            SchemeName::LetterOrDigitFirst => is_name && name.as_bytes()[0].is_ascii_alphanumeric(),
            SchemeName::UnicodeLetterFirst => {
                let is_name = |c: char| c.is_alphanumeric() || "+-.".contains(c);
                name.starts_with(char::is_alphabetic) && name.chars().all(is_name)
            }
            SchemeName::LetterFirst | SchemeName::WithoutPlus => is_name && name.as_bytes()[0].is_ascii_alphabetic(),
        };
        let row = || &self.classes[self.class_of(name)].rows[Form::Absolute as usize];
        if is_scheme && !is_followed(row(), &text[colon + 1..]) {
            return Prefix::None;
        }
        let is_rejected = match colon {
            0 => matches!(self.syntax.leading_colon(), LeadingColon::Rejected | LeadingColon::DroppedOnce),
            _ => match self.syntax.bad_scheme() {
                BadScheme::Rejected => true,
                BadScheme::RejectedWithSpace => is_name || is_name_of_form(name, &text[colon..]),
                BadScheme::Path
                | BadScheme::RejectedInReference
                | BadScheme::Dropped
                | BadScheme::CharactersDecodedOrDropped => false,
            },
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

/// Returns whether `name` consists of the characters of a scheme and spaces, or with plus signs if it precedes a host in brackets.
fn is_name_of_form(name: &str, rest: &str) -> bool {
    let is_in_brackets = rest.strip_prefix("://").is_some_and(has_literal);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-. ".contains(c) || is_in_brackets && c == '+';
    name.contains(if is_in_brackets { &[' ', '+'][..] } else { &[' '] }) && name.chars().all(is_name)
}

/// Returns whether `after`, which follows two slashes, begins with a host in brackets, before which a userinfo with one `@` may
/// be.
fn has_literal(after: &str) -> bool {
    let authority = &after[..after.find(['/', '?', '#']).unwrap_or(after.len())];
    let server = authority.split_once('@').map_or(authority, |(_, server)| server);
    let inside = server.strip_prefix('[').and_then(|server| server.split_once(']'));
    inside.is_some_and(|(inside, _)| {
        !inside.is_empty() && inside.bytes().all(|byte| byte > b' ' && byte != 0x7f && byte != b'@')
    })
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

/// Returns whether `text` begins with a colon after a text that is not a scheme.
pub(super) fn begins_with_bad_scheme(text: &str) -> bool {
    let name = text.split([':', '/', '?', '#']).next().unwrap_or_default();
    text[name.len()..].starts_with(':')
        && (!name.starts_with(|c: char| c.is_ascii_alphabetic()) || name.contains(|c| !is_of_name(c)))
}

/// Returns the text after a prefix that ends in a colon, and after an authority that follows it.
pub(super) fn after_bad_scheme(text: &str) -> Option<&str> {
    let colon = text.find([':', '/', '?', '#']).filter(|&at| at > 0 && text.as_bytes()[at] == b':')?;
    let rest = &text[colon + 1..];
    Some(rest.strip_prefix("//").map_or(rest, |after| &after[after.find(['/', '?', '#']).unwrap_or(after.len())..]))
}

/// Returns `name` with the escapes of its unreserved characters decoded (RFC 3986 §6.2.2.2).
fn with_decoded(name: &str) -> String {
    let mut parts = name.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let escape = format!("%{part}");
        match decoded(&escape).filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte)) {
            Some(byte) => {
                out.push(char::from(byte));
                out.push_str(&part[2..]);
            }
            None => out.push_str(&escape),
        }
    }
    out
}
