//! The specifications with which engines are compared: each revision that a profile describes.

use std::sync::LazyLock;

use urlstrata::revision::{self, Revision, rfc3986, whatwg};
use urlstrata::rules;

use crate::behaviour::Behaviour;
use crate::normalize::{Normalization, Normalizations, Profile};
use crate::outcome::Outcome;

/// The first state of the URL Standard that a profile describes.
static MODELLED: &Revision = &whatwg::WHATWG_2022_01;

/// A specification, or the profile of another engine, with which an engine is compared.
#[derive(Clone, Copy, Debug)]
pub struct Specification {
    /// The id of the revision; empty for an engine's profile.
    pub id: &'static str,
    /// The citation; empty for an engine's profile.
    pub cite: &'static str,
    /// The profile of an engine that follows the specification.
    pub profile: Profile,
    /// The revision; `None` for an engine's profile.
    pub revision: Option<&'static Revision>,
}

/// Returns the revisions that define resolution, oldest first: those with a rule set, then the URL Standard's.
pub fn resolving() -> impl Iterator<Item = &'static Revision> {
    revision::ALL.iter().copied().filter(|revision| revision.rules.is_some() || is_url_standard(revision))
}

/// Returns whether `revision` is a dated state of the URL Standard.
pub fn is_url_standard(revision: &Revision) -> bool {
    whatwg::changes_of(revision).is_some()
}

impl Specification {
    /// Returns the specification of `revision`.
    ///
    /// Returns `None` if `revision` does not define resolution, or if it is a state of the URL Standard before
    /// January 2022, which no profile describes.
    pub fn of(revision: &'static Revision) -> Option<Self> {
        let profile = match whatwg::changes_of(revision) {
            None => Profile { rules: *revision.rules?, normalizations: Normalizations::NONE },
            Some(landed) => {
                let is_older = whatwg::changes_of(MODELLED)?.difference(landed).next().is_some();
                if is_older {
                    return None;
                }
                Profile { rules: rfc3986::RULES, normalizations: Normalizations::url_standard(landed) }
            }
        };
        Some(Self { id: revision.id, cite: revision.cite, profile, revision: Some(revision) })
    }

    /// Returns an engine's profile as a specification with which other engines are compared.
    pub fn of_profile(profile: Profile) -> Self {
        Self { id: "", cite: "", profile, revision: None }
    }

    /// Returns the newest state of the URL Standard: the rule set of RFC 3986 with the Standard's normalizations.
    pub fn url_standard() -> Self {
        Self::of(whatwg::NEWEST).unwrap_or_else(|| unreachable!("the newest state has a profile"))
    }

    /// Returns every specification, oldest first, and the URL Standard's last.
    pub fn all() -> Vec<Self> {
        static ALL: LazyLock<Vec<Specification>> =
            LazyLock::new(|| resolving().filter_map(Specification::of).collect());
        ALL.clone()
    }

    /// Returns the specification with the id `id`. The id `whatwg` is that of the newest state of the URL Standard.
    pub fn by_id(id: &str) -> Option<Self> {
        revision::by_id(id).and_then(Self::of)
    }

    /// Returns whether this is a state of the URL Standard.
    pub fn is_url_standard(&self) -> bool {
        self.revision.is_some_and(is_url_standard)
    }

    /// Returns the citation of the specification that defines the rule set. For the URL Standard, that is RFC 3986.
    pub fn cite_of_rules(&self) -> &'static str {
        self.revision
            .filter(|revision| revision.rules.is_some())
            .map_or(rfc3986::REVISION.cite, |revision| revision.cite)
    }

    /// Returns the behaviour that the specification states; `None` for an engine's profile, and for a state of the URL
    /// Standard before January 2022.
    pub fn behaviour(&self) -> Option<Behaviour> {
        let revision = self.revision?;
        match whatwg::changes_of(revision) {
            Some(landed) => Some(Behaviour::url_standard(landed)),
            None => revision.rules.map(Behaviour::of_rules),
        }
    }

    /// Resolves `reference` against `base`. A revision uses its reference implementation, an engine's profile
    /// [`Profile::predict`].
    pub fn resolve(&self, base: &str, reference: &str) -> Outcome {
        match self.revision {
            Some(revision) => revision.resolve(base, reference).into(),
            None => self.profile.predict(base, reference),
        }
    }

    /// Returns the specification from which `profile` differs least, or the newest of equally near specifications.
    /// Rules in `undetermined`, which are indices into [`rules::ALL`], are not compared.
    pub fn nearest(profile: &Profile, undetermined: &[usize]) -> Self {
        let specifications = Self::all().into_iter().rev();
        let nearest = specifications.min_by_key(|specification| specification.distance(profile, undetermined));
        nearest.unwrap_or_else(Self::url_standard)
    }

    /// Returns the number of settings and normalizations in which `profile` differs from the specification. Rules in
    /// `undetermined` are not compared.
    fn distance(&self, profile: &Profile, undetermined: &[usize]) -> usize {
        let differing = rules::ALL.iter().enumerate().filter(|(index, rule)| {
            !undetermined.contains(index) && rule.index(&self.profile.rules) != rule.index(&profile.rules)
        });
        let normalizations = Normalization::ALL
            .iter()
            .filter(|&&it| self.profile.normalizations.has(it) != profile.normalizations.has(it));
        differing.count() + normalizations.count()
    }
}
