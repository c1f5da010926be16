//! Why an engine differs from a document: which revisions say what it says, and which of its answers and normalizations make
//! the difference.

use urlstrata::rules::{self, Rule, Rules};

use crate::model::known::deviation;
use crate::model::profile::{KnownProfile, Specification};
use crate::normalize::{Normalization, Profile};
use crate::outcome::Outcome;

mod effect;
mod search;

pub use effect::{Effect, effect};
pub use search::{agrees, between, changes_between};

use search::{search, towards};

/// Longer pairs are not attributed: each trial resolves the pair again.
pub const MAX_ATTRIBUTED: usize = 1 << 20;

/// One answer replaced by another.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Change {
    column: usize,
    from: usize,
    to: usize,
}

impl Change {
    /// The question.
    pub fn column(&self) -> &'static Rule {
        &rules::ALL[self.column]
    }

    /// What the document answers.
    pub fn from(&self) -> &'static urlstrata::rules::Setting {
        &self.column().settings[self.from]
    }

    /// The answer that makes it say what the engine said.
    pub fn to(&self) -> &'static urlstrata::rules::Setting {
        &self.column().settings[self.to]
    }

    fn apply(self, rules: &Rules) -> Rules {
        self.column().with(rules, self.to)
    }
}

/// One thing in which an engine's profile differs from a document's.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Difference {
    /// Another answer.
    Setting(Change),
    /// A normalization that the engine makes and the document does not.
    Applied(Normalization),
    /// A normalization that the document asks for and the engine does not make.
    Omitted(Normalization),
}

impl Difference {
    /// A name for it: `excess=Kept`, `trim`, `no trim`.
    pub fn name(&self) -> String {
        match self {
            Self::Setting(change) => format!("{}={}", change.column().name, change.to().name),
            Self::Applied(normalization) => normalization.name().to_owned(),
            Self::Omitted(normalization) => format!("no {}", normalization.name()),
        }
    }

    /// The normalization that a difference of that name makes or leaves, if it is one.
    pub fn normalization_named(name: &str) -> Option<Normalization> {
        Normalization::by_name(name.strip_prefix("no ").unwrap_or(name))
    }

    /// The same difference, seen from the other side.
    pub fn reversed(self) -> Self {
        match self {
            Self::Setting(Change { column, from, to }) => Self::Setting(Change { column, from: to, to: from }),
            Self::Applied(normalization) => Self::Omitted(normalization),
            Self::Omitted(normalization) => Self::Applied(normalization),
        }
    }

    fn apply(self, profile: &mut Profile) {
        match self {
            Self::Setting(change) => profile.rules = change.apply(&profile.rules),
            Self::Applied(normalization) => profile.normalizations = profile.normalizations.with(normalization),
            Self::Omitted(normalization) => profile.normalizations = profile.normalizations.without(normalization),
        }
    }

    fn may_act(&self, base: &str, reference: &str) -> bool {
        match self {
            Self::Setting(_) => true,
            Self::Applied(normalization) | Self::Omitted(normalization) => normalization.may_act(base, reference),
        }
    }

    /// Whether both are answers to one question.
    fn excludes(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Setting(one), Self::Setting(other)) if one.column == other.column)
    }

    /// Every difference of `profile` from `document`, answers first; the `undetermined` columns left out.
    pub fn between(document: &Profile, profile: &Profile, undetermined: &[usize]) -> Vec<Self> {
        let changes = changes_between(&document.rules, &profile.rules);
        let answers = changes.into_iter().filter(|change| !undetermined.contains(&change.column)).map(Self::Setting);
        let normalizations = Normalization::ALL.iter().filter_map(|&normalization| {
            match (document.normalizations.has(normalization), profile.normalizations.has(normalization)) {
                (false, true) => Some(Self::Applied(normalization)),
                (true, false) => Some(Self::Omitted(normalization)),
                _ => None,
            }
        });
        answers.chain(normalizations).collect()
    }
}

/// `document` with `differences`.
pub fn with(document: &Profile, differences: &[Difference]) -> Profile {
    let mut profile = *document;
    differences.iter().for_each(|difference| difference.apply(&mut profile));
    profile
}

/// What explains a divergence.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Cause {
    /// Differences of the engine's profile, which predicts the engine's result.
    Profile(Vec<Difference>),
    /// Differences towards a document that has the engine's result. The engine has no profile, or its profile predicts
    /// something else.
    Agreeing(Vec<Difference>),
    /// Differences that no single document has together, found by trying them all: they may fit by coincidence.
    Search(Vec<Difference>),
    /// A class of deviations from the profile that is listed among the known deviations, by its id.
    Listed(String),
    /// Nothing yet.
    Unexplained(String),
}

