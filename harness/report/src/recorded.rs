//! The recorded engines: their versions, what changed between these, and their relatives.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use urlstrata::revision::{Revision, rfc3986};
use urlstrata::rules::{self, Rule};

use super::cache::Cache;
use super::family::{Family, Member};
use super::grid_picture;
use super::head::Newest;
use super::missed::Missed;
use super::rows::{ChangedRow, EngineRow, LanguageRow, ProfileRow, RateRow, VersionRow};
use super::rule_table::RuleTable;
use super::threads::{ThreadRow, threads};
use super::{Progress, Request};
use urlstrata_harness::behaviour::{Behaviour, Description, Form, Predictions, ROW, Row};
use urlstrata_harness::engine::description::{EngineVersion, Install};
use urlstrata_harness::engine::folder::EngineFolder;
use urlstrata_harness::engine::panel::Panel;
use urlstrata_harness::engine::recording::{self, Recording, is_same};
use urlstrata_harness::engine::{Engine, StoredFile};
use urlstrata_harness::knowledge::attribute::Model;
use urlstrata_harness::knowledge::behaviours::RecordedBehaviour;
use urlstrata_harness::knowledge::measure::{DOCUMENTATION, Share, decided};
use urlstrata_harness::knowledge::specification::{Specification, resolving};
use urlstrata_harness::knowledge::step_table::shown;
use urlstrata_harness::knowledge::stepped::Stepped;
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
    /// The answers of the behaviour; see [`answers`].
    rules: Vec<Option<usize>>,
}

