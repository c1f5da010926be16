//! The components of a reference or base.

use serde::{Deserialize, Serialize};

use super::authority::{self, Server};
use super::table::{Component, Tables};
use super::{
    AuthorityEnd, Backslash, Behaviour, DriveLetters, EmptyAuthority, EmptyFragment, EmptyOpaque, EmptyParams,
    EmptyQuery, EncodedAnew, Exit, Fragment, HostPlace, MissingAuthority, Opaque, OpaqueSpace, Params, Query, Row,
    Slashes, SlashesOnly, Stage,
};

/// The form of a pair: whether the reference is absolute, and otherwise what the base has after its scheme.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Form {
    /// The reference has a scheme and is not relative to the base.
    Absolute,
    /// The reference has a scheme, and the base is unknown.
    Alone,
    /// The base has an authority.
    Authority,
    /// The base does not have an authority, and its path begins with a slash.
    Rooted,
    /// The base does not have an authority, and its path does not begin with a slash.
    Rootless,
    /// The base has neither an authority nor a path.
    Empty,
}

impl Form {
    /// Every form.
    pub const ALL: [Self; 6] =
        [Self::Absolute, Self::Alone, Self::Authority, Self::Rooted, Self::Rootless, Self::Empty];

    /// Returns the form of pairs with an absolute reference and the base `base`.
    pub(super) fn of_absolute(base: &str) -> Self {
        if base.is_empty() { Self::Alone } else { Self::Absolute }
    }

    /// Returns the form of pairs with a relative reference and a base whose scheme is followed by `rest`.
    pub(super) fn of(rest: &str) -> Self {
        match rest.chars().next() {
            _ if rest.starts_with("//") => Self::Authority,
            Some('/') => Self::Rooted,
            None | Some('?' | '#') => Self::Empty,
            _ => Self::Rootless,
        }
    }
}

/// The role of a text that is split into components.
#[derive(Clone, Copy, Debug)]
pub(super) struct Role<'a> {
    /// The scheme of the text, or of the base if the text is relative to it.
    pub(super) scheme: Option<&'a str>,
    /// Whether the text begins with the scheme.
    pub(super) is_absolute: bool,
    /// Whether the text is the base.
    pub(super) is_base: bool,
}

/// The components, with the tables applied.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Parts {
    pub(super) authority: Option<String>,
    /// The part of a base without an authority that is kept like one.
    pub(super) prefix: Option<String>,
    pub(super) path: String,
    /// The path before the tables are applied.
    pub(super) written_path: String,
    pub(super) params: Option<String>,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
    pub(super) opaque: bool,
}