impl Cause {
    /// Whether there are differences that turn the document's result into the engine's.
    pub fn is_explained(&self) -> bool {
        !self.differences().is_empty()
    }

    /// The differences, if they are the reason.
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::Profile(differences) | Self::Agreeing(differences) | Self::Search(differences) => differences,
            Self::Listed(_) | Self::Unexplained(_) => &[],
        }
    }

    /// A name for all divergences of this cause; never empty.
    pub fn key(&self) -> String {
        let names = |differences: &[Difference]| {
            let names: Vec<_> = differences.iter().map(Difference::name).collect();
            names.join(" + ")
        };
        match self {
            Self::Profile(differences) | Self::Agreeing(differences) => names(differences),
            Self::Search(differences) => format!("by search: {}", names(differences)),
            Self::Listed(id) => format!("listed: {id}"),
            Self::Unexplained(why) => format!("unexplained: {why}"),
        }
    }

    /// The same cause, named from the engine's side.
    fn reversed(self) -> Self {
        let reversed = |differences: Vec<Difference>| differences.into_iter().map(Difference::reversed).collect();
        match self {
            Self::Profile(differences) => Self::Profile(reversed(differences)),
            Self::Agreeing(differences) => Self::Agreeing(reversed(differences)),
            Self::Search(differences) => Self::Search(reversed(differences)),
            other => other,
        }
    }
}

/// A divergence and what explains it.
#[derive(Clone, Debug)]
pub struct Attribution {
    /// The documents that have the engine's result: revisions by their reference implementations, and the URL Standard.
    pub signature: Vec<&'static str>,
    /// The reason.
    pub cause: Cause,
    /// The document that has the engine's result and gives the reason, where the profile does not: the one that needs the
    /// fewest differences, and of those the nearest.
    pub towards: Option<Specification>,
    /// Whether the engine has a profile, and the reason lies outside it.
    pub outside: bool,
    /// In what the results differ.
    pub effect: Effect,
    /// The document's result.
    pub own: Outcome,
}

impl Attribution {
    /// Whether the divergence is not known: it has no reason, or only one outside the engine's profile.
    pub fn is_new(&self) -> bool {
        self.outside || matches!(self.cause, Cause::Unexplained(_))
    }

    /// The document whose sections the engine's settings are shown with: that of [`Self::towards`], else the newest that
    /// has the same result.
    pub fn alike(&self) -> Option<Specification> {
        self.towards.or_else(|| self.signature.last().and_then(|id| Specification::by_id(id)))
    }
}

/// A document that an engine is compared with, and in what the engine's profile differs from it.
#[derive(Clone, Debug)]
pub struct Attributor {
    specification: Specification,
    /// What is known of the engine.
    known: Option<KnownProfile>,
    /// The differences that are determined, and all of them.
    determined: Vec<Difference>,
    all: Vec<Difference>,
}

impl Attributor {
    /// `specification`, and an engine of which `known` is known.
    pub fn new(specification: Specification, known: Option<&KnownProfile>) -> Self {
        let between = |undetermined: &[usize]| {
            known.map_or(Vec::new(), |known| Difference::between(&specification.profile, &known.profile, undetermined))
        };
        let determined = between(known.map_or(&[][..], |known| &known.undetermined));
        Self { specification, known: known.cloned(), determined, all: between(&[]) }
    }

    /// The document.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// In what the engine's profile differs from the document, as far as that is determined.
    pub fn differences(&self) -> &[Difference] {
        &self.determined
    }

    /// Compares the engine's result with the document's; `None` if they agree. Two failures agree, whatever their reasons.
    pub fn attribute(&self, base: &str, reference: &str, said: &Outcome) -> Option<Attribution> {
        self.attribute_from(self.specification.says(base, reference), base, reference, said)
    }

