//! Known deviations of an engine.
//!
//! A file contains each deviation from the nearest specification with a reason and counts, and the classes of pairs that
//! the engine's behaviour does not predict. A check reports new deviations. It also reports listed deviations that are
//! fixed, changed or unused.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use urlstrata::revision::whatwg::Change;

use crate::engine::folder::is_behaviour;
use crate::engine::panel::Panel;
use crate::knowledge::specification::Specification;
use crate::outcome::Outcome;
use crate::vector::{Expected, yaml_below};
use crate::yaml::{FileError, YamlFile};

mod check;
mod form;
mod observe;
mod older;
mod probes;

pub use check::{Checked, Finding};
pub use form::{format_file, is_about_engine, lint};

/// What a check asks besides the fixed suites.
#[derive(Clone, Copy, Debug)]
pub struct Beyond<'a> {
    /// The pairs that recordings answer, which belong to the probes.
    pub panel: &'a Panel,
    /// The number of random pairs, at most [`MOST_RANDOM`].
    pub random: u64,
}

/// The number of random pairs on which frequencies are measured. A check of more pairs could find what no file lists.
pub const MOST_RANDOM: u64 = 100_000;

/// The maximum length of a reference in the suite `short`, in characters.
pub const SHORT_LENGTH: usize = 3;

/// The kind of a deviation. The list is closed.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviationKind {
    /// The engine accepts or does more than the specification.
    Extends,
    /// The engine accepts or does less than the specification.
    Narrower,
    /// The engine follows an older state of the specification.
    Older,
    /// The engine's result contradicts its own documentation.
    Bug,
    /// The deviation has not been reviewed yet.
    Unclear,
}

impl DeviationKind {
    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Extends => "extends",
            Self::Narrower => "narrower",
            Self::Older => "older",
            Self::Bug => "bug",
            Self::Unclear => "unclear",
        }
    }
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

/// A deviation of an engine from the nearest specification.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// The name of the difference between the behaviours: `excess=Kept`, `characters of the path`.
    pub id: String,
    /// The kind.
    pub kind: DeviationKind,
    /// The commits of the changes of the URL Standard that the engine does not follow, if the kind is
    /// [`DeviationKind::Older`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// The reason, in our own words.
    pub reason: String,
    /// The version in which the deviation was first observed.
    pub since: String,
    /// Where the engine's maintainers discuss the deviation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// The smallest pair that shows the deviation.
    pub witness: Witness,
    /// The number of vectors for which the deviation is part of the cause.
    pub vectors: u64,
    /// The number of pairs of the suite `short` for which the deviation is part of the cause.
    pub short: u64,
    /// The number of random pairs, of 100,000, for which the deviation is part of the cause.
    #[serde(rename = "random")]
    pub random: u64,
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
    pub returned: Expected,
    /// The specification's result.
    #[serde(rename = "specification")]
    pub specification: Expected,
}

/// A class of pairs that the behaviour does not predict. In all of them, prediction and result differ in the same part,
/// and the bases belong to the same class.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// The id, for example `path: opaque base`; see
    /// [`deviation`](crate::knowledge::attribute::deviation).
    pub id: String,
    /// The kind.
    pub kind: DeviationKind,
    /// The reason, in our own words.
    pub reason: String,
    /// The version in which the class was first observed.
    pub since: String,
    /// Where the engine's maintainers discuss it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// The number of pairs of the fixed suites that belong to the class.
    pub count: u64,
    /// A digest of these pairs and the engine's results, in hexadecimal.
    pub digest: String,
    /// The number of probes that belong to the class; see [`KnownEngine::check`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub probes: u64,
    /// A digest of these probes and the engine's results, in hexadecimal; empty if there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub probes_digest: String,
    /// The number of random pairs, of 100,000, that belong to the class.
    #[serde(rename = "random")]
    pub random: u64,
    /// The smallest pairs of the class.
    pub examples: Vec<Example>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A pair that the behaviour does not predict.
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
    /// The outcome, if the engine did not return a URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeWithoutUrl>,
}

/// An outcome that is not a URL.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeWithoutUrl {
    /// The engine rejects the input.
    Failure,
    /// The engine has no result, and a reason is given.
    Skipped,
    /// The engine cannot be called with the input, or its result is not text.
    Unrepresentable,
    /// The engine crashes.
    Crash,
    /// The engine times out.
    Timeout,
}

impl OutcomeWithoutUrl {
    fn of(outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Url(_) => None,
            Outcome::Failure(_) => Some(Self::Failure),
            Outcome::Skipped(_) => Some(Self::Skipped),
            Outcome::Unrepresentable(_) => Some(Self::Unrepresentable),
            Outcome::Crash(_) => Some(Self::Crash),
            Outcome::Timeout(_) => Some(Self::Timeout),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Failure => "failure",
            Self::Skipped => "skipped",
            Self::Unrepresentable => "unrepresentable",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
        }
    }
}

