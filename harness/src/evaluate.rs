//! Results of revisions, grammars and character classes, compared with each other and in words.

pub mod characters;
pub mod grammar;
pub mod scheme;

use urlstrata::fast::{self, Undefined};
use urlstrata::rules::Rules;
use urlstrata::{Meaning, Resolution};

/// Whether the optimized engine under `rules` returns the same as a reference implementation, including the meaning. `out` is the
/// target URL of the engine.
pub fn agrees(rules: &Rules, base: &str, reference: &str, by_steps: &Resolution, out: &mut String) -> bool {
    out.clear();
    let meaning = fast::resolve_with_meaning_into(rules, base, reference, out);
    is_same_result(by_steps, meaning, out)
}

/// Whether `meaning` and the target URL `target` are what a reference implementation returned.
pub fn is_same_result(by_steps: &Resolution, meaning: Result<Meaning, Undefined>, target: &str) -> bool {
    match (by_steps, meaning) {
        (Ok(own), Ok(meaning)) => own.url == target && own.meaning == meaning,
        (Err(rejection), Err(undefined)) => rejection.is_same_document() == undefined.same_document,
        _ => false,
    }
}

/// Whether the target is the document that contains the reference, whether its URL is defined or not.
pub fn is_same_document(resolution: &Resolution) -> bool {
    match resolution {
        Ok(target) => target.meaning == Meaning::SameDocument,
        Err(rejection) => rejection.is_same_document(),
    }
}
