//! Recordings: the outcomes of an engine for the pairs of a fixed panel, as text with a line for each pair.
//!
//! The first lines state what was recorded:
//!
//! ```text
//! engine urllib 3.11.7
//! panel 10000 pairs 0123456789abcdef
//! survey 75210 pairs 0123456789abcdef
//! outcomes 0123456789abcdef
//! =rfc3986
//! http://a/b
//! !failure
//! ```
//!
//! Each further line is the outcome for the pair on the same line of the panel, counted after the first lines: a URL, an
//! equals sign and the id of a specification that returns the same URL, or an exclamation mark and the kind of outcome.
//! URLs are escaped as in JSON; a URL that begins with `=` or `!`, or is empty or `^`, follows a `"`. Reasons of failures are not recorded.
//! The recording of a version whose outcomes are those of another version has a single further line, `same as VERSION`. If the fourth line
//! ends with ` ^VERSION`, a line `^` is replaced with the line of that version, whose recording is complete.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use fnv::FnvHasher;
use rayon::prelude::*;
use urlstrata::revision::{self, Revision, rfc3986, whatwg};

use super::Pair;
use super::folder::PANEL;
use super::panel::Panel;
use super::rows::{HEAD, LIKE, Relation, Resolved, Rows, SAME, Written, divided};
use super::stored::StoredFile;
use crate::outcome::Outcome;
use crate::yaml::FileError;

/// The first lines of a recording.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Head {
    /// The name of the engine.
    pub engine: String,
    /// The version.
    pub version: String,
    /// The number of pairs of the panel, and their digest.
    panel: (usize, String),
    /// The number of pairs of the survey, and the digest of their outcomes.
    pub survey: (usize, String),
    /// The digest of the outcomes for the panel.
    outcomes: String,
    /// How the recording is related to the one of another version.
    pub relation: Option<Relation>,
}

impl Head {
    /// Parses the first lines of `text`, the recording at `path`. Errors name the path; nothing is read from it.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the first lines are not as described in the module.
    pub fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        let mut lines = text.lines();
        let mut head = |number: usize, key: &str| -> Result<Vec<String>, FileError> {
            let line = lines.next().unwrap_or_default();
            let rest = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(' '));
            let wanted =
                || FileError::new(path, Some(number), format!("a recording has a line that begins with {key:?} here"));
            Ok(rest.ok_or_else(wanted)?.split(' ').map(str::to_owned).collect())
        };
        let [engine, of_panel, survey, outcomes] =
            [head(1, "engine")?, head(2, "panel")?, head(3, "survey")?, head(4, "outcomes")?];
        let counted = |number: usize, words: &[String]| {
            match words {
                [count, noun, digest] if noun == "pairs" => count.parse().ok().map(|count| (count, digest.clone())),
                _ => None,
            }
            .ok_or_else(|| {
                FileError::new(path, Some(number), "a number, the word \"pairs\" and a digest are wanted here")
            })
        };
        // After the digest, the fourth line may name another version.
        let ([engine, version], [outcomes] | [outcomes, _]) = (engine.as_slice(), outcomes.as_slice()) else {
            return Err(FileError::new(path, Some(1), "an engine and a version, and a digest on line 4, are wanted"));
        };
        Ok(Self {
            engine: engine.clone(),
            version: version.clone(),
            panel: counted(2, &of_panel)?,
            survey: counted(3, &survey)?,
            outcomes: outcomes.clone(),
            relation: Relation::of(text),
        })
    }

    fn remedy(&self) -> String {
        format!("record it again: urlstrata engine record {}@{}", self.engine, self.version)
    }
}

impl fmt::Display for Head {
    /// Writes the first lines, as a recording begins. What names another version is not written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, version, panel, survey, outcomes, .. } = self;
        writeln!(f, "engine {engine} {version}\npanel {} pairs {}", panel.0, panel.1)?;
        writeln!(f, "survey {} pairs {}\noutcomes {outcomes}", survey.0, survey.1)
    }
}

/// The recorded outcomes of a version of an engine.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The first lines.
    pub head: Head,
    /// The file for messages about the first lines.
    path: PathBuf,
    rows: Rows,
}