/// The known deviations of an engine.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KnownEngine {
    /// The engine's name.
    pub engine: String,
    /// The version that was observed.
    pub version: String,
    /// The id of the nearest specification.
    pub nearest: String,
    /// The deviations from the nearest specification.
    pub deviations: Vec<Deviation>,
    /// The classes of pairs that the behaviour does not predict.
    #[serde(default)]
    pub exceptions: Vec<Exception>,
}

/// The known deviations of engines, by name.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct KnownEngines {
    files: Vec<KnownEngine>,
}

impl KnownEngines {
    /// Reads the embedded files.
    ///
    /// # Errors
    ///
    /// Returns an error if an embedded file is not valid. Tests verify that all of them are valid.
    pub fn embedded() -> Result<Self, FileError> {
        let files = urlstrata_vectors::known_deviations();
        let files = files.map(|file| KnownEngine::from_bytes(Path::new(file.path), file.text.as_bytes()));
        Ok(Self { files: files.collect::<Result<_, _>>()? })
    }

    /// Reads the files in `folder`, which `known update --out` writes. Files with behaviours are left out.
    ///
    /// # Errors
    ///
    /// Returns an error if `folder` is not a folder or does not contain YAML files, or if a file cannot be read or is
    /// not valid.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        if !folder.is_dir() {
            return Err(FileError::new(folder, None, "not a folder: `urlstrata known update --out` writes one"));
        }
        let files = yaml_below(folder, true)?.into_iter().filter(|path| !is_behaviour(path));
        Ok(Self { files: files.map(|path| KnownEngine::read(&path)).collect::<Result<_, _>>()? })
    }

    /// Adds `others`, which replace the entries of the same engines.
    #[must_use]
    pub fn with(mut self, others: Self) -> Self {
        let is_new = |old: &KnownEngine| others.files.iter().all(|new| new.engine != old.engine);
        self.files.retain(is_new);
        self.files.extend(others.files);
        self
    }

    /// Returns the entry of the engine called `name`.
    pub fn of(&self, name: &str) -> Option<&KnownEngine> {
        self.files.iter().find(|known| known.engine == name)
    }
}

/// Returns the name of the file for the engine called `name`: `crate-url.yaml` for `crate:url`.
///
/// Characters other than letters, digits, `.`, `_` and `-` become `-`, so that the name is valid on every file system.
/// At most 100 characters of `name` are used.
pub fn file_name(name: &str) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let name: String = name.chars().map(plain).take(100).collect();
    let name = name.trim_matches(['-', '.']);
    PathBuf::from(format!("{}.yaml", if name.is_empty() { "engine" } else { name }))
}

impl KnownEngine {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is not valid.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        Self::parse(&YamlFile::open(path)?)
    }

    /// Parses `bytes` as the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if `bytes` is not a valid file of known deviations.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, FileError> {
        Self::parse(&YamlFile::parse(path, bytes)?)
    }

    /// Reads the known deviations from a parsed file.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the file is not a valid file of known deviations.
    pub fn parse(file: &YamlFile) -> Result<Self, FileError> {
        let known: Self = file.read()?;
        known.nearest().map_err(|sentence| file.error(&["nearest".into()], sentence))?;
        let deviations = known.deviations.iter().map(|it| ("deviations", &it.id, &it.reason)).enumerate();
        let exceptions = known.exceptions.iter().map(|it| ("exceptions", &it.id, &it.reason)).enumerate();
        let mut seen = BTreeSet::new();
        for (index, (key, id, reason)) in deviations.chain(exceptions) {
            let error = |sentence: String| Err(file.error(&[key.into(), index.into()], sentence));
            if !seen.insert(id) {
                return error(format!("duplicate entry {id:?}"));
            }
            if reason.trim().is_empty() {
                return error(format!("the entry {id:?} has no reason: state it in a sentence"));
            }
        }
        for (index, entry) in known.deviations.iter().enumerate() {
            let error = |sentence: String| Err(file.error(&["deviations".into(), index.into()], sentence));
            if (entry.kind == DeviationKind::Older) == entry.changes.is_empty() {
                return error(format!(
                    "{:?}: an entry of the kind \"older\" needs `changes`, the commits that the engine does not follow, and no other kind has them",
                    entry.id
                ));
            }
            if let Some(commit) = entry.changes.iter().find(|commit| Change::by_commit(commit).is_none()) {
                return error(format!("no change of the URL Standard has the commit {commit:?}"));
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

    /// Returns the ids of the listed classes of pairs that the behaviour does not predict.
    pub fn listed(&self) -> BTreeSet<String> {
        self.exceptions.iter().map(|it| it.id.clone()).collect()
    }
}
