//! The modules of each crate of the harness form layers: a module uses only modules that are below it in the table of
//! `lib.rs`. Between the crates, Cargo allows no circles. No test is in a library that is not tested.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the modules in the order of the table in `lib.rs`, from the highest to the lowest layer.
fn layers(lib: &str) -> Vec<&str> {
    let table = lib.lines().filter_map(|line| line.strip_prefix("//! | [`"));
    table
        .flat_map(|row| row.split(" | ").next().unwrap_or_default().split(", "))
        .map(|cell| cell.trim_matches(['[', '`', ']']))
        .collect()
}

/// Returns the modules that `text` uses outside its tests, with the line number of each use. `prefix` comes before their names.
fn uses(text: &str, prefix: &str) -> Vec<(usize, String)> {
    let own = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut found = Vec::new();
    for (index, line) in own.lines().enumerate() {
        for rest in line.split(prefix).skip(1) {
            let listed = rest.strip_prefix('{').map_or(vec![rest], |list| list.split(',').collect());
            let names =
                listed.into_iter().map(|name| name.trim().split(|c: char| c != '_' && !c.is_ascii_lowercase()).next());
            found.extend(names.flatten().filter(|name| !name.is_empty()).map(|name| (index + 1, name.to_owned())));
        }
    }
    found
}

/// Appends the paths of all files in `folder` and its subfolders to `found`.
fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        match entry.is_dir() {
            true => files_below(&entry, found),
            false => found.push(entry),
        }
    }
}

/// Returns the top-level module that contains the file at `path`, which is relative to the source folder.
fn module(path: &Path) -> String {
    let first = path.components().next().expect("a file").as_os_str();
    Path::new(first).with_extension("").to_string_lossy().into_owned()
}

/// The files whose tables list modules as layers, relative to the folder of the harness, with the folder of the modules and what
/// comes before their names.
const TABLES: [(&str, &str, &str); 4] = [
    ("src/lib.rs", "src", "crate::"),
    ("src/knowledge.rs", "src/knowledge", "crate::knowledge::"),
    ("model/src/lib.rs", "model/src", "crate::"),
    ("suite/src/lib.rs", "suite/src", "crate::"),
];

#[test]
fn a_module_uses_only_modules_below_it() {
    for (table, folder, prefix) in TABLES {
        let harness = Path::new(env!("CARGO_MANIFEST_DIR"));
        let source = harness.join(folder);
        let lib = fs::read_to_string(harness.join(table)).expect("a file");
        let layers = layers(&lib);
        let declared: BTreeSet<_> = lib
            .lines()
            .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
            .collect();
        let listed: BTreeSet<_> = layers.iter().copied().collect();
        assert_eq!(listed, declared, "the table in {table} lists each module once");
        let rank = |name: &str| layers.iter().position(|layer| *layer == name);
        let mut files = Vec::new();
        files_below(&source, &mut files);
        let mut upward = Vec::new();
        for file in files {
            let path = file.strip_prefix(&source).expect("below the sources");
            let Some(own) = rank(&module(path)) else { continue };
            for (line, used) in uses(&fs::read_to_string(&file).expect("a source file"), prefix) {
                if rank(&used).is_some_and(|used| used < own) {
                    upward.push(format!("{}:{line}: uses {used}, which is above it", path.display()));
                }
            }
        }
        assert_eq!(upward, Vec::<String>::new(), "see the table in {table}");
    }
}

/// Tests in a library with `test = false` are not run, unless they are files of a test program that contains the module.
#[test]
fn libraries_with_test_false_contain_no_tests() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the workspace");
    let manifest = |folder: &Path| -> toml::Table {
        let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        text.parse().expect("TOML")
    };
    let root = manifest(workspace);
    let mut untested = 0;
    for member in root["workspace"]["members"].as_array().expect("a list") {
        let folder = workspace.join(member.as_str().expect("a path"));
        if manifest(&folder).get("lib").and_then(|lib| lib.get("test")).and_then(toml::Value::as_bool) != Some(false) {
            continue;
        }
        let sources = folder.join("src");
        let mut files = Vec::new();
        if sources.is_dir() {
            untested += 1;
            files_below(&sources, &mut files);
        }
        for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "rs")) {
            let text = fs::read_to_string(file).expect("a source file");
            let elsewhere = text.replace("#[cfg(test)]\n#[path = \"../tests/", "");
            let has_tests = ["#[cfg(test)]", "#[test]"].iter().any(|attribute| elsewhere.contains(attribute));
            assert!(!has_tests, "{}: move the tests to the folder `tests`", file.display());
        }
    }
    assert!(untested > 0);
}
