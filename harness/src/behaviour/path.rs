//! The resolution of components: inheritance, merging of paths, and removal of dot segments.

use std::borrow::Cow;

use super::components::{Parts, is_drive};
use super::{
    BareHost, Base, BaseFragment, BasePath, BasePrefix, BaseQuery, Behaviour, DotdotRemoves, DotsInNetworkPath,
    DotsInRootedPath, DotsRemoved, DriveLetters, EmptyAuthority, EmptyReference, EmptyResult, EmptySegments,
    EncodedDots, Excess, Exit, HostPlace, InheritedAuthority, InheritedDots, InheritedPath, InheritedUserinfo,
    LeadingDot, LeadingSlashes, ParamsOnly, QueryOnly, Root, RootlessBase, RootlessFirst, RootlessPath, Row,
    SchemeAlone, SlashlessBase, Stage, ThreeDots, TrailingDot, TrailingDotdot,
};

impl Behaviour {
    /// Resolves the components `new` of a relative reference against the components `old` of the base. `rest` is the
    /// text of the reference.
    pub(super) fn relative(&self, row: &Row, base: &Base<'_>, rest: &str, mut old: Parts, new: Parts) -> Stage<Parts> {
        if row.leading_slashes == LeadingSlashes::MatchingRun && rest.starts_with('/') {
            return after_run(base.rest(), rest);
        }
        let is_missing = |authority: &String| authority.is_empty() && row.empty_authority == EmptyAuthority::Missing;
        if let Some(authority) = new.authority.as_ref().filter(|authority| !is_missing(authority)) {
            let authority = Some(with_inherited(row, authority, old.authority.as_deref()));
            let prefix =
                old.prefix.filter(|_| row.base_prefix == BasePrefix::ThroughSlashes).map(|prefix| {
                    match prefix.split_once("//").filter(|(before, _)| !before.contains('/')) {
                        Some((before, _)) => before.to_owned(),
                        None => prefix + &old.path,
                    }
                });
            let path = match row.dots_in_network_path {
                DotsInNetworkPath::Removed => without_dots(row, &new.path),
                DotsInNetworkPath::Kept => new.path.clone(),
            };
            return Ok(Parts { authority, prefix, path, ..new });
        }
        if row.inherited_userinfo == InheritedUserinfo::NotInherited {
            old.authority = old.authority.map(|text| text.rsplit_once('@').map_or(text.clone(), |it| it.1.to_owned()));
        }
        let is_pathless = new.path.is_empty();
        if is_pathless && new.params.is_none() {
            let is_empty = new.query.is_none();
            let keeps_path = if is_empty {
                row.empty_reference == EmptyReference::Base
            } else {
                row.query_only == QueryOnly::KeepsLastSegment
            };
            if keeps_path {
                let removed = match row.inherited_dots {
                    InheritedDots::Kept => false,
                    InheritedDots::Removed => true,
                    InheritedDots::RemovedUnderQuery => !is_empty,
                };
                if row.inherited_path == InheritedPath::AsWritten && !old.opaque {
                    old.path = std::mem::take(&mut old.written_path);
                }
                if removed && !old.opaque {
                    old.path = without_dots(row, &old.path);
                }
                let whole = match row.base_fragment {
                    BaseFragment::Inherited => rest.is_empty(),
                    BaseFragment::InheritedIfAbsent => is_empty && new.fragment.as_deref().is_none_or(str::is_empty),
                    BaseFragment::InheritedWithPath => new.fragment.is_none(),
                    BaseFragment::NotInherited => false,
                };
                let fragment =
                    if whole { new.fragment.filter(|it| !it.is_empty()).or(old.fragment.take()) } else { new.fragment };
                let inherits = is_empty && row.base_query == BaseQuery::Inherited;
                let query = if inherits { old.query.take() } else { new.query };
                return Ok(Parts { query, fragment, ..old });
            }
        }
        if new.params.is_some() && is_pathless && row.params_only == ParamsOnly::KeepsPath {
            return Ok(Parts { authority: old.authority, prefix: old.prefix, path: old.path, ..new });
        }
        let path = if new.path.starts_with('/') {
            let path = with_inherited_drive(row, &old, &new.path);
            let path = match row.dots_in_rooted_path {
                DotsInRootedPath::Removed => without_dots(row, &path),
                DotsInRootedPath::RemovedIfInner if ["/./", "/../"].iter().any(|dots| path.contains(dots)) => {
                    without_dots(row, &path)
                }
                DotsInRootedPath::Kept | DotsInRootedPath::RemovedIfInner => path.into_owned(),
            };
            let drops = row.rootless_base == RootlessBase::DropsSlash;
            match path.strip_prefix('/').filter(|_| drops && old.authority.is_none() && !old.path.starts_with('/')) {
                Some(rootless) => rootless.to_owned(),
                None => path,
            }
        } else {
            merge(row, &old, &new)
        };
        Ok(Parts { authority: old.authority, prefix: old.prefix, path, ..new })
    }
}

