//! The components of the optimized engine equal those of each revision's steps, and make up the whole text.

mod common;
mod scope;

use common::BASES;
use proptest::prelude::*;
use scope::{scope, stride};
use urlstrata::fast::{Component, components};
use urlstrata::revision;
use urlstrata::rules::Rules;

fn rejoined(rules: &Rules, text: &str) -> String {
    let with_delimiter = |(component, text): (Component, &str)| match component {
        Component::Scheme => format!("{text}:"),
        Component::Authority => format!("//{text}"),
        Component::Path => text.to_owned(),
        Component::Params => format!(";{text}"),
        Component::Query => format!("?{text}"),
        Component::Fragment => format!("#{text}"),
    };
    components(rules, text).map(with_delimiter).collect()
}

/// Returns the components under the names of the revision `id`, which treats some empty ones as absent.
fn named(id: &str, rules: &Rules, text: &str) -> Vec<(&'static str, Option<String>)> {
    let parts = components(rules, text);
    let own = |part: Option<&str>| part.map(str::to_owned);
    let filled = |part: Option<&str>| own(part.filter(|text| !text.is_empty()));
    let path = own(Some(parts.path()));
    match id {
        "rfc1630" => vec![
            ("scheme", own(parts.scheme())),
            ("path", path),
            ("search", own(parts.query())),
            ("fragmentid", filled(parts.fragment())),
        ],
        "appendix-b-1994" => vec![
            ("scheme", own(parts.scheme())),
            ("initial-part", parts.authority().map(|host| format!("//{host}"))),
            ("url-path", filled(Some(parts.path()))),
        ],
        "rfc1808" | "draft-1996" => vec![
            ("scheme", filled(parts.scheme())),
            (if id == "rfc1808" { "net_loc" } else { "server" }, filled(parts.authority())),
            ("slash", parts.path().starts_with('/').then(|| "/".to_owned())),
            ("path", own(Some(parts.path().strip_prefix('/').unwrap_or(parts.path())))),
            ("params", filled(parts.params())),
            ("query", filled(parts.query())),
            ("fragment", filled(parts.fragment())),
        ],
        _ => vec![
            ("scheme", own(parts.scheme())),
            ("authority", own(parts.authority())),
            ("path", path),
            ("query", own(parts.query())),
            ("fragment", own(parts.fragment())),
        ],
    }
}

#[track_caller]
fn agrees(text: &str) {
    for (revision, rules) in revision::resolving() {
        assert_eq!(rejoined(rules, text), text, "{}", revision.id);
        let of_bytes: Vec<_> = components(rules, text.as_bytes()).collect();
        assert!(components(rules, text).map(|(component, text)| (component, text.as_bytes())).eq(of_bytes));
        let Ok(by_steps) = revision.parse(text) else { continue };
        for (name, part) in named(revision.id, rules, text) {
            let returned = by_steps.component(name).map(|returned| returned.map(str::to_owned));
            assert_eq!(returned, Some(part), "{} {name} of {text:?}", revision.id);
        }
    }
}

#[test]
fn port_follows_the_last_colon_outside_brackets() {
    for (url, host, port) in [
        ("http://h:80/", "h", Some("80")),
        ("http://h:8:0/", "h:8", Some("0")),
        ("http://[::1]/", "[::1]", None),
        ("http://[::1]:80/", "[::1]", Some("80")),
        ("http://[::]/", "[::]", None),
        ("http://:80/", "", Some("80")),
        ("http://[::1]x:80/", "[::1]x", Some("80")),
        ("http://u@[::1]:/", "[::1]", Some("")),
    ] {
        let parts = revision::by_id("rfc3986").expect("a revision").parse(url).expect("parts");
        assert_eq!((parts.component("host"), parts.component("port")), (Some(Some(host)), Some(port)), "{url}");
    }
}

#[test]
fn agrees_on_bases_and_short_strings() {
    BASES.iter().for_each(|base| agrees(base));
    for length in 0..=scope(6, 3) {
        for mut number in 0..7_usize.pow(length) {
            let mut text = String::new();
            for _ in 0..length {
                text.push(char::from(b"a./;?#:"[number % 7]));
                number /= 7;
            }
            agrees(&text);
            agrees(&format!("http:{text}"));
            agrees(&format!("s://h{text}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: scope(20_000 / stride(4) as u32, 400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_on_any_string(text in any::<String>()) {
        agrees(&text);
    }

    #[test]
    fn agrees_on_url_like_strings(text in "(http:|HTTPS:|s:)?(//)?([a-zé]{0,9}[/?#;:@.%]{0,2}){0,9}") {
        agrees(&text);
    }
}
