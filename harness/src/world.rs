//! The input of commands and reports: vectors, known deviations, and engines.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::engine::folder::{EngineFolder, EngineFolders, EngineVersion, Install};
use crate::engine::installation::Root;
use crate::engine::{self, Engine, Prediction, RecordedEngine};
use crate::model::behaviours::{self, RecordedBehaviour};
use crate::model::known::KnownEngines;
use crate::model::profile::{self, KnownProfile};
use crate::model::recorded::RecordedProfile;
use crate::model::specification::Specification;
use crate::vector::Suite;
use crate::yaml::FileError;

/// Vectors, known deviations, and the engines under test. It is built once and passed to all functions that need it.
pub struct World {
    suite: OnceLock<Suite>,
    folders: OnceLock<EngineFolders>,
    /// The profiles of recorded engines that have been used, by key.
    recorded: Mutex<BTreeMap<String, Option<RecordedProfile>>>,
    /// The behaviours of recorded engines that have been used, by key.
    behaviours: Mutex<BTreeMap<String, Option<Arc<RecordedBehaviour>>>>,
    /// The folder with installed engines.
    root: Option<Root>,
    /// Profiles and known deviations of engines.
    pub known: KnownEngines,
    /// The engines under test.
    pub engines: Vec<Box<dyn Engine>>,
    /// Engines whose results are shown without causes, in addition to the engines under test.
    pub others: Vec<Box<dyn Engine>>,
}

