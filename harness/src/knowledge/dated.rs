//! The dated states of the URL Standard: as ranges of names, and the changes between them.

use std::collections::BTreeSet;

use serde::Serialize;
use urlstrata::revision::Revision;
use urlstrata::revision::whatwg::{self, CHANGES, Change, ChangeSet, REVISIONS};

use super::specification::Specification;
use crate::behaviour::{Behaviour, Trait, traits_unlike};

/// The prefix of the ids of the URL Standard's revisions.
const PREFIX: &str = "whatwg-";

/// A change of the URL Standard, in words.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct ChangeNote {
    /// The short hash of the commit in the repository of the Standard.
    pub commit: &'static str,
    /// The day on which the commit landed, as in `2020-09-30`.
    pub date: &'static str,
    /// What the Standard describes since then.
    pub sentence: &'static str,
}

impl From<&'static Change> for ChangeNote {
    fn from(change: &'static Change) -> Self {
        Self { commit: change.commit, date: change.date, sentence: change.sentence }
    }
}

impl ChangeNote {
    /// Returns the day in words: `30 Sep 2020`.
    pub fn day(&self) -> String {
        day(self.date)
    }
}

/// Returns a date such as `2020-09-30` in words: `30 Sep 2020`.
pub fn day(date: &str) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut parts = date.split('-').map(|part| part.parse::<usize>().unwrap_or(0));
    let [year, month, day] = [0; 3].map(|_| parts.next().unwrap_or(0));
    format!("{day} {} {year}", month.checked_sub(1).and_then(|month| MONTHS.get(month)).unwrap_or(&"?"))
}

/// The state of the URL Standard that an engine follows, and the changes that it does not follow.
#[derive(Clone, Debug, Serialize)]
pub struct Followed {
    /// The name of the state, with its date: `URL Standard of 28 January 2022`.
    pub specification: &'static str,
    /// Changes until that state: parts of the engine that are older.
    pub older: Vec<NotFollowed>,
    /// Changes after that state.
    pub later: Vec<NotFollowed>,
    /// The names of the other differences from the state.
    pub own: Vec<String>,
}

/// A change of the URL Standard that an engine does not follow.
#[derive(Clone, Debug, Serialize)]
pub struct NotFollowed {
    /// The change.
    pub change: ChangeNote,
    /// The names of the differences that show it.
    pub names: Vec<String>,
}

impl Followed {
    /// Compares an engine's behaviour with its nearest specification and with the newest state of the Standard.
    ///
    /// Returns `None` if the nearest specification is not a state of the URL Standard.
    pub fn of(nearest: &Specification, behaviour: &Behaviour) -> Option<Self> {
        let landed = whatwg::changes_of(nearest.revision)?;
        let older = not_followed(behaviour, landed);
        let is_later = |own: &NotFollowed| older.iter().all(|older| older.change.commit != own.change.commit);
        let later = not_followed(behaviour, ChangeSet::ALL).into_iter().filter(is_later).collect();
        let of_older: BTreeSet<&String> = older.iter().flat_map(|older| &older.names).collect();
        let names: BTreeSet<String> = traits_unlike(behaviour, nearest.behaviour()).iter().map(Trait::name).collect();
        let own = names.into_iter().filter(|name| !of_older.contains(name)).collect();
        Some(Self { specification: nearest.revision.specification, older, later, own })
    }
}

/// Returns the changes in `landed` that `behaviour` does not follow, in the order in which they landed: it has a trait that
/// the state with these changes has only without the change.
pub fn not_followed(behaviour: &Behaviour, landed: ChangeSet) -> Vec<NotFollowed> {
    let state = Behaviour::url_standard(landed);
    let own = traits_unlike(behaviour, &state);
    let is_landed = |change: &&'static Change| landed.contains(change);
    let mut found = Vec::new();
    for change in CHANGES.iter().filter(is_landed) {
        let without = traits_unlike(&Behaviour::url_standard(landed.without(change)), &state);
        let names: BTreeSet<String> = without.intersection(&own).map(Trait::name).collect();
        if !names.is_empty() {
            found.push(NotFollowed { change: change.into(), names: names.into_iter().collect() });
        }
    }
    found
}