impl Described {
    fn of(
        engine: &EngineFolder,
        newest: &RecordedVersion<'_>,
        specified: &Specified,
        (world, suite): (&World, &Suite),
        cache: &Cache,
    ) -> Result<Self, String> {
        let text = |error: FileError| error.to_string();
        let version = &newest.version.version;
        let file = engine.behaviours.get(&engine.recorded_as(version).map_err(text)?);
        let file = file.map(StoredFile::text).transpose().map_err(text)?;
        let inputs = (&engine.description, version, &newest.head, file);
        cache.result(&engine.key(newest.version), &inputs, || {
            let Some(recorded) = world.recorded_behaviour(&engine.key(newest.version)) else {
                return Ok(Self::default());
            };
            let own = recorded.behaviour()?;
            let steps = Stepped::of(&engine.name, version).filter(Stepped::resolves);
            let http = own.class_of("http");
            let pairs = engine.panel.pairs();
            let of_http = |number: &usize| {
                let is_http = |url: &str| url.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("http:"));
                steps.is_none() || is_http(pairs[*number].0) || is_http(pairs[*number].1)
            };
            let numbers: Vec<usize> = (0..pairs.len()).filter(of_http).collect();
            let outcomes: Vec<Outcome> = numbers.iter().map(|number| newest.outcomes[*number].clone()).collect();
            let predictions = Predictions::of(&own, numbers.iter().map(|number| pairs[*number]).collect());
            let is_rule = |number: usize| rules::ALL.iter().any(|rule| setting_of(rule) == Some(number));
            let is_asked = |class: usize, form: Form, number: usize| {
                // The page of an engine with steps has no other settings than the answers to the rules.
                steps.is_none() || (class == http && ANSWERED.contains(&form) && is_rule(number))
            };
            let decided = decided(&predictions, &outcomes, &is_asked);
            // The page shows the steps instead.
            let behaviour = match steps {
                Some(_) => None,
                None => Some(BehaviourRow {
                    questions: recorded.questions,
                    description: own.description(&decided),
                    missed: Missed::of(engine, &predictions, &newest.outcomes)?,
                }),
            };
            let head = Specification::by_id(&recorded.nearest).map(|nearest| {
                let (predictions, outcomes) = (&predictions, &newest.outcomes[..]);
                let specified = &|of: &Specification| specified.outcomes_of(of, engine);
                let steps = steps.as_ref();
                Newest { engine, version, predictions, steps, outcomes, nearest, specified }.head()
            });
            let json = |of: serde_json::Result<Value>| of.map_err(|error| error.to_string());
            let examples = world.recorded(engine, newest.version).map_err(text)?.map(|recorded| {
                let engine: &dyn Engine = &recorded;
                Examples::of(
                    suite,
                    engine,
                    &Model { behaviour: Some(own.clone()), steps: steps.clone(), is_fitted: true, ..Model::default() },
                )
            });
            Ok(Self {
                examples: examples.map(|examples| json(serde_json::to_value(examples))).transpose()?,
                head: head.transpose()?.map(|head| json(serde_json::to_value(head))).transpose()?,
                behaviour: behaviour.map(|behaviour| json(serde_json::to_value(behaviour))).transpose()?,
                rules: answers(&own, &|number, form| decided.contains_key(&(http, form, number))),
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
            let described = versions
                .first()
                .map(|newest| Described::of(engine, newest, &specified, (world, suite), &request.cache));
            (request.progress)(Progress::Done);
            let Described { examples, head, behaviour, rules } = described.transpose()?.unwrap_or_default();
            let newest = versions.first();
            Ok(EngineRow {
                profile: newest.and_then(|newest| ProfileRow::of(engine, newest.version, world, &rules)),
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

    /// Returns the outcomes of `specification`, in the order of the panel of `engine`.
    fn outcomes_of(&self, specification: &Specification, engine: &EngineFolder) -> Cow<'_, [Outcome]> {
        let resolve = |(base, reference): (&str, &str)| specification.resolve(base, reference);
        let known = self.results.iter().find(|(id, _)| *id == specification.id).filter(|_| !engine.has_own_panel());
        match known {
            Some((_, outcomes)) => Cow::Borrowed(outcomes),
            None => Cow::Owned(engine.panel.pairs().into_iter().map(resolve).collect()),
        }
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
    /// Returns the profile of `version`; `None` if it does not have one. `rules` are the [`answers`] of its recorded behaviour.
    fn of(engine: &EngineFolder, version: &EngineVersion, world: &World, rules: &[Option<usize>]) -> Option<Self> {
        if let Install::InProcess(name) = &version.install {
            let nearest = world.known.of(name)?.nearest.clone();
            let behaviour = Behaviour::of_crate(name.strip_prefix("crate:")?)?;
            let (rates, classes) = (Vec::new(), Vec::new());
            return Some(Self { nearest, rates, classes, rules: names(&answers(&behaviour, &|_, _| true)) });
        }
        let key = engine.key(version);
        let recorded = world.recorded_behaviour(&key)?;
        let has_steps = urlstrata_engines::table(&engine.name).is_some();
        let classes = if has_steps { Vec::new() } else { class_rates(world, &key, &recorded) };
        Some(Self { rates: rates(&recorded), classes, rules: names(rules), nearest: recorded.nearest.clone() })
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

/// The forms of references whose settings are the answers of an engine to the rules.
const ANSWERED: [Form; 2] = [Form::Authority, Form::Absolute];

/// Returns, for each rule, the index of the value of the setting with its name, for `http` bases with a host. It is RFC 3986's if
/// the behaviour has that, and otherwise one for which `is_decided` (of the setting's position in [`ROW`], and the form) holds;
/// `None` if it holds for none. A setting that decides only about absolute references has its value for these.
fn answers(behaviour: &Behaviour, is_decided: &dyn Fn(usize, Form) -> bool) -> Vec<Option<usize>> {
    let rows = &behaviour.classes[behaviour.class_of("http")].rows;
    let plain = Row::of(&rfc3986::RULES);
    let answer = |rule: &Rule| {
        let number = setting_of(rule)?;
        let standard = ROW[number].index(&plain);
        let value = |form: Form| ROW[number].index(&rows[form as usize]);
        let mut others = ANSWERED.into_iter().filter(|form| value(*form) != standard);
        match others.clone().next() {
            None => Some(standard),
            Some(_) => others.find(|form| is_decided(number, *form)).map(value),
        }
    };
    rules::ALL.iter().map(answer).collect()
}

/// Returns the position in [`ROW`] of the setting with the name of `rule`.
fn setting_of(rule: &Rule) -> Option<usize> {
    ROW.iter().position(|setting| setting.name == rule.name)
}

/// Returns the names of the values that [`answers`] returned.
fn names(answers: &[Option<usize>]) -> Vec<Option<&'static str>> {
    let name = |(rule, answer): (&Rule, &Option<usize>)| Some(ROW[setting_of(rule)?].values[(*answer)?].name);
    rules::ALL.iter().zip(answers).map(name).collect()
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
