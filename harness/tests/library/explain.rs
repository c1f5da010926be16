//! The renderings of an explanation (text, JSON and the bug report) have the same content.

use std::path::Path;

use serde_json::Value;
use urlstrata::revision::whatwg::NEWEST;
use urlstrata_harness::behaviour::Behaviour;
use urlstrata_harness::engine::{self, Engine, PredictedEngine};
use urlstrata_harness::explain::hosts::HostGroup;
use urlstrata_harness::explain::{Explainer, Explanation, Found, Observed, bug_report};
use urlstrata_harness::knowledge::behaviours::outcome;
use urlstrata_harness::knowledge::dated::day;
use urlstrata_harness::knowledge::notable::Unstated;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::pairs::generate::RandomPairs;
use urlstrata_harness::vector::ResolutionCase;
use urlstrata_harness::world::World;

const PAIRS: [(&str, &str); 9] = [
    ("http://www.victim.com/login", "///evil.com"),
    ("http://a/b/c/d;p?q", "?y"),
    ("http://a/b/c/d;p?q", "../../../g"),
    ("", "g"),
    ("mailto:a@b", "a b"),
    ("http://h/x", "\\\\evil.com\\%2e"),
    ("http://h/x", "http://u:p@EXAMPLE.org:80/é"),
    ("http://h/x#f", ""),
    ("", "file:////x"),
];

fn world(names: &[&str]) -> World {
    let engines = names.iter().map(|name| engine::by_name(name).expect("an engine"));
    World::embedded().expect("files in order").with_engines(engines.collect())
}

