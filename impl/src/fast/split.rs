//! Where the components of a string begin and end, under a row of rules.

use crate::rules::{AuthorityEnd, EmptyFragment, EmptyQuery, Fragment, Host, Params, Query, Rules, SchemeName};

/// What stands behind a scheme. An empty component that the rules hold absent is `None`.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) authority: Option<&'a str>,
    pub(super) path: &'a str,
    pub(super) params: Option<&'a str>,
    pub(super) query: Option<&'a str>,
    pub(super) fragment: Option<&'a str>,
}

/// Which of the two strings is split: one row reads a `?` differently in each.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Role {
    Base,
    Reference,
}

/// How long a scheme `text` begins with.
pub(super) fn scheme_length(name: SchemeName, text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match name {
        SchemeName::AnyColonBeforeSlash => {
            let at = bytes.iter().position(|byte| matches!(byte, b':' | b'/' | b'#'))?;
            (bytes[at] == b':').then_some(at)
        }
        SchemeName::AnyNameCharacter | SchemeName::LetterFirst => {
            let at = bytes.iter().position(|&byte| !is_name(byte))?;
            let starts = at > 0 && (name == SchemeName::AnyNameCharacter || bytes[0].is_ascii_alphabetic());
            (bytes[at] == b':' && starts).then_some(at)
        }
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
}

/// The parts of `text`, which has no scheme any more.
pub(super) fn split<'a>(rules: &Rules, text: &'a str, role: Role) -> Parts<'a> {
    let (rest, fragment) = cut(rules.fragment == Fragment::SetAside, text, '#');
    let fragment = keep(fragment, rules.empty_fragment == EmptyFragment::Kept);
    let (authority, rest) = authority(rules, rest, role);
    let query_ends = match rules.query {
        Query::Ordinary => false,
        Query::EndsBasePath => role == Role::Base,
        Query::SetAside => true,
    };
    let (rest, query) = cut(query_ends, rest, '?');
    let query = keep(query, rules.empty_query == EmptyQuery::Kept);
    let (path, params) = cut(rules.params == Params::SetAside, rest, ';');
    Parts { authority, path, params: keep(params, false), query, fragment }
}

/// `text` up to its first `mark` and what follows that, if it is a mark at all.
fn cut(is_mark: bool, text: &str, mark: char) -> (&str, Option<&str>) {
    match text.find(mark) {
        Some(at) if is_mark => (&text[..at], Some(&text[at + 1..])),
        _ => (text, None),
    }
}

fn keep(part: Option<&str>, empty_stays: bool) -> Option<&str> {
    part.filter(|text| empty_stays || !text.is_empty())
}

fn authority<'a>(rules: &Rules, text: &'a str, role: Role) -> (Option<&'a str>, &'a str) {
    let Some(after) = text.strip_prefix("//") else { return (None, text) };
    if role == Role::Base && rules.host == Host::PartOfPath {
        return (None, text);
    }
    let end = match rules.authority_end {
        AuthorityEnd::Slash => after.find('/'),
        AuthorityEnd::SlashOrQuery => after.find(['/', '?', '#']),
    };
    let end = end.unwrap_or(after.len());
    (Some(&after[..end]), &after[end..])
}

/// `text` without the fragment that the rules set aside.
pub(super) fn before_fragment<'a>(rules: &Rules, text: &'a str) -> &'a str {
    cut(rules.fragment == Fragment::SetAside, text, '#').0
}

/// All of a base behind its scheme that is searched for a run of slashes.
pub(super) fn path_of_base<'a>(rules: &Rules, behind_scheme: &'a str) -> &'a str {
    let text = before_fragment(rules, behind_scheme);
    cut(rules.query != Query::Ordinary, text, '?').0
}

/// Where the first run of exactly `length` slashes begins that has no longer run to its right.
pub(super) fn matching_run(text: &str, length: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut found = None;
    let mut end = bytes.len();
    while let Some(last) = bytes[..end].iter().rposition(|&byte| byte == b'/') {
        let start = bytes[..last].iter().rposition(|&byte| byte != b'/').map_or(0, |at| at + 1);
        let run = last + 1 - start;
        if run > length {
            break;
        }
        if run == length {
            found = Some(start);
        }
        end = start;
    }
    found
}
