//! The behaviours of the specifications equal their reference implementations, and a fit finds the behaviour of an
//! engine that it can only ask.

use urlstrata::revision::{self, Revision, rfc1808, rfc3986, whatwg};
use urlstrata_harness::behaviour::{Behaviour, Component, DefaultPort, Form, Literal, StatedBehaviour, TablesRead};
use urlstrata_harness::engine::{self, Engine};
use urlstrata_harness::fit::{Asker, Pair, Unrepeatable, fit, repeated};
use urlstrata_harness::pairs::generate::{BASES, RandomPairs};
use urlstrata_harness::vector::Suite;
use urlstrata_harness::world::World;

/// Bases of every form, with and without a scheme.
const FORMS: [&str; 20] = [
    "",
    "a",
    "/a",
    "//h",
    "?q",
    "#f",
    "s:",
    "s:a",
    "s:/a/b",
    "s://h",
    "s://h/a/b;p?q#f",
    "s://h?q",
    "s:///a",
    "s:////",
    "1a:b",
    "s://h/a/../b/./c/",
    "news:x",
    "s:a//b///c",
    "http://a/b/c/d;p?q#f",
    "file:///C:/a",
];

fn specifications() -> Vec<(&'static Revision, Behaviour)> {
    let stated = revision::ALL.iter().filter_map(|revision| {
        let behaviour = match whatwg::changes_of(revision) {
            Some(landed) => Behaviour::url_standard(landed),
            None => Behaviour::of_rules(revision.rules?),
        };
        Some((*revision, behaviour))
    });
    stated.collect()
}

/// Panics with the first pair for which the behaviour of a specification and its reference implementation differ.
#[track_caller]
fn assert_equal_on<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) {
    let specifications = specifications();
    for (base, reference) in pairs {
        for (revision, behaviour) in &specifications {
            let by_steps = revision.resolve(base, reference).ok().map(|target| target.url);
            let predicted = behaviour.predict(base, reference);
            assert_eq!(predicted, by_steps, "{} {base:?} + {reference:?}", revision.id);
        }
    }
}

#[test]
fn behaviours_of_specifications_equal_their_steps_on_short_references() {
    let mut references = vec![String::new()];
    let mut last = references.clone();
    for _ in 0..4 {
        last = last.iter().flat_map(|start| "a:/?#.;\\".chars().map(move |c| format!("{start}{c}"))).collect();
        references.extend(last.iter().cloned());
    }
    assert_equal_on(FORMS.iter().flat_map(|base| references.iter().map(|reference| (*base, reference.as_str()))));
}

#[test]
fn behaviours_of_specifications_equal_their_steps_on_vectors() {
    let suite = Suite::embedded().expect("valid vectors");
    assert_equal_on(suite.resolutions().map(|case| (case.base.as_str(), case.reference.as_str())));
}

#[test]
fn behaviours_of_specifications_equal_their_steps_on_random_pairs() {
    let mut random = RandomPairs::new(23);
    let pairs: Vec<(String, String)> = (0..60_000).map(|_| random.pair()).collect();
    assert_equal_on(pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())));
}

/// Returns the engines of this process whose behaviour is stated.
fn crates() -> Vec<(Box<dyn Engine>, Behaviour)> {
    let stated = Behaviour::CRATES.iter().filter_map(|name| {
        let engine = engine::by_name(&format!("crate:{name}")).ok()?;
        Some((engine, Behaviour::of_crate(name).expect("a stated behaviour")))
    });
    stated.collect()
}

/// Panics with the first pair for which a crate and its behaviour differ. A pair on which the crate crashes is skipped.
#[track_caller]
fn assert_crates_equal_on<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) {
    let crates = crates();
    assert!(crates.len() >= 4);
    let pairs: Vec<_> = pairs.collect();
    for (engine, behaviour) in &crates {
        for ((base, reference), outcome) in pairs.iter().zip(engine::ask_all(&**engine, &pairs)) {
            if outcome.is_answer() {
                let predicted = behaviour.predict(base, reference);
                assert_eq!(predicted.as_deref(), outcome.url(), "{} {base:?} + {reference:?}", engine.name());
            }
        }
    }
}

#[test]
fn behaviours_of_crates_equal_them_on_short_references() {
    let mut references = vec![String::new()];
    let mut last = references.clone();
    for _ in 0..3 {
        last = last.iter().flat_map(|start| "C:/?#.|\\@".chars().map(move |c| format!("{start}{c}"))).collect();
        references.extend(last.iter().cloned());
    }
    let bases = FORMS.iter().chain(&["file://h/C:/a", "file:///b/C:/", "foo://h/C:/D|/x"]);
    assert_crates_equal_on(bases.flat_map(|base| references.iter().map(|reference| (*base, reference.as_str()))));
}

