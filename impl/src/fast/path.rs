//! Dot segments removed in one pass, under a row of rules.

use alloc::string::String;

use crate::rules::{DotdotRemoves, Excess, LeadingDot, RootlessFirst, Rules, TrailingDot, TrailingDotdot};

/// A path in two pieces that need not lie beside each other: `directory` is empty or ends in a slash.
pub(super) struct Joined<'a> {
    rooted: bool,
    directory: &'a str,
    rest: &'a str,
}

impl<'a> Joined<'a> {
    /// `path` alone.
    pub(super) fn whole(path: &'a str) -> Self {
        Self::from_pieces("", path)
    }

    /// `path` behind a slash.
    pub(super) fn behind_slash(path: &'a str) -> Self {
        Self { rooted: true, directory: "", rest: path }
    }

    /// `path` in the place of what follows the last slash of `base`.
    pub(super) fn merged(base: &'a str, path: &'a str) -> Self {
        let directory = &base[..base.rfind('/').map_or(0, |at| at + 1)];
        Self::from_pieces(directory, path)
    }

    fn from_pieces(directory: &'a str, rest: &'a str) -> Self {
        if let Some(directory) = directory.strip_prefix('/') {
            return Self { rooted: true, directory, rest };
        }
        match rest.strip_prefix('/') {
            Some(rest) if directory.is_empty() => Self { rooted: true, directory, rest },
            _ => Self { rooted: false, directory, rest },
        }
    }

    /// Takes every final `.` away with the slash before it; `false` if that leaves nothing, not even a root.
    fn trim_final_dots(&mut self) -> bool {
        loop {
            if let Some(shorter) = self.rest.strip_suffix("/.") {
                self.rest = shorter;
            } else if self.rest == "." && !self.directory.is_empty() {
                let directory = &self.directory[..self.directory.len() - 1];
                let last = directory.rfind('/').map_or(0, |at| at + 1);
                (self.directory, self.rest) = directory.split_at(last);
            } else {
                return !(self.rest == "." && self.directory.is_empty() && self.rooted);
            }
        }
    }
}

/// Appends `path` to `out` without the dot segments that `rules` remove.
pub(super) fn push_path(rules: &Rules, mut path: Joined<'_>, out: &mut String) {
    if path.rest.is_empty() && path.directory.is_empty() && !path.rooted {
        return;
    }
    if rules.trailing_dot == TrailingDot::TakesSlash && !path.trim_final_dots() {
        return;
    }
    let mut kept = Kept::new(path.rooted, out);
    // Without its last slash, so that the pieces meet as neighbouring segments.
    if let Some(directory) = path.directory.strip_suffix('/') {
        directory.split('/').for_each(|segment| kept.push(rules, segment, false));
    }
    let (inner, last) = path.rest.rsplit_once('/').map_or((None, path.rest), |(inner, last)| (Some(inner), last));
    if let Some(inner) = inner {
        inner.split('/').for_each(|segment| kept.push(rules, segment, false));
    }
    kept.push(rules, last, true);
    kept.finish();
}

/// The segments written so far.
struct Kept<'a> {
    out: &'a mut String,
    /// Where the path begins in `out`.
    start: usize,
    rooted: bool,
    /// How many segments are written.
    segments: usize,
    /// Where the last of them begins in `out`, once it was looked for: no segment is read twice to find it.
    top: Option<usize>,
    /// Whether a segment was read, even if none is left of it.
    begun: bool,
}

impl<'a> Kept<'a> {
    fn new(rooted: bool, out: &'a mut String) -> Self {
        let start = out.len();
        if rooted {
            out.push('/');
        }
        Self { out, start, rooted, segments: 0, top: None, begun: false }
    }

    fn push(&mut self, rules: &Rules, segment: &str, last: bool) {
        let first = !core::mem::replace(&mut self.begun, true);
        match segment {
            "." if first && self.dot_stays(rules) => self.write(segment),
            "." if !last => {}
            "." => self.write(""),
            ".." if last && rules.trailing_dotdot == TrailingDotdot::Kept => self.write(segment),
            ".." => self.parent(rules, last),
            _ => self.write(segment),
        }
    }

    /// A `.` with no slash before it, where the pattern begins with one.
    fn dot_stays(&self, rules: &Rules) -> bool {
        rules.leading_dot == LeadingDot::Kept && !self.rooted
    }

    fn parent(&mut self, rules: &Rules, last: bool) {
        if self.segments > 0 && self.top_may_go(rules.dotdot_removes) {
            self.drop_top(rules);
            if last {
                self.write("");
            }
        } else if rules.excess == Excess::Kept {
            self.write("..");
        } else if last {
            self.write("");
        }
    }

    /// The last segment written, and whether an empty one stands before it.
    fn top(&mut self) -> (&str, bool) {
        let at = self.top_start();
        let before = self.out[self.first()..at].strip_suffix('/');
        (&self.out[at..], before.is_some_and(|path| path.is_empty() || path.ends_with('/')))
    }

    fn top_start(&mut self) -> usize {
        let first = self.first();
        *self.top.get_or_insert_with(|| self.out[first..].rfind('/').map_or(first, |slash| first + slash + 1))
    }

    /// Where the first segment begins in `out`.
    fn first(&self) -> usize {
        self.start + usize::from(self.rooted)
    }

    fn top_may_go(&mut self, removes: DotdotRemoves) -> bool {
        match removes {
            DotdotRemoves::Any => true,
            DotdotRemoves::NotDotdot => self.top().0 != "..",
            DotdotRemoves::Named => {
                let slash_before = self.rooted || self.segments > 1;
                let (segment, after_void) = self.top();
                !matches!(segment, "" | "..") && slash_before && !after_void
            }
        }
    }

    fn drop_top(&mut self, rules: &Rules) {
        let top = self.top_start();
        self.top = None;
        self.segments -= 1;
        if self.segments == 0 {
            self.out.truncate(top);
            if !self.rooted && rules.rootless_first == RootlessFirst::LeavesSlash {
                self.rooted = true;
                self.out.push('/');
            }
        } else {
            // With the slash before it.
            self.out.truncate(top - 1);
        }
    }

    fn write(&mut self, segment: &str) {
        if self.segments > 0 {
            self.out.push('/');
        }
        self.top = Some(self.out.len());
        self.out.push_str(segment);
        self.segments += 1;
    }

    /// A root with no segment behind it, not even an empty one, is no path.
    fn finish(self) {
        if self.segments == 0 {
            self.out.truncate(self.start);
        }
    }
}
