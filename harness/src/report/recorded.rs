//! The recorded engines: their versions, what changed between these, and their relatives.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use serde::Serialize;
use urlstrata::revision::{Revision, rfc3986, whatwg};

use super::family::{Family, Member, Relative};
use crate::engine::folder::{EngineFolder, EngineVersion, Install};
use crate::engine::recording::{Panel, Recording, is_same};
use crate::explain::{Explainer, Group};
use crate::model::recorded::RecordedProfile;
use crate::model::specification::resolving;
use crate::outcome::Outcome;
use crate::pairs::bases::{BaseClass, Rank};
use crate::vector::Suite;
use crate::world::World;

/// The file of vectors with the pairs of public threads.
const THREADS: &str = "found/threads";

/// All recorded engines.
#[derive(Serialize)]
pub(super) struct RecordedEngines {
    /// The number of pairs of the panel.
    pairs: usize,
    engines: usize,
    versions: usize,
    recorded: usize,
    /// The languages, each with its engines.
    languages: Vec<LanguageRow>,
    /// The pairs of public threads with the results of all engines.
    threads: Vec<ThreadRow>,
    /// The picture of the family tree.
    #[serde(skip)]
    pub(super) family: String,
}

#[derive(Serialize)]
struct LanguageRow {
    language: String,
    engines: Vec<EngineRow>,
}

#[derive(Serialize)]
struct EngineRow {
    name: String,
    lineage: String,
    homepage: String,
    license: String,
    native: String,
    follows: String,
    note: String,
    deviates: Vec<String>,
    versions: Vec<VersionRow>,
    /// The profile of the newest recorded version.
    profile: Option<ProfileRow>,
    /// The specification that returns most of the URLs that the engine returns.
    specification: Option<NearestRow>,
    /// The engine of another name with the fewest different results.
    relative: Option<Relative>,
}

#[derive(Serialize)]
struct ProfileRow {
    nearest: String,
    rates: Vec<RateRow>,
}

/// A specification, and how many of the engine's URLs it returns.
#[derive(Serialize)]
struct NearestRow {
    name: &'static str,
    alike: usize,
    urls: usize,
}

/// The number of pairs of one kind, and how many of them the profile predicts.
#[derive(Serialize)]
struct RateRow {
    pairs: String,
    asked: u64,
    predicted: u64,
}

#[derive(Serialize)]
struct VersionRow {
    version: String,
    install: String,
    /// The number of pairs with a URL, and of pairs with the URL of a specification.
    urls: Option<usize>,
    specified: usize,
    /// What changed since the next older recorded version.
    changed: Option<ChangedRow>,
}

#[derive(Serialize)]
struct ChangedRow {
    since: String,
    pairs: usize,
    /// The smallest pair with different results: base, reference, older result, newer result.
    witness: Option<(String, String, Outcome, Outcome)>,
}

#[derive(Serialize)]
struct ThreadRow {
    base: String,
    reference: String,
    note: String,
    groups: Vec<Group>,
}

