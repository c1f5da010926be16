//! uriparser: `uriAddBaseUriExA` with the option `URI_RESOLVE_IDENTICAL_SCHEME_COMPAT`, from 0.9.4 on.
//!
//! Read from `UriResolve.c` of uriparser 0.9.4 to 1.0.2. The other steps are those of the table `uriparser`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::uriparser;

/// uriparser, not strict.
pub static TABLE: Table = Table {
    engine: "uriparser-compat",
    first: "0.9.4",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, STEPS)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&uriparser::TABLE, version.to_owned())],
};

static STEPS: &[Step] = &[
    Step::new("uriParseSingleUri: both", "parse the base and the reference", |_| Call(uriparser::READ, Side::Reference)),
    uriparser::WITHOUT_BASE,
    uriparser::ABSOLUTE_BASE,
    Step::new("URI_RESOLVE_IDENTICAL_SCHEME_COMPAT", "the scheme of the reference is ignored if it is exactly that of the base", |s| {
        let slot = Slot::Ref(Part::Scheme);
        match s.present(slot) == s.present(Slot::Base(Part::Scheme)) {
            true => s.set(slot, None::<&str>),
            false => s.keep(slot),
        }
        Go
    }),
    Step::new("uriAddBaseUriEx", "resolve the reference", |_| Call(uriparser::ADD_BASE, Side::Reference)),
];