/// Appends each string and number of a JSON value to `found`, with the key of the closest object entry that contains
/// it.
fn leaves<'v>(key: &'v str, value: &'v Value, found: &mut Vec<(&'v str, String)>) {
    match value {
        Value::String(text) => found.push((key, text.clone())),
        Value::Array(values) => values.iter().for_each(|value| leaves(key, value, found)),
        Value::Object(entries) => entries.iter().for_each(|(key, value)| leaves(key, value, found)),
        Value::Number(number) => found.push((key, number.to_string())),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The words that the sentences of the text rendering contain and JSON does not.
const WORDS: [&str; 71] = [
    "errata",
    "decided",
    "permits",
    "it",
    "too",
    "since",
    "to",
    "changed",
    "older",
    "its",
    "result",
    "is",
    "that",
    "of",
    "no",
    "specification",
    "returns",
    "has",
    "it",
    "a",
    "quirk",
    "the",
    "engine",
    "does",
    "not",
    "do",
    "this",
    "differ",
    "differs",
    "from",
    "in",
    "and",
    "same",
    "document",
    "so",
    "nothing",
    "retrieved",
    "by",
    "matched",
    "grammar",
    "at",
    "byte",
    "scheme",
    "host",
    "port",
    "credentials",
    "path",
    "query",
    "fragment",
    "spelling",
    "whether",
    "there",
    "reason",
    "cause",
    "known",
    "behaviour",
    "predicts",
    "something",
    "else",
    "outside",
    "together",
    "these",
    "differences",
    "perhaps",
    "coincidence",
    "both",
    "reject",
    "different",
    "reasons",
    "later",
    "standards",
];

#[test]
fn text_and_json_have_the_same_content() {
    let worlds = [world(&["crate:url", "crate:oxiri", "crate:iri-string"]), world(&["ref:rfc1808"]), world(&[])];
    for world in &worlds {
        for (base, reference) in PAIRS {
            let explanation = Explanation::of(world, base, reference).with_traces();
            let text = explanation.to_string();
            let json = serde_json::to_value(&explanation).expect("JSON");
            let mut found = Vec::new();
            leaves("", &json, &mut found);
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            // The text prints steps in a table that wraps lines, so only letters and digits are compared.
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            let (plain, bare) = (squeezed(&text), letters(&text));
            for (key, leaf) in &found {
                let is_shown = match *key {
                    "base" | "reference" | "found"
                        if matches!(leaf.as_str(), "steps" | "behaviour" | "agreeing" | "listed" | "unexplained") =>
                    {
                        true
                    }
                    "base" | "reference" | "effect" | "first_difference" | "version" => true,
                    // The text has ranges of dated states, and days in words.
                    "by" | "same_as" if leaf.starts_with("whatwg-") => plain.contains("whatwg"),
                    "date" => plain.contains(&day(leaf)),
                    // A link of steps is shown by a question about its slot.
                    "cause" | "name" => leaf.split(" + ").all(|part| {
                        if part.contains(" | ") {
                            let slot = part.split(": ").next().unwrap_or_default();
                            return plain.contains(slot) || plain.contains("What does the base give?");
                        }
                        plain.contains(part.trim_start_matches("no ").split('=').next().unwrap_or_default())
                    }),
                    "text" | "state" | "label" => text.contains("│") || text.contains("─"),
                    "question" | "note" | "source" => plain.contains(&squeezed(leaf)),
                    _ => bare.contains(&letters(leaf)),
                };
                assert!(is_shown, "the text has no {key} {leaf:?} of {reference:?} on {base:?}:\n{text}");
            }
            // Without traces, every word of the text is in JSON or in `WORDS`.
            let text = Explanation::of(world, base, reference).to_string();
            let mut all = String::new();
            found.iter().for_each(|(_, leaf)| all = format!("{all} {leaf}"));
            found.iter().filter(|(key, _)| *key == "date").for_each(|(_, date)| all = format!("{all} {}", day(date)));
            for word in text.split(|c: char| c.is_whitespace() || ",;:()".contains(c)).filter(|word| !word.is_empty()) {
                let word = word.trim_start_matches('§');
                let is_own = WORDS.contains(&word) || ["-", "\"\"", "URL", "Standard", "whatwg"].contains(&word);
                let is_data = all.contains(word) || ["failure", "skipped", "crash", "timeout"].contains(&word);
                assert!(is_own || is_data, "JSON has no {word:?}, which the text has:\n{text}");
            }
        }
    }
}

/// An engine without stored known deviations. It returns what a behaviour predicts.
struct Unknown(Behaviour);

impl Engine for Unknown {
    fn name(&self) -> &str {
        "unknown"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        outcome(&self.0, base, reference)
    }

    fn parse(&self, _: &str) -> Components {
        Err(Outcome::Skipped("not asked".to_owned()))
    }
}

#[test]
fn an_engine_without_a_behaviour_is_reported_as_equal_to_the_url_standard() {
    let standard = Specification::url_standard().behaviour().clone();
    let world = world(&[]).with_engines(vec![Box::new(Unknown(standard))]);
    for (base, reference) in PAIRS {
        let explanation = Explanation::of(&world, base, reference);
        assert!(explanation.engines[0].same_as.contains(&NEWEST.id), "{reference:?} on {base:?}");
        let text = explanation.to_string();
        assert!(text.contains("unknown: its result is that of") && text.contains("whatwg"), "{text}");
        assert!(!text.contains("no cause is known"), "{text}");
    }
}

#[test]
fn a_fitted_behaviour_explains_an_engine() {
    let oxiri = Behaviour::of_crate("oxiri").expect("a behaviour");
    let mut unknown = World::embedded().expect("files in order");
    let (base, reference) = ("http://h/x", "a b");
    unknown.engines = vec![Box::new(Unknown(oxiri))];
    let before = Explanation::of(&unknown, base, reference);
    let divergence = before.engines[0].against[0].divergence.as_ref().expect("a divergence");
    assert_eq!(divergence.notes.len(), 0, "a failure alone has no cause: {divergence:?}");
    let engines = std::mem::take(&mut unknown.engines);
    unknown.fit(engines[0].as_ref()).expect("vectors in order");
    unknown.engines = engines;
    let after = Explanation::of(&unknown, base, reference);
    let divergence = after.engines[0].against[0].divergence.as_ref().expect("a divergence");
    let sentences: Vec<_> = divergence.notes.iter().map(|it| it.to.note.as_str()).collect();
    assert_eq!((divergence.found, &sentences[..]), (Found::Behaviour, &["Rejects U+0020"][..]), "{divergence:?}");
}

#[test]
fn the_bug_report_describes_its_engine_and_contains_a_smaller_pair() {
    let world = world(&["crate:oxiri", "crate:url"]);
    let mut explainer = Explainer::new(&world, &[]);
    let (base, reference) = ("http://www.victim.com/login/x", "///evil.com/%2e");
    let mut explanation = explainer.explain(base, reference);
    explainer.add_bug_report(&mut explanation, "crate:url");
    let report = explanation.bug_report.expect("crate:url differs from the URL Standard");
    let smallest = explanation.engines[1].against.last().and_then(|it| it.smallest.as_ref()).expect("a smaller pair");
    assert!(report.starts_with("### `url` differs from URL Standard"), "{report}");
    assert!(smallest.reference.len() < reference.len() && report.contains(&smallest.reference), "{report}");
    assert!(explanation.engines[0].against.iter().all(|it| it.smallest.is_none()), "only one engine is reported");
}

/// A report needs a cause, unless the specification was named.
#[test]
fn a_difference_without_a_known_cause_is_not_reported() {
    let world = World::embedded().expect("files in order");
    let world = world.predicted("htmlcxx").map(|engine| world.for_engines(vec![engine])).expect("an engine");
    let rfc3986 = Specification::by_id("rfc3986").expect("a specification");
    for (named, is_reported) in [(&[][..], false), (&[rfc3986][..], true)] {
        let mut explainer = Explainer::new(&world, named);
        let mut explanation = explainer.explain("mailto:x", ".");
        let against = explanation.engines[0].against.last().expect("a comparison");
        assert_eq!(against.divergence.as_ref().map(|it| it.found), Some(Found::Indirect), "{against:?}");
        explainer.add_bug_report(&mut explanation, "htmlcxx");
        assert_eq!(explanation.bug_report.is_some(), is_reported);
    }
}

#[test]
fn a_missing_folder_of_known_deviations_is_an_error() {
    let error = World::embedded().expect("files in order").with_known(Path::new("no/such/folder")).err();
    let error = error.expect("there is no such folder").to_string();
    assert!(error.starts_with("no/such/folder:") && error.contains("known update --out"), "{error}");
}

/// The drafts of 1996 changed what a fragment alone means, and not its URL.
#[test]
fn a_reference_into_the_same_document_cites_the_change() {
    let explanation = Explanation::of(&world(&[]), "s://h/m", "#r");
    let [change] = explanation.document_changes.as_slice() else { panic!("{explanation}") };
    assert_eq!(
        (change.older, change.newer, change.note.name.as_str()),
        ("rfc1808", "draft-1996", "same_document=ByForm")
    );
    assert!(change.note.from.source.starts_with("RFC 1808 \u{a7}4, June 1995"), "{:?}", change.note);
    assert!(change.note.to.source.starts_with("Draft 1996 \u{a7}2, 2 November 1996"), "{:?}", change.note);
    // RFC 3986 compares the target with the base.
    let explanation = Explanation::of(&world(&[]), "s://h/m", "m");
    let [change] = explanation.document_changes.as_slice() else { panic!("{explanation}") };
    assert_eq!(
        (change.older, change.newer, change.note.name.as_str()),
        ("rfc2396", "rfc3986", "same_document=ByComparison")
    );
    assert!(Explanation::of(&world(&[]), "s://h/m", "n").document_changes.is_empty());
}

/// What a library states, where a client connects, and what a reference resolves to are never derived from each other.
#[test]
fn statements_and_connections_are_apart_from_results() {
    let world = World::embedded().expect("files in order");
    let engines = ["urllib", "node-url", "requests", "feedparser"].map(|name| world.engine(name).expect("an engine"));
    let world = world.with_engines(Vec::from(engines));
    let explainer = |base: &str, reference: &str| {
        let mut explainer = Explainer::new(&world, &[]);
        let mut explanation = explainer.explain(base, reference);
        assert!(explanation.observations.stated.is_empty());
        explainer.add_observations(&mut explanation);
        explanation
    };
    let hosts = |observed: &Observed| -> Vec<(String, Vec<String>)> {
        let host = |group: &HostGroup| group.location.as_ref().and_then(|it| it.host.clone()).unwrap_or_default();
        let names = |group: &HostGroup| group.by.iter().map(|by| by.name.clone()).collect();
        observed.groups.iter().map(|group| (host(group), names(group))).collect()
    };
    let explanation = explainer("", r"http://127.0.0.1:6666\@1.1.1.1");
    let named = |host: &str, names: &[&str]| (host.to_owned(), names.iter().map(|name| (*name).to_owned()).collect());
    let stated = hosts(&explanation.observations.stated[0]);
    assert_eq!(stated, [named("1.1.1.1", &["urllib"]), named("127.0.0.1", &["node-url"])]);
    assert_eq!(hosts(&explanation.observations.connected[0]), [named("127.0.0.1", &["requests"])]);
    let text = explanation.to_string();
    assert!(text.contains(r"states about http://127.0.0.1:6666\@1.1.1.1:"), "{text}");
    assert!(text.contains(r"connects for http://127.0.0.1:6666\@1.1.1.1 to:"), "{text}");
    // Nobody was asked about this text. The steps predict what both state.
    let never_asked = "http://never.asked.about:this@url/";
    let explanation = explainer("", never_asked);
    assert_eq!(hosts(&explanation.observations.stated[0])[0], named("url", &["urllib", "node-url"]));
    let text = explanation.to_string();
    assert!(text.contains("urllib 3.14.10*") && text.contains("* not asked: the steps"), "{text}");
    // Without steps, nothing is shown, and the engines are counted.
    let engines =
        ["pike", "gauche"].map(|name| World::embedded().expect("files in order").engine(name).expect("an engine"));
    let world = World::embedded().expect("files in order").with_engines(Vec::from(engines));
    let mut explainer = Explainer::new(&world, &[]);
    let mut explanation = explainer.explain("", never_asked);
    explainer.add_observations(&mut explanation);
    let observed = &explanation.observations.stated[0];
    assert_eq!((observed.groups.len(), observed.not_asked), (0, 2));
    assert!(!explanation.to_string().contains("states about"), "{explanation}");
}

/// A result that depends on a contradiction of its specification names it; another one does not.
#[test]
fn errata_are_named_where_a_result_depends_on_them() {
    let ids = |base: &str, reference: &str| -> Vec<&str> {
        Explanation::of(&World::embedded().expect("files in order"), base, reference)
            .errata
            .iter()
            .map(|it| it.id)
            .collect()
    };
    assert_eq!(ids("http://a", "g"), ["r2396-bare-host"]);
    assert_eq!(ids("http://a/", "?y"), ["r2396-query-only"]);
    assert_eq!(ids("http://a/b", ""), ["draft-empty-reference"]);
    assert!(ids("http://a/b", "g").is_empty());
}

/// A printed example that contradicts its own specification is named, whatever the result is that is shown.
#[test]
fn errata_of_printed_examples_are_named() {
    let world = World::embedded().expect("files in order");
    let mut named = 0;
    for (_, vector) in world.suite().expect("vectors").vectors() {
        let (Some(case), Some(erratum)) = (vector.resolution(), &vector.erratum) else { continue };
        let explanation = Explanation::of(&World::embedded().expect("files in order"), &case.base, &case.reference);
        let about = format!("{:?} on {:?}", case.reference, case.base);
        assert!(explanation.errata.iter().any(|it| it.id == erratum), "{about}: {erratum}");
        assert!(explanation.to_string().contains(erratum.as_str()), "{about}: {erratum}");
        named += 1;
    }
    assert!(named >= 4, "{named}");
}

/// Returns an engine that resolves every pair to `url`, of which nothing else is known.
fn returning(url: &str) -> Box<dyn Engine> {
    let url = url.to_owned();
    Box::new(PredictedEngine::new("own", "1", Box::new(move |_, _| Outcome::Url(url.clone()))))
}

/// A result that a specification permits is not a bug, whatever is known of the engine. The vectors list such results, and on random pairs
/// these are those of the part of RFC 3986 that is not strict.
#[test]
fn a_permitted_result_is_not_reported_as_a_bug() {
    let specification = |id: &str| Specification::by_id(id).expect("a specification");
    let [strict, nonstrict] = ["rfc3986", "rfc3986-nonstrict"].map(specification);
    let world = World::embedded().expect("files in order");
    let of_vectors = world.suite().expect("vectors").vectors().flat_map(|(file, vector)| {
        let cite = file.content.source.specification.as_str();
        let own = Specification::all().into_iter().find(|own| own.cite == cite).map(|own| own.id.to_owned());
        let permitted = |case: &ResolutionCase| {
            let pair = |url: &String| Some((own.clone()?, case.base.clone(), case.reference.clone(), url.clone()));
            case.permitted.iter().filter_map(pair).collect::<Vec<_>>()
        };
        vector.resolution().map(permitted).unwrap_or_default()
    });
    let mut random = RandomPairs::new(55);
    let of_rfc_3986 = (0..4_000).filter_map(|_| {
        let (base, reference) = random.pair();
        let url = nonstrict.resolve(&base, &reference).url()?.to_owned();
        (strict.resolve(&base, &reference).url() != Some(&url)).then(|| ("rfc3986".to_owned(), base, reference, url))
    });
    let both = ("rfc2396", "http://a/b/c", "http:../../../g", "http://a/g");
    let both =
        [both].map(|(id, base, reference, url)| (id.to_owned(), base.to_owned(), reference.to_owned(), url.to_owned()));
    let mut permitted = 0;
    for (id, base, reference, url) in of_vectors.chain(of_rfc_3986).chain(both) {
        let world = World::embedded().expect("files in order").with_engines(vec![returning(&url)]);
        let explanation = Explainer::new(&world, &[specification(&id)]).explain(&base, &reference);
        assert_eq!(bug_report(&explanation, 0, true), None, "{id}: {reference:?} on {base:?}: {url}");
        permitted += 1;
    }
    assert!(permitted > 10, "{permitted}");
    // Another result is reported.
    let world = World::embedded().expect("files in order").with_engines(vec![returning("http://a/g/")]);
    let explanation = Explainer::new(&world, &[specification("rfc2396")]).explain("http://a/b/c/d;p?q", "../../../g");
    assert!(bug_report(&explanation, 0, true).is_some());
}

/// Where all specifications have the same target, the explanation says by which sections.
#[test]
fn a_target_that_all_specifications_have_is_explained() {
    let world = World::embedded().expect("files in order");
    let mut explainer = Explainer::new(&world, &[]);
    let mut random = RandomPairs::new(56);
    let plain = ["g", "g/", "/g", "../g", "./g?y", "g#s", "http://h/x", "//h/x"]
        .map(|it| ("http://a/b/c/d".to_owned(), it.to_owned()));
    let mut alike = 0;
    for (base, reference) in plain.into_iter().chain((0..2_000).map(|_| random.pair())) {
        let targets: Vec<_> = Specification::all().iter().map(|own| own.resolve(&base, &reference)).collect();
        if targets[0].url().is_none() || targets.iter().any(|own| own.url() != targets[0].url()) {
            continue;
        }
        let explanation = explainer.explain(&base, &reference);
        let about = format!("{reference:?} on {base:?}: {:?}", explanation.decided);
        assert_eq!(explanation.decided.len(), 3, "{about}");
        for (statement, cite) in explanation.decided.iter().zip(["RFC 1808 §", "RFC 3986 §", "URL Standard §"]) {
            assert!(statement.source.starts_with(cite) && !statement.note.is_empty(), "{about}");
        }
        assert!(explanation.to_string().contains("all specifications have this target:"), "{about}");
        alike += 1;
    }
    assert!(alike > 8, "{alike}");
}

/// A line that ends with a colon announces lines below it.
#[test]
fn nothing_is_announced_that_does_not_follow() {
    let world = world(&["crate:url", "crate:oxiri"]);
    let mut explainer = Explainer::new(&world, &[]);
    let mut random = RandomPairs::new(57);
    for (base, reference) in [(String::new(), "k".to_owned())].into_iter().chain((0..300).map(|_| random.pair())) {
        let text = explainer.explain(&base, &reference).to_string();
        let indent = |line: &str| line.len() - line.trim_start().len();
        for lines in text.lines().collect::<Vec<_>>().windows(2) {
            let is_followed = !lines[1].is_empty() && indent(lines[1]) > indent(lines[0]);
            assert!(is_followed || !announces(lines[0]), "{text}");
        }
    }
}

/// Returns whether a line is the head of lines below it.
fn announces(line: &str) -> bool {
    line.ends_with(':')
        && (line.contains(" differ in ") || line.contains(" differs from ") || line.contains(" have this target"))
}

/// lxml sets a link as an attribute, which XML does not allow for every text. Such a text is not asked, and not rejected.
#[test]
fn a_text_that_an_engine_cannot_be_given_is_not_a_failure() {
    for (name, base, reference) in
        [("lxml", "http://h/", "a\u{1}b"), ("libcurl", "http://h/", "a\0b"), ("xerces-c-uri", "http://h\0/", "a")]
    {
        let world = World::embedded().expect("files in order");
        let engine = world.engine(name).expect("an engine");
        let world = world.with_engines(vec![engine]);
        let explanation = Explainer::new(&world, &[]).explain(base, reference);
        let engine = &explanation.engines[0];
        assert!(matches!(engine.outcome, Outcome::Unrepresentable(_)), "{name}: {:?}", engine.outcome);
        assert!(engine.against.is_empty() && engine.same_as.is_empty(), "{name}");
        let text = explanation.to_string();
        assert!(text.contains(&format!("{name}: it was not asked, because it cannot be given this text")), "{text}");
        assert!(!text.contains(&format!("{name} differs")), "{text}");
    }
}

/// What a behaviour does not state is said where its prediction is shown, also of engines that nobody named.
#[test]
fn predictions_that_may_be_wrong_are_marked() {
    let world = World::embedded().and_then(World::with_predictions).expect("files in order");
    let folders = world.folders().expect("folders in order");
    let entries: Vec<_> = folders
        .engines
        .iter()
        .flat_map(|engine| Unstated::all(engine).expect("entries in order").into_iter().map(move |it| (engine, it)))
        .collect();
    let mut explainer = Explainer::new(&world, &[]);
    let mut marked = 0;
    for (engine, unstated) in entries.iter().step_by(9) {
        let explanation = explainer.explain(&unstated.pair.base, &unstated.pair.reference);
        let mut predicted = explanation.groups.iter().flat_map(|group| &group.predicted);
        let named = format!("{} ", engine.name);
        let Some(found) = predicted.find(|it| it.by.starts_with(&named)) else { continue };
        assert!(found.unstated.iter().any(|note| note.does == unstated.does), "{}", found.by);
        let text = explanation.to_string();
        let line = text.lines().skip_while(|line| !line.contains("may be predicted wrongly"));
        assert!(line.take_while(|line| !line.is_empty()).any(|line| line.contains(&found.by)), "{text}");
        marked += 1;
    }
    assert!(marked > 1, "{marked}");
}
