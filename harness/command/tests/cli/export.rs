//! Exported vectors: their schema, their results, and the runners that the README of the vectors shows.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use url::Url;
use url::quirks;
use urlstrata::revision::{self, whatwg};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::vector::{Suite, export};

use crate::schema::Schema;

fn suite() -> Suite {
    Suite::embedded().expect("valid vectors")
}

fn vectors_folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_default()
}

#[test]
fn lines_match_the_schema_and_have_distinct_ids() {
    let schema = fs::read_to_string(vectors_folder().join("export.schema.json")).expect("the schema");
    let schema = Schema::new(serde_json::from_str(&schema).expect("JSON"));
    let lines = export::lines(&suite()).expect("JSON");
    for line in &lines {
        assert_eq!(schema.violations(line), [""; 0], "{line}");
    }
    let ids: BTreeSet<_> = lines.iter().map(|line| text(line, "id")).collect();
    assert_eq!(ids.len(), lines.len());
    for (key, value) in [("kind", "nonsense".into()), ("expect", Value::Null), ("id", 1.into()), ("more", Value::Null)]
    {
        let mut line = lines[0].clone();
        line[key] = value;
        assert!(!schema.violations(&line).is_empty(), "the schema rejects other values of {key}");
    }
}

#[test]
fn rows_have_the_results_of_the_revision() {
    let suite = suite();
    for revision in revision::ALL.iter().copied().filter(|it| it.rules.is_some() || it.id.starts_with("whatwg-")) {
        for computed in [false, true] {
            let rows = export::wpt(&suite, revision, computed);
            let rows: Vec<_> = rows.iter().filter(|row| row.is_object()).collect();
            assert!(!rows.is_empty(), "{}", revision.id);
            let pairs: BTreeSet<_> = rows.iter().map(|row| (text(row, "base"), text(row, "input"))).collect();
            assert_eq!(pairs.len(), rows.len(), "each pair has one row");
            for row in rows {
                let outcome = Outcome::from(revision.resolve(text(row, "base"), text(row, "input")));
                assert_eq!(outcome.url(), row["href"].as_str(), "{}: {row}", revision.id);
                assert_eq!(row["failure"] == true, outcome.url().is_none(), "{}: {row}", revision.id);
                let is_from_wpt = text(row, "id").starts_with("history/wpt/");
                assert_eq!(text(row, "licence") == "BSD-3-Clause", is_from_wpt, "{row}");
            }
        }
    }
}

#[test]
fn printed_examples_win_over_equal_pairs_of_other_files() {
    let suite = suite();
    let printed = suite.vectors().filter(|(file, _)| file.path.starts_with("spec/rfc3986"));
    let printed: BTreeSet<_> = printed
        .filter_map(|(_, vector)| vector.resolution())
        .filter(|case| case.expect.get("rfc3986").is_some())
        .map(|case| (case.base.as_str(), case.reference.as_str()))
        .collect();
    let rows = export::wpt(&suite, revision::by_id("rfc3986").expect("a revision"), true);
    let is_printed = |row: &&Value| printed.contains(&(text(row, "base"), text(row, "input"))) && row.is_object();
    let found: Vec<_> = rows.iter().filter(is_printed).collect();
    assert_eq!(found.len(), printed.len());
    for row in found {
        let id = text(row, "id");
        assert!(suite.files.iter().any(|file| file.is_printed() && id.starts_with(&file.id)), "{id} is not printed");
    }
    let network_path = rows.iter().find(|row| text(row, "input") == "//g" && text(row, "base") == "http://a/b/c/d;p?q");
    assert_eq!(network_path.map(|row| text(row, "id")), Some("rfc3986/5.4.1/network-path"));
}

/// The properties are computed from the parts of the reference implementation, so another engine checks them.
#[test]
fn properties_are_those_of_the_url_class() {
    let mut compared = 0;
    for row in export::wpt(&suite(), whatwg::NEWEST, true) {
        let Some(url) = row["href"].as_str().and_then(|href| Url::parse(href).ok()) else { continue };
        if url.as_str() != text(&row, "href") {
            continue;
        }
        compared += 1;
        for (name, value) in [
            ("protocol", quirks::protocol(&url)),
            ("username", quirks::username(&url)),
            ("password", quirks::password(&url)),
            ("host", quirks::host(&url)),
            ("hostname", quirks::hostname(&url)),
            ("port", quirks::port(&url)),
            ("pathname", quirks::pathname(&url)),
            ("search", quirks::search(&url)),
            ("hash", quirks::hash(&url)),
        ] {
            assert_eq!(text(&row, name), value, "{name}: {row}");
        }
    }
    assert!(compared > 1000, "{compared} rows");
}

/// Returns the code block of the README that begins with this line.
fn block(language: &str) -> String {
    let readme = fs::read_to_string(vectors_folder().join("README.md")).expect("the README");
    let start = format!("```{language}\nimport");
    let other = format!("```{language}\n");
    let at = readme.find(&start).or_else(|| readme.find(&other)).expect("a block") + other.len();
    readme[at..].split("\n```").next().unwrap_or_default().to_owned()
}

#[test]
fn runners_of_the_readme_read_the_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    for (language, program, arguments, file, id, most) in [
        ("python", "python3", &[][..], "run.py", "rfc3986", 120),
        ("javascript", "node", &[], "run.js", "whatwg-2026-07", 120),
        ("go", "go", &["run"], "run.go", "rfc3986", 120),
    ] {
        let script = folder.path().join(file);
        fs::write(&script, block(language)).expect("a script");
        let rows = folder.path().join("rows.json");
        let exported = Command::new(env!("CARGO_BIN_EXE_urlstrata"))
            .args(["vectors", "export", "--as", "wpt", "-r", id, "--out"])
            .arg(&rows)
            .output()
            .expect("the command runs");
        assert!(exported.status.success(), "{exported:?}");
        let Ok(run) = Command::new(program).args(arguments).arg(&script).arg(&rows).output() else {
            println!("{language}: left out, because {program} is not installed");
            continue;
        };
        let output = String::from_utf8_lossy(&run.stdout).into_owned();
        let last = output.lines().last().unwrap_or_default().to_owned();
        assert!(run.status.success() && last.ends_with("rows differ"), "{language}: {run:?}");
        let different: u32 = last.split(' ').next().and_then(|it| it.parse().ok()).expect("a number");
        println!("{language}: {last}");
        assert!((1..=most).contains(&different), "{language}: {last}");
    }
}

#[test]
fn what_cannot_be_exported_is_reported() {
    let export = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_urlstrata"));
        let ended = command.args(["vectors", "export"]).args(arguments).output().expect("the command runs");
        (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
    };
    let (code, message) = export(&["--as", "wpt", "-r", "rfc1738"]);
    assert_eq!((code, message.contains("resolves nothing")), (Some(64), true), "{message}");
    let (code, message) = export(&["--as", "wpt"]);
    assert_eq!((code, message.contains("--revision")), (Some(64), true), "{message}");
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("broken.yaml");
    fs::write(&broken, "source: [\n").expect("a file");
    let out = folder.path().join("rows.json");
    fs::write(&out, "old").expect("a file");
    let (code, message) = export(&["--as", "jsonl", "--out", &out.to_string_lossy(), &broken.to_string_lossy()]);
    assert_eq!((code, message.contains("broken.yaml:")), (Some(65), true), "{message}");
    assert_eq!(fs::read_to_string(&out).expect("a file"), "old", "the old file is unchanged");
}
