//! The recorded engines: their versions, what changed between these, and their relatives.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use urlstrata::revision::{Revision, rfc3986};

use super::answers::Answers;
use super::cache::Cache;
use super::family::{Family, Member};
use super::grid_picture;
use super::head::{By, Newest};
use super::missed::Missed;
use super::rows::{ChangedRow, EngineRow, LanguageRow, ProfileRow, RateRow, VersionRow};
use super::rule_table::RuleTable;
use super::threads::{ThreadRow, threads};
use super::{Progress, Request};
use urlstrata_harness::behaviour::{Description, Predictions};
use urlstrata_harness::engine::description::{EngineVersion, Install};
use urlstrata_harness::engine::folder::EngineFolder;
use urlstrata_harness::engine::panel::Panel;
use urlstrata_harness::engine::recording::{self, is_same};
use urlstrata_harness::engine::{Engine, StoredFile};
use urlstrata_harness::knowledge::behaviours::RecordedBehaviour;
use urlstrata_harness::knowledge::measure::{DOCUMENTATION, Share, decided};
use urlstrata_harness::knowledge::notable::Notable;
use urlstrata_harness::knowledge::specification::{Specification, resolving};
use urlstrata_harness::knowledge::step_table::shown;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs::bases::{BaseClass, Rank};
use urlstrata_harness::protocol::Op;
use urlstrata_harness::survey::examples::Examples;
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

/// A behaviour in words.
#[derive(Serialize)]
struct BehaviourRow {
    questions: usize,
    /// The specification from which the description states the differences: the one with which the page compares the engine, or RFC 3986 if
    /// that has no rules.
    from: String,
    description: Description,
    /// The held-out pairs that are not predicted.
    missed: Missed,
}

/// What takes long to compute for the newest recorded version of an engine.
#[derive(Default, Deserialize, Serialize)]
struct Described {
    examples: Option<Value>,
    head: Option<Value>,
    behaviour: Option<Value>,
}

impl Described {
    fn of(
        engine: &EngineFolder,
        newest: &RecordedVersion<'_>,
        (world, suite): (&World, &Suite),
        cache: &Cache,
    ) -> Result<Self, String> {
        let text = |error: FileError| error.to_string();
        let version = &newest.version.version;
        let file = engine.behaviours.get(&engine.recorded_as(version).map_err(text)?);
        let file = file.map(StoredFile::text).transpose().map_err(text)?;
        let inputs = (&engine.description, version, &newest.head, file);
        cache.result(&engine.key(newest.version), &inputs, || {
            let recorded = world.recorded(engine, newest.version).map_err(text)?;
            let Some(recorded) = recorded else { return Ok(Self::default()) };
            let model = world.model_of(&recorded);
            let Some(nearest) = world.nearest(&recorded) else { return Ok(Self::default()) };
            let json = |of: serde_json::Result<Value>| of.map_err(|error| error.to_string());
            let predictions = match (&model.steps, &model.behaviour) {
                // The page shows the steps instead.
                (None, Some(own)) => Some(Predictions::of(own, engine.panel.pairs().into_iter().collect())),
                _ => None,
            };
            let fitted = world.recorded_behaviour(&engine.key(newest.version));
            let behaviour = predictions.as_ref().zip(fitted).map(|(predictions, fitted)| {
                let compared = Notable::of(engine).map_err(text)?.map_or(nearest, |notable| notable.specification);
                let revision = compared.revision;
                let (from, rules) = match revision.rules {
                    Some(rules) => (revision.specification, rules),
                    None => (rfc3986::REVISION.specification, &rfc3986::RULES),
                };
                let decided = decided(predictions, &newest.outcomes, rules);
                let description = predictions.behaviour().description(&decided, rules);
                let missed = Missed::of(engine, predictions, &newest.outcomes)?;
                let (questions, from) = (fitted.questions, from.to_owned());
                json(serde_json::to_value(BehaviourRow { questions, from, description, missed }))
            });
            let by = match (&model.steps, &predictions) {
                (Some(steps), _) => By::Steps(steps),
                (None, Some(predictions)) => By::Behaviour(predictions),
                (None, None) => return Ok(Self::default()),
            };
            let outcomes = &newest.outcomes[..];
            let specified = &|of: &Specification| outcomes_of(of, engine);
            let head = Newest { engine, version, by, outcomes, nearest, specified }.head()?;
            let examples = Examples::of(suite, &recorded as &dyn Engine, &model);
            Ok(Self {
                examples: Some(json(serde_json::to_value(examples))?),
                head: Some(json(serde_json::to_value(head))?),
                behaviour: behaviour.transpose()?,
            })
        })
    }
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
        let specification = |revision: &'static Revision| Member {
            name: revision.id.to_owned(),
            language: String::new(),
            outcomes: panel.outcomes_of(revision).iter().cloned().map(Some).collect(),
        };
        let resolving: Vec<_> = resolving().collect();
        let mut members: Vec<Member> = resolving.into_par_iter().map(specification).collect();
        let decoded: Vec<_> = folders.engines.iter().map(recorded).collect::<Result<_, String>>()?;
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
        let answers = Answers::new(&panel.pairs());
        let of = |(engine, versions): (&EngineFolder, &Vec<RecordedVersion<'_>>)| -> Result<EngineRow, String> {
            let index = newest.get(&engine.name).copied();
            let newest = versions.first();
            let described = newest.map(|newest| Described::of(engine, newest, (world, suite), &request.cache));
            (request.progress)(Progress::Done);
            let Described { examples, head, behaviour } = described.transpose()?.unwrap_or_default();
            let profile = newest.map(|newest| ProfileRow::of(engine, newest, world, &answers));
            Ok(EngineRow {
                profile: profile.transpose()?.flatten(),
                examples,
                head,
                behaviour,
                relative: index.and_then(|index| family.nearest(index, |other| other >= revisions)),
                ..EngineRow::of(engine, versions)
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

/// Returns the outcomes of `specification`, in the order of the panel of `engine`.
fn outcomes_of<'a>(specification: &Specification, engine: &'a EngineFolder) -> Cow<'a, [Outcome]> {
    let known = resolving().find(|it| it.id == specification.id).map(|revision| engine.panel.outcomes_of(revision));
    let resolve = |(base, reference): (&str, &str)| specification.resolve(base, reference);
    known.map_or_else(|| engine.panel.pairs().into_iter().map(resolve).collect(), Cow::Borrowed)
}

/// Returns the recorded versions of `engine`, newest first.
///
/// # Errors
///
/// Returns a sentence if a recording is not valid.
fn recorded(engine: &EngineFolder) -> Result<Vec<RecordedVersion<'_>>, String> {
    let mut recorded = Vec::new();
    for version in &engine.description.versions {
        let recording = engine.recording(&version.version).map_err(|error| error.to_string())?;
        let Some(recording) = recording else { continue };
        let outcomes = recording.outcomes(&engine.panel).map_err(|error| error.to_string())?;
        let specified = (0..outcomes.len()).filter(|&number| recording.is_specified(number)).count();
        recorded.push(RecordedVersion { version, head: recording.head, outcomes, specified });
    }
    Ok(recorded)
}

