//! The behaviours of recorded engines, with their measured accuracy.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hasher;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use fnv::FnvHasher;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use urlstrata::revision::rfc3986;

use crate::behaviour::{Behaviour, Consulted, Decided, DecidedBy, Form, ROW, Row, StatedBehaviour, Watched};
use crate::engine::folder::{BEHAVIOUR, EngineFolder};
use crate::engine::recording::Panel;
use crate::engine::{Engine, ask, ask_all};
use crate::escape::visible;
use crate::fit::{self, Asker, Pair, Unrepeatable};
use crate::knowledge::known::deviation;
use crate::knowledge::shrink;
use crate::knowledge::specification::Specification;
use crate::outcome::Outcome;
use crate::pairs::bases::BaseClass;
use crate::pairs::documentation;
use crate::pairs::generate::{BASES, Long, RandomPairs};
use crate::vector::yaml_below;
use crate::yaml::{FileError, YamlFile, canonical};

/// The behaviour of a version of an engine, with its measured accuracy.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedBehaviour {
    /// The name of the engine.
    pub engine: String,
    /// The version.
    pub version: String,
    /// The id of the specification from whose behaviour the behaviour differs least.
    pub nearest: String,
    /// The number of different pairs that the fit asked.
    pub questions: usize,
    /// The number of these for which the engine crashed or did not answer. They count as failures.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unanswered: usize,
    /// The pairs for which the engine answered otherwise when it was asked again, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrepeatable: Option<Unrepeatable>,
    /// The accuracy by kind of pairs, on pairs that the fit did not use.
    pub rates: Vec<Share>,
    /// The accuracy by class of base and by outcome, on the same pairs without links.
    pub bases: Vec<Share>,
    /// For `http` bases with a host, the settings with other values that no question tells apart.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub undetermined: BTreeMap<String, Vec<String>>,
    /// The behaviour.
    pub behaviour: StatedBehaviour,
    /// The behaviour, after it was needed first.
    #[serde(skip)]
    pub(crate) read: OnceLock<Arc<Behaviour>>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// How many pairs of one kind a behaviour predicts.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The kind of pairs.
    pub pairs: String,
    /// The number of pairs.
    pub asked: u64,
    /// The number of pairs that the behaviour predicts.
    pub predicted: u64,
}

impl Share {
    fn add(shares: &mut Vec<Self>, pairs: &str, predicted: bool) {
        let at = shares.iter().position(|share| share.pairs == pairs).unwrap_or_else(|| {
            shares.push(Self { pairs: pairs.to_owned(), asked: 0, predicted: 0 });
            shares.len() - 1
        });
        shares[at].asked += 1;
        shares[at].predicted += u64::from(predicted);
    }

    /// Returns the share of predicted pairs in percent, rounded down to two decimals; 100 if there are no pairs.
    pub fn percent(&self) -> f64 {
        if self.asked == 0 { 100.0 } else { (self.predicted as f64 * 10_000.0 / self.asked as f64).floor() / 100.0 }
    }
}

/// The name of the pairs of the panel that a fit does not use.
pub const HELD_OUT: &str = "held-out pairs of the panel";

/// The name of the links of documentation in [`Measured::rates`].
const DOCUMENTATION: &str = "links of documentation";

/// The number of random pairs on which recorded behaviours are measured.
pub const RANDOM: usize = 20_000;

/// Seeds that no other survey uses.
const SEEDS: [u64; 2] = [11, 12];

/// A behaviour that was fitted to an engine.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The behaviour.
    pub behaviour: Behaviour,
    /// The specification from whose behaviour the behaviour differs least.
    pub nearest: Specification,
    /// The settings with other values that no question tells apart; see [`fit::undetermined`].
    pub undetermined: BTreeMap<String, Vec<String>>,
    /// The number of different pairs that the fit asked.
    pub questions: usize,
    /// The number of these for which the engine crashed or did not answer.
    pub unanswered: usize,
    /// The pairs for which the engine answered otherwise when it was asked again, if any.
    pub unrepeatable: Option<Unrepeatable>,
}

