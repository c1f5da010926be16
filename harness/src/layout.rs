//! The layout of text for a reader: the width of lines, and the marks of what differs.

use std::ops::Range;

/// The width of a line, and whether marks have a colour.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Layout {
    /// The number of columns.
    pub width: usize,
    /// Whether marks are written in colour, by the escape sequences of terminals.
    pub has_colour: bool,
}

impl Layout {
    /// The layout for a reader of whom nothing is known: 80 columns without colour.
    pub const PLAIN: Self = Self { width: 80, has_colour: false };

    /// Returns `text` in lines of at most [`Self::width`] columns. The first line begins with `start`, and the others with `indent` spaces.
    ///
    /// A word that is longer than a line is not divided.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlstrata_harness::layout::Layout;
    ///
    /// let layout = Layout { width: 12, has_colour: false };
    /// assert_eq!(layout.wrapped("- ", 2, "one two three"), "- one two\n  three\n");
    /// ```
    pub fn wrapped(&self, start: &str, indent: usize, text: &str) -> String {
        let (mut out, mut line, mut is_empty) = (String::new(), start.to_owned(), true);
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            if !is_empty && columns(&line) + 1 + columns(word) > self.width {
                out.extend([line.trim_end(), "\n"]);
                (line, is_empty) = (" ".repeat(indent), true);
            }
            if !is_empty {
                line.push(' ');
            }
            line.push_str(word);
            is_empty = false;
        }
        out.extend([line.trim_end(), "\n"]);
        out
    }

    /// Returns `names` in lines like [`Self::wrapped`], with two spaces between them. A name is not divided.
    pub fn listed(&self, start: &str, indent: usize, names: &[String]) -> String {
        let (mut out, mut line, mut is_empty) = (String::new(), start.to_owned(), true);
        for name in names {
            if !is_empty && columns(&line) + 2 + columns(name) > self.width {
                out.extend([line.trim_end(), "\n"]);
                (line, is_empty) = (" ".repeat(indent), true);
            }
            line.push_str(if is_empty { "" } else { "  " });
            line.push_str(name);
            is_empty = false;
        }
        out.extend([line.trim_end(), "\n"]);
        out
    }

    /// Returns `text` with each line that is too long in lines that are not. The further lines are indented by four more columns.
    ///
    /// Lines of tables, which are drawn, and of Markdown, which are not indented, stay as they are.
    pub fn refolded(&self, text: &str) -> String {
        let mut out = String::new();
        for line in text.lines() {
            let indent = columns(line) - columns(line.trim_start());
            if columns(line) <= self.width || indent == 0 || line.contains(['─', '│', '┆']) {
                out.extend([line, "\n"]);
                continue;
            }
            out += &self.wrapped(&" ".repeat(indent), indent + 4, line.trim_start());
        }
        out
    }

    /// Returns `text` as a heading: bold if there are colours.
    pub fn bold(&self, text: &str) -> String {
        self.styled("1", text)
    }

    /// Returns `text` with `range` in the colour of a difference.
    pub fn marked(&self, text: &str, range: &Range<usize>) -> String {
        let (before, after) = (&text[..range.start], &text[range.end..]);
        format!("{before}{}{after}", self.styled("1;31", &text[range.clone()]))
    }

    fn styled(&self, style: &str, text: &str) -> String {
        match self.has_colour && !text.is_empty() {
            true => format!("\x1b[{style}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

/// Returns the number of columns of `text`, without its escape sequences. Each character has one column.
pub fn columns(text: &str) -> usize {
    let (mut count, mut is_escape) = (0, false);
    for character in text.chars() {
        match (is_escape, character) {
            (false, '\x1b') => is_escape = true,
            (false, _) => count += 1,
            (true, 'm') => is_escape = false,
            (true, _) => {}
        }
    }
    count
}

/// Returns the carets below `range` of a text that begins after `indent` columns; `None` if the range is empty.
pub fn carets(text: &str, range: &Range<usize>, indent: usize) -> Option<String> {
    let width = text[range.clone()].chars().count();
    (width > 0).then(|| format!("{}{}", " ".repeat(indent + text[..range.start].chars().count()), "^".repeat(width)))
}

/// Returns the parts in which two URLs differ: what remains without their common beginning and their common end. A part that begins or ends
/// within an authority covers it.
///
/// # Examples
///
/// ```
/// use urlstrata_harness::layout::differing;
///
/// let [one, other] = differing("http://www.example/e", "http:///e");
/// assert_eq!(("http://www.example/e"[one].to_owned(), other.len()), ("www.example".to_owned(), 0));
/// ```
pub fn differing(one: &str, other: &str) -> [Range<usize>; 2] {
    let common: usize = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (left, right) = (&one[common..], &other[common..]);
    let both = left.chars().rev().zip(right.chars().rev());
    let end: usize = both.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let ranges = [common..one.len() - end, common..other.len() - end];
    let authorities = [authority(one), authority(other)];
    // What differs is compared with the bounds of both authorities, so that no name of a host is marked in part.
    let is_within = |side: usize| {
        authorities[side].as_ref().is_some_and(|it| ranges[side].start < it.end && ranges[side].end > it.start)
    };
    match (is_within(0) || is_within(1), authorities) {
        (true, [Some(left), Some(right)]) => {
            let [a, b] = ranges;
            [a.start.min(left.start)..a.end.max(left.end), b.start.min(right.start)..b.end.max(right.end)]
        }
        _ => ranges,
    }
}

/// Returns where the authority of a URL is.
fn authority(url: &str) -> Option<Range<usize>> {
    let scheme = url.find(':').filter(|at| !url[..*at].contains(['/', '?', '#']))?;
    let start = scheme + 3;
    url[scheme + 1..].starts_with("//").then(|| {
        let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |at| start + at);
        start..end
    })
}
