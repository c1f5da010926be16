//! The engines in this process against every specification and against each other.
//!
//! Everything that resolves and attributes a pair for fuzzing is in this file.

use std::fmt::Write;

use urlstrata::revision;
use urlstrata_harness::attribute::{Attribution, Cause, Couple, Effect, Subject, effect};
use urlstrata_harness::bug_report;
use urlstrata_harness::engine::{self, Engine, Outcome, ask};
use urlstrata_harness::known;
use urlstrata_harness::profile::{KnownProfile, Reading};
use urlstrata_harness::vector::Suite;

use super::agree::{WORDS, pairs, steps};
use super::{Classes, PairInput, Property, Violation};

/// On pairs that are built from the grammars.
pub struct Explained;

impl Property for Explained {
    type Input = PairInput;
    const NAME: &'static str = "explained";
    const STATEMENT: &'static str = "every divergence of an engine in this process from a specification or from another engine \
                                     is explained, and the differences that explain it turn one result into the other";
    const WORDS: &'static [&'static str] = WORDS;

    fn check(input: &PairInput, classes: &mut Classes) -> Result<(), Violation> {
        let expected: Vec<_> = SPECS.with(|specs| specs.iter().map(|spec| Expectation::of(spec, input)).collect());
        ENGINES.with(|engines| {
            engines.iter().try_for_each(|engine| engine.check(input, &expected, classes))?;
            // The bytes of the input select two engines, so that all pairs of engines are compared over time.
            let number = input.base.bytes().chain(input.reference.bytes()).map(usize::from).sum::<usize>();
            let (first, step) = (number % engines.len(), number / engines.len() % (engines.len() - 1) + 1);
            check_engines(&engines[first], &engines[(first + step) % engines.len()], input)
        })
    }

    fn seeds(suite: &Suite) -> Vec<PairInput> {
        pairs(suite).collect()
    }

    fn describe(input: &PairInput) -> String {
        ENGINES.with(|engines| engines.iter().filter_map(|engine| engine.describe(input)).collect())
    }
}

thread_local! {
    static SPECS: Vec<Reading> = Reading::all();
    static ENGINES: Vec<ComparedEngine> = foreign_engines().map(ComparedEngine::new).collect();
}

/// Returns the engines in this process that are not part of this project.
fn foreign_engines() -> impl Iterator<Item = Box<dyn Engine>> {
    engine::all().into_iter().filter(|engine| engine.revision().is_none() && !engine.is_optional())
}

/// Returns a sentence with the result of each engine in this process that is not part of this project.
pub fn engine_results(pair: &PairInput) -> String {
    let results = foreign_engines().map(|engine| {
        let did = match ask(engine.as_ref(), &pair.base, &pair.reference) {
            Outcome::Url(url) => format!("returns {url:?}"),
            Outcome::Refused(why) => format!("rejects it ({why})"),
            Outcome::Skipped(why) => format!("skips it ({why})"),
            Outcome::Crashed(why) => format!("crashes ({why})"),
            Outcome::TimedOut(why) => format!("times out ({why})"),
        };
        format!("{} {} {did}", engine.name(), engine.version())
    });
    results.collect::<Vec<_>>().join("; ")
}

/// Checks that the divergence of two engines is explained, and that the explanation is true.
fn check_engines(one: &ComparedEngine, other: &ComparedEngine, pair: &PairInput) -> Result<(), Violation> {
    let (base, reference) = (pair.base.as_str(), pair.reference.as_str());
    let [first, second] = [one, other].map(|compared| ask(compared.engine.as_ref(), base, reference));
    let couple = Couple::new(one.known.as_ref(), other.known.as_ref());
    let Some(found) = couple.attribute(base, reference, &first, &second) else { return Ok(()) };
    let names = format!("{} and {}", one.engine.name(), other.engine.name());
    if !found.cause.is_explained() {
        return Err(Violation::new(format!("{names} differ in {} and nothing explains it", found.effect.phrase())));
    }
    match couple.holds(found.cause.differences(), base, reference, &first, &second) {
        true => Ok(()),
        false => Err(Violation::new(format!("{names} differ and the explanation is false"))),
    }
}

/// The result of a specification.
struct Expectation {
    outcome: Outcome,
    /// Whether the rule set of the specification predicts the result of its steps.
    predicted: bool,
}

impl Expectation {
    fn of(spec: &Reading, pair: &PairInput) -> Self {
        let outcome = spec.says(&pair.base, &pair.reference);
        let predicted = spec.profile.predicts(&pair.base, &pair.reference, &outcome);
        Self { outcome, predicted }
    }
}