/// Returns `ids` with consecutive states of the URL Standard as one range: `whatwg 2014-12 to 2020-08`.
///
/// All states together are `whatwg`. The order of the other ids is kept.
pub fn ranges<'a>(ids: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let position = |id: &str| REVISIONS.iter().position(|(revision, _)| revision.id == id);
    let mut names = Vec::new();
    let mut run: Option<(usize, usize)> = None;
    for id in ids {
        match (position(id), run) {
            (Some(index), Some((first, last))) if index == last + 1 => run = Some((first, index)),
            (found, _) => {
                names.extend(run.take().map(range));
                match found {
                    Some(index) => run = Some((index, index)),
                    None => names.push(id.to_owned()),
                }
            }
        }
    }
    names.extend(run.map(range));
    names
}

fn range((first, last): (usize, usize)) -> String {
    let [from, to] = [first, last].map(|index| REVISIONS[index].0.id);
    match (first, last) {
        _ if first == last => from.to_owned(),
        (0, last) if last + 1 == REVISIONS.len() => PREFIX.trim_end_matches('-').to_owned(),
        _ => format!("whatwg {} to {}", from.trim_start_matches(PREFIX), to.trim_start_matches(PREFIX)),
    }
}

/// How a dated state of the URL Standard came to have what an earlier one does not have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Introduced {
    /// By this change, after the state before it.
    By(&'static Change),
    /// Before the first state, whose earlier texts are not part of this project.
    Before,
}

/// Returns how `state` came to have what `record` returns for its changes, and the state before it does not have. `None` if it is not a state
/// of the URL Standard, or if the state before it has the same.
pub fn introduced<T: PartialEq>(state: &Revision, record: impl Fn(ChangeSet) -> T) -> Option<Introduced> {
    let index = REVISIONS.iter().position(|(own, _)| own.id == state.id)?;
    let Some(&(_, mut landed)) = index.checked_sub(1).map(|before| &REVISIONS[before]) else {
        return Some(Introduced::Before);
    };
    let own = record(REVISIONS[index].1);
    if record(landed) == own {
        return None;
    }
    // A change is searched that has it, while the text before that change does not.
    let mut changes: Vec<&'static Change> = REVISIONS[index].1.difference(landed).collect();
    while changes.len() > 1 {
        let later = changes.split_off(changes.len() / 2);
        let middle = changes.iter().fold(landed, |landed, change| landed.with(change));
        if record(middle) != own {
            (landed, changes) = (middle, later);
        }
    }
    changes.first().copied().map(Introduced::By)
}

/// Returns whether a change alters the result of its witness. The others correct the text, or say what the steps before them are taken to
/// mean; the changes before the first dated state are part of every state.
pub fn alters_results(change: &'static Change) -> bool {
    let index = CHANGES.iter().position(|own| own == change).unwrap_or_default();
    let is_first = REVISIONS.first().is_some_and(|(_, landed)| landed.contains(change));
    is_first
        || change.witness.is_some_and(|(base, reference)| {
            let [before, after] = [index, index + 1]
                .map(|count| whatwg::resolve(ChangeSet::until(count), base, reference).map(|target| target.url).ok());
            before != after
        })
}

/// Returns the changes of the URL Standard after `older` and until `newer` at which the result of the pair changes, in
/// the order in which they landed.
///
/// Returns no changes if one of the revisions is not a state of the URL Standard.
pub fn changes(older: &Revision, newer: &Revision, base: &str, reference: &str) -> Vec<ChangeNote> {
    let [Some(from), Some(to)] = [older, newer].map(whatwg::changes_of) else { return Vec::new() };
    let result = |landed| whatwg::resolve(landed, base, reference).map(|target| target.url).ok();
    let mut landed = from;
    let mut before = result(landed);
    let mut found = Vec::new();
    for change in to.difference(from) {
        landed = landed.with(change);
        let after = result(landed);
        if after != before {
            found.push(change.into());
        }
        before = after;
    }
    found
}
