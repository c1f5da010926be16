//! The causes of a difference between two engines are the same in both directions.

use rayon::prelude::*;
use urlstrata_harness::engine::use_order::best_known;
use urlstrata_harness::engine::{Engine, ask, by_name};
use urlstrata_harness::knowledge::attribute::{Cause, EnginePair};
use urlstrata_harness::knowledge::note::Note;
use urlstrata_harness::knowledge::stepped::{StatingPair, Stepped};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs::confusing;
use urlstrata_harness::pairs::generate::RandomPairs;
use urlstrata_harness::world::World;

/// Engines without steps, each with a fitted behaviour.
const FITTED: [&str; 6] = ["htmlcxx", "jena", "neon", "gauche", "rdf4j", "libwget"];

/// Pairs that two sides can make equal in two ways, one from each side.
const EITHER: [(&str, &str); 6] = [
    ("foo:a", "hTTps:.."),
    ("http://a/b", "///g"),
    ("http://a/b", "FILE://h/x"),
    ("http://a/b/c", "FILE:///x/../y"),
    ("HTTP://U@h:80/p?q#f", "http:g"),
    ("foo:a", "https:///..//x"),
];

/// Returns the best known engines that resolve references, and the fitted ones.
fn engines(world: &World) -> Vec<Box<dyn Engine>> {
    let engine = |name: &str| match name.strip_prefix("crate-") {
        Some(name) => by_name(&format!("crate:{name}")).ok(),
        None => world.predicted(name).ok(),
    };
    let answers = |engine: &dyn Engine| !matches!(ask(engine, "http://a/b", "c"), Outcome::Skipped(_));
    let known = best_known().filter_map(engine).filter(|it| answers(it.as_ref())).take(18);
    known.chain(FITTED.iter().map(|name| engine(name).expect("an engine"))).collect()
}

/// Returns pairs of the panel, confusing pairs and random ones.
fn pairs(world: &World) -> Vec<(String, String)> {
    let owned = |(base, reference): (&str, &str)| (base.to_owned(), reference.to_owned());
    let panel = world.folders().expect("folders").panel.pairs();
    let panel = panel.into_iter().step_by(300).map(|(base, reference)| (base.into(), reference.into()));
    let confusing = confusing::pairs().into_iter().step_by(600);
    let mut random = RandomPairs::new(51);
    let random = (0..50).map(|_| random.pair());
    let chosen = EITHER.into_iter().map(owned).chain(panel).chain(confusing.map(|(base, it)| owned((base, &it))));
    chosen.chain(random).collect()
}

/// Returns each couple of `sides` once.
fn couples<T>(sides: &[T]) -> Vec<[&T; 2]> {
    let with_later = |at: usize| sides[at + 1..].iter().map(move |other| [&sides[at], other]);
    (0..sides.len()).flat_map(with_later).collect()
}

/// Exchanges the sides of notes.
fn reversed(notes: Vec<Note>) -> Vec<Note> {
    let reversed = |note: Note| Note { from: note.to, to: note.from, ..note };
    notes.into_iter().map(reversed).collect()
}

/// Returns the names of the settings and tables of a fitted behaviour, in their order.
fn subjects(cause: &Cause) -> Vec<&str> {
    cause.differences().iter().map(|difference| difference.subject()).collect()
}

/// Checks that what was compared, which is more than `least`, has no differences.
#[track_caller]
fn assert_none(found: Vec<(usize, Vec<String>)>, least: usize) {
    let compared: usize = found.iter().map(|(compared, _)| compared).sum();
    let different: Vec<String> = found.into_iter().flat_map(|(_, different)| different).collect();
    let shown = different.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(different.is_empty(), "{} of {compared} differences:\n{shown}", different.len());
    assert!(compared > least, "{compared}");
}

#[test]
fn both_directions_of_a_pair_name_the_same_causes() {
    let world = World::embedded().expect("a world");
    let (engines, pairs) = (engines(&world), pairs(&world));
    let compared = |&[&one, &other]: &[&&dyn Engine; 2]| {
        let model = |engine| world.model_of(engine);
        let forth = EnginePair::new(model(one), model(other));
        let back = EnginePair::new(model(other), model(one));
        let (mut count, mut different) = (0, Vec::new());
        for (base, reference) in &pairs {
            let [returned, own] = [one, other].map(|engine| ask(engine, base, reference));
            let Some(there) = forth.attribute(base, reference, &returned, &own) else { continue };
            let here = back.attribute(base, reference, &own, &returned).expect("a difference");
            count += 1;
            let mut notes = [forth.notes(&there, base, reference), reversed(back.notes(&here, base, reference))];
            let kinds = [&there, &here].map(|it| (std::mem::discriminant(&it.cause), it.effect, it.outside));
            let names = [&there, &here].map(|it| subjects(&it.cause));
            let is_by_steps = matches!(there.cause, Cause::Steps(_));
            let are_fitted = [one, other].iter().all(|engine| world.steps_of(*engine).is_none());
            // The name of a setting has the value of the second side.
            notes.iter_mut().flatten().filter(|_| !is_by_steps).for_each(|note| note.name.clear());
            if (is_by_steps || are_fitted) && notes[0] != notes[1] || kinds[0] != kinds[1] || names[0] != names[1] {
                let keys = [&there, &here].map(|it| it.cause.key());
                different.push(format!("{} {} {base:?} {reference:?} {keys:#?}", one.key(), other.key()));
            }
        }
        (count, different)
    };
    let engines: Vec<&dyn Engine> = engines.iter().map(AsRef::as_ref).collect();
    assert_none(couples(&engines).par_iter().map(compared).collect(), 20_000);
}

#[test]
fn both_directions_of_a_statement_name_the_same_causes() {
    let world = World::embedded().expect("a world");
    let steps = best_known().filter_map(|name| world.steps_of(world.predicted(name).ok()?.as_ref()));
    let steps: Vec<Stepped> = steps.filter(Stepped::states).take(12).collect();
    let pairs = pairs(&world);
    let compared = |[one, other]: &[&Stepped; 2]| {
        let couple = |sides: [&Stepped; 2]| StatingPair::new(sides.map(|side| Some(side.clone()))).expect("both state");
        let [forth, back] = [couple([one, other]), couple([other, one])];
        let (mut count, mut different) = (0, Vec::new());
        for (_, url) in &pairs {
            let [stated, own] = [one, other].map(|side| side.state(url).expect("an answer"));
            let notes = [forth.notes(url, [&stated, &own]), reversed(back.notes(url, [&own, &stated]))];
            count += usize::from(!notes[0].is_empty());
            if notes[0] != notes[1] {
                different.push(format!("{one:?} {other:?} {url:?} {notes:#?}"));
            }
        }
        (count, different)
    };
    assert_none(couples(&steps).par_iter().map(compared).collect(), 5_000);
}
