//! The kinds of vectors: what each asks, what it expects, and how the answer is evaluated.
//!
//! A new kind is a file in this folder and a line of the list below.

use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_yaml::{Mapping, Value};
use urlstrata::Trace;
use urlstrata::revision::{self, Revision};

use super::coverage::StepRun;
use crate::yaml::{FileError, Step, YamlFile, on_one_line};

/// A kind of vector. The fields of the type are the keys in a file, in the order of the canonical form.
pub trait Kind {
    /// Returns the key of what the vector asks about, by which its kind is known.
    fn subject(&self) -> &'static str;

    /// Returns the keys of what a vector of this kind may expect.
    fn expectations(&self) -> &'static [&'static str];

    /// Returns the ids of the specifications of which the vector expects something.
    fn specifications(&self) -> Vec<&str>;

    /// Checks that specification `id` answers questions of this kind, and that this vector can be put to it.
    ///
    /// # Errors
    ///
    /// Returns a sentence about what the vector cannot ask or expect.
    fn check(&self, id: &str) -> Result<(), String> {
        known_revision(id).map(|_| ())
    }

    /// Compares what `revision` returns with what the vector expects of it.
    ///
    /// # Errors
    ///
    /// Returns a sentence with what was expected and what was returned.
    fn evaluate(&self, revision: &'static Revision) -> Result<(), String>;

    /// Returns the steps of `revision` that run for this vector.
    fn steps(&self, _revision: &'static Revision) -> Vec<StepRun> {
        Vec::new()
    }

    /// Whether the source prints something else than what the vector expects.
    fn contradicts_print(&self) -> bool {
        false
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $module:ident::$case:ident,)*) => {
        $(mod $module; pub use $module::*;)*

        /// What a vector asks, and what it expects.
        #[derive(Clone, Debug, Eq, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Question { $($(#[$doc])* $name($case),)* }

        impl Question {
            /// The subject of each kind.
            pub const SUBJECTS: &'static [&'static str] = &[$($case::SUBJECT,)*];

            /// Deserializes the question with this subject from `map`, which is at `at` in `file`.
            pub(super) fn read(file: &YamlFile, at: &[Step], subject: &str, map: Mapping) -> Result<Self, FileError> {
                match subject {
                    $($case::SUBJECT => file.read_value(map.into(), at).map(Self::$name),)*
                    _ => Err(file.error(at, format!("no kind of vector has the subject {subject:?}"))),
                }
            }
        }

        impl Deref for Question {
            type Target = dyn Kind;

            fn deref(&self) -> &Self::Target {
                match self { $(Self::$name(case) => case,)* }
            }
        }

        $(impl From<$case> for Question {
            fn from(case: $case) -> Self {
                Self::$name(case)
            }
        })*
    };
}

kinds! {
    /// Resolve a reference.
    Resolution: resolution::ResolutionCase,
    /// Split a URL into components, and into the fields of its scheme.
    Parsing: parsing::ParsingCase,
    /// List a class of characters.
    Class: class::ClassCase,
    /// Match strings against a production of a grammar.
    Production: production::ProductionCase,
    /// Find URLs in running text.
    Text: text::TextCase,
    /// Find the bases and links of a document.
    Document: document::DocumentCase,
}

/// What is expected of each specification, in the order of [`revision::ALL`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Expectations<T>(Vec<(String, T)>);

impl<T> Expectations<T> {
    /// Returns what is expected of specification `id`.
    pub fn get(&self, id: &str) -> Option<&T> {
        self.iter().find(|(own, _)| *own == id).map(|(_, expected)| expected)
    }

    /// Returns each specification's id with what is expected of it.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(id, expected)| (id.as_str(), expected))
    }

    /// Returns the ids of the specifications.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(id, _)| id)
    }

    /// Whether nothing is expected of any specification.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Expectations<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> FromIterator<(String, T)> for Expectations<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(expected: I) -> Self {
        let order = |id: &str| revision::ALL.iter().position(|revision| revision.id == id).unwrap_or(usize::MAX);
        let mut expected: Vec<_> = expected.into_iter().collect();
        expected.sort_by(|(one, _), (other, _)| (order(one), one).cmp(&(order(other), other)));
        Self(expected)
    }
}

impl<T: Serialize> Serialize for Expectations<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Expectations<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = std::collections::BTreeMap::<String, T>::deserialize(deserializer)?;
        Ok(expected.into_iter().collect())
    }
}

/// Returns the revision with this id.
fn known_revision(id: &str) -> Result<&'static Revision, String> {
    revision::by_id(id).ok_or_else(|| {
        let known: Vec<_> = revision::ALL.iter().map(|revision| revision.id).collect();
        format!("no revision is called {id:?}: there are {}", known.join(", "))
    })
}

/// Compares `actual` with an expectation. A mapping states only some keys of the actual mapping; a list states all entries.
///
/// # Errors
///
/// Returns the path to the first difference, with what is expected and what is there.
fn compare(expected: &Value, actual: &Value) -> Result<(), String> {
    match (expected, actual) {
        (Value::Mapping(expected), Value::Mapping(actual)) => expected.iter().try_for_each(|(key, value)| {
            let name = key.as_str().unwrap_or_default();
            let there = actual.get(key).ok_or_else(|| format!(" has no {name:?}"))?;
            compare(value, there).map_err(|why| format!(".{name}{why}"))
        }),
        (Value::Sequence(expected), Value::Sequence(actual)) if expected.len() == actual.len() => {
            let mut pairs = expected.iter().zip(actual).enumerate();
            pairs.try_for_each(|(index, (value, there))| compare(value, there).map_err(|why| format!("[{index}]{why}")))
        }
        _ if expected == actual => Ok(()),
        _ => Err(format!(": expected {}, found {}", on_one_line(expected), on_one_line(actual))),
    }
}

/// Returns the steps of `trace` as steps of `part`.
fn steps_of(part: &'static str, trace: &Trace) -> impl Iterator<Item = StepRun> {
    trace.entries().iter().map(move |entry| StepRun { part, label: entry.label, acted: entry.acted })
}

#[cfg(test)]
mod tests {
    use serde_yaml::Value;

    use super::compare;

    #[test]
    fn a_mapping_states_only_some_keys() {
        let tree = |yaml: &str| serde_yaml::from_str::<Value>(yaml).expect("a tree");
        let actual = tree(r#"{a: "x", b: ["y", {c: 1, d: null}]}"#);
        let found = |expected: &str| compare(&tree(expected), &actual);
        assert_eq!(found(r#"{b: ["y", {c: 1}]}"#), Ok(()));
        assert!(found(r#"{b: ["y"]}"#).is_err());
        assert_eq!(found(r#"{b: ["y", {d: ""}]}"#), Err(r#".b[1].d: expected "", found null"#.to_owned()));
        assert_eq!(found("{e: 1}"), Err(r#" has no "e""#.to_owned()));
    }
}
