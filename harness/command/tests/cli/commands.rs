//! The program reports an error in its input with one sentence and exits with the documented code. Its subcommands
//! print the documented output.

use std::fs;
use std::process::Stdio;

use regex::Regex;

use crate::folder::Folder;
use crate::program::{ends, urlstrata, with_input};
use urlstrata::revision::whatwg;
use urlstrata_harness::knowledge::dated::ranges;
use urlstrata_harness::knowledge::specification::resolving;

const HEAD: &str = "source: {specification: \"x\", section: \"1\", title: \"t\"}\nvectors:\n";

/// Returns standard output with single spaces: lines may be folded anywhere.
fn squeezed(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a vector of `production` in the grammar of `id`, with one invalid string: a space, whose mismatch is at byte
/// `at`.
fn production(id: &str, production: &str, at: usize) -> String {
    format!(
        "  - name: \"a\"\n    production: \"{production}\"\n    matches: {{{id}: {{valid: [], invalid: [[\" \", {at}]]}}}}\n"
    )
}

#[test]
fn errors_in_vector_files_name_their_line() {
    let folder = Folder::new();
    let one = "  - name: \"a\"\n    reference: \"x\"\n    expect: {rfc1808: \"x\"}\n";
    for (name, content, expected) in [
        ("malformed", "source: {specification: \"x\n".to_owned(), "malformed.yaml:1: found unexpected end of stream"),
        (
            "no-subject",
            format!("{HEAD}  - name: \"a\"\n    referenc: \"x\"\n"),
            "yaml:3: vector \"a\" needs exactly one of ",
        ),
        ("unknown-key", format!("{HEAD}{one}    note-2: \"x\"\n"), "yaml:6: unknown field `note-2`"),
        (
            "unknown-revision",
            format!("{HEAD}{}", one.replace("1808", "1809")),
            "yaml:3: no revision is called \"rfc1809\"",
        ),
        ("duplicate", format!("{HEAD}{one}{one}"), "yaml:6: duplicate vector name \"a\" (first defined on line 3)"),
        (
            "duplicate-key",
            format!("{HEAD}{}", one.replace("{rfc1808", "{rfc1808: \"y\", rfc1808")),
            "yaml:5: vectors[0].expect: duplicate entry with key \"rfc1808\"",
        ),
        (
            "no-string",
            format!("{HEAD}{}", one.replace("\"x\"", "7")),
            "yaml:4: invalid type: integer `7`, expected a string",
        ),
        ("deep", "[".repeat(100_000), "deep.yaml:1: "),
        ("deeper", format!("about: {}", "[".repeat(100_000)), "deeper.yaml:1: "),
        ("alias", format!("{HEAD}  - &a {{name: \"a\"}}\n  - *a\n"), "yaml:4: aliases are not supported"),
        ("nul", "source: {specification: \"x\0\"}".to_owned(), "control characters are not allowed"),
        ("empty", String::new(), "missing field `source`"),
        ("nothing", format!("{HEAD}  - name: \"a\"\n"), "needs exactly one of the keys `reference`, `url`, "),
        ("two", format!("{HEAD}{one}    url: \"x\"\n"), "needs exactly one of the keys `reference`, `url`, "),
        (
            "of-another",
            format!("{HEAD}{one}    components: {{rfc1808: {{path: \"x\"}}}}\n"),
            "yaml:6: unknown field `components`, expected one of `rule`, `base`, `reference`, ",
        ),
        ("no-expectation", format!("{HEAD}  - name: \"a\"\n    production: \"URL\"\n"), "add `matches`"),
        (
            "no-production",
            format!("{HEAD}{}", production("rfc1808", "URLs", 0)),
            "RFC 1808 has no production \"URLs\": it has URL",
        ),
        ("no-grammar", format!("{HEAD}{}", production("rfc1630", "URL", 0)), "yaml:3: rfc1630 has no grammar"),
        (
            "no-class",
            format!("{HEAD}  - name: \"a\"\n    class: \"safest\"\n    characters: {{rfc1738: \"a\"}}\n"),
            "yaml:3: rfc1738 has no class \"safest\": it has ",
        ),
        (
            "beyond",
            format!("{HEAD}{}", production("rfc1808", "URL", 2)),
            "2 is beyond the end of \" \", which has 1 byte",
        ),
        ("bad-name", format!("{HEAD}{}", one.replace("\"a\"", "\"A b\"")), "lower-case letters"),
    ] {
        let path = folder.file(&format!("{name}.yaml"), content);
        ends(&with_input(&["run", &path.to_string_lossy()], b""), 65, expected);
    }
}

#[test]
fn vector_files_must_be_utf_8_and_may_have_other_line_ends() {
    let folder = Folder::new();
    let latin = folder.file("latin.yaml", b"about: \"a\"\nsource: {specification: \"caf\xe9\"}\n");
    ends(&with_input(&["run", &latin.to_string_lossy()], b""), 65, "latin.yaml:2: not UTF-8");
    let huge = folder.file("huge.yaml", vec![b'a'; (4 << 20) + 1]);
    ends(&with_input(&["run", &huge.to_string_lossy()], b""), 65, "split the file");
    let text = format!("\u{feff}{HEAD}  - name: \"a\"\n    reference: \"x\"\n    expect: {{rfc1808: \"x\"}}\n");
    let dos = folder.file("dos.yaml", text.replace('\n', "\r\n"));
    ends(&with_input(&["run", "-e", "ref:rfc1808", &dos.to_string_lossy()], b""), 0, "1 of 1 expectations met");
    ends(&with_input(&["vectors", "lint", &dos.to_string_lossy()], b""), 65, "not in canonical form");
    ends(&with_input(&["vectors", "fmt", &dos.to_string_lossy()], b""), 0, "1 rewritten");
    ends(&with_input(&["vectors", "lint", &dos.to_string_lossy()], b""), 0, "0 errors");
    let commented = folder.file("commented.yaml", format!("# why\n{}", text.trim_start_matches('\u{feff}')));
    ends(&with_input(&["vectors", "fmt", &commented.to_string_lossy()], b""), 65, "a comment would be lost");
}

#[test]
fn a_failing_vector_is_an_internal_failure_and_its_steps_are_shown() {
    let folder = Folder::new();
    let vector = "  - name: \"a\"\n    base: \"http://a/b/c\"\n    reference: \"../g\"\n    expect: {rfc1808: \"http://a/b/g\"}\n";
    let path = folder.file("violated.yaml", format!("{HEAD}{vector}"));
    ends(&with_input(&["run", "-e", "ref:rfc1808", &path.to_string_lossy()], b""), 3, "6c ");
}

#[test]
fn unreadable_paths_are_reported() {
    let folder = Folder::new();
    ends(&with_input(&["run", "no-such.yaml"], b""), 65, "no-such.yaml: cannot be read");
    ends(&with_input(&["run", &folder.path().to_string_lossy()], b""), 65, "no file in the folder ends in .yaml");
    ends(&with_input(&["run", "--pairs", &folder.path().to_string_lossy()], b""), 65, "a folder: name a file");
}

#[test]
fn usage_errors_exit_with_64() {
    ends(&with_input(&["run", "-e", "crate:nosuch"], b""), 64, "no engine is called \"crate:nosuch\"");
    ends(&with_input(&["sing"], b""), 64, "unrecognized subcommand");
    ends(&with_input(&["explain", "x", "-r", "rfc1738"], b""), 64, "RFC 1738 resolves nothing");
    ends(&with_input(&["parse", "--as", "rfc9999", "x"], b""), 64, "the nearest names are rfc3986");
    ends(&with_input(&["enumerate", "--alphabet", "aa"], b""), 64, "'a' occurs twice in the alphabet");
    ends(&with_input(&["enumerate", "--length", "60"], b""), 64, "more pairs than can be counted");
    ends(&with_input(&["--help"], b""), 0, "Exit codes:");
}

#[test]
fn a_predicted_engine_answers_every_pair_or_states_why_it_cannot() {
    let resolve = |engine: &str| with_input(&["resolve", "../x y", "--base", "http://a/b/c/d", "--as", engine], b"");
    ends(&resolve("predicted:uritools"), 0, "http://a/b/x y\n");
    // It has steps, and no recording.
    ends(&resolve("predicted:uri-js-iri"), 0, "http://a/b/x%20y\n");
    ends(&resolve("predicted:nothing"), 64, "no engine is called \"nothing\"");
    ends(&resolve("predicted:uritools@1.0"), 64, "uritools has no version \"1.0\"");
    ends(&with_input(&["engine", "fit", "htmlcxx"], b""), 69, "is not installed: urlstrata engine install");
    ends(&with_input(&["engine", "fit", "uritools"], b""), 69, "is predicted by the steps of its source");
}

#[test]
fn malformed_lines_of_pairs_are_reported_and_the_others_are_resolved() {
    let input = b"\xef\xbb\xbfhttp://a/b/c\t../../../g\r\nno tab here\n\xff\t\n\nhttp://a/\ty\0z\nhttp://a/b\t?\n";
    let output = with_input(&["run", "--pairs", "-", "-e", "fast:rfc1808", "-r", "rfc3986", "--format", "json"], input);
    ends(&output, 65, "standard input:2: no tab");
    ends(&output, 65, "standard input:3: not UTF-8");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = &found["comparisons"][0];
    assert_eq!(
        found["totals"],
        serde_json::json!({"cases": 3, "agree": 1, "explained": 2, "predicted": 0, "listed": 0, "outside": 0, "unexplained": 0, "unanswered": 0})
    );
    let causes: Vec<_> = found["classes"].as_array().expect("a list").iter().map(|class| &class["cause"]).collect();
    assert_eq!(causes, ["excess=Kept", "empty_query=Dropped"]);
}

#[test]
fn a_reference_of_a_hundred_megabytes_is_resolved() {
    let mut input = b"http://a/b/c\t".to_vec();
    input.extend(b"../".repeat(33_000_000));
    let output = with_input(&["run", "--pairs", "-", "-e", "fast:rfc3986", "-r", "rfc3986"], &input);
    ends(&output, 0, "1 agree");
}

#[test]
fn a_closed_standard_output_is_not_an_error() {
    let mut child = urlstrata(&["run", "--only", "all", "--max-fail", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    ends(&output, 0, "");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_report_that_cannot_be_written_leaves_existing_files_unchanged() {
    let folder = Folder::new();
    let reports = folder.path().join("reports");
    // A folder occupies the path of the last page. This is noticed before anything is computed.
    fs::create_dir_all(reports.join("grid.svg.new")).expect("a folder");
    fs::write(reports.join("README.md"), "old").expect("a file");
    let output = with_input(&["report", "--out", &reports.to_string_lossy()], b"");
    ends(&output, 64, "existing files were left unchanged");
    assert_eq!(fs::read_to_string(reports.join("README.md")).expect("still there"), "old");
    let left: Vec<_> =
        fs::read_dir(&reports).expect("a folder").filter_map(Result::ok).map(|e| e.file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    // A folder below a file cannot be created.
    for option in ["--out", "--html", "--json"] {
        let output = with_input(&["report", option, &reports.join("README.md/x").to_string_lossy()], b"");
        ends(&output, 64, "README.md/x");
    }
}

#[test]
fn engine_serve_implements_the_protocol() {
    let requests = "{\"id\":1,\"op\":\"resolve\",\"base\":\"http://a/b/c/d;p?q#f\",\"reference\":\"../../../g\"}\n{\"id\":2,\"op\":\"parse\",\"url\":\"http://u@h:81/p?q\"}\n";
    let output = with_input(&["engine", "serve", "crate:url"], requests.as_bytes());
    let expected = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<serde_json::Value> =
        expected.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["protocol"], 1);
    assert_eq!(lines[0]["engine"], "crate:url");
    assert_eq!(lines[1], serde_json::json!({"id": 1, "url": "http://a/g"}));
    assert_eq!(
        lines[2]["parts"],
        serde_json::json!({"scheme": "http", "userinfo": "u", "host": "h", "port": "81", "path": "/p", "query": "q", "fragment": null})
    );
}

#[test]
fn explain_prints_json() {
    let input = b"http://a/b/c\t?y\nhttp://a/b\thttp:g\n";
    let output =
        with_input(&["explain", "--pairs", "-", "-e", "crate:url", "-r", "rfc2396", "--format", "json"], input);
    ends(&output, 0, "");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found.as_array().map(Vec::len), Some(2), "an explanation for each pair");
    let engine = |pair: usize| &found[pair]["engines"][0];
    assert_eq!(engine(0)["against"][0]["divergence"]["cause"], "what the base gives: 6a | relative 5.2");
    let same_as = engine(1)["same_as"].as_array().expect("a list").iter().filter_map(serde_json::Value::as_str);
    assert_eq!(ranges(same_as), ["appendix-b-1994", "rfc3986-nonstrict", "whatwg"]);
    let names = found[0]["groups"].as_array().expect("a list").iter().flat_map(|group| group["by"].as_array());
    assert_eq!(names.map(Vec::len).sum::<usize>(), resolving().count() + 1, "the specifications and an engine");
}

/// Every step of the revisions that are asked for, also if nothing differs.
#[test]
fn the_steps_of_a_revision_are_shown() {
    for (revision, last) in [("appendix-b-1994", "3d2"), ("rfc1808", "6d"), ("draft-1996", "6d"), ("rfc2396", "7")] {
        let output = with_input(&["explain", "../k", "--base", "s://h/m/n/o", "-r", revision, "--trace"], b"");
        ends(&output, 0, &format!("  {revision} returns s://h/m/k"));
        ends(&output, 0, last);
    }
    let json =
        with_input(&["explain", "../k", "--base", "s://h/m", "-r", "rfc1808", "--trace", "--format", "json"], b"");
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(found["steps"][0]["result"]["url"], "s://h/../k", "{found}");
    assert!(found["steps"][0]["steps"].as_array().is_some_and(|steps| steps.len() > 10), "{found}");
}

#[test]
fn explain_shows_results_differences_and_steps() {
    let arguments = ["explain", "///evil.com", "--base", "http://www.victim.com/login", "--trace", "--all"];
    let output = with_input(&arguments, b"");
    for expected in [
        "http://www.victim.com/evil.com rfc1808 draft-1996",
        "failure: no run of 3 slashes rfc1630",
        "failure: empty host crate:url",
        "appendix-b-1994 and rfc1808 differ in the host:",
        "RFC 1808 §4 step 3",
    ] {
        assert!(squeezed(&output).contains(expected), "{expected}: {output:?}");
    }
    ends(&output, 0, "if the reference has a net_loc");
}

/// The short form has the answer, in lines of 80 columns.
#[test]
fn the_answer_comes_first_and_fits_the_terminal() {
    let explain = |arguments: &[&str]| with_input(&[&["explain"], arguments].concat(), b"");
    let victim = ["///evil.com", "--base", "http://www.victim.com/login"];
    let output = explain(&[&victim[..], &["-e", "urllib"]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for expected in [
        "  http://www.victim.com/evil.com   urllib ",
        "\n         ^^^^^^^^^^^^^^",
        "urllib differs from rfc3986 and rfc3986-nonstrict in the host:\n",
        "https://github.com/python/cpython/issues/76960\n",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.lines().count() <= 32, "{text}");
    let pairs = [
        ("../../../g", "http://a/b/c", "go-net-url"),
        ("?y", "http://a/b/c/d;p?q", "urllib"),
        ("http:g", "http://a/b/c", "node-url"),
        ("a b", "http://h/x", "ruby-uri"),
    ];
    for (reference, base, engine) in pairs {
        let output = explain(&[reference, "--base", base, "-e", engine]);
        let all = explain(&[reference, "--base", base]);
        for text in [output, all].map(|it| String::from_utf8_lossy(&it.stdout).into_owned()) {
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest.is_some_and(|widest| widest <= 80), "{text}");
        }
    }
    let all = explain(&victim);
    let others = Regex::new(r"and \d+ others").expect("a regular expression");
    assert!(others.find_iter(&String::from_utf8_lossy(&all.stdout)).count() >= 3);
    assert!(!String::from_utf8_lossy(&explain(&[&victim[..], &["--all"]].concat()).stdout).contains("\u{1b}"));
    let coloured = explain(&[&victim[..], &["-e", "urllib", "--color", "always"]].concat());
    ends(&coloured, 0, "http://\u{1b}[1;31mwww.victim.com\u{1b}[0m/evil.com");
}

/// People's names of specifications are those of revisions, and a name that does not exist gives the three nearest.
#[test]
fn specifications_have_the_names_that_people_use() {
    for name in ["rfc3986", "RFC3986", "RFC 3986", "3986", "std66"] {
        let resolved = with_input(&["resolve", "--as", name, "--base", "http://a/b/c", "../g"], b"");
        ends(&resolved, 0, "http://a/g\n");
        let steps = with_input(&["explain", "../g", "--base", "http://a/b/c", "--as", name], b"");
        ends(&steps, 0, "RFC 3986 (rfc3986), step by step");
        ends(&with_input(&["validate", "--as", name, "http://a/"], b""), 0, "matched");
    }
    for name in ["whatwg", "html", "url-standard", "URL Standard"] {
        ends(
            &with_input(&["explain", "g", "--base", "http://a/", "--as", name], b""),
            0,
            "(whatwg-2026-07), step by step",
        );
        ends(
            &with_input(&["compare", "crate:url", name, "--length", "1", "--base", "http://a/"], b""),
            0,
            "0 different",
        );
    }
    let unknown = with_input(&["validate", "--as", "rfc3896", "x"], b"");
    let sentence = "no specification is called \"rfc3896\": the nearest names are rfc3986, rfc2396, ";
    ends(&unknown, 64, sentence);
    assert_eq!(String::from_utf8_lossy(&unknown.stderr).lines().count(), 1, "one sentence");
    ends(&with_input(&["resolve", "--as", "pyhton", "x"], b""), 64, "is it python or ");
    ends(&with_input(&["resolve", "--as", "fast:rfc3968", "x"], b""), 64, "is it fast:rfc3986 or ");
}

/// The commit of a change of the URL Standard, which causes print, makes another state of it.
#[test]
fn a_state_of_the_url_standard_can_have_a_later_change() {
    let names: Vec<String> = whatwg::changes_of(whatwg::NEWEST)
        .expect("changes")
        .difference(whatwg::changes_of(&whatwg::WHATWG_2022_01).expect("changes"))
        .filter(|change| change.witness.is_some())
        .map(|change| change.commit.to_owned())
        .collect();
    let own = format!("whatwg-2022-01+{}", names.join("+"));
    let compared = with_input(&["compare", &own, "whatwg", "--length", "2", "--base", "http://a/"], b"");
    ends(&compared, 0, "0 different");
    ends(&with_input(&["resolve", "--as", "whatwg-2022-01+nosuch", "x"], b""), 64, "the nearest ones are ");
    ends(&with_input(&["resolve", "--as", "whatwg+7b40216", "x"], b""), 64, "contains the change 7b40216");
}

/// Standards after RFC 1738 make remarks, which change neither results nor exit codes.
#[test]
fn later_standards_make_remarks() {
    let explained = with_input(&["explain", "http://?p1=v1", "-e", "addressable"], b"");
    assert!(squeezed(&explained).contains("an http URL with an empty host is invalid"), "{explained:?}");
    assert!(squeezed(&explained).contains("(RFC 9110 §4.2.1, June 2022)"), "{explained:?}");
    let urn = with_input(&["explain", "subschema.json", "--base", "urn:example:root", "-e", "perl-uri"], b"");
    assert!(squeezed(&urn).contains("urn:subschema.json: a URN is"), "{urn:?}");
    ends(&with_input(&["validate", "--as", "rfc3986", "http://?p1=v1"], b""), 0, "  RFC 9110 §4.2.1, June 2022: ");
    let json = with_input(&["validate", "--as", "rfc3986", "--format", "json", "http://?p1=v1"], b"");
    ends(&json, 0, "\"remarks\":[{\"about\":\"http://?p1=v1\",\"standard\":\"RFC 9110\"");
    let zone = with_input(&["resolve", "--as", "rfc3986", "--trace", "http://[fe80::1%25en1]/"], b"");
    assert!(squeezed(&zone).contains("RFC 9844, August 2025, makes RFC 6874 obsolete"), "{zone:?}");
}

#[test]
fn the_help_of_a_command_begins_with_examples_and_has_no_global_options() {
    for command in [&["explain"][..], &["hosts"], &["engine", "diff"]] {
        let help = with_input(&[command, &["--help"]].concat(), b"");
        let text = String::from_utf8_lossy(&help.stdout).into_owned();
        assert!(text.starts_with(&format!("Examples:\n  urlstrata {} ", command.join(" "))), "{text}");
        assert!(!text.contains("--engine-folders") && text.contains("`urlstrata --help`"), "{text}");
    }
    ends(&with_input(&["--help"], b""), 0, "--engine-folders <FOLDER>");
    ends(&with_input(&["hosts", "--bse", "x"], b""), 64, "urlstrata: unexpected argument '--bse' found; ");
}

#[test]
fn explain_prints_a_bug_report_if_it_is_asked_for() {
    let arguments = ["explain", "///evil.com", "--base", "http://www.victim.com/login", "-e", "crate:url"];
    let named = with_input(&[&arguments[..], &["--bug-report", "crate:url"]].concat(), b"");
    for expected in [
        "**Input**: the reference `///evil.com` on `http://www.victim.com/login`",
        " returns**: failure: empty host",
        "| RFC 1808, Draft 1996 | `http://www.victim.com/evil.com` |",
        "URL Standard §4.4 special authority ignore slashes 1, authority 2, 28 January 2022",
        "**The smallest pair with the same cause**: ",
    ] {
        ends(&named, 0, expected);
    }
    let alone = with_input(&arguments, b"");
    assert!(!squeezed(&alone).contains("Bug report"), "{alone:?}");
    ends(&alone, 0, "Known: crate:url ");
    let unlisted =
        with_input(&["explain", "g", "--base", "http://a/b/c", "-e", "fast:rfc3986+dots_in_absolute=Kept"], b"");
    ends(&unlisted, 0, "does not differ from rfc3986");
    let unknown = with_input(
        &["explain", "foo", "--base", "tag:example", "-e", "mono-system-uri", "--bug-report", "mono-system-uri"],
        b"",
    );
    assert!(squeezed(&unknown).contains("something to report is not known"), "{unknown:?}");
    let same = with_input(&["explain", "g", "--base", "http://a/", "-e", "crate:url"], b"");
    ends(&same, 0, "crate:url does not differ from rfc3986");
    let other = with_input(&[&arguments[..], &["--bug-report", "crate:oxiri"]].concat(), b"");
    ends(&other, 64, "crate:oxiri is not one of the engines");
}

#[test]
fn a_version_without_an_answer_names_the_command_that_installs_it() {
    let explained = |engine: &str| {
        let output = with_input(&["explain", "../zz", "--base", "http://a/qq/c", "-e", engine], b"");
        assert_eq!(output.status.code(), Some(0));
        squeezed(&output)
    };
    let sentence = "libwget 1.99.1: this pair is not recorded, and the engine has no behaviour: \
                    urlstrata engine install libwget@1.99.1 --root FOLDER installs it";
    assert!(explained("libwget@1.99.1").contains(sentence), "{}", explained("libwget@1.99.1"));
    // A build of a distribution is not its version.
    assert!(
        explained("urllib@3.11.2")
            .contains("urllib 3.11.2 is not what its number says: the described build also has gh-")
    );
    // What others published cannot be installed.
    assert!(!explained("chrome-2014").contains("engine install"));
}

#[test]
fn a_shrunk_pair_has_the_cause_of_the_original() {
    let long = ["shrink", "--base", "http://example.org/login/x", "-e", "crate:url", "../%2e%2E/foo bar?x#y"];
    let output = with_input(&long, b"");
    ends(&output, 0, "because the target's path: ");
    let pair = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned();
    assert!(pair.len() < 40, "{pair}");
    ends(&with_input(&["shrink", "-e", "crate:url", "--base", "http://a/", "g"], b""), 0, "nothing to shrink");
    let endless = "a".repeat(20_000);
    ends(&with_input(&["shrink", "-e", "crate:url", &endless], b""), 65, "the limit is 16384");
}

#[test]
fn enumerate_groups_the_differences_of_two_engines_by_cause() {
    let output = with_input(&["enumerate", "--length", "3", "crate:url", "crate:oxiri", "--format", "json"], b"");
    ends(&output, 0, "\"against\": \"crate:oxiri\"");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&found["totals"]["cases"], &found["totals"]["unexplained"]), (&15_210.into(), &0.into()));
    let causes: Vec<_> = found["classes"].as_array().expect("a list").iter().map(|class| &class["cause"]).collect();
    let names_steps =
        |cause: &&&serde_json::Value| cause.as_str().is_some_and(|cause| cause.contains(" | path start 1.2"));
    assert!(causes.iter().any(|cause| names_steps(&cause)), "{causes:?}");
    let output = with_input(&["enumerate", "--length", "3", "crate:url", "whatwg"], b"");
    ends(&output, 0, "15210 agree, 0 explained, 0 unexplained");
    ends(&with_input(&["enumerate", "--length", "2", "crate:url", "ref:rfc1738"], b""), 64, "does not define how");
}

#[test]
fn compare_counts_equal_and_different_pairs() {
    let compare = |arguments: &[&str]| with_input(&[&["compare"], arguments].concat(), b"");
    let scope = ["--length", "3", "--base", "http://a.com/"];
    ends(&compare(&[&["fast:rfc3986", "ref:rfc3986"], &scope[..]].concat()), 0, "585 pairs, 585 equal, 0 different");
    let output = compare(&[&["fast:rfc1808", "rfc3986"], &scope[..]].concat());
    ends(&output, 1, " × path: ");
    ends(&output, 1, "scheme  host   port  result");
    let json = compare(&[&["fast:rfc1808", "rfc3986", "--format", "json"], &scope[..]].concat());
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let [pairs, equal, different] = ["pairs", "equal", "different"].map(|key| found[key].as_u64().expect("a count"));
    assert_eq!((pairs, equal + different), (585, 585));
    let classes = found["classes"].as_array().expect("a list");
    let example = &classes.iter().find(|class| class["effect"] == "path").expect("a path")["examples"][0];
    assert_eq!(example["one"]["location"]["host"], "a.com");
    assert!(example["other"]["url"].is_string(), "{example}");
    ends(
        &compare(&["fast:rfc1808", "rfc1738"]),
        64,
        "RFC 1738 resolves nothing: relative references are out of its scope; `urlstrata parse` reads a URL by it",
    );
    ends(&compare(&[&["fast:rfc1808", "whatwg-2018-06"], &scope[..]].concat()), 1, " × path: ");
}

#[test]
fn compare_only_counts_divergences_with_the_selected_effect() {
    let pairs = b"http://a/b\t///evil.com\nhttp://a/b\t?\n";
    let compare =
        |only: &str| with_input(&["compare", "fast:rfc1808", "fast:rfc3986", "--pairs", "-", "--only", only], pairs);
    let output = compare("host");
    ends(&output, 1, "1 × host: empty_authority=Missing");
    ends(&output, 1, "fast:rfc3986 ");
    ends(&output, 1, "2 pairs, 0 equal, 1 different, 0 of them without a cause");
    ends(&compare("query"), 1, "1 × query: empty_query=Dropped");
    ends(&compare("port"), 0, "0 different");
    ends(&compare("hosts"), 64, "there are host, scheme, port, credentials, path, query, fragment, spelling, accepted");
}

#[test]
fn an_engine_name_can_change_a_setting() {
    let pairs = b"http://a/b\thttp://c/./d\nhttp://a/b\tg\n";
    let run = |engine: &str| with_input(&["run", "--pairs", "-", "-r", "rfc3986", "-e", engine], pairs);
    let output = run("fast:rfc3986+dots_in_absolute=Kept");
    ends(&output, 0, "1 × dots_in_absolute=Kept [path]");
    ends(&output, 0, "2 comparisons: 1 agree, 1 explained, 0 unexplained");
    ends(&run("fast:rfc3986+nosuch=Kept"), 64, "no rule is called \"nosuch\": the nearest names are ");
    ends(&run("fast:rfc3986+excess=Bent"), 64, "the rule excess has no setting \"Bent\": it has Kept, Dropped");
    ends(&run("fast:rfc3986+excess"), 64, "write RULE=SETTING");
    ends(&run("fast:rfc9999+excess=Kept"), 64, "no engine is called \"fast:rfc9999\" whose rules can be changed");
}

#[test]
fn places_and_more_examples_are_shown_with_each_cause() {
    let pairs = b"http://a/b\t?x\tpage.html:7\nhttp://a/b\t?\tpage.html:9\nhttp://a/b/\t?\tother.html:1\nno place\tx\n";
    let arguments = ["run", "--pairs", "-", "--places", "-e", "fast:rfc1808", "-r", "rfc3986"];
    let output = with_input(&arguments, pairs);
    ends(&output, 65, "\"?\" on \"http://a/b\" (page.html:9)");
    ends(&output, 65, "standard input:4: no second tab");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("other.html"));
    let output = with_input(&[&arguments[..], &["--examples", "5"]].concat(), pairs);
    ends(&output, 65, "\"?\" on \"http://a/b/\" (other.html:1)");
    ends(&with_input(&["run", "--places"], b""), 64, "--pairs <FILE>");
}

#[test]
fn divergences_are_shown_with_their_pair_and_hidden_divergences_are_counted() {
    let run = |most: &str| with_input(&["run", "--only", "differs", "--max-fail", most, "-e", "crate:oxiri"], b"");
    let output = run("2");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.matches("\ndiffers ").count() + usize::from(text.starts_with("differs ")), 2, "{text}");
    ends(&output, 0, " more not shown: --max-fail ");
    ends(&output, 0, "\" on \"");
}

