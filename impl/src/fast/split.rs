//! Where the components of a string begin and end, under a row of rules.

use memchr::{memchr, memchr3, memrchr};

use super::text::Text;
use crate::rules::{AuthorityEnd, EmptyFragment, EmptyQuery, Fragment, Host, Params, Query, Rules, SchemeName};

/// What stands behind a scheme. An empty component that the rules hold absent is `None`.
#[derive(Debug)]
pub(super) struct Parts<'a, T: ?Sized> {
    pub(super) authority: Option<&'a T>,
    pub(super) path: &'a T,
    pub(super) params: Option<&'a T>,
    pub(super) query: Option<&'a T>,
    pub(super) fragment: Option<&'a T>,
}

impl<T: ?Sized> Clone for Parts<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Parts<'_, T> {}

/// Which of the two strings is split: one row reads a `?` differently in each.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Role {
    Base,
    Reference,
}

/// How long a scheme `text` begins with.
pub(super) fn scheme_length(name: SchemeName, bytes: &[u8]) -> Option<usize> {
    match name {
        SchemeName::AnyColonBeforeSlash => {
            let at = memchr3(b':', b'/', b'#', bytes)?;
            (bytes[at] == b':').then_some(at)
        }
        SchemeName::AnyNameCharacter | SchemeName::LetterFirst => {
            let at = bytes.iter().position(|&byte| !is_name(byte))?;
            let starts = at > 0 && (name == SchemeName::AnyNameCharacter || bytes[0].is_ascii_alphabetic());
            (bytes[at] == b':' && starts).then_some(at)
        }
    }
}

/// The length of the scheme that most have, which every row takes for one: `http` or `https`.
#[inline(always)]
pub(super) fn http_length(text: &[u8]) -> Option<usize> {
    let bytes = text.first_chunk::<6>()?;
    let secure = usize::from(bytes[4] == b's');
    (bytes.starts_with(b"http") && bytes[4 + secure] == b':').then_some(4 + secure)
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
}

/// The parts of `text`, which has no scheme any more, but for those that are as good as none.
pub(super) fn split<'a, T: Text + ?Sized>(rules: &Rules, text: &'a T, role: Role) -> Parts<'a, T> {
    let parts = cut_up(rules, text, role);
    Parts {
        params: keep(parts.params, false),
        query: keep(parts.query, rules.empty_query == EmptyQuery::Kept),
        fragment: keep(parts.fragment, rules.empty_fragment == EmptyFragment::Kept),
        ..parts
    }
}

/// The parts of `text`, which has no scheme any more.
#[inline]
pub(super) fn cut_up<'a, T: Text + ?Sized>(rules: &Rules, text: &'a T, role: Role) -> Parts<'a, T> {
    let (rest, fragment) = cut(rules.fragment == Fragment::SetAside, text, b'#');
    let (authority, rest) = authority(rules, rest, role);
    let query_ends = match rules.query {
        Query::Ordinary => false,
        Query::EndsBasePath => role == Role::Base,
        Query::SetAside => true,
    };
    let (rest, query) = cut(query_ends, rest, b'?');
    let (path, params) = cut(rules.params == Params::SetAside, rest, b';');
    Parts { authority, path, params, query, fragment }
}

/// `text` up to its first `mark` and what follows that, if it is a mark at all.
fn cut<T: Text + ?Sized>(is_mark: bool, text: &T, mark: u8) -> (&T, Option<&T>) {
    let bytes = text.bytes();
    match if is_mark { memchr(mark, bytes) } else { None } {
        Some(at) => (text.part(0, at), Some(text.part(at + 1, bytes.len()))),
        None => (text, None),
    }
}

fn keep<T: Text + ?Sized>(part: Option<&T>, empty_stays: bool) -> Option<&T> {
    part.filter(|text| empty_stays || !text.bytes().is_empty())
}

fn authority<'a, T: Text + ?Sized>(rules: &Rules, text: &'a T, role: Role) -> (Option<&'a T>, &'a T) {
    let Some(after) = text.bytes().strip_prefix(b"//") else { return (None, text) };
    if role == Role::Base && rules.host == Host::PartOfPath {
        return (None, text);
    }
    let end = match rules.authority_end {
        AuthorityEnd::Slash => memchr(b'/', after),
        AuthorityEnd::SlashOrQuery => memchr3(b'/', b'?', b'#', after),
    };
    let end = 2 + end.unwrap_or(after.len());
    (Some(text.part(2, end)), text.part(end, text.bytes().len()))
}

/// `text` without the fragment that the rules set aside.
pub(super) fn before_fragment<'a, T: Text + ?Sized>(rules: &Rules, text: &'a T) -> &'a T {
    cut(rules.fragment == Fragment::SetAside, text, b'#').0
}

/// All of a base behind its scheme that is searched for a run of slashes.
pub(super) fn path_of_base<'a, T: Text + ?Sized>(rules: &Rules, behind_scheme: &'a T) -> &'a T {
    let text = before_fragment(rules, behind_scheme);
    cut(rules.query != Query::Ordinary, text, b'?').0
}

/// Where the first run of exactly `length` slashes begins that has no longer run to its right.
pub(super) fn matching_run(bytes: &[u8], length: usize) -> Option<usize> {
    let mut found = None;
    let mut end = bytes.len();
    while let Some(last) = memrchr(b'/', &bytes[..end]) {
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
