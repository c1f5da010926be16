//! A fitted profile recovers the rule set and the normalizations of an engine, reports the rules that no training pair
//! determines, and predicts the results for other pairs.

use std::path::Path;

use expect_test::expect;
use rayon::prelude::*;
use urlstrata::fast;
use urlstrata::revision::whatwg::{NEWEST, changes_of};
use urlstrata::rules::{self, Excess, QueryOnly, Rules, TrailingDot};
use urlstrata_harness::engine::{self, Engine, ask};
use urlstrata_harness::model::attribute::{Attributor, Difference, with};
use urlstrata_harness::model::known::{KnownEngine, KnownEngines};
use urlstrata_harness::model::profile::{self, Fitted, in_second_half};
use urlstrata_harness::model::specification::Specification;
use urlstrata_harness::normalize::{Normalization, Normalizations, Profile};
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::pairs::generate::{ALPHABET, BASES, RandomPairs, count, nth};
use urlstrata_harness::vector::{ResolutionCase, Suite};

/// Returns the crates, which have a file of known deviations each.
fn crates() -> Vec<Box<dyn Engine>> {
    engine::all().into_iter().filter(|engine| engine.name().starts_with("crate:")).collect()
}

/// An engine that resolves with a closure.
struct Made<F>(F);

impl<F: Fn(&str, &str) -> Outcome + Sync> Engine for Made<F> {
    fn name(&self) -> &str {
        "test:made"
    }

    fn version(&self) -> &str {
        "0"
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        (self.0)(base, reference)
    }

    fn parse(&self, _: &str) -> Components {
        Err(Outcome::Skipped("unsupported operation".to_owned()))
    }
}

fn known_engines() -> KnownEngines {
    KnownEngines::embedded().expect("files in order")
}

fn suite() -> Suite {
    Suite::embedded().expect("vectors in order")
}

/// Returns the rule set of the specification `id`.
fn rules(id: &str) -> Rules {
    Specification::by_id(id).expect("a specification").profile.rules
}

/// Returns an engine that resolves under `rules`.
fn under(rules: Rules) -> Made<impl Fn(&str, &str) -> Outcome + Sync> {
    Made(move |base: &str, reference: &str| match fast::resolve(&rules, base, reference) {
        Ok(url) => Outcome::Url(url),
        Err(_) => Outcome::Failure("undefined".to_owned()),
    })
}

/// Fits a profile to `engine` with the training pairs and measures it with the held-out pairs.
fn fit(engine: &dyn Engine) -> Fitted {
    profile::fit(engine, &profile::survey(&suite()))
}

/// Returns the names of the differences between the specification `from` and a fitted profile, without undetermined
/// rules.
fn deviations(fitted: &Fitted, from: &str) -> Vec<String> {
    let undetermined: Vec<_> = fitted.undetermined.iter().map(|(rule, _)| *rule).collect();
    let specification = Specification::by_id(from).expect("a specification");
    let differences = Difference::between(&specification.profile, &fitted.profile, &undetermined);
    differences.iter().map(Difference::name).collect()
}

#[test]
fn a_fit_finds_exactly_one_changed_rule() {
    let own = rules("rfc1808");
    for (changed, expected, unobservable) in [
        // If `..` is never kept, there is no kept `..` to remove, so `dotdot_removes` is unobservable.
        (Rules { excess: Excess::Dropped, ..own }, "excess=Dropped", &["dotdot_removes", "same_document"][..]),
        (Rules { trailing_dot: TrailingDot::TakesSlash, ..own }, "trailing_dot=TakesSlash", &["same_document"]),
        (Rules { query_only: QueryOnly::DropsLastSegment, ..own }, "query_only=DropsLastSegment", &["same_document"]),
    ] {
        let fitted = fit(&under(changed));
        assert_eq!(deviations(&fitted, "rfc1808"), [expected]);
        let doubted: Vec<_> = fitted.undetermined.iter().map(|(rule, _)| rules::ALL[*rule].name).collect();
        assert_eq!(doubted, unobservable, "what no result shows");
        assert!(fitted.rates.iter().all(|rate| rate.asked == rate.predicted), "{:?}", fitted.rates);
    }
}

#[test]
fn a_fit_finds_a_normalization_added_to_a_specification() {
    let profile =
        Profile { rules: rules("rfc2396"), normalizations: Normalizations::NONE.with(Normalization::DefaultPort) };
    let fitted = fit(&Made(move |base: &str, reference: &str| profile.predict(base, reference)));
    assert_eq!(fitted.nearest.id, "rfc2396");
    assert_eq!(deviations(&fitted, "rfc2396"), ["default_port"]);
}

