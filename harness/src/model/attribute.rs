//! Attribution: the cause of a difference between an engine and a specification.
//!
//! An attribution lists the specifications that have the engine's result, and the settings and normalizations that
//! explain the difference.

use std::sync::Arc;

use urlstrata::revision::whatwg::Change as StandardChange;
use urlstrata::rules::{self, Rule, Rules};

use crate::behaviour::{self, Behaviour};
use crate::model::known::deviation;
use crate::model::note::Note;
use crate::model::profile::KnownProfile;
use crate::model::specification::{Specification, resolving};
use crate::normalize::{Normalization, Profile};
use crate::outcome::Outcome;

mod effect;
mod engines;
mod search;

pub use effect::{Effect, effect};
pub use engines::EnginePair;
pub use search::{agrees, between, changes_between};

use search::{search, towards};

/// The maximum length of base and reference together, in bytes. Longer pairs are not attributed, because each trial
/// resolves the pair again.
pub const MAX_ATTRIBUTED: usize = 1 << 20;

/// A change of a rule from one setting to another.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Change {
    rule: usize,
    from: usize,
    to: usize,
}

impl Change {
    /// Returns the rule.
    pub fn rule(&self) -> &'static Rule {
        &rules::ALL[self.rule]
    }

    /// Returns the setting of the specification.
    pub fn from(&self) -> &'static urlstrata::rules::Setting {
        &self.rule().settings[self.from]
    }

    /// Returns the setting that explains the engine's result.
    pub fn to(&self) -> &'static urlstrata::rules::Setting {
        &self.rule().settings[self.to]
    }

    fn apply(self, rules: &Rules) -> Rules {
        self.rule().with(rules, self.to)
    }
}

/// A difference between a specification and an engine's profile.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Difference {
    /// A rule has another setting.
    Setting(Change),
    /// A normalization that the engine applies and the specification does not require.
    Applied(Normalization),
    /// A normalization that the specification requires and the engine does not apply.
    Omitted(Normalization),
}

impl Difference {
    /// Returns the name: `excess=Kept`, `trim`, `no trim`.
    pub fn name(&self) -> String {
        match self {
            Self::Setting(change) => format!("{}={}", change.rule().name, change.to().name),
            Self::Applied(normalization) => normalization.name().to_owned(),
            Self::Omitted(normalization) => format!("no {}", normalization.name()),
        }
    }

    /// Returns the normalization of the difference called `name`; `None` if the difference is not a normalization.
    pub fn normalization_named(name: &str) -> Option<Normalization> {
        Normalization::by_name(name.strip_prefix("no ").unwrap_or(name))
    }

    /// Returns the change of the URL Standard that an engine with this difference does not follow: it lacks what the
    /// change added, or has what the change removed.
    pub fn not_followed(&self) -> Option<&'static StandardChange> {
        match self {
            Self::Setting(_) => None,
            Self::Applied(normalization) => normalization.change().filter(|(_, since)| !since),
            Self::Omitted(normalization) => normalization.change().filter(|(_, since)| *since),
        }
        .map(|(change, _)| change)
    }

    /// Returns the difference with its two sides exchanged.
    pub fn reversed(self) -> Self {
        match self {
            Self::Setting(Change { rule, from, to }) => Self::Setting(Change { rule, from: to, to: from }),
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

    /// Returns whether both differences are settings of the same rule.
    fn excludes(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Setting(one), Self::Setting(other)) if one.rule == other.rule)
    }

    /// Returns every difference of `profile` from `start`, settings first. Rules in `undetermined`, which are
    /// indices into [`rules::ALL`], are not compared.
    pub fn between(start: &Profile, profile: &Profile, undetermined: &[usize]) -> Vec<Self> {
        let changes = changes_between(&start.rules, &profile.rules);
        let settings = changes.into_iter().filter(|change| !undetermined.contains(&change.rule)).map(Self::Setting);
        let normalizations = Normalization::ALL.iter().filter_map(|&normalization| {
            match (start.normalizations.has(normalization), profile.normalizations.has(normalization)) {
                (false, true) => Some(Self::Applied(normalization)),
                (true, false) => Some(Self::Omitted(normalization)),
                _ => None,
            }
        });
        settings.chain(normalizations).collect()
    }
}

/// Returns `start` with `differences` applied.
pub fn with(start: &Profile, differences: &[Difference]) -> Profile {
    let mut profile = *start;
    differences.iter().for_each(|difference| difference.apply(&mut profile));
    profile
}

