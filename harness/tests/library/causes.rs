//! A cause is never empty, and it leads from one side to the other: if its differences are applied to the behaviour of one side, it
//! predicts the result of the other side.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use urlstrata_harness::behaviour::{Behaviour, Difference, ROW, predicted_with};
use urlstrata_harness::engine::{self, Engine, ask};
use urlstrata_harness::knowledge::attribute::{Attribution, Attributor, Cause, EnginePair, Model, effect};
use urlstrata_harness::knowledge::behaviours::outcome;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs::generate::{self, RandomPairs};
use urlstrata_harness::world::World;

/// The number of pairs by kind of cause, with `agree` for pairs without a difference.
type Counts = BTreeMap<&'static str, u64>;

/// An engine or a specification in a comparison: its name for messages, its behaviour if known, and its result.
struct Side<'a> {
    name: &'a str,
    behaviour: Option<Arc<Behaviour>>,
    result: Outcome,
}

impl<'a> Side<'a> {
    fn of(specification: &'a Specification, base: &str, reference: &str) -> Self {
        let behaviour = Some(Arc::new(specification.behaviour().clone()));
        Self { name: specification.id, behaviour, result: specification.resolve(base, reference) }
    }

    fn model(&self) -> Model {
        Model { behaviour: self.behaviour.clone(), has_settings_only: true, ..Model::default() }
    }

    /// Returns the behaviours that predict the result: the own one, and those of specifications.
    fn predicting(&self, base: &str, reference: &str) -> Vec<Behaviour> {
        let specifications = Specification::all();
        let stated = specifications.iter().map(|specification| specification.behaviour());
        self.behaviour
            .as_deref()
            .into_iter()
            .chain(stated)
            .filter(|it| it.predict(base, reference).as_deref() == self.result.url())
            .cloned()
            .collect()
    }
}

/// Returns whether a behaviour that predicts the result of `from` predicts that of `to` with `differences` of one that
/// predicts it.
fn lead(from: &Side<'_>, to: &Side<'_>, differences: &[Difference], base: &str, reference: &str) -> bool {
    from.predicting(base, reference).iter().any(|start| {
        to.predicting(base, reference)
            .iter()
            .any(|target| predicted_with(start, target, differences, base, reference).as_deref() == to.result.url())
    })
}

/// Asserts that `found` is a valid attribution of the difference between two results, and counts its kind.
#[track_caller]
fn check(found: Option<Attribution>, one: &Side<'_>, other: &Side<'_>, pair: (&str, &str), counts: &mut Counts) {
    let (base, reference) = pair;
    let about = || format!("{} and {} on {reference:?} under {base:?}", one.name, other.name);
    let Some(found) = found else {
        assert_eq!(effect(&one.result, &other.result), None, "a difference is missed: {}", about());
        *counts.entry("agree").or_default() += 1;
        return;
    };
    let differences = found.cause.differences();
    let kind = match &found.cause {
        Cause::Listed(_) | Cause::Unexplained { .. } | Cause::NotSearched(_) => {
            assert!(!found.cause.is_explained(), "a cause of what has none: {}", about());
            "unexplained"
        }
        Cause::Steps(_) => "steps",
        Cause::Behaviour(_) | Cause::Indirect(_) => "behaviour",
        Cause::Agreeing(_) => "agreeing",
    };
    if kind != "unexplained" {
        assert!(!differences.is_empty(), "an empty cause: {}", about());
        assert!(found.cause.is_explained() && !found.cause.key().is_empty(), "{}", about());
        // A rejection is explained from the side with a result, and other results of two engines from either side.
        let holds = lead(other, one, differences, base, reference) || lead(one, other, differences, base, reference);
        assert!(holds, "a false cause, {}: {}: {:?} and {:?}", found.cause.key(), about(), one.result, other.result);
    }
    *counts.entry(kind).or_default() += 1;
}

/// Attributes the difference between two engines and checks the attribution.
fn check_engine_pair(one: &Side<'_>, other: &Side<'_>, pair: (&str, &str), counts: &mut Counts) {
    let engine_pair = EnginePair::new(one.model(), other.model());
    check(engine_pair.attribute(pair.0, pair.1, &one.result, &other.result), one, other, pair, counts);
}

/// Returns the built-in engines without the reference implementations, and their behaviours.
fn built_in() -> Vec<(Box<dyn Engine>, Arc<Behaviour>)> {
    let world = World::embedded().expect("files in order");
    let ours = |engine: &dyn Engine| engine.name().starts_with("fast:") || engine.revision().is_none();
    let engines = engine::all().into_iter().filter(|engine| ours(engine.as_ref()));
    engines
        .map(|engine| {
            let behaviour = world.model_of(engine.as_ref()).behaviour.expect("a behaviour");
            (engine, behaviour)
        })
        .collect()
}

#[test]
fn every_cause_holds_for_two_built_in_engines() {
    let engines = built_in();
    assert!(engines.len() >= 11);
    let mut pairs = Vec::new();
    generate::short_pairs(2, |base, reference| pairs.push((base.to_owned(), reference.to_owned())));
    let mut random = RandomPairs::new(31);
    pairs.extend((0..2_000).map(|_| random.pair()));
    let mut counts = Counts::default();
    // Each pair is resolved by a few combinations of two engines. Over all pairs, every combination is used.
    let couples: Vec<(usize, usize)> =
        (0..engines.len()).flat_map(|one| (0..engines.len()).map(move |other| (one, other))).collect();
    for (number, (base, reference)) in pairs.iter().enumerate() {
        for step in 0..8 {
            let (one, other) = couples[(number * 8 + step) * 7 % couples.len()];
            let side = |index: usize| {
                let (engine, behaviour) = &engines[index];
                let result = ask(engine.as_ref(), base, reference);
                Side { name: engine.name(), behaviour: Some(behaviour.clone()), result }
            };
            check_engine_pair(&side(one), &side(other), (base, reference), &mut counts);
        }
    }
    assert!(counts["behaviour"] > 1_000, "{counts:?}");
    assert_eq!(counts.get("unexplained"), None, "what both behaviours predict has a cause: {counts:?}");
    assert_eq!(counts.get("agreeing"), None, "the behaviours predict every result: {counts:?}");
}

