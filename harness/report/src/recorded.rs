//! The recorded engines: their versions, what changed between these, and their relatives.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use urlstrata::revision::{Revision, rfc3986, whatwg};
use urlstrata::rules::{self, Rule};

use super::cache::Cache;
use super::family::{Family, Member, Relative};
use super::grid_picture;
use super::head::{Head, Newest};
use super::missed::Missed;
use super::rule_table::RuleTable;
use super::threads::{ThreadRow, threads};
use super::{Progress, Request};
use urlstrata_harness::behaviour::{Behaviour, Description, Form, ROW};
use urlstrata_harness::engine::StoredFile;
use urlstrata_harness::engine::folder::{EngineFolder, EngineVersion, Install};
use urlstrata_harness::engine::recording::{self, Panel, Recording, is_same};
use urlstrata_harness::knowledge::behaviours::RecordedBehaviour;
use urlstrata_harness::knowledge::measure::{Share, decided};
use urlstrata_harness::knowledge::specification::{Specification, resolving};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs::bases::{BaseClass, Rank};
use urlstrata_harness::vector::Suite;
use urlstrata_harness::world::World;
use urlstrata_harness::yaml::FileError;

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
    /// The rules for which the profiles of the engines have different settings.
    rules: RuleTable,
    /// The pairs of public threads with the results of all engines.
    threads: Vec<ThreadRow>,
    /// The picture of the family tree.
    #[serde(skip)]
    pub(super) family: String,
}

#[derive(Serialize)]
pub(super) struct LanguageRow {
    pub(super) language: String,
    pub(super) engines: Vec<EngineRow>,
}

#[derive(Serialize)]
pub(super) struct EngineRow {
    pub(super) name: String,
    pub(super) lineage: String,
    homepage: String,
    license: String,
    native: String,
    follows: String,
    note: String,
    deviates: Vec<String>,
    versions: Vec<VersionRow>,
    /// The number of pairs of the panel, if the results were published by others, who asked other pairs.
    published: Option<usize>,
    /// The profile of the newest recorded version.
    pub(super) profile: Option<ProfileRow>,
    /// The behaviour of the newest recorded version, in words.
    behaviour: Option<Value>,
    /// The specification that returns most of the URLs that the engine returns.
    specification: Option<NearestRow>,
    /// The sentences at the head of the page, if the newest recorded version has a behaviour.
    head: Option<Value>,
    /// The engine of another name with the fewest different results.
    relative: Option<Relative>,
}

#[derive(Serialize)]
pub(super) struct ProfileRow {
    pub(super) nearest: String,
    /// The accuracy by kind of pairs; empty for an engine in this process, whose page states it.
    rates: Vec<RateRow>,
    /// The setting of each rule; `None` for an undetermined rule.
    pub(super) rules: Vec<Option<&'static str>>,
}

/// A behaviour in words.
#[derive(Serialize)]
struct BehaviourRow {
    questions: usize,
    description: Description,
    /// The held-out pairs that are not predicted.
    missed: Missed,
}

/// What takes long to compute for the newest recorded version of an engine.
#[derive(Default, Deserialize, Serialize)]
struct Described {
    head: Option<Value>,
    behaviour: Option<Value>,
}

impl Described {
    fn of(engine: &EngineFolder, newest: &RecordedVersion<'_>, world: &World, cache: &Cache) -> Result<Self, String> {
        let text = |error: FileError| error.to_string();
        let version = &newest.version.version;
        let file = engine.behaviours.get(&engine.recorded_as(version).map_err(text)?);
        let file = file.map(StoredFile::text).transpose().map_err(text)?;
        let inputs = (&engine.description, version, &newest.head, file);
        cache.result(&engine.key(newest.version), &inputs, || {
            let json = |of: serde_json::Result<Value>| of.map_err(|error| error.to_string());
            let head = newest.head(engine, world)?.map(|head| json(serde_json::to_value(head)));
            let behaviour = BehaviourRow::of(engine, newest, world)?.map(|row| json(serde_json::to_value(row)));
            Ok(Self { head: head.transpose()?, behaviour: behaviour.transpose()? })
        })
    }
}

