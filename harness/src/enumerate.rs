//! Every short reference against every base: do the two sides of each revision agree, and in what do two differ?

use std::sync::atomic::{AtomicU64, Ordering};
use std::{iter, thread};

use serde::Serialize;
use urlstrata::Resolution;
use urlstrata::fast::InstructionSet;
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;

use crate::attribute::Couple;
use crate::engine::{Engine, ask};
use crate::forms::{Forms, NEW_EACH_TIME};
use crate::generate::{count, nth};
use crate::judge::{Beside, Comparison, Tally, agrees, is_same_document};
use crate::known;
use crate::profile::Reading;

/// What is enumerated.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The characters.
    pub alphabet: Vec<char>,
    /// The longest reference.
    pub length: usize,
    /// The bases.
    pub bases: Vec<String>,
}

impl Scope {
    /// How many references there are.
    ///
    /// # Errors
    ///
    /// A sentence, if there are too many to count.
    pub fn references(&self) -> Result<u64, String> {
        count(self.alphabet.len(), self.length)
            .and_then(|references| references.checked_mul(self.bases.len() as u64).map(|_| references))
            .ok_or_else(|| "more pairs than can be counted: use fewer characters or a shorter length".to_owned())
    }
}

/// Two consecutive revisions over a scope.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Differing {
    /// Pairs with another result.
    pub results: u64,
    /// Pairs that one of the two calls the same document.
    pub meanings: u64,
}

/// All revisions over a scope.
#[derive(Clone, Debug, Default, Serialize)]
pub struct History {
    /// Pairs asked about.
    pub pairs: u64,
    /// Consecutive revisions, oldest first.
    pub consecutive: Vec<(&'static str, &'static str, Differing)>,
    /// Pairs on which the optimized engine said other than a reference: revision, base, reference. At most ten.
    pub disagreements: Vec<(&'static str, String, String)>,
    /// How many such pairs there are.
    pub disagreeing: u64,
}

/// How many references a thread takes at once.
const CHUNK: u64 = 256;

/// Runs `work` over all numbers below `total` on every core; `progress` is told how many are done.
fn on_every_core<T: Send>(
    total: u64,
    progress: &(dyn Fn(u64) + Sync),
    work: impl Fn(&mut dyn Iterator<Item = u64>) -> T + Sync,
) -> Vec<T> {
    let next = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut left = 0..0;
                    let mut numbers = iter::from_fn(|| {
                        if left.is_empty() {
                            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                            progress(done.fetch_add(CHUNK.min(total.saturating_sub(start)), Ordering::Relaxed));
                            left = start.min(total)..(start + CHUNK).min(total);
                        }
                        left.next()
                    });
                    work(&mut numbers)
                })
            })
            .collect();
        let join = |worker: thread::ScopedJoinHandle<'_, T>| match worker.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        workers.into_iter().map(join).collect()
    })
}

/// Compares every revision with the next, and the optimized engine with every reference.
///
/// # Errors
///
/// If there are more pairs than can be counted.
pub fn history(scope: &Scope, progress: &(dyn Fn(u64) + Sync)) -> Result<History, String> {
    let total = scope.references()?;
    let revisions: Vec<_> = revision::resolving().collect();
    let parts = on_every_core(total, progress, |numbers| history_of(scope, &revisions, numbers));
    let mut all = History {
        consecutive: revisions.windows(2).map(|two| (two[0].0.id, two[1].0.id, Differing::default())).collect(),
        ..History::default()
    };
    for part in parts {
        all.pairs += part.pairs;
        all.disagreeing += part.disagreeing;
        all.disagreements.extend(part.disagreements);
        for (sum, part) in all.consecutive.iter_mut().zip(part.consecutive) {
            sum.2.results += part.2.results;
            sum.2.meanings += part.2.meanings;
        }
    }
    all.disagreements.sort();
    all.disagreements.truncate(10);
    Ok(all)
}

fn history_of(
    scope: &Scope,
    revisions: &[(&'static Revision, &'static Rules)],
    numbers: &mut dyn Iterator<Item = u64>,
) -> History {
    let mut found = History {
        consecutive: revisions.windows(2).map(|_| ("", "", Differing::default())).collect(),
        ..History::default()
    };
    let (mut reference, mut out) = (String::new(), String::new());
    let mut answers: Vec<Resolution> = Vec::new();
    for number in numbers {
        nth(&scope.alphabet, number, &mut reference);
        for base in &scope.bases {
            found.pairs += 1;
            answers.clear();
            for &(revision, rules) in revisions {
                let by_steps = revision.resolve(base, &reference);
                if !agrees(rules, base, &reference, &by_steps, &mut out) {
                    found.disagreeing += 1;
                    if found.disagreements.len() < 10 {
                        found.disagreements.push((revision.id, base.clone(), reference.clone()));
                    }
                }
                answers.push(by_steps);
            }
            for (two, sum) in answers.windows(2).zip(&mut found.consecutive) {
                let url = |index: usize| two[index].as_ref().ok().map(|target| &target.url);
                sum.2.results += u64::from(url(0) != url(1));
                sum.2.meanings += u64::from(is_same_document(&two[0]) != is_same_document(&two[1]));
            }
        }
    }
    found
}

/// How every form of the optimized engine compares with the references over a scope.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Agreement {
    /// References.
    pub references: u64,
    /// Pairs of a base and a reference.
    pub pairs: u64,
    /// Results of each form under each revision that were put beside a reference's.
    pub compared: u64,
    /// The forms: on bytes of these instructions, prepared or not, alone or in a batch.
    pub forms: Vec<String>,
    /// How many said otherwise.
    pub disagreeing: u64,
    /// Some of them: revision, form, base, reference. At most ten.
    pub disagreements: Vec<(&'static str, String, String, String)>,
}

