//! The implementations agree wherever a delimiter is: at every offset around the sizes of the blocks that are scanned
//! and copied.

mod forms;
mod scope;

use forms::{Forms, same};
use proptest::prelude::*;
use scope::{scope, stride};
use urlstrata::revision;

/// Returns every string of up to `length` delimiters and letters.
fn short(length: u32) -> Vec<String> {
    let strings = |length| {
        (0..7_usize.pow(length)).map(move |mut number| {
            let mut next = |_| {
                let character = char::from(b"a./;?#:"[number % 7]);
                number /= 7;
                character
            };
            (0..length).map(&mut next).collect()
        })
    };
    (0..=length).flat_map(strings).collect()
}

/// Returns all offsets below 70, and those around 128; every fifth unless the tests are exhaustive.
fn offsets() -> impl Iterator<Item = usize> {
    (0..70).chain(92..100).chain(120..136).step_by(scope(stride(11), 63))
}

fn agrees_on_all(base: &str, references: &[String]) {
    for (revision, rules) in revision::resolving() {
        let mut forms = Forms::of(rules, base);
        references.iter().for_each(|reference| same(revision, &mut forms, reference));
    }
}

const BASES: [&str; 3] = ["http://a/b/c/d;p?q#f", "http://host/directory/sub/file.html", "a:/b/../c"];

#[test]
fn agrees_on_short_strings_at_every_offset_of_a_reference() {
    let short = short(3);
    for offset in offsets() {
        for filler in
            ["x".repeat(offset), format!("{}/", "x".repeat(offset)), format!("http://h/{}", "x".repeat(offset))]
        {
            let embedded = |tail: &str| short.iter().map(|short| format!("{filler}{short}{tail}")).collect::<Vec<_>>();
            for base in BASES {
                agrees_on_all(base, &embedded(""));
                agrees_on_all(base, &embedded("yyyyy"));
            }
        }
    }
}

#[test]
fn agrees_on_short_strings_at_every_offset_after_each_prefix() {
    let short = short(3);
    for offset in offsets() {
        for start in ["//", "../", "/", "#", "?", ";", "s:", "s:/"] {
            let filler = format!("{start}{}", "x".repeat(offset));
            let embedded: Vec<_> = short.iter().map(|short| format!("{filler}{short}yyyyy")).collect();
            agrees_on_all("http://host/directory/sub/file.html", &embedded);
        }
    }
}

#[test]
fn agrees_on_short_strings_at_every_offset_of_a_base() {
    let references = ["g", "../g", "../../../g", "/g", "//g", "?y", ";y", "#s", "http://h/x", "", "./g", "g/../h"];
    let references = references.map(String::from);
    for offset in offsets() {
        for short in short(scope(3, 2)) {
            for start in ["http://h", "http://h/d/", "s:"] {
                let filler = "x".repeat(offset);
                agrees_on_all(&format!("{start}{filler}{short}"), &references);
            }
        }
    }
}

#[test]
fn agrees_on_one_delimiter_at_each_position_of_every_length() {
    const DELIMITERS: [&str; 12] = [".", "/", "//", "..", "/.", "/../", ";", "?", "#", ":", "://", "?#"];
    for length in (0..=200).step_by(scope(stride(7), 67)) {
        let mut references = vec![];
        for at in 0..=length {
            let text = "x".repeat(length);
            let (before, after) = text.split_at(at);
            references.extend(DELIMITERS.map(|delimiter| format!("{before}{delimiter}{after}")));
        }
        agrees_on_all("http://a/b/c/d", &references);
    }
}

#[test]
fn agrees_on_two_delimiters_at_each_pair_of_positions_of_a_base() {
    let references = ["g", "../g", "#s", "?y", ";x", ""].map(String::from);
    let base = format!("http://h/{}", "x".repeat(91));
    for first in (9..base.len()).step_by(scope(stride(11), 7)) {
        for second in (first + 1..base.len()).step_by(scope(1, 35)) {
            for delimiters in ["??", "##", ";;", "?#", ";?", "#?"] {
                let mut base = base.clone();
                base.replace_range(first..=first, &delimiters[..1]);
                base.replace_range(second..=second, &delimiters[1..]);
                agrees_on_all(&base, &references);
            }
        }
    }
}

/// The engine combines bit masks of several properties. Two properties at the same bit must not cancel each other.
#[test]
fn agrees_on_properties_at_the_same_bit() {
    let references =
        ["../?#/.", "../../;?xxx/..", "xxxxxxx?#", "xxxxxxx;?", "xxxxxx/./?", "xxxxxx/.?", "xxxxxx//#", "//xxxxx?#"];
    let colons = format!("{}:{}:x", "x".repeat(5), "x".repeat(63));
    for base in BASES {
        agrees_on_all(base, &references.map(String::from));
        agrees_on_all(base, std::slice::from_ref(&colons));
    }
}

#[test]
fn agrees_on_references_that_restore_a_base_of_every_length() {
    for length in (0..140).step_by(scope(1, 29)) {
        let last = "x".repeat(length);
        for base in ["http://h/d/", "s://h/d/", "https://h/d/e/../"] {
            let base = format!("{base}{last}");
            let ways = ["", "../d/", "../../d/", "/d/", "//h/d/", "./", "http://h/d/", "s://h/d/"];
            let ends = ["", "#", "#s"].into_iter();
            let references = ends.flat_map(|end| ways.map(|way| format!("{way}{last}{end}"))).collect::<Vec<_>>();
            agrees_on_all(&base, &references);
        }
    }
}

#[test]
fn agrees_on_dotdot_runs_of_every_length_and_paths_of_every_depth() {
    let rests = ["", "g", ".", "..", "./g", "/g", "?y", "#s", "g/../h", "g#", "...", ".g", "..g"];
    let references: Vec<_> =
        (0..scope(45, 14)).flat_map(|run| rests.map(|rest| format!("{}{rest}", "../".repeat(run)))).collect();
    for depth in (0..scope(45, 13)).step_by(scope(stride(9), 4)) {
        for base in ["http://h/", "http://h", "s:/", "s:", "s://h//"] {
            agrees_on_all(&format!("{base}{}f", "d/".repeat(depth)), &references);
            agrees_on_all(&format!("{base}{}/f?q/r", "d//".repeat(depth)), &references);
        }
    }
}

/// Strings of characters of one to four bytes with a few delimiters.
fn sparse() -> impl Strategy<Value = String> {
    let letters =
        (prop::sample::select(vec!["x", "é", "漢", "😀", "%41"]), 0..70_usize).prop_map(|(letter, n)| letter.repeat(n));
    let delimiter = prop::sample::select(vec![
        "", ".", "..", "/", "//", "../", "/./", "/../", ";", "?", "#", ":", "http:", "https://", "HTTP://",
    ]);
    prop::collection::vec((letters, delimiter), 0..6)
        .prop_map(|parts| parts.into_iter().map(|(letters, delimiter)| letters + delimiter).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: scope(20_000 / stride(4) as u32, 400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_on_sparse_delimiters(
        base in sparse(),
        reference in sparse(),
        start in prop::sample::select(vec!["http://h/", "https://h/", "s:", ""]),
        climb in 0..6_usize,
    ) {
        let base = format!("{start}{base}");
        agrees_on_all(&base, &[format!("{}{reference}", "../".repeat(climb)), reference]);
    }
}