#[test]
fn behaviours_of_crates_equal_them_on_vectors() {
    let suite = Suite::embedded().expect("valid vectors");
    assert_crates_equal_on(suite.resolutions().map(|case| (case.base.as_str(), case.reference.as_str())));
}

#[test]
fn behaviours_of_crates_equal_them_on_random_pairs() {
    let mut random = RandomPairs::new(37);
    let pairs: Vec<(String, String)> = (0..20_000).map(|_| random.pair()).collect();
    assert_crates_equal_on(pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())));
}

/// A table that rejects every character would change each prediction that reads it.
#[test]
fn a_table_that_a_prediction_did_not_read_cannot_change_it() {
    let landed = whatwg::changes_of(whatwg::NEWEST).expect("a state");
    for behaviour in [Behaviour::of_rules(&rfc3986::RULES), Behaviour::url_standard(landed)] {
        let mut random = RandomPairs::new(31);
        let mut kept = 0;
        for _ in 0..300 {
            let (base, reference) = random.pair();
            let (url, read) = TablesRead::during(|| behaviour.predict(&base, &reference));
            for component in Component::ALL.into_iter().filter(|component| !read.contains(*component)) {
                let mut tried = behaviour.clone();
                for class in &mut tried.classes {
                    for tables in [&mut class.reference, &mut class.base] {
                        tables.0[component as usize].actions_mut().literal.fill(Literal::Rejected);
                    }
                }
                assert_eq!(tried.predict(&base, &reference), url, "{reference:?} on {base:?}: {component:?}");
                kept += 1;
            }
        }
        assert!(kept > 1_000, "{kept}");
    }
}

#[test]
fn behaviours_survive_being_written_to_a_file() {
    let of_revisions = specifications().into_iter().map(|(revision, behaviour)| (revision.id.to_owned(), behaviour));
    let of_crates = crates().into_iter().map(|(engine, behaviour)| (engine.name().to_owned(), behaviour));
    for (name, behaviour) in of_revisions.chain(of_crates) {
        let text = serde_yaml::to_string(&StatedBehaviour::from(&behaviour)).expect("YAML");
        let read: StatedBehaviour = serde_yaml::from_str(&text).expect("a behaviour");
        assert_eq!(Behaviour::try_from(&read).expect("known settings"), behaviour, "{name}");
    }
}

#[test]
fn unknown_settings_are_reported() {
    let read = |text: &str| -> Result<Behaviour, String> {
        let stated: StatedBehaviour = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        Behaviour::try_from(&stated)
    };
    let class = "classes: [{schemes: [\"(other)\"], rows: [{forms: [Absolute], settings: {excess: \"Often\"}}]}]";
    assert_eq!(read(class), Err("excess does not have the value \"Often\"".to_owned()));
    assert_eq!(read("classes: []"), Err("there is no class \"(other)\"".to_owned()));
    assert_eq!(read("syntax: {no: \"x\"}\nclasses: []"), Err("unknown setting \"no\"".to_owned()));
}

/// Fits a behaviour to `engine` with `library`, and returns the share of `pairs` that it predicts, in percent.
fn predicted(engine: impl Fn(&str, &str) -> Option<String>, library: &[Behaviour], pairs: &[Pair]) -> f64 {
    let ask = |pairs: &[Pair]| pairs.iter().map(|(base, reference)| engine(base, reference)).collect();
    let behaviour = fit(&mut Asker::new(ask), &[], library);
    let is_met = |(base, reference): &&Pair| behaviour.predict(base, reference) == engine(base, reference);
    pairs.iter().filter(is_met).count() as f64 * 100.0 / pairs.len() as f64
}

fn pairs() -> Vec<Pair> {
    let mut random = RandomPairs::new(29);
    let random = (0..4_000).map(|_| random.pair());
    let usual = BASES.iter().flat_map(|base| ["g", "../..", "?y", "#s", "//h"].map(|it| ((*base).into(), it.into())));
    random.chain(usual).collect()
}

#[test]
fn a_fit_finds_the_behaviour_of_a_specification() {
    for revision in [&rfc1808::REVISION, &rfc3986::REVISION] {
        let engine = |base: &str, reference: &str| revision.resolve(base, reference).ok().map(|target| target.url);
        let share = predicted(engine, &[], &pairs());
        assert!(share > 99.9, "{}: {share:.2}%", revision.id);
    }
}

#[test]
fn a_fit_finds_characters_that_an_engine_rejects_encodes_and_drops() {
    let rfc3986 =
        |base: &str, reference: &str| rfc3986::REVISION.resolve(base, reference).ok().map(|target| target.url);
    let engine = |base: &str, reference: &str| {
        let is_rejected = base.contains('^') || reference.contains('^');
        let url = rfc3986(&base.replace('|', ""), &reference.replace('|', ""))?;
        (!is_rejected).then(|| url.replace('"', "%22"))
    };
    let share = predicted(engine, &[], &pairs());
    assert!(share > 97.0, "{share:.2}%");
}

