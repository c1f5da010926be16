//! The engines in this process against every specification and against each other.
//!
//! Everything that resolves and attributes a pair for fuzzing is in this file.

use std::fmt::Write;

use urlstrata::revision;
use urlstrata_harness::behaviour::predicted_with;
use urlstrata_harness::engine::{Engine, ask};
use urlstrata_harness::explain::Explainer;
use urlstrata_harness::knowledge::attribute::{
    self, Answer, Attribution, Attributor, Cause, Effect, EnginePair, effect,
};
use urlstrata_harness::knowledge::behaviours::outcome;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::vector::Suite;
use urlstrata_harness::world::World;
use urlstrata_harness::yaml::FileError;

use super::agree::{WORDS, pairs, steps};
use super::{Classes, PairInput, Property, Violation, ensure};

/// On pairs that are built from the grammars.
pub struct Explained;

impl Property for Explained {
    type Input = PairInput;
    const NAME: &'static str = "explained";
    const STATEMENT: &'static str = "every divergence of an engine in this process from a specification or from another engine \
                                     is explained, and the differences that explain it turn one result into the other";
    const WORDS: &'static [&'static str] = WORDS;

    fn check(input: &PairInput, classes: &mut Classes) -> Result<(), Violation> {
        COMPARISON.with(|comparison| match comparison {
            Ok(comparison) => comparison.check(input, classes),
            Err(error) => Err(Violation::new(error.to_string())),
        })
    }

    fn seeds(suite: &Suite) -> Vec<PairInput> {
        pairs(suite).collect()
    }

    fn describe(input: &PairInput) -> String {
        COMPARISON.with(|comparison| comparison.iter().map(|comparison| comparison.describe(input)).collect())
    }
}

/// Returns a sentence with the result of each engine that is not part of this project.
///
/// # Errors
///
/// Returns the first file of known deviations that is not valid.
pub fn engine_results(pair: &PairInput) -> Result<String, String> {
    let result = |engine: &dyn Engine| {
        let outcome = ask(engine, &pair.base, &pair.reference);
        format!("{} {}: {outcome}", engine.name(), engine.version())
    };
    let results = |comparison: &Comparison| {
        let engines = comparison.world.engines.iter();
        engines.map(|engine| result(engine.as_ref())).collect::<Vec<_>>().join("; ")
    };
    COMPARISON.with(|comparison| comparison.as_ref().map(results).map_err(ToString::to_string))
}

thread_local! {
    static COMPARISON: Result<Comparison, FileError> =
        World::embedded().map(|world| Comparison::new(world.with_crates()));
}

/// The result of a specification.
struct Expectation {
    outcome: Outcome,
    /// Whether the behaviour of the specification predicts the result of its steps.
    predicted: bool,
}

impl Expectation {
    fn of(spec: &Specification, pair: &PairInput) -> Self {
        let outcome = spec.resolve(&pair.base, &pair.reference);
        let predicted = spec.behaviour().predict(&pair.base, &pair.reference).as_deref() == outcome.url();
        Self { outcome, predicted }
    }
}

/// Engines that are compared with all specifications.
struct Comparison {
    world: World,
    specs: Vec<Specification>,
    /// One for each engine of the world.
    models: Vec<Model>,
}

/// What is known of an engine.
struct Model {
    known: attribute::Model,
    /// One for each specification.
    attributors: Vec<Attributor>,
    /// The nearest specification, whose differences are counted.
    nearest: &'static str,
}

impl Comparison {
    fn new(world: World) -> Self {
        let specs = Specification::all();
        let models = world.engines.iter().zip(world.models()).map(|(engine, known)| Model {
            attributors: specs.iter().map(|spec| Attributor::new(*spec, known.clone())).collect(),
            nearest: world.nearest(engine.as_ref()).map_or("rfc3986", |nearest| nearest.id),
            known,
        });
        Self { models: models.collect(), specs, world }
    }

