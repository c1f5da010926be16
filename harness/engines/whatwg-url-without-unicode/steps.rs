//! whatwg-url-without-unicode, a fork of whatwg-url: `new URL(reference, base)`, of 7.0.0 and 8.0.0-3.
//!
//! Read from `lib/url-state-machine.js` of both versions, which has the states of the URL Standard of June 2018 as functions.

use urlstrata::revision::whatwg::{self, Implementation, Next as Then, OwnStep};
use urlstrata::slots::Part;
use urlstrata_steps::standard::{adopts, landed};
use urlstrata_steps::{Change, Next, Question, Side, Step, Table, Witness, no_calls};

use crate::url_standard::PROPERTIES;
use crate::whatwg_url::CREDENTIALS;

/// whatwg-url-without-unicode.
pub static TABLE: Table = Table {
    engine: "whatwg-url-without-unicode",
    first: "7.0.0",
    changes: &[&GOPHER],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, PARSE)],
    called: &[PROPERTIES],
    standard: Some(standard),
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static GOPHER: Change = adopts(
    "d589670",
    "",
    "`gopher` is not a special scheme",
    (&["8.0.0"], ""),
    Witness::resolving("", "gopher://H", Some("gopher://H/"), Some("gopher://H")),
);

static RESOLVE: &[Step] = &[Step::new(
    "URL-impl: constructor",
    "run the steps of the URL Standard of June 2018, without IDNA",
    |_| Next::Standard(standard),
)];

static PARSE: &[Step] = &[
    Step::new("URL-impl, without a base", "parse the URL", |_| Next::Call(RESOLVE, Side::Reference)),
    Step::new("URL-impl: getters", "state the properties of the URL", |_| Next::Call(PROPERTIES, Side::Reference)),
];

fn standard(changes: &[&'static Change]) -> Implementation {
    Implementation { landed: landed(&whatwg::WHATWG_2018_06, changes), own: vec![&CREDENTIALS, &DOMAIN] }
}

static DOMAIN: OwnStep = OwnStep {
    instead_of: "domain 6.1",
    label: "domainToASCII",
    text: "keep the domain as it is",
    run: |s| {
        let domain = s.domain().to_owned();
        let is_number = |label: &str| {
            let is_hex = label.get(..2).is_some_and(|mark| mark.eq_ignore_ascii_case("0x"));
            is_hex || label.bytes().all(|it| it.is_ascii_digit())
        };
        let has_capital = domain.contains(|it: char| it.is_ascii_uppercase());
        // What IDNA would not change, or is read as an address, does not show that the domain is kept.
        if !domain.is_ascii() || has_capital && !domain.split('.').all(is_number) {
            s.rewrites(Part::Authority);
        }
        s.set_ascii_domain(domain);
        Some(Then::Continue)
    },
};
