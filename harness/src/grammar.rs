//! What a document's grammar says of a text, and of the vectors about it.

use urlstrata::grammar::{self, Grammar, Verdict};

use crate::vector::Derives;

/// Whether a vector may ask grammar `id` for this production, and expect of it what it does.
///
/// # Errors
///
/// A sentence about what it may not.
pub fn check(id: &str, production: &str, expected: &Derives) -> Result<(), String> {
    let Some(grammar) = grammar::of(id) else {
        let ids: Vec<_> = grammar::ALL.iter().map(|grammar| grammar.id).collect();
        return Err(format!("{id} has no grammar: there are those of {}", ids.join(", ")));
    };
    if grammar.production(production).is_none() {
        return Err(unknown_production(grammar, production));
    }
    match expected.stops.0.iter().find(|(text, at)| **at > text.len()) {
        Some((text, at)) => Err(format!("{at} is beyond the end of {text:?}, which has {} bytes", text.len())),
        None => Ok(()),
    }
}

/// A sentence about a name that `grammar` does not have, with the ones nearest to it.
pub fn unknown_production(grammar: &Grammar, name: &str) -> String {
    let lower = name.to_lowercase();
    let near = |other: &&str| {
        let other = other.to_lowercase();
        other.contains(&lower) || lower.contains(&other)
    };
    let names = || grammar.productions.iter().map(|production| production.name);
    let mut close: Vec<_> = names().filter(near).collect();
    if close.is_empty() {
        close = names().collect();
    }
    format!("{} has no production {name:?}: it has {}", grammar.cite, close.join(", "))
}

/// Whether `production` of grammar `id` derives what a vector expects.
///
/// # Errors
///
/// What it says instead.
pub fn verify(id: &str, production: &str, expected: &Derives) -> Result<(), String> {
    let Some(mut recogniser) = grammar::of(id).and_then(|grammar| grammar.recogniser(production)) else {
        return Err(format!("{id} has no production {production}"));
    };
    for member in &expected.members {
        if let Verdict::Stops(stop) = recogniser.verdict(member) {
            return Err(format!("{production} of {id} does not derive {member:?}: {stop:?}"));
        }
    }
    for (text, &at) in &expected.stops.0 {
        match recogniser.verdict(text) {
            Verdict::Stops(stop) if stop.at == at => {}
            said => return Err(format!("{production} of {id}: {text:?} is said to stop at {at}, found {said:?}")),
        }
    }
    Ok(())
}
