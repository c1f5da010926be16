//! `report`: runs everything and writes the reports.

use std::fs;
use std::io::Write;
use std::path::Path;

use urlstrata_harness::files::write_all;
use urlstrata_harness::world::World;
use urlstrata_report::{self as report, SiteParts};

use super::output::unwritable;
use super::{Ended, Failure, Finding, playground};

/// Writes the reports to the folder `out`, and the site to the folder of `site`, with a playground if its second field is
/// true. Without either, the reports are written to `reports`. The site contains the page of the fuzz campaigns if it is in the folder
/// of the reports.
pub(super) fn report(reports: Option<&Path>, site: Option<(&Path, bool)>, world: World, out: &mut dyn Write) -> Ended {
    let html = site.map(|(folder, _)| folder);
    let folder = reports.or(if html.is_none() { Some(Path::new("reports")) } else { None });
    let campaign = || fs::read_to_string(folder.unwrap_or(Path::new("reports")).join("campaign.md")).ok();
    let parts = match site {
        Some((_, true)) => Some(SiteParts { playground: Some(playground::build()?), campaign: campaign() }),
        Some((_, false)) => Some(SiteParts { campaign: campaign(), ..SiteParts::default() }),
        None => None,
    };
    let working = super::working("running every engine against every specification");
    let files = report::write(&world.for_reports()?, parts.as_ref()).map_err(Failure::Input)?;
    working.finish_and_clear();
    // All reports are rendered before the first is written, so an error leaves the old reports unchanged.
    let folders = [(folder, &files.pages), (html, &files.site)];
    let below = folders.into_iter().filter_map(|(folder, files)| Some((folder?, files)));
    let written: Vec<_> =
        below.flat_map(|(folder, files)| files.iter().map(|(name, text)| (folder.join(name), text.as_str()))).collect();
    write_all(&written).map_err(|(path, error)| unwritable(&path, &error))?;
    writeln!(out, "{}", files.answer)?;
    for (path, _) in &written {
        writeln!(out, "  {}", path.display())?;
    }
    Ok(if files.internal_failures == 0 { Finding::AsExpected } else { Finding::InternalFailure })
}