/// An engine and the specifications that it is compared with.
struct ComparedEngine {
    engine: Box<dyn Engine>,
    known: Option<KnownProfile>,
    subjects: Vec<Subject>,
    /// The nearest specification, whose differences are counted.
    nearest: &'static str,
}

impl ComparedEngine {
    fn new(engine: Box<dyn Engine>) -> Self {
        let known = known::profile_of(engine.as_ref());
        let nearest = known::of(engine.name()).ok().flatten().and_then(|known| known.nearest().ok());
        let subjects = Reading::all().into_iter().map(|spec| Subject::new(spec, known.as_ref())).collect();
        Self { engine, known, subjects, nearest: nearest.map_or("rfc3986", |nearest| nearest.id) }
    }

    /// Compares the engine with `expected`, the results of the specifications in the order of the subjects.
    fn check(&self, pair: &PairInput, expected: &[Expectation], classes: &mut Classes) -> Result<(), Violation> {
        let (base, reference) = (pair.base.as_str(), pair.reference.as_str());
        let result = ask(self.engine.as_ref(), base, reference);
        // If both profiles predict the results, then their differences explain the divergence: there is nothing to search.
        let predicted = self.known.as_ref().is_some_and(|known| known.profile.predicts(base, reference, &result));
        for (subject, expected) in self.subjects.iter().zip(expected) {
            let is_counted = subject.reading().id == self.nearest;
            if predicted && expected.predicted && !is_counted {
                continue;
            }
            let found = subject.attribute_from(expected.outcome.clone(), base, reference, &result);
            if found.as_ref().is_some_and(Attribution::is_new) {
                return Err(Violation::new(self.class(found.as_ref().map(|found| found.effect), pair, &result)));
            }
            let differences = found.as_ref().map_or(&[][..], |found| found.cause.differences());
            if !differences.is_empty() && !subject.holds(differences, base, reference, &expected.outcome, &result) {
                return Err(Violation::new(format!("an explanation for {} is false", self.engine.name())));
            }
            if is_counted {
                self.count(found.as_ref(), classes);
            }
        }
        Ok(())
    }

    /// Counts a pair, once for each difference that explains it.
    fn count(&self, found: Option<&Attribution>, classes: &mut Classes) {
        let name = self.engine.name();
        match found {
            None => classes.count(&format!("{name} returns the same as {}", self.nearest)),
            Some(Attribution { cause: Cause::Listed(id), .. }) => classes.count(&format!("{name}: listed as {id}")),
            Some(found) => {
                classes.count(&format!("{name} differs from {}, explained", self.nearest));
                let differences = found.cause.differences().iter();
                differences.for_each(|difference| classes.count(&format!("{name}: {}", difference.name())));
            }
        }
    }

    /// Returns the class of a new divergence: how the result differs from the one that the profile predicts.
    fn class(&self, from_spec: Option<Effect>, pair: &PairInput, result: &Outcome) -> String {
        let predicted = self.known.as_ref().map(|known| known.profile.predict(&pair.base, &pair.reference));
        let name = self.engine.name();
        let phrase = |effect: Option<Effect>| effect.map_or("nothing", Effect::phrase);
        match (result, predicted) {
            (Outcome::Crashed(_), _) => format!("{name} crashes"),
            (Outcome::Skipped(_) | Outcome::TimedOut(_), _) => format!("{name} does not respond"),
            (_, None) => format!("{name}, which has no profile, differs in {}", phrase(from_spec)),
            (Outcome::Refused(_), Some(Outcome::Url(_))) => format!("{name} rejects what its profile accepts"),
            (Outcome::Url(_), Some(Outcome::Refused(why))) => {
                format!("{name} accepts what its profile rejects: {why}")
            }
            (_, Some(predicted)) => {
                format!("{name} differs from its profile in {}", phrase(effect(&predicted, result)))
            }
        }
    }