/// Puts every form of the optimized engine beside every reference.
///
/// # Errors
///
/// If there are more pairs than can be counted.
pub fn agreement(scope: &Scope, progress: &(dyn Fn(u64) + Sync)) -> Result<Agreement, String> {
    let total = scope.references()?;
    let instructions: Vec<InstructionSet> = InstructionSet::available().collect();
    let parts = on_every_core(total, progress, |numbers| agreement_of(scope, &instructions, numbers));
    let of_base = |instructions: &InstructionSet| ["alone", "batch"].map(|form| format!("{instructions}, {form}"));
    let mut all = Agreement {
        references: total,
        forms: iter::once(NEW_EACH_TIME.to_owned()).chain(instructions.iter().flat_map(of_base)).collect(),
        ..Agreement::default()
    };
    for part in parts {
        all.pairs += part.pairs;
        all.compared += part.compared;
        all.disagreeing += part.disagreeing;
        all.disagreements.extend(part.disagreements);
    }
    all.disagreements.sort();
    all.disagreements.truncate(10);
    Ok(all)
}

fn agreement_of(scope: &Scope, instructions: &[InstructionSet], numbers: &mut dyn Iterator<Item = u64>) -> Agreement {
    let mut found = Agreement::default();
    let mut bases: Vec<_> = scope.bases.iter().map(|base| (base, Forms::of_all(instructions, base))).collect();
    let mut reference = String::new();
    for number in numbers {
        nth(&scope.alphabet, number, &mut reference);
        for (base, rows) in &mut bases {
            found.pairs += 1;
            for forms in rows {
                let revision = forms.revision;
                let by_steps = revision.resolve(base, &reference);
                forms.compare(&reference, &by_steps, &mut |form, same, _| {
                    found.compared += 1;
                    if !same {
                        found.disagreeing += 1;
                        if found.disagreements.len() < 10 {
                            found.disagreements.push((revision.id, form(), (*base).clone(), reference.clone()));
                        }
                    }
                });
            }
        }
    }
    found
}

/// Puts every pair to `engine`, and sorts what differs from each of `readings` by cause.
///
/// # Errors
///
/// If there are more pairs than can be counted.
pub fn compare(
    scope: &Scope,
    engine: &dyn Engine,
    readings: &[Reading],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Comparison>, String> {
    let known = known::profile_of(engine);
    let beside = || Beside::new(engine, readings, known.as_ref());
    let mut all = beside();
    let ask = |beside: &mut Beside<'_>, base: &str, reference: &str| {
        beside.ask(base, reference);
    };
    over(scope, progress, beside, ask)?.into_iter().for_each(|part| all.merge(part));
    Ok(all.finish())
}

/// Puts every pair to `engine` and to `other`, and sorts what differs by what their profiles differ in. If nothing is known
/// of both, no divergence has a cause.
///
/// # Errors
///
/// If there are more pairs than can be counted.
pub fn compare_engines(
    scope: &Scope,
    engine: &dyn Engine,
    other: &dyn Engine,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Comparison, String> {
    let couple = Couple::new(known::profile_of(engine).as_ref(), known::profile_of(other).as_ref());
    let tally = || Tally::between(engine, other, couple.clone());
    let mut all = tally();
    let add = |tally: &mut Tally<'_>, base: &str, reference: &str| {
        tally.add(base, reference, &ask(engine, base, reference));
    };
    over(scope, progress, tally, add)?.into_iter().for_each(|part| all.merge(part));
    Ok(all.finish())
}

/// Hands every one of `pairs` to `each`, on every core with a collection of its own.
pub fn over_pairs<T: Send>(
    pairs: &[(String, String)],
    progress: &(dyn Fn(u64) + Sync),
    new: impl Fn() -> T + Sync,
    each: impl Fn(&mut T, &str, &str) + Sync,
) -> Vec<T> {
    on_every_core(pairs.len() as u64, progress, |numbers| {
        let mut collected = new();
        for number in numbers {
            let (base, reference) = &pairs[number as usize];
            each(&mut collected, base, reference);
        }
        collected
    })
}

/// Hands every pair of `scope` to `each`, on every core with a collection of its own.
///
/// # Errors
///
/// If there are more pairs than can be counted.
pub fn over<T: Send>(
    scope: &Scope,
    progress: &(dyn Fn(u64) + Sync),
    new: impl Fn() -> T + Sync,
    each: impl Fn(&mut T, &str, &str) + Sync,
) -> Result<Vec<T>, String> {
    let total = scope.references()?;
    Ok(on_every_core(total, progress, |numbers| {
        let mut collected = new();
        let mut reference = String::new();
        for number in numbers {
            nth(&scope.alphabet, number, &mut reference);
            for base in &scope.bases {
                each(&mut collected, base, &reference);
            }
        }
        collected
    }))
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, on_every_core};

    #[test]
    fn every_number_is_handed_out_once() {
        let total = 3 * CHUNK + 7;
        let parts = on_every_core(total, &|_| (), |numbers| numbers.fold((0, 0), |(n, sum), x| (n + 1, sum + x)));
        let all = parts.into_iter().fold((0, 0), |(n, sum), (m, part)| (n + m, sum + part));
        assert_eq!(all, (total, total * (total - 1) / 2));
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn a_fault_in_a_worker_is_not_lost() {
        on_every_core(10, &|_| (), |numbers| numbers.for_each(|number| assert!(number != 3, "on purpose")));
    }
}
