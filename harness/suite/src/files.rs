//! Replacement of files such that an interrupted run does not damage the old files.

use std::collections::BTreeSet;
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
/// Missing folders are created.
///
/// # Errors
///
/// Returns the path and the error of the first file that cannot be written or renamed. If a rename fails, the files
/// before it have already been replaced. Otherwise nothing is changed.
pub fn write_all<T: AsRef<[u8]>>(files: &[(PathBuf, T)]) -> Result<(), (PathBuf, io::Error)> {
    let is_changed = |(path, text): &&(PathBuf, T)| fs::read(path).ok().as_deref() != Some(text.as_ref());
    let changed: Vec<_> = files.iter().filter(is_changed).collect();
    let at = |path: &Path, error: io::Error| (path.to_owned(), error);
    let folders = missing_folders(changed.iter().map(|(path, _)| path.as_path()));
    let created = folders.iter().try_for_each(|folder| fs::create_dir(folder).map_err(|e| at(folder, e)));
    let written = created.and_then(|()| {
        changed.iter().try_for_each(|(path, text)| fs::write(temporary(path), text).map_err(|e| at(path, e)))
    });
    let placed = written.and_then(|()| {
        changed.iter().try_for_each(|(path, _)| fs::rename(temporary(path), path).map_err(|e| at(path, e)))
    });
    if placed.is_err() {
        for (path, _) in changed {
            let _ = fs::remove_file(temporary(path));
        }
        // A folder that is not empty stays.
        for folder in folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
    placed
}

/// Checks that [`write_all`] can write `paths`, as far as that is known before: nothing but a file has one of the names, and a
/// file can be created in the folders. Nothing is changed.
///
/// # Errors
///
/// Returns the path and the error of the first file that cannot be written.
pub fn check_writable(paths: &[PathBuf]) -> Result<(), (PathBuf, io::Error)> {
    let mut folders = BTreeSet::new();
    for path in paths {
        let at = |error: io::Error| (path.clone(), error);
        for taken in [path.clone(), temporary(path)] {
            if taken.is_dir() {
                return Err((taken, io::ErrorKind::IsADirectory.into()));
            }
        }
        let is_there = |folder: &&Path| folder.as_os_str().is_empty() || folder.exists();
        let Some(folder) = path.ancestors().skip(1).find(is_there) else { continue };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if folders.insert(folder.to_owned()) {
            if !folder.is_dir() {
                return Err(at(io::ErrorKind::NotADirectory.into()));
            }
            tempfile::Builder::new().prefix(".urlstrata-").tempfile_in(folder).map_err(at)?;
        }
    }
    Ok(())
}

fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

/// Returns the folders of `paths` that do not exist, each after the folder that contains it.
fn missing_folders<'a>(paths: impl Iterator<Item = &'a Path>) -> BTreeSet<PathBuf> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    paths.flat_map(|path| path.ancestors().skip(1).take_while(is_missing)).map(Path::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::SystemTime;

    use super::write_all;

    #[test]
    fn folders_are_created_and_removed_again_if_a_file_cannot_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        write_all(&[(path("a/b/c"), "x"), (path("a/d"), "y")]).expect("two files");
        assert_eq!(fs::read_to_string(path("a/b/c")).expect("a file"), "x");
        fs::create_dir(path("z.new")).expect("a folder");
        let (failed, _) = write_all(&[(path("e/f"), "x"), (path("z"), "y")]).expect_err("a folder has the name");
        assert_eq!(failed, path("z"));
        assert!(!path("e").exists());
    }

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
