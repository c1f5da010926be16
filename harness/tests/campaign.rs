//! A campaign runs each target for its time, goes on where a process ends before that, keeps what reaches every edge, and writes
//! what it came to; without what it needs it says so and leaves all as it was.
//!
//! `cargo` is a program of this test's own that does as cargo-fuzz and libFuzzer do.
#![cfg(unix)]

mod folder;
mod program;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use folder::Folder;
use program::{ends, urlstrata, with_input};
use urlstrata_harness::fuzz::campaign::Campaign;

/// Merging copies the first inputs; a run dies once, finds a slow input, and then takes its time.
const CARGO: &str = r##"#!/bin/sh
shift 2
command=$1
case "$*" in
--version) exit 0 ;;
build*) exit 0 ;;
*-merge=1*) for file in $(ls "$6" | head -n 3); do cp "$6/$file" "$5/$file"; done; exit 0 ;;
esac
folder=$URLSTRATA_FUZZ_FOLDER
printf '{"cases": 7, "seen": {"a result": 6}, "faults": {"a made-up fault": 1}}' > "$folder/seen.json"
echo '#7 NEW cov: 40 ft: 60 corp: 5/9b exec/s: 1 rss: 30Mb' >&2
if [ ! -e "$folder/died.mark" ]; then
    touch "$folder/died.mark"
    printf 'http://h/\0slow' > "$folder/timeout-1"
    exit 70
fi
for word in "$@"; do
    case "$word" in -max_total_time=*) sleep "${word#*=}" ;; esac
done
echo '#900 DONE cov: 50 ft: 90 corp: 8/20b exec/s: 9 rss: 30Mb' >&2
"##;

/// A repository with fuzz targets, and a folder with a `cargo` that goes before the real one.
fn workshop(test: &str, cargo: &str) -> Folder {
    let folder = Folder::new(test);
    folder.file("fuzz/Cargo.toml", "");
    let cargo = folder.file("bin/cargo", cargo);
    fs::set_permissions(cargo, fs::Permissions::from_mode(0o755)).expect("the program can be run");
    folder
}

fn fuzz(folder: &Folder, arguments: &[&str]) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command: Command = urlstrata(&[&["fuzz"], arguments].concat());
    command.current_dir(&folder.0).env("PATH", format!("{}:{path}", folder.0.join("bin").display()));
    command.output().expect("it starts")
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn goes_on_and_keeps_what_it_came_to() {
    let folder = workshop("campaign", CARGO);
    let output = fuzz(&folder, &["agree", "--time", "2s"]);
    ends(&output, 1, "907 executions, 50 edges, 3 inputs, 3 of them kept");
    ends(&output, 1, "the law holds of fuzz/artifacts/agree/timeout-1: it took too long");
    ends(&output, 1, "1 target, 907 executions, 50 edges, 2 faults, 1 process that ended early");
    let campaign = Campaign::read(&folder.0.join("fuzz/campaign.json")).expect("a summary");
    let ran = &campaign.targets["agree"];
    assert_eq!((ran.seconds, ran.features, ran.seen["a result"], ran.faults["a made-up fault"]), (2, 90, 12, 2));
    assert_eq!(count(&folder.0.join("fuzz/corpus/agree")), 3, "the corpus is merged");
    let kept = fs::read_to_string(folder.0.join("fuzz/inputs/agree.txt")).expect("kept inputs");
    assert_eq!(kept.lines().count(), 4, "{kept}");
    let page = fs::read_to_string(folder.0.join("reports/campaign.md")).expect("a page");
    assert!(page.contains("| a made-up fault | 2 |") && page.contains("| 907 |"), "{page}");

    // Another target's run leaves this one's where it is.
    ends(&fuzz(&folder, &["agree_bytes", "--time", "1s"]), 1, "2 targets");
    let campaign = Campaign::read(&folder.0.join("fuzz/campaign.json")).expect("a summary");
    assert_eq!(campaign.targets["agree"].executions, 907);
}

#[test]
fn without_what_it_needs_it_says_so() {
    let folder = workshop("campaign-without", "#!/bin/sh\nexit 101\n");
    ends(&fuzz(&folder, &["agree"]), 64, "`cargo install cargo-fuzz`");
    ends(&fuzz(&folder, &["--folder", "nowhere"]), 64, "nowhere: no fuzz targets there");
    ends(&fuzz(&folder, &["nothing"]), 64, "no fuzz target is called \"nothing\": there are agree, ");
    ends(&fuzz(&folder, &["--time", "soon"]), 64, "write it as 90s, 10m or 1h");
    ends(&fuzz(&folder, &["--time", "10ms"]), 64, "less than a second");
    assert!(!folder.0.join("fuzz/campaign.json").exists() && !folder.0.join("reports").exists());
}

#[test]
fn what_is_broken_is_told_with_its_place() {
    let folder = workshop("campaign-broken", CARGO);
    folder.file("fuzz/campaign.json", "{\n\"targets\": 7}");
    ends(&fuzz(&folder, &["agree", "--time", "1s"]), 65, "fuzz/campaign.json: no summary of a campaign");
    fs::remove_file(folder.0.join("fuzz/campaign.json")).expect("removed");
    folder.file("fuzz/inputs/agree.txt", "fine\n\\y\n");
    ends(&fuzz(&folder, &["agree", "--time", "1s"]), 65, "fuzz/inputs/agree.txt: line 2: ");
    let broken = workshop("campaign-build", "#!/bin/sh\n[ \"$3\" = --version ]\n");
    ends(&fuzz(&broken, &["agree"]), 64, "the targets do not build");
}

#[test]
fn an_import_of_what_keeps_its_law_writes_nothing() {
    let folder = Folder::new("import");
    let path = |name: &str| folder.0.join(name).to_string_lossy().into_owned();
    let import = |arguments: &[&str]| {
        let (out, inputs) = (path("found"), path("inputs"));
        with_input(&[&["vectors", "import-fuzz", "--out", &out, "--inputs", &inputs], arguments].concat(), b"")
    };
    folder.file("agree/kept", "http://h/\0g");
    folder.file("elsewhere/kept", "http://h/\0g");
    let kept = path("agree/kept");
    ends(&import(&[&kept]), 0, "the law of agree holds of it, so nothing is written");
    ends(&import(&[&kept]), 0, "1 artifact, 0 new vectors, 0 new inputs");
    ends(&import(&[&path("agree/nothing")]), 65, "agree/nothing: cannot be read");
    ends(&import(&[&path("elsewhere/kept")]), 64, "name it with --target");
    ends(&import(&[&path("elsewhere/kept"), "--target", "agree"]), 0, "0 new inputs");
    ends(&import(&[]), 64, "ARTIFACTS");
    assert_eq!(count(&folder.0), 2, "two folders of artifacts, and nothing else");
}