    /// As [`Self::attribute`], where the document's result, `own`, is known.
    ///
    /// A cause with differences has been checked: see [`Self::holds`].
    pub fn attribute_from(&self, own: Outcome, base: &str, reference: &str, said: &Outcome) -> Option<Attribution> {
        let effect = effect(&own, said)?;
        let mut found = Attribution {
            signature: Vec::new(),
            cause: Cause::Unexplained(effect.name().to_owned()),
            towards: None,
            outside: false,
            effect,
            own,
        };
        if let Some(why) = unanswered(&found.own).or_else(|| unanswered(said)) {
            let listed = self.known.as_ref().and_then(|known| known.listed(base, reference, said));
            found.cause = listed.map_or_else(|| Cause::Unexplained(why.to_owned()), Cause::Listed);
            return Some(found);
        }
        if base.len() + reference.len() > MAX_ATTRIBUTED {
            found.cause = Cause::Unexplained("too long to attribute".to_owned());
            return Some(found);
        }
        let agreeing: Vec<_> = agreeing(base, reference, said).collect();
        found.signature = agreeing.iter().map(|specification| specification.id).collect();
        if let Some(differences) = self.by_profile(base, reference, &found.own, said) {
            found.cause = Cause::Profile(differences);
        } else if let Some(id) = self.known.as_ref().and_then(|known| known.listed(base, reference, said)) {
            found.cause = Cause::Listed(id);
        } else if let Some((cause, towards)) = search(&self.specification.profile, &agreeing, base, reference, said)
            && self.holds(cause.differences(), base, reference, &found.own, said)
        {
            found.cause = cause;
            found.towards = towards;
            found.outside = self.known.is_some();
        }
        Some(found)
    }

    /// The differences that are the reason for the engine's result, if its profile predicts that: none if the document has
    /// the same result. `None` if the profile does not predict it, and the document has another one.
    pub fn predicted_differences(&self, base: &str, reference: &str, said: &Outcome) -> Option<Vec<Difference>> {
        let own = self.specification.says(base, reference);
        if effect(&own, said).is_none() {
            return Some(Vec::new());
        }
        self.by_profile(base, reference, &own, said)
    }

    /// The class of deviations to which a result belongs that the engine's profile does not predict; `None` if it is
    /// predicted, or the engine has no profile.
    pub fn deviation(&self, base: &str, reference: &str, said: &Outcome) -> Option<String> {
        deviation(&self.known.as_ref()?.profile, base, reference, said)
    }

    /// Whether `differences` are a cause: there is at least one, the document's profile predicts the document's result
    /// `own`, and with exactly these differences it predicts the engine's result `said`.
    pub fn holds(
        &self,
        differences: &[Difference],
        base: &str,
        reference: &str,
        own: &Outcome,
        said: &Outcome,
    ) -> bool {
        let document = &self.specification.profile;
        !differences.is_empty()
            && document.predicts(base, reference, own)
            && with(document, differences).predicts(base, reference, said)
    }

    /// A smallest set of differences that turns the document's result into the engine's, if the engine's profile predicts
    /// that.
    ///
    /// Smallest among those that make a difference to the pair, either alone or as the last one to be left out. Where the
    /// engine fails, the set fails by the normalization or validation by which its profile does: a failure for another
    /// reason would explain any failure.
    fn by_profile(&self, base: &str, reference: &str, own: &Outcome, said: &Outcome) -> Option<Vec<Difference>> {
        let target = &self.known.as_ref()?.profile;
        let determined = towards(&self.specification.profile, target, &self.determined, base, reference);
        let found = determined.or_else(|| towards(&self.specification.profile, target, &self.all, base, reference));
        found.filter(|differences| self.holds(differences, base, reference, own, said))
    }
}

/// Two engines that are compared with each other, and what is known of them.
#[derive(Clone, Debug)]
pub struct EnginePair {
    /// The other engine's profile as a document, and what is known of the one.
    forwards: Option<Attributor>,
    /// The one engine's profile as a document.
    backwards: Option<Attributor>,
    /// Whose sections the settings of the one and of the other engine are shown with: the nearest documents'.
    cites: [&'static str; 2],
}

impl EnginePair {
    /// Two engines of which `one` and `other` are known. If nothing is known of both, no divergence has a cause.
    pub fn new(one: Option<&KnownProfile>, other: Option<&KnownProfile>) -> Self {
        let attributor = |of: &KnownProfile, known| Attributor::new(Specification::of_profile(of.profile), known);
        let cite = |of: Option<&KnownProfile>| {
            of.map_or("", |known| Specification::nearest(&known.profile, &known.undetermined).cite_of_rules())
        };
        Self {
            forwards: other.map(|it| attributor(it, one)),
            backwards: one.map(|it| attributor(it, None)),
            cites: [cite(one), cite(other)],
        }
    }

    /// How the documents are cited to which the one and the other engine are nearest; empty where nothing is known.
    pub fn cites(&self) -> [&'static str; 2] {
        self.cites
    }

    /// Whether a divergence can have a cause: something is known of at least one of the two.
    pub fn has_causes(&self) -> bool {
        self.forwards.is_some() || self.backwards.is_some()
    }

