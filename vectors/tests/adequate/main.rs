//! The vectors are adequate: a resolver with one fault does not return all results that they expect.
//!
//! A fault is a [`Mutation`] of a revision's steps: one step is left out, or the values of one slot are changed. Each fault that changes a
//! result of one of the pairs of [`candidates`] must change one that a vector expects. The others are equivalent to the revision, as far
//! as these pairs show.

mod candidates;
mod changes;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::thread;

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
    let parts = Part::COMPONENTS.into_iter().chain([Part::Text, Part::Host, Part::Port, Part::Params]);
    let read = parts.flat_map(|part| [Slot::Ref(part), Slot::Base(part)]);
    read.chain([Slot::NoDots, Slot::Result])
}

fn faults(revision: &Revision) -> Vec<Fault> {
    let labels = revision.resolve_steps().into_iter().chain(revision.parse_steps()).map(|step| step.label);
    let mut all: Vec<Fault> = labels
        .map(|label| Fault { name: format!("without step {label}"), mutation: Mutation::Without(label) })
        .collect();
    for slot in measured_slots() {
        all.extend(CHANGES.iter().map(|change| Fault {
            name: format!("{slot} {}", change.name),
            mutation: Mutation::Rewritten(slot, &*change.rewrite),
        }));
    }
    all
}

/// The number of candidates that are tried on a fault that no vector notices.
const TRIED: usize = 400;

/// What vectors and candidates say of the faults of a revision.
struct Measured {
    made: usize,
    noticed: usize,
    /// The faults that no vector notices but a pair does, with this pair.
    missed: Vec<(String, (String, String))>,
}

fn measure(revision: &'static Revision) -> Measured {
    let cases: Vec<Case> = cases(revision.id).collect();
    let pair = |case: &Case| (case.base().to_owned(), case.reference().to_owned());
    let vectors = Questions::new(revision, cases.iter().map(pair).collect());
    let candidates = Questions::new(revision, candidates::pairs());
    let result = |(base, reference): &(String, String)| revision.resolve(base, reference).ok().map(|target| target.url);
    let right: Vec<_> = candidates.pairs.iter().map(result).collect();
    let faults = faults(revision);
    let is_wrong = |fault: &Fault, number: usize| {
        vectors.with(revision, fault, number).is_none_or(|result| !cases[number].is_right(result.as_deref()))
    };
    let is_noticed = |fault: &&Fault| vectors.concerned(fault).into_iter().any(|number| is_wrong(fault, number));
    let (noticed, unnoticed): (Vec<_>, Vec<_>) = faults.iter().partition(is_noticed);
    let mut missed = Vec::new();
    let mut chosen: BTreeSet<usize> = BTreeSet::new();
    for fault in unnoticed {
        let differs = |at: &usize| candidates.with(revision, fault, *at).is_none_or(|result| result != right[*at]);
        let concerned = candidates.concerned(fault);
        // A pair that shows another fault is preferred.
        let known = chosen.iter().copied().find(|at| concerned.contains(at) && differs(at));
        // The shortest ones, and some of every length.
        let step = concerned.len().div_ceil(TRIED).max(1);
        let tried = || concerned.iter().copied().take(TRIED).chain(concerned.iter().copied().step_by(step));
        if let Some(at) = known.or_else(|| tried().find(differs)) {
            chosen.insert(at);
            missed.push((fault.name.clone(), candidates.pairs[at].clone()));
        }
    }
    Measured { made: faults.len(), noticed: noticed.len(), missed }
}

#[test]
fn a_vector_notices_each_fault_that_a_pair_shows() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let measured: Vec<_> = thread::scope(|scope| {
        let run = |id| scope.spawn(move || measure(revision::by_id(id).expect("a revision")));
        REVISIONS.map(run).into_iter().map(|run| run.join().expect("no panic")).collect()
    });
    std::panic::set_hook(hook);
    let mut failures = String::new();
    for (id, Measured { made, noticed, missed }) in REVISIONS.iter().zip(&measured) {
        println!("{id}: {made} faults, {noticed} noticed, {} missed", missed.len());
        for (fault, (base, reference)) in missed {
            let expected = revision::by_id(id).map(|own| own.resolve(base, reference).ok().map(|target| target.url));
            failures += &format!("{id}\t{fault}\t{base:?}\t{reference:?}\t{expected:?}\n");
        }
    }
    assert!(failures.is_empty(), "no vector notices a fault:\n{failures}");
}