/// The cause of a divergence.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Cause {
    /// Differences of the engine's profile, which predicts the engine's result.
    Profile(Vec<Difference>),
    /// Differences between the behaviours of the two sides, both of which predict their results.
    Behaviour(Vec<behaviour::Difference>),
    /// Differences towards a specification that has the engine's result. The engine does not have a profile, or its
    /// profile predicts another result.
    Agreeing(Vec<Difference>),
    /// Differences found by trying every difference and every two differences. No single specification has all of them,
    /// so they may fit by coincidence.
    Search(Vec<Difference>),
    /// A class of pairs that the profile does not predict and the known deviations list, by its id.
    Listed(String),
    /// No cause was found. The text describes the divergence.
    Unexplained(String),
}

impl Cause {
    /// Returns whether the cause has differences that turn the specification's result into the engine's.
    pub fn is_explained(&self) -> bool {
        !matches!(self, Self::Listed(_) | Self::Unexplained(_))
    }

    /// Returns the differences of profiles; empty for [`Self::Behaviour`], [`Self::Listed`] and [`Self::Unexplained`].
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::Profile(differences) | Self::Agreeing(differences) | Self::Search(differences) => differences,
            Self::Behaviour(_) | Self::Listed(_) | Self::Unexplained(_) => &[],
        }
    }

    /// Returns a note on each difference. `cites` cite the sections of the first and of the second side.
    pub fn notes(&self, cites: [&'static str; 2]) -> Vec<Note> {
        match self {
            Self::Behaviour(differences) => differences.iter().map(|it| Note::of_behaviours(it, cites)).collect(),
            other => other.differences().iter().map(|it| Note::cited(it, cites[0], cites[1])).collect(),
        }
    }

    /// Returns a name that all divergences with this cause share. It is never empty.
    pub fn key(&self) -> String {
        let names = |differences: &[Difference]| {
            let names: Vec<_> = differences.iter().map(Difference::name).collect();
            names.join(" + ")
        };
        match self {
            Self::Profile(differences) | Self::Agreeing(differences) => names(differences),
            Self::Behaviour(differences) => {
                differences.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(" + ")
            }
            Self::Search(differences) => format!("by search: {}", names(differences)),
            Self::Listed(id) => format!("listed: {id}"),
            Self::Unexplained(why) => format!("unexplained: {why}"),
        }
    }

    /// Returns the cause with the two sides of each difference exchanged.
    fn reversed(self) -> Self {
        let reversed = |differences: Vec<Difference>| differences.into_iter().map(Difference::reversed).collect();
        match self {
            Self::Profile(differences) => Self::Profile(reversed(differences)),
            Self::Agreeing(differences) => Self::Agreeing(reversed(differences)),
            Self::Search(differences) => Self::Search(reversed(differences)),
            Self::Behaviour(_) | Self::Listed(_) | Self::Unexplained(_) => self,
        }
    }
}

/// A divergence and its cause.
#[derive(Clone, Debug)]
pub struct Attribution {
    /// The ids of the revisions that have the engine's result, by their reference implementations.
    pub signature: Vec<&'static str>,
    /// The cause.
    pub cause: Cause,
    /// The specification of [`Cause::Agreeing`]: it has the engine's result and requires the fewest differences. Of
    /// several, it is the nearest.
    pub towards: Option<Specification>,
    /// Whether the engine has a profile or a behaviour that does not contain the cause.
    pub outside: bool,
    /// The part in which the results differ.
    pub effect: Effect,
    /// The specification's result.
    pub own: Outcome,
}

impl Attribution {
    /// Returns whether the divergence is new: it has no cause, or its cause is outside the engine's profile.
    pub fn is_new(&self) -> bool {
        self.outside || matches!(self.cause, Cause::Unexplained(_))
    }

    /// Returns the specification whose sections are cited for the engine's settings. It is [`Self::towards`], or the
    /// newest specification that has the engine's result.
    pub fn alike(&self) -> Option<Specification> {
        self.towards.or_else(|| specifications(&self.signature).pop())
    }
}

/// What is known of an engine.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The profile, if there is one.
    pub profile: Option<KnownProfile>,
    /// The behaviour, if there is one.
    pub behaviour: Option<Arc<Behaviour>>,
}

impl Model {
    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.profile.is_none() && self.behaviour.is_none()
    }
}

