//! Sets an environment variable with a digest of the sources on which results depend, so that results that were computed by other
//! sources are not used again.

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folders and files whose content decides about results, relative to the folder of the package. Those that a package of
/// its own does not have are left out; its version is part of the digest.
const SOURCES: [&str; 11] = [
    "src",
    "../src",
    "../steps/src",
    "../model/src",
    "../suite/src",
    "../outcome/src",
    "../document/src",
    "../../impl/src",
    "../../vectors/links",
    "../../vectors/known",
    "../../Cargo.lock",
];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut digest = DefaultHasher::new();
    digest.write(env::var("CARGO_PKG_VERSION").unwrap_or_default().as_bytes());
    for source in SOURCES {
        let path = package.join(source);
        if path.exists() {
            println!("cargo:rerun-if-changed={}", path.display());
            add(&path, &mut digest)?;
        }
    }
    // Of the engine folders, only the tables of steps: what a result depends on besides is among its inputs.
    let engines = package.join("../engines");
    if engines.is_dir() {
        println!("cargo:rerun-if-changed={}", engines.display());
        let folders = fs::read_dir(&engines)?.map(|entry| entry.map(|it| it.path())).collect::<io::Result<Vec<_>>>()?;
        let files = folders.iter().flat_map(|folder| ["steps.rs", "changes.rs"].map(|name| folder.join(name)));
        let mut tables: Vec<_> = files.filter(|path| path.is_file()).collect();
        tables.sort();
        tables.iter().try_for_each(|path| add(path, &mut digest))?;
    }
    println!("cargo:rustc-env=SOURCES_DIGEST={:016x}", digest.finish());
    Ok(())
}

/// Adds the file at `path`, or all files below it. Templates and styles only decide how results are shown.
fn add(path: &Path, digest: &mut DefaultHasher) -> io::Result<()> {
    if path.is_dir() {
        let mut paths: Vec<_> = fs::read_dir(path)?.map(|entry| entry.map(|it| it.path())).collect::<Result<_, _>>()?;
        paths.sort();
        return paths.iter().try_for_each(|path| add(path, digest));
    }
    let is_shown_only = ["jinja", "css", "js", "md"].iter().any(|it| path.extension().is_some_and(|own| own == *it));
    if !is_shown_only {
        digest.write(path.file_name().unwrap_or_default().as_encoded_bytes());
        digest.write(&fs::read(path)?);
    }
    Ok(())
}
