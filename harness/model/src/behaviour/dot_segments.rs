//! The removal of dot segments from paths.

use std::borrow::Cow;

use super::components::is_drive;
use super::drive::{self, Walked};
use super::{
    BackslashInPath, BaseDot, BaseForm, DotdotRemoves, DotsRemoved, DriveEnd, EmptyResult, EmptySegments, EncodedDots,
    Excess, FixedDrives, LeadingDot, Root, RootlessFirst, RootlessPath, Row, ThreeDots, TrailingDot, TrailingDotdot,
};

/// Returns `path` without the dot segments at its start, and the number of those that have two dots. A dot segment at the
/// end may be kept.
pub(super) fn without_leading_dots<'a>(row: &Row, path: &'a str) -> (&'a str, usize) {
    let (mut rest, mut parents) = (path, 0);
    loop {
        if row.trailing_dot() == TrailingDot::Kept && !rest.contains('/') {
            return (rest, parents);
        }
        let (first, after) = rest.split_once('/').unwrap_or((rest, ""));
        match first {
            "." => {}
            ".." => parents += 1,
            _ => return (rest, parents),
        }
        rest = after;
    }
}

/// Returns the number of dots of a dot segment.
pub(super) fn dots(row: &Row, segment: &str) -> Option<usize> {
    match segment {
        "." => Some(1),
        ".." => Some(2),
        _ if segment.len() > 6 || !segment.contains('%') => None,
        _ if !matches!(row.encoded_dots(), EncodedDots::DotSegment | EncodedDots::DotSegmentLater) => None,
        _ => match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
            "." => Some(1),
            ".." => Some(2),
            _ => None,
        },
    }
}

/// Removes the dot segments of a path that was merged.
pub(super) fn merged_without_dots(row: &Row, path: &str, inherited: usize) -> Walked {
    walk_as(row, path, inherited, true)
}

/// Removes the dot segments of `path`.
pub(super) fn without_dots(row: &Row, path: &str) -> String {
    walk(row, path, 0).path
}

/// Removes the dot segments of the base's path `path`, which the reference inherits.
pub(super) fn inherited_without_dots(row: &Row, path: &str) -> String {
    match path.contains('.') && matches!(row.base_dot(), BaseDot::Kept | BaseDot::AllKept) {
        true => walk(row, path, path.len()).path,
        false => without_dots(row, path),
    }
}

/// Removes the dot segments of `path`, whose first `inherited` segments are the base's. Drive letters of a base that is
/// parsed are not examined again.
pub(super) fn walk(row: &Row, path: &str, inherited: usize) -> Walked {
    walk_as(row, path, inherited, false)
}

