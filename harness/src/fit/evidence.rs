//! Evidence that an engine cannot be described by a behaviour.

use std::collections::BTreeMap;

use super::{Answer, Asker, Pair};
use crate::escape::visible;

/// The number of pairs that are asked again.
const REPEATED: usize = 2_000;

/// Of this many results, at least one must be another URL than the most frequent one.
const ALIKE: usize = 50;

/// Returns why a behaviour cannot describe the engine that `asker` asked, with an example; `None` if it can.
///
/// `again` answers pairs like the engine, best in a fresh process. It is asked some of the pairs again in another order.
/// An engine is refused that rejects all pairs, returns nearly always the same URL, or answers otherwise when it is asked
/// again.
pub fn refusal(asker: &Asker<'_>, mut again: impl FnMut(&[Pair]) -> Vec<Answer>) -> Option<String> {
    let asked = asker.sorted();
    let count = asked.len();
    let mut urls: BTreeMap<&str, usize> = BTreeMap::new();
    for url in asked.iter().filter_map(|(_, answer)| answer.as_deref()) {
        *urls.entry(url).or_default() += 1;
    }
    let results: usize = urls.values().sum();
    let Some((url, most)) = urls.into_iter().max_by_key(|(url, times)| (*times, std::cmp::Reverse(*url))) else {
        return Some(format!("it rejects all of {count} pairs"));
    };
    if (results - most) * ALIKE < results {
        return Some(format!("it returns \"{}\" for {most} of the {results} pairs that it accepts", visible(url)));
    }
    let mut repeated: Vec<(&Pair, &Answer)> = asked.iter().step_by(count.div_ceil(REPEATED)).copied().collect();
    repeated.reverse();
    let pairs: Vec<Pair> = repeated.iter().map(|(pair, _)| (*pair).clone()).collect();
    let answers = again(&pairs);
    let mut differing = repeated.iter().zip(&answers).filter(|((_, before), now)| before != now);
    let ((pair, before), now) = differing.next()?;
    let [before, now] = [before, &now]
        .map(|answer| answer.as_ref().map_or("a failure".to_owned(), |url| format!("\"{}\"", visible(url))));
    Some(format!(
        "it is not deterministic: {} of {} pairs have another result when they are asked again in another order, for \
         example \"{}\" on \"{}\": {before}, then {now}",
        differing.count() + 1,
        pairs.len(),
        visible(&pair.1),
        visible(&pair.0),
    ))
}
