//! uri-js with its option `iri`: `resolve(base, reference, { iri: true })`, from 4.2.1 on.
//!
//! Read from `uri.ts` and `regexps-uri.ts` of uri-js 4.4.1. Components are read as URIs, and written as IRIs. `parse(url)` does not
//! depend on the option. The other steps are those of the table `uri-js`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Step, Table, no_calls};

use crate::uri_js::{self, CUT, IRI, PARSE, STATE};

/// uri-js for IRIs.
pub static TABLE: Table = Table {
    engine: "uri-js-iri",
    first: "4.2.1",
    changes: &[&uri_js::PORT, &uri_js::SOCKETS],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[CUT, PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `resolve`: `resolveComponents` and `serialize`.
static RESOLVE: &[Step] = &[
    uri_js::BASE,
    uri_js::RELATIVE,
    uri_js::OWN_SCHEME,
    uri_js::OWN_HOST,
    uri_js::NO_OWN_PATH,
    uri_js::MERGE,
    uri_js::REMOVE_DOTS,
    Step::new(
        "serialize: encoding of the path",
        "normalize the path again: decode characters outside ASCII that an IRI may contain, and without a scheme encode colons",
        |s| uri_js::write_path(s, IRI),
    ),
    Step::new(
        "serialize: encoding as an IRI",
        "normalize user, host, query and fragment again: decode characters outside ASCII that an IRI may contain",
        |s| uri_js::write_others(s, IRI),
    ),
    uri_js::IP_ADDRESSES,
    uri_js::NO_EMPTY_PORT,
    Step::new("removeDotSegments: RDS5", "reject a path with a separator of lines or paragraphs; after a slash, the loop over the segments does not end", |s| {
        let slot = Slot::Out(Part::Path);
        match s.get(slot).contains(['\u{2028}', '\u{2029}']) {
            true => s.reject(slot, "a separator of lines or paragraphs belongs to no segment"),
            false => Go,
        }
    }),
    uri_js::REMOVE_INHERITED_DOTS,
    uri_js::SLASH,
    uri_js::SECOND_SLASH,
    uri_js::WRITE,
];
