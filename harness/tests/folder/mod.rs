//! Temporary folders for the files of a test.

use std::fs;
use std::path::PathBuf;

/// A temporary folder of one test. It is removed, with its content, when the value is dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// Creates the folder. `test` must differ between the tests of one process, because it is part of the path.
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("urlstrata-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Writes a file and returns its path. `name` is relative to the folder and may contain folders, which are created.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the file");
        fs::write(&path, content).expect("a file for the test");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
