//! Results of revisions, grammars and character classes, compared with each other and in words.

pub mod characters;
pub mod grammar;
pub mod scheme;

use urlstrata::fast::{self, Undefined};
use urlstrata::rules::Rules;
use urlstrata::{Meaning, Resolution};

/// Whether the optimized engine under `rules` returns the same as a reference implementation, including the meaning. `out` is the
/// engine's target URL.
pub fn agrees(rules: &Rules, base: &str, reference: &str, by_steps: &Resolution, out: &mut String) -> bool {
    out.clear();
    let meaning = fast::resolve_with_meaning_into(rules, base, reference, out);
    says(by_steps, meaning, out)
}

/// Whether `meaning` with the target URL `written` is what a reference implementation returned.
pub fn says(by_steps: &Resolution, meaning: Result<Meaning, Undefined>, written: &str) -> bool {
    match (by_steps, meaning) {
        (Ok(target), Ok(meaning)) => target.url == written && target.meaning == meaning,
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