impl Fitted {
    /// Fits a behaviour to `engine`. `again` answers like `engine`, best in a fresh process. Of the pairs of `panel`, those
    /// in the second half are not used for the fit. The search for settings starts from the behaviours in `library`, too.
    ///
    /// # Errors
    ///
    /// Returns why no behaviour describes the engine, with the evidence: see [`fit::repeated`].
    pub fn of(engine: &dyn Engine, again: &dyn Engine, panel: &Panel, library: &[Behaviour]) -> Result<Self, String> {
        let unanswered = Cell::new(0);
        let ask = |pairs: &[Pair]| -> Vec<Option<String>> {
            let outcomes = outcomes(engine, pairs);
            let is_answer = |outcome: &&Outcome| matches!(outcome, Outcome::Url(_) | Outcome::Failure(_));
            unanswered.set(unanswered.get() + outcomes.len() - outcomes.iter().filter(is_answer).count());
            outcomes.iter().map(|outcome| outcome.url().map(str::to_owned)).collect()
        };
        let training: Vec<Pair> = halves(panel)[0].clone();
        let mut asker = Asker::new(ask);
        let behaviour = fit::fit(&mut asker, &training, library);
        let unrepeatable = fit::repeated(&asker, |pairs| answers(again, pairs))
            .map_err(|why| format!("no behaviour describes {}: {why}", visible(engine.name())))?;
        let undetermined = fit::undetermined(&behaviour, &asker, "http").into_iter();
        let names = |values: Vec<&'static str>| values.into_iter().map(str::to_owned).collect();
        Ok(Self {
            undetermined: undetermined.map(|(setting, values)| (setting.to_owned(), names(values))).collect(),
            nearest: Specification::nearest(&behaviour, panel.pairs().into_iter()),
            questions: asker.asked(),
            unanswered: unanswered.get(),
            unrepeatable,
            behaviour,
        })
    }
}

impl TryFrom<&RecordedBehaviour> for Fitted {
    type Error = String;

    /// Returns the recorded behaviour as it was fitted.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the file contains an unknown setting, value, action or specification.
    fn try_from(recorded: &RecordedBehaviour) -> Result<Self, String> {
        let unknown = || format!("no specification is called {:?}", recorded.nearest);
        Ok(Self {
            behaviour: Behaviour::clone(&*recorded.behaviour()?),
            nearest: Specification::by_id(&recorded.nearest).ok_or_else(unknown)?,
            undetermined: recorded.undetermined.clone(),
            questions: recorded.questions,
            unanswered: recorded.unanswered,
            unrepeatable: recorded.unrepeatable.clone(),
        })
    }
}

/// The minimum accuracy of a reliable behaviour, in percent. With a less accurate one, many divergences have no cause.
pub const RELIABLE: f64 = 99.0;

/// Returns whether a pair is a held-out pair. The result depends only on a hash (FNV-1a) of both strings, so it never
/// changes.
pub fn in_second_half(base: &str, reference: &str) -> bool {
    let mut hash = FnvHasher::default();
    hash.write(base.as_bytes());
    hash.write(&[0]);
    hash.write(reference.as_bytes());
    (hash.finish() >> 32) & 1 == 1
}

/// Returns the pairs of `panel`: those that a fit uses, and the held-out ones.
fn halves(panel: &Panel) -> [Vec<Pair>; 2] {
    let (held_out, training) =
        owned(panel.pairs()).into_iter().partition(|(base, reference)| in_second_half(base, reference));
    [training, held_out]
}

impl RecordedBehaviour {
    /// Returns the key of the version: `NAME@VERSION`.
    pub fn key(&self) -> String {
        format!("{}@{}", self.engine, self.version)
    }

