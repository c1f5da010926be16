//! Values of settings: what each of them changes about a pair.
//!
//! The list contains values that only engines have. Those of specifications are tested by the behaviours of these.

use urlstrata::revision::rfc3986;
use urlstrata_harness::behaviour::{Behaviour, ROW, SYNTAX};

/// The settings, separated by spaces; base, reference, and the results with these settings and with those of RFC 3986.
/// Failures are empty.
const SHOWN: &[[&str; 5]] = &[
    ["relative=Resolved authority_alone=AfterHttp", "a", "//k", "http://k", ""],
    ["bad_scheme=RejectedInReference", "http://a/b", "g?x:y", "", "http://a/g?x:y"],
    ["bad_scheme=RejectedInReference", "http://a/b", "?x:y", "http://a/b?x:y", "http://a/b?x:y"],
    ["bare_host=PathDropped", "http://a", "g?y", "http://a?y", "http://a/g?y"],
    ["brackets=ClosedIfFirst", "http://a/b", "//[k", "", "http://[k"],
    ["brackets=ClosedIfFirst", "http://a/b", "//k[", "http://k[", "http://k["],
    ["brackets=Ipv6IfPaired", "http://a/b", "//[k]", "", "http://[k]"],
    ["brackets=Ipv6IfPaired", "http://a/b", "//[k", "http://[k", "http://[k"],
    ["empty_authority=MissingUnlessSlashes", "http://a/b", "///g", "http://a/g", "http:///g"],
    ["empty_authority=MissingUnlessSlashes", "http://a/b", "////g", "", "http:////g"],
    ["empty_path=SlashAfterHost", "http://a/b", "//k", "http://k/", "http://k"],
    ["empty_path=SlashAfterHost", "http://a/b", "//", "http://", "http://"],
    ["excess=KeptAtEnd", "http://a/b", "..", "http://a/..", "http://a/"],
    ["excess=KeptAtEnd", "http://a/b", "../g", "http://a/g", "http://a/g"],
    ["host_colon=Rejected", "http://a/b", "//x:y:8", "", "http://x:y:8"],
    ["inherited_dots=RemovedUnlessEmpty", "http://a/./b", "#s", "http://a/b#s", "http://a/./b#s"],
    ["inherited_dots=RemovedUnlessEmpty", "http://a/./b", "", "http://a/./b", "http://a/./b"],
    ["ipv6=Full", "http://a/b", "//[::1]", "http://[0000:0000:0000:0000:0000:0000:0000:0001]", "http://[::1]"],
    ["leading_colon=DroppedOnce", "http://a/b", ":g", "http://a/g", "http://a/:g"],
    ["leading_colon=DroppedOnce", "http://a/b", "::g", "", "http://a/::g"],
    ["leading_colon=Encoded", "http://a/b", ":g", "http://a/%3Ag", "http://a/:g"],
    ["port=DigitsThenEnd", "http://a/b", "//k:8x/g#s", "http://k:8", "http://k:8x/g#s"],
    ["port=DigitsThenEnd", "http://a/b", "//k:8/g#s", "http://k:8/g#s", "http://k:8/g#s"],
    ["port=DigitsOrEnd", "http://a/b", "//k:8x/g#s", "http://k", "http://k:8x/g#s"],
    ["port=DigitsOrHost", "http://a/b", "//k:8x", "http://k:8x", "http://k:8x"],
    ["port_limit=Wraps32", "http://a/b", "//k:4294967376", "http://k:80", "http://k:4294967376"],
    ["query_only=ResolvedWithPath", "http://a//k/b", "?y", "http://k/b?y", "http://a//k/b?y"],
    ["relative=SchemeSlashesAndReference", "http://a/b", "//k", "http:////k", "http://k"],
    ["relative=SchemeSlashesAndReference", "http://a/b", "/k", "http:/k", "http://a/k"],
    ["relative=Written", "http://[k", "g", "g", "http://[k/g"],
    ["relative=Written base_checked=Always brackets=Closed", "http://[k", "g", "", "http://[k/g"],
    ["scheme_classes=Exact", "", "HTTP://h", "HTTP://h", "HTTP://h"],
    ["slashless_base=Appended", "x:a", "g", "x:ag", "x:g"],
    ["trailing_dot=ReplacesDelimiter", "http://a/b", "../g/.?y?z#s", "http://a/g/y?z#s", "http://a/g/?y?z#s"],
    ["trailing_dot=ReplacesDelimiter", "http://a/b", "//.?y", "http://.?y", "http://.?y"],
    ["trailing_dot=StaysAlone", "http://a/b", ".", "http://a/.", "http://a/"],
    ["trailing_dot=StaysAlone", "http://a/b", "g/.", "http://a/g/", "http://a/g/"],
    ["unicode_host=PunycodeDots", "http://a/b", "//é。k", "http://xn--9ca.k", "http://é。k"],
];

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
