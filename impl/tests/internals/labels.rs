//! The labels of steps in the texts of the dated revisions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use urlstrata::revision::Revision;
use urlstrata::revision::whatwg::{self, place_in};

#[path = "../../src/revision/whatwg/labels/table.rs"]
mod table;

use table::MOVED;

/// The texts of the dated revisions, in their order, in a folder that is not part of this project.
const TEXTS: [&str; 8] = [
    "snapshots/2014-12-15-05cbe06.txt",
    "snapshots/2016-03-30-e322a8a.txt",
    "snapshots/2018-06-08-6ef17eb.txt",
    "snapshots/2020-08-24-83adf0c.txt",
    "snapshots/2021-06-17-0672f2e.txt",
    "snapshots/2022-01-28-35e195a.txt",
    "snapshots/2025-03-13-6c78200.txt",
    "whatwg-url-standard.txt",
];

/// The algorithms that are not states: the name in labels, and how the paragraph before the steps begins.
const ALGORITHMS: &[(&str, &str)] = &[
    ("API", "The API URL parser"),
    ("IPv4 number parser", "The IPv4 number parser"),
    ("IPv4 number", "The IPv4 number parser"),
    ("IPv4 parser", "The IPv4 parser"),
    ("IPv4 serializer", "The IPv4 serializer"),
    ("IPv4", "The IPv4 parser"),
    ("IPv6 compressed piece", "To find the IPv6 address compressed piece index"),
    ("IPv6 parser", "The IPv6 parser"),
    ("IPv6 serializer", "The IPv6 serializer"),
    ("IPv6", "The IPv6 parser"),
    ("URL constructor", "The URL(url, base) constructor"),
    ("URL path serializer", "The URL path serializer"),
    ("URL serializer", "The URL serializer"),
    ("basic", "The basic URL parser"),
    ("domain to ASCII", "The domain to ASCII"),
    ("domain", "The domain parser algorithm"),
    ("ends in a number checker", "The ends in a number checker"),
    ("ends in a number", "The ends in a number checker"),
    ("host parser", "The host parser"),
    ("host serializer", "The host serializer"),
    ("opaque host", "The opaque-host parser"),
    ("opaque-host parser", "The opaque-host parser"),
    ("pop", "To pop a url's path"),
    ("shorten", "To shorten a url's path"),
];

fn year(revision: &Revision) -> u16 {
    revision.id.split('-').nth(1).and_then(|year| year.parse().ok()).expect("an id with a year")
}

fn labels(revision: &Revision) -> BTreeSet<&'static str> {
    revision.resolve_steps().iter().map(|step| step.label).collect()
}

#[test]
fn a_row_has_only_labels_and_years_of_dated_revisions_whose_label_differs() {
    let by_year: BTreeMap<u16, BTreeSet<&str>> =
        whatwg::REVISIONS.iter().map(|(revision, _)| (year(revision), labels(revision))).collect();
    let mut rows = BTreeSet::new();
    for moved in MOVED {
        assert!(rows.insert(moved.label), "two rows are about {:?}", moved.label);
        let mut after = 0;
        for earlier in moved.earlier {
            let about = format!("{:?} from {} to {}", moved.label, earlier.from, earlier.to);
            assert!(after < earlier.from && earlier.from <= earlier.to, "{about}: the years are not in order");
            assert_ne!(earlier.label, moved.label, "{about}");
            after = earlier.to;
            let ends = [earlier.from, earlier.to].map(|year| by_year.get(&year));
            assert!(ends.iter().all(Option::is_some), "{about}: no revision has this year");
            for (year, labels) in by_year.range(earlier.from..=earlier.to) {
                assert!(labels.contains(moved.label), "{about}: the revision of {year} does not have the step");
            }
        }
    }
}

#[test]
fn no_label_in_a_dated_revision_has_the_commit_of_another_text() {
    for (revision, _) in whatwg::REVISIONS {
        for label in labels(revision) {
            let place = place_in(revision, label);
            assert!(!place.label.contains('('), "{}: {label} is {place}", revision.id);
            assert!(!std::ptr::eq(*revision, whatwg::NEWEST) || place.label == label, "{place}");
        }
    }
}

