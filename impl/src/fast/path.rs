//! The removal of dot segments in one pass, by a rule set.

use memchr::{memchr, memrchr};

use super::text::Text;
use crate::rules::{DotdotRemoves, Excess, LeadingDot, RootlessFirst, Rules, TrailingDot, TrailingDotdot};

/// A path in two pieces, which may be in different strings. `directory` is empty or ends with a slash.
pub(super) struct PathPieces<'a, T: ?Sized> {
    rooted: bool,
    directory: &'a T,
    rest: &'a T,
}

impl<'a, T: Text + ?Sized> PathPieces<'a, T> {
    /// Returns `path` as it is.
    pub(super) fn whole(path: &'a T) -> Self {
        let empty = path.part(0, 0);
        match without_slash(path) {
            Some(rest) => Self { rooted: true, directory: empty, rest },
            None => Self { rooted: false, directory: empty, rest: path },
        }
    }

    /// Returns a slash followed by `path`.
    pub(super) fn after_slash(path: &'a T) -> Self {
        Self { rooted: true, directory: path.part(0, 0), rest: path }
    }

    /// Replaces the part after the last slash of `base` by `path`.
    pub(super) fn merged(base: &'a T, path: &'a T) -> Self {
        let directory = base.part(0, memrchr(b'/', base.bytes()).map_or(0, |at| at + 1));
        match without_slash(directory) {
            Some(directory) => Self { rooted: true, directory, rest: path },
            None => Self { rooted: false, directory, rest: path },
        }
    }

    /// Removes each `.` segment at the end, together with the slash before it. Returns `false` if nothing remains.
    fn trim_final_dots(&mut self) -> bool {
        loop {
            let rest = self.rest.bytes();
            if rest.ends_with(b"/.") {
                self.rest = self.rest.part(0, rest.len() - 2);
            } else if rest == b"." && !self.directory.bytes().is_empty() {
                let end = self.directory.bytes().len() - 1;
                let last = memrchr(b'/', &self.directory.bytes()[..end]).map_or(0, |at| at + 1);
                (self.directory, self.rest) = (self.directory.part(0, last), self.directory.part(last, end));
            } else {
                return !(rest == b"." && self.directory.bytes().is_empty() && self.rooted);
            }
        }
    }
}

/// Returns `path` without its leading slash.
fn without_slash<T: Text + ?Sized>(path: &T) -> Option<&T> {
    path.bytes().starts_with(b"/").then(|| path.part(1, path.bytes().len()))
}

/// Appends `path` to `out`, without the dot segments that `rules` remove.
pub(super) fn push_path<T: Text + ?Sized>(rules: &Rules, mut path: PathPieces<'_, T>, out: &mut T::Buffer) {
    if path.rest.bytes().is_empty() && path.directory.bytes().is_empty() && !path.rooted {
        return;
    }
    if rules.trailing_dot == TrailingDot::TakesSlash && !path.trim_final_dots() {
        return;
    }
    let mut writer = PathWriter::new(path.rooted, out);
    writer.push_all(rules, path.directory);
    let last = memrchr(b'/', path.rest.bytes()).map_or(0, |at| at + 1);
    writer.push_all(rules, path.rest.part(0, last));
    writer.push(rules, path.rest.part(last, path.rest.bytes().len()), true);
}

/// Writes segments to a buffer.
struct PathWriter<'a, T: Text + ?Sized> {
    out: &'a mut T::Buffer,
    /// The position in `out` at which the path begins.
    start: usize,
    rooted: bool,
    /// The number of segments in `out`.
    segments: usize,
    /// The position of the last segment, if it is known: no segment is searched twice.
    top: Option<usize>,
    /// Whether a segment was read, even if it was removed.
    begun: bool,
}

impl<'a, T: Text + ?Sized> PathWriter<'a, T> {
    fn new(rooted: bool, out: &'a mut T::Buffer) -> Self {
        let start = T::written(out).bytes().len();
        if rooted {
            T::literal("/").append(out);
        }
        Self { out, start, rooted, segments: 0, top: None, begun: false }
    }

    /// Adds each segment of `directory`, which is empty or ends with a slash.
    fn push_all(&mut self, rules: &Rules, directory: &T) {
        let mut from = 0;
        while let Some(length) = memchr(b'/', &directory.bytes()[from..]) {
            self.push(rules, directory.part(from, from + length), false);
            from += length + 1;
        }
    }

    fn push(&mut self, rules: &Rules, segment: &T, last: bool) {
        let first = !core::mem::replace(&mut self.begun, true);
        match segment.bytes() {
            b"." if first && self.dot_stays(rules) => self.write(segment),
            b"." if !last => {}
            b"." => self.write(T::literal("")),
            b".." if last && rules.trailing_dotdot == TrailingDotdot::Kept => self.write(segment),
            b".." => self.parent(rules, last),
            _ => self.write(segment),
        }
    }

    /// Returns whether a `.` at the start of the path is kept, because no slash precedes it.
    fn dot_stays(&self, rules: &Rules) -> bool {
        rules.leading_dot == LeadingDot::Kept && !self.rooted
    }

    fn parent(&mut self, rules: &Rules, last: bool) {
        if self.segments > 0 && self.top_may_go(rules.dotdot_removes) {
            self.drop_top(rules);
            if last {
                self.write(T::literal(""));
            }
        } else if rules.excess == Excess::Kept {
            self.write(T::literal(".."));
        } else if last {
            self.write(T::literal(""));
        }
    }

    fn path(&self) -> &[u8] {
        &T::written(self.out).bytes()[self.start + usize::from(self.rooted)..]
    }

    /// Returns the last segment in `out`, and whether the segment before it is empty.
    fn top(&mut self) -> (&[u8], bool) {
        let at = self.top_start();
        let (before, top) = self.path().split_at(at);
        let before = before.strip_suffix(b"/");
        (top, before.is_some_and(|path| path.is_empty() || path.ends_with(b"/")))
    }

    /// Returns where the last segment begins, relative to the first one.
    fn top_start(&mut self) -> usize {
        match self.top {
            Some(top) => top,
            None => {
                let top = memrchr(b'/', self.path()).map_or(0, |slash| slash + 1);
                *self.top.insert(top)
            }
        }
    }

    fn top_may_go(&mut self, removes: DotdotRemoves) -> bool {
        match removes {
            DotdotRemoves::Any => true,
            DotdotRemoves::NotDotdot => self.top().0 != b"..",
            DotdotRemoves::Named => {
                let slash_before = self.rooted || self.segments > 1;
                let (segment, after_empty) = self.top();
                !matches!(segment, b"" | b"..") && slash_before && !after_empty
            }
        }
    }

    fn drop_top(&mut self, rules: &Rules) {
        let first = self.start + usize::from(self.rooted);
        let top = first + self.top_start();
        self.top = None;
        self.segments -= 1;
        if self.segments == 0 {
            T::truncate(self.out, top);
            if !self.rooted && rules.rootless_first == RootlessFirst::LeavesSlash {
                self.rooted = true;
                T::literal("/").append(self.out);
            }
        } else {
            // The slash before the segment is removed too.
            T::truncate(self.out, top - 1);
        }
    }

    fn write(&mut self, segment: &T) {
        if self.segments > 0 {
            T::literal("/").append(self.out);
        }
        self.top = Some(self.path().len());
        segment.append(self.out);
        self.segments += 1;
    }
}
