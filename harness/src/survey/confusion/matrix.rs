//! Which engines see different hosts in the same URLs: every engine against every other one, on recorded results.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Serialize;

use super::normalized;
use crate::engine::{Engine, Pair, Source, ask};
use crate::knowledge::attribute::{EnginePair, Model};
use crate::outcome::Outcome;
use crate::outcome::location::Location;
use crate::pairs::bases::Rank;

/// Every engine against every other one, on the same pairs. Nothing is predicted.
#[derive(Clone, Debug, Serialize)]
pub struct HostMatrix {
    /// The number of pairs.
    pub pairs: usize,
    /// The engines: each row has the names of those that see the same host in every pair.
    pub rows: Vec<Vec<String>>,
    /// Each two rows that were compared and see different hosts, by their indexes; the first index is smaller.
    pub cells: Vec<HostCell>,
}

/// Two rows of a matrix that see different hosts.
#[derive(Clone, Debug, Serialize)]
pub struct HostCell {
    /// The indexes of the rows.
    pub rows: [usize; 2],
    /// The number of pairs for which both see a host, and these differ. Two spellings of a host are equal.
    pub differ: usize,
    /// The causes, each with its smallest pair, the smallest pair first. Those that only combine others are left out.
    pub causes: Vec<HostCause>,
}

/// A cause of different hosts.
#[derive(Clone, Debug, Serialize)]
pub struct HostCause {
    /// The name of the cause; empty if no cause is known.
    pub cause: String,
    /// The base of the smallest pair.
    pub base: String,
    /// The reference of the smallest pair.
    pub reference: String,
    /// The hosts that the two rows see.
    pub hosts: [String; 2],
}

/// What each engine sees.
struct Seen<'e> {
    engine: &'e dyn Engine,
    model: &'e Model,
    /// For each pair, the outcome, and the number of the host that it has after normalization, or `None` if there is no
    /// host.
    outcomes: Vec<(Outcome, Option<usize>)>,
}

impl HostMatrix {
    /// Compares the hosts that `engines` see in `pairs`, between rows with names for which `is_compared` returns true. Pairs for
    /// which the result of an engine is neither recorded nor computed are left out for this engine. `models` is what is known of
    /// the engines.
    pub fn of(
        engines: &[&dyn Engine],
        models: &[Model],
        pairs: &[Pair<'_>],
        is_compared: &dyn Fn(&[String]) -> bool,
    ) -> Self {
        let outcomes = engines.par_iter().map(|engine| outcomes_of(*engine, pairs)).collect::<Vec<_>>();
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let mut number = |outcome: &Outcome| {
            let host = Location::of(outcome.url()?).host.filter(|host| !host.is_empty())?;
            let next = numbers.len();
            Some(*numbers.entry(normalized(&host)).or_insert(next))
        };
        let numbered = |outcomes: Vec<Outcome>| {
            outcomes
                .into_iter()
                .map(|it| {
                    let host = number(&it);
                    (it, host)
                })
                .collect()
        };
        let outcomes: Vec<Vec<_>> = outcomes.into_iter().map(numbered).collect();
        let seen = engines.iter().zip(models).zip(outcomes);
        let seen: Vec<_> = seen.map(|((engine, model), outcomes)| Seen { engine: *engine, model, outcomes }).collect();
        let mut rows: Vec<(&Seen<'_>, Vec<String>)> = Vec::new();
        for one in &seen {
            let name = one.engine.name().to_owned();
            let hosts = |seen: &Seen<'_>| seen.outcomes.iter().map(|(_, host)| *host).collect::<Vec<_>>();
            match rows.iter_mut().find(|(other, _)| hosts(other) == hosts(one)) {
                Some((_, names)) => names.push(name),
                None => rows.push((one, vec![name])),
            }
        }
        let order = in_order(pairs);
        let compared: Vec<_> = (0..rows.len()).filter(|index| is_compared(&rows[*index].1)).collect();
        let couples = compared.iter().enumerate();
        let couples: Vec<_> =
            couples.flat_map(|(at, one)| compared[at + 1..].iter().map(move |other| [*one, *other])).collect();
        let cell = |at: &[usize; 2]| HostCell::of(*at, at.map(|index| rows[index].0), pairs, &order);
        let cells = couples.par_iter().filter_map(cell).collect();
        Self { pairs: pairs.len(), cells, rows: rows.into_iter().map(|(_, names)| names).collect() }
    }
}

/// Returns the outcomes of `engine`; skipped if the outcome is predicted.
fn outcomes_of(engine: &dyn Engine, pairs: &[Pair<'_>]) -> Vec<Outcome> {
    let one = |(base, reference): &Pair<'_>| match engine.source(base, reference) {
        Source::Live | Source::Recorded => ask(engine, base, reference),
        Source::Predicted | Source::Absent | Source::Unable => Outcome::Skipped("not recorded".to_owned()),
    };
    pairs.iter().map(one).collect()
}

/// Returns the indexes of the pairs, smallest pair first.
fn in_order(pairs: &[Pair<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|index| Rank::of(pairs[*index].0, pairs[*index].1));
    order
}

impl HostCell {
    /// Compares two rows; `None` if they never see different hosts.
    fn of(rows: [usize; 2], seen: [&Seen<'_>; 2], pairs: &[Pair<'_>], order: &[usize]) -> Option<Self> {
        let [one, other] = seen;
        let differs = |index: &usize| match (one.outcomes[*index].1, other.outcomes[*index].1) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        };
        let differing: Vec<usize> = order.iter().copied().filter(differs).collect();
        if differing.is_empty() {
            return None;
        }
        let engine_pair = EnginePair::new(one.model.clone(), other.model.clone());
        let mut found: Vec<(BTreeSet<String>, usize)> = Vec::new();
        for index in differing.iter().copied().take(MOST) {
            let (base, reference) = pairs[index];
            let cause = engine_pair.cause(base, reference, &one.outcomes[index].0, &other.outcomes[index].0);
            let names = cause.names();
            if !found.iter().any(|(own, _)| own.is_subset(&names)) {
                found.retain(|(own, _)| !names.is_subset(own) || names.is_empty());
                found.push((names, index));
            }
        }
        let cause = |(names, index): (BTreeSet<String>, usize)| HostCause {
            cause: names.into_iter().collect::<Vec<_>>().join(" + "),
            base: pairs[index].0.to_owned(),
            reference: pairs[index].1.to_owned(),
            hosts: seen.map(|it| {
                let url = it.outcomes[index].0.url().unwrap_or_default();
                Location::of(url).host.unwrap_or_default()
            }),
        };
        Some(Self { rows, differ: differing.len(), causes: found.into_iter().map(cause).collect() })
    }
}

/// The number of pairs of two rows whose causes are determined, smallest pairs first.
const MOST: usize = 100;
