//! Which specifications, engines and versions give a result.

use std::fmt;

use rayon::prelude::*;
use serde::Serialize;
use urlstrata_steps::{Change, compare_versions};

use crate::engine::description::{EngineVersion, Install};
use crate::engine::folder::EngineFolder;
use crate::engine::{self, Engine, Source, ask, use_order};
use crate::escape::visible;
use crate::knowledge::citation;
use crate::knowledge::results::Results;
use crate::knowledge::specification::Specification;
use crate::knowledge::stepped::Stepped;
use crate::outcome::Outcome;
use crate::world::World;
use crate::yaml::FileError;

/// A result that was observed or expected, with those that give it.
#[derive(Clone, Debug, Serialize)]
pub struct GivenResult {
    /// The result.
    pub outcome: Outcome,
    /// The ids of the specifications that give it, oldest first.
    pub specifications: Vec<&'static str>,
    /// The specifications that permit it in addition to their own result, each with the section.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permitted: Vec<Permission>,
    /// The engines of which a version gives it, the best-known first.
    pub engines: Vec<Giver>,
}

/// A specification that permits a result.
#[derive(Clone, Debug, Serialize)]
pub struct Permission {
    /// The id of the specification.
    pub specification: &'static str,
    /// Where it permits the result: `RFC 2396 §5.2 step 6g`.
    pub section: String,
}

/// An engine, and those of its known versions that give a result.
#[derive(Clone, Debug, Serialize)]
pub struct Giver {
    /// The name.
    pub engine: String,
    /// The ranges of versions, oldest first.
    pub versions: Vec<VersionRange>,
    /// Whether every known version gives the result.
    pub is_every: bool,
    /// Whether the result of a version is only predicted by a fitted behaviour. The others are recorded, or follow from steps.
    pub is_fitted: bool,
}

impl Giver {
    /// Returns the name with the versions; without them if every known version gives the result. A predicted result has a `*`.
    pub fn title(&self) -> String {
        let mark = if self.is_fitted { "*" } else { "" };
        match self.is_every {
            true => format!("{}{mark}", visible(&self.engine)),
            false => {
                let ranges: Vec<_> = self.versions.iter().map(VersionRange::to_string).collect();
                format!("{}{mark} {}", visible(&self.engine), ranges.join(" and "))
            }
        }
    }
}

/// Consecutive known versions of an engine that give a result.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct VersionRange {
    /// The first version.
    pub first: String,
    /// Whether no older version is known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_oldest: bool,
    /// The last version.
    pub last: String,
    /// The first version after these, which gives another result by the steps of its source. Then all versions before it are in the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The change of the source in that version, if it alone makes the last version give another result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_by: Option<ChangeOfSource>,
}

/// A change of the source of an engine.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ChangeOfSource {
    /// The date of the first release with the change, as `YYYY-MM-DD`, or as much of it as is known.
    pub date: &'static str,
    /// The address of the issue, the pull request or the advisory; empty if none is known.
    pub issue: &'static str,
    /// What changed.
    pub sentence: &'static str,
}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, last] = [&self.first, &self.last].map(|version| visible(version));
        match &self.before {
            Some(next) if self.is_oldest => write!(f, "before {}", visible(next)),
            Some(next) => write!(f, "{first} to before {}", visible(next)),
            None if first == last => f.write_str(&first),
            None => write!(f, "{first} to {last}"),
        }
    }
}

/// The results of all known versions of an engine, oldest first.
pub(super) struct EngineResults {
    name: String,
    versions: Vec<VersionResult>,
}

struct VersionResult {
    version: String,
    outcome: Outcome,
    is_fitted: bool,
}

impl EngineResults {
    /// Asks every recorded version of every engine, and every version at which the steps of its source change.
    ///
    /// # Errors
    ///
    /// Returns an error if a file of an engine folder is not valid.
    pub(super) fn of_all(world: &World, pair: (&str, &str)) -> Result<Vec<Self>, FileError> {
        let folders = &world.folders()?.engines;
        let asked = folders.par_iter().filter(|folder| folder.resolves() || is_in_process(folder));
        let results: Result<Vec<Self>, FileError> = asked.map(|folder| Self::of(world, folder, pair)).collect();
        let mut results: Vec<Self> = results?.into_iter().filter(|it| !it.versions.is_empty()).collect();
        results.sort_by(|one, other| rank(&one.name).cmp(&rank(&other.name)));
        Ok(results)
    }

    fn of(world: &World, folder: &EngineFolder, pair: (&str, &str)) -> Result<Self, FileError> {
        let mut versions = Vec::new();
        for version in &folder.description.versions {
            versions.extend(recorded(world, folder, version, pair)?);
        }
        let is_listed = |version: &str| folder.description.versions.iter().any(|own| own.version == version);
        let is_taken = || folder.description.text.is_none_or(|text| text.excludes(pair.0, pair.1).is_none());
        if let Some(table) = urlstrata_engines::table(&folder.name).filter(|_| is_taken()) {
            let changed = table.changes.iter().flat_map(|change| change.versions).chain([&table.first]);
            let mut unlisted: Vec<&str> = changed.copied().filter(|version| !is_listed(version)).collect();
            unlisted.sort_unstable();
            unlisted.dedup();
            for version in unlisted {
                let outcome = Stepped::of(&folder.name, version).and_then(|steps| steps.predict(pair.0, pair.1));
                versions.extend(outcome.map(|outcome| VersionResult {
                    version: version.to_owned(),
                    outcome,
                    is_fitted: false,
                }));
            }
        }
        versions.sort_by(|one, other| compare_versions(&one.version, &other.version));
        Ok(Self { name: folder.name.clone(), versions })
    }