    /// Creates the file of a behaviour that was fitted to `version` of the engine called `name`.
    pub fn new(name: &str, version: &str, fitted: &Fitted, measured: &Measured) -> Self {
        Self {
            engine: name.to_owned(),
            version: version.to_owned(),
            nearest: fitted.nearest.id.to_owned(),
            questions: fitted.questions,
            unanswered: fitted.unanswered,
            unrepeatable: fitted.unrepeatable.clone(),
            rates: measured.rates.clone(),
            bases: measured.bases.clone(),
            undetermined: fitted.undetermined.clone(),
            behaviour: (&fitted.behaviour).into(),
            read: OnceLock::new(),
        }
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is not valid.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Self::of(&YamlFile::open(path)?)
    }

    fn of(file: &YamlFile) -> Result<Self, FileError> {
        let read: Self = file.read()?;
        read.behaviour().map_err(|sentence| file.error(&["behaviour".into()], sentence))?;
        match Specification::by_id(&read.nearest) {
            Some(_) => Ok(read),
            None => Err(file.error(&["nearest".into()], format!("no specification is called {:?}", read.nearest))),
        }
    }

    /// Returns the behaviour of `version` in the folder of `engine`; `None` if the folder does not contain one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not valid.
    pub fn read(engine: &EngineFolder, version: &str) -> Result<Option<Self>, FileError> {
        let Some(file) = engine.behaviours.get(&engine.recorded_as(version)?) else { return Ok(None) };
        let text = file.text()?;
        if !file.is_embedded() {
            return Self::of(&YamlFile::parse(file.path(), text.as_bytes())?).map(Some);
        }
        // The build script has converted it to JSON, so a sentence names the key instead of the line.
        let rejected = |sentence: String| FileError::new(file.path(), None, sentence);
        let mut json = serde_json::Deserializer::from_str(&text);
        let read: Self = serde_path_to_error::deserialize(&mut json).map_err(|error| rejected(error.to_string()))?;
        read.behaviour().map_err(|sentence| rejected(format!("behaviour: {sentence}")))?;
        match Specification::by_id(&read.nearest) {
            Some(_) => Ok(Some(read)),
            None => Err(rejected(format!("nearest: no specification is called {:?}", read.nearest))),
        }
    }

    /// Returns the file in its canonical form.
    pub fn canonical(&self) -> String {
        canonical(self)
    }

    /// Returns the behaviour.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the file contains an unknown setting, value or action.
    pub fn behaviour(&self) -> Result<Arc<Behaviour>, String> {
        if let Some(read) = self.read.get() {
            return Ok(read.clone());
        }
        let read = Arc::new((&self.behaviour).try_into()?);
        Ok(self.read.get_or_init(|| read).clone())
    }

    /// Returns the accuracy on the held-out pairs.
    pub fn held_out(&self) -> Option<&Share> {
        self.rates.iter().find(|rate| rate.pairs == HELD_OUT)
    }
}

/// Reads the behaviours in `folder` and the folders in it; none if it is not a folder.
///
/// # Errors
///
/// Returns an error if a file cannot be read or is not valid.
pub fn read_below(folder: &Path) -> Result<Vec<RecordedBehaviour>, FileError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let files = yaml_below(folder, true)?.into_iter().filter(|path| is_behaviour(path));
    files.map(|path| RecordedBehaviour::open(&path)).collect()
}

/// Returns whether `path` is the name of a file with a behaviour.
pub fn is_behaviour(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(BEHAVIOUR))
}

/// Returns what a behaviour predicts, as an outcome.
pub fn outcome(behaviour: &Behaviour, base: &str, reference: &str) -> Outcome {
    match behaviour.predict(base, reference) {
        Some(url) => Outcome::Url(url),
        None => Outcome::Failure("predicted from the engine's behaviour".to_owned()),
    }
}

/// Returns the pairs on which a behaviour is measured, by kind: the held-out pairs of `panel`, `random` random pairs, and
/// one long reference for every 100 of them with the usual bases, and the links of documentation that a fit does not use.
pub fn kinds(panel: &Panel, random: usize) -> Vec<(&'static str, Vec<Pair>)> {
    let [training, held_out] = halves(panel);
    let mut pairs = RandomPairs::new(SEEDS[0]);
    let random_pairs: Vec<Pair> = (0..random).map(|_| pairs.pair()).collect();
    let mut long = Long::new(SEEDS[1]);
    let long_pairs = (0..random.div_ceil(100)).flat_map(|_| {
        let reference = long.reference();
        BASES.map(|base| (base.to_owned(), reference.clone()))
    });
    vec![
        (HELD_OUT, held_out),
        ("random pairs", random_pairs),
        ("references of 6 to 24 characters", long_pairs.collect()),
        (DOCUMENTATION, links_without(&training)),
    ]
}

