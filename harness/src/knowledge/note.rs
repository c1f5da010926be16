//! Notes: the differences between a specification and an engine as sentences with sections.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::behaviour::{Difference, Sentence};

/// A difference between a specification and an engine.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Note {
    /// The name of the difference: `excess=Kept`, `characters of the path`.
    pub name: String,
    /// The question that both sides answer differently.
    pub question: String,
    /// What the specification, or the first of two engines or revisions, does.
    pub from: Statement,
    /// What the engine, or the second of two engines or revisions, does.
    pub to: Statement,
}

/// A sentence and its source.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Statement {
    /// The sentence.
    pub note: String,
    /// Specification and section; empty if no specification has it.
    pub source: Cow<'static, str>,
}

impl fmt::Display for Statement {
    /// Writes the sentence with its source, if it has one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.source {
            "" => f.write_str(&self.note),
            source => write!(f, "{} ({source})", self.note),
        }
    }
}

impl Note {
    /// Creates a note on `difference`. `cites` cite the compared specifications, or are empty.
    pub fn of(difference: &Difference, cites: [&str; 2]) -> Self {
        let statement = |sentence: &Sentence, cite: &str| Statement {
            note: sentence.text.clone(),
            source: sentence.source(cite).into(),
        };
        Self {
            name: difference.name.clone(),
            question: difference.question.clone(),
            from: statement(&difference.from, cites[0]),
            to: statement(&difference.to, cites[1]),
        }
    }

    /// Returns three lines: the question, and what `from` and `to` do.
    pub fn lines(&self, from: &str, to: &str) -> String {
        format!("      {}\n        {from}: {}\n        {to}: {}\n", self.question, self.from, self.to)
    }
}