#[test]
fn explain_compares_engines_with_each_other_and_shows_their_hosts() {
    let arguments = ["explain", "///evil.com", "--base", "http://www.victim.com/login", "-e", "crate:oxiri"];
    let output = with_input(&[&arguments[..], &["-e", "fast:rfc1808"]].concat(), b"");
    let all = with_input(&[&arguments[..], &["-e", "fast:rfc1808", "--all"]].concat(), b"");
    for expected in ["  scheme   host             port\n", "  http     www.victim.com   80     rfc1808"] {
        ends(&all, 0, expected);
    }
    let cause = "fast:rfc1808: scheme, authority: if the reference has a net_loc, go to step 7; otherwise inherit the base's (RFC 1808 §4 step 3, June 1995)";
    for expected in ["crate:oxiri and fast:rfc1808 differ in the host", cause] {
        assert!(squeezed(&output).contains(expected) && squeezed(&all).contains(expected), "{expected}: {output:?}");
    }
    let json = with_input(&[&arguments[..], &["-e", "fast:rfc1808", "--format", "json"]].concat(), b"");
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(found["between"][0]["divergence"]["effect"], "host");
    assert_eq!(found["between"][0]["divergence"]["cause"], "what the base gives: 3 | resolve: authority_end");
    let hosts: Vec<_> = found["groups"].as_array().expect("a list").iter().map(|it| &it["location"]["host"]).collect();
    assert!(hosts.contains(&&"www.victim.com".into()), "{hosts:?}");
    let same = with_input(&["explain", "g", "--base", "http://a/b"], b"");
    assert!(!String::from_utf8_lossy(&same.stdout).contains("scheme   host"), "equal hosts are not shown");
}