    /// Returns the name of the engine, its newest version, and the result of that.
    pub(super) fn newest(&self) -> Option<(String, &Outcome)> {
        let newest = self.versions.last()?;
        Some((format!("{} {}", visible(&self.name), visible(&newest.version)), &newest.outcome))
    }

    /// Returns the key NAME@VERSION of the newest version with `outcome`, if the steps of its source are known.
    pub(super) fn key_of_steps(&self, outcome: &Outcome) -> Option<String> {
        let newest = self.versions.iter().rev().find(|it| is_same(&it.outcome, outcome))?;
        let key = format!("{}@{}", self.name, newest.version);
        Stepped::of_key(&key).filter(Stepped::resolves).map(|_| key)
    }

    /// Returns the change of the source since `version` that alone makes the version `last` give something else than `outcome`.
    fn changed_by(&self, version: &str, last: &str, pair: (&str, &str), outcome: &Outcome) -> Option<ChangeOfSource> {
        let changes = urlstrata_engines::table(&self.name)?.changes.iter();
        let decides = |change: &&&Change| {
            let with = Stepped::of(&self.name, &format!("{last}+{}", change.id));
            let predicted = with.and_then(|steps| steps.predict(pair.0, pair.1));
            change.versions.contains(&version) && predicted.is_some_and(|own| !is_same(&own, outcome))
        };
        let change = changes.into_iter().find(decides)?;
        Some(ChangeOfSource { date: change.date, issue: change.issue, sentence: change.says })
    }

    fn giver(&self, outcome: &Outcome, pair: (&str, &str)) -> Option<Giver> {
        let has_steps = |it: &VersionResult| Stepped::of(&self.name, &it.version).is_some_and(|own| own.resolves());
        let mut ranges: Vec<VersionRange> = Vec::new();
        let mut is_open = false;
        for (index, it) in self.versions.iter().enumerate() {
            let gives = is_same(&it.outcome, outcome);
            match (ranges.last_mut(), gives) {
                (Some(range), true) if is_open => range.last.clone_from(&it.version),
                (_, true) => ranges.push(VersionRange {
                    first: it.version.clone(),
                    is_oldest: index == 0,
                    last: it.version.clone(),
                    before: None,
                    changed_by: None,
                }),
                (Some(range), false) if is_open && has_steps(it) => {
                    range.before = Some(it.version.clone());
                    range.changed_by = self.changed_by(&it.version, &range.last, pair, outcome);
                }
                (_, false) => {}
            }
            is_open = gives;
        }
        let mut giving = self.versions.iter().filter(|it| is_same(&it.outcome, outcome));
        let is_every = self.versions.iter().all(|it| is_same(&it.outcome, outcome));
        let is_fitted = giving.any(|it| it.is_fitted);
        (!ranges.is_empty()).then(|| Giver { engine: self.name.clone(), versions: ranges, is_every, is_fitted })
    }
}

impl GivenResult {
    /// Finds those that give `outcome` for the pair of `results`.
    pub(super) fn of(outcome: &Outcome, results: &Results<'_>, engines: &[EngineResults]) -> Self {
        let pair = (results.base, results.reference);
        let specifications = results.agreeing(outcome);
        let permission = |own: Specification| {
            let section = citation::permits(&own, pair, outcome.url()?)?;
            (!specifications.contains(&own.id)).then_some(Permission { specification: own.id, section })
        };
        let mut permitted: Vec<Permission> = Specification::all().into_iter().filter_map(permission).collect();
        permitted.dedup_by(|one, other| one.section == other.section);
        let engines = engines.iter().filter_map(|engine| engine.giver(outcome, pair)).collect();
        Self { outcome: outcome.clone(), permitted, engines, specifications }
    }

    /// Returns whether nothing that is known gives the result.
    pub fn is_unknown(&self) -> bool {
        self.specifications.is_empty() && self.engines.is_empty()
    }

    /// Returns whether a specification gives or permits the result.
    pub fn is_of(&self, specification: &str) -> bool {
        self.specifications.contains(&specification)
            || self.permitted.iter().any(|own| own.specification == specification)
    }
}

/// Returns whether two results are the same. Two failures are, whatever their reasons.
pub(in crate::explain) fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Url(one), Outcome::Url(other)) => one == other,
        (one, other) => one.is_like(other),
    }
}

fn is_in_process(folder: &EngineFolder) -> bool {
    folder.description.versions.iter().any(|own| matches!(own.install, Install::InProcess(_)))
}

/// Asks a version that is recorded, or is part of this program.
fn recorded(
    world: &World,
    folder: &EngineFolder,
    version: &EngineVersion,
    (base, reference): (&str, &str),
) -> Result<Option<VersionResult>, FileError> {
    let engine: Box<dyn Engine> = match &version.install {
        Install::InProcess(name) => match engine::by_name(name) {
            Ok(engine) => engine,
            // The program was built without it.
            Err(_) => return Ok(None),
        },
        _ => match world.recorded(folder, version)? {
            Some(engine) => Box::new(engine),
            None => return Ok(None),
        },
    };
    let source = engine.source(base, reference);
    if !world.is_shown(engine.as_ref(), source, base) {
        return Ok(None);
    }
    let outcome = ask(engine.as_ref(), base, reference);
    let has_steps = Stepped::of_key(engine.key()).is_some_and(|steps| steps.resolves());
    let is_fitted = source == Source::Predicted && !has_steps;
    let answers = !matches!(outcome, Outcome::Skipped(_) | Outcome::Unrepresentable(_));
    Ok(answers.then(|| VersionResult { version: version.version.clone(), outcome, is_fitted }))
}

/// Returns the place of an engine in lists.
fn rank(name: &str) -> (usize, &str) {
    (use_order::place(name), name)
}
