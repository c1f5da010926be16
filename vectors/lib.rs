//! The vectors of urlstrata: questions about URLs, and what a specification prints as their answers.
//!
//! [`check`] asks a resolver for the results of all vectors of a revision, in one line of a test:
//!
//! ```no_run
//! # fn resolve(base: &str, reference: &str) -> Option<String> { None }
//! #[test]
//! fn references_resolve_as_in_rfc3986() {
//!     urlstrata_vectors::check("rfc3986", |base, reference| resolve(base, reference));
//! }
//! ```
//!
//! [`cases`] gives them as plain values for other test frameworks, and [`files`] as the files, which the package's README describes.
//!
//! # Examples
//!
//! ```
//! let file = urlstrata_vectors::files().find(|file| file.path == "spec/rfc1808/5.2.yaml").unwrap();
//! assert!(file.text.contains(r#"reference: "../../../g""#));
//! ```

use std::sync::OnceLock;

mod cases;
mod check;
mod known;
mod reader;

pub use cases::{Case, cases};
pub use check::{Answer, Suite, check, suite};

/// A file of the package.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct File {
    /// The path in the package, with `/` between folders: `spec/rfc1808/5.2.yaml`.
    pub path: &'static str,
    /// The content.
    pub text: &'static str,
}

/// Files that are compressed together, and unpacked when they are needed.
struct Kind {
    packed: &'static [u8],
    /// The path of each file, and where its text ends.
    files: &'static [(&'static str, usize)],
    text: OnceLock<String>,
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));

impl Kind {
    const fn new(packed: &'static [u8], files: &'static [(&'static str, usize)]) -> Self {
        Self { packed, files, text: OnceLock::new() }
    }

    fn text(&'static self) -> &'static str {
        self.text.get_or_init(|| {
            let text = miniz_oxide::inflate::decompress_to_vec(self.packed).ok();
            // The build script packed it, so it can be unpacked.
            text.and_then(|text| String::from_utf8(text).ok()).unwrap_or_else(|| unreachable!("{:?}", self.files))
        })
    }

    fn files(&'static self) -> impl Iterator<Item = File> {
        let starts = std::iter::once(0).chain(self.files.iter().map(|(_, end)| *end));
        self.files.iter().zip(starts).map(|((path, end), start)| File { path, text: &self.text()[start..*end] })
    }
}

/// Returns the files of vectors, in the order of their paths.
pub fn files() -> impl Iterator<Item = File> {
    VECTORS.files()
}

/// Returns the files of known deviations, one per engine.
pub fn known_deviations() -> impl Iterator<Item = File> {
    KNOWN.files()
}

/// Returns links of documentation pages: one pair per line, a base and a reference with a tab between them.
///
/// # Examples
///
/// ```
/// assert!(urlstrata_vectors::links().lines().all(|line| line.contains('\t')));
/// ```
pub fn links() -> &'static str {
    LINKS.text()
}

/// Returns public security advisories about URLs: for each an input, what an affected version answers, and what a fixed one does. The
/// text is YAML.
pub fn advisories() -> &'static str {
    ADVISORIES.text()
}

/// The example in the README is a test.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
