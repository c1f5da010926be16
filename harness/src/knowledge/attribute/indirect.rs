//! Differences that are not a cause, although they turn one result into another.
//!
//! A fitted behaviour predicts an engine's results by settings that need not be those of its source. One difference is usually what
//! the engine does; several together often are not. Causes were compared with the sources of the engines: one difference was right
//! in 86 of 100 causes, two in 76, three in 18, and four or more in none.

use super::Model;
use crate::behaviour::{Behaviour, Difference, ParsedAlone, ROW};

/// The setting that states in which other way an engine resolves. With another value, all other settings mean something else.
const OTHER_WAY: &str = "parsed_alone";

/// Settings that select which other settings and tables are read, so that a difference of them is one of all these.
const SELECTING: [&str; 3] = ["base_form", "empty_form", "tables_used"];

/// Settings that are also read for a base which is parsed like a reference.
const DOUBLE: [&str; 2] = ["absolute_against", "dots_in_absolute"];

/// Returns whether `differences`, which turn the result of one side into that of the other, are too many or too indirect to be the
/// cause. `models` are those of the sides that are engines: one, or two that are compared with each other. `results` are those of
/// both sides.
pub(super) fn is_indirect(differences: &[Difference], models: &[&Model], results: [Option<&str>; 2]) -> bool {
    let fitted = || models.iter().filter(|model| model.is_fitted);
    if fitted().next().is_none() {
        return false;
    }
    let has = |names: &[&str]| differences.iter().any(|difference| names.contains(&difference.subject()));
    let is_of_table = |difference: &Difference| ROW.iter().all(|setting| setting.name != difference.subject());
    let resolves_otherwise = |behaviour: &Behaviour| behaviour.syntax.parsed_alone != ParsedAlone::None;
    let is_other = || fitted().filter_map(|model| model.behaviour.as_deref()).any(resolves_otherwise);
    let are_engines = models.len() > 1;
    let most = if are_engines { 2 } else { 3 };
    has(&[OTHER_WAY])
        || differences.len() > most
        || differences.iter().any(|difference| contradicts(difference, results))
        || is_other() && are_engines && (differences.iter().any(is_of_table) || results.contains(&None))
        || are_engines && (has(&SELECTING) || differences.len() > 1 && has(&DOUBLE))
}

/// Returns whether what a side of `difference` does is not what its result shows: it keeps a character that the result does not have, or
/// rejects what has a result.
pub(super) fn contradicts(difference: &Difference, results: [Option<&str>; 2]) -> bool {
    let kept = |text: &str| -> Vec<char> {
        let list = text.split("; ").find_map(|sentence| sentence.strip_prefix("Keeps `")).unwrap_or_default();
        list.split("`").filter_map(|name| name.chars().next().filter(|_| name.chars().count() == 1)).collect()
    };
    [&difference.from, &difference.to].into_iter().zip(results).any(|(sentence, result)| {
        let is_missing = |c: &char| result.is_some_and(|url| !url.contains(*c));
        result.is_some() && rejects(&sentence.text) || kept(&sentence.text).iter().any(is_missing)
    })
}

/// Returns whether a sentence of a behaviour states without a condition that the pair is rejected.
fn rejects(sentence: &str) -> bool {
    let is_rejection = |part: &str| {
        let rest =
            ["It is rejected", "The pair is rejected", "Rejects"].iter().find_map(|start| part.strip_prefix(start));
        rest.is_some_and(|rest| !["unless", " if ", " where ", " in "].iter().any(|condition| rest.contains(condition)))
    };
    sentence.split("; ").any(is_rejection)
}
