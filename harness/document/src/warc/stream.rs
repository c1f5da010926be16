//! The decoded bytes of a WARC file: plain, or gzip by member.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;
use memchr::memmem;

use super::Offset;
use super::input::{Input, Seek};

/// The size of the buffer for decoded bytes. [`Stream::peek`] returns at most this many.
const DECODED: usize = 256 << 10;

/// The first bytes of a gzip member that is compressed by "deflate", the only method there is (RFC 1952 §2.3).
pub(super) const GZIP: [u8; 3] = [0x1f, 0x8b, 8];

/// The bits of the flags that are zero in each member (RFC 1952 §2.3.1.2).
const RESERVED: u8 = 0b1110_0000;

/// The number of bytes at the end of a search window that could be the start of a record.
const OVERLAP: usize = 8;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Form {
    Plain,
    Gzip,
}

/// The reason why a stream cannot be read on.
pub(super) enum Broken {
    /// The record or the gzip member is damaged, as this sentence describes.
    Damaged(String),
    /// The file cannot be read.
    Unreadable(io::Error),
}

impl From<&str> for Broken {
    fn from(sentence: &str) -> Self {
        Self::Damaged(sentence.to_owned())
    }
}

/// A stream of segments. A segment is a gzip member, or everything that is not compressed.
pub(super) struct Stream<R> {
    /// The decoder of the current member. It also holds the input while nothing is compressed.
    decoder: GzDecoder<Input<R>>,
    /// The form of the current segment; `None` before the first one.
    form: Option<Form>,
    /// Whether the first bytes were damaged, and a plain record was found after them. It may be part of a damaged member, since
    /// members contain text that cannot be compressed.
    is_guessed: bool,
    /// Whether the current segment has been begun.
    is_within: bool,
    /// The offset in the file to return from in [`Stream::recover`]: that of the member, or of the plain record.
    origin: u64,
    /// Decoded bytes of the current member. `passed` is the number of decoded bytes before them.
    decoded: Vec<u8>,
    at: usize,
    end: usize,
    passed: u64,
}

impl<R: Read> Stream<R> {
    pub(super) fn new(source: R, seek: Option<Seek<R>>) -> Self {
        let mut decoder = GzDecoder::new(Input::hollow());
        // The decoder has found no header in the empty input, so it starts again.
        decoder.reset(Input::new(source, seek));
        Self {
            decoder,
            form: None,
            is_guessed: false,
            is_within: false,
            origin: 0,
            decoded: Vec::new(),
            at: 0,
            end: 0,
            passed: 0,
        }
    }

    fn input(&mut self) -> &mut Input<R> {
        self.decoder.get_mut()
    }

    /// Moves to the next record, and returns its offset, or `None` at the end of the file.
    pub(super) fn begin_record(&mut self) -> Result<Option<Offset>, Broken> {
        loop {
            if !self.is_within && !self.begin_segment()? {
                return Ok(None);
            }
            self.skip_line_ends()?;
            if self.peek(1)?.is_empty() {
                self.is_within = false;
                continue;
            }
            if self.form == Some(Form::Gzip) {
                return Ok(Some(Offset { file: self.origin, within: self.passed + self.at as u64 }));
            }
            self.input().mark();
            self.origin = self.input().offset();
            return Ok(Some(Offset { file: self.origin, within: 0 }));
        }
    }

    /// Begins the segment at the current position. Returns false at the end of the file.
    fn begin_segment(&mut self) -> Result<bool, Broken> {
        self.input().mark();
        self.origin = self.input().offset();
        let start = self.plain(4)?;
        if start.is_empty() {
            return Ok(false);
        }
        match gzip_at(start) {
            Some(0) => self.begin_member(),
            _ if self.form == Some(Form::Gzip) => return Err("a gzip member should begin here".into()),
            _ => (self.form, self.is_within) = (Some(Form::Plain), true),
        }
        Ok(true)
    }

    fn begin_member(&mut self) {
        let input = std::mem::replace(self.input(), Input::hollow());
        self.decoder.reset(input);
        (self.at, self.end, self.passed) = (0, 0, 0);
        (self.form, self.is_within) = (Some(Form::Gzip), true);
    }

    /// Skips line ends. Returns whether they were the two that end a record.
    pub(super) fn skip_line_ends(&mut self) -> Result<bool, Broken> {
        let is_end = self.peek(4)?.starts_with(b"\r\n\r\n");
        loop {
            let bytes = self.peek(1)?;
            let count = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            if count == 0 {
                return Ok(is_end);
            }
            self.consume(count);
        }
    }