impl RecordedEngines {
    /// Reads all recordings of `world`.
    ///
    /// # Errors
    ///
    /// Returns a sentence if a recording is not valid.
    pub(super) fn of(world: &World, suite: &Suite) -> Result<Self, String> {
        let folders = world.folders().map_err(|error| error.to_string())?;
        let panel = &folders.panel;
        let specified = Specified::of(panel);
        let mut decoded: Vec<Vec<(String, Vec<Outcome>)>> = Vec::new();
        for engine in &folders.engines {
            let versions = engine.description.versions.iter().filter(|it| engine.recordings.contains_key(&it.version));
            let outcomes = versions.map(|version| {
                let recording = engine.recording(&version.version, panel).map_err(|error| error.to_string())?;
                let outcomes = recording.map(|recording| specified.outcomes(&recording, panel)).unwrap_or_default();
                Ok((version.version.clone(), outcomes))
            });
            decoded.push(outcomes.collect::<Result<_, String>>()?);
        }
        let mut members: Vec<Member> = specified
            .results
            .iter()
            .map(|(id, outcomes)| Member {
                name: (*id).to_owned(),
                language: String::new(),
                outcomes: outcomes.clone(),
            })
            .collect();
        let revisions = members.len();
        let mut newest = BTreeMap::new();
        for (engine, versions) in folders.engines.iter().zip(&decoded) {
            let Some((version, outcomes)) = versions.first() else { continue };
            newest.insert(engine.name.clone(), members.len());
            let name = format!("{} {version}", engine.name);
            members.push(Member { name, language: engine.description.language.clone(), outcomes: outcomes.clone() });
        }
        let family = Family::of(&members);
        let mut languages: BTreeMap<&str, Vec<EngineRow>> = BTreeMap::new();
        for (engine, versions) in folders.engines.iter().zip(&decoded) {
            let index = newest.get(&engine.name).copied();
            let row = EngineRow {
                specification: versions.first().and_then(|(_, outcomes)| specified.nearest(outcomes)),
                relative: index.and_then(|index| family.nearest(index, |other| other >= revisions)),
                ..EngineRow::of(engine, versions, panel, world)
            };
            languages.entry(&engine.description.language).or_default().push(row);
        }
        let rows = |(language, mut engines): (&str, Vec<EngineRow>)| {
            engines.sort_by(|one, other| (&one.lineage, &one.name).cmp(&(&other.lineage, &other.name)));
            LanguageRow { language: language.to_owned(), engines }
        };
        let versions = || folders.engines.iter().flat_map(|engine| &engine.description.versions);
        let is_had = |version: &&EngineVersion| !matches!(version.install, Install::Unavailable(_));
        Ok(Self {
            pairs: panel.pairs().len(),
            engines: folders.engines.len(),
            versions: versions().filter(is_had).count(),
            recorded: decoded.iter().map(Vec::len).sum(),
            languages: languages.into_iter().map(rows).collect(),
            threads: threads(world, suite),
            family: family.svg(),
        })
    }
}

/// The results of all specifications for the panel.
struct Specified {
    results: Vec<(&'static str, Vec<Outcome>)>,
}

impl Specified {
    fn of(panel: &Panel) -> Self {
        let pairs = panel.pairs();
        let of = |revision: &'static Revision| {
            let outcomes = pairs.par_iter().map(|(base, reference)| revision.resolve(base, reference).into());
            (revision.id, outcomes.collect())
        };
        Self { results: resolving().map(of).collect() }
    }

    /// Returns the specification that returns most of the URLs in `outcomes`. Failures are not compared, because an engine
    /// that rejects most inputs would be near to a specification that rejects many.
    fn nearest(&self, outcomes: &[Outcome]) -> Option<NearestRow> {
        let urls = outcomes.iter().filter(|outcome| outcome.url().is_some()).count();
        let alike = |results: &[Outcome]| {
            let pairs = outcomes.iter().zip(results);
            pairs.filter(|(own, result)| own.url().is_some() && own.url() == result.url()).count()
        };
        // Of equally near specifications, the last strict one is named.
        let rank = |id: &str| (id == rfc3986::REVISION.id, id == whatwg::NEWEST.id);
        let rows = self.results.iter().map(|(id, results)| NearestRow { name: id, alike: alike(results), urls });
        rows.max_by_key(|row| (row.alike, rank(row.name)))
    }

    /// Returns the outcomes of `recording`. The specifications are not asked again.
    fn outcomes(&self, recording: &Recording, panel: &Panel) -> Vec<Outcome> {
        let results: HashMap<&str, &Vec<Outcome>> = self.results.iter().map(|(id, results)| (*id, results)).collect();
        let outcome = |number: usize| {
            let same = recording.specification(number).and_then(|id| Some(results.get(id)?[number].clone()));
            let own = || recording.outcome(panel, number);
            same.or_else(own).unwrap_or_else(|| Outcome::Skipped("not an outcome".to_owned()))
        };
        (0..panel.pairs().len()).map(outcome).collect()
    }
}

