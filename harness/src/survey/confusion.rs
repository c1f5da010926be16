//! Host confusion: the pairs for which two engines see different hosts, by cause.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use percent_encoding::percent_decode_str;
use rayon::prelude::*;
use serde::Serialize;
use urlstrata::revision::whatwg;

use crate::engine::locate::{HostAnswer, Locator};
use crate::engine::{Engine, Source, ask, ask_all};
use crate::knowledge::attribute::{Cause, EnginePair};
use crate::knowledge::note::Note;
use crate::knowledge::shrink::{shorter, smallest};
use crate::outcome::Outcome;
use crate::outcome::location::Location;
use crate::pairs::bases::Rank;
use crate::pairs::{confusing, generate::RandomPairs};
use crate::protocol::Op;

pub mod matrix;
mod stated;

pub(super) use stated::{Kind, minimal, rank, reduced, tokens};
pub use stated::{compare_each_statement, compare_statements, statement_urls};

/// How the locations that two engines see differ. The variants are ordered, worst first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Both give a host, and these differ.
    Hosts,
    /// Both give a host, these differ, and one of them contains a delimiter of URLs: a check of its beginning or end is passed.
    Delimited,
    /// Both give the same IPv4 address, at least one of them in another notation than four decimal numbers. A list of forbidden
    /// addresses does not find it.
    Address,
    /// Only one of the schemes runs code, or reads a file.
    Scheme,
    /// The fetcher sends a user or a password, and the checker states none.
    Credentials,
    /// Only one of them gives a host.
    OneHost,
    /// They give the same host in two spellings, such as `a` and `%61`.
    Spelling,
    /// They give the same host with different schemes or ports.
    Ports,
    /// Only one of them accepts the URL.
    Accepted,
}

impl Severity {
    /// Returns how two results differ; `None` if their schemes, hosts and ports are equal, or neither is a URL.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlstrata_harness::outcome::Outcome;
    /// use urlstrata_harness::survey::confusion::Severity;
    ///
    /// let url = |url: &str| Outcome::Url(url.to_owned());
    /// assert_eq!(Severity::of(&url("http://a/"), &url("http://b/")), Some(Severity::Hosts));
    /// assert_eq!(Severity::of(&url("http://0/"), &url("http://0.0.0.0/")), Some(Severity::Address));
    /// assert_eq!(Severity::of(&url("http://a/x"), &url("http://a:80/y")), None);
    /// ```
    pub fn of(one: &Outcome, other: &Outcome) -> Option<Self> {
        match (one, other) {
            (Outcome::Url(one), Outcome::Url(other)) => Self::of_locations(&Location::of(one), &Location::of(other)),
            (Outcome::Url(_), Outcome::Failure(_)) | (Outcome::Failure(_), Outcome::Url(_)) => Some(Self::Accepted),
            _ => None,
        }
    }

    /// Returns how two locations differ; `None` if they are equal.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlstrata_harness::outcome::location::Location;
    /// use urlstrata_harness::survey::confusion::Severity;
    ///
    /// let severity = |one: &str, other: &str| Severity::of_locations(&Location::of(one), &Location::of(other));
    /// assert_eq!(severity("http://0177.1/", "http://127.0.0.1/"), Some(Severity::Address));
    /// assert_eq!(severity("javascript://a/", "http://a/"), Some(Severity::Scheme));
    /// ```
    pub fn of_locations(one: &Location, other: &Location) -> Option<Self> {
        let locations = [one, other];
        let runs = locations.map(|location| {
            let runs = |scheme: &str| matches!(scheme, "javascript" | "vbscript" | "data" | "file" | "jar");
            location.scheme.as_deref().is_some_and(runs)
        });
        if runs[0] != runs[1] {
            return Some(Self::Scheme);
        }
        let hosts = locations.each_ref().map(|location| location.host.as_deref().unwrap_or_default());
        match hosts {
            [one, other] if one == other => (locations[0] != locations[1]
                && locations[0].host.is_some() == locations[1].host.is_some())
            .then_some(Self::Ports),
            ["", _] | [_, ""] => Some(Self::OneHost),
            [one, other] => {
                let [one, other] = [one, other].map(normalized);
                match one.parse::<Ipv4Addr>() {
                    _ if one != other && (is_delimited(&one) || is_delimited(&other)) => Some(Self::Delimited),
                    _ if one != other => Some(Self::Hosts),
                    Ok(_) => Some(Self::Address),
                    Err(_) => Some(Self::Spelling),
                }
            }
        }
    }