    /// Describes a new divergence: the prediction, a bug report for the maintainers of the engine, and the steps.
    fn describe(&self, pair: &PairInput) -> Option<String> {
        let (base, reference) = (pair.base.as_str(), pair.reference.as_str());
        let result = ask(self.engine.as_ref(), base, reference);
        let is_new =
            |subject: &&Subject| subject.attribute(base, reference, &result).is_some_and(|found| found.is_new());
        let spec = self.subjects.iter().find(is_new)?.reading();
        let mut out = String::new();
        if let Some(known) = &self.known {
            let _ = writeln!(out, "the profile predicts {:?}", known.profile.predict(base, reference));
        }
        out += &bug_report::write(self.engine.as_ref(), spec, self.known.as_ref(), base, reference)?;
        out += "steps that changed the state:\n";
        let nearest = Reading::by_id(self.nearest).and_then(|nearest| nearest.revision);
        let revisions = [spec.revision, nearest.or_else(|| revision::by_id("rfc3986"))];
        revisions.into_iter().flatten().for_each(|revision| out += &steps(revision, pair));
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::{ComparedEngine, Expectation, engine_results};
    use crate::{Classes, PairInput};
    use urlstrata::revision::rfc3986;
    use urlstrata_harness::attribute::Subject;
    use urlstrata_harness::engine::{self, Components, Engine, Outcome};
    use urlstrata_harness::known;
    use urlstrata_harness::profile::Reading;

    /// Returns the results of RFC 3986, but not for three references.
    struct FaultyEngine;

    impl Engine for FaultyEngine {
        fn name(&self) -> &str {
            "test:faulty"
        }

        fn version(&self) -> &str {
            "0"
        }

        fn resolve(&self, base: &str, reference: &str) -> Outcome {
            match reference {
                "wrong" => Outcome::Url("http://elsewhere/".to_owned()),
                "crash" => panic!("on purpose"),
                "skip" => Outcome::Skipped("on purpose".to_owned()),
                _ => rfc3986::REVISION.resolve(base, reference).into(),
            }
        }

        fn parse(&self, _: &str) -> Components {
            Err(Outcome::Skipped("no such operation".to_owned()))
        }
    }

    fn known_engine(name: &str) -> ComparedEngine {
        ComparedEngine::new(engine::by_name(name).expect("an engine"))
    }

    /// Returns the class of the violation, or the classes of the pair.
    fn check(compared: &ComparedEngine, reference: &str) -> Result<Classes, String> {
        let pair = PairInput { base: "http://a/b/c/d;p?q".to_owned(), reference: reference.to_owned() };
        let expected: Vec<_> = Reading::all().iter().map(|spec| Expectation::of(spec, &pair)).collect();
        let mut classes = Classes::default();
        let checked = compared.check(&pair, &expected, &mut classes);
        checked.map(|()| classes).map_err(|violation| violation.class)
    }

    #[test]
    fn an_unexplained_divergence_is_a_violation() {
        let faulty = ComparedEngine::new(Box::new(FaultyEngine));
        assert!(check(&faulty, "?y").is_ok());
        let violation = |reference| check(&faulty, reference).err().unwrap_or_default();
        assert_eq!(violation("wrong"), "test:faulty, which has no profile, differs in the host");
        assert_eq!(violation("crash"), "test:faulty crashes");
        assert_eq!(violation("skip"), "test:faulty does not respond");
    }

    #[test]
    fn a_result_that_the_profile_does_not_predict_is_a_violation() {
        let mut compared = known_engine("crate:url");
        assert!(check(&compared, "//H/x").is_ok());
        // The profile of another engine.
        compared.known = known::of("crate:oxiri").expect("known").and_then(|known| known.known_profile().ok());
        let subjects = compared.subjects.iter().map(|it| Subject::new(*it.reading(), compared.known.as_ref()));
        compared.subjects = subjects.collect();
        let violation = check(&compared, "//H/x").expect_err("another profile");
        assert_eq!(violation, "crate:url differs from its profile in the spelling");
    }

    #[test]
    fn an_explained_pair_is_counted_for_each_difference() {
        let compared = known_engine("crate:oxiri");
        let counted = |reference| check(&compared, reference).map(|classes| classes.0.into_iter().collect::<Vec<_>>());
        let once = |class: &str| (class.to_owned(), 1);
        assert_eq!(counted("g"), Ok(vec![once("crate:oxiri returns the same as rfc3986")]));
        let explained = [once("crate:oxiri differs from rfc3986, explained"), once("crate:oxiri: iri_grammar")];
        assert_eq!(counted("a b"), Ok(explained.to_vec()));
    }

    #[test]
    fn the_result_of_each_foreign_engine_is_listed() {
        let pair = PairInput { base: "http://a/".to_owned(), reference: "a b".to_owned() };
        let results = engine_results(&pair);
        assert!(results.contains("returns \"http://a/a%20b\"; ") && results.contains(" rejects it ("), "{results}");
        assert!(!results.contains("ref:") && !results.contains("fast:"), "{results}");
    }
}
