//! The smallest set of differences that explains.

use urlstrata::fast;
use urlstrata::revision::Revision;
use urlstrata::rules::{COLUMNS, Rules};

use super::{Cause, Change, Difference};
use crate::engine::Outcome;

/// How many differences the search tries at once before it falls back on a whole row or profile.
pub(super) const MAX_SUBSET: usize = 3;

/// Whether a revision's `answer` is the same as what the engine said.
///
/// A refusal is only like another where the base is unknown: else each refuses for a reason of its own.
pub(super) fn equal(base: &str, answer: &Outcome, said: &Outcome) -> bool {
    match (answer, said) {
        (Outcome::Url(one), Outcome::Url(other)) => one == other,
        (Outcome::Refused(_), Outcome::Refused(_)) => base.is_empty(),
        _ => false,
    }
}

/// The smallest set of answers that turns what `rules` say into `said`, and the revision that gives them.
pub(super) fn search(
    rules: &Rules,
    signature: &[(&'static Revision, &'static Rules)],
    base: &str,
    reference: &str,
    said: &Outcome,
) -> Option<(Cause, Option<&'static Revision>)> {
    let mut out = String::new();
    let mut explains =
        |changes: &[Difference]| match (fast::resolve(&changed(rules, changes), base, reference, &mut out), said) {
            (Ok(_), Outcome::Url(url)) => out == *url,
            (Err(_), Outcome::Refused(_)) => base.is_empty(),
            _ => false,
        };
    // Towards each revision that says the same, the nearest row first: only answers in which that one differs.
    let mut towards: Vec<_> = signature.iter().map(|&(other, row)| (other, answers_between(rules, row))).collect();
    towards.sort_by_key(|(_, changes)| changes.len());
    let mut best: Option<(&'static Revision, Vec<Difference>)> = None;
    for (other, changes) in towards {
        let fewest = best.as_ref().map_or(usize::MAX, |(_, best)| best.len());
        let found = smallest(&changes, MAX_SUBSET.min(fewest.saturating_sub(1)), &mut explains)
            .or_else(|| (fewest > MAX_SUBSET).then(|| minimized(changes, &mut explains)))
            .filter(|changes| changes.len() < fewest);
        best = found.map(|changes| (other, changes)).or(best);
    }
    if let Some((towards, changes)) = best {
        return Some((Cause::Columns(changes), Some(towards)));
    }
    let every = COLUMNS.iter().enumerate().flat_map(|(column, answers)| {
        let from = answers.index(rules);
        let others = (0..answers.answers.len()).filter(move |&to| to != from);
        others.map(move |to| Difference::Answer(Change { column, from, to }))
    });
    smallest(&every.collect::<Vec<_>>(), 2, &mut explains).map(|changes| (Cause::Search(changes), None))
}

/// `rules` with the answers among `differences`.
fn changed(rules: &Rules, differences: &[Difference]) -> Rules {
    differences.iter().fold(*rules, |rules, difference| match difference {
        Difference::Answer(change) => change.apply(&rules),
        Difference::Makes(_) | Difference::Leaves(_) => rules,
    })
}

fn answers_between(rules: &Rules, other: &Rules) -> Vec<Difference> {
    changes_between(rules, other).into_iter().map(Difference::Answer).collect()
}

/// The smallest set of answers in which two revisions differ that turns what `older` says into what `newer` says;
/// empty if they say the same.
pub fn between(older: &Rules, newer: &Rules, base: &str, reference: &str) -> Vec<Difference> {
    let mut out = String::new();
    let mut say = |rules: &Rules| {
        let meaning = fast::resolve(rules, base, reference, &mut out);
        meaning.map(|_| out.clone()).map_err(|_| ())
    };
    let wanted = say(newer);
    if say(older) == wanted {
        return Vec::new();
    }
    let mut explains = |changes: &[Difference]| say(&changed(older, changes)) == wanted;
    let changes = answers_between(older, newer);
    smallest(&changes, MAX_SUBSET, &mut explains).unwrap_or_else(|| minimized(changes, &mut explains))
}

/// The answers in which two rows differ.
pub fn changes_between(rules: &Rules, other: &Rules) -> Vec<Change> {
    let columns = COLUMNS.iter().enumerate();
    columns
        .map(|(column, answers)| Change { column, from: answers.index(rules), to: answers.index(other) })
        .filter(|change| change.from != change.to)
        .collect()
}

/// The first of the smallest subsets that explains, up to `limit` of them, one answer a column.
pub(super) fn smallest(
    differences: &[Difference],
    limit: usize,
    explains: &mut impl FnMut(&[Difference]) -> bool,
) -> Option<Vec<Difference>> {
    fn extend(
        differences: &[Difference],
        size: usize,
        chosen: &mut Vec<Difference>,
        explains: &mut impl FnMut(&[Difference]) -> bool,
    ) -> bool {
        if size == 0 {
            return explains(chosen);
        }
        for (index, difference) in differences.iter().enumerate() {
            if chosen.last().is_some_and(|last| last.excludes(difference)) {
                continue;
            }
            chosen.push(*difference);
            if extend(&differences[index + 1..], size - 1, chosen, explains) {
                return true;
            }
            chosen.pop();
        }
        false
    }
    (1..=limit.min(differences.len())).find_map(|size| {
        let mut chosen = Vec::new();
        extend(differences, size, &mut chosen, explains).then_some(chosen)
    })
}

/// All of `differences` but for those that can be left out one after the other.
pub(super) fn minimized(
    mut differences: Vec<Difference>,
    explains: &mut impl FnMut(&[Difference]) -> bool,
) -> Vec<Difference> {
    let mut index = 0;
    while index < differences.len() {
        let left_out = differences.remove(index);
        if !explains(&differences) {
            differences.insert(index, left_out);
            index += 1;
        }
    }
    differences
}
