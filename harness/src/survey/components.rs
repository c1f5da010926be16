//! The components that two engines state about the same URLs, and where two clients connect for them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::confusion::{Kind, rank, reduced, statement_urls};
use crate::engine::locate::{Statement, same_name};
use crate::engine::statement::redirected;
use crate::engine::{Engine, ask_urls};
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
    /// The number of answered URLs about which they state different components, or which only one of them rejects.
    pub different: usize,
    /// A URL for each kind of difference, the most consequential component first.
    pub kinds: Vec<StatedDifference>,
    /// The number of URLs of kinds that are not listed: they only add characters to those of a listed kind, with the same change.
    pub combined: usize,
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

/// Compares what two engines state about `given`, or what two clients do for these URLs or redirects, each as
/// [`redirect`](crate::engine::statement::redirect) writes it. If nothing is given, they are [`statement_urls`], or the URLs or redirects of
/// the panel.
///
/// What a client did not do, such as to send credentials, is a part without a value.
///
/// A component is compared if both engines state it. If `is_exact` is false, a component that one engine states to be absent equals an
/// empty one of the other, because many libraries cannot tell these apart, and hosts are compared in lower case, with brackets around
/// IPv6 addresses, also if an engine states only the authority.
///
/// If the steps of both answer the question, `steps`, a kind has one cause. Otherwise its URLs have the same unusual characters. Up to `examples`
/// more URLs of each kind are listed, and then also kinds that only add characters to another one.
pub fn compare_components(
    op: Op,
    one: &dyn Engine,
    other: &dyn Engine,
    given: Option<Vec<String>>,
    steps: Option<&StatingPair>,
    is_exact: bool,
    examples: usize,
) -> StatedDifferences {
    let urls = given.unwrap_or_else(|| match op {
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
        let Some(part) = differing(op, &stated[number], &restated[number], is_exact) else { continue };
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
    StatedDifferences { op: op.name(), urls: answered, unanswered: urls.len() - answered, different, kinds, combined }
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
    PARTS.iter().position(|part| {
        let [one, other] = [one, other].map(|parts| value(parts, part));
        one.is_some() && other.is_some() && one != other
    })
}