    /// Returns the difference in words.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Hosts => "different hosts",
            Self::Delimited => "different hosts with a delimiter in one of them",
            Self::Address => "one IPv4 address in two notations",
            Self::Scheme => "a scheme that runs code or reads a file on one side only",
            Self::Credentials => "credentials that are sent, and not stated",
            Self::OneHost => "only one gives a host",
            Self::Spelling => "one host in two spellings",
            Self::Ports => "different schemes or ports",
            Self::Accepted => "only one accepts the URL",
        }
    }
}

/// Returns whether an engine was not asked, or did not answer in time.
fn is_unanswered(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Skipped(_) | Outcome::Timeout(_))
}

/// Returns `host` as the newest state of the URL Standard writes it. If that rejects it, or the host contains a delimiter of hosts,
/// percent-encoded bytes are decoded.
///
/// # Examples
///
/// ```
/// use urlstrata_harness::survey::confusion::normalized;
///
/// assert_eq!(normalized("EX%61mple"), "example");
/// assert_eq!(normalized(r"evil.test\ok.example"), r"evil.test\ok.example");
/// ```
pub fn normalized(host: &str) -> String {
    if is_normal(host) {
        return host.to_owned();
    }
    let resolved = match is_delimited(host) {
        false => whatwg::NEWEST.resolve("", &format!("http://{host}/")).ok(),
        true => None,
    };
    let decoded = || percent_decode_str(host).decode_utf8_lossy().into_owned();
    resolved.and_then(|target| Location::of(&target.url).host).unwrap_or_else(decoded)
}

/// Returns whether a host contains a delimiter of URLs; a colon is one outside brackets.
fn is_delimited(host: &str) -> bool {
    host.contains(['/', '\\', '?', '#', '@']) || host.contains(':') && !host.starts_with('[')
}

/// Returns whether the URL Standard writes `host` as it is, because it has only small letters, digits, hyphens and single dots, its
/// last label begins with a letter, and no label may be encoded.
fn is_normal(host: &str) -> bool {
    let mut labels = host.split('.');
    let is_label = |label: &str| {
        label.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
            && !label.is_empty()
            && label.as_bytes().get(2..4) != Some(b"--")
            && label.len() < 64
    };
    let is_letter_first = |label: &str| label.starts_with(|c: char| c.is_ascii_lowercase());
    labels.clone().next_back().is_some_and(is_letter_first) && labels.all(is_label) && host.len() < 254
}

/// The pairs or URLs for which two engines give different hosts, by cause.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Confusions {
    /// What both were asked: `parse`, what they state about a URL, or `resolve`, where the result is; `connect` if the checker was asked
    /// what it states, and the fetcher where it connects; `each` if pairs without a base were asked another question than those with one.
    pub op: &'static str,
    /// The name and version of the engine that checks URLs.
    pub checker: String,
    /// The name and version of the engine that fetches them.
    pub fetcher: String,
    /// The number of pairs.
    pub pairs: usize,
    /// The number of pairs that one of them did not answer: they are not compared.
    pub unanswered: usize,
    /// How many of these the checker and the fetcher did not answer.
    pub unanswered_by: [usize; 2],
    /// The number of pairs for which they differ, by severity, worst first.
    pub differ: BTreeMap<Severity, usize>,
    /// A pair for each cause, worst first.
    pub causes: Vec<Confusion>,
    /// The number of causes that only combine causes that are listed.
    pub combined: usize,
}

impl Confusions {
    /// Counts what was not answered. For each pair, `sides` have whether the checker and the fetcher did not answer.
    fn unanswered(mut self, sides: [impl Iterator<Item = bool>; 2]) -> Self {
        let [checker, fetcher] = sides;
        for (checker, fetcher) in checker.zip(fetcher) {
            self.unanswered += usize::from(checker || fetcher);
            self.unanswered_by[0] += usize::from(checker);
            self.unanswered_by[1] += usize::from(fetcher);
        }
        self
    }

    /// Adds what was found by another question to the same engines.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.op = "each";
        self.pairs += other.pairs;
        self.unanswered += other.unanswered;
        self.unanswered_by.iter_mut().zip(other.unanswered_by).for_each(|(own, other)| *own += other);
        self.combined += other.combined;
        other.differ.into_iter().for_each(|(severity, count)| *self.differ.entry(severity).or_default() += count);
        self.causes.extend(other.causes);
        self.causes.sort_by_key(|cause| cause.severity);
        self
    }

    /// Replaces the host name `own` with `other` in the URLs and in the statements about them.
    pub fn rename(&mut self, own: &str, other: &str) {
        for cause in &mut self.causes {
            cause.reference = cause.reference.replace(own, other);
            for answer in [&mut cause.checker, &mut cause.fetcher] {
                answer.rename(own, other);
            }
        }
    }
}

