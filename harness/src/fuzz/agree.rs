//! The optimized implementation beside the references.

use std::fmt::Write;

use urlstrata::TraceEntry;
use urlstrata::fast::InstructionSet;
use urlstrata::revision::{self, Revision};

use super::{Fault, Law, Pair, Seen};
use crate::escape::visible;
use crate::survey::forms::Forms;
use crate::vector::Suite;

/// On pairs built from the grammars.
pub struct Agree;

/// What URLs are told apart by.
pub(super) const WORDS: &[&str] = &[
    "://", "//", "/../", "/./", "../", "./", "..", "?#", ";x=", "%2e", "%2F", "%00", "\\", "@", "http:", "HTTP:",
    "gopher:", "file:", "ftp:", "urn:", "[::1]", ":80", "//@:", "/.//",
];

impl Law for Agree {
    type Case = Pair;
    const NAME: &'static str = "agree";
    const STATES: &'static str = "every form of the optimized implementation says what each revision says step by step, of pairs \
                                  built from the grammars";
    const WORDS: &'static [&'static str] = WORDS;

    fn check(case: &Pair, seen: &mut Seen) -> Result<(), Fault> {
        check(case, seen)
    }

    fn seeds(suite: &Suite) -> Vec<Pair> {
        pairs(suite).collect()
    }

    fn show(case: &Pair) -> String {
        show(case)
    }
}

/// Every base and reference of the vectors.
pub(super) fn pairs(suite: &Suite) -> impl Iterator<Item = Pair> {
    suite.resolutions().map(|case| Pair { base: case.base.clone(), reference: case.reference.clone() })
}

thread_local! {
    pub(super) static INSTRUCTIONS: Vec<InstructionSet> = InstructionSet::available().collect();
}

pub(super) fn check(case: &Pair, seen: &mut Seen) -> Result<(), Fault> {
    INSTRUCTIONS.with(|instructions| {
        for (revision, rules) in revision::resolving() {
            let by_steps = revision.resolve(&case.base, &case.reference);
            let mut forms = Forms::new(revision, rules, instructions, &case.base);
            if let Some((form, _)) = forms.apart(&case.reference, &by_steps).first() {
                return Err(Fault::new(format!("{} by its steps and optimized ({form}) are apart", revision.id)));
            }
            seen.count(if by_steps.is_ok() { "a result" } else { "no result" });
        }
        Ok(())
    })
}

/// What each revision says by its steps and in every form that is apart, with the steps of that revision.
pub(super) fn show(case: &Pair) -> String {
    let mut out = format!("  reference  \"{}\"\n  base       \"{}\"\n", visible(&case.reference), visible(&case.base));
    let instructions: Vec<_> = InstructionSet::available().collect();
    for mut forms in Forms::of_all(&instructions, &case.base) {
        let by_steps = forms.revision.resolve(&case.base, &case.reference);
        let apart = forms.apart(&case.reference, &by_steps);
        if apart.is_empty() {
            continue;
        }
        let _ = writeln!(out, "  {} says {by_steps:?}", forms.revision.id);
        for (form, said) in apart {
            let _ = writeln!(out, "    {form}: \"{}\"", visible(&said));
        }
        out += &steps(forms.revision, case);
    }
    out
}

/// The steps by which a revision comes to what it says, those that acted.
pub(super) fn steps(revision: &Revision, case: &Pair) -> String {
    let (_, trace) = revision.resolve_traced(&case.base, &case.reference);
    let acted = trace.entries().iter().filter(|entry| entry.acted);
    let line = |entry: &TraceEntry| format!("    {:<10} {:<18} {}\n", revision.id, entry.label, visible(&entry.state));
    acted.map(line).collect()
}