impl From<Option<&KnownProfile>> for Model {
    fn from(profile: Option<&KnownProfile>) -> Self {
        Self { profile: profile.cloned(), behaviour: None }
    }
}

/// Returns the smallest set of differences between the behaviours `from` and `to` that turns the outcome `own` of the
/// first side into the outcome `returned` of the second; `None` if a behaviour does not predict its outcome.
fn by_behaviours(
    [from, to]: [&Behaviour; 2],
    base: &str,
    reference: &str,
    own: &Outcome,
    returned: &Outcome,
) -> Option<Cause> {
    let predicts = |behaviour: &Behaviour, outcome: &Outcome| {
        unanswered(outcome).is_none() && behaviour.predict(base, reference).as_deref() == outcome.url()
    };
    if base.len() + reference.len() > MAX_ATTRIBUTED || !predicts(from, own) || !predicts(to, returned) {
        return None;
    }
    behaviour::between(from, to, base, reference).map(Cause::Behaviour)
}

/// A specification and what is known of an engine that is compared with it.
#[derive(Clone, Debug)]
pub struct Attributor {
    specification: Specification,
    /// The profile of the engine.
    known: Option<KnownProfile>,
    /// The behaviours of the specification and of the engine, if the engine has one.
    behaviours: Option<[Arc<Behaviour>; 2]>,
    /// The differences in determined rules and in normalizations. `all` also contains those in undetermined rules.
    determined: Vec<Difference>,
    all: Vec<Difference>,
}

impl Attributor {
    /// Creates an attributor that compares an engine with `specification`. `model` is what is known of the engine.
    pub fn new(specification: Specification, model: impl Into<Model>) -> Self {
        let Model { profile: known, behaviour } = model.into();
        let between = |undetermined: &[usize]| {
            let profile = known.as_ref().map(|known| &known.profile);
            profile.map_or(Vec::new(), |profile| Difference::between(&specification.profile, profile, undetermined))
        };
        let determined = between(known.as_ref().map_or(&[][..], |known| &known.undetermined));
        let all = between(&[]);
        let stated = || specification.behaviour().map(Arc::new);
        let behaviours = behaviour.and_then(|own| Some([stated()?, own]));
        Self { specification, known, behaviours, determined, all }
    }

    /// Returns whether something is known of the engine.
    fn has_model(&self) -> bool {
        self.known.is_some() || self.behaviours.is_some()
    }

    /// Returns the specification.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// Returns the differences of the engine's profile from the specification, without undetermined rules.
    pub fn differences(&self) -> &[Difference] {
        &self.determined
    }

    /// Compares the engine's result `returned` with the specification's result. Returns `None` if they agree. Two failures
    /// agree, whatever their reasons.
    pub fn attribute(&self, base: &str, reference: &str, returned: &Outcome) -> Option<Attribution> {
        self.attribute_from(self.specification.resolve(base, reference), base, reference, returned)
    }

    /// Attributes a divergence like [`Self::attribute`], but uses `own` as the specification's result.
    ///
    /// A cause with differences has been verified by [`Self::holds`].
    pub fn attribute_from(&self, own: Outcome, base: &str, reference: &str, returned: &Outcome) -> Option<Attribution> {
        let effect = effect(&own, returned)?;
        let mut found = Attribution {
            signature: Vec::new(),
            cause: Cause::Unexplained(effect.name().to_owned()),
            towards: None,
            outside: false,
            effect,
            own,
        };
        if let Some(why) = unanswered(&found.own).or_else(|| unanswered(returned)) {
            let listed = self.known.as_ref().and_then(|known| known.listed(base, reference, returned));
            found.cause = listed.map_or_else(|| Cause::Unexplained(why.to_owned()), Cause::Listed);
            return Some(found);
        }
        if base.len() + reference.len() > MAX_ATTRIBUTED {
            found.cause = Cause::Unexplained("too long to attribute".to_owned());
            return Some(found);
        }
        found.signature = agreeing(base, reference, returned);
        let agreeing = specifications(&found.signature);
        if let Some(differences) = self.by_profile(base, reference, &found.own, returned) {
            found.cause = Cause::Profile(differences);
        } else if let Some(id) = self.known.as_ref().and_then(|known| known.listed(base, reference, returned)) {
            found.cause = Cause::Listed(id);
        } else if let Some(cause) = self.by_behaviours(base, reference, &found.own, returned) {
            found.cause = cause;
        } else if let Some((cause, towards)) = search(&self.specification.profile, &agreeing, base, reference, returned)
            && self.holds(cause.differences(), base, reference, &found.own, returned)
            && !(self.behaviours.is_some() && matches!(cause, Cause::Search(_)))
        {
            found.cause = cause;
            found.towards = towards;
            found.outside = self.has_model();
        }
        Some(found)
    }