/// A cause of different hosts, with its smallest pair.
#[derive(Clone, Debug, Serialize)]
pub struct Confusion {
    /// How the locations differ.
    pub severity: Severity,
    /// The name of the cause, as returned by [`Cause::key`].
    pub cause: String,
    /// A note on each difference that is part of the cause. Each leads from the fetcher to the checker.
    pub notes: Vec<Note>,
    /// The number of pairs with this cause.
    pub count: usize,
    /// The base of the smallest pair; empty if it is unknown.
    pub base: String,
    /// The reference of the smallest pair.
    pub reference: String,
    /// Whether the behaviours of recorded engines predict the results, so that nobody has been asked.
    pub is_predicted: bool,
    /// The answer of the checker.
    pub checker: HostAnswer,
    /// The answer of the fetcher.
    pub fetcher: HostAnswer,
}

/// A pair for which two engines see different locations.
struct Found {
    severity: Severity,
    cause: Cause,
    /// Whether at least one of the engines was not asked.
    is_predicted: bool,
    index: usize,
}

/// Two engines whose locations are compared.
pub struct Couple<'e> {
    checker: Locator<'e>,
    fetcher: Locator<'e>,
    engine_pair: EnginePair,
}

impl<'e> Couple<'e> {
    /// Creates a comparison of `checker` with `fetcher`. `engine_pair` is what is known of them, in this order.
    pub fn new(checker: &'e dyn Engine, fetcher: &'e dyn Engine, engine_pair: EnginePair) -> Self {
        Self { checker: Locator::new(checker), fetcher: Locator::new(fetcher), engine_pair }
    }

