//! The search for the smallest set of differences that explains a result.

use urlstrata::revision::Revision;
use urlstrata::rules::{self, Rules};

use super::{Cause, Change, Difference, with};
use crate::model::specification::{Specification, is_url_standard};
use crate::normalize::{Normalization, Origin, Profile, is_met_by};
use crate::outcome::Outcome;

/// The maximum size of the sets that are tried exhaustively. Larger sets are found by reducing the full set.
const MAX_SUBSET: usize = 3;

/// Returns whether `revision` has the engine's result, by its reference implementation.
///
/// A failure of an RFC agrees with an engine's failure only if the base is unknown; otherwise their reasons may differ.
/// Failures of the URL Standard are results of its parser, so they agree with any failure.
pub fn agrees(revision: &Revision, base: &str, reference: &str, returned: &Outcome) -> bool {
    match (revision.resolve(base, reference), returned) {
        (Ok(target), Outcome::Url(url)) => target.url == *url,
        (Err(_), Outcome::Failure(_)) => base.is_empty() || is_url_standard(revision),
        _ => false,
    }
}

/// A profile's result for a pair: a URL, or the normalization that rejects the pair. `Err(None)` means that the rules
/// define no result.
type Predicted = Result<String, Option<Normalization>>;

/// Returns the smallest set of differences that turns the prediction of `start` into `returned`.
///
/// Prefers differences towards a specification in `agreeing`. Otherwise, tries any set of up to two differences.
pub(super) fn search(
    start: &Profile,
    agreeing: &[Specification],
    base: &str,
    reference: &str,
    returned: &Outcome,
) -> Option<(Cause, Option<Specification>)> {
    // The nearest specification is first, so that it wins if several sets are equally small.
    let between =
        |specification: &Specification| (*specification, Difference::between(start, &specification.profile, &[]));
    let mut candidates: Vec<_> = agreeing.iter().map(between).collect();
    candidates.sort_by_key(|(_, differences)| differences.len());
    let mut best: Option<(Specification, Vec<Difference>)> = None;
    for (specification, differences) in candidates {
        let fewest = best.as_ref().map_or(usize::MAX, |(_, best)| best.len());
        let found = towards(start, &specification.profile, &differences, base, reference);
        best = found.filter(|found| found.len() < fewest).map(|found| (specification, found)).or(best);
    }
    if let Some((specification, differences)) = best {
        return Some((Cause::Agreeing(differences), Some(specification)));
    }
    anywhere(start, base, reference, returned).map(|differences| (Cause::Search(differences), None))
}

/// Returns a smallest subset of `differences` that turns the prediction of `start` into the prediction of `target`.
///
/// A subset of more than [`MAX_SUBSET`] differences is minimal, but there may be smaller subsets. Returns `None` if the
/// predictions are equal, or if all `differences` together do not suffice.
pub(super) fn towards(
    start: &Profile,
    target: &Profile,
    differences: &[Difference],
    base: &str,
    reference: &str,
) -> Option<Vec<Difference>> {
    let predicted =
        |profile: &Profile| -> Predicted { profile.resolve(base, reference).map_err(|rejected| rejected.by) };
    let (first, wanted) = (predicted(start), predicted(target));
    let mut explains = |set: &[Difference]| predicted(&with(start, set)) == wanted;
    if first == wanted || !explains(differences) {
        return None;
    }
    let mut others = Vec::with_capacity(differences.len());
    let relevant = differences.iter().enumerate().filter(|(index, difference)| {
        if !difference.may_act(base, reference) {
            return false;
        }
        if predicted(&with(start, std::slice::from_ref(difference))) != first {
            return true;
        }
        others.clear();
        others.extend(differences.iter().enumerate().filter(|(other, _)| other != index).map(|(_, other)| *other));
        predicted(&with(start, &others)) != wanted
    });
    let relevant: Vec<_> = relevant.map(|(_, difference)| *difference).collect();
    smallest(&relevant, MAX_SUBSET, &mut explains)
        .or_else(|| explains(&relevant).then(|| minimized(relevant, &mut explains)))
        .or_else(|| Some(minimized(differences.to_vec(), &mut explains)))
}

/// Returns one or two differences of any kind that turn the prediction of `start` into `returned`.
///
/// Tries other settings first, then the omission of normalizations of `start`, then normalizations that
/// specifications describe, then quirks.
///
/// A failure is explained only if the base is unknown and the rules define no result. Otherwise any validation would
/// explain it.
fn anywhere(start: &Profile, base: &str, reference: &str, returned: &Outcome) -> Option<Vec<Difference>> {
    let explains = |predicted: &Predicted| match predicted {
        Err(by) if by.is_some() || !base.is_empty() => false,
        predicted => is_met_by(predicted, returned),
    };
    let predicted =
        |set: &[Difference]| -> Predicted { with(start, set).resolve(base, reference).map_err(|rejected| rejected.by) };
    let first = predicted(&[]);
    let every: Vec<_> = every_difference(start).into_iter().filter(|it| it.may_act(base, reference)).collect();
    let mut acting = Vec::new();
    for difference in &every {
        let alone = predicted(std::slice::from_ref(difference));
        if explains(&alone) {
            return Some(vec![*difference]);
        }
        if alone != first {
            acting.push(*difference);
        }
    }
    for difference in &acting {
        for other in every.iter().filter(|other| *other != difference && !other.excludes(difference)) {
            if explains(&predicted(&[*difference, *other])) {
                let mut both = vec![*difference, *other];
                both.sort();
                return Some(both);
            }
        }
    }
    None
}

/// Returns every single difference from `start`.
fn every_difference(start: &Profile) -> Vec<Difference> {
    let settings = rules::ALL.iter().enumerate().flat_map(|(index, rule)| {
        let from = rule.index(&start.rules);
        let others = (0..rule.settings.len()).filter(move |&to| to != from);
        others.map(move |to| Difference::Setting(Change { rule: index, from, to }))
    });
    let omitted = start.normalizations.iter().map(Difference::Omitted);
    let applied = |origin: Origin| {
        let others = Normalization::ALL.iter().copied().filter(|&it| !start.normalizations.has(it));
        others.filter(move |it| it.origin() == origin).map(Difference::Applied)
    };
    settings.chain(omitted).chain(applied(Origin::Specification)).chain(applied(Origin::Quirk)).collect()
}

/// Returns the smallest set of differences between two profiles that turns the result of `older` into the result of
/// `newer`. Returns an empty set if the results are equal.
pub fn between(older: &Profile, newer: &Profile, base: &str, reference: &str) -> Vec<Difference> {
    let differences = Difference::between(older, newer, &[]);
    towards(older, newer, &differences, base, reference).unwrap_or_default()
}

/// Returns the settings in which two rule sets differ.
pub fn changes_between(rules: &Rules, other: &Rules) -> Vec<Change> {
    let indexed = rules::ALL.iter().enumerate();
    indexed
        .map(|(index, rule)| Change { rule: index, from: rule.index(rules), to: rule.index(other) })
        .filter(|change| change.from != change.to)
        .collect()
}

/// Returns the first of the smallest subsets that explain the result, of at most `limit` differences. A subset contains
/// at most one setting of each rule.
fn smallest(
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

/// Removes each difference in turn that is not needed to explain the result.
fn minimized(mut differences: Vec<Difference>, explains: &mut impl FnMut(&[Difference]) -> bool) -> Vec<Difference> {
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