/// Removes the dot segments like [`walk`]. `is_merged` states whether the path was merged.
fn walk_as(row: &Row, path: &str, inherited: usize, is_merged: bool) -> Walked {
    if path.is_empty() {
        return String::new().into();
    }
    let (kept_dots, kept_parents) = match inherited > 0 {
        true => match row.base_dot() {
            BaseDot::Kept => (inherited, 0),
            BaseDot::AllKept => (inherited, inherited),
            BaseDot::Removed | BaseDot::RemovedFirst => (0, 0),
        },
        false => (0, 0),
    };
    let inherited = if inherited > 0 && row.base_form() == BaseForm::Parsed { inherited } else { 0 };
    let (is_rooted, body) = path.strip_prefix('/').map_or((false, path), |body| (true, body));
    match row.dots_removed() {
        DotsRemoved::AsText => return without_dots_as_text(path).into(),
        DotsRemoved::None => return path.to_owned().into(),
        DotsRemoved::Leading => {
            let slash = if is_rooted { "/" } else { "" };
            return format!("{slash}{}", without_leading_dots(row, body).0).into();
        }
        DotsRemoved::All | DotsRemoved::BeforeEmpty => {}
    }
    let mut segments: Vec<&str> = body.split('/').collect();
    if body.contains('\\') && row.backslash_in_path() == BackslashInPath::EndsDotSegment {
        segments = segments.into_iter().flat_map(|segment| with_dots_apart(row, segment)).collect();
    }
    remove_empty(row, &mut segments, is_rooted, is_merged);
    let ends_in_dot = segments.last().is_some_and(|last| dots(row, last) == Some(1));
    if ends_in_dot && row.trailing_dot() == TrailingDot::TakesSlash {
        while segments.len() > 1 && segments.last().is_some_and(|last| dots(row, last) == Some(1)) {
            segments.pop();
        }
        if segments == ["."] && is_rooted {
            return String::new().into();
        }
    }
    let count = segments.len();
    let mut stack = Stack {
        row,
        rooted: is_rooted,
        lost_root: false,
        is_own: false,
        drops_host: false,
        segments: Vec::with_capacity(count),
    };
    let kept_from = kept_from(row, &segments);
    let mut is_after_dots = false;
    for (at, segment) in segments.into_iter().enumerate() {
        stack.is_own = at >= inherited;
        let is_last = at + 1 == count;
        let found = dots(row, segment).filter(|_| at < kept_from);
        match found {
            Some(_) if at == 0 && !is_rooted && row.rootless_first() == RootlessFirst::StaysAsWritten => {
                stack.push(segment);
            }
            Some(1) if at < kept_dots => stack.push(segment),
            Some(2) if at < kept_parents => stack.push(segment),
            Some(1) if at == 0 && !is_rooted && row.leading_dot() == LeadingDot::Kept => stack.push(segment),
            Some(1) if at == 0 && !is_rooted && !is_last && row.leading_dot() == LeadingDot::LeavesSlash => {
                stack.push("")
            }
            Some(1) if is_last && row.trailing_dot() == TrailingDot::LeavesOneSlash => stack.end(),
            Some(1) if is_last && row.trailing_dot() == TrailingDot::StaysAlone && stack.segments.is_empty() => {
                stack.push(segment);
            }
            Some(1) if is_last && row.trailing_dot() == TrailingDot::Kept => stack.push(segment),
            Some(1) if is_last => stack.push(""),
            Some(1) => {}
            Some(_) if is_last && row.trailing_dotdot() == TrailingDotdot::Kept => stack.push(segment),
            Some(_) if is_last && row.trailing_dotdot() == TrailingDotdot::KeptUnlessAtRoot => {
                if stack.rooted && stack.segments.is_empty() {
                    stack.rooted = false;
                } else {
                    stack.push(segment);
                }
            }
            Some(_) if is_last && row.trailing_dotdot() == TrailingDotdot::LeavesOneSlash => {
                stack.parent(segment, false);
                stack.end();
            }
            Some(_) => stack.parent(segment, is_last),
            None if is_last && has_slash_after(row, segment) => {
                stack.push(segment);
                stack.push("");
            }
            None if !is_last && segment.is_empty() && stack.removes_empty(is_after_dots) => {}
            None => stack.push(segment),
        }
        is_after_dots = found.is_some();
        let is_inner_dot = found.is_some() && !is_last && is_rooted;
        if is_inner_dot && stack.segments == [""] && row.empty_segments() == EmptySegments::LoneRemoved {
            stack.segments.clear();
        }
    }
    stack.written()
}

