//! The vectors are adequate: a resolver with one fault does not return all results that they expect.
//!
//! A fault is a [`Mutation`] of a revision's steps: one step is left out, or the values of one slot are changed. Each fault that changes
//! the result of one of the pairs of [`candidates`] must change a result that a vector expects. The other faults are equivalent to the
//! revision, as far as these pairs show.

mod candidates;
mod changes;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::thread;

use candidates::Candidate;
use changes::Change;
use urlstrata::revision::{self, Revision};
use urlstrata::slots::{Mutation, Part, Slot, Slots};
use urlstrata_vectors::{Case, cases};

/// The revisions whose vectors are measured: those that resolve references and write slots.
const REVISIONS: [&str; 8] = [
    "rfc1630",
    "appendix-b-1994",
    "rfc1808",
    "draft-1996",
    "rfc2396",
    "rfc3986",
    "rfc3986-nonstrict",
    "whatwg-2026-07",
];

/// The changes of texts, which live as long as the program.
static CHANGES: LazyLock<&'static [Change]> = LazyLock::new(|| Vec::leak(changes::all()));

/// A fault, with a phrase that names it.
struct Fault {
    name: String,
    mutation: Mutation,
}

/// Questions, and which of them a fault can change.
struct Questions {
    pairs: Vec<(String, String)>,
    /// The values that each slot has without a fault, with the numbers of the questions.
    values: BTreeMap<Slot, BTreeMap<Option<String>, BTreeSet<usize>>>,
    /// The steps that run, with the numbers of the questions. Steps of parsing are not listed.
    steps: BTreeMap<&'static str, BTreeSet<usize>>,
}

impl Questions {
    fn new(revision: &Revision, pairs: Vec<(String, String)>) -> Self {
        let mut values: BTreeMap<Slot, BTreeMap<_, BTreeSet<_>>> = BTreeMap::new();
        let mut steps: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (number, (base, reference)) in pairs.iter().enumerate() {
            let slots = revision.resolve_slots(base, reference, Slots::recording(Vec::new())).1.unwrap_or_default();
            for slot in measured_slots() {
                for write in slots.history(slot) {
                    let own = values.entry(slot).or_default();
                    own.entry(write.value.text().map(str::to_owned)).or_default().insert(number);
                }
            }
            for entry in revision.resolve_traced(base, reference).1.entries() {
                steps.entry(entry.label).or_default().insert(number);
            }
        }
        Self { pairs, values, steps }
    }

    /// Returns the questions whose results the fault can change: it changes one of their values, or leaves out a step that runs.
    fn concerned(&self, fault: &Fault) -> BTreeSet<usize> {
        match fault.mutation {
            Mutation::Without(label) => {
                let all = || (0..self.pairs.len()).collect();
                self.steps.get(label).cloned().unwrap_or_else(all)
            }
            Mutation::Rewritten(slot, rewrite) => {
                let values = self.values.get(&slot).into_iter().flatten();
                let changed = values.filter(|(value, _)| rewrite(value.as_deref()) != **value);
                changed.flat_map(|(_, numbers)| numbers).copied().collect()
            }
        }
    }

    /// Returns the result of a question with a fault; the outer `None` if the run panics.
    fn with(&self, revision: &Revision, fault: &Fault, number: usize) -> Option<Option<String>> {
        let (base, reference) = &self.pairs[number];
        let run = || revision.resolve_slots(base, reference, Slots::mutated(fault.mutation)).0;
        let result = catch_unwind(AssertUnwindSafe(run)).ok()?;
        Some(result.ok().map(|target| target.url))
    }
}

/// The slots whose values are changed. What the others hold comes from these.
fn measured_slots() -> impl Iterator<Item = Slot> {
    let parts = Part::COMPONENTS.into_iter().chain([Part::Host, Part::Port, Part::Params]);
    let read = parts.flat_map(|part| [Slot::Ref(part), Slot::Base(part)]);
    read.chain([Slot::Ref(Part::Text), Slot::NoDots, Slot::Result])
}