impl EngineRow {
    fn of(engine: &EngineFolder, recorded: &[(String, Vec<Outcome>)], panel: &Panel, world: &World) -> Self {
        let description = &engine.description;
        let versions = description.versions.iter().map(|version| {
            let at = recorded.iter().position(|(own, _)| *own == version.version);
            let outcomes = at.map(|at| &recorded[at].1);
            let older = at.and_then(|at| recorded.get(at + 1));
            let recording = engine.recording(&version.version, panel).ok().flatten();
            let specified =
                |recording: &Recording| (0..panel.pairs().len()).filter(|&it| recording.is_specified(it)).count();
            VersionRow {
                version: version.version.clone(),
                install: install(&version.install),
                urls: outcomes.map(|outcomes| outcomes.iter().filter(|outcome| outcome.url().is_some()).count()),
                specified: recording.as_ref().map_or(0, specified),
                changed: outcomes.zip(older).map(|(newer, (since, older))| changed(panel, since, older, newer)),
            }
        });
        let newest = recorded.first().map(|(version, _)| format!("{}@{version}", engine.name));
        Self {
            name: engine.name.clone(),
            lineage: description.lineage.clone(),
            homepage: description.homepage.clone(),
            license: description.license.clone(),
            native: description.native.clone(),
            follows: description.follows.clone(),
            note: description.note.clone(),
            deviates: description.deviates.clone(),
            versions: versions.collect(),
            profile: newest.and_then(|key| world.recorded_profile(&key)).map(|profile| ProfileRow::of(&profile)),
            specification: None,
            relative: None,
        }
    }
}

impl ProfileRow {
    fn of(profile: &RecordedProfile) -> Self {
        let mut rates: Vec<_> = profile
            .rates
            .iter()
            .map(|rate| RateRow { pairs: rate.pairs.clone(), asked: rate.asked, predicted: rate.predicted })
            .collect();
        let outcomes = profile.by_outcome();
        for (pairs, [asked, predicted]) in [("results", outcomes[0]), ("failures", outcomes[1])] {
            rates.push(RateRow { pairs: pairs.to_owned(), asked, predicted });
        }
        for base in BaseClass::ALL {
            let (asked, predicted) = profile
                .of_base(base)
                .map_or((0, 0), |rate| (rate.results[0] + rate.failures[0], rate.results[1] + rate.failures[1]));
            rates.push(RateRow { pairs: base.to_string(), asked, predicted });
        }
        Self { nearest: profile.profile.nearest.clone(), rates }
    }
}

fn changed(panel: &Panel, since: &str, older: &[Outcome], newer: &[Outcome]) -> ChangedRow {
    let pairs = panel.pairs();
    let differing: Vec<usize> = (0..pairs.len()).filter(|&it| !is_same(&older[it], &newer[it])).collect();
    let smallest = differing.iter().min_by_key(|&&it| Rank::of(pairs[it].0, pairs[it].1));
    let witness =
        smallest.map(|&it| (pairs[it].0.to_owned(), pairs[it].1.to_owned(), older[it].clone(), newer[it].clone()));
    ChangedRow { since: since.to_owned(), pairs: differing.len(), witness }
}

/// Returns how a version is installed, in words.
fn install(install: &Install) -> String {
    match install {
        Install::Pip(packages) => format!("`pip install {}`", packages.join(" ")),
        Install::Npm(packages) => format!("`npm install {}`", packages.join(" ")),
        Install::Debian { suite, packages } => format!("Debian {suite}: {}", packages.join(", ")),
        Install::Cargo(dependencies) => format!("Cargo: `{}`", dependencies.first().map_or("", String::as_str)),
        Install::System => "part of the language".to_owned(),
        Install::InProcess(name) => format!("in this program: `{name}`"),
        Install::Published(by) => by.clone(),
        Install::Unavailable(why) => format!("not to be had: {why}"),
    }
}

fn threads(world: &World, suite: &Suite) -> Vec<ThreadRow> {
    let mut explainer = Explainer::new(world, &[]);
    let vectors = suite.vectors().filter(|(file, _)| file.id == THREADS);
    let rows = vectors.filter_map(|(_, vector)| {
        let case = vector.resolution()?;
        Some(ThreadRow {
            groups: explainer.explain(&case.base, &case.reference).groups,
            base: case.base.clone(),
            reference: case.reference.clone(),
            note: vector.note.clone().unwrap_or_default(),
        })
    });
    rows.collect()
}
