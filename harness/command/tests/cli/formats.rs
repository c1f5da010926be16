//! The formats of continuous integration: JUnit XML, SARIF, and the annotations and the summary of GitHub Actions.
//!
//! JUnit is validated against the schema of Jenkins (`tests/schemas/junit-10.xsd`, of its plugin `xunit`, MIT licence) where
//! `xmllint` is installed. SARIF is validated against the official schema, which the package `serde-sarif` contains.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::program::{ends, urlstrata, with_input};
use crate::schema::Schema;

/// A file of vectors of which the second contradicts RFC 3986, on line 11.
const WRONG: &str = r#"source:
  specification: "RFC 3986"
  section: "5.4"
  title: "examples"
base: "http://a/b/c/d;p?q"
vectors:
  - name: "right"
    reference: "g"
    expect:
      rfc3986: "http://a/b/c/g"
  - name: "wrong"
    reference: "../<g>&\u0007"
    expect:
      rfc3986: "http://a/g"
"#;

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Asserts that `xml` is valid JUnit XML.
#[track_caller]
fn assert_is_junit(folder: &Folder, name: &str, xml: &str) {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/junit-10.xsd");
    let file = folder.file(name, xml);
    match Command::new("xmllint").args(["--noout", "--schema"]).arg(schema).arg(file).output() {
        Ok(linted) => assert!(linted.status.success(), "{}", String::from_utf8_lossy(&linted.stderr)),
        Err(_) => println!("{name}: not validated, because xmllint is not installed"),
    }
}

/// Returns the value of an attribute of the root.
fn attribute(xml: &str, name: &str) -> usize {
    let root = &xml[xml.find("<testsuites").expect("a root")..];
    let value = root.split(&format!(" {name}=\"")).nth(1).expect("the attribute");
    value.split('"').next().expect("an end").parse().expect("a number")
}

/// Returns the official schema of SARIF, from the sources of the package `serde-sarif`.
fn sarif_schema() -> Schema {
    let host = Command::new("rustc").args(["--print", "host-tuple"]).output().expect("rustc runs").stdout;
    let host = String::from_utf8(host).expect("UTF-8");
    // It downloads the packages that the tests do not use, those of benchmarks, if they are missing.
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host.trim()])
        .output()
        .expect("cargo runs");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").expect("the package");
    let manifest = PathBuf::from(package["manifest_path"].as_str().expect("a path"));
    let schema = fs::read_to_string(manifest.with_file_name("src").join("schema.json")).expect("the schema");
    Schema::new(serde_json::from_str(&schema).expect("JSON"))
}

/// Asserts that `text` is valid SARIF, and returns its results.
#[track_caller]
fn sarif_results(text: &str) -> Vec<Value> {
    let sarif: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(sarif_schema().violations(&sarif), [""; 0]);
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules").clone();
    let results = sarif["runs"][0]["results"].as_array().expect("results").clone();
    for result in &results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    results
}

/// Returns the file and the line of each result.
fn places(results: &[Value]) -> Vec<(&str, Option<u64>)> {
    let location = |result: &'_ Value| result["locations"][0]["physicalLocation"].clone();
    let line = |result: &Value| location(result)["region"]["startLine"].as_u64();
    let file = |result: &'_ Value| -> &'static str {
        location(result)["artifactLocation"]["uri"].as_str().unwrap_or_default().to_owned().leak()
    };
    results.iter().map(|result| (file(result), line(result))).collect()
}

#[test]
fn junit_of_a_run_has_a_test_for_each_vector_and_a_failure_for_each_violation() {
    let folder = Folder::new();
    folder.file("vectors/wrong.yaml", WRONG);
    let mut command = urlstrata(&["run", "--format", "junit", "vectors", "-e", "ref:rfc3986", "-e", "crate:url"]);
    let output = command.current_dir(folder.path()).output().expect("the command runs");
    ends(&output, 3, "vectors/wrong.yaml:11");
    let xml = stdout(&output);
    assert_is_junit(&folder, "run.xml", &xml);
    assert_eq!((attribute(&xml, "tests"), attribute(&xml, "failures")), (4, 1), "{xml}");
    assert!(xml.contains("<testcase name=\"wrong (rfc3986)\""), "{xml}");
    assert!(!xml.contains('\u{7}'), "XML does not allow control characters");
}

