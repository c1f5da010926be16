//! The program as its users run it, with a `cargo` that behaves like cargo-fuzz and libFuzzer.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use urlstrata_harness::vector::Suite;
use urlstrata_properties::{TARGETS, Target};

/// Merging copies the first three inputs. The first run finds a slow input and ends early, the second takes its time.
const CARGO: &str = r##"#!/bin/sh
shift 2
case "$*" in
--version | build*) exit 0 ;;
*-merge=1*) for file in $(ls "$7" | head -n 3); do cp "$7/$file" "$6/$file"; done; exit 0 ;;
esac
folder=$URLSTRATA_FUZZ_FOLDER
printf '{"classes": {"a result": 6}, "violations": {"a made-up violation": 1}}' > "$folder/observed.json"
echo '#7 NEW cov: 40 ft: 60 corp: 5/9b exec/s: 1 rss: 30Mb' >&2
if [ ! -e "$folder/ended.mark" ]; then
    touch "$folder/ended.mark"
    printf 'http://h/\0slow' > "$folder/timeout-1"
    exit 70
fi
for word in "$@"; do
    case "$word" in -max_total_time=*) sleep "${word#*=}" ;; esac
done
echo '#900 DONE cov: 50 ft: 90 corp: 8/20b exec/s: 9 rss: 30Mb' >&2
"##;

/// A folder in which the program runs.
struct Repository(TempDir);

impl Repository {
    /// Creates a folder with fuzz targets and with a `cargo` that precedes the real one.
    fn new(cargo: &str) -> Self {
        let repository = Self(tempfile::tempdir().expect("a folder"));
        repository.write("fuzz/Cargo.toml", "");
        let cargo = repository.write("bin/cargo", cargo);
        fs::set_permissions(cargo, fs::Permissions::from_mode(0o755)).expect("an executable file");
        repository
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    /// Runs the program and checks its exit code and a part of its output.
    #[track_caller]
    fn campaign(&self, arguments: &[&str], code: i32, expected: &str) {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new(env!("CARGO_BIN_EXE_campaign"));
        let output = command.args(arguments).current_dir(self.0.path()).env("PATH", path).output().expect("it starts");
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed);
        assert_eq!(output.status.code(), Some(code), "{printed}");
        assert!(printed.contains(expected), "{printed} does not contain {expected:?}");
    }
}

/// Returns every file below `folder` by its path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => drop(found.insert(path.clone(), fs::read(&path).expect("a file"))),
        }
    }
    found
}

#[test]
fn a_campaign_starts_a_target_again_and_writes_its_results() {
    let repository = Repository::new(CARGO);
    let run = ["run", "agree", "--time", "2s"];
    repository.campaign(&run, 1, "907 executions, 50 edges, 3 inputs in the corpus, 3 of them kept");
    assert_eq!(files(&repository.path("fuzz/corpus/agree")).len(), 3, "the corpus is merged");
    assert_eq!(repository.read("fuzz/inputs/agree.txt").lines().count(), 4, "three inputs after a comment");
    let page = repository.read("reports/campaign.md");
    assert!(page.contains("| [`agree`](#agree) | 2 | 907 | 50 | 3 | 3 | 2 | 1 |"), "{page}");
    assert!(page.contains("| a made-up violation | 2 |") && page.contains("| a result | 12 |"), "{page}");

    // The results of other targets remain.
    repository.campaign(&["run", "agree_bytes", "--time", "1s"], 1, "2 targets: ");
    assert!(repository.read("reports/campaign.md").contains("| [`agree`](#agree) | 2 | 907 |"));
    fs::remove_file(repository.path("reports/campaign.md")).expect("removed");
    repository.campaign(&["summary"], 0, "");
    assert!(repository.read("reports/campaign.md").contains("| [`agree`](#agree) | 2 | 907 |"));
}

#[test]
fn an_input_that_takes_too_long_is_listed() {
    let repository = Repository::new(CARGO);
    let expected = "agree/timeout-1\n  the property holds: the input took too much time or memory";
    repository.campaign(&["run", "agree", "--time", "1s", "--no-keep"], 1, expected);
    assert!(!repository.path("fuzz/campaign.json").exists() && !repository.path("reports").exists());
}