    /// Compares each engine with the specifications, and two of the engines with each other.
    fn check(&self, pair: &PairInput, classes: &mut Classes) -> Result<(), Violation> {
        let expected: Vec<_> = self.specs.iter().map(|spec| Expectation::of(spec, pair)).collect();
        let engines = self.world.engines.iter();
        let results: Vec<_> = engines.map(|engine| ask(engine.as_ref(), &pair.base, &pair.reference)).collect();
        for ((model, engine), result) in self.models.iter().zip(&self.world.engines).zip(&results) {
            model.check(engine.name(), result, pair, &expected, classes)?;
        }
        let engines = results.len();
        if engines < 2 {
            return Ok(());
        }
        // The bytes of the pair select two engines, so that all are compared with each other over time.
        let number = pair.base.bytes().chain(pair.reference.bytes()).map(usize::from).sum::<usize>();
        let (first, step) = (number % engines, number / engines % (engines - 1) + 1);
        self.check_engines([first, (first + step) % engines], &results, pair)
    }

    /// Checks that the divergence of two engines is explained, and that the explanation is true.
    fn check_engines(&self, engines: [usize; 2], results: &[Outcome], pair: &PairInput) -> Result<(), Violation> {
        let (base, reference) = (pair.base.as_str(), pair.reference.as_str());
        let [first, second] = engines.map(|index| &results[index]);
        let [one, other] = engines.map(|index| self.models[index].known.clone());
        let behaviours = one.behaviour.clone().zip(other.behaviour.clone());
        let engine_pair = EnginePair::new(one, other);
        let Some(found) = engine_pair.attribute(base, reference, first, second) else { return Ok(()) };
        let names = engines.map(|index| self.world.engines[index].name()).join(" and ");
        let unexplained = || format!("{names} differ in {} and nothing explains it", found.effect.phrase());
        ensure(found.cause.is_explained(), Violation::new(unexplained()))?;
        let (Cause::Behaviour(differences), Some((one, other))) = (&found.cause, behaviours) else { return Ok(()) };
        // A rejection is explained from the side with a result, and other results from either side.
        let leads = |from, to, result: &Outcome| {
            predicted_with(from, to, differences, base, reference).as_deref() == result.url()
        };
        let holds = leads(&other, &one, first) || leads(&one, &other, second);
        ensure(holds, Violation::new(format!("{names} differ and the explanation is false")))
    }

    /// Describes each new divergence: the prediction, a bug report for the maintainers of the engine, and the steps.
    fn describe(&self, pair: &PairInput) -> String {
        let (base, reference) = (pair.base.as_str(), pair.reference.as_str());
        let mut out = String::new();
        for (model, engine) in self.models.iter().zip(&self.world.engines) {
            let result = ask(engine.as_ref(), base, reference);
            let is_new = |attributor: &&Attributor| {
                attributor.attribute(base, reference, &result).is_some_and(|found| found.is_new())
            };
            let Some(spec) = model.attributors.iter().find(is_new).map(Attributor::specification) else { continue };
            if let Some(behaviour) = &model.known.behaviour {
                let _ = writeln!(out, "the behaviour predicts {}", outcome(behaviour, base, reference));
            }
            let mut explainer = Explainer::new(&self.world, &[*spec]);
            let mut explanation = explainer.explain(base, reference);
            explainer.add_bug_report(&mut explanation, engine.name());
            out.extend(explanation.bug_report);
            out += "steps that changed the state:\n";
            let nearest = Specification::by_id(model.nearest).map(|nearest| nearest.revision);
            let revisions = [Some(spec.revision), nearest.or_else(|| revision::by_id("rfc3986"))];
            revisions.into_iter().flatten().for_each(|revision| out += &steps(revision, pair));
        }
        out
    }
}

