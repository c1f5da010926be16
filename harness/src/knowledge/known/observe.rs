//! Measurement of an engine on the fixed suites and on random pairs, for its file of known deviations.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hasher;

use fnv::FnvHasher;
use rayon::prelude::*;
use urlstrata::revision::whatwg;

use super::{
    Deviation, DeviationKind, Example, Exception, KnownEngine, MOST_RANDOM, OutcomeWithoutUrl, Pair, SHORT_LENGTH,
    Witness, older, probes,
};
use crate::behaviour::Difference;
use crate::engine::panel::Panel;
use crate::engine::{Engine, ask};
use crate::knowledge::attribute::{Attributor, Model};
use crate::knowledge::dated::{self, NotFollowed};
use crate::knowledge::specification::Specification;
use crate::outcome::Outcome;
use crate::pairs::bases::Rank;
use crate::pairs::generate::{self, RandomPairs};
use crate::vector::{Expected, Suite};

/// The seed of the random pairs on which frequencies are measured and checked.
const RANDOM_SEED: u64 = 4;

impl KnownEngine {
    /// Returns the known deviations of `engine` from `nearest`, measured on the suites, on random pairs, and on the probes of a
    /// check, to which `panel` belongs. `model` is what is known of the engine. An entry that `old` also contains keeps its
    /// reason, issue and first version, and its kind unless [`Self::check`] would contradict it.
    pub fn observe(
        engine: &dyn Engine,
        model: &Model,
        nearest: Specification,
        (suite, panel): (&Suite, &Panel),
        old: Option<&Self>,
    ) -> Self {
        let attributor = Attributor::new(nearest, model.without_steps());
        let observed = Observed::of(engine, &attributor, model, suite);
        let random = Random::of(engine, &attributor, model, MOST_RANDOM);
        let missed = Missed {
            suites: observed.missed.clone(),
            probes: probes::missed(engine, model, panel),
            random: random.missed,
        };
        let landed = whatwg::changes_of(nearest.revision);
        let not_followed: Vec<NotFollowed> = match (landed, &model.behaviour) {
            (Some(landed), Some(behaviour)) => dated::not_followed(behaviour, landed),
            _ => Vec::new(),
        };
        let counts = [&observed.vectors, &observed.short, &random.counts];
        let ids: BTreeSet<&String> = counts.into_iter().flat_map(Counts::ids).collect();
        let deviations = ids.into_iter().filter_map(|id| {
            let old = old.and_then(|old| old.deviations.iter().find(|entry| entry.id == *id));
            let seen = observed.smallest(id).or_else(|| random.counts.smallest(id))?;
            let Pair { base, reference } = seen.pair.clone();
            let witness = Witness {
                returned: expected(&ask(engine, &base, &reference)),
                specification: expected(&nearest.resolve(&base, &reference)),
                base,
                reference,
            };
            let changes = not_followed.iter().filter(|it| it.names.contains(id));
            let changes: Vec<String> = changes.map(|it| it.change.commit.to_owned()).collect();
            let (kind, changes) = older::kind(&changes, old, &witness);
            Some(Deviation {
                id: id.clone(),
                kind,
                changes,
                reason: old.map_or_else(|| format!("{}.", seen.sentence), |old| old.reason.clone()),
                since: old.map_or_else(|| engine.version().to_owned(), |old| old.since.clone()),
                issue: old.and_then(|old| old.issue.clone()),
                witness,
                vectors: observed.vectors.of(id),
                short: observed.short.of(id),
                random: random.counts.of(id) * PER / MOST_RANDOM,
            })
        });
        Self {
            engine: engine.name().to_owned(),
            version: engine.version().to_owned(),
            nearest: nearest.id.to_owned(),
            deviations: deviations.collect(),
            exceptions: exceptions(engine, &missed, old),
        }
    }
}

