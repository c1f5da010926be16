//! Comparison of an engine's known deviations with its current results.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use super::observe::{Classes, Counts, MissedClass, Observed, PER, Random, expected};
use super::older::without_changes;
use super::{Beyond, Deviation, Example, Exception, KnownEngine, MOST_RANDOM, Pair, Witness, probes};
use crate::behaviour::{Behaviour, predict_without};
use crate::engine::{Engine, ask};
use crate::knowledge::attribute::{Attributor, Model, effect};
use crate::knowledge::behaviours;
use crate::outcome::Outcome;
use crate::plural::counted;
use crate::vector::{Expected, Suite};
use crate::yaml::{on_one_line, quoted};

impl KnownEngine {
    /// Compares the known deviations with the results of `engine`, on the fixed suites and on what is `beyond` them: random pairs,
    /// and the probes by which `profile` finds and measures a behaviour. `model` is what is known of the engine.
    ///
    /// The probes depend only on the behaviour. On them, the results are compared with what the behaviour predicts.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the nearest specification is unknown, or if nothing is known of the engine.
    pub fn check(
        &self,
        engine: &dyn Engine,
        model: &Model,
        suite: &Suite,
        beyond: Option<Beyond<'_>>,
    ) -> Result<Checked, String> {
        let random = beyond.map_or(0, |beyond| beyond.random.min(MOST_RANDOM));
        let behaviour = model.behaviour.as_deref();
        let behaviour = behaviour.ok_or_else(|| format!("no behaviour of {} is known", engine.name()))?;
        let nearest = self.nearest()?;
        let attributor = Attributor::new(nearest, model.without_steps());
        let observed = Observed::of(engine, &attributor, model, suite);
        let sampled = Random::of(engine, &attributor, model, random);
        let probed = beyond.map(|beyond| probes::missed(engine, model, beyond.panel));
        let mut findings = Vec::new();
        if engine.version() != self.version {
            findings.push(Finding::Changed {
                id: "version".to_owned(),
                was: self.version.clone(),
                is: engine.version().to_owned(),
                worse: false,
            });
        }
        let counts = [&observed.vectors, &observed.short, &sampled.counts];
        let ids: BTreeSet<&String> = counts.into_iter().flat_map(Counts::ids).collect();
        let is_listed = |id: &String| self.deviations.iter().any(|entry| entry.id == *id);
        findings.extend(ids.into_iter().filter(|id| !is_listed(id)).map(|id| Finding::Missing { id: id.clone() }));
        for entry in &self.deviations {
            let counts = [observed.vectors.of(&entry.id), observed.short.of(&entry.id)];
            let found = check_deviation(entry, engine, &attributor, counts);
            let on_random = Frequency { id: &entry.id, listed: entry.random, found: sampled.counts.of(&entry.id) };
            findings.extend(if found.is_empty() { on_random.check(random).into_iter().collect() } else { found });
        }
        for entry in &self.exceptions {
            let on_random = sampled.missed.0.get(&entry.id).map_or(0, |class| class.count);
            let on_random = Frequency { id: &entry.id, listed: entry.random, found: on_random };
            let mut parts = vec![Part::of(&entry.id, entry.count, &entry.digest, &observed.missed)];
            parts.extend(probed.iter().map(|it| Part::of(&entry.id, entry.probes, &entry.probes_digest, it)));
            findings.extend(check_exception(entry, engine, &parts));
            findings.extend(on_random.check(random));
        }
        let fixed = findings.iter().filter(|finding| matches!(finding, Finding::Fixed { .. }));
        let fixed: Vec<String> = fixed.map(|finding| finding.id().to_owned()).collect();
        let listed = self.listed();
        for (id, class) in observed.missed.0.iter().chain(probed.iter().flat_map(|it| &it.0)).chain(&sampled.missed.0) {
            // If a deviation is fixed, then the engine returns what the specification requires, at least in this point, and the
            // behaviour does not.
            let is_own = |(pair, did): &(Pair, Outcome)| {
                effect(&nearest.resolve(&pair.base, &pair.reference), did).is_none()
                    || predicted_without(&fixed, [behaviour, nearest.behaviour()], pair)
                        == Some(did.url().map(str::to_owned))
            };
            let listed = listed.contains(id) || !fixed.is_empty() && class.examples.iter().all(is_own);
            if let Some((pair, did)) = class.examples.first().filter(|_| !listed && !is_found(&findings, id)) {
                let predicted = behaviours::outcome(behaviour, &pair.base, &pair.reference);
                let (class, count) = (id.clone(), class.count);
                findings.push(Finding::New { class, count, pair: pair.clone(), returned: did.clone(), predicted });
            }
        }
        findings.sort_by_key(Finding::rank);
        Ok(Checked { cases: observed.cases, random, differing: observed.differing, findings })
    }
}

/// Returns what an engine would return for `pair` with its own behaviour, the first one, except that it has the values of the other
/// one for those of the differences `names` that it has for the pair; `None` if it has none of them.
fn predicted_without(names: &[String], [own, other]: [&Behaviour; 2], pair: &Pair) -> Option<Option<String>> {
    let without = |names: &[String]| predict_without(own, other, names, &pair.base, &pair.reference).ok();
    let here: Vec<String> =
        names.iter().filter(|name| without(std::slice::from_ref(*name)).is_some()).cloned().collect();
    if here.is_empty() { None } else { without(&here) }
}

