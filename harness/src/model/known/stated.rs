//! Profiles in the form of a file: see [`StatedProfile`].

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use urlstrata::rules;

use crate::model::attribute::{Attributor, Difference};
use crate::model::profile::{Fitted, KnownProfile};
use crate::model::specification::Specification;
use crate::normalize::{Normalization, Profile};

/// A profile in the form of a file: the nearest specification, and the differences from it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StatedProfile {
    /// The id of the nearest specification.
    pub nearest: String,
    /// Settings that differ from the nearest specification's, by rule.
    #[serde(rename = "settings")]
    pub settings: BTreeMap<String, String>,
    /// Undetermined rules, with the settings that fit equally well.
    pub undetermined: BTreeMap<String, Vec<String>>,
    /// Normalizations that the engine applies and the specification does not require.
    pub applied: Vec<String>,
    /// Normalizations of the specification that the engine does not apply.
    pub omitted: Vec<String>,
    /// Normalizations that are unobservable on the survey.
    pub unobservable: Vec<String>,
}

impl StatedProfile {
    /// Returns the fitted profile in the form of a file.
    pub fn of(fitted: &Fitted) -> Self {
        let rule = |index: usize| rules::ALL[index].name.to_owned();
        let known = fitted.known_profile();
        let attributor = Attributor::new(fitted.nearest, Some(&known));
        let names = |wanted: fn(&Difference) -> Option<Normalization>| {
            let found = attributor.differences().iter().filter_map(wanted);
            found.map(|normalization| normalization.name().to_owned()).collect()
        };
        let settings = attributor.differences().iter().filter_map(|difference| match difference {
            Difference::Setting(change) => Some((change.rule().name.to_owned(), change.to().name.to_owned())),
            _ => None,
        });
        let undetermined = fitted.undetermined.iter().map(|(index, settings)| {
            let names = settings.iter().map(|setting| rules::ALL[*index].settings[*setting].name.to_owned());
            (rule(*index), names.collect())
        });
        Self {
            nearest: fitted.nearest.id.to_owned(),
            settings: settings.collect(),
            undetermined: undetermined.collect(),
            applied: names(|it| if let Difference::Applied(normalization) = it { Some(*normalization) } else { None }),
            omitted: names(|it| if let Difference::Omitted(normalization) = it { Some(*normalization) } else { None }),
            unobservable: fitted.unobservable.iter().map(|normalization| normalization.name().to_owned()).collect(),
        }
    }

    /// Returns the profile, without listed exceptions.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the file contains an unknown specification, rule, setting or normalization.
    pub fn known_profile(&self) -> Result<KnownProfile, String> {
        let nearest = self.nearest()?;
        let rule = |name: &str| {
            let index = rules::ALL.iter().position(|rule| rule.name == name);
            index.ok_or_else(|| format!("no rule is called {name:?}"))
        };
        let mut rules = nearest.profile.rules;
        for (name, setting) in &self.settings {
            let rule = &rules::ALL[rule(name)?];
            let index = rule.settings.iter().position(|own| own.name == setting);
            let index = index.ok_or_else(|| format!("the rule {name:?} has no setting {setting:?}"))?;
            rules = rule.with(&rules, index);
        }
        let normalization =
            |name: &String| Normalization::by_name(name).ok_or_else(|| format!("no normalization is called {name:?}"));
        let mut normalizations = nearest.profile.normalizations;
        for name in &self.applied {
            normalizations = normalizations.with(normalization(name)?);
        }
        for name in &self.omitted {
            normalizations = normalizations.without(normalization(name)?);
        }
        self.unobservable.iter().try_for_each(|name| normalization(name).map(|_| ()))?;
        let undetermined = self.undetermined.keys().map(|name| rule(name)).collect::<Result<_, _>>()?;
        Ok(KnownProfile { profile: Profile { rules, normalizations }, undetermined, exceptions: BTreeSet::new() })
    }

    /// Returns the specification to which the engine is nearest.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the specification is unknown.
    pub fn nearest(&self) -> Result<Specification, String> {
        let id = &self.nearest;
        Specification::by_id(id).ok_or_else(|| {
            let ids: Vec<_> = Specification::all().iter().map(|specification| specification.id).collect();
            format!("no specification is called {id:?}: there are {}", ids.join(", "))
        })
    }
}
