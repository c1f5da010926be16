//! Why an engine differs from a document: which revisions say what it says, and which of its answers and rewrites make
//! the difference.

use urlstrata::revision::{self, Revision};
use urlstrata::rules::{COLUMNS, Column, Rules};

use crate::engine::Outcome;
use crate::profile::{KnownProfile, Reading};
use crate::rewrite::{Profile, Rewrite, is_met_by};

mod effect;
mod search;

pub use effect::{Effect, effect};
pub use search::{between, changes_between};

use search::{MAX_SUBSET, equal, minimized, search, smallest};

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
    pub fn column(&self) -> &'static Column {
        &COLUMNS[self.column]
    }

    /// What the document answers.
    pub fn from(&self) -> &'static urlstrata::rules::Answer {
        &self.column().answers[self.from]
    }

    /// The answer that makes it say what the engine said.
    pub fn to(&self) -> &'static urlstrata::rules::Answer {
        &self.column().answers[self.to]
    }

    fn apply(self, rules: &Rules) -> Rules {
        self.column().with(rules, self.to)
    }
}

/// One thing in which an engine's profile differs from a document's.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Difference {
    /// Another answer.
    Answer(Change),
    /// A rewrite that the engine makes and the document does not.
    Makes(Rewrite),
    /// A rewrite that the document asks for and the engine does not make.
    Leaves(Rewrite),
}

impl Difference {
    /// A name for it: `excess=Kept`, `trim`, `no trim`.
    pub fn name(&self) -> String {
        match self {
            Self::Answer(change) => format!("{}={}", change.column().name, change.to().name),
            Self::Makes(rewrite) => rewrite.name().to_owned(),
            Self::Leaves(rewrite) => format!("no {}", rewrite.name()),
        }
    }

    /// The rewrite that a difference of that name makes or leaves, if it is one.
    pub fn rewrite_named(name: &str) -> Option<Rewrite> {
        Rewrite::by_name(name.strip_prefix("no ").unwrap_or(name))
    }

    fn apply(self, profile: &mut Profile) {
        match self {
            Self::Answer(change) => profile.rules = change.apply(&profile.rules),
            Self::Makes(rewrite) => profile.rewrites = profile.rewrites.with(rewrite),
            Self::Leaves(rewrite) => profile.rewrites = profile.rewrites.without(rewrite),
        }
    }

    fn may_act(&self, base: &str, reference: &str) -> bool {
        match self {
            Self::Answer(_) => true,
            Self::Makes(rewrite) | Self::Leaves(rewrite) => rewrite.may_act(base, reference),
        }
    }

    /// Whether both are answers to one question.
    fn excludes(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Answer(one), Self::Answer(other)) if one.column == other.column)
    }

    /// Every difference of `profile` from `document`, answers first; the `undetermined` columns left out.
    pub fn between(document: &Profile, profile: &Profile, undetermined: &[usize]) -> Vec<Self> {
        let changes = changes_between(&document.rules, &profile.rules);
        let answers = changes.into_iter().filter(|change| !undetermined.contains(&change.column)).map(Self::Answer);
        let rewrites = Rewrite::ALL.iter().filter_map(|&rewrite| {
            match (document.rewrites.has(rewrite), profile.rewrites.has(rewrite)) {
                (false, true) => Some(Self::Makes(rewrite)),
                (true, false) => Some(Self::Leaves(rewrite)),
                _ => None,
            }
        });
        answers.chain(rewrites).collect()
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
    /// Answers and rewrites of the engine's profile, which predicts what it said.
    Profile(Vec<Difference>),
    /// Answers in which a revision that says what the engine said differs from the document; the engine has no profile,
    /// or it predicts something else.
    Columns(Vec<Difference>),
    /// Answers that no single revision gives together, found by trying all: they may coincide by chance.
    Search(Vec<Difference>),
    /// A single pair that is listed with a reason, by the entry's name.
    Exception(String),
    /// Nothing yet.
    Unexplained(String),
}

impl Cause {
    /// Whether there is something that makes the document say what the engine said.
    pub fn is_explained(&self) -> bool {
        !matches!(self, Self::Unexplained(_))
    }

    /// The differences, if they are the reason.
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::Profile(differences) | Self::Columns(differences) | Self::Search(differences) => differences,
            Self::Exception(_) | Self::Unexplained(_) => &[],
        }
    }

    /// A name for all divergences of this cause.
    pub fn key(&self) -> String {
        let names = |differences: &[Difference]| {
            let names: Vec<_> = differences.iter().map(Difference::name).collect();
            names.join(" + ")
        };
        match self {
            Self::Profile(differences) | Self::Columns(differences) => names(differences),
            Self::Search(differences) => format!("by search: {}", names(differences)),
            Self::Exception(id) => format!("exception: {id}"),
            Self::Unexplained(why) => format!("unexplained: {why}"),
        }
    }
}

