//! Output that several commands share.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use urlstrata_harness::escape::visible;
use urlstrata_harness::plural::counted;
use urlstrata_harness::survey::comparison::{ComparedPair, Comparison, Totals};

use super::Failure;

pub(super) fn write_json(found: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, found)?;
    writeln!(out)
}

pub(super) fn write_totals(
    engine: &str,
    version: &str,
    against: &str,
    totals: Totals,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Totals { cases, agree, .. } = totals;
    let cases = counted(cases, "case", "cases");
    let causes = causes(totals, "its");
    writeln!(out, "{} {} against {against}: {cases}, {agree} agree, {causes}", visible(engine), visible(version))
}

/// Returns the numbers of divergences with and without a cause in words, such as `3 explained, 1 unexplained`. `whose`
/// is the word before "behaviour".
pub(super) fn causes(totals: Totals, whose: &str) -> String {
    let Totals { explained, listed, outside, unexplained, .. } = totals;
    let outside = if outside > 0 { format!("{outside} only outside {whose} behaviour, ") } else { String::new() };
    let listed = if listed > 0 { format!("{listed} listed without a cause, ") } else { String::new() };
    format!("{explained} explained, {outside}{listed}{unexplained} unexplained")
}

/// Writes the totals, then each class with its cause, its smallest pair and the examples that were requested.
pub(super) fn write_comparison(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    write_totals(&comparison.engine, &comparison.version, &comparison.against, comparison.totals, out)?;
    for class in &comparison.classes {
        writeln!(out, "\n  {} × {} [{}]", class.count, class.cause, class.effect.name())?;
        for note in &class.notes {
            out.write_all(note.lines(&comparison.against, &comparison.engine).as_bytes())?;
        }
        for witness in std::iter::once(&class.witness).chain(&class.examples) {
            writeln!(out, "      {}", pair_of(witness))?;
            writeln!(out, "        {}: {}", visible(&comparison.engine), witness.engine)?;
            writeln!(out, "        {}: {}", visible(&comparison.against), witness.specification)?;
        }
    }
    Ok(())
}

/// Returns a pair in words, with the place where the reference is used if it is known.
pub(super) fn pair_of(witness: &ComparedPair) -> String {
    let place = witness.place.as_ref().map_or_else(String::new, |place| format!(" ({})", visible(place)));
    format!("{} on {}{place}", quoted(&witness.reference), quoted(&witness.base))
}

pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text))
}

pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("{}: cannot be written: {error}; existing files were left unchanged", path.display()))
}