/// Returns the classes of pairs that the behaviour does not predict. A class that `old` also contains keeps its reason,
/// kind, issue and first version.
fn exceptions(engine: &dyn Engine, missed: &Missed, old: Option<&KnownEngine>) -> Vec<Exception> {
    let Missed { suites, probes, random } = missed;
    let ids: BTreeSet<&String> = [suites, probes, random].into_iter().flat_map(|classes| classes.0.keys()).collect();
    let exception = |id: &String| {
        let old = old.and_then(|old| old.exceptions.iter().find(|entry| entry.id == *id));
        let (listed, probes, random) = (suites.0.get(id), probes.0.get(id), random.0.get(id));
        let examples = listed.or(probes).or(random).map_or(&[][..], |class| &class.examples);
        Exception {
            id: id.clone(),
            kind: old.map_or(DeviationKind::Unclear, |old| old.kind),
            reason: old.map_or_else(|| "Not reviewed yet.".to_owned(), |old| old.reason.clone()),
            since: old.map_or_else(|| engine.version().to_owned(), |old| old.since.clone()),
            issue: old.and_then(|old| old.issue.clone()),
            count: listed.map_or(0, |class| class.count),
            digest: listed.cloned().unwrap_or_default().digest(),
            probes: probes.map_or(0, |class| class.count),
            probes_digest: probes.map_or_else(String::new, MissedClass::digest),
            random: random.map_or(0, |class| class.count) * PER / MOST_RANDOM,
            examples: examples.iter().map(|(pair, outcome)| Example::of(pair, outcome)).collect(),
        }
    };
    ids.into_iter().map(exception).collect()
}

impl Example {
    fn of(pair: &Pair, outcome: &Outcome) -> Self {
        Self {
            base: pair.base.clone(),
            reference: pair.reference.clone(),
            url: outcome.url().map(str::to_owned),
            outcome: OutcomeWithoutUrl::of(outcome),
        }
    }

    /// Returns whether `outcome` is the listed outcome.
    pub(super) fn is_met_by(&self, outcome: &Outcome) -> bool {
        self.url.as_deref() == outcome.url() && self.outcome == OutcomeWithoutUrl::of(outcome)
    }
}

/// Returns an engine's outcome in the form of a file.
pub(super) fn expected(outcome: &Outcome) -> Expected {
    match outcome {
        Outcome::Url(url) => Expected::Url { url: url.clone(), same_document: None },
        _ => Expected::Failure,
    }
}

/// The number of random pairs to which the frequencies in files refer.
pub(super) const PER: u64 = 100_000;

/// For each difference, by its name, the number of pairs for which it is part of the cause, and the smallest of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(BTreeMap<String, (u64, Smallest)>);

/// The smallest pair that shows a difference, and what the engine does there.
#[derive(Clone, Debug)]
pub(super) struct Smallest {
    pair: Pair,
    sentence: String,
}

impl Counts {
    pub(super) fn of(&self, id: &str) -> u64 {
        self.0.get(id).map_or(0, |(count, _)| *count)
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    fn smallest(&self, id: &str) -> Option<&Smallest> {
        self.0.get(id).map(|(_, smallest)| smallest)
    }

    fn add(&mut self, differences: &[Difference], base: &str, reference: &str) {
        for difference in differences {
            let new = || Smallest {
                pair: Pair { base: base.to_owned(), reference: reference.to_owned() },
                sentence: difference.to.text.clone(),
            };
            let (count, smallest) = self.0.entry(difference.name.clone()).or_insert_with(|| (0, new()));
            *count += 1;
            if Rank::of(base, reference) < smallest.pair.rank() {
                *smallest = new();
            }
        }
    }
}

impl Pair {
    fn rank(&self) -> Rank<'_> {
        Rank::of(&self.base, &self.reference)
    }
}

/// Pairs that the behaviour does not predict, by class.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes(pub(super) BTreeMap<String, MissedClass>);

/// Pairs that the behaviour does not predict, of each kind.
struct Missed {
    suites: Classes,
    probes: Classes,
    random: Classes,
}

/// Pairs of one class.
#[derive(Clone, Debug, Default)]
pub(super) struct MissedClass {
    pub(super) count: u64,
    /// The wrapping sum of the pairs' hashes, which does not depend on their order.
    sum: u64,
    /// The hashes of the pairs, so that each pair is counted once.
    seen: HashSet<u64>,
    /// The smallest pairs with their outcomes, smallest first.
    pub(super) examples: Vec<(Pair, Outcome)>,
}

/// The maximum number of pairs of a class in a file.
const EXAMPLES: usize = 5;

impl MissedClass {
    pub(super) fn digest(&self) -> String {
        format!("{:016x}", self.sum)
    }