#[test]
fn a_rule_with_different_settings_on_training_and_held_out_pairs_is_undetermined() {
    let [kept, dropped] = [Excess::Kept, Excess::Dropped].map(|excess| under(Rules { excess, ..rules("rfc1808") }));
    let fitted = fit(&Made(move |base: &str, reference: &str| match in_second_half(base, reference) {
        true => kept.resolve(base, reference),
        false => dropped.resolve(base, reference),
    }));
    let excess = rules::ALL.iter().position(|rule| rule.name == "excess").expect("a rule");
    assert!(fitted.undetermined.iter().any(|(rule, _)| *rule == excess), "{:?}", fitted.undetermined);
    assert!(fitted.rates.iter().any(|rate| rate.predicted < rate.asked), "one half has to suffer: {:?}", fitted.rates);
}

#[test]
fn crashes_and_arbitrary_urls_are_not_predicted() {
    // The search tries all pairs of changes before it gives up, so it gets a twentieth of the survey.
    let pairs: Vec<_> = profile::survey(&suite()).into_iter().step_by(20).collect();
    let crashing = Made(|_: &str, _: &str| panic!("on purpose"));
    let fitted = profile::fit(&crashing, &pairs);
    assert!(fitted.rates.iter().all(|rate| rate.predicted == 0), "{:?}", fitted.rates);
    let arbitrary = Made(|base: &str, reference: &str| Outcome::Url(format!("wrong:{}", base.len() + reference.len())));
    let fitted = profile::fit(&arbitrary, &pairs);
    assert!(fitted.rates.iter().all(|rate| rate.predicted * 100 < rate.asked), "{:?}", fitted.rates);
}

#[test]
fn stored_profiles_equal_fitted_profiles() {
    let survey = profile::survey(&suite());
    for engine in crates() {
        let name = engine.name();
        let known = known_engines().of(name).cloned().expect("a file");
        let fitted = profile::fit(engine.as_ref(), &survey);
        let observed = KnownEngine::observe(engine.as_ref(), &fitted, &suite(), Some(&known));
        assert!(observed == known, "{name} is stale: run `cargo run --release -- known update`");
        for rate in &fitted.rates {
            assert!(rate.predicted * 1000 >= rate.asked * 999, "{name}: {rate:?}");
        }
    }
}

#[test]
fn files_of_known_deviations_are_canonical_and_every_entry_is_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/known");
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let known = KnownEngine::read(&path).expect("a file in order");
        let text = std::fs::read_to_string(&path).expect("a file");
        assert!(text == known.canonical(), "{}: not in canonical form", path.display());
        assert!(!text.contains("\"unclear\""), "{}: an entry that nobody has looked at", path.display());
    }
}

#[test]
fn the_profile_of_the_url_crate_predicts_every_short_reference() {
    let known = known_engines().of("crate:url").cloned().expect("a file");
    let profile = known.known_profile().expect("a profile").profile;
    let engine = engine::by_name("crate:url").expect("an engine");
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let mut reference = String::new();
    for number in 0..count(alphabet.len(), 5).expect("a number") {
        nth(&alphabet, number, &mut reference);
        for base in BASES {
            let returned = ask(engine.as_ref(), base, &reference);
            assert!(profile.predicts(base, &reference, &returned), "{reference:?} on {base:?}: {returned:?}");
        }
    }
}

#[test]
fn profiles_mispredict_at_most_ten_of_a_million_random_pairs() {
    crates().par_iter().for_each(|engine| {
        let profile = known_engines().profile_of(engine.as_ref()).expect("a profile").profile;
        let mut random = RandomPairs::new(1_000);
        let mut missed = Vec::new();
        for _ in 0..1_000_000 {
            let (base, reference) = random.pair();
            if !profile.predicts(&base, &reference, &ask(engine.as_ref(), &base, &reference)) {
                missed.push((base, reference));
            }
        }
        assert!(missed.len() <= 10, "{}: {} unexplained: {missed:?}", engine.name(), missed.len());
    });
}