#[test]
fn an_engine_that_follows_the_url_standard_has_nothing_to_report() {
    let program = format!("cmd:{} engine serve fast:rfc3986", env!("CARGO_BIN_EXE_urlstrata"));
    let report = |reference: &str| {
        with_input(&["explain", reference, "--base", "http://a/b", "-e", &program, "--bug-report", &program], b"")
    };
    ends(&report("g"), 0, "has the result of rfc3986: nothing to report");
    ends(&report("///x"), 0, "nothing to report");
}

#[test]
fn a_run_over_the_vectors_has_no_unexplained_divergences() {
    let output = with_input(&["run"], b"");
    assert_ne!(
        output.status.code(),
        Some(2),
        "vectors/known/ is stale: run `cargo run --release -- known update` and review the changes, then \
         `cargo run --release -- report`"
    );
    ends(&output, 0, " 0 unexplained\n");
    let output = with_input(&["run", "--only", "differs", "-k", "history/wpt/*", "-e", "crate:url"], b"");
    ends(&output, 0, "changed by URL Standard b087fe2 of 2017-01-31: ");
}

#[test]
fn a_fitted_behaviour_is_printed() {
    let output = with_input(&["profile", "fast:rfc1808", "--random", "1000"], b"");
    for expected in [
        "fast:rfc1808 ",
        ": nearest specification draft-1996, found by ",
        "100%  of 1,000 random pairs predicted (0 missed)",
        "hierarchical base",
        "    What happens to a `..` segment if no segment is left to remove? ",
    ] {
        ends(&output, 0, expected);
    }
    ends(&with_input(&["profile", "crate:nosuch"], b""), 64, "no engine is called");
    ends(&with_input(&["known", "check", "ref:rfc1808"], b""), 65, "nothing is known of it");
}

