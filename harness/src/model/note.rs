//! Notes: the differences between a specification and an engine as sentences with sections.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use super::attribute::{Change, Difference};
use super::dated::ChangeNote;
use super::specification::Specification;
use crate::behaviour;
use crate::normalize::{Normalization, Origin};

/// A difference between a specification and an engine.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Note {
    /// The name of the difference: `excess=Kept`, `trim`, `no trim`.
    pub name: String,
    /// The rule, as a question; `None` for a normalization or validation.
    pub question: Option<Cow<'static, str>>,
    /// What the specification, or the first of two engines or revisions, does; `None` for a normalization or validation
    /// that it does not apply.
    pub from: Option<Statement>,
    /// What the engine, or the second of two engines or revisions, does; `None` for a normalization or validation that
    /// it does not apply.
    pub to: Option<Statement>,
    /// Whether the difference is a quirk, which no specification describes.
    pub quirk: bool,
    /// The change of the URL Standard that added or removed the normalization.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<ChangeNote>,
}

/// A sentence and its source.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Statement {
    /// The sentence.
    pub note: Cow<'static, str>,
    /// Specification and section; empty for a quirk.
    pub source: &'static str,
}

impl Statement {
    /// Returns the sentence and the source of a normalization or validation.
    pub fn of(normalization: Normalization) -> Self {
        Self { note: normalization.note().into(), source: normalization.source() }
    }
}

impl fmt::Display for Statement {
    /// Writes the sentence with its source, or marks it as a quirk.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source {
            UNSOURCED => f.write_str(&self.note),
            "" => write!(f, "{} (a quirk: no specification has it)", self.note),
            source => write!(f, "{} ({source})", self.note),
        }
    }
}

/// The source of a sentence about an engine's behaviour for which no source is stated. It is not necessarily a quirk.
const UNSOURCED: &str = "the engine's behaviour";

impl Note {
    /// Creates a note on a difference between two behaviours. `cites` cite the compared specifications, or are empty.
    pub fn of_behaviours(difference: &behaviour::Difference, cites: [&'static str; 2]) -> Self {
        let statement = |sentence: &behaviour::Sentence, cite: &'static str| {
            let source = sentence.source(cite);
            Statement { note: sentence.text.clone().into(), source: if source.is_empty() { UNSOURCED } else { source } }
        };
        Self {
            name: difference.name.clone(),
            question: Some(difference.question.clone().into()),
            from: Some(statement(&difference.from, cites[0])),
            to: Some(statement(&difference.to, cites[1])),
            quirk: false,
            change: None,
        }
    }

    /// Creates a note on `difference`. `cite` cites the compared specification. `other` is the specification whose
    /// sections are cited for the engine's settings.
    pub fn of(difference: &Difference, cite: &str, other: Option<Specification>) -> Self {
        Self::cited(difference, cite, other.map_or("", |other| other.cite_of_rules()))
    }

    /// Creates a note like [`Self::of`], with the citation `other` for the engine's settings.
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
                change: change_of(*normalization),
            },
            Difference::Omitted(normalization) => Self {
                name,
                question: None,
                from: Some(Statement::of(*normalization)),
                to: None,
                quirk: false,
                change: change_of(*normalization),
            },
        }
    }

    /// Returns a sentence for each side.
    fn sides(&self) -> [String; 2] {
        match (&self.from, &self.to) {
            (None, Some(to)) => ["does not do this".to_owned(), to.to_string()],
            (Some(from), None) => [from.to_string(), "does not do this".to_owned()],
            (from, to) => [from, to].map(|side| side.as_ref().map(Statement::to_string).unwrap_or_default()),
        }
    }

    /// Returns three lines: the rule's question or the difference's name, and what `from` and `to` do.
    pub fn lines(&self, from: &str, to: &str) -> String {
        let [own_from, own_to] = self.sides();
        let head = self.question.as_deref().unwrap_or(&self.name);
        format!("      {head}\n        {from}: {own_from}\n        {to}: {own_to}\n")
    }

    fn of_answer(change: &Change, cite: &str, other: &str) -> Self {
        let statement = |setting: &'static urlstrata::rules::Setting, cite| Statement {
            note: setting.note().into(),
            source: setting.source(cite),
        };
        Self {
            name: String::new(),
            question: Some(change.rule().question.into()),
            from: Some(statement(change.from(), cite)),
            to: Some(statement(change.to(), other)),
            quirk: false,
            change: None,
        }
    }
}

fn change_of(normalization: Normalization) -> Option<ChangeNote> {
    normalization.change().map(|(change, _)| change.into())
}
