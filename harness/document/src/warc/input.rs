//! The bytes of a file or stream, with a way back to a record that turned out to be damaged.

use std::io::{self, BufRead, Read};

/// The maximum number of bytes before the current position that are kept of a stream, in bytes. A file needs none of
/// them, since it is read again.
const MAX_KEPT: usize = 16 << 20;

/// The number of bytes that are requested at a time.
const CHUNK: usize = 64 << 10;

/// The number of bytes that may be read again in any case. Beyond it, twice the size of the input may be.
const MAX_AGAIN: u64 = 64 << 20;

/// Moves a source to an offset.
pub(super) type Seek<R> = fn(&mut R, u64) -> io::Result<()>;

/// A buffered input that knows its offset and can go back.
///
/// The total distance of all ways back is limited, so that an input that consists of records which claim to be long
/// takes linear time.
pub(super) struct Input<R> {
    /// The source; `None` only in the value that takes the place of another input for a moment.
    source: Option<R>,
    seek: Option<Seek<R>>,
    /// The bytes from the offset `start` on. `at` is the index of the current position, `end` that of the first unread
    /// byte.
    bytes: Vec<u8>,
    start: u64,
    at: usize,
    end: usize,
    /// The offset from which bytes are kept, as far as [`MAX_KEPT`] allows.
    mark: u64,
    /// The total distance of all ways back, and the greatest offset that was reached.
    again: u64,
    furthest: u64,
    /// The error of the source. A decoder between the source and the caller may replace it.
    failure: Option<io::Error>,
}

impl<R: Read> Input<R> {
    pub(super) fn new(source: R, seek: Option<Seek<R>>) -> Self {
        Self { source: Some(source), seek, ..Self::hollow() }
    }

    /// Returns an empty input, which takes the place of another input for a moment.
    pub(super) fn hollow() -> Self {
        let (bytes, source, seek, failure) = (Vec::new(), None, None, None);
        Self { source, seek, bytes, start: 0, at: 0, end: 0, mark: 0, again: 0, furthest: 0, failure }
    }

    /// Returns the offset of the next byte.
    pub(super) fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    /// Keeps the bytes from the current position on, so that [`Input::go_back`] reaches them.
    pub(super) fn mark(&mut self) {
        self.mark = self.offset();
    }

    /// Returns the error of the source, if it had one.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Returns all bytes from the current position on that are in memory: at least `count`, or all bytes up to the end
    /// of the input.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.end - self.at < count && self.read_more()? > 0 {}
        Ok(&self.bytes[self.at..self.end])
    }

    /// Moves back to the offset `to`, or as close to it as possible. If `to` is the offset after the current one, moves forward.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot seek or cannot be read.
    pub(super) fn go_back(&mut self, to: u64) -> io::Result<()> {
        if to > self.offset() {
            self.peek(1)?;
            self.consume(1);
            return Ok(());
        }
        let distance = self.offset().saturating_sub(to);
        self.furthest = self.furthest.max(self.offset());
        self.again += distance.max(CHUNK as u64);
        if distance == 0 || self.again > MAX_AGAIN.saturating_add(2 * self.furthest) {
            return Ok(());
        }
        match (to.checked_sub(self.start), self.seek, &mut self.source) {
            (Some(at), ..) => self.at = at as usize,
            (None, Some(seek), Some(source)) => {
                seek(source, to)?;
                (self.start, self.at, self.end) = (to, 0, 0);
            }
            _ => self.at = 0,
        }
        Ok(())
    }

    /// Reads once, and returns the number of bytes that were read.
    fn read_more(&mut self) -> io::Result<usize> {
        self.make_room();
        let Some(source) = &mut self.source else { return Ok(0) };
        loop {
            match source.read(&mut self.bytes[self.end..]) {
                Ok(count) => {
                    self.end += count;
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    self.failure = Some(error);
                    return Err(kind.into());
                }
            }
        }
    }

    /// Makes room for a chunk at the end: by removing the bytes at the start if they are at least half of all, otherwise by
    /// growing.
    fn make_room(&mut self) {
        if self.bytes.len() - self.end >= CHUNK {
            return;
        }
        let kept = match self.seek {
            Some(_) => 0,
            None => usize::try_from(self.offset().saturating_sub(self.mark)).unwrap_or(MAX_KEPT).min(MAX_KEPT),
        };
        let unneeded = self.at.saturating_sub(kept);
        if unneeded >= self.bytes.len() / 2 {
            self.bytes.copy_within(unneeded..self.end, 0);
            (self.at, self.end) = (self.at - unneeded, self.end - unneeded);
            self.start += unneeded as u64;
        }
        if self.bytes.len() - self.end < CHUNK {
            self.bytes.resize((self.bytes.len() * 2).max(4 * CHUNK), 0);
        }
    }
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Input<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.end);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, Read};

    use super::{CHUNK, Input, MAX_KEPT};

    #[test]
    fn a_stream_goes_back_to_the_mark_within_its_limit() {
        let bytes: Vec<u8> = (0..MAX_KEPT as u32 / 2).flat_map(u32::to_le_bytes).collect();
        let mut input = Input::new(bytes.as_slice(), None);
        input.consume(0);
        for count in [5, CHUNK, 3 * CHUNK] {
            input.mark();
            let from = input.offset() as usize;
            let mut read = vec![0; count];
            input.read_exact(&mut read).expect("memory can be read");
            input.go_back(from as u64).expect("memory");
            assert_eq!(input.peek(4).expect("memory")[..4], bytes[from..from + 4]);
        }
        let from = input.offset();
        std::io::copy(&mut input, &mut std::io::sink()).expect("memory");
        input.go_back(from).expect("memory");
        let at = input.offset();
        assert!(at > from && at as usize <= bytes.len() - MAX_KEPT, "{at}");
        assert_eq!(input.peek(4).expect("memory")[..4], bytes[at as usize..at as usize + 4]);
        assert!(input.bytes.len() <= 4 * MAX_KEPT, "{}", input.bytes.len());
    }
}
