//! The forms of the optimized engine, each compared with a reference implementation.

use urlstrata::Resolution;
use urlstrata::fast::{Base, Batch, InstructionSet};
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;

use crate::evaluate::{agrees, is_same_result};

/// The name of the form without a prepared base.
pub const NEW_EACH_TIME: &str = "new each time";

/// A function that returns the name of a form. Most callers do not need the name, so it is only built on demand.
pub type FormName<'a> = dyn Fn() -> String + 'a;

/// The forms of the optimized engine for one revision and base: the base is prepared once for each available
/// instruction set.
pub struct Forms<'a> {
    /// The revision.
    pub revision: &'static Revision,
    rules: &'static Rules,
    base: &'a str,
    prepared: Vec<(InstructionSet, Base<'a>)>,
    out: String,
    batch: Batch,
}

impl<'a> Forms<'a> {
    /// Prepares `base` under `rules`, the rule set of `revision`, for each of `instructions`.
    pub fn new(
        revision: &'static Revision,
        rules: &'static Rules,
        instructions: &[InstructionSet],
        base: &'a str,
    ) -> Self {
        let prepared = instructions.iter().map(|&one| (one, Base::with_instructions(rules, base, one))).collect();
        Self { revision, rules, base, prepared, out: String::new(), batch: Batch::default() }
    }

    /// Prepares `base` for every revision that defines a resolution.
    pub fn of_all(instructions: &[InstructionSet], base: &'a str) -> Vec<Self> {
        revision::resolving().map(|(revision, rules)| Self::new(revision, rules, instructions, base)).collect()
    }

    /// Compares each form with `by_steps`, the result of the reference implementation.
    ///
    /// The callback receives the name of the form, whether both agree, and the target URL that the form wrote. A form
    /// in a batch is compared by its URL only, not by its meaning.
    pub fn compare(
        &mut self,
        reference: &str,
        by_steps: &Resolution,
        report: &mut dyn FnMut(&FormName<'_>, bool, &str),
    ) {
        let same = agrees(self.rules, self.base, reference, by_steps, &mut self.out);
        report(&|| NEW_EACH_TIME.to_owned(), same, &self.out);
        for (instructions, prepared) in &self.prepared {
            self.out.clear();
            let meaning = prepared.resolve_with_meaning_into(reference, &mut self.out);
            report(&|| format!("{instructions}, alone"), is_same_result(by_steps, meaning, &self.out), &self.out);
            self.batch.clear();
            prepared.resolve_all([reference], &mut self.batch);
            let same = self.batch.get(0).ok() == by_steps.as_ref().ok().map(|target| target.url.as_str());
            report(&|| format!("{instructions}, batch"), same, self.batch.text());
        }
    }

    /// Returns the name and the output of each form that disagrees with `by_steps`.
    pub fn apart(&mut self, reference: &str, by_steps: &Resolution) -> Vec<(String, String)> {
        let mut found = Vec::new();
        self.compare(reference, by_steps, &mut |form, same, wrote| {
            if !same {
                found.push((form(), wrote.to_owned()));
            }
        });
        found
    }
}
