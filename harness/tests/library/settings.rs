//! Values of settings: what each of them changes about a pair.

mod shown;

use shown::SHOWN;
use urlstrata::revision::rfc3986;
use urlstrata_harness::behaviour::{Behaviour, Component, Consulted, Escape, Form, Literal, Percent, ROW, Row, SYNTAX};
use urlstrata_harness::pairs::generate::RandomPairs;

/// Returns the behaviour of RFC 3986 with other values for `settings` in every row.
fn with(settings: &str) -> Behaviour {
    let mut behaviour = Behaviour::of_rules(&rfc3986::RULES);
    for setting in settings.split(' ') {
        let (name, value) = setting.split_once('=').expect("a name and a value");
        if let Some(setting) = SYNTAX.iter().find(|setting| setting.name == name) {
            setting.assign(&mut behaviour.syntax, setting.value_named(value).expect("a value"));
            continue;
        }
        let setting = ROW.iter().find(|setting| setting.name == name).expect("a setting");
        let value = setting.value_named(value).expect("a value");
        behaviour.classes.iter_mut().flat_map(|class| &mut class.rows).for_each(|row| setting.assign(row, value));
    }
    behaviour
}

#[test]
fn values_change_what_their_sentences_say() {
    let plain = Behaviour::of_rules(&rfc3986::RULES);
    let differs = |[settings, base, reference, changed, otherwise]: &[&str; 5]| {
        let predict = |behaviour: &Behaviour| behaviour.predict(base, reference).unwrap_or_default();
        let found = [predict(&with(settings)), predict(&plain)];
        (found != [*changed, *otherwise]).then(|| format!("{settings}: {reference:?} on {base:?}: {found:?}"))
    };
    let differing: Vec<String> = SHOWN.iter().filter_map(differs).collect();
    assert!(differing.is_empty(), "{differing:#?}");
}

#[test]
fn the_table_of_absolute_references_may_apply_after_an_authority() {
    let predicted = |settings: &str| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            let table = &mut class.reference.0[Component::Path as usize];
            table.actions_mut().literal[usize::from(b'\\')] = Literal::Written('/');
        }
        ["//k/\\", "/g\\"].map(|reference| behaviour.predict("http://a/b", reference).unwrap_or_default())
    };
    assert_eq!(predicted("network_path=LikeOthers"), ["http://k//", "http://a/g/"]);
    assert_eq!(predicted("network_path=LikeAbsolute"), ["http://k/\\", "http://a/g/"]);
}

#[test]
fn tables_of_a_base_may_apply_to_the_merged_part_only() {
    let predicted = |settings: &str, literal: Literal| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            for component in [Component::Path, Component::AbsolutePath] {
                class.base.0[component as usize].actions_mut().literal[usize::from(b'|')] = literal;
            }
        }
        [("http://a/|/b", "g"), ("http://a/b|", "g"), ("http://a/b|", "/g")]
            .map(|(base, reference)| behaviour.predict(base, reference).unwrap_or_default())
    };
    let urls = ["http://a/%7C/g", "http://a/g", "http://a/g"];
    assert_eq!(predicted("base_path_tables=Whole", Literal::Encoded), urls);
    assert_eq!(predicted("base_path_tables=Merged", Literal::Encoded), urls);
    assert_eq!(predicted("base_path_tables=Whole", Literal::Rejected), ["", "", ""]);
    assert_eq!(predicted("base_path_tables=Merged", Literal::Rejected), ["", "http://a/g", "http://a/g"]);
}

#[test]
fn cleaning_applies_to_unchanged_texts_and_may_spare_fragments() {
    let cleaning = |settings: &str, reference: &str| {
        let mut behaviour = with(settings);
        (behaviour.reference.start, behaviour.reference.end) = (vec![' ', '\t'], vec![' ']);
        behaviour.reference.everywhere = vec!['\t'];
        behaviour.predict("http://a/b", reference).unwrap_or_default()
    };
    assert_eq!(cleaning("dots_in_absolute=Kept", " \tx:y\tz "), "x:yz");
    assert_eq!(cleaning("fragment_cleaned=Yes", "#s\tt "), "http://a/b#st");
    assert_eq!(cleaning("fragment_cleaned=NotIfAlone", "#s\tt "), "http://a/b#s\tt ");
    assert_eq!(cleaning("fragment_cleaned=NotIfAlone", "g#s\tt "), "http://a/g#st");
}

#[test]
fn queries_after_a_path_may_have_the_table_of_absolute_references() {
    let encoding = |settings: &str| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            class.reference.0[Component::Query as usize].actions_mut().literal[usize::from(b'|')] = Literal::Encoded;
        }
        ["?|", "g?|"].map(|reference| behaviour.predict("http://a/b", reference)).map(Option::unwrap_or_default)
    };
    assert_eq!(encoding("query_table=OfQueries"), ["http://a/b?%7C", "http://a/g?%7C"]);
    assert_eq!(encoding("query_table=OfAbsoluteAfterPath"), ["http://a/b?%7C", "http://a/g?|"]);
}

