//! Pairs by the million: lines of base TAB reference in, lines of results out, in the same order, on every core.

use std::io::{self, BufReader, Read, Write};

use rayon::prelude::*;
use urlstrata::fast::Base;

use crate::engine::{Engine, ask};
use crate::lines::{Line, Lines};
use crate::outcome::Outcome;
use crate::pairs::split;

/// How many bytes are read at once.
const CHUNK: usize = 1 << 20;

/// How many lines a thread resolves at once.
const SHARE: usize = 2048;

/// A line that is not a pair.
#[derive(Debug, Eq, PartialEq)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: u64,
    /// A sentence about it.
    pub why: String,
}

/// Why a stream ended early.
#[derive(Debug)]
pub enum StreamError {
    /// The input cannot be read.
    Input(io::Error),
    /// The results cannot be written.
    Output(io::Error),
}

/// Resolves every pair of `input` with `engine`, and writes a line for each to `out`: the URL, or what the engine did instead, as
/// [`Outcome`] is displayed. An empty line stays empty.
///
/// A line that is not a pair is passed to `report`, and is `skipped: ` with the reason among the results. `progress` receives the
/// number of lines written. What one read returns is resolved and written before the next read, so memory is bounded by some
/// megabytes and the longest line, and whoever writes a line to a pipe receives its result.
///
/// # Errors
///
/// Returns an error if `input` cannot be read or `out` cannot be written. What was resolved before that is written.
pub fn resolve_pairs(
    engine: &dyn Engine,
    input: impl Read,
    out: &mut dyn Write,
    report: &mut dyn FnMut(BadLine),
    progress: &mut dyn FnMut(u64),
) -> Result<(), StreamError> {
    let mut lines = Lines::new(BufReader::with_capacity(CHUNK, input));
    let mut done = 0;
    loop {
        let chunk = lines.next_lines().map_err(StreamError::Input)?;
        if chunk.is_empty() {
            return Ok(());
        }
        let shares: Vec<_> = chunk.par_chunks(SHARE).map(|share| resolve_share(engine, share)).collect();
        for (results, bad) in shares {
            out.write_all(results.as_bytes()).map_err(StreamError::Output)?;
            bad.into_iter().for_each(|(at, why)| report(BadLine { line: done + at + 1, why }));
            done += results.bytes().filter(|byte| *byte == b'\n').count() as u64;
        }
        out.flush().map_err(StreamError::Output)?;
        progress(done);
    }
}

/// The results of some lines, each with a line end, and the lines that are not pairs, by index from 0.
fn resolve_share(engine: &dyn Engine, lines: &[Line]) -> (String, Vec<(u64, String)>) {
    let (mut results, mut bad) = (String::new(), Vec::new());
    let mut prepared = None;
    for (at, line) in lines.iter().enumerate() {
        let pair = match line {
            Line::Text(text) if text.is_empty() => {
                results.push('\n');
                continue;
            }
            Line::Text(text) => split(text),
            Line::Bad(why) => Err(why.clone()),
        };
        match (pair, engine.row()) {
            (Err(why), _) => {
                results += &Outcome::Skipped(why.clone()).to_string();
                bad.push((at as u64, why));
            }
            // The optimized engine prepares a base once for consecutive lines.
            (Ok((base, reference)), Some(rules)) => {
                let is_prepared = |(own, _): &(&str, Base<'_, str>)| *own == base;
                let (_, own) = match prepared.take().filter(is_prepared) {
                    Some(own) => prepared.insert(own),
                    None => prepared.insert((base, Base::new(rules, base))),
                };
                if own.resolve_into(reference, &mut results).is_err() {
                    results += &ask(engine, base, reference).to_string();
                }
            }
            (Ok((base, reference)), None) => match ask(engine, base, reference) {
                Outcome::Url(url) => results += &url,
                other => results += &other.to_string(),
            },
        }
        results.push('\n');
    }
    (results, bad)
}