    /// Returns decoded bytes: at least `count`, or all bytes up to the end of the segment. At the end of a gzip member,
    /// its checksum has been compared.
    pub(super) fn peek(&mut self, count: usize) -> Result<&[u8], Broken> {
        if self.form != Some(Form::Gzip) {
            return self.plain(count);
        }
        if self.decoded.is_empty() {
            self.decoded = vec![0; DECODED];
        }
        if self.end - self.at < count && self.at > 0 {
            self.decoded.copy_within(self.at..self.end, 0);
            self.passed += self.at as u64;
            (self.at, self.end) = (0, self.end - self.at);
        }
        while self.end - self.at < count && self.end < DECODED {
            match self.decoder.read(&mut self.decoded[self.end..]) {
                Ok(0) => break,
                Ok(count) => self.end += count,
                Err(error) => return Err(self.broken(&error)),
            }
        }
        Ok(&self.decoded[self.at..self.end])
    }

    fn plain(&mut self, count: usize) -> Result<&[u8], Broken> {
        let input = self.decoder.get_mut();
        match input.peek(count) {
            // The borrow of the failed call would last too long.
            Ok(_) => input.peek(0).map_err(Broken::Unreadable),
            Err(error) => Err(Broken::Unreadable(input.take_failure().unwrap_or(error))),
        }
    }

    fn broken(&mut self, error: &io::Error) -> Broken {
        match self.input().take_failure() {
            Some(error) => Broken::Unreadable(error),
            None if error.kind() == io::ErrorKind::UnexpectedEof => "the file ends within this gzip member".into(),
            None => Broken::Damaged(format!("the gzip member is damaged: {error}")),
        }
    }

    pub(super) fn consume(&mut self, count: usize) {
        match self.form {
            Some(Form::Gzip) => self.at = (self.at + count).min(self.end),
            _ => self.input().consume(count),
        }
    }

    /// Returns what to call the end of the current segment.
    pub(super) fn end_name(&self) -> &'static str {
        if self.form == Some(Form::Gzip) { "gzip member" } else { "file" }
    }

    /// Returns the place of the current record or member.
    pub(super) fn origin(&self) -> Offset {
        Offset { file: self.origin, within: 0 }
    }

    pub(super) fn is_compressed(&self) -> bool {
        self.form == Some(Form::Gzip)
    }

    /// Goes back to the start of the record or member that is damaged, and moves to the next record after it. Returns
    /// false if there is no further record.
    pub(super) fn recover(&mut self) -> Result<bool, io::Error> {
        // The form of a file is known if its first bytes are not damaged.
        let form = self.form.filter(|_| self.is_known());
        self.is_within = false;
        let mut from = self.origin + 1;
        loop {
            self.input().go_back(from)?;
            let Some(found) = self.search(form)? else { return Ok(false) };
            self.origin = self.input().offset();
            self.input().mark();
            if found == Form::Plain {
                self.is_guessed |= form.is_none();
                (self.form, self.is_within) = (Some(found), true);
                return Ok(true);
            }
            self.begin_member();
            match self.peek(5) {
                Ok(start) if start.starts_with(b"WARC/") => return Ok(true),
                Err(Broken::Unreadable(error)) => return Err(error),
                // The bytes of a gzip header also occur by chance.
                _ => (from, self.is_within) = (self.origin + 1, false),
            }
        }
    }

    /// Returns whether the form of the file is certain: plain text could also be a member whose first bytes are damaged.
    fn is_known(&self) -> bool {
        self.form == Some(Form::Gzip) || self.origin > 0 && !self.is_guessed
    }

    /// Moves to the next bytes that could begin a record or a member of `form`, or of both if the form is unknown.
    fn search(&mut self, form: Option<Form>) -> io::Result<Option<Form>> {
        loop {
            let bytes = match self.plain(4 << 10) {
                Ok(bytes) => bytes,
                Err(Broken::Unreadable(error)) => return Err(error),
                Err(Broken::Damaged(why)) => return Err(io::Error::other(why)),
            };
            let is_over = bytes.len() <= OVERLAP;
            let gzip = gzip_at(bytes).filter(|_| form != Some(Form::Plain));
            let plain = version_at(bytes).filter(|_| form != Some(Form::Gzip));
            let found = match (gzip, plain) {
                (Some(gzip), plain) if plain.is_none_or(|plain| gzip < plain) => Some((gzip, Form::Gzip)),
                (_, plain) => plain.map(|at| (at, Form::Plain)),
            };
            let count = found.map_or_else(|| bytes.len().saturating_sub(OVERLAP), |found| found.0);
            self.input().consume(count);
            if is_over || found.is_some() {
                return Ok(found.filter(|_| !is_over).map(|found| found.1));
            }
        }
    }
}

/// Returns the index of the first bytes that could begin a gzip member.
fn gzip_at(bytes: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, &GZIP).find(|at| bytes.get(at + 3).is_some_and(|flags| flags & RESERVED == 0))
}

/// Returns the index of the first bytes that could be the version of WARC, which begins a plain record.
///
/// They need not be at the start of a line, since the line end before them may be damaged.
fn version_at(bytes: &[u8]) -> Option<usize> {
    let is_version = |rest: &[u8]| matches!(rest, [b'0'..=b'9', b'.', b'0'..=b'9', ..]);
    memmem::find_iter(bytes, b"WARC/").find(|at| is_version(&bytes[at + b"WARC/".len()..]))
}
