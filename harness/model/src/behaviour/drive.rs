//! Drive letters: the root of a path of a `file` URL, and the host before it.

use std::borrow::Cow;

use super::components::{Parts, is_drive};
use super::{
    Backslash, Cleaning, DriveAtEnd, DriveEnd, DriveLetters, Exit, InheritedDrive, LastDrive, RootedHost, Row, Stage,
    dot_segments,
};

/// A path without dot segments.
pub(super) struct Walked {
    pub(super) path: String,
    /// Whether a drive letter at the start of the path removes the host.
    pub(super) drops_host: bool,
    /// Whether the path is rejected.
    pub(super) is_rejected: bool,
}

impl From<String> for Walked {
    fn from(path: String) -> Self {
        Self { path, drops_host: false, is_rejected: false }
    }
}

impl Walked {
    /// Returns the path, unless it is rejected.
    pub(super) fn accepted(self) -> Stage<Self> {
        if self.is_rejected { Err(Exit::Rejected) } else { Ok(self) }
    }

    /// Returns what is left of `authority` before the path.
    pub(super) fn authority(&self, authority: Option<String>) -> Option<String> {
        authority.map(|authority| if self.drops_host { String::new() } else { authority })
    }
}

/// Returns a path whose dot segments are kept.
pub(super) fn unwalked(row: &Row, path: String) -> Walked {
    let drops_host = first(&path).is_some_and(is_drive) && removes_host(row);
    Walked { path, drops_host, is_rejected: false }
}

/// Returns whether a drive letter at the start of a path removes the host.
pub(super) fn removes_host(row: &Row) -> bool {
    matches!(row.drive_letters(), DriveLetters::RootsWithoutHost | DriveLetters::RootsWithoutOwnHost)
}

/// Returns whether a drive letter at the start of a path is not a segment like any other.
pub(super) fn are_special(row: &Row) -> bool {
    row.drive_letters() != DriveLetters::Ordinary
}

/// Returns whether drive letters are roots.
fn are_roots(row: &Row) -> bool {
    matches!(row.drive_letters(), DriveLetters::Roots | DriveLetters::RootsBeforeSlash) || removes_host(row)
}

/// Returns the path of `rest`, which follows a scheme, if it begins with a drive letter after any number of slashes.
///
/// # Errors
///
/// Returns an error if a slash does not follow the drive letter.
pub(super) fn before_slash(rest: &str) -> Stage<Option<String>> {
    let path = rest.trim_start_matches(['/', '\\']);
    match path.get(..2).filter(|letter| is_drive(letter)) {
        Some(letter) if path[2..].starts_with(['/', '\\']) => Ok(Some(format!("/{}:{}", &letter[..1], &path[2..]))),
        Some(_) => Err(Exit::Rejected),
        None => Ok(None),
    }
}

/// Returns whether a `..` segment does not remove `segment`, which is the first of a path.
pub(super) fn is_protected(row: &Row, segment: &str) -> bool {
    is_normalized(segment) && are_roots(row)
}

/// Returns whether `path` consists of a drive letter that `..` segments do not remove.
pub(super) fn is_root(row: &Row, path: &str) -> bool {
    path.strip_prefix('/').is_some_and(|path| is_protected(row, path))
}

/// Returns whether `rest`, a reference without its scheme, begins with a drive letter that replaces the base's path.
pub(super) fn begins(row: &Row, rest: &str) -> bool {
    let is_end = rest.len() == 2 && row.drive_at_end() == DriveAtEnd::Segment;
    let is_ordinary = rest.as_bytes().get(2) == Some(&b'\\') && row.backslash() == Backslash::Ordinary;
    starts(rest) && are_special(row) && !is_end && !is_ordinary
}

/// Returns the path of a reference that begins with a drive letter, which replaces the base's path.
pub(super) fn alone(row: &Row, new: &Parts) -> Walked {
    let path = format!("/{}", new.path);
    if row.drive_end() == DriveEnd::SlashOrEnd && (new.query.is_some() || new.fragment.is_some()) && path.len() == 3 {
        return path.into();
    }
    let mut walked = dot_segments::walk(row, &path, 0);
    walked.drops_host |= row.drive_letters() == DriveLetters::WithColon;
    walked
}

/// Returns the authority that a reference with a leading slash inherits from the base.
pub(super) fn inherited_host(row: &Row, old: &Parts, rest: &str) -> Option<String> {
    let is_inherited = match row.rooted_host() {
        RootedHost::Inherited => true,
        RootedHost::UnlessDrive => of_base(old).is_none() && !starts_after_slash(rest),
        RootedHost::NotInherited => false,
    };
    old.authority.clone().filter(|_| is_inherited)
}