impl BehaviourRow {
    /// Returns the behaviour of the version `newest`; `None` if it does not have one.
    ///
    /// # Errors
    ///
    /// Returns a sentence if an `[[unstated]]` entry is not valid or not true.
    fn of(engine: &EngineFolder, newest: &RecordedVersion<'_>, world: &World) -> Result<Option<Self>, String> {
        let Some(recorded) = world.recorded_behaviour(&engine.key(newest.version)) else { return Ok(None) };
        let behaviour = recorded.behaviour()?;
        let decided = decided(&behaviour, &engine.panel.pairs(), &newest.outcomes);
        Ok(Some(Self {
            questions: recorded.questions,
            description: behaviour.description(&decided, &recorded.undetermined),
            missed: Missed::of(engine, &behaviour, &newest.outcomes)?,
        }))
    }
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

impl RecordedEngines {
    /// Reads all recordings of `world`.
    ///
    /// # Errors
    ///
    /// Returns a sentence if a recording is not valid.
    pub(super) fn of(world: &World, suite: &Suite, request: &Request<'_>) -> Result<Self, String> {
        let folders = world.folders().map_err(|error| error.to_string())?;
        let panel = &folders.panel;
        let specified = Specified::of(panel);
        let decoded: Vec<_> =
            folders.engines.iter().map(|engine| specified.recorded(engine)).collect::<Result<_, String>>()?;
        let specification = |(id, outcomes): &(&'static str, Vec<Outcome>)| Member {
            name: (*id).to_owned(),
            language: String::new(),
            outcomes: outcomes.iter().cloned().map(Some).collect(),
        };
        let mut members: Vec<Member> = specified.results.iter().map(specification).collect();
        let revisions = members.len();
        let mut newest = BTreeMap::new();
        for (engine, versions) in folders.engines.iter().zip(&decoded) {
            let Some(version) = versions.first() else { continue };
            newest.insert(engine.name.clone(), members.len());
            members.push(Member {
                name: format!("{} {}", engine.name, version.version.version),
                language: engine.description.language.clone(),
                outcomes: on_panel(panel, engine, &version.outcomes),
            });
        }
        let family = Family::of(&members);
        let of = |(engine, versions): (&EngineFolder, &Vec<RecordedVersion<'_>>)| -> Result<EngineRow, String> {
            let index = newest.get(&engine.name).copied();
            let specification = index.and_then(|index| specified.nearest(&members[index].outcomes));
            let described = versions.first().map(|newest| Described::of(engine, newest, world, &request.cache));
            (request.progress)(Progress::Done);
            let Described { head, behaviour } = described.transpose()?.unwrap_or_default();
            Ok(EngineRow {
                head,
                behaviour,
                specification,
                relative: index.and_then(|index| family.nearest(index, |other| other >= revisions)),
                ..EngineRow::of(engine, versions, world)
            })
        };
        (request.progress)(Progress::Stage("describing the recorded engines", folders.engines.len() as u64));
        let engines: Vec<_> = folders.engines.par_iter().zip(&decoded).map(of).collect::<Result<_, String>>()?;
        let mut languages: BTreeMap<&str, Vec<EngineRow>> = BTreeMap::new();
        for (engine, row) in folders.engines.iter().zip(engines) {
            languages.entry(&engine.description.language).or_default().push(row);
        }
        let rows = |(language, mut engines): (&str, Vec<EngineRow>)| {
            engines.sort_by(|one, other| (&one.lineage, &one.name).cmp(&(&other.lineage, &other.name)));
            LanguageRow { language: language.to_owned(), engines }
        };
        let languages: Vec<_> = languages.into_iter().map(rows).collect();
        let versions = || folders.engines.iter().flat_map(|engine| &engine.description.versions);
        let is_had = |version: &&EngineVersion| !matches!(version.install, Install::Unavailable(_));
        Ok(Self {
            pairs: panel.pairs().len(),
            engines: folders.engines.len(),
            versions: versions().filter(is_had).count(),
            recorded: decoded.iter().map(Vec::len).sum(),
            rules: RuleTable::of(&languages),
            languages,
            threads: threads(world, suite)?,
            family: family.svg(),
        })
    }

    /// Returns the profiles of the engines that have one.
    pub(super) fn profiles(&self) -> impl Iterator<Item = &ProfileRow> {
        self.languages.iter().flat_map(|row| &row.engines).filter_map(|engine| engine.profile.as_ref())
    }

    /// Draws the settings of all engines.
    pub(super) fn grid(&self) -> String {
        grid_picture::draw(&self.languages, &self.rules)
    }

