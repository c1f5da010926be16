//! The components that two engines state about the same URLs, and where two clients connect for them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::confusion::{Kind, rank, reduced, statement_urls};
use crate::engine::locate::{IN_REQUEST, Statement, is_hidden, same_name};
use crate::engine::statement::redirected;
use crate::engine::{Engine, ask_urls};
use crate::knowledge::attribute::Effect;
use crate::knowledge::note::Note;
use crate::knowledge::stepped::StatingPair;
use crate::outcome::location::Location;
use crate::outcome::{Components, Outcome};
use crate::protocol::Op;

/// The URLs about which two engines state different components, or for which two clients do different things.
#[derive(Clone, Debug, Serialize)]
pub struct StatedDifferences {
    /// The operation that asked the question: `parse`, `connect` or `follow`.
    pub op: &'static str,
    /// The number of URLs that both answered.
    pub urls: usize,
    /// The number of URLs that one of them did not answer.
    pub unanswered: usize,
    /// The number of answered URLs about which they state different components, or which only one of them rejects, as far as these are counted.
    pub different: usize,
    /// The components that only the first engine states, and those that only the second one does. They are not compared.
    #[serde(skip_serializing_if = "lacks_nothing")]
    pub not_compared: [Vec<&'static str>; 2],
    /// A URL for each kind of difference, the most consequential component first.
    pub kinds: Vec<StatedDifference>,
    /// The number of URLs of kinds that are not listed: they only add characters to those of a listed kind, with the same change.
    pub combined: usize,
}

fn lacks_nothing(not_compared: &[Vec<&'static str>; 2]) -> bool {
    not_compared.iter().all(Vec::is_empty)
}

/// A kind of difference between two statements, with its smallest URL.
#[derive(Clone, Debug, Serialize)]
pub struct StatedDifference {
    /// The first component that differs, or `accepted` if only one of the two rejects the URL.
    pub part: &'static str,
    /// The number of URLs of this kind.
    pub count: usize,
    /// More URLs of this kind, small ones first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
    /// The URL; the location of a redirect if the question is where clients go.
    pub url: String,
    /// The URL whose response redirects; empty for the other questions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub base: String,
    /// The statement of the first engine.
    pub one: Statement,
    /// The statement of the second engine.
    pub other: Statement,
    /// Why they differ, if the steps of both state components. The first side of each note is the first engine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// The components that are compared, the most consequential one first.
const PARTS: [&str; 23] = [
    "host",
    "allowed",
    "private",
    "address",
    "requested",
    "scheme",
    "port",
    "credentials",
    "userinfo",
    "user",
    "password",
    "authority",
    "tls",
    "field",
    "accepted",
    "path",
    "target",
    "query",
    "fragment",
    "method",
    "names",
    "also",
    "unseen",
];

/// What [`compare_components`] asks, and what it lists.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The question: [`Op::Parse`], [`Op::Connect`] or [`Op::Follow`].
    pub op: Op,
    /// The URLs, or the redirects as [`redirect`](crate::engine::statement::redirect) writes them. By default, they are [`statement_urls`], or
    /// the URLs or redirects of the panel.
    pub given: Option<&'a [String]>,
    /// Whether an absent component differs from an empty one, and a host from one with other letters.
    pub is_exact: bool,
    /// The most URLs that are listed of each kind, besides the first. With any, kinds are listed, too, that only add characters to another one.
    pub examples: usize,
    /// The effects that are counted and listed; all if there are none. The effect of a difference is that of the first component that differs.
    pub only: &'a [Effect],
}

impl Comparison<'_> {
    /// The comparison on the panel by its smallest URLs, in which an absent component equals an empty one.
    pub fn of(op: Op) -> Self {
        Self { op, given: None, is_exact: false, examples: 0, only: &[] }
    }

    /// Returns whether a difference is counted whose first component is that with this index in [`PARTS`].
    fn counts(&self, part: usize) -> bool {
        self.only.is_empty() || effect(PARTS[part]).is_some_and(|effect| self.only.contains(&effect))
    }
}

/// Returns the effect of a difference in a part; `None` if it is not about a component of a URL.
fn effect(part: &str) -> Option<Effect> {
    Some(match part {
        "host" | "address" | "requested" | "authority" | "names" => Effect::Host,
        "userinfo" | "user" | "password" => Effect::Credentials,
        "target" => Effect::Path,
        _ => return Effect::ALL.into_iter().find(|effect| effect.word() == part),
    })
}

/// Compares what two engines state about URLs, or what two clients do for URLs or redirects.
///
/// What a client did not do, such as to send credentials, is a part without a value. Requests are not compared if one of them was hidden in TLS.
///
/// A component is compared if both engines state it. If the comparison is not exact, a component that one engine states to be absent equals an
/// empty one of the other, because many libraries cannot tell these apart, and hosts are compared in lower case, with brackets around
/// IPv6 addresses, also if an engine states only the authority.
///
/// If the steps of both answer the question, `steps`, a kind has one cause. Otherwise its URLs have the same unusual characters.
pub fn compare_components(
    comparison: Comparison<'_>,
    one: &dyn Engine,
    other: &dyn Engine,
    steps: Option<&StatingPair>,
) -> StatedDifferences {
    let Comparison { op, given, is_exact, examples, .. } = comparison;
    let urls = given.map(<[String]>::to_vec).unwrap_or_else(|| match op {
        Op::Resolve | Op::Parse => statement_urls(one, other),
        Op::Connect => super::urls::panel().urls().to_vec(),
        Op::Follow => super::redirects::panel().urls().to_vec(),
    });
    let borrowed: Vec<&str> = urls.iter().map(String::as_str).collect();
    let [stated, restated] = [one, other].map(|engine| ask_urls(engine, op, &borrowed));
    let is_answer = |statement: &Components| matches!(statement, Ok(_) | Err(Outcome::Failure(_)));
    // A component that changes, and, if only one of them rejects the URL, whether it is the first one.
    let mut kinds: BTreeMap<Kind<(usize, bool)>, (usize, usize)> = BTreeMap::new();
    let mut members: BTreeMap<Kind<(usize, bool)>, Vec<usize>> = BTreeMap::new();
    let (mut answered, mut different) = (0, 0);
    for number in 0..urls.len() {
        if !is_answer(&stated[number]) || !is_answer(&restated[number]) {
            continue;
        }
        answered += 1;
        let part = differing(op, &stated[number], &restated[number], is_exact);
        let Some(part) = part.filter(|part| comparison.counts(*part)) else { continue };
        different += 1;
        let steps = steps.map(|steps| (steps, [&stated[number], &restated[number]]));
        let kind = Kind::of((part, stated[number].is_err()), &urls[number], steps);
        if examples > 0 {
            members.entry(kind.clone()).or_default().push(number);
        }
        kind.add(&mut kinds, number, &urls);
    }
    let shown = |(kind, (number, count)): (Kind<(usize, bool)>, (usize, usize))| {
        let mut others: Vec<&str> =
            members.get(&kind).into_iter().flatten().map(|other| urls[*other].as_str()).collect();
        others.retain(|url| *url != urls[number]);
        others.sort_by_key(|url| rank(url));
        let part = kind.weight.0;
        let redirect = redirected(&urls[number]).filter(|_| op == Op::Follow);
        let (base, url) = redirect.unwrap_or(("", &urls[number]));
        StatedDifference {
            part: PARTS[part],
            count,
            examples: others.into_iter().take(examples).map(str::to_owned).collect(),
            url: url.to_owned(),
            base: base.to_owned(),
            one: Statement { source: one.source_of(op, &urls[number]), ..Statement::new(stated[number].clone()) },
            other: Statement { source: other.source_of(op, &urls[number]), ..Statement::new(restated[number].clone()) },
            notes: steps.map_or_else(Vec::new, |steps| steps.notes(url, [&stated[number], &restated[number]])),
        }
    };
    let kinds: Vec<_> =
        reduced(kinds, &urls, |part, own| examples == 0 && part == own).into_iter().map(shown).collect();
    let combined = different - kinds.iter().map(|kind| kind.count).sum::<usize>();
    StatedDifferences {
        op: op.name(),
        urls: answered,
        unanswered: urls.len() - answered,
        different,
        not_compared: not_compared(op, [&stated, &restated]),
        kinds,
        combined,
    }
}

/// Returns for each side the components that it states and the other one never does. What a client did not do is known.
fn not_compared(op: Op, sides: [&[Components]; 2]) -> [Vec<&'static str>; 2] {
    let stated = sides.map(|statements| {
        let names = statements.iter().flatten().flatten().map(|(name, _)| name.as_str());
        let names: BTreeSet<&str> = names.collect();
        PARTS.into_iter().filter(|part| op == Op::Parse && names.contains(part)).collect::<Vec<_>>()
    });
    // A host is also part of an authority.
    let is_stated =
        |side: usize, part: &str| stated[side].iter().any(|own| *own == part || part == "host" && *own == "authority");
    let is_silent = |side: usize| stated[side].is_empty();
    [0, 1].map(|side| {
        let own = stated[side].iter().filter(|part| !is_silent(1 - side) && !is_stated(1 - side, part));
        own.copied().collect()
    })
}

/// Returns the first part in which two answers differ; `None` if they are alike, or one is missing.
pub(super) fn differing_part(op: Op, one: &Components, other: &Components) -> Option<&'static str> {
    let is_answer = |statement: &Components| matches!(statement, Ok(_) | Err(Outcome::Failure(_)));
    let is_answered = is_answer(one) && is_answer(other);
    is_answered.then(|| differing(op, one, other, false)).flatten().map(|part| PARTS[part])
}

/// Returns the index in [`PARTS`] of the first part in which two statements differ.
fn differing(op: Op, one: &Components, other: &Components, is_exact: bool) -> Option<usize> {
    let (Ok(one), Ok(other)) = (one, other) else {
        let is_one = one.is_ok() != other.is_ok();
        return PARTS.iter().position(|part| is_one && *part == "accepted");
    };
    let value = |parts: &[(String, Option<String>)], name: &str| {
        let found = parts.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
        // A library that states the authority only states a host, too.
        let in_authority = || Some(Location::of_components(parts)?.host);
        let found = match op {
            // What was not observed did not happen.
            Op::Connect | Op::Follow if name == "host" => Some(found.flatten().map(|host| same_name(&host))),
            Op::Connect | Op::Follow => Some(found.flatten()),
            _ if name == "host" && !is_exact => in_authority(),
            _ => found,
        };
        found.map(|value| if is_exact { value } else { value.or(Some(String::new())) })
    };
    let is_seen = |part: &str| !IN_REQUEST.contains(&part) || !is_hidden(one) && !is_hidden(other);
    PARTS.iter().position(|part| {
        let [one, other] = [one, other].map(|parts| value(parts, part));
        is_seen(part) && one.is_some() && other.is_some() && one != other
    })
}