/// Returns whether `findings` already contains the new class `id`. The suites are searched before the random pairs.
fn is_found(findings: &[Finding], id: &str) -> bool {
    findings.iter().any(|finding| matches!(finding, Finding::New { class, .. } if class == id))
}

fn check_deviation(entry: &Deviation, engine: &dyn Engine, attributor: &Attributor, counts: [u64; 2]) -> Vec<Finding> {
    let id = || entry.id.clone();
    let Witness { base, reference, returned: listed, specification } = &entry.witness;
    let returned = ask(engine, base, reference);
    let fixed = || Finding::Fixed { id: id(), pair: Some(Pair { base: base.clone(), reference: reference.clone() }) };
    if !listed.is_met_by(&returned) {
        let agrees = specification.is_met_by(&returned);
        return vec![if agrees { fixed() } else { Finding::changed(&entry.id, listed, &returned) }];
    }
    if let Some(is) = without_changes(&entry.changes, base, reference).filter(|is| !listed.is_met_by(is)) {
        let changes = entry.changes.clone();
        return vec![Finding::NotOlder { id: id(), changes, is, returned }];
    }
    let found = attributor.attribute(base, reference, &returned);
    if !found.is_some_and(|found| found.cause.differences().iter().any(|it| it.name == entry.id)) {
        return vec![Finding::Unused { id: id() }];
    }
    let suites = [("vectors", entry.vectors, counts[0]), ("short", entry.short, counts[1])];
    let differing = suites.into_iter().filter(|(_, was, is)| was != is);
    differing
        .map(|(name, was, is)| Finding::Changed {
            id: id(),
            was: format!("{was} of the suite {name}"),
            is: is.to_string(),
            worse: false,
        })
        .collect()
}

/// The pairs of a class, on the fixed suites or on the probes: as listed, and as found.
struct Part<'a> {
    count: u64,
    digest: &'a str,
    found: Option<&'a MissedClass>,
}

impl<'a> Part<'a> {
    fn of(id: &str, count: u64, digest: &'a str, found: &'a Classes) -> Self {
        Self { count, digest, found: found.0.get(id) }
    }

    fn found(&self) -> u64 {
        self.found.map_or(0, |class| class.count)
    }

    fn differs(&self) -> bool {
        let digest = self.found.map(MissedClass::digest);
        self.found() != self.count || digest.is_some_and(|digest| digest != self.digest)
    }
}

fn check_exception(entry: &Exception, engine: &dyn Engine, parts: &[Part<'_>]) -> Option<Finding> {
    let differing = parts.iter().find(|part| part.differs())?;
    if parts.iter().all(|part| part.found() == 0) {
        return Some(Finding::Fixed { id: entry.id.clone(), pair: entry.examples.first().map(Example::pair) });
    }
    let with_digest = |count: u64, digest: &str| match count {
        0 => pairs(0),
        _ => format!("{} with the digest {digest}", pairs(count)),
    };
    let changed = entry.examples.iter().find(|it| !it.is_met_by(&ask(engine, &it.base, &it.reference)));
    let new = || differing.found?.examples.iter().map(|(pair, _)| pair).find(|pair| !entry.has_example(pair)).cloned();
    let example = changed.map(Example::pair).or_else(new);
    let example = example.map_or_else(String::new, |pair| format!(", for example {pair}"));
    let digest = differing.found.map_or_else(String::new, MissedClass::digest);
    Some(Finding::Changed {
        id: entry.id.clone(),
        was: with_digest(differing.count, differing.digest),
        is: format!("{}{example}", with_digest(differing.found(), &digest)),
        worse: differing.found() > differing.count,
    })
}

fn pairs(count: u64) -> String {
    counted(count, "pair", "pairs")
}

/// The frequency of an entry on random pairs, as listed and as found.
struct Frequency<'a> {
    id: &'a str,
    listed: u64,
    found: u64,
}

impl Frequency<'_> {
    /// Returns a finding if the count on `random` pairs differs from the listed frequency by more than five standard
    /// deviations of both measurements. Random variation alone does not fail a check.
    fn check(&self, random: u64) -> Option<Finding> {
        let share = self.listed as f64 / PER as f64;
        let expected = share * random as f64;
        let measured_on = random as f64 / PER as f64;
        let variance = expected * (1.0 - share).max(0.0) * (1.0 + measured_on);
        // The frequency in a file is rounded down to whole pairs.
        let tolerance = 5.0 * variance.sqrt() + 3.0 + measured_on;
        let differs = (self.found as f64 - expected).abs() > tolerance;
        differs.then(|| Finding::Changed {
            id: self.id.to_owned(),
            was: format!("{} of 100,000 random pairs", self.listed),
            is: format!("{} of {random}", self.found),
            worse: self.found as f64 > expected,
        })
    }
}