    /// Returns the name of each engine, with its position: the number of its language, and its number in this language.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, usize, usize)> {
        self.languages.iter().enumerate().flat_map(|(language, row)| {
            row.engines.iter().enumerate().map(move |(engine, row)| (row.name.as_str(), language, engine))
        })
    }
}

/// Returns the outcomes of `engine` for the pairs of `panel`, which may not be its own; `None` for a pair without an
/// answer.
fn on_panel(panel: &Panel, engine: &EngineFolder, outcomes: &[Outcome]) -> Vec<Option<Outcome>> {
    let answered = |outcome: &Outcome| (!matches!(outcome, Outcome::Skipped(_))).then(|| outcome.clone());
    if !engine.has_own_panel() {
        return outcomes.iter().cloned().map(Some).collect();
    }
    let own = |(base, reference): (&str, &str)| outcomes.get(engine.panel.find(base, reference)?).and_then(answered);
    panel.pairs().into_iter().map(own).collect()
}

/// A recorded version of an engine.
struct RecordedVersion<'a> {
    version: &'a EngineVersion,
    /// The first lines of the recording.
    head: recording::Head,
    /// The outcomes, in the order of the engine's panel.
    outcomes: Vec<Outcome>,
    /// The number of outcomes that are the URL of a specification.
    specified: usize,
}

impl RecordedVersion<'_> {
    /// Returns the head of the page of `engine`, whose newest recorded version this is; `None` if the version does not have
    /// a behaviour.
    ///
    /// # Errors
    ///
    /// Returns a sentence if a notable deviation is not valid or not true.
    fn head(&self, engine: &EngineFolder, world: &World) -> Result<Option<Head>, String> {
        let Some(recorded) = world.recorded_behaviour(&engine.key(self.version)) else { return Ok(None) };
        let Some(nearest) = Specification::by_id(&recorded.nearest) else { return Ok(None) };
        let behaviour = recorded.behaviour()?;
        let (version, outcomes) = (self.version.version.as_str(), &self.outcomes);
        let undetermined = &recorded.undetermined;
        Newest { engine, version, behaviour: &behaviour, undetermined, outcomes, nearest }.head().map(Some)
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
    fn nearest(&self, outcomes: &[Option<Outcome>]) -> Option<NearestRow> {
        let own: Vec<_> = outcomes.iter().map(|outcome| outcome.as_ref().and_then(Outcome::url)).collect();
        let urls = own.iter().flatten().count();
        let alike = |results: &[Outcome]| {
            own.iter().zip(results).filter(|(own, result)| own.is_some() && **own == result.url()).count()
        };
        // Of equally near specifications, the last strict one is named.
        let rank = |id: &str| (id == rfc3986::REVISION.id, id == whatwg::NEWEST.id);
        let rows = self.results.iter().map(|(id, results)| NearestRow { name: id, alike: alike(results), urls });
        rows.max_by_key(|row| (row.alike, rank(row.name)))
    }

    /// Returns the recorded versions of `engine`, newest first.
    ///
    /// # Errors
    ///
    /// Returns a sentence if a recording is not valid.
    fn recorded<'a>(&self, engine: &'a EngineFolder) -> Result<Vec<RecordedVersion<'a>>, String> {
        let mut recorded = Vec::new();
        for version in &engine.description.versions {
            let recording = engine.recording(&version.version).map_err(|error| error.to_string())?;
            let Some(recording) = recording else { continue };
            let outcomes = self.outcomes(&recording, engine)?;
            let specified = (0..outcomes.len()).filter(|&number| recording.is_specified(number)).count();
            recorded.push(RecordedVersion { version, head: recording.head, outcomes, specified });
        }
        Ok(recorded)
    }

    /// Returns the outcomes of `recording`. The specifications are not asked again for the pairs of the common panel.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the recording contains a line that is not an outcome.
    fn outcomes(&self, recording: &Recording, engine: &EngineFolder) -> Result<Vec<Outcome>, String> {
        let pairs = engine.panel.pairs();
        let known = if engine.has_own_panel() { &[] } else { &self.results[..] };
        let results: HashMap<&str, &Vec<Outcome>> = known.iter().map(|(id, results)| (*id, results)).collect();
        let outcome = |number: usize| {
            let same = recording.specification(number).and_then(|id| Some(results.get(id)?[number].clone()));
            same.map_or_else(|| recording.outcome(number, pairs[number]), Ok)
        };
        (0..pairs.len()).map(outcome).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }
}

