//! The behaviours of recorded engines, with their measured accuracy.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use urlstrata::revision::rfc3986;

use crate::behaviour::{Behaviour, Form, ROW, Row, StatedBehaviour};
use crate::engine::folder::{BEHAVIOUR, EngineFolder, FOLDERS};
use crate::engine::{Engine, ask_all};
use crate::fit::{self, Asker, Pair};
use crate::model::profile::in_second_half;
use crate::outcome::Outcome;
use crate::pairs::bases::BaseClass;
use crate::pairs::generate::{BASES, Long, RandomPairs};
use crate::yaml::{FileError, YamlFile, canonical};

/// The behaviour of a version of an engine, with its measured accuracy.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedBehaviour {
    /// The name of the engine.
    pub engine: String,
    /// The version.
    pub version: String,
    /// The number of different pairs that the fit asked.
    pub questions: usize,
    /// The number of these for which the engine crashed or did not answer. They count as failures.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unanswered: usize,
    /// The accuracy by kind of pairs, on pairs that the fit did not use.
    pub rates: Vec<Share>,
    /// The accuracy by class of base and by outcome, on the same pairs.
    pub bases: Vec<Share>,
    /// The behaviour.
    pub behaviour: StatedBehaviour,
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
    /// Returns the share of predicted pairs in percent, rounded down to two decimals; 100 if there are no pairs.
    pub fn percent(&self) -> f64 {
        if self.asked == 0 { 100.0 } else { (self.predicted as f64 * 10_000.0 / self.asked as f64).floor() / 100.0 }
    }
}

/// The name of the pairs of the panel that a fit does not use.
pub const HELD_OUT: &str = "held-out pairs of the panel";

/// The number of random pairs on which the accuracy is measured. For every 100 of them, one long reference is combined
/// with the usual bases.
const RANDOM: usize = 20_000;

/// Seeds that no other survey uses.
const SEEDS: [u64; 2] = [11, 12];

impl RecordedBehaviour {
    /// Fits a behaviour to `engine`, which answers for `version` of the engine of `folder`, and measures it. `again`
    /// answers like `engine`, best in a fresh process.
    ///
    /// # Errors
    ///
    /// Returns why no behaviour describes the engine, with the evidence: see [`fit::refusal`].
    pub fn fit(folder: &EngineFolder, version: &str, engine: &dyn Engine, again: &dyn Engine) -> Result<Self, String> {
        let unanswered = Cell::new(0);
        let ask = |pairs: &[Pair]| -> Vec<Option<String>> {
            let outcomes = outcomes(engine, pairs);
            let is_answer = |outcome: &&Outcome| matches!(outcome, Outcome::Url(_) | Outcome::Failure(_));
            unanswered.set(unanswered.get() + outcomes.len() - outcomes.iter().filter(is_answer).count());
            outcomes.iter().map(|outcome| outcome.url().map(str::to_owned)).collect()
        };
        let panel: Vec<Pair> = owned(folder.panel.pairs());
        let (held_out, training): (Vec<Pair>, Vec<Pair>) =
            panel.into_iter().partition(|(base, reference)| in_second_half(base, reference));
        let mut asker = Asker::new(ask);
        let behaviour = fit::fit(&mut asker, &training);
        let questions = asker.asked();
        if let Some(why) = fit::refusal(&asker, |pairs| answers(again, pairs)) {
            return Err(format!("no behaviour describes {}: {why}", folder.name));
        }
        let mut random = RandomPairs::new(SEEDS[0]);
        let random_pairs: Vec<Pair> = (0..RANDOM).map(|_| random.pair()).collect();
        let mut long = Long::new(SEEDS[1]);
        let long_pairs = (0..RANDOM / 100).flat_map(|_| {
            let reference = long.reference();
            BASES.map(|base| (base.to_owned(), reference.clone()))
        });
        let kinds = [
            (HELD_OUT, held_out),
            ("random pairs", random_pairs),
            ("references of 6 to 24 characters", long_pairs.collect()),
        ];
        let mut measured = Measured::default();
        let rates = kinds.map(|(name, pairs)| measured.add(name, &behaviour, engine, &pairs)).into();
        Ok(Self {
            engine: folder.name.clone(),
            version: version.to_owned(),
            questions,
            unanswered: unanswered.get(),
            rates,
            bases: measured.shares,
            behaviour: (&behaviour).into(),
        })
    }

