//! The kinds of vectors: the input, the expected results, and the evaluation of each kind.
//!
//! To add a kind, add a file to this folder and a line to the list below.

use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_yaml::{Mapping, Value};
use urlstrata::Trace;
use urlstrata::revision::{self, Revision};

use super::coverage::StepRun;
use crate::yaml::{FileError, Step, YamlFile, on_one_line};

/// A kind of vector. The fields of the implementing type are the keys in a file, in the order of the canonical form.
pub trait Kind {
    /// Returns the key of the input, such as `reference`. It identifies the kind.
    fn subject(&self) -> &'static str;

    /// Returns the keys of the results that a vector of this kind can expect.
    fn expectations(&self) -> &'static [&'static str];

    /// Returns the ids of the specifications with expected results.
    fn specifications(&self) -> Vec<&str>;

    /// Checks that specification `id` defines results of this kind, and that this vector is valid for it.
    ///
    /// # Errors
    ///
    /// Returns a sentence about the invalid part of the vector.
    fn check(&self, id: &str) -> Result<(), String> {
        known_revision(id).map(|_| ())
    }

    /// Compares the result of `revision` with the expected result.
    ///
    /// Returns `Ok` if the vector expects nothing of `revision`.
    ///
    /// # Errors
    ///
    /// Returns a sentence with the expected and the actual result.
    fn evaluate(&self, revision: &'static Revision) -> Result<(), String>;

    /// Returns the steps of `revision` that run for this vector.
    fn steps(&self, _revision: &'static Revision) -> Vec<StepRun> {
        Vec::new()
    }

    /// Returns whether the source prints another result than the vector expects.
    fn contradicts_print(&self) -> bool {
        false
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $module:ident::$case:ident,)*) => {
        $(mod $module; pub use $module::*;)*

        /// The input of a vector and the expected results.
        #[derive(Clone, Debug, Eq, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Question { $($(#[$doc])* $name($case),)* }

        impl Question {
            /// The key of the input for each kind.
            pub const SUBJECTS: &'static [&'static str] = &[$($case::SUBJECT,)*];

            /// Deserializes the case with this subject from `map`, the mapping at `at` in `file`.
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

/// The expected result of each specification, in the order of [`revision::ALL`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Expectations<T>(Vec<(String, T)>);

impl<T> Expectations<T> {
    /// Returns the expected result of specification `id`.
    pub fn get(&self, id: &str) -> Option<&T> {
        self.iter().find(|(own, _)| *own == id).map(|(_, expected)| expected)
    }

    /// Returns the id of each specification with the expected result.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(id, expected)| (id.as_str(), expected))
    }

    /// Returns the ids of the specifications.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(id, _)| id)
    }

    /// Returns whether there are no expected results.
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
///
/// # Errors
///
/// Returns a sentence with all ids if there is no such revision.
fn known_revision(id: &str) -> Result<&'static Revision, String> {
    // `whatwg` is the id of another revision each time the Standard changes.
    revision::by_id(id).filter(|revision| revision.id == id).ok_or_else(|| {
        let known: Vec<_> = revision::ALL.iter().map(|revision| revision.id).collect();
        format!("no revision is called {id:?}: there are {}", known.join(", "))
    })
}

/// Compares `actual` with an expectation.
///
/// An expected mapping may omit keys of the actual mapping. An expected list must have all entries.
///
/// # Errors
///
/// Returns the path to the first difference, with the expected and the actual value.
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
    fn a_mapping_may_omit_keys() {
        let tree = |yaml: &str| serde_yaml::from_str::<Value>(yaml).expect("a tree");
        let actual = tree(r#"{a: "x", b: ["y", {c: 1, d: null}]}"#);
        let found = |expected: &str| compare(&tree(expected), &actual);
        assert_eq!(found(r#"{b: ["y", {c: 1}]}"#), Ok(()));
        assert!(found(r#"{b: ["y"]}"#).is_err());
        assert_eq!(found(r#"{b: ["y", {d: ""}]}"#), Err(r#".b[1].d: expected "", found null"#.to_owned()));
        assert_eq!(found("{e: 1}"), Err(r#" has no "e""#.to_owned()));
    }
}