    fn by_behaviours(&self, base: &str, reference: &str, own: &Outcome, returned: &Outcome) -> Option<Cause> {
        let [stated, engine] = self.behaviours.as_ref()?;
        by_behaviours([stated, engine], base, reference, own, returned)
    }

    /// Returns the differences that explain the engine's result `returned`, if the engine's profile predicts it. The list
    /// is empty if the specification has the same result.
    ///
    /// Returns `None` if the specification has another result and the profile does not predict the engine's.
    pub fn predicted_differences(&self, base: &str, reference: &str, returned: &Outcome) -> Option<Vec<Difference>> {
        let own = self.specification.resolve(base, reference);
        if effect(&own, returned).is_none() {
            return Some(Vec::new());
        }
        self.by_profile(base, reference, &own, returned)
    }

    /// Returns the class of deviations of a result that the engine's profile does not predict. Returns `None` if the
    /// profile predicts the result or the engine does not have a profile.
    pub fn deviation(&self, base: &str, reference: &str, returned: &Outcome) -> Option<String> {
        deviation(&self.known.as_ref()?.profile.predict(base, reference), base, returned)
    }

    /// Returns whether `differences` are a cause of the engine's result `returned`.
    ///
    /// There must be at least one difference. The specification's profile must predict the specification's result
    /// `own`. With exactly these differences, it must predict `returned`.
    pub fn holds(
        &self,
        differences: &[Difference],
        base: &str,
        reference: &str,
        own: &Outcome,
        returned: &Outcome,
    ) -> bool {
        let start = &self.specification.profile;
        !differences.is_empty()
            && start.predicts(base, reference, own)
            && with(start, differences).predicts(base, reference, returned)
    }

    /// Returns a smallest set of differences that turns the specification's result into the engine's, if the engine's
    /// profile predicts that result.
    ///
    /// The set is the smallest among differences that change the prediction when they are applied alone or when only
    /// they are omitted. If the engine fails, the set must fail by the same normalization or validation as the engine's
    /// profile. Otherwise any validation would explain any failure.
    fn by_profile(&self, base: &str, reference: &str, own: &Outcome, returned: &Outcome) -> Option<Vec<Difference>> {
        let target = &self.known.as_ref()?.profile;
        let determined = towards(&self.specification.profile, target, &self.determined, base, reference);
        let found = determined.or_else(|| towards(&self.specification.profile, target, &self.all, base, reference));
        found.filter(|differences| self.holds(differences, base, reference, own, returned))
    }
}

/// Returns the ids of the revisions that have the result `returned`, oldest first.
pub fn agreeing(base: &str, reference: &str, returned: &Outcome) -> Vec<&'static str> {
    resolving().filter(|revision| agrees(revision, base, reference, returned)).map(|revision| revision.id).collect()
}

/// Returns the specifications with these ids, of those that a profile describes.
fn specifications(ids: &[&str]) -> Vec<Specification> {
    Specification::all().into_iter().filter(|specification| ids.contains(&specification.id)).collect()
}

