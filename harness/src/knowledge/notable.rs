//! Notable deviations of recorded engines, and what their behaviours do not state: short lists in each `engine.toml`.
//!
//! Each deviation names a pair, and what decides about it: a step of the engine's source, or, for an engine without a table of steps, settings
//! of its behaviour that the specification does not have with which the engine is compared. [`NotableDeviation::decides`] verifies this.
//!
//! An entry about something that is not stated names a pair whose recorded result the behaviour does not predict.
//! [`Unstated::is_missed`] verifies this.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::behaviour::{self, Behaviour};
use crate::engine::folder::EngineFolder;
use crate::escape::visible;
use crate::knowledge::attribute::Model;
use crate::knowledge::behaviours;
use crate::knowledge::known::{DeviationKind, Pair};
use crate::knowledge::specification::Specification;
use crate::knowledge::stepped::{self, Link, Stepped};
use crate::outcome::Outcome;
use crate::yaml::FileError;

/// A deviation of a recorded engine from a specification, with its reason: a `[[deviation]]` of `engine.toml`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NotableDeviation {
    /// What the engine does, as a verb phrase: `treats an empty authority as an absent one`.
    pub does: String,
    /// The kind.
    pub kind: DeviationKind,
    /// The reason: a sentence in our own words, with the function or file of the engine's source.
    pub reason: String,
    /// Where the engine's maintainers discuss the deviation.
    #[serde(default)]
    pub issue: String,
    /// The label of the step of the engine's source by which it parts from the specification; empty for an engine without steps.
    #[serde(default)]
    pub step: String,
    /// The names of the settings, for an engine without steps: those of [`behaviour::Difference::name`].
    #[serde(default)]
    pub settings: Vec<String>,
    /// A pair about which the step or the settings decide.
    pub pair: Pair,
    /// The `engine.toml` that states it.
    #[serde(skip)]
    pub file: PathBuf,
    /// The line of the entry in `engine.toml`.
    #[serde(skip)]
    pub line: usize,
}

/// The results for the pair of a deviation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Decision {
    /// The engine's result.
    pub returned: Outcome,
    /// The result of the specification; for an engine without steps the result that it would have with the settings of the specification.
    pub otherwise: Outcome,
    /// Where the engine parts from the specification; `None` without steps.
    pub link: Option<Link>,
}

/// What is known of an engine.
#[derive(Clone, Copy, Debug)]
pub enum Own<'a> {
    /// The steps of its source.
    Steps(&'a Stepped),
    /// A fitted behaviour.
    Behaviour(&'a Behaviour),
}

impl<'a> Own<'a> {
    /// Returns what is known of an engine: its steps, or else its behaviour; `None` without both.
    pub fn of(model: &'a Model) -> Option<Self> {
        let behaviour = || model.behaviour.as_deref().map(Self::Behaviour);
        model.steps.as_ref().map(Self::Steps).or_else(behaviour)
    }
}

/// The notable deviations of an engine.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Notable {
    /// The specification from which the engine deviates: the one that its documentation claims to follow, or the nearest.
    pub specification: Specification,
    /// The deviations.
    pub deviations: Vec<NotableDeviation>,
}

impl Notable {
    /// Returns the notable deviations of `engine`; `None` if none is stated.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if an entry has an unknown or missing key, kind or setting, a text is not valid, or the
    /// specification is missing or unknown.
    pub fn of(engine: &EngineFolder) -> Result<Option<Self>, FileError> {
        let (stated, compared) = (&engine.description.deviations, &engine.description.compared_with);
        let specification = match (compared, stated.first()) {
            (Some((line, id)), _) => Specification::by_id(id)
                .ok_or_else(|| error(&engine.description.file, *line, format!("no specification is called {id:?}")))?,
            (None, Some((line, _))) => {
                let sentence = "missing key `compared_with`: the specification from which the engine deviates";
                return Err(error(&engine.description.file, *line, sentence));
            }
            (None, None) => return Ok(None),
        };
        let read =
            stated.iter().map(|(line, table)| NotableDeviation::of(&engine.description.file, *line, table.clone()));
        Ok(Some(Self { specification, deviations: read.collect::<Result<_, _>>()? }))
    }
}

