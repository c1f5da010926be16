//! The hosts that specifications and engines find in a URL.

use crate::client::clients;
use urlstrata_harness::engine::{Engine, by_name};
use urlstrata_harness::explain::hosts::HostFinder;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::protocol::Op;
use urlstrata_harness::world::World;

fn columns(engines: &[&str], url: &str) -> Vec<(String, usize)> {
    let engines = engines.iter().map(|name| by_name(name).expect("an engine")).collect();
    let world = World::embedded().expect("a world").with_engines(engines);
    let specifications = ["rfc3986", "whatwg"].map(|id| Specification::by_id(id).expect("a specification"));
    let hosts = HostFinder::new(&world, specifications.to_vec()).find("", url);
    let shown = |group: &urlstrata_harness::explain::hosts::HostGroup| {
        group.location.as_ref().map_or("rejected".to_owned(), |it| it.to_string())
    };
    hosts.stated.iter().map(|group| (shown(group), group.by.len())).collect()
}

#[test]
fn a_backslash_separates_two_hosts() {
    let found = columns(&["crate:url", "crate:oxiri"], r"http://127.0.0.1:6666\@1.1.1.1");
    let expected = [("http 127.0.0.1 6666", 2), ("http 1.1.1.1 80", 1), ("rejected", 1)];
    assert_eq!(found, expected.map(|(shown, count)| (shown.to_owned(), count)));
}

#[test]
fn a_fragment_does_not_hide_a_host() {
    let found = columns(&["crate:url", "crate:oxiri"], "http://allowed.example#@169.254.169.254/");
    assert_eq!(found, [("http allowed.example 80".to_owned(), 4)]);
}

/// A check states a host, and a client connects: these are two questions, and a client that only resolves answers neither.
#[test]
fn a_client_agrees_if_it_connects_to_the_stated_host() {
    let find = |checker: &str, client: usize, url: &str| {
        let client: Box<dyn Engine> = Box::new(clients().into_iter().nth(client).expect("a client"));
        let engines = vec![by_name(checker).expect("an engine"), client];
        let world = World::embedded().expect("a world").with_engines(engines);
        let hosts = HostFinder::new(&world, Vec::new()).find("", url);
        assert!(hosts.resolved.is_empty());
        (hosts.agree(), hosts.unanswered().len())
    };
    let confusing = r"http://evil.test\@ok.example/";
    assert_eq!(find("crate:url", 0, confusing), (false, 0));
    assert_eq!(find("crate:url", 1, confusing), (true, 0));
    // A name server is asked without the last dot, and a port may be stated by the scheme alone.
    assert_eq!(find("ref:rfc3986", 1, "http://ok.example:80/"), (true, 0));
    assert_eq!(find("ref:rfc3986", 1, "http://0177.1/"), (false, 0));
}

/// File URLs depend on the platform, and a build of a distribution can have other patches than the project's own.
#[test]
fn the_platform_of_a_recording_is_stated_where_it_matters() {
    let shown = |name: &str, base: &str, url: &str| {
        let world = World::embedded().expect("a world");
        let engine = world.engine(name).unwrap_or_else(|error| panic!("{error}"));
        HostFinder::new(&world.with_engines(vec![engine]), Vec::new()).find(base, url)
    };
    let of_file = shown("recorded:node-url", "file:///C:/a", "b");
    assert_eq!(of_file.resolved[0].by[0].recorded_on.as_deref(), Some("Linux x86-64"));
    assert!(of_file.to_string().contains("Recorded on Linux x86-64: libraries may treat file URLs"), "{of_file}");
    let of_http = shown("recorded:node-url", "http://h/a", "b");
    assert!(!of_http.to_string().contains("Linux"), "{of_http}");
    let of_debian = shown("urllib@3.11.2", "http://h/a", "b");
    assert!(of_debian.to_string().contains("Recorded build of urllib 3.11.2: Linux x86-64, Debian"), "{of_debian}");
}

/// A client that cannot be observed on this machine.
struct Unobserved;

impl Engine for Unobserved {
    fn name(&self) -> &str {
        "unobserved"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn resolve(&self, _: &str, _: &str) -> Outcome {
        Outcome::Skipped("unsupported operation".to_owned())
    }

    fn parse(&self, _: &str) -> Components {
        Err(Outcome::Skipped("unsupported operation".to_owned()))
    }

    fn visits(&self, _: Op) -> bool {
        true
    }

    fn visit_all(&self, _: Op, urls: &[&str]) -> Vec<Components> {
        vec![Err(Outcome::Skipped("a network namespace cannot be made".to_owned())); urls.len()]
    }
}

/// Only an engine that was not asked is called so.
#[test]
fn the_reason_of_a_missing_answer_is_shown() {
    let shown = |engine: Box<dyn Engine>, url: &str| {
        let world = World::embedded().expect("a world").with_engines(vec![engine]);
        HostFinder::new(&world, Vec::new()).find("", url).to_string()
    };
    let recorded = |name: &str| World::embedded().expect("a world").engine(name).expect("an engine");
    let not_asked = "no answer: no recording has it";
    let unobserved = shown(Box::new(Unobserved), "http://ok.example/");
    assert!(unobserved.contains("no answer of unobserved 1: a network namespace cannot be made"), "{unobserved}");
    let of_c_string = shown(recorded("recorded:glib"), "http://a\0b/c/d");
    assert!(
        of_c_string.contains("no answer of glib 2.90.1: it cannot be called with this text, or its answer is not text"),
        "{of_c_string}"
    );
    let unknown = shown(recorded("recorded:jetty"), "http://not.recorded.example/");
    assert!(unknown.contains(not_asked), "{unknown}");
    assert!(!unobserved.contains(not_asked) && !of_c_string.contains(not_asked));
}