#[test]
fn junit_of_known_deviations_and_recordings_is_valid() {
    let folder = Folder::new();
    let output = with_input(&["known", "check", "--random", "100", "--format", "junit", "crate:oxiri"], b"");
    ends(&output, 0, "<testsuite name=\"crate:oxiri\"");
    assert_is_junit(&folder, "known.xml", &stdout(&output));
    let known = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/known/crate-oxiri.yaml"));
    folder.file("known/crate-oxiri.yaml", known.expect("a file").replacen("    vectors: ", "    vectors: 9", 1));
    let mut command = urlstrata(&["known", "check", "--random", "100", "--format", "junit", "--known", "known"]);
    let output = command.current_dir(folder.path()).output().expect("the command runs");
    ends(&output, 2, "known/crate-oxiri.yaml:5");
    let xml = stdout(&output);
    assert_is_junit(&folder, "changed.xml", &xml);
    assert_eq!(attribute(&xml, "failures"), 1, "{xml}");

    let output = with_input(&["engine", "check", "--panel-only", "--format", "junit", "crate-oxiri"], b"");
    ends(&output, 0, "<testsuite name=\"crate-oxiri@");
    assert_is_junit(&folder, "engine.xml", &stdout(&output));
}

#[test]
fn the_schema_of_sarif_rejects_wrong_values() {
    let sarif = |result: Value| json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "urlstrata"}}, "results": [result]}]});
    let schema = sarif_schema();
    let location = |uri: &str, line: i64| {
        let place = json!({"artifactLocation": {"uri": uri}, "region": {"startLine": line}});
        json!({"message": {"text": ""}, "locations": [{"physicalLocation": place}]})
    };
    assert_eq!(schema.violations(&sarif(location("a%20b", 1))), [""; 0]);
    for result in [
        location("a b", 1),
        location("a", 0),
        json!({"message": {}}),
        json!({"message": {"text": ""}, "level": "fatal"}),
        json!({"message": {"text": ""}, "more": 1}),
        json!({"ruleId": "a"}),
    ] {
        assert!(!schema.violations(&sarif(result.clone())).is_empty(), "{result}");
    }
}

#[test]
fn sarif_of_a_run_has_the_lines_of_vectors() {
    let folder = Folder::new();
    folder.file("vectors/wrong.yaml", WRONG);
    let run = |only: &str| {
        let arguments = ["run", "--format", "sarif", "--only", only, "vectors", "-e", "ref:rfc3986", "-e", "crate:url"];
        let output = urlstrata(&arguments).current_dir(folder.path()).output().expect("the command runs");
        sarif_results(&stdout(&output))
    };
    let new = run("new");
    assert_eq!(places(&new), [("vectors/wrong.yaml", Some(11))], "{new:?}");
    assert_eq!(new[0]["level"], "error");
    let all = run("differs");
    assert_eq!(places(&all), [("vectors/wrong.yaml", Some(11)); 2], "{all:?}");
    let built_in = ["run", "-k", "rfc1808/5.2/*", "--format", "sarif", "--only", "differs", "-e", "crate:url"];
    let results = sarif_results(&stdout(&with_input(&built_in, b"")));
    assert!(!results.is_empty());
    assert!(places(&results).iter().all(|(file, line)| *file == "vectors/spec/rfc1808/5.2.yaml" && line.is_some()));
}

