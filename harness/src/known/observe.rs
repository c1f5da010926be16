//! What an engine does on the fixed suites and on pairs by chance, as it would stand in its file.

use std::collections::BTreeMap;

use urlstrata::rules::COLUMNS;

use super::{Departure, Exception, Kind, Known, Pair, SHORT_LENGTH, Stated};
use crate::attribute::{Difference, Subject};
use crate::engine::{Engine, Outcome, ask};
use crate::generate::{self, Wild};
use crate::profile::{Fitted, KnownProfile};
use crate::rewrite::Rewrite;
use crate::vector::{Expected, Suite};

/// The seed of the wild pairs on which bounds are measured and checked.
const WILD_SEED: u64 = 4;

impl Known {
    /// What a fit and the suites say of `engine` now; reasons, kinds and issues are `old`'s where an entry is the same.
    pub fn observe(engine: &dyn Engine, fitted: &Fitted, suite: &Suite, old: Option<&Self>) -> Self {
        let column = |index: usize| COLUMNS[index].name.to_owned();
        let undetermined = fitted.undetermined.iter().map(|(column, _)| *column).collect();
        let known = KnownProfile { undetermined, ..KnownProfile::certain(fitted.profile) };
        let subject = Subject::new(fitted.nearest, Some(&known));
        let names = |wanted: fn(&Difference) -> Option<Rewrite>| {
            subject.differences().iter().filter_map(wanted).map(|rewrite| rewrite.name().to_owned()).collect()
        };
        let answers = subject.differences().iter().filter_map(|difference| match difference {
            Difference::Answer(change) => Some((change.column().name.to_owned(), change.to().name.to_owned())),
            _ => None,
        });
        let undetermined = fitted.undetermined.iter().map(|(index, answers)| {
            (column(*index), answers.iter().map(|answer| COLUMNS[*index].answers[*answer].name.to_owned()).collect())
        });
        let profile = Stated {
            nearest: fitted.nearest.id.to_owned(),
            answers: answers.collect(),
            undetermined: undetermined.collect(),
            makes: names(|it| if let Difference::Makes(rewrite) = it { Some(*rewrite) } else { None }),
            leaves: names(|it| if let Difference::Leaves(rewrite) = it { Some(*rewrite) } else { None }),
            unseen: fitted.unseen.iter().map(|rewrite| rewrite.name().to_owned()).collect(),
        };
        let observed = Observed::of(engine, &subject, suite);
        let elsewhere = Counts::of_wild(engine, &subject, WILD_MEASURED);
        let departures = subject.differences().iter().filter_map(|difference| {
            let id = difference.name();
            let old = old.and_then(|old| old.departures.iter().find(|entry| entry.id == id));
            let witness = observed.witness(&id, engine, &subject)?;
            let said = ask(engine, &witness.base, &witness.reference);
            let measured = elsewhere.of(&id) * 100_000 / WILD_MEASURED;
            Some(Departure {
                kind: old.map_or(Kind::Unclear, |old| old.kind),
                reason: old.map_or_else(|| default_reason(difference), |old| old.reason.clone()),
                since: old.map_or_else(|| engine.version().to_owned(), |old| old.since.clone()),
                issue: old.and_then(|old| old.issue.clone()),
                said: expected(&said),
                document: expected(&fitted.nearest.says(&witness.base, &witness.reference)),
                witness,
                vectors: observed.vectors.of(&id),
                short: observed.short.of(&id),
                elsewhere: (measured + measured / 2 + 20).min(100_000),
                id,
            })
        });
        let kept = old.map_or(&[][..], |old| &old.exceptions);
        let kept = kept.iter().filter(|it| it.said.is_met_by(&ask(engine, &it.base, &it.reference)));
        let mut exceptions: Vec<_> = kept.cloned().collect();
        // A crash and silence are no answers: they are listed nowhere, and stay new.
        for (base, reference, said) in observed.missed.iter().filter(|(_, _, said)| said.is_answer()) {
            if !exceptions.iter().any(|it| it.base == *base && it.reference == *reference) {
                exceptions.push(Exception {
                    id: format!("pair-{}", exceptions.len() + 1),
                    kind: Kind::Unclear,
                    reason: "The profile predicts something else.".to_owned(),
                    since: engine.version().to_owned(),
                    issue: None,
                    base: base.clone(),
                    reference: reference.clone(),
                    said: expected(said),
                });
            }
        }
        Self {
            engine: engine.name().to_owned(),
            version: engine.version().to_owned(),
            profile,
            departures: departures.collect(),
            exceptions,
        }
    }
}

