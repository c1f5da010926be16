//! Vectors: test cases with the results that a specification prints.
//!
//! A file contains the vectors of one section of one specification. A vector is identified by its path:
//! `rfc1808/5.2/parent-above-root`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_yaml::{Mapping, Value};
use urlstrata::revision;

use crate::yaml::{FileError, Step, YamlFile};

pub mod coverage;
pub mod export;
mod kind;
pub mod wpt;

pub use kind::*;

/// The folder in `vectors/` with the known deviations of engines. It contains no vectors.
pub const KNOWN: &str = "known";

/// The folder in `vectors/` with public security advisories. It contains no vectors.
pub const ADVISORIES: &str = "advisories";

/// Vectors, in the order of their paths.
#[derive(Debug, Default)]
pub struct Suite {
    /// The files, in the order of their paths.
    pub files: Vec<VectorFile>,
}

/// A file of vectors.
#[derive(Debug)]
pub struct VectorFile {
    /// The path below `vectors/`, without `spec/` and the extension: `rfc1808/5.2`.
    pub id: String,
    /// The path of the file.
    pub path: PathBuf,
    /// The content of the file.
    pub content: Content,
    /// The line on which each vector begins, after it was needed first.
    lines: OnceLock<Vec<Option<usize>>>,
}

/// The content of a file of vectors.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Content {
    /// The topic of the file, in our words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The place where the cases are printed.
    pub source: Source,
    /// The base of vectors that do not state a base; empty if there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub base: String,
    /// The vectors.
    pub vectors: Vec<Vector>,
}

/// The place where cases are printed.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The name of the specification.
    pub specification: String,
    /// The section.
    pub section: String,
    /// The topic of the section, in our words.
    pub title: String,
    /// The package or repository that contains the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The commit of the data in its repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The licence of the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Whether the printed results are lost and were reconstructed from other publications.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reconstructed: bool,
}

/// A test case.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Vector {
    /// The name, which is unique in its file. It consists of lower-case letters, digits and hyphens.
    pub name: String,
    /// The input and the expected results.
    #[serde(flatten)]
    pub question: Question,
    /// The id of the `ERRATUM` that explains why the source contradicts itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erratum: Option<String>,
    /// A remark in our words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Vector {
    /// Creates a vector.
    pub fn new(name: impl Into<String>, question: impl Into<Question>) -> Self {
        Self { name: name.into(), question: question.into(), erratum: None, note: None }
    }

    /// Returns the case, if it is about the resolution of a reference.
    pub fn resolution(&self) -> Option<&ResolutionCase> {
        match &self.question {
            Question::Resolution(case) => Some(case),
            _ => None,
        }
    }

    /// Returns the ids of the specifications with expected results.
    pub fn specifications(&self) -> Vec<&str> {
        self.question.specifications()
    }

    /// Compares the result of revision `id` with the expected result.
    ///
    /// Returns `Ok` if there is no revision with this id, or if the vector expects nothing of it.
    ///
    /// # Errors
    ///
    /// Returns a sentence with the expected and the actual result.
    pub fn evaluate(&self, id: &str) -> Result<(), String> {
        revision::by_id(id).map_or(Ok(()), |revision| self.question.evaluate(revision))
    }

    /// Returns the vector in canonical form, to be appended to a file.
    pub fn canonical(&self) -> String {
        let file = crate::yaml::canonical(&BTreeMap::from([("vectors", [self])]));
        file.replacen("vectors:\n", "", 1)
    }

    /// Deserializes and checks the vector at `at`.
    fn read(file: &YamlFile, at: &[Step], value: Value) -> Result<Self, FileError> {
        #[derive(Deserialize)]
        struct Common {
            name: String,
            erratum: Option<String>,
            note: Option<String>,
        }
        let mut map: Mapping = file.read_value(value, at)?;
        let common = ["name", "erratum", "note"].map(|key| (key.into(), map.shift_remove(key).unwrap_or_default()));
        let Common { name, erratum, note } = file.read_value(Mapping::from_iter(common).into(), at)?;
        let mut subjects = Question::SUBJECTS.iter().filter(|subject| map.contains_key(**subject));
        let (Some(subject), None) = (subjects.next(), subjects.next()) else {
            let sentence = format!("vector {name:?} needs exactly one of the keys {}", listed(Question::SUBJECTS));
            return Err(file.error(at, sentence));
        };
        let vector = Self { question: Question::read(file, at, subject, map)?, name, erratum, note };
        vector.check().map_err(|sentence| file.error(at, sentence))?;
        Ok(vector)
    }

    fn check(&self) -> Result<(), String> {
        let Self { name, question, erratum, .. } = self;
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-') {
            return Err(format!("the name {name:?} is not made of lower-case letters, digits and hyphens"));
        }
        let ids = question.specifications();
        if ids.is_empty() {
            return Err(format!("vector {name:?} expects nothing: add {}", listed(question.expectations())));
        }
        ids.into_iter().try_for_each(|id| question.check(id))?;
        let mut marks = revision::ALL.iter().flat_map(|revision| revision.remarks);
        match erratum {
            Some(id) if !marks.any(|mark| mark.id == id) => Err(format!("no ERRATUM has the id {id:?}")),
            None if question.contradicts_print() => {
                Err(format!("vector {name:?} expects other than what is printed: add `erratum`"))
            }
            _ => Ok(()),
        }
    }
}

