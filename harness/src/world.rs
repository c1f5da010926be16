//! The input of commands and reports: vectors, known deviations, and engines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use crate::behaviour::Behaviour;
use crate::engine::description::{EngineVersion, Given, Install};
use crate::engine::folder::{EngineFolder, EngineFolders};
use crate::engine::installation::Root;
use crate::engine::{self, Engine, PredictedEngine, Prediction, RecordedEngine, Source};
use crate::knowledge::attribute::Model;
use crate::knowledge::behaviours::{self, Fitted, RecordedBehaviour};
use crate::knowledge::known::{KnownEngine, KnownEngines};
use crate::knowledge::measure::{RELIABLE, Share};
use crate::knowledge::notable::Stated;
use crate::knowledge::specification::Specification;
use crate::knowledge::stepped::Stepped;
use crate::outcome::Outcome;
use crate::pairs::bases::BaseClass;
use crate::vector::Suite;
use crate::yaml::FileError;

mod rates;
mod select;

pub use rates::{BaseRate, UnstatedNote};
pub use select::SelectError;

/// The behaviour of a version, if it has one, or the reason why its file is not valid.
type BehaviourFile = Result<Option<Arc<RecordedBehaviour>>, FileError>;

/// The recorded engines whose files are valid, and an error for each other one.
pub struct Readable {
    /// The newest recorded version of each engine.
    pub engines: Vec<Box<dyn Engine>>,
    /// The reasons why the others cannot be asked.
    pub errors: Vec<FileError>,
}

/// Vectors, known deviations, and the engines under test. It is built once and passed to all functions that need it.
pub struct World {
    suite: OnceLock<Suite>,
    folders: OnceLock<EngineFolders>,
    /// What the folders state of their engines, by the name of the folder.
    stated: OnceLock<Arc<BTreeMap<String, Stated>>>,
    /// The predicted versions of a world that is made of knowledge and has no folders.
    versions: Vec<PredictedVersion>,
    /// Whether the user has given the folders.
    has_own_folders: bool,
    /// The behaviours of recorded engines that have been used, by key.
    behaviours: Mutex<BTreeMap<String, BehaviourFile>>,
    /// The numbers of held-out pairs with a base of a class, and of those that are predicted, by the key of the version.
    rates: Mutex<BTreeMap<(String, String), (u64, u64)>>,
    /// The schemes of the bases of held-out pairs of the panel.
    schemes: OnceLock<BTreeSet<String>>,
    /// The behaviours that were fitted in this run or given by the user, by the name of the engine, with the nearest
    /// specification.
    fitted: BTreeMap<String, (Arc<Behaviour>, Specification)>,
    /// The folder with installed engines.
    root: Option<Root>,
    /// Known deviations of engines.
    pub known: KnownEngines,
    /// The engines under test.
    pub engines: Vec<Box<dyn Engine>>,
    /// Engines whose results are shown without causes, in addition to the engines under test.
    pub others: Vec<Box<dyn Engine>>,
    /// The smallest share of pairs with a base of the same class, in percent, that the behaviour of one of [`Self::others`] must
    /// predict for a predicted result to be shown.
    least_accuracy: f64,
}

/// A version of an engine whose results are predicted, by the steps of its source or by its behaviour.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PredictedVersion {
    /// The name of the engine.
    pub engine: String,
    /// The version.
    pub version: String,
    /// The id of the specification with which the engine is compared.
    pub compared_with: String,
    /// As what texts are given to the engine, if it does not take all of them.
    #[serde(default)]
    pub text: Option<Given>,
}

impl PredictedVersion {
    /// Returns the key of the version: `NAME@VERSION`.
    pub fn key(&self) -> String {
        format!("{}@{}", self.engine, self.version)
    }
}

/// What is known of engines, without their recorded results.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Knowledge {
    /// The known deviations of engines.
    known: KnownEngines,
    /// The predicted version of each recorded engine.
    versions: Vec<PredictedVersion>,
    /// The behaviours of those without steps.
    behaviours: Vec<RecordedBehaviour>,
    /// What the folders state of their engines, by the name of the folder.
    #[serde(default)]
    stated: BTreeMap<String, Stated>,
    /// How well these behaviours predict pairs of each class of bases. If absent, nothing is known of it.
    #[serde(default)]
    rates: rates::Rates,
}