/// Results of libcurl 7.88.1 against the `url` crate. Previously, the first pair had an empty cause, and the second
/// pair was attributed to the empty fragment.
#[test]
fn a_backslash_that_one_side_keeps_is_the_cause_of_a_different_host() {
    let engine = engine::by_name("crate:url").expect("an engine");
    let model = World::embedded().expect("files in order").model_of(engine.as_ref());
    let engine_pair = EnginePair::new(Model::default(), model);
    let cause = |reference: &str, result: &str| {
        let (returned, own) = (Outcome::Url(result.to_owned()), ask(engine.as_ref(), "http://a.com/", reference));
        let found = engine_pair.attribute("http://a.com/", reference, &returned, &own).expect("a difference");
        (found.effect.name(), found.cause.key())
    };
    assert_eq!(cause("a:/.", "a://./"), ("host", "unexplained: host".to_owned()));
    for reference in ["/\\.", "/\\.#"] {
        let (effect, key) = cause(reference, "http://a.com/\\.");
        assert!(effect == "host" && key.split(" + ").count() > 1, "{key}");
    }
}

#[test]
fn every_cause_holds_for_engines_without_a_behaviour() {
    let engines = built_in();
    let mut random = RandomPairs::new(32);
    let mut counts = Counts::default();
    for number in 0..500 {
        let (base, reference) = random.pair();
        let [one, other] = [number % engines.len(), number / engines.len() % engines.len()].map(|it| &engines[it]);
        let side = |(engine, behaviour): &(Box<dyn Engine>, Arc<Behaviour>), known: bool| Side {
            name: "an engine",
            behaviour: Some(behaviour.clone()).filter(|_| known),
            result: ask(engine.as_ref(), &base, &reference),
        };
        for known in [[false, true], [true, false], [false, false]] {
            let sides = [side(one, known[0]), side(other, known[1])];
            check_engine_pair(&sides[0], &sides[1], (&base, &reference), &mut counts);
        }
        for specification in Specification::all() {
            let one = side(one, false);
            let found = Attributor::new(specification, one.model()).attribute(&base, &reference, &one.result);
            check(found, &one, &Side::of(&specification, &base, &reference), (&base, &reference), &mut counts);
        }
    }
    assert!(["agree", "agreeing", "unexplained"].iter().all(|kind| counts[kind] > 10), "{counts:?}");
}

/// Returns a strategy for behaviours of specifications in which some settings are changed.
fn any_behaviour() -> impl Strategy<Value = Behaviour> {
    (any::<prop::sample::Index>(), prop::collection::vec(any::<(prop::sample::Index, u8)>(), 0..8)).prop_map(
        |(start, changes)| {
            let specifications = Specification::all();
            let mut behaviour = specifications[start.index(specifications.len())].behaviour().clone();
            for (index, value) in changes {
                let setting = &ROW[index.index(ROW.len())];
                for row in behaviour.classes.iter_mut().flat_map(|class| &mut class.rows) {
                    setting.assign(row, usize::from(value) % setting.values.len());
                }
            }
            behaviour
        },
    )
}

/// Changes a result to a result that the behaviour does not predict. Most values of `how` leave it unchanged.
fn spoiled(result: Outcome, how: u8) -> Outcome {
    match (result, how) {
        (Outcome::Url(url), 0) => Outcome::Url(url.chars().rev().collect()),
        (Outcome::Url(url), 1) => Outcome::Url(format!("{url}/")),
        (Outcome::Url(_), 2) => Outcome::Failure("no".to_owned()),
        (_, 3) => Outcome::Crash("on purpose".to_owned()),
        (Outcome::Failure(_), 4) => Outcome::Url("http://elsewhere/".to_owned()),
        (_, 5) => Outcome::Skipped("not today".to_owned()),
        (result, _) => result,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn every_cause_holds_for_engines_with_random_behaviours(
        behaviours in [any_behaviour(), any_behaviour()],
        known in any::<[bool; 2]>(),
        how in [0_u8..20, 0_u8..20],
        seed in any::<u64>(),
    ) {
        let mut random = RandomPairs::new(seed);
        let behaviours = behaviours.map(Arc::new);
        for _ in 0..4 {
            let (base, reference) = random.pair();
            let side = |at: usize| Side {
                name: "a random behaviour",
                behaviour: Some(behaviours[at].clone()).filter(|_| known[at]),
                result: spoiled(outcome(&behaviours[at], &base, &reference), how[at]),
            };
            let mut counts = Counts::default();
            check_engine_pair(&side(0), &side(1), (&base, &reference), &mut counts);
            let specification = Specification::all()[seed as usize % Specification::all().len()];
            let found = Attributor::new(specification, side(0).model()).attribute(&base, &reference, &side(0).result);
            let stated = Side::of(&specification, &base, &reference);
            check(found, &side(0), &stated, (&base, &reference), &mut counts);
        }
    }
}
