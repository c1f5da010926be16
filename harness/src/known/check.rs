//! What is known of an engine, held against what it does: both ways.

use std::fmt;

use serde::Serialize;

use super::observe::{Counts, Observed, expected};
use super::{Departure, Exception, Known, Pair};
use crate::attribute::{Difference, Subject};
use crate::engine::{Engine, Outcome, ask};
use crate::vector::{Expected, Suite, quoted};

impl Known {
    /// Compares what is known with what `engine` does now, on the fixed suites and on `wild` pairs by chance.
    ///
    /// # Errors
    ///
    /// A sentence, if the profile names what there is not.
    pub fn check(&self, engine: &dyn Engine, suite: &Suite, wild: u64) -> Result<Checked, String> {
        let known = self.known_profile()?;
        let subject = Subject::new(self.nearest()?, Some(&known));
        let observed = Observed::of(engine, &subject, suite);
        let elsewhere = Counts::of_wild(engine, &subject, wild);
        let mut findings = Vec::new();
        if engine.version() != self.version {
            findings.push(Finding::Changed {
                id: "version".to_owned(),
                was: self.version.clone(),
                is: engine.version().to_owned(),
            });
        }
        for (base, reference, said) in &observed.missed {
            let listed = self.exceptions.iter().any(|it| it.base == *base && it.reference == *reference);
            if !listed {
                let predicted = known.profile.predict(base, reference);
                let pair = Pair { base: base.clone(), reference: reference.clone() };
                findings.push(Finding::New { pair, said: said.clone(), predicted });
            }
        }
        for difference in subject.differences() {
            let id = difference.name();
            if !self.departures.iter().any(|entry| entry.id == id) {
                findings.push(Finding::Missing { id });
            }
        }
        for entry in &self.departures {
            let counts = [observed.vectors.of(&entry.id), observed.short.of(&entry.id), elsewhere.of(&entry.id)];
            findings.extend(self.check_departure(entry, engine, &subject, counts, wild));
        }
        for it in &self.exceptions {
            let said = ask(engine, &it.base, &it.reference);
            if known.profile.predicts(&it.base, &it.reference, &said) {
                findings.push(Finding::Vanished { id: it.id.clone(), pair: it.pair() });
            } else if !it.said.is_met_by(&said) {
                findings.push(Finding::changed(&it.id, &it.said, &said));
            }
        }
        findings.sort_by_key(Finding::rank);
        Ok(Checked { cases: observed.cases, wild, differing: observed.differing, findings })
    }

    fn check_departure(
        &self,
        entry: &Departure,
        engine: &dyn Engine,
        subject: &Subject,
        counts: [u64; 3],
        wild: u64,
    ) -> Vec<Finding> {
        let id = || entry.id.clone();
        if !subject.differences().iter().any(|difference| difference.name() == entry.id) {
            return vec![Finding::Unmatched { id: id() }];
        }
        let Pair { base, reference } = &entry.witness;
        let said = ask(engine, base, reference);
        if !entry.said.is_met_by(&said) {
            let agrees = entry.document.is_met_by(&said);
            return vec![match agrees {
                true => Finding::Vanished { id: id(), pair: entry.witness.clone() },
                false => Finding::changed(&entry.id, &entry.said, &said),
            }];
        }
        let names = |it: &Difference| it.name() == entry.id;
        let shows =
            subject.attribute(base, reference, &said).is_some_and(|it| it.cause.differences().iter().any(names));
        if !shows {
            return vec![Finding::Vanished { id: id(), pair: entry.witness.clone() }];
        }
        let mut findings = Vec::new();
        for (name, was, is) in [("vectors", entry.vectors, counts[0]), ("short", entry.short, counts[1])] {
            if was != is {
                findings.push(Finding::Changed {
                    id: id(),
                    was: format!("{was} of the suite {name}"),
                    is: is.to_string(),
                });
            }
        }
        // Three standard deviations above what the bound allows on average, so that chance alone fails no check.
        let allowed = entry.elsewhere as f64 * wild as f64 / 100_000.0;
        if counts[2] as f64 > allowed + 3.0 * allowed.sqrt() + 3.0 {
            findings.push(Finding::Changed {
                id: id(),
                was: format!("at most {} of 100,000 wild pairs", entry.elsewhere),
                is: format!("{} of {wild}", counts[2]),
            });
        }
        findings
    }
}

impl Exception {
    fn pair(&self) -> Pair {
        Pair { base: self.base.clone(), reference: self.reference.clone() }
    }
}

/// What a check found.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// The engine said what its profile does not predict and no entry lists.
    New {
        /// Of what.
        pair: Pair,
        /// What it said.
        said: Outcome,
        /// What its profile predicts.
        predicted: Outcome,
    },
    /// A divergence that is listed is there no more.
    Vanished {
        /// The entry.
        id: String,
        /// Its witness.
        pair: Pair,
    },
    /// It is there, but not as it is listed.
    Changed {
        /// The entry.
        id: String,
        /// What is listed.
        was: String,
        /// What is there.
        is: String,
    },
    /// An entry that is none of the profile's departures.
    Unmatched {
        /// The entry.
        id: String,
    },
    /// A departure of the profile without an entry.
    Missing {
        /// The departure.
        id: String,
    },
}

impl Finding {
    /// Whether it is news, and not stale bookkeeping.
    pub fn is_new(&self) -> bool {
        matches!(self, Self::New { .. })
    }

    fn rank(&self) -> u8 {
        match self {
            Self::New { .. } => 0,
            Self::Vanished { .. } => 1,
            Self::Changed { .. } => 2,
            Self::Unmatched { .. } => 3,
            Self::Missing { .. } => 4,
        }
    }

    fn changed(id: &str, was: &Expected, is: &Outcome) -> Self {
        Self::Changed { id: id.to_owned(), was: was.canonical(), is: expected(is).canonical() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |pair: &Pair| format!("{} on {}", quoted(&pair.reference), quoted(&pair.base));
        match self {
            Self::New { pair: it, said, predicted } => {
                let told = |outcome: &Outcome| match outcome {
                    Outcome::Crashed(why) => format!("nothing, it crashed: {}", quoted(why)),
                    Outcome::Skipped(why) | Outcome::TimedOut(why) => format!("nothing: {}", quoted(why)),
                    _ => expected(outcome).canonical(),
                };
                let [said, predicted] = [said, predicted].map(told);
                write!(f, "new: {}: said {said}, predicted {predicted}", pair(it))
            }
            Self::Vanished { id, pair: it } => write!(f, "vanished: {id}: no longer shown by {}", pair(it)),
            Self::Changed { id, was, is } => write!(f, "changed: {id}: listed {was}, found {is}"),
            Self::Unmatched { id } => write!(f, "unmatched: {id}: the profile has no such departure"),
            Self::Missing { id } => write!(f, "missing: {id}: a departure of the profile without an entry"),
        }
    }
}

/// The outcome of a check.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// Pairs of the fixed suites.
    pub cases: u64,
    /// Pairs by chance.
    pub wild: u64,
    /// Pairs of the fixed suites in which the engine differs from the document it is nearest to.
    pub differing: u64,
    /// What is not as it is listed: news first.
    pub findings: Vec<Finding>,
}
