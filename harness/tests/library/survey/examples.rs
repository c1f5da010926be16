//! The examples that the specifications print, and why an engine returns something else.

use urlstrata_harness::engine::by_name;
use urlstrata_harness::survey::examples::{Example, Examples};
use urlstrata_harness::world::World;

/// Every example with another result has a reason, with a section and a date on both sides. What a specification permits, and what depends on
/// an erratum, is marked.
#[test]
fn examples_with_another_result_have_reasons_with_sources() {
    let world = World::embedded().expect("files in order");
    let engine = by_name("crate:url").expect("an engine");
    let found = Examples::of(world.suite().expect("vectors"), engine.as_ref(), &world.model_of(engine.as_ref()));
    assert_eq!(found.sections.len(), 9);
    for section in &found.sections {
        assert!(section.asked > 0 && section.unanswered == 0, "{}", section.name);
        for example in &section.differing {
            let about = format!("{}: {:?} on {:?}", section.name, example.reference, example.base);
            assert!(!example.notes.is_empty(), "{about}");
            for note in &example.notes {
                let cite = section.name.split([',', '§', '(']).next().unwrap_or_default().trim();
                assert!(
                    note.from.source.starts_with(cite) && note.from.source.ends_with(&section.date),
                    "{about}: {note:?}"
                );
                assert!(
                    note.to.source.starts_with("URL Standard §") && note.to.source.contains("crate-url "),
                    "{about}: {note:?}"
                );
                assert!(note.from.note != note.to.note, "{about}: {note:?}");
            }
        }
    }
    let differing = |name: &str, reference: &str| -> Example {
        let section = found.sections.iter().find(|section| section.name == name).expect("a section");
        section.differing.iter().find(|example| example.reference == reference).expect("a difference").clone()
    };
    assert!(differing("RFC 2396 §C.2", "../../../g").is_permitted);
    assert_eq!(differing("RFC 2396 §C.1", "?y").errata, ["r2396-query-only"]);
    let plain = differing("RFC 1808 §5.2", "../../../g");
    assert!(!plain.is_permitted && plain.errata.is_empty(), "{plain:?}");
}
