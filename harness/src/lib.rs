//! The differential conformance harness: vectors, engines, judgement, attribution and reports.
//!
//! It sees `urlstrata`'s public side only. Arrows point down: `report` uses `judge` and `known`, these use `attribute`,
//! `attribute` uses `profile`, and all of them use `rewrite`, `engine` and `vector`. `grammar`, `scheme`, `characters`,
//! `context` and `document` say what a document holds beside resolving, and whether vectors expect that; `validity` puts
//! grammars beside engines. `compare` is what two engines differ in; `location` is where a URL leads,
//! `bases` which class a base has and which of two pairs is the better example, `plural` a count with its noun.
//!
//! No engine is asked to explain itself: `rewrite` predicts without one, by `tests/rewrites.rs`. What is known of engines is
//! what a fit says, by `tests/profile.rs`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub mod attribute;
pub mod bases;
pub mod bug_report;
pub mod characters;
pub mod compare;
pub mod context;
pub mod coverage;
pub mod document;
pub mod engine;
pub mod enumerate;
pub mod forms;
pub mod frequency;
pub mod generate;
pub mod grammar;
pub mod judge;
pub mod known;
pub mod location;
pub mod pairs;
pub mod plural;
pub mod profile;
pub mod protocol;
pub mod report;
pub mod rewrite;
pub mod scheme;
pub mod shrink;
pub mod stream;
pub mod validity;
pub mod vector;
pub mod witness;
pub mod wpt;

/// Writes `text` beside `path` and renames it into place, so that what was there stays whole until then.
///
/// # Errors
///
/// If the folder cannot be written; what was at `path` is then as it was.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    write_all(&[(path.to_owned(), text)]).map_err(|(_, error)| error)
}

/// As [`write_whole`], for files that belong together: none is replaced before all are written.
///
/// # Errors
///
/// The first file that cannot be written.
pub fn write_all<T: AsRef<[u8]>>(files: &[(PathBuf, T)]) -> Result<(), (PathBuf, io::Error)> {
    let beside = |path: &Path| {
        let mut name = path.as_os_str().to_owned();
        name.push(".new");
        PathBuf::from(name)
    };
    let at = |path: &Path, error: io::Error| (path.to_owned(), error);
    let written = files.iter().try_for_each(|(path, text)| fs::write(beside(path), text).map_err(|e| at(path, e)));
    let placed = written
        .and_then(|()| files.iter().try_for_each(|(path, _)| fs::rename(beside(path), path).map_err(|e| at(path, e))));
    if placed.is_err() {
        for (path, _) in files {
            let _ = fs::remove_file(beside(path));
        }
    }
    placed
}

/// `text` with what a terminal would not show, or would act upon, in escapes; no more than its first 2,000 characters.
pub fn visible(text: &str) -> String {
    const LONGEST: usize = 2000;
    let mut shown = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == LONGEST {
            shown.push_str(&format!("… ({} bytes in all)", text.len()));
            break;
        }
        if is_invisible(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Controls, separators other than the space, marks of direction, joiners, private use and noncharacters.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || character != ' ' && character.is_whitespace()
        || matches!(character as u32,
            0xad | 0x34f | 0x61c | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180e | 0x200b..=0x200f | 0x202a..=0x202e
            | 0x2060..=0x206f | 0x3164 | 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xfe00..=0xfe0f | 0xfeff | 0xffa0
            | 0xfff0..=0xfffb | 0xe0000..=0x10_ffff)
        || character as u32 & 0xfffe == 0xfffe
}

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
