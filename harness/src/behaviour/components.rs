//! The components of a reference or base.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::authority::{self, Server};
use super::cut_escape::without_cut_escapes;
use super::drive;
use super::slashes::{is_mixed_prefix, is_prefix, with_delimiters_replaced, with_mixed_slashes, with_slashes};
use super::table::{Bytes, Component, Escape, Percent, Rejected, Table, Tables};
use super::{
    AuthorityEnd, Backslash, BarePath, BasePathTables, Behaviour, DriveLetters, EmptyAuthority, EmptyFragment,
    EmptyHostPath, EmptyOpaque, EmptyParams, EmptyQuery, EmptyUserinfo, EncodedAnew, EncodedDots, Exit, Fragment,
    FragmentForm, FragmentLine, FragmentSpace, HostMissing, HostPlace, MissingAuthority, NetworkPath, Opaque,
    OpaqueAuthority, OpaqueSpace, Params, Port, Query, QueryPairs, QueryTable, ReferenceAuthority, Row, SlashEndedBase,
    Slashes, SlashesOnly, Stage, Tabs, UserinfoEnd,
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
    /// Whether the text is the base, and the reference inherits its path.
    pub(super) is_inherited: bool,
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
    /// Whether everything after the authority is dropped.
    pub(super) ends_with_authority: bool,
}

/// Takes the query and the fragment of `parts`, and returns them with their delimiters.
fn taken_suffix(parts: &mut Parts) -> String {
    let query = parts.query.take().map_or(String::new(), |query| format!("?{query}"));
    let fragment = parts.fragment.take().map_or(String::new(), |fragment| format!("#{fragment}"));
    format!("{query}{fragment}")
}

/// Returns the components of a base with an opaque path that begins with slashes and backslashes, with the part that is
/// kept like an authority.
pub(super) fn with_prefix_after_backslashes(mut parts: Parts) -> Stage<Parts> {
    let count = parts.path.len() - parts.path.trim_start_matches(['/', '\\']).len();
    if parts.path.is_empty()
        && let Some(authority) = parts.authority.take()
    {
        parts.prefix = Some(format!("//{authority}"));
        return Ok(parts);
    }
    parts.opaque &= !parts.path.starts_with('\\');
    if parts.opaque || count < 2 || !parts.path.starts_with('\\') {
        return Ok(parts);
    }
    let (server, _) = cut(&parts.path[count..], &['/']);
    if cut(server.rsplit('@').next().unwrap_or_default(), &[':']).0.is_empty() {
        return Err(Exit::Rejected);
    }
    let end = parts.path[count..].find('/').map_or(parts.path.len(), |end| count + end);
    parts.prefix = Some(parts.path.drain(..end).collect());
    Ok(parts)
}

/// Adds the query and the fragment of `parts`, whose path is empty, to the part that is kept like an authority.
pub(super) fn with_suffix_in_prefix(parts: &mut Parts) {
    if let Some(prefix) = parts.prefix.take() {
        let query = parts.query.clone();
        parts.prefix = Some(prefix + &taken_suffix(parts));
        parts.query = query;
    }
}

/// Returns `base` up to its first question mark, with the query and the fragment of `parts`.
pub(super) fn with_query(base: &str, mut parts: Parts) -> String {
    format!("{}{}", cut(base, &['?']).0, taken_suffix(&mut parts))
}

impl Parts {
    /// Returns whether there is an authority that is not empty.
    pub(super) fn has_host(&self) -> bool {
        self.authority.as_deref().is_some_and(|authority| !authority.is_empty())
    }
}

