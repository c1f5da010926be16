//! Lists the YAML files of the package, so that a new file needs no entry anywhere.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=.");
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = Vec::new();
    for folder in ["found", "history", "known", "spec", "steps", "witness"] {
        collect(&package.join(folder), &mut files)?;
    }
    files.sort();
    let entries = files.iter().map(|file| {
        let path = file.strip_prefix(&package).unwrap_or(file).to_string_lossy().replace('\\', "/");
        format!("    File {{ path: {path:?}, text: include_str!({file:?}) }},\n")
    });
    let list = format!("&[\n{}]\n", entries.collect::<String>());
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("files.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    Ok(())
}