/// Where a text has its algorithms and states: the section, and the labels of the steps.
#[derive(Default)]
struct Text(BTreeMap<String, (String, BTreeSet<String>)>);

impl Text {
    fn read(text: &str) -> Self {
        let (mut found, mut section, mut name) = (Self::default(), String::new(), String::new());
        let lines: Vec<&str> = text.lines().collect();
        for (line, next) in lines.iter().zip(lines.iter().skip(1)) {
            let is_heading = line.starts_with(|c: char| c.is_ascii_digit())
                && next.len() > 2
                && next.bytes().all(|byte| matches!(byte, b'=' | b'-'));
            let start = ALGORITHMS.iter().find(|(_, start)| line.starts_with(start));
            if is_heading {
                section = line.split(' ').next().unwrap_or_default().to_owned();
                name.clear();
            } else if let Some(state) = line.trim_start().strip_prefix("[STATE] ") {
                name = state.to_owned();
                found.0.entry(name.clone()).or_default().0.clone_from(&section);
            } else if let Some((_, start)) = start {
                name = (*start).to_owned();
                found.0.insert(name.clone(), (section.clone(), BTreeSet::new()));
            } else if ["The ", "To "].iter().any(|start| line.starts_with(start)) {
                name.clear();
            } else if let Some(label) = label(line) {
                // What follows the states are the last steps of the parser.
                if name.ends_with(" state") && !line.starts_with(' ') {
                    "The basic URL parser".clone_into(&mut name);
                }
                found.0.entry(name.clone()).or_default().1.insert(label.to_owned());
            }
        }
        found
    }

    /// Returns what is wrong with a place; `None` if the text has it.
    fn fault(&self, section: &str, label: &str) -> Option<String> {
        let (name, number) = match label.rsplit_once(' ') {
            Some((name, number)) if is_label(number) => (name, Some(number)),
            _ => (label, None),
        };
        // Both states have one list of steps.
        let state = if name == "host" { "hostname state".to_owned() } else { format!("{name} state") };
        let start = ALGORITHMS.iter().find(|(own, _)| *own == name).map(|(_, start)| *start);
        let found = [Some(name), Some(&*state), start].into_iter().flatten().find_map(|key| self.0.get(key));
        match found {
            None => Some(format!("no algorithm or state is called {name:?}")),
            Some((own, _)) if own != section => Some(format!("{name:?} is in section {own}")),
            Some((_, labels)) if number.is_some_and(|it| !labels.contains(it)) => {
                Some(format!("the steps of {name:?} are {labels:?}"))
            }
            Some(_) => None,
        }
    }
}

/// Returns the label with which a line begins: `1.2.`, or `(c)` for a case.
fn label(line: &str) -> Option<&str> {
    let word = line.trim_start().split(' ').next()?;
    let case = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
    case.or_else(|| word.strip_suffix('.')).filter(|label| is_label(label))
}

fn is_label(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_case = |part: &str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    text.split('.').all(|part| is_number(part) || is_case(part))
}

/// Returns the folder with the texts: that of a variable of the environment, or one next to this repository.
fn folder() -> PathBuf {
    let neighbour = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/specs/whatwg");
    std::env::var_os("URLSTRATA_STANDARD_TEXTS").map_or_else(neighbour, PathBuf::from)
}

#[test]
fn the_texts_have_each_step_where_it_is_cited() {
    for ((revision, _), name) in whatwg::REVISIONS.iter().zip(TEXTS) {
        let path = folder().join(name);
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("skipped: {}, because {} cannot be read", revision.id, path.display());
            continue;
        };
        let text = Text::read(&text);
        for label in labels(revision) {
            let place = place_in(revision, label);
            // The copies of some texts end before the constructors.
            if place.section == "6.1" && text.0.values().all(|(section, _)| section != "6.1") {
                println!("skipped: {} {place}", revision.id);
                continue;
            }
            for part in place.label.split(", ") {
                let other = part.strip_prefix('§').and_then(|part| part.split_once(' '));
                let (section, part) = other.unwrap_or((place.section, part));
                assert_eq!(text.fault(section, part), None, "{}: {label} as {place}", revision.id);
            }
        }
    }
}