/// A divergence and what explains it.
#[derive(Clone, Debug)]
pub struct Attribution {
    /// The revisions whose reference gives the engine's answer.
    pub signature: Vec<&'static str>,
    /// The reason.
    pub cause: Cause,
    /// The revision whose answers are the reason, where they are not the profile's: of those that say the same with
    /// equally few answers changed, the one whose row is nearest.
    pub towards: Option<&'static Revision>,
    /// Whether the engine has a profile, and the reason lies outside it.
    pub outside: bool,
    /// In what the answers differ.
    pub effect: Effect,
    /// What the document says.
    pub own: Outcome,
}

impl Attribution {
    /// Whether nothing was known of it: it has no reason, or one outside the engine's profile only.
    pub fn is_new(&self) -> bool {
        self.outside || !self.cause.is_explained()
    }

    /// The revision whose sections the engine's answers are shown with: that of [`Self::towards`], else the newest that
    /// says the same.
    pub fn alike(&self) -> Option<&'static Revision> {
        self.towards.or_else(|| self.signature.last().and_then(|id| revision::by_id(id)))
    }
}

/// A document that an engine is put beside, and in what its profile differs from it.
#[derive(Clone, Debug)]
pub struct Subject {
    reading: Reading,
    /// What is known of the engine.
    known: Option<KnownProfile>,
    /// The differences that are determined, and all of them.
    determined: Vec<Difference>,
    all: Vec<Difference>,
}

impl Subject {
    /// `reading`, and an engine of which `known` is known.
    pub fn new(reading: Reading, known: Option<&KnownProfile>) -> Self {
        let between = |undetermined: &[usize]| {
            known.map_or(Vec::new(), |known| Difference::between(&reading.profile, &known.profile, undetermined))
        };
        let determined = between(known.map_or(&[][..], |known| &known.undetermined));
        Self { reading, known: known.cloned(), determined, all: between(&[]) }
    }

    /// The document.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// In what the engine's profile differs from the document, as far as that is determined.
    pub fn differences(&self) -> &[Difference] {
        &self.determined
    }

    /// Compares what the engine `said` with the document; `None` if they agree. Two refusals agree, whatever their
    /// reasons.
    pub fn attribute(&self, base: &str, reference: &str, said: &Outcome) -> Option<Attribution> {
        self.attribute_from(self.reading.says(base, reference), base, reference, said)
    }

    /// As [`Self::attribute`], where what the document says, its `own` answer, is known.
    pub fn attribute_from(&self, own: Outcome, base: &str, reference: &str, said: &Outcome) -> Option<Attribution> {
        let effect = match effect(&own, said) {
            Some(effect) => effect,
            None if said.is_answer() => return None,
            None => Effect::Accepted,
        };
        let unexplained = |why: &str| Attribution {
            signature: Vec::new(),
            cause: Cause::Unexplained(why.to_owned()),
            towards: None,
            outside: false,
            effect,
            own: own.clone(),
        };
        match said {
            Outcome::Skipped(_) => return Some(unexplained("no answer")),
            Outcome::Crashed(_) => return Some(unexplained("a crash")),
            Outcome::TimedOut(_) => return Some(unexplained("no answer in time")),
            _ if base.len() + reference.len() > MAX_ATTRIBUTED => return Some(unexplained("too long to attribute")),
            _ => {}
        }
        let same = |candidate: &Revision| equal(base, &candidate.resolve(base, reference).into(), said);
        let signature: Vec<_> = revision::resolving().filter(|(candidate, _)| same(candidate)).collect();
        let mut found = unexplained(effect.name());
        found.signature = signature.iter().map(|(revision, _)| revision.id).collect();
        if let Some(differences) = self.by_profile(base, reference, &own, said) {
            found.cause = Cause::Profile(differences);
        } else if let Some(id) = self.exception(base, reference) {
            found.cause = Cause::Exception(id.to_owned());
        } else if let Some((cause, towards)) = search(&self.reading.profile.rules, &signature, base, reference, said) {
            found.cause = cause;
            found.towards = towards;
            found.outside = self.known.is_some();
        }
        Some(found)
    }

    fn exception(&self, base: &str, reference: &str) -> Option<&str> {
        let exceptions = &self.known.as_ref()?.exceptions;
        if exceptions.is_empty() {
            return None;
        }
        exceptions.get(&(base.to_owned(), reference.to_owned())).map(String::as_str)
    }

