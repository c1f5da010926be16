//! A path cut at its slashes, with the removals that the documents word as patterns.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The complete segments of a path, and a cursor that never needs to go back: what stands before it holds no
/// match, and a removal leaves a new one at the cursor or after it. So "the leftmost, until none remains" takes
/// linear time without being another algorithm.
#[derive(Default)]
pub(super) struct Segments {
    text: String,
    before: Vec<Range<usize>>,
    /// Nearest first, that is, reversed.
    after: Vec<Range<usize>>,
}

impl Segments {
    /// Cuts `path` at each slash; a slash at its start leaves an empty first segment.
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

    /// The path again.
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

    /// Removes each `.` that `goes` admits, given whether a slash stands before and after it.
    pub(super) fn remove_dots(&mut self, goes: fn(Around) -> bool) {
        let text = &self.text;
        let segments = self.after.len();
        let mut behind = 0;
        self.after.retain(|range| {
            let around = Around { slash_before: behind + 1 < segments, slash_after: behind > 0 };
            behind += 1;
            !(&text[range.clone()] == "." && goes(around))
        });
    }

    /// Empties the last segment if it is `name`: its text goes, the slash before it stays.
    pub(super) fn empty_last(&mut self, name: &str) -> bool {
        let Some(last) = self.after.first_mut().or(self.before.last_mut()) else { return false };
        let found = &self.text[last.clone()] == name;
        if found {
            last.end = last.start;
        }
        found
    }

    /// Removes the leftmost `xxx/../` whose `xxx` is admitted by `may`, and says whether there was one. `may` sees
    /// the segment, the one before it, and how many stand before it.
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

    /// Removes a final `xxx/..` whose `xxx` is admitted by `may`, and leaves the slash before it. The cursor must
    /// have reached the end.
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

/// The segments that `..` removes where another `..` is none of them.
pub(super) fn not_dotdot(segment: &str, _prior: Option<&str>, _index: usize) -> bool {
    segment != ".."
}

/// What stands beside a segment.
pub(super) struct Around {
    pub(super) slash_before: bool,
    pub(super) slash_after: bool,
}

#[cfg(test)]
mod tests {
    use super::Segments;
    use alloc::string::ToString;

    fn pairs(path: &str, may: fn(&str, Option<&str>, usize) -> bool) -> alloc::string::String {
        let mut segments = Segments::cut(path.to_string());
        while segments.remove_leftmost_pair(may) {}
        segments.remove_last_pair(may);
        segments.joined()
    }

    #[test]
    fn removes_the_leftmost_pair_until_none_remains() {
        let named = |segment: &str, _: Option<&str>, _| segment != "..";
        assert_eq!(pairs("a/b/../../c", named), "c");
        assert_eq!(pairs("../a/../../b", named), "../../b");
        assert_eq!(pairs("a/b/..", named), "a/");
        assert_eq!(pairs("a/..", named), "");
        assert_eq!(pairs("..", named), "..");
        assert_eq!(pairs("", named), "");
    }

    #[test]
    fn removes_dots_by_what_stands_beside_them() {
        let removed = |path: &str, goes| {
            let mut segments = Segments::cut(path.to_string());
            segments.remove_dots(goes);
            segments.joined()
        };
        assert_eq!(removed("./a/./b/.", |around| around.slash_after), "a/b/.");
        assert_eq!(removed("./a/./b/.", |around| around.slash_before), "./a/b");
    }
}
