//! Enumeration of all short references on a set of bases: compares the optimized engine with the reference
//! implementations, consecutive revisions with each other, and engines with specifications or with each other.

use std::iter;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use urlstrata::Resolution;
use urlstrata::fast::InstructionSet;
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;

use crate::engine::{Engine, Pair};
use crate::evaluate::{agrees, is_same_document};
use crate::knowledge::attribute::{EnginePair, Model};
use crate::knowledge::specification::Specification;
use crate::pairs::generate::{count, nth};
use crate::survey::comparison::{Comparison, Totals};
use crate::survey::forms::{Forms, NEW_EACH_TIME};
use crate::survey::tally::{Comparer, Tally};

/// The set of pairs that is enumerated: each reference on each base.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The characters of the references.
    pub alphabet: Vec<char>,
    /// The maximum length of a reference, in characters.
    pub length: usize,
    /// The bases.
    pub bases: Vec<String>,
}

impl Scope {
    /// Returns the number of references.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the number of pairs does not fit into 64 bits.
    pub fn references(&self) -> Result<u64, String> {
        count(self.alphabet.len(), self.length)
            .and_then(|references| references.checked_mul(self.bases.len() as u64).map(|_| references))
            .ok_or_else(|| "more pairs than can be counted: use fewer characters or a shorter length".to_owned())
    }
}

/// The number of pairs of a scope on which two consecutive revisions differ.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct DifferenceCount {
    /// The number of pairs for which the target URLs differ, or only one revision defines a target URL.
    pub results: u64,
    /// The number of pairs for which only one of the two revisions treats the target as the same document.
    pub meanings: u64,
}

/// The comparison of all revisions over a scope.
#[derive(Clone, Debug, Default, Serialize)]
pub struct History {
    /// The number of pairs that were resolved.
    pub pairs: u64,
    /// Each two consecutive revisions with their differences, oldest first.
    pub consecutive: Vec<(&'static str, &'static str, DifferenceCount)>,
    /// Pairs for which the optimized engine and a reference implementation disagree, as revision, base and reference.
    /// At most ten.
    pub disagreements: Vec<(&'static str, String, String)>,
    /// The number of disagreements, counted once for each revision and pair.
    pub disagreeing: u64,
}

/// The number of consecutive numbers that a thread processes as one task.
const CHUNK: u64 = 256;

/// Passes every number below `total` to `each`, in parallel, [`CHUNK`] numbers or fewer at once.
///
/// Each task collects into a value returned by `new`. `merge` combines two such values and is called in no defined
/// order. `progress` receives the number of numbers that were processed so far.
fn on_every_core<T: Send>(
    total: u64,
    progress: &(dyn Fn(u64) + Sync),
    new: impl Fn() -> T + Sync + Send,
    each: impl Fn(&mut T, Range<u64>) + Sync + Send,
    merge: impl Fn(&mut T, T) + Sync + Send,
) -> T {
    let done = AtomicU64::new(0);
    let chunks = (0..total.div_ceil(CHUNK)).into_par_iter();
    let parts = chunks.fold(&new, |mut collected, chunk| {
        let numbers = chunk * CHUNK..total.min((chunk + 1) * CHUNK);
        let count = numbers.end - numbers.start;
        each(&mut collected, numbers);
        progress(done.fetch_add(count, Ordering::Relaxed) + count);
        collected
    });
    parts.reduce(&new, |mut all, part| {
        merge(&mut all, part);
        all
    })
}

/// Compares every revision with the next one, and the optimized engine with every reference implementation.
///
/// # Errors
///
/// Returns a sentence if there are more pairs than can be counted.
pub fn history(scope: &Scope, progress: &(dyn Fn(u64) + Sync)) -> Result<History, String> {
    let revisions: Vec<_> = revision::resolving().collect();
    let new = || History {
        consecutive: revisions.windows(2).map(|two| (two[0].0.id, two[1].0.id, DifferenceCount::default())).collect(),
        ..History::default()
    };
    let each = |found: &mut History, pairs: &[Pair<'_>]| {
        pairs.iter().for_each(|(base, reference)| found.add(&revisions, base, reference));
    };
    let mut all = over(scope, progress, new, each, History::merge)?;
    all.disagreements.sort();
    all.disagreements.truncate(MOST);
    Ok(all)
}

/// The maximum number of disagreements in a result, and that each thread keeps while it counts.
const MOST: usize = 10;

impl History {
    fn add(&mut self, revisions: &[(&'static Revision, &'static Rules)], base: &str, reference: &str) {
        self.pairs += 1;
        let mut out = String::new();
        let resolve = |(revision, rules): &(&'static Revision, &'static Rules)| {
            let by_steps = revision.resolve(base, reference);
            if !agrees(rules, base, reference, &by_steps, &mut out) {
                self.disagreeing += 1;
                self.disagreements.push((revision.id, base.to_owned(), reference.to_owned()));
            }
            by_steps
        };
        let results: Vec<Resolution> = revisions.iter().map(resolve).collect();
        self.disagreements.truncate(MOST);
        for (two, sum) in results.windows(2).zip(&mut self.consecutive) {
            let url = |index: usize| two[index].as_ref().ok().map(|target| &target.url);
            sum.2.results += u64::from(url(0) != url(1));
            sum.2.meanings += u64::from(is_same_document(&two[0]) != is_same_document(&two[1]));
        }
    }

