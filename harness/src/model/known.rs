//! What is known of an engine: its profile, each deviation from the document it is nearest to with a reason and counts,
//! and the classes of pairs that the profile does not predict. A check has two sides: new deviations fail it, and so do
//! listed ones that have vanished, changed, or match nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use urlstrata::rules;

use crate::engine::Engine;
use crate::model::attribute::effect;
use crate::model::profile::{KnownProfile, Specification};
use crate::normalize::{Normalization, Normalizations, Profile};
use crate::outcome::Outcome;
use crate::pairs::bases::BaseClass;
use crate::vector::{Expected, yaml_below};
use crate::yaml::{FileError, YamlFile};

mod check;
mod form;
mod observe;

pub use check::{Checked, Finding};
pub use form::{format_file, is_about_engine, lint};

/// The longest reference of the suite `short`.
pub const SHORT_LENGTH: usize = 3;

/// What kind of deviation it is. The list is closed.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviationKind {
    /// It takes or does more than the document.
    Extends,
    /// It takes or does less.
    Narrower,
    /// It follows an older state of the document.
    Older,
    /// It says what its own documentation would call wrong.
    Bug,
    /// Nobody has looked yet.
    Unclear,
}

/// A base and a reference.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
}

/// One thing in which an engine departs from the document it is nearest to.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// The difference's name: `excess=Kept`, `file_slashes`, `no encode_caret`.
    pub id: String,
    /// What kind it is.
    pub kind: DeviationKind,
    /// Why, in our words.
    pub reason: String,
    /// The version it was first seen in.
    pub since: String,
    /// Where its maintainers discuss it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// The smallest pair that shows it; `None` if none of the suites' pairs and random pairs does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// On how many of the vectors' references it is part of the reason.
    pub vectors: u64,
    /// On how many pairs of short references and bases it is.
    pub short: u64,
    /// On how many of 100,000 random pairs it is.
    #[serde(rename = "random")]
    pub elsewhere: u64,
}

/// A pair that shows a deviation.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// The engine's result.
    #[serde(rename = "engine")]
    pub said: Expected,
    /// The document's result.
    #[serde(rename = "specification")]
    pub document: Expected,
}

/// A class of pairs that the profile does not predict: those in which prediction and result differ in the same part, on
/// bases of one class.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// Its name, such as `path: opaque base`, by [`deviation`].
    pub id: String,
    /// What kind it is.
    pub kind: DeviationKind,
    /// Why, in our words.
    pub reason: String,
    /// The version it was first seen in.
    pub since: String,
    /// Where its maintainers discuss it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// How many pairs of the fixed suites belong to it.
    pub count: u64,
    /// A digest of these pairs with the engine's results, in hexadecimal.
    pub digest: String,
    /// How many of 100,000 random pairs belong to it.
    #[serde(rename = "random")]
    pub elsewhere: u64,
    /// The smallest of the pairs.
    pub examples: Vec<Example>,
}

/// A pair that the profile does not predict.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// The URL that the engine returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What the engine did instead of returning a URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<NoUrl>,
}

/// What an engine does instead of returning a URL.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NoUrl {
    /// It rejects the input.
    Failure,
    /// It has no answer, for a reason that it gives.
    Skipped,
    /// It crashes.
    Crash,
    /// It does not answer in time.
    Timeout,
}

impl NoUrl {
    fn of(outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Url(_) => None,
            Outcome::Failure(_) => Some(Self::Failure),
            Outcome::Skipped(_) => Some(Self::Skipped),
            Outcome::Crash(_) => Some(Self::Crash),
            Outcome::Timeout(_) => Some(Self::Timeout),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Failure => "failure",
            Self::Skipped => "skipped",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
        }
    }
}

/// A profile as it stands in a file: the document it is nearest to, and in what it departs from that.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StatedProfile {
    /// The document's id.
    pub nearest: String,
    /// Other answers, by column.
    #[serde(rename = "settings")]
    pub answers: BTreeMap<String, String>,
    /// Columns that the survey cannot tell, with the answers that do equally well.
    pub undetermined: BTreeMap<String, Vec<String>>,
    /// Normalizations that the engine makes and the document does not.
    pub makes: Vec<String>,
    /// Normalizations of the document that it does not make.
    pub leaves: Vec<String>,
    /// Normalizations that would make no difference on the survey.
    pub unobservable: Vec<String>,
}

