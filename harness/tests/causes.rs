//! A cause is never empty and never false: if the differences of a cause are applied to the profile of one side, the
//! profile predicts the result of the other side.

use std::collections::BTreeMap;

use proptest::prelude::*;
use urlstrata::rules;
use urlstrata_harness::engine::{self, Engine, ask};
use urlstrata_harness::model::attribute::{Attribution, Attributor, Cause, Difference, EnginePair, effect, with};
use urlstrata_harness::model::known::KnownEngines;
use urlstrata_harness::model::profile::KnownProfile;
use urlstrata_harness::model::specification::Specification;
use urlstrata_harness::normalize::{Normalization, Profile};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs::generate::{self, RandomPairs};

/// The number of pairs by kind of cause, with `agree` for pairs without a difference.
type Counts = BTreeMap<&'static str, u64>;

/// An engine or a specification in a comparison: its name for messages, its profile if known, and its result.
struct Side<'a> {
    name: &'a str,
    profile: Option<Profile>,
    result: Outcome,
}

fn known_engines() -> KnownEngines {
    KnownEngines::embedded().expect("files in order")
}

/// Returns whether the profile of `from` predicts the result of `from` and, with `differences` applied, the result of
/// `to`.
fn lead(from: &Side<'_>, to: &Side<'_>, differences: &[Difference], base: &str, reference: &str) -> bool {
    from.profile.is_some_and(|profile| {
        profile.predicts(base, reference, &from.result)
            && with(&profile, differences).predicts(base, reference, &to.result)
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
        Cause::Listed(id) | Cause::Unexplained(id) => {
            assert!(!id.is_empty() && !found.cause.is_explained(), "an empty reason: {}", about());
            "unexplained"
        }
        Cause::Behaviour(_) => unreachable!("no behaviour is given: {}", about()),
        Cause::Profile(_) => "profile",
        Cause::Agreeing(_) => "agreeing",
        Cause::Search(_) => "search",
    };
    if kind != "unexplained" {
        assert!(!differences.is_empty(), "an empty cause: {}", about());
        assert!(found.cause.is_explained() && !found.cause.key().is_empty(), "{}", about());
        let reversed: Vec<_> = differences.iter().map(|it| it.reversed()).collect();
        let holds = lead(other, one, differences, base, reference) || lead(one, other, &reversed, base, reference);
        assert!(holds, "a false cause, {}: {}: {:?} and {:?}", found.cause.key(), about(), one.result, other.result);
    }
    *counts.entry(kind).or_default() += 1;
}

/// Attributes the difference between two engines and checks the attribution.
fn check_engine_pair(one: &Side<'_>, other: &Side<'_>, pair: (&str, &str), counts: &mut Counts) {
    let known = [one, other].map(|side| side.profile.map(KnownProfile::certain));
    let engine_pair = EnginePair::new(known[0].as_ref(), known[1].as_ref());
    check(engine_pair.attribute(pair.0, pair.1, &one.result, &other.result), one, other, pair, counts);
}

/// Returns the built-in engines without the reference implementations.
fn built_in() -> Vec<Box<dyn Engine>> {
    let ours = |engine: &dyn Engine| engine.name().starts_with("fast:") || engine.revision().is_none();
    engine::all().into_iter().filter(|engine| ours(engine.as_ref())).collect()
}

#[test]
fn every_cause_holds_for_two_built_in_engines() {
    let engines = built_in();
    let profiles: Vec<_> = engines.iter().map(|engine| known_engines().profile_of(engine.as_ref())).collect();
    assert!(engines.len() >= 11 && profiles.iter().all(Option::is_some), "each has a profile");
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
            let side = |index: usize| Side {
                name: engines[index].name(),
                profile: profiles[index].as_ref().map(|known| known.profile),
                result: ask(engines[index].as_ref(), base, reference),
            };
            check_engine_pair(&side(one), &side(other), (base, reference), &mut counts);
        }
    }
    assert!(counts["profile"] > 1_000, "{counts:?}");
    assert_eq!(counts.get("unexplained"), None, "what both profiles predict has a cause: {counts:?}");
}

