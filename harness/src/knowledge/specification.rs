//! The specifications with which engines are compared: each revision that defines resolution.

use std::sync::LazyLock;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use urlstrata::fast;
use urlstrata::grammar;
use urlstrata::revision::{self, Revision, whatwg};

use crate::behaviour::{Behaviour, distance};
use crate::names::{revision_named, unknown_revision};
use crate::outcome::Outcome;

/// A specification with which an engine is compared. Its serialized form is the id.
#[derive(Clone, Copy, Debug)]
pub struct Specification {
    /// The id of the revision.
    pub id: &'static str,
    /// The citation.
    pub cite: &'static str,
    /// The revision.
    pub revision: &'static Revision,
    behaviour: &'static Behaviour,
}

impl Serialize for Specification {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

impl<'de> Deserialize<'de> for Specification {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        Self::by_id(&id).ok_or_else(|| D::Error::custom(format!("no specification is called {id:?}")))
    }
}

/// Returns the revisions that define resolution, oldest first: those with a rule set, then the URL Standard's.
pub fn resolving() -> impl Iterator<Item = &'static Revision> {
    revision::ALL.iter().copied().filter(|revision| revision.rules.is_some() || is_url_standard(revision))
}

/// Returns whether `revision` is a dated state of the URL Standard.
pub fn is_url_standard(revision: &Revision) -> bool {
    whatwg::changes_of(revision).is_some()
}

/// Returns why engines are not compared with `revision`.
pub fn not_compared(revision: &Revision) -> String {
    let name = revision.specification;
    format!("{name} resolves nothing: relative references are out of its scope; `urlstrata parse` reads a URL by it")
}

/// Every specification with its behaviour, oldest first.
static ALL: LazyLock<Vec<(&'static Revision, Behaviour)>> = LazyLock::new(|| {
    let stated = |revision: &'static Revision| {
        Some(match whatwg::changes_of(revision) {
            Some(landed) => Behaviour::url_standard(landed),
            None => Behaviour::of_rules(revision.rules?),
        })
    };
    resolving().filter_map(|revision| Some((revision, stated(revision)?))).collect()
});

impl Specification {
    /// Returns the specification of `revision`; `None` if `revision` does not define resolution.
    pub fn of(revision: &Revision) -> Option<Self> {
        Self::by_id(revision.id)
    }

    /// Returns the newest state of the URL Standard.
    pub fn url_standard() -> Self {
        Self::of(whatwg::NEWEST).unwrap_or_else(|| unreachable!("the newest state defines resolution"))
    }

    /// Returns every specification, oldest first, and those of the URL Standard last.
    pub fn all() -> Vec<Self> {
        let of = |(revision, behaviour): &'static (&'static Revision, Behaviour)| Self {
            id: revision.id,
            cite: revision.cite,
            revision,
            behaviour,
        };
        ALL.iter().map(of).collect()
    }

    /// Returns the specification with the id `id`. The id `whatwg` is that of the newest state of the URL Standard.
    pub fn by_id(id: &str) -> Option<Self> {
        let id = revision::by_id(id)?.id;
        Self::all().into_iter().find(|specification| specification.id == id)
    }

    /// Returns the specification that people call `name`: see [`revision_named`].
    ///
    /// # Errors
    ///
    /// Returns a sentence if no specification has this name, with the nearest ones, or if the revision does not define how
    /// references are resolved.
    pub fn named(name: &str) -> Result<Self, String> {
        let revision = revision_named(name).ok_or_else(|| unknown_revision(name))?;
        Self::of(revision).ok_or_else(|| not_compared(revision))
    }

    /// Returns the name of the specification in a sentence, with its id: ``the URL Standard of 2 July 2026 (`whatwg-2026-07`)``.
    pub fn name(&self) -> String {
        let article = if self.is_url_standard() { "the " } else { "" };
        format!("{article}{} (`{}`)", self.revision.specification, self.id)
    }

    /// Returns whether a sentence about the documentation of an engine names this specification.
    pub fn is_named_in(&self, sentence: &str) -> bool {
        // Documentation calls the URL Standard by the name of its editors.
        sentence.contains(if self.is_url_standard() { "WHATWG" } else { self.revision.specification })
    }

    /// Returns whether this is a state of the URL Standard.
    pub fn is_url_standard(&self) -> bool {
        is_url_standard(self.revision)
    }

    /// Returns the behaviour that the specification states.
    pub fn behaviour(&self) -> &'static Behaviour {
        self.behaviour
    }

    /// Returns which of the two texts the grammar of the specification excludes, the reference first; `None` if it matches both, or if the
    /// specification has no grammar. An unknown base is not excluded.
    pub fn excludes(&self, base: &str, reference: &str) -> Option<&'static str> {
        grammar::by_revision(self.id)?.excluded(base, reference)
    }

    /// Resolves `reference` against `base` by the reference implementation of the revision.
    pub fn resolve(&self, base: &str, reference: &str) -> Outcome {
        self.revision.resolve(base, reference).into()
    }

    /// Resolves as [`Self::resolve`] does, by the optimized engine if the revision has a rule set. A failure has the reason of
    /// the reference implementation.
    pub fn resolve_fast(&self, base: &str, reference: &str) -> Outcome {
        let target = self.revision.rules.and_then(|rules| fast::resolve(rules, base, reference).ok());
        target.map_or_else(|| self.resolve(base, reference), Outcome::Url)
    }

    /// Returns the specification from whose behaviour `behaviour` differs least: see [`distance`]. Of equally near
    /// specifications, it is the newest.
    ///
    /// The dated states of the URL Standard differ in a few parameters, some of which few inputs show. If the nearest one is a
    /// state of the Standard, the result is the state that returns what the behaviour predicts for most of `pairs`.
    pub fn nearest<'a>(behaviour: &Behaviour, pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let all = || Self::all().into_iter().rev();
        let nearest = all().min_by_key(|specification| distance(behaviour, specification.behaviour));
        let nearest = nearest.unwrap_or_else(Self::url_standard);
        if !nearest.is_url_standard() {
            return nearest;
        }
        let mut states: Vec<(Self, usize)> = all().filter(Self::is_url_standard).map(|state| (state, 0)).collect();
        for (base, reference) in pairs {
            let predicted = behaviour.predict(base, reference);
            for (state, alike) in &mut states {
                *alike += usize::from(state.behaviour.predict(base, reference) == predicted);
            }
        }
        let most = states.iter().map(|(_, alike)| *alike).max();
        states.into_iter().find(|(_, alike)| Some(*alike) == most).map_or(nearest, |(state, _)| state)
    }
}
