//! `report`: runs everything and writes the reports.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use urlstrata_harness::files::{check_writable, write_all};
use urlstrata_harness::world::World;
use urlstrata_report::{self as report, Cache, Request, SiteParts};

use super::output::unwritable;
use super::progress::Progress;
use super::{Ended, Failure, Finding, playground};

/// The file in the folder of the reports with results that later runs use again. It is not part of the repository.
const CACHE: &str = ".cache.json";

#[derive(Args)]
pub(super) struct Arguments {
    /// Folder for the reports; default: reports, but nothing if --html or --json is given
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Folder for a site of static HTML pages
    #[arg(long, value_name = "FOLDER")]
    html: Option<PathBuf>,
    /// File for all results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Add a playground to the site; its WebAssembly module is built with Cargo in the folder of the repository
    #[arg(long, requires = "html")]
    playground: bool,
}

/// Writes the reports, the site and the JSON file. The site contains the page of the fuzz campaigns if it is in the folder of the
/// reports.
pub(super) fn report(arguments: &Arguments, world: World, out: &mut dyn Write) -> Ended {
    let Arguments { out: folder, html, json, playground } = arguments;
    let is_default = html.is_none() && json.is_none();
    let folder = folder.as_deref().or(is_default.then_some(Path::new("reports")));
    let world = world.for_reports()?;
    // The computation takes a while, so what can fail is tried before.
    let pages = report::names(&world).map_err(Failure::Input)?;
    let below = |folder: &Path| pages.iter().map(|name| folder.join(name)).collect::<Vec<_>>();
    let mut written = folder.map(below).unwrap_or_default();
    written.extend(html.as_deref().map(|folder| folder.join("index.html")));
    written.extend(json.clone());
    check_writable(&written).map_err(|(path, error)| unwritable(&path, &error))?;
    let campaign = || fs::read_to_string(folder.unwrap_or(Path::new("reports")).join("campaign.md")).ok();
    let module = if *playground { Some(playground::build()?) } else { None };
    let site = html.as_ref().map(|_| SiteParts { playground: module, campaign: campaign() });
    // The results of the last run. Without the file, everything is computed.
    let earlier = fs::read_to_string(folder.unwrap_or(Path::new("reports")).join(CACHE)).unwrap_or_default();
    let cache = folder.map(|folder| folder.join(CACHE));
    let shown: Mutex<Option<Progress>> = Mutex::new(None);
    let progress = |part| {
        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
        match (part, shown.as_ref()) {
            // The display of the last stage ends first.
            (report::Progress::Stage(doing, total), _) => {
                drop(shown.take());
                *shown = Some(Progress::new(doing, "engines", Some(total)));
            }
            (report::Progress::Done, Some(stage)) => stage.add(1),
            (report::Progress::Done, None) => {}
        }
    };
    let request = Request { site, json: json.is_some(), cache: Cache::read(&earlier), progress: &progress };
    let made = report::write(&world, &request).map_err(Failure::Input)?;
    drop(shown.lock().unwrap_or_else(PoisonError::into_inner).take());
    let kept = request.cache.text();
    // All reports are rendered before the first is written, so an error leaves the old reports unchanged.
    let folders = [(folder, &made.pages), (html.as_deref(), &made.site)];
    let below = folders.into_iter().filter_map(|(folder, files)| Some((folder?, files)));
    let mut files: Vec<_> =
        below.flat_map(|(folder, files)| files.iter().map(|(name, text)| (folder.join(name), text.as_str()))).collect();
    files.extend(json.clone().zip(made.json.as_deref()));
    files.extend(cache.as_ref().map(|path| (path.clone(), kept.as_str())));
    write_all(&files).map_err(|(path, error)| unwritable(&path, &error))?;
    writeln!(out, "{}", made.answer)?;
    for (path, _) in files.iter().filter(|(path, _)| cache.as_ref() != Some(path)) {
        writeln!(out, "  {}", path.display())?;
    }
    Ok(if made.internal_failures == 0 { Finding::AsExpected } else { Finding::InternalFailure })
}