    /// Returns the behaviour of `version` in the folder of `engine`; `None` if the folder does not contain one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not valid.
    pub fn read(engine: &EngineFolder, version: &str) -> Result<Option<Self>, FileError> {
        let version = engine.profile_version(version);
        let Some(text) = engine.behaviours.get(version) else { return Ok(None) };
        let path = Path::new(FOLDERS).join(&engine.name).join(format!("{version}{BEHAVIOUR}"));
        let file = YamlFile::parse(&path, text.as_bytes())?;
        let read: Self = file.read()?;
        read.behaviour().map_err(|sentence| file.error(&["behaviour".into()], sentence))?;
        Ok(Some(read))
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
    pub fn behaviour(&self) -> Result<Behaviour, String> {
        (&self.behaviour).try_into()
    }

    /// Returns the accuracy on the held-out pairs.
    pub fn held_out(&self) -> Option<&Share> {
        self.rates.iter().find(|rate| rate.pairs == HELD_OUT)
    }
}

/// Returns what a behaviour predicts, as an outcome.
pub fn outcome(behaviour: &Behaviour, base: &str, reference: &str) -> Outcome {
    match behaviour.predict(base, reference) {
        Some(url) => Outcome::Url(url),
        None => Outcome::Failure("predicted from the engine's behaviour".to_owned()),
    }
}

/// A right prediction: base, reference, and the engine's outcome.
type Met<'a> = (&'a str, &'a str, &'a Outcome);

/// Returns the settings of `behaviour` that decide about at least one of `pairs` with the outcomes `outcomes`: the class,
/// the form, and the position in [`ROW`] of each setting that differs from RFC 3986, if RFC 3986's value would change a
/// right prediction.
pub fn decided(behaviour: &Behaviour, pairs: &[(&str, &str)], outcomes: &[Outcome]) -> BTreeSet<(usize, Form, usize)> {
    let mut deciding: BTreeMap<(usize, Form), Vec<Met<'_>>> = BTreeMap::new();
    for ((base, reference), outcome) in pairs.iter().zip(outcomes) {
        if behaviour.predict(base, reference).as_deref() == outcome.url() {
            let rows = BTreeSet::from([behaviour.row_of(base, reference), behaviour.base_row_of(base)]);
            rows.into_iter().for_each(|row| deciding.entry(row).or_default().push((base, reference, outcome)));
        }
    }
    deciding.par_iter().flat_map_iter(|(row, met)| decided_in(behaviour, *row, met)).collect()
}

/// Returns the settings of one row that decide about at least one of `met`.
fn decided_in(behaviour: &Behaviour, (class, form): (usize, Form), met: &[Met<'_>]) -> Vec<(usize, Form, usize)> {
    let plain = Row::of(&rfc3986::RULES);
    let own = behaviour.classes[class].rows[form as usize];
    let mut tried = behaviour.clone();
    let mut is_decided = |number: &usize| {
        let setting = &ROW[*number];
        if setting.index(&own) == setting.index(&plain) {
            return false;
        }
        let row = &mut tried.classes[class].rows[form as usize];
        *row = own;
        setting.assign(row, setting.index(&plain));
        met.iter().any(|(base, reference, outcome)| tried.predict(base, reference).as_deref() != outcome.url())
    };
    (0..ROW.len()).filter(|number| is_decided(number)).map(|number| (class, form, number)).collect()
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

/// The accuracy by class of base and by outcome.
#[derive(Default)]
struct Measured {
    shares: Vec<Share>,
}

impl Measured {
    fn add(&mut self, name: &str, behaviour: &Behaviour, engine: &dyn Engine, pairs: &[Pair]) -> Share {
        let answers = answers(engine, pairs);
        let predicted: Vec<bool> = pairs
            .par_iter()
            .zip(&answers)
            .map(|((base, reference), answer)| behaviour.predict(base, reference) == *answer)
            .collect();
        for (((base, _), answer), predicted) in pairs.iter().zip(&answers).zip(&predicted) {
            self.count(BaseClass::of(base).to_string(), *predicted);
            self.count(if answer.is_some() { "results" } else { "failures" }.to_owned(), *predicted);
        }
        let met = predicted.iter().filter(|predicted| **predicted).count();
        Share { pairs: name.to_owned(), asked: pairs.len() as u64, predicted: met as u64 }
    }

    fn count(&mut self, kind: String, predicted: bool) {
        let at = self.shares.iter().position(|share| share.pairs == kind).unwrap_or_else(|| {
            self.shares.push(Share { pairs: kind, asked: 0, predicted: 0 });
            self.shares.len() - 1
        });
        self.shares[at].asked += 1;
        self.shares[at].predicted += u64::from(predicted);
    }
}