impl Model {
    /// Compares the `result` of the engine called `name` with those of the specifications.
    fn check(
        &self,
        name: &str,
        result: &Outcome,
        pair: &PairInput,
        expected: &[Expectation],
        classes: &mut Classes,
    ) -> Result<(), Violation> {
        let (base, reference) = (pair.base.as_str(), pair.reference.as_str());
        // There is nothing to explain, but a campaign asks engines that answer every pair.
        if matches!(result, Outcome::Skipped(_)) {
            return Err(Violation::new(format!("{name} does not respond")));
        }
        // If both behaviours predict the results, then their differences explain the divergence: there is nothing to search.
        let predicted = self.known.predicts(base, reference, result);
        let answer = Answer::new(base, reference, result);
        for (attributor, expected) in self.attributors.iter().zip(expected) {
            let is_counted = attributor.specification().id == self.nearest;
            if predicted && expected.predicted && !is_counted {
                continue;
            }
            let found = attributor.attribute_from(expected.outcome.clone(), &answer);
            if let Some(found) = found.as_ref().filter(|found| found.is_new()) {
                return Err(Violation::new(self.class(name, found.effect, pair, result)));
            }
            if let (Some(Cause::Behaviour(differences)), Some(own)) =
                (found.as_ref().map(|found| &found.cause), &self.known.behaviour)
            {
                let spec = attributor.specification().behaviour();
                let leads = |from, to, result: &Outcome| {
                    predicted_with(from, to, differences, base, reference).as_deref() == result.url()
                };
                let holds = leads(spec, own, result) || leads(own, spec, &expected.outcome);
                ensure(holds, Violation::new(format!("an explanation for {name} is false")))?;
            }
            if is_counted {
                self.count(name, found.as_ref(), classes);
            }
        }
        Ok(())
    }

    /// Counts a pair, once for each difference that explains it.
    fn count(&self, name: &str, found: Option<&Attribution>, classes: &mut Classes) {
        match found {
            None => classes.count(&format!("{name} returns the same as {}", self.nearest)),
            Some(Attribution { cause: Cause::Listed(id), .. }) => classes.count(&format!("{name}: listed as {id}")),
            Some(found) => {
                classes.count(&format!("{name} differs from {}, explained", self.nearest));
                found.cause.names().iter().for_each(|difference| classes.count(&format!("{name}: {difference}")));
            }
        }
    }

