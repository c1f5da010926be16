//! Evaluation of vectors: does each revision return what they expect?

pub mod characters;
pub mod context;
pub mod coverage;
pub mod document;
pub mod grammar;
pub mod scheme;

use urlstrata::fast::{self, Undefined};
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;
use urlstrata::{Meaning, Resolution};

use crate::unique_map::UniqueMap;
use crate::vector::{Expected, PartValue, Vector, VectorFile};

/// Whether revision `id` says what `vector` expects of it: its reference, and the optimized engine under its row.
///
/// # Errors
///
/// What each said instead, with the steps that led to it.
pub fn verify(file: &VectorFile, vector: &Vector, id: &str) -> Result<(), String> {
    let Some(revision) = revision::by_id(id) else { return Ok(()) };
    if let (Some(reference), Some(expected)) = (&vector.reference, vector.expect.0.get(id)) {
        let base = file.base_of(vector);
        verify_resolution(revision, base, reference, expected)?;
    }
    if let (Some(url), Some(expected)) = (&vector.url, vector.parts.0.get(id)) {
        verify_parts(revision, url, expected)?;
    }
    if let (Some(production), Some(expected)) = (&vector.production, vector.derives.0.get(id)) {
        grammar::verify(id, production, expected)?;
    }
    if let (Some(text), Some(expected)) = (&vector.text, vector.finds.0.get(id)) {
        context::verify(id, text, expected)?;
    }
    if let (Some(document), Some(expected)) = (&vector.document, vector.holds.0.get(id)) {
        document::verify(id, vector, document, expected)?;
    }
    scheme::verify(vector, revision)?;
    characters::verify(vector, id)?;
    Ok(())
}

fn verify_resolution(revision: &Revision, base: &str, reference: &str, expected: &Expected) -> Result<(), String> {
    let (by_steps, trace) = revision.resolve_traced(base, reference);
    let fits = match (expected, &by_steps) {
        (Expected::Url { url, same_document }, Ok(target)) => {
            *url == target.url && same_document.is_none_or(|expected| expected == is_same_document(&by_steps))
        }
        (Expected::Failure, Err(_)) => true,
        _ => false,
    };
    if !fits {
        let steps: Vec<_> =
            trace.entries().iter().map(|entry| format!("  {:<18} {}", entry.label, entry.state)).collect();
        return Err(format!(
            "{} says {by_steps:?} of {reference:?} on {base:?}, expected {expected:?}\n{}",
            revision.id,
            steps.join("\n")
        ));
    }
    let Some(rules) = revision.rules else { return Ok(()) };
    let mut out = String::new();
    if !agrees(rules, base, reference, &by_steps, &mut out) {
        return Err(format!("fast says {out:?} of {reference:?} on {base:?}, the reference {by_steps:?}"));
    }
    Ok(())
}

/// Whether the optimized engine under `rules` says what a reference said, to the meaning; `out` is what it wrote.
pub fn agrees(rules: &Rules, base: &str, reference: &str, by_steps: &Resolution, out: &mut String) -> bool {
    out.clear();
    let meaning = fast::resolve_with_meaning_into(rules, base, reference, out);
    says(by_steps, meaning, out)
}

/// Whether `meaning`, with the target that was written, is what a reference said.
pub fn says(by_steps: &Resolution, meaning: Result<Meaning, Undefined>, written: &str) -> bool {
    match (by_steps, meaning) {
        (Ok(target), Ok(meaning)) => target.url == written && target.meaning == meaning,
        (Err(refusal), Err(undefined)) => refusal.is_same_document() == undefined.same_document,
        _ => false,
    }
}

/// Whether a revision calls the target the document that holds the reference, be its URL defined or not.
pub fn is_same_document(resolution: &Resolution) -> bool {
    match resolution {
        Ok(target) => target.meaning == Meaning::SameDocument,
        Err(refusal) => refusal.is_same_document(),
    }
}

fn verify_parts(revision: &Revision, url: &str, expected: &UniqueMap<PartValue>) -> Result<(), String> {
    let refused = expected.0.get("refused") == Some(&PartValue::Flag(true));
    let parts = match revision.parse(url) {
        Err(_) if refused => return Ok(()),
        Err(refusal) => return Err(format!("{} refuses {url:?}: {refusal}", revision.id)),
        Ok(parts) if refused => return Err(format!("{} takes {url:?} as {parts:?}", revision.id)),
        Ok(parts) => parts,
    };
    for (name, value) in &expected.0 {
        let expected = match value {
            PartValue::Text(text) => Some(text.as_str()),
            _ => None,
        };
        let said = parts.component(name).flatten();
        if said != expected {
            return Err(format!("{} of {url:?} is {said:?} by {}, expected {expected:?}", name, revision.id));
        }
    }
    Ok(())
}
