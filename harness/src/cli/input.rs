//! Reading the lines and pairs that a command is given.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use urlstrata_harness::lines::{Line, Lines};
use urlstrata_harness::pairs;

use super::{Failure, Finding};

/// Opens `path`, or standard input for `-`.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, open_file(path)?)))
}

/// The file at `path`, with a sentence if there is none to read.
pub(super) fn open_file(path: &Path) -> Result<File, Failure> {
    let fault = |error: io::Error| Failure::Input(format!("{}: cannot be read: {error}", path.display()));
    if path.is_dir() {
        return Err(Failure::Input(format!("{}: a folder: name a file, or - for standard input", path.display())));
    }
    File::open(path).map_err(fault)
}

/// Hands each line that is text to `take`, and says on standard error what is wrong with the others.
pub(super) fn each_line(
    input: impl BufRead,
    name: &str,
    mut take: impl FnMut(&str) -> Result<(), Failure>,
    finding: &mut Finding,
) -> Result<(), Failure> {
    /// More lines than these are counted only.
    const SAID: u64 = 10;
    let mut lines = Lines::new(input);
    let mut bad = 0;
    loop {
        let line = lines
            .next_line()
            .map_err(|error| Failure::Input(format!("{name}:{}: cannot be read: {error}", lines.number() + 1)))?;
        let why = match line {
            None => break,
            Some(Line::Bad(why)) => why,
            Some(Line::Text(text)) => match take(&text) {
                Ok(()) => continue,
                Err(Failure::Input(why)) => why,
                Err(failure) => return Err(failure),
            },
        };
        bad += 1;
        if bad <= SAID {
            let _ = writeln!(io::stderr(), "urlstrata: {name}:{}: {why}: the line is skipped", lines.number());
        }
    }
    if bad > SAID {
        let _ = writeln!(io::stderr(), "urlstrata: {name}: {bad} lines are skipped in all");
    }
    if bad > 0 {
        *finding = Finding::BadInput;
    }
    Ok(())
}

/// As [`each_line`], for the pairs in the file at `path` or on standard input; empty lines are skipped.
pub(super) fn each_pair(
    path: &Path,
    mut take: impl FnMut(&str, &str) -> Result<(), Failure>,
    finding: &mut Finding,
) -> Result<(), Failure> {
    each_placed_pair(path, false, |base, reference, _| take(base, reference), finding)
}

/// As [`each_pair`]; `with_places` each line has a third column, a place.
pub(super) fn each_placed_pair(
    path: &Path,
    with_places: bool,
    mut take: impl FnMut(&str, &str, Option<&str>) -> Result<(), Failure>,
    finding: &mut Finding,
) -> Result<(), Failure> {
    let pair = |line: &str| {
        if line.is_empty() {
            return Ok(());
        }
        if with_places {
            let (base, reference, place) = pairs::split_with_place(line).map_err(Failure::Input)?;
            return take(base, reference, Some(place));
        }
        let (base, reference) = pairs::split(line).map_err(Failure::Input)?;
        take(base, reference, None)
    };
    each_line(open(path)?, &path.display().to_string(), pair, finding)
}
