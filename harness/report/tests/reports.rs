//! The committed reports are those that this version generates.

use std::fs;
use std::path::Path;

use urlstrata_harness::world::World;
use urlstrata_report::Request;

#[test]
fn reports_are_current_explain_every_divergence_and_contain_no_local_paths() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the folder of the workspace");
    let folder = repository.join("reports");
    let world = World::embedded().and_then(World::for_reports).expect("files in order");
    let reports = urlstrata_report::write(&world, &Request::default()).expect("reports");
    assert!(reports.answer.ends_with("4 engines, 0 divergences unexplained"), "{}", reports.answer);
    assert!(reports.pages.iter().map(|(name, _)| name).eq(&urlstrata_report::names(&world).expect("names")));
    for (name, page) in reports.pages {
        let written = fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert!(
            page == written,
            "reports/{name} is stale: run `cargo run --release -- known update` if a vector was added, then \
             `cargo run --release -- report`"
        );
        assert!(!page.contains(&*repository.to_string_lossy()), "{name} names a folder of this machine");
    }
}
