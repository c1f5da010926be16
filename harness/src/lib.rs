//! The differential conformance harness: vectors, engines, judgement, attribution and reports.
//!
//! It sees `urlstrata`'s public side only. Arrows point down: `report` uses `judge`, `judge` uses `attribute`,
//! and these use `engine` and `vector`.

use std::fs;
use std::io;
use std::path::Path;

pub mod attribute;
pub mod coverage;
pub mod engine;
pub mod enumerate;
pub mod generate;
pub mod judge;
pub mod pairs;
pub mod protocol;
pub mod report;
pub mod vector;
pub mod witness;
pub mod wpt;

/// Writes `text` beside `path` and renames it into place, so that what was there stays whole until then.
///
/// # Errors
///
/// If the folder cannot be written; what was at `path` is then as it was.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = Path::new(&beside);
    fs::write(beside, text).and_then(|()| fs::rename(beside, path)).inspect_err(|_| {
        let _ = fs::remove_file(beside);
    })
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
        if character.is_control() || character != ' ' && character.is_whitespace() || character == '\u{feff}' {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}