/// Returns why `outcome` is neither a URL nor a failure; `None` for a URL or a failure.
fn unanswered(outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Url(_) | Outcome::Failure(_) => None,
        Outcome::Skipped(_) => Some("no answer"),
        Outcome::Unrepresentable(_) => Some("an unrepresentable result"),
        Outcome::Crash(_) => Some("a crash"),
        Outcome::Timeout(_) => Some("no answer in time"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Attribution, Attributor, Cause, Effect, effect};
    use crate::engine::by_name;
    use crate::model::dated::ranges;
    use crate::model::profile::KnownProfile;
    use crate::model::specification::Specification;
    use crate::normalize::{Normalization, Normalizations, Profile};
    use crate::outcome::Outcome;

    fn attribute(specification: &str, base: &str, reference: &str, returned: &Outcome) -> Option<Attribution> {
        let specification = Specification::by_id(specification).expect("a specification");
        Attributor::new(specification, None).attribute(base, reference, returned)
    }

    fn caused(engine: &str, revision: &str, base: &str, reference: &str) -> (Vec<&'static str>, Cause, Effect) {
        let returned = by_name(engine).expect("an engine").resolve(base, reference);
        let found = attribute(revision, base, reference, &returned).expect("a divergence");
        (found.signature, found.cause, found.effect)
    }

    fn rules_of(cause: &Cause) -> Vec<String> {
        cause.differences().iter().filter_map(|it| it.name().split('=').next().map(str::to_owned)).collect()
    }

    #[test]
    fn a_profile_explains_with_the_fewest_of_its_differences() {
        let normalizations =
            [Normalization::DefaultPort, Normalization::HostCase, Normalization::EmptyPath].into_iter().collect();
        let rfc2396 = Specification::by_id("rfc2396").expect("a specification");
        let profile = Profile { rules: rfc2396.profile.rules, normalizations };
        let known = KnownProfile::certain(profile);
        let rfc3986 = Attributor::new(Specification::by_id("rfc3986").expect("a specification"), Some(&known));
        let key = |reference: &str| {
            let returned = profile.predict("http://A/b", reference);
            rfc3986.attribute("http://A/b", reference, &returned).map(|found| (found.cause.key(), found.outside))
        };
        assert_eq!(key("//h:80/x"), Some(("default_port".to_owned(), false)));
        assert_eq!(key("?y"), Some(("query_only=DropsLastSegment + host_case".to_owned(), false)));
        assert_eq!(key("//h/x"), None);
        // The profile explains the first result. The second result is explained only outside the profile, and is
        // marked.
        let found = rfc3986.attribute("http://A/b", "//h/./x", &Outcome::Url("http://h/./x".to_owned()));
        let found = found.map(|found| (found.cause.key(), found.outside));
        assert_eq!(found, Some(("dots_in_network_path=Kept".to_owned(), false)));
        let found = rfc3986.attribute("http://a/b", "g#", &Outcome::Url("http://a/g".to_owned()));
        let found = found.map(|found| (found.cause.key(), found.outside));
        assert_eq!(found, Some(("empty_fragment=Dropped".to_owned(), true)));
        assert_eq!(Normalizations::NONE.iter().count(), 0);
    }

    #[test]
    fn a_query_only_reference_is_explained_by_one_rule() {
        let (signature, cause, effect) = caused("ref:rfc1808", "rfc2396", "http://a/b/c/d;p?q", "?y");
        assert_eq!(ranges(signature), ["rfc1808", "draft-1996", "rfc3986", "rfc3986-nonstrict", "whatwg"]);
        assert_eq!(rules_of(&cause), ["query_only"]);
        assert_eq!(effect, Effect::Path);
    }

    #[test]
    fn of_equally_small_causes_the_nearest_revision_is_preferred() {
        let returned = by_name("crate:url").expect("an engine").resolve("non-spec:/p", "/.//path");
        let found = attribute("rfc3986", "non-spec:/p", "/.//path", &returned).expect("a divergence");
        assert_eq!(found.towards.map(|revision| revision.id), Some("rfc2396"));
        assert_eq!(rules_of(&found.cause), ["dots_in_rooted_path"]);
    }

    #[test]
    fn a_cause_of_two_rules_is_found() {
        let (_, cause, _) = caused("ref:rfc1808", "rfc3986", "http://a/b", "../../g#");
        assert_eq!(rules_of(&cause), ["empty_fragment", "excess"]);
    }

    #[test]
    fn a_result_of_no_rule_set_is_unexplained() {
        let returned = Outcome::Url("http://elsewhere/".to_owned());
        let found = attribute("rfc3986", "http://a/b", "g", &returned).expect("a divergence");
        assert!(found.signature.is_empty() && !found.cause.is_explained());
        assert_eq!(found.effect, Effect::Host);
    }

    #[test]
    fn a_failure_agrees_only_with_a_failure_for_an_unknown_base() {
        let returned = Outcome::Failure("empty host".to_owned());
        let found = attribute("rfc3986", "http://a/b", "///x", &returned).expect("a divergence");
        assert!(found.signature.is_empty(), "{:?}", found.signature);
        assert!(attribute("rfc3986", "", "x", &returned).is_none());
    }

    #[test]
    fn wrong_urls_crashes_and_timeouts_are_distinguished() {
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
    fn the_most_severe_effect_is_reported() {
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
