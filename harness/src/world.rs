//! What commands and reports work on: vectors, known deviations, and engines.

use std::path::Path;
use std::sync::OnceLock;

use crate::engine::{self, Engine};
use crate::model::known::KnownEngines;
use crate::model::profile::{self, KnownProfile};
use crate::vector::Suite;
use crate::yaml::FileError;

/// Vectors, known deviations, and the engines to ask. It is built once and passed down: nothing below looks them up.
pub struct World {
    suite: OnceLock<Suite>,
    /// Profiles and known deviations of engines.
    pub known: KnownEngines,
    /// The engines to ask.
    pub engines: Vec<Box<dyn Engine>>,
}

impl World {
    /// The world that the program carries: its vectors and known deviations, and no engines yet.
    ///
    /// # Errors
    ///
    /// Returns the first file about an engine that is not valid; the tests rule that out.
    pub fn embedded() -> Result<Self, FileError> {
        Ok(Self { suite: OnceLock::new(), known: KnownEngines::embedded()?, engines: Vec::new() })
    }

    /// The same world with the known deviations in `folder`, which replace the program's own about the same engines.
    ///
    /// # Errors
    ///
    /// Returns the first file that cannot be read or is not valid.
    pub fn with_known(self, folder: &Path) -> Result<Self, FileError> {
        Ok(Self { known: self.known.with(KnownEngines::read(folder)?), ..self })
    }

    /// The same world with `engines` to ask.
    #[must_use]
    pub fn with_engines(self, engines: Vec<Box<dyn Engine>>) -> Self {
        Self { engines, ..self }
    }

    /// The same world with the engines in this process that are not ours and that are always there: those of the reports.
    #[must_use]
    pub fn with_crates(self) -> Self {
        self.with_engines(engine::all().into_iter().filter(|it| it.revision().is_none() && !it.is_optional()).collect())
    }

    /// The vectors that the program carries. They are parsed when they are first needed, which takes some 40 ms.
    ///
    /// # Errors
    ///
    /// Returns the first vector file that is not valid; the tests rule that out.
    pub fn suite(&self) -> Result<&Suite, FileError> {
        if let Some(suite) = self.suite.get() {
            return Ok(suite);
        }
        let suite = Suite::embedded()?;
        Ok(self.suite.get_or_init(|| suite))
    }

    /// The profile of each engine, in their order.
    pub fn profiles(&self) -> Vec<Option<KnownProfile>> {
        self.engines.iter().map(|engine| self.known.profile_of(engine.as_ref())).collect()
    }

    /// Fits a profile to `engine` and keeps it for this run. `engine` is asked some 76,000 pairs.
    ///
    /// # Errors
    ///
    /// As [`Self::suite`].
    pub fn fit(&mut self, engine: &dyn Engine) -> Result<(), FileError> {
        let fitted = profile::fit(engine, &profile::survey(self.suite()?));
        self.known.add_fitted(engine.name(), fitted.known_profile());
        Ok(())
    }
}