/// What is known of an engine.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KnownEngine {
    /// The engine's name.
    pub engine: String,
    /// The version it was seen in.
    pub version: String,
    /// What predicts it.
    pub profile: StatedProfile,
    /// In what it departs from the nearest document.
    pub deviations: Vec<Deviation>,
    /// The classes of pairs that its profile does not predict.
    #[serde(default)]
    pub exceptions: Vec<Exception>,
}

/// What is known of engines, by their names.
#[derive(Clone, Debug, Default)]
pub struct KnownEngines {
    files: Vec<KnownEngine>,
    /// Profiles that were fitted in this run, by the engine's name.
    fitted: Vec<(String, KnownProfile)>,
}

impl KnownEngines {
    /// Reads the files that the program carries.
    ///
    /// # Errors
    ///
    /// Returns the first file that is not valid; the tests rule that out.
    pub fn embedded() -> Result<Self, FileError> {
        let files = urlstrata_vectors::known_deviations();
        let files = files.map(|file| KnownEngine::from_bytes(Path::new(file.path), file.text.as_bytes()));
        Ok(Self { files: files.collect::<Result<_, _>>()?, fitted: Vec::new() })
    }

    /// Reads the files in `folder`, which `known update --out` writes.
    ///
    /// # Errors
    ///
    /// Returns the first file that cannot be read or is not valid, or that the folder has no such file.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        if !folder.is_dir() {
            return Err(FileError::new(folder, None, "not a folder: `urlstrata known update --out` writes one"));
        }
        let files = yaml_below(folder, true)?.into_iter().map(|path| KnownEngine::read(&path));
        Ok(Self { files: files.collect::<Result<_, _>>()?, fitted: Vec::new() })
    }

    /// These and `others`, which replace entries about the same engine.
    #[must_use]
    pub fn with(mut self, others: Self) -> Self {
        let is_new = |old: &KnownEngine| others.files.iter().all(|new| new.engine != old.engine);
        self.files.retain(is_new);
        self.files.extend(others.files);
        self.fitted.extend(others.fitted);
        self
    }

    /// Adds a profile that has just been fitted to the engine called `name`.
    pub fn add_fitted(&mut self, name: &str, profile: KnownProfile) {
        self.fitted.retain(|(own, _)| own != name);
        self.fitted.push((name.to_owned(), profile));
    }

    /// The file about the engine called `name`.
    pub fn of(&self, name: &str) -> Option<&KnownEngine> {
        self.files.iter().find(|known| known.engine == name)
    }

    /// The profile of `engine`: its rule set, if it is an implementation of ours, else the one that was fitted in this run,
    /// else the one in its file; `None` if nothing is known of it.
    pub fn profile_of(&self, engine: &dyn Engine) -> Option<KnownProfile> {
        let revision = || engine.revision().and_then(|revision| revision.rules);
        if let Some(rules) = engine.row().or_else(revision) {
            return Some(KnownProfile::certain(Profile { rules: *rules, normalizations: Normalizations::NONE }));
        }
        let fitted = self.fitted.iter().find(|(name, _)| name == engine.name()).map(|(_, profile)| profile.clone());
        fitted.or_else(|| self.of(engine.name())?.known_profile().ok())
    }

    /// The specification to which the engine called `name` is nearest; `None` if nothing is known of it.
    pub fn nearest(&self, name: &str) -> Option<Specification> {
        let fitted = self.fitted.iter().find(|(own, _)| own == name);
        let fitted = fitted.map(|(_, known)| Specification::nearest(&known.profile, &known.undetermined));
        fitted.or_else(|| self.of(name)?.nearest().ok())
    }
}

/// The name of the file about the engine called `name`: `crate-url.yaml` for `crate:url`.
///
/// Characters other than letters, digits, `.`, `_` and `-` become `-`, so that any name is a file name everywhere.
pub fn file_name(name: &str) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let name: String = name.chars().map(plain).take(100).collect();
    let name = name.trim_matches(['-', '.']);
    PathBuf::from(format!("{}.yaml", if name.is_empty() { "engine" } else { name }))
}

