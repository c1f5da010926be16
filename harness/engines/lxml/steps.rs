//! lxml: `make_links_absolute` of an element with one link.
//!
//! Read from `lxml/html/__init__.py` and `lxml/apihelpers.pxi` of lxml 6.1.3. It joins with `urllib.parse` of the Python that runs it: that of
//! the recordings is 3.11.7.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::urllib;

/// lxml.
pub static TABLE: Table = Table {
    engine: "lxml",
    first: "6.1.3",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, REWRITE_LINKS)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&urllib::TABLE, urllib::RECORDED.to_owned())],
};

/// `rewrite_links`, which `make_links_absolute` calls.
static REWRITE_LINKS: &[Step] = &[
    Step::new("rewrite_links: strip", "remove white space from both ends of the reference", |s| {
        let stripped = urllib::stripped(s.reference);
        s.set(Slot::Ref(Part::Text), stripped);
        s.passed = s.present(Slot::Ref(Part::Text)).map(str::to_owned);
        Go
    }),
    Step::new("make_links_absolute: urljoin", "join the reference with the base as `urljoin` does", |_| {
        Call(urllib::URLJOIN, Side::Reference)
    }),
    Step::new("_utf8: the target", "reject a new target that XML cannot contain", |s| {
        match is_xml(s.get(Slot::Result)) {
            true => Done,
            false => s.reject(Slot::Result, "an attribute cannot contain it"),
        }
    }),
];

/// Returns whether XML can contain a text: it has no control characters but tabs and ends of lines, and no noncharacter of the first plane's end.
fn is_xml(text: &str) -> bool {
    text.chars().all(|it| !matches!(it, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}'))
}