    fn merge(&mut self, part: Self) {
        self.pairs += part.pairs;
        self.disagreeing += part.disagreeing;
        self.disagreements.extend(part.disagreements);
        for (sum, part) in self.consecutive.iter_mut().zip(part.consecutive) {
            sum.2.results += part.2.results;
            sum.2.meanings += part.2.meanings;
        }
    }
}

/// The comparison of every form of the optimized engine with the reference implementations over a scope.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Agreement {
    /// The number of references.
    pub references: u64,
    /// The number of pairs of a base and a reference.
    pub pairs: u64,
    /// The number of comparisons: one for each pair, revision and form.
    pub compared: u64,
    /// The names of the forms: without a prepared base, and for each instruction set with a prepared base, alone and in
    /// a batch.
    pub forms: Vec<String>,
    /// The number of comparisons in which the results differ.
    pub disagreeing: u64,
    /// Some of the disagreements, as revision, form, base and reference. At most ten.
    pub disagreements: Vec<(&'static str, String, String, String)>,
}

/// Compares every form of the optimized engine with every reference implementation.
///
/// # Errors
///
/// Returns a sentence if there are more pairs than can be counted.
pub fn agreement(scope: &Scope, progress: &(dyn Fn(u64) + Sync)) -> Result<Agreement, String> {
    let total = scope.references()?;
    let instructions: Vec<InstructionSet> = InstructionSet::available().collect();
    let new = || {
        let bases = scope.bases.iter().map(|base| (base, Forms::of_all(&instructions, base))).collect();
        Collected { bases, found: Agreement::default() }
    };
    let each = |collected: &mut Collected<'_>, numbers: Range<u64>| {
        let mut reference = String::new();
        for number in numbers {
            nth(&scope.alphabet, number, &mut reference);
            collected.add(&reference);
        }
    };
    let merge = |all: &mut Collected<'_>, part: Collected<'_>| {
        all.found.pairs += part.found.pairs;
        all.found.compared += part.found.compared;
        all.found.disagreeing += part.found.disagreeing;
        all.found.disagreements.extend(part.found.disagreements);
    };
    let mut all = on_every_core(total, progress, new, each, merge).found;
    let of_base = |instructions: &InstructionSet| ["alone", "batch"].map(|form| format!("{instructions}, {form}"));
    all.references = total;
    all.forms = iter::once(NEW_EACH_TIME.to_owned()).chain(instructions.iter().flat_map(of_base)).collect();
    all.disagreements.sort();
    all.disagreements.truncate(MOST);
    Ok(all)
}

/// The prepared bases of a thread, and the results that the thread collected.
struct Collected<'a> {
    bases: Vec<(&'a String, Vec<Forms<'a>>)>,
    found: Agreement,
}