fn faults(revision: &Revision) -> Vec<Fault> {
    let labels = revision.resolve_steps().into_iter().chain(revision.parse_steps()).map(|step| step.label);
    let mut all: Vec<Fault> = labels
        .map(|label| Fault { name: format!("without step {label}"), mutation: Mutation::Without(label) })
        .collect();
    for slot in measured_slots() {
        let part = slot.part().unwrap_or(Part::Text);
        all.extend(CHANGES.iter().filter(|change| change.parts.contains(&part)).map(|change| Fault {
            name: format!("{slot} {}", change.name),
            mutation: Mutation::Rewritten(slot, &*change.rewrite),
        }));
    }
    all
}

/// What vectors and candidates show of the faults of a revision.
struct Measured {
    revision: &'static Revision,
    made: usize,
    noticed: usize,
    /// The names of the faults that no vector notices, each with the numbers of the candidates that do.
    missed: Vec<(String, BTreeSet<usize>)>,
    candidates: Vec<Candidate>,
}

impl Measured {
    fn new(revision: &'static Revision, faults: &[Fault], cases: &[Case]) -> Self {
        let pair = |case: &Case| (case.base().to_owned(), case.reference().to_owned());
        let vectors = Questions::new(revision, cases.iter().map(pair).collect());
        for case in cases {
            let result = target(revision, case.base(), case.reference());
            assert!(case.is_right(result.as_deref()), "{}: the revision itself has the result {result:?}", case.path());
        }
        let is_wrong = |fault: &Fault, number: usize| {
            vectors.with(revision, fault, number).is_none_or(|result| !cases[number].is_right(result.as_deref()))
        };
        let is_noticed = |fault: &&Fault| vectors.concerned(fault).into_iter().any(|number| is_wrong(fault, number));
        let (noticed, unnoticed): (Vec<_>, Vec<_>) = faults.iter().partition(is_noticed);

        let candidates = candidates::of(revision);
        let pair = |candidate: &Candidate| (candidate.base.clone(), candidate.reference.clone());
        let questions = Questions::new(revision, candidates.iter().map(pair).collect());
        let right: Vec<_> = candidates.iter().map(|it| target(revision, &it.base, &it.reference)).collect();
        let differs =
            |fault: &Fault, at: usize| questions.with(revision, fault, at).is_none_or(|result| result != right[at]);
        let shown = |fault: &Fault| -> BTreeSet<usize> {
            questions.concerned(fault).into_iter().filter(|at| differs(fault, *at)).collect()
        };
        let has_case =
            |own: &Candidate| cases.iter().any(|case| case.base() == own.base && case.reference() == own.reference);
        let required = candidates.iter().enumerate().filter(|(_, own)| own.is_required && !has_case(own));
        let required = required.map(|(at, own)| (format!("the required pair {}", own.name), BTreeSet::from([at])));
        let missed = unnoticed.into_iter().map(|fault| (fault.name.clone(), shown(fault))).chain(required);
        Self {
            revision,
            made: faults.len(),
            noticed: noticed.len(),
            missed: missed.filter(|(_, shown)| !shown.is_empty()).collect(),
            candidates,
        }
    }

    /// Returns candidates that notice what is missed, few of them: the one that shows most faults comes first.
    fn chosen(&self) -> Vec<usize> {
        let mut chosen = Vec::new();
        let mut missed: Vec<_> = self.missed.iter().map(|(_, shown)| shown).collect();
        while !missed.is_empty() {
            let count = |at: &usize| missed.iter().filter(|shown| shown.contains(at)).count();
            // The first of equals.
            let Some(at) = (0..self.candidates.len()).rev().max_by_key(count) else { break };
            missed.retain(|shown| !shown.contains(&at));
            chosen.push(at);
        }
        // Those that were chosen later may show all that an earlier one shows.
        for at in chosen.clone() {
            let is_shown = |shown: &BTreeSet<usize>| chosen.iter().any(|own| *own != at && shown.contains(own));
            if self.missed.iter().all(|(_, shown)| is_shown(shown)) {
                chosen.retain(|own| *own != at);
            }
        }
        chosen
    }

