//! react-native-url-polyfill: `new URL(reference, base)`, from 4.0.0 on.
//!
//! Read from `js/URL.js` of 4.0.0, which has the states of the URL Standard.

use urlstrata::revision::whatwg::{self, Implementation, Next as Then, OwnStep};
use urlstrata::slots::Part;
use urlstrata_steps::standard::landed;
use urlstrata_steps::{Change, Next, Question, Side, Step, Table, no_calls};

use crate::url_standard::PROPERTIES;

/// react-native-url-polyfill.
pub static TABLE: Table = Table {
    engine: "react-native-url-polyfill",
    first: "4.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, PARSE)],
    called: &[PROPERTIES],
    standard: Some(standard),
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static RESOLVE: &[Step] = &[Step::new(
    "URL: constructor",
    "run the steps of the URL Standard of July 2026, without IDNA",
    |_| Next::Standard(standard),
)];

static PARSE: &[Step] = &[
    Step::new("URL, without a base", "parse the URL", |_| Next::Call(RESOLVE, Side::Reference)),
    Step::new("URL: getters", "state the properties of the URL", |_| Next::Call(PROPERTIES, Side::Reference)),
];

fn standard(changes: &[&'static Change]) -> Implementation {
    Implementation { landed: landed(&whatwg::WHATWG_2026_07, changes), own: vec![&DOMAIN] }
}

static DOMAIN: OwnStep = OwnStep {
    instead_of: "domain 6.1",
    label: "domainToASCII",
    text: "keep the domain, with ASCII letters in lower case, unless it has U+FFFD",
    run: |s| {
        if !s.domain().contains(char::REPLACEMENT_CHARACTER) {
            let domain = s.domain().to_ascii_lowercase();
            s.set_ascii_domain(domain);
            s.rewrites(Part::Authority);
        }
        Some(Then::Continue)
    },
};