#[test]
fn an_engine_that_resolves_nothing_has_no_behaviour() {
    let folder = Folder::new();
    let known = folder.path().to_str().expect("UTF-8");
    let output = with_input(&["known", "update", "recorded:express", "--out", known], b"");
    ends(&output, 69, "no behaviour describes express: it does not resolve references");
}

#[test]
fn the_recorded_behaviour_of_an_engine_is_measured_on_its_recorded_answers() {
    let output = with_input(&["profile", "recorded:mono-system-uri", "--recorded"], b"");
    for expected in ["of 4,831 held-out pairs of the panel predicted (", "\" on \"http:"] {
        ends(&output, 0, expected);
    }
    assert!(!String::from_utf8_lossy(&output.stdout).contains("random pairs"), "random pairs are not recorded");
    // An engine with steps has no behaviour.
    let output = with_input(&["profile", "recorded:urllib", "--recorded"], b"");
    ends(&output, 64, "is predicted by the steps of its source: see its steps with urlstrata engine steps urllib@");
    ends(&with_input(&["profile", "recorded:urllib"], b""), 64, "or see its steps with urlstrata engine steps urllib@");
}

#[test]
fn a_behaviour_is_measured_on_given_pairs_and_written_for_other_commands() {
    let folder = Folder::new();
    let known = folder.path().to_str().expect("UTF-8");
    let profile = |engine: &str, input: &[u8]| {
        let arguments = ["profile", engine, "--random", "200", "--pairs", "-", "--out", known, "--format", "json"];
        with_input(&arguments, input)
    };
    let output = profile("fast:rfc1808", b"http://a/b\tg\nhttp://a/b\tg\nhttp://a/b\t?y\nbad line\n");
    ends(&output, 65, "standard input:4: no tab");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&found["reliable"], &found["nearest"]), (&true.into(), &"draft-1996".into()));
    let given = found["rates"].as_array().expect("a list").last().expect("a rate");
    assert_eq!((&given["pairs"], &given["asked"], &given["predicted"]), (&"given pairs".into(), &2.into(), &2.into()));

    let output = with_input(
        &["--known", known, "resolve", "../../x", "--base", "http://a/b", "--as", "predicted:fast:rfc1808"],
        b"",
    );
    ends(&output, 0, "http://a/../../x");
    let broken = folder.file("broken.behaviour.yaml", "engine: \"x\"\n");
    let output = with_input(&["--known", known, "engine", "list"], b"");
    ends(&output, 65, broken.to_str().expect("UTF-8"));
}

