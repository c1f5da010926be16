//! Public security advisories about URLs, as cases: an input, what an affected version answers, and what a fixed one does.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::escape::visible;
use crate::outcome::{Components, Outcome};
use crate::protocol::Op;
use crate::yaml::{FileError, YamlFile};

/// An advisory. The names of its keys are those of the OSV schema, where that has them.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Advisory {
    /// The identifier, for example of CVE.
    pub id: String,
    /// The ecosystem of the package, for example `npm`.
    pub ecosystem: String,
    /// The package.
    pub package: String,
    /// The first affected version; `0` for all earlier ones.
    pub introduced: String,
    /// The first version with the fix, or several of them, separated by commas; empty if there is none.
    pub fixed: String,
    /// What the package was asked.
    pub operation: Asked,
    /// The base; empty if the input is not resolved.
    #[serde(default)]
    pub base: String,
    /// The input.
    pub input: String,
    /// What the confusion is about: `host`, `scheme`, `port`, `address`, `credentials`, `path`, or `accepted`.
    pub effect: String,
    /// What an affected version answers; what the checker states, if the advisory is about two programs.
    pub happened: Answered,
    /// What a fixed version answers; what the fetcher answers, if the advisory is about two programs.
    pub happens: Answered,
    /// The engine with an affected version, if there is one.
    #[serde(default)]
    pub before: String,
    /// The engine with the fix, if there is one.
    #[serde(default)]
    pub after: String,
    /// The engine that checks, and the one that fetches, if the advisory is about two programs.
    #[serde(default)]
    pub checker: String,
    /// The engine that fetches.
    #[serde(default)]
    pub fetcher: String,
    /// Why no engine shows it; empty if one does.
    #[serde(default)]
    pub uncovered: String,
    /// The address of the advisory; empty if only its identifier is known.
    pub reference: String,
}

/// What a package is asked in an advisory.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// What it states about a URL.
    Parse,
    /// To which URL it resolves a reference.
    Resolve,
    /// Where it connects.
    Connect,
    /// Where it goes after a redirect.
    Follow,
    /// Whether it allows a URL or an address.
    Check,
}

impl Asked {
    /// Returns the operation of the engine protocol that asks this.
    pub fn op(self) -> Op {
        match self {
            Self::Parse | Self::Check => Op::Parse,
            Self::Resolve => Op::Resolve,
            Self::Connect => Op::Connect,
            Self::Follow => Op::Follow,
        }
    }
}

/// An answer in an advisory: `failure`, or the parts that matter. The result of a resolution is the part `url`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answered {
    /// The word `failure`.
    Rejected(Rejected),
    /// Parts with their values; `null` for a part that is absent.
    Parts(BTreeMap<String, Option<String>>),
}

/// The word for a rejection.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rejected {
    /// The input is rejected.
    Failure,
}

impl Answered {
    /// Returns whether `answer` is this one: each of the parts has its value, and a part that an engine does not have is absent.
    pub fn is_answer(&self, answer: &Components) -> bool {
        match (self, answer) {
            (Self::Rejected(_), Err(Outcome::Failure(_))) => true,
            (Self::Parts(parts), Ok(answer)) => parts.iter().all(|(name, value)| {
                let found = answer.iter().find(|(own, _)| own == name).and_then(|(_, value)| value.as_ref());
                found == value.as_ref()
            }),
            _ => false,
        }
    }
}

impl fmt::Display for Answered {
    /// Writes `rejected`, or the parts as `name=value`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(_) => f.write_str("rejected"),
            Self::Parts(parts) => {
                let one = |(name, value): (&String, &Option<String>)| match value {
                    Some(value) => format!("{name}={}", visible(value)),
                    None => format!("no {name}"),
                };
                f.write_str(&parts.iter().map(one).collect::<Vec<_>>().join("  "))
            }
        }
    }
}

/// The path of the file with the advisories.
const PATH: &str = "vectors/advisories/advisories.yaml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    advisories: Vec<Advisory>,
}

impl Advisory {
    /// Reads the advisories of the package `urlstrata-vectors`.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the file is not valid. A test verifies that it is.
    pub fn all() -> Result<Vec<Self>, FileError> {
        Self::parse(Path::new(PATH), urlstrata_vectors::advisories().as_bytes())
    }

    /// Parses `bytes` as the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the file is not valid, or an advisory has neither engines nor a reason why it has none.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<Self>, FileError> {
        let content: Content = YamlFile::parse(path, bytes)?.read()?;
        let is_unclear = |advisory: &&Self| {
            let is_pair = !advisory.before.is_empty() && !advisory.after.is_empty();
            let is_couple = !advisory.checker.is_empty() && !advisory.fetcher.is_empty();
            (is_pair || is_couple) != advisory.uncovered.is_empty()
        };
        match content.advisories.iter().find(is_unclear) {
            Some(advisory) => {
                let sentence = "needs `before` and `after`, `checker` and `fetcher`, or the reason in `uncovered`";
                Err(FileError::new(path, None, format!("{}: {sentence}", advisory.id)))
            }
            None => Ok(content.advisories),
        }
    }
}
