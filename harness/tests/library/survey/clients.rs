//! The URLs for which clients do different things.

use crate::client::clients;
use urlstrata_harness::engine::{Engine, by_name};
use urlstrata_harness::knowledge::attribute::Effect;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::survey::clients::{ClientSurvey, Danger};
use urlstrata_harness::survey::components::{Comparison, compare_components};
use urlstrata_harness::survey::confusion::{Severity, compare_statements};
use urlstrata_harness::survey::{redirects, urls};

#[test]
fn each_danger_has_its_smallest_urls() {
    let [old, new] = clients();
    let survey = ClientSurvey::of(&[&old, &new], 25);
    assert_eq!(survey.clients.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["old", "new"]);
    assert!(
        survey.hosts_differ > 100 && survey.followed_differ > 0,
        "{} {}",
        survey.hosts_differ,
        survey.followed_differ
    );
    let of =
        |danger: Danger| survey.requested.iter().filter(move |row| row.danger == danger).map(|row| row.url.as_str());
    assert!(of(Danger::Hosts).any(|url| url.contains('\\')));
    assert!(of(Danger::Internal).count() > 0);
    // What a table shows does not depend on the other ones.
    assert!(of(Danger::Ports).count() > 0);
    let row = &survey.requested[0];
    assert_eq!(row.visits.iter().map(|it| it.by.len()).sum::<usize>(), 2, "{row:?}");
    let followed = survey.followed.iter().find(|row| row.danger == Danger::Hosts).expect("a redirect");
    assert!(!followed.base.is_empty());
}

#[test]
fn clients_are_compared_by_what_they_do() {
    let [old, new] = clients();
    let found = compare_components(Comparison::of(Op::Connect), &old, &new, None);
    assert_eq!((found.op, found.urls), ("connect", urls::panel().urls().len()));
    assert!(found.kinds.iter().any(|kind| kind.part == "host" && kind.url.contains('\\')));
    assert_eq!(compare_components(Comparison::of(Op::Connect), &new, &new, None).different, 0);
    let found = compare_components(Comparison::of(Op::Follow), &old, &new, None);
    assert_eq!((found.op, found.urls), ("follow", redirects::panel().urls().len()));
    assert!(found.kinds.iter().all(|kind| !kind.base.is_empty()));
}

#[test]
fn only_differences_with_a_selected_effect_are_counted() {
    let [old, new] = clients();
    let compared =
        |only: &[Effect]| compare_components(Comparison { only, ..Comparison::of(Op::Connect) }, &old, &new, None);
    let [all, hosts] = [compared(&[]), compared(&[Effect::Host])];
    assert!(0 < hosts.different && hosts.different < all.different, "{} of {}", hosts.different, all.different);
    assert!(hosts.kinds.iter().all(|kind| kind.part == "host"));
    assert_eq!(compared(&Effect::ALL).different, all.different);
}

/// A component that only one of two libraries states is named, since it is not compared.
#[test]
fn components_that_only_one_states_are_named() {
    let [one, other] = ["crate:url", "crate:fluent-uri"].map(|name| by_name(name).expect("an engine"));
    let given = ["http://u:p@h/".to_owned()];
    let comparison = Comparison { given: Some(&given), ..Comparison::of(Op::Parse) };
    let found = compare_components(comparison, one.as_ref(), other.as_ref(), None);
    assert_eq!(found.not_compared, [vec!["port", "userinfo"], vec!["authority"]]);
}

/// A check states one host and the client connects to another, or sends credentials that the check does not state.
#[test]
fn what_a_check_states_is_compared_with_connections() {
    let checker = by_name("crate:url").expect("an engine");
    let [old, new] = clients();
    let all = urls::panel().urls().to_vec();
    let compare = |client: &dyn Engine| compare_statements(Op::Connect, checker.as_ref(), client, &all, &|_, _| true);
    let found = compare(&old);
    assert_eq!(found.op, "connect");
    let [first, ..] = found.causes.as_slice() else { panic!("no causes") };
    assert!(first.severity == Severity::Hosts && first.reference.contains("evil.test"), "{first:?}");
    assert!(found.causes.iter().any(|it| it.severity == Severity::Hosts && it.reference.contains('\\')));
    // The same rules on both sides: nothing that matters differs.
    let same = compare(&new);
    let worst: Vec<_> = same.causes.iter().filter(|it| it.severity < Severity::OneHost).collect();
    assert!(worst.is_empty(), "{worst:?}");
}