#[test]
fn every_form_of_the_optimized_engine_agrees_with_the_reference_implementations() {
    let output = with_input(&["enumerate", "--agree", "--length", "2"], b"");
    ends(&output, 0, "57 references, 1482 pairs");
    ends(&output, 0, " 0 disagreements with a reference");
    ends(&output, 0, "portable, batch");
    ends(&with_input(&["enumerate", "--agree", "ref:rfc1808", "ref:rfc3986"], b""), 64, "cannot be used with");
}

#[test]
fn resolve_streams_pairs_through_an_engine() {
    let stream = |engine, input: &[u8]| with_input(&["resolve", "--as", engine, "--pairs", "-"], input);
    let output = stream("fast:rfc3986", b"http://a/b\t../c\nhttp://a/b\td\n");
    ends(&output, 0, "http://a/c\nhttp://a/d\n");
    let output = stream("crate:url", b"http://a/b\t../c\nno pair\nhttp://a/b\td\n");
    ends(&output, 65, "standard input:2: no tab: a line is a base, a tab and a reference: the line is skipped");
    ends(&output, 65, "http://a/c\nskipped: no tab: a line is a base, a tab and a reference\nhttp://a/d\n");
    ends(&with_input(&["resolve", "--as", "fast:rfc3986", "--pairs", "/nowhere"], b""), 65, "/nowhere: cannot be read");
    ends(&with_input(&["resolve", "--as", "fast:rfc3986", "--pairs", "-", "x"], b""), 64, "cannot be used with");
}

