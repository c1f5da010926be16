//! Pairs by the million: lines of base TAB reference in, lines of results out, in the same order, on every core.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use memchr::{memchr, memrchr};
use urlstrata::fast::Base;
use urlstrata::rules::Rules;

use crate::engine::{Engine, ask};
use crate::escape::visible;
use crate::lines::MAX_LINE;
use crate::outcome::Outcome;

/// How much is read at once.
const CHUNK: usize = 1 << 20;

/// A line that is no pair.
#[derive(Debug, Eq, PartialEq)]
pub struct Bad {
    /// Its number, from 1.
    pub line: u64,
    /// A sentence about it.
    pub why: String,
}

/// Lets `engine` resolve every pair of `input`, and writes what it says to `out`, a line for a line: the URL, or `refused: `,
/// `skipped: `, `crashed: ` or `timed out: ` and why. An empty line stays one. A base that stands on lines one after the other is prepared once.
///
/// What is wrong with a line is handed to `complain`, and stands as `skipped: ` among the results; `progress` is told how many
/// lines are written. Memory is bounded by a few chunks of a megabyte for each core, and by the longest line.
///
/// # Errors
///
/// If `input` cannot be read (the first sentence is then about it) or `out` not written; what was resolved before is written.
pub fn resolve_pairs(
    engine: &dyn Engine,
    input: impl Read + Send,
    out: &mut dyn Write,
    complain: &mut dyn FnMut(Bad),
    progress: &mut dyn FnMut(u64),
) -> Result<(), StreamError> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let source = Mutex::new(Source { input, left_over: Vec::new(), first: true, next: 0, ended: false });
    let (to_writer, from_workers) = sync_channel(2 * threads);
    let (free, buffers) = sync_channel(3 * threads);
    (0..3 * threads).for_each(|_| drop(free.send(Vec::new())));
    let buffers = Mutex::new(buffers);
    thread::scope(|scope| {
        for _ in 0..threads {
            let to_writer = to_writer.clone();
            scope.spawn(|| work(engine, &source, &buffers, to_writer));
        }
        drop(to_writer);
        let written = write_in_order(&from_workers, &free, out, complain, progress);
        // With no one to take results or to hand out buffers, the workers end.
        drop((from_workers, free));
        written
    })
}

/// Why a stream ended early.
#[derive(Debug)]
pub enum StreamError {
    /// The input cannot be read.
    Input(io::Error),
    /// The results cannot be written.
    Output(io::Error),
}

/// A chunk that is resolved.
struct Done {
    /// Which chunk of the input it is.
    index: u64,
    lines: u64,
    bad: Vec<Bad>,
    results: Vec<u8>,
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Resolves one chunk after the other until there is none, or nobody wants the results.
fn work(
    engine: &dyn Engine,
    source: &Mutex<Source<impl Read>>,
    buffers: &Mutex<Receiver<Vec<u8>>>,
    to_writer: SyncSender<Result<Done, io::Error>>,
) {
    let mut chunk = Vec::new();
    loop {
        // A buffer comes before a chunk, so that whoever has the oldest chunk can always go on.
        let Ok(mut results) = unpoisoned(buffers).recv() else { return };
        let read = unpoisoned(source).read_chunk(&mut chunk);
        let done = match read {
            Ok(None) => return,
            Err(error) => Err(error),
            Ok(Some(read)) => {
                results.clear();
                let mut bad = Vec::new();
                let mut lines = Lines { engine, results: &mut results, bad: &mut bad, count: 0 };
                match read.too_long {
                    Some(length) => lines.skip(format!("{length} bytes long, the limit is {MAX_LINE}")),
                    None => lines.resolve(&chunk),
                }
                Ok(Done { index: read.index, lines: lines.count, bad, results })
            }
        };
        let failed = done.is_err();
        if to_writer.send(done).is_err() || failed {
            return;
        }
    }
}

fn write_in_order(
    from_workers: &Receiver<Result<Done, io::Error>>,
    free: &SyncSender<Vec<u8>>,
    out: &mut dyn Write,
    complain: &mut dyn FnMut(Bad),
    progress: &mut dyn FnMut(u64),
) -> Result<(), StreamError> {
    let mut waiting = BTreeMap::new();
    let (mut next, mut lines) = (0, 0);
    let mut failed = None;
    for done in from_workers {
        match done {
            Ok(done) => drop(waiting.insert(done.index, done)),
            Err(error) => failed = Some(error),
        }
        while let Some(done) = waiting.remove(&next) {
            out.write_all(&done.results).map_err(StreamError::Output)?;
            // Whoever waits for an answer to a line gets it.
            out.flush().map_err(StreamError::Output)?;
            done.bad.into_iter().for_each(|bad| complain(Bad { line: lines + bad.line, ..bad }));
            lines += done.lines;
            next += 1;
            progress(lines);
            // Nobody may be left to take it.
            let _ = free.try_send(done.results);
        }
    }
    failed.map_or(Ok(()), |error| Err(StreamError::Input(error)))
}

/// An input cut into chunks of whole lines.
struct Source<R> {
    input: R,
    /// The start of a line whose end is not read yet.
    left_over: Vec<u8>,
    /// Whether nothing is read yet.
    first: bool,
    /// The number of the next chunk.
    next: u64,
    ended: bool,
}

/// A chunk that was read.
struct ReadChunk {
    index: u64,
    /// The length of a line that is too long, in the place of a chunk.
    too_long: Option<usize>,
}

impl<R: Read> Source<R> {
    /// Reads whole lines into `chunk`: what one read gives, or as much as a line needs.
    fn read_chunk(&mut self, chunk: &mut Vec<u8>) -> io::Result<Option<ReadChunk>> {
        chunk.clear();
        chunk.append(&mut self.left_over);
        let mut too_long = None;
        while !self.ended {
            let seen = chunk.len();
            chunk.resize(seen + CHUNK, 0);
            let read = self.read_some(&mut chunk[seen..]);
            chunk.truncate(seen + read.as_ref().map_or(0, |count| *count));
            if read? == 0 {
                self.ended = true;
                break;
            }
            if let Some(end) = memrchr(b'\n', &chunk[seen..]) {
                self.left_over.extend_from_slice(&chunk[seen + end + 1..]);
                chunk.truncate(seen + end + 1);
                break;
            }
            if chunk.len() > MAX_LINE {
                too_long = Some(self.pass_over(chunk)?);
                break;
            }
        }
        if std::mem::take(&mut self.first) && chunk.starts_with(b"\xef\xbb\xbf") {
            chunk.drain(..3);
        }
        if chunk.is_empty() && too_long.is_none() {
            return Ok(None);
        }
        self.next += 1;
        Ok(Some(ReadChunk { index: self.next - 1, too_long }))
    }