    /// Compares the result of the one engine, `said`, with the `own` result of the other; `None` if they agree. Two
    /// failures agree, whatever their reasons, and so do two crashes, timeouts or skipped requests.
    ///
    /// The differences of a cause lead from the other engine to the one: `no trim` is what the other does and the one does
    /// not do. Where the other engine's profile does not explain, the one's is asked.
    pub fn attribute(&self, base: &str, reference: &str, said: &Outcome, own: &Outcome) -> Option<Attribution> {
        let forwards = self.forwards.as_ref().map(|it| it.attribute_from(own.clone(), base, reference, said));
        match forwards {
            Some(None) => return None,
            Some(Some(found)) if !matches!(found.cause, Cause::Unexplained(_)) => return Some(found),
            _ => {}
        }
        let Some(backwards) = &self.backwards else {
            return forwards.flatten().or_else(|| unknown(said, own));
        };
        let found = backwards.attribute_from(said.clone(), base, reference, own)?;
        let forwards = forwards.flatten();
        if forwards.is_some() && !found.cause.is_explained() {
            return forwards;
        }
        let outside = forwards.is_some();
        let signature = agreeing(base, reference, said).map(|specification| specification.id).collect();
        Some(Attribution {
            signature,
            cause: found.cause.reversed(),
            towards: None,
            outside,
            own: own.clone(),
            ..found
        })
    }

