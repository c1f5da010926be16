//! The lines of recordings after the first ones, with an answer each.

use std::fmt;

use urlstrata_engines::{Lines, Recording};

/// The number of lines before the first answer.
pub(super) const HEAD: usize = 4;

/// The lines of a recording after the first ones.
#[derive(Clone, Debug)]
pub(super) enum Rows {
    /// The lines of a text, and the start of each of them, and the end of the last one.
    Text(String, Vec<usize>),
    /// The lines of a file in the program.
    Packed(Lines),
}

impl Rows {
    /// Divides `text`.
    pub(super) fn of(text: String) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        let unended = (!text.is_empty() && !text.ends_with('\n')).then_some(text.len());
        let starts = std::iter::once(0).chain(ends).chain(unended).collect();
        Self::Text(text, starts)
    }

    /// Returns the lines of `recording`. They are unpacked when they are needed.
    pub(super) fn packed(recording: &'static Recording) -> Self {
        Self::Packed(recording.lines())
    }

    /// Returns line `number`, without its end.
    pub(super) fn get(&self, number: usize) -> Option<&str> {
        match self {
            Self::Text(text, starts) => {
                Some(text[*starts.get(number)?..*starts.get(number + 1)?].trim_end_matches(['\n', '\r']))
            }
            Self::Packed(lines) => lines.get(number),
        }
    }

    /// Returns the lines.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..).map_while(|number| self.get(number))
    }
}

impl fmt::Display for Rows {
    /// Writes the lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
