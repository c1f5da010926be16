//! Why an engine differs from a revision: which revisions say what it says, and which answers make the difference.

use serde::Serialize;
use urlstrata::fast;
use urlstrata::revision::{self, Revision};
use urlstrata::rules::{COLUMNS, Column, Rules};

use crate::engine::Outcome;

/// Longer pairs are not attributed: each trial resolves the pair again.
pub const MAX_ATTRIBUTED: usize = 1 << 20;

/// How many columns the search changes at once before it falls back on a whole row.
const MAX_SUBSET: usize = 3;

/// One answer replaced by another.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Change {
    column: usize,
    from: usize,
    to: usize,
}

impl Change {
    /// The question.
    pub fn column(&self) -> &'static Column {
        &COLUMNS[self.column]
    }

    /// What the revision answers.
    pub fn from(&self) -> &'static urlstrata::rules::Answer {
        &self.column().answers[self.from]
    }

    /// The answer that makes it say what the engine said.
    pub fn to(&self) -> &'static urlstrata::rules::Answer {
        &self.column().answers[self.to]
    }

    fn apply(self, rules: &Rules) -> Rules {
        self.column().with(rules, self.to)
    }
}

/// What explains a divergence.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Cause {
    /// Answers in which a revision that says what the engine said differs from the one asked about.
    Columns(Vec<Change>),
    /// Answers that no single revision gives together, found by trying all: they may coincide by chance.
    Search(Vec<Change>),
    /// Nothing yet.
    Unexplained(String),
}

impl Cause {
    /// Whether the divergence has a reason. One that only a search found has.
    pub fn is_explained(&self) -> bool {
        !matches!(self, Self::Unexplained(_))
    }

    /// The answers, if answers are the reason.
    pub fn changes(&self) -> &[Change] {
        match self {
            Self::Columns(changes) | Self::Search(changes) => changes,
            Self::Unexplained(_) => &[],
        }
    }

    /// A name for all divergences of this cause.
    pub fn key(&self) -> String {
        let names = |changes: &[Change]| {
            let names: Vec<_> =
                changes.iter().map(|change| format!("{}={}", change.column().name, change.to().name)).collect();
            names.join(" + ")
        };
        match self {
            Self::Columns(changes) => names(changes),
            Self::Search(changes) => format!("by search: {}", names(changes)),
            Self::Unexplained(why) => format!("unexplained: {why}"),
        }
    }
}

/// The most consequential part in which two answers differ, worst first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Another host, or none.
    Authority,
    /// Another scheme.
    Scheme,
    /// Another path.
    Path,
    /// Another query.
    Query,
    /// Another fragment.
    Fragment,
    /// The same components, spelled apart.
    Spelling,
    /// One gives a result, the other none.
    Accepted,
}

impl Effect {
    /// As a reader sees it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Authority => "authority",
            Self::Scheme => "scheme",
            Self::Path => "path",
            Self::Query => "query",
            Self::Fragment => "fragment",
            Self::Spelling => "spelling",
            Self::Accepted => "accepted or refused",
        }
    }
}

impl Effect {
    /// What two answers differ in, in a sentence.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Authority => "the authority",
            Self::Scheme => "the scheme",
            Self::Path => "the path",
            Self::Query => "the query",
            Self::Fragment => "the fragment",
            Self::Spelling => "the spelling",
            Self::Accepted => "whether there is a result",
        }
    }
}

/// In what two outcomes differ; `None` if they do not. Components are RFC 3986's.
pub fn effect(one: &Outcome, other: &Outcome) -> Option<Effect> {
    let (one, other) = match (one, other) {
        (Outcome::Url(one), Outcome::Url(other)) => (one, other),
        (Outcome::Url(_), _) | (_, Outcome::Url(_)) => return Some(Effect::Accepted),
        _ => return None,
    };
    if one == other {
        return None;
    }
    let parts = |url: &str| revision::rfc3986::REVISION.parse(url).unwrap_or_default();
    let (one, other) = (parts(one), parts(other));
    let ranked = [
        ("authority", Effect::Authority),
        ("scheme", Effect::Scheme),
        ("path", Effect::Path),
        ("query", Effect::Query),
        ("fragment", Effect::Fragment),
    ];
    let differing = ranked.into_iter().find(|(name, _)| {
        let (one, other) = (one.component(name).flatten(), other.component(name).flatten());
        if *name == "scheme" || *name == "authority" {
            one.map(str::to_lowercase) != other.map(str::to_lowercase)
        } else {
            one != other
        }
    });
    Some(differing.map_or(Effect::Spelling, |(_, effect)| effect))
}

/// A divergence and what explains it.
#[derive(Clone, Debug)]
pub struct Attribution {
    /// The revisions whose reference gives the engine's answer.
    pub signature: Vec<&'static str>,
    /// The reason.
    pub cause: Cause,
    /// The revision whose answers are the reason: of those that say the same with equally few answers changed, the
    /// one whose row is nearest.
    pub towards: Option<&'static Revision>,
    /// In what the answers differ.
    pub effect: Effect,
    /// What the revision asked about says.
    pub own: Outcome,
}

