//! The pairs of public threads: the results of all engines, those of each version of the engines in question, and the causes
//! of the differences.

use serde::Serialize;

use urlstrata_harness::behaviour;
use urlstrata_harness::engine::description::Install;
use urlstrata_harness::engine::folder::EngineFolder;
use urlstrata_harness::engine::recording::is_same;
use urlstrata_harness::engine::{Engine, ask};
use urlstrata_harness::explain::{Explainer, Group};
use urlstrata_harness::knowledge::attribute::{Answer, Attributor, Cause, EnginePair};
use urlstrata_harness::knowledge::note::{Cited, Note};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::vector::{ResolutionCase, Suite};
use urlstrata_harness::world::World;

/// The file of vectors with the pairs of public threads.
const THREADS: &str = "found/threads";

/// A pair of a public thread.
#[derive(Serialize)]
pub(super) struct ThreadRow {
    name: String,
    base: String,
    reference: String,
    note: String,
    /// The results of all specifications and engines.
    groups: Vec<Group>,
    /// The engines in question.
    engines: Vec<DiscussedRow>,
    /// Why the results differ: the engines in question are compared with specifications and with each other, or
    /// specifications with each other if no engine is in question.
    causes: Vec<CauseRow>,
}

/// An engine in question, with the result of each recorded version.
#[derive(Serialize)]
struct DiscussedRow {
    name: String,
    /// Consecutive versions with the same result, oldest first: the oldest, the newest, and the result.
    results: Vec<(String, String, Outcome)>,
}

/// Why two results differ.
#[derive(Serialize)]
struct CauseRow {
    /// The names of the two sides: an engine with its version, or a specification.
    sides: [String; 2],
    /// The results of the two sides.
    results: [Outcome; 2],
    /// The name of the cause.
    key: String,
    /// Whether the cause consists of questions with two answers.
    explained: bool,
    /// The questions, with the answers of the two sides.
    questions: Vec<(String, [String; 2])>,
}

impl CauseRow {
    fn new(sides: [String; 2], results: [Outcome; 2], cause: &Cause, notes: Vec<Note>) -> Self {
        let row = Self { sides, results, key: cause.key(), explained: cause.is_explained(), questions: Vec::new() };
        row.with(notes)
    }

    fn with(self, notes: Vec<Note>) -> Self {
        let questions =
            notes.into_iter().map(|note| (note.question, [note.from, note.to].map(|side| side.to_string())));
        Self { questions: questions.collect(), ..self }
    }
}

/// Returns the pairs of public threads in `suite`.
///
/// # Errors
///
/// Returns a sentence if a recording is not valid, or a vector names an engine without a folder, unless the user has given the
/// folders.
pub(super) fn threads(world: &World, suite: &Suite) -> Result<Vec<ThreadRow>, String> {
    let folders = world.folders().map_err(|error| error.to_string())?;
    let mut explainer = Explainer::new(world, &[]);
    let mut rows = Vec::new();
    for (_, vector) in suite.vectors().filter(|(file, _)| file.id == THREADS) {
        let Some(case) = vector.resolution() else { continue };
        let mut engines = Vec::new();
        let mut discussed = Vec::new();
        for name in &case.engines {
            let folder = folders.engines.iter().find(|engine| engine.name == *name);
            let folder = match folder {
                Some(folder) => folder,
                // The folders of a user need not contain all engines.
                None if world.has_own_folders() => continue,
                None => return Err(format!("{THREADS}: no engine folder is called {name:?}")),
            };
            engines
                .push(DiscussedRow { name: name.clone(), results: by_version(folder, &case.base, &case.reference)? });
            discussed.extend(engine_of(world, folder));
        }
        rows.push(ThreadRow {
            name: vector.name.clone(),
            groups: explainer.explain(&case.base, &case.reference).groups,
            engines,
            causes: causes(world, &discussed, case),
            base: case.base.clone(),
            reference: case.reference.clone(),
            note: vector.note.clone().unwrap_or_default(),
        });
    }
    Ok(rows)
}

/// Returns the newest recorded version of `folder`, or the engine in this process that it describes.
fn engine_of<'w>(world: &'w World, folder: &EngineFolder) -> Option<&'w dyn Engine> {
    let in_process = folder.description.versions.iter().find_map(|version| match &version.install {
        Install::InProcess(name) => Some(name.as_str()),
        _ => None,
    });
    let names = [Some(folder.name.as_str()), in_process];
    let engines = world.engines.iter().chain(&world.others);
    engines.map(AsRef::as_ref).find(|engine| names.contains(&Some(engine.name())))
}

/// Returns why the results for the pair of `case` differ.
fn causes(world: &World, discussed: &[&dyn Engine], case: &ResolutionCase) -> Vec<CauseRow> {
    let (base, reference) = (case.base.as_str(), case.reference.as_str());
    let specified = distinct(base, reference);
    let mut rows = Vec::new();
    for (at, engine) in discussed.iter().enumerate() {
        let outcome = ask(*engine, base, reference);
        for side in specified.iter().filter(|(_, own)| !is_same(own, &outcome)) {
            rows.extend(against(world, side, (*engine, &outcome), &specified, case));
        }
        for other in &discussed[at + 1..] {
            let theirs = ask(*other, base, reference);
            let pair = EnginePair::new(world.model_of(*engine), world.model_of(*other));
            let Some(found) = pair.attribute(base, reference, &outcome, &theirs) else { continue };
            // The cause leads from the second engine to the first.
            let sides = [title(*other), title(*engine)];
            let notes = pair.notes(&found, base, reference);
            rows.push(CauseRow::new(sides, [theirs, outcome.clone()], &found.cause, notes));
        }
    }
    if discussed.is_empty() {
        rows.extend(specified.windows(2).filter_map(|pair| between(&pair[0], &pair[1], base, reference)));
    }
    rows
}