/// Returns `authority` with the parts that it inherits from the base's.
fn with_inherited(row: &Row, authority: &str, old: Option<&str>) -> String {
    let Some(old) = old.filter(|_| row.inherited_authority != InheritedAuthority::None) else {
        return authority.to_owned();
    };
    let (userinfo, server) = old.rsplit_once('@').map_or((None, old), |(userinfo, server)| (Some(userinfo), server));
    let port = server.rsplit_once(':').map(|(_, port)| port).filter(|port| !port.contains(']'));
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| !port.contains(['@', ']']));
    let mut out = authority.to_owned();
    if let Some(port) = port.filter(|_| !has_port && row.inherited_authority != InheritedAuthority::Userinfo) {
        out = format!("{out}:{port}");
    }
    match userinfo {
        Some(userinfo) if !authority.contains('@') && row.inherited_authority != InheritedAuthority::Port => {
            format!("{userinfo}@{out}")
        }
        _ => out,
    }
}

/// Resolves a reference that begins with slashes by the second rule of RFC 1630: its slashes select the first run of
/// equally many slashes in the base that a longer run does not follow.
fn after_run(base: &str, rest: &str) -> Stage<Parts> {
    let end = base.find(['?', '#']).unwrap_or(base.len());
    let base = &base[..end];
    let length = rest.len() - rest.trim_start_matches('/').len();
    let mut found = None;
    let mut before = base.len();
    while let Some(last) = base[..before].rfind('/') {
        let start =
            base[..last].rfind(|c| c != '/').map_or(0, |at| at + base[at..].chars().next().map_or(1, char::len_utf8));
        let run = last + 1 - start;
        if run > length {
            break;
        }
        if run == length {
            found = Some(start);
        }
        before = start;
    }
    let at = found.ok_or(Exit::Rejected)?;
    let (path, fragment) = rest.split_once('#').map_or((rest, None), |(path, fragment)| (path, Some(fragment)));
    let fragment = fragment.filter(|fragment| !fragment.is_empty()).map(str::to_owned);
    Ok(Parts { path: format!("{}{path}", &base[..at]), fragment, ..Parts::default() })
}

/// Returns the path of a reference that begins with a slash, after the drive letter of the base that it inherits.
fn with_inherited_drive<'a>(row: &Row, old: &Parts, path: &'a str) -> Cow<'a, str> {
    if row.drive_letters == DriveLetters::Ordinary || first_drive(&path[1..]).is_some() {
        return path.into();
    }
    match old.path.strip_prefix('/').and_then(first_drive) {
        Some(drive) if drive.ends_with(':') => format!("/{drive}{path}").into(),
        _ => path.into(),
    }
}

/// Returns the drive letter that is the first segment of `path`, which does not begin with a slash.
fn first_drive(path: &str) -> Option<&str> {
    let first = path.split('/').next().unwrap_or_default();
    is_drive(first).then_some(first)
}

