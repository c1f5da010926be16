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
/// have been written. A file that already has the content is not touched, so that nothing that depends on it is rebuilt.
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
    let is_changed = |(path, text): &&(PathBuf, T)| fs::read(path).ok().as_deref() != Some(text.as_ref());
    let changed: Vec<_> = files.iter().filter(is_changed).collect();
    let at = |path: &Path, error: io::Error| (path.to_owned(), error);
    let written = changed.iter().try_for_each(|(path, text)| fs::write(temporary(path), text).map_err(|e| at(path, e)));
    let placed = written.and_then(|()| {
        changed.iter().try_for_each(|(path, _)| fs::rename(temporary(path), path).map_err(|e| at(path, e)))
    });
    if placed.is_err() {
        for (path, _) in changed {
            let _ = fs::remove_file(temporary(path));
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::SystemTime;

    use super::write_all;

    #[test]
    fn only_changed_files_are_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let [same, other] = ["same", "other"].map(|name| folder.path().join(name));
        write_all(&[(same.clone(), "a"), (other.clone(), "b")]).expect("two files");
        for path in [&same, &other] {
            let file = File::options().write(true).open(path).expect("a file");
            file.set_modified(SystemTime::UNIX_EPOCH).expect("a time");
        }
        write_all(&[(same.clone(), "a"), (other.clone(), "c")]).expect("two files");
        let times = [&same, &other].map(|path| fs::metadata(path).and_then(|it| it.modified()).expect("a time"));
        assert!(times[0] == SystemTime::UNIX_EPOCH && times[1] > SystemTime::UNIX_EPOCH, "{times:?}");
        assert_eq!(fs::read_to_string(other).expect("a file"), "c");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }
}