impl World {
    /// Returns a world with the embedded vectors and known deviations, and without engines.
    ///
    /// # Errors
    ///
    /// Returns an error if an embedded file of known deviations is not valid. Tests verify that all of them are valid.
    pub fn embedded() -> Result<Self, FileError> {
        Ok(Self::new(KnownEngines::embedded()?))
    }

    fn new(known: KnownEngines) -> Self {
        Self {
            suite: OnceLock::new(),
            folders: OnceLock::new(),
            stated: OnceLock::new(),
            versions: Vec::new(),
            has_own_folders: false,
            behaviours: Mutex::default(),
            rates: Mutex::default(),
            schemes: OnceLock::new(),
            fitted: BTreeMap::new(),
            root: None,
            known,
            engines: Vec::new(),
            others: Vec::new(),
            least_accuracy: RELIABLE,
        }
    }

    /// Adds the known deviations and the behaviours in `folder`. They replace those of the same engines.
    ///
    /// # Errors
    ///
    /// Returns an error if `folder` contains neither files of known deviations nor behaviours, or if a file cannot be read
    /// or is not valid.
    pub fn with_known(mut self, folder: &Path) -> Result<Self, FileError> {
        for behaviour in behaviours::read_below(folder)? {
            self.add_fitted(&behaviour);
        }
        Ok(Self { known: self.known.with(KnownEngines::read(folder)?), ..self })
    }

    /// Adds a behaviour that was read from a file.
    fn add_fitted(&mut self, read: &RecordedBehaviour) {
        if let (Ok(behaviour), Some(nearest)) = (read.behaviour(), Specification::by_id(&read.nearest)) {
            self.fitted.insert(read.engine.clone(), (behaviour, nearest));
        }
    }

    /// Returns the behaviour of the engine called `name` that was fitted in this run, or read with its known deviations.
    pub fn fitted(&self, name: &str) -> Option<Arc<Behaviour>> {
        Some(self.fitted.get(name)?.0.clone())
    }

    /// Replaces the embedded engine folders with those in `folder`.
    ///
    /// # Errors
    ///
    /// Returns an error if [`EngineFolders::read`] does.
    pub fn with_folders(self, folder: &Path) -> Result<Self, FileError> {
        let folders = OnceLock::from(EngineFolders::read(folder)?);
        Ok(Self { folders, stated: OnceLock::new(), has_own_folders: true, ..self })
    }