impl World {
    /// Returns a world with the embedded vectors and known deviations, and without engines.
    ///
    /// # Errors
    ///
    /// Returns an error if an embedded file of known deviations is not valid. Tests verify that all of them are valid.
    pub fn embedded() -> Result<Self, FileError> {
        Ok(Self {
            suite: OnceLock::new(),
            folders: OnceLock::new(),
            recorded: Mutex::default(),
            behaviours: Mutex::default(),
            root: None,
            known: KnownEngines::embedded()?,
            engines: Vec::new(),
            others: Vec::new(),
        })
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

    /// Replaces the embedded engine folders with those in `folder`.
    ///
    /// # Errors
    ///
    /// Returns an error if [`EngineFolders::read`] does.
    pub fn with_folders(self, folder: &Path) -> Result<Self, FileError> {
        Ok(Self { folders: OnceLock::from(EngineFolders::read(folder)?), ..self })
    }

    /// Sets the folder with installed engines.
    #[must_use]
    pub fn with_root(self, root: Option<Root>) -> Self {
        Self { root, ..self }
    }

    /// Returns the folder with installed engines.
    pub fn root(&self) -> Option<&Root> {
        self.root.as_ref()
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

    /// Returns the world of the reports: the engines in this process, and the recorded engines.
    ///
    /// # Errors
    ///
    /// Returns an error if a recording is not valid.
    pub fn for_reports(self) -> Result<Self, FileError> {
        let others = self.recorded_engines()?;
        Ok(Self { others, ..self.with_crates() })
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

    /// Returns the engine folders. The embedded ones are read on the first call.
    ///
    /// # Errors
    ///
    /// Returns an error if an embedded file is not valid. Tests verify that all of them are valid.
    pub fn folders(&self) -> Result<&EngineFolders, FileError> {
        if let Some(folders) = self.folders.get() {
            return Ok(folders);
        }
        let folders = EngineFolders::embedded()?;
        Ok(self.folders.get_or_init(|| folders))
    }

    /// Returns the profile of each engine, in the order of [`Self::engines`].
    pub fn profiles(&self) -> Vec<Option<KnownProfile>> {
        self.engines.iter().map(|engine| self.profile_of(engine.as_ref())).collect()
    }

    /// Returns the profile of `engine`: one that was fitted in this run, or is known, or belongs to the recorded version.
    pub fn profile_of(&self, engine: &dyn Engine) -> Option<KnownProfile> {
        let known = self.known.profile_of(engine);
        known.or_else(|| self.recorded_profile(engine.key())?.known_profile().ok())
    }

    /// Returns the specification nearest to `engine`; `None` if the engine does not have a profile.
    pub fn nearest(&self, engine: &dyn Engine) -> Option<Specification> {
        self.known.nearest(engine.name()).or_else(|| self.recorded_profile(engine.key())?.nearest().ok())
    }

    /// Returns the profile of the version with this key, `NAME@VERSION`, if its folder contains a valid profile.
    pub fn recorded_profile(&self, key: &str) -> Option<RecordedProfile> {
        let (name, version) = key.split_once('@')?;
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(profile) = recorded.get(key) {
            return profile.clone();
        }
        let engine = self.folders().ok()?.engines.iter().find(|engine| engine.name == name)?;
        let profile = RecordedProfile::read(engine, version).ok().flatten();
        recorded.insert(key.to_owned(), profile.clone());
        profile
    }

    /// Returns the behaviour of the version with this key, `NAME@VERSION`, if its folder contains a valid one.
    pub fn recorded_behaviour(&self, key: &str) -> Option<Arc<RecordedBehaviour>> {
        let (name, version) = key.split_once('@')?;
        let mut behaviours = self.behaviours.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(behaviour) = behaviours.get(key) {
            return behaviour.clone();
        }
        let engine = self.folders().ok()?.engines.iter().find(|engine| engine.name == name)?;
        let behaviour = RecordedBehaviour::read(engine, version).ok().flatten().map(Arc::new);
        behaviours.insert(key.to_owned(), behaviour.clone());
        behaviour
    }

    /// Returns the share of held-out pairs that the behaviour of the version with this key predicts, and the share that its
    /// profile predicts, in percent. They are of the same pairs.
    fn shares(&self, key: &str) -> [Option<f64>; 2] {
        let by_behaviour = self.recorded_behaviour(key).and_then(|recorded| Some(recorded.held_out()?.percent()));
        [by_behaviour, self.recorded_profile(key).and_then(|profile| profile.percent())]
    }

    /// Returns the share of held-out pairs that [`Self::prediction`] predicts, in percent.
    pub fn accuracy(&self, key: &str) -> Option<f64> {
        self.shares(key).into_iter().flatten().max_by(f64::total_cmp)
    }

    /// Returns a function that predicts the outcomes of the version with this key, by its behaviour, or by its profile if
    /// that predicts more held-out pairs.
    pub fn prediction(&self, key: &str) -> Option<Prediction> {
        let [by_behaviour, by_profile] = self.shares(key);
        if by_behaviour >= by_profile
            && let Some(behaviour) = self.recorded_behaviour(key).and_then(|recorded| recorded.behaviour().ok())
        {
            return Some(Box::new(move |base, reference| behaviours::outcome(&behaviour, base, reference)));
        }
        let known = self.recorded_profile(key)?.known_profile().ok()?;
        Some(Box::new(move |base, reference| known.profile.predict(base, reference)))
    }

    /// Returns the recorded `version` of `engine`, which also answers pairs that are not recorded as its profile predicts;
    /// `None` if the version is not recorded.
    ///
    /// # Errors
    ///
    /// Returns an error if the recording is not valid.
    pub fn recorded(
        &self,
        engine: &EngineFolder,
        version: &EngineVersion,
    ) -> Result<Option<RecordedEngine>, FileError> {
        let Some(recording) = engine.recording(&version.version)? else { return Ok(None) };
        let prediction = self.prediction(&engine.key(version));
        Ok(Some(RecordedEngine::new(&engine.panel, recording).predicting(prediction)))
    }

    /// Returns the newest recorded version of each engine folder, in the order of their names.
    ///
    /// # Errors
    ///
    /// Returns an error if a recording is not valid.
    pub fn recorded_engines(&self) -> Result<Vec<Box<dyn Engine>>, FileError> {
        let mut engines: Vec<Box<dyn Engine>> = Vec::new();
        for engine in &self.folders()?.engines {
            let newest = engine.version(None).ok().filter(|it| engine.recordings.contains_key(&it.version));
            // An engine in this process is asked instead.
            let is_asked = |it: &&EngineVersion| matches!(it.install, Install::InProcess(_));
            let Some(version) = newest.filter(|it| !is_asked(it)) else { continue };
            if let Some(recorded) = self.recorded(engine, version)? {
                engines.push(Box::new(recorded));
            }
        }
        Ok(engines)
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
