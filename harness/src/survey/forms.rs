//! The forms of the optimized implementation, all put beside a reference.

use urlstrata::Resolution;
use urlstrata::fast::{Base, Batch, InstructionSet};
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;

use crate::evaluate::{agrees, is_same_result};

/// A form's name.
pub const NEW_EACH_TIME: &str = "new each time";

/// Makes a form's name, where it is asked for.
pub type FormName<'a> = dyn Fn() -> String + 'a;

/// A base prepared under a revision's row, in each of the instructions that this processor has.
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
    /// Those of `rules`, the row of `revision`.
    pub fn new(
        revision: &'static Revision,
        rules: &'static Rules,
        instructions: &[InstructionSet],
        base: &'a str,
    ) -> Self {
        let prepared = instructions.iter().map(|&one| (one, Base::with_instructions(rules, base, one))).collect();
        Self { revision, rules, base, prepared, out: String::new(), batch: Batch::default() }
    }

    /// Those of every revision that resolves.
    pub fn of_all(instructions: &[InstructionSet], base: &'a str) -> Vec<Self> {
        revision::resolving().map(|(revision, rules)| Self::new(revision, rules, instructions, base)).collect()
    }

    /// Tells of each form whether it says what the reference said, `by_steps`, and what it wrote.
    pub fn compare(&mut self, reference: &str, by_steps: &Resolution, told: &mut dyn FnMut(&FormName<'_>, bool, &str)) {
        let same = agrees(self.rules, self.base, reference, by_steps, &mut self.out);
        told(&|| NEW_EACH_TIME.to_owned(), same, &self.out);
        for (instructions, prepared) in &self.prepared {
            self.out.clear();
            let meaning = prepared.resolve_with_meaning_into(reference, &mut self.out);
            told(&|| format!("{instructions}, alone"), is_same_result(by_steps, meaning, &self.out), &self.out);
            self.batch.clear();
            prepared.resolve_all([reference], &mut self.batch);
            let same = self.batch.get(0).ok() == by_steps.as_ref().ok().map(|target| target.url.as_str());
            told(&|| format!("{instructions}, batch"), same, self.batch.text());
        }
    }

    /// Each form that says otherwise than `by_steps`, with what it wrote.
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
