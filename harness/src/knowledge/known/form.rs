//! The canonical form of a file of known deviations.

use std::path::Path;

use super::KnownEngine;
use crate::vector::KNOWN;
use crate::yaml::{FileError, YamlFile, canonical};

/// Returns whether `path` is a file of known deviations, and not of vectors.
pub fn is_about_engine(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with(KNOWN))
}

/// Compares the file at `path` with its canonical form.
///
/// # Errors
///
/// Returns an error if the file cannot be read, is not valid or is not in canonical form.
pub fn lint(path: &Path) -> Result<(), FileError> {
    let file = YamlFile::open(path)?;
    file.lint(&KnownEngine::parse(&file)?.canonical())
}

/// Writes the file at `path` in its canonical form. Returns whether the file changed.
///
/// # Errors
///
/// Returns an error if the file cannot be read or written, is not valid, or has comments, which would be lost.
pub fn format_file(path: &Path) -> Result<bool, FileError> {
    let file = YamlFile::open(path)?;
    file.format(&KnownEngine::parse(&file)?.canonical())
}

impl KnownEngine {
    /// Returns the file in its canonical form.
    pub fn canonical(&self) -> String {
        canonical(self)
    }
}