#[test]
fn sarif_of_links_has_the_lines_of_documents() {
    let folder = Folder::new();
    folder.file("a b/page.html", "<a href=ok>\n<a href='\\\\evil.example\\x'>\n<a href='x y'>");
    let arguments = ["links", "--format", "sarif", "a b", "--retrieved-from", "http://h/"];
    let output = urlstrata(&arguments).current_dir(folder.path()).output().expect("the command runs");
    ends(&output, 1, "this link has two meanings");
    let results = sarif_results(&stdout(&output));
    assert_eq!(places(&results), [("a%20b/page.html", Some(2)), ("a%20b/page.html", Some(3))]);
    assert_eq!([&results[0]["level"], &results[1]["level"]], ["error", "warning"]);

    // Standard input has no line in a file.
    let message = "<base href=http://h/><a href='\\\\evil.example'>";
    let output = with_input(&["links", "--format", "sarif", "-"], message.as_bytes());
    let results = sarif_results(&stdout(&output));
    assert_eq!(places(&results), [("", None)], "{results:?}");
    let name = &results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
    assert!(name.as_str().is_some_and(|name| name.starts_with("standard input")), "{name}");
}

#[test]
fn options_of_confusing_links_need_confusing_links() {
    for option in [&["--between", "rfc3986", "whatwg"][..], &["--only", "host"], &["--examples", "1"]] {
        ends(&with_input(&[&["links", "-"], option].concat(), b"<a>"), 64, "are options of --confusing");
    }
}

#[test]
fn github_gets_annotations_and_a_summary_and_standard_output_is_unchanged() {
    let folder = Folder::new();
    folder.file("vectors/wrong.yaml", WRONG);
    let summary = folder.file("summary.md", "before\n");
    let arguments = ["run", "vectors", "-e", "ref:rfc3986", "-e", "crate:url"];
    let plain = urlstrata(&arguments).current_dir(folder.path()).output().expect("the command runs");
    let mut command = urlstrata(&arguments);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", &summary);
    let output = command.current_dir(folder.path()).output().expect("the command runs");
    assert_eq!(output.stdout, plain.stdout);
    assert!(plain.stderr.is_empty());
    let annotations = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        annotations.starts_with("::error file=vectors/wrong.yaml,line=11,title=internal failure::"),
        "{annotations}"
    );
    assert_eq!(annotations.lines().count(), 1, "{annotations}");
    let summary = fs::read_to_string(summary).expect("the summary");
    assert!(summary.starts_with("before\n### urlstrata run\n"), "{summary}");
    assert!(summary.contains("1 finding:") && summary.contains("`vectors/wrong.yaml:11`"), "{summary}");

    // A broken file is an annotation too, and a summary that cannot be written does not change the exit code.
    folder.file("broken/broken.yaml", "source: [\n");
    let mut command = urlstrata(&["run", "broken"]);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", folder.path());
    ends(
        &command.current_dir(folder.path()).output().expect("the command runs"),
        65,
        "::error title=urlstrata::broken",
    );
    let mut command = urlstrata(&["known", "check", "crate:oxiri", "--random", "0"]);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", folder.path());
    ends(&command.output().expect("the command runs"), 0, "the summary cannot be written");
}

#[test]
fn manual_pages_and_completions_name_every_command() {
    let folder = Folder::new();
    let out = folder.path().join("man");
    ends(&with_input(&["man", "--out", &out.to_string_lossy()], b""), 0, "completions of 5 shells");
    let help = stdout(&with_input(&["--help"], b""));
    let commands = help.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next()).expect("commands");
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).filter(|it| *it != "help").collect();
    assert!(names.len() > 15, "{names:?}");
    let bash = stdout(&with_input(&["completions", "bash"], b""));
    for name in names {
        let page = out.join(format!("urlstrata-{name}.1"));
        assert!(page.is_file(), "{}", page.display());
        assert!(bash.contains(name), "{name}");
    }
    assert_eq!(fs::read_to_string(out.join("urlstrata.bash")).expect("a file"), bash);
}
