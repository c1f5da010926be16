//! What an engine does on the fixed suites and on random pairs, in the form of its file.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hasher;

use fnv::FnvHasher;
use urlstrata::rules;

use super::{
    Deviation, DeviationKind, Example, Exception, KnownEngine, NoUrl, Pair, SHORT_LENGTH, StatedProfile, Witness,
};
use crate::engine::{Engine, ask};
use crate::model::attribute::{Attributor, Difference};
use crate::model::profile::{Fitted, KnownProfile};
use crate::normalize::Normalization;
use crate::outcome::Outcome;
use crate::pairs::bases::Rank;
use crate::pairs::generate::{self, RandomPairs};
use crate::vector::{Expected, Suite};

/// The seed of the random pairs on which frequencies are measured and checked.
const RANDOM_SEED: u64 = 4;

impl KnownEngine {
    /// What a fit and the suites say of `engine` now; reasons, kinds and issues are `old`'s where an entry is the same.
    pub fn observe(engine: &dyn Engine, fitted: &Fitted, suite: &Suite, old: Option<&Self>) -> Self {
        let column = |index: usize| rules::ALL[index].name.to_owned();
        let undetermined = fitted.undetermined.iter().map(|(column, _)| *column).collect();
        let known = KnownProfile { undetermined, ..KnownProfile::certain(fitted.profile) };
        let attributor = Attributor::new(fitted.nearest, Some(&known));
        let names = |wanted: fn(&Difference) -> Option<Normalization>| {
            attributor
                .differences()
                .iter()
                .filter_map(wanted)
                .map(|normalization| normalization.name().to_owned())
                .collect()
        };
        let answers = attributor.differences().iter().filter_map(|difference| match difference {
            Difference::Setting(change) => Some((change.column().name.to_owned(), change.to().name.to_owned())),
            _ => None,
        });
        let undetermined = fitted.undetermined.iter().map(|(index, answers)| {
            (
                column(*index),
                answers.iter().map(|answer| rules::ALL[*index].settings[*answer].name.to_owned()).collect(),
            )
        });
        let profile = StatedProfile {
            nearest: fitted.nearest.id.to_owned(),
            answers: answers.collect(),
            undetermined: undetermined.collect(),
            makes: names(|it| if let Difference::Applied(normalization) = it { Some(*normalization) } else { None }),
            leaves: names(|it| if let Difference::Omitted(normalization) = it { Some(*normalization) } else { None }),
            unobservable: fitted.unobservable.iter().map(|normalization| normalization.name().to_owned()).collect(),
        };
        let observed = Observed::of(engine, &attributor, suite);
        let elsewhere = Random::of(engine, &attributor, RANDOM_MEASURED);
        let deviations = attributor.differences().iter().map(|difference| {
            let id = difference.name();
            let old = old.and_then(|old| old.deviations.iter().find(|entry| entry.id == id));
            let pair = observed.smallest(&id).cloned().or_else(|| own_witness(&id, engine, &attributor));
            let pair = pair.or_else(|| elsewhere.counts.smallest(&id).cloned());
            let witness = pair.map(|Pair { base, reference }| {
                let said = expected(&ask(engine, &base, &reference));
                let document = expected(&fitted.nearest.says(&base, &reference));
                Witness { base, reference, said, document }
            });
            Deviation {
                kind: old.map_or(DeviationKind::Unclear, |old| old.kind),
                reason: old.map_or_else(|| default_reason(difference), |old| old.reason.clone()),
                since: old.map_or_else(|| engine.version().to_owned(), |old| old.since.clone()),
                issue: old.and_then(|old| old.issue.clone()),
                witness,
                vectors: observed.vectors.of(&id),
                short: observed.short.of(&id),
                elsewhere: elsewhere.counts.of(&id) * PER / RANDOM_MEASURED,
                id,
            }
        });
        let deviations = deviations.collect();
        Self {
            engine: engine.name().to_owned(),
            version: engine.version().to_owned(),
            profile,
            deviations,
            exceptions: exceptions(engine, &observed.missed, &elsewhere.missed, old),
        }
    }
}

