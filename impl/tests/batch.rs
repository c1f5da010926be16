//! A batch holds of each reference what it resolves to alone, in order.

mod common;

use common::BASES;
use urlstrata::fast::{Base, Batch, InstructionSet};
use urlstrata::revision;

const REFERENCES: [&str; 14] = [
    "g",
    "../g",
    "#s",
    "",
    "/g",
    "//h/g",
    "./g/../h",
    "?y",
    "///g",
    "http://h/x",
    "x:y/../z",
    "http:g",
    "a/reference/of/more/bytes/than/one/look/at/it/takes/in/and/then/a/few.html#f",
    "../../../../../../../../../../../../../g",
];

#[test]
fn holds_what_each_has_alone() {
    let mut undefined = 0;
    for (revision, rules) in revision::resolving() {
        for base in BASES {
            for instructions in InstructionSet::available() {
                let base = Base::with_instructions(rules, *base, instructions);
                let mut batch = Batch::default();
                assert!(batch.is_empty());
                // Twice, so that it goes on behind what it holds.
                base.resolve_all(REFERENCES, &mut batch);
                base.resolve_all(REFERENCES, &mut batch);
                assert!(!batch.is_empty() && batch.len() == 2 * REFERENCES.len());
                assert_eq!((batch.ends().len(), batch.ends().last()), (batch.len(), Some(&batch.text().len())));
                let mut whole = String::new();
                for (index, reference) in REFERENCES.iter().chain(&REFERENCES).enumerate() {
                    let mut alone = String::new();
                    let resolved = base.resolve_into(reference, &mut alone).map(|()| alone.as_str());
                    assert_eq!(batch.get(index), resolved, "{} {instructions} {reference}", revision.id);
                    undefined += usize::from(resolved.is_err());
                    whole.push_str(resolved.unwrap_or_default());
                    assert_eq!(batch.ends()[index], whole.len());
                }
                assert_eq!(batch.text(), whole);
                assert!(batch.iter().eq((0..batch.len()).map(|index| batch.get(index))));
                batch.clear();
                assert!(batch.is_empty() && batch.text().is_empty() && batch.iter().next().is_none());
            }
        }
    }
    assert!(undefined > 100, "{undefined}");
}
