//! The results of all specifications for one pair.

use std::cell::OnceCell;

use urlstrata::Resolution;
use urlstrata::revision::Revision;

use crate::knowledge::specification::{is_url_standard, resolving};
use crate::outcome::Outcome;

/// The results of the reference implementations for one pair. Each one resolves the pair when its result is needed first, and
/// never again.
#[derive(Debug)]
pub struct Results<'a> {
    /// The base; empty if it is unknown.
    pub base: &'a str,
    /// The reference.
    pub reference: &'a str,
    resolutions: Vec<(&'static Revision, OnceCell<Resolution>)>,
}

impl<'a> Results<'a> {
    /// Resolves nothing yet.
    pub fn new(base: &'a str, reference: &'a str) -> Self {
        Self { base, reference, resolutions: resolving().map(|revision| (revision, OnceCell::new())).collect() }
    }

    /// Returns the revisions that define resolution, oldest first, each with its result.
    pub fn all(&self) -> impl Iterator<Item = (&'static Revision, &Resolution)> {
        self.resolutions.iter().map(|(revision, result)| (*revision, self.filled(revision, result)))
    }

    fn filled<'r>(&self, revision: &Revision, result: &'r OnceCell<Resolution>) -> &'r Resolution {
        result.get_or_init(|| revision.resolve(self.base, self.reference))
    }

    /// Returns the outcome of `revision`.
    pub fn outcome(&self, revision: &Revision) -> Outcome {
        let known = self.resolutions.iter().find(|(own, _)| own.id == revision.id);
        match known {
            Some((_, result)) => self.filled(revision, result).clone().into(),
            None => revision.resolve(self.base, self.reference).into(),
        }
    }

    /// Returns the ids of the revisions that have the result `returned`, oldest first; see [`agrees`].
    pub fn agreeing(&self, returned: &Outcome) -> Vec<&'static str> {
        let agreeing = self.all().filter(|(revision, result)| agrees(revision, result, self.base, returned));
        agreeing.map(|(revision, _)| revision.id).collect()
    }
}

/// Returns whether the result of `revision` is the engine's result `returned`.
///
/// A failure of an RFC agrees with an engine's failure only if the base is unknown; otherwise their reasons may differ. Failures
/// of the URL Standard are results of its parser, so they agree with any failure.
pub fn agrees(revision: &Revision, result: &Resolution, base: &str, returned: &Outcome) -> bool {
    match (result, returned) {
        (Ok(target), Outcome::Url(url)) => target.url == *url,
        (Err(_), Outcome::Failure(_)) => base.is_empty() || is_url_standard(revision),
        _ => false,
    }
}