/// Splits `text` before and after the first of `marks`.
pub(super) fn cut<'a>(text: &'a str, marks: &[char]) -> (&'a str, Option<&'a str>) {
    match text.find(|c| marks.contains(&c)) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

impl Behaviour {
    /// Returns the components of `rest`, which is a relative reference or follows a scheme.
    pub(super) fn parts(&self, row: &Row, tables: &Tables, rest: &str, role: Role<'_>) -> Stage<Parts> {
        let mut parts = Parts::default();
        let rest = &*without_cut_escapes(row, rest);
        let rest = &*self.without_malformed(rest, role);
        let rest = &*without_text_before_query(row, rest);
        let is_after_colon = role.is_absolute && rest.starts_with(':');
        let rest = match is_after_colon && row.slashes() == Slashes::AnyAfterColons {
            true => rest.trim_start_matches(':'),
            false => rest,
        };
        let may_be_replaced = !role.is_absolute || rest.starts_with('/') || row.opaque() == Opaque::Path;
        let replaced = if may_be_replaced { with_delimiters_replaced(row, rest) } else { rest.into() };
        let rest = &*replaced;
        let is_whole = rest.starts_with("//") && row.authority_end() == AuthorityEnd::SlashOnly;
        let start =
            if is_whole { rest[2..].find('/').map_or(rest.len(), |at| at + 2) } else { enclosed_end(row, rest) };
        let has_fragment = || match row.fragment() {
            Fragment::SetAside | Fragment::SetAsideAndDropped | Fragment::Last | Fragment::DroppedBeforeQuery => true,
            Fragment::EndsBasePath => role.is_base,
            Fragment::LastInReference => !role.is_base,
            Fragment::Ordinary => false,
        };
        let mark = match row.fragment() {
            Fragment::Last | Fragment::LastInReference => rest[start..].rfind('#'),
            _ => rest[start..].find('#'),
        };
        let mark = mark.filter(|_| has_fragment()).map(|at| start + at);
        let (rest, fragment) = mark.map_or((rest, None), |at| (&rest[..at], Some(&rest[at + 1..])));
        let fragment = fragment.filter(|_| row.fragment() != Fragment::SetAsideAndDropped);
        let fragment = fragment.map(|fragment| match cut(fragment, &['\n']) {
            (line, Some(_)) if row.fragment_line() == FragmentLine::Ends => line,
            _ => fragment,
        });
        if is_prefix(rest) && rest[..2].contains('\\') && row.backslash() == Backslash::RejectedInPrefix {
            return Err(Exit::Rejected);
        }
        if is_mixed_prefix(rest) && row.backslash() == Backslash::RejectedInPrefixWithTabs {
            return Err(Exit::Rejected);
        }
        if rest.starts_with("\\/") && row.backslash() == Backslash::RejectedBeforeSlash {
            return Err(Exit::Rejected);
        }
        let mixed = if role.is_absolute { rest.into() } else { with_mixed_slashes(row, rest) };
        let slashed = with_slashes(row, &mixed, fragment.is_some());
        let rest = &*slashed;
        if rest == "//" && fragment.is_none() && row.slashes_only() == SlashesOnly::RejectedAtEnd {
            return Err(Exit::Rejected);
        }
        let is_rootless = role.is_absolute && !rest.starts_with('/');
        let is_empty = rest.is_empty() || rest.starts_with('?');
        let is_candidate = is_rootless || role.is_absolute && row.opaque() == Opaque::RootedToo;
        let may_be_opaque =
            || !matches!(row.missing_authority(), MissingAuthority::Rejected | MissingAuthority::RejectedUnlessRooted);
        parts.opaque = is_candidate
            && may_be_opaque()
            && row.opaque() != Opaque::Path
            && (!is_empty || row.empty_opaque() == EmptyOpaque::Opaque);
        let has_query = |text: &str| {
            text.contains('?')
                && match row.query() {
                    Query::SetAside => true,
                    Query::EndsBasePath => role.is_base,
                    Query::Ordinary => false,
                }
        };
        if parts.opaque && !matches!(row.slashes(), Slashes::Any | Slashes::AnyAfterColons) {
            if row.opaque_authority() == OpaqueAuthority::Checked
                && let Some(after) = rest.strip_prefix("//")
            {
                let server = &after[..after.find(['/', '?']).unwrap_or(after.len())];
                authority::parse(row, tables, server, role.scheme, false)?;
            }
            let has_query = has_query(rest) && row.opaque() != Opaque::WithQuery;
            let (path, query) = if has_query { cut(rest, &['?']) } else { (rest, None) };
            parts.path = tables.apply(Component::Opaque, path)?;
            let is_last = query.is_none() && fragment.is_none();
            if row.opaque_space() == OpaqueSpace::Encoded && !is_last && parts.path.ends_with(' ') {
                parts.path.pop();
                parts.path.push_str("%20");
            }
            parts.query = query.map(|query| tables.apply(Component::OpaqueQuery, query)).transpose()?;
        } else {
            parts.opaque = false;
            parts.fragment = fragment.map(str::to_owned);
            let rest = self.split_authority(row, tables, rest, role, &mut parts)?;
            let (path, query) = if has_query(&rest) { cut(&rest, &['?']) } else { (&*rest, None) };
            let (path, params) = split_params(row, path);
            let first = path.strip_prefix('/').map_or("", |path| path.split('/').next().unwrap_or_default());
            if is_drive(first) && row.drive_letters() == DriveLetters::RejectedAsWritten {
                return Err(Exit::Rejected);
            }
            parts.written_path = path.to_owned();
            let is_rootless = !role.is_absolute && parts.authority.is_none() && !path.starts_with('/');
            let is_ended =
                role.is_base && row.slash_ended_base() == SlashEndedBase::LikeInherited && path.ends_with('/');
            let may_be_bare = parts.authority.is_none() && !role.is_base && !is_rootless;
            let is_slashed =
                parts.authority.is_some() || rest.starts_with(['/', '\\']) && rest[1..].starts_with(['/', '\\']);
            let is_like_absolute = is_slashed && !role.is_base && row.network_path() == NetworkPath::LikeAbsolute;
            let component = match is_rootless {
                _ if may_be_bare && row.bare_path() == BarePath::LikeOpaque => Component::Opaque,
                _ if role.is_inherited || is_ended => Component::InheritedPath,
                _ if role.is_absolute || is_like_absolute => Component::AbsolutePath,
                true => Component::RootlessPath,
                false => Component::Path,
            };
            let first = if is_rootless && component != Component::InheritedPath {
                path.find('/').unwrap_or(path.len())
            } else {
                0
            };
            let is_network = !role.is_absolute && !role.is_base && parts.has_host();
            let of = |component| {
                let table = tables.of(component);
                let changed = if path.contains('%') { path_table(row, table, is_network) } else { None };
                changed.map_or(Cow::Borrowed(table), Cow::Owned)
            };
            let [head, tail] = [of(Component::FirstSegment), of(component)];
            if role.is_base && row.base_path_tables() == BasePathTables::Merged {
                parts.path = path.to_owned();
            } else if row.encoded_anew() == EncodedAnew::Segment {
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
            let is_hidden = path.starts_with(['\t', '\n', '\r'])
                && matches!(parts.path.as_bytes(), [] | [b'/', ..])
                && row.tabs() == Tabs::FromComponents;
            if is_hidden && parts.authority.is_none() {
                // The characters that precede the path are dropped, but it does not begin with a slash.
                parts.path.insert_str(0, "./");
            }
            parts.params = params.map(|params| tables.apply(component, params)).transpose()?;
            let is_like_absolute =
                || !is_empty && !role.is_base && row.query_table() == QueryTable::OfAbsoluteAfterPath;
            let component = match query.is_some() {
                true if role.is_absolute || is_like_absolute() => Component::AbsoluteQuery,
                _ => Component::Query,
            };
            parts.query = query.map(|query| tables.apply(component, query)).transpose()?;
        }
        if let Some(query) = &parts.query {
            match row.query_pairs() {
                QueryPairs::AsWritten => {}
                QueryPairs::WrittenAnew => parts.query = pairs_written_anew(query),
                QueryPairs::NamesOnce => parts.query = Some(pairs_with_names_once(query)),
            }
        }
        let component = match role.is_absolute {
            true => Component::AbsoluteFragment,
            _ if is_empty => Component::FragmentAlone,
            _ => Component::Fragment,
        };
        let fragment = fragment.filter(|_| !parts.ends_with_authority);
        let mark = fragment.and_then(|fragment| if parts.query.is_some() { Some(0) } else { fragment.find('?') });
        let has_plus = !role.is_absolute && row.fragment_space() == FragmentSpace::Plus;
        let spaced = |fragment: &'_ str| match mark.filter(|_| has_plus) {
            Some(mark) => format!("{}{}", &fragment[..mark], fragment[mark..].replace(' ', "+")),
            None => fragment.to_owned(),
        };
        let queries = if role.is_absolute { Component::AbsoluteQuery } else { Component::Query };
        let written = |fragment| written_fragment(row, tables, [component, queries], &spaced(fragment));
        parts.fragment = fragment.map(written).transpose()?;
        let is_empty = |part: &Option<String>| part.as_deref() == Some("");
        let is_dropped = match row.empty_query() {
            EmptyQuery::Dropped => true,
            EmptyQuery::DroppedAtEnd => parts.fragment.is_none(),
            EmptyQuery::AbsentBeforeFragment => fragment.is_some(),
            EmptyQuery::Kept | EmptyQuery::NotWritten | EmptyQuery::AbsentWithoutPath => false,
        };
        if is_empty(&parts.query) && is_dropped {
            parts.query = None;
        }
        if is_empty(&parts.fragment) && row.empty_fragment() == EmptyFragment::Dropped {
            parts.fragment = None;
        }
        if is_empty(&parts.params) && row.empty_params() == EmptyParams::Dropped {
            parts.params = None;
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
        let drives = || {
            use DriveLetters::{ColonKept, Ordinary, Rejected, RejectedAsWritten, WithoutSlash};
            !matches!(row.drive_letters(), Ordinary | Rejected | RejectedAsWritten | WithoutSlash | ColonKept)
        };
        let is_letter = |rest: &str| rest.chars().nth(1) == Some(':') && !rest.starts_with('/');
        if rest.strip_prefix("///").is_some_and(is_letter) && row.drive_letters() == DriveLetters::WithoutSlash {
            return Ok(rest[3..].to_owned());
        }
        if role.is_absolute
            && rest.contains([':', '|'])
            && row.drive_letters() == DriveLetters::RootsBeforeSlash
            && let Some(path) = drive::before_slash(rest)?
        {
            parts.authority = Some(String::new());
            return Ok(path);
        }
        let used = match row.slashes() {
            Slashes::Two => (count >= 2).then_some(2),
            Slashes::TwoNotThree => (count == 2).then_some(2),
            Slashes::TwoNotThreeWithoutScheme => (count == 2 || role.is_absolute && count > 2).then_some(2),
            Slashes::TwoNotFour => (count == 2 || count == 3).then_some(2),
            Slashes::TwoOrMore => (count >= 2).then_some(count),
            Slashes::TwoWithMarks => (count >= 2).then_some(rest.len() - rest.trim_start_matches(['/', '\\']).len()),
            Slashes::OneOrMore => (count >= 1).then_some(count),
            Slashes::OneOrMoreAfterScheme if role.is_absolute || role.is_base && role.scheme.is_some() => {
                (count >= 1).then_some(count)
            }
            Slashes::OneOrMoreAfterScheme => (count >= 2).then_some(2),
            Slashes::UpToThree => (count <= 3).then_some(count),
            Slashes::OneToThree => (1..=3).contains(&count).then_some(count),
            Slashes::AllButLast => (count >= 2).then_some(if count > 2 { count - 1 } else { 2 }),
            Slashes::TwoOrThree => (2..=3).contains(&count).then_some(count),
            Slashes::Any | Slashes::AnyAfterColons => (role.is_absolute || count >= 2).then_some(count),
            Slashes::AllButThree => (count >= 2).then_some(if count == 3 { 2 } else { count }),
            Slashes::Never => None,
        };
        let is_required = || match row.slashes() {
            Slashes::OneToThree => role.is_absolute,
            Slashes::TwoOrThree => count > 3,
            _ => {
                role.is_absolute
                    && match row.missing_authority() {
                        MissingAuthority::Accepted
                        | MissingAuthority::RejectedIfEmpty
                        | MissingAuthority::FirstSegment
                        | MissingAuthority::LocalhostIfPathIsNew => false,
                        MissingAuthority::Rejected => true,
                        MissingAuthority::RejectedUnlessRooted => count == 0,
                        MissingAuthority::RejectedAfterSlash => count > 0 && (rest != "/" || parts.fragment.is_some()),
                    }
            }
        };
        if used.is_none() && is_required() {
            return Err(Exit::Rejected);
        }
        let Some(used) = used.filter(|_| !(role.is_base && row.host() == HostPlace::PartOfPath)) else {
            return Ok(rest.to_owned());
        };
        let after = &rest[used..];
        let has_backslash = after.contains('\\');
        let ends: &[char] = match row.authority_end() {
            AuthorityEnd::Slash | AuthorityEnd::SlashOnly => &['/'],
            AuthorityEnd::SlashOrQuery if has_backslash && row.backslash() == Backslash::EndsAuthority => {
                &['/', '?', '\\']
            }
            AuthorityEnd::SlashOrQuery | AuthorityEnd::SlashOrQueryAfterBrackets => &['/', '?'],
            AuthorityEnd::SlashQueryOrParams => &['/', '?', ';'],
        };
        let userinfo = enclosed_end(row, rest).saturating_sub(used);
        let end = after[userinfo..].find(|c| ends.contains(&c)).map_or(after.len(), |at| userinfo + at);
        let port_end = match has_backslash {
            true if row.backslash() == Backslash::EndsPort => authority::backslash_after_port(&after[..end]),
            _ => None,
        };
        let (authority, path) = after.split_at(port_end.unwrap_or(end));
        if authority.contains(':') && row.port() == Port::DigitsOrPath && !authority::has_digits_as_port(authority) {
            return Ok(rest.to_owned());
        }
        if !role.is_absolute && !role.is_base && authority::is_path(row, authority) {
            return Ok(rest.to_owned());
        }
        if is_drive(&authority::without_tabs(row, authority)) && drives() {
            // A drive letter in place of the host begins the path.
            parts.authority = Some(String::new());
            return Ok(format!("/{after}"));
        }
        if authority.is_empty() {
            let is_only = path.is_empty() || path.starts_with('?');
            let is_rejected = match row.empty_authority() {
                EmptyAuthority::Rejected => true,
                EmptyAuthority::RejectedInReference => !role.is_base,
                EmptyAuthority::MissingUnlessSlashes => path.starts_with("//"),
                EmptyAuthority::Defined
                | EmptyAuthority::Missing
                | EmptyAuthority::HostInherited
                | EmptyAuthority::MissingWithoutHost => false,
            };
            if row.slashes_only() == SlashesOnly::Rejected && is_only || is_rejected {
                return Err(Exit::Rejected);
            }
        }
        if row.host() == HostPlace::Dropped {
            parts.authority = Some(String::new());
            return Ok(path.to_owned());
        }
        if !authority.is_empty() && !role.is_base && row.reference_authority() == ReferenceAuthority::AsWritten {
            parts.authority = Some(authority.to_owned());
            return Ok(path.to_owned());
        }
        let is_hostless = || cut(authority.rsplit('@').next().unwrap_or_default(), &[':']).0.is_empty();
        if !authority.is_empty()
            && !path.starts_with('/')
            && row.host_missing() == HostMissing::RejectedWithoutPath
            && is_hostless()
        {
            return Err(Exit::Rejected);
        }
        let is_last = path.is_empty() && parts.fragment.is_none();
        let Server { text, rest, is_end, is_absent } = authority::parse(row, tables, authority, role.scheme, is_last)?;
        if is_end {
            (parts.authority, parts.ends_with_authority) = (Some(text).filter(|_| !is_absent), true);
            return Ok(String::new());
        }
        let is_hostless = text.is_empty() || text.ends_with('@');
        let is_after_segment = is_hostless
            && match row.empty_host_path() {
                EmptyHostPath::Nothing => false,
                EmptyHostPath::EmptySegment => text.is_empty(),
                EmptyHostPath::SlashIfEmpty => path.is_empty() || path.starts_with('?'),
            };
        let slash = if port_end.is_some() || is_after_segment { "/" } else { "" };
        let swallows =
            authority.starts_with('@') && !text.is_empty() && row.empty_userinfo() == EmptyUserinfo::RestOfText;
        let text = match &parts.fragment {
            _ if !swallows => text,
            Some(fragment) => format!("{}@{text}", authority::user::of_text(&format!("{after}#{fragment}"))),
            None => format!("{}@{text}", authority::user::of_text(after)),
        };
        parts.authority = Some(text).filter(|_| !is_absent);
        Ok(format!("{rest}{slash}{path}"))
    }
}

/// Returns the end of the userinfo or of the host in brackets in `rest`, if it may contain delimiters; otherwise 0.
fn enclosed_end(row: &Row, rest: &str) -> usize {
    let after = rest.strip_prefix("//").filter(|after| after.contains('['));
    let server = after.filter(|_| row.authority_end() == AuthorityEnd::SlashOrQueryAfterBrackets).and_then(|after| {
        let userinfo = after.find(['@', '/', '?', '#', '[']).filter(|&at| after.as_bytes()[at] == b'@');
        after[userinfo.map_or(0, |at| at + 1)..].strip_prefix('[')
    });
    match server.and_then(|server| server.split_once(']')) {
        Some((_, tail)) => rest.len() - tail.len(),
        None => userinfo_end(row, rest),
    }
}

/// Returns the end of the userinfo in `rest`, if it may contain delimiters; otherwise 0.
fn userinfo_end(row: &Row, rest: &str) -> usize {
    match rest.strip_prefix("//").filter(|after| after.contains('@')) {
        Some(after) if row.userinfo_end() == UserinfoEnd::FirstAtInText => {
            authority::first_at(after).map_or(0, |at| at + 3)
        }
        _ => 0,
    }
}

/// Returns the pairs of `query` that are not empty, without equals signs that a value does not follow.
fn pairs_written_anew(query: &str) -> Option<String> {
    let written = |pair: &str| match pair.split_once('=') {
        Some((key, "")) => key.to_owned(),
        Some((key, value)) => format!("{key}={}", value.replace('=', "%3D")),
        None => pair.to_owned(),
    };
    let pairs: Vec<String> = query.split('&').filter(|pair| !pair.is_empty()).map(written).collect();
    Some(pairs.join("&")).filter(|query| !query.is_empty())
}

/// Returns `query` with the last of the pairs that have the same name, in place of the first one of these.
fn pairs_with_names_once(query: &str) -> String {
    let name = |pair: &str| pair.split_once('=').map_or(pair, |(name, _)| name).to_owned();
    let mut pairs: Vec<&str> = Vec::new();
    for pair in query.split('&') {
        match pairs.iter_mut().find(|other| name(other) == name(pair)) {
            Some(other) => *other = pair,
            None => pairs.push(pair),
        }
    }
    pairs.join("&")
}

/// Returns `fragment` with the tables of `components` applied: that of fragments and that of queries.
fn written_fragment(row: &Row, tables: &Tables, components: [Component; 2], fragment: &str) -> Stage<String> {
    let [own, queries] = components;
    let is_simple = !fragment.contains(['=', '/']);
    if is_simple || row.fragment_form() == FragmentForm::Fragment {
        return Ok(tables.apply(own, fragment)?);
    }
    let by_segment = |text: &str| -> Result<String, Rejected> {
        let segments: Result<Vec<_>, _> = text.split('/').map(|segment| tables.apply(own, segment)).collect();
        segments.map(|segments| segments.join("/"))
    };
    let (path, query) = fragment.split_once('?').unwrap_or(("", fragment));
    if !query.contains('=') {
        return Ok(by_segment(fragment)?);
    }
    let mark = if path.is_empty() { "" } else { "?" };
    Ok(format!("{}{mark}{}", by_segment(path)?, tables.apply(queries, query)?))
}

/// Returns the table of paths if it is not `table`. `is_network` states whether the path follows the authority of a
/// network-path reference.
fn path_table(row: &Row, table: &Table, is_network: bool) -> Option<Table> {
    let keeps_percent = is_network && row.network_path() == NetworkPath::PercentKept;
    let keeps_dots = matches!(row.encoded_dots(), EncodedDots::DecodedLater | EncodedDots::DotSegmentLater);
    if !keeps_percent && !keeps_dots {
        return None;
    }
    let mut changed = table.clone();
    if keeps_percent {
        changed.percent = Percent::Kept;
        changed.bytes = Bytes::LikeOthers;
        changed.actions_mut().escape.fill(Escape::Kept);
    }
    if keeps_dots {
        changed.actions_mut().escape[usize::from(b'.')] = Escape::Kept;
    }
    Some(changed)
}

/// Returns `rest` without the text between a number sign and the question mark that begins the query, if it is dropped.
fn without_text_before_query<'a>(row: &Row, rest: &'a str) -> std::borrow::Cow<'a, str> {
    let (before, after) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    match after.find('?') {
        Some(mark) if mark > 0 && row.fragment() == Fragment::DroppedBeforeQuery => {
            format!("{before}{}", &after[mark..]).into()
        }
        _ => rest.into(),
    }
}

fn split_params<'a>(row: &Row, path: &'a str) -> (&'a str, Option<&'a str>) {
    if !path.contains(';') {
        return (path, None);
    }
    match row.params() {
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
