//! Resolution of many pairs in parallel. Each input line is a base, a tab and a reference; each output line is the
//! result of the line with the same number.
//!
//! A thread reads ahead. While the results of a chunk are written, all cores resolve the next one. Buffers are used again, and a
//! line is not copied before it is resolved.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError};
use std::thread;

use memchr::{memchr, memchr_iter, memrchr};
use rayon::prelude::*;
use urlstrata::fast::Base;
use urlstrata::rules::Rules;

use crate::engine::{Engine, ask};
use crate::lines::{MAX_LINE, not_utf8, too_long};
use crate::outcome::Outcome;
use crate::pairs::split;

/// The number of bytes that are read at once.
const CHUNK: usize = 1 << 20;

/// The number of bytes that a thread resolves as one task. A task ends with a line.
const SHARE: usize = 128 << 10;

/// The number of chunks that are read ahead.
const AHEAD: usize = 2;

/// A line that is not a pair.
#[derive(Debug, Eq, PartialEq)]
pub struct BadLine {
    /// The number of the line, counted from 1.
    pub line: u64,
    /// The reason as a sentence.
    pub why: String,
}

/// The reason why a stream ended early.
#[derive(Debug)]
pub enum StreamError {
    /// The input cannot be read.
    Input(io::Error),
    /// The results cannot be written.
    Output(io::Error),
}

/// Resolves every pair of `input` with `engine`, and writes a line for each to `out`.
///
/// The line is the URL, or another [`Outcome`] as it is displayed. An empty line stays empty. A line that is not a pair
/// is passed to `report`, and its result is `skipped: ` with the reason. `progress` receives the number of lines
/// written so far.
///
/// Memory is bounded by some megabytes plus the longest line, and a program that writes single lines to a pipe receives each
/// result without delay.
///
/// # Errors
///
/// Returns an error if `input` cannot be read or `out` cannot be written. Results of earlier reads are already written
/// then.
pub fn resolve_pairs(
    engine: &dyn Engine,
    input: impl Read + Send + 'static,
    out: &mut dyn Write,
    report: &mut dyn FnMut(BadLine),
    progress: &mut dyn FnMut(u64),
) -> Result<(), StreamError> {
    let (chunks, free) = read_ahead(input);
    let mut lines = 0;
    let mut write = |results: &mut Results| {
        for share in &mut results.shares[..results.used] {
            out.write_all(share.results.as_bytes()).map_err(StreamError::Output)?;
            share.bad.drain(..).for_each(|(at, why)| report(BadLine { line: lines + at + 1, why }));
            lines += share.lines;
        }
        results.used = 0;
        out.flush().map_err(StreamError::Output)?;
        progress(lines);
        Ok(())
    };
    let (mut finished, mut next, mut is_first) = (Results::default(), Results::default(), true);
    loop {
        let chunk = match chunks.try_recv() {
            Err(TryRecvError::Empty) if finished.used > 0 => {
                write(&mut finished)?;
                continue;
            }
            Err(TryRecvError::Empty) => chunks.recv().ok(),
            other => other.ok(),
        };
        let chunk = match chunk {
            Some(Ok(chunk)) => chunk,
            Some(Err(error)) => {
                write(&mut finished)?;
                return Err(StreamError::Input(error));
            }
            None => return write(&mut finished),
        };
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| next.resolve(engine, &chunk, is_first));
            write(&mut finished)
        })?;
        is_first = false;
        std::mem::swap(&mut finished, &mut next);
        // The thread has ended if the input has.
        let _ = free.send(chunk);
    }
}

/// Whole lines of the input.
struct Chunk {
    buffer: Vec<u8>,
    /// The length of the lines in `buffer`, with their ends.
    length: usize,
    /// The length of the line, if the chunk is one that is too long. `buffer` does not contain it.
    too_long: Option<usize>,
}

/// Reads `input` in a thread of its own. Returns the chunks, and where their buffers are given back.
fn read_ahead(input: impl Read + Send + 'static) -> (Receiver<io::Result<Chunk>>, mpsc::Sender<Chunk>) {
    let (sender, chunks) = mpsc::sync_channel(AHEAD);
    let (free, used) = mpsc::channel();
    // The thread is not joined: it may wait for an input that never ends when the output is closed.
    thread::spawn(move || {
        if let Err(error) = send_lines(input, &sender, &used) {
            let _ = sender.send(Err(error));
        }
    });
    (chunks, free)
}

