//! Causes that were compared with the sources of the engines, one by one.

use std::collections::BTreeSet;

use urlstrata_harness::engine::{Engine, ask, by_name};
use urlstrata_harness::knowledge::attribute::{Attributor, Cause, EnginePair};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::world::World;

const JUDGED: &str = include_str!("judged.tsv");

/// Returns the newest recorded version of the engine called `name`, or the engine in this process.
fn engine(world: &World, name: &str) -> Box<dyn Engine> {
    if let Ok(engine) = by_name(name) {
        return engine;
    }
    let folders = world.folders().expect("folders");
    let folder = folders.engines.iter().find(|folder| folder.name == name).unwrap_or_else(|| panic!("{name}"));
    let version = folder.version(None).expect("a version");
    Box::new(world.recorded(folder, version).expect("a valid recording").expect("a recording"))
}

/// Returns the cause as it is printed.
fn printed(cause: &Cause) -> String {
    if let Cause::Indirect(_) = cause { "not known".to_owned() } else { cause.key() }
}

/// Returns the names of the settings and tables of a cause.
fn subjects(cause: &Cause) -> BTreeSet<String> {
    cause.differences().iter().map(|difference| difference.subject().to_owned()).collect()
}

/// A cause that was judged stays what it is, or is not known. A change of this list must be judged by the sources again.
#[test]
fn judged_causes_are_true_or_not_known() {
    let world = World::embedded().expect("a world");
    let text = |json: &str| serde_json::from_str::<String>(json).expect("a text");
    let (mut rows, mut unknown) = (0, 0);
    let mut changed = Vec::new();
    for line in JUDGED.lines().filter(|line| !line.starts_with('#')) {
        let [id, one, other, base, reference, cause] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let (base, reference) = (text(base), text(reference));
        let one = engine(&world, one);
        let returned = ask(one.as_ref(), &base, &reference);
        let found = match Specification::by_id(other) {
            Some(specification) => {
                let attributor = Attributor::new(specification, world.model_of(one.as_ref()));
                attributor.attribute(&base, &reference, &returned).map(|found| found.cause)
            }
            None => {
                let other = engine(&world, other);
                let pair = EnginePair::new(world.model_of(one.as_ref()), world.model_of(other.as_ref()));
                let theirs = ask(other.as_ref(), &base, &reference);
                let cause = pair.cause(&base, &reference, &returned, &theirs);
                // Both directions name the same settings.
                let back = EnginePair::new(world.model_of(other.as_ref()), world.model_of(one.as_ref()));
                let back = back.cause(&base, &reference, &theirs, &returned);
                assert_eq!(subjects(&cause), subjects(&back), "{id}");
                Some(cause)
            }
        };
        let found = found.as_ref().map_or_else(|| "no difference".to_owned(), printed);
        rows += 1;
        unknown += usize::from(found == "not known");
        if found != cause && found != "not known" {
            changed.push(format!("{id}: {found} instead of {cause}"));
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
    assert!(rows > 100 && unknown * 4 < rows, "{unknown} of {rows} are not known");
}
