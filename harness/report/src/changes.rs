//! The changes of the URL Standard, and which of them each engine follows.

use serde::Serialize;
use urlstrata::revision::Revision;
use urlstrata::revision::whatwg::{self, CHANGES, Change, ChangeSet, REVISIONS};

use urlstrata_harness::engine::{Engine, ask};
use urlstrata_harness::knowledge::attribute::effect;
use urlstrata_harness::knowledge::dated::alters_results;
use urlstrata_harness::outcome::Outcome;

/// A dated state of the Standard, with the changes that it has and the state before it does not.
#[derive(Serialize)]
pub(super) struct StateRow {
    id: &'static str,
    specification: &'static str,
    changes: Vec<ChangeRow>,
}

#[derive(Serialize)]
struct ChangeRow {
    commit: &'static str,
    date: &'static str,
    sentence: &'static str,
    affects: &'static str,
    witness: Option<WitnessRow>,
}

/// The results for a change's witness.
#[derive(Serialize)]
struct WitnessRow {
    base: &'static str,
    reference: &'static str,
    /// Without the change. `None` for the changes before the first dated state, whose steps all states have.
    before: Option<Outcome>,
    /// With the change, and without later ones.
    after: Outcome,
    /// In the newest state.
    newest: Outcome,
    /// The names of the engines that have the result of the newest state.
    engines: Vec<String>,
}

/// Returns the dated states with their changes, oldest first.
pub(super) fn states(engines: &[Box<dyn Engine>]) -> Vec<StateRow> {
    let mut earlier = ChangeSet::default();
    let state = |&(revision, landed): &(&'static Revision, ChangeSet)| {
        let altering = landed.difference(earlier).filter(|change| alters_results(change));
        let changes = altering.map(|change| row(change, engines)).collect();
        earlier = landed;
        StateRow { id: revision.id, specification: revision.specification, changes }
    };
    REVISIONS.iter().map(state).collect()
}

fn row(change: &'static Change, engines: &[Box<dyn Engine>]) -> ChangeRow {
    let first = REVISIONS.first().map_or(ChangeSet::default(), |(_, landed)| *landed);
    let index = CHANGES.iter().position(|own| own == change).unwrap_or_default();
    let witness = change.witness.map(|(base, reference)| {
        let result = |landed| Outcome::from(whatwg::resolve(landed, base, reference));
        let is_later = !first.contains(change);
        let newest = result(ChangeSet::ALL);
        let follows = |engine: &dyn Engine| effect(&newest, &ask(engine, base, reference)).is_none();
        WitnessRow {
            base,
            reference,
            before: is_later.then(|| result(ChangeSet::until(index))),
            after: result(if is_later { ChangeSet::until(index + 1) } else { first }),
            engines: engines
                .iter()
                .filter(|engine| follows(engine.as_ref()))
                .map(|engine| engine.name().to_owned())
                .collect(),
            newest,
        }
    });
    let Change { commit, date, sentence, affects, .. } = *change;
    ChangeRow { commit, date, sentence, affects, witness }
}