/// Returns why `engine` does not have the result of a specification.
///
/// If the behaviour of the engine does not predict its result, the specification is compared with another one that has this
/// result.
fn against(
    world: &World,
    side: &(Specification, Outcome),
    (engine, outcome): (&dyn Engine, &Outcome),
    specified: &[(Specification, Outcome)],
    case: &ResolutionCase,
) -> Option<CauseRow> {
    let (base, reference) = (case.base.as_str(), case.reference.as_str());
    let (specification, own) = side;
    let attributor = Attributor::new(*specification, world.model_of(engine));
    let answer = Answer::new(base, reference, outcome);
    let found = attributor.attribute_from(own.clone(), &answer)?;
    let alike = specified.iter().find(|(_, own)| is_same(own, outcome));
    if let (false, Some(alike)) = (matches!(found.cause, Cause::Behaviour(_) | Cause::Steps(_)), alike)
        && let Some(row) = between(side, alike, base, reference)
    {
        let [own, other] = row.sides;
        return Some(CauseRow { sides: [own, format!("{other}, like {}", title(engine))], ..row });
    }
    let results = [own.clone(), outcome.clone()];
    let sides = [specification.revision.specification.to_owned(), title(engine)];
    Some(CauseRow::new(sides, results, &found.cause, attributor.notes(&found, &answer)))
}

fn title(engine: &dyn Engine) -> String {
    format!("{} {}", engine.name(), engine.version())
}

/// Returns one specification for each distinct result, the newest that has it, oldest first.
fn distinct(base: &str, reference: &str) -> Vec<(Specification, Outcome)> {
    let mut found: Vec<(Specification, Outcome)> = Vec::new();
    for specification in Specification::all() {
        let outcome = specification.resolve(base, reference);
        found.retain(|(_, own)| !is_same(own, &outcome));
        found.push((specification, outcome));
    }
    found
}

/// Returns why two specifications have different results.
fn between(
    (older, from): &(Specification, Outcome),
    (newer, to): &(Specification, Outcome),
    base: &str,
    reference: &str,
) -> Option<CauseRow> {
    let differences = behaviour::between(older.behaviour(), newer.behaviour(), base, reference)?;
    let cited = [*older, *newer].map(Cited::Specification);
    let notes = differences.iter().map(|difference| Note::of(difference, cited, (base, reference))).collect();
    let sides = [older, newer].map(|own| own.revision.specification.to_owned());
    Some(CauseRow::new(sides, [from.clone(), to.clone()], &Cause::Behaviour(differences), notes))
}

fn by_version(engine: &EngineFolder, base: &str, reference: &str) -> Result<Vec<(String, String, Outcome)>, String> {
    let mut results: Vec<(String, String, Outcome)> = Vec::new();
    let Some(number) = engine.panel.find(base, reference) else { return Ok(results) };
    for version in engine.description.versions.iter().rev() {
        let recording = engine.recording(&version.version).map_err(|error| error.to_string())?;
        let Some(recording) = recording else { continue };
        let outcome = recording.outcome(number, (base, reference)).map_err(|error| error.to_string())?;
        match results.last_mut() {
            Some((_, newest, same)) if is_same(same, &outcome) => newest.clone_from(&version.version),
            _ => results.push((version.version.clone(), version.version.clone(), outcome)),
        }
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::threads;
    use urlstrata_harness::world::World;

    /// The settings or slots that explain threads, by the names of their vectors.
    const CAUSES: [(&str, &str); 9] = [
        ("dart-sdk-26804", "scheme_alone"),
        ("cpython-76960", "the reference's query"),
        ("cpython-96015", "the base's path"),
        ("jsonld-java-279", "bare_host"),
        ("phpuri-11", "params"),
        ("rdf-turtle-89", "dots_in_absolute"),
        ("archivo-47", "empty_form"),
        ("yarl-536", "the reference's path"),
        ("ssrf-filter-95", "query_only"),
    ];

    #[test]
    fn the_causes_of_public_threads_are_known() {
        let world = World::embedded().and_then(World::for_reports).unwrap_or_else(|error| panic!("{error}"));
        let suite = world.suite().unwrap_or_else(|error| panic!("{error}"));
        let rows = threads(&world, suite).unwrap_or_else(|sentence| panic!("{sentence}"));
        assert!(rows.len() >= 20);
        for row in &rows {
            for cause in &row.causes {
                assert!(cause.explained, "{}: {:?}: {}", row.name, cause.sides, cause.key);
                let is_known = !cause.key.starts_with("not known");
                assert_eq!(is_known, !cause.questions.is_empty(), "{}: {:?}: {}", row.name, cause.sides, cause.key);
            }
            // Without a cause, all specifications agree with each other and with the engines in question.
            let results = row.groups.iter().filter(|group| group.by.iter().any(|name| name.starts_with("rfc"))).count();
            assert!(!row.causes.is_empty() || results == 1, "{}: no cause", row.name);
        }
        let mut missing = Vec::new();
        for (name, setting) in CAUSES {
            let row = rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("no thread is called {name}"));
            let keys: Vec<_> = row.causes.iter().map(|cause| cause.key.as_str()).collect();
            if !keys.iter().any(|key| key.contains(setting)) {
                missing.push(format!("{name}: {keys:?}"));
            }
        }
        assert!(missing.is_empty(), "{missing:#?}");
    }
}
