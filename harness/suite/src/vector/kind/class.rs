//! Vectors of character classes: the characters that each specification lists in the class of this name.

use serde::{Deserialize, Serialize};
use urlstrata::characters::{self, Class};
use urlstrata::revision::Revision;

use super::{Expectations, Kind, known_revision};
use crate::evaluate::characters::shown;

/// The name of a class, and its characters.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ClassCase {
    /// The name of the class.
    pub class: String,
    /// All characters of the class.
    #[serde(default)]
    pub characters: Expectations<String>,
}

impl ClassCase {
    fn of(&self, id: &str) -> Result<&'static Class, String> {
        let alphabet = characters::by_revision(id).ok_or_else(|| format!("{id} has no character classes"))?;
        alphabet.class(&self.class).ok_or_else(|| {
            let names: Vec<_> = alphabet.classes.iter().map(|class| class.name).collect();
            format!("{id} has no class {:?}: it has {}", self.class, names.join("; "))
        })
    }
}

impl ClassCase {
    pub(crate) const SUBJECT: &str = "class";
}

impl Kind for ClassCase {
    fn subject(&self) -> &'static str {
        Self::SUBJECT
    }

    fn expectations(&self) -> &'static [&'static str] {
        &["characters"]
    }

    fn specifications(&self) -> Vec<&str> {
        self.characters.ids().collect()
    }

    fn check(&self, id: &str) -> Result<(), String> {
        known_revision(id)?;
        self.of(id).map(|_| ())
    }

    fn evaluate(&self, revision: &'static Revision) -> Result<(), String> {
        let Some(expected) = self.characters.get(revision.id) else { return Ok(()) };
        let class = self.of(revision.id)?;
        let mut listed: Vec<_> = expected.bytes().collect();
        listed.sort_unstable();
        if class.octets.iter().eq(listed) {
            return Ok(());
        }
        Err(format!("{} of {} is {:?}, expected {expected:?}", self.class, revision.id, shown(class.octets)))
    }
}
