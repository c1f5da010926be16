//! The pairs whose results the behaviour of a recorded engine does not predict.

use std::collections::BTreeMap;

use serde::Serialize;

use urlstrata_harness::behaviour::Predictions;
use urlstrata_harness::engine::folder::EngineFolder;
use urlstrata_harness::knowledge::attribute::deviation;
use urlstrata_harness::knowledge::measure::in_second_half;
use urlstrata_harness::knowledge::notable::Unstated;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs::bases::Rank;

/// The held-out pairs whose results a behaviour does not predict.
#[derive(Serialize)]
pub(super) struct Missed {
    pairs: usize,
    /// What the engine does that no setting states.
    unstated: Vec<UnstatedRow>,
    /// The kinds of the pairs, largest first.
    kinds: Vec<KindRow>,
}

/// What an engine does that no setting states, with a pair that shows it.
#[derive(Serialize)]
struct UnstatedRow {
    does: String,
    base: String,
    reference: String,
    returned: Outcome,
    predicted: Outcome,
}

/// The pairs with the same [`deviation`] from the prediction.
#[derive(Clone, Serialize)]
struct KindRow {
    kind: String,
    pairs: usize,
    /// The smallest pair.
    base: String,
    reference: String,
    returned: Outcome,
    predicted: Outcome,
}

impl Missed {
    /// Finds the pairs with other results than `predictions`. `outcomes` are those of `engine`, in the order of its panel.
    ///
    /// # Errors
    ///
    /// Returns a sentence if an `[[unstated]]` entry is not valid or not true.
    pub(super) fn of(
        engine: &EngineFolder,
        predictions: &Predictions<'_>,
        outcomes: &[Outcome],
    ) -> Result<Self, String> {
        let stated = Unstated::all(engine).map_err(|error| error.to_string())?;
        let unstated = stated.into_iter().map(|unstated| {
            let [returned, predicted] =
                unstated.is_missed(engine, predictions.behaviour(), outcomes).map_err(|error| error.to_string())?;
            let (base, reference) = (unstated.pair.base, unstated.pair.reference);
            let [returned, predicted] = [returned, predicted].map(shown);
            Ok::<_, String>(UnstatedRow { does: unstated.does, base, reference, returned, predicted })
        });
        let mut missed = Self { pairs: 0, unstated: unstated.collect::<Result<_, _>>()?, kinds: Vec::new() };
        let mut kinds: BTreeMap<String, KindRow> = BTreeMap::new();
        let pairs = predictions.pairs().iter().zip(predictions.urls()).zip(outcomes);
        for ((&(base, reference), predicted), returned) in pairs {
            if predicted.as_deref() == returned.url() || !in_second_half(base, reference) {
                continue;
            }
            let predicted = predicted.clone().map_or_else(|| Outcome::Failure(String::new()), Outcome::Url);
            let Some(kind) = deviation(&predicted, base, returned) else { continue };
            let own = KindRow {
                kind: kind.clone(),
                pairs: 0,
                base: base.to_owned(),
                reference: reference.to_owned(),
                returned: shown(returned.clone()),
                predicted,
            };
            missed.pairs += 1;
            let row = kinds.entry(kind).or_insert_with(|| own.clone());
            let pairs = row.pairs + 1;
            if Rank::of(base, reference) < Rank::of(&row.base, &row.reference) {
                *row = own;
            }
            row.pairs = pairs;
        }
        missed.kinds = kinds.into_values().collect();
        missed.kinds.sort_by_key(|row| std::cmp::Reverse(row.pairs));
        Ok(missed)
    }
}

/// Returns an outcome without the reason of a failure, which is not compared.
fn shown(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Failure(_) => Outcome::Failure(String::new()),
        other => other,
    }
}
