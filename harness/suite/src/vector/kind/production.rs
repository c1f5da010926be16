//! Vectors of productions: strings that a production of a grammar matches, and strings that it does not match.

use serde::{Deserialize, Serialize};
use urlstrata::grammar::{self, Grammar};
use urlstrata::revision::Revision;

use super::{Expectations, Kind, known_revision};
use crate::evaluate::grammar::unknown_production;
use urlstrata_outcome::plural::counted;

/// The name of a production, and strings that it matches and does not match.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ProductionCase {
    /// The name of the production.
    pub production: String,
    /// The strings that each specification's production of that name matches and does not match.
    #[serde(default)]
    pub matches: Expectations<Strings>,
}

/// Strings that a production matches, and strings that it does not match.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Strings {
    /// Strings that it matches.
    pub valid: Vec<String>,
    /// Strings that it does not match, each with the byte at which it becomes invalid.
    pub invalid: Vec<(String, usize)>,
}

impl ProductionCase {
    pub(crate) const SUBJECT: &str = "production";
}

impl Kind for ProductionCase {
    fn subject(&self) -> &'static str {
        Self::SUBJECT
    }

    fn expectations(&self) -> &'static [&'static str] {
        &["matches"]
    }

    fn specifications(&self) -> Vec<&str> {
        self.matches.ids().collect()
    }

    fn check(&self, id: &str) -> Result<(), String> {
        known_revision(id)?;
        let grammar = of(id)?;
        if grammar.production(&self.production).is_none() {
            return Err(unknown_production(grammar, &self.production));
        }
        let mut invalid = self.matches.get(id).into_iter().flat_map(|strings| &strings.invalid);
        match invalid.find(|(text, at)| *at > text.len()) {
            Some((text, at)) => {
                let bytes = counted(text.len(), "byte", "bytes");
                Err(format!("{at} is beyond the end of {text:?}, which has {bytes}"))
            }
            None => Ok(()),
        }
    }

    fn evaluate(&self, revision: &'static Revision) -> Result<(), String> {
        let Some(expected) = self.matches.get(revision.id) else { return Ok(()) };
        let (grammar, production) = (of(revision.id)?, &self.production);
        let recogniser = grammar.recognizer(production);
        let mut recogniser = recogniser.ok_or_else(|| unknown_production(grammar, production))?;
        for text in &expected.valid {
            if let Err(stop) = recogniser.match_parts(text) {
                return Err(format!("{production} of {} does not match {text:?}: {stop:?}", revision.id));
            }
        }
        for (text, at) in &expected.invalid {
            match recogniser.match_parts(text) {
                Err(stop) if stop.at == *at => {}
                found => {
                    let production = format!("{production} of {}", revision.id);
                    return Err(format!("{production}: expected {text:?} to be invalid at byte {at}, found {found:?}"));
                }
            }
        }
        Ok(())
    }
}

fn of(id: &str) -> Result<&'static Grammar, String> {
    grammar::by_revision(id).ok_or_else(|| {
        let ids: Vec<_> = grammar::ALL.iter().map(|grammar| grammar.id).collect();
        format!("{id} has no grammar: {} have", ids.join(", "))
    })
}
