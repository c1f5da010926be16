//! Pairs for which two engines find different hosts.

use crate::faulty::FaultyEngine;
use urlstrata::revision::whatwg;
use urlstrata_harness::engine::by_name;
use urlstrata_harness::engine::locate::Statement;
use urlstrata_harness::knowledge::attribute::EnginePair;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::outcome::location::Location;
use urlstrata_harness::pairs::generate::{count, nth};
use urlstrata_harness::protocol::Op;
use urlstrata_harness::survey::confusion::{
    Confusions, Couple, Severity, compare_statements, normalized, statement_urls,
};
use urlstrata_harness::world::World;

fn confusions(checker: &str, fetcher: &str, pairs: &[(&str, &str)]) -> Confusions {
    let engines = [checker, fetcher].map(|name| by_name(name).expect("an engine"));
    let world = World::embedded().expect("a world");
    let [one, other] = engines.each_ref().map(|engine| world.model_of(engine.as_ref()));
    let couple = Couple::new(engines[0].as_ref(), engines[1].as_ref(), EnginePair::new(one, other));
    let owned: Vec<_> = pairs.iter().map(|(base, reference)| ((*base).to_owned(), (*reference).to_owned())).collect();
    couple.compare(&owned, true)
}

#[test]
fn each_cause_has_one_small_pair() {
    let pairs =
        [("", r"http://host.example:80\@evil.example/x"), ("", r"http://a\@b"), ("http://v/p", "///evil.example")];
    let found = confusions("ref:rfc3986", "ref:whatwg", &pairs);
    let rows: Vec<_> = found.causes.iter().map(|it| (it.severity, it.reference.as_str(), it.count)).collect();
    // In the last pair, too, only the end of the slashes and that of the authority are others. In the first one, a port is dropped besides.
    let expected = [(Severity::Hosts, r"http://a\@b", 2), (Severity::Hosts, r"http://a:80\@aa/", 1)];
    assert_eq!(rows, expected, "{:?}", found.causes);
    assert_eq!(found.combined, 0);
}

#[test]
fn combinations_of_causes_are_left_out() {
    let pairs = [("", r"http://a\@b"), ("http://v/p", "///a"), ("", r"http:/\a")];
    let alone = confusions("ref:rfc3986", "ref:whatwg", &pairs[2..]);
    assert_eq!((alone.causes.len(), alone.combined), (1, 0), "{:?}", alone.causes);
    assert!(alone.causes[0].cause.contains(" + "), "{:?}", alone.causes);
    let all = confusions("ref:rfc3986", "ref:whatwg", &pairs);
    assert_eq!((all.causes.len(), all.combined), (1, 1), "{:?}", all.causes);
}

#[test]
fn engines_that_agree_have_no_causes() {
    let found = confusions("crate:url", "ref:whatwg", &[("", r"http://a\@b")]);
    assert!(found.causes.is_empty() && found.differ.is_empty());
}

#[test]
fn pairs_that_are_given_are_not_shrunk() {
    let engines = ["ref:rfc3986", "ref:whatwg"].map(|name| by_name(name).expect("an engine"));
    let couple =
        Couple::new(engines[0].as_ref(), engines[1].as_ref(), EnginePair::new(Default::default(), Default::default()));
    let given = (String::new(), r"http://host.example\@evil.example/x".to_owned());
    let found = couple.compare(std::slice::from_ref(&given), false);
    let shown: Vec<_> = found.causes.iter().map(|it| it.reference.as_str()).collect();
    assert_eq!(shown, [given.1]);
}

/// Two statements differ in the host of the URL that a check should reject.
#[test]
fn statements_are_compared_by_kind() {
    let [checker, fetcher] = ["ref:rfc3986", "crate:url"].map(|name| by_name(name).expect("an engine"));
    let urls = statement_urls(checker.as_ref(), fetcher.as_ref());
    let found = compare_statements(Op::Parse, checker.as_ref(), fetcher.as_ref(), &urls, &|_, _| true);
    let first: Vec<_> = found.causes.iter().take(10).map(|it| it.reference.as_str()).collect();
    assert!(first.contains(&r"http://evil.test\@ok.example/"), "{first:?}");
    let octal = found.causes.iter().find(|it| it.severity == Severity::Address).expect("an address in disguise");
    assert_ne!(octal.checker.location(), octal.fetcher.location());
    let same = compare_statements(Op::Parse, fetcher.as_ref(), fetcher.as_ref(), &urls[..100], &|_, _| true);
    assert!(same.causes.is_empty() && same.differ.is_empty());
}

/// nginx reads the host of a request only. That it states neither a scheme nor a port does not count as a difference.
#[test]
fn what_one_side_does_not_state_is_not_compared() {
    let world = World::embedded().expect("files in order");
    let [checker, fetcher] = ["nginx", "crate:url"].map(|name| world.engine(name).expect("an engine"));
    let urls = ["http://ok.example/", "http://ok.example:81/", "http://1.2.3/"].map(str::to_owned);
    for sides in [[&checker, &fetcher], [&fetcher, &checker]] {
        let found = compare_statements(Op::Parse, sides[0].as_ref(), sides[1].as_ref(), &urls, &|_, _| true);
        assert_eq!(found.differ.keys().collect::<Vec<_>>(), [&Severity::Address]);
    }
}

#[test]
fn crashes_are_not_compared() {
    let [crash, url] = [Outcome::Crash("boom".to_owned()), Outcome::Url("http://a/".to_owned())];
    assert_eq!(Severity::of(&crash, &url), None);
    let couple = Couple::new(&FaultyEngine, &FaultyEngine, EnginePair::new(Default::default(), Default::default()));
    let found = couple.compare(&[("http://a/".to_owned(), "crash".to_owned())], true);
    assert!(found.causes.is_empty());
}

/// Hosts that need no parser, and others.
#[test]
fn a_normalized_host_is_that_of_the_url_standard() {
    let alphabet: Vec<char> = "ax1-.N".chars().collect();
    let mut number = 0;
    let mut host = String::new();
    while number < count(alphabet.len(), 5).expect("a number") {
        nth(&alphabet, number, &mut host);
        let resolved = whatwg::NEWEST.resolve("", &format!("http://{host}/"));
        if let Some(expected) = resolved.ok().and_then(|target| Location::of(&target.url).host) {
            assert_eq!(normalized(&host), expected, "{host:?}");
        }
        number += 1;
    }
}

/// The steps of a check describe the components that it reads, and not what it makes of them.
#[test]
fn a_check_without_a_known_verdict_is_no_bypass() {
    let world = World::embedded().expect("a world");
    let [checker, fetcher] =
        ["python-ipaddress@3.13.5", "requests@2.34.2"].map(|name| world.engine(name).expect("an engine"));
    let (unknown, recorded) = ("http://[::ffff:127.0.0.9]/", "http://127.0.0.1/");
    assert!(Statement::of_engine(checker.as_ref(), unknown).is_undecided());
    assert!(Statement::of_engine(checker.as_ref(), recorded).is_refused());
    let urls = [unknown, recorded].map(str::to_owned);
    let found = compare_statements(Op::Connect, checker.as_ref(), fetcher.as_ref(), &urls, &|_, _| true);
    let rows: Vec<_> = found.causes.iter().map(|it| (it.severity, it.reference.as_str())).collect();
    assert_eq!(rows, [(Severity::Accepted, recorded)]);
}