impl EngineRow {
    fn of(engine: &EngineFolder, recorded: &[RecordedVersion<'_>]) -> Self {
        let (description, panel) = (&engine.description, &engine.panel);
        let answered = |op: Op, version: &EngineVersion| {
            let file = engine.statements(op, &version.version)?;
            file.read(engine.panels.of(op)).map(|read| read.split()).ok()
        };
        let versions = description.versions.iter().map(|version| {
            let at = recorded.iter().position(|own| own.version == version);
            let own = at.map(|at| &recorded[at]);
            let older = at.and_then(|at| recorded.get(at + 1));
            let urls =
                |own: &RecordedVersion<'_>| own.outcomes.iter().filter(|outcome| outcome.url().is_some()).count();
            VersionRow {
                version: version.version.clone(),
                install: version.install.to_string(),
                recorded_on: engine.recorded_on(version),
                urls: own.map(urls),
                split: answered(Op::Parse, version),
                connected: answered(Op::Connect, version),
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
            states: description.states.clone(),
            connects: description.connects.clone(),
            follows: description.follows.clone(),
            note: description.note.clone(),
            deviates: description.deviates.clone(),
            versions: versions.collect(),
            published: engine.has_own_panel().then(|| panel.pairs().len()),
            profile: None,
            behaviour: None,
            examples: None,
            head: None,
            steps: urlstrata_engines::table(&engine.name).map(|table| shown(table, None)),
            relative: None,
        }
    }
}

impl ProfileRow {
    /// Returns the profile of the newest recorded version; `None` if nothing predicts it.
    ///
    /// # Errors
    ///
    /// Returns a sentence if its recording is not valid.
    fn of(
        engine: &EngineFolder,
        newest: &RecordedVersion<'_>,
        world: &World,
        answers: &Answers<'_>,
    ) -> Result<Option<Self>, String> {
        let key = engine.key(newest.version);
        let recorded = world.recorded(engine, newest.version).map_err(|error| error.to_string())?;
        let nearest = recorded.and_then(|recorded| world.nearest(&recorded));
        let Some(nearest) = nearest else { return Ok(None) };
        let behaviour = world.recorded_behaviour(&key);
        let (rates, classes) = behaviour.map_or_else(Default::default, |own| {
            let classes = class_rates(world, &key, &own);
            (rates(&own), classes)
        });
        Ok(Some(Self { rates, classes, rules: answers.of(&newest.outcomes), nearest: nearest.id.to_owned() }))
    }
}

/// Returns the rates of a behaviour: for links of documentation, and by class of base for other pairs.
fn rates(behaviour: &RecordedBehaviour) -> Vec<RateRow> {
    let links = behaviour.rates.iter().filter(|share| share.pairs == DOCUMENTATION);
    let row = |share: &Share| RateRow { pairs: share.pairs.clone(), asked: share.asked, predicted: share.predicted };
    let mut rates: Vec<_> = links.map(row).collect();
    for class in BaseClass::ALL.map(|base| base.to_string()) {
        let share = behaviour.bases.iter().find(|share| share.pairs == class);
        let none = RateRow { pairs: class, asked: 0, predicted: 0 };
        rates.push(share.map_or(none, row));
    }
    rates
}

/// Returns the rates of the behaviour of a version: for links of documentation, and for the held-out pairs of the panel by class of
/// base.
fn class_rates(world: &World, key: &str, behaviour: &RecordedBehaviour) -> Vec<RateRow> {
    let links = behaviour.rates.iter().filter(|share| share.pairs == DOCUMENTATION);
    let links = links.map(|it| RateRow { pairs: it.pairs.clone(), asked: it.asked, predicted: it.predicted });
    let classes = world.class_rates(key).into_iter();
    let classes = classes.map(|it| RateRow { pairs: it.class, asked: it.asked, predicted: it.predicted });
    links.chain(classes).collect()
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
