//! Vectors of resolution: the target URL of a reference.

use serde::{Deserialize, Serialize};
use serde_yaml::{Mapping, Value};
use urlstrata::revision::Revision;

use super::{Expectations, Kind, steps_of};
use crate::evaluate::{agrees, is_same_document};
use urlstrata_outcome::Outcome;
use crate::vector::coverage::StepRun;

/// A base, a reference, and the target URL by each specification.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ResolutionCase {
    /// The rule for which this case is a witness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The base; empty if it is unknown. A vector without a base has the base of its file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub base: String,
    /// The reference to resolve.
    pub reference: String,
    /// The expected result of each specification.
    #[serde(default, skip_serializing_if = "Expectations::is_empty")]
    pub expect: Expectations<Expected>,
    /// The result that the source prints, if it is not a URL or contradicts the specification itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
    /// Other results that the specification permits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permitted: Vec<String>,
    /// The recorded engines whose result the source discusses, by the name of their folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<String>,
}

/// An expected result.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum Expected {
    /// A URL.
    Url {
        /// The URL.
        url: String,
        /// Whether the target is the same document; `None` if the source does not state it.
        same_document: Option<bool>,
    },
    /// The specification does not define a target URL.
    Failure,
}

impl TryFrom<Value> for Expected {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let same_document = value.get("same_document").and_then(Value::as_bool);
        let failure = value.get("failure").and_then(Value::as_bool);
        let keys = value.as_mapping().map_or(0, Mapping::len);
        match (value.as_str(), value.get("url").and_then(Value::as_str), keys) {
            (Some(url), ..) => Ok(Self::Url { url: url.to_owned(), same_document: None }),
            (_, Some(url), 2) if same_document.is_some() => Ok(Self::Url { url: url.to_owned(), same_document }),
            (_, None, 1) if failure == Some(true) => Ok(Self::Failure),
            _ => Err("expected a URL in double quotes, {url: \"…\", same_document: true} or {failure: true}"),
        }
    }
}

impl From<Expected> for Value {
    fn from(expected: Expected) -> Self {
        match expected {
            Expected::Url { url, same_document: None } => url.into(),
            Expected::Url { url, same_document: Some(same_document) } => {
                Mapping::from_iter([("url".into(), url.into()), ("same_document".into(), same_document.into())]).into()
            }
            Expected::Failure => Mapping::from_iter([("failure".into(), true.into())]).into(),
        }
    }
}

impl Expected {
    /// Returns the URL; `None` if a failure is expected.
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::Url { url, .. } => Some(url),
            Self::Failure => None,
        }
    }

    /// Returns the outcome of an engine that meets the expectation.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Url { url, .. } => Outcome::Url(url.clone()),
            Self::Failure => Outcome::Failure("no result".to_owned()),
        }
    }

    /// Returns whether `outcome` meets the expectation. The reason of a failure is not compared.
    pub fn is_met_by(&self, outcome: &Outcome) -> bool {
        match self {
            Self::Url { url, .. } => outcome.url() == Some(url),
            Self::Failure => matches!(outcome, Outcome::Failure(_)),
        }
    }
}

impl ResolutionCase {
    pub(crate) const SUBJECT: &str = "reference";
}

impl Kind for ResolutionCase {
    fn subject(&self) -> &'static str {
        Self::SUBJECT
    }

    fn expectations(&self) -> &'static [&'static str] {
        &["expect"]
    }

    fn specifications(&self) -> Vec<&str> {
        self.expect.ids().collect()
    }

    fn evaluate(&self, revision: &'static Revision) -> Result<(), String> {
        let Some(expected) = self.expect.get(revision.id) else { return Ok(()) };
        let Self { base, reference, .. } = self;
        let (by_steps, trace) = revision.resolve_traced(base, reference);
        let is_met = match (expected, &by_steps) {
            (Expected::Url { url, same_document }, Ok(target)) => {
                *url == target.url && same_document.is_none_or(|expected| expected == is_same_document(&by_steps))
            }
            (Expected::Failure, Err(_)) => true,
            _ => false,
        };
        if !is_met {
            let steps = trace.entries().iter().map(|entry| format!("\n  {:<18} {}", entry.label, entry.state));
            return Err(format!(
                "{} resolves {reference:?} on {base:?} to {by_steps:?}, expected {expected:?}{}",
                revision.id,
                steps.collect::<String>()
            ));
        }
        let mut out = String::new();
        match revision.rules {
            Some(rules) if !agrees(rules, base, reference, &by_steps, &mut out) => Err(format!(
                "the optimized engine resolves {reference:?} on {base:?} to {out:?}, the reference implementation to {by_steps:?}"
            )),
            _ => Ok(()),
        }
    }

    fn steps(&self, revision: &'static Revision) -> Vec<StepRun> {
        let mut steps: Vec<_> = steps_of("resolve", &revision.resolve_traced(&self.base, &self.reference).1).collect();
        // The URL Standard parses by the steps that resolve.
        for url in [&self.base, &self.reference].into_iter().filter(|_| !revision.parse_steps().is_empty()) {
            steps.extend(steps_of("parse", &revision.parse_traced(url).1));
        }
        steps
    }

    fn contradicts_print(&self) -> bool {
        let Some(printed) = &self.printed else { return false };
        self.expect.iter().all(|(_, expected)| match expected {
            Expected::Url { url, same_document } => *same_document != Some(true) && !url.ends_with(printed.as_str()),
            Expected::Failure => true,
        })
    }
}
