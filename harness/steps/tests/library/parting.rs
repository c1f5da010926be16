use urlstrata::revision;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Link, RevisionRun, chain};

fn links(one: &str, other: &str, base: &str, reference: &str) -> Vec<Link> {
    let run = |id| RevisionRun { revision: revision::by_id(id).expect("a revision"), pair: (base, reference) };
    chain([&run(one), &run(other)])
}

/// Returns a line for each link: the slot with both values, and the labels of both sides.
fn shown(links: &[Link]) -> Vec<String> {
    let labels = |link: &Link, side: usize| {
        let written: Vec<_> = link.steps[side].iter().map(|step| step.label).collect();
        let left = link.left_by[side].map(|step| format!("({})", step.label)).unwrap_or_default();
        written.join(" ") + &left
    };
    links.iter().map(|link| format!("{link} by {} | {}", labels(link, 0), labels(link, 1))).collect()
}

#[test]
fn the_links_of_well_known_differences() {
    for (one, other, base, reference, expected) in [
        (
            "rfc1808",
            "rfc3986",
            "http://a/b/c/d;p?q",
            "../../../g",
            "the path without dot segments: `/../g` | `/g` by 6c | 5.2.4 2C",
        ),
        (
            "rfc1808",
            "rfc2396",
            "http://a/b/c/d;p?q",
            "?y",
            "what the base gives: scheme, authority, path | scheme, authority, folder by 5 | 6a",
        ),
        (
            "rfc1808",
            "rfc3986",
            "http://a/b",
            "//g/../h",
            "the path without dot segments: `/../h` | `/h` by (3) | 5.2.4 2C",
        ),
        (
            "rfc3986",
            "rfc3986-nonstrict",
            "http://a/b",
            "http:c",
            "the reference's scheme: `http` | none by (3.1) | 5.2.2 not strict",
        ),
        ("rfc2396", "rfc3986", "http://a", "g", "the merged path: `g` | `/g` by 6b | 5.2.3 bare host"),
    ] {
        assert_eq!(shown(&links(one, other, base, reference)), [expected], "{reference} on {base}");
    }
}

#[test]
fn parameters_that_are_cut_off_are_a_difference() {
    let links = links("rfc1808", "rfc2396", "http://a/b;p?q#f", "g;x=1/../y");
    assert_eq!(shown(&links), ["the reference's params: `x=1/../y` | not read by 2.4.5 | (3.3)"]);
}

#[test]
fn a_rejection_is_explained_by_what_rejects() {
    let links = links("rfc1808", "rfc3986", "", "a");
    assert_eq!(links.len(), 1);
    assert_eq!(links[0].rejected[0], None);
    assert_eq!(links[0].rejected[1].as_deref(), Some("the base is unknown or has no scheme"));
    assert_eq!(links[0].steps[1][0].label, "5.2.2 authority");
}

#[test]
fn equal_results_have_no_link_however_they_come_about() {
    assert!(links("rfc1808", "rfc3986", "http://a/b/c", "./g").is_empty());
    assert!(links("rfc2396", "rfc3986", "", "a").is_empty());
}

#[test]
fn a_text_that_is_divided_otherwise_is_one_difference() {
    let links = links("rfc1808", "rfc3986", "http://h?q/x", "y");
    assert_eq!(links.len(), 1, "{links:?}");
    assert!(links[0].is_division && matches!(links[0].slot, Slot::Base(_)), "{links:?}");
}

/// Schemes are looked up in lower case: a run with another case is one that nothing does.
#[test]
fn the_case_of_a_scheme_hides_no_other_difference() {
    for reference in ["http:", "http:x", "http://ß", "ftp:x", "http:\\x"] {
        let upper = reference.replacen(|_: char| true, &reference[..1].to_ascii_uppercase(), 1);
        let [lower, upper] =
            [reference, &upper].map(|reference| links("rfc3986", "whatwg-2026-07", "http://h/a", reference));
        assert_eq!(upper[0].slot, Slot::Ref(Part::Scheme), "{upper:?}");
        let slots = |links: &[Link]| links.iter().map(|link| link.slot).collect::<Vec<_>>();
        assert_eq!(slots(&upper[1..]), slots(&lower), "{reference}: {upper:#?}");
    }
}

#[test]
fn what_does_not_change_a_component_that_differs_is_not_named() {
    let links = links("rfc1808", "whatwg-2026-07", "http://h/a/b/../c", "x#");
    assert_eq!(shown(&links), ["the reference's fragment: none | empty by 2.4.1 | fragment 1"]);
}

#[test]
fn parameters_are_not_called_part_of_a_path_that_they_are_cut_off() {
    let links = links("rfc1808", "whatwg-2026-07", "http://a/x/b;p/../q", "?y");
    let base = links.iter().find(|link| link.slot == Slot::Base(Part::Path)).expect("a link about the path");
    assert_eq!(base.side(0), "`/x/b` with the parameters `p/../q`");
}

/// Without the other division, nothing would be rejected.
#[test]
fn a_rejected_component_is_explained_by_how_it_was_divided() {
    let links = links("rfc3986", "whatwg-2026-07", "http:/a:b", "c");
    let labels: Vec<&str> = links[0].steps[1].iter().map(|step| step.label).collect();
    assert!(links.len() == 1 && links[0].is_division, "{links:#?}");
    assert_eq!(labels, ["special authority ignore slashes 1", "authority 2", "port 3"]);
}