#[test]
fn a_fit_finds_characters_of_bases_with_which_references_are_returned_unchanged() {
    let rfc3986 =
        |base: &str, reference: &str| rfc3986::REVISION.resolve(base, reference).ok().map(|target| target.url);
    let is_bad = |text: &str| text.contains(['|', '^', '"']);
    let engine = |base: &str, reference: &str| match is_bad(base) {
        true => (!is_bad(reference) && !reference.is_empty()).then(|| reference.to_owned()),
        false => rfc3986(base, reference).filter(|_| !is_bad(reference)),
    };
    let bases = ["http://a|/", "http://a/^", "http://a/b/\"/c"].map(str::to_owned);
    let pairs = bases.iter().flat_map(|base| ["g", "../g", "/x|", "//k", ""].map(|it| (base.clone(), it.to_owned())));
    let share = predicted(engine, &[], &pairs.collect::<Vec<_>>());
    assert!(share > 99.9, "{share:.2}%");
}

#[test]
fn a_fit_starts_from_known_behaviours() {
    let world = World::embedded().unwrap_or_else(|error| panic!("{error}"));
    let known =
        world.recorded_behaviour("neon@0.34.2").and_then(|read| Some(Behaviour::clone(&*read.behaviour().ok()?)));
    let known = known.expect("a behaviour");
    let mut engine = known.clone();
    let other = engine.other;
    engine.classes[other].rows[Form::Authority as usize].default_port = DefaultPort::Dropped;
    let share = predicted(|base, reference| engine.predict(base, reference), &[known], &pairs());
    assert!(share > 99.9, "{share:.2}%");
}

/// Asks an engine again that answers as `engine` does; `engine` also gets the number of pairs before.
fn asked_again(engine: impl Fn(usize, &str, &str) -> Option<String>) -> Result<Option<Unrepeatable>, String> {
    let count = std::cell::Cell::new(0);
    let ask = |pairs: &[Pair]| -> Vec<Option<String>> {
        let answer = |(base, reference): &Pair| {
            count.set(count.get() + 1);
            engine(count.get() - 1, base, reference)
        };
        pairs.iter().map(answer).collect()
    };
    let mut asker = Asker::new(ask);
    asker.all(&pairs());
    repeated(&asker, ask)
}

#[test]
fn engines_that_no_behaviour_describes_are_refused_with_the_evidence() {
    let rfc3986 = |base: &str, reference: &str| rfc3986::REVISION.resolve(base, reference).ok().map(|it| it.url);
    assert_eq!(asked_again(|_, base, reference| rfc3986(base, reference)), Ok(None));
    assert_eq!(asked_again(|_, base, reference| Some(rfc3986(base, reference)?.to_lowercase())), Ok(None));

    let sentence = |engine: &dyn Fn(usize, &str, &str) -> Option<String>| asked_again(engine).expect_err("a refusal");
    assert!(sentence(&|_, _, _| None).starts_with("it rejects all of "));
    let alike = sentence(&|_, _, _| Some("http://a/".to_owned()));
    assert!(alike.starts_with("it returns \"http://a/\" for "), "{alike}");
    for (engine, why) in [
        (&(|count, _: &str, _: &str| Some(format!("a:{count}"))) as &dyn Fn(usize, &str, &str) -> _, "a counter"),
        (&|count, base, reference| rfc3986(base, reference).filter(|_| count % 20 > 0), "many failures"),
        (&|count, base, reference| Some(format!("{}{}", rfc3986(base, reference)?, count > 4_000)), "another hour"),
    ] {
        let sentence = sentence(engine);
        assert!(sentence.starts_with("it is not deterministic: ") && sentence.contains(", then "), "{why}: {sentence}");
    }
}

#[test]
fn a_few_results_that_do_not_come_again_are_tolerated_and_counted() {
    let rfc3986 = |base: &str, reference: &str| rfc3986::REVISION.resolve(base, reference).ok().map(|it| it.url);
    let found = asked_again(|count, base, reference| rfc3986(base, reference).filter(|_| count % 1_000 > 0));
    let found = found.unwrap_or_else(|why| panic!("{why}")).expect("pairs with another result");
    assert!(found.differing > 0 && found.differing * 200 <= found.asked, "{found}");
    assert_ne!(found.first, found.then);
    assert_eq!(
        [&found.first, &found.then].into_iter().flatten().next(),
        rfc3986(&found.base, &found.reference).as_ref()
    );
}