    /// Returns whether [`Self::with_folders`] has replaced the embedded engine folders, which contain every engine that vectors
    /// name.
    pub fn has_own_folders(&self) -> bool {
        self.has_own_folders
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

    /// Replaces [`Self::others`] with `others`.
    #[must_use]
    pub fn with_others(self, others: Vec<Box<dyn Engine>>) -> Self {
        Self { others, ..self }
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

    /// Replaces [`Self::others`] with [`Self::predicted_engines`]. All results are predicted, also those of pairs that are
    /// recorded, and by behaviours with any share of predicted held-out pairs.
    ///
    /// # Errors
    ///
    /// Returns an error if the behaviour of an engine is not valid.
    pub fn with_predictions(self) -> Result<Self, FileError> {
        let predicted = self.predicted_engines()?;
        let others = predicted.iter().map(|version| self.engine_with(version)).collect::<Result<_, _>>()?;
        Ok(Self { others, least_accuracy: 0.0, ..self })
    }

    /// Returns what a world without engine folders needs to predict the results of the recorded engines.
    ///
    /// # Errors
    ///
    /// Returns an error if the behaviour of an engine is not valid.
    pub fn knowledge(&self) -> Result<Knowledge, FileError> {
        let versions = self.predicted_engines()?;
        let read = |version: &PredictedVersion| self.behaviour_file(&version.key()).transpose();
        let behaviours: Vec<_> = versions.iter().filter_map(read).collect::<Result<_, _>>()?;
        let behaviours: Vec<_> = behaviours.iter().map(|own| RecordedBehaviour::clone(own)).collect();
        let (known, stated) = (self.known.clone(), self.stated()?.clone());
        Ok(Knowledge { known, versions, rates: self.all_rates(&behaviours), behaviours, stated })
    }

    /// Returns a world with the crates in this process, and engines that answer as `knowledge` predicts. It has neither
    /// vectors nor engine folders.
    pub fn of_knowledge(knowledge: Knowledge) -> Self {
        let behaviours: Vec<_> = knowledge.behaviours.into_iter().map(Arc::new).collect();
        let by_key = behaviours.iter().map(|own| (own.key(), Ok(Some(own.clone())))).collect();
        let rates::Rates { by_class, schemes } = knowledge.rates;
        let rates = by_class.into_iter().map(|(key, class, rate)| ((key, class), rate)).collect();
        let (rates, schemes) = (Mutex::new(rates), OnceLock::from(schemes));
        let (behaviours, versions) = (Mutex::new(by_key), knowledge.versions);
        let stated = OnceLock::from(Arc::new(knowledge.stated));
        let world = Self { behaviours, rates, schemes, versions, stated, ..Self::new(knowledge.known) };
        // The behaviours are given, so that no file is read.
        let others = world.versions.iter().filter_map(|version| world.engine_with(version).ok()).collect();
        Self { others, least_accuracy: 0.0, ..world }.with_crates()
    }

    /// Returns a world with `engines` under test, and with the same known deviations and the behaviours and rates that were read so far.
    #[must_use]
    pub fn for_engines(&self, engines: Vec<Box<dyn Engine>>) -> Self {
        let rates = Mutex::new(self.rates.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let behaviours = Mutex::new(self.behaviours.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let (schemes, versions, stated) = (self.schemes.clone(), self.versions.clone(), self.stated.clone());
        Self { behaviours, rates, schemes, versions, stated, ..Self::new(self.known.clone()) }.with_engines(engines)
    }

    /// Returns the newest version of each engine folder whose results are predicted, in the order of their names. Crates in this process
    /// are left out: they are asked.
    ///
    /// # Errors
    ///
    /// Returns an error if the behaviour of an engine is not valid.
    pub fn predicted_engines(&self) -> Result<Vec<PredictedVersion>, FileError> {
        let mut versions = Vec::new();
        for folder in &self.folders()?.engines {
            let newest = predicted_version(folder).filter(|own| !matches!(own.install, Install::InProcess(_)));
            let Some(version) = newest else { continue };
            let behaviour = self.behaviour_file(&folder.key(version))?;
            let compared = self.compared(&folder.name, &folder.key(version));
            let nearest = behaviour.map(|behaviour| behaviour.nearest.clone());
            if let Some(compared_with) = compared.map(|own| own.id.to_owned()).or(nearest) {
                let (engine, version) = (folder.name.clone(), version.version.clone());
                versions.push(PredictedVersion { engine, version, compared_with, text: folder.description.text });
            }
        }
        Ok(versions)
    }

    fn engine_with(&self, version: &PredictedVersion) -> Result<Box<dyn Engine>, FileError> {
        let prediction = self
            .prediction(&version.key())?
            .unwrap_or_else(|| Box::new(|_, _| Outcome::Skipped("nothing predicts the engine".to_owned())));
        Ok(Box::new(PredictedEngine::new(&version.engine, &version.version, prediction).given(version.text)))
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

    /// Returns what the folders state of their engines, by the name of the folder.
    ///
    /// # Errors
    ///
    /// Returns an error if a folder is not valid, or if [`Stated::of`] does.
    pub fn stated(&self) -> Result<&BTreeMap<String, Stated>, FileError> {
        if let Some(stated) = self.stated.get() {
            return Ok(stated);
        }
        let of = |folder: &EngineFolder| Ok((folder.name.clone(), Stated::of(folder)?));
        let stated: BTreeMap<_, _> = self.folders()?.engines.iter().map(of).collect::<Result<_, _>>()?;
        Ok(self.stated.get_or_init(|| Arc::new(stated)))
    }

    /// Returns what is known of each engine, in the order of [`Self::engines`].
    pub fn models(&self) -> Vec<Model> {
        self.engines.iter().map(|engine| self.model_of(engine.as_ref())).collect()
    }

    /// Returns what is known of `engine`.
    pub fn model_of(&self, engine: &dyn Engine) -> Model {
        let listed = self.known.of(engine.name()).map(KnownEngine::listed).unwrap_or_default();
        let found = self.behaviour_of(engine);
        let is_fitted = found.as_ref().is_some_and(|(_, is_fitted)| *is_fitted);
        let steps = self.steps_of(engine);
        let (behaviour, listed) = (found.map(|(behaviour, _)| behaviour), Arc::new(listed));
        let specification = engine.revision().and_then(Specification::of);
        let compared = if steps.is_some() { self.nearest(engine) } else { None };
        Model { behaviour, specification, steps, compared, is_fitted, listed, has_settings_only: false }
    }

    /// Returns the steps of `engine`, if its version has a table of them.
    pub fn steps_of(&self, engine: &dyn Engine) -> Option<Stepped> {
        // A crate in this process has the steps of its folder, which is named after it, also in a program without the folders.
        let of_crate = || Stepped::of(&format!("crate-{}", engine.name().strip_prefix("crate:")?), engine.version());
        Stepped::of_key(engine.key()).or_else(|| Stepped::of_key(&self.in_process(engine)?)).or_else(of_crate)
    }

    /// Returns the behaviour of `engine`, and whether it was fitted: that of its rule set, revision or crate, one that was fitted in
    /// this run or given by the user, or that of the recorded version.
    fn behaviour_of(&self, engine: &dyn Engine) -> Option<(Arc<Behaviour>, bool)> {
        let fitted = self.fitted.get(engine.name()).filter(|_| engine.row().is_none() && engine.revision().is_none());
        if let Some((behaviour, _)) = fitted {
            return Some((behaviour.clone(), true));
        }
        if let Some(stated) = self.stated_behaviour(engine) {
            return Some((stated, false));
        }
        let recorded =
            self.recorded_behaviour(engine.key()).or_else(|| self.recorded_behaviour(&self.in_process(engine)?));
        Some((recorded?.behaviour().ok()?, true))
    }

    /// Returns the behaviour that the source of `engine` states: that of its rule set, revision or crate.
    pub fn stated_behaviour(&self, engine: &dyn Engine) -> Option<Arc<Behaviour>> {
        if let Some(rules) = engine.row() {
            return Some(Arc::new(Behaviour::of_rules(rules)));
        }
        if let Some(revision) = engine.revision() {
            return Some(Arc::new(Specification::of(revision)?.behaviour().clone()));
        }
        if let Some(landed) = engine.landed() {
            return Some(Arc::new(Behaviour::url_standard(landed)));
        }
        engine.name().strip_prefix("crate:").and_then(Behaviour::of_crate).map(Arc::new)
    }

    /// Returns the key of the version that runs in this process as `engine`.
    fn in_process(&self, engine: &dyn Engine) -> Option<String> {
        let is_own = |version: &EngineVersion| {
            version.version == engine.version()
                && matches!(&version.install, Install::InProcess(name) if name == engine.name())
        };
        let folders = self.folders().ok()?.engines.iter();
        let mut versions = folders.flat_map(|folder| folder.description.versions.iter().map(move |it| (folder, it)));
        versions.find(|(_, version)| is_own(version)).map(|(folder, version)| folder.key(version))
    }

    /// Returns the specification with which `engine` is compared: that of its known deviations, or the nearest one. `None` if nothing is known
    /// of the engine.
    pub fn nearest(&self, engine: &dyn Engine) -> Option<Specification> {
        let fitted = || self.fitted.get(engine.name()).map(|(_, nearest)| *nearest);
        let recorded = || Specification::by_id(&self.recorded_behaviour(engine.key())?.nearest);
        self.compared(engine.name(), engine.key()).or_else(fitted).or_else(recorded)
    }

    /// Returns the specification with which the engine called `name` is compared, if it does not follow from a behaviour: that of its known
    /// deviations or, for a version with steps, that of its folder, as on its page.
    fn compared(&self, name: &str, key: &str) -> Option<Specification> {
        let given = || self.versions.iter().find(|own| own.engine == name).map(|own| own.compared_with.as_str());
        let stated = || {
            Stepped::of_key(key)?;
            let folder = self.folders().ok()?.engines.iter().find(|folder| folder.name == name)?;
            folder.description.compared_with.as_ref().map(|(_, id)| id.as_str())
        };
        let known = self.known.of(name).and_then(|known| known.nearest().ok());
        known.or_else(|| given().or_else(stated).and_then(Specification::by_id))
    }

    /// Returns the behaviour of the version with this key, `NAME@VERSION`, if its folder contains a valid one. An engine of this
    /// world has a valid one or none: [`Self::behaviour_file`] has reported what is not valid.
    pub fn recorded_behaviour(&self, key: &str) -> Option<Arc<RecordedBehaviour>> {
        self.behaviour_file(key).ok().flatten()
    }

    /// Reads the behaviour of the version with this key, `NAME@VERSION`; `None` if its folder does not contain one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not valid.
    pub fn behaviour_file(&self, key: &str) -> Result<Option<Arc<RecordedBehaviour>>, FileError> {
        let Some((name, version)) = key.split_once('@') else { return Ok(None) };
        let mut behaviours = self.behaviours.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = behaviours.get(key) {
            return read.clone();
        }
        if !cfg!(feature = "recordings") {
            return Ok(None);
        }
        let Some(engine) = self.folders()?.engines.iter().find(|engine| engine.name == name) else { return Ok(None) };
        let read = RecordedBehaviour::read(engine, version).map(|read| read.map(Arc::new));
        behaviours.insert(key.to_owned(), read.clone());
        read
    }

    /// Returns the recorded behaviours of engines without steps, from which the fit of another one starts.
    ///
    /// # Errors
    ///
    /// Returns an error if an embedded file is not valid.
    pub fn library(&self) -> Result<Vec<Behaviour>, FileError> {
        let keys = self.folders()?.engines.iter().flat_map(|engine| {
            engine
                .description
                .versions
                .iter()
                .filter(|it| engine.behaviours.contains_key(&it.version))
                .map(|it| engine.key(it))
        });
        let behaviours = keys.filter_map(|key| {
            let read = self.behaviour_file(&key).transpose()?;
            read.map(|read| read.behaviour().ok().map(|own| Behaviour::clone(&own))).transpose()
        });
        behaviours.collect()
    }

    /// Returns the share of pairs that the behaviour of the version with this key predicts, in percent: of the pairs on which it was
    /// measured, those with a base of the class of `base`. Returns `None` if there are none, or if the version has no behaviour.
    pub fn accuracy(&self, key: &str, base: &str) -> Option<f64> {
        let recorded = self.recorded_behaviour(key)?;
        let class = BaseClass::of(base).to_string();
        if recorded.bases.is_empty() {
            // A world without recordings has the rates of finer classes, or only one for all classes.
            return match self.base_rate(key, base) {
                Some(rate) => rate.percent(),
                None => recorded.held_out().map(Share::percent),
            };
        }
        recorded.bases.iter().find(|share| share.pairs == class).map(Share::percent)
    }

    /// Returns the platform on which the recorded version that `engine` is was recorded, and who built it if that is not its own
    /// project; `None` if it is not known, or if `engine` does not answer from a recording.
    pub fn recorded_on(&self, engine: &dyn Engine) -> Option<String> {
        engine.panel()?;
        let (name, version) = engine.key().split_once('@')?;
        let folder = self.folders().ok()?.engines.iter().find(|folder| folder.name == name)?;
        folder.recorded_on(folder.description.versions.iter().find(|own| own.version == version)?)
    }

    /// Returns the URL with which an engine joins each text that it states something about; `None` if it does not.
    pub fn own_base(&self, engine: &dyn Engine) -> Option<String> {
        let folder = self.folders().ok()?.engines.iter().find(|folder| folder.name == engine.name())?;
        Some(folder.description.own_base.clone()).filter(|base| !base.is_empty())
    }

    /// Returns the command that installs the recorded version that `engine` is; `None` if it cannot be installed, or does not resolve references.
    pub fn installed_by(&self, engine: &dyn Engine) -> Option<String> {
        let (name, version) = engine.key().split_once('@')?;
        let folder = self.folders().ok()?.engines.iter().find(|folder| folder.name == name)?;
        let own = folder.description.versions.iter().find(|own| own.version == version)?;
        let is_installable = folder.resolves()
            && matches!(own.install, Install::Pip(_) | Install::Npm(_) | Install::Debian { .. } | Install::Cargo(_));
        is_installable.then(|| format!("urlstrata engine install {} --root FOLDER", folder.key(own)))
    }

    /// Returns the engine that answers as the steps or the behaviour of the engine called `name` predict: NAME, which is the newest
    /// version that is recorded and has one of them, or else the newest one with steps, NAME@VERSION, an engine that was fitted in this
    /// run, or a crate in this process.
    ///
    /// # Errors
    ///
    /// Returns an error if the engine is unknown or has no behaviour, or if the file of its behaviour is not valid.
    pub fn predicted(&self, name: &str) -> Result<Box<dyn Engine>, SelectError> {
        let engine = |name: &str, version: &str, prediction: Prediction| -> Box<dyn Engine> {
            Box::new(PredictedEngine::new(name, version, prediction))
        };
        let by = |behaviour: Arc<Behaviour>| -> Prediction {
            Box::new(move |base, reference| behaviours::outcome(&behaviour, base, reference))
        };
        let folders = self.folders()?;
        let (folder, version) = name.split_once('@').map_or((name, None), |(folder, version)| (folder, Some(version)));
        if let Some(folder) = folders.engines.iter().find(|it| it.name == folder) {
            let by_steps = || folder.description.versions.iter().find(|own| has_steps(folder, &own.version));
            let newest = version.is_none().then(|| predicted_version(folder).or_else(by_steps)).flatten();
            let version = newest.map_or_else(|| folder.version(version), Ok).map_err(SelectError::Name)?;
            let key = folder.key(version);
            if let Some(prediction) = self.prediction(&key)? {
                let is_newest = folder.description.versions.first().is_some_and(|it| it.version == version.version);
                let steps = Stepped::of(&folder.name, &version.version);
                let statements = steps.map(|steps| steps.statements(is_newest)).unwrap_or_default();
                let predicted = PredictedEngine::new(&folder.name, &version.version, prediction).stating(statements);
                return Ok(Box::new(predicted.given(folder.description.text)));
            }
            let versions = folder.behaviours.keys().map(|version| format!("{}@{version}", folder.name));
            let versions: Vec<_> = versions.collect();
            return Err(SelectError::Name(match versions.as_slice() {
                [] => format!("{key} has no behaviour: install it, and run urlstrata engine fit {key} --root DIR"),
                versions => format!("{key} has no behaviour: there are {}", versions.join(", ")),
            }));
        }
        if let Some(behaviour) = self.fitted(name) {
            return Ok(engine(name, "fitted", by(behaviour)));
        }
        if let Some(behaviour) = name.strip_prefix("crate:").and_then(Behaviour::of_crate) {
            return Ok(engine(name, "stated", by(Arc::new(behaviour))));
        }
        match self.versions.iter().find(|own| own.engine == name) {
            Some(own) => Ok(self.engine_with(own)?),
            None => Err(SelectError::Name(format!("no engine is called {name:?}, or it has no behaviour"))),
        }
    }

    /// Returns whether a result of one of [`Self::others`] for a pair with `base` is shown. A predicted result is shown only if the
    /// behaviour predicts enough pairs with a base of this class.
    pub fn is_shown(&self, engine: &dyn Engine, source: Source, base: &str) -> bool {
        match source {
            Source::Live | Source::Recorded => true,
            Source::Predicted if Stepped::of_key(engine.key()).is_some_and(|steps| steps.resolves()) => true,
            Source::Predicted => {
                self.least_accuracy == 0.0
                    || self.accuracy(engine.key(), base).is_some_and(|percent| percent >= self.least_accuracy)
            }
            Source::Absent | Source::Unable => false,
        }
    }

    /// Returns a function that predicts the outcomes of the version with this key by the steps of its source, or else by its behaviour;
    /// `None` if it has neither.
    ///
    /// # Errors
    ///
    /// Returns an error if the file of the behaviour is not valid.
    pub fn prediction(&self, key: &str) -> Result<Option<Prediction>, FileError> {
        if let Some(steps) = Stepped::of_key(key).filter(Stepped::resolves) {
            return Ok(Some(steps.prediction()));
        }
        let Some(read) = self.behaviour_file(key)? else { return Ok(None) };
        let Ok(behaviour) = read.behaviour() else { return Ok(None) };
        Ok(Some(Box::new(move |base, reference| behaviours::outcome(&behaviour, base, reference))))
    }

    /// Returns the recorded `version` of `engine`, which also answers pairs that are not recorded as its behaviour predicts;
    /// `None` if the version is not recorded.
    ///
    /// # Errors
    ///
    /// Returns an error if the recording or the behaviour is not valid.
    pub fn recorded(
        &self,
        engine: &EngineFolder,
        version: &EngineVersion,
    ) -> Result<Option<RecordedEngine>, FileError> {
        let is_newest = engine.description.versions.first().is_some_and(|newest| newest.version == version.version);
        let steps = || Stepped::of(&engine.name, &version.version);
        let statements = || steps().map(|steps| steps.statements(is_newest)).unwrap_or_default();
        let Some(recording) = engine.recording(&version.version)? else {
            let without = RecordedEngine::without_results(&engine.name, &version.version, engine.resolves());
            let is_recorded = engine.is_recorded(&version.version);
            let predicting = self.prediction(&engine.key(version))?;
            let stating = || {
                let without = without.predicting(predicting).predicting_statements(statements());
                let without = without.given(engine.description.text);
                without.stating(engine, &version.version)
            };
            return Ok(is_recorded.then(stating));
        };
        let recorded = RecordedEngine::new(&engine.panel, recording).predicting(self.prediction(&engine.key(version))?);
        let recorded = recorded.predicting_statements(statements()).given(engine.description.text);
        Ok(Some(recorded.stating(engine, &version.version)))
    }

    /// Returns the newest recorded version of each engine folder, in the order of their names.
    ///
    /// # Errors
    ///
    /// Returns an error if a recording or a behaviour is not valid.
    pub fn recorded_engines(&self) -> Result<Vec<Box<dyn Engine>>, FileError> {
        let Readable { engines, errors } = self.readable_engines()?;
        errors.into_iter().next().map_or(Ok(engines), Err)
    }

    /// Returns the newest recorded version of each engine folder that does not resolve, in the order of their names: libraries that only
    /// split URLs, and clients.
    ///
    /// # Errors
    ///
    /// Returns an error if the folders cannot be read.
    pub fn engines_without_results(&self) -> Result<Vec<Box<dyn Engine>>, FileError> {
        let mut engines: Vec<Box<dyn Engine>> = Vec::new();
        for engine in &self.folders()?.engines {
            let Ok(version) = engine.version(None) else { continue };
            if engine.recordings.is_empty() && engine.is_recorded(&version.version) {
                engines.extend(self.recorded(engine, version)?.map(|it| Box::new(it) as Box<dyn Engine>));
            }
        }
        Ok(engines)
    }

    /// Returns the engines of [`Self::recorded_engines`] whose files are valid, and an error for each other one.
    ///
    /// # Errors
    ///
    /// Returns an error if the folders cannot be read.
    pub fn readable_engines(&self) -> Result<Readable, FileError> {
        let mut engines: Vec<Box<dyn Engine>> = Vec::new();
        let mut errors = Vec::new();
        for engine in &self.folders()?.engines {
            let newest = engine.version(None).ok().filter(|it| engine.recordings.contains_key(&it.version));
            // An engine in this process is asked instead.
            let is_asked = |it: &&EngineVersion| matches!(it.install, Install::InProcess(_));
            let Some(version) = newest.filter(|it| !is_asked(it)) else { continue };
            match self.recorded(engine, version) {
                Ok(recorded) => engines.extend(recorded.map(|recorded| Box::new(recorded) as Box<dyn Engine>)),
                Err(error) => errors.push(error),
            }
        }
        Ok(Readable { engines, errors })
    }

    /// Fits a behaviour to `engine` and keeps it for this run. The fit asks tens of thousands of pairs.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the panel is not valid or no behaviour describes the engine.
    pub fn fit(&mut self, engine: &dyn Engine) -> Result<(), String> {
        let unreadable = |error: FileError| error.to_string();
        let panel = &self.folders().map_err(unreadable)?.panel;
        let library = self.library().map_err(unreadable)?;
        let Fitted { behaviour, nearest, .. } = Fitted::of(engine, engine, panel, &library)?;
        self.fitted.insert(engine.name().to_owned(), (Arc::new(behaviour), nearest));
        Ok(())
    }
}

/// Returns the newest version of an engine folder whose results are predicted: it has a behaviour, or it is recorded and has steps.
fn predicted_version(folder: &EngineFolder) -> Option<&EngineVersion> {
    let is_recorded = |version: &str| folder.recordings.contains_key(version) && has_steps(folder, version);
    folder
        .description
        .versions
        .iter()
        .find(|own| folder.behaviours.contains_key(&own.version) || is_recorded(&own.version))
}

/// Returns whether steps of a version of an engine folder resolve references.
fn has_steps(folder: &EngineFolder, version: &str) -> bool {
    Stepped::of(&folder.name, version).is_some_and(|own| own.resolves())
}
