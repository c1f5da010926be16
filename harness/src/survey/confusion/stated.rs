//! What two engines state about the same URLs, and what one states and the other connects to.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Confusion, Confusions, Severity, is_unanswered};
use crate::engine::locate::{HostAnswer, Statement, Visit};
use crate::engine::{Engine, Source, ask_all_parts, ask_urls};
use crate::knowledge::stepped::{StatingPair, Stepped};
use crate::outcome::location::Location;
use crate::outcome::{Components, Outcome};
use crate::protocol::Op;
use crate::survey::urls::{STRANGER, TRUSTED};

impl Confusions {
    /// Adds to each difference its cause by the steps of the checker and the fetcher, if both have steps for what they were asked. The first
    /// side of each note is the fetcher.
    #[must_use]
    pub fn explained(mut self, [checker, fetcher]: [Option<Stepped>; 2]) -> Self {
        let op = Op::ALL.into_iter().find(|op| op.name() == self.op).filter(|op| matches!(op, Op::Parse | Op::Connect));
        if let Some(steps) = op.and_then(|op| StatingPair::asked([fetcher, checker], [op, Op::Parse])) {
            self.causes.par_iter_mut().for_each(|it| {
                let [fetched, checked] = [&it.fetcher, &it.checker].map(HostAnswer::components);
                it.notes = steps.notes(&it.reference, [&fetched, &checked]);
            });
        }
        self
    }
}

/// Compares as [`compare_statements`] does, but returns every URL that differs, and not the smallest one of each kind.
pub fn compare_each_statement(
    op: Op,
    checker: &dyn Engine,
    fetcher: &dyn Engine,
    urls: &[String],
    is_shown: &dyn Fn(&Statement, &Statement) -> bool,
) -> Confusions {
    compare(op, [checker, fetcher], urls, is_shown, |number| vec![number.to_string()])
}

/// Returns the URLs on which the statements of two engines are compared: those of the panel, and more if both answer about any
/// URL. A client takes too long for these.
pub fn statement_urls(one: &dyn Engine, other: &dyn Engine) -> Vec<String> {
    let mut urls = crate::survey::urls::panel().urls().to_vec();
    if [one, other].iter().all(|engine| engine.states_every_url()) {
        urls.extend(crate::survey::urls::generated());
    }
    urls
}

/// Compares what `checker` and `fetcher` state about `urls`, and returns the smallest URL for each kind of difference. If `op` is
/// [`Op::Connect`], the fetcher is asked where it connects instead.
///
/// The kind of a difference is its severity with the characters of the URL that are neither part of a name nor usual. A kind that only
/// adds characters to another one, and is not more severe, is left out. Why the two differ is not known: their statements are
/// compared, not their algorithms.
///
/// Only URLs for which `is_shown` returns `true` for the statements of the checker and the fetcher are compared.
pub fn compare_statements(
    op: Op,
    checker: &dyn Engine,
    fetcher: &dyn Engine,
    urls: &[String],
    is_shown: &dyn Fn(&Statement, &Statement) -> bool,
) -> Confusions {
    compare(op, [checker, fetcher], urls, is_shown, |number| tokens(&urls[number]))
}

/// Returns where a client connects as a statement, with `scheme`: a connection has none of its own.
fn connection(visit: &Visit, scheme: Option<String>) -> Statement {
    let location = visit.location.clone().map(|location| Location {
        scheme,
        host: location.host.map(|host| host.to_lowercase()),
        ..location
    });
    Statement { location, instead: visit.instead.clone(), parts: visit.parts.clone(), source: visit.source }
}

/// Returns whether a client sends credentials, and the checker states neither a user nor a password.
fn sends_unstated(checked: &Statement, visit: &Visit) -> bool {
    let is_stated = |(name, value): &(String, Option<String>)| {
        matches!(name.as_str(), "user" | "password" | "userinfo") && value.as_deref().is_some_and(|it| !it.is_empty())
    };
    let is_known = checked.parts.iter().any(|(name, _)| matches!(name.as_str(), "user" | "userinfo"));
    visit.part("credentials").is_some() && is_known && !checked.parts.iter().any(is_stated)
}

