//! Descriptions of engines.

use std::collections::BTreeSet;
use std::path::Path;

use urlstrata_harness::engine::description::{Description, Install};
use urlstrata_harness::engine::folder::EngineFolders;

const PLAIN: &str = "language = \"X\"\nlineage = \"x\"\nnative = \"f(b, r)\"\nshim = \"s\"\ncommand = [\"x\"]\n";

fn parse(rest: &str) -> Result<Description, String> {
    Description::parse(Path::new("e/engine.toml"), &format!("{PLAIN}{rest}")).map_err(|error| error.to_string())
}

#[test]
fn a_description_lists_versions_with_one_way_to_install_each() {
    let read = parse("[[version]]\nversion = \"2\"\npip = [\"x==2\"]\n[[version]]\nversion = \"1\"\nsystem = true\n");
    let read = read.expect("valid");
    assert_eq!(read.versions[0].install, Install::Pip(vec!["x==2".to_owned()]));
    assert_eq!(read.versions[1].install, Install::System);
}

#[test]
fn errors_have_a_file_and_a_line() {
    for (rest, wanted) in [
        ("colour = 1\n", "e/engine.toml:6: unknown field `colour`"),
        ("[[version]]\nversion = \"1\"\npop = 1\n", "e/engine.toml:8: unknown field `pop`"),
        ("[[version]]\nversion = \"1\"\n", "e/engine.toml:6: 1 needs exactly one of `pip`"),
        ("[[version]]\nversion = \"1\"\nsystem = true\npip = []\n", "e/engine.toml:6: 1 needs exactly one of"),
        ("[[version]]\nversion = \"../1\"\nsystem = true\n", "e/engine.toml:6: the version \"../1\" is not a name"),
        ("[[version]]\nversion = \"1\"\ndebian = []\n", "e/engine.toml:6: 1: `debian` needs a `suite`"),
        (
            "[[version]]\nversion = \"1\"\nsystem = true\n[[version]]\nversion = \"1\"\nunavailable = \"it is made up\"\n",
            "e/engine.toml:9: duplicate version \"1\"",
        ),
        ("x = \n", "e/engine.toml:6: "),
    ] {
        let error = parse(rest).expect_err(rest);
        assert!(error.starts_with(wanted), "{rest}: {error}");
    }
    let error = Description::parse(
        Path::new("e/engine.toml"),
        &PLAIN.replace("shim = \"s\"\n", "[[version]]\nversion=\"1\"\nsystem=true\n"),
    );
    assert!(error.is_err());
}

#[test]
fn embedded_folders_are_valid() {
    let folders = EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}"));
    assert!(!folders.engines.is_empty());
    for engine in &folders.engines {
        assert!(engine.version(None).is_ok() || engine.recordings.is_empty(), "{}", engine.name);
    }
}

/// A recording of another platform or of a patched build may differ, so that both are stated where they are known.
#[test]
fn the_platform_and_the_build_of_recordings_are_stated() {
    let folders = EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}"));
    let stated = |key: &str| {
        let (engine, version) = folders.select(key).expect("a version").expect("an engine");
        engine.recorded_on(version)
    };
    assert_eq!(stated("urllib@3.11.2").as_deref(), Some("Linux x86-64, Debian bookworm"));
    assert_eq!(stated("urllib@3.11.7").as_deref(), Some("Linux x86-64"));
    for engine in &folders.engines {
        for version in &engine.description.versions {
            let is_recorded = engine.is_recorded(&version.version);
            let is_own = is_recorded && !matches!(version.install, Install::Published(_));
            assert_eq!(engine.recorded_on(version).is_some(), is_own, "{}", engine.key(version));
        }
    }
}

/// A version that is not listed is installed as a listed one is, with its own number.
#[test]
fn a_registry_may_have_versions_that_are_not_listed() {
    let text = "language = \"\"\nlineage = \"\"\nnative = \"\"\nshim = \"shim.py\"\ncommand = [\"python3\"]\n\
        [[version]]\nversion = \"2.8.0\"\npip = [\"urllib3==2.8.0\", \"idna==3.20\"]\n[[version]]\nversion = \"1.0\"\nsystem = true\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("e")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("e/engine.toml", text);
    write("e/shim.py", "");
    let folders = EngineFolders::read(folder.path()).expect("valid folders");
    let engine = &folders.engines[0];
    let install = engine.unlisted("2.0.7").map(|version| version.install);
    assert_eq!(install, Some(Install::Pip(vec!["urllib3==2.0.7".to_owned(), "idna==3.20".to_owned()])));
    for version in ["2.8.0", "1.0", "", "../x", "2 0", ".5", "all"] {
        assert_eq!(engine.unlisted(version), None, "{version:?}");
    }
}

/// A folder with files of an engine is one: without a description it is an error, and not an engine less.
#[test]
fn an_engine_without_a_description_is_an_error() {
    for file in ["1.txt", "1.behaviour.yaml", "1.states.tsv"] {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["e", "notes", ".cache"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
        write("notes/read.md", "");
        write(".cache/1.txt", "");
        write(&format!("e/{file}"), "");
        let error = EngineFolders::read(folder.path()).expect_err("a folder without a description").to_string();
        assert!(error.ends_with("engine.toml: no such file"), "{error}");
        write(
            "e/engine.toml",
            "language = \"\"\nlineage = \"\"\nnative = \"\"\n[[version]]\nversion = \"1\"\nunavailable = \"it is made up\"\n",
        );
        let read = EngineFolders::read(folder.path()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.engines.len(), 1);
    }
}

#[test]
fn aliases_select_one_engine() {
    let folders = EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}"));
    let mut names: BTreeSet<String> = folders.engines.iter().map(|engine| engine.name.clone()).collect();
    for engine in &folders.engines {
        for alias in &engine.description.aliases {
            assert!(names.insert(alias.to_lowercase()), "{}: {alias} is the name of two engines", engine.name);
            assert_eq!(folders.named(&alias.to_uppercase()).map(|it| &it.name), Some(&engine.name));
            assert!(!alias.contains('@') && !alias.trim().is_empty(), "{}: {alias:?}", engine.name);
        }
    }
    assert_eq!(folders.nearest("urlib")[0], "urllib");
    assert!(folders.nearest("qqqqqqqq").is_empty());
}
