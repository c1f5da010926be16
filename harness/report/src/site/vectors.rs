//! The pages of vectors: each vector with the results of all specifications and engines.

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use super::{ResultRow, host_cell};
use urlstrata_harness::explain::{Explainer, Explanation, Group};
use urlstrata_harness::knowledge::dated::ranges;
use urlstrata_harness::vector::Suite;
use urlstrata_harness::world::World;

/// The vectors of a file.
#[derive(Serialize)]
pub(crate) struct VectorPage {
    /// The name of the page in addresses.
    pub slug: String,
    /// The id of the file.
    id: String,
    /// The title of the section.
    pub title: String,
    specification: String,
    section: String,
    rows: Vec<VectorRow>,
}

/// A vector with its results.
#[derive(Serialize)]
pub(crate) struct VectorRow {
    name: String,
    note: Option<String>,
    base: String,
    reference: String,
    groups: Vec<ResultRow>,
    /// The number of different hosts.
    hosts: usize,
    why: Vec<WhyRow>,
}

/// A rule by which two specifications differ on a pair.
#[derive(Serialize)]
struct WhyRow {
    older: &'static str,
    newer: &'static str,
    /// The name of the rule or setting.
    name: String,
    question: String,
    from: String,
    to: String,
}

impl VectorRow {
    /// Creates the row of a vector from the explanation of its pair.
    pub(super) fn of(name: &str, note: Option<&str>, explanation: &Explanation) -> Self {
        let mut hosts: Vec<_> = explanation.groups.iter().filter_map(|group| group.location.as_ref()).collect();
        hosts.sort_unstable();
        hosts.dedup();
        // The reasons of failures are in the words of each engine, so failures are one result.
        let mut groups: Vec<(&Group, Vec<&str>)> = Vec::new();
        for group in &explanation.groups {
            let is_same = |other: &Group| other.outcome.url().is_none() && other.outcome.is_like(&group.outcome);
            let by = group.by.iter().map(String::as_str);
            match groups.iter_mut().find(|(other, _)| is_same(other)) {
                Some((_, names)) => names.extend(by),
                None => groups.push((group, by.collect())),
            }
        }
        let group = |(group, by): (&Group, Vec<&str>)| ResultRow {
            outcome: Value::from(Serde(&group.outcome)),
            host: host_cell(group.location.as_ref()),
            by: ranges(by),
        };
        let why = explanation.changes.iter().flat_map(|change| {
            change.notes.iter().map(|note| WhyRow {
                older: change.older,
                newer: change.newer,
                name: note.name.split('=').next().unwrap_or_default().to_owned(),
                question: note.question.clone(),
                from: note.from.to_string(),
                to: note.to.to_string(),
            })
        });
        Self {
            name: name.to_owned(),
            note: note.map(str::to_owned),
            base: explanation.base.clone(),
            reference: explanation.reference.clone(),
            groups: groups.into_iter().map(group).collect(),
            hosts: hosts.len(),
            why: why.collect(),
        }
    }
}

impl VectorPage {
    /// Returns the pages of all vectors about the resolution of a reference.
    pub(crate) fn all(world: &World, suite: &Suite) -> Vec<Self> {
        let mut explainer = Explainer::new(world, &[]);
        let mut pages = Vec::new();
        for file in &suite.files {
            let mut rows = Vec::new();
            for vector in &file.content.vectors {
                let Some(case) = vector.resolution() else { continue };
                let explanation = explainer.explain(&case.base, &case.reference);
                rows.push(VectorRow::of(&vector.name, vector.note.as_deref(), &explanation));
            }
            if rows.is_empty() {
                continue;
            }
            let source = &file.content.source;
            pages.push(Self {
                slug: file.id.replace('/', "-"),
                id: file.id.clone(),
                title: source.title.clone(),
                specification: source.specification.clone(),
                section: source.section.clone(),
                rows,
            });
        }
        pages
    }
}
