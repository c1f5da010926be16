//! The components that two engines state about the same URLs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::confusion::{Kind, minimal, statement_urls};
use crate::engine::locate::Statement;
use crate::engine::{Engine, ask_all_parts};
use crate::outcome::location::Location;
use crate::outcome::{Components, Outcome};

/// The URLs about which two engines state different components.
#[derive(Clone, Debug, Serialize)]
pub struct StatedDifferences {
    /// The number of URLs that both answered.
    pub urls: usize,
    /// The number of these about which they state different components, or which only one of them rejects.
    pub different: usize,
    /// A URL for each kind of difference, the most consequential component first.
    pub kinds: Vec<StatedDifference>,
}

/// A kind of difference between two statements, with its smallest URL.
#[derive(Clone, Debug, Serialize)]
pub struct StatedDifference {
    /// The first component that differs, or `accepted` if only one of the two rejects the URL.
    pub part: &'static str,
    /// The number of URLs of this kind.
    pub count: usize,
    /// The URL.
    pub url: String,
    /// The statement of the first engine.
    pub one: Statement,
    /// The statement of the second engine.
    pub other: Statement,
}

/// The components that are compared, the most consequential one first.
const PARTS: [&str; 11] =
    ["host", "scheme", "port", "userinfo", "user", "password", "authority", "accepted", "path", "query", "fragment"];

/// Compares what two engines state about [`statement_urls`].
///
/// A component is compared if both engines state it. If `is_exact` is false, a component that one engine states to be absent equals an
/// empty one of the other, because many libraries cannot tell these apart, and hosts are compared in lower case, with brackets around
/// IPv6 addresses, also if an engine states only the authority.
pub fn compare_components(one: &dyn Engine, other: &dyn Engine, is_exact: bool) -> StatedDifferences {
    let urls = statement_urls(one, other);
    let borrowed: Vec<&str> = urls.iter().map(String::as_str).collect();
    let [stated, restated] = [one, other].map(|engine| ask_all_parts(engine, &borrowed));
    let is_answer = |statement: &Components| matches!(statement, Ok(_) | Err(Outcome::Failure(_)));
    let mut kinds: BTreeMap<Kind<usize>, (usize, usize)> = BTreeMap::new();
    let (mut answered, mut different) = (0, 0);
    for number in 0..urls.len() {
        if !is_answer(&stated[number]) || !is_answer(&restated[number]) {
            continue;
        }
        answered += 1;
        let Some(part) = differing(&stated[number], &restated[number], is_exact) else { continue };
        different += 1;
        Kind::of(part, &urls[number]).add(&mut kinds, number, &urls);
    }
    let shown = |(part, number, count): (usize, usize, usize)| StatedDifference {
        part: PARTS[part],
        count,
        url: urls[number].clone(),
        one: Statement::new(stated[number].clone()),
        other: Statement::new(restated[number].clone()),
    };
    let kinds = minimal(kinds, &urls).into_iter().map(shown).collect();
    StatedDifferences { urls: answered, different, kinds }
}

/// Returns the index in [`PARTS`] of the first part in which two statements differ.
fn differing(one: &Components, other: &Components, is_exact: bool) -> Option<usize> {
    let (Ok(one), Ok(other)) = (one, other) else {
        let is_one = one.is_ok() != other.is_ok();
        return PARTS.iter().position(|part| is_one && *part == "accepted");
    };
    let value = |parts: &[(String, Option<String>)], name: &str| {
        let found = parts.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
        // A library that states the authority only states a host, too.
        let in_authority = || Some(Location::of_components(parts)?.host);
        let found = if name == "host" && !is_exact { in_authority() } else { found };
        found.map(|value| if is_exact { value } else { value.or(Some(String::new())) })
    };
    PARTS.iter().position(|part| {
        let [one, other] = [one, other].map(|parts| value(parts, part));
        one.is_some() && other.is_some() && one != other
    })
}
