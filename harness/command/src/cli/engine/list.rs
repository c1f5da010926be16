//! `engine list`.

use std::io::Write;

use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;
use urlstrata_harness::engine;
use urlstrata_harness::engine::description::Install;
use urlstrata_harness::engine::folder::EngineFolder;
use urlstrata_harness::knowledge::measure::Share;
use urlstrata_harness::knowledge::stepped::Stepped;
use urlstrata_harness::plural::counted;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::world::World;

use crate::cli::output::write_json;
use crate::cli::{Failure, Format};

/// An engine folder as it is listed.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    language: &'a str,
    lineage: &'a str,
    homepage: &'a str,
    license: &'a str,
    native: &'a str,
    states: &'a str,
    connects: &'a str,
    follows: &'a str,
    note: &'a str,
    versions: Vec<ListedVersion<'a>>,
}

#[derive(Serialize)]
struct ListedVersion<'a> {
    version: &'a str,
    install: String,
    recorded: bool,
    /// The questions whose answers are recorded, as the operations of the engine protocol.
    answers: Vec<&'static str>,
    installed: bool,
    /// The platform of the recording and who built the version; missing if it is not known.
    recorded_on: Option<String>,
    #[serde(skip)]
    is_published: bool,
    /// Why the version cannot be had.
    unavailable: Option<&'a str>,
    nearest: Option<String>,
    /// How many pairs the behaviour predicts, for each class of bases; empty without a behaviour.
    predicted: Vec<Share>,
}

pub(super) fn list(format: Format, world: &World, out: &mut dyn Write) -> Result<(), Failure> {
    let folders = world.folders()?;
    let listed: Vec<_> = folders.engines.iter().map(|folder| listed(folder, world)).collect();
    if format == Format::Json {
        write_json(&listed, out)?;
        return Ok(());
    }
    writeln!(out, "In this process:")?;
    let engines = engine::all();
    let width = engines.iter().map(|engine| engine.name().len()).max().unwrap_or_default();
    for engine in &engines {
        let what = engine.revision().map_or("", |revision| revision.specification);
        writeln!(out, "{}", format!("  {:<width$}  {:<6} {what}", engine.name(), engine.version()).trim_end())?;
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["engine", "version", "language", "lineage", "nearest", "least predicted", "recorded on", ""]);
    for (folder, engine) in listed.iter().zip(&folders.engines) {
        for row in &folder.versions {
            let least = row.predicted.iter().min_by(|one, other| one.percent().total_cmp(&other.percent()));
            let predicted = least.map_or_else(String::new, |share| match share.percent() {
                percent if share.predicted == share.asked => format!("{percent}%"),
                percent => format!("{percent}% ({})", share.pairs),
            });
            let state = match (row.unavailable, row.recorded, row.installed) {
                (Some(_), ..) => row.install.clone(),
                (None, true, _) if row.is_published => "recorded by others".to_owned(),
                (None, true, false) => "recorded".to_owned(),
                (None, true, true) => "recorded, installed".to_owned(),
                (None, false, true) => "installed".to_owned(),
                (None, false, false) => "not recorded".to_owned(),
            };
            table.add_row([
                engine.name.clone(),
                row.version.to_owned(),
                folder.language.to_owned(),
                folder.lineage.to_owned(),
                row.nearest.clone().unwrap_or_default(),
                predicted,
                if row.recorded {
                    row.recorded_on.clone().unwrap_or_else(|| "not known".to_owned())
                } else {
                    String::new()
                },
                state,
            ]);
        }
    }
    writeln!(out, "\nEngine folders: NAME or NAME@VERSION\n{}", table.trim_fmt())?;
    writeln!(out, "\nLeast predicted: the class of bases of which the behaviour predicts the smallest share of pairs")?;
    let versions = || listed.iter().flat_map(|folder| &folder.versions);
    let recorded = versions().filter(|row| row.recorded).count();
    let mut languages: Vec<_> = listed.iter().map(|folder| folder.language).collect();
    languages.sort_unstable();
    languages.dedup();
    writeln!(
        out,
        "\n{} in {}: {}, {recorded} recorded",
        counted(listed.len(), "engine", "engines"),
        counted(languages.len(), "language", "languages"),
        counted(versions().count(), "version", "versions"),
    )?;
    let of_op = |op: &Op| {
        let count = listed.iter().filter(|it| it.versions.iter().any(|row| row.answers.contains(&op.name()))).count();
        format!("{} {count}", op.name())
    };
    let counts: Vec<_> = Op::ALL.iter().map(of_op).collect();
    writeln!(out, "Engines with recorded answers, by question: {}", counts.join(", "))?;
    Ok(())
}

/// Returns the questions whose answers are recorded for a version.
fn answers(folder: &EngineFolder, version: &str) -> Vec<&'static str> {
    let is_recorded = |op: &Op| match op {
        Op::Resolve => folder.recordings.contains_key(version),
        Op::Parse | Op::Connect | Op::Follow => folder.statements(*op, version).is_some(),
    };
    Op::ALL.into_iter().filter(is_recorded).map(Op::name).collect()
}

fn listed<'a>(folder: &'a EngineFolder, world: &World) -> Listed<'a> {
    let description = &folder.description;
    let versions = description.versions.iter().map(|version| {
        let has_steps = Stepped::of(&folder.name, &version.version).is_some();
        let compared = description.compared_with.as_ref().map(|(_, id)| id.clone()).filter(|_| has_steps);
        let behaviour = world.behaviour_file(&folder.key(version)).unwrap_or_else(|error| {
            eprintln!("urlstrata: {error}");
            None
        });
        ListedVersion {
            version: &version.version,
            install: version.install.to_string(),
            recorded: folder.is_recorded(&version.version),
            answers: answers(folder, &version.version),
            installed: world.root().is_some_and(|root| root.find(folder, version).is_some()),
            recorded_on: folder.recorded_on(version),
            is_published: matches!(version.install, Install::Published(_)),
            unavailable: if let Install::Unavailable(why) = &version.install { Some(why) } else { None },
            nearest: compared.clone().or_else(|| behaviour.as_ref().map(|behaviour| behaviour.nearest.clone())),
            predicted: behaviour.as_ref().map_or_else(Vec::new, |behaviour| behaviour.by_base().cloned().collect()),
        }
    });
    Listed {
        name: &folder.name,
        language: &description.language,
        lineage: &description.lineage,
        homepage: &description.homepage,
        license: &description.license,
        native: &description.native,
        states: &description.states,
        connects: &description.connects,
        follows: &description.follows,
        note: &description.note,
        versions: versions.collect(),
    }
}
