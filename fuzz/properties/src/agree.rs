//! The optimized engine against the reference implementations.

use std::fmt::Write;

use urlstrata::TraceEntry;
use urlstrata::fast::InstructionSet;
use urlstrata::revision::{self, Revision};
use urlstrata_harness::escape::visible;
use urlstrata_harness::survey::forms::Forms;
use urlstrata_harness::vector::Suite;

use super::{Classes, PairInput, Property, Violation};

/// On pairs that are built from the grammars.
pub struct Agree;

/// Delimiters of URLs, and strings that parsers treat in different ways.
pub(crate) const WORDS: &[&str] = &[
    "://", "//", "/../", "/./", "../", "./", "..", "?#", ";x=", "%2e", "%2F", "%00", "\\", "@", "http:", "HTTP:",
    "gopher:", "file:", "ftp:", "urn:", "[::1]", ":80", "//@:", "/.//",
];

impl Property for Agree {
    type Input = PairInput;
    const NAME: &'static str = "agree";
    const STATEMENT: &'static str = "for pairs that are built from the grammars, every form of the optimized engine returns \
                                     the same as the reference implementation of each revision";
    const WORDS: &'static [&'static str] = WORDS;

    fn check(input: &PairInput, classes: &mut Classes) -> Result<(), Violation> {
        check(input, classes)
    }

    fn seeds(suite: &Suite) -> Vec<PairInput> {
        pairs(suite).collect()
    }

    fn describe(input: &PairInput) -> String {
        describe(input)
    }
}

/// Returns every base and reference of the vectors.
pub(crate) fn pairs(suite: &Suite) -> impl Iterator<Item = PairInput> {
    suite.resolutions().map(|case| PairInput { base: case.base.clone(), reference: case.reference.clone() })
}

thread_local! {
    pub(crate) static INSTRUCTIONS: Vec<InstructionSet> = InstructionSet::available().collect();
}

pub(crate) fn check(pair: &PairInput, classes: &mut Classes) -> Result<(), Violation> {
    INSTRUCTIONS.with(|instructions| {
        for (revision, rules) in revision::resolving() {
            let expected = revision.resolve(&pair.base, &pair.reference);
            let mut forms = Forms::new(revision, rules, instructions, &pair.base);
            if let Some((form, _)) = forms.apart(&pair.reference, &expected).first() {
                return Err(differs(revision, form, ""));
            }
            classes.count(if expected.is_ok() { "a result" } else { "no result" });
        }
        Ok(())
    })
}

/// Returns the violation that `form` differs from the reference implementation of `revision`.
pub(crate) fn differs(revision: &Revision, form: &str, on: &str) -> Violation {
    Violation::new(format!(
        "the optimized engine ({form}) differs from the reference implementation of {}{on}",
        revision.id
    ))
}

/// Describes the revisions with a form that differs: both results, and the steps of the reference implementation.
pub(crate) fn describe(pair: &PairInput) -> String {
    let mut out = format!("  reference  \"{}\"\n  base       \"{}\"\n", visible(&pair.reference), visible(&pair.base));
    let instructions: Vec<_> = InstructionSet::available().collect();
    for mut forms in Forms::of_all(&instructions, &pair.base) {
        let expected = forms.revision.resolve(&pair.base, &pair.reference);
        let different = forms.apart(&pair.reference, &expected);
        if different.is_empty() {
            continue;
        }
        let _ = writeln!(out, "  the reference implementation of {} returns {expected:?}", forms.revision.id);
        for (form, result) in different {
            let _ = writeln!(out, "    {form}: \"{}\"", visible(&result));
        }
        out += &steps(forms.revision, pair);
    }
    out
}

/// Returns the steps of a reference implementation that changed its state, one per line.
pub(crate) fn steps(revision: &Revision, pair: &PairInput) -> String {
    let (_, trace) = revision.resolve_traced(&pair.base, &pair.reference);
    let acted = trace.entries().iter().filter(|entry| entry.acted);
    let line = |entry: &TraceEntry| format!("    {:<10} {:<18} {}\n", revision.id, entry.label, visible(&entry.state));
    acted.map(line).collect()
}