/// The classes of pairs that the profile does not predict; reasons, kinds and issues are `old`'s.
fn exceptions(engine: &dyn Engine, suites: &Classes, random: &Classes, old: Option<&KnownEngine>) -> Vec<Exception> {
    let ids: BTreeSet<&String> = suites.0.keys().chain(random.0.keys()).collect();
    let exception = |id: &String| {
        let old = old.and_then(|old| old.exceptions.iter().find(|entry| entry.id == *id));
        let (listed, elsewhere) = (suites.0.get(id), random.0.get(id));
        let examples = listed.or(elsewhere).map_or(&[][..], |class| &class.examples);
        Exception {
            id: id.clone(),
            kind: old.map_or(DeviationKind::Unclear, |old| old.kind),
            reason: old.map_or_else(|| "Not reviewed yet.".to_owned(), |old| old.reason.clone()),
            since: old.map_or_else(|| engine.version().to_owned(), |old| old.since.clone()),
            issue: old.and_then(|old| old.issue.clone()),
            count: listed.map_or(0, |class| class.count),
            digest: listed.cloned().unwrap_or_default().digest(),
            elsewhere: elsewhere.map_or(0, |class| class.count) * PER / RANDOM_MEASURED,
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
            outcome: NoUrl::of(outcome),
        }
    }

    /// Whether the engine still does what is listed.
    pub(super) fn is_met_by(&self, outcome: &Outcome) -> bool {
        self.url.as_deref() == outcome.url() && self.outcome == NoUrl::of(outcome)
    }
}

/// What an engine did, as a file states it.
pub(super) fn expected(outcome: &Outcome) -> Expected {
    match outcome {
        Outcome::Url(url) => Expected::Url { url: url.clone(), same_document: None },
        _ => Expected::Failure,
    }
}

fn default_reason(difference: &Difference) -> String {
    match difference {
        Difference::Setting(change) => format!("{}.", change.to().note()),
        Difference::Applied(normalization) => format!("{}.", normalization.note()),
        Difference::Omitted(normalization) => format!("It does not do this: {}.", normalization.note()),
    }
}

/// How many random pairs frequencies are measured on.
const RANDOM_MEASURED: u64 = 100_000;

/// The number of random pairs that the frequencies in files refer to.
pub(super) const PER: u64 = 100_000;

/// On how many pairs each difference is part of the reason, with the smallest of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(BTreeMap<String, (u64, Pair)>);

impl Counts {
    pub(super) fn of(&self, id: &str) -> u64 {
        self.0.get(id).map_or(0, |(count, _)| *count)
    }

    fn smallest(&self, id: &str) -> Option<&Pair> {
        self.0.get(id).map(|(_, pair)| pair)
    }

    fn add(&mut self, differences: &[Difference], base: &str, reference: &str) {
        for difference in differences {
            let pair = || Pair { base: base.to_owned(), reference: reference.to_owned() };
            let (count, smallest) = self.0.entry(difference.name()).or_insert_with(|| (0, pair()));
            *count += 1;
            if Rank::of(base, reference) < smallest.rank() {
                *smallest = pair();
            }
        }
    }
}

impl Pair {
    fn rank(&self) -> Rank<'_> {
        Rank::of(&self.base, &self.reference)
    }
}

/// Pairs that the profile does not predict, by class.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes(pub(super) BTreeMap<String, MissedClass>);

/// Pairs of one class.
#[derive(Clone, Debug, Default)]
pub(super) struct MissedClass {
    pub(super) count: u64,
    /// The sum of the pairs' hashes, so that their order does not matter.
    sum: u64,
    /// Hashes of pairs, so that none counts twice.
    seen: HashSet<u64>,
    /// The smallest pairs with their results, smallest first.
    pub(super) examples: Vec<(Pair, Outcome)>,
}

