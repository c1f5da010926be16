//! What all libraries state about the same URLs: the URLs about which they state the most different hosts.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::confusion::{Kind, Severity, minimal};
use super::urls::{STRANGER, TRUSTED};
use crate::engine::locate::{REJECTED, Statement};
use crate::engine::{Engine, ask_all_parts};
use crate::outcome::location::Location;
use crate::outcome::{Components, Outcome};

/// What engines state about the URLs of [`super::urls::panel`].
#[derive(Clone, Debug, Serialize)]
pub struct StatementSurvey {
    /// The number of engines that state components.
    pub engines: usize,
    /// The number of URLs.
    pub urls: usize,
    /// The number of URLs about which at least two engines each state different hosts.
    pub confusing: usize,
    /// A URL for each kind of difference: for each severity, those first with which a list of allowed hosts can be passed, and then
    /// those about which the most engines differ from the majority.
    pub rows: Vec<ConfusingUrl>,
}

/// A URL about which engines state different schemes or hosts.
#[derive(Clone, Debug, Serialize)]
pub struct ConfusingUrl {
    /// How they differ at worst.
    pub severity: Severity,
    /// The URL.
    pub url: String,
    /// The distinct answers, the most frequent one first.
    pub answers: Vec<StatedLocation>,
}

/// Those that state the same scheme, host and port.
#[derive(Clone, Debug, Serialize)]
pub struct StatedLocation {
    /// The scheme, host and port, or `rejected`.
    pub location: String,
    /// The names of the engines.
    pub by: Vec<String>,
}

/// The smallest number of engines whose statement counts as an answer: a library on its own is not a convention.
const FEWEST: usize = 2;

impl StatementSurvey {
    /// Asks those of `engines` that state components about each URL. Checks, which have the components from another library, are left
    /// out. At most `most` URLs of each severity are kept.
    pub fn of(engines: &[&dyn Engine], most: usize) -> Self {
        let panel = super::urls::panel();
        let urls: Vec<&str> = panel.urls().iter().map(String::as_str).collect();
        let engines: Vec<&dyn Engine> = engines.iter().copied().filter(|engine| engine.states()).collect();
        let all = engines.par_iter().map(|engine| (*engine, ask_all_parts(*engine, &urls))).collect::<Vec<_>>();
        let (engines, stated): (Vec<_>, Vec<Vec<Components>>) = all.into_iter().filter(|(_, of)| !is_check(of)).unzip();
        let answers = (0..urls.len()).into_par_iter().map(|number| {
            let of_one = stated.iter().map(|of| Statement::new(of[number].clone()));
            answers(engines.iter().map(|engine| engine.name()).zip(of_one))
        });
        let answers: Vec<Vec<(Option<Location>, Vec<String>)>> = answers.collect();
        // A URL that passes a list matters more than one with the same severity that does not.
        let mut kinds: BTreeMap<Kind<(Severity, bool)>, (usize, usize)> = BTreeMap::new();
        let mut confusing = 0;
        for (number, url) in urls.iter().enumerate() {
            let Some(severity) = worst(&answers[number]) else { continue };
            confusing += usize::from(severity <= Severity::Delimited);
            Kind::of((severity, !passes(&answers[number])), url, None).add(&mut kinds, number, panel.urls());
        }
        let mut found = minimal(kinds, panel.urls());
        let differing = |number: usize| answers[number].iter().skip(1).map(|(_, by)| by.len()).sum::<usize>();
        found.sort_by_key(|(weight, number, _)| {
            (*weight, !urls[*number].starts_with("http"), std::cmp::Reverse(differing(*number)), *number)
        });
        let mut rows: Vec<ConfusingUrl> = Vec::new();
        for ((severity, _), number, _) in found {
            if rows.iter().filter(|row| row.severity == severity).count() < most {
                let shown = |(location, by): &(Option<Location>, Vec<String>)| StatedLocation {
                    location: location.as_ref().map_or_else(|| REJECTED.to_owned(), Location::to_string),
                    by: by.clone(),
                };
                let answers = answers[number].iter().map(shown).collect();
                rows.push(ConfusingUrl { severity, url: urls[number].to_owned(), answers });
            }
        }
        Self { engines: engines.len(), urls: urls.len(), confusing, rows }
    }
}

/// Returns whether an engine states whether it allows a host: it is a check, and its components are those of another library.
fn is_check(statements: &[Components]) -> bool {
    let mut parts = statements.iter().flatten().flatten();
    parts.any(|(name, _)| matches!(name.as_str(), "allowed" | "private"))
}

/// Groups statements by location in one notation. A rejection has no location, and an engine that did not answer is left out.
fn answers<'a>(statements: impl Iterator<Item = (&'a str, Statement)>) -> Vec<(Option<Location>, Vec<String>)> {
    let mut groups: BTreeMap<Option<Location>, Vec<String>> = BTreeMap::new();
    for (name, statement) in statements {
        let location = match (statement.location, statement.instead) {
            (Some(location), _) => Some(location),
            (None, Some(Outcome::Failure(_))) => None,
            _ => continue,
        };
        groups.entry(location).or_default().push(name.to_owned());
    }
    let mut joined: BTreeMap<Option<Location>, Vec<String>> = BTreeMap::new();
    for (location, by) in groups {
        joined.entry(location.map(|location| location.in_one_notation())).or_default().extend(by);
    }
    let mut answers: Vec<_> = joined.into_iter().collect();
    answers.iter_mut().for_each(|(_, by)| by.sort());
    answers.sort_by_key(|(location, by)| (std::cmp::Reverse(by.len()), location.clone()));
    answers
}

/// Returns whether a list that allows one of the two hosts of the panel can be passed: at least two engines state either.
fn passes(answers: &[(Option<Location>, Vec<String>)]) -> bool {
    [TRUSTED, STRANGER].iter().all(|host| {
        answers.iter().any(|(location, by)| {
            by.len() >= FEWEST && location.as_ref().is_some_and(|it| it.host.as_deref() == Some(host))
        })
    })
}

/// Returns how the answers differ at worst; `None` if they differ in neither the host nor a scheme that runs code.
fn worst(answers: &[(Option<Location>, Vec<String>)]) -> Option<Severity> {
    let usual: Vec<&Location> =
        answers.iter().filter(|(_, by)| by.len() >= FEWEST).filter_map(|(location, _)| location.as_ref()).collect();
    let pairs = usual.iter().enumerate().flat_map(|(at, one)| usual[at + 1..].iter().map(move |other| (one, other)));
    let found = pairs.filter_map(|(one, other)| Severity::of_locations(one, other)).min();
    found.filter(|severity| *severity <= Severity::Scheme)
}
