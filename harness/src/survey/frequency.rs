//! How often each difference between two revisions shows in real links.

use urlstrata::revision;

use crate::engine::{self, Engine};
use crate::model::known::KnownEngines;
use crate::model::profile::Specification;
use crate::pairs;
use crate::survey::tally::{Comparer, Comparison};

/// Engines, each with the documents to put it beside.
pub type Asked = Vec<(Box<dyn Engine>, Vec<Specification>)>;

/// Each revision that resolves, by its optimized engine, with the next.
///
/// # Errors
///
/// A sentence, if one of them is no engine; that would be a fault of ours.
pub fn consecutive() -> Result<Asked, String> {
    let specifications: Vec<_> =
        revision::resolving().filter_map(|(revision, _)| Specification::of(revision)).collect();
    let of = |id: &str| engine::by_name(&format!("fast:{id}"));
    specifications.windows(2).map(|two| Ok((of(two[0].id)?, vec![two[1]]))).collect()
}

/// Each revision beside the next, on the links of documentation.
///
/// # Errors
///
/// A sentence, if a line is no pair.
pub fn on_documentation(known: &KnownEngines) -> Result<Vec<Comparison>, String> {
    let asked = consecutive()?;
    let profiles: Vec<_> = asked.iter().map(|(engine, _)| known.profile_of(engine.as_ref())).collect();
    let beside = asked.iter().zip(&profiles);
    let mut beside: Vec<_> = beside
        .map(|((engine, specifications), known)| Comparer::new(engine.as_ref(), specifications, known.as_ref()))
        .collect();
    for line in urlstrata_vectors::LINKS.lines() {
        let (base, reference) = pairs::split(line)?;
        beside.iter_mut().for_each(|beside| drop(beside.ask(base, reference)));
    }
    Ok(beside.into_iter().flat_map(Comparer::finish).collect())
}

#[cfg(test)]
mod tests {
    use super::on_documentation;
    use crate::model::known::KnownEngines;

    #[test]
    fn every_difference_in_documentation_has_a_cause() {
        let found = on_documentation(&KnownEngines::embedded().expect("files in order")).expect("pairs");
        assert_eq!(found.len(), 6);
        for comparison in found {
            assert_eq!(comparison.totals.cases, 5008);
            assert_eq!(comparison.totals.new_divergences(), 0, "{} beside {}", comparison.engine, comparison.beside);
        }
    }
}
