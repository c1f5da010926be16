//! All forms of the optimized engine, compared with a revision at once.

use urlstrata::Meaning;
use urlstrata::fast::{self, Base, InstructionSet, Undefined};
use urlstrata::revision::Revision;
use urlstrata::rules::Rules;

/// All forms of the optimized engine for a base: single, prepared, batch, strings and bytes, with each instruction set.
pub(crate) struct Forms<'a> {
    rules: &'a Rules,
    base: &'a str,
    prepared: Vec<(InstructionSet, Base<'a>, Base<'a, [u8]>)>,
    out: String,
    bytes: Vec<u8>,
}

impl<'a> Forms<'a> {
    pub(crate) fn of(rules: &'a Rules, base: &'a str) -> Self {
        let prepare = |instructions| {
            let of_bytes = Base::with_instructions(rules, base.as_bytes(), instructions);
            (instructions, Base::with_instructions(rules, base, instructions), of_bytes)
        };
        Self {
            rules,
            base,
            prepared: InstructionSet::available().map(prepare).collect(),
            out: String::new(),
            bytes: vec![],
        }
    }

    /// Returns the result of `fast::resolve_with_meaning_into`, and the name of the first form with another result.
    fn resolve(&mut self, reference: &str) -> (Result<Meaning, Undefined>, Option<String>) {
        const BEFORE: &str = "é/";
        self.out.clear();
        let meaning = fast::resolve_with_meaning_into(self.rules, self.base, reference, &mut self.out);
        let mut odd = None;
        let mut check = |name: &dyn Fn() -> String, same: bool| {
            if !same && odd.is_none() {
                odd = Some(name());
            }
        };
        let mut appended = String::from(BEFORE);
        let once = fast::resolve_into(self.rules, self.base, reference, &mut appended);
        let is_appended = |appended: &[u8]| appended.strip_prefix(BEFORE.as_bytes()) == Some(self.out.as_bytes());
        check(
            &|| format!("resolve_into: {appended:?}"),
            once == meaning.map(|_| ()) && is_appended(appended.as_bytes()),
        );
        for (instructions, base, of_bytes) in &self.prepared {
            appended.truncate(BEFORE.len());
            let same = base.resolve_into(reference, &mut appended) == once && is_appended(appended.as_bytes());
            check(&|| format!("{instructions}, resolve_into: {appended:?}"), same);
            self.bytes.clear();
            self.bytes.extend_from_slice(BEFORE.as_bytes());
            let with_meaning = of_bytes.resolve_with_meaning_into(reference.as_bytes(), &mut self.bytes);
            check(
                &|| format!("{instructions}, resolve_with_meaning_into: {with_meaning:?} {:?}", self.bytes),
                with_meaning == meaning && is_appended(&self.bytes),
            );
        }
        (meaning, odd)
    }
}

/// Checks that all forms return the result of the revision's steps.
#[track_caller]
pub(crate) fn same(revision: &Revision, forms: &mut Forms<'_>, reference: &str) {
    let base = forms.base;
    let by_steps = revision.resolve(base, reference);
    let (by_rules, odd) = forms.resolve(reference);
    let equal = match (&by_steps, &by_rules) {
        (Ok(target), Ok(meaning)) => target.url == forms.out && target.meaning == *meaning,
        (Err(rejection), Err(undefined)) => rejection.is_same_document() == undefined.same_document,
        _ => false,
    };
    if !equal || odd.is_some() {
        let (_, trace) = revision.resolve_traced(base, reference);
        let steps: Vec<String> =
            trace.entries().iter().map(|entry| format!("  {:<16} {}", entry.label, entry.state)).collect();
        panic!(
            "{} on base {base:?}, reference {reference:?}\n  by steps: {by_steps:?}\n  by rules: {by_rules:?} {:?}\n  {odd:?}\n{}",
            revision.id,
            forms.out,
            steps.join("\n")
        );
    }
}