#[test]
fn validate_marks_the_first_character_that_does_not_match() {
    let one = urlstrata(&["validate", "--as", "rfc1738", "http://h/a b"]).output().expect("it runs");
    ends(
        &one,
        65,
        "httpurl (RFC 1738 §5): not matched: unexpected \" \" (U+0020) at byte 10\n\n  http://h/a b\n            ^\n  expected one of:\n",
    );
    ends(&one, 65, "  the text before byte 10 is itself a valid httpurl\n");
    let member =
        urlstrata(&["validate", "--as", "rfc3986", "//[::1]/é".trim_end_matches('é')]).output().expect("it runs");
    ends(&member, 0, "IPv6address  ::1\n");
    let every = urlstrata(&["validate", "?y"]).output().expect("it runs");
    ends(&every, 65, "URI-reference (RFC 2396 Appendix A): not matched: unexpected \"?\" (U+003F) at byte 0\n");
    ends(&every, 65, "URI-reference (RFC 3986 Appendix A): matched\n");
    let base = urlstrata(&["validate", "--as", "rfc3986", "--base", "a:b#c"]).output().expect("it runs");
    ends(&base, 65, "absolute-URI (RFC 3986 Appendix A): not matched: unexpected \"#\" (U+0023) at byte 3\n");
}

#[test]
fn validate_reads_urls_from_standard_input() {
    let output = with_input(&["validate", "--as", "rfc1808"], b"a\n\xff\nb c\n");
    ends(
        &output,
        65,
        "URL (RFC 1808 §2.2): matched\nURL (RFC 1808 §2.2): not matched: unexpected \" \" (U+0020) at byte 1\n",
    );
    ends(&output, 65, "standard input:2: not UTF-8");
    let output = with_input(&["validate", "--as", "rfc1808", "--format", "json"], b"a b\n");
    ends(&output, 65, r#""matched":false,"parts":[],"mismatch":1,"found":" ""#);
}

#[test]
fn validate_exits_with_65_if_any_line_does_not_match() {
    let validate = |input: &[u8]| with_input(&["validate", "--as", "rfc1808"], input);
    ends(&validate(b"a\nb\n"), 0, "");
    ends(&validate(b"a b\na\n"), 65, "");
    ends(&validate(b"a\na b\n"), 65, "");
    ends(&validate(b""), 0, "");
    let help = urlstrata(&["validate", "--help"]).output().expect("it runs");
    ends(&help, 0, "65  a URL does not match, or a line is not UTF-8");
}

#[test]
fn validate_lists_the_available_grammars_and_rejects_unknown_productions() {
    let output = urlstrata(&["validate", "--as", "rfc1630", "x"]).output().expect("it runs");
    ends(&output, 64, "the grammar of RFC 1630 is not included; the grammars of these are: rfc1738, rfc1808");
    let output = urlstrata(&["validate", "--as", "rfc1738", "--production", "paths", "x"]).output().expect("it runs");
    ends(&output, 64, "RFC 1738 has no production \"paths\"");
}

#[test]
fn history_counts_each_difference_between_revisions() {
    let pairs = b"http://a/b?x\t?y\nhttp://a/b?x\t#\nhttp://a/b?x\tg\nhttp://a/b?x\t../../g\n";
    let output = with_input(&["run", "--pairs", "-", "--history"], pairs);
    ends(&output, 0, "draft-1996 -> rfc2396: 2 of 4 differ\n          1  25.0000%  query_only=KeepsLastSegment\n");
    ends(&output, 0, "rfc2396 -> rfc3986: 2 of 4 differ\n");
    ends(&with_input(&["run", "--history"], b""), 64, "--pairs <FILE>");
}

#[test]
fn explain_lists_the_grammars_that_do_not_match_the_reference() {
    let output = urlstrata(&["explain", "?y#a b", "--base", "http://a/b"]).output().expect("it runs");
    for expected in [
        "not matched by the grammar of rfc1808, draft-1996, rfc3986: a space, at byte 4 ",
        "not matched by the grammar of rfc2396: `?`, at byte 0 ",
    ] {
        assert!(squeezed(&output).contains(expected), "{expected}: {output:?}");
    }
    let output = urlstrata(&["explain", "g", "--base", "http://a/b"]).output().expect("it runs");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("by the grammar"));
}