/// Splits `text` before and after the first of `marks`.
pub(super) fn cut<'a>(text: &'a str, marks: &[char]) -> (&'a str, Option<&'a str>) {
    match text.find(marks) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

impl Behaviour {
    /// Returns the components of `rest`, which is a relative reference or follows a scheme.
    pub(super) fn parts(&self, row: &Row, tables: &Tables, rest: &str, role: Role<'_>) -> Stage<Parts> {
        let mut parts = Parts::default();
        let is_whole = row.authority_end == AuthorityEnd::SlashOnly && rest.starts_with("//");
        let start = if is_whole { rest[2..].find('/').map_or(rest.len(), |at| at + 2) } else { 0 };
        let has_fragment = match row.fragment {
            Fragment::SetAside => true,
            Fragment::EndsBasePath => role.is_base,
            Fragment::Ordinary => false,
        };
        let mark = rest[start..].find('#').filter(|_| has_fragment).map(|at| start + at);
        let (rest, fragment) = mark.map_or((rest, None), |at| (&rest[..at], Some(&rest[at + 1..])));
        let is_prefix = |text: &str| text.starts_with(['/', '\\']) && text[1..].starts_with(['/', '\\']);
        if row.backslash == Backslash::RejectedInPrefix && is_prefix(rest) && rest[..2].contains('\\') {
            return Err(Exit::Rejected);
        }
        let slashed = with_slashes(row, rest);
        let rest = &*slashed;
        let is_alone = rest.is_empty();
        let is_rootless = role.is_absolute && !rest.starts_with('/');
        let is_empty = rest.is_empty() || rest.starts_with('?');
        parts.opaque =
            is_rootless && row.opaque != Opaque::Path && (!is_empty || row.empty_opaque == EmptyOpaque::Opaque);
        let has_query = match row.query {
            Query::SetAside => true,
            Query::EndsBasePath => role.is_base,
            Query::Ordinary => false,
        };
        if parts.opaque && row.slashes != Slashes::Any {
            let has_query = has_query && row.opaque == Opaque::Opaque;
            let (path, query) = if has_query { cut(rest, &['?']) } else { (rest, None) };
            parts.path = tables.apply(Component::Opaque, path)?;
            let is_last = query.is_none() && fragment.is_none();
            if row.opaque_space == OpaqueSpace::Encoded && !is_last && parts.path.ends_with(' ') {
                parts.path.pop();
                parts.path.push_str("%20");
            }
            parts.query = query.map(|query| tables.apply(Component::OpaqueQuery, query)).transpose()?;
        } else {
            parts.opaque = false;
            let rest = self.split_authority(row, tables, rest, role, &mut parts)?;
            if role.is_absolute && parts.authority.is_none() && row.missing_authority == MissingAuthority::Rejected {
                return Err(Exit::Rejected);
            }
            let (path, query) = if has_query { cut(&rest, &['?']) } else { (&*rest, None) };
            let (path, params) = split_params(row, path);
            parts.written_path = path.to_owned();
            let is_rootless = !role.is_absolute && parts.authority.is_none() && !path.starts_with('/');
            let component = match is_rootless {
                _ if role.is_absolute => Component::AbsolutePath,
                true => Component::RootlessPath,
                false => Component::Path,
            };
            let first = if is_rootless { path.find('/').unwrap_or(path.len()) } else { 0 };
            let [head, tail] = [tables.of(Component::FirstSegment), tables.of(component)];
            if row.encoded_anew == EncodedAnew::Segment {
                parts.path = head.apply(&path[..first])?;
                for (at, segment) in path[first..].split('/').enumerate() {
                    parts.path.push_str(if at > 0 { "/" } else { "" });
                    parts.path.push_str(&tail.apply(segment)?);
                }
            } else {
                let anew = head.is_begun_anew(&path[..first]) || tail.is_begun_anew(&path[first..]);
                parts.path = head.apply_in(&path[..first], anew)?;
                parts.path.push_str(&tail.apply_in(&path[first..], anew)?);
            }
            parts.params = params.map(|params| tables.apply(component, params)).transpose()?;
            parts.query = query.map(|query| tables.apply(Component::Query, query)).transpose()?;
        }
        let component = if is_alone { Component::FragmentAlone } else { Component::Fragment };
        parts.fragment = fragment.map(|fragment| tables.apply(component, fragment)).transpose()?;
        let drop_empty = |part: &mut Option<String>| *part = part.take().filter(|text| !text.is_empty());
        if row.empty_query == EmptyQuery::Dropped {
            drop_empty(&mut parts.query);
        }
        if row.empty_fragment == EmptyFragment::Dropped {
            drop_empty(&mut parts.fragment);
        }
        if row.empty_params == EmptyParams::Dropped {
            drop_empty(&mut parts.params);
        }
        Ok(parts)
    }

    /// Splits off the authority at the start of `rest`. Returns the text after it.
    fn split_authority(
        &self,
        row: &Row,
        tables: &Tables,
        rest: &str,
        role: Role<'_>,
        parts: &mut Parts,
    ) -> Stage<String> {
        let count = rest.len() - rest.trim_start_matches('/').len();
        let drives = row.drive_letters != DriveLetters::Ordinary;
        let used = match row.slashes {
            Slashes::Two => (count >= 2).then_some(2),
            Slashes::TwoNotThree => (count == 2).then_some(2),
            Slashes::TwoNotFour => (count == 2 || count == 3).then_some(2),
            Slashes::TwoOrMore => (count >= 2).then_some(count),
            Slashes::OneOrMore => (count >= 1).then_some(count),
            Slashes::UpToThree => (count <= 3).then_some(count),
            Slashes::OneToThree => (1..=3).contains(&count).then_some(count),
            Slashes::Any => (role.is_absolute || count >= 2).then_some(count),
            Slashes::Never => None,
        };
        let Some(used) = used.filter(|_| !(role.is_base && row.host == HostPlace::PartOfPath)) else {
            return Ok(rest.to_owned());
        };
        let after = &rest[used..];
        let ends: &[char] = match (row.authority_end, row.query, row.fragment) {
            (AuthorityEnd::Slash | AuthorityEnd::SlashOnly, ..) => &['/'],
            (AuthorityEnd::SlashOrQuery, ..) if row.backslash == Backslash::EndsAuthority => &['/', '?', '\\'],
            (AuthorityEnd::SlashOrQuery, ..) => &['/', '?'],
            (AuthorityEnd::SlashQueryOrParams, ..) => &['/', '?', ';'],
        };
        let end = after.find(ends).unwrap_or(after.len());
        let (authority, path) = after.split_at(end);
        if drives && is_drive(authority) {
            // A drive letter in place of the host begins the path.
            parts.authority = Some(String::new());
            return Ok(format!("/{after}"));
        }
        if authority.is_empty() {
            let is_only = path.is_empty() || path.starts_with('?');
            let is_rejected = match row.empty_authority {
                EmptyAuthority::Rejected => true,
                EmptyAuthority::RejectedInReference => !role.is_base,
                EmptyAuthority::Defined | EmptyAuthority::Missing => false,
            };
            if row.slashes_only == SlashesOnly::Rejected && is_only || is_rejected {
                return Err(Exit::Rejected);
            }
        }
        let Server { text, rest } = authority::parse(row, tables, authority, role.scheme)?;
        parts.authority = Some(text);
        Ok(format!("{rest}{path}"))
    }
}

/// Returns `rest` with the backslashes that are slashes written as slashes.
fn with_slashes<'a>(row: &Row, rest: &'a str) -> std::borrow::Cow<'a, str> {
    let end = match row.backslash {
        Backslash::Ordinary | Backslash::EndsAuthority | Backslash::RejectedInPrefix => 0,
        Backslash::Slash => rest.find('?').unwrap_or(rest.len()),
        Backslash::SlashInQueryToo => rest.len(),
    };
    match rest[..end].contains('\\') {
        true => format!("{}{}", rest[..end].replace('\\', "/"), &rest[end..]).into(),
        false => rest.into(),
    }
}

fn split_params<'a>(row: &Row, path: &'a str) -> (&'a str, Option<&'a str>) {
    match row.params {
        Params::InSegment => (path, None),
        Params::SetAside => cut(path, &[';']),
        Params::SetAsideInLastSegment => {
            let last = path.rfind('/').map_or(0, |at| at + 1);
            match path[last..].find(';') {
                Some(at) => (&path[..last + at], Some(&path[last + at + 1..])),
                None => (path, None),
            }
        }
    }
}

/// Returns whether `text` is a letter followed by a colon or a vertical line.
pub(super) fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}