    /// A smallest set of differences that turns what the document says into what the engine `said`, if its profile
    /// predicts that.
    ///
    /// Smallest among those that make a difference to the pair, either alone or as the last one to be left out. Where the
    /// engine refuses, the set refuses by the rewrite by which its profile does.
    fn by_profile(&self, base: &str, reference: &str, own: &Outcome, said: &Outcome) -> Option<Vec<Difference>> {
        let profile = self.known.as_ref()?.profile;
        let document = &self.reading.profile;
        // A refusal for another reason would explain anything that is refused.
        let says = |profile: &Profile| profile.resolve(base, reference).map_err(|refused| refused.by);
        let wanted = says(&profile);
        let first = says(document);
        if !is_met_by(&wanted, said) || !is_met_by(&first, own) {
            return None;
        }
        let predicts = |set: &[Difference]| says(&with(document, set)) == wanted;
        let full = if predicts(&self.determined) { &self.determined } else { &self.all };
        let mut others = Vec::with_capacity(full.len());
        let relevant = full.iter().enumerate().filter(|(index, difference)| {
            if !difference.may_act(base, reference) {
                return false;
            }
            if says(&with(document, std::slice::from_ref(difference))) != first {
                return true;
            }
            others.clear();
            others.extend(full.iter().enumerate().filter(|(other, _)| other != index).map(|(_, other)| *other));
            says(&with(document, &others)) != wanted
        });
        let relevant: Vec<_> = relevant.map(|(_, difference)| *difference).collect();
        let mut explains = |set: &[Difference]| predicts(set);
        smallest(&relevant, MAX_SUBSET, &mut explains)
            .or_else(|| predicts(&relevant).then(|| minimized(relevant, &mut explains)))
            .or_else(|| Some(minimized(full.clone(), &mut explains)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Attribution, Cause, Effect, Subject, effect};
    use crate::engine::{Outcome, by_name};
    use crate::profile::{KnownProfile, Reading};
    use crate::rewrite::{Profile, Rewrite, Rewrites};

    fn attribute(reading: &str, base: &str, reference: &str, said: &Outcome) -> Option<Attribution> {
        let reading = Reading::by_id(reading).expect("a document");
        Subject::new(reading, None).attribute(base, reference, said)
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
        let rewrites = [Rewrite::DefaultPort, Rewrite::HostCase, Rewrite::EmptyPath].into_iter().collect();
        let rfc2396 = Reading::by_id("rfc2396").expect("a document");
        let profile = Profile { rules: rfc2396.profile.rules, rewrites };
        let known = KnownProfile::certain(profile);
        let rfc3986 = Subject::new(Reading::by_id("rfc3986").expect("a document"), Some(&known));
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
        assert_eq!(Rewrites::NONE.iter().count(), 0);
    }

    #[test]
    fn a_query_only_reference_is_explained_by_one_column() {
        let (signature, cause, effect) = caused("ref:rfc1808", "rfc2396", "http://a/b/c/d;p?q", "?y");
        assert_eq!(signature, ["rfc1808", "draft-1996", "rfc3986", "rfc3986-nonstrict"]);
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
        assert_eq!(found.effect, Effect::Authority);
    }

    #[test]
    fn two_refusals_are_alike_only_under_an_unknown_base() {
        let said = Outcome::Refused("empty host".to_owned());
        let found = attribute("rfc3986", "http://a/b", "///x", &said).expect("a divergence");
        assert!(found.signature.is_empty(), "{:?}", found.signature);
        assert!(attribute("rfc3986", "", "x", &said).is_none());
    }

    #[test]
    fn a_lie_a_crash_and_silence_are_told_apart() {
        for (outcome, why) in [
            (Outcome::Crashed("boom".to_owned()), "unexplained: a crash"),
            (Outcome::Skipped("later".to_owned()), "unexplained: no answer"),
            (Outcome::TimedOut("no answer within 5s".to_owned()), "unexplained: no answer in time"),
        ] {
            let found = attribute("rfc3986", "http://a/b", "g", &outcome).expect("a divergence");
            assert_eq!(found.cause.key(), why);
        }
    }

    #[test]
    fn the_worst_effect_counts() {
        let url = |url: &str| Outcome::Url(url.to_owned());
        assert_eq!(effect(&url("http://a/b?c"), &url("http://x/y?z")), Some(Effect::Authority));
        assert_eq!(effect(&url("http://a/b#c"), &url("http://a/b#d")), Some(Effect::Fragment));
        assert_eq!(effect(&url("http://a/"), &url("HTTP://A/")), Some(Effect::Spelling));
        assert_eq!(effect(&url("http://a/"), &url("http://a/")), None);
    }
}
