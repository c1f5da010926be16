//! Comparison of results: of revisions, grammars and character classes, with each other and in words.

pub mod characters;
pub mod grammar;
pub mod scheme;

use urlstrata::fast::{self, Undefined};
use urlstrata::rules::Rules;
use urlstrata::{Meaning, Resolution};

/// Returns whether the optimized engine and the reference implementation have the same result, including the meaning.
///
/// `by_steps` is the result of the reference implementation. The optimized engine resolves the pair under `rules` and
/// writes its target URL to `out`, which is cleared first.
pub fn agrees(rules: &Rules, base: &str, reference: &str, by_steps: &Resolution, out: &mut String) -> bool {
    out.clear();
    let meaning = fast::resolve_with_meaning_into(rules, base, reference, out);
    is_same_result(by_steps, meaning, out)
}

/// Returns whether `meaning` and the URL `target` are the result `by_steps` of a reference implementation.
pub fn is_same_result(by_steps: &Resolution, meaning: Result<Meaning, Undefined>, target: &str) -> bool {
    match (by_steps, meaning) {
        (Ok(own), Ok(meaning)) => own.url == target && own.meaning == meaning,
        (Err(rejection), Err(undefined)) => rejection.is_same_document() == undefined.same_document,
        _ => false,
    }
}

/// Returns whether the target is the document that contains the reference. This can be known even if its URL is
/// undefined.
pub fn is_same_document(resolution: &Resolution) -> bool {
    match resolution {
        Ok(target) => target.meaning == Meaning::SameDocument,
        Err(rejection) => rejection.is_same_document(),
    }
}