#[test]
fn missing_tools_and_wrong_arguments_are_reported() {
    let repository = Repository::new("#!/bin/sh\nexit 101\n");
    repository.campaign(&["run", "agree"], 2, "`cargo install cargo-fuzz`");
    repository.campaign(&["run", "--folder", "nowhere"], 2, "nowhere: no fuzz targets");
    repository.campaign(&["run", "nothing"], 2, "no fuzz target is called \"nothing\"; the targets are agree, ");
    repository.campaign(&["run", "--time", "soon"], 2, "write it like 90s, 10m or 1h");
    repository.campaign(&["run", "--time", "10ms"], 2, "at least a second");
    repository.campaign(&["import"], 2, "<ARTIFACT>");
    let broken = Repository::new("#!/bin/sh\n[ \"$3\" = --version ]\n");
    broken.campaign(&["run", "agree"], 2, "the targets cannot be built");
}

#[test]
fn an_invalid_file_is_reported_with_its_place() {
    let repository = Repository::new(CARGO);
    repository.write("fuzz/campaign.json", "{\n\"targets\": 7}");
    repository.campaign(
        &["run", "agree"],
        2,
        "fuzz/campaign.json: invalid type: integer `7`, expected a map at line 2",
    );
    fs::remove_file(repository.path("fuzz/campaign.json")).expect("removed");
    repository.write("fuzz/inputs/agree.txt", "fine\n\\y\n");
    repository.campaign(&["run", "agree"], 2, "fuzz/inputs/agree.txt: line 2: ");
    repository.campaign(&["export", "--out", "out"], 2, "fuzz/inputs/agree.txt: line 2: ");
    assert!(!repository.path("out").exists());
}

#[test]
fn an_import_of_an_input_for_which_the_property_holds_writes_nothing() {
    let repository = Repository::new(CARGO);
    repository.write("agree/input", "http://h/\0g");
    repository.write("elsewhere/input", "http://h/\0g");
    repository.campaign(&["import", "agree/input"], 0, "the property of agree holds\n1 artifact, 0 new vectors, 0 new");
    repository.campaign(&["import", "agree/nothing"], 2, "agree/nothing");
    repository.campaign(&["import", "elsewhere/input"], 2, "name the target with --target");
    repository.campaign(&["import", "elsewhere/input", "--target", "agree"], 0, "0 new kept inputs");
    assert!(!repository.path("vectors").exists() && !repository.path("fuzz/inputs").exists());
}

#[test]
fn an_export_contains_seeds_kept_inputs_a_dictionary_and_limits() {
    let repository = Repository::new(CARGO);
    repository.write("fuzz/inputs/agree.txt", "# kept\nabc\n\\x23\\x00\n");
    repository.campaign(&["export", "--out", "out"], 0, "agree: ");
    let exported = files(&repository.path("out"));
    let suite = Suite::embedded().expect("vectors");
    for target in TARGETS {
        let folder = repository.path("out").join(target.name);
        let inputs: Vec<_> = exported.iter().filter(|(path, _)| path.starts_with(&folder)).map(|it| it.1).collect();
        let kept: &[&[u8]] = if target.name == "agree" { &[b"abc", b"#\0"] } else { &[] };
        let expected: Vec<_> =
            target.seeds(&suite).into_iter().chain(kept.iter().map(|input| input.to_vec())).collect();
        assert!(expected.iter().all(|input| inputs.contains(&input)), "{}", target.name);
        assert_eq!(inputs.len(), expected.len(), "{}", target.name);
        assert!(exported[&folder.with_extension("dict")].starts_with(b"# "));
        assert!(exported[&folder.with_extension("options")].starts_with(b"[libfuzzer]\nmax_len = "));
    }
    repository.campaign(&["export", "--out", "again"], 0, "");
    let again = files(&repository.path("again"));
    assert!(again.into_values().eq(exported.into_values()));
}

#[test]
fn each_target_is_a_program_of_the_fuzz_package() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml")).expect("a manifest");
    let paths = manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\""));
    let mut programs: Vec<_> = paths.collect();
    let mut targets: Vec<_> = TARGETS.iter().map(|target: &Target| target.name).collect();
    programs.sort_unstable();
    targets.sort_unstable();
    assert_eq!(programs, targets);
}
