//! The attribution of differences between two engines.

use std::sync::Arc;

use super::{Attribution, Attributor, Cause, Difference, Model, agreeing, by_behaviours, effect, unanswered};
use crate::behaviour::Behaviour;
use crate::model::profile::KnownProfile;
use crate::model::specification::Specification;
use crate::outcome::Outcome;

/// Two engines that are compared with each other, and what is known of them.
#[derive(Clone, Debug)]
pub struct EnginePair {
    /// The second engine's profile as the specification, with which the first engine is compared.
    forwards: Option<Attributor>,
    /// The first engine's profile as the specification, with which the second engine is compared.
    backwards: Option<Attributor>,
    /// The citations for the settings of the first and of the second engine: those of the nearest specifications.
    cites: [&'static str; 2],
    /// The behaviours of the first and of the second engine.
    behaviours: Option<[Arc<Behaviour>; 2]>,
}

impl EnginePair {
    /// Creates a comparison of two engines of which `one` and `other` are known. If nothing is known, no divergence has a
    /// cause.
    pub fn new(one: impl Into<Model>, other: impl Into<Model>) -> Self {
        let [one, other] = [one.into(), other.into()];
        let attributor = |of: &KnownProfile, known| Attributor::new(Specification::of_profile(of.profile), known);
        let cite = |of: &Model| {
            let nearest = |known: &KnownProfile| Specification::nearest(&known.profile, &known.undetermined);
            of.profile.as_ref().map_or("", |known| nearest(known).cite_of_rules())
        };
        Self {
            forwards: other.profile.as_ref().map(|it| attributor(it, one.profile.as_ref())),
            backwards: one.profile.as_ref().map(|it| attributor(it, None)),
            cites: [cite(&one), cite(&other)],
            behaviours: one.behaviour.zip(other.behaviour).map(<[_; 2]>::from),
        }
    }

    /// Returns the citations of the specifications nearest to the first and to the second engine. The citation is empty
    /// for an engine without a profile.
    pub fn cites(&self) -> [&'static str; 2] {
        self.cites
    }

    /// Returns whether a divergence can have a cause: at least one of the engines has a profile, or both have a
    /// behaviour.
    pub fn has_causes(&self) -> bool {
        self.forwards.is_some() || self.backwards.is_some() || self.behaviours.is_some()
    }

    /// Compares the result `returned` of the first engine with the result `own` of the second. Returns `None` if they
    /// agree. Two failures agree, whatever their reasons. So do two crashes, two timeouts or two skipped requests.
    ///
    /// The differences of a cause lead from the second engine to the first: `no trim` means that the second engine
    /// trims and the first does not. If the second engine's profile does not explain the divergence, the first engine's
    /// profile is used. Differences of behaviours are preferred to a cause that is not part of a profile.
    pub fn attribute(&self, base: &str, reference: &str, returned: &Outcome, own: &Outcome) -> Option<Attribution> {
        let found = self.by_profiles(base, reference, returned, own)?;
        if let Cause::Profile(_) | Cause::Listed(_) = found.cause {
            return Some(found);
        }
        let behaviours = self.behaviours.as_ref().map(|[one, other]| [&**other, &**one]);
        let cause = behaviours.and_then(|behaviours| by_behaviours(behaviours, base, reference, own, returned));
        Some(match cause {
            Some(cause) => Attribution { cause, towards: None, outside: false, ..found },
            None => found,
        })
    }

    fn by_profiles(&self, base: &str, reference: &str, returned: &Outcome, own: &Outcome) -> Option<Attribution> {
        let forwards = self.forwards.as_ref().map(|it| it.attribute_from(own.clone(), base, reference, returned));
        match forwards {
            Some(None) => return None,
            Some(Some(found)) if !matches!(found.cause, Cause::Unexplained(_)) => return Some(found),
            _ => {}
        }
        let Some(backwards) = &self.backwards else {
            return forwards.flatten().or_else(|| unknown(returned, own));
        };
        let found = backwards.attribute_from(returned.clone(), base, reference, own)?;
        let forwards = forwards.flatten();
        if forwards.is_some() && !found.cause.is_explained() {
            return forwards;
        }
        let outside = forwards.is_some();
        let signature = agreeing(base, reference, returned);
        Some(Attribution {
            signature,
            cause: found.cause.reversed(),
            towards: None,
            outside,
            own: own.clone(),
            ..found
        })
    }

    /// Returns whether `differences` are a cause.
    ///
    /// Either the second engine's profile with the differences must predict the first engine's result, or the first
    /// engine's profile with the reversed differences must predict the second engine's result.
    pub fn holds(
        &self,
        differences: &[Difference],
        base: &str,
        reference: &str,
        returned: &Outcome,
        own: &Outcome,
    ) -> bool {
        let reversed: Vec<_> = differences.iter().map(|it| it.reversed()).collect();
        self.forwards.as_ref().is_some_and(|it| it.holds(differences, base, reference, own, returned))
            || self.backwards.as_ref().is_some_and(|it| it.holds(&reversed, base, reference, returned, own))
    }
}

/// Attributes a divergence of two engines without profiles.
fn unknown(returned: &Outcome, own: &Outcome) -> Option<Attribution> {
    let effect = effect(own, returned)?;
    let why = unanswered(own).or_else(|| unanswered(returned)).unwrap_or("neither engine has a profile or a behaviour");
    Some(Attribution {
        signature: Vec::new(),
        cause: Cause::Unexplained(why.to_owned()),
        towards: None,
        outside: false,
        effect,
        own: own.clone(),
    })
}