fn compare(
    op: Op,
    [checker, fetcher]: [&dyn Engine; 2],
    urls: &[String],
    is_shown: &dyn Fn(&Statement, &Statement) -> bool,
    tokens_of: impl Fn(usize) -> Vec<String>,
) -> Confusions {
    let borrowed: Vec<&str> = urls.iter().map(String::as_str).collect();
    let state = |engine: &dyn Engine| -> Vec<Statement> {
        let answers = ask_all_parts(engine, &borrowed).into_iter().zip(&borrowed);
        let source = |url: &str| engine.source_of(Op::Parse, url);
        answers.map(|(answer, url)| Statement { source: source(url), ..Statement::new(answer) }).collect()
    };
    let checked: Vec<Statement> = state(checker).into_iter().map(as_checked).collect();
    let visits: Vec<Visit> = match op {
        Op::Connect => {
            let visit =
                |(answer, url): (Components, &&str)| Visit { source: fetcher.source_of(op, url), ..Visit::new(answer) };
            ask_urls(fetcher, op, &borrowed).into_iter().zip(&borrowed).map(visit).collect()
        }
        _ => Vec::new(),
    };
    let fetched = match op {
        Op::Connect => {
            let scheme = |checked: &Statement| checked.location.as_ref().and_then(|it| it.scheme.clone());
            visits.iter().zip(&checked).map(|(visit, checked)| connection(visit, scheme(checked))).collect()
        }
        _ => state(fetcher),
    };
    // Of equal severity, kinds that lead from one host of the URL to another one matter more: no other kind hides them.
    let mut kinds: BTreeMap<Kind<(Severity, bool)>, (usize, usize)> = BTreeMap::new();
    let mut differ: BTreeMap<Severity, usize> = BTreeMap::new();
    for number in 0..urls.len() {
        let both = (&checked[number], &fetched[number]);
        let unstated = visits.get(number).filter(|visit| sends_unstated(both.0, visit)).map(|_| Severity::Credentials);
        // The smaller one matters more.
        let of_both = match op {
            Op::Connect => severity(&as_connected(both.0), &as_connected(both.1)),
            _ => severity(both.0, both.1),
        };
        let severity = of_both.into_iter().chain(unstated).min();
        let Some(severity) = severity.filter(|_| is_shown(both.0, both.1)) else { continue };
        *differ.entry(severity).or_default() += 1;
        let weight = (severity, !leads_elsewhere(&urls[number], both.0, both.1));
        Kind { weight, tokens: tokens_of(number) }.add(&mut kinds, number, urls);
    }
    let kinds = without_twins(kinds);
    let all = kinds.len();
    let cause = |((severity, _), number, count): ((Severity, bool), usize, usize)| Confusion {
        severity,
        cause: tokens(&urls[number]).join(" "),
        notes: Vec::new(),
        count,
        base: String::new(),
        reference: urls[number].clone(),
        is_predicted: [&checked[number], &fetched[number]].iter().any(|it| it.source == Source::Predicted),
        checker: HostAnswer::Stated(checked[number].clone()),
        fetcher: match visits.get(number) {
            Some(visit) => HostAnswer::Connected(visit.clone()),
            None => HostAnswer::Stated(fetched[number].clone()),
        },
    };
    let causes: Vec<_> = minimal(kinds, urls).into_iter().map(cause).collect();
    let combined = all - causes.len();
    let title = |engine: &dyn Engine| format!("{} {}", engine.name(), engine.version());
    let (checker, fetcher) = (title(checker), title(fetcher));
    let is_missing = |statement: &Statement| statement.instead.as_ref().is_some_and(is_unanswered);
    let (op, pairs) = (op.name(), urls.len());
    let found = Confusions { op, checker, fetcher, pairs, differ, causes, combined, ..Confusions::default() };
    found.unanswered([&checked, &fetched].map(|statements| statements.iter().map(is_missing)))
}

/// Returns whether two statements have different hosts that `url` both contains. A host that is a part of the other one does not count.
fn leads_elsewhere(url: &str, one: &Statement, other: &Statement) -> bool {
    let host = |statement: &Statement| statement.location.as_ref().and_then(|it| it.host.clone()).unwrap_or_default();
    let [one, other] = [one, other].map(host);
    let is_in = |part: &str, whole: &str| part.is_empty() || whole.contains(part);
    !is_in(&one, &other) && !is_in(&other, &one) && is_in(&one, url) && is_in(&other, url)
}

