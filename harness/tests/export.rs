//! Each target is a program of `fuzz/`, and `fuzz export` writes what it is started with, the same each time, but nothing where what was
//! kept is broken.

mod folder;
mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use folder::Folder;
use program::{ends, with_input};
use urlstrata_harness::fuzz::TARGETS;
use urlstrata_harness::vector::Suite;

fn export(inputs: &Path, out: &Path) -> std::process::Output {
    with_input(&["fuzz", "export", "--inputs", &inputs.to_string_lossy(), "--out", &out.to_string_lossy()], b"")
}

/// Every file below `folder`, by its path from there.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        if entry.is_dir() {
            found.extend(files(&entry).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, fs::read(&entry).expect("a file"));
        }
    }
    found
}

#[test]
fn every_target_has_its_seeds_what_was_kept_words_and_limits() {
    let folder = Folder::new("export");
    folder.file("inputs/agree.txt", "# kept\nabc\n\\x23\\x00\n");
    let out = folder.0.join("out");
    ends(&export(&folder.0.join("inputs"), &out), 0, "2 of them kept by campaigns");
    let written = files(&out);
    let suite = Suite::embedded().expect("vectors");
    for target in TARGETS {
        let prefix = format!("{}/", target.name);
        let inputs: Vec<_> = written.iter().filter(|(path, _)| path.starts_with(&prefix)).map(|(_, it)| it).collect();
        let kept: &[&[u8]] = if target.name == "agree" { &[b"abc", b"#\0"] } else { &[] };
        assert!(target.seeds(&suite).iter().all(|seed| inputs.contains(&seed)), "{}", target.name);
        assert!(kept.iter().all(|input| inputs.iter().any(|it| it == input)), "{}", target.name);
        assert_eq!(inputs.len(), target.seeds(&suite).len() + kept.len(), "{}", target.name);
        assert!(written.contains_key(&format!("{}.dict", target.name)));
        assert!(written[&format!("{}.options", target.name)].starts_with(b"[libfuzzer]\n"));
    }
    let again = folder.0.join("again");
    ends(&export(&folder.0.join("inputs"), &again), 0, "");
    assert_eq!(files(&again), written);
}

#[test]
fn the_programs_are_the_targets() {
    let manifest = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/Cargo.toml")).expect("a manifest");
    let paths = manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\""));
    let mut programs: Vec<_> = paths.collect();
    let mut targets: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
    programs.sort_unstable();
    targets.sort_unstable();
    assert_eq!(programs, targets);
}

#[test]
fn a_broken_file_is_named_with_its_line_and_nothing_is_written() {
    let folder = Folder::new("export-broken");
    folder.file("inputs/agree.txt", "# kept\nabc\n\\q\n");
    let out = folder.0.join("out");
    ends(&export(&folder.0.join("inputs"), &out), 65, "agree.txt: line 3: \"\\q\" begins with no escape: write ");
    assert!(!out.exists());
}

#[test]
fn a_target_that_is_not_there_is_told_with_those_that_are() {
    let output = with_input(&["fuzz", "export", "agre", "--out", "x"], b"");
    ends(&output, 64, "no fuzz target is called \"agre\": there are agree");
}
