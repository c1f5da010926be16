//! Engines that answer from a recording, and by their steps or a behaviour where the recording has no answer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::description::Given;
use super::folder::{EngineFolder, STATEMENTS};
use super::panel::Panel;
use super::recording::Recording;
use super::statement::{StatementFile, UrlPanel, not_asked};
use super::{Components, Engine, Outcome, Source};
use crate::protocol::Op;

/// A function that predicts the outcome for a base and a reference.
pub type Prediction = Box<dyn Fn(&str, &str) -> Outcome + Send + Sync>;

/// Functions that predict answers about a URL: what the library states, and where the client connects.
pub type StatementPredictions = BTreeMap<Op, Box<dyn Fn(&str) -> Components + Send + Sync>>;

/// Returns the outcome for a text that cannot be given to the library; `None` if `text` has no limit, or the library takes it.
fn not_given(text: Option<Given>, base: &str, reference: &str) -> Option<Outcome> {
    text?.excludes(base, reference).map(|why| Outcome::Unrepresentable(why.to_owned()))
}

/// An engine that answers every pair with a prediction.
pub struct PredictedEngine {
    key: String,
    name: String,
    version: String,
    prediction: Prediction,
    statements: StatementPredictions,
    /// As what texts are given to the library, if it does not take all of them.
    text: Option<Given>,
}

impl PredictedEngine {
    /// Creates an engine that answers for `version` of the engine called `name`.
    pub fn new(name: &str, version: &str, prediction: Prediction) -> Self {
        let (key, name, version) = (format!("{name}@{version}"), name.to_owned(), version.to_owned());
        Self { key, name, version, prediction, statements: StatementPredictions::new(), text: None }
    }

    /// Predicts nothing for texts that cannot be given to the library.
    #[must_use]
    pub fn given(self, text: Option<Given>) -> Self {
        Self { text, ..self }
    }

    /// Adds predictions of what the engine states, and where it connects.
    #[must_use]
    pub fn stating(self, statements: StatementPredictions) -> Self {
        Self { statements, ..self }
    }
}

impl fmt::Debug for PredictedEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)
    }
}

impl Engine for PredictedEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn key(&self) -> &str {
        &self.key
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        not_given(self.text, base, reference).unwrap_or_else(|| (self.prediction)(base, reference))
    }

    fn parse(&self, url: &str) -> Components {
        let skipped = || Err(Outcome::Skipped("unsupported operation: components are not predicted".to_owned()));
        if let Some(outcome) = not_given(self.text, "", url) {
            return Err(outcome);
        }
        self.statements.get(&Op::Parse).map_or_else(skipped, |statement| statement(url))
    }

    fn states(&self) -> bool {
        self.statements.contains_key(&Op::Parse)
    }

    fn visits(&self, op: Op) -> bool {
        op == Op::Connect && self.statements.contains_key(&op)
    }

    fn visit_all(&self, op: Op, urls: &[&str]) -> Vec<Components> {
        let text = self.text.filter(|_| op != Op::Follow);
        let predicted = |url: &str| self.statements.get(&op).map_or_else(not_asked, |predicted| predicted(url));
        urls.iter().map(|url| not_given(text, "", url).map_or_else(|| predicted(url), Err)).collect()
    }

    fn source(&self, _: &str, _: &str) -> Source {
        Source::Predicted
    }

    fn source_of(&self, _: Op, _: &str) -> Source {
        Source::Predicted
    }
}

/// The lines of recordings that were needed and are not outcomes.
static DAMAGED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn damaged() -> MutexGuard<'static, BTreeSet<String>> {
    DAMAGED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a sentence, with file and line, for each line of a recording that an engine of this process needed and that is not an
/// outcome. The pair of such a line is skipped.
pub fn damaged_lines() -> Vec<String> {
    damaged().iter().cloned().collect()
}

/// Why an engine that does not resolve references skips every pair.
pub const RESOLVES_NOTHING: &str = "it does not resolve references";

const NOT_RECORDED: &str = "no result of this version is recorded, and no steps predict one";

const NOT_OF_PANEL: &str = "not recorded";

/// A recorded version of an engine.
///
/// The outcome for a pair of the panel is the recorded one. For other pairs it is the prediction, if there is one; the
/// engine's [`source`](Engine::source) tells these apart. Otherwise the pair is skipped.
pub struct RecordedEngine {
    key: String,
    panel: Panel,
    /// `None` if only statements are recorded.
    recording: Option<Recording>,
    /// Whether no version of the engine resolves references.
    is_unable: bool,
    name: String,
    version: String,
    prediction: Option<Prediction>,
    /// As what texts are given to the library, if it does not take all of them.
    text: Option<Given>,
    /// What the version answers about URLs that are not recorded, if that is predicted.
    statements: StatementPredictions,
    /// The recorded answers about URLs by the question. They are read when they are needed.
    stated: BTreeMap<Op, (UrlPanel, StatementFile)>,
}

impl RecordedEngine {
    /// Creates an engine that answers from `recording`, which belongs to `panel`.
    pub fn new(panel: &Panel, recording: Recording) -> Self {
        let (name, version) = (recording.head.engine.clone(), recording.head.version.clone());
        let key = format!("{name}@{version}");
        let recording = Some(recording);
        Self {
            key,
            panel: panel.clone(),
            recording,
            is_unable: false,
            name,
            version,
            prediction: None,
            text: None,
            statements: StatementPredictions::new(),
            stated: BTreeMap::new(),
        }
    }

