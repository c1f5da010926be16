//! The specifications with which engines are compared: each revision, and the URL Standard.

use std::sync::LazyLock;

use urlstrata::revision::{self, Revision, rfc3986};
use urlstrata::rules;

use crate::normalize::{Normalization, Normalizations, Profile};
use crate::outcome::Outcome;
use crate::vector::WHATWG;

/// A specification, or the profile of another engine, with which an engine is compared.
#[derive(Clone, Copy, Debug)]
pub struct Specification {
    /// The id: a revision's id, `whatwg` for the URL Standard, or empty for an engine's profile.
    pub id: &'static str,
    /// The citation; empty for an engine's profile.
    pub cite: &'static str,
    /// The profile of an engine that follows the specification.
    pub profile: Profile,
    /// The revision; `None` for the URL Standard and for engine profiles.
    pub revision: Option<&'static Revision>,
}

impl Specification {
    /// Returns the specification of `revision`; `None` if `revision` does not define resolution.
    pub fn of(revision: &'static Revision) -> Option<Self> {
        let profile = Profile { rules: *revision.rules?, normalizations: Normalizations::NONE };
        Some(Self { id: revision.id, cite: revision.cite, profile, revision: Some(revision) })
    }

    /// Returns an engine's profile as a specification with which other engines are compared.
    pub fn of_profile(profile: Profile) -> Self {
        Self { id: "", cite: "", profile, revision: None }
    }

    /// Returns the URL Standard: the rule set of RFC 3986 with the Standard's normalizations.
    pub fn url_standard() -> Self {
        let rules = *rfc3986::REVISION.rules.unwrap_or_else(|| unreachable!("RFC 3986 resolves"));
        let profile = Profile { rules, normalizations: Normalizations::url_standard() };
        Self { id: WHATWG, cite: "URL Standard", profile, revision: None }
    }

    /// Returns every specification: the revisions that define resolution, oldest first, then the URL Standard.
    pub fn all() -> Vec<Self> {
        static ALL: LazyLock<Vec<Specification>> = LazyLock::new(|| {
            let revisions = revision::resolving().filter_map(|(revision, _)| Specification::of(revision));
            revisions.chain([Specification::url_standard()]).collect()
        });
        ALL.clone()
    }

    /// Returns the specification with the id `id`.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::all().into_iter().find(|specification| specification.id == id)
    }

    /// Returns the citation of the specification that defines the rule set. For the URL Standard, that is RFC 3986.
    pub fn cite_of_rules(&self) -> &'static str {
        self.revision.map_or(rfc3986::REVISION.cite, |revision| revision.cite)
    }

    /// Resolves `reference` against `base`. A revision uses its reference implementation. The URL Standard and engine
    /// profiles use [`Profile::predict`].
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