    /// Returns the class of a new divergence: how the result differs from the one that the behaviour predicts.
    fn class(&self, name: &str, from_spec: Effect, pair: &PairInput, result: &Outcome) -> String {
        let behaviour = self.known.behaviour.as_ref();
        let predicted = behaviour.map(|behaviour| outcome(behaviour, &pair.base, &pair.reference));
        match (result, predicted) {
            (Outcome::Crash(_), _) => format!("{name} crashes"),
            (Outcome::Timeout(_), _) => format!("{name} does not respond"),
            (_, None) => format!("{name}, which has no behaviour, differs in {}", from_spec.phrase()),
            (Outcome::Failure(_), Some(Outcome::Url(_))) => format!("{name} rejects what its behaviour accepts"),
            (Outcome::Url(_), Some(Outcome::Failure(_))) => format!("{name} accepts what its behaviour rejects"),
            (_, Some(predicted)) => {
                let part = effect(&predicted, result).map_or("nothing", Effect::phrase);
                format!("{name} differs from its behaviour in {part}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Model, engine_results};
    use crate::{Classes, PairInput};
    use urlstrata::revision::rfc3986;
    use urlstrata_harness::engine::{self, Engine};
    use urlstrata_harness::knowledge::attribute::Attributor;
    use urlstrata_harness::outcome::{Components, Outcome};
    use urlstrata_harness::world::World;

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
            Err(Outcome::Skipped("unsupported operation".to_owned()))
        }
    }

    fn comparison(engines: Vec<Box<dyn Engine>>) -> Comparison {
        Comparison::new(World::embedded().expect("known deviations").with_engines(engines))
    }

    fn of_crate(name: &str) -> Comparison {
        comparison(vec![engine::by_name(name).expect("an engine")])
    }

    fn pair(reference: &str) -> PairInput {
        PairInput { base: "http://a/b/c/d;p?q".to_owned(), reference: reference.to_owned() }
    }

    /// Returns the classes of a pair, or the class of the violation.
    fn check(comparison: &Comparison, reference: &str) -> Result<Vec<(String, u64)>, String> {
        let mut classes = Classes::default();
        let checked = comparison.check(&pair(reference), &mut classes);
        checked.map(|()| classes.0.into_iter().collect()).map_err(|violation| violation.class)
    }

    #[test]
    fn an_unexplained_divergence_is_a_violation() {
        let faulty = comparison(vec![Box::new(FaultyEngine)]);
        assert!(check(&faulty, "?y").is_ok());
        let violation = |reference| check(&faulty, reference).err().unwrap_or_default();
        assert_eq!(violation("wrong"), "test:faulty, which has no behaviour, differs in the host");
        assert_eq!(violation("crash"), "test:faulty crashes");
        assert_eq!(violation("skip"), "test:faulty does not respond");
    }

    #[test]
    fn a_new_divergence_is_described_with_a_bug_report_and_steps() {
        let faulty = comparison(vec![Box::new(FaultyEngine)]);
        let described = faulty.describe(&pair("wrong"));
        assert!(described.contains("http://elsewhere/") && described.contains("steps that changed"), "{described}");
        assert_eq!(faulty.describe(&pair("?y")), "");
    }

    #[test]
    fn an_unexplained_difference_of_two_engines_is_a_violation() {
        let two = comparison(vec![Box::new(FaultyEngine), engine::by_name("crate:oxiri").expect("an engine")]);
        let wrong = pair("wrong");
        let checked = |results: [&str; 2]| {
            let results = results.map(|url| Outcome::Url(url.to_owned()));
            two.check_engines([0, 1], &results, &wrong).map_err(|violation| violation.class)
        };
        assert_eq!(checked(["http://a/", "http://a/"]), Ok(()));
        let expected = "test:faulty and crate:oxiri differ in the host and nothing explains it";
        assert_eq!(checked(["http://elsewhere/", "http://a/b/c/wrong"]), Err(expected.to_owned()));
    }

    #[test]
    fn a_result_that_the_behaviour_does_not_predict_is_a_violation() {
        let mut url = of_crate("crate:url");
        assert!(check(&url, "//H/x").is_ok());
        // The behaviour of another engine.
        let known = of_crate("crate:oxiri").models.remove(0).known;
        let attributors = url.specs.iter().map(|spec| Attributor::new(*spec, known.clone())).collect();
        url.models = vec![Model { known, attributors, nearest: "whatwg-2026-07" }];
        assert_eq!(check(&url, "//H/x"), Err("crate:url differs from its behaviour in the spelling".to_owned()));
    }

    #[test]
    fn an_explained_pair_is_counted_for_each_difference() {
        let oxiri = of_crate("crate:oxiri");
        let once = |class: &str| (class.to_owned(), 1);
        assert_eq!(check(&oxiri, "g"), Ok(vec![once("crate:oxiri returns the same as rfc3986")]));
        let explained = [
            once("crate:oxiri differs from rfc3986, explained"),
            once("crate:oxiri: the reference's path: 3.3 | validate_path"),
        ];
        assert_eq!(check(&oxiri, "a b"), Ok(explained.to_vec()));
    }

    #[test]
    fn the_result_of_each_foreign_engine_is_listed() {
        let results = engine_results(&pair("a b")).expect("the results");
        assert!(results.contains(": http://a/b/c/a%20b; ") && results.contains(": failure: "), "{results}");
        assert!(!results.contains("ref:") && !results.contains("fast:"), "{results}");
    }
}
