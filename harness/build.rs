//! Sets an environment variable with the version of each crate that is an engine. The lock file states the versions.

use std::fs;

/// The crates that are engines in this process.
const ENGINES: [&str; 5] = ["url", "iri-string", "fluent-uri", "oxiri", "ada-url"];

fn main() {
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
