//! The files of engine folders, in the program or on disk. A file is read when it is asked for.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;

use crate::yaml::FileError;

include!(concat!(env!("OUT_DIR"), "/engines.rs"));

/// A file that is part of the program.
#[derive(Debug)]
pub(super) struct Entry {
    /// The path relative to the folders, with `/` between its parts.
    pub(super) path: &'static str,
    /// The first lines of a recording; empty for other files.
    pub(super) head: &'static str,
    /// The start and the end of each block in [`PACKED`], and its unpacked length.
    blocks: &'static [(usize, usize, usize)],
}

impl Entry {
    /// Returns the files that are part of the program, in the order of their paths. There are none without the feature
    /// `recordings`.
    pub(super) fn all() -> &'static [Self] {
        ENTRIES
    }

    /// Returns the number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Unpacks a block: [`BLOCK`] lines of a recording, or a whole file of another kind.
    pub(super) fn block(&self, number: usize) -> String {
        let (start, end, length) = self.blocks[number];
        let mut text = String::with_capacity(length);
        // The build script packed it, so it can be unpacked.
        let read = ZlibDecoder::new(&PACKED[start..end]).read_to_string(&mut text);
        read.map(|_| text).unwrap_or_else(|error| unreachable!("{}: {error}", self.path))
    }

    /// Unpacks the whole file.
    fn text(&self) -> String {
        (0..self.blocks()).fold(self.head.to_owned(), |text, number| text + &self.block(number))
    }
}

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

    /// Returns the file in the program, if it is there.
    pub(super) fn entry(&self) -> Option<&'static Entry> {
        self.entry
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