/// How many pairs of a class a file shows.
const EXAMPLES: usize = 5;

impl MissedClass {
    pub(super) fn digest(&self) -> String {
        format!("{:016x}", self.sum)
    }

    fn add(&mut self, base: &str, reference: &str, did: &Outcome) {
        let kind = NoUrl::of(did).map_or("", NoUrl::name);
        let mut hash = FnvHasher::default();
        [base, reference, kind, did.url().unwrap_or_default()].into_iter().for_each(|text| {
            hash.write(text.as_bytes());
            // No UTF-8 has this byte, so that texts do not run into each other.
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

/// What an engine does on random pairs.
#[derive(Default)]
pub(super) struct Random {
    pub(super) counts: Counts,
    pub(super) missed: Classes,
}

impl Random {
    pub(super) fn of(engine: &dyn Engine, attributor: &Attributor, pairs: u64) -> Self {
        let mut found = Self::default();
        let mut random = RandomPairs::new(RANDOM_SEED);
        for _ in 0..pairs {
            let (base, reference) = random.pair();
            add(engine, attributor, &base, &reference, &mut found.counts, &mut found.missed);
        }
        found
    }
}

/// What an engine does on the fixed suites, compared with the document it is nearest to.
#[derive(Default)]
pub(super) struct Observed {
    pub(super) cases: u64,
    pub(super) differing: u64,
    pub(super) vectors: Counts,
    pub(super) short: Counts,
    pub(super) missed: Classes,
}

impl Observed {
    pub(super) fn of(engine: &dyn Engine, attributor: &Attributor, suite: &Suite) -> Self {
        let mut observed = Self::default();
        for case in suite.resolutions() {
            observed.add(engine, attributor, &case.base, &case.reference, |it| &mut it.vectors);
        }
        generate::short_pairs(SHORT_LENGTH, |base, reference| {
            observed.add(engine, attributor, base, reference, |it| &mut it.short);
        });
        observed
    }

    fn add(
        &mut self,
        engine: &dyn Engine,
        attributor: &Attributor,
        base: &str,
        reference: &str,
        counts: fn(&mut Self) -> &mut Counts,
    ) {
        self.cases += 1;
        let mut missed = std::mem::take(&mut self.missed);
        let differs = add(engine, attributor, base, reference, counts(self), &mut missed);
        self.missed = missed;
        self.differing += u64::from(differs);
    }

    /// The smallest pair of the suites that shows `id`.
    fn smallest(&self, id: &str) -> Option<&Pair> {
        [&self.vectors, &self.short].into_iter().filter_map(|counts| counts.smallest(id)).min_by_key(|pair| pair.rank())
    }
}

/// Asks the engine, and counts a result that differs from the document's: by the differences of its profile that are the
/// reason, or by the class of pairs that the profile does not predict. Returns whether it differs.
fn add(
    engine: &dyn Engine,
    attributor: &Attributor,
    base: &str,
    reference: &str,
    counts: &mut Counts,
    missed: &mut Classes,
) -> bool {
    let did = ask(engine, base, reference);
    match attributor.predicted_differences(base, reference, &did) {
        Some(differences) => {
            counts.add(&differences, base, reference);
            !differences.is_empty()
        }
        None => {
            let class = attributor.deviation(base, reference, &did).unwrap_or_else(|| "other".to_owned());
            missed.0.entry(class).or_default().add(base, reference, &did);
            true
        }
    }
}

/// The pair that shows a normalization by its declaration, if it shows it here.
fn own_witness(id: &str, engine: &dyn Engine, attributor: &Attributor) -> Option<Pair> {
    let (base, reference) = Difference::normalization_named(id)?.witness();
    let differences = attributor.predicted_differences(base, reference, &ask(engine, base, reference))?;
    let shows = differences.iter().any(|it| it.name() == id);
    shows.then(|| Pair { base: base.to_owned(), reference: reference.to_owned() })
}