/// Whether a revision's `answer` is the same as what the engine said.
///
/// A refusal is only like another where the base is unknown: else each refuses for a reason of its own.
fn equal(base: &str, answer: &Outcome, said: &Outcome) -> bool {
    match (answer, said) {
        (Outcome::Url(one), Outcome::Url(other)) => one == other,
        (Outcome::Refused(_), Outcome::Refused(_)) => base.is_empty(),
        _ => false,
    }
}

/// Compares what an engine `said` with `revision`; `None` if they agree. Two refusals agree, whatever their reasons.
pub fn attribute(revision: &Revision, base: &str, reference: &str, said: &Outcome) -> Option<Attribution> {
    let own = Outcome::from(revision.resolve(base, reference));
    let effect = match effect(&own, said) {
        Some(effect) => effect,
        None if matches!(said, Outcome::Skipped(_) | Outcome::Crashed(_)) => Effect::Accepted,
        None => return None,
    };
    let unexplained = |why: &str| Cause::Unexplained(why.to_owned());
    let (signature, cause, towards) = match said {
        Outcome::Skipped(_) => (Vec::new(), unexplained("no answer"), None),
        Outcome::Crashed(_) => (Vec::new(), unexplained("a crash"), None),
        _ if base.len() + reference.len() > MAX_ATTRIBUTED => (Vec::new(), unexplained("too long to attribute"), None),
        _ => {
            let signature: Vec<_> = revision::resolving()
                .filter(|(candidate, _)| equal(base, &candidate.resolve(base, reference).into(), said))
                .collect();
            let found = revision.rules.and_then(|rules| search(rules, &signature, base, reference, said));
            let (cause, towards) = found.unwrap_or_else(|| (unexplained(effect.name()), None));
            (signature.iter().map(|(revision, _)| revision.id).collect(), cause, towards)
        }
    };
    Some(Attribution { signature, cause, towards, effect, own })
}