fn listed(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

impl Content {
    fn read(file: &YamlFile) -> Result<Self, FileError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Head {
            about: Option<String>,
            source: Source,
            #[serde(default)]
            base: String,
            vectors: Vec<Value>,
        }
        let Head { about, source, base, vectors } = file.read()?;
        let mut content = Self { about, source, base, vectors: Vec::new() };
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        for (index, mut value) in vectors.into_iter().enumerate() {
            if let Value::Mapping(map) = &mut value
                && map.contains_key(ResolutionCase::SUBJECT)
                && !map.contains_key("base")
            {
                map.insert("base".into(), content.base.as_str().into());
            }
            let at = ["vectors".into(), index.into()];
            let vector = Vector::read(file, &at, value)?;
            if let Some(first) = first.insert(vector.name.clone(), index) {
                let line = file.line(&["vectors".into(), first.into()]).map_or(String::new(), |it| it.to_string());
                let sentence = format!("duplicate vector name {:?} (first defined on line {line})", vector.name);
                return Err(file.error(&at, sentence));
            }
            content.vectors.push(vector);
        }
        Ok(content)
    }

    /// Returns the file in canonical form.
    pub fn canonical(&self) -> String {
        let mut content = self.clone();
        for vector in &mut content.vectors {
            if let Question::Resolution(case) = &mut vector.question
                && case.base == self.base
            {
                case.base.clear();
            }
        }
        crate::yaml::canonical(&content)
    }
}

impl VectorFile {
    /// Reads the file at `path`. The id of the file is derived from the part of the path below `root`.
    fn open(path: &Path, root: &Path) -> Result<Self, FileError> {
        Self::read(&YamlFile::open(path)?, path, below_vectors(path, root))
    }

    /// Parses `bytes` as the file at `path`. The id of the file is derived from the whole path.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if `bytes` are not a valid file of vectors.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, FileError> {
        Self::read(&YamlFile::parse(path, bytes)?, path, path)
    }

    fn read(file: &YamlFile, path: &Path, identity: &Path) -> Result<Self, FileError> {
        let content = Content::read(file)?;
        let name = path.file_name().map(Path::new).unwrap_or(path);
        let identity = if identity.as_os_str().is_empty() { name } else { identity };
        let id = identity.with_extension("").to_string_lossy().replace('\\', "/");
        let id = id.strip_prefix("spec/").unwrap_or(&id).to_owned();
        Ok(Self { id, path: path.to_owned(), content, lines: OnceLock::new() })
    }
}

impl VectorFile {
    /// Returns the path of the file. An embedded file has its path in the repository: `vectors/spec/rfc1808/5.2.yaml`.
    pub fn path_in_repository(&self) -> PathBuf {
        if self.embedded().is_some() { Path::new("vectors").join(&self.path) } else { self.path.clone() }
    }

    /// Returns whether the vectors are examples that a specification prints: those of the folder `spec`.
    pub fn is_printed(&self) -> bool {
        below_vectors(&self.path, Path::new("")).starts_with("spec")
    }

    /// Returns the line on which the vector called `name` begins, from 1. `None` if there is no such vector, or if the file can
    /// no longer be read.
    ///
    /// The file is parsed again for the first vector, because lines are only needed for messages.
    pub fn line_of(&self, name: &str) -> Option<usize> {
        let vectors = &self.content.vectors;
        let index = vectors.iter().position(|vector| vector.name == name)?;
        let lines = self.lines.get_or_init(|| {
            let file = match self.embedded() {
                Some(text) => YamlFile::parse(&self.path, text.as_bytes()),
                None => YamlFile::open(&self.path),
            };
            file.map(|file| file.lines("vectors", vectors.len())).unwrap_or_default()
        });
        lines.get(index).copied().flatten()
    }

