//! Tells the program which version of each engine it was built with, and when the embedded vectors change.

use std::fs;

fn main() {
    println!("cargo:rerun-if-changed=../vectors");
    println!("cargo:rerun-if-changed=../Cargo.lock");
    let lock = fs::read_to_string("../Cargo.lock").unwrap_or_default();
    let version = lock
        .split("[[package]]")
        .find(|package| package.lines().any(|line| line == "name = \"url\""))
        .and_then(|package| package.lines().find_map(|line| line.strip_prefix("version = ")))
        .map_or("unknown", |version| version.trim_matches('"'));
    println!("cargo:rustc-env=URL_VERSION={version}");
}