/// Returns the base's path up to its last slash.
fn directory(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

/// Merges the path of a relative reference with the base's path.
fn merge(row: &Row, old: &Parts, new: &Parts) -> String {
    let path = &*new.path;
    if row.dots_removed == DotsRemoved::Leading {
        return merged_by_leading_dots(&old.path, path);
    }
    if row.drive_letters != DriveLetters::Ordinary && first_drive(path).is_some() {
        return without_dots(row, &format!("/{path}"));
    }
    if path.is_empty() {
        let cut = directory(&old.path);
        let keeps_dots = match new.query {
            Some(_) => row.query_only == QueryOnly::DropsLastSegmentKeepsDots,
            None => row.empty_reference == EmptyReference::Directory,
        };
        if keeps_dots {
            return cut.to_owned();
        }
    }
    let is_ignored = old.path.is_empty() || row.base_path == BasePath::Ignored;
    if is_ignored && row.host == HostPlace::SetApart {
        if old.authority.is_some() || old.prefix.is_some() {
            return match row.bare_host {
                BareHost::SlashBeforeDots => without_dots(row, &format!("/{path}")),
                BareHost::SlashDotsKept => format!("/{path}"),
                BareHost::NoSlash => without_dots(row, path),
                BareHost::SlashAfterDots => match without_dots(row, path) {
                    path if path.is_empty() => path,
                    path => format!("/{path}"),
                },
            };
        }
        return match row.scheme_alone {
            SchemeAlone::NoSlash => without_dots(row, path),
            SchemeAlone::SlashDotsKept => format!("/{path}"),
            SchemeAlone::SlashBeforeDots => without_dots(row, &format!("/{path}")),
        };
    }
    if !old.path.contains('/') {
        return match row.slashless_base {
            SlashlessBase::Replaced => merged_without_dots(row, path),
            SlashlessBase::ReplacedAfterSlash => merged_without_dots(row, &format!("/{path}")),
            SlashlessBase::Extended => merged_without_dots(row, &format!("{}/{path}", old.path)),
            SlashlessBase::ReplacedDotsKept => path.to_owned(),
        };
    }
    let is_drive_alone =
        row.drive_letters != DriveLetters::Ordinary && old.path.strip_prefix('/').is_some_and(is_drive);
    let slash = if is_drive_alone { "/" } else { "" };
    let directory = if is_drive_alone { &old.path } else { directory(&old.path) };
    merged_without_dots(row, &format!("{directory}{slash}{path}"))
}

/// Returns `path` without the dot segments at its start, and the number of those that have two dots.
fn without_leading_dots(path: &str) -> (&str, usize) {
    let (mut rest, mut parents) = (path, 0);
    loop {
        let (first, after) = rest.split_once('/').unwrap_or((rest, ""));
        match first {
            "." => {}
            ".." => parents += 1,
            _ => return (rest, parents),
        }
        rest = after;
    }
}

/// Merges `path` with the base's path and removes only the dot segments at the start of `path`.
fn merged_by_leading_dots(base: &str, path: &str) -> String {
    let (rest, parents) = without_leading_dots(path);
    let mut kept = directory(base);
    for _ in 0..parents {
        let parent = directory(kept.strip_suffix('/').unwrap_or(kept));
        kept = if parent.is_empty() && kept.starts_with('/') { "/" } else { parent };
    }
    format!("{kept}{rest}")
}

/// Returns the number of dots of a dot segment.
fn dots(row: &Row, segment: &str) -> Option<usize> {
    match segment {
        "." => Some(1),
        ".." => Some(2),
        "..." if row.three_dots == ThreeDots::DotSegment => Some(1),
        _ if row.encoded_dots == EncodedDots::Ordinary || segment.len() > 6 || !segment.contains('%') => None,
        _ => match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
            "." => Some(1),
            ".." => Some(2),
            _ => None,
        },
    }
}

/// Removes the dot segments of a path that was merged.
fn merged_without_dots(row: &Row, path: &str) -> String {
    match row.empty_segments {
        EmptySegments::InnerRemovedIfMerged => {
            without_dots(&Row { empty_segments: EmptySegments::InnerRemoved, ..*row }, path)
        }
        _ => without_dots(row, path),
    }
}