#[test]
fn parse_prints_the_fields_of_a_scheme_and_the_actions_of_a_client() {
    let parse = |arguments: &[&str]| with_input(&[&["parse", "--as", "rfc1738"], arguments].concat(), b"");
    let output = parse(&["ftp://myname@host.dom/%2Fetc/motd", "--trace"]);
    for expected in [
        "url-path              \"%2Fetc/motd\"",
        "as ftp (RFC 1738 §3.2):",
        "port      absent, so 21",
        "cwd       \"%2Fetc\" = \"/etc\"",
        "send \"CWD /etc\"",
        "3.2.2 cwd ",
    ] {
        ends(&output, 0, expected);
    }
    ends(&parse(&["telnet://host/x"]), 65, "as telnet: rejected: text after the last slash");
    ends(&parse(&["x"]), 65, "rejected: no scheme");
    ends(&parse(&["nntp://host/a"]), 65, "the grammar's nntpurl derives it\n  r1738-nntp-number: ");
    ends(&parse(&["gopher://h"]), 0, "gophertype      absent, so 1");
    ends(&parse(&["wais://h/d;x?s=1"]), 0, "stops at byte 10\n  r1738-wais-reserved: ");
    ends(&parse(&["wais://h/d/t/p?"]), 0, "r1738-wais-rest: ");
    ends(&parse(&["prospero://h/a;b=c/d"]), 0, "r1738-prospero-slash: ");
    ends(&parse(&["prospero://h/a;b=c=d"]), 0, "r1738-prospero-equals: ");
    ends(&parse(&["gopher://host:25/1%09a%0AHELO"]), 0, "caution: port 25 is not the scheme's port 70");
    ends(
        &parse(&["http://HOST:80", "--against", "crate:url"]),
        0,
        "port: 80 here, absent there\n    default_port=Dropped: ",
    );
    ends(&parse(&["http://host/", "--against", "crate:url"]), 0, "crate:url has every field alike");
    ends(&parse(&["http://host/", "--against", "crate:oxiri"]), 64, "crate:oxiri cannot be compared with rfc1738");
    ends(
        &with_input(&["parse", "--as", "rfc1808", "http:a", "--against", "crate:url"], b""),
        64,
        "compared with rfc1808",
    );
}

#[test]
fn characters_prints_the_classes_of_each_specification() {
    let output = with_input(&["characters", "+", "~"], b"");
    for expected in ["unreserved: safe", "Draft 1996", "sub-delims", "http://a/%2B", "reserved (reserved)"] {
        ends(&output, 0, expected);
    }
    ends(&with_input(&["characters", "%5E"], b""), 0, "http://a/%5E");
    ends(&with_input(&["characters", "a"], b""), 0, "nothing moved");
    ends(&with_input(&["characters", "--as", "rfc1738"], b""), 0, "ftp directory or name");
    ends(&with_input(&["characters", "--as", "appendix-b-1994"], b""), 64, "has no classes of characters");
    ends(&with_input(&["characters", "é"], b""), 64, "is not in US-ASCII");
    ends(&with_input(&["characters", "ab"], b""), 64, "neither one character nor a code point");
}

#[test]
fn parse_shows_what_a_specification_states_about_the_scheme() {
    let parse = |id: &str, url: &str| with_input(&["parse", "--as", id, url], b"");
    ends(&parse("rfc1808", "news:*"), 0, "\nrelative URLs: never (RFC 1808 \u{a7}2.3)\n");
    ends(&parse("appendix-b-1994", "wais://h/d"), 0, "\nrelative URLs: never (Appendix B 1994, introduction)\n");
    let output = parse("draft-1996", "x-foo://@h:25/");
    ends(&output, 0, "user      \"\"\npassword  absent\nhost      \"h\"\nport      \"25\"\n");
    ends(&output, 0, "\nregistration: experimental (Draft 1996 \u{a7}6)\n\ncaution: port 25 may not be");
}

/// A server with a host that has a colon is no login, and an authority of which RFC 2396 has no server is a name.
#[test]
fn parse_states_that_the_grammar_has_no_host() {
    let parse = |id: &str, url: &str| {
        let output = with_input(&["parse", "--as", id, url], b"");
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().find(|line| line.starts_with("the grammar")).unwrap_or_default().to_owned()
    };
    let no_login =
        "the grammar does not derive the server as login: it has no user, password, host and port (Draft 1996 \u{a7}4)";
    let no_server = "the grammar derives the authority as reg_name, and not as server: it has no user, host and port \
                     (RFC 2396 \u{a7}3.2.1)";
    for (url, draft, rfc2396) in [
        ("http://a:b@c:80:90/", no_login, no_server),
        ("http://a_b/", no_login, no_server),
        ("http://a:b@c:80/", "", ""),
        ("x:///a", "", ""),
        ("x:a", "", ""),
    ] {
        assert_eq!(parse("draft-1996", url), draft, "{url}");
        assert_eq!(parse("rfc2396", url), rfc2396, "{url}");
    }
}

#[test]
fn resolve_shows_the_steps_of_a_specification() {
    let resolve = |arguments: &[&str]| with_input(&[&["resolve", "--trace", "--as"], arguments].concat(), b"");
    let output = resolve(&["rfc1808", "--base", "http://a/b/c", "../g"]);
    let step = "3: if the reference has a net_loc, go to step 7; otherwise inherit the base's \
                before scheme=http path=../g after scheme=http net_loc=//a path=../g ";
    assert!(squeezed(&output).contains(step), "{output:?}");
    // A step that changes nothing has no values, and one that decides has a mark.
    let step = ". 6a: remove each . segment before a slash, together with that slash ";
    let text = squeezed(&output);
    assert!(text.split(step).nth(1).is_some_and(|rest| !rest.starts_with("before")), "{text}");
    let decides = |label: &str| {
        text.contains(&format!(". {label}: "))
            && Regex::new(&format!(r"> ?\d+\. {label}: ")).expect("a regular expression").is_match(&text)
    };
    assert!(decides("6c") && !decides("6a"), "{text}");
    ends(&output, 0, "result http://a/g\n");
    ends(&resolve(&["ref:appendix-b-1994", "--base", "s://h/m/n/o", "../k"]), 0, "3d2 result: ");
    assert!(
        squeezed(&resolve(&["draft-1996", "--base", "s://h/m/n/o", "../k"]))
            .contains("after scheme=s server=//h path=../k")
    );
    let slots = resolve(&["crate:url", "--base", "http://a/b/c", "../g"]);
    ends(&slots, 0, "the reference's path");
    ends(&slots, 0, "http://a/g\n");
    ends(&resolve(&["htmlcxx", "g"]), 64, "the steps of htmlcxx are not known");
}

/// An engine whose behaviour cannot be read is an error with file and line, and never an engine that is not there.
#[test]
fn a_behaviour_that_cannot_be_read_is_an_error() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for (name, text, line) in [
        ("syntax", "engine: [", 1),
        ("missing", "engine: \"x\"\n", 1),
        ("unknown", "engine: \"x\"\nno_such_key: 1\n", 2),
    ] {
        folder.file(&format!("{name}/x.behaviour.yaml"), text);
        let file = folder.path().join(name).join("x.behaviour.yaml");
        let sentence = format!("{}:{line}: ", file.to_string_lossy());
        for command in [
            &["explain", "g", "--base", "http://a/", "-e", "urllib"][..],
            &["compare", "urllib", "crate:url"],
            &["run", "-e", "urllib"],
            &["hosts", "http://a/"],
            &["confuse", "urllib", "requests"],
            &["resolve", "g", "--base", "http://a/", "--as", "urllib"],
            &["engine", "list"],
            &["known", "check"],
        ] {
            ends(&with_input(&[&["--known", &path(name)], command].concat(), b""), 65, &sentence);
        }
    }
    // The same for the newest behaviour in an engine's folder.
    let engine = "language = \"x\"\nlineage = \"x\"\nnative = \"x\"\n[[version]]\nversion = \"1\"\nunavailable = \"it is made up\"\n";
    folder.file("engines/made/engine.toml", engine);
    folder.file("engines/panel.tsv", "http://a/b\tg\n");
    folder.file("engines/made/1.behaviour.yaml", "engine: [");
    for command in [
        &["resolve", "g", "--base", "http://a/", "--as", "predicted:made"][..],
        &["explain", "g", "--base", "http://a/", "-e", "predicted:made"],
    ] {
        let output = with_input(&[&["--engine-folders", &path("engines")], command].concat(), b"");
        ends(&output, 65, "1.behaviour.yaml:1: ");
    }
}

