//! Frequencies, in real links, of the differences between consecutive revisions.

use urlstrata::revision;

use crate::behaviour::Behaviour;
use crate::engine::{self, Engine};
use crate::knowledge::attribute::Model;
use crate::knowledge::specification::Specification;
use crate::pairs;
use crate::survey::comparison::Comparison;
use crate::survey::tally::Comparer;

/// Engines, each with the specifications to compare it with.
pub type Asked = Vec<(Box<dyn Engine>, Vec<Specification>)>;

/// Returns the optimized engine of each revision that defines a resolution, with the next revision.
///
/// # Errors
///
/// Returns a sentence if there is no such engine, which is an internal failure.
pub fn consecutive() -> Result<Asked, String> {
    let specifications: Vec<_> =
        revision::resolving().filter_map(|(revision, _)| Specification::of(revision)).collect();
    let of = |id: &str| engine::by_name(&format!("fast:{id}"));
    specifications.windows(2).map(|two| Ok((of(two[0].id)?, vec![two[1]]))).collect()
}

/// Compares each revision with the next one on links of documentation.
///
/// # Errors
///
/// Returns a sentence if a revision does not have an engine, which is an internal failure.
pub fn on_documentation() -> Result<Vec<Comparison>, String> {
    let asked = consecutive()?;
    let mut comparers = Vec::new();
    for (engine, specifications) in &asked {
        let model = engine.row().map(|rules| Model::of(Behaviour::of_rules(rules))).unwrap_or_default();
        comparers.push(Comparer::new(engine.as_ref(), specifications, &model));
    }
    for (base, reference) in pairs::documentation() {
        comparers.iter_mut().for_each(|comparer| drop(comparer.ask(base, reference)));
    }
    Ok(comparers.into_iter().flat_map(Comparer::finish).collect())
}