/// Returns the path of a reference that begins with a slash, after the drive letter of the base that it inherits, and
/// the number of inherited segments.
pub(super) fn with_inherited<'a>(row: &Row, old: &Parts, path: &'a str, rest: &str) -> (Cow<'a, str>, usize) {
    let is_own = starts_after_slash(rest) && row.inherited_drive() == InheritedDrive::UnlessOwn;
    let may_inherit = are_roots(row) && row.inherited_drive() != InheritedDrive::Never;
    match of_base(old).filter(|_| may_inherit && !is_own) {
        Some(drive) => (format!("/{drive}{path}").into(), 1),
        None => (path.into(), 0),
    }
}

/// Returns the base's path with a reference appended to the drive letter that is its last segment, and the number of
/// inherited segments. `dots` returns the number of dots of a dot segment.
pub(super) fn extended(
    row: &Row,
    old: &Parts,
    path: &str,
    dots: fn(&Row, &str) -> Option<usize>,
) -> Option<(String, usize)> {
    let last = old.path.rsplit('/').next().unwrap_or_default();
    if !is_normalized(last) || path.is_empty() || is_root(row, &old.path) || row.last_drive() == LastDrive::Replaced {
        return None;
    }
    let inherited = old.path.matches('/').count().saturating_sub(1);
    let (first, after) = path.split_once('/').map_or((path, None), |(first, after)| (first, Some(after)));
    let base = &old.path;
    Some(match (dots(row, first), after) {
        (Some(2), None) => (base.clone(), inherited + 1),
        (Some(_), after) => (format!("{base}/{}", after.unwrap_or_default()), inherited + 1),
        (None, _) => (format!("{base}{path}"), inherited),
    })
}

/// Follows a drive letter that a removed character ends.
pub(super) const MARK: char = '\t';

/// Returns `clean`, which is `text` cleaned, but with [`MARK`] after a drive letter that a removed character separates from other
/// characters of its segment.
pub(super) fn marked<'a>(cleaning: &Cleaning, text: &'a str, clean: Cow<'a, str>) -> Cow<'a, str> {
    if !text.contains(':') {
        return clean;
    }
    let text = text.trim_start_matches(&cleaning.start[..]).trim_end_matches(&cleaning.end[..]);
    let mut out = String::with_capacity(text.len());
    let mut was_removed = false;
    for c in text.chars() {
        if cleaning.everywhere.contains(&c) {
            was_removed = true;
            continue;
        }
        if was_removed && !matches!(c, '/' | '\\' | '?' | '#') && ends_with_drive(&out) {
            out.push(MARK);
        }
        was_removed = false;
        out.push(c);
    }
    Cow::Owned(out)
}

/// Returns whether the last segment of `text`, which may follow a scheme, is a letter followed by a colon.
fn ends_with_drive(text: &str) -> bool {
    let Some(before) = text.len().checked_sub(2).and_then(|at| text.get(..at)) else { return false };
    is_normalized(&text[before.len()..]) && (before.is_empty() || before.ends_with(['/', '\\', ':']))
}

/// Returns the drive letter at the start of `segment` and the rest, if [`MARK`] separates them.
pub(super) fn ended_by_mark(segment: &str) -> Option<(&str, &str)> {
    segment.split_once(MARK).filter(|(letter, _)| is_normalized(letter))
}

/// Returns the drive letter at the start of the base's path.
fn of_base(old: &Parts) -> Option<&str> {
    first(&old.path).filter(|segment| is_normalized(segment))
}

/// Returns the first segment of `path`, if it begins with a slash.
fn first(path: &str) -> Option<&str> {
    path.strip_prefix('/')?.split('/').next()
}

/// Returns whether `text` is a letter followed by a colon.
fn is_normalized(text: &str) -> bool {
    is_drive(text) && text.ends_with(':')
}

/// Returns whether `text` begins with a drive letter and, unless it ends with it, a delimiter (URL Standard §4.2 start
/// with a Windows drive letter).
pub(super) fn starts(text: &str) -> bool {
    text.get(..2).is_some_and(is_drive) && matches!(text.as_bytes().get(2), None | Some(b'/' | b'\\' | b'?' | b'#'))
}

fn starts_after_slash(rest: &str) -> bool {
    rest.strip_prefix(['/', '\\']).is_some_and(starts)
}