impl Collected<'_> {
    fn add(&mut self, reference: &str) {
        let Self { bases, found } = self;
        for (base, rows) in bases {
            found.pairs += 1;
            for forms in rows {
                let revision = forms.revision;
                let by_steps = revision.resolve(base, reference);
                forms.compare(reference, &by_steps, &mut |form, same, _| {
                    found.compared += 1;
                    if !same {
                        found.disagreeing += 1;
                        if found.disagreements.len() < MOST {
                            found.disagreements.push((revision.id, form(), (*base).clone(), reference.to_owned()));
                        }
                    }
                });
            }
        }
    }
}

/// Compares `engine` with each of `specifications` on every pair, and groups the divergences by cause.
///
/// # Errors
///
/// Returns a sentence if there are more pairs than can be counted.
pub fn compare(
    scope: &Scope,
    engine: &dyn Engine,
    model: &Model,
    specifications: &[Specification],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Comparison>, String> {
    let comparer = || Comparer::new(engine, specifications, model);
    Ok(over(scope, progress, comparer, Comparer::ask_all, Comparer::merge)?.finish())
}

/// Compares `engine` with each of `specifications` on every pair, and only counts; see [`Tally::counting`].
///
/// # Errors
///
/// Returns a sentence if there are more pairs than can be counted.
pub fn totals(
    scope: &Scope,
    engine: &dyn Engine,
    model: &Model,
    specifications: &[Specification],
) -> Result<Vec<Totals>, String> {
    let comparer = || Comparer::new(engine, specifications, model).counting();
    let found = over(scope, &|_| (), comparer, Comparer::ask_all, Comparer::merge)?.finish();
    Ok(found.into_iter().map(|found| found.totals).collect())
}

/// Compares `engine` with `other` on every pair, and groups the divergences by the differences between their behaviours.
///
/// If neither engine has a known behaviour, divergences have no causes.
///
/// # Errors
///
/// Returns a sentence if there are more pairs than can be counted.
pub fn compare_engines(
    scope: &Scope,
    engine: &dyn Engine,
    other: &dyn Engine,
    engine_pair: &EnginePair,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Comparison, String> {
    let tally = || Tally::between(engine, other, engine_pair.clone());
    Ok(over(scope, progress, tally, Tally::ask_all, Tally::merge)?.finish())
}

/// Passes `items` to `each`, in parallel, up to 256 of them at once: as many as an engine is asked in one call.
///
/// Each task collects into a value returned by `new`. `merge` combines two such values and is called in no defined
/// order. `progress` receives the number of items that were processed so far.
pub fn over_items<I: Sync, T: Send>(
    items: &[I],
    progress: &(dyn Fn(u64) + Sync),
    new: impl Fn() -> T + Sync + Send,
    each: impl Fn(&mut T, &[I]) + Sync + Send,
    merge: impl Fn(&mut T, T) + Sync + Send,
) -> T {
    let each = |collected: &mut T, numbers: Range<u64>| {
        each(collected, &items[numbers.start as usize..numbers.end as usize]);
    };
    on_every_core(items.len() as u64, progress, new, each, merge)
}

/// Passes all pairs of `scope` to `each`, as [`over_items`] does for items. `progress` receives the number of
/// references that were processed so far.
///
/// # Errors
///
/// Returns a sentence if there are more pairs than can be counted.
pub fn over<T: Send>(
    scope: &Scope,
    progress: &(dyn Fn(u64) + Sync),
    new: impl Fn() -> T + Sync + Send,
    each: impl Fn(&mut T, &[Pair<'_>]) + Sync + Send,
    merge: impl Fn(&mut T, T) + Sync + Send,
) -> Result<T, String> {
    let each = |collected: &mut T, numbers: Range<u64>| {
        let reference = |number: u64| {
            let mut reference = String::new();
            nth(&scope.alphabet, number, &mut reference);
            reference
        };
        let references: Vec<String> = numbers.map(reference).collect();
        let on_bases = |reference| scope.bases.iter().map(move |base: &String| (base.as_str(), reference));
        let pairs: Vec<Pair<'_>> = references.iter().flat_map(|reference| on_bases(reference.as_str())).collect();
        pairs.chunks(CHUNK as usize).for_each(|pairs| each(collected, pairs));
    };
    Ok(on_every_core(scope.references()?, progress, new, each, merge))
}
