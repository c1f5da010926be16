//! Reads the lines and pairs that a command receives as input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use urlstrata_harness::lines::{Line, Lines};
use urlstrata_harness::pairs::{split, split_with_place};

use super::{Failure, Finding};

/// A base and a reference, with the place where the reference is used if it is known.
pub(super) struct InputPair {
    pub(super) base: String,
    pub(super) reference: String,
    pub(super) place: Option<String>,
}

/// Returns the name of an input for messages: its path, or `standard input` for `-`.
pub(super) fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens the file at `path`, or standard input for `-`.
///
/// # Errors
///
/// Returns [`Failure::Input`] if `path` is a folder or cannot be opened.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read + Send>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    if path.is_dir() {
        return Err(Failure::Input(format!("{}: a folder: name a file, or - for standard input", path.display())));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(Failure::Input(format!("{}: cannot be read: {error}", path.display()))),
    }
}

/// Reports the lines of an input that cannot be used: the first ten one by one on standard error, the others as a
/// count.
pub(super) struct BadLines {
    name: String,
    count: u64,
}

impl BadLines {
    /// The maximum number of lines that are reported one by one.
    const REPORTED: u64 = 10;

    pub(super) fn of(name: impl Into<String>) -> Self {
        Self { name: name.into(), count: 0 }
    }

    pub(super) fn report(&mut self, line: u64, why: &str) {
        self.count += 1;
        if self.count <= Self::REPORTED {
            let _ = writeln!(io::stderr(), "urlstrata: {}:{line}: {why}: the line is skipped", self.name);
        }
    }

    /// Reports the number of skipped lines if not all of them were reported one by one, and returns it. Sets `finding` to
    /// [`Finding::BadInput`] if any line was skipped.
    pub(super) fn finish(self, finding: &mut Finding) -> u64 {
        if self.count > Self::REPORTED {
            let _ = writeln!(io::stderr(), "urlstrata: {}: {} lines are skipped in all", self.name, self.count);
        }
        if self.count > 0 {
            *finding = Finding::BadInput;
        }
        self.count
    }
}

/// Passes each line of `input` to `take`. A line that is not UTF-8 or is too long, or for which `take` returns
/// [`Failure::Input`], is reported on standard error and skipped; `finding` is then set to [`Finding::BadInput`].
///
/// # Errors
///
/// Returns an error if `input` cannot be read, and any other error of `take`.
pub(super) fn each_line(
    input: impl BufRead,
    name: &str,
    mut take: impl FnMut(&str) -> Result<(), Failure>,
    finding: &mut Finding,
) -> Result<(), Failure> {
    let (mut lines, mut bad) = (Lines::new(input), BadLines::of(name));
    while let Some(line) = lines.next_line().map_err(|error| unreadable(name, lines.number() + 1, &error))? {
        match line {
            Line::Bad(why) => bad.report(lines.number(), &why),
            Line::Text(text) => match take(&text) {
                Err(Failure::Input(why)) => bad.report(lines.number(), &why),
                result => result?,
            },
        }
    }
    bad.finish(finding);
    Ok(())
}

/// Passes the pairs in the file at `path`, or on standard input for `-`, to `take`. Each call receives the pairs of one
/// read. With `with_places`, each line has a third field, a place.
///
/// Empty lines are ignored. A line that is not a pair is reported on standard error and skipped; `finding` is then set
/// to [`Finding::BadInput`]. Returns the number of skipped lines.
///
/// # Errors
///
/// Returns an error if the input cannot be read, and any error of `take`.
pub(super) fn each_chunk(
    path: &Path,
    with_places: bool,
    finding: &mut Finding,
    mut take: impl FnMut(Vec<InputPair>) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let name = name_of(path);
    let mut lines = Lines::new(BufReader::with_capacity(1 << 20, open(path)?));
    let (mut bad, mut number) = (BadLines::of(&*name), 0);
    loop {
        let chunk = lines.next_lines().map_err(|error| unreadable(&name, number + 1, &error))?;
        if chunk.is_empty() {
            break;
        }
        let mut pairs = Vec::new();
        for line in chunk {
            number += 1;
            match line {
                Line::Text(text) if text.is_empty() => {}
                Line::Text(text) => match pair_of(&text, with_places) {
                    Ok(pair) => pairs.push(pair),
                    Err(why) => bad.report(number, &why),
                },
                Line::Bad(why) => bad.report(number, &why),
            }
        }
        take(pairs)?;
    }
    Ok(bad.finish(finding))
}

fn pair_of(line: &str, with_places: bool) -> Result<InputPair, String> {
    let (base, reference, place) = match with_places {
        true => split_with_place(line).map(|(base, reference, place)| (base, reference, Some(place.to_owned())))?,
        false => split(line).map(|(base, reference)| (base, reference, None))?,
    };
    Ok(InputPair { base: base.to_owned(), reference: reference.to_owned(), place })
}

/// Passes each base and reference in the file at `path` to `take`, like [`each_chunk`] without places.
///
/// # Errors
///
/// Returns an error if the input cannot be read, and any error of `take`.
pub(super) fn each_pair(
    path: &Path,
    mut take: impl FnMut(&str, &str) -> Result<(), Failure>,
    finding: &mut Finding,
) -> Result<(), Failure> {
    each_chunk(path, false, finding, |pairs| pairs.iter().try_for_each(|pair| take(&pair.base, &pair.reference)))?;
    Ok(())
}

fn unreadable(name: &str, line: u64, error: &io::Error) -> Failure {
    Failure::Input(format!("{name}:{line}: cannot be read: {error}"))
}