/// Returns the links of documentation that are not among `training`.
fn links_without(training: &[Pair]) -> Vec<Pair> {
    let training: HashSet<&Pair> = training.iter().collect();
    owned(documentation().collect()).into_iter().filter(|pair| !training.contains(pair)).collect()
}

/// A right prediction: base, reference, and the engine's outcome.
type Met<'a> = (&'a str, &'a str, &'a Outcome);

/// Returns the settings of `behaviour` that decide about at least one of `pairs` with the outcomes `outcomes`: the class,
/// the form, and the position in [`ROW`] of each setting that differs from RFC 3986, if RFC 3986's value would change a
/// right prediction; with the smallest pair that is predicted rightly only with the setting.
pub fn decided(behaviour: &Behaviour, pairs: &[(&str, &str)], outcomes: &[Outcome]) -> Decided {
    let mut deciding: BTreeMap<(usize, Form), Vec<Met<'_>>> = BTreeMap::new();
    let mut smallest_first: Vec<Met<'_>> =
        pairs.iter().zip(outcomes).map(|((base, reference), outcome)| (*base, *reference, outcome)).collect();
    smallest_first.sort_by_key(|(base, reference, _)| (base.len() + reference.len(), *reference, *base));
    for (base, reference, outcome) in smallest_first {
        if behaviour.predict(base, reference).as_deref() == outcome.url() {
            let rows = BTreeSet::from([behaviour.row_of(base, reference), behaviour.base_row_of(base)]);
            rows.into_iter().for_each(|row| deciding.entry(row).or_default().push((base, reference, outcome)));
        }
    }
    deciding.par_iter().flat_map_iter(|(row, met)| decided_in(behaviour, *row, met)).collect()
}

/// Returns the settings of one row that decide about at least one of `met`, with the first pair that shows it.
fn decided_in(
    behaviour: &Behaviour,
    (class, form): (usize, Form),
    met: &[Met<'_>],
) -> Vec<((usize, Form, usize), DecidedBy)> {
    let plain = Row::of(&rfc3986::RULES);
    let own = behaviour.classes[class].rows[form as usize];
    let mut tried = behaviour.clone();
    tried.classes[class].rows[form as usize].watched = Watched(true, 0);
    let consulted = met.iter().map(|(base, reference, _)| Consulted::during(|| tried.predict(base, reference)).1);
    let consulted: Vec<_> = consulted.collect();
    let mut decided_by = |number: usize| {
        let setting = &ROW[number];
        if setting.index(&own) == setting.index(&plain) {
            return None;
        }
        let row = &mut tried.classes[class].rows[form as usize];
        *row = own;
        setting.assign(row, setting.index(&plain));
        let consulting = met.iter().zip(&consulted).filter(|(_, consulted)| consulted.contains(number));
        consulting.map(|(met, _)| met).find_map(|(base, reference, returned)| {
            let otherwise = tried.predict(base, reference);
            (otherwise.as_deref() != returned.url()).then(|| DecidedBy {
                base: (*base).to_owned(),
                reference: (*reference).to_owned(),
                result: returned.url().map(str::to_owned),
                otherwise,
            })
        })
    };
    (0..ROW.len()).filter_map(|number| Some(((class, form, number), decided_by(number)?))).collect()
}

fn owned(pairs: Vec<(&str, &str)>) -> Vec<Pair> {
    pairs.into_iter().map(|(base, reference)| (base.to_owned(), reference.to_owned())).collect()
}

/// Returns the outcome of `engine` for each of `pairs`.
fn outcomes(engine: &dyn Engine, pairs: &[Pair]) -> Vec<Outcome> {
    let borrowed: Vec<_> = pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect();
    ask_all(engine, &borrowed)
}

/// Returns the URL that `engine` returns for each of `pairs`.
fn answers(engine: &dyn Engine, pairs: &[Pair]) -> Vec<Option<String>> {
    outcomes(engine, pairs).iter().map(|outcome| outcome.url().map(str::to_owned)).collect()
}

/// The accuracy of a behaviour.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The accuracy by kind of pairs.
    pub rates: Vec<Share>,
    /// The accuracy by class of base, and for results and failures, without links.
    pub bases: Vec<Share>,
    /// The pairs that the behaviour does not predict.
    pub missed: Vec<Pair>,
}