    /// Returns the pairs of the search: enumerated and random ones, and those that are recorded. Pairs without a base are
    /// left out if one of the engines requires a base.
    pub fn pairs(&self) -> Vec<(String, String)> {
        const RANDOM: usize = 20_000;
        let mut random = RandomPairs::new(20);
        let enumerated = confusing::pairs().into_iter().map(|(base, reference)| (base.to_owned(), reference));
        let panels = [&self.checker, &self.fetcher].into_iter().filter_map(|it| it.engine().panel());
        let recorded = panels.flat_map(|panel| panel.pairs());
        let recorded = recorded.map(|(base, reference)| (base.to_owned(), reference.to_owned()));
        let all = enumerated.chain((0..RANDOM).map(|_| random.pair())).chain(recorded);
        let needs_base = self.checker.needs_base() || self.fetcher.needs_base();
        all.filter(|(base, _)| !needs_base || !base.is_empty()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Resolves `pairs` with both engines, and returns a pair for each cause of different hosts: the smallest one that can be derived
    /// from one of `pairs` if `shrinks` is true, and one of `pairs` otherwise.
    pub fn compare(&self, pairs: &[(String, String)], shrinks: bool) -> Confusions {
        let borrowed: Vec<_> = pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect();
        let [checked, fetched] = [&self.checker, &self.fetcher].map(|it| ask_all(it.engine(), &borrowed));
        let differing: Vec<_> = (0..pairs.len())
            .filter_map(|index| Some((Severity::of(&checked[index], &fetched[index])?, index)))
            .collect();
        let mut differ = BTreeMap::new();
        differing.iter().for_each(|(severity, _)| *differ.entry(*severity).or_default() += 1);
        let found: Vec<_> = differing
            .into_par_iter()
            .map(|(severity, index)| {
                let (base, reference) = borrowed[index];
                let cause = self.engine_pair.cause(base, reference, &checked[index], &fetched[index]);
                Found { severity, cause, is_predicted: self.is_predicted(base, reference), index }
            })
            .collect();
        let by_cause = worst_of_each(&found, &borrowed);
        let all = by_cause.len();
        let minimal = without_combinations(by_cause);
        let combined = all - minimal.len();
        let mut causes: Vec<_> =
            minimal.into_par_iter().map(|(found, count)| self.shown(found, count, &borrowed, shrinks)).collect();
        causes.sort_by(|one, other| {
            let key = |it: &Confusion| (it.severity, it.base.len() + it.reference.len());
            (key(one), &one.cause).cmp(&(key(other), &other.cause))
        });
        let title = |locator: &Locator<'_>| format!("{} {}", locator.engine().name(), locator.engine().version());
        let (checker, fetcher) = (title(&self.checker), title(&self.fetcher));
        let op = Op::Resolve.name();
        let found =
            Confusions { op, checker, fetcher, pairs: pairs.len(), differ, causes, combined, ..Confusions::default() };
        found.unanswered([&checked, &fetched].map(|outcomes| outcomes.iter().map(is_unanswered)))
    }

    /// Returns whether at least one of the engines was not asked about the pair.
    fn is_predicted(&self, base: &str, reference: &str) -> bool {
        [&self.checker, &self.fetcher].iter().any(|it| it.engine().source(base, reference) == Source::Predicted)
    }

    /// Returns the pair of `found`, or the smallest pair that can be derived from it and has the same severity and cause.
    fn shown(&self, found: &Found, count: usize, pairs: &[(&str, &str)], shrinks: bool) -> Confusion {
        let stays = |base: &str, reference: &str| {
            // Results of an engine are not replaced by predictions.
            if !found.is_predicted && self.is_predicted(base, reference) {
                return false;
            }
            let [one, other] = [&self.checker, &self.fetcher].map(|it| ask(it.engine(), base, reference));
            Severity::of(&one, &other) == Some(found.severity)
                && self.engine_pair.cause(base, reference, &one, &other).key() == found.cause.key()
        };
        let (base, reference) = pairs[found.index];
        let (base, reference) = match base {
            _ if !shrinks => (base.to_owned(), reference.to_owned()),
            // A pair without a base needs no other one.
            "" => {
                let is_as_usual = |shorter: &str| is_http("", shorter) || !is_http("", reference);
                (String::new(), shorter(reference, |shorter| is_as_usual(shorter) && stays("", shorter)))
            }
            base => smallest(base, reference, stays),
        };
        let [one, other] = [&self.checker, &self.fetcher].map(|it| ask(it.engine(), &base, &reference));
        let attribution = self.engine_pair.attribute(&base, &reference, &one, &other);
        let notes = attribution.map(|found| self.engine_pair.notes(&found, &base, &reference));
        Confusion {
            severity: found.severity,
            cause: found.cause.key(),
            notes: notes.unwrap_or_default(),
            count,
            is_predicted: found.is_predicted,
            checker: HostAnswer::Resolved(self.checker.locate(&base, &reference)),
            fetcher: HostAnswer::Resolved(self.fetcher.locate(&base, &reference)),
            base,
            reference,
        }
    }
}

/// Returns whether the scheme is `http` or `https`, which readers expect.
fn is_http(base: &str, reference: &str) -> bool {
    let absolute = if base.is_empty() { reference } else { base };
    absolute.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http"))
}

/// Returns the worst and smallest pair for each cause, with the number of pairs.
fn worst_of_each<'f>(found: &'f [Found], pairs: &[(&str, &str)]) -> Vec<(&'f Found, usize)> {
    let mut causes: BTreeMap<String, (&Found, usize)> = BTreeMap::new();
    for one in found {
        let key = |it: &Found| {
            let (base, reference) = pairs[it.index];
            let place = ["", confusing::BASE].iter().position(|own| *own == base);
            let place = (place.unwrap_or(usize::MAX), !is_http(base, reference));
            (it.severity, it.is_predicted, place, Rank::of(base, reference))
        };
        let own = causes.entry(one.cause.key()).or_insert((one, 0));
        own.1 += 1;
        if key(one) < key(own.0) {
            own.0 = one;
        }
    }
    causes.into_values().collect()
}

/// Leaves out each cause whose differences include all of another cause that is at least as severe.
fn without_combinations(causes: Vec<(&Found, usize)>) -> Vec<(&Found, usize)> {
    let names = |found: &Found| found.cause.names();
    let sets: Vec<_> = causes.iter().map(|(found, _)| (found.severity, names(found))).collect();
    let is_combined = |index: usize| {
        let (severity, own) = &sets[index];
        sets.iter().enumerate().any(|(other, (worse, part))| {
            other != index && worse <= severity && !part.is_empty() && part.len() < own.len() && part.is_subset(own)
        })
    };
    let kept: Vec<bool> = (0..causes.len()).map(|index| !is_combined(index)).collect();
    causes.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(cause, _)| cause).collect()
}
