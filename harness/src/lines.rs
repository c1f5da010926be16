//! The lines of an input that may contain arbitrary bytes.

use std::io::{self, BufRead, BufReader};
use std::str::Utf8Error;

/// The maximum length of a line, in bytes, including its line end.
pub const MAX_LINE: usize = 256 << 20;

/// Returns a sentence about a line of `length` bytes, which is longer than [`MAX_LINE`].
pub(crate) fn too_long(length: usize) -> String {
    format!("{length} bytes long, the limit is {MAX_LINE}")
}

/// Returns a sentence about a line that is not UTF-8.
pub(crate) fn not_utf8(error: &Utf8Error) -> String {
    format!("not UTF-8 from byte {} on", error.valid_up_to() + 1)
}

/// A reader of lines from an input that may contain arbitrary bytes.
pub struct Lines<R> {
    input: R,
    number: u64,
}

/// A line, or the reason why it is invalid.
#[derive(Debug, Eq, PartialEq)]
pub enum Line {
    /// The line without its line end. A byte order mark at the start of the first line is removed.
    Text(String),
    /// The reason why the line is invalid: it is too long or not UTF-8.
    Bad(String),
}

impl<R: BufRead> Lines<R> {
    /// Creates a reader of the lines of `input`.
    pub fn new(input: R) -> Self {
        Self { input, number: 0 }
    }

    /// Returns the number of the last line that was read, from 1, or 0 before the first line.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line. Returns `None` at the end of the input. A line longer than [`MAX_LINE`] is skipped and
    /// returned as [`Line::Bad`].
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let mut length = 0_usize;
        loop {
            let chunk = self.input.fill_buf()?;
            if chunk.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', chunk);
            let read = end.map_or(chunk.len(), |at| at + 1);
            length += read;
            if length <= MAX_LINE {
                bytes.extend_from_slice(&chunk[..read]);
            }
            self.input.consume(read);
            if end.is_some() {
                break;
            }
        }
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        if length > MAX_LINE {
            return Ok(Some(Line::Bad(too_long(length))));
        }
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let bytes = if self.number == 1 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) } else { bytes };
        Ok(Some(match std::str::from_utf8(bytes) {
            Ok(text) => Line::Text(text.to_owned()),
            Err(error) => Line::Bad(not_utf8(&error)),
        }))
    }
}

impl<R: io::Read> Lines<BufReader<R>> {
    /// Reads the next line, and all further complete lines that are already buffered. Returns an empty vector at the
    /// end of the input.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read.
    pub fn next_lines(&mut self) -> io::Result<Vec<Line>> {
        let Some(first) = self.next_line()? else { return Ok(Vec::new()) };
        let mut lines = vec![first];
        while memchr::memchr(b'\n', self.input.buffer()).is_some() {
            lines.extend(self.next_line()?);
        }
        Ok(lines)
    }
}
