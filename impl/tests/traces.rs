//! Traces contain the state after each step: the components that are present, with their names.

use urlstrata::Trace;
use urlstrata::revision::{self, Revision};

fn by_id(id: &str) -> &'static Revision {
    revision::by_id(id).expect("a revision")
}

fn states(trace: &Trace) -> Vec<(&'static str, &str)> {
    trace.entries().iter().map(|entry| (entry.label, entry.state.as_str())).collect()
}

#[track_caller]
fn parsing(id: &str, url: &str, expected: &[(&str, &str)]) {
    let (_, trace) = by_id(id).parse_traced(url);
    assert_eq!(states(&trace), expected, "{id}");
}

/// Checks the state after the first run of each expected step.
#[track_caller]
fn resolving(id: &str, base: &str, reference: &str, expected: &[(&str, &str)]) {
    let (_, trace) = by_id(id).resolve_traced(base, reference);
    let states = states(&trace);
    for (label, state) in expected {
        let found = states.iter().find(|found| found.0 == *label).map(|found| found.1);
        assert_eq!(found, Some(*state), "{id} {label}");
    }
}

#[test]
fn parsing_is_traced() {
    parsing(
        "rfc1630",
        "http://h/a?q#f",
        &[
            ("fragmentaddress", "fragmentid=f rest=http://h/a?q"),
            ("uri", "scheme=http fragmentid=f rest=//h/a?q"),
            ("search", "scheme=http search=q fragmentid=f rest=//h/a"),
            ("path", "scheme=http path=//h/a search=q fragmentid=f"),
        ],
    );
    parsing(
        "appendix-b-1994",
        "http://h/a",
        &[
            ("scheme", "scheme=http rest=//h/a"),
            ("initial part", "scheme=http initial=//h rest=/a"),
            ("url-path", "scheme=http initial=//h url-path=/a"),
        ],
    );
    let common = "scheme=http scheme-specific-part=//u:p@h:8/a";
    parsing(
        "rfc1738",
        "http://u:p@h:8/a",
        &[
            ("2.1 scheme", "scheme=http rest=//u:p@h:8/a"),
            ("2.1 scheme-specific-part", &format!("{common} rest=//u:p@h:8/a")),
            ("3.1 //", &format!("{common} rest=u:p@h:8/a")),
            ("3.1 url-path", &format!("{common} url-path=a rest=u:p@h:8")),
            ("3.1 user", &format!("{common} user=u password=p url-path=a rest=h:8")),
            ("3.1 port", &format!("{common} user=u password=p port=8 url-path=a rest=h")),
            ("3.1 host", &format!("{common} user=u password=p host=h port=8 url-path=a rest=")),
        ],
    );
    parsing(
        "rfc1808",
        "http://h/a;p?q#f",
        &[
            ("2.4.1", "fragment=f rest=http://h/a;p?q"),
            ("2.4.2", "scheme=http fragment=f rest=//h/a;p?q"),
            ("2.4.3", "scheme=http net_loc=//h fragment=f rest=/a;p?q"),
            ("2.4.4", "scheme=http net_loc=//h query=q fragment=f rest=/a;p"),
            ("2.4.5", "scheme=http net_loc=//h params=p query=q fragment=f rest=/a"),
            ("2.4.6", "scheme=http net_loc=//h path=/a params=p query=q fragment=f rest="),
        ],
    );
    parsing(
        "rfc3986",
        "http://h/a?q#f",
        &[
            ("3.1", "scheme=http rest=//h/a?q#f"),
            ("3.2", "scheme=http authority=h rest=/a?q#f"),
            ("3.3", "scheme=http authority=h path=/a rest=?q#f"),
            ("3.4", "scheme=http authority=h path=/a query=q rest=#f"),
            ("3.5", "scheme=http authority=h path=/a query=q fragment=f rest="),
        ],
    );
}