/// Results of libcurl 7.88.1 against the `url` crate. Previously, the first pair had an empty cause, and the second
/// pair was attributed to the empty fragment.
#[test]
fn a_backslash_that_one_side_keeps_is_the_cause_of_a_different_host() {
    let engine = engine::by_name("crate:url").expect("an engine");
    let engine_pair = EnginePair::new(None, known_engines().profile_of(engine.as_ref()).as_ref());
    let cause = |reference: &str, result: &str| {
        let (returned, own) = (Outcome::Url(result.to_owned()), ask(engine.as_ref(), "http://a.com/", reference));
        let found = engine_pair.attribute("http://a.com/", reference, &returned, &own).expect("a difference");
        (found.effect.name(), found.cause.key())
    };
    let backslash = "no backslash + no relative_backslashes";
    assert_eq!(cause("/\\.", "http://a.com/\\."), ("host", backslash.to_owned()));
    assert_eq!(cause("/\\.#", "http://a.com/\\."), ("host", format!("empty_fragment=Dropped + {backslash}")));
    assert_eq!(cause("a:/.", "a://./"), ("host", "unexplained: host".to_owned()));
}

#[test]
fn every_cause_holds_for_engines_without_a_profile() {
    let engines = built_in();
    let mut random = RandomPairs::new(32);
    let mut counts = Counts::default();
    for number in 0..1_500 {
        let (base, reference) = random.pair();
        let [one, other] = [number % engines.len(), number / engines.len() % engines.len()].map(|it| &engines[it]);
        let side = |engine: &dyn Engine, known: bool| Side {
            name: "an engine",
            profile: known_engines().profile_of(engine).map(|it| it.profile).filter(|_| known),
            result: ask(engine, &base, &reference),
        };
        for known in [[false, true], [true, false], [false, false]] {
            let sides = [side(one.as_ref(), known[0]), side(other.as_ref(), known[1])];
            check_engine_pair(&sides[0], &sides[1], (&base, &reference), &mut counts);
        }
        for specification in Specification::all() {
            let result = ask(one.as_ref(), &base, &reference);
            let found = Attributor::new(specification, None).attribute(&base, &reference, &result);
            let own = specification.resolve(&base, &reference);
            let specification = Side { name: specification.id, profile: Some(specification.profile), result: own };
            check(
                found,
                &Side { name: one.name(), profile: None, result },
                &specification,
                (&base, &reference),
                &mut counts,
            );
        }
    }
    assert!(["agree", "agreeing", "search", "unexplained"].iter().all(|kind| counts[kind] > 10), "{counts:?}");
}

/// Returns a strategy for profiles of specifications in which some settings and normalizations are changed.
fn any_profile() -> impl Strategy<Value = Profile> {
    (any::<prop::sample::Index>(), prop::collection::vec(any::<(prop::sample::Index, u8)>(), 0..8)).prop_map(
        |(start, changes)| {
            let specifications = Specification::all();
            let mut profile = specifications[start.index(specifications.len())].profile;
            for (index, setting) in changes {
                match index.index(rules::ALL.len() + Normalization::ALL.len()).checked_sub(rules::ALL.len()) {
                    None => {
                        let column = &rules::ALL[index.index(rules::ALL.len())];
                        profile.rules = column.with(&profile.rules, usize::from(setting) % column.settings.len());
                    }
                    Some(normalization) => {
                        let normalization = Normalization::ALL[normalization];
                        let set = profile.normalizations;
                        profile.normalizations =
                            if set.has(normalization) { set.without(normalization) } else { set.with(normalization) };
                    }
                }
            }
            profile
        },
    )
}

/// Changes a result to a result that the profile does not predict. Most values of `how` leave it unchanged.
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
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn every_cause_holds_for_engines_with_random_profiles(
        profiles in [any_profile(), any_profile()],
        known in any::<[bool; 2]>(),
        how in [0_u8..20, 0_u8..20],
        seed in any::<u64>(),
    ) {
        let mut random = RandomPairs::new(seed);
        for _ in 0..4 {
            let (base, reference) = random.pair();
            let side = |at: usize| Side {
                name: "a random profile",
                profile: Some(profiles[at]).filter(|_| known[at]),
                result: spoiled(profiles[at].predict(&base, &reference), how[at]),
            };
            let mut counts = Counts::default();
            check_engine_pair(&side(0), &side(1), (&base, &reference), &mut counts);
            let specification = Specification::all()[seed as usize % Specification::all().len()];
            let result = specification.resolve(&base, &reference);
            let other = Side { name: specification.id, profile: Some(specification.profile), result };
            let stored = side(0).profile.map(KnownProfile::certain);
            let found = Attributor::new(specification, stored.as_ref()).attribute(&base, &reference, &side(0).result);
            check(found, &side(0), &other, (&base, &reference), &mut counts);
        }
    }
}
