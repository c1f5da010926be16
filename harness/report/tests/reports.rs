//! The reports of three engines: what is kept from an earlier run changes nothing, and nothing names this machine. `.ci/run`
//! compares the reports of all engines with the committed ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use urlstrata::revision;
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
    let is_panel = |path: &&PathBuf| path.components().count() == 1 && path.extension().is_some_and(|it| it == "tsv");
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

/// Returns the committed pages in a folder of the reports, with their names.
fn committed(folder: &str) -> Vec<(String, String)> {
    let path = repository().join("reports").join(folder);
    let files = files_below(&path).into_iter().filter(|file| file.extension().is_some_and(|it| it == "md"));
    let page =
        |file: PathBuf| (file.to_string_lossy().into_owned(), fs::read_to_string(path.join(file)).expect("a page"));
    files.map(page).collect()
}

/// Returns the ids of the specifications that a page names in parentheses, as it names what an engine is compared with.
fn baselines(page: &str) -> BTreeSet<&str> {
    let names = page.split("(`").skip(1).filter_map(|after| after.split_once("`)")).map(|(id, _)| id);
    names.filter(|id| revision::by_id(id).is_some()).collect()
}

/// A recorded engine that resolves is compared with one specification on its page. How often real links differ precedes every share of the
/// panel, most of whose pairs were chosen because parsers differ on them.
#[test]
fn the_page_of_an_engine_has_one_baseline_and_begins_with_real_links() {
    let (mut compared, mut counted) = (0, 0);
    for (name, page) in committed("engines") {
        let found = baselines(&page);
        assert!(found.len() <= 1, "{name}: {found:?}");
        compared += found.len();
        // The settings of a behaviour are described from that one, too, if it has rules.
        let described = page.lines().find_map(|line| line.strip_prefix("### Differences from "));
        let rules = found.first().and_then(|id| revision::by_id(id)).filter(|own| own.rules.is_some());
        if let (Some(described), Some(own)) = (described, rules) {
            assert_eq!(described, own.specification, "{name}");
        }
        assert!(!page.contains("most URLs as in") && !page.contains("On purpose, it"), "{name}");
        let of_panel = page.find("of the panel").filter(|_| !found.is_empty());
        if let Some(at) = of_panel {
            let links = page.find("links of documentation");
            assert!(links.is_some_and(|links| links < at), "{name}");
            counted += 1;
        }
    }
    assert!(compared > 100 && counted > 100, "{compared} and {counted}");
}

/// What a library does on purpose is what its documentation, its source or an issue says.
#[test]
fn an_intention_has_a_source() {
    for (name, page) in committed("engines") {
        for line in page.lines().filter(|line| line.contains("on purpose")) {
            let has_source = ["as its comment says", "documentation", "https://"].iter().any(|it| line.contains(it));
            assert!(has_source, "{name}: {line}");
        }
    }
}

/// Two states of the URL Standard with two results have two names.
#[test]
fn results_of_the_url_standard_have_the_date_of_the_state() {
    let names: BTreeSet<_> = revision::ALL.iter().map(|revision| revision.specification).collect();
    assert_eq!(names.len(), revision::ALL.len());
    let (_, page) = committed("").into_iter().find(|(name, _)| name == "threads.md").expect("the page");
    let mut dated = 0;
    for line in page.lines() {
        let returns = line.strip_prefix("- ").and_then(|line| line.split_once(" returns "));
        let Some((name, _)) = returns else { continue };
        assert_ne!(name, "URL Standard", "{line}");
        dated += usize::from(name.starts_with("URL Standard of "));
    }
    assert!(dated > 5, "{dated}");
}

/// The page of the `url` crate begins with the examples of the specifications, and the front page shows them before anything about engines.
#[test]
fn the_examples_of_the_specifications_come_first() {
    let pages = committed("");
    let page = |name: &str| pages.iter().find(|(own, _)| own == name).map(|(_, page)| page.as_str()).expect("a page");
    for name in ["crate-url.md", "crate-iri-string.md", "crate-fluent-uri.md", "crate-oxiri.md"] {
        let first = page(name).lines().find(|line| line.starts_with("## "));
        assert_eq!(first, Some("## Examples of the specifications"), "{name}");
    }
    let first = page("README.md").lines().find(|line| line.starts_with("## "));
    assert_eq!(first, Some("## The examples of the specifications and the `url` crate"));
    let (of_crate, front) = (page("crate-url.md"), page("README.md"));
    for page in [of_crate, front] {
        let is_of = |row: &&str| row.contains("`../../../g`") && row.contains("RFC 1808 §4 step 6c, June 1995");
        let row = page.lines().find(is_of).expect("a row");
        assert!(row.contains("RFC 3986 §5.2.4 2C, January 2005") && row.contains("URL Standard §4.4"), "{row}");
    }
    // A row for each example that differs.
    let rows =
        of_crate.lines().skip_while(|line| !line.starts_with("| example")).take_while(|line| line.starts_with('|'));
    let differing = of_crate.split("returns something else than the specification for ").nth(1).expect("a count");
    assert_eq!(Ok(rows.count() - 2), differing.split(' ').next().expect("a count").parse());
}