/// Sends the lines of `input` to `chunks`, in buffers from `used` where there are some. Ends if nobody receives them.
fn send_lines(mut input: impl Read, chunks: &SyncSender<io::Result<Chunk>>, used: &Receiver<Chunk>) -> io::Result<()> {
    let mut buffer = Vec::new();
    let mut filled = 0;
    // The length of the part of a line that is no longer in the buffer because the line is too long.
    let mut dropped = 0;
    loop {
        if buffer.len() < filled + CHUNK {
            buffer.resize(filled + CHUNK, 0);
        }
        let read = match input.read(&mut buffer[filled..]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read?,
        };
        let end = memrchr(b'\n', &buffer[filled..filled + read]).map(|at| filled + at + 1);
        filled += read;
        // The last line may lack its end.
        let end = if read == 0 && filled > 0 { Some(filled) } else { end };
        let mut start = 0;
        if dropped > 0 && (end.is_some() || read == 0) {
            start = memchr(b'\n', &buffer[..filled]).map_or(filled, |at| at + 1);
            let too_long = Some(dropped + start);
            if chunks.send(Ok(Chunk { buffer: Vec::new(), length: 0, too_long })).is_err() {
                return Ok(());
            }
            dropped = 0;
        }
        match end {
            Some(end) if end > start => {
                let mut other = used.try_recv().map_or_else(|_| Vec::new(), |chunk| chunk.buffer);
                let rest = filled - end;
                if other.len() < rest {
                    other.resize(rest, 0);
                }
                other[..rest].copy_from_slice(&buffer[end..filled]);
                if start > 0 {
                    buffer.copy_within(start..end, 0);
                }
                let chunk =
                    Chunk { buffer: std::mem::replace(&mut buffer, other), length: end - start, too_long: None };
                if chunks.send(Ok(chunk)).is_err() {
                    return Ok(());
                }
                filled = rest;
            }
            Some(end) => {
                buffer.copy_within(end..filled, 0);
                filled -= end;
            }
            None if filled > MAX_LINE || dropped > 0 => {
                dropped += filled;
                filled = 0;
                buffer.truncate(CHUNK);
            }
            None => {}
        }
        if read == 0 {
            return Ok(());
        }
    }
}

/// The results of a chunk.
#[derive(Default)]
struct Results {
    /// The results of parts of the chunk, in their order; those after the first `used` are of earlier chunks.
    shares: Vec<Share>,
    used: usize,
}

impl Results {
    fn resolve(&mut self, engine: &dyn Engine, chunk: &Chunk, is_first: bool) {
        if let Some(length) = chunk.too_long {
            self.extend(1);
            let share = &mut self.shares[0];
            share.clear();
            share.skip(too_long(length));
            return;
        }
        let text = &chunk.buffer[..chunk.length];
        let text = if is_first { text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text) } else { text };
        let parts = parts(text);
        self.extend(parts.len());
        self.shares.par_iter_mut().zip(parts).for_each(|(share, part)| share.resolve(engine, part));
    }

    fn extend(&mut self, used: usize) {
        self.used = used;
        self.shares.resize_with(self.shares.len().max(used), Share::default);
    }
}

/// Divides `text` into parts of about [`SHARE`] bytes that end with a line.
fn parts(mut text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::with_capacity(text.len() / SHARE + 1);
    while let Some(end) = text.get(SHARE..).and_then(|rest| memchr(b'\n', rest)) {
        let (part, rest) = text.split_at(SHARE + end + 1);
        parts.push(part);
        text = rest;
    }
    parts.push(text);
    parts
}

/// The results of a part of a chunk.
#[derive(Default)]
struct Share {
    /// The lines of the output.
    results: String,
    /// The index of each line that is not a pair, from 0, with the reason.
    bad: Vec<(u64, String)>,
    /// The number of lines.
    lines: u64,
}

impl Share {
    fn clear(&mut self) {
        self.results.clear();
        self.bad.clear();
        self.lines = 0;
    }

    /// Replaces the results by those of the lines of `part`.
    fn resolve(&mut self, engine: &dyn Engine, part: &[u8]) {
        self.clear();
        let rules = engine.row();
        let mut prepared = None;
        if let Ok(text) = str::from_utf8(part) {
            lines(part).for_each(|(start, end)| self.line(engine, rules, &text[start..end], &mut prepared));
            return;
        }
        for (start, end) in lines(part) {
            match str::from_utf8(&part[start..end]) {
                Ok(text) => self.line(engine, rules, text, &mut prepared),
                Err(error) => self.skip(not_utf8(&error)),
            }
        }
    }

    fn skip(&mut self, why: String) {
        self.results += &Outcome::Skipped(why.clone()).to_string();
        self.bad.push((self.lines, why));
        self.end_line();
    }

    fn end_line(&mut self) {
        self.results.push('\n');
        self.lines += 1;
    }

    /// Appends the result of a line. Under a rule set, a base is prepared once for consecutive lines with the same base.
    #[inline]
    fn line<'a>(
        &mut self,
        engine: &dyn Engine,
        rules: Option<&Rules>,
        text: &'a str,
        prepared: &mut Option<(&'a str, Base<'a>)>,
    ) {
        if text.is_empty() {
            return self.end_line();
        }
        if text.len() > MAX_LINE {
            return self.skip(too_long(text.len()));
        }
        // A base contains no tab, so a line that begins with the last base and a tab has the same base.
        if let Some((own, base)) = prepared
            && let Some(reference) = text.strip_prefix(*own).and_then(|rest| rest.strip_prefix('\t'))
            && base.resolve_into(reference, &mut self.results).is_ok()
        {
            return self.end_line();
        }
        let (base, reference) = match split(text) {
            Ok(pair) => pair,
            Err(why) => return self.skip(why),
        };
        if let Some(rules) = rules {
            let (_, own) = prepared.insert((base, Base::new(rules, base)));
            if own.resolve_into(reference, &mut self.results).is_ok() {
                return self.end_line();
            }
        }
        match ask(engine, base, reference) {
            Outcome::Url(url) => self.results += &url,
            other => self.results += &other.to_string(),
        }
        self.end_line();
    }
}

/// Returns the start and the end of each line of `text`, without the line ends.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let unended = (!text.is_empty() && !text.ends_with(b"\n")).then_some(text.len());
    let mut start = 0;
    memchr_iter(b'\n', text).chain(unended).map(move |end| {
        let line = (start, if end > start && text[end - 1] == b'\r' { end - 1 } else { end });
        start = end + 1;
        line
    })
}