    fn read_some(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    /// Reads on to the end of a line of which nothing is kept; its length.
    fn pass_over(&mut self, chunk: &mut Vec<u8>) -> io::Result<usize> {
        let mut length = chunk.len();
        chunk.clear();
        chunk.resize(CHUNK, 0);
        loop {
            let count = self.read_some(chunk)?;
            if count == 0 {
                self.ended = true;
            } else if let Some(end) = memchr(b'\n', &chunk[..count]) {
                self.left_over.extend_from_slice(&chunk[end + 1..count]);
                length += end;
            } else {
                length += count;
                continue;
            }
            chunk.clear();
            return Ok(length);
        }
    }
}

/// Lines on their way to results.
struct Lines<'a> {
    engine: &'a dyn Engine,
    results: &'a mut Vec<u8>,
    bad: &'a mut Vec<Bad>,
    count: u64,
}

impl Lines<'_> {
    fn resolve(&mut self, chunk: &[u8]) {
        let is_text = std::str::from_utf8(chunk).is_ok();
        match self.engine.row() {
            Some(rules) if is_text => self.resolve_fast(rules, chunk),
            _ => self.resolve_any(chunk),
        }
    }

    /// By the optimized engine, whose bases are prepared.
    fn resolve_fast(&mut self, rules: &Rules, chunk: &[u8]) {
        let mut last: Option<(&[u8], Base<'_, [u8]>)> = None;
        let mut rest = chunk;
        while !rest.is_empty() {
            // The same base again is told by a comparison; only another one is looked for.
            let again = last.as_ref().map(|(text, _)| text.len()).filter(|&length| {
                let same = last.as_ref().is_some_and(|(text, _)| rest.starts_with(text));
                same && rest.get(length) == Some(&b'\t')
            });
            let from = again.unwrap_or(0);
            let end = memchr(b'\n', &rest[from..]).map_or(rest.len(), |at| from + at);
            let line = without_return(&rest[..end]);
            rest = rest.get(end + 1..).unwrap_or_default();
            let Some(tab) = again.or_else(|| memchr(b'\t', line)) else {
                self.no_pair(line);
                continue;
            };
            if again.is_none() {
                last = Some((&line[..tab], Base::new(rules, &line[..tab])));
            }
            let resolved = last.as_ref().map(|(_, base)| base.resolve_into(&line[tab + 1..], self.results));
            if resolved.is_some_and(|resolved| resolved.is_err()) {
                self.results.extend_from_slice(b"refused: the rules define no result");
            }
            self.end_line();
        }
    }

    fn resolve_any(&mut self, chunk: &[u8]) {
        for line in chunk.strip_suffix(b"\n").unwrap_or(chunk).split(|&byte| byte == b'\n') {
            match std::str::from_utf8(without_return(line)) {
                Err(error) => self.skip(format!("not UTF-8 from byte {} on", error.valid_up_to() + 1)),
                Ok(line) => match line.split_once('\t') {
                    None => self.no_pair(line.as_bytes()),
                    Some((base, reference)) => {
                        self.answer(&ask(self.engine, base, reference));
                        self.end_line();
                    }
                },
            }
        }
    }

    fn answer(&mut self, outcome: &Outcome) {
        let (kind, text) = match outcome {
            Outcome::Url(url) => ("", url.clone()),
            Outcome::Refused(why) => ("refused: ", visible(why)),
            Outcome::Skipped(why) => ("skipped: ", visible(why)),
            Outcome::Crashed(why) => ("crashed: ", visible(why)),
            Outcome::TimedOut(why) => ("timed out: ", visible(why)),
        };
        self.results.extend_from_slice(kind.as_bytes());
        self.results.extend_from_slice(text.as_bytes());
    }

    fn no_pair(&mut self, line: &[u8]) {
        if line.is_empty() {
            self.end_line();
        } else {
            self.skip("no tab: a line is a base, a tab and a reference".to_owned());
        }
    }

    fn skip(&mut self, why: String) {
        self.answer(&Outcome::Skipped(why.clone()));
        self.end_line();
        self.bad.push(Bad { line: self.count, why });
    }

    fn end_line(&mut self) {
        self.results.push(b'\n');
        self.count += 1;
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
