//! The segments of a path, and the removals that specifications describe as patterns.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::slots::Slot;
use crate::step::Recorder;

/// Changes a merged path, if there is one. Records that the step that runs decides on the path if this has an effect.
pub(super) fn shorten(path: &mut Option<Segments>, recorder: &mut Recorder, change: impl FnOnce(&mut Segments)) {
    let Some(path) = path else { return };
    let before = recorder.is_on().then(|| path.joined());
    change(path);
    if before.is_some_and(|before| before != path.joined()) {
        recorder.decide(Slot::NoDots);
    }
}

/// The segments of a path, with a cursor.
///
/// No pattern matches before the cursor, and a removal creates a new match only at the cursor or after it. The cursor
/// therefore never moves back, and "the leftmost match, until none remains" takes linear time.
#[derive(Default)]
pub(super) struct Segments {
    text: String,
    before: Vec<Range<usize>>,
    /// The segments after the cursor, in reverse order.
    after: Vec<Range<usize>>,
}

impl Segments {
    /// Splits `path` at each slash. A leading slash results in an empty first segment.
    pub(super) fn cut(path: String) -> Self {
        let mut start = 0;
        let mut after: Vec<Range<usize>> = path
            .split('/')
            .map(|segment| {
                let range = start..start + segment.len();
                start = range.end + 1;
                range
            })
            .collect();
        after.reverse();
        Self { text: path, before: Vec::new(), after }
    }

    /// Returns the path with the remaining segments.
    pub(super) fn joined(&self) -> String {
        let mut path = String::with_capacity(self.text.len());
        for (index, range) in self.before.iter().chain(self.after.iter().rev()).enumerate() {
            if index > 0 {
                path.push('/');
            }
            path.push_str(&self.text[range.clone()]);
        }
        path
    }

    /// Returns whether a segment that remains is `..`.
    pub(super) fn has_parents(&self) -> bool {
        self.before.iter().chain(&self.after).any(|range| &self.text[range.clone()] == "..")
    }

    /// Removes each `.` segment for which `goes` returns `true`.
    pub(super) fn remove_dots(&mut self, goes: fn(Around) -> bool) {
        let text = &self.text;
        let segments = self.after.len();
        let mut following = 0;
        self.after.retain(|range| {
            let around = Around { slash_before: following + 1 < segments, slash_after: following > 0 };
            following += 1;
            !(&text[range.clone()] == "." && goes(around))
        });
    }

    /// Makes the last segment empty if it is `name`, so that the slash before it remains. Returns whether it was.
    pub(super) fn empty_last(&mut self, name: &str) -> bool {
        let Some(last) = self.after.first_mut().or(self.before.last_mut()) else { return false };
        let found = &self.text[last.clone()] == name;
        if found {
            last.end = last.start;
        }
        found
    }

    /// Removes the leftmost `xxx/../` for which `may` returns `true`, and returns whether there was one.
    ///
    /// The arguments of `may` are the segment `xxx`, the segment before it, and the number of segments before it.
    pub(super) fn remove_leftmost_pair(&mut self, may: fn(&str, Option<&str>, usize) -> bool) -> bool {
        while let Some(next) = self.after.last() {
            if &self.text[next.clone()] == ".." && self.after.len() > 1 && self.last_before_may_go(may) {
                self.after.pop();
                self.before.pop();
                return true;
            }
            self.before.extend(self.after.pop());
        }
        false
    }

    /// Removes `xxx/..` at the end if `may` returns `true`. The slash before it remains. The cursor must be at the end.
    pub(super) fn remove_last_pair(&mut self, may: fn(&str, Option<&str>, usize) -> bool) {
        let Some(last) = self.before.pop() else { return };
        if &self.text[last.clone()] == ".." && self.last_before_may_go(may) {
            self.before.pop();
            self.before.push(0..0);
        } else {
            self.before.push(last);
        }
    }

    fn last_before_may_go(&self, may: fn(&str, Option<&str>, usize) -> bool) -> bool {
        let Some((segment, earlier)) = self.before.split_last() else { return false };
        let prior = earlier.last().map(|range| &self.text[range.clone()]);
        may(&self.text[segment.clone()], prior, earlier.len())
    }
}

/// Returns whether a segment is not `..`: the condition for removal in RFC 1808 and RFC 2396.
pub(super) fn not_dotdot(segment: &str, _prior: Option<&str>, _index: usize) -> bool {
    segment != ".."
}

/// Whether there are slashes around a segment.
pub(super) struct Around {
    pub(super) slash_before: bool,
    pub(super) slash_after: bool,
}
