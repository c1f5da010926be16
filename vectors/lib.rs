//! The vectors of urlstrata: questions about URLs, and what a specification prints as their answers.
//!
//! The package contains files and no parser. The files are YAML, and the package's README describes their keys.
//!
//! # Examples
//!
//! ```
//! let file = urlstrata_vectors::files().find(|file| file.path == "spec/rfc1808/5.2.yaml").unwrap();
//! assert!(file.text.contains(r#"reference: "../../../g""#));
//! ```

#![no_std]

/// Links of documentation pages: one pair per line, a base and a reference with a tab between them.
pub const LINKS: &str = include_str!("links/documentation.tsv");

/// Public security advisories about URLs: for each an input, what an affected version answers, and what a fixed one does. The file is YAML.
pub const ADVISORIES: &str = include_str!("advisories/advisories.yaml");

/// A file of the package.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct File {
    /// The path in the package, with `/` between folders: `spec/rfc1808/5.2.yaml`.
    pub path: &'static str,
    /// The content.
    pub text: &'static str,
}

/// The files in the order of their paths.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Returns the files of vectors, in the order of their paths.
pub fn files() -> impl Iterator<Item = File> {
    FILES.iter().copied().filter(|file| !is_known(file))
}

/// Returns the files of known deviations, one per engine.
pub fn known_deviations() -> impl Iterator<Item = File> {
    FILES.iter().copied().filter(is_known)
}

fn is_known(file: &File) -> bool {
    file.path.starts_with("known/")
}

/// The example in the README is a test.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