/// Splits `segment` after each dot segment at its start that a backslash ends.
fn with_dots_apart<'a>(row: &Row, segment: &'a str) -> Vec<&'a str> {
    let (mut parts, mut rest) = (Vec::new(), segment);
    while let Some((first, after)) = rest.split_once('\\')
        && dots(row, first).is_some()
    {
        parts.push(first);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// Returns whether a slash follows `segment`, which is not a dot segment, at the end of a path.
fn has_slash_after(row: &Row, segment: &str) -> bool {
    segment.starts_with("...") && segment.bytes().all(|byte| byte == b'.') && row.three_dots() == ThreeDots::SlashAtEnd
}

/// Removes the dot segments of `path` as parts of its text.
fn without_dots_as_text(path: &str) -> String {
    let mut path = path.as_bytes().to_vec();
    let mut at = 1;
    while at < path.len() {
        if path[at - 1] == b'/' && path[at..].starts_with(b"./") {
            path.drain(at..at + 2);
        } else {
            at += 1;
        }
    }
    if path.len() > 2 && path.ends_with(b"/.") {
        path.pop();
    }
    at = 1;
    while at < path.len() {
        if path[at..].starts_with(b"../") {
            at += 3;
            continue;
        }
        let Some(slash) = path[at + 1..].iter().position(|byte| *byte == b'/') else { break };
        let slash = at + 1 + slash;
        if path[slash..].starts_with(b"/../") {
            path.drain(at..slash + 4);
            at = 1;
        } else {
            at = slash + 1;
        }
    }
    if path.len() > 3 && path.ends_with(b"/..") {
        let before = path[..path.len() - 3].iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        if !path[before..].starts_with(b"/../") {
            path.truncate(before + 1);
        }
    }
    while path.starts_with(b"/../") {
        path.drain(..3);
    }
    if path == b"/.." {
        path.truncate(1);
    }
    String::from_utf8_lossy(&path).into_owned()
}

/// Returns the index of the segment from which dot segments are kept.
fn kept_from(row: &Row, segments: &[&str]) -> usize {
    let count = segments.len();
    match row.dots_removed() {
        DotsRemoved::BeforeEmpty => segments[..count - 1].iter().position(|it| it.is_empty()).unwrap_or(count),
        DotsRemoved::All | DotsRemoved::Leading | DotsRemoved::AsText | DotsRemoved::None => count,
    }
}

fn remove_empty(row: &Row, segments: &mut Vec<&str>, is_rooted: bool, is_merged: bool) {
    let Some((last, inner)) = segments.split_last() else { return };
    let last = *last;
    if inner.iter().all(|segment| !segment.is_empty()) {
        return;
    }
    let keeps_first = match row.empty_segments() {
        EmptySegments::Removed => false,
        EmptySegments::InnerRemovedIfMerged if is_merged => !is_rooted,
        EmptySegments::Kept
        | EmptySegments::InnerRemovedIfMerged
        | EmptySegments::LeadingRemoved
        | EmptySegments::LoneRemoved
        | EmptySegments::RemovedUnlessAfterDots => return,
    };
    segments.pop();
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
    /// Whether the next segment is the reference's, not the base's.
    is_own: bool,
    /// Whether a drive letter removes the host.
    drops_host: bool,
    segments: Vec<Cow<'a, str>>,
}

impl<'a> Stack<'a> {
    fn push(&mut self, segment: &'a str) {
        let may_be_root =
            self.is_own && self.segments.is_empty() && (is_drive(segment) || segment.contains(drive::MARK));
        let is_first = may_be_root && drive::are_special(self.row);
        if segment.contains(drive::MARK) && self.row.drive_end() == DriveEnd::RemovedToo {
            let parts = if is_first { drive::ended_by_mark(segment) } else { None };
            let (letter, rest) = parts.map_or((None, segment), |(letter, rest)| (Some(letter), rest));
            self.segments.extend(letter.map(Cow::Borrowed));
            self.segments.push(rest.replace(drive::MARK, "").into());
            return;
        }
        let is_root = is_first && is_drive(segment);
        self.drops_host |= is_root && drive::removes_host(self.row);
        self.segments.push(if is_root { format!("{}:", &segment[..1]).into() } else { segment.into() });
    }

    /// Adds a slash at the end unless there is one.
    fn end(&mut self) {
        if self.segments.last().is_some_and(|last| !last.is_empty()) {
            self.segments.push("".into());
        }
    }

    fn parent(&mut self, segment: &'a str, is_last: bool) {
        if self.top_may_go() {
            if self.segments.len() > 1 || self.rooted {
                self.segments.pop();
            } else {
                match self.row.rootless_first() {
                    RootlessFirst::LeavesSlash => {
                        self.segments.pop();
                        self.rooted = true;
                    }
                    RootlessFirst::LeavesNothing => drop(self.segments.pop()),
                    RootlessFirst::StaysAlone | RootlessFirst::StaysAsWritten => {}
                    RootlessFirst::AlwaysStays => {
                        self.segments.push(segment.into());
                        return;
                    }
                }
            }
            if is_last {
                self.segments.push("".into());
            }
            return;
        }
        let is_kept = match self.row.excess() {
            Excess::Kept => true,
            Excess::KeptInRootless | Excess::KeptInRootlessWithSlash => !self.rooted,
            Excess::KeptAtEnd => is_last,
            Excess::Dropped | Excess::LeavesSlash => false,
        };
        if self.segments.is_empty() && self.rooted && self.row.root() != Root::Fixed {
            self.rooted = false;
            self.lost_root = true;
            if is_last {
                self.segments.push("".into());
            }
        } else if is_kept {
            self.segments.push(segment.into());
            if is_last && self.row.excess() == Excess::KeptInRootlessWithSlash {
                self.segments.push("".into());
            }
        } else if is_last {
            self.segments.push("".into());
        } else if self.segments.is_empty() && self.row.excess() == Excess::LeavesSlash {
            self.rooted = true;
        }
    }

    /// Returns whether an empty segment is removed here. `is_after_dots` states whether a dot segment is before it.
    fn removes_empty(&self, is_after_dots: bool) -> bool {
        let is_left = match self.segments.last() {
            None => self.rooted,
            Some(top) => top == "..",
        };
        self.row.empty_segments() == EmptySegments::RemovedUnlessAfterDots && !(is_after_dots && is_left)
    }

    fn top_may_go(&self) -> bool {
        let count = self.segments.len();
        let Some(top) = self.segments.last() else { return false };
        let is_fixed = self.row.fixed_drives() == FixedDrives::All && drive::starts(top);
        if is_fixed || count == 1 && drive::is_protected(self.row, top) {
            return false;
        }
        match self.row.dotdot_removes() {
            DotdotRemoves::Any => true,
            DotdotRemoves::NotDotdot => top != "..",
            DotdotRemoves::NotEmptyNorDotdot => top != ".." && !top.is_empty(),
            DotdotRemoves::Named => {
                let slash_before = self.rooted || count > 1;
                !top.is_empty() && top != ".." && slash_before && (count < 2 || !self.segments[count - 2].is_empty())
            }
        }
    }

    fn written(mut self) -> Walked {
        if self.row.empty_segments() == EmptySegments::LeadingRemoved {
            let last = self.segments.len().saturating_sub(1);
            let empty = self.segments.iter().take(last).take_while(|segment| segment.is_empty()).count();
            self.segments.drain(..empty);
        }
        let mut path = self.segments.join("/");
        if !self.rooted && path.starts_with('/') {
            match self.row.rootless_path() {
                RootlessPath::SlashDropped => drop(path.remove(0)),
                RootlessPath::SlashesDropped => path = path.trim_start_matches('/').to_owned(),
                RootlessPath::Kept | RootlessPath::Slash => {}
            }
        }
        let has_slash = self.rooted
            || self.row.rootless_path() == RootlessPath::Slash
            || self.lost_root && self.row.root() != Root::RemovableForGood && !path.starts_with('/')
            || path.is_empty() && self.row.empty_result() == EmptyResult::Slash;
        if path.is_empty() && !has_slash {
            path = match self.row.empty_result() {
                EmptyResult::Dot => ".".to_owned(),
                EmptyResult::Empty | EmptyResult::Slash => path,
            };
        }
        let path = if has_slash { format!("/{path}") } else { path };
        Walked { path, drops_host: self.drops_host, is_rejected: false }
    }
}
