//! The behaviours of recorded engines, with their measured accuracy.

use std::cell::Cell;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::behaviour::{Behaviour, StatedBehaviour};
use crate::engine::folder::{EngineFolder, is_behaviour};
use crate::engine::panel::Panel;
use crate::engine::{Engine, RESOLVES_NOTHING};
use crate::escape::visible;
use crate::fit::{self, Asker, Pair, Unrepeatable};
use crate::knowledge::measure::{HELD_OUT, Measured, Share, answers, halves, outcomes};
use crate::knowledge::specification::Specification;
use crate::outcome::Outcome;
use crate::pairs::bases::BaseClass;
use crate::vector::yaml_below;
use crate::yaml::{FileError, YamlFile, canonical};

/// The behaviour of a version of an engine, with its measured accuracy.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedBehaviour {
    /// The name of the engine.
    pub engine: String,
    /// The version.
    pub version: String,
    /// The id of the specification from whose behaviour the behaviour differs least.
    pub nearest: String,
    /// The number of different pairs that the fit asked.
    pub questions: usize,
    /// The number of these for which the engine crashed or did not answer. They count as failures.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unanswered: usize,
    /// The pairs for which the engine answered otherwise when it was asked again, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrepeatable: Option<Unrepeatable>,
    /// The accuracy by kind of pairs, on pairs that the fit did not use.
    pub rates: Vec<Share>,
    /// The accuracy by class of base and by outcome, on the same pairs without links.
    pub bases: Vec<Share>,
    /// The behaviour.
    pub behaviour: StatedBehaviour,
    /// The behaviour, after it was needed first.
    #[serde(skip)]
    pub(crate) read: OnceLock<Arc<Behaviour>>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A behaviour that was fitted to an engine.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The behaviour.
    pub behaviour: Behaviour,
    /// The specification from whose behaviour the behaviour differs least.
    pub nearest: Specification,
    /// The number of different pairs that the fit asked.
    pub questions: usize,
    /// These pairs; empty for a recorded behaviour.
    pub asked: Vec<Pair>,
    /// The number of these for which the engine crashed or did not answer.
    pub unanswered: usize,
    /// The pairs for which the engine answered otherwise when it was asked again, if any.
    pub unrepeatable: Option<Unrepeatable>,
}

impl Fitted {
    /// Fits a behaviour to `engine`. `again` answers like `engine`, best in a fresh process. Of the pairs of `panel`, those
    /// in the second half are not used for the fit. The search for settings starts from the behaviours in `library`, too.
    ///
    /// # Errors
    ///
    /// Returns why no behaviour describes the engine: it does not resolve, or see [`fit::repeated`].
    pub fn of(engine: &dyn Engine, again: &dyn Engine, panel: &Panel, library: &[Behaviour]) -> Result<Self, String> {
        let undescribed = |why: String| format!("no behaviour describes {}: {why}", visible(engine.name()));
        if !engine.resolves() {
            return Err(undescribed(RESOLVES_NOTHING.to_owned()));
        }
        let unanswered = Cell::new(0);
        let ask = |pairs: &[Pair]| -> Vec<Option<String>> {
            let outcomes = outcomes(engine, pairs);
            let is_answer = |outcome: &&Outcome| matches!(outcome, Outcome::Url(_) | Outcome::Failure(_));
            unanswered.set(unanswered.get() + outcomes.len() - outcomes.iter().filter(is_answer).count());
            outcomes.iter().map(|outcome| outcome.url().map(str::to_owned)).collect()
        };
        let training: Vec<Pair> = halves(panel)[0].clone();
        let mut asker = Asker::new(ask);
        let behaviour = fit::fit(&mut asker, &training, library);
        let unrepeatable = fit::repeated(&asker, |pairs| answers(again, pairs)).map_err(undescribed)?;
        let asked = asker.asked();
        Ok(Self {
            nearest: Specification::nearest(&behaviour, panel.pairs().into_iter()),
            questions: asked.len(),
            asked,
            unanswered: unanswered.get(),
            unrepeatable,
            behaviour,
        })
    }
}

impl TryFrom<&RecordedBehaviour> for Fitted {
    type Error = String;

    /// Returns the recorded behaviour as it was fitted.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the file contains an unknown setting, value, action or specification.
    fn try_from(recorded: &RecordedBehaviour) -> Result<Self, String> {
        let unknown = || format!("no specification is called {:?}", recorded.nearest);
        Ok(Self {
            behaviour: Behaviour::clone(&*recorded.behaviour()?),
            nearest: Specification::by_id(&recorded.nearest).ok_or_else(unknown)?,
            questions: recorded.questions,
            asked: Vec::new(),
            unanswered: recorded.unanswered,
            unrepeatable: recorded.unrepeatable.clone(),
        })
    }
}

