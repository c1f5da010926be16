//! Deviations that changes of the URL Standard explain.

use urlstrata::revision::whatwg::{self, Change, ChangeSet};

use super::{Deviation, DeviationKind, Witness};
use crate::outcome::Outcome;

/// Returns the result of the URL Standard's newest state without these changes; `None` if there are no changes.
pub(super) fn without_changes(commits: &[String], base: &str, reference: &str) -> Option<Outcome> {
    let changes = commits.iter().filter_map(|commit| Change::by_commit(commit));
    let landed = changes.fold(ChangeSet::ALL, ChangeSet::without);
    (!commits.is_empty()).then(|| whatwg::resolve(landed, base, reference).into())
}

/// Returns whether the newest state of the URL Standard without these changes returns the engine's result on the witness.
fn explain(commits: &[String], witness: &Witness) -> bool {
    without_changes(commits, &witness.base, &witness.reference).is_some_and(|is| witness.returned.is_met_by(&is))
}

/// Returns the kind of a deviation with this witness, and the changes if it is [`DeviationKind::Older`]. `candidates` are the
/// commits of changes that the engine may not follow. The kind of `old`, the entry so far, is kept unless a check would find
/// that its changes do not explain the witness.
pub(super) fn kind(candidates: &[String], old: Option<&Deviation>, witness: &Witness) -> (DeviationKind, Vec<String>) {
    if let Some(old) = old.filter(|old| old.kind != DeviationKind::Older || explain(&old.changes, witness)) {
        return (old.kind, old.changes.clone());
    }
    let single = candidates.iter().map(|commit| vec![commit.clone()]);
    let explaining = std::iter::once(candidates.to_vec()).chain(single).find(|commits| explain(commits, witness));
    explaining.map_or((DeviationKind::Unclear, Vec::new()), |commits| (DeviationKind::Older, commits))
}
