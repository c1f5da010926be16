//! Behaviours in words.

use urlstrata::revision::{rfc1808, rfc3986, whatwg};
use urlstrata_model::behaviour::{
    Behaviour, ClassDescription, Component, DecidedBy, Description, Escape, Fitting, Form, Literal, Predictions, ROW,
    Table,
};

/// Describes every setting that differs from RFC 3986.
fn described(behaviour: &Behaviour) -> Description {
    let rows = (0..behaviour.classes.len()).flat_map(|class| Form::ALL.map(|form| (class, form)));
    let settings = rows.flat_map(|(class, form)| (0..ROW.len()).map(move |number| (class, form, number)));
    let decided = settings.map(|setting| (setting, DecidedBy::default())).collect();
    behaviour.description(&decided, &rfc3986::RULES)
}

#[test]
fn the_tables_of_the_url_standard_are_described_by_its_sets() {
    let landed = whatwg::changes_of(whatwg::NEWEST).expect("a state");
    let description = described(&Behaviour::url_standard(landed));
    let class = |scheme: &str| {
        let found = description.classes.iter().find(|class| class.schemes.contains(&scheme.to_owned()));
        found.expect("a class")
    };
    let (special, other) = (class("http"), class("any other scheme"));
    assert_eq!(special.characters_like.as_ref(), Some(&other.schemes));
    let of = |component: &str| {
        let mut lines = special.tables.iter().chain(&other.tables);
        lines.find(|(components, _)| components.contains(&component)).expect("a table").1.clone()
    };
    assert_eq!(of("query"), ["percent-encodes the characters of the URL Standard's special-query percent-encode set"]);
    assert_eq!(of("user name"), ["percent-encodes the characters of the URL Standard's userinfo percent-encode set"]);
    assert_eq!(
        of("opaque path"),
        ["percent-encodes the characters of the URL Standard's C0 control percent-encode set"]
    );
}

#[test]
fn rfc_3986_does_not_differ_from_itself() {
    let description = described(&Behaviour::of_rules(&rfc3986::RULES));
    assert!(description.general.is_empty());
    let named = |class: &ClassDescription| class.schemes == ["any scheme"];
    let class = description.classes.iter().find(|class| named(class)).expect("the class of all schemes");
    assert!(class.tables.is_empty() && class.settings.is_empty() && class.forms.is_empty(), "{class:?}");
}

#[test]
fn values_that_no_pair_tells_apart_are_undetermined() {
    let behaviour = Behaviour::of_rules(&rfc1808::RULES);
    let others = |pairs: &[(&'static str, &'static str)]| {
        let predictions = Predictions::of(&behaviour, pairs.to_vec());
        let names = Fitting::of(&predictions).names("excess=Kept", "http://a/b", "..");
        let undetermined = predictions.undetermined("http").remove("excess").unwrap_or_default();
        assert!(names.iter().all(|name| undetermined.contains(name)), "{names:?} {undetermined:?}");
        names
    };
    // `KeptAtEnd` keeps dot segments at the end only.
    assert_eq!(others(&[("http://a/b", "..")]), ["KeptAtEnd"]);
    assert!(others(&[("http://a/b", ".."), ("http://a/b", "../g")]).is_empty());
}

#[test]
fn what_is_not_visible_is_left_out() {
    let mut table = Table::default();
    for c in *b"\t/" {
        table.actions_mut().literal[usize::from(c)] = Literal::Dropped;
    }
    table.actions_mut().escape[0x20] = Escape::Upper;
    let mut behaviour = Behaviour::of_rules(&rfc3986::RULES);
    let other = behaviour.other;
    let class = &mut behaviour.classes[other];
    for tables in [&mut class.reference, &mut class.base] {
        tables.0[Component::Path as usize] = table.clone();
    }
    let tables = |behaviour: &Behaviour| described(behaviour).classes[other].tables.clone();
    assert_eq!(tables(&behaviour), [(vec!["path"], vec!["drops U+0009".to_owned()])]);
    for cleaning in [&mut behaviour.reference, &mut behaviour.base] {
        cleaning.everywhere = vec!['\t'];
    }
    assert_eq!(tables(&behaviour), []);
}
