//! RDFLib: `URIRef(reference, base=base)`.
//!
//! Read from `rdflib/term.py` of RDFLib 4.2.2 to 7.6.0, which has the same function throughout. It joins with `urllib.parse` of the Python that
//! runs it: that of the recordings is 3.11.7.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::urllib;

/// RDFLib.
pub static TABLE: Table = Table {
    engine: "rdflib",
    first: "4.2.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, NEW)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&urllib::TABLE, urllib::RECORDED.to_owned())],
};

/// `URIRef.__new__`.
static NEW: &[Step] = &[
    Step::new("URIRef.__new__: urljoin", "join the reference with the base as `urljoin` does", |_| {
        Call(urllib::URLJOIN, Side::Reference)
    }),
    Step::new("URIRef.__new__: ends_in_hash", "if the reference ends in #, so does the target", |s| {
        let target = s.get(Slot::Result);
        if !s.reference.ends_with('#') || target.ends_with('#') {
            return Done;
        }
        let target = format!("{target}#");
        s.set(Slot::Out(Part::Fragment), "");
        s.set(Slot::Result, target);
        Done
    }),
];
