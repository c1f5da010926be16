//! Replacement of files such that an interrupted run does not damage the old files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes `text` to a new file next to `path` and renames it to `path`. The old file stays unchanged until the rename.
///
/// # Errors
///
/// Returns an error if the new file cannot be written or renamed. The old file is then unchanged, and the new file is
/// removed.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    write_all(&[(path.to_owned(), text)]).map_err(|(_, error)| error)
}

/// Replaces several files that belong together, each as [`write_whole`] does. No file is replaced before all new files
/// have been written.
///
/// # Errors
///
/// Returns the path and the error of the first file that cannot be written or renamed. If a rename fails, the files
/// before it have already been replaced.
pub fn write_all<T: AsRef<[u8]>>(files: &[(PathBuf, T)]) -> Result<(), (PathBuf, io::Error)> {
    let temporary = |path: &Path| {
        let mut name = path.as_os_str().to_owned();
        name.push(".new");
        PathBuf::from(name)
    };
    let at = |path: &Path, error: io::Error| (path.to_owned(), error);
    let written = files.iter().try_for_each(|(path, text)| fs::write(temporary(path), text).map_err(|e| at(path, e)));
    let placed = written.and_then(|()| {
        files.iter().try_for_each(|(path, _)| fs::rename(temporary(path), path).map_err(|e| at(path, e)))
    });
    if placed.is_err() {
        for (path, _) in files {
            let _ = fs::remove_file(temporary(path));
        }
    }
    placed
}
