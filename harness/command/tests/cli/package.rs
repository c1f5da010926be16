//! The packages that are published contain every file that is compiled into the program.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The packages that are published, and their folders.
const PUBLISHED: [(&str, &str); 10] = [
    ("urlstrata", "impl"),
    ("urlstrata-vectors", "vectors"),
    ("urlstrata-outcome", "harness/outcome"),
    ("urlstrata-document", "harness/document"),
    ("urlstrata-engines", "harness/engines"),
    ("urlstrata-suite", "harness/suite"),
    ("urlstrata-model", "harness/model"),
    ("urlstrata-harness", "harness"),
    ("urlstrata-report", "harness/report"),
    ("urlstrata-command", "harness/command"),
];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the folder of the workspace")
}

/// Returns the paths of the files in a package, relative to its folder.
#[track_caller]
fn packaged(package: &str) -> BTreeSet<String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["package", "--list", "--offline", "--allow-dirty", "--package", package]).current_dir(repository());
    let output = command.output().expect("Cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(|line| line.replace('\\', "/")).collect()
}

/// Returns the literal paths in the macros of `source` that include a file.
fn included(source: &str) -> impl Iterator<Item = &str> {
    let macros = ["include_str!(\"", "include_bytes!(\"", "include!(\""];
    macros.into_iter().flat_map(move |name| source.split(name).skip(1)).filter_map(|rest| rest.split('"').next())
}

/// Returns the path `from` the folder of a file, or `None` if it leaves the package.
fn joined(file: &str, from: &str) -> Option<String> {
    let mut path = PathBuf::new();
    for component in Path::new(file).parent()?.join(from).components() {
        match component {
            Component::ParentDir => path.pop().then_some(())?,
            other => path.push(other),
        }
    }
    Some(path.to_string_lossy().replace('\\', "/"))
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files_below(&path, files) } else { files.push(path) }
    }
}

#[test]
fn included_files_are_in_the_package() {
    let mut count = 0;
    for (package, folder) in PUBLISHED {
        let files = packaged(package);
        for file in files.iter().filter(|file| file.ends_with(".rs")) {
            let source = fs::read_to_string(repository().join(folder).join(file)).expect("a source file");
            for path in included(&source) {
                let Some(target) = joined(file, path) else {
                    panic!("{folder}/{file} includes {path}, outside the package")
                };
                assert!(files.contains(&target), "{folder}/{file} includes {path}, which the package does not contain");
                count += 1;
            }
        }
    }
    assert!(count > 20, "only {count} included files were found");
}

#[test]
fn vectors_are_in_the_package() {
    let files = packaged("urlstrata-vectors");
    for file in urlstrata_vectors::files().chain(urlstrata_vectors::known_deviations()) {
        assert!(files.contains(file.path), "vectors/{} is not in the package", file.path);
    }
}

#[test]
fn engine_folders_are_in_the_package() {
    let files = packaged("urlstrata-engines");
    let package = repository().join("harness/engines");
    let mut engines = Vec::new();
    files_below(&package, &mut engines);
    assert!(!engines.is_empty());
    for path in engines {
        let path = path.strip_prefix(&package).expect("a file of the package").to_string_lossy().replace('\\', "/");
        assert!(files.contains(&path), "harness/engines/{path} is not in the package");
    }
}

#[test]
fn packages_contain_their_licences_and_readmes() {
    for (package, folder) in PUBLISHED {
        let files = packaged(package);
        for name in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "Cargo.lock"] {
            assert!(files.contains(name), "{folder}/{name} is not in the package");
        }
    }
}

#[test]
fn packages_do_not_contain_other_packages() {
    for (package, folder) in PUBLISHED {
        let inner = packaged(package).into_iter().find(|file| file.ends_with("/Cargo.toml"));
        assert_eq!(inner, None, "{folder} contains another package");
    }
}
