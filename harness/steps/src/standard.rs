//! Engines that implement the URL Standard.

use urlstrata::revision::Revision;
use urlstrata::revision::whatwg::{self, ChangeSet};

use crate::table::{Change, Witness};

/// Creates the change with which an engine adopted a change of the URL Standard. `commit` is the short hash of that change, and `says`
/// what the Standard describes since then.
pub const fn adopts(
    commit: &'static str,
    issue: &'static str,
    says: &'static str,
    (versions, date): (&'static [&'static str], &'static str),
    witness: Option<Witness>,
) -> Change {
    Change { id: commit, versions, date, issue, says, witness }
}

/// Returns the changes of the Standard that an engine has adopted: those of `revision`, and those among the engine's own changes that
/// are named as one of the Standard's.
pub fn landed(revision: &Revision, changes: &[&'static Change]) -> ChangeSet {
    let adopted = changes.iter().filter_map(|change| whatwg::Change::by_commit(change.id));
    adopted.fold(whatwg::changes_of(revision).unwrap_or_default(), |landed, change| landed.with(change))
}
