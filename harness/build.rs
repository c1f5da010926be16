//! Sets an environment variable with the version of each crate that is an engine, and lists the files of the engine
//! folders, for use in the program.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The crates that are engines in this process.
const ENGINES: [&str; 5] = ["url", "iri-string", "fluent-uri", "oxiri", "ada-url"];

fn main() -> io::Result<()> {
    versions_of_crates();
    let folders = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("engines");
    println!("cargo:rerun-if-changed=engines");
    let mut files = Vec::new();
    collect(&folders, &mut files)?;
    files.sort();
    // Without the feature, nothing is part of the program.
    files.retain(|_| env::var_os("CARGO_FEATURE_RECORDINGS").is_some());
    let entries = files.iter().map(|file| {
        let path = file.strip_prefix(&folders).unwrap_or(file).to_string_lossy().replace('\\', "/");
        format!("    ({path:?}, include_str!({file:?})),\n")
    });
    let list = format!(
        "/// The path and the text of each file.\npub(super) const FILES: &[(&str, &str)] = &[\n{}];\n",
        entries.collect::<String>()
    );
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("engines.rs"), list)
}

/// Adds the files in `folder` and its subfolders to `files`.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// Sets the environment variables with the versions of crates, which the lock file states.
fn versions_of_crates() {
    // A packaged crate contains its own lock file. In the repository, the lock file is in the workspace's folder.
    let lock = ["Cargo.lock", "../Cargo.lock"].into_iter().find_map(|path| {
        let text = fs::read_to_string(path).ok()?;
        println!("cargo:rerun-if-changed={path}");
        Some(text)
    });
    println!("cargo:rerun-if-changed=build.rs");
    for engine in ENGINES {
        let mut packages = lock.as_deref().unwrap_or_default().split("[[package]]");
        let version = packages
            .find(|package| package.lines().any(|line| line == format!("name = \"{engine}\"")))
            .and_then(|package| package.lines().find_map(|line| line.strip_prefix("version = ")))
            .map_or("unknown", |version| version.trim_matches('"'));
        println!("cargo:rustc-env={}_VERSION={version}", engine.to_uppercase().replace('-', "_"));
    }
}