/// What the folder of an engine states of it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Stated {
    /// The notable deviations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notable: Option<Notable>,
    /// What its behaviour does not state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unstated: Vec<Unstated>,
}

impl Stated {
    /// Returns what the folder `engine` states.
    ///
    /// # Errors
    ///
    /// Returns an error if [`Notable::of`] or [`Unstated::all`] does.
    pub fn of(engine: &EngineFolder) -> Result<Self, FileError> {
        Ok(Self { notable: Notable::of(engine)?, unstated: Unstated::all(engine)? })
    }
}

/// Returns an error in `file`, the `engine.toml` of an engine.
fn error(file: &Path, line: usize, sentence: impl Into<String>) -> FileError {
    FileError::new(file, Some(line), sentence)
}

/// Returns whether `text` may be what an engine does: a verb phrase, which follows "it" in a sentence.
fn is_verb_phrase(text: &str) -> bool {
    !text.is_empty() && !text.ends_with('.') && !text.starts_with(char::is_uppercase)
}

const NOT_A_VERB_PHRASE: &str = "`does` must be a verb phrase in lower case without a full stop";

impl NotableDeviation {
    fn of(file: &Path, line: usize, table: toml::Table) -> Result<Self, FileError> {
        let read: Self =
            Self::deserialize(table).map_err(|toml| error(file, line, format!("[[deviation]]: {}", toml.message())))?;
        let unknown = read.settings.iter().find(|setting| !behaviour::is_name(setting));
        let sentence = match unknown {
            Some(setting) => format!("no setting of a behaviour is called {setting:?}"),
            None if read.settings.is_empty() == read.step.is_empty() => {
                "name the `step` of the source that decides, or, without a table of steps, the `settings`".to_owned()
            }
            None if !is_verb_phrase(&read.does) => NOT_A_VERB_PHRASE.to_owned(),
            None if !read.reason.ends_with('.') => "`reason` must be a sentence with a full stop".to_owned(),
            None if !read.issue.is_empty() && !read.issue.starts_with("https://") => {
                format!("{:?} is not an address of an issue", read.issue)
            }
            None => return Ok(Self { file: file.to_owned(), line, ..read }),
        };
        Err(error(file, line, sentence))
    }

    /// Returns the result for the pair, and what it is without the deviation.
    ///
    /// `own` is what is known of the engine. `recorded` is the recorded outcome of the pair, if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the recorded outcome is another one than the steps or the behaviour predict. With steps, if
    /// the engine and `specification` do not part at the step. With a behaviour, if it does not have a setting for the pair, the specification
    /// has the same value, or the settings do not change the result.
    pub fn decides(
        &self,
        own: Own<'_>,
        specification: &Specification,
        recorded: Option<&Outcome>,
    ) -> Result<Decision, FileError> {
        let Pair { base, reference } = &self.pair;
        let error = |sentence: String| error(&self.file, self.line, sentence);
        let decision = match own {
            Own::Steps(own) => self.decides_by_steps(own, specification),
            Own::Behaviour(_) if self.settings.is_empty() => Err("the engine has no steps: name `settings`".to_owned()),
            Own::Behaviour(own) => {
                let specified = specification.behaviour();
                behaviour::predict_without(own, specified, &self.settings, base, reference).map(|without| {
                    let [returned, otherwise] = [own.predict(base, reference), without].map(outcome);
                    Decision { returned, otherwise, link: None }
                })
            }
        };
        let decision = decision.map_err(error)?;
        let shown = |url: Option<&str>| url.map_or("a failure".to_owned(), |url| format!("`{}`", visible(url)));
        if let Some(outcome) = recorded
            && outcome.url() != decision.returned.url()
        {
            let [recorded, predicted] = [outcome.url(), decision.returned.url()].map(shown);
            let by = if matches!(own, Own::Steps(_)) { "its steps return" } else { "its behaviour predicts" };
            return Err(error(format!("the engine returns {recorded} for the pair, {by} {predicted}")));
        }
        if decision.returned.url() == decision.otherwise.url() {
            let name = if self.step.is_empty() { &self.settings.join(", ") } else { &self.step };
            let result = shown(decision.returned.url());
            return Err(error(format!("{name}: the pair does not depend on it, the result is always {result}")));
        }
        Ok(decision)
    }

