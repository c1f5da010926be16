//! A batch contains, for each reference, the same target as a single resolution, in order.

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
fn batch_equals_single_resolutions() {
    let mut undefined = 0;
    for (revision, rules) in revision::resolving() {
        for base in BASES {
            for instructions in InstructionSet::available() {
                let base = Base::with_instructions(rules, *base, instructions);
                let mut batch = Batch::default();
                assert!(batch.is_empty());
                // The second call appends to the targets of the first one.
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