#[test]
fn a_host_ends_before_a_percent_sign_that_the_table_rejects_but_not_before_an_escape() {
    let mut behaviour = with("host_parser=CutAtInvalid");
    for class in &mut behaviour.classes {
        class.reference.0[Component::Host as usize].percent = Percent::Rejected;
    }
    assert_eq!(behaviour.predict("http://a/b", "//k%41%/x").as_deref(), Some("http://k%41/%/x"));
    for class in &mut behaviour.classes {
        class.reference.0[Component::Host as usize].actions_mut().escape[usize::from(b'A')] = Escape::Rejected;
    }
    assert_eq!(behaviour.predict("http://a/b", "//k%41%/x").as_deref(), Some("http://k/%41%/x"));
}

#[test]
fn a_plus_sign_may_be_written_as_a_space() {
    let mut behaviour = Behaviour::of_rules(&rfc3986::RULES);
    for class in &mut behaviour.classes {
        class.reference.0[Component::Query as usize].actions_mut().literal[usize::from(b'+')] = Literal::EncodedSpace;
    }
    assert_eq!(behaviour.predict("http://a/b", "?x+y").as_deref(), Some("http://a/b?x%20y"));
}

#[test]
fn the_table_of_hosts_may_reject_what_idna_returns() {
    let rejecting = |settings: &str| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            class.reference.0[Component::Host as usize].actions_mut().literal[usize::from(b'^')] = Literal::Rejected;
        }
        ["//\u{e9}^", "//\u{e9}"].map(|reference| behaviour.predict("http://a/b", reference).is_some())
    };
    assert_eq!(rejecting("unicode_host=Idna idna_result=Accepted"), [true, true]);
    assert_eq!(rejecting("unicode_host=Idna idna_result=ByTable"), [false, true]);
}

#[test]
fn a_path_without_an_authority_may_be_treated_like_an_opaque_one() {
    let rejecting = |settings: &str| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            class.reference.0[Component::Opaque as usize].actions_mut().literal[usize::from(b'~')] = Literal::Rejected;
        }
        ["/~", "//k/~"].map(|reference| behaviour.predict("x:/b", reference).is_some())
    };
    assert_eq!(rejecting("bare_path=LikeOthers"), [true, true]);
    assert_eq!(rejecting("bare_path=LikeOpaque"), [false, true]);
}

/// The number of random behaviours, and of the pairs that each of them predicts.
const BEHAVIOURS: usize = 40;
const PAIRS: usize = 40;

fn randomize(row: &mut Row, random: &mut fastrand::Rng) {
    // Most predictions end early if every setting is random.
    for setting in ROW {
        if random.u8(..4) == 0 {
            setting.assign(row, random.usize(..setting.values.len()));
        }
    }
}

/// Asserts that a change of a setting that `behaviour` did not consult for a pair does not change the prediction. The settings of
/// the row of `class` and `form` are watched.
fn assert_only_consulted_settings_act(
    behaviour: &mut Behaviour,
    (class, form): (usize, Form),
    pair: &(String, String),
) {
    let (base, reference) = pair;
    behaviour.classes[class].rows[form as usize].watched.0 = true;
    let (predicted, consulted) = Consulted::during(|| behaviour.predict(base, reference));
    let row = behaviour.classes[class].rows[form as usize];
    for setting in (0..ROW.len()).filter(|at| !consulted.contains(*at)).map(|at| &ROW[at]) {
        for value in 0..setting.values.len() {
            let changed = &mut behaviour.classes[class].rows[form as usize];
            *changed = row;
            setting.assign(changed, value);
            let (name, value) = (setting.name, setting.values[value].name);
            assert_eq!(behaviour.predict(base, reference), predicted, "{name}={value} on {reference:?} to {base:?}");
        }
    }
    behaviour.classes[class].rows[form as usize] = row;
    behaviour.classes[class].rows[form as usize].watched.0 = false;
}

#[test]
fn settings_that_are_not_consulted_do_not_act() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut pairs = RandomPairs::new(7);
    for _ in 0..BEHAVIOURS {
        let mut behaviour = Behaviour::of_rules(&rfc3986::RULES);
        behaviour.classes.iter_mut().flat_map(|class| &mut class.rows).for_each(|row| randomize(row, &mut random));
        for pair in (0..PAIRS).map(|_| pairs.pair()) {
            let rows = [behaviour.row_of(&pair.0, &pair.1), behaviour.base_row_of(&pair.0)];
            for row in rows {
                assert_only_consulted_settings_act(&mut behaviour, row, &pair);
            }
        }
    }
}
