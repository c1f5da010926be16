//! Notes: the differences between a specification and an engine as sentences with sections.

use std::fmt;

use serde::{Deserialize, Serialize};

use urlstrata::rules::{Rule, Setting};

use crate::behaviour::{Behaviour, Difference, Sentence};
use crate::knowledge::citation::{self, Citation};
use crate::knowledge::specification::Specification;

/// A difference between two sides: a specification and an engine, two engines, or two specifications.
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
    /// How the specifications changed after the first side, if it is a specification; empty if none of them does what the second
    /// side does, or if the first side is an engine.
    pub change: String,
    /// Where the specification of the first side permits what the second side does; empty if it does not.
    pub permitted: String,
}

/// A sentence and its source.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Statement {
    /// The sentence.
    pub note: String,
    /// Specification, section and date, or a remark that no specification does it.
    pub source: String,
}

impl fmt::Display for Statement {
    /// Writes the sentence with its source.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.note, self.source)
    }
}

/// The source of the second side's statements, if no specification does the same.
pub const IN_NO_SPECIFICATION: &str = "in no specification";

/// The same for a statement about characters, of which a specification may treat some in this way.
pub const NOT_ALL_IN_A_SPECIFICATION: &str = "not known whether a specification does all of this";

/// Precedes the source of a specification that has the engine's result, if it is not known what the engine does.
pub const OBSERVED: &str = "not known; its result is that of";

/// Precedes the source of a specification that does what an engine does by its behaviour. That the engine follows it is not known.
pub const AS_IN: &str = "as in";

/// A side of a note.
#[derive(Clone, Copy, Debug)]
pub enum Cited<'a> {
    /// A specification.
    Specification(Specification),
    /// An engine whose behaviour is unknown or predicts another result. Its result is that of the specification.
    Like(Specification),
    /// An engine with a behaviour. If specifications do the same, one of them is cited: the first of these, or else the newest.
    Engine(&'a Behaviour, &'a [Specification]),
}

impl Cited<'_> {
    fn behaviour(&self) -> &Behaviour {
        match self {
            Self::Specification(specification) | Self::Like(specification) => specification.behaviour(),
            Self::Engine(behaviour, _) => behaviour,
        }
    }

    /// Returns what this side of `difference` does, which is `sentence`, if the behaviour `unlike` is that of the other side.
    fn statement(
        &self,
        difference: &Difference,
        sentence: &Sentence,
        unlike: &Behaviour,
        pair: (&str, &str),
    ) -> Statement {
        let source = match self {
            Self::Specification(specification) | Self::Like(specification) => {
                Some(Citation::of(specification, difference, sentence))
            }
            Self::Engine(behaviour, preferred) => {
                Citation::of_alike(preferred, difference, sentence, (behaviour, unlike), pair)
            }
        };
        // Of several characters, a specification may treat some so.
        let missing = match difference.subject().starts_with("characters of ") {
            true => NOT_ALL_IN_A_SPECIFICATION,
            false => IN_NO_SPECIFICATION,
        };
        let source = source.map_or_else(
            || missing.to_owned(),
            |citation| match self {
                Self::Specification(_) => citation.to_string(),
                Self::Like(_) => format!("{OBSERVED} {citation}"),
                Self::Engine(..) => format!("{AS_IN} {citation}"),
            },
        );
        Statement { note: sentence.text.clone(), source }
    }
}

impl Note {
    /// Creates a note on `difference`, a difference between two sides that decides about `pair`.
    pub fn of(difference: &Difference, sides: [Cited<'_>; 2], pair: (&str, &str)) -> Self {
        let [from, to] = sides;
        let (change, permitted) = match from {
            Cited::Specification(own) => {
                let itself = if let Cited::Specification(other) = to { Some(other.id) } else { None };
                let change = citation::change(&own, difference, (to.behaviour(), itself), pair);
                (change, citation::permitted(&own, difference))
            }
            Cited::Engine(..) | Cited::Like(_) => (None, None),
        };
        Self {
            name: difference.name.clone(),
            question: difference.question.clone(),
            from: from.statement(difference, &difference.from, to.behaviour(), pair),
            to: to.statement(difference, &difference.to, from.behaviour(), pair),
            change: change.unwrap_or_default(),
            permitted: permitted.unwrap_or_default(),
        }
    }

    /// Creates a note on `rule`, on which two consecutive specifications differ. Returns `None` if they have the same setting, or if
    /// one of them has no rule set.
    pub fn of_rule(rule: &Rule, older: &Specification, newer: &Specification) -> Option<Self> {
        let [from, to] = [older, newer].map(|it| Some(rule.setting(it.revision.rules?)));
        let (from, to) = from.zip(to).filter(|(from, to)| from.name != to.name)?;
        let statement = |specification, setting: &Setting| Statement {
            note: setting.note().to_owned(),
            source: Citation::of_setting(specification, setting).to_string(),
        };
        Some(Self {
            name: format!("{}={}", rule.name, to.name),
            question: rule.question.to_owned(),
            from: statement(older, from),
            to: statement(newer, to),
            change: format!("changed by {}", Citation::of_setting(newer, to)),
            permitted: String::new(),
        })
    }

    /// Returns the remarks on the specifications: how they changed, and what the first side permits.
    pub fn remarks(&self) -> Vec<String> {
        let permitted = (!self.permitted.is_empty()).then(|| format!("{} permits it, too", self.permitted));
        let change = (!self.change.is_empty()).then(|| self.change.clone());
        change.into_iter().chain(permitted).collect()
    }

    /// Returns lines: the question, what `from` and `to` do, and the remarks.
    pub fn lines(&self, from: &str, to: &str) -> String {
        let remarks: String = self.remarks().iter().map(|remark| format!("        {remark}\n")).collect();
        format!("      {}\n        {from}: {}\n        {to}: {}\n{remarks}", self.question, self.from, self.to)
    }
}