impl RecordedBehaviour {
    /// Returns the key of the version: `NAME@VERSION`.
    pub fn key(&self) -> String {
        format!("{}@{}", self.engine, self.version)
    }

    /// Creates the file of a behaviour that was fitted to `version` of the engine called `name`.
    pub fn new(name: &str, version: &str, fitted: &Fitted, measured: &Measured) -> Self {
        Self {
            engine: name.to_owned(),
            version: version.to_owned(),
            nearest: fitted.nearest.id.to_owned(),
            questions: fitted.questions,
            unanswered: fitted.unanswered,
            unrepeatable: fitted.unrepeatable.clone(),
            rates: measured.rates.clone(),
            bases: measured.bases.clone(),
            behaviour: (&fitted.behaviour).into(),
            read: OnceLock::new(),
        }
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is not valid.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Self::of(&YamlFile::open(path)?)
    }

    fn of(file: &YamlFile) -> Result<Self, FileError> {
        let read: Self = file.read()?;
        read.behaviour().map_err(|sentence| file.error(&["behaviour".into()], sentence))?;
        match Specification::by_id(&read.nearest) {
            Some(_) => Ok(read),
            None => Err(file.error(&["nearest".into()], format!("no specification is called {:?}", read.nearest))),
        }
    }

    /// Returns the behaviour of `version` in the folder of `engine`; `None` if the folder does not contain one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not valid.
    pub fn read(engine: &EngineFolder, version: &str) -> Result<Option<Self>, FileError> {
        let same = engine.recorded_as(version)?;
        if let Some(unused) = engine.behaviours.get(version).filter(|_| same != version) {
            let sentence = format!("unused: the recording of this version is the same as that of {same}");
            return Err(FileError::new(unused.path(), None, sentence));
        }
        let Some(file) = engine.behaviours.get(&same) else { return Ok(None) };
        let text = file.text()?;
        if !file.is_embedded() {
            return Self::of(&YamlFile::parse(file.path(), text.as_bytes())?).map(Some);
        }
        // The build script has converted it to JSON, so a sentence does not have a line. Tests verify that it is valid.
        let rejected = |sentence: String| FileError::new(file.path(), None, sentence);
        let read: Self = serde_json::from_str(&text).map_err(|error| rejected(error.to_string()))?;
        read.behaviour().map_err(|sentence| rejected(format!("behaviour: {sentence}")))?;
        match Specification::by_id(&read.nearest) {
            Some(_) => Ok(Some(read)),
            None => Err(rejected(format!("nearest: no specification is called {:?}", read.nearest))),
        }
    }

    /// Returns the file in its canonical form.
    pub fn canonical(&self) -> String {
        canonical(self)
    }

    /// Returns the behaviour.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the file contains an unknown setting, value or action.
    pub fn behaviour(&self) -> Result<Arc<Behaviour>, String> {
        if let Some(read) = self.read.get() {
            return Ok(read.clone());
        }
        let read = Arc::new((&self.behaviour).try_into()?);
        Ok(self.read.get_or_init(|| read).clone())
    }

    /// Returns the accuracy for each class of bases, without links of documentation.
    pub fn by_base(&self) -> impl Iterator<Item = &Share> {
        BaseClass::ALL.into_iter().filter_map(|class| self.bases.iter().find(|share| share.pairs == class.to_string()))
    }

    /// Returns the accuracy on the held-out pairs.
    pub fn held_out(&self) -> Option<&Share> {
        self.rates.iter().find(|rate| rate.pairs == HELD_OUT)
    }
}

/// Reads the behaviours in `folder` and the folders in it; none if it is not a folder.
///
/// # Errors
///
/// Returns an error if a file cannot be read or is not valid.
pub fn read_below(folder: &Path) -> Result<Vec<RecordedBehaviour>, FileError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let files = yaml_below(folder, true)?.into_iter().filter(|path| is_behaviour(path));
    files.map(|path| RecordedBehaviour::open(&path)).collect()
}

/// Returns what a behaviour predicts, as an outcome.
pub fn outcome(behaviour: &Behaviour, base: &str, reference: &str) -> Outcome {
    match behaviour.predict(base, reference) {
        Some(url) => Outcome::Url(url),
        None => Outcome::Failure("predicted from the engine's behaviour".to_owned()),
    }
}
