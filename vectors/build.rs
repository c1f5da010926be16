//! Packs the files of the package, so that a new file needs no entry anywhere and programs stay small.
//!
//! Files of the same kind are compressed together, because they resemble each other, and are unpacked when one of them is needed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The kinds of files: a name, and the files and folders in the package.
const KINDS: [(&str, &[&str]); 4] = [
    ("VECTORS", &["adequate", "found", "history", "spec", "steps", "witness"]),
    ("KNOWN", &["known"]),
    ("LINKS", &["links/documentation.tsv"]),
    ("ADVISORIES", &["advisories/advisories.yaml"]),
];

/// The level of compression that makes the text smallest.
const LEVEL: u8 = 10;

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=.");
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut code = String::new();
    for (name, places) in KINDS {
        let mut files = Vec::new();
        for place in places {
            collect(&package.join(place), &mut files)?;
        }
        files.sort();
        let (mut text, mut entries) = (String::new(), String::new());
        for file in files {
            let path = file.strip_prefix(&package).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            text += &fs::read_to_string(&file)?;
            let _ = writeln!(entries, "    ({path:?}, {}),", text.len());
        }
        let packed = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), LEVEL);
        fs::write(out.join(name), packed)?;
        let _ = writeln!(code, "static {name}: Kind = Kind::new(include_bytes!({name:?}), &[\n{entries}]);");
    }
    fs::write(out.join("files.rs"), code)
}

/// Adds `path`, or the YAML files in the folder.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "yaml") {
            collect(&path, files)?;
        }
    }
    Ok(())
}