/// The class to which a pair belongs whose result `did` is not what `profile` predicts: `None` if it is predicted.
///
/// The name says in which part prediction and result differ, and on which class of bases: `path: opaque base`,
/// `rejects: hierarchical base`, `crashes: unknown base`.
pub fn deviation(profile: &Profile, base: &str, reference: &str, did: &Outcome) -> Option<String> {
    let predicted = profile.predict(base, reference);
    let part = match (&predicted, did) {
        (_, Outcome::Crash(_)) => "crashes",
        (_, Outcome::Timeout(_)) => "times out",
        (_, Outcome::Skipped(_)) => "skips",
        (Outcome::Url(_), Outcome::Failure(_)) => "rejects",
        (Outcome::Failure(_), Outcome::Url(_)) => "accepts",
        (predicted, did) => effect(predicted, did)?.name(),
    };
    Some(format!("{part}: {}", BaseClass::of(base)))
}

impl KnownEngine {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is not in order.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        Self::parse(&YamlFile::open(path)?)
    }

    /// Parses `bytes` as the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error with the line, if `bytes` are not a file of known deviations.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, FileError> {
        Self::parse(&YamlFile::parse(path, bytes)?)
    }

    pub(super) fn parse(file: &YamlFile) -> Result<Self, FileError> {
        let known: Self = file.read()?;
        known.known_profile().map_err(|sentence| file.error(&["profile".into()], sentence))?;
        let deviations = known.deviations.iter().map(|it| ("deviations", &it.id, &it.reason)).enumerate();
        let exceptions = known.exceptions.iter().map(|it| ("exceptions", &it.id, &it.reason)).enumerate();
        let mut seen = BTreeSet::new();
        for (index, (key, id, reason)) in deviations.chain(exceptions) {
            let fault = |sentence: String| Err(file.error(&[key.into(), index.into()], sentence));
            if !seen.insert(id) {
                return fault(format!("duplicate entry {id:?}"));
            }
            if reason.trim().is_empty() {
                return fault(format!("the entry {id:?} has no reason: say in a sentence why"));
            }
        }
        for (index, entry) in known.exceptions.iter().enumerate() {
            if entry.examples.iter().any(|example| example.url.is_some() == example.outcome.is_some()) {
                let sentence = format!("an example of {:?} needs either a `url` or an `outcome`", entry.id);
                return Err(file.error(&["exceptions".into(), index.into()], sentence));
            }
        }
        Ok(known)
    }

    /// The profile that the file states.
    ///
    /// # Errors
    ///
    /// A sentence, if it names a document, column, answer or normalization that there is not.
    pub fn known_profile(&self) -> Result<KnownProfile, String> {
        let stated = &self.profile;
        let nearest = self.nearest()?;
        let column = |name: &str| {
            let index = rules::ALL.iter().position(|column| column.name == name);
            index.ok_or_else(|| format!("no column is called {name:?}"))
        };
        let mut rules = nearest.profile.rules;
        for (name, answer) in &stated.answers {
            let column = &rules::ALL[column(name)?];
            let index = column.settings.iter().position(|own| own.name == answer);
            let index = index.ok_or_else(|| format!("the column {name:?} has no answer {answer:?}"))?;
            rules = column.with(&rules, index);
        }
        let normalization =
            |name: &String| Normalization::by_name(name).ok_or_else(|| format!("no normalization is called {name:?}"));
        let mut normalizations = nearest.profile.normalizations;
        for name in &stated.makes {
            normalizations = normalizations.with(normalization(name)?);
        }
        for name in &stated.leaves {
            normalizations = normalizations.without(normalization(name)?);
        }
        stated.unobservable.iter().try_for_each(|name| normalization(name).map(|_| ()))?;
        let undetermined = stated.undetermined.keys().map(|name| column(name)).collect::<Result<_, _>>()?;
        let exceptions = self.exceptions.iter().map(|it| it.id.clone()).collect();
        Ok(KnownProfile { profile: Profile { rules, normalizations }, undetermined, exceptions })
    }

    /// The document that the engine is nearest to.
    ///
    /// # Errors
    ///
    /// A sentence, if there is no such document.
    pub fn nearest(&self) -> Result<Specification, String> {
        let id = &self.profile.nearest;
        Specification::by_id(id).ok_or_else(|| {
            let ids: Vec<_> = Specification::all().iter().map(|specification| specification.id).collect();
            format!("no document is called {id:?}: there are {}", ids.join(", "))
        })
    }
}
