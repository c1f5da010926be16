//! Writing files so that an interrupted run leaves the old ones whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes `text` beside `path` and renames it into place, so that what was there stays whole until then.
///
/// # Errors
///
/// If the folder cannot be written; what was at `path` is then as it was.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    write_all(&[(path.to_owned(), text)]).map_err(|(_, error)| error)
}

/// As [`write_whole`], for files that belong together: none is replaced before all are written.
///
/// # Errors
///
/// The first file that cannot be written.
pub fn write_all<T: AsRef<[u8]>>(files: &[(PathBuf, T)]) -> Result<(), (PathBuf, io::Error)> {
    let beside = |path: &Path| {
        let mut name = path.as_os_str().to_owned();
        name.push(".new");
        PathBuf::from(name)
    };
    let at = |path: &Path, error: io::Error| (path.to_owned(), error);
    let written = files.iter().try_for_each(|(path, text)| fs::write(beside(path), text).map_err(|e| at(path, e)));
    let placed = written
        .and_then(|()| files.iter().try_for_each(|(path, _)| fs::rename(beside(path), path).map_err(|e| at(path, e))));
    if placed.is_err() {
        for (path, _) in files {
            let _ = fs::remove_file(beside(path));
        }
    }
    placed
}
