//! `report`: runs everything and writes the reports.

use std::io::Write;
use std::path::Path;

use urlstrata_harness::files::write_all;
use urlstrata_harness::report;
use urlstrata_harness::world::World;

use super::output::unwritable;
use super::{Ended, Failure, Finding};

pub(super) fn report(folder: &Path, world: World, out: &mut dyn Write) -> Ended {
    let working = super::working("running every engine against every specification");
    let files = report::write(&world.for_reports()?).map_err(Failure::Input)?;
    working.finish_and_clear();
    // All reports are rendered before the first is written, so an error leaves the old reports unchanged.
    let pages: Vec<_> = files.pages.iter().map(|(name, text)| (folder.join(name), text.as_str())).collect();
    write_all(&pages).map_err(|(path, error)| unwritable(&path, &error))?;
    writeln!(out, "{}", files.answer)?;
    for (name, _) in &files.pages {
        writeln!(out, "  {}", folder.join(name).display())?;
    }
    Ok(if files.internal_failures == 0 { Finding::AsExpected } else { Finding::InternalFailure })
}
