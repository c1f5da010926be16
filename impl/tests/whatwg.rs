//! The URL Standard: every step runs, and every change changes what it is listed for.

mod scope;

use std::collections::BTreeSet;

use scope::scope;
use urlstrata::revision;
use urlstrata::revision::whatwg::{self, CHANGES, Change, ChangeSet};

/// The URL or the failure of a pair.
fn outcome(landed: ChangeSet, base: &str, reference: &str) -> Option<String> {
    whatwg::resolve(landed, base, reference).ok().map(|target| target.url)
}

#[test]
fn whatwg_is_the_newest_revision() {
    let newest = revision::by_id("whatwg").expect("a revision");
    assert!(std::ptr::eq(newest, whatwg::NEWEST));
    assert_eq!(whatwg::changes_of(newest), Some(ChangeSet::ALL));
    assert_eq!(whatwg::changes_of(&revision::rfc3986::REVISION), None);
}

#[test]
fn the_list_of_all_revisions_ends_with_the_dated_states() {
    let states: Vec<_> = whatwg::REVISIONS.iter().map(|(revision, _)| revision.id).collect();
    let all: Vec<_> = revision::ALL.iter().map(|revision| revision.id).collect();
    assert!(all.ends_with(&states), "{all:?}");
}

#[test]
fn a_revision_has_the_changes_up_to_its_date() {
    let mut older = ChangeSet::default();
    for &(revision, landed) in whatwg::REVISIONS {
        assert_eq!(older.difference(landed).count(), 0, "{revision:?}");
        let month = revision.id.trim_start_matches("whatwg-");
        for change in landed.difference(ChangeSet::default()) {
            assert!(&change.date[..7] <= month, "{revision:?}: {change}");
        }
        for change in ChangeSet::ALL.difference(landed) {
            assert!(&change.date[..7] >= month, "{revision:?}: {change}");
        }
        older = landed;
    }
}

/// The first text here is that of 2014-12: the changes before it are part of every revision. Three changes say what
/// the text before them is taken to mean (the remarks `whatwg-empty-number`, `-address` and `whatwg-number-sign`).
#[test]
fn every_change_since_2014_changes_the_result_of_its_witness() {
    let first = whatwg::REVISIONS[0].1;
    let mut changed = 0;
    for (index, change) in CHANGES.iter().enumerate().filter(|(_, change)| !first.contains(change)) {
        let (base, reference) = change.witness.expect("a witness");
        let [before, after] = [index, index + 1].map(|count| outcome(ChangeSet::until(count), base, reference));
        assert_eq!(
            before == after,
            ["8848692", "cb146b9", "b11d73b"].contains(&change.commit),
            "{change}: {before:?} and {after:?}"
        );
        changed += 1;
    }
    assert!(changed > 0);
}

#[test]
fn undoing_a_change_gives_the_result_before_it() {
    let without = |commit, base, reference| {
        let change = Change::by_commit(commit).expect("a change");
        outcome(ChangeSet::ALL.without(change), base, reference)
    };
    assert_eq!(without("9bc33c3", "", "http://h/^").as_deref(), Some("http://h/^"));
    assert_eq!(without("6c78200", "", "foo:a ?b").as_deref(), Some("foo:a ?b"));
    assert_eq!(without("a8d5ca3", "", "http://xn--a/"), None);
    assert_eq!(without("ab0e820", "", "http://foo.0/").as_deref(), Some("http://foo.0/"));
}