impl EngineRow {
    fn of(engine: &EngineFolder, recorded: &[RecordedVersion<'_>], world: &World) -> Self {
        let (description, panel) = (&engine.description, &engine.panel);
        let versions = description.versions.iter().map(|version| {
            let at = recorded.iter().position(|own| own.version == version);
            let own = at.map(|at| &recorded[at]);
            let older = at.and_then(|at| recorded.get(at + 1));
            let urls =
                |own: &RecordedVersion<'_>| own.outcomes.iter().filter(|outcome| outcome.url().is_some()).count();
            VersionRow {
                version: version.version.clone(),
                install: version.install.to_string(),
                urls: own.map(urls),
                specified: own.map_or(0, |own| own.specified),
                changed: own.zip(older).map(|(newer, older)| changed(panel, older, newer)),
            }
        });
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
            published: engine.has_own_panel().then(|| panel.pairs().len()),
            profile: recorded.first().and_then(|newest| ProfileRow::of(engine, newest.version, world)),
            behaviour: None,
            specification: None,
            head: None,
            relative: None,
        }
    }
}

impl ProfileRow {
    /// Returns the profile of `version`; `None` if it does not have one.
    fn of(engine: &EngineFolder, version: &EngineVersion, world: &World) -> Option<Self> {
        if let Install::InProcess(name) = &version.install {
            let nearest = world.known.of(name)?.nearest.clone();
            let behaviour = Behaviour::of_crate(name.strip_prefix("crate:")?)?;
            return Some(Self { nearest, rates: Vec::new(), rules: answers(&behaviour, &BTreeMap::new()) });
        }
        let recorded = world.recorded_behaviour(&engine.key(version))?;
        Some(Self {
            rates: rates(&recorded),
            rules: answers(&*recorded.behaviour().ok()?, &recorded.undetermined),
            nearest: recorded.nearest.clone(),
        })
    }
}

/// Returns the rates of a behaviour: by kind of pairs, for results, for failures, and by class of base.
fn rates(behaviour: &RecordedBehaviour) -> Vec<RateRow> {
    let row = |share: &Share| RateRow { pairs: share.pairs.clone(), asked: share.asked, predicted: share.predicted };
    let mut rates: Vec<_> = behaviour.rates.iter().map(row).collect();
    let kinds = ["results".to_owned(), "failures".to_owned()].into_iter();
    for kind in kinds.chain(BaseClass::ALL.map(|base| base.to_string())) {
        let share = behaviour.bases.iter().find(|share| share.pairs == kind);
        let none = RateRow { pairs: kind, asked: 0, predicted: 0 };
        rates.push(share.map_or(none, row));
    }
    rates
}

/// Returns the value of the setting with the name of each rule, for `http` bases with a host; `None` if no question tells it
/// from RFC 3986's. A setting that decides only about absolute references has its value for these.
fn answers(behaviour: &Behaviour, undetermined: &BTreeMap<String, Vec<String>>) -> Vec<Option<&'static str>> {
    let rows = &behaviour.classes[behaviour.class_of("http")].rows;
    let value = |rule: &Rule| {
        let setting = ROW.iter().find(|setting| setting.name == rule.name)?;
        let standard = rule.setting(&rfc3986::RULES).name;
        let [own, of_absolute] = [Form::Authority, Form::Absolute].map(|form| setting.value(&rows[form as usize]).name);
        match undetermined.get(rule.name) {
            None => Some(own),
            Some(others) if others.len() + 1 == setting.values.len() => Some(of_absolute).filter(|it| *it != standard),
            Some(others) => Some(own).filter(|own| *own != standard && !others.iter().any(|other| other == standard)),
        }
    };
    rules::ALL.iter().map(value).collect()
}

fn changed(panel: &Panel, older: &RecordedVersion<'_>, newer: &RecordedVersion<'_>) -> ChangedRow {
    let (since, older, newer) = (older.version.version.clone(), &older.outcomes, &newer.outcomes);
    let pairs = panel.pairs();
    let differing: Vec<usize> = (0..pairs.len()).filter(|&it| !is_same(&older[it], &newer[it])).collect();
    let smallest = differing.iter().min_by_key(|&&it| Rank::of(pairs[it].0, pairs[it].1));
    let witness =
        smallest.map(|&it| (pairs[it].0.to_owned(), pairs[it].1.to_owned(), older[it].clone(), newer[it].clone()));
    ChangedRow { since, pairs: differing.len(), witness }
}
