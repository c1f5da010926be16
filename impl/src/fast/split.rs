//! The components of a URL or reference, by a rule set.

use memchr::{memchr, memchr2, memchr3, memrchr};

use super::text::Text;
use crate::rules::{AuthorityEnd, EmptyFragment, EmptyQuery, Fragment, Host, Params, Query, Rules, SchemeName};

/// The components after the scheme. A component is `None` if it is absent, or empty and equal to absent.
#[derive(Debug)]
pub(super) struct Slices<'a, T: ?Sized> {
    pub(super) authority: Option<&'a T>,
    pub(super) path: &'a T,
    pub(super) params: Option<&'a T>,
    pub(super) query: Option<&'a T>,
    pub(super) fragment: Option<&'a T>,
}

impl<T: ?Sized> Clone for Slices<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Slices<'_, T> {}

/// Which of the two strings is split. RFC 1630 treats a `?` differently in each.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Role {
    Base,
    Reference,
}

/// Returns the length of the scheme that `bytes` begin with.
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

/// Returns the length of `http` or `https`, the most common schemes, if `text` begins with one of them and a colon.
#[inline(always)]
pub(super) fn http_length(text: &[u8]) -> Option<usize> {
    let bytes = text.first_chunk::<6>()?;
    let secure = usize::from(bytes[4] == b's');
    (bytes.starts_with(b"http") && bytes[4 + secure] == b':').then_some(4 + secure)
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
}

/// Splits `text`, from which the scheme was removed. Empty components that equal absent ones are `None`.
pub(super) fn split<'a, T: Text + ?Sized>(rules: &Rules, text: &'a T, role: Role) -> Slices<'a, T> {
    let parts = split_raw(rules, text, role);
    Slices {
        params: keep(parts.params, false),
        query: keep(parts.query, rules.empty_query == EmptyQuery::Kept),
        fragment: keep(parts.fragment, rules.empty_fragment == EmptyFragment::Kept),
        ..parts
    }
}

/// Splits `text`, from which the scheme was removed, in one pass. Empty components are kept.
#[inline]
pub(super) fn split_raw<'a, T: Text + ?Sized>(rules: &Rules, text: &'a T, role: Role) -> Slices<'a, T> {
    let bytes = text.bytes();
    let has_fragment = rules.fragment == Fragment::SetAside;
    let has_query = match rules.query {
        Query::Ordinary => false,
        Query::EndsBasePath => role == Role::Base,
        Query::SetAside => true,
    };
    let has_params = rules.params == Params::SetAside;
    let authority = authority(rules, text, role);
    let start = authority.map_or(0, |authority| 2 + authority.bytes().len());
    let mut at = first_mark([has_params, has_query, has_fragment], bytes, start);
    let path = text.part(start, at);
    // From the mark that was found to the next of those that may follow it.
    let mut cut_after = |delimiter: u8, next: [bool; 3]| {
        (bytes.get(at) == Some(&delimiter)).then(|| {
            let from = at + 1;
            at = first_mark(next, bytes, from);
            text.part(from, at)
        })
    };
    let params = cut_after(b';', [false, has_query, has_fragment]);
    let query = cut_after(b'?', [false, false, has_fragment]);
    let fragment = cut_after(b'#', [false; 3]);
    Slices { authority, path, params, query, fragment }
}

/// Returns the position of the first `;`, `?` or `#` that is a delimiter, or the end.
fn first_mark(asked: [bool; 3], bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    let found = match asked {
        [true, true, true] => memchr3(b';', b'?', b'#', rest),
        [true, true, false] => memchr2(b';', b'?', rest),
        [true, false, true] => memchr2(b';', b'#', rest),
        [false, true, true] => memchr2(b'?', b'#', rest),
        [true, false, false] => memchr(b';', rest),
        [false, true, false] => memchr(b'?', rest),
        [false, false, true] => memchr(b'#', rest),
        [false, false, false] => None,
    };
    found.map_or(bytes.len(), |at| from + at)
}

fn keep<T: Text + ?Sized>(part: Option<&T>, empty_stays: bool) -> Option<&T> {
    part.filter(|text| empty_stays || !text.bytes().is_empty())
}

fn authority<'a, T: Text + ?Sized>(rules: &Rules, text: &'a T, role: Role) -> Option<&'a T> {
    let after = text.bytes().strip_prefix(b"//")?;
    if role == Role::Base && rules.host == Host::PartOfPath {
        return None;
    }
    let end = match (rules.authority_end, rules.fragment) {
        (AuthorityEnd::Slash, Fragment::Ordinary) => memchr(b'/', after),
        (AuthorityEnd::Slash, Fragment::SetAside) => memchr2(b'/', b'#', after),
        (AuthorityEnd::SlashOrQuery, _) => memchr3(b'/', b'?', b'#', after),
    };
    Some(text.part(2, 2 + end.unwrap_or(after.len())))
}

/// `text` without the fragment that the rules set aside.
pub(super) fn before_fragment<'a, T: Text + ?Sized>(rules: &Rules, text: &'a T) -> &'a T {
    text.part(0, first_mark([false, false, rules.fragment == Fragment::SetAside], text.bytes(), 0))
}

/// Returns the part of a base, after its scheme, in which RFC 1630 searches for a run of slashes.
pub(super) fn path_of_base<'a, T: Text + ?Sized>(rules: &Rules, after_scheme: &'a T) -> &'a T {
    let asked = [false, rules.query != Query::Ordinary, rules.fragment == Fragment::SetAside];
    after_scheme.part(0, first_mark(asked, after_scheme.bytes(), 0))
}

/// Where the first run of exactly `length` slashes begins that is not followed by a longer run.
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