/// A change without one that it builds on has no effect. The seeds are arbitrary; sets of more or fewer changes are as good.
#[test]
fn every_set_of_changes_has_a_result() {
    for seed in 1..scope(4000, 400_u64) {
        // A linear congruential generator: the high bits of two numbers choose the changes.
        let next = |from: u64| from.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (one, other) = (next(next(seed)), next(next(next(seed))));
        let chosen = CHANGES.iter().enumerate().filter(|(index, _)| {
            let bits = if *index < 42 { one } else { other };
            bits >> (20 + index % 42) & 1 == 1
        });
        let landed = chosen.fold(whatwg::REVISIONS[0].1, |landed, (_, change)| landed.with(change));
        for reference in
            ["http:google.com", "ldap://127.0.0.1#x", "http://[::1]/", "file:c|/../x", "http://1.2.3.4.5:/%2e"]
        {
            outcome(landed, "file:///a", reference);
        }
    }
    let results = |commit| {
        let change = Change::by_commit(commit).expect("a change");
        ["http:google.com", "foo://h%41/"].map(|reference| outcome(ChangeSet::ALL.without(change), "", reference))
    };
    assert_eq!(results("9043740"), [Some("http://google.com/".to_owned()), Some("foo://h%41/".to_owned())]);
    assert_eq!(results("3036255"), [Some("http://google.com/".to_owned()), Some("foo://ha/".to_owned())]);
}

/// Bases with and without a path, special and not, opaque, and none.
const BASES: &[&str] = &[
    "",
    "http://u:p@h:8080/a/b?q",
    "file:///C:/a/b?q",
    "file://h/a",
    "foo://h/a/b",
    "foo:/a",
    "mailto:x y",
    "no scheme",
];

/// The beginnings of references: each state after the scheme.
const STARTS: &[&str] = &[
    "",
    "http:",
    "http:/",
    "http://",
    "ws://h",
    "file:",
    "file:/",
    "file://",
    "file://h",
    "foo:",
    "foo:/",
    "foo://",
    "foo://h",
    "gopher://h",
    "/",
    "//",
    "///",
    "\\\\",
    "\u{1}HTTP://h",
    "ht\ttp://h",
];

/// What follows: delimiters, hosts of every kind, ports, drive letters, and characters that some set encodes.
const ENDS: &[&str] = &[
    "",
    "x",
    "/x/../y",
    "/..",
    "/.",
    "/./x",
    "/%2E%2e",
    "/x%2ey",
    "\\x",
    "?a'`é%z",
    "#\0é <\t",
    "C|",
    "C|/x",
    "/C:/x",
    "/C:/..",
    "//x",
    "u:p:@a@h/",
    "u@",
    "@h",
    ":80/",
    "h:080/",
    "h:65536/",
    "h:8x/",
    "h:\t1/",
    "h\t/",
    "[::1]/",
    "[1:2:3:4:5:6:7:8]/",
    "[0:0:1::]/",
    "[1:0:0:2::]/",
    "[::1.2.3.4]/",
    "[::1.2.3.4.]/",
    "[::1.2.3]/",
    "[::1.256.1.1]/",
    "[::1.02.1.1]/",
    "[::.1]/",
    "[::1.a]/",
    "[1:2:3:4:5:6:7:1.2.3.4]/",
    "[:1]/",
    "[1:]/",
    "[1::2::3]/",
    "[00001::]/",
    "[1:2:3:4:5:6:7:8:9]/",
    "[1:2]/",
    "[x]/",
    "[1",
    "[::127.0.0.1x]/",
    "1.2.3.4/",
    "0x7f.1/",
    "010.1./",
    "1.2.3.4.5/",
    "1.256.1.1/",
    "1.2.3.65536/",
    "0x/",
    "09/",
    "1..2/",
    "foo.0x/",
    "foo.0/",
    "256/",
    "4294967296/",
    "./",
    "LOCALHOST/x",
    "é/",
    "xn--a/",
    "%C2%AD/",
    "%00/",
    "a<b/",
    "a%zb/",
    "a b",
    "a ?b",
    "a\tb",
    "\u{FFFF}/",
    "a b #\u{FFFF}%",
];