impl Measured {
    /// Measures how well `behaviour` predicts `engine` on pairs of several kinds.
    pub fn of(behaviour: &Behaviour, engine: &dyn Engine, kinds: &[(&str, Vec<Pair>)]) -> Self {
        let mut measured = Self::default();
        for (name, pairs) in kinds {
            let answers = answers(engine, pairs);
            let asked = pairs.par_iter().zip(&answers);
            let predicted: Vec<bool> =
                asked.map(|((base, reference), answer)| behaviour.predict(base, reference) == *answer).collect();
            for ((pair, answer), predicted) in pairs.iter().zip(&answers).zip(predicted) {
                Share::add(&mut measured.rates, name, predicted);
                if !predicted {
                    measured.missed.push(pair.clone());
                }
                // Nearly every link is predicted, so links would hide the other pairs of a class.
                if *name == DOCUMENTATION {
                    continue;
                }
                Share::add(&mut measured.bases, &BaseClass::of(&pair.0).to_string(), predicted);
                Share::add(&mut measured.bases, if answer.is_some() { "results" } else { "failures" }, predicted);
            }
        }
        measured
    }

    /// Returns whether at least [`RELIABLE`] percent of the pairs of each kind are predicted.
    pub fn is_reliable(&self) -> bool {
        self.rates.iter().all(|rate| rate.percent() >= RELIABLE)
    }
}

/// A group of pairs that a behaviour does not predict and that shrink to the same pair.
#[derive(Clone, Debug, Serialize)]
pub struct Miss {
    /// The number of pairs of the sample that shrink to this pair.
    pub count: u64,
    /// The base after shrinking.
    pub base: String,
    /// The reference after shrinking.
    pub reference: String,
    /// The engine's result.
    pub returned: Outcome,
    /// The result that the behaviour predicts.
    pub predicted: Outcome,
}

/// Groups pairs that `behaviour` does not predict by the pair to which they shrink. Returns the most frequent group first.
///
/// If `missed` has more than `most` pairs, uses an evenly spaced sample of at most `most` pairs.
pub fn misses(behaviour: &Behaviour, engine: &dyn Engine, missed: &[Pair], most: usize) -> Vec<Miss> {
    let mut counts: BTreeMap<Pair, u64> = BTreeMap::new();
    for (base, reference) in missed.iter().step_by(missed.len().div_ceil(most.max(1)).max(1)) {
        let class = |base: &str, reference: &str| {
            deviation(&outcome(behaviour, base, reference), base, &ask(engine, base, reference))
        };
        let wanted = class(base, reference);
        // The behaviour may predict the result this time if the engine is not deterministic.
        let shrunk = match &wanted {
            Some(_) => shrink::smallest(base, reference, |base, reference| class(base, reference) == wanted),
            None => (base.clone(), reference.clone()),
        };
        *counts.entry(shrunk).or_default() += 1;
    }
    let miss = |((base, reference), count): (Pair, u64)| Miss {
        count,
        returned: ask(engine, &base, &reference),
        predicted: outcome(behaviour, &base, &reference),
        base,
        reference,
    };
    let mut found: Vec<_> = counts.into_iter().map(miss).collect();
    found.sort_by_key(|miss| std::cmp::Reverse(miss.count));
    found
}