    pub(super) fn add(&mut self, base: &str, reference: &str, did: &Outcome) {
        let kind = OutcomeWithoutUrl::of(did).map_or("", OutcomeWithoutUrl::name);
        let mut hash = FnvHasher::default();
        [base, reference, kind, did.url().unwrap_or_default()].into_iter().for_each(|text| {
            hash.write(text.as_bytes());
            // UTF-8 never contains this byte, so the boundaries between the strings are unambiguous.
            hash.write(&[0xff]);
        });
        if !self.seen.insert(hash.finish()) {
            return;
        }
        self.count += 1;
        self.sum = self.sum.wrapping_add(hash.finish());
        let at = self.examples.partition_point(|(pair, _)| pair.rank() < Rank::of(base, reference));
        if at < EXAMPLES {
            let pair = Pair { base: base.to_owned(), reference: reference.to_owned() };
            self.examples.insert(at, (pair, did.clone()));
            self.examples.truncate(EXAMPLES);
        }
    }
}

/// The results of an engine on random pairs.
#[derive(Default)]
pub(super) struct Random {
    pub(super) counts: Counts,
    pub(super) missed: Classes,
}

impl Random {
    pub(super) fn of(engine: &dyn Engine, attributor: &Attributor, model: &Model, pairs: u64) -> Self {
        let mut random = RandomPairs::new(RANDOM_SEED);
        let pairs: Vec<_> = (0..pairs).map(|_| random.pair()).collect();
        let mut found = Self::default();
        for (pair, seen) in pairs.iter().zip(see_all(engine, attributor, model, &pairs)) {
            seen.count(pair, &mut found.counts, &mut found.missed);
        }
        found
    }
}

/// The results of an engine on the fixed suites, compared with the nearest specification.
#[derive(Default)]
pub(super) struct Observed {
    pub(super) cases: u64,
    pub(super) differing: u64,
    pub(super) vectors: Counts,
    pub(super) short: Counts,
    pub(super) missed: Classes,
}

impl Observed {
    pub(super) fn of(engine: &dyn Engine, attributor: &Attributor, model: &Model, suite: &Suite) -> Self {
        let vectors = suite.resolutions().map(|case| (case.base.to_string(), case.reference.to_string()));
        let vectors: Vec<(String, String)> = vectors.collect();
        let mut short = Vec::new();
        generate::short_pairs(SHORT_LENGTH, |base, reference| short.push((base.to_owned(), reference.to_owned())));
        let mut observed = Self { cases: (vectors.len() + short.len()) as u64, ..Self::default() };
        let Self { differing, missed, vectors: on_vectors, short: on_short, .. } = &mut observed;
        for (pairs, counts) in [(&vectors, on_vectors), (&short, on_short)] {
            for (pair, seen) in pairs.iter().zip(see_all(engine, attributor, model, pairs)) {
                *differing += u64::from(seen.count(pair, counts, missed));
            }
        }
        observed
    }

    /// Returns the smallest pair of the suites that shows the difference `id`.
    fn smallest(&self, id: &str) -> Option<&Smallest> {
        let found = [&self.vectors, &self.short].into_iter().filter_map(|counts| counts.smallest(id));
        found.min_by_key(|smallest| smallest.pair.rank())
    }
}

/// How an engine's result on a pair compares with its specification's.
enum Seen {
    /// The behaviour predicts the result. The differences from the specification explain it; the list is empty if the
    /// results are equal.
    Predicted(Vec<Difference>),
    /// The behaviour does not predict the result: the class of deviations, and the outcome.
    Missed(String, Outcome),
}

/// Calls the engine for each pair, on all cores.
fn see_all(engine: &dyn Engine, attributor: &Attributor, model: &Model, pairs: &[(String, String)]) -> Vec<Seen> {
    let see = |(base, reference): &(String, String)| {
        let did = ask(engine, base, reference);
        match model.deviation(base, reference, &did) {
            Some(class) => Seen::Missed(class, did),
            None => {
                let found = attributor.attribute(base, reference, &did);
                Seen::Predicted(found.map_or(Vec::new(), |found| found.cause.differences().to_vec()))
            }
        }
    };
    pairs.par_iter().map(see).collect()
}

impl Seen {
    /// Counts the differences that are part of the cause, or the pair in its class. Returns whether the results differ.
    fn count(self, (base, reference): &(String, String), counts: &mut Counts, missed: &mut Classes) -> bool {
        match self {
            Self::Predicted(differences) => {
                counts.add(&differences, base, reference);
                !differences.is_empty()
            }
            Self::Missed(class, did) => {
                missed.0.entry(class).or_default().add(base, reference, &did);
                true
            }
        }
    }
}