    fn decides_by_steps(&self, own: &Stepped, specification: &Specification) -> Result<Decision, String> {
        let Pair { base, reference } = &self.pair;
        if self.step.is_empty() {
            return Err("the engine has steps: name the `step` that decides instead of settings".to_owned());
        }
        let returned = own.predict(base, reference).ok_or("the steps do not resolve references")?;
        let otherwise = specification.resolve(base, reference);
        let links = own.parting(specification, (base, reference), &returned).unwrap_or_default();
        let is_here = |link: &&Link| stepped::labels(link, 1).any(|label| label == self.step);
        let link = links.iter().find(is_here).cloned();
        if !links.is_empty() && link.is_none() {
            let found: Vec<_> = links.iter().flat_map(|link| stepped::labels(link, 1)).collect();
            let (id, step) = (specification.id, &self.step);
            return Err(format!("{step}: the engine parts from {id} at other steps: {}", found.join(", ")));
        }
        Ok(Decision { returned, otherwise, link })
    }
}

fn outcome(url: Option<String>) -> Outcome {
    url.map_or_else(|| Outcome::Failure(String::new()), Outcome::Url)
}

/// What an engine does that no setting of its behaviour states: an `[[unstated]]` of `engine.toml`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Unstated {
    /// What the engine does, as a verb phrase: `writes the path twice`.
    pub does: String,
    /// A recorded pair that shows it. The behaviour predicts another result.
    pub pair: Pair,
    /// The line of the entry in `engine.toml`.
    #[serde(skip)]
    line: usize,
}

impl Unstated {
    /// Returns the entries of `engine` about what its behaviour does not state.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if an entry has an unknown or missing key, or what it does is not a verb phrase.
    pub fn all(engine: &EngineFolder) -> Result<Vec<Self>, FileError> {
        let read = |(line, table): &(usize, toml::Table)| {
            let of_entry = |sentence: String| error(&engine.description.file, *line, sentence);
            let read = Self::deserialize(table.clone())
                .map_err(|toml| of_entry(format!("[[unstated]]: {}", toml.message())))?;
            match is_verb_phrase(&read.does) {
                true => Ok(Self { line: *line, ..read }),
                false => Err(of_entry(NOT_A_VERB_PHRASE.to_owned())),
            }
        };
        engine.description.unstated.iter().map(read).collect()
    }

    /// Returns the recorded and the predicted result of the pair.
    ///
    /// `own` is the behaviour of `engine`, and `outcomes` are the recorded outcomes in the order of its panel.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the pair is not recorded, or the behaviour predicts its result.
    pub fn is_missed(
        &self,
        engine: &EngineFolder,
        own: &Behaviour,
        outcomes: &[Outcome],
    ) -> Result<[Outcome; 2], FileError> {
        let Pair { base, reference } = &self.pair;
        let error = |sentence: &str| error(&engine.description.file, self.line, sentence);
        let number = engine.panel.find(base, reference).ok_or_else(|| error("the pair is not in the panel"))?;
        let (returned, predicted) = (outcomes[number].clone(), behaviours::outcome(own, base, reference));
        match returned.url() == predicted.url() {
            true => {
                Err(error("the behaviour predicts the result of the pair, so a setting states it: remove the entry"))
            }
            false => Ok([returned, predicted]),
        }
    }
}