/// Removes the dot segments of `path`.
pub(super) fn without_dots(row: &Row, path: &str) -> String {
    if path.is_empty() {
        return String::new();
    }
    let (is_rooted, body) = path.strip_prefix('/').map_or((false, path), |body| (true, body));
    if row.dots_removed == DotsRemoved::Leading {
        let slash = if is_rooted { "/" } else { "" };
        return format!("{slash}{}", without_leading_dots(body).0);
    }
    let mut segments: Vec<&str> = body.split('/').collect();
    remove_empty(row, &mut segments, is_rooted);
    if row.trailing_dot == TrailingDot::TakesSlash {
        while segments.len() > 1 && segments.last().is_some_and(|last| dots(row, last) == Some(1)) {
            segments.pop();
        }
        if segments == ["."] && is_rooted {
            return String::new();
        }
    }
    let mut stack = Stack { row, rooted: is_rooted, lost_root: false, segments: Vec::with_capacity(segments.len()) };
    let count = segments.len();
    for (at, segment) in segments.into_iter().enumerate() {
        let is_last = at + 1 == count;
        match dots(row, segment) {
            Some(1) if at == 0 && !is_rooted && row.leading_dot == LeadingDot::Kept => stack.push(segment),
            Some(1) if is_last => stack.push(""),
            Some(1) => {}
            Some(_) if is_last && row.trailing_dotdot == TrailingDotdot::Kept => stack.push(segment),
            Some(_) if is_last && row.trailing_dotdot == TrailingDotdot::TakesSlash => stack.parent(segment, false),
            Some(_) => stack.parent(segment, is_last),
            None => stack.push(segment),
        }
    }
    stack.written()
}

fn remove_empty(row: &Row, segments: &mut Vec<&str>, is_rooted: bool) {
    if matches!(row.empty_segments, EmptySegments::Kept | EmptySegments::InnerRemovedIfMerged) || segments.len() < 2 {
        return;
    }
    let last = segments.pop().unwrap_or_default();
    let keeps_first = row.empty_segments == EmptySegments::InnerRemoved && !is_rooted;
    let first = keeps_first.then(|| segments.remove(0));
    segments.retain(|segment| !segment.is_empty());
    if let Some(first) = first {
        segments.insert(0, first);
    }
    segments.push(last);
}

/// The segments that remain.
struct Stack<'a> {
    row: &'a Row,
    rooted: bool,
    lost_root: bool,
    segments: Vec<Cow<'a, str>>,
}

impl<'a> Stack<'a> {
    fn push(&mut self, segment: &'a str) {
        let is_root = self.segments.is_empty() && self.row.drive_letters != DriveLetters::Ordinary && is_drive(segment);
        self.segments.push(if is_root { format!("{}:", &segment[..1]).into() } else { segment.into() });
    }

    fn parent(&mut self, segment: &'a str, is_last: bool) {
        if self.top_may_go() {
            if self.segments.len() == 1 && !self.rooted && self.row.rootless_first == RootlessFirst::Stays && !is_last {
                self.segments.push(segment.into());
                return;
            }
            self.segments.pop();
            if self.segments.is_empty() && !self.rooted && self.row.rootless_first == RootlessFirst::LeavesSlash {
                self.rooted = true;
            }
            if is_last {
                self.segments.push("".into());
            }
            return;
        }
        let is_kept = match self.row.excess {
            Excess::Kept => true,
            Excess::KeptInRootless => !self.rooted,
            Excess::Dropped => false,
        };
        if self.segments.is_empty() && self.rooted && self.row.root != Root::Fixed {
            self.rooted = false;
            self.lost_root = true;
            if is_last {
                self.segments.push("".into());
            }
        } else if is_kept {
            self.segments.push(segment.into());
        } else if is_last {
            self.segments.push("".into());
        }
    }

    fn top_may_go(&self) -> bool {
        let count = self.segments.len();
        let Some(top) = self.segments.last() else { return false };
        if count == 1 && self.row.drive_letters != DriveLetters::Ordinary && is_drive(top) && top.ends_with(':') {
            return false;
        }
        match self.row.dotdot_removes {
            DotdotRemoves::Any => true,
            DotdotRemoves::NotDotdot => top != "..",
            DotdotRemoves::Named => {
                let slash_before = self.rooted || count > 1;
                !top.is_empty() && top != ".." && slash_before && (count < 2 || !self.segments[count - 2].is_empty())
            }
        }
    }

    fn written(self) -> String {
        let path = self.segments.join("/");
        let has_slash = self.rooted
            || self.row.rootless_path == RootlessPath::Slash
            || self.lost_root && self.row.root == Root::Removable && !path.starts_with('/')
            || path.is_empty() && self.row.empty_result == EmptyResult::Slash;
        if path.is_empty() && !has_slash && self.row.empty_result == EmptyResult::DotSlash {
            return "./".to_owned();
        }
        if has_slash { format!("/{path}") } else { path }
    }
}