/// Counts kinds that do not lead from one host of the URL to another one with those of the same characters that do.
fn without_twins(
    mut kinds: BTreeMap<Kind<(Severity, bool)>, (usize, usize)>,
) -> BTreeMap<Kind<(Severity, bool)>, (usize, usize)> {
    let leading: Vec<_> = kinds.keys().filter(|kind| !kind.weight.1).cloned().collect();
    for kind in leading {
        let twin = Kind { weight: (kind.weight.0, true), tokens: kind.tokens.clone() };
        let count = kinds.remove(&twin).map_or(0, |(_, count)| count);
        if let Some(own) = kinds.get_mut(&kind) {
            own.1 += count;
        }
    }
    kinds
}

/// A kind of difference: how much it matters, and its cause, or else the characters of the URL that are neither part of a name nor usual.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(in crate::survey) struct Kind<W> {
    /// How much it matters: less is more.
    pub(in crate::survey) weight: W,
    tokens: Vec<String>,
}

impl<W: Copy + Ord> Kind<W> {
    /// Returns the kind of a difference about `url`: its cause if the steps of both sides are known, with what they state. Smaller weights
    /// matter more.
    pub(in crate::survey) fn of(weight: W, url: &str, steps: Option<(&StatingPair, [&Components; 2])>) -> Self {
        let key = steps.map(|(steps, stated)| steps.key(url, stated)).filter(|key| !key.is_empty());
        Self { weight, tokens: key.map_or_else(|| tokens(url), |key| vec![key]) }
    }

    /// Counts URL `number` of `urls` in `kinds`, whose values are the smallest URL of the kind and the number of URLs.
    pub(in crate::survey) fn add(self, kinds: &mut BTreeMap<Self, (usize, usize)>, number: usize, urls: &[String]) {
        let kind = kinds.entry(self).or_insert((number, 0));
        kind.1 += 1;
        if rank(&urls[number]) < rank(&urls[kind.0]) {
            kind.0 = number;
        }
    }
}

/// Returns the weight, the smallest URL and the number of URLs of each kind, except those that only add characters to another kind and
/// do not matter more. Those that matter most come first, then small URLs.
pub(in crate::survey) fn minimal<W: Copy + Ord>(
    kinds: BTreeMap<Kind<W>, (usize, usize)>,
    urls: &[String],
) -> Vec<(W, usize, usize)> {
    let kept = reduced(kinds, urls, |part, own| part <= own);
    kept.into_iter().map(|(kind, (number, count))| (kind.weight, number, count)).collect()
}

/// Returns each kind with its smallest URL and the number of its URLs, in the order of [`minimal`], except those that only add characters to
/// another kind whose weight `hides` theirs.
pub(in crate::survey) fn reduced<W: Copy + Ord>(
    kinds: BTreeMap<Kind<W>, (usize, usize)>,
    urls: &[String],
    hides: impl Fn(W, W) -> bool,
) -> Vec<(Kind<W>, (usize, usize))> {
    let mut all: Vec<_> = kinds.into_iter().collect();
    all.sort_by_key(|(kind, _)| (kind.tokens.len(), kind.weight));
    let mut kept: Vec<(Kind<W>, (usize, usize))> = Vec::new();
    for (own, counted) in all {
        let is_combined = |(part, _): &(Kind<W>, _)| {
            // A URL without unusual characters is a kind of its own, and part of no other one.
            let is_shorter = !part.tokens.is_empty() && part.tokens.len() < own.tokens.len();
            hides(part.weight, own.weight) && is_shorter && is_part(&part.tokens, &own.tokens)
        };
        if !kept.iter().any(is_combined) {
            kept.push((own, counted));
        }
    }
    kept.sort_by(|(one, (number, _)), (other, (compared, _))| {
        (one.weight, rank(&urls[*number])).cmp(&(other.weight, rank(&urls[*compared])))
    });
    kept
}