/// The smallest set of answers that turns what `rules` say into `said`, and the revision that gives them.
fn search(
    rules: &Rules,
    signature: &[(&'static Revision, &'static Rules)],
    base: &str,
    reference: &str,
    said: &Outcome,
) -> Option<(Cause, Option<&'static Revision>)> {
    let mut out = String::new();
    let mut explains = |changes: &[Change]| {
        let changed = changes.iter().fold(*rules, |rules, change| change.apply(&rules));
        match (fast::resolve(&changed, base, reference, &mut out), said) {
            (Ok(_), Outcome::Url(url)) => out == *url,
            (Err(_), Outcome::Refused(_)) => base.is_empty(),
            _ => false,
        }
    };
    // Towards each revision that says the same, the nearest row first: only answers in which that one differs.
    let mut towards: Vec<_> = signature.iter().map(|&(other, row)| (other, changes_between(rules, row))).collect();
    towards.sort_by_key(|(_, changes)| changes.len());
    let mut best: Option<(&'static Revision, Vec<Change>)> = None;
    for (other, changes) in towards {
        let fewest = best.as_ref().map_or(usize::MAX, |(_, best)| best.len());
        let found = smallest(&changes, MAX_SUBSET.min(fewest.saturating_sub(1)), &mut explains)
            .or_else(|| (fewest > MAX_SUBSET).then(|| minimized(changes, &mut explains)))
            .filter(|changes| changes.len() < fewest);
        best = found.map(|changes| (other, changes)).or(best);
    }
    if let Some((towards, changes)) = best {
        return Some((Cause::Columns(changes), Some(towards)));
    }
    let every = COLUMNS.iter().enumerate().flat_map(|(column, answers)| {
        let from = answers.index(rules);
        (0..answers.answers.len()).filter(move |&to| to != from).map(move |to| Change { column, from, to })
    });
    smallest(&every.collect::<Vec<_>>(), 2, &mut explains).map(|changes| (Cause::Search(changes), None))
}

/// The smallest set of answers in which two revisions differ that turns what `older` says into what `newer` says;
/// empty if they say the same.
pub fn between(older: &Rules, newer: &Rules, base: &str, reference: &str) -> Vec<Change> {
    let mut out = String::new();
    let mut say = |rules: &Rules| {
        let meaning = fast::resolve(rules, base, reference, &mut out);
        meaning.map(|_| out.clone()).map_err(|_| ())
    };
    let wanted = say(newer);
    if say(older) == wanted {
        return Vec::new();
    }
    let mut explains =
        |changes: &[Change]| say(&changes.iter().fold(*older, |rules, change| change.apply(&rules))) == wanted;
    let changes = changes_between(older, newer);
    smallest(&changes, MAX_SUBSET, &mut explains).unwrap_or_else(|| minimized(changes, &mut explains))
}

/// The answers in which two rows differ.
pub fn changes_between(rules: &Rules, other: &Rules) -> Vec<Change> {
    let columns = COLUMNS.iter().enumerate();
    columns
        .map(|(column, answers)| Change { column, from: answers.index(rules), to: answers.index(other) })
        .filter(|change| change.from != change.to)
        .collect()
}

/// The first of the smallest subsets of `changes` that explains, up to `limit` of them, one answer a column.
fn smallest(changes: &[Change], limit: usize, explains: &mut impl FnMut(&[Change]) -> bool) -> Option<Vec<Change>> {
    fn extend(
        changes: &[Change],
        size: usize,
        chosen: &mut Vec<Change>,
        explains: &mut impl FnMut(&[Change]) -> bool,
    ) -> bool {
        if size == 0 {
            return explains(chosen);
        }
        for (index, change) in changes.iter().enumerate() {
            if chosen.last().is_some_and(|last| last.column == change.column) {
                continue;
            }
            chosen.push(*change);
            if extend(&changes[index + 1..], size - 1, chosen, explains) {
                return true;
            }
            chosen.pop();
        }
        false
    }
    (1..=limit.min(changes.len())).find_map(|size| {
        let mut chosen = Vec::new();
        extend(changes, size, &mut chosen, explains).then_some(chosen)
    })
}

/// All of `changes` but for those that can be left out one after the other.
fn minimized(mut changes: Vec<Change>, explains: &mut impl FnMut(&[Change]) -> bool) -> Vec<Change> {
    let mut index = 0;
    while index < changes.len() {
        let left_out = changes.remove(index);
        if !explains(&changes) {
            changes.insert(index, left_out);
            index += 1;
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::{Cause, Effect, attribute, effect};
    use crate::engine::{Outcome, by_name};
    use urlstrata::revision;

    fn caused(engine: &str, revision: &str, base: &str, reference: &str) -> (Vec<&'static str>, Cause, Effect) {
        let said = by_name(engine).expect("an engine").resolve(base, reference);
        let revision = revision::by_id(revision).expect("a revision");
        let found = attribute(revision, base, reference, &said).expect("a divergence");
        (found.signature, found.cause, found.effect)
    }

    fn columns(cause: &Cause) -> Vec<&'static str> {
        cause.changes().iter().map(|change| change.column().name).collect()
    }

    #[test]
    fn a_query_only_reference_is_explained_by_one_column() {
        let (signature, cause, effect) = caused("ref:rfc1808", "rfc2396", "http://a/b/c/d;p?q", "?y");
        assert_eq!(signature, ["rfc1808", "draft-1996", "rfc3986", "rfc3986-nonstrict"]);
        assert_eq!(columns(&cause), ["query_only"]);
        assert_eq!(effect, Effect::Path);
    }

    #[test]
    fn of_equally_small_reasons_the_nearest_revision_gives_it() {
        let said = by_name("crate:url").expect("an engine").resolve("non-spec:/p", "/.//path");
        let found = attribute(&revision::rfc3986::REVISION, "non-spec:/p", "/.//path", &said).expect("a divergence");
        assert_eq!(found.towards.map(|revision| revision.id), Some("rfc2396"));
        assert_eq!(columns(&found.cause), ["dots_in_rooted_path"]);
    }

    #[test]
    fn two_columns_are_found_together_and_no_third() {
        let (_, cause, _) = caused("ref:rfc1808", "rfc3986", "http://a/b", "../../g#");
        assert_eq!(columns(&cause), ["empty_fragment", "excess"]);
    }

    #[test]
    fn what_no_row_says_is_unexplained() {
        let said = Outcome::Url("http://elsewhere/".to_owned());
        let found = attribute(&revision::rfc3986::REVISION, "http://a/b", "g", &said).expect("a divergence");
        assert!(found.signature.is_empty() && !found.cause.is_explained());
        assert_eq!(found.effect, Effect::Authority);
    }

    #[test]
    fn two_refusals_are_alike_only_under_an_unknown_base() {
        let said = Outcome::Refused("empty host".to_owned());
        let found = attribute(&revision::rfc3986::REVISION, "http://a/b", "///x", &said).expect("a divergence");
        assert!(found.signature.is_empty(), "{:?}", found.signature);
        assert!(attribute(&revision::rfc3986::REVISION, "", "x", &said).is_none());
    }

    #[test]
    fn a_lie_a_crash_and_silence_are_told_apart() {
        for (outcome, why) in [
            (Outcome::Crashed("boom".to_owned()), "unexplained: a crash"),
            (Outcome::Skipped("later".to_owned()), "unexplained: no answer"),
        ] {
            let found = attribute(&revision::rfc3986::REVISION, "http://a/b", "g", &outcome).expect("a divergence");
            assert_eq!(found.cause.key(), why);
        }
    }

    #[test]
    fn the_worst_effect_counts() {
        let url = |url: &str| Outcome::Url(url.to_owned());
        assert_eq!(effect(&url("http://a/b?c"), &url("http://x/y?z")), Some(Effect::Authority));
        assert_eq!(effect(&url("http://a/b#c"), &url("http://a/b#d")), Some(Effect::Fragment));
        assert_eq!(effect(&url("http://a/"), &url("HTTP://A/")), Some(Effect::Spelling));
        assert_eq!(effect(&url("http://a/"), &url("http://a/")), None);
    }
}
