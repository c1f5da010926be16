//! The profiles of recorded engines, which predict the pairs that are not recorded.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::engine::folder::{EngineFolder, FOLDERS, PROFILE};
use crate::model::known::StatedProfile;
use crate::model::profile::{Fitted, HELD_OUT, KnownProfile};
use crate::model::specification::Specification;
use crate::pairs::bases::BaseClass;
use crate::yaml::{FileError, YamlFile, canonical};

/// The profile of a version of an engine, with its measured accuracy.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedProfile {
    /// The name of the engine.
    pub engine: String,
    /// The version.
    pub version: String,
    /// The profile.
    pub profile: StatedProfile,
    /// The accuracy by kind of pairs. Training pairs are not counted.
    pub rates: Vec<RecordedRate>,
    /// The accuracy by class of base.
    pub bases: Vec<RecordedBaseRate>,
}

/// The accuracy of a profile on pairs of one kind.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRate {
    /// The kind of pairs.
    pub pairs: String,
    /// The number of pairs.
    pub asked: u64,
    /// The number of pairs that the profile predicts.
    pub predicted: u64,
}

/// The accuracy of a profile on bases of one class, for results and failures apart.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedBaseRate {
    /// The class of the bases.
    pub base: String,
    /// The number of pairs for which the engine returned a URL, and the number of these that the profile predicts.
    pub results: [u64; 2],
    /// The number of other pairs, and the number of these that the profile predicts.
    pub failures: [u64; 2],
}

impl RecordedProfile {
    /// Creates the profile of `version` of the engine called `engine` from a fit.
    pub fn of(engine: &str, version: &str, fitted: &Fitted) -> Self {
        let rates = fitted.rates.iter().filter(|rate| !rate.fitted && rate.asked > 0);
        let bases = fitted.by_base.iter().filter(|rate| rate.asked() > 0);
        Self {
            engine: engine.to_owned(),
            version: version.to_owned(),
            profile: StatedProfile::of(fitted),
            rates: rates
                .map(|rate| RecordedRate { pairs: rate.pairs.to_owned(), asked: rate.asked, predicted: rate.predicted })
                .collect(),
            bases: bases
                .map(|rate| RecordedBaseRate {
                    base: rate.base.to_string(),
                    results: [rate.results, rate.results_predicted],
                    failures: [rate.failures, rate.failures_predicted],
                })
                .collect(),
        }
    }

    /// Returns the profile of `version` in the folder of `engine`; `None` if the folder does not contain one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not valid.
    pub fn read(engine: &EngineFolder, version: &str) -> Result<Option<Self>, FileError> {
        let version = engine.profile_version(version);
        let Some(text) = engine.profiles.get(version) else { return Ok(None) };
        let path = Path::new(FOLDERS).join(&engine.name).join(format!("{version}{PROFILE}"));
        let file = YamlFile::parse(&path, text.as_bytes())?;
        let read: Self = file.read()?;
        read.known_profile().map_err(|sentence| file.error(&["profile".into()], sentence))?;
        Ok(Some(read))
    }

    /// Returns the file in its canonical form.
    pub fn canonical(&self) -> String {
        canonical(self)
    }

    /// Returns the profile.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the file contains an unknown specification, rule, setting or normalization.
    pub fn known_profile(&self) -> Result<KnownProfile, String> {
        self.profile.known_profile()
    }

    /// Returns the specification to which the engine is nearest.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the specification is unknown.
    pub fn nearest(&self) -> Result<Specification, String> {
        self.profile.nearest()
    }

    /// Returns the share of held-out pairs that the profile predicts in percent, rounded down to one decimal.
    pub fn percent(&self) -> Option<f64> {
        let rate = self.rates.iter().find(|rate| rate.pairs == HELD_OUT && rate.asked > 0)?;
        Some((rate.predicted as f64 * 1_000.0 / rate.asked as f64).floor() / 10.0)
    }

    /// Returns the accuracy on all classes of bases: the number of pairs with a result and the number of these that the
    /// profile predicts, then the same for failures.
    pub fn by_outcome(&self) -> [[u64; 2]; 2] {
        let sum = |of: fn(&RecordedBaseRate) -> [u64; 2]| {
            self.bases.iter().map(of).fold([0, 0], |sum, rate| [sum[0] + rate[0], sum[1] + rate[1]])
        };
        [sum(|rate| rate.results), sum(|rate| rate.failures)]
    }

    /// Returns the accuracy for a class of bases.
    pub fn of_base(&self, base: BaseClass) -> Option<&RecordedBaseRate> {
        self.bases.iter().find(|rate| rate.base == base.to_string())
    }
}
