//! Resolution of many pairs in parallel. Each input line is a base, a tab and a reference; each output line is the
//! result of the line with the same number.

use std::io::{self, BufReader, Read, Write};

use rayon::prelude::*;
use urlstrata::fast::Base;

use crate::engine::{Engine, ask};
use crate::lines::{Line, Lines};
use crate::outcome::Outcome;
use crate::pairs::split;

/// The size of the read buffer in bytes.
const CHUNK: usize = 1 << 20;

/// The number of lines that a thread resolves as one task.
const SHARE: usize = 2048;

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
/// The lines of each read are resolved and written before the next read. Memory is therefore bounded by some megabytes
/// plus the longest line, and a program that writes single lines to a pipe receives each result without delay.
///
/// # Errors
///
/// Returns an error if `input` cannot be read or `out` cannot be written. Results of earlier reads are already written
/// then.
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

/// Returns the results of `lines`, each with a line end, and the index and reason of each line that is not a pair.
/// Indices count from 0.
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
            // The optimized engine prepares a base once for consecutive lines with the same base.
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
