//! The five commands of the README, its CI recipe and its shim work as described.
//!
//! They take longest, so their names come first: tests begin in the order of their names.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use urlstrata_harness::world::World;

use crate::folder::Folder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_urlstrata");

/// Returns the text of the README in `folder`, which is relative to the package.
fn readme(folder: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("README.md");
    fs::read_to_string(path).expect("the README is there")
}

/// Returns the first code block after `mark`, without its fences.
///
/// # Panics
///
/// Panics if there is no such block.
#[track_caller]
fn block<'a>(readme: &'a str, mark: &str) -> &'a str {
    let (_, rest) = readme.split_once(mark).unwrap_or_else(|| panic!("the README has no {mark:?}"));
    let (_, rest) = rest.split_once("```").expect("a block");
    let (_, code) = rest.split_once('\n').expect("a line");
    code.split_once("```").expect("an end").0
}

/// Returns the arguments of each command line in `block` that starts with `prompt`.
///
/// `shim` replaces the README's example of an engine that the reader provides.
fn commands(block: &str, prompt: &str, shim: &str) -> Vec<Vec<String>> {
    let lines = block.lines().filter_map(|line| line.trim().strip_prefix(prompt));
    let words = |line: &str| shlex::split(&line.replace("\"py=cmd:python3 shim.py\"", shim)).expect("words");
    lines.map(words).collect()
}

/// Runs the program in `folder` and returns its exit code and its output.
fn run(folder: &Path, words: &[String]) -> (i32, String) {
    let Output { status, stdout, stderr } =
        Command::new(PROGRAM).args(words).current_dir(folder).output().expect("the command runs");
    (status.code().expect("a code"), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

/// Asserts that the program exits with `code` and that its output contains `expected`.
#[track_caller]
fn ends(folder: &Path, words: &[String], code: i32, expected: &str) {
    let (found, text) = run(folder, words);
    assert!(
        found == code && text.contains(expected),
        "{words:?} ended with {found}, not {code} and {expected:?}:\n{text}"
    );
}

/// The exit code of each of the five commands and a part of its output, for a library that follows RFC 3986.
const EXPECTED: [(i32, &str); 5] = [
    (0, "12 of 12 plain pairs"),
    (0, "http:///evil.com"),
    (1, " × host: "),
    (0, "100%  of "),
    (0, "differences from rfc3986"),
];

#[test]
fn the_five_commands_and_the_ci_recipe_work_and_a_changed_library_is_found() {
    let readme = readme("../..");
    let folder = Folder::new();
    let shim = format!("\"oxiri=cmd:{PROGRAM} engine serve crate:oxiri\"");
    let five = commands(block(&readme, "<!-- test: five commands -->"), "$ urlstrata ", &shim);
    assert_eq!(five.len(), EXPECTED.len());
    for (words, (code, expected)) in five.iter().zip(EXPECTED) {
        ends(folder.path(), words, code, expected);
    }
    assert!(folder.path().join("known/oxiri.yaml").is_file(), "the file is named after the engine");

    let recipe = commands(block(&readme, "<!-- test: ci -->"), "- run: urlstrata ", &shim);
    let [check] = recipe.as_slice() else { panic!("one command: {recipe:?}") };
    ends(folder.path(), check, 0, " 0 findings");
    // The library changes: a different crate is run under the same engine name.
    if cfg!(unix) {
        let script = format!("{PROGRAM} engine serve crate:fluent-uri");
        let changed = format!("oxiri=cmd:sh -c {}", shlex::try_quote(&script).expect("no NUL"));
        let words: Vec<String> = check
            .iter()
            .map(|word| if word.starts_with("oxiri=cmd:") { changed.clone() } else { word.clone() })
            .collect();
        ends(folder.path(), &words, 1, "new: ");
    }
}

/// The number of questions that both READMEs state holds for every recorded behaviour.
#[test]
fn no_fit_asks_more_questions_than_the_readmes_state() {
    const MOST: usize = 200_000;
    for folder in ["../..", ".."] {
        assert!(readme(folder).contains("at most 200,000"), "{folder}");
    }
    let world = World::embedded().expect("files in order");
    for version in world.predicted_engines().expect("behaviours in order") {
        let Some(behaviour) = world.recorded_behaviour(&version.key()) else { continue };
        assert!(behaviour.questions <= MOST, "{}: {} questions", behaviour.key(), behaviour.questions);
    }
}

/// Runs the Python shim of the harness's README. Without `python3`, the test is skipped.
#[test]
fn the_shim_of_the_readme_passes_the_smoke_test() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3 to run the README's shim with");
        return;
    }
    let folder = Folder::new();
    folder.file("shim.py", block(&readme(".."), "Python's `urllib.parse`:"));
    let shim = "\"py=cmd:python3 shim.py\"";
    let readme = readme("../..");
    let five = commands(block(&readme, "<!-- test: five commands -->"), "$ urlstrata ", shim);
    ends(folder.path(), &five[0], 0, "12 of 12 plain pairs");
    ends(folder.path(), &five[1], 0, "py ");
    let compare = ["compare", "cmd:python3 shim.py", "cmd:python3 shim.py", "--length", "2"].map(str::to_owned);
    ends(folder.path(), &compare, 0, " 0 different");
}
