//! Evidence that an engine cannot be described by a behaviour, or only in part.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Answer, Asker, Pair};
use urlstrata_outcome::escape::visible;

/// The number of pairs that are asked again.
const REPEATED: usize = 2_000;

/// Of this many pairs that are asked again, at most one may have another answer.
const TOLERATED: usize = 200;

/// Of this many results, at least one must be another URL than the most frequent one.
const ALIKE: usize = 50;

/// Pairs for which an engine answered otherwise when it was asked again, with the smallest of them as an example.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Unrepeatable {
    /// The number of pairs that were asked again.
    pub asked: usize,
    /// The number of these with another answer.
    pub differing: usize,
    /// The base of the example.
    pub base: String,
    /// The reference of the example.
    pub reference: String,
    /// The first result; missing for a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Answer,
    /// The result when the pair was asked again; missing for a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Answer,
}

impl fmt::Display for Unrepeatable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, then] = [&self.first, &self.then]
            .map(|answer| answer.as_ref().map_or("a failure".to_owned(), |url| format!("\"{}\"", visible(url))));
        write!(
            f,
            "{} of {} pairs {} another result when they are asked again in another order, for example \"{}\" on \"{}\": \
             {first}, then {then}",
            self.differing,
            self.asked,
            if self.differing == 1 { "has" } else { "have" },
            visible(&self.reference),
            visible(&self.base),
        )
    }
}

/// Asks the engine that `asker` asked some of the pairs again in another order. Returns those with another answer; `None`
/// if there are none. `again` answers pairs like the engine, best in a fresh process.
///
/// # Errors
///
/// Returns why a behaviour cannot describe the engine, with an example: it rejects all pairs, returns nearly always the same
/// URL, or answers otherwise for more than one of 200 pairs.
pub fn repeated(
    asker: &Asker<'_>,
    mut again: impl FnMut(&[Pair]) -> Vec<Answer>,
) -> Result<Option<Unrepeatable>, String> {
    let asked = asker.sorted();
    let count = asked.len();
    let mut urls: BTreeMap<&str, usize> = BTreeMap::new();
    for url in asked.iter().filter_map(|(_, answer)| answer.as_deref()) {
        *urls.entry(url).or_default() += 1;
    }
    let results: usize = urls.values().sum();
    let Some((url, most)) = urls.into_iter().max_by_key(|(url, times)| (*times, std::cmp::Reverse(*url))) else {
        return Err(format!("it rejects all of {count} pairs"));
    };
    if (results - most) * ALIKE < results {
        return Err(format!("it returns \"{}\" for {most} of the {results} pairs that it accepts", visible(url)));
    }
    let mut repeated: Vec<(&Pair, &Answer)> = asked.iter().step_by(count.div_ceil(REPEATED)).copied().collect();
    repeated.reverse();
    let pairs: Vec<Pair> = repeated.iter().map(|(pair, _)| (*pair).clone()).collect();
    let answers = again(&pairs);
    let differing: Vec<_> = repeated.into_iter().zip(answers).filter(|((_, before), now)| *before != now).collect();
    let example = differing.iter().min_by_key(|((pair, _), _)| (pair.0.len() + pair.1.len(), *pair));
    let Some(((pair, before), now)) = example else { return Ok(None) };
    let unrepeatable = Unrepeatable {
        asked: pairs.len(),
        differing: differing.len(),
        base: pair.0.clone(),
        reference: pair.1.clone(),
        first: (*before).clone(),
        then: now.clone(),
    };
    match unrepeatable.differing * TOLERATED > unrepeatable.asked {
        true => Err(format!("it is not deterministic: {unrepeatable}")),
        false => Ok(Some(unrepeatable)),
    }
}