impl Recording {
    /// Creates a recording of `outcomes`, which are in the order of `panel`. `survey` is the number of pairs of the survey
    /// and the digest of their outcomes.
    pub fn new(engine: &str, version: &str, panel: &Panel, outcomes: &[Outcome], survey: (usize, String)) -> Self {
        let stated = revisions();
        let pairs = panel.pairs();
        let lines = outcomes.par_iter().enumerate().map(|(number, outcome)| {
            let Some(url) = outcome.url() else { return format!("!{}\n", kind(outcome)) };
            let same = |it: &&&'static Revision| panel.outcomes_of(it)[number].url() == Some(url);
            match stated.iter().find(same) {
                Some(revision) => format!("={}\n", revision.id),
                None if url.starts_with(['=', '!']) || url.is_empty() || url == LIKE => format!("\"{}\n", escape(url)),
                None => escape(url) + "\n",
            }
        });
        let head = Head {
            engine: engine.to_owned(),
            version: version.to_owned(),
            panel: (pairs.len(), panel.digest().to_owned()),
            survey,
            outcomes: digest_of(outcomes),
            relation: None,
        };
        Self { head, path: PathBuf::new(), rows: Rows::of(Path::new(""), lines.collect()) }
    }

    /// Reads the recording in `file`, which may refer to one of `files`, and belongs to `panel`. The outcomes are not decoded. Of a file that
    /// is part of the program nothing is read before it is needed; tests verify that it is valid.
    ///
    /// # Errors
    ///
    /// Returns an error if [`Self::parse`] does, or with the line if the file refers to a version without a recording of its own.
    pub(super) fn open(
        file: &StoredFile,
        files: &BTreeMap<String, StoredFile>,
        panel: &Panel,
    ) -> Result<Self, FileError> {
        let Resolved { head, rows, .. } = Resolved::read(file, files)?;
        Self::of(file.path(), &head, rows, (!file.is_embedded()).then_some(panel))
    }

    /// Parses `text` as the recording at `path`, which belongs to `panel` and has all of its lines. The outcomes are not decoded.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the first lines are not as described in the module, the recording belongs to
    /// another panel, or the number of outcomes is not that of the panel.
    pub fn parse(path: &Path, text: &str, panel: &Panel) -> Result<Self, FileError> {
        let (head, rows) = divided(path, text);
        Self::of(path, &head, rows, Some(panel))
    }

    /// Creates a recording with the first lines `head`. Checks that it belongs to `panel`, if there is one.
    fn of(path: &Path, head: &str, rows: Rows, panel: Option<&Panel>) -> Result<Self, FileError> {
        let head = Head::parse(path, head)?;
        if let Some(panel) = panel {
            if panel.is_empty() && head.panel.0 > 0 {
                let (pairs, remedy) = (head.panel.0, head.remedy());
                let sentence = format!(
                    "the file {PANEL} with the {pairs} pairs of the recording is missing from the folder above: copy it from where the \
                     recording was made, or write one (urlstrata engine panel --out {PANEL}) and {remedy}"
                );
                return Err(FileError::new(path, Some(2), sentence));
            }
            if head.panel != (panel.len(), panel.digest().to_owned()) {
                let sentence = format!("the recording belongs to another panel: {}", head.remedy());
                return Err(FileError::new(path, Some(2), sentence));
            }
            let (wants, remedy) = (panel.len(), head.remedy());
            let sentence = |has| format!("the recording has {has} outcomes, and the panel has {wants} pairs: {remedy}");
            rows.check(wants, sentence)?;
        }
        Ok(Self { head, path: path.to_owned(), rows })
    }

    /// Returns the recording as text, as [`Self::parse`] reads it.
    pub fn text(&self) -> String {
        format!("{}{}", self.head, self.rows)
    }

    /// Returns the line of pair `number` of the panel, without its end.
    fn line(&self, number: usize) -> Option<&str> {
        self.rows.get(number)
    }

    /// Returns the outcome for pair `number` of the panel, which is `pair`.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the line is not an outcome.
    pub fn outcome(&self, number: usize, (base, reference): Pair<'_>) -> Result<Outcome, FileError> {
        let decoded = self.line(number).and_then(|line| {
            if let Some(kind) = line.strip_prefix('!') {
                return recorded(kind);
            }
            if let Some(id) = line.strip_prefix('=') {
                return Some(revision::by_id(id)?.resolve(base, reference).into());
            }
            let url = Some(line).filter(|line| *line != LIKE)?;
            unescape(url.strip_prefix('"').unwrap_or(url)).map(Outcome::Url)
        });
        decoded.ok_or_else(|| self.rows.error(number, "not an outcome: a URL, =REVISION or !KIND"))
    }

    /// Returns whether the engine answered pair `number`. The outcome is not decoded.
    pub fn is_answered(&self, number: usize) -> bool {
        self.line(number) != Some("!skipped")
    }

    /// Returns the id of the specification whose result is the recorded one for pair `number`, if the recording states it.
    pub fn specification(&self, number: usize) -> Option<&str> {
        self.line(number)?.strip_prefix('=')
    }