/// Returns the statement of a checker: a URL that it does not let pass is rejected, and without a verdict it has no answer.
fn as_checked(statement: Statement) -> Statement {
    if statement.is_undecided() {
        let why = Outcome::Skipped("its verdict is not predicted".to_owned());
        return Statement { location: None, instead: Some(why), ..statement };
    }
    match statement.verdict().filter(|_| statement.is_refused()).map(|(name, value)| format!("{name}: {value}")) {
        Some(verdict) => Statement { location: None, instead: Some(Outcome::Failure(verdict)), ..statement },
        None => statement,
    }
}

/// Returns `statement` for a comparison with a connection: a name server is asked without the last dot of a name.
fn as_connected(statement: &Statement) -> Statement {
    let location = statement.location.clone().map(|location| {
        let dotless = |host: String| host.strip_suffix('.').map(str::to_owned).unwrap_or(host);
        Location { host: location.host.map(dotless), ..location }
    });
    Statement { location, ..statement.clone() }
}

/// Returns how two statements differ; `None` if they give the same location, or if an engine did not answer. A scheme or a port of which
/// one side says nothing, not even that it is absent, does not differ.
fn severity(one: &Statement, other: &Statement) -> Option<Severity> {
    let is_rejected = |statement: &Statement| matches!(statement.instead, Some(Outcome::Failure(_)));
    let beside = |own: &Statement, location: &Location, other: &Location| {
        let states = |names: &[&str]| own.parts.iter().any(|(name, _)| names.contains(&name.as_str()));
        let has_port = states(&["port", "authority", "netloc", "net_loc", "server"]);
        Location {
            scheme: if states(&["scheme", "protocol"]) { location.scheme.clone() } else { other.scheme.clone() },
            host: location.host.clone(),
            port: if has_port { location.port.clone() } else { other.port.clone() },
        }
    };
    match (&one.location, &other.location) {
        (Some(left), Some(right)) => Severity::of_locations(&beside(one, left, right), &beside(other, right, left)),
        (Some(_), None) if is_rejected(other) => Some(Severity::Accepted),
        (None, Some(_)) if is_rejected(one) => Some(Severity::Accepted),
        _ => None,
    }
}

/// Returns the sort key of a URL: those with a host that checks accept and one that they reject come first, then short ones.
pub(in crate::survey) fn rank(url: &str) -> (bool, bool, usize, &str) {
    (!(url.contains(TRUSTED) && url.contains(STRANGER)), !url.starts_with("http"), url.len(), url)
}

/// Returns whether the elements of `part` occur in `all` in the same order.
fn is_part(part: &[String], all: &[String]) -> bool {
    let mut rest = all.iter();
    part.iter().all(|own| rest.any(|other| other == own))
}

/// Returns the parts of a URL that are neither names nor usual: a scheme other than http, delimiters and escapes.
pub(in crate::survey) fn tokens(url: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let rest = match url.strip_prefix("http://") {
        Some(rest) => rest,
        None => match url.split_once("://") {
            Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                // Other web schemes differ from http in nothing, and unknown schemes in nothing from each other.
                match scheme.to_ascii_lowercase().as_str() {
                    "http" | "https" | "ws" | "wss" | "ftp" => {}
                    own @ ("file" | "javascript" | "data") => tokens.push(format!("{own}:")),
                    _ => tokens.push("other:".to_owned()),
                }
                rest
            }
            _ => url,
        },
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let mut at = 0;
    while let Some(c) = rest[at..].chars().next() {
        let escape =
            rest.get(at..at + 3).filter(|text| c == '%' && text[1..].bytes().all(|byte| byte.is_ascii_hexdigit()));
        let length = escape.map_or(c.len_utf8(), str::len);
        let byte = escape.and_then(|escape| u8::from_str_radix(&escape[1..], 16).ok());
        let token = match byte {
            // An escape of a letter is one kind, whichever letter it is.
            Some(byte) if byte.is_ascii_alphanumeric() => "%61".to_owned(),
            _ => crate::escape::visible(&rest[at..at + length]).to_ascii_lowercase(),
        };
        // Digits are tokens in an address, but not in a name.
        let is_name =
            c.is_ascii_alphabetic() || c == '.' || (c.is_ascii_digit() && tokens.last().is_some_and(|own| own == "0"));
        if !is_name {
            tokens.push(if c.is_ascii_digit() { "0".to_owned() } else { token });
        }
        at += length;
    }
    tokens
}
