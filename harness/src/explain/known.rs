//! The listed deviations of an engine by which a result differs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Divergence, Explainer, Explanation};
use crate::engine::Engine;
use crate::knowledge::attribute::Model;
use crate::knowledge::known::DeviationKind;
use crate::knowledge::notable::{Notable, NotableDeviation, Own, Stated};
use crate::knowledge::stepped::labels;
use crate::yaml::FileError;

/// A deviation that the folder of an engine lists: why a result of the engine differs from that of a specification.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct KnownDeviation {
    /// What the engine does, as a verb phrase.
    pub does: String,
    /// The kind.
    pub kind: DeviationKind,
    /// The reason, with the function or file of the source.
    pub reason: String,
    /// Where the maintainers of the engine discuss the deviation; empty if it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub issue: String,
}

impl Explainer<'_> {
    /// Adds to each divergence of an engine the deviation of its folder by which it differs, if there is one: the engine parts from the
    /// specification in the same slot and by the same step as for the pair of the deviation, or by its settings.
    ///
    /// # Errors
    ///
    /// Returns an error if [`World::stated`](crate::world::World::stated) does.
    pub fn add_known(&self, explanation: &mut Explanation) -> Result<(), FileError> {
        let stated = self.world.stated()?;
        let engines = self.world.engines.iter().zip(&self.models).zip(&mut explanation.engines);
        for ((engine, model), own) in engines {
            for against in own.against.iter_mut() {
                let Some(divergence) = &against.divergence else { continue };
                let known = known(stated, engine.as_ref(), model, divergence);
                against.known = known.unwrap_or_default();
            }
        }
        Ok(())
    }
}

fn known(
    stated: &BTreeMap<String, Stated>,
    engine: &dyn Engine,
    model: &Model,
    divergence: &Divergence,
) -> Option<Vec<KnownDeviation>> {
    let name = engine.name().replacen("crate:", "crate-", 1);
    let notable = stated.get(&name)?.notable.as_ref()?;
    let own = Own::of(model)?;
    let is_cause = |it: &&NotableDeviation| match own {
        Own::Steps(_) => is_by_step(it, own, notable, divergence),
        Own::Behaviour(_) => {
            let has = |setting: &String| divergence.notes.iter().any(|note| note.name == *setting);
            !it.settings.is_empty() && it.settings.iter().all(has)
        }
    };
    let known = notable.deviations.iter().filter(is_cause).map(|it| KnownDeviation {
        does: it.does.clone(),
        kind: it.kind,
        reason: it.reason.clone(),
        issue: it.issue.clone(),
    });
    Some(known.collect())
}

/// Returns whether one of the links of `divergence` is that of a deviation: the slot, and the step of the engine.
fn is_by_step(it: &NotableDeviation, own: Own<'_>, notable: &Notable, divergence: &Divergence) -> bool {
    if it.step.is_empty() || !divergence.cause.contains(&it.step) {
        return false;
    }
    let Ok(decision) = it.decides(own, &notable.specification, None) else { return false };
    let Some(link) = decision.link else { return false };
    let is_same = |part: &str| {
        let (slot, steps) = part.split_once(": ").unwrap_or_default();
        let (_, engine) = steps.rsplit_once(" | ").unwrap_or_default();
        slot == link.slot.to_string() && engine == labels(&link, 1).collect::<Vec<_>>().join(", ")
    };
    divergence.cause.split(" + ").any(is_same)
}
