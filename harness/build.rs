//! Tells the program which version of each engine it was built with, and when the embedded vectors change.

use std::fs;

/// The crates that are engines in this process.
const ENGINES: [&str; 5] = ["url", "iri-string", "fluent-uri", "oxiri", "ada-url"];

fn main() {
    println!("cargo:rerun-if-changed=../vectors");
    println!("cargo:rerun-if-changed=../Cargo.lock");
    let lock = fs::read_to_string("../Cargo.lock").unwrap_or_default();
    for engine in ENGINES {
        let version = lock
            .split("[[package]]")
            .find(|package| package.lines().any(|line| line == format!("name = \"{engine}\"")))
            .and_then(|package| package.lines().find_map(|line| line.strip_prefix("version = ")))
            .map_or("unknown", |version| version.trim_matches('"'));
        println!("cargo:rustc-env={}_VERSION={version}", engine.to_uppercase().replace('-', "_"));
    }
}