    /// Returns the vectors that are missing, in the form of a file.
    fn vectors(&self) -> String {
        let id = self.revision.id;
        let name = |id: &str| id.trim_end_matches("-nonstrict").to_owned();
        let mut text = String::new();
        for at in self.chosen() {
            let Candidate { part, name: own, base, reference, .. } = &self.candidates[at];
            let noticed: Vec<_> = self.missed.iter().filter(|(_, shown)| shown.contains(&at)).collect();
            text += &format!("# {id}/{part}: notices {} faults, such as: {}\n", noticed.len(), noticed[0].0);
            text += &format!("  - name: {own:?}\n    reference: {}\n    base: {}\n", quoted(reference), quoted(base));
            text += "    expect:\n";
            for related in REVISIONS.iter().filter(|other| name(other) == name(id)) {
                let result = target(revision::by_id(related).expect("a revision"), base, reference);
                let expected = result.map_or("{failure: true}".to_owned(), |url| quoted(&url));
                text += &format!("      {related}: {expected}\n");
            }
        }
        text
    }
}

/// Returns the target of a reference, if the revision defines one.
fn target(revision: &Revision, base: &str, reference: &str) -> Option<String> {
    revision.resolve(base, reference).ok().map(|target| target.url)
}

/// Returns the text as a string of YAML.
fn quoted(text: &str) -> String {
    let escaped = |character: char| match character {
        '"' | '\\' => format!("\\{character}"),
        ' '..='~' => character.to_string(),
        _ => format!("\\U{:08X}", u32::from(character)),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// Runs `measure` without the messages of panics: a faulty algorithm may panic, which is another result.
fn quietly<T>(measure: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let result = measure();
    std::panic::set_hook(hook);
    result
}

#[test]
fn a_vector_notices_each_fault_that_a_pair_shows() {
    let run = |id: &str| {
        let revision = revision::by_id(id).expect("a revision");
        Measured::new(revision, &faults(revision), &cases(id).filter(Case::is_minimal).collect::<Vec<_>>())
    };
    let measured = quietly(|| {
        thread::scope(|scope| {
            let runs = REVISIONS.map(|id| scope.spawn(move || run(id)));
            runs.map(|run| run.join().expect("each vector has the result of the revision"))
        })
    });
    let mut failures = String::new();
    for own in &measured {
        let equivalent = own.made.saturating_sub(own.noticed + own.missed.len());
        let id = own.revision.id;
        println!(
            "{id}: {} faults, {} noticed, {equivalent} equivalent, {} missed",
            own.made,
            own.noticed,
            own.missed.len()
        );
        failures += &own.vectors();
    }
    assert!(failures.is_empty(), "vectors that would notice a fault are missing:\n{failures}");
}

#[test]
fn a_fault_is_missed_without_the_vectors_that_notice_it() {
    let revision = revision::by_id("rfc3986").expect("a revision");
    let is_own = |fault: &Fault| fault.name == "the reference's query with its fields in order";
    let faults: Vec<Fault> = faults(revision).into_iter().filter(is_own).collect();
    let all: Vec<Case> = cases(revision.id).collect();
    let missed = |cases: &[Case]| {
        let measured = Measured::new(revision, &faults, cases);
        measured.missed.iter().filter(|(name, _)| *name == faults[0].name).count()
    };
    assert_eq!((faults.len(), missed(&all)), (1, 0));
    let others: Vec<Case> = all.iter().filter(|case| !case.reference().contains('&')).cloned().collect();
    assert_eq!(missed(&others), 1);
}