    /// Whether `differences` are a cause: applied to the other engine's profile they give the result of the one, or, taken
    /// back from the one engine's profile, the result of the other.
    pub fn holds(
        &self,
        differences: &[Difference],
        base: &str,
        reference: &str,
        said: &Outcome,
        own: &Outcome,
    ) -> bool {
        let reversed: Vec<_> = differences.iter().map(|it| it.reversed()).collect();
        self.forwards.as_ref().is_some_and(|it| it.holds(differences, base, reference, own, said))
            || self.backwards.as_ref().is_some_and(|it| it.holds(&reversed, base, reference, said, own))
    }
}

/// A divergence of two engines of which nothing is known.
fn unknown(said: &Outcome, own: &Outcome) -> Option<Attribution> {
    let effect = effect(own, said)?;
    let why = unanswered(own).or_else(|| unanswered(said)).unwrap_or("neither engine has a profile");
    Some(Attribution {
        signature: Vec::new(),
        cause: Cause::Unexplained(why.to_owned()),
        towards: None,
        outside: false,
        effect,
        own: own.clone(),
    })
}

/// The documents that have the result `said`.
fn agreeing(base: &str, reference: &str, said: &Outcome) -> impl Iterator<Item = Specification> {
    Specification::all().into_iter().filter(move |specification| agrees(specification, base, reference, said))
}

/// Why `outcome` is not an answer.
fn unanswered(outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Url(_) | Outcome::Failure(_) => None,
        Outcome::Skipped(_) => Some("no answer"),
        Outcome::Crash(_) => Some("a crash"),
        Outcome::Timeout(_) => Some("no answer in time"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Attribution, Attributor, Cause, Effect, effect};
    use crate::engine::by_name;
    use crate::model::profile::{KnownProfile, Specification};
    use crate::normalize::{Normalization, Normalizations, Profile};
    use crate::outcome::Outcome;

    fn attribute(specification: &str, base: &str, reference: &str, said: &Outcome) -> Option<Attribution> {
        let specification = Specification::by_id(specification).expect("a document");
        Attributor::new(specification, None).attribute(base, reference, said)
    }

    fn caused(engine: &str, revision: &str, base: &str, reference: &str) -> (Vec<&'static str>, Cause, Effect) {
        let said = by_name(engine).expect("an engine").resolve(base, reference);
        let found = attribute(revision, base, reference, &said).expect("a divergence");
        (found.signature, found.cause, found.effect)
    }

    fn columns(cause: &Cause) -> Vec<String> {
        cause.differences().iter().filter_map(|it| it.name().split('=').next().map(str::to_owned)).collect()
    }

    #[test]
    fn a_profile_explains_with_the_fewest_of_its_answers_and_rewrites() {
        let normalizations =
            [Normalization::DefaultPort, Normalization::HostCase, Normalization::EmptyPath].into_iter().collect();
        let rfc2396 = Specification::by_id("rfc2396").expect("a document");
        let profile = Profile { rules: rfc2396.profile.rules, normalizations };
        let known = KnownProfile::certain(profile);
        let rfc3986 = Attributor::new(Specification::by_id("rfc3986").expect("a document"), Some(&known));
        let key = |reference: &str| {
            let said = profile.predict("http://A/b", reference);
            rfc3986.attribute("http://A/b", reference, &said).map(|found| (found.cause.key(), found.outside))
        };
        assert_eq!(key("//h:80/x"), Some(("default_port".to_owned(), false)));
        assert_eq!(key("?y"), Some(("query_only=DropsLastSegment + host_case".to_owned(), false)));
        assert_eq!(key("//h/x"), None);
        // What the profile does not predict is looked for outside, and marked.
        let found = rfc3986.attribute("http://A/b", "//h/./x", &Outcome::Url("http://h/./x".to_owned()));
        let found = found.map(|found| (found.cause.key(), found.outside));
        assert_eq!(found, Some(("dots_in_network_path=Kept".to_owned(), false)));
        let found = rfc3986.attribute("http://a/b", "g#", &Outcome::Url("http://a/g".to_owned()));
        let found = found.map(|found| (found.cause.key(), found.outside));
        assert_eq!(found, Some(("empty_fragment=Dropped".to_owned(), true)));
        assert_eq!(Normalizations::NONE.iter().count(), 0);
    }

    #[test]
    fn a_query_only_reference_is_explained_by_one_column() {
        let (signature, cause, effect) = caused("ref:rfc1808", "rfc2396", "http://a/b/c/d;p?q", "?y");
        assert_eq!(signature, ["rfc1808", "draft-1996", "rfc3986", "rfc3986-nonstrict", "whatwg"]);
        assert_eq!(columns(&cause), ["query_only"]);
        assert_eq!(effect, Effect::Path);
    }

    #[test]
    fn of_equally_small_reasons_the_nearest_revision_gives_it() {
        let said = by_name("crate:url").expect("an engine").resolve("non-spec:/p", "/.//path");
        let found = attribute("rfc3986", "non-spec:/p", "/.//path", &said).expect("a divergence");
        assert_eq!(found.towards.map(|revision| revision.id), Some("rfc2396"));
        assert_eq!(columns(&found.cause), ["dots_in_rooted_path"]);
    }

    #[test]
    fn two_columns_are_found_together_and_no_third() {
        let (_, cause, _) = caused("ref:rfc1808", "rfc3986", "http://a/b", "../../g#");
        assert_eq!(columns(&cause), ["empty_fragment", "excess"]);
    }

    #[test]
    fn what_no_row_says_is_unexplained() {
        let said = Outcome::Url("http://elsewhere/".to_owned());
        let found = attribute("rfc3986", "http://a/b", "g", &said).expect("a divergence");
        assert!(found.signature.is_empty() && !found.cause.is_explained());
        assert_eq!(found.effect, Effect::Host);
    }

    #[test]
    fn two_refusals_are_alike_only_under_an_unknown_base() {
        let said = Outcome::Failure("empty host".to_owned());
        let found = attribute("rfc3986", "http://a/b", "///x", &said).expect("a divergence");
        assert!(found.signature.is_empty(), "{:?}", found.signature);
        assert!(attribute("rfc3986", "", "x", &said).is_none());
    }

    #[test]
    fn a_lie_a_crash_and_silence_are_told_apart() {
        for (outcome, why) in [
            (Outcome::Crash("boom".to_owned()), "unexplained: a crash"),
            (Outcome::Skipped("later".to_owned()), "unexplained: no answer"),
            (Outcome::Timeout("no answer within 5s".to_owned()), "unexplained: no answer in time"),
        ] {
            let found = attribute("rfc3986", "http://a/b", "g", &outcome).expect("a divergence");
            assert_eq!(found.cause.key(), why);
        }
    }

    #[test]
    fn the_worst_effect_counts() {
        let url = |url: &str| Outcome::Url(url.to_owned());
        assert_eq!(effect(&url("http://a/b?c"), &url("http://x/y?z")), Some(Effect::Host));
        assert_eq!(effect(&url("http://u@a/b?c"), &url("http://v@a/y")), Some(Effect::Credentials));
        assert_eq!(effect(&url("http://a:81/b?c"), &url("http://u@a/y")), Some(Effect::Port));
        assert_eq!(effect(&url("http://a:80/"), &url("http://a/")), Some(Effect::Spelling));
        let [rejects, crashes] = [Outcome::Failure("no".to_owned()), Outcome::Crash("boom".to_owned())];
        assert_eq!(effect(&rejects, &crashes), Some(Effect::Accepted), "a crash is not a failure");
        assert_eq!(effect(&crashes, &crashes), None);
        assert_eq!(effect(&url("http://a/b#c"), &url("http://a/b#d")), Some(Effect::Fragment));
        assert_eq!(effect(&url("http://a/"), &url("HTTP://A/")), Some(Effect::Spelling));
        assert_eq!(effect(&url("http://a/"), &url("http://a/")), None);
    }
}
