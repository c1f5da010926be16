//! What a vector may ask and expect, beyond what a schema can say.

use std::collections::{BTreeMap, BTreeSet};

use urlstrata::revision;

use super::{PartValue, Vector, VectorError, VectorFile, WHATWG};
use crate::evaluate::characters;
use crate::evaluate::context;
use crate::evaluate::document;
use crate::evaluate::grammar;
use crate::evaluate::scheme;

impl VectorFile {
    /// What a schema cannot say.
    pub(super) fn check(&self) -> Result<(), VectorError> {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let known_errata: BTreeSet<&str> =
            revision::ALL.iter().flat_map(|revision| revision.remarks).map(|mark| mark.id).collect();
        for (index, vector) in self.content.vectors.iter().enumerate() {
            let line = self.line(index);
            let fault = |sentence: String| Err(VectorError::new(&self.path, line, sentence));
            let name = &vector.name;
            if let Some(first) = seen.insert(name, index) {
                let first = self.line(first).map_or(String::new(), |line| format!(" on line {line}"));
                return fault(format!("vector {name:?} is already{first}: give it a name of its own"));
            }
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-') {
                return fault(format!("the name {name:?} is not made of lower-case letters, digits and hyphens"));
            }
            self.check_kind(vector).or_else(fault)?;
            for id in vector.documents() {
                let standard = id == WHATWG && vector.reference.is_some();
                if !standard && revision::by_id(id).is_none() {
                    let known: Vec<_> = revision::ALL.iter().map(|revision| revision.id).collect();
                    return fault(format!("no revision is called {id:?}: there are {}", known.join(", ")));
                }
            }
            for (id, parts) in &vector.parts.0 {
                let components = revision::by_id(id).map_or(&[][..], |revision| revision.components);
                for (component, value) in &parts.0 {
                    let refused = component == "refused" && *value == PartValue::Flag(true);
                    let flag = matches!(value, PartValue::Flag(_));
                    if !refused && (flag || !components.contains(&component.as_str())) {
                        return fault(format!("{id} has no component {component:?}: it has {}", components.join(", ")));
                    }
                }
            }
            scheme::check(vector).or_else(fault)?;
            for (id, derives) in &vector.derives.0 {
                grammar::check(id, vector.production.as_deref().unwrap_or_default(), derives).or_else(fault)?;
            }
            for id in vector.characters.0.keys() {
                characters::check(id, vector.class.as_deref().unwrap_or_default()).or_else(fault)?;
            }
            for id in vector.finds.0.keys() {
                context::check(id).or_else(fault)?;
            }
            for id in vector.holds.0.keys() {
                document::check(id, vector).or_else(fault)?;
            }
            if let Some(erratum) = vector.erratum.as_deref().filter(|id| !known_errata.contains(id)) {
                return fault(format!("no ERRATUM has the id {erratum:?}"));
            }
        }
        Ok(())
    }

    /// A vector asks about one thing, and expects something of that and of nothing else.
    fn check_kind(&self, vector: &Vector) -> Result<(), String> {
        let name = &vector.name;
        let kinds = vector.kinds();
        let mut attributors = kinds.iter().filter(|(_, there, ..)| *there);
        let (Some((attributor, _, expectation, expected)), None) = (attributors.next(), attributors.next()) else {
            let attributors: Vec<_> = kinds.iter().map(|(attributor, ..)| format!("`{attributor}`")).collect();
            return Err(format!("vector {name:?} has to have one of {}", attributors.join(", ")));
        };
        if !expected {
            return Err(format!("vector {name:?} expects nothing: add `{expectation}`"));
        }
        let other = kinds.iter().find(|(_, there, _, expected)| !there && *expected);
        match other {
            Some((_, _, other, _)) => {
                Err(format!("vector {name:?} has a `{attributor}`, of which `{other}` says nothing"))
            }
            None => Ok(()),
        }
    }
}

impl Vector {
    /// What it expects of a URL, or could, and whether it does.
    fn of_url(&self) -> (&'static str, bool) {
        let there = [("parts", self.parts.0.len()), ("fields", self.fields.0.len()), ("actions", self.actions.0.len())];
        there
            .into_iter()
            .find(|(_, count)| *count > 0)
            .map_or(("parts`, `fields` or `actions", false), |it| (it.0, true))
    }

    /// What it asks about: the keys of the attributor and of what is expected of it, and whether each is there.
    fn kinds(&self) -> [(&'static str, bool, &'static str, bool); 6] {
        let (of_url, says_of_url) = self.of_url();
        [
            ("reference", self.reference.is_some(), "expect", !self.expect.0.is_empty()),
            ("url", self.url.is_some(), of_url, says_of_url),
            ("class", self.class.is_some(), "characters", !self.characters.0.is_empty()),
            ("production", self.production.is_some(), "derives", !self.derives.0.is_empty()),
            ("text", self.text.is_some(), "finds", !self.finds.0.is_empty()),
            ("document", self.document.is_some(), "holds", !self.holds.0.is_empty()),
        ]
    }
}
