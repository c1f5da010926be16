//! The reports of three engines: what is kept from an earlier run changes nothing, and nothing names this machine. `.ci/run`
//! compares the reports of all engines with the committed ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use urlstrata_harness::engine::by_name;
use urlstrata_harness::world::World;
use urlstrata_report::{Cache, Pages, Request, SiteParts, names, write};

/// Engines with notable deviations, one of which has several versions. None is one that others recorded, and most that public
/// threads are about are missing.
const ENGINES: [&str; 3] = ["go-net-url", "addressable", "urllib"];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the folder of the workspace")
}

/// Returns the paths of the files in `folder` and its subfolders, relative to it.
fn files_below(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let files = |path: PathBuf| match path.is_dir() {
        true => files_below(&path).into_iter().map(|file| path.join(file)).collect(),
        false => vec![path],
    };
    let files = entries.flat_map(files);
    files.map(|path| path.strip_prefix(folder).unwrap_or(&path).to_owned()).collect()
}

/// Returns a world with one engine of this program and `names`, and the folder from which it reads them.
fn small_world(names: &[&str]) -> (TempDir, World) {
    let source = repository().join("harness/engines");
    let folder = tempfile::tempdir().expect("a folder");
    let is_panel = |path: &&PathBuf| path.extension().is_some_and(|it| it == "tsv");
    let engines = |path: &&PathBuf| names.iter().any(|engine| path.starts_with(engine));
    for file in files_below(&source).iter().filter(|path| is_panel(path) || engines(path)) {
        let target = folder.path().join(file);
        fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        fs::copy(source.join(file), target).expect("a copy");
    }
    let world = World::embedded().and_then(|world| world.with_folders(folder.path())).and_then(World::for_reports);
    let world = world.unwrap_or_else(|error| panic!("{error}"));
    (folder, world.with_engines(vec![by_name("crate:oxiri").expect("an engine")]))
}

fn written(world: &World, cache: Cache) -> (Pages, String) {
    let request = Request { cache, ..Request::default() };
    let pages = write(world, &request).expect("reports");
    (pages, request.cache.text())
}

#[test]
fn results_of_an_earlier_run_change_nothing() {
    let (_folder, world) = small_world(&ENGINES);
    let (first, kept) = written(&world, Cache::default());
    let (second, again) = written(&world, Cache::read(&kept));
    assert!(kept.len() > 1000 && kept == again);
    assert_eq!(first.pages, second.pages);
    // What is kept is used, and what is not a cache is not.
    let (third, _) = written(&world, Cache::read(&kept.replace("RFC 3986", "RFC 9999")));
    assert_ne!(first.pages, third.pages);
    assert_eq!(Cache::read("{\"go-net-url@1\": 1, ").text(), Cache::default().text());
    let own: BTreeSet<_> = first.pages.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(own, names(&world).expect("names").into_iter().collect());
    for (name, page) in first.pages {
        assert!(!page.contains(&*repository().to_string_lossy()), "{name} names a folder of this machine");
    }
}

/// The filter of the hosts page searches the text and the names of each row.
#[test]
fn rows_of_the_hosts_page_name_every_engine_that_shares_them() {
    let (_folder, world) = small_world(&["deno", "libcurl"]);
    let world = world.with_engines(vec![by_name("crate:url").expect("an engine")]);
    let request = Request { site: Some(SiteParts::default()), ..Request::default() };
    let pages = write(&world, &request).expect("reports");
    let (_, page) = pages.site.iter().find(|(name, _)| name == "hosts.html").expect("the page");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("<tr id=")).collect();
    assert!(!rows.is_empty(), "{page}");
    let of = |name: &str| rows.iter().filter(|row| row.contains(name)).count();
    assert!(of("deno") > 0 && of("deno") == of("crate:url"), "{rows:?}");
    assert!(page.contains("data-names=\"crate:url deno libcurl\""), "{rows:?}");
}

#[test]
fn the_committed_reports_have_the_pages_of_all_engines() {
    let world = World::embedded().and_then(World::for_reports).unwrap_or_else(|error| panic!("{error}"));
    let mut committed = files_below(&repository().join("reports"));
    // The campaigns write the first one, and the second one is not committed.
    for other in ["campaign.md", ".cache.json"] {
        committed.remove(Path::new(other));
    }
    let names: BTreeSet<PathBuf> = names(&world).expect("names").into_iter().map(PathBuf::from).collect();
    assert_eq!(committed, names, "run `cargo run --release -- report`, and remove the pages of engines that are gone");
    let first = fs::read_to_string(repository().join("reports/README.md")).expect("a page");
    assert!(!first.contains(&*repository().to_string_lossy()));
}