#[test]
fn resolving_is_traced() {
    let base = "http://a/b/c";
    resolving(
        "rfc1630",
        base,
        "../g#s",
        &[
            ("form", "partial=../g fragmentid=s"),
            ("rule 3", "path=//a/b/../g"),
            ("rule 4 xxx/../", "path=//a/g"),
            ("result", "http://a/g#s"),
        ],
    );
    resolving("rfc1630", base, "g", &[("form", "partial=g")]);
    resolving("rfc1630", "x:y", "///g", &[("rule 2", "no run of 3 slashes")]);
    resolving("rfc1630", "x:y", "/g", &[("rule 2", "no run of 1 slash")]);
    resolving(
        "appendix-b-1994",
        base,
        "../g",
        &[("1", "remainder=../g"), ("3d2", "url-path=/b/../g"), ("3d2 result", "http://a/g")],
    );
    resolving("rfc1738", base, "g", &[("2.3", "no scheme: relative links are defined elsewhere")]);
    resolving("rfc1738", base, "s:x", &[("2.3", "s:x")]);
    resolving(
        "rfc1808",
        base,
        "../g;x?y#s",
        &[
            ("1", ""),
            ("2", "path=../g params=x query=y fragment=s"),
            ("3", "scheme=http net_loc=//a path=../g params=x query=y fragment=s"),
            ("6", "scheme=http net_loc=//a path=/b/../g params=x query=y fragment=s"),
            ("6c", "scheme=http net_loc=//a path=/g params=x query=y fragment=s"),
            ("7", "http://a/g;x?y#s"),
        ],
    );
    resolving(
        "draft-1996",
        base,
        "#s",
        &[("sec. 2", " (current document)"), ("7", "http://a/b/c#s (current document)")],
    );
    resolving(
        "rfc2396",
        base,
        "g?y",
        &[
            ("1", "path=g query=y"),
            ("4", "scheme=http authority=a path=g query=y"),
            ("6a", "scheme=http authority=a path=g query=y buffer=/b/"),
            ("6b", "scheme=http authority=a path=g query=y buffer=/b/g"),
            ("7", "http://a/b/g?y"),
        ],
    );
    resolving("rfc2396", "", "g", &[("3", "the base is unknown or has no scheme")]);
    resolving(
        "rfc3986",
        base,
        "g?y",
        &[
            ("5.2.2 scheme", "path=g query=y"),
            ("5.2.4 1", "scheme=http authority=a query=y input=/b/g"),
            ("5.2.4 2E", "scheme=http authority=a query=y input=/g output=/b"),
            ("5.2.4 3", "scheme=http authority=a path=/b/g query=y"),
            ("5.3", "http://a/b/g?y"),
        ],
    );
    resolving("rfc3986", "", "g", &[("5.2.2 authority", "the base is unknown or has no scheme")]);
}

#[test]
fn reading_by_a_scheme_is_traced() {
    let last = |url: &str| {
        let (_, trace) = by_id("rfc1738").read_traced(url).expect("it describes schemes");
        trace.entries().last().map(|entry| entry.state.clone())
    };
    for (url, state) in [
        ("prospero://h/a", "host=h hsoname=a connects=h:1525 rest="),
        ("prospero://h/a;b=c;d=e", "host=h hsoname=a field=b=c d=e connects=h:1525 rest="),
        ("ftp://u@h/a/b/", "user=u host=h cwd=a b connects=h:21 rest="),
        ("ftp://h/a", "host=h name=a connects=h:21 rest="),
        (
            "gopher://h/1a%09%09%2B",
            "host=h gophertype=1 selector=a gopher+_string=%2B meaning=the item in its default view connects=h:70 rest=",
        ),
        ("mailto:a@b", "rfc822-addr-spec=a@b rest="),
        ("mailto:a", "rest=a"),
        ("http://h:/", "rest="),
    ] {
        assert_eq!(last(url).as_deref(), Some(state), "{url}");
    }
}

/// The report on steps counts a step as acting if it changes something, decides which step is next, or ends the algorithm.
#[test]
fn a_step_acts_if_it_changes_the_state_or_the_next_step() {
    let bases = ["", "http://a/b/c/d;p?q#f", "magic://a/b/c//d", "news:x", "s:a/b"];
    let references = ["", "g", "/g", "//g", "../g", "./../../g", "?y", "#s", ";x", "g:h", "http:g", "g/./h/.."];
    let mut acted = 0;
    for revision in revision::ALL.iter().filter(|it| it.rules.is_some()) {
        let order: Vec<_> = revision.resolve_steps().iter().map(|step| step.label).collect();
        for (base, reference) in bases.iter().flat_map(|base| references.map(|reference| (*base, reference))) {
            let (_, trace) = revision.resolve_traced(base, reference);
            let steps: Vec<_> = trace.entries().iter().filter(|entry| order.contains(&entry.label)).collect();
            for (at, step) in steps.iter().enumerate().take(steps.len().saturating_sub(1)).skip(1) {
                let changes = step.state != steps[at - 1].state;
                let follows =
                    order.iter().position(|label| *label == step.label).and_then(|place| order.get(place + 1));
                let decides = steps.get(at + 1).map(|next| &next.label) != follows;
                let about = format!("{} {:?} on {base:?}: {}", revision.id, reference, step.label);
                assert!(step.acted || !changes, "{about}");
                assert!(!step.acted || changes || decides, "{about}");
                acted += usize::from(step.acted);
            }
        }
    }
    assert!(acted > 500, "{acted}");
}