#[test]
fn every_url_standard_vector_that_the_url_crate_fails_has_a_reason() {
    let engine = engine::by_name("crate:url").expect("an engine");
    let known = known_engines().of("crate:url").cloned().expect("a file");
    let profile = known.known_profile().expect("a profile");
    let attributor = Attributor::new(Specification::url_standard(), Some(&profile));
    let nearest = known.nearest().expect("a specification").revision.and_then(changes_of).expect("changes");
    let suite = suite();
    let (mut rows, mut otherwise) = (0, 0);
    for (_, vector) in suite.vectors() {
        let Some(ResolutionCase { base, reference, expect, .. }) = vector.resolution() else { continue };
        let Some(expected) = expect.get(NEWEST.id) else { continue };
        rows += 1;
        let returned = ask(engine.as_ref(), base, reference);
        if expected.is_met_by(&returned) {
            continue;
        }
        otherwise += 1;
        let found = attributor.attribute_from(expected.outcome(), base, reference, &returned).expect("a divergence");
        assert!(!found.is_new(), "{}: {:?}", vector.name, found.cause);
        for difference in found.cause.differences() {
            // The entries are those against the nearest state of the Standard. Later changes need no reason.
            let entry = known.deviations.iter().find(|entry| entry.id == difference.name());
            let is_later = difference.not_followed().is_some_and(|change| !nearest.contains(change));
            let has_reason = entry.is_some_and(|entry| !entry.reason.is_empty());
            assert!(has_reason || is_later, "{}: {}", vector.name, difference.name());
        }
    }
    expect!["87 of 1163"].assert_eq(&format!("{otherwise} of {rows}"));
}

/// Compares each cause of two or more differences with every single difference, and each cause of three or more also
/// with every pair of differences. These include differences that have no effect on the pair by themselves.
#[test]
fn causes_have_the_smallest_number_of_differences() {
    let known = known_engines().of("crate:url").cloned().expect("a file");
    let profile = known.known_profile().expect("a profile");
    let engine = engine::by_name("crate:url").expect("an engine");
    let mut sizes = [0; 4];
    for document in ["rfc1808", "rfc3986"] {
        let specification = Specification::by_id(document).expect("a specification");
        let attributor = Attributor::new(specification, Some(&profile));
        let mut random = RandomPairs::new(21);
        for _ in 0..1_500 {
            let (base, reference) = random.pair();
            let returned = ask(engine.as_ref(), &base, &reference);
            let Some(found) = attributor.attribute(&base, &reference, &returned) else { continue };
            let size = found.cause.differences().len();
            sizes[size.min(3)] += 1;
            let predicted = |profile: &Profile| profile.resolve(&base, &reference).map_err(|rejected| rejected.by);
            let wanted = predicted(&profile.profile);
            let explains = |set: &[Difference]| predicted(&with(&specification.profile, set)) == wanted;
            assert!(explains(found.cause.differences()), "{reference:?} on {base:?}: {:?}", found.cause);
            let all = attributor.differences();
            for (index, one) in all.iter().enumerate().filter(|_| size > 1) {
                assert!(!explains(&[*one]), "{reference:?} on {base:?}: {one:?} and not {:?}", found.cause);
                for other in all[index + 1..].iter().filter(|_| size > 2) {
                    assert!(!explains(&[*one, *other]), "{reference:?} on {base:?}: {one:?}, {other:?}");
                }
            }
        }
    }
    assert!(sizes[1..].iter().all(|count| *count > 50), "of every size: {sizes:?}");
}

/// Checks the `tab_ends_drive` quirk for drive letters at every position: after dot segments, after segments that dot
/// segments remove, and relative to a base.
#[test]
fn a_tab_after_a_drive_letter_is_predicted() {
    const TOKENS: [&str; 8] = ["a:", "/", ".", "..", "\t", "b", "%2e", "?"];
    const BASES: [&str; 8] =
        ["http://h/b", "file:///", "file:///b", "file:///b/c", "file://h/b", "file:///c:/b", "file:b", "file://h"];
    let engine = engine::by_name("crate:url").expect("an engine");
    let known = known_engines().profile_of(engine.as_ref()).expect("a profile");
    let mut unforeseen = Vec::new();
    let mut asked = 0;
    for number in 0..8_usize.pow(5) {
        let rest: String = (0..5).map(|place| TOKENS[number / 8_usize.pow(place) % 8]).collect();
        for (start, base) in ["file:", "", "file:/", "file://h/"].into_iter().flat_map(|s| BASES.map(|base| (s, base)))
        {
            let reference = format!("{start}{rest}");
            asked += 1;
            if !known.profile.predicts(base, &reference, &ask(engine.as_ref(), base, &reference)) {
                unforeseen.push((base, reference));
            }
        }
    }
    unforeseen.sort_by_key(|(_, reference)| reference.len());
    let first = &unforeseen[..unforeseen.len().min(20)];
    assert!(first.is_empty(), "{} of {asked}: {first:#?}", unforeseen.len());
}
