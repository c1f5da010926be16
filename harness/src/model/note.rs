//! Notes: a difference between a specification and an engine in sentences, with sections.

use std::fmt;

use serde::Serialize;

use super::attribute::{Change, Difference};
use super::profile::Specification;
use crate::normalize::{Normalization, Origin};

/// One difference between a specification and an engine.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Note {
    /// The difference's name: `excess=Kept`, `trim`, `no trim`.
    pub name: String,
    /// What the rule asks; `None` for a normalization or validation.
    pub question: Option<&'static str>,
    /// What the specification, or the first of two engines or revisions, does; `None` for a normalization or validation that
    /// it does not have.
    pub from: Option<Statement>,
    /// What the engine, or the second of two, does instead.
    pub to: Option<Statement>,
    /// Whether no specification describes it.
    pub quirk: bool,
}

/// A sentence and its source.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Statement {
    /// The sentence.
    pub note: &'static str,
    /// Specification and section; empty for a quirk.
    pub source: &'static str,
}

impl Statement {
    /// What a normalization or validation does.
    pub fn of(normalization: Normalization) -> Self {
        Self { note: normalization.note(), source: normalization.source() }
    }
}

impl fmt::Display for Statement {
    /// Writes the sentence with its source, or says that it is a quirk.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source {
            "" => write!(f, "{} (a quirk: no specification has it)", self.note),
            source => write!(f, "{} ({source})", self.note),
        }
    }
}

impl Note {
    /// The note on `difference` from the document cited as `cite`, towards what `other` says, if that is a document.
    pub fn of(difference: &Difference, cite: &str, other: Option<Specification>) -> Self {
        Self::cited(difference, cite, other.map_or("", |other| other.cite_of_rules()))
    }

    /// As [`Self::of`], towards what the document cited as `other` says.
    pub fn cited(difference: &Difference, cite: &str, other: &str) -> Self {
        let name = difference.name();
        match difference {
            Difference::Setting(change) => Self { name, ..Self::of_answer(change, cite, other) },
            Difference::Applied(normalization) => Self {
                name,
                question: None,
                from: None,
                to: Some(Statement::of(*normalization)),
                quirk: normalization.origin() == Origin::Quirk,
            },
            Difference::Omitted(normalization) => {
                Self { name, question: None, from: Some(Statement::of(*normalization)), to: None, quirk: false }
            }
        }
    }

    /// What either side does, in sentences.
    pub fn sides(&self) -> [String; 2] {
        match (&self.from, &self.to) {
            (None, Some(to)) => ["does not do this".to_owned(), to.to_string()],
            (Some(from), None) => [from.to_string(), "does not do this".to_owned()],
            (from, to) => [from, to].map(|side| side.as_ref().map(Statement::to_string).unwrap_or_default()),
        }
    }

    fn of_answer(change: &Change, cite: &str, other: &str) -> Self {
        let said = |answer: &'static urlstrata::rules::Setting, cite| Statement {
            note: answer.note(),
            source: answer.source(cite),
        };
        Self {
            name: String::new(),
            question: Some(change.column().question),
            from: Some(said(change.from(), cite)),
            to: Some(said(change.to(), other)),
            quirk: false,
        }
    }
}