impl Exception {
    fn has_example(&self, pair: &Pair) -> bool {
        self.examples.iter().any(|it| it.pair() == *pair)
    }
}

impl Example {
    fn pair(&self) -> Pair {
        Pair { base: self.base.clone(), reference: self.reference.clone() }
    }
}

/// A difference between the known deviations and the engine's current results.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// Pairs that the behaviour does not predict, of a class that is not listed.
    New {
        /// The class.
        class: String,
        /// The number of pairs.
        count: u64,
        /// The smallest pair.
        pair: Pair,
        /// The engine's result.
        returned: Outcome,
        /// The result that the behaviour predicts.
        predicted: Outcome,
    },
    /// A listed deviation that is fixed.
    Fixed {
        /// The id of the entry.
        id: String,
        /// The pair that showed the deviation, if the entry has a pair.
        pair: Option<Pair>,
    },
    /// A listed deviation, or the listed version, that differs from what is found.
    Changed {
        /// The id of the entry, or `version`.
        id: String,
        /// What is listed.
        was: String,
        /// What is found.
        is: String,
        /// Whether more pairs deviate than are listed, so that some of them are new.
        worse: bool,
    },
    /// A listed deviation of the kind `older` that its changes do not explain: without them, the newest state of the URL
    /// Standard does not return the engine's result on the witness.
    NotOlder {
        /// The id of the entry.
        id: String,
        /// The commits of the changes.
        changes: Vec<String>,
        /// The result of the Standard without the changes.
        is: Outcome,
        /// The engine's result.
        returned: Outcome,
    },
    /// An unused entry: the deviation is not the cause of the result on the witness.
    Unused {
        /// The id of the entry.
        id: String,
    },
    /// A deviation without an entry.
    Missing {
        /// The id of the deviation.
        id: String,
    },
}

impl Finding {
    /// Returns whether the engine has a new deviation. Otherwise the finding only shows that the list is out of date.
    pub fn is_new(&self) -> bool {
        matches!(self, Self::New { .. } | Self::Changed { worse: true, .. })
    }

    /// Returns the id of the entry, or the class of the pairs, that the finding is about.
    pub fn id(&self) -> &str {
        match self {
            Self::New { class: id, .. }
            | Self::Fixed { id, .. }
            | Self::Changed { id, .. }
            | Self::NotOlder { id, .. }
            | Self::Unused { id }
            | Self::Missing { id } => id,
        }
    }

    /// Returns the kind of the finding: `new`, `fixed`, `changed`, `not older`, `unused` or `missing`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::New { .. } => "new",
            Self::Fixed { .. } => "fixed",
            Self::Changed { .. } => "changed",
            Self::NotOlder { .. } => "not older",
            Self::Unused { .. } => "unused",
            Self::Missing { .. } => "missing",
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::New { .. } => 0,
            Self::Fixed { .. } => 1,
            Self::Changed { .. } => 2,
            Self::NotOlder { .. } => 3,
            Self::Unused { .. } => 4,
            Self::Missing { .. } => 5,
        }
    }

    fn changed(id: &str, was: &Expected, is: &Outcome) -> Self {
        Self::Changed { id: id.to_owned(), was: on_one_line(was), is: on_one_line(&expected(is)), worse: false }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New { class, count, pair, returned, predicted } => {
                let did = |outcome: &Outcome| match outcome {
                    Outcome::Crash(why) => format!("a crash ({})", quoted(why)),
                    Outcome::Skipped(why) => format!("no answer ({})", quoted(why)),
                    Outcome::Unrepresentable(why) => format!("no representable result ({})", quoted(why)),
                    Outcome::Timeout(why) => format!("no answer in time ({})", quoted(why)),
                    _ => on_one_line(&expected(outcome)),
                };
                let [returned, predicted] = [returned, predicted].map(did);
                let count = pairs(*count);
                write!(f, "new: {class}: {count}, for example {pair}: found {returned}, predicted {predicted}")
            }
            Self::Fixed { id, pair: Some(pair) } => write!(f, "fixed: {id}: no longer shown by {pair}"),
            Self::Fixed { id, pair: None } => write!(f, "fixed: {id}: no longer found"),
            Self::Changed { id, was, is, .. } => write!(f, "changed: {id}: listed {was}, found {is}"),
            Self::NotOlder { id, changes, is, returned } => {
                let [is, returned] = [is, returned].map(|outcome| on_one_line(&expected(outcome)));
                let changes = changes.join(" and ");
                write!(f, "not older: {id}: without {changes}, the URL Standard returns {is}, the engine {returned}")
            }
            Self::Unused { id } => write!(f, "unused: {id}: another deviation explains the witness"),
            Self::Missing { id } => write!(f, "missing: {id}: a deviation without an entry"),
        }
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", quoted(&self.reference), quoted(&self.base))
    }
}

/// The outcome of a check.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// The number of pairs of the fixed suites.
    pub cases: u64,
    /// The number of random pairs.
    pub random: u64,
    /// The number of pairs of the fixed suites on which the engine differs from the nearest specification.
    pub differing: u64,
    /// The findings, new deviations first.
    pub findings: Vec<Finding>,
}