    /// Returns whether the recorded result for pair `number` is that of a specification.
    pub fn is_specified(&self, number: usize) -> bool {
        self.line(number).is_some_and(|line| line.starts_with('='))
    }

    /// Decodes all outcomes, in the order of the panel.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if a line is not an outcome, or if the digest is not that of the outcomes: the file
    /// was edited, or a specification no longer returns what it returned.
    pub fn outcomes(&self, panel: &Panel) -> Result<Vec<Outcome>, FileError> {
        let pairs = panel.pairs();
        let decode = |(number, pair)| match self.specification(number).and_then(revision::by_id) {
            Some(revision) => Ok(panel.outcomes_of(revision)[number].clone()),
            None => self.outcome(number, pair),
        };
        let decoded: Vec<_> = pairs.into_par_iter().enumerate().map(decode).collect();
        let outcomes = decoded.into_iter().collect::<Result<Vec<_>, _>>()?;
        if digest_of(&outcomes) != self.head.outcomes {
            let sentence = match &self.head.relation {
                None => {
                    "the outcomes do not have this digest: the file was edited, or a specification changed".to_owned()
                }
                Some(other) => format!(
                    "the outcomes do not have this digest: this file or that of {} was edited, or a specification changed",
                    other.version()
                ),
            };
            return Err(FileError::new(&self.path, Some(HEAD), sentence));
        }
        Ok(outcomes)
    }
}

impl Written for Recording {
    fn head(&self) -> String {
        self.head.to_string()
    }

    fn rows(&self) -> &Rows {
        &self.rows
    }

    fn same_as(&self, version: &str) -> String {
        format!("{}{SAME}{version}\n", self.head)
    }

    /// Compares the outcomes for the panel and for the survey.
    fn is_same(&self, other: &Self) -> bool {
        let outcomes = |of: &Self| (of.head.panel.clone(), of.head.survey.clone(), of.head.outcomes.clone());
        outcomes(self) == outcomes(other)
    }
}

/// The reason of outcomes that are recorded without one.
pub const RECORDED: &str = "the reason is not recorded";

/// Returns the kind of an outcome that is not a URL.
pub(super) fn kind(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Url(_) => "url",
        Outcome::Failure(_) => "failure",
        Outcome::Skipped(_) => "skipped",
        Outcome::Unrepresentable(_) => "unrepresentable",
        Outcome::Crash(_) => "crash",
        Outcome::Timeout(_) => "timeout",
    }
}

pub(super) fn recorded(kind: &str) -> Option<Outcome> {
    let why = RECORDED.to_owned();
    Some(match kind {
        "failure" => Outcome::Failure(why),
        "skipped" => Outcome::Skipped(why),
        "unrepresentable" => Outcome::Unrepresentable(why),
        "crash" => Outcome::Crash(why),
        "timeout" => Outcome::Timeout(why),
        _ => return None,
    })
}

/// Returns whether a recorded and another outcome are equal: the same URL, or the same kind. Reasons are not recorded.
pub fn is_same(recorded: &Outcome, other: &Outcome) -> bool {
    match (recorded.url(), other.url()) {
        (Some(one), Some(other)) => one == other,
        (None, None) => recorded.is_like(other),
        _ => false,
    }
}

/// Returns the digest of outcomes in their order. Reasons are not part of it.
pub fn digest_of(outcomes: &[Outcome]) -> String {
    digest(outcomes.iter().flat_map(|outcome| [kind(outcome), outcome.url().unwrap_or_default()]))
}

/// Returns the FNV-1a hash of strings in hexadecimal.
pub(crate) fn digest<'a>(strings: impl Iterator<Item = &'a str>) -> String {
    let mut hash = FnvHasher::default();
    for text in strings {
        hash.write(text.as_bytes());
        // UTF-8 never contains this byte, so the boundaries between the strings are unambiguous.
        hash.write(&[0xff]);
    }
    format!("{:016x}", hash.finish())
}

/// Returns the specifications whose results are stated by their id, in the order in which they are tried.
fn revisions() -> Vec<&'static Revision> {
    let first = [&rfc3986::REVISION, whatwg::NEWEST];
    let others = revision::ALL.iter().rev().copied().filter(|it| first.iter().all(|first| first.id != it.id));
    first.into_iter().chain(others).collect()
}

/// Escapes `text` as in a JSON string, in ASCII.
pub fn escape(text: &str) -> String {
    let line = crate::protocol::ascii(&serde_json::Value::String(text.to_owned()));
    line[1..line.len() - 1].to_owned()
}

/// Returns the text that [`escape`] escaped; `None` if `text` is not escaped as in JSON.
pub fn unescape(text: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{text}\"")).ok()
}