    /// Creates an engine without results, for `version` of the engine called `name`. `resolves` is whether other versions have results.
    pub fn without_results(name: &str, version: &str, resolves: bool) -> Self {
        let (key, panel) = (format!("{name}@{version}"), Panel::default());
        let (name, version) = (name.to_owned(), version.to_owned());
        Self {
            key,
            panel,
            recording: None,
            is_unable: !resolves,
            name,
            version,
            prediction: None,
            text: None,
            statements: StatementPredictions::new(),
            stated: BTreeMap::new(),
        }
    }

    /// Adds a prediction for pairs that are not recorded.
    #[must_use]
    pub fn predicting(self, prediction: Option<Prediction>) -> Self {
        Self { prediction, ..self }
    }

    /// Predicts nothing for texts that cannot be given to the library.
    #[must_use]
    pub fn given(self, text: Option<Given>) -> Self {
        Self { text, ..self }
    }

    /// Adds predictions of the answers about URLs that are not recorded.
    #[must_use]
    pub fn predicting_statements(self, statements: StatementPredictions) -> Self {
        Self { statements, ..self }
    }

    /// Adds the recorded answers of `version` of `engine` about URLs.
    #[must_use]
    pub fn stating(mut self, engine: &EngineFolder, version: &str) -> Self {
        for (op, _) in STATEMENTS {
            if let Some(file) = engine.statements(op, version) {
                self.stated.insert(op, (engine.panels.of(op).clone(), file));
            }
        }
        self
    }

    /// Returns why a pair without an outcome is skipped.
    fn missing(&self) -> &'static str {
        match (self.is_unable, &self.recording) {
            (true, _) => RESOLVES_NOTHING,
            (false, None) => NOT_RECORDED,
            (false, Some(_)) => NOT_OF_PANEL,
        }
    }

    /// Returns the answer to `op` about `url`: the recorded one, or the prediction.
    fn stated(&self, op: Op, url: &str) -> Components {
        // The location of a redirect is in a field, which the server writes.
        let text = self.text.filter(|_| op != Op::Follow);
        let predicted = || {
            let statement = self.statements.get(&op)?;
            Some(not_given(text, "", url).map_or_else(|| statement(url), Err))
        };
        self.recorded_statement(op, url).or_else(predicted).unwrap_or_else(not_asked)
    }

    /// Returns the recorded answer to `op` about `url`; `None` if the panel does not contain the URL, or the engine did not answer. A line
    /// that is not a statement is a skipped URL with the file and the line.
    fn recorded_statement(&self, op: Op, url: &str) -> Option<Components> {
        let (panel, file) = self.stated.get(&op)?;
        let number = panel.find(url)?;
        match file.read(panel).and_then(|statements| statements.statement(number, url)) {
            Ok(Err(Outcome::Skipped(_))) => None,
            Ok(stated) => Some(stated),
            Err(error) => {
                let sentence = error.to_string();
                damaged().insert(sentence.clone());
                Some(Err(Outcome::Skipped(sentence)))
            }
        }
    }

    /// Returns the recorded outcome; `None` if the panel does not contain the pair, or the engine did not answer it. A line that
    /// is not an outcome is a skipped pair with the file and the line.
    fn recorded(&self, base: &str, reference: &str) -> Option<Outcome> {
        let recording = self.recording.as_ref()?;
        let number = self.panel.find(base, reference)?;
        match recording.outcome(number, (base, reference)) {
            Ok(Outcome::Skipped(_)) => None,
            Ok(outcome) => Some(outcome),
            Err(error) => {
                let sentence = error.to_string();
                damaged().insert(sentence.clone());
                Some(Outcome::Skipped(sentence))
            }
        }
    }
}

impl fmt::Debug for RecordedEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)
    }
}

impl Engine for RecordedEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn key(&self) -> &str {
        &self.key
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        if let Some(outcome) = self.recorded(base, reference) {
            return outcome;
        }
        match &self.prediction {
            Some(prediction) => not_given(self.text, base, reference).unwrap_or_else(|| prediction(base, reference)),
            None => Outcome::Skipped(self.missing().to_owned()),
        }
    }

    fn parse(&self, url: &str) -> Components {
        self.stated(Op::Parse, url)
    }

    fn visits(&self, op: Op) -> bool {
        self.stated.contains_key(&op) || self.statements.contains_key(&op)
    }

    fn visit_all(&self, op: Op, urls: &[&str]) -> Vec<Components> {
        urls.iter().map(|url| self.stated(op, url)).collect()
    }

    fn resolves(&self) -> bool {
        self.recording.is_some() || self.prediction.is_some()
    }

    fn states(&self) -> bool {
        self.stated.contains_key(&Op::Parse) || self.statements.contains_key(&Op::Parse)
    }

    fn states_every_url(&self) -> bool {
        self.statements.contains_key(&Op::Parse)
    }

    fn source_of(&self, op: Op, url: &str) -> Source {
        match (self.recorded_statement(op, url), self.statements.contains_key(&op)) {
            (Some(_), _) => Source::Recorded,
            (None, true) => Source::Predicted,
            (None, false) => Source::Absent,
        }
    }

    fn source(&self, base: &str, reference: &str) -> Source {
        let number = self.panel.find(base, reference);
        let is_answered = |number| self.recording.as_ref().is_some_and(|recording| recording.is_answered(number));
        match (number.is_some_and(is_answered), &self.prediction) {
            (true, _) => Source::Recorded,
            (false, Some(_)) => Source::Predicted,
            (false, None) if self.is_unable => Source::Unable,
            (false, None) => Source::Absent,
        }
    }

    fn panel(&self) -> Option<&Panel> {
        Some(&self.panel)
    }
}
