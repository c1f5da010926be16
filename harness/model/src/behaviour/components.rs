//! The components of a reference or base.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::authority;
use super::slashes::{is_prefix, with_mixed_slashes, with_slashes};
use super::table::{Component, Escape, Table, Tables};
use super::{
    Backslash, BarePath, BasePathTables, Behaviour, EmptyOpaque, EmptyParams, EncodedAnew, EncodedDots, Exit,
    MissingAuthority, NetworkPath, Opaque, OpaqueAuthority, OpaqueSpace, Params, QueryTable, Row, Slashes, Stage, Tabs,
};

mod prefix;
mod suffix;

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

/// What the components of a text depend on.
#[derive(Clone, Copy)]
struct Splitter<'a> {
    row: &'a Row,
    tables: &'a Tables,
    role: Role<'a>,
}

impl Behaviour {
    /// Returns the components of `rest`, which is a relative reference or follows a scheme.
    pub(super) fn parts(&self, row: &Row, tables: &Tables, rest: &str, role: Role<'_>) -> Stage<Parts> {
        let splitter = Splitter { row, tables, role };
        let rest = &*self.without_malformed(rest, role);
        let (rest, fragment) = splitter.fragment_set_aside(rest);
        check_prefix(row, rest)?;
        let mixed = if role.is_absolute { rest.into() } else { with_mixed_slashes(row, rest) };
        let slashed = with_slashes(row, &mixed, fragment.is_some());
        let rest = &*slashed;
        let mut parts = match splitter.is_opaque(rest) {
            true => splitter.opaque(rest, fragment.is_none())?,
            false => splitter.hierarchical(rest, fragment)?,
        };
        splitter.finish_suffix(&mut parts, fragment, is_without_path(rest))?;
        if parts.params.as_deref() == Some("") && row.empty_params() == EmptyParams::Dropped {
            parts.params = None;
        }
        Ok(parts)
    }
}

