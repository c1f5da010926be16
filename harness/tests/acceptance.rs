//! The published tables come out: the counts of the catalogue, of Fielding's pages, and of the documents' examples.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use urlstrata::rules::COLUMNS;
use urlstrata_harness::enumerate::{Scope, history};
use urlstrata_harness::fuzz::campaign::Campaign;
use urlstrata_harness::generate::{ALPHABET, BASES};
use urlstrata_harness::judge::verify;
use urlstrata_harness::vector::{Expected, Suite, canonical};
use urlstrata_harness::{report, witness};

fn suite() -> Suite {
    Suite::embedded().expect("vectors in order")
}

/// Of the vectors in files that begin with `prefix` and name `id`: how many hold, are errata, and are same documents.
#[track_caller]
fn counted(prefix: &str, id: &str) -> [usize; 3] {
    let suite = suite();
    let named =
        suite.vectors().filter(|(file, vector)| file.id.starts_with(prefix) && (vector.expect.0.contains_key(id)));
    named.fold([0; 3], |[holds, errata, same], (file, vector)| {
        verify(file, vector, id).unwrap_or_else(|fault| panic!("{fault}"));
        let current = matches!(vector.expect.0.get(id), Some(Expected::Url { same_document: Some(true), .. }));
        [holds + 1, errata + usize::from(vector.erratum.is_some()), same + usize::from(current)]
    })
}

#[test]
fn every_printed_example_is_there_and_holds() {
    assert_eq!(counted("appendix-b-1994/", "appendix-b-1994"), [14, 2, 0]);
    assert_eq!(counted("rfc1808/", "rfc1808"), [40, 0, 0]);
    assert_eq!(counted("draft-1996/13.", "draft-1996"), [39, 0, 2]);
    assert_eq!(counted("rfc2396/C.", "rfc2396"), [42, 0, 2]);
    assert_eq!(counted("rfc3986/5.4.", "rfc3986"), [42, 0, 2]);
    assert_eq!(counted("rfc3986/5.2.4", "rfc3986"), [2, 0, 0]);
    assert_eq!(counted("rfc1630/", "rfc1630"), [10, 2, 0]);
}

#[test]
fn the_columns_of_fieldings_pages_hold() {
    let rows = suite().vectors().filter(|(file, _)| file.id.starts_with("history/fielding-")).count();
    assert_eq!(rows, 103);
    assert_eq!(counted("history/fielding-", "rfc1808"), [73, 0, 0]);
    // 101 URLs, and two rows that print "(current document)".
    assert_eq!(counted("history/fielding-", "rfc2396"), [103, 0, 2]);
    // The proposed reading of pages 4 and 5.
    assert_eq!(counted("history/fielding-", "rfc1630"), [30, 0, 0]);
}

#[test]
fn exactly_twenty_rows_of_the_pages_separate_rfc_1808_from_rfc_2396() {
    let suite = suite();
    let rows = suite.vectors().filter(|(file, vector)| {
        let url = |id| vector.expect.0.get(id).and_then(|expected| expected.url());
        let current = vector.printed.is_some();
        file.id.starts_with("history/fielding-")
            && url("rfc1808").is_some_and(|url_1808| current || url("rfc2396") != Some(url_1808))
    });
    assert_eq!(rows.count(), 20);
}

#[test]
fn the_catalogue_counts_come_out_with_no_disagreement() {
    let scope = Scope { alphabet: ALPHABET.chars().collect(), length: 5, bases: BASES.map(str::to_owned).to_vec() };
    let found = history(&scope, &|_| ()).expect("a scope that can be counted");
    assert_eq!(found.disagreements, []);
    assert_eq!(found.pairs, 973_674);
    let counts: Vec<_> =
        found.consecutive.iter().map(|(_, _, differing)| (differing.results, differing.meanings)).collect();
    assert_eq!(counts, [(509_952, 0), (582_411, 0), (0, 121_732), (478_228, 0), (194_768, 3_463), (1_235, 222)]);
}

#[test]
fn every_column_has_a_witness_and_none_is_stale() {
    let found = witness::vectors().expect("a witness for each column");
    for column in COLUMNS {
        assert!(found.vectors.iter().any(|vector| vector.column.as_deref() == Some(column.name)), "{}", column.name);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/witness/columns.yaml");
    let written = fs::read_to_string(path).expect("the file is there");
    assert!(canonical(&found) == written, "stale: run `cargo run --release -- vectors witness`");
}

#[test]
fn the_reports_are_fresh_explain_everything_and_tell_nothing_of_this_machine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports");
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_string_lossy();
    let summary = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/campaign.json");
    let campaign = Campaign::read(&summary).expect("a summary");
    let reports = report::write(&suite(), &campaign).expect("reports");
    assert!(reports.answer.ends_with("4 engines, 0 divergences unexplained"), "{}", reports.answer);
    for (name, page) in reports.pages {
        let written = fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert!(page == written, "{name} is stale: run `cargo run --release -- report`");
        assert!(!page.contains(&*checkout), "{name} names a folder of this machine");
    }
}

#[test]
fn the_clients_of_1997_are_recorded_on_every_row_they_answered() {
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    let suite = suite();
    for (_, vector) in suite.vectors() {
        for client in vector.recorded.0.keys() {
            *rows.entry(client.clone()).or_default() += 1;
        }
    }
    let rows: Vec<_> = rows.iter().map(|(client, rows)| (client.as_str(), *rows)).collect();
    assert_eq!(
        rows,
        [("libwww-perl-5.14", 43), ("lynx-2.7.1", 103), ("mosaic-2.6", 73), ("msie-3.01", 103), ("netscape-4.03", 103)]
    );
}

#[test]
fn a_file_keeps_its_identity_wherever_it_is_read_from() {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    for path in [vectors.join("spec/rfc1808/5.2.yaml"), vectors.join("spec/rfc1808"), vectors.clone()] {
        let suite = Suite::read(&[path]).expect("vectors in order");
        assert!(suite.files.iter().any(|file| file.id == "rfc1808/5.2"));
    }
    let ids = |suite: Suite| suite.files.into_iter().map(|file| file.id).collect::<Vec<_>>();
    let (mut embedded, mut read) = (ids(suite()), ids(Suite::read(&[vectors]).expect("vectors in order")));
    embedded.sort();
    read.sort();
    assert_eq!(embedded, read);
}
