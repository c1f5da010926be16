//! The files of engine folders, in the program or on disk. A file is read when it is asked for.

use std::fs;
use std::path::{Path, PathBuf};

use urlstrata_engines::{Entry, Recording};

use crate::yaml::FileError;

/// A file of an engine folder.
#[derive(Clone, Debug)]
pub struct StoredFile {
    path: PathBuf,
    entry: Option<&'static Entry>,
}

impl StoredFile {
    /// Returns the file at `path` on disk.
    pub(super) fn on_disk(path: PathBuf) -> Self {
        Self { path, entry: None }
    }

    /// Returns a file that is part of the program. Messages call it `path`.
    pub(super) fn embedded(path: PathBuf, entry: &'static Entry) -> Self {
        Self { path, entry: Some(entry) }
    }

    /// Returns the path for messages: that in the repository for a file that is part of the program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the recording in the program, if the file is one.
    pub(super) fn recording(&self) -> Option<&'static Recording> {
        self.entry.and_then(Entry::recording)
    }

    /// Returns whether the file is part of the program. A behaviour is then JSON instead of YAML.
    pub fn is_embedded(&self) -> bool {
        self.entry.is_some()
    }

    /// Returns the content.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn text(&self) -> Result<String, FileError> {
        match self.entry {
            Some(entry) => Ok(entry.text()),
            None => fs::read(&self.path)
                .map_err(|error| FileError::new(&self.path, None, format!("cannot be read: {error}")))
                .and_then(|bytes| as_text(&self.path, bytes)),
        }
    }
}

fn as_text(path: &Path, bytes: Vec<u8>) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        FileError::new(path, Some(line), "not UTF-8: save the file in that encoding")
    })
}