impl Splitter<'_> {
    /// Returns whether the path is opaque.
    fn is_opaque(&self, rest: &str) -> bool {
        let Self { row, role, .. } = *self;
        let is_rootless = role.is_absolute && !rest.starts_with('/');
        let is_candidate = is_rootless || role.is_absolute && row.opaque() == Opaque::RootedToo;
        is_candidate
            && row.missing_authority() != MissingAuthority::Rejected
            && row.opaque() != Opaque::Path
            && (!is_without_path(rest) || row.empty_opaque() == EmptyOpaque::Opaque)
            && row.slashes() != Slashes::Any
    }

    /// Returns the components of `rest` before the fragment if the path is opaque. `is_last` states whether a fragment does not
    /// follow.
    fn opaque(&self, rest: &str, is_last: bool) -> Stage<Parts> {
        let Self { row, tables, role } = *self;
        if row.opaque_authority() == OpaqueAuthority::Checked
            && let Some(after) = rest.strip_prefix("//")
        {
            let server = &after[..after.find(['/', '?']).unwrap_or(after.len())];
            authority::parse(row, tables, server, role.scheme, false)?;
        }
        let (path, query) = if self.has_query(rest) { cut(rest, &['?']) } else { (rest, None) };
        let mut path = tables.apply(Component::Opaque, path)?;
        let is_last = query.is_none() && is_last;
        if row.opaque_space() == OpaqueSpace::Encoded && !is_last && path.ends_with(' ') {
            path.pop();
            path.push_str("%20");
        }
        let query = query.map(|query| tables.apply(Component::OpaqueQuery, query)).transpose()?;
        Ok(Parts { path, query, opaque: true, ..Parts::default() })
    }

    /// Returns the components of `rest` before the fragment if the path is not opaque.
    fn hierarchical(&self, rest: &str, fragment: Option<&str>) -> Stage<Parts> {
        let Self { row, tables, role } = *self;
        let mut parts = Parts { fragment: fragment.map(str::to_owned), ..Parts::default() };
        let after = self.split_authority(rest, &mut parts)?;
        let (path, query) = if self.has_query(&after) { cut(&after, &['?']) } else { (&*after, None) };
        let (path, params) = split_params(row, path);
        let component = self.component_of_path(&parts, &after, path);
        parts.path = self.path(&parts, component, path)?;
        parts.written_path = path.to_owned();
        parts.params = params.map(|params| tables.apply(component, params)).transpose()?;
        let is_like_absolute =
            || !is_without_path(rest) && !role.is_base && row.query_table() == QueryTable::OfAbsoluteAfterPath;
        let component = match query.is_some() {
            true if role.is_absolute || is_like_absolute() => Component::AbsoluteQuery,
            _ => Component::Query,
        };
        parts.query = query.map(|query| tables.apply(component, query)).transpose()?;
        Ok(parts)
    }

    /// Returns the component whose table applies to `path`, which begins `after`, the text after the authority of `parts`.
    fn component_of_path(&self, parts: &Parts, after: &str, path: &str) -> Component {
        let Self { row, role, .. } = *self;
        let is_rootless = self.is_rootless(parts, path);
        let may_be_bare = parts.authority.is_none() && !role.is_base && !is_rootless;
        let is_slashed =
            parts.authority.is_some() || after.starts_with(['/', '\\']) && after[1..].starts_with(['/', '\\']);
        let is_like_absolute = is_slashed && !role.is_base && row.network_path() == NetworkPath::LikeAbsolute;
        match is_rootless {
            _ if may_be_bare && row.bare_path() == BarePath::LikeOpaque => Component::Opaque,
            _ if role.is_inherited => Component::InheritedPath,
            _ if role.is_absolute || is_like_absolute => Component::AbsolutePath,
            true => Component::RootlessPath,
            false => Component::Path,
        }
    }

    /// Returns whether `path` is relative to that of a base.
    fn is_rootless(&self, parts: &Parts, path: &str) -> bool {
        !self.role.is_absolute && parts.authority.is_none() && !path.starts_with('/')
    }

    /// Returns `path` with the tables applied: that of `component`, and that of first segments.
    fn path(&self, parts: &Parts, component: Component, path: &str) -> Stage<String> {
        let Self { row, tables, role } = *self;
        let first = match self.is_rootless(parts, path) && component != Component::InheritedPath {
            true => path.find('/').unwrap_or(path.len()),
            false => 0,
        };
        let of = |component| {
            let table = tables.of(component);
            let changed = if path.contains('%') { path_table(row, table) } else { None };
            changed.map_or(Cow::Borrowed(table), Cow::Owned)
        };
        let [head, tail] = [of(Component::FirstSegment), of(component)];
        let mut out = String::new();
        if role.is_base && row.base_path_tables() == BasePathTables::Merged {
            out.push_str(path);
        } else if row.encoded_anew() == EncodedAnew::Segment {
            out.push_str(&head.apply(&path[..first])?);
            for (at, segment) in path[first..].split('/').enumerate() {
                out.push_str(if at > 0 { "/" } else { "" });
                out.push_str(&tail.apply(segment)?);
            }
        } else {
            let anew = head.is_begun_anew(&path[..first]) || tail.is_begun_anew(&path[first..]);
            out.push_str(&head.apply_in(&path[..first], anew)?);
            out.push_str(&tail.apply_in(&path[first..], anew)?);
        }
        let is_hidden = path.starts_with(['\t', '\n', '\r'])
            && matches!(out.as_bytes(), [] | [b'/', ..])
            && row.tabs() == Tabs::FromComponents;
        if is_hidden && parts.authority.is_none() {
            // The characters that precede the path are dropped, but it does not begin with a slash.
            out.insert_str(0, "./");
        }
        Ok(out)
    }
}

/// Returns whether `rest` has neither an authority nor a path.
fn is_without_path(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('?')
}

/// Checks the backslashes at the start of `rest`.
fn check_prefix(row: &Row, rest: &str) -> Stage<()> {
    let is_rejected = is_prefix(rest) && rest[..2].contains('\\') && row.backslash() == Backslash::RejectedInPrefix
        || rest.starts_with("\\/") && row.backslash() == Backslash::RejectedBeforeSlash;
    if is_rejected { Err(Exit::Rejected) } else { Ok(()) }
}

/// Returns the table of paths if it is not `table`.
fn path_table(row: &Row, table: &Table) -> Option<Table> {
    if !matches!(row.encoded_dots(), EncodedDots::DecodedLater | EncodedDots::DotSegmentLater) {
        return None;
    }
    let mut changed = table.clone();
    changed.actions_mut().escape[usize::from(b'.')] = Escape::Kept;
    Some(changed)
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
