//! The input of commands and reports: vectors, known deviations, and engines.

use std::path::Path;
use std::sync::OnceLock;

use crate::engine::{self, Engine};
use crate::model::known::KnownEngines;
use crate::model::profile::{self, KnownProfile};
use crate::vector::Suite;
use crate::yaml::FileError;

/// Vectors, known deviations, and the engines under test. It is built once and passed to all functions that need it.
pub struct World {
    suite: OnceLock<Suite>,
    /// Profiles and known deviations of engines.
    pub known: KnownEngines,
    /// The engines under test.
    pub engines: Vec<Box<dyn Engine>>,
}

impl World {
    /// Returns a world with the embedded vectors and known deviations, and without engines.
    ///
    /// # Errors
    ///
    /// Returns an error if an embedded file of known deviations is not valid. Tests verify that all of them are valid.
    pub fn embedded() -> Result<Self, FileError> {
        Ok(Self { suite: OnceLock::new(), known: KnownEngines::embedded()?, engines: Vec::new() })
    }

    /// Adds the known deviations in `folder`. They replace the embedded known deviations of the same engines.
    ///
    /// # Errors
    ///
    /// Returns an error if `folder` does not contain files of known deviations, or if a file cannot be
    /// read or is not valid.
    pub fn with_known(self, folder: &Path) -> Result<Self, FileError> {
        Ok(Self { known: self.known.with(KnownEngines::read(folder)?), ..self })
    }

    /// Replaces the engines under test with `engines`.
    #[must_use]
    pub fn with_engines(self, engines: Vec<Box<dyn Engine>>) -> Self {
        Self { engines, ..self }
    }

    /// Replaces the engines under test with the in-process engines that appear in the reports. Engines that implement a
    /// revision and optional engines are excluded.
    #[must_use]
    pub fn with_crates(self) -> Self {
        self.with_engines(engine::all().into_iter().filter(|it| it.revision().is_none() && !it.is_optional()).collect())
    }

    /// Returns the embedded vectors. They are parsed on the first call, which takes about 40 ms.
    ///
    /// # Errors
    ///
    /// Returns an error if an embedded vector file is not valid. Tests verify that all of them are valid.
    pub fn suite(&self) -> Result<&Suite, FileError> {
        if let Some(suite) = self.suite.get() {
            return Ok(suite);
        }
        let suite = Suite::embedded()?;
        Ok(self.suite.get_or_init(|| suite))
    }

    /// Returns the profile of each engine, in the order of [`Self::engines`].
    pub fn profiles(&self) -> Vec<Option<KnownProfile>> {
        self.engines.iter().map(|engine| self.known.profile_of(engine.as_ref())).collect()
    }

    /// Fits a profile to `engine` and keeps it for this run. The survey has about 76,000 pairs.
    ///
    /// # Errors
    ///
    /// Returns an error if [`Self::suite`] returns an error.
    pub fn fit(&mut self, engine: &dyn Engine) -> Result<(), FileError> {
        let fitted = profile::fit(engine, &profile::survey(self.suite()?));
        self.known.add_fitted(engine.name(), fitted.known_profile());
        Ok(())
    }
}