/// Of a program of which only results are known, it is said which specifications have a result, and nothing else.
#[test]
fn a_program_of_which_nothing_is_known_is_observed() {
    let program = format!("own=cmd:{} engine serve urllib", env!("CARGO_BIN_EXE_urlstrata"));
    let pairs = b"HTTP://a%41\tA\nhttp://a\t//256\nhttp://a/b/c\t.\nhttp://a/b/c/d\t../../../g\nhttp:\t\n";
    let output = with_input(&["compare", &program, "crate:url", "--pairs", "-"], pairs);
    for expected in [
        "1 × host: not known\n  \"A\" on \"HTTP://a%41\"",
        "    observed: no specification has the result of own 3.14.10\n",
        "    observed: own 3.14.10 has the result of rfc1630, appendix-b-1994, rfc1808, draft-1996, rfc2396, rfc3986, rfc3986-nonstrict\n",
        "Only results of own 3.14.10 are known: --fit fits a behaviour to them, and `urlstrata profile` describes it\n",
    ] {
        ends(&output, 1, expected);
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.matches("are known: --fit").count(), 1, "{text}");
    assert!(!text.contains("unexplained"), "{text}");
    let run = with_input(&["run", "-k", "found/threads/*", "-e", &program, "--max-fail", "1000"], b"");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let differing = text.matches("differs found/threads").count();
    assert!(differing > 0 && text.matches("        observed: ").count() == differing, "{text}");
    assert!(text.matches("not known").count() <= differing && !text.contains("unexplained:"), "{text}");
    assert_eq!(text.matches("are known: --fit").count(), 1, "{text}");
    let run =
        with_input(&["run", "--pairs", "-", "-e", &program], b"HTTP://a%41\tA\nhttp://a/b\t///c\nhttp://a/b\td\n");
    for expected in [
        "        observed: no specification has the result of own\n",
        "        observed: own has the result of rfc1808, draft-1996\n",
        "Only results of own are known: --fit fits a behaviour to them, and `urlstrata profile` describes it\n",
    ] {
        ends(&run, 1, expected);
    }
    // Of a library with steps, more is known.
    for command in [&["compare", "urllib", "crate:url"][..], &["run", "-e", "urllib"]] {
        let known = with_input(&[command, &["--pairs", "-"]].concat(), pairs);
        let text = String::from_utf8_lossy(&known.stdout).into_owned();
        assert!(!text.contains("observed") && !text.contains("--fit"), "{text}");
    }
}

/// A text that a library cannot be given has no result, so that there is nothing to explain. Texts with a result are compared nevertheless.
#[test]
fn texts_that_cannot_be_given_are_counted_apart() {
    let pairs = b"http://a/b\tx\0y\nhttp://a/b\tg\n";
    let program = format!("own=cmd:{} engine serve libcurl", env!("CARGO_BIN_EXE_urlstrata"));
    let name = "not answered: the text cannot be given to the library, or its result is not text";
    for engine in ["libcurl", &program] {
        let run = with_input(&["run", "--pairs", "-", "-e", engine], pairs);
        ends(&run, 0, "2 comparisons: 1 agree, 0 explained, 0 unexplained, 1 not answered\n");
        ends(&run, 0, &format!("\n  1 × {name} [accepted or rejected]\n"));
        let compared = with_input(&["compare", engine, "crate:url", "--pairs", "-"], pairs);
        ends(&compared, 0, "2 pairs, 1 equal, 0 different; 1 not answered by both\n");
        ends(&compared, 0, &format!("1 × accepted or rejected: {name}\n"));
    }
    // Two that cannot be given a text do not agree on it, and without any answer nothing is known.
    let alike = with_input(&["compare", "libcurl", "libcurl-path-as-is", "--pairs", "-"], pairs);
    ends(&alike, 0, "2 pairs, 1 equal, 0 different; 1 not answered by both\n");
    let silent = b"http://a/b\tx\0y\n";
    for command in [&["compare", "libcurl", "libcurl-path-as-is"][..], &["run", "-e", "libcurl"]] {
        ends(&with_input(&[command, &["--pairs", "-"]].concat(), silent), 69, "not all was answered");
    }
}

/// An engine is compared with a specification, whichever of them is named first, and the change between specifications is printed both times.
#[test]
fn an_engine_and_a_specification_are_compared_in_either_order() {
    let compare = |one: &str, other: &str| with_input(&["compare", one, other, "--pairs", "-"], b"foo:/p\t g\n");
    let [first, second] = [compare("url-toolkit", "rfc1808"), compare("rfc1808", "url-toolkit")];
    ends(&first, 1, "as first in URL Standard §4.2 basic 1.2, 15 December 2014 or earlier\n");
    assert_eq!(first.stdout, second.stdout);
}

/// What a class of divergences states holds for all of its pairs: those for which something else is done to characters are another class.
#[test]
fn a_class_of_characters_states_what_holds_for_all() {
    let pairs = "http://a/b\t?a>b\nhttp://a/b\t?a}b\nhttp://a/b\t?a`b\n";
    let output = with_input(&["run", "--pairs", "-", "-e", "jena", "--examples", "2"], pairs.as_bytes());
    ends(&output, 0, "  3 × characters of the query: Keeps | Rejects [accepted or rejected]\n");
    ends(&output, 0, "What happens to such characters of the query? Those of the smallest pair are named.\n");
    let one = with_input(&["run", "--pairs", "-", "-e", "jena"], b"http://a/b\t?a>b\n");
    ends(&one, 0, "What happens to these characters of the query?\n");
}

/// A report that names an erratum does not blame an engine for it, and what is not reported has its own reason.
#[test]
fn bug_reports_mark_errata_and_shrink_says_why_there_is_none() {
    let asked = |reference: &str, base: &str| {
        let arguments = ["shrink", reference, "--base", base, "-e", "urllib", "-r", "rfc2396", "--bug-report"];
        with_input(&arguments, b"")
    };
    ends(&asked("../../../g", "http://a/b/c"), 0, " has a result that rfc2396 permits: nothing to report\n");
    ends(&asked("g", "http://a/b/c"), 0, " has the result of rfc2396: nothing to report\n");
    let report = asked("g", "http://a");
    ends(&report, 0, "\n**Erratum** `r2396-bare-host` of RFC 2396: ");
    assert!(!String::from_utf8_lossy(&asked("//h/../g", "http://a/b").stdout).contains("Erratum"));
}