/// What an engine did, as a file states it.
pub(super) fn expected(outcome: &Outcome) -> Expected {
    match outcome {
        Outcome::Url(url) => Expected::Url { url: url.clone(), same_document: None },
        _ => Expected::Refused,
    }
}

fn default_reason(difference: &Difference) -> String {
    match difference {
        Difference::Answer(change) => format!("{}.", change.to().note()),
        Difference::Makes(rewrite) => format!("{}.", rewrite.note()),
        Difference::Leaves(rewrite) => format!("It does not do this: {}.", rewrite.note()),
    }
}

/// How many wild pairs a bound is measured on.
const WILD_MEASURED: u64 = 100_000;

/// On how many pairs each difference is part of the reason.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(BTreeMap<String, (u64, Pair)>);

impl Counts {
    pub(super) fn of(&self, id: &str) -> u64 {
        self.0.get(id).map_or(0, |(count, _)| *count)
    }

    fn add(&mut self, differences: &[Difference], base: &str, reference: &str) {
        for difference in differences {
            let pair = || Pair { base: base.to_owned(), reference: reference.to_owned() };
            let (count, smallest) = self.0.entry(difference.name()).or_insert_with(|| (0, pair()));
            *count += 1;
            let rank = (base.len() + reference.len(), base, reference);
            if rank < (smallest.base.len() + smallest.reference.len(), &smallest.base, &smallest.reference) {
                *smallest = pair();
            }
        }
    }

    pub(super) fn of_wild(engine: &dyn Engine, subject: &Subject, pairs: u64) -> Self {
        let mut counts = Self::default();
        let mut wild = Wild::new(WILD_SEED);
        for _ in 0..pairs {
            let (base, reference) = wild.pair();
            let said = ask(engine, &base, &reference);
            if let Some(found) = subject.attribute(&base, &reference, &said).filter(|found| !found.outside) {
                counts.add(found.cause.differences(), &base, &reference);
            }
        }
        counts
    }
}

/// What an engine does on the fixed suites, beside the document it is nearest to.
#[derive(Default)]
pub(super) struct Observed {
    pub(super) cases: u64,
    pub(super) differing: u64,
    pub(super) vectors: Counts,
    pub(super) short: Counts,
    /// What its profile does not predict: base, reference, and what it did.
    pub(super) missed: Vec<(String, String, Outcome)>,
}

impl Observed {
    pub(super) fn of(engine: &dyn Engine, subject: &Subject, suite: &Suite) -> Self {
        let mut observed = Self::default();
        for (file, vector) in suite.vectors() {
            if let Some(reference) = &vector.reference {
                observed.add(engine, subject, file.base_of(vector), reference, |it| &mut it.vectors);
            }
        }
        generate::short_pairs(SHORT_LENGTH, |base, reference| {
            observed.add(engine, subject, base, reference, |it| &mut it.short);
        });
        observed
    }

    fn add(
        &mut self,
        engine: &dyn Engine,
        subject: &Subject,
        base: &str,
        reference: &str,
        counts: fn(&mut Self) -> &mut Counts,
    ) {
        self.cases += 1;
        let said = ask(engine, base, reference);
        let Some(found) = subject.attribute(base, reference, &said) else { return };
        self.differing += 1;
        if found.cause.is_explained() && !found.outside {
            counts(self).add(found.cause.differences(), base, reference);
        } else if !self.missed.iter().any(|(own, other, _)| own == base && other == reference) {
            self.missed.push((base.to_owned(), reference.to_owned(), said));
        }
    }

    /// The smallest pair of the suites that shows `id`, else the rewrite's own witness if it does.
    fn witness(&self, id: &str, engine: &dyn Engine, subject: &Subject) -> Option<Pair> {
        let found = [&self.vectors, &self.short].into_iter().find_map(|counts| counts.0.get(id));
        if let Some((_, pair)) = found {
            return Some(pair.clone());
        }
        let (base, reference) = Difference::rewrite_named(id)?.witness();
        let found = subject.attribute(base, reference, &ask(engine, base, reference))?;
        let shows = found.cause.differences().iter().any(|it| it.name() == id);
        shows.then(|| Pair { base: base.to_owned(), reference: reference.to_owned() })
    }
}
