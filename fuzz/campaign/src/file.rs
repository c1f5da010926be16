//! Operations on files, with the path in each error.

use std::path::Path;
use std::{fs, io};

use super::Failure;

/// Adds `path` to an error.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    move |error| format!("{}: {error}", path.display()).into()
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(at(path))
}

pub(crate) fn read_to_string(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(at(path))
}

pub(crate) fn create_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(at(path))
}

pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    fs::write(path, content).map_err(at(path))
}