    fn embedded(&self) -> Option<&'static str> {
        urlstrata_vectors::files().find(|file| Path::new(file.path) == self.path).map(|file| file.text)
    }
}

impl Suite {
    /// Returns the vectors that are embedded in the program.
    ///
    /// # Errors
    ///
    /// Returns an error for the first invalid file. The tests ensure that all embedded files are valid.
    pub fn embedded() -> Result<Self, FileError> {
        let files =
            urlstrata_vectors::files().map(|file| VectorFile::parse(Path::new(file.path), file.text.as_bytes()));
        Ok(Self { files: files.collect::<Result<_, _>>()? })
    }

    /// Reads the vectors in `paths`. Each path is a file, or a folder of which all files are read.
    ///
    /// # Errors
    ///
    /// Returns an error for the first file that cannot be read or is invalid.
    pub fn read(paths: &[PathBuf]) -> Result<Self, FileError> {
        let mut files = Vec::new();
        for path in paths {
            for file in yaml_below(path, false)? {
                files.push(VectorFile::open(&file, path)?);
            }
        }
        Ok(Self { files })
    }

    /// Returns each vector with its file.
    pub fn vectors(&self) -> impl Iterator<Item = (&VectorFile, &Vector)> {
        self.files.iter().flat_map(|file| file.content.vectors.iter().map(move |vector| (file, vector)))
    }

    /// Returns every case about the resolution of a reference.
    pub fn resolutions(&self) -> impl Iterator<Item = &ResolutionCase> {
        self.vectors().filter_map(|(_, vector)| vector.resolution())
    }

    /// Returns every distinct URL, reference and base of the vectors.
    pub fn urls(&self) -> BTreeSet<&str> {
        let urls = self.vectors().map(|(_, vector)| match &vector.question {
            Question::Resolution(case) => vec![case.base.as_str(), &case.reference],
            Question::Parsing(case) => vec![case.url.as_str()],
            _ => Vec::new(),
        });
        urls.flatten().collect()
    }
}

/// Returns the part of the path from which a file's id is derived: the part below the nearest folder called `vectors`,
/// or else below `root`.
fn below_vectors<'a>(file: &'a Path, root: &Path) -> &'a Path {
    let above = file.ancestors().skip(1).find(|folder| folder.ends_with("vectors"));
    above.and_then(|folder| file.strip_prefix(folder).ok()).or(file.strip_prefix(root).ok()).unwrap_or(file)
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "yaml")
}

/// Returns `path` if it is a file, or all YAML files below it in the order of their paths.
///
/// The folder [`KNOWN`] is only searched if `with_known` is set, and [`ADVISORIES`] only if it is `path`.
///
/// # Errors
///
/// Returns an error if a folder cannot be read or contains no YAML file.
pub fn yaml_below(path: &Path, with_known: bool) -> Result<Vec<PathBuf>, FileError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error| FileError::new(&folder, None, format!("cannot be read: {error}"));
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?.path();
            if entry.is_dir() {
                let is_searched = (with_known || !entry.ends_with(KNOWN)) && !entry.ends_with(ADVISORIES);
                folders.extend(is_searched.then_some(entry));
            } else if is_yaml(&entry) {
                found.push(entry);
            }
        }
    }
    if found.is_empty() {
        return Err(FileError::new(path, None, "no vectors: no file in the folder ends in .yaml"));
    }
    found.sort();
    Ok(found)
}

/// Checks that the file at `path` is in canonical form.
///
/// # Errors
///
/// Returns an error if the file cannot be read, is invalid or is not in canonical form.
pub fn lint(path: &Path) -> Result<(), FileError> {
    let file = YamlFile::open(path)?;
    file.lint(&Content::read(&file)?.canonical())
}

/// Writes the file at `path` in canonical form, and returns whether it changed.
///
/// # Errors
///
/// Returns an error if the file cannot be read or written, is invalid, or has comments, which would be lost.
pub fn format_file(path: &Path) -> Result<bool, FileError> {
    let file = YamlFile::open(path)?;
    file.format(&Content::read(&file)?.canonical())
}