#[test]
fn every_step_runs_and_calls_only_steps_of_the_same_revision() {
    for &(revision, _) in &whatwg::REVISIONS[scope(0, 7)..] {
        let steps: BTreeSet<_> = revision.resolve_steps().iter().map(|step| (step.label, step.text)).collect();
        let mut ran = BTreeSet::new();
        for (index, base) in BASES.iter().enumerate() {
            // A reference with a scheme depends on the base only if both have the same special scheme.
            for start in STARTS.iter().filter(|start| index < 3 || !start.contains(':')) {
                for end in ENDS {
                    let (_, trace) = revision.resolve_traced(base, &format!("{start}{end}"));
                    ran.extend(trace.entries().iter().map(|entry| (entry.label, entry.text)));
                }
            }
        }
        let unknown: Vec<_> = ran.difference(&steps).collect();
        assert!(unknown.is_empty(), "{revision:?}: {unknown:?}");
        let idle: Vec<_> = steps.difference(&ran).map(|(label, _)| label).collect();
        assert!(idle.is_empty(), "{revision:?}: no trace contains the steps {idle:?}");
    }
}

/// The components of a URL without a host are absent, as the Standard's null is.
#[test]
fn components_have_the_names_of_the_standard() {
    let parts = whatwg::NEWEST.parse("http://u@EXAMPLE.com:80/a?b").expect("components");
    let parts: Vec<_> = parts.iter().collect();
    let expected = [
        ("scheme", Some("http")),
        ("username", Some("u")),
        ("password", Some("")),
        ("host", Some("example.com")),
        ("port", None),
        ("path", Some("/a")),
        ("query", Some("b")),
        ("fragment", None),
    ];
    assert_eq!(parts, expected);
}

#[test]
fn a_failure_names_the_step() {
    let failed = |base, reference| {
        let rejection = whatwg::NEWEST.resolve(base, reference).expect_err("a failure");
        (rejection.section().to_owned(), rejection.reason().to_owned())
    };
    let of = |section: &str, reason: &str| (section.to_owned(), reason.to_owned());
    assert_eq!(failed("", "x"), of("4.4 no scheme 1", "the reference is relative, and the base is missing"));
    assert_eq!(failed("", "http://h:65536/"), of("4.4 port 2.1.2", "a port over 65535"));
    assert_eq!(failed("", "http://a b/"), of("3.3 domain 8", "a forbidden character in a domain"));
    assert_eq!(failed("http://", "x").0, "4.4 host 3.1");
}

/// The step of each text that forbids code points in a domain.
#[test]
fn a_failure_names_the_step_of_the_dated_text() {
    let steps = [
        ("3.3 host parser 6", "4.2 port 4"),
        ("3.3 host parser 5", "4.2 port 3"),
        ("3.5 host parser 7", "4.4 port 3"),
        ("3.5 host parser 8", "4.4 port 3"),
        ("3.5 host parser 7", "4.4 port 3"),
        ("3.5 host parser 7", "4.4 port 3"),
        ("3.3 domain to ASCII 3.2", "4.4 port 3"),
        ("3.3 domain 8", "4.4 port 3"),
    ];
    for ((revision, _), (host, port)) in whatwg::REVISIONS.iter().zip(steps) {
        let section = |reference| revision.resolve("", reference).expect_err("a failure").section().to_owned();
        assert_eq!([section("http://a b/"), section("http://a:x/")], [host, port], "{}", revision.id);
    }
}

/// With time that grows with the square of the length, this test would take minutes.
#[test]
fn long_texts_take_linear_time() {
    for (start, piece) in [
        ("http://", "@"),
        ("http://", ":@"),
        ("http://h", "/.."),
        ("http://h/", "a/"),
        ("file:", "/C:"),
        ("foo:", " "),
        ("http://", "a."),
        ("http://1", ".1"),
        ("http://h/?", "é"),
        ("", "a"),
        ("a", " "),
        ("http://[", ":"),
        ("http://0x", "f"),
        ("http://", "xn--a."),
        ("http://", "é"),
        ("http://h:", "0"),
        ("foo://h/", "%2e%2e/"),
    ] {
        let text = [start, &piece.repeat(scope(1 << 17, 1 << 8))].concat();
        let _ = whatwg::NEWEST.resolve(&text, &text);
        let _ = whatwg::WHATWG_2014_12.resolve(&text, &text);
    }
}
