//! Host confusion: which engines see different hosts in the same URLs.

use serde::Serialize;

use urlstrata_harness::engine::Engine;
use urlstrata_harness::survey::confusion::matrix::{HostCause, HostMatrix};
use urlstrata_harness::world::World;

/// The engines of the table on the page: the best known ones of each language. The report as JSON has all engines.
const SHOWN: [&str; 18] = [
    "chromium",
    "firefox",
    "node-url",
    "node-url-resolve",
    "crate:url",
    "urllib",
    "yarl",
    "httpx",
    "go-net-url",
    "java-net-uri",
    "java-net-url",
    "okhttp",
    "ruby-uri",
    "perl-uri",
    "guzzle",
    "mono-system-uri",
    "libcurl",
    "libxml2",
];

/// The hosts that engines see: all engines, and the rows of the page.
#[derive(Serialize)]
pub(super) struct HostReport {
    matrix: HostMatrix,
    /// The names of the engines of the table.
    names: Vec<String>,
    /// For each engine of the table, the number of causes for which it and each other one see different hosts.
    table: Vec<Vec<Option<usize>>>,
    /// Each two engines of the table that see different hosts.
    couples: Vec<Couple>,
}

/// Two engines that see different hosts.
#[derive(Serialize)]
struct Couple {
    one: String,
    other: String,
    /// The number of pairs for which the hosts differ.
    differ: usize,
    causes: usize,
    /// The cause with the smallest pair.
    smallest: HostCause,
}

impl HostReport {
    /// Returns the matrix of all engines.
    pub(super) fn matrix(&self) -> &HostMatrix {
        &self.matrix
    }

    /// Compares the hosts that the engines of `world` see in the panel.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the panel cannot be read.
    /// Unless `is_whole`, the matrix has only the causes between the engines of the page.
    pub(super) fn of(world: &World, is_whole: bool) -> Result<Self, String> {
        let panel = &world.folders().map_err(|error| error.to_string())?.panel;
        // Engines that others recorded were asked other pairs.
        let is_asked = |engine: &&dyn Engine| engine.panel().is_none_or(|own| own.pairs().len() == panel.pairs().len());
        let engines: Vec<&dyn Engine> =
            world.engines.iter().chain(&world.others).map(|engine| engine.as_ref()).filter(is_asked).collect();
        let models: Vec<_> = engines.iter().map(|engine| world.model_of(*engine)).collect();
        let is_own = |name: &str| world.engines.iter().any(|engine| engine.name() == name);
        let is_compared =
            |names: &[String]| is_whole || names.iter().any(|name| SHOWN.contains(&name.as_str()) || is_own(name));
        let matrix = HostMatrix::of(&engines, &models, &panel.pairs(), &is_compared);
        let row = |name: &str| matrix.rows.iter().position(|names| names.iter().any(|own| own == name));
        let shown: Vec<(&str, usize)> = SHOWN.into_iter().filter_map(|name| Some((name, row(name)?))).collect();
        let between =
            |one: usize, other: usize| matrix.cells.iter().find(|cell| cell.rows == [one.min(other), one.max(other)]);
        let table = shown.iter().map(|(_, one)| {
            let cell = |(_, other): &(&str, usize)| between(*one, *other).map(|cell| cell.causes.len());
            shown.iter().map(cell).collect()
        });
        let table = table.collect();
        let mut couples = Vec::new();
        for (index, (one, first)) in shown.iter().enumerate() {
            for (other, second) in &shown[index + 1..] {
                let Some(cell) = between(*first, *second) else { continue };
                let mut smallest = cell.causes[0].clone();
                if first > second {
                    smallest.hosts.reverse();
                }
                couples.push(Couple {
                    one: (*one).to_owned(),
                    other: (*other).to_owned(),
                    differ: cell.differ,
                    causes: cell.causes.len(),
                    smallest,
                });
            }
        }
        let names = shown.iter().map(|(name, _)| (*name).to_owned()).collect();
        Ok(Self { names, table, couples, matrix })
    }
}
