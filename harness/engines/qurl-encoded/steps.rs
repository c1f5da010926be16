//! Qt: `QUrl(base).resolved(QUrl(reference)).toEncoded()`, and the components of `QUrl(url)` with `QUrl::FullyEncoded`, of 6.11.
//!
//! Read from the sources of the table `qurl`, whose other steps it shares.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, State, Step, Table, no_calls};

use crate::qurl::{PARSE, RESOLVED, Recode, ascii_host, authority, state, state_host, write_authority};

/// Qt, encoded.
pub static TABLE: Table = Table {
    engine: "qurl-encoded",
    first: "6.11.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, TO_ENCODED), (Question::Parse, STATE)],
    called: &[PARSE, RESOLVED],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `toEncoded`.
static TO_ENCODED: &[Step] = &[
    Step::new("resolved", "resolve the reference", |_| Call(RESOLVED, Side::Reference)),
    Step::new("toEncoded: appendAuthority", "write user and password encoded, the host in ASCII and the port", |s| write_authority(s, true)),
    Step::new("toEncoded: appendPath, appendQuery, appendFragment", "encode spaces, characters outside ASCII and what the components do not contain in a URL", |s| {
        encode(s, &[(Part::Path, 5), (Part::Query, 6), (Part::Fragment, 6)]);
        Go
    }),
    Step::new("toString", "concatenate the components", |s| s.concatenate()),
];

fn encode(s: &mut State<'_>, parts: &[(Part, usize)]) {
    for (part, from) in parts {
        let slot = Slot::Out(*part);
        let text = s.present(slot).map(|text| Recode::in_url(*from, true).of(text));
        s.set(slot, text);
    }
}

/// The components of `QUrl(url)`.
static STATE: &[Step] = &[
    Step::new("QUrl", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("QUrl: FullyEncoded", "state the components encoded, the host in ASCII without its brackets, and absent ones but the port as empty", |s| {
        state(s);
        let authority = authority(s, Recode::in_url(0, true), Recode::in_url(1, true), true);
        s.set(Slot::Out(Part::Authority), authority);
        let host = ascii_host(s.get(Slot::Out(Part::Host)));
        s.set(Slot::Out(Part::Host), host);
        encode(s, &[(Part::User, 0), (Part::Password, 1), (Part::Path, 5), (Part::Query, 6), (Part::Fragment, 6)]);
        state_host(s)
    }),
];
